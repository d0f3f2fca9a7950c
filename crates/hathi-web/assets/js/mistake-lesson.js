// @ts-check
/** Learn from your mistakes: the turns that were marked, played again by whoever looks. */

import { isAbort, messageOf, stream } from "./api.js";
import { announce, fill, h, percent } from "./dom.js";
import { icon } from "./icons.js";
import { sideName } from "./rules.js";

/** @typedef {import("./types.js").JudgedTurn} JudgedTurn */
/** @typedef {import("./types.js").Analysed} Analysed */

/** A turn that gives away no more is as good as the best. */
const GOOD = 0.05;

/** Positions looked at to value a try. */
const NODES = 100_000;

export class MistakeLesson {
  /**
   * @param {AbortSignal} signal
   * @param {{go: (ply: number) => void, changed: () => void}} viewer
   */
  constructor(signal, viewer) {
    this.signal = signal;
    this.viewer = viewer;
    /** @type {JudgedTurn[]} */
    this.marked = [];
    /** @type {{label: string, turn: string}[]} */
    this.turns = [];
    /** Which of them is asked now; none if nobody learns. */
    this.index = -1;
    this.solved = false;
    this.element = h("div", { class: "mistake-lesson" });
  }

  /** @param {JudgedTurn[]} marked @param {{label: string, turn: string}[]} turns */
  set(marked, turns) {
    const first = this.marked.length !== marked.length;
    this.marked = [...marked].sort((a, b) => a.ply - b.ply);
    this.turns = turns;
    if (first) {
      this.index = -1;
      this.#draw();
    }
  }

  /** Is a better turn asked for here? @param {number} ply */
  asksAt(ply) {
    return !this.solved && this.marked[this.index]?.ply === ply;
  }

  /** @param {number} index */
  #ask(index) {
    this.index = index < this.marked.length ? index : -1;
    this.solved = false;
    this.#draw();
    const now = this.marked[this.index];
    if (now) this.viewer.go(now.ply);
    this.viewer.changed();
  }

  /** @param {string} [words] what came of the last try */
  #draw(words = "") {
    const now = this.marked[this.index];
    if (!now) {
      const begin = h("button", { type: "button", onclick: () => this.#ask(0) }, icon("learn"), "Learn from the mistakes");
      fill(this.element, this.marked.length > 0 && begin);
      return;
    }
    const { label, turn } = this.turns[now.ply] ?? { label: "", turn: "" };
    const side = sideName(label.endsWith("s") ? "s" : "g");
    const last = this.index + 1 >= this.marked.length;
    fill(
      this.element,
      h(
        "div",
        { class: "notice" },
        h("p", {}, h("strong", {}, `${this.index + 1} of ${this.marked.length}. `), `At ${label} ${side} played `, h("span", { class: "mono" }, turn), `, a ${now.mark}. Find a better turn on the board.`),
        words && h("p", {}, words),
        h(
          "div",
          { class: "row-of" },
          !this.solved && h("button", { type: "button", onclick: () => this.#tell() }, "Show it"),
          h("button", { type: "button", class: this.solved ? "primary" : "", onclick: () => this.#ask(this.index + 1) }, last ? "Done" : "Next"),
        ),
      ),
    );
  }

  #tell() {
    this.solved = true;
    this.#draw(`Better was ${this.marked[this.index]?.best}.`);
    this.viewer.changed();
  }

  /** A turn was tried: what is it worth beside the best one? @param {string} position @param {string} turn */
  async tried(position, turn) {
    this.#draw("Looking at your turn …");
    try {
      let loss = 1;
      await stream(
        "/analyse",
        { position, turn, lines: 1, nodes: NODES, engine: "hathi:hash=32" },
        {
          done: (/** @type {Analysed} */ { lines, also }) => {
            const [best] = lines;
            if (best && also) loss = Math.abs(best.gold_chance - also.gold_chance);
          },
        },
        this.signal,
      );
      this.solved = loss <= GOOD;
      const words = this.solved ? `Good: ${turn} keeps the chances.` : `Not yet: ${turn} gives away ${percent(loss)} of the chances. Try another turn.`;
      this.#draw(words);
      announce(words);
      this.viewer.changed();
    } catch (error) {
      if (!isAbort(error)) this.#draw(messageOf(error));
    }
  }
}
