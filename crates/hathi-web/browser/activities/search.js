// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** Paints a pattern, searches, opens a hit; types one; a wrong one is explained. @param {Person} person */
export async function search(person) {
  const { page } = person;
  await person.go("/search");
  await person.fits();
  await person.press(page.getByRole("button", { name: "gold rabbit" }));
  await person.touch("a1");
  await person.press(person.button("any silver"));
  await person.touch("h8");
  await person.press(page.getByRole("button", { name: "Silver", exact: true }));
  const field = page.getByLabel("Pattern", { exact: true });
  assert.equal(await field.inputValue(), "Ra1 Sh8 s to move");
  await person.press(person.button("Search"));
  await page.waitForURL(/pattern=/);
  await page.locator(".gallery li").first().waitFor();
  await page.waitForFunction(() => /positions? in .* games?/.test(document.querySelector(".count-line")?.textContent ?? ""));
  assert.ok((await page.locator(".gallery li").count()) > 5);
  await person.fits();

  // What was played there, over all of them, and how it scored.
  const played = page.getByRole("region", { name: "What was played there" });
  await played.getByText("Silver to move").waitFor();
  assert.match(await played.innerText(), /Silver to move[\s\S]*Steps[\s\S]*Whole turns/);
  const shown = await page.locator(".count-line").innerText();
  const total = Number(/^([\d,]+) position/.exec(shown)?.[1]?.replace(",", ""));
  assert.match(await played.innerText(), new RegExp(`${total.toLocaleString("en")} times`));
  // Names are not cut.
  const cut = await page.locator(".gallery .names").evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length);
  assert.equal(cut, 0);
  // More come when the end is reached.
  assert.ok(total > 120, `${total} positions`);
  await page.locator(".gallery li").last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelectorAll(".gallery li").length > 60);

  // A hit with colours exchanged opens turned as it was shown, at its move, with the squares of the pattern marked.
  const turned = page.locator(".gallery li", { hasText: "colours exchanged, mirrored" }).first();
  if ((await turned.count()) > 0) {
    await person.press(turned.locator("a"));
    await page.waitForURL(/found=\d+fm-h8a1/);
    await page.locator(".move").first().waitFor();
    const place = async (/** @type {string} */ square) => {
      const box = await person.square(square).boundingBox();
      const board = await page.locator(".board .squares").boundingBox();
      assert.ok(box && board);
      return [Math.round((box.x - board.x) / box.width), Math.round((box.y - board.y) / box.height)];
    };
    assert.equal(await page.locator(".square[data-mark=found]").count(), 2);
    // What was the lower left corner is h8 of the game.
    assert.deepEqual(await place("h8"), [0, 7]);
    assert.match(await person.on("h8"), /silver rabbit/);
    await page.getByRole("switch", { name: "Engine" }).waitFor();
    await person.press(page.getByRole("button", { name: "Back (left arrow)" }));
    await page.locator(".square[data-mark=found]").first().waitFor({ state: "detached" });
    await person.press(page.getByRole("button", { name: "On (right arrow)" }));
    await page.locator(".square[data-mark=found]").first().waitFor();
    await person.go("/search?pattern=Ra1+Sh8+s+to+move");
    await page.locator(".gallery li").first().waitFor();
  }

  // Only boards as painted, no mirror images.
  await person.press(page.getByText("Filters", { exact: true }));
  await page.getByLabel("Mirrored boards").selectOption("true");
  await page.waitForURL(/literal=true/);
  await page.getByText("Filters (1)").waitFor();
  await page.locator(".gallery li").first().waitFor();

  // Export of what was found.
  const link = page.getByRole("link", { name: /Export/ });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), person.press(link)]);
  assert.ok(download.suggestedFilename().endsWith(".txt"));

  await person.press(page.locator(".gallery a").first());
  await page.waitForURL(/\/review\/[a-z]+:\d+\?ply=/);
  await page.locator(".move").first().waitFor();
  assert.match(await person.on("a1"), /gold rabbit/);
  await page.goBack();
  await page.locator(".gallery li").first().waitFor();
  // Away and back before the other page has come: this one still works.
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.querySelector(".gallery a")).click();
    history.back();
  });
  await page.waitForTimeout(300);

  // A question built by clicking: facts come and go, and stand beside what is painted.
  await field.fill("");
  await person.press(page.locator("summary", { hasText: "Facts" }));
  await person.press(person.button("the side to move can goal"));
  await person.press(person.button("the side to move won"));
  assert.equal(await field.inputValue(), "goal in 4 mover won");
  await person.press(person.button("the side to move won"));
  assert.equal(await field.inputValue(), "goal in 4");
  await person.press(person.button("Search"));
  await page.waitForURL(/pattern=goal/);
  await page.locator(".gallery li").first().waitFor();

  // One thing after the other: the stretch is shown turn by turn.
  await field.fill("move 2 then within 3 turns move 3");
  await person.press(person.button("Search"));
  await page.waitForURL(/then/);
  const turns = page.getByRole("list", { name: "Turn by turn" }).first();
  await turns.waitFor();
  await person.press(turns.getByRole("button").nth(1));
  await page.getByLabel(/Position before 2s|Position before 3g/).first().waitFor();
  await person.fits();

  await field.fill("Xa1 nonsense");
  await page.waitForFunction(() => (document.querySelector("#pattern-check")?.textContent ?? "").length > 5);
  // Searched for all the same: the one error, once.
  await person.press(person.button("Search"));
  await page.waitForURL(/nonsense/);
  await page.waitForTimeout(300);
  const words = (await page.locator("#pattern-check").innerText()).trim();
  assert.equal((await page.locator("main").innerText()).split(words).length, 2);
  await field.fill("8R@goal");
  await person.press(person.button("Search"));
  await page.getByText("No position of the memory has this pattern").waitFor();
}
