// @ts-check
/** Lab, Reports: what `hathi paper ...` has written, shown locked in a frame. */

import { labAddress, reportAddress, reportFileAddress } from "../addresses.js";
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { showing } from "../states.js";
import { experiments } from "./experiments.js";

/** @typedef {{name: string, title: string, modified: string | null, files: string[], url: string, example: boolean}} Report (API: Report) */

/** @param {string} wanted the name of a report, or nothing @param {AbortSignal} signal */
export function reports(wanted, signal) {
  const place = h("div", {});
  const load = () => void showing(
    place,
    () => /** @type {Promise<{reports: Report[]}>} */ (get("/lab", {}, signal)),
    ({ reports: all }) => {
      const report = all.find((r) => r.name === wanted);
      if (report) fill(place, show(report));
      else fill(place, wanted !== "" && h("p", { class: "notice failed" }, `There is no report called ${wanted}.`), h("h2", {}, "Reports"), list(all));
    },
  );
  load();
  return h("div", {}, wanted === "" && experiments(signal, load), place);
}

/** @param {Report} report */
const show = (report) =>
  h(
    "div",
    {},
    h(
      "div",
      { class: "row-of lab-bar" },
      h("a", { href: labAddress() }, "‹ All reports"),
      h("strong", {}, report.title),
      h("span", { class: "muted small" }, report.example ? "An example that came with Hathi: few games, to show what comes out." : report.modified),
      report.files.map((file) => h("a", { class: "small", href: reportFileAddress(report.name, file), target: "_blank", rel: "noopener" }, file)),
    ),
    h("iframe", { class: "report", src: report.url, title: report.title, sandbox: "", loading: "lazy" }),
  );

/** @param {Report[]} reports */
const list = (reports) =>
  reports.length > 0
    ? h(
        "ul",
        { class: "report-list" },
        reports.map((report) =>
          h("li", { class: "card" }, h("a", { href: reportAddress(report.name) }, icon("lab"), h("strong", {}, report.title)), h("span", { class: "muted small" }, report.example ? " an example that came with Hathi, small" : ` ${report.modified}`)),
        ),
      )
    : h(
        "div",
        { class: "notice" },
        h("p", {}, "No reports yet. Start an experiment above; its report appears here."),
      );
