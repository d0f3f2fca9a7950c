// @ts-check
/** Search: paint a pattern or type it; every position that has it comes as a small board. */

import { foundText, MOTIFS, readFilters, readSearch, reviewAddress, searchAddress } from "../addresses.js";
import { ApiError, apiAddress, get, isAbort, isBeingComputed, messageOf, soon, stream } from "../api.js";
import { BoardPanel } from "../board-panel.js";
import { miniBoard, pieceClass } from "../board.js";
import { announce, fill, h, number, percent, plural } from "../dom.js";
import { icon } from "../icons.js";
import { readPosition } from "../notation.js";
import { chips, ending, FilterBox, playerName, winBar } from "../parts.js";
import { canPaint, hasPhrase, paint, painted, setTurn, togglePhrase, turnOf } from "../pattern.js";
import { emptyBoard, pieceName, squareAt, squareName } from "../rules.js";
import { empty, failed, showing } from "../states.js";

/** @typedef {import("../types.js").Game} Game */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {{game: Game, move: string, ply: number, position: string, turn: string, won: boolean, mirrored: boolean, flipped: boolean, stretch: StretchTurn[]}} Hit (API: FoundView) */
/** @typedef {{move: string, position: string, turn: string}} StretchTurn (API: StretchTurn) */

/** @typedef {{count: number, wins: number, win_rate: number}} PlayedScore (API: ScoreView) */
/** @typedef {{what: string, side: "g" | "s", score: PlayedScore}} PlayedThere (API: PlayedThere) */
/** @typedef {{too_many: boolean, gold: PlayedScore, silver: PlayedScore, turns: PlayedThere[], steps: PlayedThere[]}} PatternPlay (API: PatternPlayView) */

/** Hits that are asked for at once. */
const AT_ONCE = 60;

const EXAMPLES = [
  { pattern: "hb3 Ea3 1S@near(c3) g to move", words: "a horse held beside c3" },
  { pattern: "Mb6 ea6 s to move", words: "the gold camel held on the wing" },
  { pattern: "rc3 Cb3 Cd3 Hc2 Sc4", words: "a frame on c3" },
  { pattern: "Rc7 _c8 g to move", words: "a rabbit one step from goal" },
  { pattern: "!M@board !m@board", words: "the camels are gone" },
  { pattern: "3+R@away 3+r@away", words: "a rabbit race" },
  { pattern: "hostage(m by E) for 8 turns", words: "a camel hostage that lasts" },
  { pattern: "goal in 4 not mover won", words: "a goal that was missed in a lost game" },
  { pattern: "threatens(m) then within 2 turns captures m", words: "the camel is caught" },
];

/** What can be added by a click. */
const FACTS = [
  { phrase: "hostage(m)", words: "the silver camel is a hostage" },
  { phrase: "hostage(h)", words: "a silver horse is a hostage" },
  { phrase: "framed", words: "a piece is framed" },
  { phrase: "captures(*)", words: "something can be captured" },
  { phrase: "fork", words: "two pieces can be captured" },
  { phrase: "goal in 4", words: "the side to move can goal" },
  { phrase: "opponent goal in 4", words: "goal is threatened" },
  { phrase: "blockade", words: "an elephant is shut in" },
  { phrase: "phase end", words: "the end game" },
  { phrase: "rating >= 2000", words: "both rated 2000 or more" },
  { phrase: "mover won", words: "the side to move won" },
];

/** Brushes besides the twelve pieces. */
const BRUSHES = [
  { id: "G", label: "any gold" },
  { id: "S", label: "any silver" },
  { id: "*", label: "any piece" },
  { id: "_", label: "empty" },
];

