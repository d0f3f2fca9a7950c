// @ts-check
/** Lab, Experiments: started, followed and stopped from the page; what comes out is a report. */

import { reportAddress } from "../addresses.js";
import { get, isAbort, messageOf, post } from "../api.js";
import { fill, h, number } from "../dom.js";
import { icon } from "../icons.js";
import { failed } from "../states.js";

/** @typedef {{name: string, title: string, about: string, sizes: {name: string, about: string}[], example: string | null}} Experiment (API: ExperimentView) */
/** @typedef {{experiment: string, size: string, report: string, state: "running" | "finished" | "stopped" | "failed", stage: string, done: number, total: number, notes: string[], error: string | null, seconds: number, yours: boolean}} Run (API: RunView) */
/** @typedef {{experiments: Experiment[], run: Run | null}} Experiments (API: ExperimentList) */

/** Milliseconds between two looks at the one that runs. */
const LOOK = 1000;

const STATES = /** @type {Record<Run["state"], string>} */ ({
  running: "Running",
  finished: "Finished",
  stopped: "Stopped; started again, it goes on from there",
  failed: "It could not be done",
});

/** @param {AbortSignal} signal @param {() => void} reported a report has been written */
export function experiments(signal, reported) {
  const trouble = h("div", {});
  const list = h("div", { class: "experiments" });
  const element = h("section", { "aria-label": "Experiments" }, h("h2", {}, "Experiments"), h("p", {}, "Questions that papers about Arimaa have asked, asked again with the games of your memory and Hathi's engines. One at a time; the smallest size takes some minutes at most."), trouble, list);
  /** How far it is, below the experiment it belongs to. @type {Map<string, HTMLElement>} */
  const places = new Map();
  let looking = false;

  const start = async (/** @type {SubmitEvent} */ event, /** @type {string} */ experiment) => {
    event.preventDefault();
    const size = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("size"));
    try {
      fill(trouble);
      draw(await post("/experiments", { experiment, size }, signal));
      void look();
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };
  const stop = async () => {
    try {
      await post("/experiments/stop", {}, signal);
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };

  const draw = (/** @type {Run} */ run) => {
    const place = places.get(run.experiment);
    if (!place) return;
    const running = run.state === "running";
    fill(
      place,
      h("div", { class: "row-of" }, h("strong", { role: "status" }, `${STATES[run.state]}, ${run.size}`), h("span", { class: "muted small" }, `${Math.round(run.seconds)} s`), running && run.yours && h("button", { type: "button", onclick: () => void stop() }, icon("stop"), "Stop")),
      running && h("p", { class: "small" }, run.stage === "" ? "It begins …" : `${run.stage}: ${number(run.done)} of ${number(run.total)}`),
      running && h("progress", { max: Math.max(1, run.total), value: run.done, "aria-label": run.stage || "Beginning" }),
      run.error && failed(run.error),
      run.notes.length > 0 && h("ul", { class: "small" }, run.notes.map((words) => h("li", {}, words))),
      run.state === "finished" && h("p", {}, h("a", { class: "button primary", href: reportAddress(run.report) }, icon("lab"), "Open the report")),
    );
  };

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      for (;;) {
        await new Promise((done) => setTimeout(done, LOOK));
        const { run } = /** @type {Experiments} */ (await get("/experiments", {}, signal));
        if (!run) break;
        draw(run);
        if (run.state !== "running") {
          reported();
          break;
        }
      }
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error), () => (fill(trouble), void look())));
    }
    looking = false;
  };

  const card = (/** @type {Experiment} */ { name, title, about, sizes, example }) => {
    const place = h("div", {});
    places.set(name, place);
    return h(
      "section",
      { class: "card experiment", "aria-label": title },
      h("h3", {}, title),
      h("p", {}, about),
      h(
        "form",
        { class: "row-of", onsubmit: (/** @type {SubmitEvent} */ event) => void start(event, name) },
        h("label", { class: "field" }, "How much", h("select", { name: "size" }, sizes.map((size) => h("option", { value: size.name }, `${size.name}: ${size.about}`)))),
        h("button", { type: "submit", class: "primary" }, icon("play"), "Start"),
        example && h("a", { href: reportAddress(example) }, "See a finished example"),
      ),
      place,
    );
  };

  void get("/experiments", {}, signal).then(
    (/** @type {Experiments} */ { experiments: all, run }) => {
      element.hidden = all.length === 0;
      fill(list, all.map(card));
      if (run) {
        draw(run);
        if (run.state === "running") void look();
      }
    },
    (error) => {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    },
  );
  return element;
}
