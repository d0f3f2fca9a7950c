// @ts-check
/** Lab, Phases: how far the game has gone here, and which boards the memory has. */

import { apiAddress, get } from "../api.js";
import { fill, h, number, percent, plural } from "../dom.js";
import { positionText } from "../notation.js";
import { PHASES, PHASE_WORDS } from "../phases.js";
import { empty, showing } from "../states.js";

/** @typedef {import("../phases.js").PhaseOf} PhaseOf */
/** @typedef {{name: string, chance: number, pieces: number, advanced: number, goal_threat: number, share: number}} Cluster (API: ClusterView) */
/** @typedef {PhaseOf & {cluster: string, clusters: Cluster[], made_from: string}} PositionPhase (API: PositionPhase) */
/** @typedef {{games: number, boards: number, with_goal_threat: number, maps: {name: string, title: string}[]}} HeatMaps (API: HeatMaps) */

/** @param {import("../pages/lab.js").Tab} tab */
export function phases({ at, signal }) {
  const position = positionText(at.board, at.side);
  const here = h("section", { class: "card", "aria-label": "Phase of this position" });
  const maps = h("section", { class: "card", "aria-label": "Boards of the memory" });
  void showing(
    here,
    () => /** @type {Promise<PositionPhase>} */ (get("/phase", { position }, signal)),
    (phase) => fill(here, judged(phase), clusters(phase)),
  );
  void showing(
    maps,
    () => /** @type {Promise<HeatMaps>} */ (get("/heatmaps", {}, signal)),
    (counted) =>
      fill(
        maps,
        h("h2", {}, "Boards of the memory"),
        counted.boards === 0
          ? empty("The memory has no games to count yet: play one, or import an archive.")
          : [
              h(
                "p",
                { class: "small" },
                `${plural(counted.boards, "board")} of ${plural(counted.games, "game")}, ${number(counted.with_goal_threat)} with a goal threat. The more boards, the stronger the colour; the letter is the cluster. This position is framed.`,
              ),
              ...counted.maps.map(({ name, title }) =>
                h("img", { class: "heat-map", src: apiAddress(`/heatmaps/${name}`, { position }), alt: `${title}: how many there are by pieces of the side that has fewer and advanced pieces of the side that has more`, width: "742", height: "562", loading: "lazy" }),
              ),
            ],
      ),
  );
  return [here, maps];
}

/** @param {PhaseOf} judged_ */
const judged = ({ phase, score, features, probabilities }) =>
  h(
    "div",
    {},
    h("h2", {}, PHASE_WORDS[phase]),
    h(
      "ul",
      { class: "chances" },
      PHASES.map((name) => {
        const bar = h("span", { class: `chance-bar ${name}` });
        bar.style.width = `${probabilities[name] * 100}%`;
        return h("li", {}, h("span", {}, PHASE_WORDS[name]), h("span", { class: "chance-track", "aria-hidden": "true" }, bar), h("span", { class: "num" }, percent(probabilities[name])));
      }),
    ),
    h(
      "p",
      { class: "small" },
      `The side with fewer has ${plural(features.fewer_pieces, "piece")}; the side with more of them has ${plural(features.advanced, "advanced piece")}; `,
      features.goal_threat ? "somebody could reach goal, which makes it the end game. " : "nobody could reach goal this turn. ",
      h("span", { class: "muted" }, `Score ${score}: above 14 it is the opening, above 11 the middle game.`),
    ),
  );

/** @param {PositionPhase} phase */
const clusters = ({ clusters: all, cluster, made_from }) =>
  h(
    "div",
    {},
    h("h3", {}, `Cluster: ${cluster}`),
    h(
      "table",
      { class: "lab-table" },
      h("thead", {}, h("tr", {}, ["Cluster", "Chance", "Pieces", "Advanced", "Share"].map((name, i) => h("th", { class: i > 0 ? "num" : "", scope: "col" }, name)))),
      h(
        "tbody",
        {},
        all.map((one) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, one.name),
            [percent(one.chance), one.pieces.toFixed(1), one.advanced.toFixed(1), percent(one.share)].map((text) => h("td", { class: "num" }, text)),
          ),
        ),
      ),
    ),
    h("p", { class: "muted small" }, `Found by X-means in ${made_from}.`),
  );
