// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** Begins an arena of the two quickest engines. @param {Person} person @param {number} games */
async function begin(person, games) {
  const { page } = person;
  await person.go("/watch");
  await person.fits();
  for (const name of ["greedy", "fallback", "random", "step"]) {
    const box = page.getByRole("checkbox", { name: new RegExp(`^${name} `) });
    const wanted = name === "greedy" || name === "step";
    if ((await box.isChecked()) !== wanted) await person.press(box);
  }
  await page.getByLabel("Games a pair").fill(String(games));
  await page.getByLabel("Seconds a turn").fill("0.05");
  await person.press(person.button("Begin"));
  await page.waitForURL(/\/watch\/a/);
}

/** Watches an arena, pauses, goes on, stops it; reads the crosstable of a finished one, opens a game. @param {Person} person */
export async function watch(person) {
  const { page } = person;
  // More games than are played while somebody looks on, however quick the machine.
  await begin(person, 1000);
  // A large board with its turns, and what both think; fast as they are, the eye follows.
  const live = page.getByRole("region", { name: "Game being played" });
  await live.locator(".board").waitFor();
  await live.locator(".live-moves li").nth(3).waitFor();
  const wide = (await live.locator(".board").boundingBox())?.width ?? 0;
  assert.ok(wide > (person.window.phone ? 300 : 380), `the board is ${wide} pixels wide`);
  assert.match(await live.innerText(), /Game \d/);
  assert.ok((await page.locator("progress").count()) > 0);
  await person.fits();
  await person.press(person.button("Pause"));
  await person.button("Go on").waitFor();
  await person.press(person.button("Go on"));
  await person.press(person.button("Stop"));
  await person.button("Go on").waitFor();

  await begin(person, 10);
  await page.waitForFunction(() => /Finished/.test(document.querySelector("main")?.textContent ?? ""), undefined, { timeout: 60000 });
  await person.settled();
  assert.equal(await page.locator(".crosstable tbody tr").count(), 2);
  assert.match(await page.locator(".crosstable").innerText(), /±|–/);
  // Whoever won more stands first, and what the figure is is said.
  const won = (await page.locator(".crosstable tbody tr td:nth-child(2)").allInnerTexts()).map(Number);
  assert.ok((won[0] ?? 0) >= (won[1] ?? 0), won.join());
  assert.match(await page.locator("main").innerText(), /above or below the average of these players/);
  assert.equal(await page.locator(".games li").count(), 10);
  await person.fits();
  const address = page.url();
  await person.press(page.locator(".games a").first());
  await page.waitForURL(/\/review\//);
  await page.locator(".move").first().waitFor();
  await page.goBack();
  await page.waitForURL(address);
  await person.press(page.getByRole("link", { name: "All tournaments" }));
  await page.locator(".games a").first().waitFor();
}
