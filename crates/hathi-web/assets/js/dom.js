// @ts-check
/** Building elements: text is always text, never markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * `h("a", {class: "x", href: "/", onclick: go}, "text")`. A key that starts
 * with "on" is a listener; true and false set or leave out an attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  append(element, children);
  return element;
}

/** @param {Element} parent @param {(Child | Child[])[]} children */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false || child === "") continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what is inside. @param {Element} parent @param {...(Child | Child[])} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/** @type {HTMLElement | undefined} */
let live;

/** Says something to those who listen. @param {string} words */
export function announce(words) {
  live ??= document.body.appendChild(h("div", { class: "visually-hidden", "aria-live": "polite", role: "status" }));
  const place = live;
  place.textContent = "";
  // A change is spoken, so the same words twice need a pause between.
  setTimeout(() => (place.textContent = words), 30);
}

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

const NUMBER = new Intl.NumberFormat("en");
/** 1839 as 1,839. @param {number} value */
export const number = (value) => NUMBER.format(value);

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)}%`;

/** How long it took, in the unit that fits. @param {number} microseconds */
export function duration(microseconds) {
  if (microseconds < 1000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

/** @param {string} word */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
