// @ts-check
/**
 * One game, looked at turn by turn: own variations, what the memory knows of
 * each turn, what the engine thinks of it.
 */

import { exploreAddress, labTabAddress, positionSlug, readReview, reviewedAt } from "./addresses.js";
import { AnalysisBox } from "./analysis.js";
import { get } from "./api.js";
import { BoardPanel, turnButtons } from "./board-panel.js";
import { capital, fill, h, number, percent, plural } from "./dom.js";
import { Graph, strip } from "./graph.js";
import { icon } from "./icons.js";
import { MistakeLesson } from "./mistake-lesson.js";
import { foremost, tagLinks } from "./motif-tags.js";
import { MoveList } from "./move-list.js";
import { drawnArrows, positionText, readPosition, replayTurn } from "./notation.js";
import { ending, players, scoreText } from "./parts.js";
import { phaseStrip } from "./phases.js";
import { exportButtons } from "./review-exports.js";
import { memoryLegend, memoryStrip, Reviewer } from "./review-verdicts.js";
import { opponent, outcome, sameBoard, squareAt } from "./rules.js";
import { empty } from "./states.js";
import { StudyBox } from "./study-box.js";
import { TurnInput } from "./turn-input.js";

/** @typedef {import("./types.js").FullGame} FullGame */
/** @typedef {import("./types.js").Known} Known */
/** @typedef {import("./types.js").JudgedTurn} JudgedTurn */
/** @typedef {import("./app.js").Context} Context */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {{board: string[], side: Side}} At */

/**
 * @typedef {object} ReviewState
 * @property {Context} now
 * @property {number} ply how many turns of the game have been played
 * @property {string[]} then the turns of a variation from there
 * @property {{ply: number, turns: string[]}[]} variations own ones: the turn they start at, and their turns
 * @property {boolean} drawing a redraw is on its way
 */

