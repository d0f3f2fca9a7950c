// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** Reads about a motif, looks at its games, opens an example. @param {Person} person */
export async function motifs(person) {
  const { page } = person;
  await person.go("/search");
  await person.press(page.getByRole("link", { name: "Motifs" }));
  await page.waitForURL(/\/motifs$/);
  const card = page.getByRole("region", { name: "Trap control" });
  await card.waitFor();
  assert.ok((await page.locator(".motif").count()) >= 12);
  await card.getByText(/Whoever has it won .* of/).waitFor();
  await person.press(card.getByText("By rating and by year"));
  await person.fits();
  await person.press(card.getByRole("list").getByRole("link").first());
  await page.waitForURL(/\/review\//);
  await page.locator(".move").first().waitFor();
  await page.goBack();
  await person.press(page.getByRole("region", { name: "Trap control" }).getByRole("link", { name: /games?$/ }).first());
  await page.waitForURL(/\/search\?pattern=/);
  await page.locator(".gallery li").first().waitFor();
}
