// @ts-check
import assert from "node:assert/strict";
import { playTurn } from "../lib/play-turn.js";

/** @typedef {import("../lib/person.js").Person} Person */
/** @typedef {import("../lib/hathi.js").Hathi} Hathi */

/** A newcomer: offered on the first page, first lesson with a wrong try, progress, address. @param {Person} person */
export async function learn(person) {
  const { page } = person;
  await person.go("/");
  assert.equal(await page.locator(".nav a").first().innerText(), "Learn");
  await person.press(page.getByRole("link", { name: "Learn to play" }));
  await page.waitForURL(/\/learn$/);
  await page.locator(".lesson-list li").first().waitFor();
  await person.fits();
  assert.equal(await page.locator(".lesson-list li").count(), 16);
  await person.press(page.getByRole("link", { name: "Start with the first lesson" }));
  await page.waitForURL(/\/learn\/goal$/);
  await atTask(person, 1);
  await person.fits();

  // Sideways is legal, but no goal: the reason is said, and it can be tried again.
  await person.touch("d7");
  await person.touch("e7");
  await person.press(person.button("Finish turn"));
  await verdict(person, "wrong", /No gold rabbit stands on the top row/);
  await person.press(person.button("Start again"));
  await person.sees("d7", "gold rabbit");
  await person.touch("d7");
  await person.touch("d8");
  await person.press(person.button("Finish turn"));
  await verdict(person, "good", /Goal!/);
  await person.press(person.button("Next task"));
  await page.waitForURL(/task=2/);
  await page.locator(".task-steps a[aria-label='Task 1, solved']").waitFor();
  // The board explains what is not possible at all.
  await person.touch("e4");
  await person.touch("f3");
  await person.hears(/steps away|one of the four squares|backward/);

  // Kept in this browser: the list says so, and the lesson opens at what is left.
  await person.go("/learn");
  await page.getByText("1 of 4").first().waitFor();
  await person.press(page.getByRole("link", { name: /^Go on/ }));
  await atTask(person, 2);
  // Whoever has begun is not asked again.
  await person.go("/");
  assert.equal(await page.locator(".welcome").count(), 0);
}

/** Every task of every lesson as its answer says, in the browser, to the first game. @param {Person} person @param {Hathi} hathi @param {string[]} ids */
export async function lessons(person, hathi, ids) {
  const { page } = person;
  for (const id of ids) {
    const lesson = await hathi.get(`/lessons/${id}`);
    await person.go(`/learn/${id}?task=1`);
    for (const [i, task] of lesson.tasks.entries()) {
      await atTask(person, i + 1);
      await person.fits();
      const answer = await hathi.get(`/lessons/${id}/${i + 1}/answer`);
      await solveTask(person, task, answer);
      if (i + 1 < lesson.tasks.length) await person.press(person.button("Next task"));
    }
    await page.getByText("Lesson complete.").waitFor();
  }
}

/** The last lesson of the rules ends with a game against somebody gentle. @param {Person} person */
export async function firstGame(person) {
  const { page } = person;
  await person.press(page.getByRole("link", { name: "Play your first game" }));
  await page.waitForURL(/\/play\?engine=level-1/);
  await person.settled();
  assert.ok(await page.getByRole("radio", { name: /^1 First steps/ }).isChecked());
}

/** A task as its answer says, and what is said to it. @param {Person} person @param {any} task @param {any} answer */
export async function solveTask(person, task, answer) {
  await solve(person, task, answer);
  await verdict(person, "good", /\S/);
}

/** @param {Person} person @param {any} task @param {any} answer */
async function solve(person, task, answer) {
  if (answer.turn !== null) {
    await playTurn(person, task.position, answer.turn);
  } else if (answer.squares !== null) {
    for (const square of answer.squares) await person.touch(square);
    await person.press(person.button("Check"));
  } else if (answer.choice !== null) {
    await person.press(person.page.locator(".task-options button").nth(answer.choice));
  } else {
    // Many exchanges: the page shows it, and it is checked.
    await person.press(person.button("Show me"));
    await verdict(person, "good", /one way to do it/);
    await person.press(person.button("Check"));
    await person.page.locator(".lesson-answer .primary").waitFor();
  }
}

/** Wrong tries of each kind get their reasons. @param {Person} person @param {Hathi} hathi */
export async function reasons(person, hathi) {
  const { page } = person;
  await person.go("/learn/freezing?task=2");
  await atTask(person, 2);
  await person.touch("g4");
  await person.press(person.button("Check"));
  await verdict(person, "wrong", /The dog on g4 is not frozen: a friend stands beside it/);
  await person.touch("g4");
  await person.touch("d4");
  await person.press(person.button("Check"));
  await verdict(person, "wrong", /one is missing/);
  await person.go("/learn/goal?task=4");
  await person.press(person.button("Gold"));
  await verdict(person, "wrong", /Only rabbits win/);
  await person.press(person.button("Nobody yet"));
  await verdict(person, "good", /only rabbits count/);
  await person.go("/learn/setup?task=1");
  await person.press(person.button("Check"));
  await verdict(person, "wrong", /elephant is not on d2 or e2/);
  await person.touch("e1");
  await person.touch("e2");
  await person.press(person.button("Check"));
  await verdict(person, "good", /in the middle/);
  await person.go("/learn/repetition?task=4");
  const { tasks } = await hathi.get("/lessons/repetition");
  await playTurn(person, tasks[3].position, "eg5n");
  await verdict(person, "wrong", /third time/);
  await person.go("/learn/nothing");
  assert.match(await page.locator("main").innerText(), /no lesson called nothing/);
}

/** With the keyboard alone, as a screen reader hears it. @param {Person} person */
export async function learnByKeyboard(person) {
  const { page } = person;
  await person.go("/learn/goal?task=1");
  await person.square("d7").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.match(await person.on("d8"), /gold rabbit/);
  await page.keyboard.press("f");
  await verdict(person, "good", /Goal!/);
  assert.equal(await page.locator(".task-verdict").getAttribute("role"), "status");
  await page.waitForFunction(() => /Next task/.test(document.activeElement?.textContent ?? ""));
  await page.keyboard.press("Enter");
  await atTask(person, 2);
  await person.go("/learn/steps?task=1");
  await person.square("d5").focus();
  await page.keyboard.press("Enter");
  assert.match(await person.on("d5"), /chosen/);
  for (const key of ["ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowLeft", "Enter", "f"]) await page.keyboard.press(key);
  await verdict(person, "good", /Three squares/);
}

/** Waits until this task is shown. @param {Person} person @param {number} number */
const atTask = (person, number) => person.page.locator(`.task-steps li:nth-child(${number}) a[aria-current=step]`).waitFor();

/** @param {Person} person @param {"good" | "wrong"} tone @param {RegExp} words */
async function verdict(person, tone, words) {
  await person.page.waitForFunction(
    ([kind, source]) => {
      const place = document.querySelector(`.task-verdict .verdict.${kind}`);
      return place !== null && new RegExp(source ?? "").test(place.textContent ?? "");
    },
    [tone, words.source],
  );
}
