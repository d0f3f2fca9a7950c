// @ts-check
/** Play an engine: /play to begin or go on, /play/ID the game. */

import { isAbort, messageOf, get, post, send, stream } from "../api.js";
import { BoardPanel, sideBadge, turnButtons } from "../board-panel.js";
import { miniBoard } from "../board.js";
import { announce, fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { MoveList } from "../move-list.js";
import { drawnArrows, positionText, readPosition, readSetup, readSlug, replayTurn, setupText } from "../notation.js";
import { knownEngines } from "../parts.js";
import { emptyBoard, sameBoard, sideName } from "../rules.js";
import { SetupInput } from "../setup-input.js";
import { setupPicker } from "../setup-picker.js";
import { setSounds, sound, soundsOn } from "../sounds.js";
import { empty, failed, showing } from "../states.js";
import { TurnInput } from "../turn-input.js";
import { Clock } from "../clock.js";

/** @typedef {import("../types.js").Play} Play */
/** @typedef {import("../types.js").Thought} Thought */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */

/** @param {Context} context @returns {Page} */
export function page(context) {
  const id = /^\/play\/([^/]+)/.exec(context.url.pathname)?.[1];
  return id ? game(context, id) : lobby(context);
}

// --- beginning ---------------------------------------------------------------

/** Words for each engine, weakest first, as a newcomer needs them. */
const PACES = [
  { id: "seconds:0.5", label: "no clock, quick engine" },
  { id: "seconds:2", label: "no clock, engine thinks 2 s" },
  { id: "seconds:10", label: "no clock, engine thinks 10 s" },
  { id: "control:15s/1", label: "blitz: 15 s a turn, 1 min reserve" },
  { id: "control:1/2/100/10", label: "fast: 1 min a turn, 2 min reserve" },
  { id: "control:2/4/100/20", label: "standard: 2 min a turn, 4 min reserve" },
];

/** @param {Context} context @returns {Page} */
function lobby({ go, signal, url }) {
  const trouble = h("div", {});
  // From Explore: a game that begins in the middle.
  const from = readSlug(url.searchParams.get("at") ?? "");
  const engineField = h("div", { class: "engines", role: "radiogroup", "aria-label": "Opponent" });
  void showing(engineField, knownEngines, ({ engines }) =>
    fill(
      engineField,
      engines.map(({ name, about, memory }) =>
        h(
          "label",
          { class: "engine-choice" },
          h("input", { type: "radio", name: "engine", value: name, checked: name === (url.searchParams.get("engine") ?? "fairy") }),
          h("span", {}, h("strong", {}, name), h("span", { class: "muted small" }, ` ${about}${memory ? " (uses the memory)" : ""}`)),
        ),
      ),
    ),
  );
  const start = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const [how, value] = String(form.get("pace")).split(/:(.*)/s);
    const wish = String(form.get("side"));
    const side = wish === "chance" ? (Math.random() < 0.5 ? "g" : "s") : wish;
    try {
      /** @type {Play} */
      const play = await post("/plays", {
        engine: form.get("engine") ?? "fairy",
        side,
        seconds: how === "seconds" ? Number(value) : null,
        control: how === "control" ? value : null,
        position: from ? positionText(from.board, from.side) : null,
        name: String(form.get("name") || "you"),
      });
      localStorage.setItem("name", String(form.get("name") ?? ""));
      go(`/play/${play.id}`);
    } catch (error) {
      fill(trouble, failed(messageOf(error)));
    }
  };
  const running = h("section", { class: "card", "aria-label": "Your games" });
  const form = h(
    "form",
    { class: "card play-form", onsubmit: start },
    from && h("div", { class: "row-of from-here" }, h("div", { class: "about-board" }, miniBoard(from.board)), h("p", {}, `From this position, ${sideName(from.side)} to move. Such games are not kept in the memory.`)),
    h("h2", {}, "Opponent"),
    engineField,
    h(
      "div",
      { class: "fields" },
      h(
        "label",
        { class: "field" },
        "You play",
        h("select", { name: "side" }, h("option", { value: "g", selected: from?.side === "g" }, from ? "Gold" : "Gold (begins)"), h("option", { value: "s", selected: from?.side === "s" }, "Silver"), h("option", { value: "chance" }, "by chance")),
      ),
      h("label", { class: "field span-two" }, "Time", h("select", { name: "pace" }, PACES.map(({ id, label }) => h("option", { value: id, selected: id === "seconds:2" }, label)))),
      h("label", { class: "field" }, "Your name", h("input", { name: "name", value: localStorage.getItem("name") ?? "", placeholder: "you", maxlength: "40", autocomplete: "nickname" })),
    ),
    trouble,
    h("button", { type: "submit", class: "primary" }, icon("play"), "Start the game"),
  );
  void showing(
    running,
    () => /** @type {Promise<{plays: Play[]}>} */ (get("/plays", {}, signal)),
    ({ plays }) => fill(running, h("h2", {}, "Your games"), plays.length > 0 ? playList(plays) : empty("None yet. A game you begin is kept here, even if you close this page.")),
  );
  return {
    title: "Play",
    element: h("div", { class: "narrow" }, h("h1", {}, "Play an engine"), form, running),
  };
}

