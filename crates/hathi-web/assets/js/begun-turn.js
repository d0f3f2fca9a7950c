// @ts-check
/** The steps of a turn that is not finished, kept in the browser: a lost connection or a reload costs nothing. */

/** @typedef {import("./rules.js").Step} Step */
/** @typedef {{id: string, moves: number, steps: {from: number, to: number}[]}} Begun */

const KEY = "begun-turn";

/** @param {string} id of the game @param {number} moves made before @param {Step[]} steps */
export function keepBegun(id, moves, steps) {
  if (steps.length === 0) return forgetBegun(id);
  /** @type {Begun} */
  const begun = { id, moves, steps: steps.map(({ from, to }) => ({ from, to })) };
  localStorage.setItem(KEY, JSON.stringify(begun));
}

/** What was begun at this point of the game. @param {string} id @param {number} moves @returns {Step[]} */
export function begunTurn(id, moves) {
  const begun = read();
  return begun?.id === id && begun.moves === moves ? /** @type {Step[]} */ (begun.steps) : [];
}

/** @param {string} id */
export function forgetBegun(id) {
  if (read()?.id === id) localStorage.removeItem(KEY);
}

/** @returns {Begun | null} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
