// @ts-check
/** Two clocks that run here between the server's words. */

import { fill, h } from "./dom.js";

/** @typedef {import("./types.js").Play["clock"]} Times */

export class Clock {
  constructor() {
    this.gold = h("span", { class: "clock gold", role: "timer", "aria-label": "Gold's clock" });
    this.silver = h("span", { class: "clock silver", role: "timer", "aria-label": "Silver's clock" });
    this.element = h("div", { class: "clocks", hidden: true });
    /** @type {Times} */
    this.times = null;
    this.since = 0;
    this.timer = 0;
  }

  /** @param {Times} times @param {boolean} flipped */
  set(times, flipped) {
    this.times = times;
    this.since = performance.now();
    this.element.hidden = times === null;
    fill(this.element, flipped ? [this.gold, this.silver] : [this.silver, this.gold]);
    this.stop();
    if (times?.running) this.timer = window.setInterval(() => this.#draw(), 200);
    this.#draw();
  }

  stop() {
    window.clearInterval(this.timer);
  }

  #draw() {
    if (!this.times) return;
    const gone = (performance.now() - this.since) / 1000;
    const { gold, silver, running } = this.times;
    const left = (/** @type {number | null} */ seconds, /** @type {boolean} */ runs) => (seconds !== null && runs ? seconds - gone : seconds);
    write(this.gold, "Gold", left(gold, running === "g"), running === "g");
    write(this.silver, "Silver", left(silver, running === "s"), running === "s");
  }
}

/** @param {HTMLElement} element @param {string} name @param {number | null} seconds none if there is no limit @param {boolean} runs */
function write(element, name, seconds, runs) {
  const left = seconds === null ? Infinity : Math.max(0, seconds);
  const text = left === Infinity ? "no limit" : left < 10 ? left.toFixed(1) : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
  element.textContent = `${name} ${text}`;
  element.classList.toggle("running", runs);
  element.classList.toggle("short", left < 10);
}
