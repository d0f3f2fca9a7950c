// @ts-check
/** Pointing at squares: each click, tap or Enter chooses one or lets it go. */

import { announce } from "./dom.js";
import { squareName } from "./rules.js";

/** @typedef {import("./board.js").Board} Board */

export class SquareInput {
  /** @param {Board} board @param {() => void} change */
  constructor(board, change) {
    this.board = board;
    this.change = change;
    this.enabled = true;
    /** @type {Set<number>} */
    this.chosen = new Set();
    board.events = { pick: (square) => this.#pick(square) };
  }

  /** @param {string[]} board */
  start(board) {
    this.chosen = new Set();
    this.enabled = true;
    this.board.set({ board, selected: -1, dots: new Map(), movable: new Set(), frozen: new Set(), last: new Set(), arrows: [], marks: new Map() });
  }

  /** @param {number[]} squares */
  choose(squares) {
    this.chosen = new Set(squares);
    this.#show();
  }

  get names() {
    return [...this.chosen].sort((a, b) => a - b).map(squareName);
  }

  /** @param {number} square */
  #pick(square) {
    if (!this.enabled) return;
    if (!this.chosen.delete(square)) this.chosen.add(square);
    announce(`${squareName(square)} ${this.chosen.has(square) ? "chosen" : "not chosen any more"}`);
    this.#show();
    this.change();
  }

  #show() {
    this.board.set({ marks: new Map([...this.chosen].map((square) => [square, "chosen"])) });
  }
}
