// @ts-check
/**
 * The board: draws what it is told and reports what people do with it. It
 * knows squares and pieces, but nothing of the rules.
 *
 * People drag, click (or tap) a piece and then a square, or walk with the arrow
 * keys and press Enter; all three arrive as `pick` and `drop`.
 */

import { h, s } from "./dom.js";
import { pieceName, roleName, sideOf, squareName, TRAPS } from "./rules.js";

/** @typedef {import("./rules.js").Step} Step */
/** @typedef {{way: number[], kind: string}} Arrow */

/**
 * Everything the board shows.
 * @typedef {object} BoardState
 * @property {string[]} board the 64 squares, a1 first
 * @property {boolean} flipped Silver at the bottom
 * @property {boolean} mirrored left and right exchanged
 * @property {number} selected the square of the piece being moved, or -1
 * @property {Map<number, string>} dots where it may go: "step", "far", "push", "pull", "choice"
 * @property {Set<number>} movable squares whose piece can be taken up
 * @property {Set<number>} frozen squares whose piece is frozen
 * @property {Set<number>} last squares of the last turn
 * @property {Set<number> | null} area squares to bring out, the others fade
 * @property {Map<number, string>} marks further classes of squares, e.g. "hint"
 * @property {Arrow[]} arrows
 */

/**
 * What the board reports.
 * @typedef {object} BoardEvents
 * @property {() => void} [press] a button or finger has gone down, before anything comes of it
 * @property {(square: number) => void} [pick] a click, a tap or Enter
 * @property {(from: number, to: number) => void} [drop] the end of a drag; `to` is -1 outside
 * @property {(square: number) => void} [lift] the start of a drag
 * @property {() => void} [cancel] Escape
 */

const ROLE_CLASS = { R: "rabbit", C: "cat", D: "dog", H: "horse", M: "camel", E: "elephant" };

/** The classes that draw a piece. @param {string} piece */
export const pieceClass = (piece) =>
  `piece ${sideOf(piece) === "g" ? "gold" : "silver"}-${ROLE_CLASS[/** @type {"R"} */ (piece.toUpperCase())]}`;

export class Board {
  /** @param {string} label what a screen reader calls it */
  constructor(label = "Board") {
    /** @type {BoardState} */
    this.state = {
      board: Array.from({ length: 64 }, () => ""),
      flipped: false,
      mirrored: false,
      selected: -1,
      dots: new Map(),
      movable: new Set(),
      frozen: new Set(),
      last: new Set(),
      area: null,
      marks: new Map(),
      arrows: [],
    };
    /** @type {BoardEvents} */
    this.events = {};
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** Piece elements by square. @type {Map<number, HTMLElement>} */
    this.pieces = new Map();
    this.cursor = 0;
    this.grid = h("div", { class: "squares", role: "grid", "aria-label": label });
    this.layer = h("div", { class: "pieces", "aria-hidden": "true" });
    this.arrows = s("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    // Beside the squares, not in them: a square is announced by its label.
    this.coordinates = h("div", { class: "coordinates", "aria-hidden": "true" });
    this.element = h("div", { class: "board" }, this.grid, this.coordinates, this.layer, this.arrows);
    this.#build();
    this.#listen();
    this.#paint();
  }

  /**
   * Changes some of what is shown. `steps` tells how the pieces came to where
   * they are, so that they move that way; without it they take the shortest.
   * @param {Partial<BoardState>} change @param {Step[]} [steps]
   */
  set(change, steps = []) {
    const turned = (change.flipped ?? this.state.flipped) !== this.state.flipped || (change.mirrored ?? this.state.mirrored) !== this.state.mirrored;
    Object.assign(this.state, change);
    if (turned) this.#build();
    this.#place(steps);
    this.#paint();
  }

  /** Moves the keyboard's cursor there. @param {number} square */
  focus(square) {
    this.cursor = square;
    this.#paint();
    this.cells[square]?.focus({ preventScroll: true });
  }

  #build() {
    const order = [...Array(64).keys()].map((i) => {
      return this.#squareAt(i & 7, i >> 3);
    });
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = order.slice(row * 8, row * 8 + 8).map((square) => {
        const dark = ((square & 7) + (square >> 3)) % 2 === 0;
        const trap = TRAPS.includes(square);
        const cell = h("div", {
          role: "gridcell",
          class: `square ${dark ? "dark" : "light"}${trap ? " trap" : ""}`,
          tabindex: "-1",
          "data-square": squareName(square),
        });
        this.cells[square] = cell;
        return cell;
      });
      rows.push(h("div", { role: "row", class: "row" }, cells));
    }
    this.grid.replaceChildren(...rows);
    const files = [..."abcdefgh"];
    const ranks = [..."87654321"];
    if (this.#leftIsH) files.reverse();
    if (this.state.flipped) ranks.reverse();
    this.coordinates.replaceChildren(
      ...ranks.map((rank, i) => h("span", { class: `rank y${i}` }, rank)),
      ...files.map((file, i) => h("span", { class: `file x${i}` }, file)),
    );
  }

