// @ts-check
/** Motifs: named patterns with a picture, how often they happen, how they score, the best examples. */

import { reviewAddress, searchAddress } from "../addresses.js";
import { get, isAbort, isBeingComputed, messageOf, soon } from "../api.js";
import { miniBoard } from "../board.js";
import { fill, h, number, plural } from "../dom.js";
import { readPosition } from "../notation.js";
import { emptyBoard } from "../rules.js";
import { failed } from "../states.js";

/** @typedef {import("../app.js").Context} Context */
/** @typedef {{games: number, wins: number, win_rate: number | null}} MotifScore (API: MotifScoreView) */
/** @typedef {{from: number, to: number, score: MotifScore}} RatedScore (API: RatedScore) */
/** @typedef {{year: number, score: MotifScore}} YearScore (API: YearScore) */
/** @typedef {{game: string, move: string, ply: number, position: string}} Example (API: MotifExample) */
/** @typedef {{id: string, name: string, about: string, pattern: string, picture: string | null, positions: number, games: number, score: MotifScore, by_rating: RatedScore[], by_year: YearScore[], examples: Example[]}} Motif (API: MotifView) */
/** @typedef {{motifs: Motif[], broken: string[]}} MotifList (API: MotifList) */

/** @param {Context} context @returns {import("../app.js").Page} */
export function page({ signal }) {
  const list = h("div", { class: "motifs" }, h("p", { role: "status" }, "Looking through the games …"));
  const load = async () => {
    try {
      /** @type {MotifList} */
      const { motifs, broken } = await get("/motifs", {}, signal);
      fill(
        list,
        broken.length > 0 && h("div", { class: "notice", role: "status" }, h("p", {}, "These files of your own are no motifs:"), h("ul", {}, broken.map((why) => h("li", {}, why)))),
        motifs.map(card),
      );
    } catch (error) {
      if (isAbort(error)) return;
      if (isBeingComputed(error)) {
        fill(list, h("p", { role: "status" }, `Looking through the games … ${messageOf(error)}`));
        await soon();
        if (!signal.aborted) void load();
        return;
      }
      fill(list, failed(messageOf(error), () => void load()));
    }
  };
  void load();
  return {
    title: "Motifs",
    element: h(
      "div",
      { class: "narrow" },
      h("h1", {}, "Motifs"),
      h("p", {}, "What players have names for, found in all games of the memory, mirrored and with exchanged colours, too. Each is written for Gold: won is how often whoever had it won."),
      list,
    ),
  };
}

/** @param {MotifScore} score */
const share = ({ win_rate: rate }) => (rate === null ? "–" : `${(rate * 100).toFixed(1)} %`);

/** @param {string | null} position @param {string} label */
const picture = (position, label) => miniBoard((position && readPosition(position)?.board) || emptyBoard(), { label });

/** @param {Motif} motif */
function card(motif) {
  return h(
    "section",
    { class: "card motif", "aria-label": motif.name },
    h("h2", {}, motif.name),
    motif.picture && h("div", { class: "picture" }, picture(motif.picture, `Example of ${motif.name}`)),
    h("p", {}, motif.about),
    h("p", {}, h("a", { href: searchAddress(motif.pattern, true) }, plural(motif.games, "game")), `. Whoever has it won ${share(motif.score)}: ${number(motif.score.wins)} of ${number(motif.score.games)}.`),
    h("p", {}, h("code", {}, motif.pattern)),
    motif.score.games > 0 &&
      h(
        "details",
        { class: "box" },
        h("summary", {}, "By rating and by year"),
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", {}, "of whom"), h("th", {}, "games"), h("th", {}, "won"))),
          h(
            "tbody",
            {},
            motif.by_rating.map(({ from, to, score }) => row(`rated ${from} to ${to}`, score)),
            motif.by_year.map(({ year, score }) => row(String(year), score)),
          ),
        ),
      ),
    motif.examples.length > 0 &&
      h(
        "ul",
        { class: "gallery", "aria-label": `Examples of ${motif.name}` },
        motif.examples.map((example) =>
          h("li", {}, h("a", { href: reviewAddress(example.game, example.ply) }, picture(example.position, `Position before ${example.move}`), h("span", { class: "names" }, `game ${example.game}, ${example.move}`))),
        ),
      ),
  );
}

/** @param {string} whom @param {MotifScore} score */
const row = (whom, score) => h("tr", {}, h("td", {}, whom), h("td", {}, String(score.games)), h("td", {}, share(score)));
