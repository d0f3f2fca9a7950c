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
async function turnByHint(person) {
  await person.press(person.button("Hint"));
  const put = person.button("Put it on the board");
  await put.waitFor();
  await person.press(put);
  await person.press(person.button("Finish turn"));
}

/** @param {Person} person */
const yourTurn = (person) => person.page.waitForFunction(() => /Your turn/.test(document.querySelector(".play-status")?.textContent ?? ""));

/** Waits for the engine; true if the game is over. @param {Person} person */
async function overOrMine(person) {
  await person.page.waitForFunction(() => {
    const words = document.querySelector(".play-status")?.textContent ?? "";
    return /Your turn/.test(words) || /wins/.test(words);
  });
  return isOver(person);
}

/** @param {Person} person */
const isOver = async (person) => (await person.page.getByRole("link", { name: "Review this game" }).count()) > 0;