  /** Puts the piece elements where the state says, with motion. @param {Step[]} steps */
  #place(steps) {
    const { board } = this.state;
    for (const { from, to, removed } of steps) {
      const element = this.pieces.get(from);
      if (element && !this.pieces.has(to)) {
        this.pieces.delete(from);
        this.pieces.set(to, element);
      }
      if (removed && board[removed.square] !== removed.piece) this.#drop(removed.square);
    }
    /** @type {Map<string, {square: number, element: HTMLElement}[]>} */
    const spare = new Map();
    for (const [square, element] of [...this.pieces]) {
      const piece = element.dataset.piece ?? "";
      if (board[square] === piece) continue;
      this.pieces.delete(square);
      spare.set(piece, [...(spare.get(piece) ?? []), { square, element }]);
    }
    for (let square = 0; square < 64; square++) {
      const piece = board[square];
      if (!piece || this.pieces.has(square)) continue;
      const candidates = (spare.get(piece) ?? []).sort((a, b) => distance(a.square, square) - distance(b.square, square));
      const nearest = candidates.shift();
      const element = nearest?.element ?? h("div", { class: `${pieceClass(piece)}`, "data-piece": piece });
      if (!nearest) this.layer.append(element);
      this.pieces.set(square, element);
    }
    for (const rest of spare.values()) for (const { element } of rest) element.remove();
    for (const [square, element] of this.pieces) {
      if (element !== this.dragged) element.style.transform = this.#transform(square);
    }
  }

  /** A piece falls into a trap. @param {number} square */
  #drop(square) {
    const element = this.pieces.get(square);
    if (!element) return;
    this.pieces.delete(square);
    element.style.transform = this.#transform(square);
    element.classList.add("falling");
    setTimeout(() => element.remove(), 420);
  }

  /** @param {number} square */
  #transform(square) {
    const [x, y] = this.#at(square);
    return `translate(${x * 100}%, ${y * 100}%)`;
  }

  /** Column and row on the screen. @param {number} square @returns {[number, number]} */
  #at(square) {
    const [file, rank] = [square & 7, square >> 3];
    return [this.#leftIsH ? 7 - file : file, this.state.flipped ? rank : 7 - rank];
  }

  /** Turned round the h file is on the left, unless it is mirrored as well. */
  get #leftIsH() {
    return this.state.flipped !== this.state.mirrored;
  }

  /** The other way round. @param {number} x @param {number} y */
  #squareAt(x, y) {
    return (this.state.flipped ? y : 7 - y) * 8 + (this.#leftIsH ? 7 - x : x);
  }

  #paint() {
    const { board, selected, dots, movable, frozen, last, area, marks } = this.state;
    for (let square = 0; square < 64; square++) {
      const cell = /** @type {HTMLElement} */ (this.cells[square]);
      const dot = dots.get(square);
      const classes = cell.classList;
      classes.toggle("selected", square === selected);
      classes.toggle("last", last.has(square));
      classes.toggle("faded", area !== null && !area.has(square));
      classes.toggle("grab", movable.has(square));
      if (dot) cell.dataset.dot = dot;
      else delete cell.dataset.dot;
      const mark = marks.get(square);
      if (mark) cell.dataset.mark = mark;
      else delete cell.dataset.mark;
      cell.tabIndex = square === this.cursor ? 0 : -1;
      const piece = board[square];
      const words = [
        squareName(square),
        piece ? pieceName(piece) : "empty",
        TRAPS.includes(square) ? "trap" : "",
        frozen.has(square) ? "frozen" : "",
        square === selected ? "selected" : "",
        dot ? DOT_WORDS[dot] ?? "possible" : "",
        mark ? mark : "",
      ];
      const label = words.filter(Boolean).join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      const element = this.pieces.get(square);
      if (element) {
        element.classList.toggle("frozen", frozen.has(square));
        element.classList.toggle("faded", area !== null && !area.has(square));
      }
    }
    this.arrows.replaceChildren(...this.state.arrows.map((arrow) => this.#arrow(arrow)));
  }

  /** @param {Arrow} arrow */
  #arrow({ way, kind }) {
    const points = way.map((square) => {
      const [x, y] = this.#at(square);
      return [x + 0.5, y + 0.5];
    });
    const [x2, y2] = points[points.length - 1] ?? [0, 0];
    const [x1, y1] = points[points.length - 2] ?? [0, 0];
    const [ux, uy] = [Math.sign((x2 ?? 0) - (x1 ?? 0)), Math.sign((y2 ?? 0) - (y1 ?? 0))];
    const [tx, ty] = [(x2 ?? 0) + ux * 0.22, (y2 ?? 0) + uy * 0.22];
    // The line ends where the head begins.
    points[points.length - 1] = [tx - ux * 0.34, ty - uy * 0.34];
    const head = [
      [tx, ty],
      [tx - ux * 0.38 - uy * 0.23, ty - uy * 0.38 - ux * 0.23],
      [tx - ux * 0.38 + uy * 0.23, ty - uy * 0.38 + ux * 0.23],
    ];
    return s(
      "g",
      { class: `arrow ${kind}` },
      s("polyline", { points: points.map((p) => p.join(",")).join(" ") }),
      s("polygon", { points: head.map((p) => p.join(",")).join(" ") }),
    );
  }

  /** The square under the pointer, or -1. @param {PointerEvent} event */
  #under(event) {
    const box = this.grid.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const y = Math.floor(((event.clientY - box.top) / box.height) * 8);
    if (x < 0 || x > 7 || y < 0 || y > 7) return -1;
    return this.#squareAt(x, y);
  }

  #listen() {
    this.element.addEventListener("pointerdown", (event) => this.#down(event));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => {
      const square = this.cells.indexOf(/** @type {HTMLElement} */ (event.target));
      if (square >= 0 && square !== this.cursor) {
        this.cursor = square;
        this.#paint();
      }
    });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    const from = this.#under(event);
    if (from < 0) return;
    this.events.press?.();
    const element = this.state.movable.has(from) ? this.pieces.get(from) : undefined;
    const start = { x: event.clientX, y: event.clientY };
    let dragging = false;
    const size = this.grid.getBoundingClientRect().width / 8;
    const control = new AbortController();
    const { signal } = control;

    /** @param {PointerEvent} move */
    const onMove = (move) => {
      if (!element || move.pointerId !== event.pointerId) return;
      const far = Math.hypot(move.clientX - start.x, move.clientY - start.y);
      if (!dragging && far < 5) return;
      if (!dragging) {
        dragging = true;
        this.dragged = element;
        element.classList.add("dragging");
        this.events.lift?.(from);
      }
      const box = this.grid.getBoundingClientRect();
      const [x, y] = [move.clientX - box.left - size / 2, move.clientY - box.top - size / 2];
      element.style.transform = `translate(${x}px, ${y}px) scale(1.12)`;
      this.#over(this.#under(move));
    };
    /** @param {PointerEvent} up */
    const onUp = (up) => {
      if (up.pointerId !== event.pointerId) return;
      control.abort();
      this.#over(-1);
      const to = up.type === "pointercancel" ? -1 : this.#under(up);
      if (!dragging) {
        if (to === from) {
          this.cursor = from;
          this.events.pick?.(from);
        } else if (to >= 0 && this.state.board[from]) {
          // A piece that could not be lifted: whoever listens can say why.
          this.events.drop?.(from, to);
        }
        return;
      }
      this.dragged = undefined;
      element?.classList.remove("dragging");
      if (to !== from) this.events.drop?.(from, to);
      // Back to its square, or to the new one: wherever the state has put it.
      this.#place([]);
      this.#paint();
    };
    window.addEventListener("pointermove", onMove, { signal });
    window.addEventListener("pointerup", onUp, { signal });
    window.addEventListener("pointercancel", onUp, { signal });
  }

  /** Shows which square the dragged piece is over. @param {number} square */
  #over(square) {
    if (this.overCell) this.overCell.classList.remove("over");
    this.overCell = square >= 0 ? this.cells[square] : undefined;
    this.overCell?.classList.add("over");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const up = this.state.flipped ? -1 : 1;
    const right = this.#leftIsH ? -1 : 1;
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step) {
      const x = (this.cursor & 7) + (step[0] ?? 0) * right;
      const y = (this.cursor >> 3) + (step[1] ?? 0) * up;
      if (x >= 0 && x < 8 && y >= 0 && y < 8) this.focus(y * 8 + x);
    } else if (event.key === "Enter" || event.key === " ") {
      this.events.pick?.(this.cursor);
    } else if (event.key === "Escape") {
      this.events.cancel?.();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @type {Record<string, string>} */
const DOT_WORDS = {
  step: "can step here",
  far: "can walk here",
  push: "can be pushed",
  pull: "can be pulled",
  choice: "choose",
};

/** @param {number} a @param {number} b */
const distance = (a, b) => Math.abs((a & 7) - (b & 7)) + Math.abs((a >> 3) - (b >> 3));

/**
 * A small board that only shows. `squares` in `lit` are brought out.
 * @param {string[]} board
 * @param {{label?: string, lit?: Set<number>, flipped?: boolean}} [options]
 */
export function miniBoard(board, { label, lit, flipped = false } = {}) {
  const words = label ?? `${roleWords(board)}`;
  const element = h("div", { class: "mini-board", role: "img", "aria-label": words });
  for (const trap of TRAPS) element.append(h("div", { class: `mini-trap ${place(trap, flipped)}` }));
  for (const square of lit ?? []) element.append(h("div", { class: `mini-lit ${place(square, flipped)}` }));
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece) element.append(h("div", { class: `${pieceClass(piece)} ${place(square, flipped)}` }));
  }
  return element;
}

/** @param {string[]} board */
const roleWords = (board) => {
  const count = board.filter(Boolean).length;
  const elephant = board.indexOf("E");
  return `board with ${count} pieces${elephant >= 0 ? `, gold ${roleName("E")} on ${squareName(elephant)}` : ""}`;
};

/** Classes for the place on a small board. @param {number} square @param {boolean} flipped */
const place = (square, flipped) =>
  flipped ? `x${7 - (square & 7)} y${square >> 3}` : `x${square & 7} y${7 - (square >> 3)}`;