/** @param {Context} context @returns {import("../app.js").Page} */
export function page(context) {
  let now = context;
  let brush = "E";
  /** @type {AbortController | null} */
  let running = null;
  /** What the results answer. @type {string | null} */
  let asked = null;
  const panel = new BoardPanel("Pattern board");
  panel.board.events = {
    pick: (square) => put(square, brush),
    drop: (from, to) => {
      const what = painted(text.value).get(squareName(from));
      if (!what) return;
      put(from, "");
      if (to >= 0) put(to, what);
    },
  };
  const text = h("input", {
    name: "pattern",
    type: "text",
    class: "mono wide",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Ed5 hc6 _c7 S<H@near(c6) g to move",
    "aria-describedby": "pattern-check",
    oninput: () => changed(),
  });
  const check = h("p", { id: "pattern-check", class: "small pattern-check", role: "status" });
  const palette = h("div", { class: "palette" });
  const turn = h("div", {});
  const facts = h("div", { class: "chips", role: "group", "aria-label": "Facts" });
  const filters = new FilterBox((chosen) =>
    now.go(searchAddress(text.value.trim(), onePerGame.checked, chosen), { replace: true }),
  );
  const results = h("section", { class: "results", "aria-label": "Results" });
  const count = h("p", { class: "count-line", role: "status" });
  const onePerGame = h("input", { type: "checkbox", name: "one", onchange: () => search() });
  const compare = {
    side: h("select", { "aria-label": "Side", onchange: () => useCompare() }, h("option", { value: "" }, "any"), h("option", { value: "G" }, "gold"), h("option", { value: "S" }, "silver")),
    sign: h(
      "select",
      { "aria-label": "Comparison", onchange: () => useCompare() },
      h("option", { value: "<" }, "weaker than"),
      h("option", { value: ">" }, "stronger than"),
      h("option", { value: "=" }, "equal to"),
    ),
    piece: h("select", { "aria-label": "Animal", onchange: () => useCompare() }, [..."EMHDCR"].map((l) => h("option", { value: l, selected: l === "H" }, pieceName(l).slice(5)))),
  };
  const useCompare = () => choose(compare.side.value + compare.sign.value + compare.piece.value);

  /** @param {string} id */
  const choose = (id) => {
    brush = id;
    drawPalette();
  };

  const drawPalette = () => {
    const pieces = [..."EMHDCRemhdcr"].map((piece) =>
      h("button", {
        type: "button",
        class: `brush ${pieceClass(piece)}`,
        "aria-label": pieceName(piece),
        title: pieceName(piece),
        "aria-pressed": String(brush === piece),
        onclick: () => choose(piece),
      }),
    );
    const others = [...BRUSHES, { id: "", label: "erase" }].map(({ id, label }) =>
      h("button", { type: "button", "aria-pressed": String(brush === id), onclick: () => choose(id) }, label),
    );
    const compared = /[<>=]/.test(brush);
    fill(
      palette,
      h("div", { class: "brushes", role: "group", "aria-label": "Piece to paint" }, pieces),
      h("div", { class: "chips", role: "group", "aria-label": "Other brushes" }, others),
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "Compared" },
        h("button", { type: "button", "aria-pressed": String(compared), onclick: useCompare }, "a piece"),
        compare.side,
        compare.sign,
        compare.piece,
      ),
    );
  };

  /** @param {number} square @param {string} what */
  const put = (square, what) => {
    if (!canPaint(text.value)) {
      panel.say(text.value.includes("|") ? "The pattern is a drawn board: change it in the text." : "The board cannot show this pattern: change it in the text.", "wrong");
      return;
    }
    const name = squareName(square);
    const same = painted(text.value).get(name) === what;
    text.value = paint(text.value, name, same ? "" : what);
    announce(same || !what ? `${name} cleared` : `${name}: ${what}`);
    changed();
  };

  /** @type {number | undefined} */
  let timer;
  const changed = () => {
    draw();
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void checkPattern(), 250);
  };

  /** Shows the conditions about single squares on the board. */
  const draw = () => {
    const board = emptyBoard();
    /** @type {Map<number, string>} */
    const marks = new Map();
    for (const cell of panel.board.cells) cell.removeAttribute("data-pattern");
    for (const [name, what] of painted(text.value)) {
      const square = squareAt(name);
      if (/^[RCDHMErcdhme]$/.test(what)) board[square] = what;
      else panel.board.cells[square]?.setAttribute("data-pattern", WORDS[what] ?? what);
      marks.set(square, "");
    }
    panel.board.set({ board, movable: new Set(marks.keys()) });
    fill(
      facts,
      FACTS.map(({ phrase, words }) =>
        h("button", { type: "button", "aria-pressed": String(hasPhrase(text.value, phrase)), onclick: () => ((text.value = togglePhrase(text.value, phrase)), changed()) }, words),
      ),
    );
    fill(
      turn,
      chips(
        "Whose turn",
        [
          { id: "", label: "either to move" },
          { id: "g", label: "Gold" },
          { id: "s", label: "Silver" },
        ],
        turnOf(text.value),
        (id) => {
          text.value = setTurn(text.value, /** @type {"" | "g" | "s"} */ (id));
          changed();
        },
      ),
    );
  };

  const checkPattern = async () => {
    const pattern = text.value.trim();
    if (!pattern) {
      check.textContent = "";
      return;
    }
    try {
      /** @type {{ok: boolean, error: string | null}} */
      const answer = await get("/pattern", { pattern }, now.signal);
      if (text.value.trim() !== pattern) return;
      check.textContent = answer.ok ? "" : (answer.error ?? "");
      check.classList.toggle("wrong", !answer.ok);
    } catch (error) {
      if (!isAbort(error)) check.textContent = messageOf(error);
    }
  };

  const search = () => {
    const pattern = text.value.trim();
    now.go(searchAddress(pattern, onePerGame.checked, readFilters(now.url)));
  };

  const parameters = () => {
    const { pattern, onePerGame: one, filters: chosen } = readSearch(now.url);
    return { pattern, one_per_game: one, ...chosen };
  };

  const run = () => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    now.signal.addEventListener("abort", () => mine.abort());
    const params = parameters();
    const gallery = h("ul", { class: "gallery" });
    const played = h("section", { class: "card", "aria-label": "What was played there" });
    const end = h("div", { class: "gallery-end" });
    fill(results, gallery);
    count.textContent = "Searching …";
    let shown = 0;
    let all = 0;
    let asking = false;

    /** The next of them, best first. */
    const more = async () => {
      if (asking) return;
      asking = true;
      const first = shown === 0;
      try {
        await stream(
          "/search/stream",
          { ...params, limit: AT_ONCE, after: shown },
          {
            count: ({ hits, games }) => {
              all = hits;
              if (first) count.textContent = `${plural(hits, "position")} in ${plural(games, "game")}`;
            },
            hit: (/** @type {Hit} */ hit) => {
              shown++;
              gallery.append(card(hit, painted(params.pattern)));
            },
            done: ({ shown: sent, last }) => {
              if (first) begun();
              const over = last || sent === 0;
              fill(
                end,
                over
                  ? shown < all && h("p", { class: "small muted" }, params.one_per_game ? `One a game: ${number(shown)} are shown.` : `The best ${number(shown)} of ${number(all)} are shown; the export has more.`)
                  : h("button", { type: "button", onclick: () => void more() }, "More"),
              );
              if (over) watcher.disconnect();
            },
          },
          mine.signal,
        );
        asking = false;
      } catch (error) {
        asking = false;
        if (isAbort(error)) return;
        if (first && isBeingComputed(error)) {
          count.textContent = `Searching … ${messageOf(error)}`;
          await soon();
          if (!mine.signal.aborted) void more();
          return;
        }
        if (first) count.textContent = "";
        // What is wrong with the pattern is said beside it, and only there.
        if (error instanceof ApiError && error.code === "bad-pattern") {
          fill(results);
          check.textContent = error.message;
          check.classList.add("wrong");
        } else fill(first ? results : end, failed(messageOf(error), () => (first ? run() : void more())));
      }
    };

    const begun = () => {
      if (shown === 0) {
        fill(results, empty("No position of the memory has this pattern. Take a condition away, or clear the filters."));
        return;
      }
      fill(
        results,
        played,
        h("p", {}, h("a", { class: "button", href: apiAddress("/search/export", params), download: "games.txt" }, icon("download"), "Export the games as an archive")),
        gallery,
        end,
      );
      watcher.observe(end);
      void showing(
        played,
        () => /** @type {Promise<PatternPlay>} */ (get("/search/played", { ...params, limit: 8 }, mine.signal)),
        (answer) => fill(played, playedView(answer)),
      );
    };
    const watcher = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) void more();
    }, { rootMargin: "400px" });
    mine.signal.addEventListener("abort", () => watcher.disconnect());
    void more();
  };

  /** @param {Context} next */
  const update = (next) => {
    now = next;
    const { pattern, onePerGame: one, filters: chosen } = readSearch(now.url);
    if (pattern && pattern !== text.value.trim()) text.value = pattern;
    onePerGame.checked = one;
    filters.set(chosen);
    draw();
    if (now.url.search !== asked) {
      asked = now.url.search;
      if (pattern) run();
      else {
        running?.abort();
        count.textContent = "";
        fill(results, examples());
      }
    }
    return pattern ? `Search ${pattern}` : "Search";
  };

  const examples = () =>
    h(
      "div",
      { class: "card" },
      h("h2", {}, "For example"),
      h(
        "ul",
        { class: "examples" },
        EXAMPLES.map(({ pattern, words }) => h("li", {}, h("a", { href: searchAddress(pattern) }, words), " ", h("code", { class: "muted" }, pattern))),
      ),
      help(),
    );

  const help = () => {
    const place = h("pre", { class: "small" });
    return h(
      "details",
      {
        class: "box",
        ontoggle: async () => {
          if (place.textContent) return;
          try {
            place.textContent = /** @type {{text: string}} */ (await get("/pattern/help", {}, now.signal)).text;
          } catch (error) {
            place.textContent = messageOf(error);
          }
        },
      },
      h("summary", {}, icon("help"), "The pattern language"),
      place,
    );
  };

  panel.setButtons(h("button", { type: "button", onclick: () => ((text.value = ""), changed()) }, icon("close"), "Clear"));
  panel.note("Choose a brush and click squares. Click again to clear; drag to move.");
  drawPalette();
  const element = h(
    "div",
    { class: "split search-page" },
    h("div", {}, panel.element),
    h(
      "div",
      { class: "side-column" },
      h("h1", {}, "Search positions"),
      h("p", { class: "muted" }, h("a", { href: MOTIFS }, "Motifs"), ": patterns with a name, and how they score"),
      h(
        "form",
        {
          class: "card",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            if (text.value.trim()) search();
            else check.textContent = "Paint or type a pattern first.";
          },
        },
        palette,
        turn,
        h("details", { class: "box" }, h("summary", {}, "Facts"), facts),
        h("label", { class: "field" }, "Pattern", text),
        check,
        h("div", { class: "row-of" }, h("button", { type: "submit", class: "primary" }, icon("search"), "Search"), h("label", { class: "check" }, onePerGame, "one hit a game")),
        filters.element,
      ),
      count,
      results,
    ),
  );
  update(context);
  return { title: "Search", element, update, key: (key) => key === "x" && (panel.flip(), draw(), true) };
}

