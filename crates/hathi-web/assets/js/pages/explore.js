// @ts-check
/**
 * Explore: a board, and beside it what the memory knows of the position. It
 * begins with the setups: Gold's, then Silver's replies, then turn after turn.
 */

import { exploreAddress, HOME, LEARN, labTabAddress, playAddress, positionSlug, readExplore, readSlug, refilteredExplore, repliesAddress, slugFault } from "../addresses.js";
import { AnalysisBox } from "../analysis.js";
import { get } from "../api.js";
import { BoardPanel, sideBadge, turnButtons } from "../board-panel.js";
import { fill, h } from "../dom.js";
import { isKind, kindToAsk, KIND_NAMES, memoryView } from "../explore-memory.js";
import { icon } from "../icons.js";
import { declineLessons, offersLessons } from "../learn-progress.js";
import { drawnArrows, positionText, readPosition, readSetup, replayTurn, setupText } from "../notation.js";
import { FilterBox } from "../parts.js";
import { positionBox } from "../position-box.js";
import { emptyBoard, outcome, opponent, sideName, sideOf, squareName } from "../rules.js";
import { arrange, isSetup, setupLetters, SetupInput } from "../setup-input.js";
import { setupPicker } from "../setup-picker.js";
import { showing } from "../states.js";
import { TurnInput } from "../turn-input.js";

/** @typedef {import("../types.js").Explored} Explored */
/** @typedef {import("../types.js").PlayedTurn} PlayedTurn */
/** @typedef {import("../rules.js").Side} Side */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {{turn: string, from: string}[]} Line the turns that led here, each with the position before it */

/**
 * What Explore knows beside its address.
 * @typedef {object} ExploreState
 * @property {Context} now
 * @property {string} shownAt the position on the board, as addresses write it; none while setups are chosen
 * @property {TurnInput | null} input
 * @property {ReturnType<typeof turnButtons> | null} buttons
 * @property {import("../sortable.js").Sorting} sorting
 */

/** Turns that are asked for at first, and when they are sorted by something else. */
const TURNS = { first: 20, sorted: 200 };

/** @param {Context} context @returns {import("../app.js").Page} */
export function page(context) {
  const explorer = new Explorer(context);
  const update = (/** @type {Context} */ next) => explorer.update(next);
  return { element: explorer.element, title: update(context), update, key: (key) => explorer.key(key) };
}

class Explorer {
  /** @param {Context} context */
  constructor(context) {
    /** @type {ExploreState} */
    this.state = { now: context, shownAt: "", input: null, buttons: null, sorting: { by: "count", reversed: false } };
    this.panel = new BoardPanel("Arimaa board");
    this.heading = h("h1", {});
    /** What is wrong with the address. */
    this.trouble = h("div", {});
    this.trail = h("div", { class: "trail" });
    this.side = h("div", { class: "side" });
    this.memory = h("section", { class: "card memory", "aria-label": "Memory" });
    this.filterBox = new FilterBox((filters) => this.#changeFilters(filters));
    this.engine = new AnalysisBox(context.signal, this.panel, (turns) => this.#playLine(turns));
    this.goToBox = positionBox(
      () => this.state.now.signal,
      ({ board, side }) => this.#goTo(positionSlug(board, side)),
    );
    const split = h("div", { class: "split" }, this.panel.element, h("div", { class: "side-column" }, this.heading, this.trouble, this.trail, this.side));
    this.welcome = offersLessons() ? welcome() : null;
    this.element = h("div", {}, this.welcome, split);
  }

  /** Shows what the address says. @param {Context} next @returns {string} the title */
  update(next) {
    const { state, panel } = this;
    state.now = next;
    const { at: slug, gold, kind, filters } = this.#place;
    this.filterBox.set(filters);
    const at = readSlug(slug);
    const troubles = [
      slug && !at && `The position in the address cannot be read: ${slugFault(slug)}. Here are the setups instead.`,
      gold && !isSetup(gold) && `Gold's setup in the address is not one: it has sixteen letters, E, M, two each of H, D and C, and eight R, not ${gold}.`,
      kind && !isKind(kind) && `There is no kind of match called ${kind}, only ${KIND_NAMES}. Here is the closest that knows something.`,
    ].filter(Boolean);
    fill(this.trouble, troubles.length > 0 && h("div", { class: "notice failed", role: "alert" }, troubles.map((words) => h("p", {}, words))));
    if (at) return this.#showPosition(at.board, at.side);
    state.shownAt = "";
    state.input = null;
    this.engine.set("");
    panel.area(null);
    return isSetup(gold) ? this.#showSetups("s", gold) : this.#showSetups("g", "");
  }

  /** @param {string} key */
  key(key) {
    const { input, shownAt } = this.state;
    if (key === "x") this.panel.flip();
    else if (key === "u" && input) input.undo();
    else if (key === "f" && input) this.#finish();
    else if (key === "e" && shownAt) this.engine.toggle();
    else if (key === "ArrowLeft" && shownAt) this.#back();
    else return false;
    return true;
  }

  /** What the address says. */
  get #place() {
    return readExplore(this.state.now.url);
  }

  /** The turns that led here, as far as they are known. @returns {Line} */
  get #line() {
    return this.state.now.state?.line ?? [];
  }

