// @ts-check
/**
 * What is found out about the turns of a game: what the memory knows of each,
 * which phase it is in, what an engine thinks of it. Asks the server and keeps
 * the answers; whoever shows them is told when there is something new.
 */

import { get, isAbort, messageOf, postStream, stream } from "./api.js";
import { capital, fill, h, number, plural } from "./dom.js";
import { strip } from "./graph.js";
import { icon } from "./icons.js";
import { sideName } from "./rules.js";
import { failed } from "./states.js";

/** @typedef {import("./types.js").FullGame} FullGame */
/** @typedef {import("./types.js").Known} Known */
/** @typedef {import("./types.js").JudgedTurn} JudgedTurn */
/** @typedef {import("./types.js").LeftMemory} LeftMemory */
/** @typedef {import("./types.js").ReviewTotals} ReviewTotals */
/** @typedef {import("./rules.js").Side} Side */

/**
 * By the number of the turn.
 * @typedef {object} Verdicts
 * @property {Map<number, Known>} known
 * @property {Map<number, JudgedTurn>} judged
 * @property {Map<number, import("./phases.js").Phase>} phases after each turn
 * @property {LeftMemory | null} left who first played a turn that nobody had played before
 * @property {ReviewTotals | null} totals
 */

/** Positions looked at for a turn that nobody chose another number for. */
const USUAL = 100_000;
const PACES = [
  { words: "quick", nodes: USUAL },
  { words: "thorough", nodes: 4 * USUAL },
];

export class Reviewer {
  /**
   * @param {FullGame} game @param {string | null} pasted its text, if it is not from the memory
   * @param {number} turns @param {AbortSignal} signal @param {() => void} changed
   */
  constructor(game, pasted, turns, signal, changed) {
    this.game = game;
    this.pasted = pasted;
    this.signal = signal;
    this.changed = changed;
    /** @type {Verdicts} */
    this.verdicts = { known: new Map(), judged: new Map(), phases: new Map(), left: null, totals: null };
    /** @type {AbortController | null} */
    this.running = null;
    this.pace = h("select", { name: "pace", "aria-label": "How long to look" }, PACES.map(({ words, nodes }) => h("option", { value: nodes, selected: nodes === USUAL }, words)));
    this.progress = h("progress", { max: String(turns), value: "0", hidden: true, "aria-label": "Turns looked at" });
    this.label = h("span", {}, "Find mistakes");
    this.button = h("button", { type: "button", class: "primary", onclick: () => void this.ask(true) }, icon("search"), this.label);
    this.trouble = h("div", {});
    this.summary = h("div", { class: "summary small" });
    /** With what the verdicts were made. */
    this.made = h("p", { class: "small muted" });
  }

