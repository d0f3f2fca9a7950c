// @ts-check
/** Lab, Model: which turns strong players would look at first, and what the model is made of. */

import { get } from "../api.js";
import { fill, h, number, percent, plural } from "../dom.js";
import { positionText } from "../notation.js";
import { empty, showing } from "../states.js";
import { turnButton } from "./turn-list.js";

/** @typedef {{turns: number, milliseconds: number, ranked: {rank: number, turn: string, score: number, chance: number}[]}} Ranked (API: Ranking) */
/** @typedef {{name: string, about: string, features: number, used: number, mean_weight: number, in_paper: boolean}} Group (API: GroupView) */
/** @typedef {{name: string, unit: string, method: string, phases: string, trained_on: string, games: number, positions: number, features: number, hidden_cells: number, groups: Group[]}} Model (API: ModelView) */
/** @typedef {{games: number, positions: number, mean_percentile: number, median_percentile: number, top_1: number, top_5: number, top_10: number, seconds: number}} Measured (API: Measured) */

/** @param {import("../pages/lab.js").Tab} tab */
export function model({ at, signal, draw }) {
  const ranking = h("section", { class: "card", "aria-label": "Turns as the model ranks them" });
  const about = h("section", { class: "card", "aria-label": "Models" });
  void showing(
    ranking,
    () => /** @type {Promise<Ranked>} */ (get("/rank", { position: positionText(at.board, at.side), limit: 20 }, signal)),
    (answer) => fill(ranking, h("h2", {}, "Turns the model would look at first"), ranked(answer)),
  );
  void showing(
    about,
    () => /** @type {Promise<{models: Model[]}>} */ (get("/models", {}, signal)),
    ({ models }) => fill(about, h("h2", {}, "Models that come with Hathi"), models.length === 0 ? empty("There is no model.") : models.map(card)),
  );

  /** @param {Ranked} answer */
  const ranked = ({ turns, ranked: all, milliseconds }) =>
    turns === 0
      ? empty("There is no legal turn here.")
      : [
          h("p", { class: "muted small" }, `The ${all.length} likeliest of ${plural(turns, "turn")}, in ${milliseconds.toFixed(0)} ms. What was played before is not known here.`),
          h(
            "table",
            { class: "lab-table" },
            h("thead", {}, h("tr", {}, h("th", { class: "num", scope: "col" }, "Rank"), h("th", { scope: "col" }, "Turn"), h("th", { class: "num", scope: "col" }, "Chance"), h("th", { class: "num wide-only", scope: "col" }, "Score"))),
            h(
              "tbody",
              {},
              all.map(({ rank, turn, chance, score }) =>
                h("tr", {}, h("td", { class: "num" }, rank), h("td", {}, turnButton(at, draw, turn)), h("td", { class: "num" }, chance < 0.01 ? `${(chance * 100).toFixed(2)}%` : percent(chance)), h("td", { class: "num wide-only" }, score.toFixed(1))),
              ),
            ),
          ),
        ];

  /** @param {Model} one */
  const card = (one) =>
    h(
      "div",
      { class: "model" },
      h("h3", {}, one.unit === "turn" ? "Whole turns" : "Single steps, for the search"),
      h("p", { class: "small" }, `${one.method}, weights ${one.phases === "one" ? "the same throughout" : `${one.phases} by phase`}${one.hidden_cells ? `, a hidden layer of ${one.hidden_cells} cells` : ""}; trained on ${plural(one.positions, one.unit)} of ${plural(one.games, "game")}: ${one.trained_on}.`),
      one.unit === "turn" && measure(),
      h(
        "details",
        {},
        h("summary", {}, `${number(one.features)} features in ${one.groups.length} groups`),
        h(
          "table",
          { class: "lab-table small" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Group"), h("th", { class: "num", scope: "col" }, "Used"), h("th", { class: "num", scope: "col" }, "Mean weight"))),
          h(
            "tbody",
            {},
            one.groups.map((group) => h("tr", {}, h("th", { scope: "row" }, group.name, h("span", { class: "muted" }, ` ${group.about}`)), h("td", { class: "num" }, `${number(group.used)} of ${number(group.features)}`), h("td", { class: "num" }, group.mean_weight.toFixed(2)))),
          ),
        ),
      ),
    );

  /** Takes some seconds, so only when asked. */
  const measure = () => {
    const place = h("div", { class: "measured", "aria-live": "polite" });
    const ask = () =>
      void showing(
        place,
        () => /** @type {Promise<Measured>} */ (get("/models/measure", { positions: 60 }, signal)),
        (found) =>
          fill(
            place,
            found.positions === 0
              ? empty("The memory has no turns to measure on yet.")
              : h(
                  "p",
                  {},
                  `Over ${plural(found.positions, "turn")} of ${plural(found.games, "game")} of the memory, the turn played is ranked above ${found.mean_percentile.toFixed(1)}% of all turns (median ${found.median_percentile.toFixed(1)}%); ${found.top_1.toFixed(0)}% are in the top 1%, ${found.top_5.toFixed(0)}% in the top 5%, ${found.top_10.toFixed(0)}% in the top 10%. `,
                  h("span", { class: "muted" }, `${found.seconds.toFixed(1)} s.`),
                ),
          ),
      );
    return h("div", {}, h("button", { type: "button", onclick: ask }, "Measure it on the memory"), place);
  };
  return [ranking, about];
}
