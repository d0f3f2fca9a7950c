// @ts-check
/**
 * The engine looks on: the best turns from where the board stands, the steps
 * already taken included, deeper and deeper until it is switched off. One box
 * for every page with a board.
 */

import { analysisSettings, changeAnalysis } from "./analysis-settings.js";
import { get, isAbort, messageOf, stream } from "./api.js";
import { announce, fill, h, number, percent } from "./dom.js";
import { readPosition, replayTurn, turnArrows } from "./notation.js";
import { scoreText } from "./parts.js";
import { opponent, outcome, sideName } from "./rules.js";
import { failed } from "./states.js";

/** @typedef {import("./types.js").Analysed} Analysed */
/** @typedef {import("./types.js").Said} Said */
/** @typedef {import("./rules.js").Side} Side */
/** What is shown of a line, whoever found it. @typedef {{turn: string, line: string[], score: string, words: string}} ShownLine */

/** Turns of a line that are shown. */
const SHOWN = 3;

/** A position is asked about when it has stood for so long, in milliseconds. */
const PAUSE = 120;

/** Another engine that says nothing for so long is called silent, in milliseconds. */
const SILENCE = 10_000;

export class AnalysisBox {
  /**
   * @param {AbortSignal} signal
   * @param {import("./board-panel.js").BoardPanel} panel
   * @param {(turns: string[]) => void} play plays turns from the position shown
   */
  constructor(signal, panel, play) {
    this.panel = panel;
    this.play = play;
    this.position = "";
    this.made = "";
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {{lines: ShownLine[], summary: string, chance: number | null} | null} */
    this.found = null;
    /** The board under a preview. @type {string[] | null} */
    this.covered = null;
    this.switch = h("button", { type: "button", class: "switch", role: "switch", "aria-checked": "false", title: "Engine on or off (e)", onclick: () => this.toggle() }, h("span", { class: "knob" }), "Engine");
    this.summary = h("span", { class: "small muted analysis-depth" });
    this.list = h("ol", { class: "analysis-lines", "aria-label": "Best turns" });
    this.trouble = h("div", {});
    this.settings = this.#settingsBox();
    this.element = h(
      "section",
      { class: "card analysis", "aria-label": "Engine" },
      h("div", { class: "row-of" }, this.switch, this.summary),
      this.trouble,
      this.list,
      this.settings,
    );
    signal.addEventListener("abort", () => this.#stop());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.#askSoon()), { signal });
    this.#showSwitch();
  }

  /** The board has changed. @param {string} position at the start of the turn @param {string} [made] the steps taken since */
  set(position, made = "") {
    if (position === this.position && made === this.made) {
      this.#draw();
      return;
    }
    this.#uncover(false);
    this.position = position;
    this.made = made;
    this.#restart();
  }

  /** On or off. */
  toggle() {
    const on = !analysisSettings().on;
    changeAnalysis({ on });
    announce(on ? "The engine looks on" : "The engine is off");
    this.#showSwitch();
    this.#restart();
  }

  #showSwitch() {
    const { on } = analysisSettings();
    this.switch.setAttribute("aria-checked", String(on));
    this.settings.hidden = !on;
  }

