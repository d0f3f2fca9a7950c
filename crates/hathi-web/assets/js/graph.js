// @ts-check
/** The course of a game as a curve, with strips below it: one column a turn. */

import { fill, s } from "./dom.js";
import { scoreText } from "./parts.js";

const HEIGHT = 100;
/** Half of the graph's height for about a camel's worth; a win is at the edge. @param {number} score */
const level = (score) => Math.atan(score / 500) / (Math.PI / 2);

/**
 * @typedef {{name: string, colours: (string | undefined)[], titles: string[]}} Strip
 */

export class Graph {
  /** @param {(ply: number) => void} choose */
  constructor(choose) {
    this.element = /** @type {SVGSVGElement} */ (s("svg", { class: "graph", preserveAspectRatio: "none", role: "img", "aria-label": "Evaluation" }));
    this.plies = 1;
    this.marker = s("line", { class: "marker", y1: 0, y2: HEIGHT });
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      choose(Math.max(0, Math.min(this.plies, Math.round(((event.clientX - box.left) / box.width) * this.plies))));
    });
  }

  /**
   * @param {number} plies
   * @param {(number | undefined)[]} scores for Gold after each turn; undefined where not known yet
   * @param {{ply: number, mark: string}[]} marks
   */
  set(plies, scores, marks) {
    this.plies = Math.max(1, plies);
    const x = (/** @type {number} */ ply) => ply + 1;
    const y = (/** @type {number} */ score) => HEIGHT / 2 - level(score) * (HEIGHT / 2 - 3);
    const known = scores.flatMap((score, ply) => (score === undefined ? [] : [{ ply, score }]));
    // Before the first turn the game is even.
    if (known[0]?.ply === 0) known.unshift({ ply: -1, score: 0 });
    const line = known.map(({ ply, score }) => `${x(ply)},${y(score)}`).join(" ");
    const [first, last] = [known[0], known.at(-1)];
    this.element.setAttribute("viewBox", `0 0 ${this.plies} ${HEIGHT}`);
    fill(
      this.element,
      // Nobody's, as long as nothing is known.
      s("rect", { class: "unknown", x: 0, y: 0, width: this.plies, height: HEIGHT }),
      first && last ? s("rect", { class: "ground", x: x(first.ply), y: 0, width: x(last.ply) - x(first.ply), height: HEIGHT }) : null,
      first && last ? s("polygon", { class: "fill", points: `${x(first.ply)},${HEIGHT} ${line} ${x(last.ply)},${HEIGHT}` }) : null,
      s("line", { class: "zero", x1: 0, x2: this.plies, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      s("polyline", { class: "curve", points: line }),
      ...marks.map(({ ply, mark }) => s("line", { class: `tick ${mark}`, x1: x(ply), x2: x(ply), y1: HEIGHT - 12, y2: HEIGHT })),
      this.marker,
    );
    const end = last ? `, at the end ${scoreText(last.score)}` : ", not computed yet";
    this.element.setAttribute("aria-label", `Evaluation over ${plies} turns, for Gold${end}`);
  }

  /** @param {number} ply */
  light(ply) {
    this.marker.setAttribute("x1", String(ply));
    this.marker.setAttribute("x2", String(ply));
  }
}

/**
 * A strip of coloured cells, one a turn.
 * @param {Strip} strip
 */
export function strip({ name, colours, titles }) {
  const element = s("svg", {
    class: "strip",
    viewBox: `0 0 ${Math.max(1, colours.length)} 1`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": name,
  });
  for (const [i, colour] of colours.entries()) {
    element.append(s("rect", { class: `cell ${colour ?? "none"}`, x: i, y: 0, width: 1, height: 1 }, s("title", {}, titles[i] ?? "")));
  }
  return element;
}
