// @ts-check
/**
 * Lab: reports of experiments, and what the learned and the written knowledge
 * makes of a position.
 */

import { exploreAddress, labAddress, LAB_TABS, labTabAddress, playAddress, positionSlug, readLabPlace, readSlug } from "../addresses.js";
import { BoardPanel, sideBadge, turnButtons } from "../board-panel.js";
import { fill, h } from "../dom.js";
import { graphs } from "../lab/graphs.js";
import { model } from "../lab/model.js";
import { phases } from "../lab/phases.js";
import { plans } from "../lab/plans.js";
import { reports } from "../lab/reports.js";
import { readPosition } from "../notation.js";
import { positionBox } from "../position-box.js";
import { opponent, outcome, sameBoard, sideName } from "../rules.js";
import { empty } from "../states.js";
import { TurnInput } from "../turn-input.js";

/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */
/** @typedef {import("../position-box.js").At} At */

/**
 * What a tab gets.
 * @typedef {object} Tab
 * @property {At} at
 * @property {AbortSignal} signal
 * @property {string | null} graph which one the address names
 * @property {import("../lab/turn-list.js").Draw} draw arrows on the board
 * @property {(graph: string) => string} link the same place with another graph
 */

/** @type {Record<import("../addresses.js").LabTab, {label: string, show: (tab: Tab) => HTMLElement[]}>} */
const TABS = {
  phases: { label: "Phases", show: phases },
  plans: { label: "Plans", show: plans },
  graphs: { label: "Graphs", show: graphs },
  model: { label: "Model", show: model },
};

/** A usual setup, Gold to move. */
const START = "rrrrrrrr_hdcemcdh_8_8_8_8_HDCMECDH_RRRRRRRR_g";

/** @param {string} chosen @param {string} [position] */
const tabLinks = (chosen, position) =>
  h(
    "nav",
    { class: "tabs lab-tabs", "aria-label": "Lab" },
    [
      { id: "reports", label: "Experiments", href: labAddress(position) },
      ...LAB_TABS.map((id) => ({ id, label: TABS[id].label, href: labTabAddress(id, position) })),
    ].map(({ id, label, href }) => h("a", { href, "aria-current": id === chosen ? "page" : undefined }, label)),
  );

/** @param {Context} context @returns {Page} */
export function page(context) {
  const { tab, report, position } = readLabPlace(context.url);
  if (tab !== "") return atPosition(context);
  return {
    title: report || "Lab",
    element: h("div", { class: "wide-page" }, h("h1", {}, "Lab"), report === "" && h("p", {}, "Where things are tried out and measured: experiments with their reports, and, under the other headings, what Hathi makes of a position you choose."), tabLinks("reports", position), reports(report, context.signal)),
  };
}

/** A board to set the position with, and beside it what a tab knows of it. @param {Context} context @returns {Page} */
function atPosition(context) {
  let now = context;
  const panel = new BoardPanel("Board of the lab");
  const links = h("div", {});
  const trouble = h("div", {});
  const heading = h("p", { class: "row-of lab-heading" });
  const side = h("div", { class: "side" });
  const input = new TurnInput(panel.board, {
    say: (words, tone) => panel.say(words, tone),
    change: () => {
      buttons.update();
      sayTurn();
    },
  });
  const finish = () => {
    if (input.after) go(input.after);
  };
  const buttons = turnButtons(input, finish);
  panel.setButtons(buttons.element);
  const box = positionBox(() => now.signal, (at) => go(at));
  /** @type {At | null} */
  let shown = null;
  let shownFor = "";

  /** To another position, on the same tab. @param {At} at */
  const go = (at) => {
    const { tab, graph } = readLabPlace(now.url);
    if (tab !== "") now.go(labTabAddress(tab, positionSlug(at.board, at.side), graph));
  };

  const sayTurn = () => {
    const { board, side: toMove } = input.position;
    const over = input.taken.length === 0 ? outcome(board, opponent(toMove)) : null;
    if (over) panel.note(`${sideName(over.winner)} has won: ${over.reason}.`);
    else if (input.taken.length > 0) panel.note(input.text);
    else panel.note("Play turns to change the position, or go to any below.");
  };

  const update = (/** @type {Context} */ next) => {
    now = next;
    const { tab: id, position: text, graph } = readLabPlace(now.url);
    const read = text === "" ? null : (readSlug(text) ?? readPosition(text));
    const at = read ?? readSlug(START);
    if (id === "" || !at) return;
    const tab = TABS[id];
    const slug = positionSlug(at.board, at.side);
    fill(trouble, text !== "" && !read && h("p", { class: "notice failed" }, "The position in the address cannot be read. Here is the start of a game instead."));
    fill(links, tabLinks(id, slug));
    const other = { board: at.board, side: opponent(at.side) };
    fill(
      heading,
      sideBadge(at.side),
      "to move",
      h("button", { type: "button", class: "link-button", onclick: () => go(other) }, `If it were ${sideName(other.side)}'s turn`),
      h("a", { href: exploreAddress(slug) }, "Explore"),
      h("a", { href: playAddress({ at: slug }) }, "Play from here"),
    );
    if (!shown || shown.side !== at.side || !sameBoard(shown.board, at.board) || input.taken.length > 0) {
      input.start(at.board, at.side, { enabled: outcome(at.board, opponent(at.side)) === null });
      buttons.update();
      shown = at;
    }
    sayTurn();
    panel.board.set({ arrows: [] });
    const wanted = `${id} ${slug} ${graph ?? ""}`;
    if (wanted !== shownFor) {
      shownFor = wanted;
      const draw = (/** @type {{way: number[], kind: string}[]} */ arrows) => {
        if (input.taken.length === 0) panel.board.set({ arrows });
      };
      const link = (/** @type {string} */ name) => labTabAddress(id, slug, name);
      const over = outcome(at.board, opponent(at.side));
      fill(
        side,
        over && id !== "phases" ? empty(`The game is over here: ${sideName(over.winner)} has won. There is nothing to plan.`) : tab.show({ at, signal: now.signal, graph, draw, link }),
        box,
      );
    }
    return `${tab.label} · Lab`;
  };
  const title = update(context) ?? "Lab";
  return {
    title,
    element: h("div", { class: "split lab" }, panel.element, h("div", { class: "side-column" }, h("h1", {}, "Lab"), links, trouble, heading, side)),
    update,
    key: (key) => {
      if (key === "x") panel.flip();
      else if (key === "u") input.undo();
      else if (key === "f") finish();
      else return false;
      return true;
    },
  };
}