export class GameViewer {
  /**
   * @param {Context} context @param {FullGame} game
   * @param {string | null} pasted its text, if it is not from the memory
   * @param {import("./types.js").Study | null} [study] what is said about it
   */
  constructor(context, game, pasted, study = null) {
    const { signal } = context;
    this.game = game;
    this.turns = game.moves.filter((move) => move.ply !== null);
    /** Positions before each turn and after the last. @type {At[]} */
    this.positions = [game.start, ...this.turns.map((move) => move.position)].flatMap((text) => readPosition(text) ?? []);
    /** @type {ReviewState} */
    this.state = { now: context, ply: 0, then: [], variations: [], drawing: false };
    this.title = study?.title ?? `${game.gold.name} – ${game.silver.name}`;
    this.study = new StudyBox(study, game.notation, this.title, {
      signal,
      go: (address) => this.state.now.go(address),
      variations: () => this.state.variations,
      changed: () => this.#drawSoon(),
    });
    this.state.variations = this.study.variations;
    this.panel = new BoardPanel(`Game of ${game.gold.name} and ${game.silver.name}`);
    this.graph = new Graph((at) => this.#goTo(at));
    this.strips = h("div", { class: "strips" });
    this.list = new MoveList((index) => this.#goTo(index + 1));
    this.facts = h("div", { class: "turn-facts" });
    this.here = h("p", { class: "small here-links" });
    this.motifs = h("details", { class: "box small motifs-of-game", hidden: true });
    this.engine = new AnalysisBox(signal, this.panel, (turns) => this.#goTo(this.state.ply, [...this.state.then, ...turns], false));
    this.reviewer = new Reviewer(game, pasted, this.turns.length, signal, () => this.#drawSoon());
    this.lesson = new MistakeLesson(signal, {
      go: (at) => {
        this.#goTo(at);
        this.panel.element.scrollIntoView({ block: "nearest" });
      },
      changed: () => this.update(this.state.now),
    });
    this.input = new TurnInput(this.panel.board, {
      say: (words, tone) => this.panel.say(words, tone),
      change: () => {
        this.buttons.update();
        if (this.input.taken.length > 0) this.panel.note(this.input.text);
        else this.#say();
        this.#askEngine();
      },
    });
    this.buttons = turnButtons(this.input, () => this.#finish());
    this.panel.setButtons(
      h(
        "div",
        { class: "row-of" },
        stepButton("first", "To the start (Home)", () => this.#goTo(0)),
        stepButton("back", "Back (left arrow)", () => this.#back()),
        stepButton("forward", "On (right arrow)", () => this.#forward()),
        stepButton("last", "To the end (End)", () => this.#goTo(this.turns.length)),
      ),
      this.buttons.element,
    );
    const exports = exportButtons({
      game,
      pasted,
      signal,
      here: () => this.#here(),
      complain: (words) => this.panel.say(words, "wrong"),
    });
    this.element = this.#layOut(exports);
  }

  /** Shows where the address says, and asks the memory about every turn. */
  begin() {
    const { found } = readReview(this.state.now.url);
    // As the search has shown it: turned, and the same side on the left.
    if (found) this.panel.board.set({ flipped: found.flipped, mirrored: found.flipped !== found.mirrored });
    this.#drawGraph();
    this.update(this.state.now);
    void this.reviewer.recall();
    void this.#showMotifs();
    if (this.turns.length > 0) void this.reviewer.ask(false);
  }

  /** What players have names for, if the memory has the game. */
  async #showMotifs() {
    const id = this.game.stored ?? this.game.id;
    if (!id) return;
    try {
      const { signal, url } = this.state.now;
      const { tags } = /** @type {import("./types.js").MotifTags} */ (await get(`/games/${encodeURIComponent(id)}/motifs`, {}, signal));
      this.motifs.hidden = tags.length === 0;
      fill(this.motifs, h("summary", {}, `Motifs: ${foremost(tags).map(({ words }) => words).join(" · ")}`), tagLinks(tags, url));
    } catch {
      // Games of tournaments are not in the memory; the review does without.
    }
  }

  /** Where the address says. @param {Context} next */
  update(next) {
    const { state, panel, input } = this;
    const before = { ply: state.ply, then: state.then };
    state.now = next;
    const wanted = readReview(next.url);
    state.ply = Math.max(0, Math.min(this.turns.length, wanted.ply));
    state.then = wanted.then;
    const reached = this.#walk();
    if (!reached) {
      panel.note("This game has no turns.");
      return;
    }
    const { at, steps } = reached;
    const { ply, then } = state;
    const oneOn = then.length === 0 ? before.then.length === 0 && ply === before.ply + 1 : before.ply === ply && then.length === before.then.length + 1;
    const enabled = outcome(at.board, opponent(at.side)) === null;
    if (oneOn && !sameBoard(panel.board.state.board, at.board)) void input.arrive(at.board, at.side, { steps, enabled }).then(() => {
        this.buttons.update();
        this.#askEngine();
      });
    else input.start(at.board, at.side, { last: steps, enabled });
    const marked = wanted.found && wanted.found.ply === ply && then.length === 0 ? wanted.found.squares : [];
    panel.board.set({ marks: new Map(marked.map((square) => [squareAt(square), "found"])) });
    this.buttons.update();
    this.list.light(ply - 1);
    this.graph.light(ply);
    this.#askEngine();
    const slug = positionSlug(at.board, at.side);
    fill(this.here, "This position: ", h("a", { href: exploreAddress(slug) }, "explore"), " · ", h("a", { href: labTabAddress("plans", slug) }, "In the lab"));
    this.#keepVariation();
    this.study.show({ ply, then }, then.length > 0 ? `after ${then.at(-1)}` : ply > 0 ? `on ${this.turns[ply - 1]?.label ?? ""}` : "on the beginning");
    this.#drawList();
    this.#drawFacts();
    this.#say();
  }

  /** @param {string} key */
  key(key) {
    if (key === "ArrowLeft") this.#back();
    else if (key === "ArrowRight") this.#forward();
    else if (key === "Home") this.#goTo(0);
    else if (key === "End") this.#goTo(this.turns.length);
    else if (key === "x") this.panel.flip();
    else if (key === "u") this.input.undo();
    else if (key === "f") this.#finish();
    else if (key === "e") this.engine.toggle();
    else return false;
    return true;
  }

  /** @param {HTMLElement} exports */
  #layOut(exports) {
    const { game, reviewer, turns } = this;
    const facts = [game.outcome?.words ?? ending(game), plural(turns.length, "turn"), game.date, game.event, game.time_control === "0/0" ? "no clock" : game.time_control];
    return h(
      "div",
      { class: "split two-rows" },
      this.panel.element,
      h(
        "div",
        { class: "side-column" },
        this.study.study ? h("h1", {}, this.study.study.title) : h("h1", {}, players(game)),
        h("p", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
        game.fault && h("p", { class: "notice failed" }, `The record has a fault: ${game.fault}`),
        this.motifs,
        this.facts,
        this.engine.element,
        h(
          "section",
          { class: "card", "aria-label": "Course of the game" },
          this.graph.element,
          this.strips,
          memoryLegend(),
          h("div", { class: "row-of" }, reviewer.button, reviewer.pace, reviewer.progress),
          reviewer.trouble,
          reviewer.summary,
          reviewer.made,
          this.lesson.element,
        ),
        this.study.element,
        h("section", { class: "card", "aria-label": "Turns" }, turns.length > 0 ? this.list.element : empty("No turns were played."), this.here),
        h("section", { class: "card", "aria-label": "Share and save" }, exports),
      ),
    );
  }

  // --- going through the game --------------------------------------------------------

  /** @param {number} at @param {string[]} [variation] @param {boolean} [replace] */
  #goTo(at, variation = [], replace = true) {
    const { now } = this.state;
    now.go(reviewedAt(now.url, Math.max(0, Math.min(this.turns.length, at)), variation), { replace });
  }

  #back() {
    const { ply, then } = this.state;
    if (then.length > 0) this.#goTo(ply, then.slice(0, -1));
    else this.#goTo(ply - 1);
  }

  #forward() {
    const { ply, then, variations } = this.state;
    const more = variations.find((v) => v.ply === ply && then.length > 0 && v.turns.length > then.length && startsWith(v.turns, then));
    if (more) this.#goTo(ply, more.turns.slice(0, then.length + 1));
    else if (then.length === 0) this.#goTo(ply + 1);
  }

  /** The position looked at, and the steps that led to it. @returns {{at: At, steps: import("./rules.js").Step[]} | null} */
  #walk() {
    const { state, positions } = this;
    const start = positions[state.ply];
    if (!start) return null;
    let at = start;
    const before = positions[state.ply - 1];
    let steps = (before && replayTurn(before.board, before.side, this.turns[state.ply - 1]?.turn ?? "")?.steps) || [];
    for (const [i, turn] of state.then.entries()) {
      const replay = replayTurn(at.board, at.side, turn);
      if (!replay) {
        this.panel.say(`The variation in the address breaks off: ${turn} is not legal there.`, "wrong");
        state.then = state.then.slice(0, i);
        break;
      }
      at = { board: replay.board, side: opponent(at.side) };
      steps = replay.steps;
    }
    return { at, steps };
  }

  /** The engine looks at what is on the board. */
  #askEngine() {
    const at = this.#walk()?.at;
    // It would give the answer away.
    const asked = this.lesson.asksAt(this.state.ply) && this.state.then.length === 0;
    if (at) this.engine.set(asked ? "" : positionText(at.board, at.side), this.input.text);
  }

  /** What a picture of this moment shows. */
  #here() {
    const at = this.#walk()?.at;
    const from = /** @type {Side} */ (this.panel.board.state.flipped ? "s" : "g");
    return at ? { at, ply: this.state.ply, then: this.state.then, from } : null;
  }

  #keepVariation() {
    const { ply, then, variations } = this.state;
    if (then.length === 0) return;
    if (variations.some((v) => v.ply === ply && startsWith(v.turns, then))) return;
    const shorter = variations.find((v) => v.ply === ply && startsWith(then, v.turns));
    if (shorter) shorter.turns = [...then];
    else variations.push({ ply, turns: [...then] });
  }

  /** The turn made on the board: the game's own, or a variation. */
  #finish() {
    const { ply, then } = this.state;
    const { after, text } = this.input;
    if (!after) return;
    const before = this.positions[ply];
    if (before && then.length === 0 && this.lesson.asksAt(ply)) {
      void this.lesson.tried(positionText(before.board, before.side), text);
      return;
    }
    const next = this.positions[ply + 1];
    if (then.length === 0 && next && sameBoard(next.board, after.board)) this.#goTo(ply + 1);
    else this.#goTo(ply, [...then, text], false);
  }

