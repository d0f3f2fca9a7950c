// @ts-check
/**
 * One lesson on the board: its tasks one after another, each try judged by the
 * server, every wrong one answered with the reason.
 */

import { LEARN, lessonAddress, playAddress, readLearn } from "./addresses.js";
import { get, isAbort, messageOf, post } from "./api.js";
import { BoardPanel, sideBadge, turnButtons } from "./board-panel.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { countSolved, progress, solved } from "./learn-progress.js";
import { readPosition, readSetup, replayTurn, setupText } from "./notation.js";
import { GENTLEST } from "./parts.js";
import { sideName, squareAt } from "./rules.js";
import { SetupInput } from "./setup-input.js";
import { SquareInput } from "./square-input.js";
import { TurnInput } from "./turn-input.js";

/** @typedef {import("./types.js").Lesson} Lesson */
/** @typedef {import("./types.js").LessonTask} LessonTask */
/** @typedef {import("./types.js").LessonAttempt} LessonAttempt */
/** @typedef {import("./types.js").LessonVerdict} LessonVerdict */
/** @typedef {import("./app.js").Context} Context */

/** What is tried on the board or beside it, whatever kind of task it is.
 * @typedef {object} Input
 * @property {() => Partial<LessonAttempt> | null} attempt what stands there now, null if there is nothing to judge yet
 * @property {(answer: LessonAttempt) => void} show puts an answer there
 * @property {() => void} lock nothing may be changed any more
 * @property {() => void} [undo]
 */

/**
 * @typedef {object} LessonState
 * @property {Context} now
 * @property {number} task from 1; one more than there are when all are done
 * @property {Input | null} input
 * @property {boolean} over the task shown is solved, or its answer was shown
 * @property {boolean} busy a try is being judged
 */

export class LessonView {
  /** @param {Context} context @param {Lesson} lesson */
  constructor(context, lesson) {
    this.lesson = lesson;
    /** @type {LessonState} */
    this.state = { now: context, task: 0, input: null, over: false, busy: false };
    this.panel = new BoardPanel("Board of the lesson");
    this.steps = h("ol", { class: "task-steps", "aria-label": "Tasks" });
    this.text = h("div", { class: "task-text", tabindex: "-1" });
    this.options = h("div", { class: "task-options" });
    this.verdict = h("div", { class: "task-verdict", role: "status" });
    this.actions = h("div", { class: "row-of" });
    this.answer = h("div", { class: "lesson-answer" }, this.verdict, this.actions);
    this.element = h(
      "div",
      { class: "split lesson" },
      h(
        "div",
        { class: "lesson-task" },
        h("div", { class: "lesson-head" }, h("h1", {}, lesson.title), h("a", { class: "small", href: LEARN }, "All lessons")),
        this.steps,
        h("section", { class: "card", "aria-label": "Task" }, this.text, this.options),
      ),
      this.panel.element,
      this.answer,
    );
  }

  /** Shows the task of the address, or the first that is not solved. @param {Context} next @returns {string} the title */
  update(next) {
    const { state, lesson } = this;
    state.now = next;
    const { task } = readLearn(next.url);
    const first = state.task === 0;
    this.#start(task >= 1 && task <= lesson.tasks.length ? task : this.#firstOpen());
    if (!first) {
      // The new task is what comes next for eyes, ears and keys.
      scrollTo(0, 0);
      this.text.focus({ preventScroll: true });
    }
    return lesson.title;
  }

  /** @param {string} key */
  key(key) {
    const { input, over } = this.state;
    if (key === "x") this.panel.flip();
    else if (key === "u") input?.undo?.();
    else if (key === "f" && !over) void this.#check();
    else if (key === "n" && over) this.#next();
    else return false;
    return true;
  }

