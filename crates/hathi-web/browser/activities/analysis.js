// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

const FIGHT = "/explore?at=rrrrrrrr_8_8_3h4_3E4_6d1_1r6_RRRRRRRR_g";

/** The engine looks on: on, deeper, with steps taken, hovered, played, remembered, off. @param {Person} person */
export async function analysis(person) {
  const { page } = person;
  const engine = page.getByRole("switch", { name: "Engine" });
  const lines = page.locator(".analysis-lines li");
  await person.go(FIGHT);
  assert.equal(await engine.getAttribute("aria-checked"), "false", "off unless somebody wants it");
  assert.equal(await page.locator(".eval-bar").isVisible(), false);
  await person.press(engine);
  await lines.nth(2).waitFor();
  assert.equal(await lines.count(), 3);
  assert.ok(await page.locator(".eval-bar").isVisible());
  await page.locator(".arrow.line-1").first().waitFor();
  const turn = (/** @type {number} */ rank) => lines.nth(rank).locator("button").first();
  // All at one moment: the engine goes on meanwhile, and a deeper look may rank them anew.
  const turns = await lines.evaluateAll((rows) => rows.map((row) => row.querySelector("button")?.textContent ?? ""));
  assert.equal(new Set(turns).size, 3, `different turns: ${turns.join(" / ")}`);
  assert.match((await lines.first().getAttribute("title")) ?? "", /(ahead|even|wins|should win).*steps ahead/);
  await person.fits();

  // It looks deeper as long as it is on.
  const depth = async () => Number(/(\d+) steps/.exec(await page.locator(".analysis-depth").innerText())?.[1] ?? 0);
  const before = await depth();
  await page.waitForFunction((least) => Number(/(\d+) steps/.exec(document.querySelector(".analysis-depth")?.textContent ?? "")?.[1] ?? 0) > least, before);

  // With steps taken, every line goes on from there.
  await person.touch("d4");
  await person.touch("d3");
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll(".analysis-lines li button:first-child")];
    return rows.length > 0 && rows.every((row) => row.textContent?.startsWith("Ed4s"));
  });
  await person.press(person.button("Undo"));

  // Fewer lines; the choice is kept.
  await person.press(page.getByText("Settings"));
  await page.getByLabel("Turns shown").selectOption("1");
  await page.waitForFunction(() => document.querySelectorAll(".analysis-lines li").length === 1);

  // A turn is played by pressing it, and the engine goes on with the reply.
  if (!person.window.phone) {
    await turn(0).hover();
    assert.ok((await page.locator(".arrow.line-1").count()) > 0);
  }
  await person.press(turn(0));
  await page.waitForURL(/_s(&|$)/);
  await person.settled();
  await lines.first().waitFor();
  assert.match(await turn(0).innerText(), /^[rcdhme]/);

  // Remembered on the next board, until it is switched off.
  await page.reload();
  await lines.first().waitFor();
  assert.equal(await engine.getAttribute("aria-checked"), "true");
  assert.equal(await lines.count(), 1);
  assert.deepEqual(await person.barriers(), []);
  await engine.focus();
  await page.keyboard.press("e");
  await page.waitForFunction(() => document.querySelectorAll(".analysis-lines li").length === 0);
  assert.equal(await page.locator(".eval-bar").isVisible(), false);
  assert.equal(await page.locator(".arrow.line").count(), 0);
}

/** Another engine of this machine, chosen in the settings: its own words, whole turns only, and back. @param {Person} person */
export async function anotherEngine(person) {
  const { page } = person;
  const lines = page.locator(".analysis-lines li");
  const summary = page.locator(".analysis-depth");
  const says = (/** @type {string} */ words) => page.waitForFunction((text) => document.querySelector(".analysis-depth")?.textContent?.includes(text), words);
  await person.go(FIGHT);
  await person.press(page.getByRole("switch", { name: "Engine" }));
  await lines.first().waitFor();
  await person.press(page.getByText("Settings"));
  const who = page.locator(".analysis select[name=by]");
  await who.selectOption("own");
  await says("own: depth");
  await lines.nth(1).waitFor();
  assert.match((await lines.first().getAttribute("title")) ?? "", /^own says -?\d+ for the side to move; depth \d+/);
  assert.equal(await page.locator(".eval-bar").isVisible(), false, "its score is no chance");
  await person.fits();
  // AEI knows no half turns.
  await person.touch("d4");
  await person.touch("d3");
  await says("whole turns only");
  await person.press(person.button("Undo"));
  await lines.first().waitFor();
  // One that ends is said to have ended.
  await who.selectOption("dead");
  await page.locator(".analysis .failed").waitFor();
  assert.match(await page.locator(".analysis .failed").innerText(), /dead: the engine ended \(exit status: 3\)/);
  assert.deepEqual(await person.barriers(), []);
  await who.selectOption("");
  await page.waitForFunction(() => /steps ahead/.test(document.querySelector(".analysis-depth")?.textContent ?? ""));
  assert.doesNotMatch(await summary.innerText(), /own/);
}
