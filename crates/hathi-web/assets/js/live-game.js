// @ts-check
/**
 * A game that is being played, shown large: each turn for as long as an eye
 * needs, however fast the engines are. When it is over the next one is shown
 * from where it stands.
 */

import { Board } from "./board.js";
import { fill, h, percent } from "./dom.js";
import { readPosition, replayTurn } from "./notation.js";
import { scoreText } from "./parts.js";

/** @typedef {{label: string, turn: string, position: string | null, gold_score: number | null, gold_chance: number | null, seconds: number}} LiveMove (API: LiveMove) */
/** @typedef {{number: number, gold: string, silver: string, moves: LiveMove[]}} Begun */
/** @typedef {{number: number, gold: string, silver: string, moves: LiveMove[], end: string}} Shown */

/** Milliseconds that a turn is shown, and that the end of a game is. */
const PACE = 900;
const END = 2500;

/** So many turns behind, it goes faster. */
const BEHIND = 6;

export class LiveGame {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    /** Games that began and are not shown to their end yet. @type {Shown[]} */
    this.games = [];
    /** Turns of the first of them that are shown. */
    this.at = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.waiting = "";
    this.running = true;
    this.board = new Board("Game being played");
    this.top = h("p", { class: "live-player" });
    this.bottom = h("p", { class: "live-player" });
    this.list = h("ol", { class: "live-moves", "aria-label": "Turns", tabindex: "0" });
    this.words = h("p", { class: "small muted", role: "status" });
    this.stage = h("div", { class: "live-stage" }, h("div", { class: "live-board" }, this.top, this.board.element, this.bottom), this.list);
    this.element = h("section", { class: "live", "aria-label": "Game being played" }, this.words, this.stage);
    this.stage.hidden = true;
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** A game has begun, or is under way. @param {Begun} board */
  begin({ number, gold, silver, moves }) {
    const known = this.games.find((game) => game.number === number && game.end === "");
    if (known) {
      if (moves.length > known.moves.length) known.moves = [...moves];
    } else this.games.push({ number, gold, silver, moves: [...moves], end: "" });
    // What was played before somebody looked is not shown again.
    if (this.games.length === 1 && this.at === 0) this.at = moves.length;
    this.#draw();
    this.#goOn();
  }

  /** @param {Begun} board with the turn alone */
  moved(board) {
    const game = this.games.find(({ number, end }) => number === board.number && end === "");
    if (game) game.moves.push(...board.moves);
    else this.begin(board);
    this.#goOn();
  }

  /** @param {number} number @param {string} words how it ended */
  finished(number, words) {
    const game = this.games.find((one) => one.number === number && one.end === "");
    if (game) game.end = words;
    this.#goOn();
  }

  /** What is said while no game is played. @param {string} words @param {boolean} running */
  wait(words, running) {
    this.waiting = words;
    this.running = running;
    if (!running) {
      // A game that was broken off is played again later, from its beginning.
      const [first] = this.games;
      this.games = this.games.filter(({ end }) => end !== "");
      if (this.games[0] !== first) this.at = 0;
    }
    this.#draw();
    this.#goOn();
  }

  #goOn() {
    if (this.timer !== undefined) return;
    const [game] = this.games;
    if (!game) return;
    const left = game.moves.length - this.at;
    const later = this.games.length > 1 ? this.games.length * BEHIND : 0;
    if (left === 0 && game.end === "") return;
    const pause = left === 0 ? END : PACE / Math.max(1, (left + later) / BEHIND);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (left === 0) this.#next();
      else this.at++;
      this.#draw();
      this.#goOn();
    }, Math.max(150, pause));
  }

  /** To the next game; of several the last, so that it is never long ago. */
  #next() {
    this.games = this.games.length > 2 ? this.games.slice(-1) : this.games.slice(1);
    this.at = 0;
  }

  #draw() {
    const [game] = this.games;
    if (!game) {
      // The last position stays, so that nothing is blank.
      this.words.textContent = this.waiting;
      return;
    }
    this.stage.hidden = false;
    const shown = game.moves.slice(0, this.at);
    const last = shown.at(-1);
    const before = readPosition(shown.at(-2)?.position);
    const now = readPosition(last?.position);
    const replay = before && last ? replayTurn(before.board, before.side, last.turn) : null;
    if (now) this.board.set({ board: now.board, last: new Set(replay?.steps.flatMap(({ from, to }) => [from, to]) ?? []) }, replay?.steps ?? []);
    else this.board.set({ board: Array.from({ length: 64 }, () => ""), last: new Set() });
    const over = game.end !== "" && this.at === game.moves.length;
    this.words.textContent = `Game ${game.number + 1}${last ? `, ${last.label}` : ": setups"}${over ? `: ${game.end}` : ""}`;
    const thinks = (/** @type {"g" | "s"} */ side) => shown.filter(({ label }) => label.endsWith(side)).at(-1);
    for (const [place, side, name] of /** @type {const} */ ([
      [this.top, "s", game.silver],
      [this.bottom, "g", game.gold],
    ])) {
      const { gold_score: score = null, gold_chance: chance = null, seconds = 0 } = thinks(side) ?? {};
      fill(
        place,
        h("span", { class: `side-dot ${side === "g" ? "gold" : "silver"}${over && game.end.startsWith(side === "g" ? "Gold" : "Silver") ? " won" : ""}` }),
        h("strong", {}, name),
        h("span", { class: "small muted" }, score === null || chance === null ? "" : `thinks ${scoreText(score)}, Gold wins ${percent(chance)}; ${seconds.toFixed(1)} s`),
      );
    }
    fill(
      this.list,
      shown.map(({ label, turn }) => h("li", {}, h("span", { class: "muted" }, `${label} `), h("span", { class: "mono" }, turn))),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }
}