/** @param {Play[]} plays */
const playList = (plays) =>
  h(
    "ul",
    { class: "games" },
    plays.map((play) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `/play/${play.id}` },
          h("span", {}, `${sideName(play.side)} against ${play.engine}, move ${play.label}`),
          h("span", { class: "muted small" }, play.outcome?.words ?? STATES[play.state]),
        ),
      ),
    ),
  );

const STATES = /** @type {Record<string, string>} */ ({
  yours: "your turn",
  thinking: "the engine is thinking",
  over: "over",
  failed: "the engine broke down",
});

// --- the game ------------------------------------------------------------------

/** @param {Context} context @param {string} id @returns {Page} */
function game({ go, signal }, id) {
  const panel = new BoardPanel("Your game");
  const status = h("p", { class: "play-status", role: "status" });
  const side = h("div", { class: "side" });
  const actions = h("div", { class: "row-of" });
  const hintPlace = h("div", {});
  const reasons = h("div", { class: "small" });
  const setups = h("div", {});
  const trouble = h("div", {});
  const clock = new Clock();
  const moves = new MoveList((index) => view(index));
  const heading = h("h1", {}, "Game");
  fill(side, status, clock.element, trouble, actions, setups, hintPlace, h("section", { class: "card" }, h("h2", {}, "Turns"), moves.element), reasons);
  const element = h("div", { class: "split" }, panel.element, h("div", { class: "side-column" }, heading, side));

  /** @type {Play | null} */
  let play = null;
  /** @type {TurnInput | null} */
  let input = null;
  /** @type {SetupInput | null} */
  let setup = null;
  let shownMoves = -1;
  /** Index of the turn looked at, or null for the game itself. @type {number | null} */
  let viewing = null;
  /** @type {ReturnType<typeof turnButtons> | null} */
  let buttons = null;
  let busy = false;
  let listening = false;

  /** Does something on the server and shows what came of it. @param {string} what @param {unknown} [body] */
  const act = async (what, body = {}) => {
    if (busy) return;
    busy = true;
    fill(trouble);
    try {
      /** @type {Play} */
      const after = await post(`/plays/${id}/${what}`, body, signal);
      // The stream tells it too, and in order: an engine may have replied before this answer came.
      if (!listening) show(after);
    } catch (error) {
      if (!isAbort(error)) {
        fill(trouble, failed(messageOf(error)));
        if (play) show(play, true);
      }
    }
    busy = false;
  };

  const finish = () => {
    if (!input?.after || viewing !== null || !input.enabled) return;
    input.enabled = false;
    buttons?.update();
    fill(status, "…");
    void act("turn", { turn: input.text });
  };

  const turnInput = () => {
    if (!input) {
      setup = null;
      input = new TurnInput(panel.board, {
        say: (words, tone) => panel.say(words, tone),
        change: () => {
          buttons?.update();
          const step = input?.steps.at(-1);
          if (step) sound(step.removed ? "capture" : "step");
          panel.note(input?.text ?? "");
        },
      });
      buttons = turnButtons(input, finish);
      panel.setButtons(buttons.element);
    }
    return input;
  };

  /** @param {Play} next @param {boolean} [again] even if nothing is new */
  const show = (next, again = false) => {
    const first = play === null;
    const changed = first || again || next.moves.length !== shownMoves || next.state !== play?.state || next.to_move !== play?.to_move || next.game !== play?.game;
    play = next;
    if (first && next.side === "s") panel.board.set({ flipped: true });
    clock.set(next.clock, panel.board.state.flipped);
    if (!changed) return;
    fill(heading, `${next.name || "You"} (${sideName(next.side)}) against ${next.engine}`);
    fill(status, statusWords(next));
    fill(hintPlace);
    if (viewing === null || next.moves.length !== shownMoves) {
      viewing = null;
      showBoard(next, again);
    }
    shownMoves = next.moves.length;
    moves.set(next.moves.map(({ label, turn }) => ({ label, text: turn })));
    moves.light(next.moves.length - 1);
    fill(
      reasons,
      next.reasons.length > 0 && h("section", { class: "card" }, h("h2", {}, `Why ${next.engine} did that`), h("ul", { class: "reasons" }, next.reasons.map((r) => h("li", {}, r)))),
    );
    showActions(next);
  };

  /** @param {Play} next */
  const statusWords = (next) => {
    if (next.outcome) {
      announce(next.outcome.words);
      return h("strong", {}, next.outcome.words);
    }
    if (next.state === "failed") return `The engine broke down: ${next.error ?? "no reason given"}. Take back or resign.`;
    if (next.must_set_up && next.state === "yours") return "Place your pieces: drag them to change places, or take one of the setups below.";
    return h("span", {}, sideBadge(next.to_move), next.state === "yours" ? " Your turn" : ` ${next.engine} is thinking …`);
  };

  /** @param {Play} next @param {boolean} again */
  const showBoard = (next, again) => {
    const at = readPosition(next.position);
    if (next.must_set_up) {
      const board = placedSoFar(next);
      fill(setups);
      if (next.state !== "yours") {
        panel.board.set({ board });
        panel.note("");
        panel.setButtons();
        return;
      }
      if (setup && !again) return;
      input = null;
      const placing = new SetupInput(panel.board, next.side, () => {});
      setup = placing;
      placing.start(board);
      const ready = () => void act("setup", { setup: setupText(panel.board.state.board, next.side) });
      panel.note("Drag pieces to change places.");
      panel.setButtons(h("button", { type: "button", class: "primary", onclick: ready }, icon("check"), "Ready"));
      const gold = next.side === "s" ? setupText(board, "g") : "";
      fill(
        setups,
        h("h2", {}, "Setups people use"),
        setupPicker({
          side: next.side,
          replyTo: gold,
          filters: {},
          signal,
          show: (text) => {
            const placed = [...board];
            for (const { piece, square } of readSetup(text) ?? []) placed[square] = piece;
            placing.start(placed);
          },
          choose: () => {},
        }),
      );
      return;
    }
    fill(setups);
    if (!at) return;
    const enabled = next.state === "yours";
    const steps = lastSteps(next, next.moves.length - 1);
    const mine = turnInput();
    // A turn of our own stands on the board already.
    const own = next.moves.length > 0 && sameBoard(panel.board.state.board, at.board);
    if (own || again) mine.start(at.board, at.side, { last: steps, enabled });
    else {
      void mine.arrive(at.board, at.side, { steps, enabled }).then(() => buttons?.update());
      sound(next.outcome ? "end" : steps.some((s) => s.removed) ? "capture" : "step");
      if (enabled && steps.length > 0) announce(`${next.engine}: ${next.moves.at(-1)?.turn ?? ""}`);
    }
    buttons?.update();
    panel.note(enabled ? "Your turn: up to four steps." : "");
  };

  /** The board while setups are made. @param {Play} next */
  const placedSoFar = (next) => {
    const board = emptyBoard();
    for (const { turn } of next.moves) for (const { piece, square } of readSetup(turn) ?? []) board[square] = piece;
    return board;
  };

  /** The steps of one turn of the game. @param {Play} next @param {number} index */
  const lastSteps = (next, index) => {
    const move = next.moves[index];
    const before = readPosition(next.moves[index - 1]?.position ?? next.start);
    if (!move || !before || move.ply === null) return [];
    return replayTurn(before.board, before.side, move.turn)?.steps ?? [];
  };

  /** Looks at an earlier turn. @param {number} index */
  const view = (index) => {
    if (!play || play.must_set_up) return;
    const last = play.moves.length - 1;
    if (index >= last) {
      viewing = null;
      showBoard(play, true);
      moves.light(last);
      return;
    }
    const at = readPosition(play.moves[index]?.position ?? play.start);
    if (!at || index < 1) return;
    viewing = index;
    moves.light(index);
    turnInput().start(at.board, at.side, { steps: lastSteps(play, index), enabled: false });
    buttons?.update();
    panel.note("You are looking back. The right arrow goes on.");
  };

  /** @param {Play} next */
  const showActions = (next) => {
    const over = next.state === "over";
    const resign = h("button", { type: "button", onclick: () => sure(resign, () => void act("resign")) }, icon("flag"), h("span", {}, "Resign"));
    fill(
      actions,
      !over && h("button", { type: "button", disabled: next.moves.length === 0, onclick: () => void act("takeback") }, icon("undo"), "Take back"),
      !over && h("button", { type: "button", disabled: next.state !== "yours", onclick: () => void hint() }, icon("hint"), "Hint"),
      !over && resign,
      over && next.game !== null && h("a", { class: "button primary", href: `/review/${next.game}` }, icon("review"), "Review this game"),
      over && h("a", { class: "button", href: `/play?engine=${encodeURIComponent(next.engine)}` }, icon("play"), "Play again"),
      soundButton(),
      over && h("button", { type: "button", onclick: () => void forget() }, "Remove from my list"),
    );
  };

  const forget = async () => {
    try {
      await send("DELETE", `/plays/${id}`, {}, signal);
      go("/play");
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };

  const hint = async () => {
    fill(hintPlace, h("p", { class: "notice" }, "Asking the memory …"));
    try {
      /** @type {{turn: string | null, setup: string | null, from: string, reasons: string[]}} */
      const answer = await post(`/plays/${id}/hint`, {}, signal);
      fill(
        hintPlace,
        h(
          "section",
          { class: "card" },
          h("h2", {}, answer.from === "memory" ? "From the memory" : "From the engine"),
          h("p", { class: "mono" }, answer.turn ?? answer.setup ?? ""),
          h("ul", { class: "reasons" }, answer.reasons.map((r) => h("li", {}, r))),
          answer.turn !== null && input && h("button", { type: "button", onclick: () => playHint(answer.turn ?? "") }, "Put it on the board"),
        ),
      );
      if (answer.turn && play) {
        const at = readPosition(play.position);
        const steps = at ? replayTurn(at.board, at.side, answer.turn)?.steps : null;
        input?.reset();
        if (steps) panel.board.set({ arrows: drawnArrows(steps, play.side, "hint") });
      }
      if (answer.setup && setup) {
        const board = [...panel.board.state.board];
        for (const { piece, square } of readSetup(answer.setup) ?? []) board[square] = piece;
        setup.start(board);
      }
    } catch (error) {
      if (!isAbort(error)) fill(hintPlace, failed(messageOf(error)));
    }
  };

  /** @param {string} turn */
  const playHint = (turn) => {
    const at = play && readPosition(play.position);
    const steps = at && replayTurn(at.board, at.side, turn)?.steps;
    if (steps) input?.play(steps);
  };

  /** Listens until the game is over or the page is left; a broken line is taken up again. */
  const listen = async () => {
    for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 8000)) {
      try {
        await stream(
          `/plays/${id}/events`,
          {},
          {
            play: (next) => {
              wait = 500;
              listening = true;
              fill(trouble);
              show(next);
            },
            thought: (/** @type {Thought} */ thought) => {
              if (play?.state === "thinking") {
                fill(status, sideBadge(play.to_move), ` ${play.engine} is thinking …`, h("span", { class: "muted small" }, ` ${thought.depth ? `depth ${thought.depth}` : ""}`));
              }
            },
          },
          signal,
        );
        listening = false;
        return;
      } catch (error) {
        listening = false;
        if (isAbort(error)) return;
        fill(trouble, failed(messageOf(error)));
        if (/** @type {{status?: number}} */ (error).status === 404) {
          fill(status, "There is no such game. ", h("a", { href: "/play" }, "Begin one"), ".");
          fill(trouble);
          return;
        }
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  };
  void listen();
  signal.addEventListener("abort", () => clock.stop());
  panel.flipped = () => clock.set(play?.clock ?? null, panel.board.state.flipped);
  fill(status, "Loading …");
  panel.setButtons();

  return {
    title: "Game",
    element,
    key: (key) => {
      const at = viewing ?? (play ? play.moves.length - 1 : 0);
      if (key === "x") panel.flip();
      else if (key === "u") input?.undo();
      else if (key === "f") finish();
      else if (key === "ArrowLeft") view(at - 1);
      else if (key === "ArrowRight") view(at + 1);
      else return false;
      return true;
    },
  };
}

/** A second click within three seconds means it. @param {HTMLButtonElement} button @param {() => void} act */
function sure(button, act) {
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));
  if (button.dataset.sure) {
    act();
    return;
  }
  const before = label.textContent;
  button.dataset.sure = "asked";
  label.textContent = "Really?";
  announce(`${before}? Press again to confirm.`);
  setTimeout(() => {
    delete button.dataset.sure;
    label.textContent = before;
  }, 3000);
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



