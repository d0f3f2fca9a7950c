// @ts-check
/** Placing a side's sixteen pieces: any two of them change places by dragging or clicking. */

import { announce } from "./dom.js";
import { pieceName, sideOf, squareName } from "./rules.js";

/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./board.js").Board} Board */

/** A sound arrangement to begin with, rank 1 (or 8) first. */
const FIRST = "RRRDDRRRRHCMECHR";

export class SetupInput {
  /**
   * @param {Board} board @param {Side} side
   * @param {() => void} change
   */
  constructor(board, side, change) {
    this.board = board;
    this.side = side;
    this.change = change;
    this.selected = -1;
    this.squares = setupSquares(side);
    board.events = {
      pick: (square) => this.#pick(square),
      lift: (square) => this.#select(square),
      drop: (from, to) => this.#swap(from, to),
      cancel: () => this.#select(-1),
    };
  }

  /** Shows a board on which this side's two ranks are full, filling them if not. @param {string[]} board */
  start(board) {
    const placed = [...board];
    if (this.squares.some((square) => !placed[square])) arrange(placed, this.side, FIRST);
    this.selected = -1;
    this.#show(placed);
  }

  /** @param {number} square */
  #pick(square) {
    if (this.selected >= 0) this.#swap(this.selected, square);
    else if (this.squares.includes(square)) this.#select(square);
  }

  /** @param {number} from @param {number} to */
  #swap(from, to) {
    const board = [...this.board.state.board];
    if (this.squares.includes(to) && from !== to) {
      [board[from], board[to]] = [board[to] ?? "", board[from] ?? ""];
      announce(`${pieceName(board[to] ?? "")} to ${squareName(to)}, ${pieceName(board[from] ?? "")} to ${squareName(from)}`);
    }
    this.selected = -1;
    this.#show(board);
    this.change();
  }

  /** @param {number} square */
  #select(square) {
    this.selected = square;
    this.#show(this.board.state.board);
  }

  /** @param {string[]} board */
  #show(board) {
    this.board.set({
      board,
      selected: this.selected,
      movable: new Set(this.squares),
      dots: new Map(),
      last: new Set(),
      frozen: new Set(),
      arrows: [],
    });
  }
}

/** The squares of a setup, the goal row behind first. @param {Side} side */
export const setupSquares = (side) =>
  Array.from({ length: 16 }, (_, i) => (side === "g" ? i : 56 - (i >> 3) * 8 + (i & 7)));

/** Puts sixteen letters onto a board. @param {string[]} board @param {Side} side @param {string} letters */
export function arrange(board, side, letters) {
  for (const [i, square] of setupSquares(side).entries()) {
    const letter = letters[i] ?? "R";
    board[square] = side === "g" ? letter.toUpperCase() : letter.toLowerCase();
  }
}

/** The sixteen letters of a side's setup, for an address. @param {string[]} board @param {Side} side */
export const setupLetters = (board, side) =>
  setupSquares(side)
    .map((square) => {
      const piece = board[square] ?? "";
      return piece && sideOf(piece) === side ? piece.toUpperCase() : "";
    })
    .join("");

/** Is this a full set? @param {string} letters */
export const isSetup = (letters) => [...letters.toUpperCase()].sort().join("") === "CCDDEHHMRRRRRRRR";
