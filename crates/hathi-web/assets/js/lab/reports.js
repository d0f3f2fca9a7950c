// @ts-check
/** Lab, Reports: what `hathi paper ...` has written, shown locked in a frame. */

import { labAddress, reportAddress, reportFileAddress } from "../addresses.js";
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { showing } from "../states.js";

/** @typedef {{name: string, title: string, modified: string | null, files: string[], url: string}} Report (API: Report) */

/** @param {string} wanted the name of a report, or nothing @param {AbortSignal} signal */
export function reports(wanted, signal) {
  const place = h("div", {});
  void showing(
    place,
    () => /** @type {Promise<{reports: Report[]}>} */ (get("/lab", {}, signal)),
    ({ reports: all }) => {
      const report = all.find((r) => r.name === wanted);
      if (report) fill(place, show(report));
      else fill(place, wanted !== "" && h("p", { class: "notice failed" }, `There is no report called ${wanted}.`), list(all));
    },
  );
  return place;
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
      h("span", { class: "muted small" }, report.modified),
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
          h("li", { class: "card" }, h("a", { href: reportAddress(report.name) }, icon("lab"), h("strong", {}, report.title)), h("span", { class: "muted small" }, ` ${report.modified}`)),
        ),
      )
    : h(
        "div",
        { class: "notice" },
        h("p", {}, "No reports yet. The experiments of the papers run on the command line, with your memory, and their reports appear here:"),
        h("p", {}, h("code", {}, "hathi paper mckee --games 40")),
        h("p", {}, "repeats McKee's experiments of 2014: setups, query times, hit rates and win rates, his figures beside ours."),
      );
