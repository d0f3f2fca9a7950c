// @ts-check
/** Setups of the memory's games, with how they fare, to choose from. */

import { MEMORY, playAddress } from "./addresses.js";
import { get } from "./api.js";
import { pieceClass } from "./board.js";
import { fill, h, number, plural } from "./dom.js";
import { boardWords, readSetup } from "./notation.js";
import { chips, winBar } from "./parts.js";
import { emptyBoard, strength } from "./rules.js";
import { empty, showing } from "./states.js";

/** @typedef {import("./types.js").Setups} Setups */

/**
 * @param {object} options
 * @param {import("./rules.js").Side} options.side whose
 * @param {string} options.replyTo Gold's setup, for Silver
 * @param {Record<string, string>} options.filters
 * @param {AbortSignal} options.signal
 * @param {(setup: string) => void} options.show puts it on the board
 * @param {() => void} options.choose takes what is on the board
 */
export function setupPicker({ side, replyTo, filters, signal, show, choose }) {
  /** How the list is sorted. */
  let by = "games";
  const place = h("section", { class: "card tall", "aria-label": side === "g" ? "Gold's setups" : "Silver's replies" });
  void showing(
    place,
    () => /** @type {Promise<Setups>} */ (get("/setups", { side, reply_to: replyTo, limit: 20, ...filters }, signal)),
    (answer) => {
      if (answer.setups.length === 0) {
        fill(place, nothing(answer, replyTo));
        return;
      }
      const draw = () => fill(
        place,
        h("p", { class: "small" }, `${plural(answer.games, "game")}, ${plural(answer.kinds, "different setup")}${filters["literal"] ? "" : ", mirror images counted as one"}`),
        whose,
        answer.setups.length > 1 &&
          chips("Sort by", Object.entries(ORDERS).map(([id, { label }]) => ({ id, label })), by, (id) => {
            by = id;
            draw();
            /** @type {HTMLElement | null} */ (place.querySelector(`.chips [data-id="${id}"]`))?.focus();
          }),
        h(
          "ul",
          { class: "setups" },
          [...answer.setups].sort((a, b) => (ORDERS[by]?.value(b) ?? 0) - (ORDERS[by]?.value(a) ?? 0)).map((setup) => {
            const put = () => show(setup.setup);
            return h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: "setup",
                  onmouseenter: put,
                  onfocus: put,
                  onclick: () => {
                    put();
                    choose();
                  },
                },
                miniSetup(setup.setup, side),
                h("span", { class: "visually-hidden" }, `Setup ${setup.rank}: ${officers(setup.setup)}.`),
                h(
                  "span",
                  { class: "setup-facts" },
                  h("strong", {}, `${number(setup.games)} ${setup.games === 1 ? "game" : "games"}`),
                  h("span", { class: "muted small" }, setup.rating ? `rated ${Math.round(setup.rating)}` : ""),
                  winBar(side, setup.win_rate),
                ),
              ),
            );
          }),
        ),
      );
      const whose = whoseGames(signal);
      draw();
    },
  );
  return place;
}

/** @type {Record<string, {label: string, value: (setup: import("./types.js").Setup) => number}>} */
const ORDERS = {
  games: { label: "most played", value: ({ games }) => games },
  won: { label: "won most often", value: ({ win_rate }) => win_rate },
  rating: { label: "strongest players", value: ({ rating }) => rating ?? 0 },
};

/** Says so as long as there are only games of engines that came with the program. @param {AbortSignal} signal */
export function whoseGames(signal) {
  const place = h("div", {});
  void get("/sources", {}, signal).then(
    (/** @type {import("./types.js").Sources} */ { sources }) => {
      const counted = sources.filter((source) => source.counted);
      const samples = counted.find(({ source }) => source === "sample");
      if (!samples) return;
      fill(
        place,
        h(
          "p",
          { class: "notice small whose-games" },
          `${plural(samples.games, "game")} of these ${samples.games === 1 ? "is a sample" : "are samples"}: Hathi's engines against each other, for a look around. They make way for real games: `,
          h("a", { href: MEMORY }, "add some"),
          ".",
        ),
      );
    },
    () => {},
  );
  return place;
}

/** @param {Setups} answer @param {string} replyTo */
function nothing(answer, replyTo) {
  if (replyTo) return empty("Nobody answered this setup in the memory. Place Silver's pieces yourself and go on.");
  if (answer.games > 0) return empty("No game passes these filters.");
  return h(
    "div",
    { class: "notice" },
    h("p", {}, "The memory is empty. ", h("a", { href: MEMORY }, "Add games"), ": drop the files of an archive on the page, or read them with"),
    h("p", {}, h("code", {}, "hathi import allgames*.txt")),
    h("p", {}, "or, for a look around, games that are made up:"),
    h("p", {}, h("code", {}, "hathi synth --games 5000 -o games.txt && hathi import games.txt")),
    h("p", {}, "Meanwhile you can place pieces and play on this board, and ", h("a", { href: playAddress() }, "play an engine"), "."),
  );
}

/** Where the pieces stand that are no rabbits, in words. @param {string} setup */
function officers(setup) {
  const board = emptyBoard();
  for (const { piece, square } of readSetup(setup) ?? []) if (strength(piece) > 1) board[square] = piece;
  return boardWords(board, setup.includes("E") ? "g" : "s");
}

/** Two ranks, drawn small. @param {string} setup @param {import("./rules.js").Side} side */
function miniSetup(setup, side) {
  const element = h("span", { class: "mini-board half", "aria-hidden": "true" });
  for (const { piece, square } of readSetup(setup) ?? []) {
    const row = side === "g" ? 1 - (square >> 3) : 7 - (square >> 3);
    element.append(h("div", { class: `${pieceClass(piece)} x${square & 7} y${row}` }));
  }
  return element;
}
