// @ts-check
import assert from "node:assert/strict";
import { readPosition, replayTurn } from "../../assets/js/notation.js";
import { squareName, strength } from "../../assets/js/rules.js";

/** @typedef {import("../lib/person.js").Person} Person */
/** @typedef {import("../lib/hathi.js").Hathi} Hathi */
/** @typedef {import("../../assets/js/rules.js").Step} Step */

/**
 * Solves one puzzle after a wrong try and a hint, and another from memory.
 * @param {Person} person @param {Hathi} hathi @param {"win" | "goal"} kind
 */
export async function puzzles(person, hathi, kind) {
  const { page } = person;
  await person.go(`/puzzles?kind=${kind}`);
  await page.waitForURL(new RegExp(`/puzzles/${kind}-`));
  await person.button("Hint").waitFor();
  await person.fits();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const puzzle = await hathi.get(`/puzzles/${id}`);
  const solution = await hathi.get(`/puzzles/${id}/solution`);
  await page.locator(".square.grab").first().waitFor();

  // A turn that is surely wrong: one step, then back to try again.
  const shortest = solution.turn.split(" ").filter((/** @type {string} */ w) => !w.endsWith("x")).length;
  if (shortest > 1) {
    await person.press(page.locator(".square.grab").first());
    const dot = page.locator(".square[data-dot=step]").first();
    await person.press(dot);
    if (await person.button("Finish turn").isEnabled()) {
      await person.press(person.button("Finish turn"));
      await person.button("Try again").waitFor();
      await person.press(person.button("Try again"));
    } else await person.press(person.button("Undo"));
  }
  await person.press(person.button("Hint"));
  await person.hears(/begins with/);
  await person.press(person.button("Hint 2 of 3"));
  await page.locator("[data-mark=hint]").first().waitFor();

  await solve(person, puzzle.position, solution.turn);
  await person.hears(/Correct|Goal/);
  await page.getByRole("heading", { name: "Solution" }).waitFor();
  await person.fits();
  await person.press(person.button("Next"));
  await page.waitForURL((url) => !url.pathname.endsWith(id)).catch(() => page.getByText("You have seen every puzzle").waitFor());
  assert.match(await page.locator("main").innerText(), /1 puzzle solved|2 puzzles solved/);
}

/** Plays a known turn step by step. @param {Person} person @param {string} position @param {string} turn */
async function solve(person, position, turn) {
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
