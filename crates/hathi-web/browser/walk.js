// @ts-check
/**
 * A newcomer's walk, as a person would go it, with a watch: first page, the lesson that is offered, first tasks of the other
 * lessons, a game against level 1 until it is won, its review. No address is typed on the way.
 *
 *   node walk.js [FOLDER]    prints the times as a table; pictures of every stop go to the folder
 *
 * The times are those of the machine and of hands that know where to press: what is left of a walk when reading and thinking
 * are taken away. docs/page.md has them. The game is played by the hints that the page gives, which a newcomer has, too.
 */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { solveTask } from "./activities/learn.js";
import { overOrMine, turnByHint } from "./activities/play.js";
import { Hathi } from "./lib/hathi.js";
import { DESKTOP, openBrowser, Person, PHONE } from "./lib/person.js";

/** Turns of a game that should be won long before. */
const LONGEST = 80;

const folder = process.argv[2];
if (folder) mkdirSync(folder, { recursive: true });

const hathi = await Hathi.start(0);
await hathi.stop();
await hathi.serve([]);
const browser = await openBrowser();
try {
  for (const window of [DESKTOP, PHONE]) await walk(window);
} finally {
  await browser.close();
  await hathi.stop();
  hathi.remove();
}

/** @param {typeof DESKTOP} window */
async function walk(window) {
  const person = await Person.sitDown(browser, hathi.base, window);
  const { page } = person;
  let last = Date.now();
  let presses = 0;
  const press = async (/** @type {import("playwright-core").Locator} */ what) => {
    presses += 1;
    await person.press(what);
  };
  let stop = 0;
  /** @param {string} where */
  const reached = async (where) => {
    const seconds = ((Date.now() - last) / 1000).toFixed(1);
    console.log(`| ${window.name} | ${where} | ${seconds} s | ${presses} |`);
    stop += 1;
    if (folder) await page.screenshot({ path: join(folder, `${window.name}-${stop}.png`) });
    presses = 0;
    last = Date.now();
  };

  await person.go("/");
  await page.getByRole("link", { name: "Learn to play" }).waitFor();
  await reached("the first page offers to learn");

  await press(page.getByRole("link", { name: "Learn to play" }));
  await press(page.getByRole("link", { name: "Start with the first lesson" }));
  const { lessons } = await hathi.get("/lessons");
  const basics = lessons.filter((/** @type {any} */ one) => one.part === "basics");
  for (const [number, { id }] of basics.entries()) {
    const { tasks } = await hathi.get(`/lessons/${id}`);
    // The first lesson whole, of the others the first task.
    const wanted = number === 0 ? tasks.length : 1;
    for (let task = 0; task < wanted; task++) {
      const answer = await hathi.get(`/lessons/${id}/${task + 1}/answer`);
      await solveTask(person, tasks[task], answer);
      if (task + 1 < wanted) await press(person.button("Next task"));
    }
    if (number === 0) await reached("the first lesson is complete");
    const next = basics[number + 1];
    if (!next) break;
    await press(page.getByRole("link", { name: "Learn", exact: true }).first());
    await page.waitForURL(/\/learn$/);
    await press(page.locator(".lesson-list a").filter({ hasText: next.title }).first());
    await page.waitForURL(new RegExp(`/learn/${next.id}`));
    await person.settled();
  }
  await reached(`the first task of each of the other ${basics.length - 1} lessons on the rules is solved`);

  await press(page.getByRole("link", { name: "Play", exact: true }).first());
  await page.waitForURL(/\/play$/);
  await press(page.getByRole("radio", { name: /^1 First steps/ }));
  await page.getByLabel("You play").selectOption({ label: "Gold (begins)" });
  await press(person.button("Start the game"));
  await page.waitForURL(/\/play\/p/);
  await press(person.button("Ready"));
  await reached("a game against level 1 has begun");

  await page.waitForFunction(() => /Your turn/.test(document.querySelector(".play-status")?.textContent ?? ""));
  let turns = 0;
  for (let over = false; !over; turns++) {
    assert.ok(turns < LONGEST, "level 1 is won against");
    await turnByHint(person);
    over = await overOrMine(person);
  }
  const status = await page.locator(".play-status").innerText();
  assert.match(status, /You win|Gold wins/i, status);
  await reached(`the game is won, after ${turns} turns`);

  await press(person.button("Review this game"));
  await page.waitForURL(/\/review\//);
  await person.settled();
  await press(person.button("Find mistakes"));
  await page.waitForFunction(() => /accuracy \d/.test(document.querySelector("main")?.textContent ?? ""), undefined, { timeout: 600_000 });
  await reached("its review is complete");
  assert.deepEqual(person.troubles, []);
  await page.context().close();
}
