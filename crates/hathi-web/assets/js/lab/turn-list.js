// @ts-check
/** Candidate turns: each is drawn on the board when it is pointed at, focused or tapped. */

import { h } from "../dom.js";
import { drawnArrows, replayTurn } from "../notation.js";

/** @typedef {import("../position-box.js").At} At */
/** @typedef {(arrows: {way: number[], kind: string}[]) => void} Draw */

/**
 * @param {At} at @param {Draw} draw
 * @param {string} turn
 */
export function turnButton(at, draw, turn) {
  const show = () => draw(drawnArrows(replayTurn(at.board, at.side, turn)?.steps ?? [], at.side));
  return h(
    "button",
    { type: "button", class: "link-button mono candidate", title: "Draw it on the board", onmouseenter: show, onfocus: show, onclick: show, onmouseleave: () => draw([]), onblur: () => draw([]) },
    turn || "no step",
  );
}

/**
 * @param {At} at @param {Draw} draw
 * @param {{turn: string, rating: number}[]} turns
 * @param {string} none what to say if there are none
 */
export const turnList = (at, draw, turns, none) =>
  turns.length > 0
    ? h(
        "ol",
        { class: "candidates" },
        turns.map(({ turn, rating }) => h("li", {}, turnButton(at, draw, turn), h("span", { class: "muted small", title: "How its plan rates it" }, String(rating)))),
      )
    : h("p", { class: "muted small" }, none);
