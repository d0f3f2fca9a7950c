// @ts-check
import assert from "node:assert/strict";

/** @typedef {import("../lib/person.js").Person} Person */

/**
 * A game against an engine: setup, a turn by hand, hint, takeback, then hints
 * until it is over or enough, resignation, review.
 * @param {Person} person @param {{side: "Gold (begins)" | "Silver", engine: string, turns: number}} how
 */
export async function play(person, { side, engine, turns }) {
  const { page } = person;
  await person.go("/play");
  await person.fits();
  await person.press(page.getByText("Other engines"));
  await person.press(page.getByRole("radio", { name: new RegExp(`^${engine} `) }));
  await page.getByLabel("You play").selectOption({ label: side });
  await page.locator("select[name=pace]").selectOption({ label: "no clock, quick engine" });
  await page.getByLabel("Your name").fill("Tester");
  await page.getByLabel("Keep this game in the memory when it is over").check();
  await person.press(person.button("Start the game"));
  await page.waitForURL(/\/play\/p/);
  await person.button("Ready").waitFor();
  await person.fits();
  // Two pieces change places.
  const [camel, elephant] = side === "Silver" ? ["d7", "e7"] : ["d2", "e2"];
  const [first, second] = [await person.on(camel), await person.on(elephant)];
  await person.touch(camel);
  await person.touch(elephant);
  assert.equal((await person.on(elephant)).split(", ")[1], first.split(", ")[1]);
  assert.equal((await person.on(camel)).split(", ")[1], second.split(", ")[1]);
  await person.press(person.button("Ready"));
  await yourTurn(person);

  // Takeback: a turn, then back to the decision before it.
  await turnByHint(person);
  await yourTurn(person);
  await dragAtOnce(person);
  const played = await page.locator(".moves .move").count();
  await person.press(person.button("Take back"));
  await page.waitForFunction((n) => document.querySelectorAll(".moves .move").length < n, played);
  await yourTurn(person);

  for (let turn = 0; turn < turns; turn++) {
    await turnByHint(person);
    if (await overOrMine(person)) break;
  }
  if (!(await isOver(person))) {
    await person.press(page.getByRole("button", { name: "Resign" }));
    await person.press(page.getByRole("button", { name: "Really?" }));
  }
  const review = page.getByRole("link", { name: "Review this game" });
  await review.waitFor();
  await person.press(review);
  await page.waitForURL(/\/review\/play:\d+/);
  await person.settled();
  assert.match(await page.locator("h1").innerText(), /Tester/);
  assert.match(await page.locator("h1 + p").innerText(), /no clock/);
}

/**
 * The levels, weakest first; a turn that is begun survives a reload and a
 * server that is away; looking back has buttons, and reasons go with it; the
 * same opening once more; giving up from the list.
 * @param {Person} person
 */
export async function levels(person) {
  const { page } = person;
  await person.go("/play");
  const names = page.locator(".engines > .engine-choice strong");
  await names.first().waitFor();
  assert.equal(await names.count(), 10);
  assert.match(await names.first().innerText(), /^1 First steps/);
  assert.match(await page.locator(".engines > .engine-choice").nth(9).innerText(), /about \d+ on our scale/);
  // The others only after one more click.
  assert.equal(await page.getByRole("radio", { name: /^greedy / }).isVisible(), false);
  await person.press(page.getByRole("radio", { name: /^2 Beginner/ }));
  await page.getByLabel("You play").selectOption({ label: "Gold (begins)" });
  await person.press(person.button("Start the game"));
  await page.waitForURL(/\/play\/p/);
  await page.getByRole("heading", { name: /against level 2 \(Beginner\)/ }).waitFor();
  await person.press(person.button("Ready"));
  await yourTurn(person);
  await turnByHint(person);
  await yourTurn(person);
  const reasons = page.getByRole("region", { name: "Reasons" });
  assert.match(await reasons.innerText(), /played 2s/);
  await turnByHint(person);
  await yourTurn(person);
  assert.match(await reasons.innerText(), /played 3s/);
  // Some steps, then the page is loaded again.
  await person.press(person.button("Hint"));
  await person.press(person.button("Put it on the board"));
  const begun = await person.words();
  await page.reload();
  await page.getByText("these steps are still as you left them").waitFor();
  assert.ok((await person.words()).startsWith(begun), `${begun}: ${await person.words()}`);
  // Back to the turn before, and on: the steps are still there.
  await person.press(person.button("Back a turn (left arrow)"));
  await person.press(person.button("Back a turn (left arrow)"));
  assert.match(await person.words(), /looking back/);
  assert.match(await reasons.innerText(), /played 2s/);
  await person.press(person.button("To the game as it stands (End)"));
  await page.getByText("these steps are still as you left them").waitFor();
  // A turn that cannot be sent is not lost.
  await page.route("**/turn", (route) => route.abort());
  await person.press(person.button("Finish turn"));
  await page.locator(".side .failed").waitFor();
  await page.getByText("these steps are still as you left them").waitFor();
  await page.unroute("**/turn");
  await person.press(person.button("Finish turn"));
  await yourTurn(person);
  // Given up from the list; the opening once more from the game.
  const game = page.url();
  await person.go("/play");
  const own = page.locator(".games li").filter({ hasText: "level 2 (Beginner)" }).first();
  await person.press(own.getByRole("button", { name: "Give up" }));
  await person.press(own.getByRole("button", { name: "Really?" }));
  await page.getByText(/wins by resignation|resign/i).first().waitFor();
  await page.goto(game);
  await person.press(person.button("Same opening"));
  await page.waitForURL((url) => url.href !== game && url.pathname.startsWith("/play/p"));
  await yourTurn(person);
  assert.equal(await page.locator(".moves .move").count(), 2);
  await person.press(person.button("Resign"));
  await person.press(person.button("Really?"));
  await page.getByRole("link", { name: "Play again" }).waitFor();
  await person.fits();
}