  #restart() {
    this.#stop();
    this.found = null;
    fill(this.trouble);
    this.#draw();
    this.#askSoon();
  }

  #stop() {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
  }

  #askSoon() {
    clearTimeout(this.timer);
    if (!analysisSettings().on || this.running || this.position === "") return;
    this.timer = setTimeout(() => void this.#ask(), PAUSE);
  }

  async #ask() {
    const at = readPosition(this.position);
    if (!at) return;
    if (outcome(at.board, opponent(at.side))) {
      this.summary.textContent = "The game is over here.";
      return;
    }
    const { lines, threads, megabytes, by } = analysisSettings();
    if (by && this.made) {
      this.summary.textContent = `${by} looks at whole turns only: finish this one, or take it back.`;
      return;
    }
    const mine = new AbortController();
    this.running = mine;
    this.summary.textContent = "Thinking …";
    const show = (/** @type {AnalysisBox["found"]} */ found) => {
      if (this.running !== mine || !found || found.lines.length === 0) return;
      this.found = found;
      this.#draw();
    };
    try {
      if (by) {
        await this.#askAnother(by, lines, mine, show);
        return;
      }
      const analysed = (/** @type {Analysed} */ found) => show(shownByHathi(found));
      await stream(
        "/analyse",
        { position: this.position, made: this.made, lines, engine: `hathi:threads=${threads},hash=${megabytes}` },
        { depth: analysed, done: analysed },
        mine.signal,
      );
    } catch (error) {
      if (isAbort(error)) return;
      this.summary.textContent = "";
      fill(this.trouble, failed(messageOf(error), () => this.#restart()));
    }
  }

  /** Another engine of this machine. @param {string} by @param {number} lines @param {AbortController} mine @param {(found: AnalysisBox["found"]) => void} show */
  async #askAnother(by, lines, mine, show) {
    this.summary.textContent = `${by} is thinking …`;
    const silent = setTimeout(() => {
      if (this.running === mine && !this.found) this.summary.textContent = `${by} has been started, but has not said anything yet.`;
    }, SILENCE);
    try {
      await stream(
        "/analyse-by",
        { name: by, position: this.position, lines },
        {
          said: (/** @type {Said} */ said) => show(shownByAnother(by, said)),
          done: (/** @type {Said} */ said) => {
            show(shownByAnother(by, said));
            if (this.running === mine && said.lines.length === 0) this.summary.textContent = `${by} has named no turn.`;
          },
        },
        mine.signal,
      );
    } finally {
      clearTimeout(silent);
    }
  }

  // --- what is shown -------------------------------------------------------------

  #draw() {
    const { found, panel } = this;
    const { on, by } = analysisSettings();
    const [best] = found?.lines ?? [];
    if (!found || !best) {
      if (!this.running) this.summary.textContent = "";
      fill(this.list);
      panel.evaluation(on && !by && this.position !== "" ? 0.5 : null, "The engine has not said anything yet");
      this.#drawArrows([]);
      return;
    }
    this.summary.textContent = found.summary;
    panel.evaluation(found.chance, found.chance === null ? "" : `Gold's chance ${percent(found.chance)}: ${best.words}`);
    // Rows stay, so that a pointer or the focus stays on them.
    while (this.list.children.length > found.lines.length) this.list.lastElementChild?.remove();
    for (const [rank, line] of found.lines.entries()) this.#drawLine(rank, line);
    if (!this.covered) this.#drawArrows(found.lines);
  }

  /** @param {number} rank @param {ShownLine} line */
  #drawLine(rank, line) {
    let row = /** @type {HTMLElement | undefined} */ (this.list.children[rank]);
    if (!row) {
      row = h("li", {}, h("span", { class: "score mono" }), h("span", { class: "line-turns" }));
      this.list.append(row);
    }
    const [score, turns] = /** @type {[HTMLElement, HTMLElement]} */ ([...row.children]);
    const { words } = line;
    score.textContent = line.score;
    score.title = words;
    score.setAttribute("aria-label", words);
    score.setAttribute("role", "img");
    row.title = words;
    const shown = line.line.slice(0, SHOWN);
    while (turns.children.length > shown.length) turns.lastElementChild?.remove();
    for (const [index, turn] of shown.entries()) {
      let button = /** @type {HTMLElement | undefined} */ (turns.children[index]);
      if (!button) {
        button = h("button", {
          type: "button",
          class: "link-button mono",
          onmouseenter: () => this.#preview(rank, index),
          onmouseleave: () => this.#uncover(),
          onfocus: () => this.#preview(rank, index),
          onblur: () => this.#uncover(),
          onclick: () => this.#choose(rank, index),
        });
        turns.append(button);
      }
      if (button.textContent !== turn) button.textContent = turn;
      button.setAttribute("aria-label", `${index === 0 ? "Play" : "Play up to"} ${turn}`);
    }
  }

  /** The best turns as arrows, the first the strongest. @param {ShownLine[]} lines */
  #drawArrows(lines) {
    const { board } = this.panel;
    const others = board.state.arrows.filter(({ kind }) => !kind.startsWith("line"));
    const at = readPosition(this.position);
    const made = this.made ? this.made.split(" ").filter((word) => !word.endsWith("x")).length : 0;
    const drawn = lines.flatMap(({ turn }, rank) => {
      const replay = at && replayTurn(at.board, at.side, turn);
      return replay ? turnArrows(replay.steps.slice(made)).map(({ way }) => ({ way, kind: `line line-${rank + 1}` })) : [];
    });
    if (drawn.length === 0 && others.length === board.state.arrows.length) return;
    // The best last, so that it lies on top.
    board.set({ arrows: [...drawn.reverse(), ...others] });
  }

  /** What a line comes to: the board before one of its turns, and that turn. @param {number} rank @param {number} index */
  #preview(rank, index) {
    const { panel } = this;
    const line = this.found?.lines[rank]?.line ?? [];
    const at = readPosition(this.position);
    if (!at || line.length === 0) return;
    let { board, side } = at;
    for (const turn of line.slice(0, index)) {
      const replay = replayTurn(board, side, turn);
      if (!replay) return;
      board = replay.board;
      side = /** @type {Side} */ (opponent(side));
    }
    const replay = replayTurn(board, side, line[index] ?? "");
    if (!replay) return;
    this.covered ??= panel.board.state.board;
    const now = index === 0 ? this.covered : board;
    const made = index === 0 && this.made ? this.made.split(" ").filter((word) => !word.endsWith("x")).length : 0;
    panel.board.set({ board: now, arrows: turnArrows(replay.steps.slice(made)).map(({ way }) => ({ way, kind: "line line-1" })) });
  }

  /** The board as it was. @param {boolean} [redraw] */
  #uncover(redraw = true) {
    if (!this.covered) return;
    if (redraw) this.panel.board.set({ board: this.covered, arrows: [] });
    this.covered = null;
    if (redraw) this.#drawArrows(this.found?.lines ?? []);
  }

  /** @param {number} rank @param {number} index */
  #choose(rank, index) {
    const line = this.found?.lines[rank]?.line ?? [];
    const turns = line.slice(0, index + 1);
    const at = readPosition(this.position);
    this.#uncover();
    if (!at || turns.length === 0) return;
    announce(`${sideName(at.side)} plays ${turns[0]}`);
    this.play(turns);
  }

  // --- settings ---------------------------------------------------------------------

  #settingsBox() {
    const { lines, threads, megabytes } = analysisSettings();
    const choice = (/** @type {string} */ label, /** @type {"lines" | "threads" | "megabytes"} */ name, /** @type {number[]} */ values, /** @type {number} */ chosen) =>
      h(
        "label",
        { class: "field" },
        label,
        h(
          "select",
          {
            name,
            onchange: (/** @type {Event} */ event) => {
              changeAnalysis({ [name]: Number(/** @type {HTMLSelectElement} */ (event.target).value) });
              this.#restart();
            },
          },
          values.map((value) => h("option", { value, selected: value === chosen }, number(value))),
        ),
      );
    const fields = h("div", { class: "fields" });
    const draw = (/** @type {number} */ mostThreads, /** @type {number} */ mostMegabytes, /** @type {string[]} */ others) =>
      fill(
        fields,
        this.#whoBox(others),
        choice("Turns shown", "lines", [1, 2, 3, 4, 5], lines),
        choice("Threads", "threads", Array.from({ length: mostThreads }, (_, i) => i + 1), Math.min(threads, mostThreads)),
        choice("Memory in megabytes", "megabytes", [16, 64, 128, 256].filter((size) => size <= mostMegabytes), Math.min(megabytes, mostMegabytes)),
      );
    draw(Math.max(1, threads), 256, []);
    /** @type {HTMLDetailsElement} */
    const box = h("details", { class: "box small" }, h("summary", {}, "Settings"), fields);
    box.addEventListener(
      "toggle",
      () =>
        void get("/status").then(
          (/** @type {import("./types.js").Status} */ { limits, analysis_engines }) => draw(limits.engine_threads, limits.engine_megabytes, analysis_engines),
          () => {},
        ),
      { once: true },
    );
    return box;
  }

  /** Who looks on, if there is a choice. @param {string[]} others */
  #whoBox(others) {
    const { by } = analysisSettings();
    // One that is chosen and not there any more can be left.
    const names = by && !others.includes(by) ? [...others, by] : others;
    if (names.length === 0) return null;
    return h(
      "label",
      { class: "field" },
      "Engine",
      h(
        "select",
        {
          name: "by",
          onchange: (/** @type {Event} */ event) => {
            changeAnalysis({ by: /** @type {HTMLSelectElement} */ (event.target).value });
            this.#restart();
          },
        },
        h("option", { value: "", selected: by === "" }, "Hathi"),
        names.map((name) => h("option", { value: name, selected: name === by }, name)),
      ),
    );
  }
}

/** @param {Analysed} found */
const shownByHathi = ({ depth, nodes, lines }) => ({
  lines: lines.map(({ turn, line, gold_score, words }) => ({ turn, line, score: scoreText(gold_score), words: `${words}; ${depth} steps ahead` })),
  summary: `${depth} steps ahead, ${number(nodes)} positions`,
  chance: lines[0]?.gold_chance ?? null,
});

/** In the words of the engine: nobody else knows what its numbers mean. @param {string} by @param {Said} said */
const shownByAnother = (by, { lines }) => ({
  lines: lines.map(({ turn, line, score, depth }) => ({
    turn,
    line,
    score: score ?? "?",
    words: [score ? `${by} says ${score} for the side to move` : `${by} gives no score`, depth ? `depth ${depth}` : ""].filter(Boolean).join("; "),
  })),
  summary: [`${by}:`, lines[0]?.depth ? `depth ${lines[0].depth}` : "", lines[0]?.nodes ? `${lines[0].nodes} positions` : ""].filter(Boolean).join(" "),
  chance: null,
});
