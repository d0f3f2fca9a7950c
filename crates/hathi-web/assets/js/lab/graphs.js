// @ts-check
/** Lab, Graphs: strategies as graphs of patterns, with what holds here lit up. */

import { apiAddress, get, getText } from "../api.js";
import { capital, fill, h, plural } from "../dom.js";
import { positionText } from "../notation.js";
import { empty, showing } from "../states.js";
import { turnList } from "./turn-list.js";

/** @typedef {{name: string, title: string, about: string, nodes: number, edges: number, commands: number, fires: number | null, holds: number | null}} GraphInfo (API: GraphView) */
/** @typedef {{command: string, sentence: string, depth: number, mirrored: boolean, path: string[], turns: {turn: string, rating: number}[]}} Fired (API: FiredView) */
/** @typedef {{matched: string[], matched_mirrored: string[], commands: Fired[]}} Traced (API: Traced) */

/** @param {import("../pages/lab.js").Tab} tab */
export function graphs({ at, signal, draw, graph: wanted, link }) {
  const position = positionText(at.board, at.side);
  const list = h("section", { class: "card", "aria-label": "Graphs" });
  const shown = h("section", { class: "card", "aria-label": "The graph chosen" });
  void showing(
    list,
    () => /** @type {Promise<{graphs: GraphInfo[]}>} */ (get("/graphs", { position }, signal)),
    ({ graphs: all }) => {
      // Without a choice, the first that has something to say.
      const chosen = all.find(({ name }) => name === wanted) ?? all.find(({ fires }) => (fires ?? 0) > 0) ?? all[0];
      fill(
        list,
        h("h2", {}, "Graphs of patterns"),
        h("p", { class: "muted small" }, "Each is a strategy: tests of where pieces stand lead from the left to commands on the right. The engine rat follows those that fire."),
        h(
          "ul",
          { class: "graph-list" },
          all.map(({ name, title, nodes, edges, commands, fires }) =>
            h(
              "li",
              {},
              h("a", { href: link(name), "aria-current": name === chosen?.name ? "true" : undefined }, h("strong", {}, capital(title.replaceAll("-", " ")))),
              fires !== null && fires > 0 && h("span", { class: "fires" }, plural(fires, "command fires", "commands fire")),
              h("span", { class: "muted small" }, `${nodes} nodes, ${edges} edges, ${commands} commands`),
            ),
          ),
        ),
      );
      if (chosen) show(chosen);
    },
  );

  /** @param {GraphInfo} graph */
  const show = (graph) =>
    void showing(
      shown,
      async () => {
        const traced = /** @type {Traced} */ (await get(`/graphs/${graph.name}/trace`, { position }, signal));
        return { traced, svg: await drawing(graph, position, signal) };
      },
      ({ traced, svg }) => {
        const frame = h("div", { class: "graph-frame", tabindex: "0", role: "region", "aria-label": `Drawing of ${graph.title}` }, svg);
        fill(
          shown,
          h("h2", {}, capital(graph.title.replaceAll("-", " "))),
          h("p", { class: "small" }, graph.about),
          frame,
          h("p", { class: "muted small" }, "Thick: holds here. Lit: leads to a command that fires. Dashed: must not be so. ", h("a", { href: apiAddress(`/graphs/${graph.name}.svg`, { position }), target: "_blank", rel: "noopener" }, "Drawing by itself")),
          words(traced),
        );
        // What is lit may be far to the right or below.
        const lit = svg.querySelector(".way:last-of-type, .way") ?? svg.querySelector(".holds");
        const place = lit?.getBoundingClientRect();
        const box = frame.getBoundingClientRect();
        if (place) frame.scrollTo(Math.max(0, place.left - box.left - 20), Math.max(0, place.top - box.top - box.height / 2));
      },
    );

  /** @param {Traced} traced */
  const words = ({ matched, matched_mirrored, commands }) =>
    commands.length > 0
      ? h(
          "ol",
          { class: "plans" },
          commands.map((fired) =>
            h(
              "li",
              {},
              h("strong", {}, capital(fired.sentence)),
              h("p", { class: "small" }, "By ", h("span", { class: "mono" }, fired.path.join(" → ")), fired.mirrored ? ", left and right changed." : "."),
              turnList(at, draw, fired.turns, "No turn does it now."),
            ),
          ),
        )
      : empty(`No command fires here: ${plural(Math.max(matched.length, matched_mirrored.length), "test holds", "tests hold")}, but no way leads to the end.`);
  return [list, shown];
}

/**
 * The drawing as a part of the page, in the page's colours: its own style stays
 * behind, as the page lets no style in that is not its own.
 * @param {GraphInfo} graph @param {string} position @param {AbortSignal} signal
 */
async function drawing(graph, position, signal) {
  const text = (await getText(`/graphs/${graph.name}.svg`, { position }, signal)).replace(/<style>[^]*?<\/style>/, "");
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.adoptNode(svg);
}
