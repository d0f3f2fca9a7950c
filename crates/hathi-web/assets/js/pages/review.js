// @ts-check
/** Review: /review lists games and takes pasted ones, /review/ID shows one. */

import { MEMORY, pastedAddress, readFilters, readReview, reviewAddress, reviewsAddress, studyAddress } from "../addresses.js";
import { get, messageOf, post } from "../api.js";
import { fill, h, plural } from "../dom.js";
import { icon } from "../icons.js";
import { tagGames } from "../motif-tags.js";
import { FilterBox, gameList } from "../parts.js";
import { pack, unpack } from "../pack.js";
import { sorted } from "../sortable.js";
import { empty, failed, showing } from "../states.js";
import { GameViewer } from "../review-game.js";
import { listedStudies } from "../study-box.js";

/** @typedef {import("../types.js").Game} Game */
/** @typedef {import("../types.js").FullGame} FullGame */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */

/** @param {Context} context @returns {Page} */
export function page(context) {
  return readReview(context.url).id ? opened(context) : list(context);
}

/** @param {Context} context @returns {Page} */
function opened(context) {
  const { id, arena, pasted, study } = readReview(context.url);
  const element = h("div", {});
  let now = context;
  /** @type {GameViewer | null} */
  let shown = null;
  void showing(
    element,
    async () => {
      if (study !== null) {
        const kept = /** @type {import("../types.js").Study} */ (await get(`/studies/${encodeURIComponent(study)}`, {}, context.signal));
        return { game: /** @type {FullGame} */ (await post("/read", { text: kept.text }, context.signal)), text: kept.text, kept };
      }
      // A game of a tournament is known by the tournament and its number.
      if (arena) {
        const game = /** @type {FullGame} */ (await get(`/arenas/${encodeURIComponent(arena.id)}/games/${arena.number}`, {}, context.signal));
        return { game, text: game.notation, kept: null };
      }
      if (pasted === null) return { game: /** @type {FullGame} */ (await get(`/games/${encodeURIComponent(id)}`, {}, context.signal)), text: null, kept: null };
      const text = await unpack(pasted);
      return { game: /** @type {FullGame} */ (await post("/read", { text }, context.signal)), text, kept: null };
    },
    ({ game, text, kept }) => {
      shown = new GameViewer(now, game, text, kept);
      shown.begin();
      fill(element, shown.element);
      document.title = `${shown.title} · Hathi`;
    },
  );
  return {
    title: study !== null ? "Study" : pasted !== null ? "Pasted game" : `Game ${id}`,
    element,
    update: (next) => {
      now = next;
      shown?.update(next);
    },
    key: (key) => shown?.key(key) ?? false,
  };
}

/** How the games can be sorted: by the server, all of them, or here, those shown. @type {{id: string, label: string, order: "newest" | "oldest", value: ((game: Game) => number | string | null) | null}[]} */
const SORTINGS = [
  { id: "newest", label: "added last", order: "newest", value: null },
  { id: "oldest", label: "added first", order: "oldest", value: null },
  { id: "date", label: "date (those shown)", order: "newest", value: ({ date }) => (date ? Date.parse(date) : null) },
  { id: "rating", label: "rating (those shown)", order: "newest", value: ({ gold, silver }) => (gold.rating === null && silver.rating === null ? null : Math.max(gold.rating ?? 0, silver.rating ?? 0)) },
  { id: "turns", label: "length (those shown)", order: "newest", value: ({ turns }) => turns },
  { id: "player", label: "Gold's name (those shown)", order: "newest", value: ({ gold }) => gold.name },
];

/** @param {string} label @param {{id: string, label: string}[]} choices @param {(id: string) => void} choose */
const sortBox = (label, choices, choose) =>
  h(
    "label",
    { class: "sort-box small" },
    label,
    h("select", { name: "sort", onchange: (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value) }, choices.map(({ id, label }) => h("option", { value: id }, label))),
  );

/** The studies, sorted as wanted. @param {HTMLElement} place @param {import("../types.js").StudyList["studies"]} studies */
function showStudies(place, studies) {
  const list = h("ul", { class: "games" });
  const draw = (/** @type {string} */ by) => {
    const value = (/** @type {import("../types.js").StudyList["studies"][number]} */ study) => (by === "title" ? study.title : study.changed);
    const columns = [{ id: by, label: "", value }];
    fill(
      list,
      sorted(studies, columns, { by, reversed: false }).map(({ id, title, changed }) =>
        h("li", {}, h("a", { href: studyAddress(id) }, h("span", {}, title), h("span", { class: "muted small" }, new Date(changed * 1000).toLocaleDateString()))),
      ),
    );
  };
  draw("changed");
  const choices = [
    { id: "changed", label: "last changed" },
    { id: "title", label: "title" },
  ];
  fill(place, h("h2", {}, "Studies"), studies.length > 1 && sortBox("Sort by", choices, draw), list);
}

