// @ts-check
/** A game against an engine: the board, setups, turns, clock, hints, looking back. */

import { gameAddress, pastedAddress, playAddress, reviewAddress } from "./addresses.js";
import { isAbort, messageOf, post, send, stream } from "./api.js";
import { BoardPanel, sideBadge, turnButtons } from "./board-panel.js";
import { captured, showCaptured } from "./captured.js";
import { Clock } from "./clock.js";
import { announce, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { MoveList } from "./move-list.js";
import { drawnArrows, readPosition, readSetup, replayTurn, setupText } from "./notation.js";
import { pack } from "./pack.js";
import { sure } from "./parts.js";
import { emptyBoard, sameBoard, sideName } from "./rules.js";
import { SetupInput } from "./setup-input.js";
import { setupPicker } from "./setup-picker.js";
import { setSounds, sound, soundsOn } from "./sounds.js";
import { failed } from "./states.js";
import { begunTurn, forgetBegun, keepBegun } from "./begun-turn.js";
import { TurnInput } from "./turn-input.js";

/** @typedef {import("./types.js").Play} Play */
/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").Hint} Hint */
/** @typedef {import("./app.js").Context} Context */

/**
 * @typedef {object} GameState
 * @property {Play | null} play as the server last told it
 * @property {number} shownMoves how many moves the board shows
 * @property {number | null} viewing index of the turn looked at, or null for the game itself
 * @property {string[] | null} shown the board at the turn looked at
 * @property {TurnInput | null} input while turns are made
 * @property {SetupInput | null} setup while the pieces are placed
 * @property {ReturnType<typeof turnButtons> | null} buttons
 * @property {boolean} busy an order is under way
 * @property {boolean} listening the server tells of every change
 */

export class PlayedGame {
  /** @param {Context} context @param {string} id */
  constructor({ go, signal }, id) {
    this.go = go;
    this.signal = signal;
    this.id = id;
    this.path = `/plays/${encodeURIComponent(id)}`;
    /** @type {GameState} */
    this.state = { play: null, shownMoves: -1, viewing: null, shown: null, input: null, setup: null, buttons: null, busy: false, listening: false };
    this.panel = new BoardPanel("Your game");
    this.heading = h("h1", {}, "Game");
    this.status = h("p", { class: "play-status", role: "status" });
    this.clock = new Clock();
    this.trouble = h("div", {});
    this.actions = h("div", { class: "row-of" });
    this.setups = h("div", {});
    this.hintPlace = h("div", {});
    this.moves = new MoveList((index) => this.#view(index));
    this.reasons = h("div", { class: "small" });
    this.past = pastButtons((where) => this.#look(where));
    const side = h(
      "div",
      { class: "side" },
      this.status,
      this.clock.element,
      this.trouble,
      this.actions,
      this.setups,
      this.hintPlace,
      h("section", { class: "card" }, h("h2", {}, "Turns"), this.moves.element),
      this.reasons,
    );
    this.element = h("div", { class: "split" }, this.panel.element, h("div", { class: "side-column" }, this.heading, side));
  }

  /** Shows the game and follows it until the page is left. */
  begin() {
    this.signal.addEventListener("abort", () => this.clock.stop());
    this.panel.flipped = () => {
      this.clock.set(this.state.play?.clock ?? null, this.panel.board.state.flipped);
      this.#showCaptured();
    };
    fill(this.status, "Loading …");
    this.panel.setButtons();
    void this.#listen();
  }

  /** @param {string} key */
  key(key) {
    const { input } = this.state;
    if (key === "x") this.panel.flip();
    else if (key === "u") input?.undo();
    else if (key === "f") this.#finish();
    else if (key === "ArrowLeft") this.#look("back");
    else if (key === "ArrowRight") this.#look("forward");
    else if (key === "Home") this.#look("first");
    else if (key === "End") this.#look("last");
    else return false;
    return true;
  }

  // --- the server ----------------------------------------------------------------

  /** Does something on the server and shows what came of it. @param {string} what @param {unknown} [body] */
  async #act(what, body = {}) {
    const { state } = this;
    if (state.busy) return;
    state.busy = true;
    fill(this.trouble);
    try {
      /** @type {Play} */
      const after = await post(`${this.path}/${what}`, body, this.signal);
      forgetBegun(this.id);
      // The stream tells it too, and in order: an engine may have replied before this answer came.
      if (!state.listening) this.#show(after);
    } catch (error) {
      if (!isAbort(error)) {
        fill(this.trouble, failed(messageOf(error)));
        if (state.play) this.#show(state.play, true);
      }
    }
    state.busy = false;
  }

  /** Listens until the game is over or the page is left; a broken line is taken up again. */
  async #listen() {
    const { signal, state } = this;
    for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 8000)) {
      const handlers = {
        play: (/** @type {Play} */ next) => {
          wait = 500;
          state.listening = true;
          fill(this.trouble);
          this.#show(next);
        },
        thought: (/** @type {Thought} */ thought) => this.#showThought(thought),
      };
      try {
        await stream(`${this.path}/events`, {}, handlers, signal);
        state.listening = false;
        return;
      } catch (error) {
        state.listening = false;
        if (isAbort(error)) return;
        fill(this.trouble, failed(messageOf(error)));
        if (/** @type {{status?: number}} */ (error).status === 404) {
          fill(this.status, "There is no such game. ", h("a", { href: playAddress() }, "Begin one"), ".");
          fill(this.trouble);
          return;
        }
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** @param {Thought} thought */
  #showThought({ depth }) {
    const { play } = this.state;
    if (play?.state !== "thinking") return;
    fill(this.status, sideBadge(play.to_move), ` ${play.opponent} is thinking …`, h("span", { class: "muted small" }, ` ${depth ? `depth ${depth}` : ""}`));
  }

  async #forget() {
    try {
      await send("DELETE", this.path, {}, this.signal);
      this.go(playAddress());
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error)));
    }
  }

  // --- what is shown ---------------------------------------------------------------

  /** @param {Play} next @param {boolean} [again] even if nothing is new */
  #show(next, again = false) {
    const { state, panel } = this;
    const before = state.play;
    const changed =
      before === null || again || next.moves.length !== state.shownMoves || next.state !== before.state || next.to_move !== before.to_move || next.game !== before.game;
    state.play = next;
    if (before === null && next.side === "s") panel.board.set({ flipped: true });
    this.clock.set(next.clock, panel.board.state.flipped);
    if (!changed) return;
    fill(this.heading, `${next.name || "You"} (${sideName(next.side)}) against ${next.opponent}`);
    fill(this.status, statusWords(next));
    if (next.outcome) announce(next.outcome.words);
    fill(this.hintPlace);
    if (state.viewing === null || next.moves.length !== state.shownMoves) {
      state.viewing = null;
      this.#showBoard(next, again);
    }
    state.shownMoves = next.moves.length;
    this.moves.set(next.moves.map(({ label, turn }) => ({ label, text: turn })));
    this.moves.light(state.viewing ?? next.moves.length - 1);
    this.#showReasons();
    this.#showActions(next);
  }

  /** @param {Play} next @param {boolean} again */
  #showBoard(next, again) {
    fill(this.setups);
    if (next.must_set_up) this.#showSetup(next, again);
    else this.#showTurn(next, again);
  }

  /** While the pieces are placed. @param {Play} next @param {boolean} again */
  #showSetup(next, again) {
    const { state, panel } = this;
    const board = placedSoFar(next);
    if (next.state !== "yours") {
      panel.board.set({ board });
      panel.note("");
      panel.setButtons();
      return;
    }
    if (state.setup && !again) return;
    state.input = null;
    const placing = new SetupInput(panel.board, next.side, () => {});
    state.setup = placing;
    placing.start(board);
    const ready = () => void this.#act("setup", { setup: setupText(panel.board.state.board, next.side) });
    panel.note("Drag pieces to change places.");
    panel.setButtons(h("button", { type: "button", class: "primary", onclick: ready }, icon("check"), "Ready"));
    fill(
      this.setups,
      h("h2", {}, "Setups of the memory"),
      setupPicker({
        side: next.side,
        replyTo: next.side === "s" ? setupText(board, "g") : "",
        filters: {},
        signal: this.signal,
        show: (text) => placing.start(withSetup(board, text)),
        choose: () => {},
      }),
    );
  }

  /** @param {Play} next @param {boolean} again */
  #showTurn(next, again) {
    const { state, panel } = this;
    const at = readPosition(next.position);
    if (!at) return;
    state.shown = at.board;
    this.#showCaptured();
    const enabled = next.state === "yours";
    const steps = stepsOf(next, next.moves.length - 1);
    const input = this.#turnInput();
    // A turn of our own stands on the board already.
    const own = next.moves.length > 0 && sameBoard(panel.board.state.board, at.board);
    if (own || again) input.start(at.board, at.side, { last: steps, enabled });
    else {
      void input.arrive(at.board, at.side, { steps, enabled }).then(() => state.buttons?.update());
      sound(next.outcome ? "end" : steps.some((s) => s.removed) ? "capture" : "step");
      if (enabled && steps.length > 0) announce(`${next.opponent}: ${next.moves.at(-1)?.turn ?? ""}`);
    }
    state.buttons?.update();
    this.past.update(next.moves.length - 1, next.moves.length - 1);
    panel.note(enabled ? "Your turn: up to four steps." : "");
    const begun = enabled ? begunTurn(this.id, next.moves.length) : [];
    if (begun.length === 0) return;
    input.play(begun);
    panel.note(`${input.text} – these steps are still as you left them.`);
  }

  /** Why the engine did what is shown, or what it did last before that. */
  #showReasons() {
    const { play, viewing } = this.state;
    const at = viewing ?? (play?.moves.length ?? 0) - 1;
    const last = play?.explained.findLast(({ move }) => move <= at);
    const move = last && play?.moves[last.move];
    fill(
      this.reasons,
      last && move && last.reasons.length > 0 && h("section", { class: "card", "aria-label": "Reasons" }, h("h2", {}, `Why ${play?.opponent} played ${move.label}`), h("ul", { class: "reasons" }, last.reasons.map((r) => h("li", {}, r)))),
    );
  }

  /** Beside each player what the other one has lost by the turn shown. */
  #showCaptured() {
    const { play, shown } = this.state;
    const start = readPosition(play?.start)?.board;
    if (!start || !shown) return;
    const [top, bottom] = /** @type {import("./rules.js").Side[]} */ (this.panel.board.state.flipped ? ["g", "s"] : ["s", "g"]);
    if (!top || !bottom) return;
    showCaptured(this.panel.above, bottom, captured(start, shown, bottom));
    showCaptured(this.panel.below, top, captured(start, shown, top));
  }

  /** @param {Play} next */
  #showActions(next) {
    const over = next.state === "over";
    const resign = h("button", { type: "button", onclick: () => sure(resign, () => void this.#act("resign")) }, icon("flag"), h("span", {}, "Resign"));
    fill(
      this.actions,
      !over && h("button", { type: "button", disabled: next.moves.length === 0, onclick: () => void this.#act("takeback") }, icon("undo"), "Take back"),
      !over && h("button", { type: "button", disabled: next.state !== "yours", onclick: () => void this.#hint() }, icon("hint"), "Hint"),
      !over && resign,
      over && next.game !== null && h("a", { class: "button primary", href: reviewAddress(next.game) }, icon("review"), "Review this game"),
      over && next.game === null && next.from_setup && !next.must_set_up && h("button", { type: "button", class: "primary", onclick: () => void this.#review(next) }, icon("review"), "Review this game"),
      over && h("a", { class: "button", href: playAddress({ engine: next.engine }) }, icon("play"), "Play again"),
      over && next.from_setup && !next.must_set_up && h("button", { type: "button", title: "The same setups, sides and opponent once more", onclick: () => void this.#again(next) }, "Same opening"),
      soundButton(),
      over && h("button", { type: "button", onclick: () => void this.#forget() }, "Remove from my list"),
    );
  }

  /** The same setups once more. @param {Play} play */
  async #again(play) {
    const setups = play.moves.filter(({ ply }) => ply === null).map(({ turn }) => turn);
    try {
      /** @type {Play} */
      const next = await post("/plays", { engine: play.engine, side: play.side, seconds: play.clock ? null : play.seconds, control: play.clock?.control ?? null, name: play.name, remember: play.remember, setups }, this.signal);
      this.go(gameAddress(next.id));
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error)));
    }
  }

  /** A game that is not kept is reviewed as one that was pasted. @param {Play} play */
  async #review(play) {
    const text = play.moves.map(({ label, turn }) => `${label} ${turn}`).join("\n");
    this.go(pastedAddress(await pack(text)));
  }

  /** @param {"first" | "back" | "forward" | "last"} where */
  #look(where) {
    const { play, viewing } = this.state;
    const last = (play?.moves.length ?? 0) - 1;
    const at = viewing ?? last;
    this.#view({ first: 1, back: at - 1, forward: at + 1, last }[where]);
  }

  /** Looks at an earlier turn. @param {number} index */
  #view(index) {
    const { state, panel } = this;
    const { play } = state;
    if (!play || play.must_set_up) return;
    const last = play.moves.length - 1;
    if (index >= last) {
      state.viewing = null;
      this.#showBoard(play, true);
      this.moves.light(last);
      this.#showReasons();
      return;
    }
    const at = readPosition(play.moves[index]?.position ?? play.start);
    if (!at || index < 1) return;
    state.viewing = index;
    state.shown = at.board;
    this.#showCaptured();
    this.moves.light(index);
    this.#turnInput().start(at.board, at.side, { steps: stepsOf(play, index), enabled: false });
    state.buttons?.update();
    this.past.update(index, last);
    this.#showReasons();
    panel.note("You are looking back.");
  }

  // --- making a turn -----------------------------------------------------------------

  #turnInput() {
    const { state, panel } = this;
    if (state.input) return state.input;
    state.setup = null;
    const input = new TurnInput(panel.board, {
      say: (words, tone) => panel.say(words, tone),
      change: () => {
        state.buttons?.update();
        const { play, viewing } = state;
        if (play && viewing === null && input.enabled) keepBegun(this.id, play.moves.length, input.steps);
        const step = input.steps.at(-1);
        if (step) sound(step.removed ? "capture" : "step");
        panel.note(input.text);
      },
    });
    state.input = input;
    state.buttons = turnButtons(input, () => this.#finish());
    panel.setButtons(this.past.element, state.buttons.element);
    return input;
  }

  #finish() {
    const { input, viewing, buttons } = this.state;
    if (!input?.after || viewing !== null || !input.enabled) return;
    input.enabled = false;
    buttons?.update();
    fill(this.status, "…");
    void this.#act("turn", { turn: input.text });
  }

  async #hint() {
    const { hintPlace, state } = this;
    fill(hintPlace, h("p", { class: "notice" }, "Asking the memory …"));
    try {
      /** @type {Hint} */
      const answer = await post(`${this.path}/hint`, {}, this.signal);
      const { turn } = answer;
      fill(
        hintPlace,
        h(
          "section",
          { class: "card" },
          h("h2", {}, answer.from === "memory" ? "From the memory" : "From the engine"),
          h("p", { class: "mono" }, turn ?? answer.setup ?? ""),
          h("ul", { class: "reasons" }, answer.reasons.map((r) => h("li", {}, r))),
          turn !== null && state.input && h("button", { type: "button", onclick: () => this.#playHint(turn) }, "Put it on the board"),
        ),
      );
      this.#drawHint(answer);
    } catch (error) {
      if (!isAbort(error)) fill(hintPlace, failed(messageOf(error)));
    }
  }

  /** @param {Hint} answer */
  #drawHint({ turn, setup }) {
    const { state, panel } = this;
    if (turn && state.play) {
      const steps = this.#stepsFromHere(turn);
      state.input?.reset();
      if (steps) panel.board.set({ arrows: drawnArrows(steps, state.play.side, "hint") });
    }
    if (setup && state.setup) state.setup.start(withSetup(panel.board.state.board, setup));
  }

  /** @param {string} turn */
  #playHint(turn) {
    const steps = this.#stepsFromHere(turn);
    if (steps) this.state.input?.play(steps);
  }

  /** The steps of a turn that could be played now. @param {string} turn */
  #stepsFromHere(turn) {
    const at = readPosition(this.state.play?.position);
    return at ? replayTurn(at.board, at.side, turn)?.steps : undefined;
  }
}

/** @param {Play} next */
function statusWords(next) {
  if (next.outcome) return h("strong", {}, next.outcome.words);
  if (next.state === "failed") return `The engine broke down: ${next.error ?? "no reason given"}. Take back or resign.`;
  if (next.must_set_up && next.state === "yours") return "Place your pieces: drag them to change places, or take one of the setups below.";
  return h("span", {}, sideBadge(next.to_move), next.state === "yours" ? " Your turn" : ` ${next.opponent} is thinking …`);
}

/** Buttons to look back, for those without a keyboard. @param {(where: "first" | "back" | "forward" | "last") => void} look */
function pastButtons(look) {
  /** @param {"first" | "back" | "forward" | "last"} where @param {string} label */
  const button = (where, label) => h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: () => look(where) }, icon(where));
  const before = [button("first", "To the first turn (Home)"), button("back", "Back a turn (left arrow)")];
  const after = [button("forward", "On a turn (right arrow)"), button("last", "To the game as it stands (End)")];
  const element = h("div", { class: "row-of" }, ...before, ...after);
  /** @param {number} at @param {number} last indices of moves; the setups are 0 and 1 */
  const update = (at, last) => {
    for (const one of before) one.disabled = at <= 1;
    for (const one of after) one.disabled = at >= last;
  };
  update(0, 0);
  return { element, update };
}

/** The board while setups are made. @param {Play} next */
function placedSoFar(next) {
  let board = emptyBoard();
  for (const { turn } of next.moves) board = withSetup(board, turn);
  return board;
}

/** @param {string[]} board @param {string} setup */
function withSetup(board, setup) {
  const placed = [...board];
  for (const { piece, square } of readSetup(setup) ?? []) placed[square] = piece;
  return placed;
}

/** The steps of one turn of the game. @param {Play} play @param {number} index */
function stepsOf(play, index) {
  const move = play.moves[index];
  const before = readPosition(play.moves[index - 1]?.position ?? play.start);
  if (!move || !before || move.ply === null) return [];
  return replayTurn(before.board, before.side, move.turn)?.steps ?? [];
}

function soundButton() {
  const button = h("button", {
    type: "button",
    class: "icon-button",
    onclick: () => {
      setSounds(!soundsOn());
      draw();
    },
  });
  const draw = () => {
    fill(button, icon(soundsOn() ? "sound" : "mute"));
    button.setAttribute("aria-pressed", String(soundsOn()));
    button.setAttribute("aria-label", "Sounds");
    button.title = soundsOn() ? "Sounds are on" : "Sounds are off";
  };
  draw();
  return button;
}