  /** To a position, with the filters kept. @param {string} slug @param {{kind?: string}} [part] @param {Line} [line] */
  #goTo(slug, part, line) {
    this.state.now.go(exploreAddress(slug, part, this.#place.filters), line ? { state: { line } } : {});
  }

  /** @param {Record<string, string>} filters */
  #changeFilters(filters) {
    const { now } = this.state;
    now.go(refilteredExplore(now.url, filters), { replace: true, state: now.state });
  }

  // --- setups ----------------------------------------------------------------

  /** @param {Side} side @param {string} gold */
  #showSetups(side, gold) {
    const { panel, state } = this;
    const { filters } = this.#place;
    const board = emptyBoard();
    if (gold) arrange(board, "g", gold);
    const placing = new SetupInput(panel.board, side, () => {});
    placing.start(board);
    fill(panel.above);
    fill(panel.below);
    panel.note("Drag pieces to change places, or take a setup from the list.");
    const use = () => {
      const placed = panel.board.state.board;
      if (side === "g") state.now.go(repliesAddress(setupLetters(placed, "g"), this.#place.filters));
      else this.#goTo(positionSlug(placed, "g"));
    };
    panel.setButtons(h("button", { type: "button", class: "primary", onclick: use }, icon("check"), "Use this setup"));
    fill(this.heading, side === "g" ? "How games begin: Gold's setup" : "Silver's reply");
    fill(
      this.trail,
      side === "s" && h("a", { href: HOME }, "‹ Gold's setups"),
      side === "g" && h("p", { class: "muted" }, "Hathi remembers every Arimaa game it has read. Choose how Gold sets up, then Silver's reply, and walk through what was played."),
    );
    const list = setupPicker({
      side,
      replyTo: gold ? setupText(board, "g") : "",
      filters,
      signal: state.now.signal,
      show: (setup) => {
        const placed = [...board];
        for (const { piece, square } of readSetup(setup) ?? []) placed[square] = piece;
        placing.start(placed);
      },
      choose: use,
    });
    fill(this.side, this.filterBox.element, list, this.goToBox);
    scrollTo(0, 0);
    return side === "g" ? "Explore" : "Silver's replies";
  }

  // --- a position --------------------------------------------------------------

  /** @param {string[]} board @param {Side} toMove */
  #showPosition(board, toMove) {
    const { panel, state } = this;
    // Whoever follows a link to a position has not come to learn.
    this.welcome?.remove();
    const slug = positionSlug(board, toMove);
    if (slug !== state.shownAt) {
      const last = this.#line.at(-1);
      const from = last && readSlug(last.from);
      const replay = last && from ? replayTurn(from.board, from.side, last.turn) : null;
      const input = this.#turnInput();
      void input.arrive(board, toMove, { steps: replay?.steps ?? [], enabled: outcome(board, opponent(toMove)) === null }).then(() => {
        state.buttons?.update();
        if (state.input === input && state.shownAt === slug) this.engine.set(positionText(board, toMove), input.text);
      });
      state.buttons?.update();
      state.shownAt = slug;
    }
    fill(panel.above);
    this.#sayTurn();
    fill(this.heading, sideBadge(toMove), ` to move`);
    fill(
      this.trail,
      this.#lineView(),
      h("p", { class: "small from-here-link" }, h("a", { href: playAddress({ at: slug }) }, "Play from here"), " · ", h("a", { href: labTabAddress("plans", slug) }, "In the lab")),
    );
    if (this.side.firstChild !== this.engine.element) {
      fill(this.side, this.engine.element, this.memory, this.filterBox.element, this.goToBox);
      scrollTo(0, 0);
    }
    this.engine.set(positionText(board, toMove), state.input?.text ?? "");
    void this.#askMemory(board, toMove);
    return `${sideName(toMove)} to move`;
  }

