// @ts-check
/**
 * What the memory answers for a position, as Explore shows it: the kinds of
 * match with their counts, the turns played there, games. It only draws; what
 * somebody does with it goes to the handlers.
 */

import { reviewAddress, winAddress } from "./addresses.js";
import { h, number, plural, s } from "./dom.js";
import { chips, gameList, tabs, winBar } from "./parts.js";
import { sortableHead, sorted } from "./sortable.js";
import { roleName } from "./rules.js";
import { empty } from "./states.js";

/** @typedef {import("./types.js").Explored} Explored */
/** @typedef {import("./types.js").PlayedTurn} PlayedTurn */
/** @typedef {import("./rules.js").Side} Side */

/**
 * @typedef {object} MemoryHandlers
 * @property {(part: {kind?: string, trap?: string, piece?: string}) => void} change another part of the board was asked for
 * @property {(played: PlayedTurn) => void} play
 * @property {(sorting: import("./sortable.js").Sorting) => void} sort
 * @property {(played: PlayedTurn | null) => void} preview a turn is pointed at, or none any more
 */

const KINDS = [
  { id: "full", label: "Whole board" },
  { id: "half", label: "Middle" },
  { id: "area", label: "Around a trap" },
  { id: "area-by-piece", label: "By strength" },
];
const KIND_WORDS = /** @type {Record<string, string>} */ ({
  full: "Positions that are the same on every square.",
  half: "Positions that are the same on the four rows in the middle; the rest may differ.",
  area: "Positions that are the same on the 25 squares around a trap; the rest may differ.",
  "area-by-piece": "Positions that are alike around a trap for one of your pieces: a friend there is any friend, an enemy there is weaker, equal or stronger than it.",
});

/** Is it a name of a kind? */
export const isKind = (/** @type {string} */ name) => KINDS.some(({ id }) => id === name);

/** What may be asked for, in words. */
export const KIND_NAMES = KINDS.map(({ id }) => id).join(", ");

/** Squares of the board that a kind compares, as a small picture. @param {string} kind @param {string | null} trap */
function kindPicture(kind, trap) {
  const [x, y] = [(trap ?? "c3").charCodeAt(0) - 97, Number((trap ?? "c3")[1]) - 1];
  const compared = (/** @type {number} */ file, /** @type {number} */ rank) =>
    kind === "full" || (kind === "half" ? rank >= 2 && rank <= 5 : Math.abs(file - x) <= 2 && Math.abs(rank - y) <= 2);
  const cells = [];
  for (let rank = 0; rank < 8; rank++) {
    for (let file = 0; file < 8; file++) {
      // Strength is not the piece itself: shades instead of one colour.
      const shade = kind === "area-by-piece" ? ` shade-${(file + rank) % 3}` : "";
      cells.push(s("rect", { x: file * 4, y: (7 - rank) * 4, width: 3.6, height: 3.6, class: compared(file, rank) ? `compared${shade}` : "ignored" }));
    }
  }
  return s("svg", { viewBox: "0 0 32 32", class: "kind-picture", "aria-hidden": "true" }, ...cells);
}

/** The kind to ask for: the one that is wanted, or the first that knows something. @param {string | undefined} wanted */
export const kindToAsk = (wanted) => KINDS.find(({ id }) => id === wanted)?.id ?? "closest";

/** Is it one of the kinds that look round a trap? @param {string} kind */
const isArea = (kind) => kind.startsWith("area");

/**
 * @param {Explored} explored
 * @param {Side} toMove @param {import("./sortable.js").Sorting} sorting
 * @param {MemoryHandlers} handlers
 * @returns {import("./dom.js").Child[]}
 */
export const memoryView = (explored, toMove, sorting, handlers) => [
  tabs(
    "What must be the same",
    KINDS.map(({ id, label }) => ({ id, label, picture: kindPicture(id, explored.trap), count: number(explored.kinds.find((found) => found.kind === id)?.hits ?? 0) })),
    explored.kind,
    (id) => handlers.change({ kind: id }),
  ),
  h("p", { class: "muted small" }, KIND_WORDS[explored.kind]),
  isArea(explored.kind) && areaChips(explored, handlers),
  turnTable(explored, toMove, sorting, handlers),
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
        [..."EMHDCR"].map((letter) => ({ id: letter, label: roleName(letter), title: `as your ${roleName(letter)} sees it` })),
        explored.piece ?? "",
        (piece) => change({ piece }),
      ),
  );

/** What the turns can be sorted by. @type {import("./sortable.js").Column<PlayedTurn>[]} */
const COLUMNS = [
  { id: "turn", label: "Turn", value: ({ turn }) => turn },
  { id: "count", label: "Played", value: ({ count }) => count, class: "num", title: "Sort by how often it was played" },
  { id: "won", label: "Won", value: ({ win_rate }) => win_rate, title: "Sort by how often it won" },
  { id: "rating", label: "Rating", value: ({ rating }) => rating, class: "num wide-only", title: "Sort by how strong its players were" },
  { id: "last", label: "Last", value: ({ last_played }) => (last_played ? Date.parse(last_played) : null), class: "num wide-only", title: "Sort by when it was last played" },
];

/** @param {Explored} explored @param {Side} toMove @param {import("./sortable.js").Sorting} sorting @param {MemoryHandlers} handlers */
function turnTable(explored, toMove, sorting, handlers) {
  if (explored.hits === 0) {
    return empty("Nobody has been here before. Compare a smaller part of the board, above, take filters away, or play on.");
  }
  const clear = () => handlers.preview(null);
  return h(
    "div",
    {},
    h(
      "p",
      { class: "small" },
      `${plural(explored.hits, "time")} in ${plural(explored.games, "game")}, ${plural(explored.different_turns, "different turn")}`,
    ),
    h(
      "table",
      { class: "turns", onmouseleave: clear },
      sortableHead(COLUMNS, sorting, handlers.sort),
      h("tbody", {}, sorted(explored.turns, COLUMNS, sorting).map((played) => turnRow(played, toMove, handlers, clear))),
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
