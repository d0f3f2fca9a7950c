// @ts-check
/** The page's rules: by themselves, and against the server's on many positions. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hathi } from "./lib/hathi.js";
import { positionSlug, readSlug } from "../assets/js/addresses.js";
import { positionText, readPosition, replayTurn } from "../assets/js/notation.js";
import { endTurn, freshTurn, legalSteps, outcome, squareAt, stepText, take, turnText, walks, whyNot, whyNotEnd } from "../assets/js/rules.js";

/** @type {Hathi} */
let hathi;
before(async () => {
  hathi = await Hathi.start(0);
});
after(async () => {
  await hathi.stop();
  hathi.remove();
});

/** Dice that fall the same way every time. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const START = "g [rrrddrrrrhcmechr                                RHCMECHRRRRDDRRR]";

/** @param {string} text */
function position(text) {
  const read = readPosition(text);
  assert.ok(read, text);
  return freshTurn(read.board, read.side);
}

test("the same steps are legal here and on the server", async () => {
  const roll = dice(11);
  let compared = 0;
  for (let game = 0; game < 6; game++) {
    let now = position(START);
    for (let ply = 0; ply < 60 && outcome(now.board, now.side === "g" ? "s" : "g") === null; ply++) {
      const begin = positionText(now.board, now.side);
      /** @type {import("../assets/js/rules.js").Step[]} */
      const made = [];
      for (let left = 1 + roll(4); left > 0 || now.pushPull?.kind === "must push"; left--) {
        const steps = legalSteps(now);
        if (ply % 4 === game % 4) {
          await compare(begin, made, now);
          compared++;
        }
        const wild = steps[roll(steps.length)];
        if (!wild) break;
        // Pushes and pulls are rare by chance: prefer the enemy's pieces at times.
        const enemy = steps.filter(({ from }) => (now.board[from] ?? "") < "a" !== (now.side === "g"));
        const chosen = enemy.length > 0 && roll(2) === 0 ? (enemy[roll(enemy.length)] ?? wild) : wild;
        const taken = take(now, chosen.from, chosen.to);
        made.push(taken.step);
        now = taken.position;
      }
      if (whyNotEnd(now) !== null) break;
      now = endTurn(now);
    }
  }
  assert.ok(compared > 100, `${compared} positions compared`);
});

/** @param {string} begin @param {import("../assets/js/rules.js").Step[]} made @param {import("../assets/js/rules.js").Position} now */
async function compare(begin, made, now) {
  const theirs = await hathi.get("/steps", { position: begin, made: turnText(made) });
  const mine = legalSteps(now).map(({ from, to }) => stepText(take(now, from, to).step).split(" ")[0]);
  const where = `${begin} ${turnText(made)}`;
  assert.deepEqual(
    mine.sort(),
    theirs.steps.map((/** @type {any} */ s) => s.step.split(" ")[0]).sort(),
    where,
  );
  for (const step of theirs.steps) {
    const { step: taken } = take(now, squareAt(step.from), squareAt(step.to));
    assert.deepEqual(taken.removed?.piece, step.removes?.piece, `${where} ${step.step}`);
  }
  assert.equal(positionText(now.board, now.side), theirs.position, where);
  assert.equal(whyNotEnd(now) === null, theirs.can_end_turn, where);
}

const BOARD = `g
8| . . . . . . . r |
7| . . . . . . . . |
6| . . x . . x . . |
5| . . . h . . . . |
4| . . c E e D . . |
3| . . x . . x . . |
2| r . . . . . . . |
1| R . . . . . . . |`;

test("reasons are given in words", () => {
  const at = position(BOARD);
  const why = (/** @type {string} */ from, /** @type {string} */ to) => whyNot(at, squareAt(from), squareAt(to)) ?? "legal";
  assert.match(why("f4", "f5"), /frozen by the elephant on e4/);
  assert.match(why("e4", "e5"), /elephant/);
  assert.match(why("h8", "h7"), /stronger piece beside it/);
  assert.match(why("d4", "d5"), /occupied by the silver horse/);
  assert.match(why("d4", "d6"), /one of the four squares/);
  assert.equal(why("a1", "b1"), "legal");
  assert.equal(why("d5", "d6"), "legal");
  assert.equal(why("c4", "c3"), "legal");
});

test("a push must be completed, by a stronger piece, with two steps", () => {
  const at = position(BOARD);
  const pushed = take(at, squareAt("d5"), squareAt("d6")).position;
  assert.match(whyNot(pushed, squareAt("a1"), squareAt("b1")) ?? "", /push must be completed/);
  assert.match(whyNotEnd(pushed) ?? "", /push must be completed/);
  assert.equal(whyNot(pushed, squareAt("d4"), squareAt("d5")), null);
  const last = { ...at, left: 1 };
  assert.match(whyNot(last, squareAt("d5"), squareAt("d6")) ?? "", /two steps/);
});

test("a piece that died in a trap has still pulled", () => {
  const at = position("g [  c       E                                                     ]");
  const fell = replayTurn(at.board, "g", "Ec7s Ec6x cc8s");
  assert.ok(fell);
  assert.equal(turnText(fell.steps), "Ec7s Ec6x cc8s");
});

test("rabbits, frozen pieces and traps keep walks short", () => {
  const at = position(BOARD);
  assert.deepEqual([...walks(at, squareAt("f4"))], []);
  const lone = position("g [                                                  E            R]");
  const reached = [...walks(lone, squareAt("c2"))];
  const onto = reached.find(([square]) => square === squareAt("c3"));
  assert.ok(onto, "it may step into the trap");
  for (const [, way] of reached) assert.ok(!way.slice(0, -1).includes(squareAt("c3")), "but does not walk through it");
});

test("text and address keep a position", () => {
  const { board, side } = position(START);
  assert.deepEqual(readSlug(positionSlug(board, side)), { board, side });
  assert.equal(positionText(board, side), START);
  assert.equal(readPosition("nonsense"), null);
  assert.equal(readSlug("8_8_g"), null);
});