  /** The first task that is not solved; the first of all if none is left. */
  #firstOpen() {
    const done = progress()[this.lesson.id] ?? [];
    const open = this.lesson.tasks.findIndex((_, i) => !done.includes(i + 1));
    return open < 0 ? 1 : open + 1;
  }

  get #task() {
    return /** @type {LessonTask} */ (this.lesson.tasks[this.state.task - 1]);
  }

  get #path() {
    return `/lessons/${encodeURIComponent(this.lesson.id)}/${this.state.task}`;
  }

  /** @param {number} number */
  #start(number) {
    const { state, panel } = this;
    state.task = number;
    state.over = false;
    state.busy = false;
    const at = readPosition(this.#task.position);
    if (!at) return;
    fill(this.verdict);
    fill(this.options);
    panel.board.set({ flipped: at.side === "s" && this.#task.kind === "setup", marks: new Map() });
    fill(
      this.text,
      h("p", { class: "task-number muted small" }, `Task ${number} of ${this.lesson.tasks.length}`),
      h("p", {}, this.#task.kind === "turn" && sideBadge(at.side), " ", this.#task.text),
      this.#task.played.length > 0 && h("p", { class: "small muted" }, "Played so far: ", h("span", { class: "mono" }, this.#task.played.join(", "))),
    );
    state.input = this.#input(at.board, at.side);
    this.#drawSteps();
    this.#drawActions();
  }

  // --- trying -----------------------------------------------------------------------

  /** @param {string[]} board @param {import("./rules.js").Side} side @returns {Input} */
  #input(board, side) {
    switch (this.#task.kind) {
      case "turn":
        return this.#turnInput(board, side);
      case "setup":
        return this.#setupInput(board, side);
      case "squares":
        return this.#squareInput(board);
      default:
        return this.#choiceInput(board);
    }
  }

  /** @param {string[]} board @param {import("./rules.js").Side} side @returns {Input} */
  #turnInput(board, side) {
    const { panel } = this;
    const note = `${sideName(side)} to move.`;
    const input = new TurnInput(panel.board, {
      say: (words, tone) => panel.say(words, tone),
      change: () => {
        buttons.update();
        panel.note(input.text || note);
      },
    });
    const buttons = turnButtons(input, () => void this.#check());
    input.start(board, side);
    buttons.update();
    panel.setButtons(buttons.element);
    panel.note(note);
    return {
      attempt: () => (input.after ? { turn: input.text } : null),
      show: ({ turn }) => {
        input.start(board, side);
        const steps = replayTurn(board, side, turn ?? "")?.steps ?? [];
        input.play(steps);
      },
      lock: () => {
        input.enabled = false;
        panel.board.set({ movable: new Set(), dots: new Map() });
        buttons.update();
      },
      undo: () => input.undo(),
    };
  }

  /** @param {string[]} board @param {import("./rules.js").Side} side @returns {Input} */
  #setupInput(board, side) {
    const { panel } = this;
    const input = new SetupInput(panel.board, side, () => {});
    input.start(board);
    this.#checkButton();
    panel.note("Click two pieces, or drag one onto another, to exchange them.");
    return {
      attempt: () => ({ setup: setupText(panel.board.state.board, side) }),
      show: ({ setup }) => {
        const placed = [...board];
        for (const { piece, square } of readSetup(setup ?? "") ?? []) placed[square] = piece;
        input.start(placed);
      },
      lock: () => {
        panel.board.events = {};
        panel.board.set({ movable: new Set() });
      },
    };
  }

  /** @param {string[]} board @returns {Input} */
  #squareInput(board) {
    const { panel } = this;
    const say = () => panel.note(input.chosen.size > 0 ? `Chosen: ${input.names.join(", ")}` : "Choose squares, then check.");
    const input = new SquareInput(panel.board, say);
    input.start(board);
    say();
    this.#checkButton();
    return {
      attempt: () => ({ squares: input.names }),
      show: ({ squares }) => {
        input.choose((squares ?? []).map(squareAt));
        say();
      },
      lock: () => (input.enabled = false),
    };
  }

  /** @param {string[]} board @returns {Input} */
  #choiceInput(board) {
    const { panel } = this;
    let chosen = -1;
    panel.board.events = {};
    panel.board.set({ board, selected: -1, dots: new Map(), movable: new Set(), frozen: new Set(), last: new Set(), arrows: [] });
    panel.setButtons();
    panel.note("");
    const buttons = this.#task.options.map((words, i) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": "false",
          onclick: () => {
            if (this.state.over) return;
            pick(i);
            void this.#check();
          },
        },
        words,
      ),
    );
    const pick = (/** @type {number} */ i) => {
      chosen = i;
      for (const [k, button] of buttons.entries()) button.setAttribute("aria-pressed", String(k === i));
    };
    fill(this.options, h("div", { class: "chips", role: "group", "aria-label": "Answers" }, buttons));
    return {
      attempt: () => (chosen >= 0 ? { choice: chosen } : null),
      show: ({ choice }) => pick(choice ?? -1),
      lock: () => {
        for (const button of buttons) button.disabled = true;
      },
    };
  }

  #checkButton() {
    this.panel.setButtons(h("button", { type: "button", class: "primary", title: "Check (f)", onclick: () => void this.#check() }, icon("check"), "Check"));
  }

  // --- judging ------------------------------------------------------------------------

  async #check() {
    const { state } = this;
    const attempt = state.input?.attempt();
    if (!attempt || state.over || state.busy) return;
    const { task } = state;
    state.busy = true;
    try {
      /** @type {LessonVerdict} */
      const verdict = await post(`${this.#path}/try`, attempt, state.now.signal);
      if (task !== state.task) return;
      this.#judge(verdict);
    } catch (error) {
      if (!isAbort(error)) this.#say(messageOf(error), "wrong");
    } finally {
      state.busy = false;
    }
  }

  /** @param {LessonVerdict} verdict */
  #judge({ right, words }) {
    const { state, lesson } = this;
    this.#say(words, right ? "good" : "wrong");
    if (!right) return;
    state.over = true;
    state.input?.lock();
    solved(lesson.id, state.task);
    this.#drawSteps();
    this.#drawActions();
    this.answer.scrollIntoView({ block: "nearest" });
    // Whoever works with the keyboard goes on from here.
    /** @type {HTMLElement | null} */ (this.actions.querySelector(".primary"))?.focus({ preventScroll: true });
  }

  /** @param {string} words @param {"good" | "wrong"} tone */
  #say(words, tone) {
    fill(this.verdict, h("p", { class: `verdict ${tone}` }, icon(tone === "good" ? "check" : "close"), h("span", {}, words)));
    // On a phone it stands below the board, perhaps out of sight.
    this.answer.scrollIntoView({ block: "nearest" });
  }

  /** Shows how it goes; the task stays open. */
  async #showAnswer() {
    const { state } = this;
    const { task } = state;
    try {
      /** @type {LessonAttempt} */
      const answer = await get(`${this.#path}/answer`, {}, state.now.signal);
      if (task !== state.task || state.over) return;
      state.input?.show(answer);
      this.#say("This is one way to do it. Now check it, or try your own.", "good");
    } catch (error) {
      if (!isAbort(error)) this.#say(messageOf(error), "wrong");
    }
  }

  // --- going on -----------------------------------------------------------------------

  #next() {
    const { state, lesson } = this;
    if (state.task < lesson.tasks.length) state.now.go(lessonAddress(lesson.id, state.task + 1));
  }

  #drawSteps() {
    const { lesson, state } = this;
    const done = progress()[lesson.id] ?? [];
    fill(
      this.steps,
      lesson.tasks.map((_, i) => {
        const number = i + 1;
        const isDone = done.includes(number);
        return h(
          "li",
          {},
          h(
            "a",
            {
              href: lessonAddress(lesson.id, number),
              class: isDone ? "done" : "",
              "aria-current": number === state.task ? "step" : undefined,
              "aria-label": `Task ${number}${isDone ? ", solved" : ""}`,
            },
            isDone ? icon("check") : String(number),
          ),
        );
      }),
    );
  }

  #drawActions() {
    const { state, lesson } = this;
    if (!state.over) {
      fill(
        this.actions,
        h("button", { type: "button", onclick: () => this.#start(state.task) }, icon("undo"), "Start again"),
        h("button", { type: "button", onclick: () => void this.#showAnswer() }, icon("hint"), "Show me"),
      );
      return;
    }
    if (state.task < lesson.tasks.length) {
      fill(this.actions, h("button", { type: "button", class: "primary", title: "Next task (n)", onclick: () => this.#next() }, icon("forward"), "Next task"));
      return;
    }
    const complete = countSolved(progress(), { id: lesson.id, tasks: lesson.tasks.length }) === lesson.tasks.length;
    const knowsRules = lesson.part === "basics" && lesson.last_of_part;
    fill(
      this.actions,
      h("p", { class: "lesson-end" }, complete ? "Lesson complete." : "That was the last task; some are still open above."),
      knowsRules && h("a", { class: "button primary", href: playAddress({ engine: GENTLEST }) }, icon("play"), "Play your first game"),
      lesson.next !== null && h("a", { class: knowsRules ? "button" : "button primary", href: lessonAddress(lesson.next) }, icon("forward"), "Next lesson"),
      lesson.next === null && h("a", { class: "button primary", href: playAddress({ engine: GENTLEST }) }, icon("play"), "Play a game"),
      h("a", { class: "button", href: LEARN }, "All lessons"),
    );
  }
}