  #turnInput() {
    const { panel, state } = this;
    if (!state.input) {
      state.input = new TurnInput(panel.board, {
        say: (words, tone) => panel.say(words, tone),
        change: () => {
          state.buttons?.update();
          this.#sayTurn();
          const at = readSlug(state.shownAt);
          if (at) this.engine.set(positionText(at.board, at.side), state.input?.text ?? "");
        },
      });
      state.buttons = turnButtons(state.input, () => this.#finish());
      panel.setButtons(state.buttons.element);
    }
    return state.input;
  }

  #sayTurn() {
    const { panel, state } = this;
    if (!state.input) return;
    const { board, side: toMove } = state.input.position;
    const taken = state.input.taken.length;
    const over = taken === 0 ? outcome(board, opponent(toMove)) : null;
    if (over) panel.note(`${sideName(over.winner)} has won: ${over.reason}.`);
    else if (taken > 0) panel.note(state.input.text);
    else panel.note(`${sideName(toMove)}'s turn: up to four steps. Drag or click a piece; drag a stronger piece onto an enemy to push it.`);
  }

  #lineView() {
    const line = this.#line;
    if (line.length === 0) return h("a", { href: HOME }, "‹ Setups");
    const turn = (/** @type {number} */ i) =>
      h(
        "button",
        { type: "button", class: "link-button mono", title: "Back to before this turn", onclick: () => this.#goTo(line[i]?.from ?? "", {}, line.slice(0, i)) },
        line[i]?.turn,
      );
    return h("ol", { class: "line" }, h("li", {}, h("a", { href: HOME }, "Setups")), line.map((_, i) => h("li", {}, turn(i))));
  }

  /** One turn back along the line that led here. */
  #back() {
    const line = this.#line;
    const last = line.at(-1);
    if (last) this.#goTo(last.from, {}, line.slice(0, -1));
  }

  /** Plays the turn that was made on the board. */
  #finish() {
    const { state } = this;
    const { input } = state;
    if (!input?.after) return;
    const { board, side: toMove } = input.after;
    const line = [...this.#line, { turn: input.text, from: state.shownAt }];
    // The pieces are where they belong already: no second motion.
    state.shownAt = positionSlug(board, toMove);
    input.start(board, toMove, { last: input.steps, enabled: outcome(board, opponent(toMove)) === null });
    state.buttons?.update();
    this.#goTo(state.shownAt, { kind: this.#place.kind }, line);
  }

  /** Plays turns of the engine. @param {string[]} turns */
  #playLine(turns) {
    const line = [...this.#line];
    let at = readSlug(this.state.shownAt);
    for (const turn of turns) {
      const replay = at && replayTurn(at.board, at.side, turn);
      if (!at || !replay) break;
      line.push({ turn, from: positionSlug(at.board, at.side) });
      at = { board: replay.board, side: opponent(at.side) };
    }
    if (at) this.#goTo(positionSlug(at.board, at.side), { kind: this.#place.kind }, line);
  }

  /** Plays a turn of the memory. @param {PlayedTurn} played */
  #playTurn(played) {
    const after = readPosition(played.position_after);
    if (!after) return;
    const line = [...this.#line, { turn: played.turn, from: this.state.shownAt }];
    this.#goTo(positionSlug(after.board, after.side), { kind: this.#place.kind }, line);
  }

  // --- what the memory knows ------------------------------------------------------

  /** The square the opponent last moved to, if the turn that led here is known: areas are looked for round the trap next to it. */
  #lastMoved() {
    const last = this.#line.at(-1);
    const from = last && readSlug(last.from);
    const replay = from && replayTurn(from.board, from.side, last.turn);
    if (!replay) return undefined;
    // As the engines see it: an own piece rather than one pushed or pulled, and one that still stands.
    const standing = replay.steps.filter(({ piece, to }) => replay.board[to] === piece).reverse();
    const step = standing.find(({ piece }) => sideOf(piece) === from.side) ?? standing[0];
    return step && squareName(step.to);
  }

  /** @param {string[]} board @param {Side} toMove */
  async #askMemory(board, toMove) {
    const { state } = this;
    const { kind: wanted, trap, piece, filters } = this.#place;
    const position = positionText(board, toMove);
    const where = { trap, last: trap ? undefined : this.#lastMoved(), piece };
    const { signal } = state.now;
    await showing(
      this.memory,
      async () => {
        /** @type {Explored} */
        const explored = await get("/explore", { position, kind: kindToAsk(wanted), limit: state.sorting.by === "count" && !state.sorting.reversed ? TURNS.first : TURNS.sorted, ...where, ...filters }, signal);
        return explored;
      },
      (explored) => {
        if (positionSlug(board, toMove) === state.shownAt) this.#showMemory(explored, board, toMove, { trap, piece });
      },
    );
  }

  /**
   * @param {Explored} explored
   * @param {string[]} board @param {Side} toMove
   * @param {{trap: string | undefined, piece: string | undefined}} asked
   */
  #showMemory(explored, board, toMove, { trap, piece }) {
    const { panel, state } = this;
    const { kind, squares } = explored;
    panel.area(kind === "full" ? null : squares);
    fill(
      this.memory,
      memoryView(explored, toMove, state.sorting, {
        sort: (sorting) => {
          state.sorting = sorting;
          void this.#askMemory(board, toMove);
        },
        change: (part) => state.now.go(exploreAddress(state.shownAt, { kind, trap, piece, ...part }, this.#place.filters), { replace: true, state: state.now.state }),
        play: (played) => this.#playTurn(played),
        preview: (played) => {
          if (state.input && state.input.taken.length > 0) return;
          const steps = played ? (replayTurn(board, toMove, played.turn)?.steps ?? []) : [];
          panel.board.set({ arrows: drawnArrows(steps, toMove) });
          if (!played) this.engine.set(positionText(board, toMove));
        },
      }),
    );
  }
}

/** The first thing a new visitor is offered. */
function welcome() {
  const decline = () => {
    declineLessons();
    element.remove();
  };
  const element = h(
    "section",
    { class: "card welcome", "aria-label": "New to Arimaa?" },
    h("p", {}, h("strong", {}, "New to Arimaa?"), " Learn it here in a few minutes, on a real board."),
    h(
      "div",
      { class: "row-of" },
      h("a", { class: "button primary", href: LEARN }, icon("learn"), "Learn to play"),
      h("button", { type: "button", onclick: decline }, "I know the game"),
    ),
  );
  return element;
}
