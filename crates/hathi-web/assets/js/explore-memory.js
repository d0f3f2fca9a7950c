// @ts-check
/**
 * What the memory answers for a position, as Explore shows it: the kinds of
 * match with their counts, the turns played there, games. It only draws; what
 * somebody does with it goes to the handlers.
 */

import { reviewAddress, winAddress } from "./addresses.js";
import { duration, h, number, plural } from "./dom.js";
import { chips, gameList, tabs, winBar } from "./parts.js";
import { empty } from "./states.js";

/** @typedef {import("./types.js").Explored} Explored */
/** @typedef {import("./types.js").PlayedTurn} PlayedTurn */
/** @typedef {import("./rules.js").Side} Side */

/**
 * @typedef {object} MemoryHandlers
 * @property {(part: {kind?: string, trap?: string, piece?: string}) => void} change another part of the board was asked for
 * @property {(played: PlayedTurn) => void} play
 * @property {(played: PlayedTurn | null) => void} preview a turn is pointed at, or none any more
 */

const KINDS = [
  { id: "full", label: "Full" },
  { id: "half", label: "Half" },
  { id: "area", label: "Area" },
  { id: "area-by-piece", label: "By piece" },
];
const KIND_WORDS = /** @type {Record<string, string>} */ ({
  full: "The whole board.",
  half: "The middle, ranks 3 to 6; the rest may differ.",
  area: "The 5×5 squares round a trap; the rest may differ.",
  "area-by-piece": "Round a trap, as one piece sees it: friends, and enemies weaker, equal or stronger.",
});

/** The kind to ask for: the one that is wanted, or the first that knows something. @param {string | undefined} wanted */
export const kindToAsk = (wanted) => KINDS.find(({ id }) => id === wanted)?.id ?? "closest";

/** Is it one of the kinds that look round a trap? @param {string} kind */
const isArea = (kind) => kind.startsWith("area");

/**
 * @param {Explored} explored
 * @param {Side} toMove @param {MemoryHandlers} handlers
 * @returns {import("./dom.js").Child[]}
 */
export const memoryView = (explored, toMove, handlers) => [
  tabs(
    "What must be the same",
    KINDS.map(({ id, label }) => ({ id, label, count: number(explored.kinds.find((found) => found.kind === id)?.hits ?? 0) })),
    explored.kind,
    (id) => handlers.change({ kind: id }),
  ),
  h("p", { class: "muted small" }, KIND_WORDS[explored.kind]),
  isArea(explored.kind) && areaChips(explored, handlers),
  turnTable(explored, toMove, handlers),
  explored.puzzles.length > 0 && puzzleNote(explored.puzzles),
  games("Strongest", explored.top_rated),
  games("Most recent", explored.most_recent),
];

/** @param {Explored} explored @param {MemoryHandlers} handlers */
const areaChips = (explored, { change }) =>
  h(
    "div",
    { class: "area-chips" },
    chips(
      "Trap",
      explored.traps.map(({ trap, hits: count }) => ({ id: trap, label: `${trap} · ${number(count)}` })),
      explored.trap ?? "",
      (trap) => change({ trap }),
    ),
    explored.kind === "area-by-piece" &&
      chips(
        "Piece to be moved",
        [..."EMHDCR"].map((letter) => ({ id: letter, label: letter, title: `as the ${letter} sees it` })),
        explored.piece ?? "",
        (piece) => change({ piece }),
      ),
  );

/** @param {Explored} explored @param {Side} toMove @param {MemoryHandlers} handlers */
function turnTable(explored, toMove, handlers) {
  if (explored.hits === 0) {
    return empty("Nobody has been here before. Try a smaller part of the board above, fewer filters, or play on.");
  }
  const clear = () => handlers.preview(null);
  return h(
    "div",
    {},
    h(
      "p",
      { class: "small" },
      `${plural(explored.hits, "time")} in ${plural(explored.games, "game")}, ${plural(explored.different_turns, "different turn")}`,
      h("span", { class: "muted" }, ` · ${duration(explored.microseconds)}`),
    ),
    h(
      "table",
      { class: "turns", onmouseleave: clear },
      h(
        "thead",
        {},
        h("tr", {}, h("th", {}, "Turn"), h("th", { class: "num", title: "Times this turn was played" }, "Played"), h("th", {}, "Won"), h("th", { class: "num wide-only" }, "Rating"), h("th", { class: "num wide-only" }, "Last")),
      ),
      h("tbody", {}, explored.turns.map((played) => turnRow(played, toMove, handlers, clear))),
    ),
    explored.different_turns > explored.turns.length &&
      h("p", { class: "muted small" }, `The ${explored.turns.length} most played of ${number(explored.different_turns)}.`),
  );
}

/** @param {PlayedTurn} played @param {Side} toMove @param {MemoryHandlers} handlers @param {() => void} clear */
function turnRow(played, toMove, handlers, clear) {
  const preview = () => handlers.preview(played);
  const sample = played.samples[0];
  return h(
    "tr",
    { class: "hot", onmouseenter: preview, onfocusin: preview, onfocusout: clear },
    h("td", {}, h("button", { type: "button", class: "link-button mono turn", onclick: () => handlers.play(played) }, played.turn)),
    h("td", { class: "num" }, sample ? h("a", { href: reviewAddress(sample.game, sample.ply), title: "A game with it" }, number(played.count)) : number(played.count)),
    h("td", {}, winBar(toMove, played.win_rate)),
    h("td", { class: "num wide-only" }, played.rating ? Math.round(played.rating) : "–"),
    h("td", { class: "num wide-only" }, played.last_played?.slice(0, 7) ?? "–"),
  );
}

/** @param {Explored["puzzles"]} puzzles */
const puzzleNote = (puzzles) =>
  h(
    "p",
    { class: "notice" },
    "There is a win in two here: ",
    puzzles.map(({ game, move }) => h("a", { href: winAddress(game, move) }, "solve it")),
  );

/** @param {string} title @param {import("./types.js").Game[]} list */
const games = (title, list) => list.length > 0 && h("section", {}, h("h2", {}, title), gameList(list));