const WORDS = /** @type {Record<string, string>} */ ({ G: "gold", S: "silver", "*": "any", _: "empty" });

/** What was played in all positions with the pattern, and how it scored. @param {PatternPlay} played */
function playedView({ too_many, gold, silver, turns, steps }) {
  if (too_many) return [h("h2", {}, "What was played there"), h("p", { class: "small muted" }, "There are too many positions to count it: add a condition.")];
  const side = (/** @type {"g" | "s"} */ mover, /** @type {PlayedScore} */ { count, win_rate }) =>
    count > 0 && h("tr", {}, h("td", {}, `${mover === "g" ? "Gold" : "Silver"} to move`), h("td", { class: "num" }, `${number(count)} times`), h("td", {}, winBar(mover, win_rate)));
  const table = (/** @type {string} */ title, /** @type {PlayedThere[]} */ rows) =>
    rows.length > 0 &&
    h(
      "table",
      { class: "turns" },
      h("thead", {}, h("tr", {}, h("th", {}, title), h("th", { class: "num" }, "Played"), h("th", {}, "Won"))),
      h(
        "tbody",
        {},
        rows.map(({ what, side: mover, score }) =>
          h("tr", {}, h("td", { class: "mono" }, what), h("td", { class: "num" }, number(score.count)), h("td", {}, winBar(mover, score.win_rate))),
        ),
      ),
    );
  const all = gold.count + silver.count;
  const [first] = steps;
  return [
    h("h2", {}, "What was played there"),
    h("table", { class: "turns" }, h("tbody", {}, side("g", gold), side("s", silver))),
    table("Steps, as a part of the turn", steps),
    first && h("p", { class: "small muted" }, `The step made most is in ${percent(first.score.count / Math.max(1, all))} of the turns.`),
    table("Whole turns", turns),
  ];
}

