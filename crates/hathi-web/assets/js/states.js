// @ts-check
/** What stands where there is nothing yet, nothing at all, or something went wrong. */

import { h } from "./dom.js";
import { isAbort, messageOf } from "./api.js";

/** @typedef {import("./dom.js").Child} Child */

/** @param {...Child} words */
export const empty = (...words) => h("p", { class: "notice" }, words);

/** @param {string} words @param {() => void} [again] */
export const failed = (words, again) =>
  h(
    "div",
    { class: "notice failed", role: "alert" },
    h("p", {}, words),
    again && h("button", { type: "button", onclick: again }, "Try again"),
  );

/** Grey bars as high as what is to come. @param {number} rows */
export const loading = (rows = 5) =>
  h("div", { class: "loading", role: "status", "aria-busy": "true", "aria-label": "Loading" }, Array.from({ length: rows }, () => h("div", { class: "bar" })));

/**
 * Runs a question; while it runs the old content stays, dimmed.
 * @template T
 * @param {HTMLElement} place
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => void} show
 */
export async function showing(place, ask, show) {
  const ticket = {};
  tickets.set(place, ticket);
  place.setAttribute("aria-busy", "true");
  if (!place.hasChildNodes()) place.replaceChildren(loading());
  try {
    const answer = await ask();
    if (tickets.get(place) !== ticket) return;
    show(answer);
  } catch (error) {
    if (isAbort(error) || tickets.get(place) !== ticket) return;
    place.replaceChildren(failed(messageOf(error), () => void showing(place, ask, show)));
  }
  if (tickets.get(place) === ticket) place.removeAttribute("aria-busy");
}

/** The last question asked for each place: answers to older ones come too late. @type {WeakMap<HTMLElement, object>} */
const tickets = new WeakMap();
