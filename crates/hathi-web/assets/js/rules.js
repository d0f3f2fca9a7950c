// @ts-check
/**
 * The rules of Arimaa as the page needs them: which step is legal now, what it
 * does, and if it is not legal, why. The server judges every turn again; this
 * is here so that the board answers at once.
 *
 * A square is a number, a1 = 0, b1 = 1, ... h8 = 63. A board is 64 letters,
 * upper case Gold, lower case Silver, "" for an empty square.
 */

/** @typedef {"g" | "s"} Side */
/** @typedef {string[]} Board */

/**
 * What the last step allows or demands: an own piece has just left `into`
 * (may pull), or an enemy has just been pushed off `into` (must push).
 * @typedef {{kind: "may pull" | "must push", into: number, strength: number} | null} PushPull
 */

/**
 * A position at the start of a turn or in the middle of one.
 * @typedef {object} Position
 * @property {Board} board
 * @property {Side} side whose turn it is
 * @property {number} left steps left in this turn, 4 at its start
 * @property {PushPull} pushPull
 * @property {Board} before the board when the turn began
 */

/**
 * One step as it was taken.
 * @typedef {object} Step
 * @property {string} piece
 * @property {number} from
 * @property {number} to
 * @property {{piece: string, square: number} | null} removed what fell into a trap
 */

export const TRAPS = [18, 21, 42, 45];
export const LETTERS = "RCDHME";
const NAMES = ["rabbit", "cat", "dog", "horse", "camel", "elephant"];
/** n, e, s, w as seen by Gold. */
const DIRECTIONS = [
  { letter: "n", dx: 0, dy: 1 },
  { letter: "e", dx: 1, dy: 0 },
  { letter: "s", dx: 0, dy: -1 },
  { letter: "w", dx: -1, dy: 0 },
];

/** @param {number} square */
export const squareName = (square) => "abcdefgh"[square & 7] + String((square >> 3) + 1);

/**
 * @param {string} name
 * @returns {number} -1 if it is no square
 */
export function squareAt(name) {
  const file = "abcdefgh".indexOf(name[0] ?? "?");
  const rank = "12345678".indexOf(name[1] ?? "?");
  return name.length === 2 && file >= 0 && rank >= 0 ? rank * 8 + file : -1;
}

/** @param {string} piece @returns {Side} */
export const sideOf = (piece) => (piece < "a" ? "g" : "s");
/** 1 rabbit to 6 elephant. @param {string} piece */
export const strength = (piece) => LETTERS.indexOf(piece.toUpperCase()) + 1;
/** @param {string} piece */
export const roleName = (piece) => NAMES[strength(piece) - 1] ?? "piece";
/** @param {Side} side */
export const sideName = (side) => (side === "g" ? "Gold" : "Silver");
/** @param {string} piece */
export const pieceName = (piece) => `${sideName(sideOf(piece)).toLowerCase()} ${roleName(piece)}`;
/** @param {Side} side @returns {Side} */
export const opponent = (side) => (side === "g" ? "s" : "g");

/** @type {number[][]} */
const NEIGHBOURS = Array.from({ length: 64 }, (_, square) =>
  DIRECTIONS.flatMap(({ dx, dy }) => {
    const [x, y] = [(square & 7) + dx, (square >> 3) + dy];
    return x >= 0 && x < 8 && y >= 0 && y < 8 ? [y * 8 + x] : [];
  }),
);
/** @param {number} square */
export const neighbours = (square) => /** @type {number[]} */ (NEIGHBOURS[square]);

/** @param {number} from @param {number} to */
function directionLetter(from, to) {
  const [dx, dy] = [(to & 7) - (from & 7), (to >> 3) - (from >> 3)];
  return DIRECTIONS.find((d) => d.dx === dx && d.dy === dy)?.letter ?? "?";
}

/** @returns {Board} */
export const emptyBoard = () => Array.from({ length: 64 }, () => "");

/**
 * A fresh turn.
 * @param {Board} board @param {Side} side
 * @returns {Position}
 */
export const freshTurn = (board, side) => ({
  board: [...board],
  side,
  left: 4,
  pushPull: null,
  before: [...board],
});

/** @param {Board} a @param {Board} b */
export const sameBoard = (a, b) => a.every((piece, square) => piece === b[square]);

