// @ts-check
/** Small things that need neither server nor browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { captured } from "../assets/js/captured.js";
import { readSetup, setupText, turnArrows, replayTurn, readPosition } from "../assets/js/notation.js";
import { pack, unpack } from "../assets/js/pack.js";
import { paint, painted, setTurn, turnOf } from "../assets/js/pattern.js";
import { emptyBoard, squareAt } from "../assets/js/rules.js";
import { arrange, isSetup, setupLetters } from "../assets/js/setup-input.js";

test("painting changes one square and keeps the rest of the pattern", () => {
  let text = "Ed5 2+R@away g to move";
  text = paint(text, "c6", "S<H");
  assert.equal(text, "Ed5 S<Hc6 2+R@away g to move");
  assert.deepEqual([...painted(text)], [["d5", "E"], ["c6", "S<H"]]);
  text = paint(text, "d5", "_");
  assert.equal(painted(text).get("d5"), "_");
  text = paint(text, "d5", "");
  assert.equal(text, "S<Hc6 2+R@away g to move");
  assert.equal(turnOf(text), "g");
  assert.equal(setTurn(text, "s"), "S<Hc6 2+R@away s to move");
  assert.equal(setTurn(text, ""), "S<Hc6 2+R@away");
});

test("a long text fits into an address and comes back", async () => {
  const text = "1g Ra1 Rb1\n1s ra8 Ähm\n".repeat(50);
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < text.length / 4);
  assert.equal(await unpack(packed), text);
  await assert.rejects(unpack("damaged!"), /damaged/);
});

test("setups keep their squares", () => {
  const board = emptyBoard();
  arrange(board, "g", "RRRDDRRRRHCMECHR");
  arrange(board, "s", "RRRDDRRRRHCMECHR");
  assert.equal(board[3], "D");
  assert.equal(board[59], "d");
  assert.equal(board[51], "m");
  assert.equal(setupLetters(board, "s"), "RRRDDRRRRHCMECHR");
  assert.ok(isSetup(setupLetters(board, "g")));
  assert.ok(!isSetup("RRRR"));
  assert.equal(readSetup(setupText(board, "g"))?.length, 16);
  assert.equal(readSetup("Ra9"), null);
});

test("a walk is one arrow, and a piece that comes back is none", () => {
  const at = readPosition("g [                                                 E             R]");
  assert.ok(at);
  const walk = replayTurn(at.board, "g", "Eb2n Eb3n Eb4e");
  assert.deepEqual(turnArrows(walk?.steps ?? []).map(({ way }) => way), [[9, 17, 25, 26]]);
  const round = replayTurn(at.board, "g", "Eb2n Eb3s Rh1w");
  assert.equal(turnArrows(round?.steps ?? []).length, 1);
});

test("what was captured is what is missing, strongest first", () => {
  const from = readPosition("g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")?.board ?? [];
  const now = from.map((piece, square) => (["a8", "b7", "d7"].map(squareAt).includes(square) ? "" : piece));
  assert.deepEqual(captured(from, now, "s"), ["e", "d", "r"]);
  assert.deepEqual(captured(from, now, "g"), []);
});
