// @ts-check
/** The turns of a game, two a row, with marks; the one shown is lit. */

import { fill, h } from "./dom.js";

/**
 * @typedef {object} ListedTurn
 * @property {string} label `12g`
 * @property {string} text
 * @property {string} [mark] "mistake", "blunder"
 * @property {string} [note] small words behind
 * @property {boolean} [known] played before in the memory
 * @property {string} [title]
 */

const MARKS = /** @type {Record<string, string>} */ ({ mistake: "?", blunder: "??" });

export class MoveList {
  /** @param {(index: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.element = h("ol", { class: "moves", "aria-label": "Turns" });
    /** @type {HTMLElement[]} */
    this.items = [];
    this.current = -1;
  }

  /**
   * @param {ListedTurn[]} turns
   * @param {Map<number, Element>} [below] further lines that stand below a turn
   */
  set(turns, below = new Map()) {
    const focused = this.items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const { scrollTop } = this.element;
    this.items = turns.map((turn, index) => {
      const symbol = MARKS[turn.mark ?? ""];
      return h(
        "button",
        {
          type: "button",
          class: `move ${turn.mark ?? ""}${turn.known ? " known" : ""}`,
          title: turn.title,
          onclick: () => this.choose(index),
        },
        h("span", { class: "label" }, turn.label),
        h("span", { class: "text" }, turn.text, symbol && h("strong", { class: "mark", title: turn.mark }, ` ${symbol}`)),
        turn.note && h("span", { class: "note muted" }, turn.note),
      );
    });
    fill(
      this.element,
      this.items.map((item, index) => h("li", {}, item, below.get(index))),
    );
    this.light(this.current);
    this.element.scrollTop = scrollTop;
    this.items[focused]?.focus({ preventScroll: true });
  }

  /** @param {number} index -1 for the start */
  light(index) {
    this.items[this.current]?.removeAttribute("aria-current");
    this.current = index;
    const item = this.items[index];
    item?.setAttribute("aria-current", "true");
    if (item && this.element.scrollHeight > this.element.clientHeight) {
      // Only the list scrolls, never the page.
      const middle = item.offsetTop - this.element.clientHeight / 2;
      this.element.scrollTop = middle;
    }
  }
}
