// @ts-check
/**
 * Painting a pattern. The text is the truth; the board shows those of its
 * conditions that are about one square, and painting changes those.
 */

/** One square's condition: what, and where. */
const CELL = /^(!?(?:[GS]?(?:<=|>=|<|>|=)[A-Za-z]|[RCDHMErcdhmeGS*_]))([a-h][1-8])$/;

/** @param {string} text */
const words = (text) => text.split(/[\s,]+/).filter(Boolean);

/** What is painted: square name to condition. @param {string} text @returns {Map<string, string>} */
export function painted(text) {
  /** @type {Map<string, string>} */
  const cells = new Map();
  if (JOINED.test(text)) return cells;
  for (const word of words(text)) {
    const match = CELL.exec(word);
    if (match) cells.set(match[2] ?? "", match[1] ?? "");
  }
  return cells;
}

/** Words that give squares beside them another meaning than "and this stands there". */
const JOINED = /\b(?:or|not|then|never|until|for|plays)\b/i;

/** Is this a list of words, as painting makes it, and not a drawn board or a sequence? @param {string} text */
export const canPaint = (text) => !text.includes("|") && !JOINED.test(text);

/** Does the pattern have these words? @param {string} text @param {string} phrase */
export const hasPhrase = (text, phrase) => ` ${text} `.includes(` ${phrase} `);

/** The text with the words added at the end, or without them if it has them. @param {string} text @param {string} phrase */
export function togglePhrase(text, phrase) {
  const without = ` ${text.trim()} `.replace(` ${phrase} `, " ").trim();
  return hasPhrase(text, phrase) ? without : `${text.trim()} ${phrase}`.trim();
}

/**
 * The text with one square painted anew, or cleared with "".
 * @param {string} text @param {string} square @param {string} what
 */
export function paint(text, square, what) {
  const kept = [];
  const rest = [];
  for (const word of words(text)) {
    const match = CELL.exec(word);
    if (match) {
      if (match[2] !== square) kept.push(word);
    } else {
      rest.push(word);
    }
  }
  if (what) kept.push(what + square);
  return [...kept, ...rest].join(" ");
}

/** Whose turn the pattern asks for. @param {string} text @returns {"" | "g" | "s"} */
export function turnOf(text) {
  const match = /\b([gs]) to move\b/.exec(text);
  return match ? /** @type {"g"} */ (match[1]) : "";
}

/** @param {string} text @param {"" | "g" | "s"} side */
export function setTurn(text, side) {
  const rest = text.replace(/\s*,?\s*\b[gs] to move\b/g, "").trim();
  return side ? `${rest} ${side} to move`.trim() : rest;
}
