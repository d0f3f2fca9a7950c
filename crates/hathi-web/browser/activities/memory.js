// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {import("../lib/person.js").Person} Person */
/** @typedef {import("../lib/hathi.js").Hathi} Hathi */

/** Adds games by file, by dropping and by pasting, is told what was wrong, and takes them out again. @param {Person} person @param {Hathi} hathi */
export async function memory(person, hathi) {
  const { page } = person;
  const file = join(hathi.folder, "more.txt");
  hathi.run("synth", "--games", "700", "--seed", person.window.phone ? "21" : "22", "-o", file);
  await person.go("/review");
  await person.press(page.getByRole("link", { name: "Add games" }));
  await page.waitForURL(/\/memory$/);
  await person.settled();
  await person.fits();
  await page.getByRole("link", { name: /download page of its game data/ }).waitFor();

  const row = (/** @type {string} */ name) => page.getByRole("region", { name: `Import of ${name}` }).first();
  await page.locator("input[type=file]").setInputFiles(file);
  await row("more.txt").getByText("Done").waitFor({ timeout: 60000 });
  assert.match(await row("more.txt").innerText(), /700 games added/);
  await person.fits();

  // The same file dropped: nothing new.
  const text = readFileSync(file, "utf8");
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "dropped.txt"));
    return transfer;
  }, text);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
  await row("dropped.txt").getByText("Done").waitFor({ timeout: 60000 });
  assert.match(await row("dropped.txt").innerText(), /0 games added · 700 there already/);

  // A pasted game with a turn that cannot be.
  const { games } = await hathi.get("/games", { limit: 1, source: "synth" });
  const { notation } = await hathi.get(`/games/${games[0].id}`);
  const lines = notation.trim().split("\n").filter((/** @type {string} */ line) => !line.startsWith("#"));
  await page.getByLabel("Games as text").fill([...lines.slice(0, person.window.phone ? 5 : 6), person.window.phone ? "3s Ea1n" : "4g Ea1n"].join("\n"));
  await person.press(person.button("Add these games"));
  await row("pasted games").getByText("Done").waitFor();
  assert.match(await row("pasted games").innerText(), /1 game added · 1 kept only up to the last legal turn/);
  await person.press(row("pasted games").getByText("1 remark"));
  await person.fits();
  await page.getByLabel("Games as text").fill("no game at all");
  await person.press(person.button("Add these games"));
  await page.getByText("No game was found in it.").waitFor();

  const mine = page.locator("tr[data-source=file]");
  await mine.waitFor();
  const button = mine.getByRole("button");
  await person.press(button);
  await person.press(button);
  await mine.waitFor({ state: "detached" });

  // Back later: what was done is still told.
  await page.reload();
  await row("more.txt").getByText(/700 games added/).waitFor();
}
