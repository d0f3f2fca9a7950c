// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/** From the start page through both setups to a position, then steps, pushes, back and forward. @param {Person} person */
export async function explore(person) {
  const { page } = person;
  await person.go("/");
  await person.fits();
  assert.match(await page.locator("h1").innerText(), /Gold's setup/);
  await person.press(page.locator(".setup").first());
  await page.waitForURL(/\/setups\?gold=/);
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Silver's reply/);
  await person.press(page.locator(".setup").first());
  await page.waitForURL(/\/explore\?at=/);
  await person.settled();

  // The memory knows this position: tabs with counts, turns with win bars.
  const full = page.getByRole("tab", { name: /^Whole board/ });
  assert.equal(await full.getAttribute("aria-selected"), "true");
  assert.match(await full.innerText(), /[1-9]/);
  assert.ok((await page.locator(".turns tbody tr").count()) > 0);
  if (!person.window.phone) {
    await page.locator(".turns tbody tr").first().hover();
    assert.ok((await page.locator(".arrows .arrow").count()) > 0, "hovering a turn draws arrows");
  }
  // Each kind has a picture of what is compared; nobody needs to know how long it took.
  assert.equal(await page.locator(".tabs .kind-picture").count(), 4);
  assert.equal(await page.getByRole("tab", { name: /^Middle/ }).locator("rect.compared").count(), 32);
  assert.doesNotMatch(await page.locator(".memory").innerText(), /µs|\bms\b/);
  // The engine stands above the games.
  const order = await page.evaluate(() => [...document.querySelectorAll(".side > section, .side .games")].map((element) => element.getAttribute("aria-label") ?? "games"));
  assert.equal(order[0], "Engine");
  // Turns sort by how often they won, and the other way round.
  const shares = () => page.locator(".turns .win-bar").evaluateAll((bars) => bars.map((bar) => Number(/Gold won (\d+)/.exec(bar.getAttribute("aria-label") ?? "")?.[1])));
  await person.press(page.getByRole("button", { name: "Won", exact: true }));
  await person.settled();
  const best = await shares();
  assert.deepEqual(best, [...best].sort((a, b) => b - a));
  await person.press(page.getByRole("button", { name: "Won", exact: true }));
  await person.settled();
  await page.locator("th[aria-sort=ascending]").waitFor();
  const worst = await shares();
  assert.deepEqual(worst, [...worst].sort((a, b) => a - b));
  await person.fits();

  // Names of players complete as they are typed.
  await person.press(page.getByText("Filters", { exact: true }));
  const field = page.getByLabel("Player", { exact: true });
  await field.pressSequentially("a");
  await page.locator("datalist option").first().waitFor({ state: "attached" });
  const name = (await page.locator("datalist option").first().getAttribute("value")) ?? "";
  assert.match(name.toLowerCase(), /a/);
  await field.fill("");
  await person.press(page.getByText("Filters", { exact: true }));

  // A smaller part of the board is lit.
  await person.press(page.getByRole("tab", { name: /^Around a trap/ }));
  await page.waitForURL(/kind=area/);
  await person.settled();
  assert.equal(await page.locator(".square.faded").count(), 64 - 25);
  await person.press(page.getByRole("button", { name: /^f6/ }));
  await page.waitForURL(/trap=f6/);
  await person.settled();
  assert.equal(await page.locator("[data-square=f6].faded").count(), 0);
  await person.press(page.getByRole("tab", { name: /^Whole board/ }));
  await page.waitForURL(/kind=full/);
  await person.settled();

  // A turn of the memory, then back and forward.
  const before = page.url();
  await person.press(page.locator(".turns .turn").first());
  await page.waitForURL((url) => url.href !== before);
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Silver to move/);
  // The turn is known: areas are looked for round the trap next to where it led.
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().includes("/api/v1/explore") && request.url().includes("kind=area")),
    person.press(page.getByRole("tab", { name: /^Around a trap/ })),
  ]);
  assert.match(asked.url(), /[?&]last=[a-h][1-8]/);
  await person.settled();
  await page.goBack();
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Gold to move/);
  await page.goForward();
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Silver to move/);
}

const FIGHT = "/explore?at=rrrrrrrr_8_8_3h4_3E4_6d1_1r6_RRRRRRRR_g";

