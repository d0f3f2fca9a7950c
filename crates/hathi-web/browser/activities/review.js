// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** @typedef {import("../lib/person.js").Person} Person */

/** From the list into a game; through it; a variation; the engine; sharing; files. @param {Person} person */
export async function review(person) {
  const { page } = person;
  await person.go("/review");
  await person.fits();
  await person.press(page.locator(".games a").first());
  await page.waitForURL(/\/review\/[a-z]+:\d+/);
  await person.settled();
  await page.locator(".move.known, .legend").first().waitFor();
  await page.waitForFunction(() => /known territory/.test(document.querySelector("main")?.textContent ?? ""));
  await person.fits();

  // Through the game by buttons and keys; the address follows.
  await person.press(page.getByRole("button", { name: /^On / }));
  await page.waitForURL(/ply=1/);
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/ply=2/);
  await page.waitForTimeout(1200);
  await person.press(page.locator(".move").nth(4));
  await page.waitForURL(/ply=5/);
  assert.equal(await page.locator(".move[aria-current]").count(), 1);

  // A variation of one's own: the first legal thing that offers itself.
  const piece = page.locator(".square.grab").first();
  await person.press(piece);
  await person.press(page.locator(".square[data-dot=step]").first());
  await person.press(person.button("Finish turn"));
  await page.waitForURL(/then=/);
  await page.locator(".variation button").first().waitFor();
  const shared = page.url();
  await person.press(page.getByRole("button", { name: /^Back / }));
  await page.waitForURL((url) => !url.search.includes("then="));
  await page.goto(shared);
  await person.settled();
  await page.locator(".variation button[aria-current]").waitFor();

  // The engine looks for mistakes.
  // A few positions a turn are enough to see that it comes turn by turn.
  await page.getByLabel("How long to look").evaluate((select) => {
    const [option] = /** @type {HTMLSelectElement} */ (select).options;
    if (option) option.value = "500";
    /** @type {HTMLSelectElement} */ (select).selectedIndex = 0;
  });
  await person.press(page.getByRole("button", { name: /Find mistakes|Look again/ }));
  await page.waitForFunction(() => /accuracy \d/.test(document.querySelector("main")?.textContent ?? ""), undefined, { timeout: 60000 });
  const curve = async () => (await page.locator(".graph .curve").getAttribute("points")) ?? "";
  assert.ok((await curve()).includes(" "));
  // Kept with the game.
  const kept = page.getByText(/Kept with the game: by hathi .* 500 positions a turn/);
  await kept.waitFor();
  const found = await curve();
  await page.reload();
  await person.settled();
  await kept.waitFor();
  await page.waitForFunction(() => /accuracy \d/.test(document.querySelector("main")?.textContent ?? ""));
  assert.equal(await curve(), found);

  // Files.
  for (const [name, magic] of [
    ["PNG", "\x89PNG"],
    ["SVG", "<svg"],
    ["GIF", "GIF89a"],
    ["Notation", "# Gold "],
  ]) {
    const [download] = await Promise.all([page.waitForEvent("download"), person.press(page.getByRole("button", { name, exact: true }))]);
    const head = readFileSync(await download.path()).subarray(0, 200).toString("latin1");
    assert.ok(head.includes(magic ?? ""), `${name} begins with ${head.slice(0, 20)}`);
  }
}

/** A pasted game, opened again by its address. @param {Person} person @param {string} notation */
export async function paste(person, notation) {
  const { page } = person;
  await person.go("/review");
  await page.getByLabel("Move list or archive line").fill("2g Ra1 nonsense");
  await person.press(person.button("Review it"));
  await page.locator(".notice.failed").waitFor();
  // A game of the memory is recognised.
  await page.getByLabel("Move list or archive line").fill(notation);
  await person.press(person.button("Review it"));
  await page.waitForURL(/\/review\/[a-z]+:\d+/);
  // Without its last turn it is another one.
  await person.go("/review");
  await page.getByLabel("Move list or archive line").fill(notation.trimEnd().split("\n").slice(0, -1).join("\n"));
  await person.press(person.button("Review it"));
  await page.waitForURL(/\/review\/pasted#/);
  await page.locator(".move").first().waitFor();
  const turns = await page.locator(".move").count();
  await page.reload();
  await page.locator(".move").first().waitFor();
  assert.equal(await page.locator(".move").count(), turns);
  await page.waitForFunction(() => /known territory/.test(document.querySelector("main")?.textContent ?? ""));
}

/** Comments and a variation on a game, saved as a study and opened by its address. @param {Person} person */
export async function study(person) {
  const { page } = person;
  await person.go("/review");
  await person.press(page.locator(".games a").first());
  await page.waitForURL(/\/review\/[a-z]+:\d+/);
  await person.settled();
  await person.press(page.getByText("Comments and variations"));
  await person.press(page.getByRole("button", { name: /^On / }));
  await page.waitForURL(/ply=1/);
  await page.getByLabel("Comment on 2g").fill("A turn worth remembering.");
  await person.press(page.locator(".square.grab").first());
  await person.press(page.locator(".square[data-dot=step]").first());
  await person.press(person.button("Finish turn"));
  await page.waitForURL(/then=/);
  await page.getByLabel(/^Comment after /).fill("Another way.");
  await page.getByLabel("Title of the study").fill("My first study");
  await person.press(person.button("Save as a study"));
  await page.waitForURL(/\/study\/[0-9a-f]+/);
  await page.getByRole("heading", { name: "My first study" }).waitFor();
  await person.fits();
  await page.locator(".comment", { hasText: "A turn worth remembering." }).waitFor();
  await page.locator(".variation button").first().waitFor();
  // Changed, and read again after a reload.
  await page.getByLabel("Comment on 2g").fill("A turn to remember.");
  await person.press(page.getByRole("button", { name: "Save", exact: true }));
  await page.getByText("Saved.").waitFor();
  await page.reload();
  await page.locator(".comment", { hasText: "A turn to remember." }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), person.press(page.getByRole("link", { name: "With comments" }))]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /^# study {6}My first study\n/);
  assert.match(text, /\n2g .*\n# - A turn to remember\.\n# - variation: 2s .*\n# - Another way\.\n/);
  assert.deepEqual(await person.barriers(), []);
  // It stands in the list, and goes.
  await person.go("/review");
  await person.press(page.getByRole("link", { name: /My first study/ }).first());
  await person.press(page.getByRole("button", { name: "Delete the study" }));
  await person.press(page.getByRole("button", { name: "Really?" }));
  await page.waitForURL(/\/review$/);
}
