// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** A finished example of every experiment; one is started, followed and stopped; a report is shown. @param {Person} person @param {{report: boolean}} expected */
export async function lab(person, { report }) {
  const { page } = person;
  await person.go("/lab");
  await person.fits();
  if (!report) {
    const all = page.locator(".experiment");
    await all.first().waitFor();
    assert.equal(await all.count(), 6);
    assert.equal(await page.getByRole("link", { name: "See a finished example" }).count(), 6);
    for (let i = 0; i < 6; i++) {
      await person.press(page.getByRole("link", { name: "See a finished example" }).nth(i));
      await page.waitForURL(/\/lab\/reports\/example-/);
      await page.frameLocator("iframe.report").locator("h1").first().waitFor();
      await person.press(page.getByRole("link", { name: "All reports" }));
      await all.first().waitFor();
    }
    const phases = page.getByRole("region", { name: /phase of the game/ });
    await person.press(phases.getByRole("button", { name: "Start" }));
    await phases.getByText(/\d of \d/).waitFor({ timeout: 60000 });
    await person.fits();
    // Another one has to wait.
    await person.press(page.getByRole("region", { name: /memory of games help/ }).getByRole("button", { name: "Start" }));
    await page.getByText(/an experiment is running/).waitFor();
    await page.reload();
    await person.press(phases.getByRole("button", { name: "Stop" }));
    await phases.getByText(/Stopped; started again/).waitFor({ timeout: 60000 });
    return;
  }
  await person.press(page.locator(".report-list a").first());
  await page.waitForURL(/\/lab\/reports\//);
  const frame = page.frameLocator("iframe.report");
  await frame.locator("h1").first().waitFor();
  await person.fits();
}

const START = "rrrrrrrr_hdcemcdh_8_8_8_8_HDCMECDH_RRRRRRRR_g";
const FIGHT = "rrrr1rrr_hdc1mcdh_4h3_2eE4_8_4D3_HDCM1C1H_RRRRRRRR_g";

/** A turn in a list is drawn on the board while it is pointed at. @param {Person} person */
async function drawsTurns(person) {
  const { page } = person;
  const turn = page.locator(".candidate").first();
  await turn.waitFor();
  if (person.window.phone) await turn.tap();
  else await turn.hover();
  await page.locator(".arrows .arrow").first().waitFor({ state: "attached" });
}

/** From the reports through all tabs with one position; addresses, back, turns drawn. @param {Person} person */
export async function tabs(person) {
  const { page } = person;
  const main = page.locator("main");
  const tab = (/** @type {string} */ name) => page.locator(".lab-tabs").getByRole("link", { name });
  await person.go(`/lab/plans?position=${FIGHT}`);
  assert.equal(await tab("Plans").getAttribute("aria-current"), "page");
  assert.match(await person.on("d5"), /gold elephant/);
  assert.ok((await page.locator(".plans > li").count()) > 1);
  await drawsTurns(person);
  await person.fits();

  await person.press(tab("Phases"));
  await page.waitForURL(/\/lab\/phases\?position=/);
  await person.settled();
  assert.match(await main.innerText(), /Opening[\s\S]*Middle game[\s\S]*End game[\s\S]*Cluster/);
  await page.waitForFunction(() => [.../** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("img.heat-map"))].length === 2);
  const map = page.locator("img.heat-map").first();
  await map.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => (/** @type {HTMLImageElement | null} */ (document.querySelector("img.heat-map"))?.naturalWidth ?? 0) > 0);
  await person.fits();

  await person.press(tab("Model"));
  await page.waitForURL(/\/lab\/model\?position=/);
  await person.settled();
  assert.equal(await page.locator(".lab-table").first().locator("tbody tr").count(), 20);
  await drawsTurns(person);
  await person.press(person.button("Measure it on the memory"));
  await page.getByText(/is ranked above \d/).waitFor({ timeout: 40000 });
  await person.fits();

  // The start of a game: some graph knows what to do, and its way is lit.
  await person.go(`/lab/graphs?position=${START}`);
  await page.locator(".graph-frame svg .way").first().waitFor({ state: "attached" });
  assert.ok((await page.locator(".graph-frame svg path.lit").count()) > 0);
  assert.match(await main.innerText(), /commands? fires?/);
  await drawsTurns(person);
  await person.fits();
  const other = page.locator(".graph-list a:not([aria-current])").first();
  const name = await other.innerText();
  await person.press(other);
  await page.waitForURL(/graph=/);
  await person.settled();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes("graph="));
  await person.settled();
}

/** The position is set on the board, by text and from elsewhere; what cannot be shown is said. @param {Person} person @param {number} game */
export async function setting(person, game) {
  const { page } = person;
  await person.go("/lab/plans");
  assert.match(await person.on("e2"), /gold elephant/, "the start of a game");
  await person.touch("e2");
  await person.touch("e4");
  await person.press(person.button("Finish turn"));
  await page.waitForURL(/position=.*_s/);
  await person.settled();
  assert.match(await person.on("e4"), /gold elephant/);
  await person.press(page.getByText("Go to any position"));
  await page.getByLabel("Position or move list").fill(`g [r${" ".repeat(34)}E${" ".repeat(27)}R]`);
  await person.press(person.button("Show it"));
  await page.waitForURL(/position=r7_8_8_8_3E4/);
  await person.settled();
  assert.match(await person.on("d4"), /gold elephant/);

  await person.go("/lab/plans?position=nonsense");
  assert.match(await page.locator(".notice.failed").first().innerText(), /cannot be read/);
  await person.go("/lab/plans?position=R7_8_8_8_8_8_8_7r_s");
  assert.match(await page.locator("main").innerText(), /game is over/);

  await person.go(`/explore?at=${FIGHT}`);
  await person.press(page.getByRole("link", { name: "In the lab" }));
  await page.waitForURL(/\/lab\/plans\?position=/);
  await person.settled();
  assert.match(await person.on("d5"), /gold elephant/);
  await person.go(`/review/${game}?ply=3`);
  await page.locator(".phase-part.opening").first().waitFor();
  assert.match((await page.locator(".phase-strip").getAttribute("aria-label")) ?? "", /^Phases of the game: Opening 2g/);
  assert.match(await page.locator(".phase-strip").innerText(), /Opening/);
  await person.press(page.getByRole("link", { name: "In the lab" }));
  await page.waitForURL(/\/lab\/plans\?position=/);
}
