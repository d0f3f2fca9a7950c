// @ts-check
/** Review: /review lists games and takes pasted ones, /review/ID shows one. */

import { MEMORY, pastedAddress, readFilters, readReview, reviewAddress, reviewsAddress, studyAddress } from "../addresses.js";
import { get, messageOf, post } from "../api.js";
import { fill, h, plural } from "../dom.js";
import { icon } from "../icons.js";
import { FilterBox, gameList } from "../parts.js";
import { pack, unpack } from "../pack.js";
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

  /** @param {Context} next */
  const update = (next) => {
    now = next;
    const chosen = readFilters(now.url);
    filters.set(chosen);
    /** @type {Game[]} */
    let games = [];
    const more = async (/** @type {string | null} */ after) => {
      await showing(
        place,
        () => /** @type {Promise<{total: number, games: Game[], next: string | null}>} */ (get("/games", { limit: 30, after, ...chosen }, now.signal)),
        (answer) => {
          games = [...games, ...answer.games];
          fill(
            place,
            h("h2", {}, plural(answer.total, "game")),
            games.length > 0
              ? gameList(games)
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
      fill(
        studies,
        h("h2", {}, "Studies"),
        h("ul", { class: "games" }, answer.studies.map(({ id, title, changed }) => h("li", {}, h("a", { href: studyAddress(id) }, h("span", {}, title), h("span", { class: "muted small" }, new Date(changed * 1000).toLocaleDateString()))))),
      );
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
