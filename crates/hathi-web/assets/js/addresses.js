// @ts-check
/**
 * Every address of the page is made and read here, and nowhere else: the
 * address is the state, so there must be one idea of what it says.
 *
 * | address                                  | shows                                      |
 * |------------------------------------------|--------------------------------------------|
 * | /                                        | Gold's setups                              |
 * | /learn, /learn/ID?task=2                 | the lessons, one of them and its task      |
 * | /setups?gold=LETTERS                     | Silver's replies                           |
 * | /explore?at=POSITION&kind=&trap=&piece=  | what was played in a position              |
 * | /play?at=POSITION&engine=NAME, /play/ID  | begin a game, a game                       |
 * | /review, /review/ID?ply=12&then=TURN~TURN| games, one of them and a variation         |
 * | /review/ID?ply=12&found=12fm-c3d4        | the same, turned as a search found it      |
 * | /review/ARENA.NUMBER, /review/pasted#GAME| a game of a tournament, one that was pasted|
 * | /study/ID?ply=12&then=TURN~TURN          | a game with comments and variations        |
 * | /search?pattern=TEXT&one_per_game=true   | positions with a pattern                   |
 * | /puzzles?kind=KIND, /puzzles/ID          | any puzzle, a certain one                  |
 * | /watch, /watch/ID                        | tournaments, one of them                   |
 * | /lab, /lab/reports/NAME, /lab/TAB?position=POSITION&graph=NAME | the laboratory       |
 * | /memory                                  | the games there are, and adding more       |
 * | /about, /api                             |                                            |
 *
 * Filters of the memory stand beside in Explore, Review and Search.
 */

import { readPosition } from "./notation.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {{board: Board, side: Side}} At */
/** @typedef {Record<string, string>} Filters */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Params */
/** @typedef {"learn" | "explore" | "play" | "review" | "search" | "motifs" | "puzzles" | "watch" | "lab" | "memory" | "about" | "api"} PageName */

/** What a filter is called in an address, and in a question to the server. */
export const FILTER_NAMES = /** @type {const} */ ([
  "source",
  "numbers",
  "min_rating",
  "max_rating",
  "player",
  "as",
  "who",
  "event",
  "from",
  "to",
  "pace",
  "rated",
  "result",
  "moves",
  "literal",
]);

/**
 * `/path?a=b`, without what is empty.
 * @param {string} path @param {Params} [params]
 */
export function withQuery(path, params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) query.set(key, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

// --- which page ------------------------------------------------------------------

/** @type {Record<PageName, RegExp>} */
const PATHS = {
  learn: /^\/learn(\/|$)/,
  explore: /^\/(explore|setups)?$/,
  play: /^\/play(\/|$)/,
  review: /^\/(review(\/|$)|study\/)/,
  search: /^\/search$/,
  motifs: /^\/motifs$/,
  puzzles: /^\/puzzles(\/|$)/,
  watch: /^\/watch(\/|$)/,
  lab: /^\/lab(\/|$)/,
  memory: /^\/memory$/,
  about: /^\/about$/,
  api: /^\/api\/?$/,
};

/** The page an address belongs to, if any. @param {string} path @returns {PageName | null} */
export function pageAt(path) {
  for (const [name, pattern] of Object.entries(PATHS)) if (pattern.test(path)) return /** @type {PageName} */ (name);
  return null;
}

/** The tabs of the laboratory that look at one position. */
export const LAB_TABS = /** @type {const} */ (["phases", "plans", "graphs", "model"]);

/** Addresses with the same key are one page that is told of the change, others are built anew. @param {URL} url */
export function pageKey({ pathname }) {
  if (pageAt(pathname) === "explore") return "/";
  const { tab } = readLab(pathname);
  return tab === "" ? pathname : "/lab/position";
}

/** The part behind the first slash, e.g. the ID of /play/ID. @param {string} path */
function behind(path) {
  const part = path.split("/")[2] ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The filters in an address. @param {URL} url @returns {Filters} */
export function readFilters({ searchParams }) {
  /** @type {Filters} */
  const found = {};
  for (const name of FILTER_NAMES) {
    const value = searchParams.get(name);
    if (value) found[name] = value;
  }
  return found;
}

// --- positions -------------------------------------------------------------------

/** Short enough for an address: rows with digits for empty squares, then the side. @param {Board} board @param {Side} side */
export function positionSlug(board, side) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    const row = board.slice(rank * 8, rank * 8 + 8).map((p) => p || "1");
    rows.push(row.join("").replace(/1+/g, (run) => String(run.length)));
  }
  return `${rows.join("_")}_${side}`;
}

