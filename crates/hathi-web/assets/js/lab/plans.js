// @ts-check
/** Lab, Plans: what rat wants here, why, and the turns it considers. */

import { get } from "../api.js";
import { capital, fill, h, plural } from "../dom.js";
import { positionText } from "../notation.js";
import { empty, showing } from "../states.js";
import { turnList } from "./turn-list.js";

/** @typedef {{plan: string, reason: string, priority: number, lowered: string | null, turns: {turn: string, rating: number}[]}} Plan (API: PlanView) */

/** @param {import("../pages/lab.js").Tab} tab */
export function plans({ at, signal, draw }) {
  const place = h("section", { class: "card", "aria-label": "Plans" });
  void showing(
    place,
    () => /** @type {Promise<{phase: string, plans: Plan[]}>} */ (get("/plans", { position: positionText(at.board, at.side) }, signal)),
    ({ phase, plans: queue }) =>
      fill(
        place,
        h("h2", {}, plural(queue.length, "plan")),
        h("p", { class: "muted small" }, `The engine rat takes this for the ${phase === "opening" ? phase : `${phase} game`}. The most urgent plan is first; point at a turn to see it on the board. A turn may need fewer than four steps: the rest goes to other plans.`),
        queue.length === 0 && empty("Nothing to plan here: the game is over, or nothing calls for anything."),
        h(
          "ol",
          { class: "plans" },
          queue.map(({ plan, reason, lowered, turns }) =>
            h(
              "li",
              {},
              h("strong", {}, capital(plan.replaceAll("-", " "))),
              h("p", {}, capital(reason), "."),
              lowered && h("p", { class: "lowered small" }, `Later, as ${lowered}.`),
              turnList(at, draw, turns, "No turn serves it now."),
            ),
          ),
        ),
      ),
  );
  return [place];
}