/**
 * The square of a stronger enemy that freezes the piece, or -1.
 * @param {Board} board @param {number} square
 */
export function freezer(board, square) {
  const piece = board[square] ?? "";
  if (!piece) return -1;
  let by = -1;
  for (const next of neighbours(square)) {
    const other = board[next];
    if (!other) continue;
    if (sideOf(other) === sideOf(piece)) return -1;
    if (strength(other) > strength(piece)) by = next;
  }
  return by;
}

/**
 * Own pieces that could push the enemy piece on `square` away.
 * @param {Position} position @param {number} square
 */
export function pushers(position, square) {
  const { board, side } = position;
  const enemy = board[square] ?? "";
  return neighbours(square).filter((from) => {
    const piece = board[from];
    return piece && sideOf(piece) === side && strength(piece) > strength(enemy) && freezer(board, from) < 0;
  });
}

/** Is an enemy step to `to` the second half of a pull? @param {Position} position @param {string} enemy @param {number} to */
const isPull = ({ pushPull }, enemy, to) =>
  pushPull?.kind === "may pull" && pushPull.into === to && strength(enemy) < pushPull.strength;

/**
 * Why this single step is not legal now, in words; null if it is legal.
 * @param {Position} position @param {number} from @param {number} to
 * @returns {string | null}
 */
export function whyNot(position, from, to) {
  const { board, side, left, pushPull } = position;
  const piece = board[from];
  if (!piece) return `There is no piece on ${squareName(from)}.`;
  if (left === 0) return "All four steps of this turn are used. Finish the turn or take a step back.";
  if (!neighbours(from).includes(to)) return "A step goes to one of the four squares beside the piece.";
  const there = board[to];
  if (there) return `${squareName(to)} is occupied by the ${pieceName(there)}.`;
  if (sideOf(piece) === side) {
    const back = side === "g" ? to < from - 1 : to > from + 1;
    if (strength(piece) === 1 && back) return "Rabbits do not step backward.";
    const by = freezer(board, from);
    if (by >= 0) {
      return `The ${roleName(piece)} on ${squareName(from)} is frozen by the ${roleName(board[by] ?? "")} on ${squareName(by)}: a stronger enemy beside it and no friend.`;
    }
    if (pushPull?.kind === "must push") {
      if (pushPull.into !== to) return mustComplete(pushPull);
      if (strength(piece) <= pushPull.strength) {
        return `A ${roleName(piece)} cannot push a ${NAMES[pushPull.strength - 1]}: the pusher must be stronger.`;
      }
    }
    return null;
  }
  if (pushPull?.kind === "must push") return mustComplete(pushPull);
  if (isPull(position, piece, to)) return null;
  if (strength(piece) === 6) return "Nothing is stronger than an elephant: it cannot be pushed or pulled.";
  if (pushers(position, from).length === 0) {
    return `This ${roleName(piece)} is ${sideName(sideOf(piece))}'s. To push it you need a stronger piece beside it that is not frozen.`;
  }
  if (left < 2) return "A push takes two steps and only one is left.";
  return null;
}

/** @param {NonNullable<PushPull>} pushPull */
const mustComplete = (pushPull) =>
  `The push must be completed first: a piece stronger than a ${NAMES[pushPull.strength - 1]} steps into ${squareName(pushPull.into)}.`;

/**
 * Where the piece on `from` may go with one step.
 * @param {Position} position @param {number} from
 */
export const stepsFrom = (position, from) =>
  neighbours(from).filter((to) => whyNot(position, from, to) === null);

/**
 * Every legal single step.
 * @param {Position} position
 * @returns {{from: number, to: number}[]}
 */
export function legalSteps(position) {
  const steps = [];
  for (let from = 0; from < 64; from++) {
    for (const to of position.board[from] ? stepsFrom(position, from) : []) steps.push({ from, to });
  }
  return steps;
}

/**
 * Takes a legal step.
 * @param {Position} position @param {number} from @param {number} to
 * @returns {{position: Position, step: Step}}
 */
