// @ts-check
/**
 * Pictures of the page for the documentation. They go to a temporary folder;
 * `HATHI_SCREENSHOTS=../../../docs/screenshots npm test` renews those kept.
 */

import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DESKTOP, Person, PHONE } from "./person.js";

const WIDE = { ...DESKTOP, width: 1080, height: 680 };

/** @type {{name: string, path: string, window: typeof DESKTOP, colours: "light" | "dark", act?: (person: Person) => Promise<void>}[]} */
const PICTURES = [
  { name: "learn", path: "/learn", window: WIDE, colours: "light" },
  { name: "lesson", path: "/learn/traps?task=3", window: WIDE, colours: "light" },
  { name: "phone-lesson", path: "/learn/freezing?task=2", window: PHONE, colours: "light" },
  { name: "setups", path: "/", window: WIDE, colours: "light", act: (person) => person.page.locator(".setup").nth(1).hover() },
  {
    name: "explore",
    path: "/",
    window: WIDE,
    colours: "dark",
    act: async (person) => {
      await toPosition(person);
      await person.page.locator(".turns tbody tr").first().hover();
    },
  },
  {
    name: "explore-area",
    path: "/",
    window: WIDE,
    colours: "light",
    act: async (person) => {
      await toPosition(person);
      await person.press(person.page.getByRole("tab", { name: /^Around a trap/i }));
      await person.page.waitForURL(/kind=area/);
      await person.settled();
    },
  },
  { name: "play", path: "/play", window: WIDE, colours: "light" },
  { name: "search", path: "/search?pattern=Ed4+S%40near(d4)+g+to+move", window: WIDE, colours: "light", act: (person) => person.page.locator(".gallery li").nth(5).waitFor() },
  { name: "puzzle", path: "/puzzles?kind=win", window: WIDE, colours: "dark", act: (person) => person.page.locator(".square.grab").first().waitFor() },
  {
    name: "lab",
    path: "/lab/graphs?position=rrdhrr2_r1c3cm_He1E4_8_8_1D1H2M1_2C2CD1_RRR2RRR_g&graph=flash-kidnapping",
    window: WIDE,
    colours: "light",
    act: async (person) => {
      await person.page.locator(".graph-frame svg .way").first().waitFor({ state: "attached" });
      await person.page.locator(".candidate").first().evaluate((turn) => {
        turn.scrollIntoView({ block: "end" });
        scrollBy(0, 30);
      });
      await person.page.locator(".candidate").first().hover();
    },
  },
  { name: "phone-explore", path: "/", window: PHONE, colours: "light", act: toPosition },
  { name: "phone-play", path: "/play", window: PHONE, colours: "dark" },
];

/** Through both setups. @param {Person} person */
async function toPosition(person) {
  for (const address of [/gold=/, /at=/]) {
    await person.press(person.page.locator(".setup").first());
    await person.page.waitForURL(address);
    await person.settled();
  }
}

/**
 * @param {import("playwright-core").Browser} browser @param {import("./hathi.js").Hathi} hathi
 */
export async function takePictures(browser, hathi) {
  const folder = process.env.HATHI_SCREENSHOTS ?? join(hathi.folder, "screenshots");
  mkdirSync(folder, { recursive: true });
  /** @param {Person} person @param {string} name */
  const take = async (person, name) => {
    await person.page.waitForTimeout(600);
    const path = join(folder, `${name}.png`);
    await person.page.screenshot({ path });
    assert.ok(statSync(path).size > 10000, `${name}.png shows something`);
  };
  for (const { name, path, window, colours, act } of PICTURES) {
    const person = await Person.sitDown(browser, hathi.base, window, colours);
    await person.go(path);
    await act?.(person);
    await take(person, name);
    await person.standUp();
  }
  for (const { window, colours, name } of /** @type {const} */ ([
    { window: WIDE, colours: "dark", name: "review" },
    { window: PHONE, colours: "light", name: "phone-review" },
  ])) {
    const person = await Person.sitDown(browser, hathi.base, window, colours);
    const { games } = await hathi.get("/games", { limit: 60, termination: "g" });
    const [shortest] = games.sort((/** @type {{turns: number}} */ a, /** @type {{turns: number}} */ b) => a.turns - b.turns);
    await person.go(`/review/${shortest.id}?ply=12`);
    await person.press(person.page.getByRole("button", { name: /Find mistakes|Look again/ }));
    await person.page.waitForFunction(() => /accuracy \d/.test(document.querySelector("main")?.textContent ?? ""), undefined, { timeout: 180000 });
    await person.page.evaluate(() => scrollTo(0, 0));
    await take(person, name);
    await person.standUp();
  }
}
