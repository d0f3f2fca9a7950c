// @ts-check
/** Positions, setups and turns as text, and in words for people who listen. */

import {
  emptyBoard,
  freshTurn,
  neighbours,
  pieceName,
  roleName,
  sideOf,
  squareAt,
  squareName,
  take,
  whyNot,
} from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./rules.js").Step} Step */

const PIECES = "RCDHMErcdhme";

/** `g [64 letters]`, a8 first, as the server writes it. @param {Board} board @param {Side} side */
export function positionText(board, side) {
  let text = "";
  for (let rank = 7; rank >= 0; rank--) {
    for (let file = 0; file < 8; file++) text += board[rank * 8 + file] || " ";
  }
  return `${side} [${text}]`;
}

/**
 * Reads `g [64 letters]` or a drawn board with eight rows. Nothing gives
 * nothing: a game has no position before its setups.
 * @param {string | null | undefined} text
 * @returns {{board: Board, side: Side} | null}
 */
export function readPosition(text) {
  if (!text) return null;
  const short = /^\s*\d*\s*([gswb])\s*\[([^\]]{64})\]/.exec(text);
  /** @type {string[]} */
  let rows = [];
  let side = /** @type {Side} */ ("g");
  if (short) {
    side = readSide(short[1] ?? "g");
    rows = (short[2] ?? "").match(/.{8}/gs) ?? [];
  } else {
    const label = /^\s*\d*\s*([gswb])\b/m.exec(text);
    if (label) side = readSide(label[1] ?? "g");
    for (const line of text.split("\n")) {
      const row = /^\s*[1-8]?\s*\|(.*)\|/.exec(line);
      if (row) {
        const cells = row[1] ?? "";
        rows.push(cells.length >= 16 ? [...cells].filter((_, i) => i % 2 === 1).join("") : cells);
      }
    }
  }
  if (rows.length !== 8 || rows.some((row) => row.length !== 8)) return null;
  const board = emptyBoard();
  for (const [y, row] of rows.entries()) {
    for (const [x, cell] of [...row].entries()) {
      if (PIECES.includes(cell)) board[(7 - y) * 8 + x] = cell;
      else if (!" .xX".includes(cell)) return null;
    }
  }
  return { board, side };
}

/** Old records call the sides white and black. @param {string} letter @returns {Side} */
const readSide = (letter) => (letter === "g" || letter === "w" ? "g" : "s");

/**
 * The pieces of a setup, `Ra1 Rb1 ...`.
 * @param {string} text
 * @returns {{piece: string, square: number}[] | null}
 */
export function readSetup(text) {
  const placed = [];
  for (const word of text.trim().split(/\s+/)) {
    const square = squareAt(word.slice(1));
    if (!PIECES.includes(word[0] ?? "?") || square < 0) return null;
    placed.push({ piece: word[0] ?? "", square });
  }
  return placed;
}

/** @param {Board} board @param {Side} side */
export const setupText = (board, side) =>
  board
    .map((piece, square) => (piece && sideOf(piece) === side ? piece + squareName(square) : ""))
    .filter(Boolean)
    .join(" ");

/**
 * Replays a turn's text. Removals are worked out, not read.
 * @param {Board} board @param {Side} side @param {string} text
 * @returns {{steps: Step[], board: Board, positions: Position[]} | null} null if it does not fit
 */
export function replayTurn(board, side, text) {
  let position = freshTurn(board, side);
  const positions = [position];
  const steps = [];
  for (const word of text.trim().split(/\s+/)) {
    if (word === "" || word.endsWith("x") || word === "pass") continue;
    const from = squareAt(word.slice(1, 3));
    const to = from < 0 ? -1 : target(from, word[3] ?? "");
    if (to < 0 || position.board[from] !== word[0] || whyNot(position, from, to)) return null;
    const taken = take(position, from, to);
    position = taken.position;
    positions.push(position);
    steps.push(taken.step);
  }
  return { steps, board: position.board, positions };
}

/** @param {number} from @param {string} direction */
function target(from, direction) {
  const to = from + (/** @type {Record<string, number>} */ ({ n: 8, s: -8, e: 1, w: -1 })[direction] ?? 99);
  return neighbours(from).includes(to) ? to : -1;
}

/**
 * Arrows of a turn: steps of one piece joined, so that a walk is one arrow.
 * @param {Step[]} steps
 * @returns {{from: number, to: number, side: Side, way: number[]}[]}
 */
export function turnArrows(steps) {
  /** @type {{from: number, to: number, side: Side, way: number[], piece: string}[]} */
  const arrows = [];
  for (const { piece, from, to } of steps) {
    const going = arrows.find((a) => a.to === from && a.piece === piece);
    if (going) {
      going.to = to;
      going.way.push(to);
    } else {
      arrows.push({ from, to, side: sideOf(piece), way: [from, to], piece });
    }
  }
  return arrows.filter((a) => a.from !== a.to);
}

/**
 * The same for the board: the mover's own pieces in one colour, pushed and
 * pulled ones in another.
 * @param {Step[]} steps @param {Side} mover @param {string} [kind]
 */
export const drawnArrows = (steps, mover, kind = "") =>
  turnArrows(steps).map(({ way, side }) => ({ way, kind: side === mover ? kind : "foe" }));

/** A step in words. @param {Step} step */
export function stepWords({ piece, from, to, removed }) {
  const words = `${pieceName(piece)} ${squareName(from)} to ${squareName(to)}`;
  return removed ? `${words}, ${pieceName(removed.piece)} captured on ${squareName(removed.square)}` : words;
}

/** What a side has, in words. @param {Board} board @param {Side} side */
export function boardWords(board, side) {
  /** @type {Map<string, string[]>} */
  const where = new Map();
  for (const letter of "EMHDCR") {
    const piece = side === "g" ? letter : letter.toLowerCase();
    const squares = board.flatMap((p, square) => (p === piece ? [squareName(square)] : []));
    if (squares.length > 0) where.set(roleName(piece), squares);
  }
  return [...where].map(([role, squares]) => `${role} ${squares.join(" ")}`).join(", ");
}
