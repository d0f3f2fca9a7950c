// @ts-check
/**
 * Making a turn on a board: which gestures mean which steps. Between the board,
 * which knows no rules, and the rules, which know no mouse.
 *
 * - An own piece goes where it is dragged, several squares if the way is free.
 * - An own piece dragged onto a weaker enemy pushes it; if it can go to several
 *   squares, the board asks which.
 * - An enemy dragged away is pushed; if several could have pushed it, the board
 *   asks which.
 * - An enemy left behind by a stronger piece can be pulled after it: click it.
 */

import { announce } from "./dom.js";
import { stepWords, turnArrows } from "./notation.js";
import {
  endTurn,
  freezer,
  freshTurn,
  neighbours,
  pieceName,
  pullable,
  pushers,
  roleName,
  sideName,
  sideOf,
  squareName,
  stepsFrom,
  take,
  turnText,
  walks,
  whyNot,
  whyNotEnd,
} from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./rules.js").Step} Step */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./board.js").Board} Board */

/**
 * @typedef {object} TurnEvents
 * @property {(words: string, tone: "info" | "wrong") => void} say explains or asks
 * @property {() => void} change steps were taken or taken back
 */

export class TurnInput {
  /** @param {Board} board @param {TurnEvents} events */
  constructor(board, events) {
    this.board = board;
    this.events = events;
    this.position = freshTurn(board.state.board, "g");
    /** @type {{before: Position, step: Step}[]} */
    this.taken = [];
    this.selected = -1;
    /** A push whose direction is being asked. @type {{pusher: number, enemy: number, options: number[]} | null} */
    this.choice = null;
    this.enabled = true;
    this.motion = 0;
    /** Ends the motion of a turn that is still being shown. */
    this.settle = () => {};
    /** Squares of the turn before this one. @type {Set<number>} */
    this.last = new Set();
    board.events = {
      // Nobody has to wait until a turn has been shown.
      press: () => this.settle(),
      pick: (square) => this.#pick(square),
      lift: (square) => this.#lift(square),
      drop: (from, to) => this.#drop(from, to),
      cancel: () => this.#select(-1),
    };
  }

