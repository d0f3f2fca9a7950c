// @ts-check
/** A board with a line of words below it and buttons below that: most pages have one. */

import { Board } from "./board.js";
import { announce, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { squareAt } from "./rules.js";

export class BoardPanel {
  /** @param {string} label */
  constructor(label) {
    this.board = new Board(label);
    this.above = h("div", { class: "board-strip above" });
    /** Who stands better, while an engine looks on. */
    this.bar = h("div", { class: "eval-bar", role: "img", hidden: true }, h("span", { class: "gold-part" }));
    this.below = h("div", { class: "board-strip below" });
    this.words = h("p", { class: "board-words" });
    this.buttons = h("div", { class: "board-buttons" });
    this.flipButton = h(
      "button",
      { type: "button", class: "icon-button", "aria-label": "Flip the board", title: "Flip the board (x)", onclick: () => this.flip() },
      icon("flip"),
    );
    this.element = h("div", { class: "board-panel" }, this.above, this.bar, this.board.element, this.below, this.words, this.buttons);
    /** @type {() => void} */
    this.flipped = () => {};
  }

  flip() {
    this.board.set({ flipped: !this.board.state.flipped });
    this.flipped();
    announce(this.board.state.flipped ? "Silver is at the bottom" : "Gold is at the bottom");
  }

  /** @param {string} words @param {"info" | "wrong" | "good"} [tone] */
  say(words, tone = "info") {
    this.words.textContent = words;
    this.words.dataset.tone = tone;
    if (words) announce(words);
  }

  /** Words that need not be spoken. @param {string} words */
  note(words) {
    this.words.textContent = words;
    this.words.dataset.tone = "info";
  }

  /** Gold's chance on the bar above the board; null hides it. @param {number | null} chance @param {string} [words] */
  evaluation(chance, words = "") {
    this.bar.hidden = chance === null;
    if (chance === null) return;
    /** @type {HTMLElement} */ (this.bar.firstElementChild).style.width = `${chance * 100}%`;
    this.bar.setAttribute("aria-label", words);
    this.bar.title = words;
  }

  /** @param {string[] | null} squares names of squares to bring out */
  area(squares) {
    this.board.set({ area: squares ? new Set(squares.map(squareAt)) : null });
  }

  /** @param {...(import("./dom.js").Child)} buttons */
  setButtons(...buttons) {
    fill(this.buttons, ...buttons, this.flipButton);
  }
}

/**
 * Buttons to make a turn: steps left, back, finish.
 * @param {import("./turn-input.js").TurnInput} input
 * @param {() => void} finish
 */
export function turnButtons(input, finish) {
  const pips = h("span", { class: "pips", role: "img" });
  const undo = h(
    "button",
    { type: "button", title: "Take a step back (u)", onclick: () => input.undo() },
    icon("undo"),
    h("span", {}, "Undo"),
  );
  const done = h("button", { type: "button", class: "primary finish", title: "Finish the turn (f)", onclick: finish }, icon("check"), "Finish turn");
  const update = () => {
    const { left } = input.position;
    fill(
      pips,
      Array.from({ length: 4 }, (_, i) => h("span", { class: i < left ? "pip" : "pip used" })),
    );
    pips.setAttribute("aria-label", `${left} of 4 steps left`);
    pips.title = `${left} of 4 steps left`;
    undo.disabled = input.taken.length === 0;
    const why = input.whyNotEnd;
    done.disabled = !input.enabled || why !== null;
    done.title = why ?? "Finish the turn (f)";
  };
  update();
  return { element: h("div", { class: "row-of turn-buttons" }, pips, undo, done), update };
}

/** @param {"g" | "s"} side */
export const sideBadge = (side) =>
  h("span", { class: `badge ${side === "g" ? "gold" : "silver"}` }, side === "g" ? "Gold" : "Silver");