/** @param {Context} context @returns {Page} */
function list(context) {
  let now = context;
  const place = h("section", { class: "card", "aria-label": "Games of the memory" });
  const filters = new FilterBox((changed) => now.go(reviewsAddress(changed), { replace: true }), { position: false });
  const trouble = h("div", {});
  const text = h("textarea", {
    name: "text",
    rows: "5",
    spellcheck: "false",
    "aria-label": "Move list or archive line",
    placeholder: "1g Ra1 Rb1 …\n1s …\n2g Ed2n …\nor a line of a game archive",
  });
  const paste = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const read = /** @type {FullGame} */ (await post("/read", { text: text.value }, now.signal));
      // A game of the memory is shown as that.
      now.go(read.stored === null ? pastedAddress(await pack(text.value)) : reviewAddress(read.stored));
    } catch (error) {
      fill(trouble, failed(messageOf(error)));
    }
  };
  const openNumber = (/** @type {Event} */ event) => {
    event.preventDefault();
    const id = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("id") ?? "").trim();
    if (id) now.go(reviewAddress(id));
  };

  /** @type {(typeof SORTINGS)[number]} */
  let sorting = /** @type {(typeof SORTINGS)[number]} */ (SORTINGS[0]);
  const sort = sortBox("Sort by", SORTINGS, (id) => {
    const before = sorting;
    sorting = SORTINGS.find((one) => one.id === id) ?? sorting;
    if (before.order === sorting.order && games.length > 0) showGames();
    else update(now);
  });
  const found = h("div", {});
  /** @type {Game[]} */
  let games = [];
  const showGames = () => {
    const { id, value } = sorting;
    const shown = value ? sorted(games, [{ id, label: "", value }], { by: id, reversed: false }) : games;
    const list = gameList(shown);
    fill(found, list);
    void tagGames(list, now.signal);
  };

  /** @param {Context} next */
  const update = (next) => {
    now = next;
    const chosen = readFilters(now.url);
    filters.set(chosen);
    games = [];
    const more = async (/** @type {string | null} */ after) => {
      await showing(
        place,
        () => /** @type {Promise<{total: number, games: Game[], next: string | null}>} */ (get("/games", { limit: 30, after, order: sorting.order, ...chosen }, now.signal)),
        (answer) => {
          games = [...games, ...answer.games];
          if (games.length > 0) showGames();
          fill(
            place,
            h("h2", {}, plural(answer.total, "game")),
            games.length > 1 && sort,
            games.length > 0
              ? found
              : empty("No games", Object.keys(chosen).length > 0 ? " pass these filters." : " in the memory yet: play one, or add some."),
            answer.next !== null && h("button", { type: "button", onclick: () => void more(answer.next) }, "More games"),
          );
        },
      );
    };
    void more(null);
    return "Review";
  };
  update(context);
  const studies = h("section", { class: "card", "aria-label": "Studies", hidden: true });
  listedStudies(context.signal).then(
    (answer) => {
      studies.hidden = answer.studies.length === 0;
      showStudies(studies, answer.studies);
    },
    () => {},
  );
  return {
    title: "Review",
    element: h(
      "div",
      { class: "two-columns" },
      h(
        "div",
        {},
        h("h1", {}, "Review a game"),
        h(
          "form",
          { class: "card", onsubmit: paste },
          h("h2", {}, "Paste a game"),
          text,
          trouble,
          h("button", { type: "submit", class: "primary" }, icon("review"), "Review it"),
        ),
        h(
          "form",
          { class: "card row-of", onsubmit: openNumber },
          h("label", { class: "field" }, "Game: a number, or sample:15", h("input", { name: "id", autocomplete: "off", spellcheck: "false" })),
          h("button", { type: "submit" }, "Open"),
        ),
        studies,
      ),
      h("div", {}, h("h2", { class: "like-h1" }, "Games of the memory"), h("p", { class: "small" }, h("a", { href: MEMORY }, "Add games")), filters.element, place),
    ),
    update,
  };
}
