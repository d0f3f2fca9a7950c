// @ts-check
/** Making a turn on the board with one's hands. */

import assert from "node:assert/strict";
import { readPosition, replayTurn } from "../../assets/js/notation.js";
import { squareName, strength } from "../../assets/js/rules.js";

/** @typedef {import("./person.js").Person} Person */
/** @typedef {import("../../assets/js/rules.js").Step} Step */

/** Plays a known turn step by step. @param {Person} person @param {string} position @param {string} turn */
export async function playTurn(person, position, turn) {
  const at = readPosition(position);
  assert.ok(at);
  const replay = replayTurn(at.board, at.side, turn);
  assert.ok(replay, `${turn} is legal in ${position}`);
  const own = (/** @type {string} */ piece) => (piece < "a") === (at.side === "g");
  /** The walk just made, which may pull. @type {Step | null} */
  let walk = null;
  for (let i = 0; i < replay.steps.length; i++) {
    const step = replay.steps[i];
    const next = replay.steps[i + 1];
    if (!step) continue;
    const from = squareName(step.from);
    // Whoever walks into the square after a pull is no pusher.
    const pulled = !own(step.piece) && walk !== null && walk.from === step.to && strength(walk.piece) > strength(step.piece);
    walk = own(step.piece) ? step : null;
    if (!own(step.piece) && !pulled && next && own(next.piece) && next.to === step.from) {
      // A push: the pusher onto the enemy, then the square if there is a choice.
      await person.touch(squareName(next.from));
      await person.touch(from);
      if (/Where shall/.test(await person.words())) await person.touch(squareName(step.to));
      i++;
    } else if (!own(step.piece)) {
      await person.touch(from);
      if (!(await person.on(squareName(step.to))).includes("silver") && !(await person.on(squareName(step.to))).includes("gold")) await person.touch(squareName(step.to));
    } else {
      await person.touch(from);
      await person.touch(squareName(step.to));
    }
  }
  await person.press(person.button("Finish turn"));
}