  #say() {
    const { turns, panel, game } = this;
    const { ply, then } = this.state;
    const end = then.length === 0 && ply === turns.length;
    const move = then.length > 0 ? then.at(-1) : turns[ply - 1]?.turn;
    const label = then.length > 0 ? "Variation: " : `${turns[ply - 1]?.label ?? ""} `;
    if (end) panel.note(game.outcome?.words ?? ending(game));
    else panel.note(move ? `${label}${move}` : "The position after both setups. Step through with the arrow keys.");
  }

  // --- what is drawn beside the board ------------------------------------------------

  /** Draws at most once a frame, however fast the events come. */
  #drawSoon() {
    const { state } = this;
    if (state.drawing) return;
    state.drawing = true;
    requestAnimationFrame(() => {
      state.drawing = false;
      this.#drawGraph();
      this.#drawList();
      this.#drawFacts();
    });
  }

  #drawList() {
    const { known, judged } = this.reviewer.verdicts;
    const { ply, then } = this.state;
    this.list.set(
      this.turns.map((move, index) => {
        const memory = known.get(index);
        const verdict = judged.get(index);
        return {
          label: move.label,
          text: move.turn,
          mark: verdict?.mark ?? undefined,
          known: (memory?.played_before ?? 0) > 0,
          note: [verdict ? scoreText(verdict.score) : "", memory ? `${memory.hits.full}` : ""].filter(Boolean).join(" · "),
          title: memory ? `position seen ${memory.hits.full} times, this turn played in ${memory.played_before} other games` : undefined,
        };
      }),
      this.#variationLines(),
    );
    this.list.light(then.length === 0 ? ply - 1 : -1);
  }

  /** The variations, by the turn they stand below. */
  #variationLines() {
    const { ply, then, variations } = this.state;
    /** @type {Map<number, Element>} */
    const below = new Map();
    for (const variation of variations) {
      const index = Math.max(0, variation.ply - 1);
      const place = below.get(index) ?? h("div", { class: "variations" });
      place.append(
        h(
          "p",
          { class: "variation" },
          variation.turns.map((turn, i) => {
            const here = variation.ply === ply && then.length === i + 1 && startsWith(variation.turns, then);
            return h(
              "button",
              { type: "button", class: "link-button mono", "aria-current": here ? "true" : undefined, onclick: () => this.#goTo(variation.ply, variation.turns.slice(0, i + 1)) },
              turn,
            );
          }),
        ),
      );
      below.set(index, place);
    }
    return below;
  }

  #drawFacts() {
    const { ply, then } = this.state;
    const { known, judged } = this.reviewer.verdicts;
    const index = ply - 1;
    const memory = known.get(index);
    const verdict = judged.get(index);
    const before = this.positions[index];
    const said = then.length === 0 ? this.study.said(ply) : "";
    const comment = said && h("p", { class: "comment" }, said);
    if (then.length > 0 || index < 0 || !before) fill(this.facts, comment);
    else fill(this.facts, comment, verdict && this.#verdictLine(verdict, before, index), memory && memoryLine(memory, before));
  }

  /** @param {JudgedTurn} verdict @param {At} before @param {number} index */
  #verdictLine(verdict, before, index) {
    const { best: turn } = verdict;
    const showBest = () => {
      const best = turn && replayTurn(before.board, before.side, turn);
      if (!best) return;
      this.input.start(before.board, before.side, { enabled: false });
      this.panel.board.set({ arrows: drawnArrows(best.steps, before.side, "best") });
    };
    const better = () =>
      h(
        "button",
        { type: "button", class: "link-button mono", onmouseenter: showBest, onmouseleave: () => this.update(this.state.now), onclick: () => turn && this.#goTo(index, [turn], false) },
        turn,
      );
    return h(
      "p",
      {},
      verdict.mark && h("strong", { class: `mark ${verdict.mark}` }, `${capital(verdict.mark)}. `),
      `${capital(verdict.words)} (${verdict.depth} steps ahead).`,
      verdict.loss >= 0.02 && turn && [verdict.mark ? ` It gave away ${percent(verdict.loss)} of the chances. Better: ` : " Perhaps better: ", better()],
    );
  }

  #drawGraph() {
    this.lesson.set(
      [...this.reviewer.verdicts.judged.values()].filter(({ mark }) => mark !== null),
      this.turns.map(({ label, turn }) => ({ label, turn })),
    );
    const { turns, positions } = this;
    const { known, judged, phases } = this.reviewer.verdicts;
    const marks = [...judged.values()].flatMap(({ ply, mark }) => (mark ? [{ ply, mark }] : []));
    this.graph.set(
      turns.length,
      turns.map((_, i) => judged.get(i)?.score),
      marks,
    );
    this.graph.light(this.state.ply);
    const left = turns.map((_, i) => positions[i + 1]?.board.filter(Boolean).length ?? 32);
    fill(
      this.strips,
      turns.length > 0 && phaseStrip(turns.map(({ label }, i) => ({ label, phase: phases.get(i) })), (at) => this.#goTo(at)),
      memoryStrip(turns, known),
      strip({
        name: "Pieces on the board",
        colours: left.map((pieces) => `m${Math.min(8, 32 - pieces)}`),
        titles: turns.map((move, i) => `${move.label}: ${left[i]} pieces`),
      }),
    );
  }
}

/** Only where the memory has something to say. @param {Known} memory @param {At} before */
function memoryLine({ hits, played_before }, before) {
  if (hits.full === 0) return null;
  return h(
    "p",
    { class: "small" },
    `The memory knows this position from ${plural(hits.full, "other game")}; `,
    played_before > 0 ? `this turn was played in ${number(played_before)} of them. ` : "this turn is new. ",
    h("a", { href: exploreAddress(positionSlug(before.board, before.side)) }, "Explore from here"),
  );
}

/** @param {string[]} long @param {string[]} short */
const startsWith = (long, short) => short.every((turn, i) => long[i] === turn);

/** @param {string} name @param {string} label @param {() => void} act */
const stepButton = (name, label, act) => h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: act }, icon(name));