/** Steps by hand: walk, push both ways, pull, undo, reasons, finish. @param {Person} person */
export async function steps(person) {
  const { page } = person;
  await person.go(FIGHT);
  // Illegal things are explained.
  await person.touch("b2");
  await person.hears(/stronger piece beside it/);
  // Click and click; a far square takes several steps.
  await person.touch("d4");
  await person.touch("f4");
  assert.match(await person.on("f4"), /gold elephant/);
  assert.equal(await page.locator(".pip:not(.used)").count(), 2);
  await person.press(person.button("Undo"));
  await person.press(person.button("Undo"));
  assert.match(await person.on("d4"), /gold elephant/);
  // Push: onto the enemy, then where to.
  await person.touch("d4");
  await person.touch("d5");
  await person.hears(/Where shall the silver horse be pushed/);
  await person.touch("c5");
  assert.match(await person.on("c5"), /silver horse/);
  assert.match(await person.on("d5"), /gold elephant/);
  await person.press(person.button("Undo"));
  assert.match(await person.on("d5"), /silver horse/, "a push is taken back as a whole");
  // Pull: step away, click the one left behind.
  await person.touch("d4");
  await person.touch("d3");
  await person.hears(/may pull the horse on d5/);
  await person.touch("d5");
  assert.match(await person.on("d4"), /silver horse/);
  await person.press(person.button("Finish turn"));
  await page.waitForURL(/_s(&|$)/);
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Silver to move/);
  await person.press(page.getByRole("link", { name: "Play from here" }));
  await page.getByText("From this position, Silver to move").waitFor();
  assert.equal(await page.getByLabel("You play").inputValue(), "s");
}

/** The same with the mouse: dragging. @param {Person} person */
export async function dragging(person) {
  await person.go(FIGHT);
  await person.drag("d4", "d2");
  await person.sees("d2", "gold elephant");
  await person.press(person.button("Undo"));
  await person.sees("d3", "gold elephant");
  await person.press(person.button("Undo"));
  await person.sees("d4", "gold elephant");
  // The enemy is dragged to where it is pushed; the elephant follows.
  await person.drag("d5", "e5");
  await person.sees("e5", "silver horse");
  await person.sees("d5", "gold elephant");
  // Too far: said, not done.
  await person.drag("d5", "h1");
  assert.match(await person.words(), /occupied|steps away/);
  assert.match(await person.on("d5"), /gold elephant/);
}

/** Only the keyboard, and what a screen reader hears. @param {Person} person */
export async function keyboard(person) {
  const { page } = person;
  await person.go(FIGHT);
  await person.square("a1").focus();
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-square")), "d4");
  await page.keyboard.press("Enter");
  assert.match(await person.on("d4"), /selected/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await person.on("c4"), /can step here/);
  await page.keyboard.press("Enter");
  assert.match(await person.on("c4"), /gold elephant/);
  await page.waitForFunction(() => [...document.querySelectorAll("[aria-live]")].some((e) => /gold elephant d4 to c4/.test(e.textContent ?? "")) || /pull/.test(document.querySelector(".board-words")?.textContent ?? ""));
  await page.keyboard.press("u");
  assert.match(await person.on("d4"), /gold elephant/);
  await page.keyboard.press("x");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(".board .square").first().getAttribute("data-square"), "h1", "flipped");
}

/** An address that says nonsense, and a memory that is not there. @param {Person} person */
export async function plainWords(person) {
  const { page } = person;
  await person.go("/explore?at=nonsense");
  assert.match(await page.locator(".notice.failed").innerText(), /cannot be read: it has 0 rows, not eight/);
  await person.go("/explore?at=rrrrrrrr_9_8_8_8_8_8_8_g");
  assert.match(await page.locator(".notice.failed").innerText(), /9 in row 7 is neither a piece nor a number/);
  await person.go("/explore?at=rrrrrrrr_8_8_8_8_8_7_RRRRRRRR_g");
  assert.match(await page.locator(".notice.failed").innerText(), /row 2 has 7 squares, not eight/);
  await person.go("/setups?gold=ABC");
  assert.match(await page.locator(".notice.failed").innerText(), /is not one: .* not ABC/);
  await person.go(`${FIGHT}&kind=quarter`);
  assert.match(await page.locator(".notice.failed").first().innerText(), /no kind of match called quarter/);
  await person.go(`${FIGHT}&kind=area&trap=d4`);
  assert.match(await page.locator(".notice.failed").first().innerText(), /trap/);
  await person.go("/nowhere");
  assert.equal(await page.locator("h1").innerText(), "Not here");
  await person.press(page.locator("main").getByRole("link", { name: "Learn" }));
  await page.getByRole("heading", { name: "Learn Arimaa" }).waitFor();
  await person.go("/review/999999999");
  assert.match(await page.locator(".notice").first().innerText(), /\S/);
  await person.go("/explore?at=8_8_8_8_8_8_R7_r6E_g");
  assert.match(await page.locator("main").innerText(), /Nobody has been here|has won/);
}
