// @ts-check
/** Phases of the game: their words, and a strip of them over a game. */

import { h } from "./dom.js";

/** @typedef {"opening" | "middle" | "end"} Phase (API: PhaseName) */
/** @typedef {{phase: Phase, score: number, features: {fewer_pieces: number, advanced: number, goal_threat: boolean}, probabilities: Record<Phase, number>}} PhaseOf (API: PhaseView) */

export const PHASES = /** @type {const} */ (["opening", "middle", "end"]);
export const PHASE_WORDS = /** @type {Record<Phase, string>} */ ({ opening: "Opening", middle: "Middle game", end: "End game" });

/**
 * One part for each stretch of the same phase, as wide as it is long, with its
 * name in it: not by colour alone.
 * @param {{label: string, phase: Phase | undefined}[]} turns
 * @param {(ply: number) => void} choose
 */
export function phaseStrip(turns, choose) {
  /** @type {{phase: Phase | undefined, first: number, last: number}[]} */
  const parts = [];
  for (const [i, { phase }] of turns.entries()) {
    const going = parts.at(-1);
    if (going && going.phase === phase) going.last = i;
    else parts.push({ phase, first: i, last: i });
  }
  const words = (/** @type {(typeof parts)[number]} */ { phase, first, last }) => {
    const from = turns[first]?.label ?? "";
    const to = turns[last]?.label ?? "";
    return `${phase ? PHASE_WORDS[phase] : "not known yet"} ${from === to ? from : `${from} to ${to}`}`;
  };
  const strip = h("div", { class: "phase-strip", role: "img", "aria-label": `Phases of the game: ${parts.map(words).join(", ")}` });
  for (const part of parts) {
    const cell = h("span", { class: `phase-part ${part.phase ?? "none"}`, title: words(part) }, part.phase ? h("span", {}, PHASE_WORDS[part.phase]) : "");
    cell.style.flexGrow = String(part.last - part.first + 1);
    strip.append(cell);
  }
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect();
    choose(Math.max(1, Math.min(turns.length, Math.ceil(((event.clientX - box.left) / box.width) * turns.length))));
  });
  return strip;
}