  /**
   * A new position, reached by a turn that is shown step by step.
   * @param {string[]} board @param {Side} side
   * @param {{steps: Step[], enabled?: boolean}} options the steps that led here
   */
  async arrive(board, side, { steps, enabled = true }) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const squares = [...this.board.state.board];
    const fits = steps.length > 0 && steps.every(({ piece, from, to, removed }) => {
      const here = squares[from] === piece;
      squares[from] = "";
      squares[to] = piece;
      if (removed) squares[removed.square] = "";
      return here;
    });
    if (still || !fits || document.hidden) {
      this.start(board, side, { steps, enabled });
      return;
    }
    const mine = ++this.motion;
    this.position = freshTurn(board, side);
    this.taken = [];
    this.selected = -1;
    this.choice = null;
    this.enabled = false;
    this.settle = () => this.start(board, side, { steps, enabled });
    // A finger may take up already what can be moved when all is shown: else
    // the browser would scroll with it.
    const movable = enabled ? this.#movable() : new Set();
    const shown = [...this.board.state.board];
    /** @type {Set<number>} */
    const last = new Set();
    for (const step of steps) {
      shown[step.from] = "";
      shown[step.to] = step.piece;
      if (step.removed) shown[step.removed.square] = "";
      last.add(step.from).add(step.to);
      this.board.set(
        { board: [...shown], selected: -1, dots: new Map(), movable, frozen: new Set(), last: new Set(last), arrows: [] },
        [step],
      );
      await new Promise((done) => setTimeout(done, 230));
      if (mine !== this.motion) return;
    }
    this.start(board, side, { steps, enabled });
  }

  /**
   * A new position, at the start of a turn.
   * @param {string[]} board @param {Side} side
   * @param {{steps?: Step[], last?: Step[], enabled?: boolean}} [options] the steps that led here:
   *   `steps` with motion, `last` without
   */
  start(board, side, { steps = [], last = steps, enabled = true } = {}) {
    // What is still moving step by step has been overtaken.
    this.motion++;
    this.settle = () => {};
    this.position = freshTurn(board, side);
    this.taken = [];
    this.enabled = enabled;
    this.last = new Set(last.flatMap((step) => [step.from, step.to]));
    this.selected = -1;
    this.choice = null;
    this.#show(steps);
  }

  get steps() {
    return this.taken.map(({ step }) => step);
  }

  get text() {
    return turnText(this.steps);
  }

  /** Why the turn cannot end now, or null. */
  get whyNotEnd() {
    return whyNotEnd(this.position);
  }

  /** The position after the turn, if it may end. */
  get after() {
    return this.whyNotEnd === null ? endTurn(this.position) : null;
  }

  undo() {
    if (!this.enabled) return;
    let last = this.taken.pop();
    if (!last) return;
    // Half a push alone is no place to stop: take both halves back.
    const halfway = last.before.pushPull?.kind === "must push";
    if (halfway) last = this.taken.pop() ?? last;
    this.position = last.before;
    this.#select(-1);
    this.events.change();
    announce("step taken back");
  }

  /** Takes back the whole turn. */
  reset() {
    const first = this.taken[0];
    if (!first) return;
    this.taken = [];
    this.position = first.before;
    this.#select(-1);
    this.events.change();
  }

  /** Plays given steps one after another, e.g. a turn from the memory. @param {Step[]} steps */
  play(steps) {
    this.settle();
    this.reset();
    this.#take(steps.map(({ from, to }) => [from, to]));
  }

  /** @param {number} square */
  #lift(square) {
    if (!this.enabled) return;
    this.choice = null;
    this.#select(square, false);
  }

  /** @param {number} square */
  #pick(square) {
    this.settle();
    if (!this.enabled) return;
    const piece = this.position.board[square] ?? "";
    if (this.choice) {
      const { choice } = this;
      this.choice = null;
      if (choice.options.includes(square)) this.#push(choice.pusher, choice.enemy, square);
      else this.#select(-1);
      return;
    }
    if (this.selected === square) {
      this.#select(-1);
    } else if (this.selected >= 0 && this.#targets(this.selected).has(square)) {
      this.#drop(this.selected, square);
    } else if (piece && this.position.pushPull?.kind === "must push" && whyNot(this.position, square, this.position.pushPull.into) === null) {
      // A push waits for its pusher: one click on it is enough.
      this.#take([[square, this.position.pushPull.into]]);
    } else if (piece && this.position.pushPull && pullable(this.position).includes(square)) {
      this.#take([[square, this.position.pushPull.into]]);
    } else if (piece && this.#targets(square).size > 0) {
      this.#select(square);
      this.#sayTargets(square);
    } else if (piece) {
      this.#select(-1);
      this.events.say(this.#whyStuck(square), "wrong");
    } else if (this.selected >= 0) {
      this.events.say(whyNot(this.position, this.selected, square) ?? "", "wrong");
      this.#select(-1);
    }
  }

  /** @param {number} from @param {number} to */
  #drop(from, to) {
    if (!this.enabled || to < 0) {
      this.#select(-1);
      return;
    }
    const { position } = this;
    const piece = position.board[from] ?? "";
    const other = position.board[to];
    const own = piece !== "" && sideOf(piece) === position.side;
    if (own && other && sideOf(other) !== position.side && neighbours(from).includes(to)) {
      this.#pushOnto(from, to);
      return;
    }
    const way = own ? walks(position, from).get(to) : undefined;
    if (way) {
      const squares = [from, ...way];
      this.#take(way.map((square, i) => [squares[i] ?? from, square]));
    } else if (!own && whyNot(position, from, to) === null) {
      this.#moveEnemy(from, to);
    } else {
      this.#select(-1);
      this.events.say(this.#whyWalk(from, to), "wrong");
    }
  }

  /** An own piece was put onto an enemy. @param {number} pusher @param {number} enemy */
  #pushOnto(pusher, enemy) {
    const options = this.#pushOptions(pusher, enemy);
    const [only] = options;
    if (only === undefined) {
      this.#select(-1);
      this.events.say(this.#whyNoPush(pusher, enemy), "wrong");
    } else if (options.length === 1) {
      this.#push(pusher, enemy, only);
    } else {
      this.choice = { pusher, enemy, options };
      this.selected = enemy;
      this.#show();
      this.events.say(
        `Where shall the ${pieceName(this.position.board[enemy] ?? "")} be pushed: ${options.map(squareName).join(", ")}?`,
        "info",
      );
    }
  }

  /** Where `pusher` could push `enemy`. @param {number} pusher @param {number} enemy */
  #pushOptions(pusher, enemy) {
    if (!pushers(this.position, enemy).includes(pusher)) return [];
    return stepsFrom(this.position, enemy).filter((to) => {
      const after = take(this.position, enemy, to).position;
      return after.pushPull?.kind === "must push" && whyNot(after, pusher, enemy) === null;
    });
  }

  /** @param {number} pusher @param {number} enemy @param {number} to */
  #push(pusher, enemy, to) {
    this.#take([
      [enemy, to],
      [pusher, enemy],
    ]);
  }

  /** An enemy was put onto an empty square: a pull, or a push. @param {number} from @param {number} to */
  #moveEnemy(from, to) {
    const before = this.position;
    const after = take(before, from, to).position;
    if (after.pushPull?.kind !== "must push") {
      this.#take([[from, to]]);
      return;
    }
    const able = pushers(before, from).filter((pusher) => whyNot(after, pusher, from) === null);
    const [only] = able;
    if (only === undefined) {
      this.#select(-1);
      this.events.say("Nothing could step into its place after that push.", "wrong");
    } else if (able.length === 1) {
      this.#push(only, from, to);
    } else {
      this.#take([[from, to]]);
      this.events.say(`Who pushes: ${able.map((sq) => `${roleName(before.board[sq] ?? "")} ${squareName(sq)}`).join(" or ")}?`, "info");
    }
  }

  /** @param {[number, number][]} moves */
  #take(moves) {
    const words = [];
    const steps = [];
    for (const [from, to] of moves) {
      const why = whyNot(this.position, from, to);
      if (why) {
        this.events.say(why, "wrong");
        break;
      }
      const before = this.position;
      const taken = take(before, from, to);
      this.position = taken.position;
      this.taken.push({ before, step: taken.step });
      steps.push(taken.step);
      words.push(stepWords(taken.step));
    }
    this.selected = -1;
    this.choice = null;
    this.#show(steps);
    this.events.change();
    const left = this.position.left;
    announce(`${words.join(", ")}. ${left === 0 ? "No steps" : left === 1 ? "One step" : `${left} steps`} left.`);
    const pull = pullable(this.position);
    if (pull.length > 0) {
      const names = pull.map((sq) => `${roleName(this.position.board[sq] ?? "")} on ${squareName(sq)}`);
      this.events.say(`You may pull the ${names.join(" or the ")} along: click it.`, "info");
    }
  }

  /** @param {number} square @param {boolean} [redraw] */
  #select(square, redraw = true) {
    this.choice = null;
    this.selected = square >= 0 && this.position.board[square] ? square : -1;
    if (redraw || this.selected >= 0) this.#show();
  }

  /**
   * What may be done with the piece there: square to kind of dot.
   * @param {number} square
   * @returns {Map<number, string>}
   */
  #targets(square) {
    /** @type {Map<number, string>} */
    const targets = new Map();
    const { position } = this;
    const piece = position.board[square];
    if (!piece) return targets;
    if (sideOf(piece) === position.side) {
      for (const [to, way] of walks(position, square)) targets.set(to, way.length === 1 ? "step" : "far");
      if (position.left >= 2 && position.pushPull?.kind !== "must push") {
        for (const enemy of neighbours(square)) {
          const other = position.board[enemy];
          if (other && sideOf(other) !== position.side && this.#pushOptions(square, enemy).length > 0) {
            targets.set(enemy, "push");
          }
        }
      }
    } else {
      for (const to of stepsFrom(position, square)) targets.set(to, "step");
    }
    return targets;
  }

  /** Squares of what can be moved. @returns {Set<number>} */
  #movable() {
    const squares = [...this.position.board.keys()];
    return new Set(squares.filter((square) => this.position.board[square] && this.#targets(square).size > 0));
  }

  /** @param {Step[]} [steps] */
  #show(steps = []) {
    const { position } = this;
    const movable = this.enabled ? this.#movable() : new Set();
    /** @type {Set<number>} */
    const frozen = new Set();
    for (let square = 0; square < 64; square++) {
      if (position.board[square] && freezer(position.board, square) >= 0) frozen.add(square);
    }
    /** @type {Map<number, string>} */
    let dots = new Map();
    if (this.choice) for (const square of this.choice.options) dots.set(square, "choice");
    else if (this.selected >= 0) dots = this.#targets(this.selected);
    else if (this.enabled) {
      for (const square of pullable(position)) dots.set(square, "pull");
      if (position.pushPull?.kind === "must push") {
        const { into } = position.pushPull;
        for (const square of neighbours(into)) {
          if (position.board[square] && whyNot(position, square, into) === null) dots.set(square, "choice");
        }
      }
    }
    const last = this.taken.length > 0 ? new Set(this.steps.flatMap(({ from, to }) => [from, to])) : this.last;
    this.board.set(
      {
        board: position.board,
        selected: this.selected,
        dots,
        movable,
        frozen,
        last,
        arrows: turnArrows(this.steps).map(({ way }) => ({ way, kind: "taken" })),
      },
      steps,
    );
  }

  /** @param {number} square */
  #sayTargets(square) {
    const names = [...this.#targets(square)].map(([to, kind]) => (kind === "push" ? `push ${squareName(to)}` : squareName(to)));
    announce(`${pieceName(this.position.board[square] ?? "")} ${squareName(square)}: ${names.join(", ")}`);
  }

  /** Why nothing can be done with the piece there. @param {number} square */
  #whyStuck(square) {
    const { position } = this;
    const piece = position.board[square] ?? "";
    if (position.left === 0) return "All four steps are used: finish the turn or take a step back.";
    const free = neighbours(square).find((to) => !position.board[to]);
    if (sideOf(piece) !== position.side) {
      return free === undefined ? `It is ${sideName(position.side)}'s turn.` : (whyNot(position, square, free) ?? "");
    }
    if (freezer(position.board, square) >= 0) return whyNot(position, square, free ?? square) ?? "";
    if (position.pushPull?.kind === "must push") return whyNot(position, square, free ?? square) ?? "";
    return free === undefined
      ? `The ${roleName(piece)} on ${squareName(square)} is blocked on all sides.`
      : (whyNot(position, square, free) ?? "");
  }

  /** @param {number} from @param {number} to */
  #whyWalk(from, to) {
    const why = whyNot(this.position, from, to);
    if (neighbours(from).includes(to) || why === null) return why ?? "";
    if (freezer(this.position.board, from) >= 0) return whyNot(this.position, from, neighbours(from).find((n) => !this.position.board[n]) ?? to) ?? why;
    const far = Math.abs((from & 7) - (to & 7)) + Math.abs((from >> 3) - (to >> 3));
    if (far > this.position.left) return `That is ${far} steps away, and ${this.position.left} ${this.position.left === 1 ? "is" : "are"} left.`;
    return "There is no free way there.";
  }

  /** @param {number} pusher @param {number} enemy */
  #whyNoPush(pusher, enemy) {
    const { position } = this;
    const [mine, other] = [position.board[pusher] ?? "", position.board[enemy] ?? ""];
    if (freezer(position.board, pusher) >= 0) return whyNot(position, pusher, neighbours(pusher).find((n) => !position.board[n]) ?? enemy) ?? "";
    if (!pushers(position, enemy).includes(pusher)) return `A ${roleName(mine)} cannot push a ${roleName(other)}: the pusher must be stronger.`;
    if (position.left < 2) return "A push takes two steps and only one is left.";
    return `The ${roleName(other)} has no empty square to be pushed to.`;
  }
}
