// @ts-check
/** Lists that sort: a head of a table whose columns are clicked. */

import { h } from "./dom.js";

/**
 * A column to sort by; the largest comes first, except for words.
 * @template T
 * @typedef {object} Column
 * @property {string} id
 * @property {string} label
 * @property {(row: T) => number | string | null} value
 * @property {string} [class]
 * @property {string} [title]
 */

/** @typedef {{by: string, reversed: boolean}} Sorting */

/**
 * The rows in the order wanted; what has no value comes last.
 * @template T
 * @param {T[]} rows @param {Column<T>[]} columns @param {Sorting} sorting
 */
export function sorted(rows, columns, { by, reversed }) {
  const column = columns.find(({ id }) => id === by);
  if (!column) return rows;
  const turn = reversed ? -1 : 1;
  const compare = (/** @type {T} */ a, /** @type {T} */ b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === "number" && typeof y === "number") return turn * (y - x);
    return turn * String(x).localeCompare(String(y));
  };
  return [...rows].sort(compare);
}

/**
 * The head of a table; a click sorts, another one turns the order round.
 * @template T
 * @param {Column<T>[]} columns @param {Sorting} sorting @param {(sorting: Sorting) => void} sort
 */
export const sortableHead = (columns, { by, reversed }, sort) =>
  h(
    "thead",
    {},
    h(
      "tr",
      {},
      columns.map(({ id, label, class: kind, title }) =>
        h(
          "th",
          { class: kind, "aria-sort": id !== by ? undefined : reversed ? "ascending" : "descending" },
          h(
            "button",
            { type: "button", class: "sort", title: title ?? `Sort by ${label.toLowerCase()}`, onclick: () => sort({ by: id, reversed: id === by ? !reversed : false }) },
            label,
            h("span", { class: "sort-arrow", "aria-hidden": "true" }, id !== by ? "" : reversed ? "▴" : "▾"),
          ),
        ),
      ),
    ),
  );