/** @param {string} slug @returns {At | null} */
export function readSlug(slug) {
  const rows = slug.split("_");
  const side = rows.pop();
  if (side !== "g" && side !== "s") return null;
  const wide = rows.map((row) => row.replace(/[1-8]/g, (n) => " ".repeat(Number(n))));
  return readPosition(`${side} [${wide.join("")}]`);
}

/** Why a slug is none, in words. @param {string} slug */
export function slugFault(slug) {
  const rows = slug.split("_");
  const side = rows.pop();
  if (rows.length !== 8) return `it has ${rows.length} row${rows.length === 1 ? "" : "s"}, not eight, with _ between them and g or s at the end`;
  if (side !== "g" && side !== "s") return `it ends with ${side || "nothing"}, not with g or s for the side to move`;
  for (const [index, row] of rows.entries()) {
    const stranger = [...row].find((letter) => !/[1-8EMHDCRemhdcr]/.test(letter));
    if (stranger) return `${stranger} in row ${8 - index} is neither a piece nor a number of empty squares`;
    const squares = [...row].reduce((sum, letter) => sum + (Number(letter) || 1), 0);
    if (squares !== 8) return `row ${8 - index} has ${squares} squares, not eight`;
  }
  return "it is not a board";
}

// --- learn -----------------------------------------------------------------------

export const LEARN = "/learn";

/** @param {string} id @param {number} [task] from 1 */
export const lessonAddress = (id, task) => withQuery(`/learn/${encodeURIComponent(id)}`, { task });

/** @param {URL} url */
export const readLearn = ({ pathname, searchParams: query }) => ({
  id: behind(pathname),
  /** From 1; 0 if the address names none. */
  task: Math.max(0, Math.floor(Number(query.get("task") ?? 0)) || 0),
});

// --- explore ---------------------------------------------------------------------

export const HOME = "/";

/** Silver's replies to sixteen letters. @param {string} gold @param {Filters} [filters] */
export const repliesAddress = (gold, filters) => withQuery("/setups", { gold, ...filters });

/**
 * @param {string} at the slug of a position
 * @param {{kind?: string | null, trap?: string | null, piece?: string | null}} [part] what must be the same
 * @param {Filters} [filters]
 */
export const exploreAddress = (at, { kind, trap, piece } = {}, filters = {}) => withQuery("/explore", { at, kind, trap, piece, ...filters });

/** @param {URL} url */
export function readExplore(url) {
  const { searchParams: query } = url;
  return {
    at: query.get("at") ?? "",
    gold: (query.get("gold") ?? "").toUpperCase(),
    kind: query.get("kind") ?? undefined,
    trap: query.get("trap") ?? undefined,
    piece: query.get("piece") ?? undefined,
    filters: readFilters(url),
  };
}

/** The same place of Explore with other filters. @param {URL} url @param {Filters} filters */
export function refilteredExplore(url, filters) {
  const { at, gold, kind, trap, piece } = readExplore(url);
  return withQuery(url.pathname, { at, gold, kind, trap, piece, ...filters });
}

// --- play ------------------------------------------------------------------------

/** Where games begin. @param {{at?: string, engine?: string}} [wish] from which position, against whom */
export const playAddress = ({ at, engine } = {}) => withQuery("/play", { at, engine });

/** @param {string} id */
export const gameAddress = (id) => `/play/${encodeURIComponent(id)}`;

/** @param {URL} url */
export const readPlay = ({ pathname, searchParams: query }) => ({
  id: behind(pathname),
  at: query.get("at") ?? "",
  engine: query.get("engine") ?? "",
});

// --- review ----------------------------------------------------------------------

/** @param {Filters} [filters] */
export const reviewsAddress = (filters) => withQuery("/review", filters);

/** A game of the memory, by what it is known by. @param {string} id @param {number} [ply] @param {string} [found] */
export const reviewAddress = (id, ply, found) => withQuery(`/review/${encodeURIComponent(id).replaceAll("%3A", ":")}`, { ply, found });

/**
 * What a search has found in a game: where, how the board was turned for it, and squares to mark.
 * @typedef {{ply: number, flipped: boolean, mirrored: boolean, squares: string[]}} FoundAt
 */

/** @param {FoundAt} found */
export const foundText = ({ ply, flipped, mirrored, squares }) => `${ply}${flipped ? "f" : ""}${mirrored ? "m" : ""}-${squares.join("")}`;

/** @param {string} text @returns {FoundAt | null} */
function readFound(text) {
  const match = /^(\d+)(f?)(m?)-((?:[a-h][1-8])*)$/.exec(text);
  return match && { ply: Number(match[1]), flipped: match[2] !== "", mirrored: match[3] !== "", squares: match[4]?.match(/../g) ?? [] };
}