/** From a position of Explore: what is captured stands beside the board, also when looking back. @param {Person} person */
export async function captures(person) {
  const { page } = person;
  await person.go("/play?engine=random&at=rrrrrrrr_3e4_8_2h5_2E5_8_8_RRRRRRRR_g");
  await page.locator("select[name=pace]").selectOption({ label: "no clock, quick engine" });
  await person.press(person.button("Start the game"));
  await page.waitForURL(/\/play\/p/);
  await yourTurn(person);
  assert.equal(await page.locator(".captured").count(), 0);
  await person.touch("c4");
  await person.touch("c5");
  if (/Where shall/.test(await person.words())) await person.touch("c6");
  await person.press(person.button("Finish turn"));
  // The engine may lose more by itself: it moves by chance.
  const lost = page.getByRole("img", { name: /^Silver has lost: .*horse/ });
  await lost.waitFor();
  await person.fits();
  await person.press(person.button("Flip the board"));
  await lost.waitFor();
}

/** A piece is taken up while the engine's turn is still being shown. @param {Person} person */
async function dragAtOnce(person) {
  const id = new URL(person.page.url()).pathname.split("/").pop();
  const [from, to] = await person.page.evaluate(async (id) => {
    // The page's own modules, by their address there.
    const from = (/** @type {string} */ name) => import(`/assets/js/${name}.js`);
    const [{ freshTurn, sideOf, stepsFrom, squareName }, { readPosition }] = await Promise.all([from("rules"), from("notation")]);
    const play = await (await fetch(`/api/v1/plays/${id}`)).json();
    const { board, side } = readPosition(play.position);
    const turn = freshTurn(board, side);
    // Onto no trap: it is to be seen there.
    const ways = (/** @type {number} */ square) => stepsFrom(turn, square).map(squareName).filter((/** @type {string} */ to) => !["c3", "f3", "c6", "f6"].includes(to));
    const own = board.findIndex((/** @type {string} */ piece, /** @type {number} */ square) => piece && sideOf(piece) === side && ways(square).length > 0);
    return [squareName(own), ways(own)[0]];
  }, id);
  const piece = (await person.on(from)).split(", ")[1] ?? "";
  await person.drag(from, to);
  await person.sees(to, piece);
  await person.press(person.button("Undo"));
  await person.sees(from, piece);
}

/** @param {Person} person */
export async function turnByHint(person) {
  await person.press(person.button("Hint"));
  const put = person.button("Put it on the board");
  await put.waitFor();
  await person.press(put);
  await person.press(person.button("Finish turn"));
}

/** @param {Person} person */
const yourTurn = (person) => person.page.waitForFunction(() => /Your turn/.test(document.querySelector(".play-status")?.textContent ?? ""));

/** Waits for the engine; true if the game is over. @param {Person} person */
export async function overOrMine(person) {
  await person.page.waitForFunction(() => {
    const words = document.querySelector(".play-status")?.textContent ?? "";
    return /Your turn/.test(words) || /wins/.test(words);
  });
  return isOver(person);
}

/** @param {Person} person */
const isOver = async (person) => (await person.page.getByRole("link", { name: "Play again" }).count()) > 0;
