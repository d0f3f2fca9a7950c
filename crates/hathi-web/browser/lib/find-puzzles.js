// @ts-check
/** Made-up games come without puzzles: the solver finds some, and they are imported. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** @param {import("./hathi.js").Hathi} hathi @param {number} count */
export async function findPuzzles(hathi, count) {
  const lines = [];
  const { games } = await hathi.get("/games", { limit: 60, termination: "g" });
  for (const { id } of games) {
    const game = await hathi.get(`/games/${id}`);
    const turns = game.moves.filter((/** @type {any} */ move) => move.ply !== null);
    // Two turns of the winner from the end: the position before the last but two.
    const index = turns.length - 3;
    const position = turns[index - 1]?.position;
    if (!position) continue;
    const solved = await hathi.get("/solve", { position, turns: 2, seconds: 2 });
    if (solved.answer === "win") lines.push(`${id}:${turns[index].label.replace("g", "w").replace("s", "b")} ${solved.turn}`);
    if (lines.length >= count) break;
  }
  if (lines.length === 0) throw new Error("no win in two was found in the made-up games");
  const file = join(hathi.folder, "puzzles.txt");
  writeFileSync(file, `${lines.join("\n")}\n`);
  hathi.run("puzzles", "--import", file, "--store", hathi.store);
}
