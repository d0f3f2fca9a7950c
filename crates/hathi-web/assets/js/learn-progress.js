// @ts-check
/** Which tasks of the lessons have been solved, kept in this browser only. */

const KEY = "lessons";

/** By lesson, the numbers of its solved tasks. @typedef {Record<string, number[]>} Progress */

/** @returns {Progress} */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const lists = Object.entries(kept).filter(([, numbers]) => Array.isArray(numbers));
    return Object.fromEntries(lists);
  } catch {
    return {};
  }
}

/** @param {string} lesson @param {number} task from 1 */
export function solved(lesson, task) {
  const now = progress();
  const numbers = new Set(now[lesson] ?? []).add(task);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...now, [lesson]: [...numbers].sort((a, b) => a - b) }));
  } catch {
    // A browser that keeps nothing: the lesson goes on all the same.
  }
}

/** How many tasks of a lesson are solved. @param {Progress} kept @param {{id: string, tasks: number}} lesson */
export const countSolved = (kept, { id, tasks }) => (kept[id] ?? []).filter((number) => number >= 1 && number <= tasks).length;

/** Has somebody begun to learn here? */
export const hasBegun = () => Object.keys(progress()).length > 0;

const LATER = "lessons-later";

/** Does this visitor want to be offered the lessons? */
export const offersLessons = () => !hasBegun() && localStorage.getItem(LATER) === null;

/** No more offers on the first page; the menu has them. */
export function declineLessons() {
  localStorage.setItem(LATER, "yes");
}