export function take(position, from, to) {
  const piece = position.board[from] ?? "";
  const board = [...position.board];
  board[from] = "";
  board[to] = piece;
  let removed = null;
  for (const trap of TRAPS) {
    const victim = board[trap];
    if (victim && !neighbours(trap).some((n) => board[n] && sideOf(board[n] ?? "") === sideOf(victim))) {
      board[trap] = "";
      removed = { piece: victim, square: trap };
    }
  }
  /** @type {PushPull} */
  let pushPull = null;
  if (sideOf(piece) === position.side) {
    // A piece that completes a push cannot pull with that same step.
    if (position.pushPull?.kind !== "must push") {
      pushPull = { kind: "may pull", into: from, strength: strength(piece) };
    }
  } else if (!isPull(position, piece, to)) {
    pushPull = { kind: "must push", into: from, strength: strength(piece) };
  }
  return {
    position: { ...position, board, left: position.left - 1, pushPull },
    step: { piece, from, to, removed },
  };
}

/**
 * Enemy pieces that can be pulled after the last step, and where to.
 * @param {Position} position
 * @returns {number[]}
 */
export function pullable(position) {
  const { pushPull, board, side, left } = position;
  if (pushPull?.kind !== "may pull" || left === 0) return [];
  const { into, strength: puller } = pushPull;
  if (board[into]) return [];
  return neighbours(into).filter((n) => {
    const piece = board[n];
    return piece && sideOf(piece) !== side && strength(piece) < puller;
  });
}

/**
 * Why the turn cannot end here; null if it can.
 * @param {Position} position
 * @returns {string | null}
 */
export function whyNotEnd(position) {
  if (position.left === 4) return "A turn needs at least one step.";
  if (position.pushPull?.kind === "must push") return mustComplete(position.pushPull);
  if (sameBoard(position.board, position.before)) return "The turn must change the position.";
  return null;
}

/** @param {Position} position */
export const endTurn = (position) => freshTurn(position.board, opponent(position.side));

/**
 * A walk of one own piece over several steps, shortest first, never through a
 * square where it would be lost. For dragging a piece further than one square.
 * @param {Position} position @param {number} from
 * @returns {Map<number, number[]>} target square to the squares on the way
 */
export function walks(position, from) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  const piece = position.board[from];
  if (!piece || sideOf(piece) !== position.side) return found;
  /** @type {{at: number, path: number[], position: Position}[]} */
  let edge = [{ at: from, path: [], position }];
  while (edge.length > 0) {
    const next = [];
    for (const { at, path, position: here } of edge) {
      for (const to of stepsFrom(here, at)) {
        if (to === from || found.has(to)) continue;
        const after = take(here, at, to).position;
        const way = [...path, to];
        found.set(to, way);
        if (after.board[to] === piece) next.push({ at: to, path: way, position: after });
      }
    }
    edge = next;
  }
  return found;
}

/**
 * Where a piece of the side to move would be lost or won is decided at the end
 * of a turn, by whoever has just moved. Repetition and "no legal turn" are for
 * the server, which knows the whole game; blocked sides are seen here, too.
 * @param {Board} board @param {Side} moved who has just moved
 * @returns {{winner: Side, reason: string} | null}
 */
export function outcome(board, moved) {
  const other = opponent(moved);
  const onGoal = (/** @type {Side} */ side) =>
    board.some((p, sq) => p === (side === "g" ? "R" : "r") && sq >> 3 === (side === "g" ? 7 : 0));
  const rabbits = (/** @type {Side} */ side) => board.includes(side === "g" ? "R" : "r");
  if (onGoal(moved)) return { winner: moved, reason: "a rabbit reached the goal" };
  if (onGoal(other)) return { winner: other, reason: "a rabbit was left on the goal" };
  if (!rabbits(other)) return { winner: moved, reason: "all rabbits were captured" };
  if (!rabbits(moved)) return { winner: other, reason: "all rabbits were lost" };
  if (legalSteps(freshTurn(board, other)).length === 0) {
    return { winner: moved, reason: `${sideName(other)} cannot move` };
  }
  return null;
}

/** @param {Step} step */
export function stepText({ piece, from, to, removed }) {
  const text = piece + squareName(from) + directionLetter(from, to);
  return removed ? `${text} ${removed.piece}${squareName(removed.square)}x` : text;
}

/** @param {Step[]} steps */
export const turnText = (steps) => steps.map(stepText).join(" ");
