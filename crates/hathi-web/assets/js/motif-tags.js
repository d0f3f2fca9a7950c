// @ts-check
/** What players have names for, said of games: in lists, and beside the turns of one. */

import { get } from "./api.js";
import { reviewedAt } from "./addresses.js";
import { fill, h } from "./dom.js";
import { sideName } from "./rules.js";

/** @typedef {import("./types.js").MotifTag} MotifTag */

/** Tags of a game in a list. */
const SHOWN = 3;

/** Games the server looks at for one question. */
const AT_ONCE = 50;

/**
 * The tags worth a place in a list: each motif of a side once, where it lasts longest; what lasts longest first.
 * @param {MotifTag[]} tags
 */
export function foremost(tags) {
  /** @type {Map<string, MotifTag>} */
  const longest = new Map();
  for (const tag of tags) {
    const key = `${tag.id} ${tag.side}`;
    const known = longest.get(key);
    if (!known || lasts(tag) > lasts(known)) longest.set(key, tag);
  }
  const chosen = [...longest.values()].sort((a, b) => lasts(b) - lasts(a)).slice(0, SHOWN);
  return chosen.sort((a, b) => a.ply - b.ply);
}

/** Turns from the first to the last. @param {MotifTag} tag */
const lasts = ({ first, last }) => turnsBefore(last) - turnsBefore(first);

/** Of a label such as 14s. @param {string} label */
const turnsBefore = (label) => 2 * parseInt(label, 10) + (label.endsWith("s") ? 1 : 0);

/** Fills the places that a list of games has for tags. @param {HTMLElement} list @param {AbortSignal} signal */
export async function tagGames(list, signal) {
  const places = [...list.querySelectorAll("[data-tags]")].map((place) => /** @type {HTMLElement} */ (place));
  const waiting = places.filter((place) => !place.hasChildNodes()).slice(0, AT_ONCE);
  const games = waiting.map((place) => place.dataset.tags ?? "");
  if (games.length === 0) return;
  try {
    const answer = /** @type {import("./types.js").TaggedGames} */ (await get("/motif-tags", { games: games.join(",") }, signal));
    const known = new Map(answer.games.map(({ game, tags }) => [game, tags]));
    for (const place of waiting) fill(place, foremost(known.get(place.dataset.tags ?? "") ?? []).map((tag) => h("span", { class: "chip motif-tag", title: `${sideName(tag.side)} has it` }, tag.words)));
  } catch {
    // A list without tags is a list all the same.
  }
}

/** All tags of a game, each a link to where it begins. @param {MotifTag[]} tags @param {URL} here */
export const tagLinks = (tags, here) =>
  h(
    "ul",
    { class: "motif-tags", "aria-label": "Motifs of the game" },
    tags.map((tag) => h("li", {}, h("span", { class: `side-dot ${tag.side === "g" ? "gold" : "silver"}`, role: "img", "aria-label": sideName(tag.side) }), h("a", { href: reviewedAt(here, tag.ply, []) }, tag.words))),
  );