  /** Without the engine only the memory is asked. @param {boolean} withEngine */
  async ask(withEngine) {
    if (this.running) {
      this.running.abort();
      this.running = null;
      if (withEngine && !this.progress.hidden) {
        this.#showRunning(false);
        return;
      }
    }
    const mine = new AbortController();
    this.running = mine;
    this.signal.addEventListener("abort", () => mine.abort());
    if (withEngine) this.#showRunning(true);
    const options = withEngine ? { nodes: Number(this.pace.value), ...(this.pasted === null ? { again: true } : {}) } : { memory: true };
    if (withEngine) {
      this.verdicts.judged.clear();
      this.verdicts.totals = null;
      fill(this.made);
      this.#showSummary();
      this.changed();
    }
    const handlers = this.#handlers();
    try {
      if (this.pasted === null) await stream(`/games/${this.game.id}/review`, options, handlers, mine.signal);
      else await postStream("/review", { text: this.pasted, ...options }, handlers, mine.signal);
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error), () => void this.ask(withEngine)));
    }
    if (this.running !== mine) return;
    this.running = null;
    if (withEngine) this.#showRunning(false);
  }

  /** What is done with each event. */
  #handlers() {
    const { verdicts } = this;
    return {
      known: (/** @type {Known} */ data) => {
        verdicts.known.set(data.ply, data);
        this.changed();
      },
      phase: (/** @type {import("./types.js").TurnPhase} */ data) => {
        verdicts.phases.set(data.ply, data.phase);
        this.changed();
      },
      left: (/** @type {LeftMemory} */ data) => {
        verdicts.left = data;
        this.#showSummary();
      },
      turn: (/** @type {JudgedTurn} */ data) => {
        verdicts.judged.set(data.ply, data);
        this.progress.value = verdicts.judged.size;
        this.changed();
      },
      done: (/** @type {ReviewTotals | null} */ data) => {
        if (!data) return;
        verdicts.totals = data;
        this.#showRunning(false);
        this.#showSummary();
        void this.recall();
      },
    };
  }

  /** What is kept with the game, if it is of the memory. */
  async recall() {
    if (this.pasted !== null) return;
    try {
      const { review } = /** @type {import("./types.js").KeptReviewAnswer} */ (await get(`/games/${encodeURIComponent(this.game.id ?? "")}/kept-review`, {}, this.signal));
      if (!review || this.running?.signal.aborted === false && !this.progress.hidden) return;
      for (const verdict of review.turns) this.verdicts.judged.set(verdict.ply, verdict);
      this.verdicts.totals = review.summary;
      this.label.textContent = "Look again";
      if (PACES.some(({ nodes }) => nodes === review.nodes)) this.pace.value = String(review.nodes);
      fill(this.made, madeWords(review));
      this.#showSummary();
      this.changed();
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error)));
    }
  }

  /** @param {boolean} on */
  #showRunning(on) {
    fill(this.trouble);
    this.progress.hidden = !on;
    this.label.textContent = on ? "Stop" : this.verdicts.judged.size > 0 ? "Look again" : "Find mistakes";
  }

  #showSummary() {
    const { left, totals } = this.verdicts;
    fill(
      this.summary,
      left && h("p", {}, this.#leftWords(left)),
      totals &&
        /** @type {const} */ (["gold", "silver"]).map((side) => {
          const count = totals[side];
          return h("p", {}, h("strong", {}, capital(side)), `: accuracy ${count.accuracy.toFixed(1)}%, ${plural(count.mistakes, "mistake")}, ${plural(count.blunders, "blunder")}.`);
        }),
    );
  }

  /** @param {LeftMemory} left */
  #leftWords({ side, label }) {
    if (label === null || side === null) return "The whole game stayed in known territory.";
    return `${sideName(side)} (${side === "g" ? this.game.gold.name : this.game.silver.name}) was the first to leave known territory, at ${label}.`;
  }
}

/** @param {import("./types.js").KeptReview} review */
const madeWords = ({ engine, nodes, version, current, made }) => [
  `Kept with the game: by ${engine.split(":")[0]} (${version}), ${number(nodes)} positions a turn, ${new Date(made * 1000).toLocaleDateString()}.`,
  !current && h("strong", {}, " There is a newer engine here: look again."),
];

/** What the memory knows of each turn, as a strip of colours. @param {{label: string}[]} turns @param {Map<number, Known>} known */
export const memoryStrip = (turns, known) =>
  strip({
    name: "What the memory knows of each turn",
    colours: turns.map((_, i) => memoryColour(known.get(i))),
    titles: turns.map((move, i) => `${move.label}: ${memoryWords(known.get(i))}`),
  });

/** @param {Known | undefined} memory */
function memoryColour(memory) {
  if (!memory) return undefined;
  if (memory.played_before > 0) return "k4";
  if (memory.hits.full > 1) return "k3";
  if (memory.hits.half > 1) return "k2";
  return memory.hits.area > 1 ? "k1" : "k0";
}

/** @param {Known | undefined} memory */
function memoryWords(memory) {
  if (!memory) return "not asked yet";
  if (memory.played_before > 0) return `played in ${plural(memory.played_before, "other game")}`;
  if (memory.hits.full > 1) return "position known, turn new";
  if (memory.hits.half > 1) return "middle of the board known";
  return memory.hits.area > 1 ? "area round a trap known" : "all new";
}

export const memoryLegend = () =>
  h(
    "p",
    { class: "legend small muted" },
    [
      ["k4", "turn played before"],
      ["k3", "position known"],
      ["k2", "middle known"],
      ["k1", "area known"],
    ].map(([colour, words]) => h("span", {}, h("span", { class: `swatch ${colour}` }), words)),
    h("span", {}, "lower strip: pieces lost"),
  );
