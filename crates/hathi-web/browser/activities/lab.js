// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** Without reports it says how to make one; with one it shows it. @param {Person} person @param {{report: boolean}} expected */
export async function lab(person, { report }) {
  const { page } = person;
  await person.go("/lab");
  await person.fits();
  if (!report) {
    assert.match(await page.locator("main").innerText(), /hathi paper mckee/);
    return;
  }
  await person.press(page.locator(".report-list a").first());
  await page.waitForURL(/\/lab\//);
  const frame = page.frameLocator("iframe.report");
  await frame.locator("h1").first().waitFor();
  await person.fits();
}
