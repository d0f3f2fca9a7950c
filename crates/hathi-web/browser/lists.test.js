// @ts-check
/**
 * A real store: the samples of a first start and all shared archives. A row of
 * any list of games opens the game that it names.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hathi } from "./lib/hathi.js";
import { DESKTOP, openBrowser, Person } from "./lib/person.js";

const FOLDER = process.env.HATHI_SHARED ?? new URL("../../../../shared/data", import.meta.url).pathname;
const ARCHIVES = ["allgames2002.txt", "allgames201111-part.txt", "allgames202602-part.txt", "allgames-sharp.txt"].map((name) => join(FOLDER, name));
const PUZZLES = join(FOLDER, "puzzles.txt");
const missing = [...ARCHIVES, PUZZLES].find((path) => !existsSync(path));
assert.ok(!missing || !process.env.CI, `${missing} is missing: CI needs the shared data; set HATHI_SHARED to its directory`);

describe("lists of a real store", { skip: missing ? `${missing} is missing; set HATHI_SHARED to its directory` : false }, () => {
  /** @type {Hathi} */
  let hathi;
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {Person} */
  let person;
  before(async () => {
    hathi = await Hathi.startReal(ARCHIVES);
    hathi.run("puzzles", "--import", PUZZLES, "--store", hathi.store);
    browser = await openBrowser();
    person = await Person.sitDown(browser, hathi.base, DESKTOP);
  });
  after(async () => {
    await person?.standUp();
    await browser?.close();
    await hathi?.stop();
    hathi?.remove();
  });

  /** Opens rows of a list, some of many; each must show the players it names. @param {string} path @param {string} rows @param {number} [most] */
  async function open(path, rows, most = 12) {
    const { page } = person;
    await person.go(path);
    const count = await page.locator(rows).count();
    assert.ok(count > 0, `${rows} at ${path}`);
    const every = Math.max(1, Math.floor(count / most));
    for (let index = 0; index < count; index += every) {
      if (index > 0) await person.go(path);
      const row = page.locator(rows).nth(index);
      const named = await row.evaluate((element) => {
        const names = element.querySelectorAll(".players > span");
        return names.length > 0 ? [...names].map((name) => name.textContent ?? "") : ((element.querySelector(".names") ?? element).textContent ?? "").split(" – ");
      });
      const href = (await row.getAttribute("href")) ?? "";
      await person.press(row);
      await page.waitForURL(/\/review\//);
      const heading = await page.locator("h1:has(.players)").innerText();
      for (const name of named) assert.ok(heading.includes(name.replace(/ \(\d+\)$/, "").trim()), `${href} opens ${heading}, not ${named.join(" – ")}`);
      const id = decodeURIComponent(new URL(page.url()).pathname.split("/")[2] ?? "");
      const game = await hathi.get(`/games/${id}`);
      assert.equal(game.id, id);
      assert.ok(heading.includes(game.gold.name), heading);
    }
  }

  test("games of the memory, real ones and samples", async () => {
    await open("/review", ".games a");
    await open("/review?source=sample", ".games a");
    await open("/review?source=all&player=omar", ".games a");
  });

  test("strong and recent games of a position, and games with a turn", async () => {
    const { setups } = await hathi.get("/setups", { limit: 1 });
    const { setups: replies } = await hathi.get("/setups", { reply_to: setups[0].setup, limit: 1 });
    const sat = person;
    await sat.go("/");
    await sat.press(sat.page.locator(".setup").first());
    await sat.page.waitForURL(/gold=/);
    await sat.settled();
    // Setups and Explore count the same games.
    assert.match(await sat.page.locator(".setup strong").first().innerText(), new RegExp(`^${replies[0].games} game`));
    await sat.press(sat.page.locator(".setup").first());
    await sat.page.waitForURL(/at=/);
    await sat.settled();
    assert.match(await sat.page.locator(".memory").innerText(), new RegExp(`in ${replies[0].games} games?,`));
    const here = sat.page.url().slice(hathi.base.length);
    await open(here, ".memory .games a");
  });

  test("positions with a pattern", async () => {
    await open("/search?pattern=Ed5%20e%40edge", "a:has(.names)", 8);
  });

  test("the game of a puzzle", async () => {
    const { puzzles } = await hathi.get("/puzzles", { limit: 500 });
    for (let index = 0; index < puzzles.length; index += 9) {
      const { id, players } = puzzles[index];
      await person.go(`/puzzles/${id}`);
      const link = person.page.getByRole("link", { name: players });
      if ((await link.count()) === 0) await person.press(person.button("Solution"));
      await person.press(link.first());
      await person.page.waitForURL(/\/review\//);
      const heading = await person.page.locator("h1:has(.players)").innerText();
      for (const name of players.split(" – ")) assert.ok(heading.includes(name), `${id}: ${heading}`);
    }
  });

  test("a source is taken out on the page, and the samples count again", async () => {
    const { page } = person;
    await person.go("/memory");
    assert.match(await page.locator("tr[data-source=sample]").innerText(), /do not count/);
    const before = await hathi.get("/games", { limit: 0 });
    const button = page.locator("tr[data-source=arimaa] button");
    await person.press(button);
    await person.press(button);
    await page.locator("tr[data-source=arimaa]").waitFor({ state: "detached" });
    assert.doesNotMatch(await page.locator("tr[data-source=sample]").innerText(), /do not count/);
    const { total } = await hathi.get("/games", { limit: 0 });
    assert.ok(before.total > total && total > 200, `${before.total}, then ${total}`);
    await person.go("/");
    assert.match(await page.locator("main").innerText(), /samples: Hathi's engines against each other/);
  });
});
