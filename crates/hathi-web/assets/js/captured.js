// @ts-check
/** Pieces that have left the board, in a row beside it. */

import { pieceClass } from "./board.js";
import { fill, h } from "./dom.js";
import { LETTERS, roleName, sideName } from "./rules.js";

/** @typedef {import("./rules.js").Side} Side */

/**
 * What a side has lost on the way from one board to another, strongest first.
 * @param {string[]} from @param {string[]} now @param {Side} side
 */
export function captured(from, now, side) {
  const lost = [];
  for (const letter of [...LETTERS].reverse()) {
    const piece = side === "g" ? letter : letter.toLowerCase();
    const count = (/** @type {string[]} */ board) => board.filter((one) => one === piece).length;
    for (let i = count(now); i < count(from); i++) lost.push(piece);
  }
  return lost;
}

/** Shows the lost pieces of a side. @param {HTMLElement} place @param {Side} side @param {string[]} lost */
export function showCaptured(place, side, lost) {
  fill(
    place,
    lost.length > 0 &&
      h(
        "span",
        { class: "captured", role: "img", "aria-label": `${sideName(side)} has lost: ${lost.map(roleName).join(", ")}` },
        lost.map((piece) => h("span", { class: pieceClass(piece) })),
      ),
  );
}