/** A game of a tournament. @param {string} arena @param {number} number */
export const arenaGameAddress = (arena, number) => reviewAddress(`${arena}.${number}`);

/** A game whose text is in the address. @param {string} packed */
export const pastedAddress = (packed) => `/review/pasted#${packed}`;

/** A study. @param {string} id @param {number} [ply] */
export const studyAddress = (id, ply) => withQuery(`/study/${encodeURIComponent(id)}`, { ply });

/** The same game elsewhere: at a turn, and along a variation from there. @param {URL} url @param {number} ply @param {string[]} then */
export const reviewedAt = (url, ply, then) => withQuery(url.pathname, { ply, then: then.map((turn) => turn.replaceAll(" ", ".")).join("~"), found: url.searchParams.get("found") }) + url.hash;

/** @param {URL} url */
export function readReview({ pathname, searchParams: query, hash }) {
  const id = behind(pathname);
  const arena = /^(.+)\.(\d+)$/.exec(id);
  return {
    id,
    arena: arena ? { id: arena[1] ?? "", number: Number(arena[2]) } : null,
    /** The text of a pasted game, packed. */
    pasted: id === "pasted" ? hash.slice(1) : null,
    study: pathname.startsWith("/study/") ? id : null,
    ply: Number(query.get("ply") ?? 0) || 0,
    found: readFound(query.get("found") ?? ""),
    then: (query.get("then") ?? "").split("~").map((turn) => turn.replaceAll(".", " ")).filter(Boolean),
  };
}

// --- search ----------------------------------------------------------------------

/** @param {string} pattern @param {boolean} [onePerGame] @param {Filters} [filters] */
export const searchAddress = (pattern, onePerGame = false, filters = {}) => withQuery("/search", { pattern, one_per_game: onePerGame, ...filters });

/** @param {URL} url */
export const readSearch = (url) => ({
  pattern: url.searchParams.get("pattern") ?? "",
  onePerGame: url.searchParams.get("one_per_game") === "true",
  filters: readFilters(url),
});

// --- puzzles ---------------------------------------------------------------------

/** Any puzzle. */
export const PUZZLES = "/puzzles";

/** @param {string} id */
export const puzzleAddress = (id) => `/puzzles/${encodeURIComponent(id)}`;

/** The win in two of a game's move. @param {string} game @param {string} move */
export const winAddress = (game, move) => puzzleAddress(`win-${game}-${move}`);

/** @param {URL} url @returns {{id: string, kind: "win" | "goal"}} */
export function readPuzzle({ pathname, searchParams: query }) {
  const id = behind(pathname);
  return { id, kind: id.startsWith("goal") || query.get("kind") === "goal" ? "goal" : "win" };
}

// --- watch -----------------------------------------------------------------------

export const WATCH = "/watch";

/** @param {string} id */
export const arenaAddress = (id) => `/watch/${encodeURIComponent(id)}`;

/** @param {URL} url */
export const readWatch = ({ pathname }) => ({ id: behind(pathname) });

// --- lab -------------------------------------------------------------------------

/** @typedef {typeof LAB_TABS[number]} LabTab */

/** Its reports. @param {string} [position] the slug of the position the other tabs look at */
export const labAddress = (position) => withQuery("/lab", { position });

/** @param {LabTab} tab @param {string} [position] a slug @param {string | null} [graph] */
export const labTabAddress = (tab, position, graph) => withQuery(`/lab/${tab}`, { position, graph });

/** @param {string} name */
export const reportAddress = (name) => `/lab/reports/${encodeURIComponent(name)}`;

/** A file of a report, as it is. @param {string} report @param {string} file */
export const reportFileAddress = (report, file) => `/lab-files/${encodeURIComponent(report)}/${encodeURIComponent(file)}`;

/** @param {string} path @returns {{tab: LabTab | "", report: string}} */
function readLab(path) {
  const name = behind(path);
  const tab = pageAt(path) === "lab" ? LAB_TABS.find((known) => known === name) : undefined;
  // Before there were tabs, reports had their name right behind /lab.
  return { tab: tab ?? "", report: tab ? "" : name === "reports" ? behind(path.replace("/reports", "")) : name };
}

/** @param {URL} url */
export const readLabPlace = ({ pathname, searchParams: query }) => ({
  ...readLab(pathname),
  position: query.get("position") ?? "",
  graph: query.get("graph"),
});

// --- the rest --------------------------------------------------------------------

export const MEMORY = "/memory";
/** Where the games of the game room can be had. */
export const REAL_ARCHIVES = "http://arimaa.com/arimaa/download/gameData/";
export const MOTIFS = "/motifs";
export const ABOUT = "/about";
export const API = "/api";
export const API_DESCRIPTION = "/api/v1/openapi.json";
