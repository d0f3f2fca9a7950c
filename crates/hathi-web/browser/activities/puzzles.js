// @ts-check
import assert from "node:assert/strict";
import { playTurn } from "../lib/play-turn.js";

/** @typedef {import("../lib/person.js").Person} Person */
/** @typedef {import("../lib/hathi.js").Hathi} Hathi */

/** The position after some turns. @param {Hathi} hathi @param {string} position @param {string[]} turns */
async function afterTurns(hathi, position, turns) {
  let now = position;
  for (const turn of turns) now = (await hathi.get("/check", { position: now, turn })).position_after;
  return now;
}

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
  await person.press(person.button("Hint 3 of 3"));
  assert.ok(await person.button("No more hints").isDisabled());

  await playTurn(person, puzzle.position, solution.turn);
  if (kind === "win") {
    // The other side defends; the second turn is played out.
    await person.hears(/Right! .* defends with .* Now win|Correct/);
    if (/Now win/.test(await person.words())) {
      const reply = /defends with (.*)\. Now win/.exec(await person.words())?.[1] ?? "";
      const tried = await hathi.post(`/puzzles/${id}/try`, { turn: solution.turn });
      assert.equal(tried.reply, reply);
      const solver = await hathi.get("/solve", { position: await afterTurns(hathi, puzzle.position, [solution.turn, reply]), turns: 1 });
      await page.locator(".square.grab").first().waitFor();
      await playTurn(person, await afterTurns(hathi, puzzle.position, [solution.turn, reply]), solver.turn);
      await person.hears(/Won, against the best defence/);
    }
  } else await person.hears(/Goal/);
  await page.getByRole("heading", { name: "Solution" }).waitFor();
  await person.fits();
  await person.press(person.button("Next"));
  await page.waitForURL((url) => !url.pathname.endsWith(id)).catch(() => page.getByText("You have seen every puzzle").waitFor());
  assert.match(await page.locator("main").innerText(), /1 puzzle solved|2 puzzles solved/);
  // Difficulty is measured, and can be chosen.
  await page.getByRole("group", { name: "Difficulty" }).waitFor();
  assert.match(await page.locator(".task").innerText(), /rated|not known yet/i);
  await person.press(page.getByRole("group", { name: "Difficulty" }).getByRole("button", { name: /easy/ }));
  await page.waitForFunction(() => /Easy, rated|No puzzle that you have not seen/.test(document.querySelector("main")?.innerText ?? ""));
  await person.fits();
}