/** Where a square of the pattern is in the game itself. @param {string} name @param {Hit} hit */
function inGame(name, { mirrored, flipped }) {
  const square = squareAt(name);
  const [file, rank] = [square & 7, square >> 3];
  return squareName((flipped ? 7 - rank : rank) * 8 + (mirrored ? 7 - file : file));
}

/** @param {Hit} hit @param {Map<string, string>} cells */
function card(hit, cells) {
  const at = readPosition(hit.position);
  const lit = new Set([...cells.keys()].map(squareAt));
  const { mirrored, flipped, ply } = hit;
  const found = foundText({ ply, mirrored, flipped, squares: [...cells.keys()].map((name) => inGame(name, hit)) });
  const turned = [flipped && "colours exchanged", mirrored && "mirrored"].filter(Boolean).join(", ");
  const board = h("div", {}, miniBoard(at?.board ?? emptyBoard(), { label: `Position before ${hit.move}`, lit }));
  return h(
    "li",
    {},
    h(
      "a",
      { href: reviewAddress(hit.game.id ?? "", ply, found) },
      board,
      h("span", { class: "names" }, `${playerName(hit.game.gold)} – ${playerName(hit.game.silver)}`),
      h("span", { class: "small" }, h("span", { class: "mono" }, hit.turn), hit.won ? " won" : hit.game.result ? " lost" : ""),
      h("span", { class: "muted small" }, `${hit.move} · ${ending(hit.game)}`),
      turned && h("span", { class: "muted small" }, turned),
    ),
    hit.stretch.length > 1 && stretch(hit.stretch, board),
  );
}

/** The turns of a stretch; each shows its position on the small board. @param {StretchTurn[]} turns @param {HTMLElement} place */
function stretch(turns, place) {
  return h(
    "ol",
    { class: "stretch", "aria-label": "Turn by turn" },
    turns.map((turn) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "link-button",
            onclick: () => fill(place, miniBoard(readPosition(turn.position)?.board ?? emptyBoard(), { label: `Position before ${turn.move}` })),
          },
          `${turn.move} ${turn.turn}`,
        ),
      ),
    ),
  );
}
