// @ts-check
/** Puzzles: win in two turns, or goal this turn. /puzzles picks one, /puzzles/ID shows it. */

import { exploreAddress, positionSlug, puzzleAddress, readPuzzle, reviewAddress } from "../addresses.js";
import { AnalysisBox } from "../analysis.js";
import { get, isAbort, messageOf, post } from "../api.js";
import { BoardPanel, sideBadge, turnButtons } from "../board-panel.js";
import { capital, fill, h, number, plural } from "../dom.js";
import { icon } from "../icons.js";
import { drawnArrows, positionText, readPosition, replayTurn } from "../notation.js";
import { chips } from "../parts.js";
import { opponent, sideName, squareAt } from "../rules.js";
import { failed } from "../states.js";
import { TurnInput } from "../turn-input.js";

/** @typedef {import("../app.js").Context} Context */
/** @typedef {{id: string, kind: "win" | "goal", game: string, move: string, position: string, side: "g" | "s", players: string, themes: Theme[], rating: number | null, level: "easy" | "medium" | "hard" | null, plausible: number | null, positions: number | null, tries: number, solved: number}} Puzzle (API: PuzzleView) */
/** @typedef {"push" | "pull" | "capture" | "sacrifice" | "through-trap" | "unfreeze" | "long-walk" | "quiet" | "two-threats" | "without-goal"} Theme */
/** @typedef {{legal: boolean, correct: boolean | null, reason: string | null, reply: string | null, position_after: string | null, over: boolean}} Tried (API: Tried) */
/** @typedef {{total: number, levels: {name: string, puzzles: number}[], themes: {name: string, puzzles: number}[], unmeasured: number}} PuzzleCounts (API: PuzzlePage) */
/** @typedef {{turn: string, proven: boolean, replies: number | null, defences: {reply: string, answer: string}[], seconds: number}} Solution (API: SolutionView) */

const KEY = "puzzles";
/** How many hints a puzzle has, each saying more. */
const HINTS = 3;
/** @typedef {{streak: number, best: number, solved: number, rating: number, rated: number, seen: string[], level: string, theme: string}} Progress */

/** What somebody begins with, and how much a puzzle changes it at most. */
const FIRST_RATING = 1200;
const STEP = 32;

/** @type {Progress} */
const NOTHING = { streak: 0, best: 0, solved: 0, rating: FIRST_RATING, rated: 0, seen: [], level: "", theme: "" };

const LEVELS = /** @type {Record<string, string>} */ ({ "": "any", easy: "easy", medium: "medium", hard: "hard" });

/** What a theme is called, and what it means. @type {Record<Theme, string>} */
const THEMES = {
  push: "an enemy is pushed",
  pull: "an enemy is pulled",
  capture: "an enemy is captured",
  sacrifice: "a piece is given up",
  "through-trap": "over a trap",
  unfreeze: "a frozen piece is freed",
  "long-walk": "one piece goes four steps",
  quiet: "only steps, nothing is taken or moved",
  "two-threats": "two rabbits threaten",
  "without-goal": "won without a goal",
};

/** Kept in this browser only. @returns {Progress} */
function progress() {
  try {
    return { ...NOTHING, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return NOTHING;
  }
}
/** @param {Partial<Progress>} change */
function keep(change) {
  const now = { ...progress(), ...change };
  localStorage.setItem(KEY, JSON.stringify({ ...now, seen: now.seen.slice(-200) }));
}

/**
 * A puzzle is an opponent with a rating: who solves what is harder than he is gains more.
 * @param {number | null} puzzle its rating, if it is known @param {boolean} solved at the first try, without help
 */
function rate(puzzle, solved) {
  const { streak, best, rating, rated } = progress();
  const now = solved ? streak + 1 : 0;
  const expected = puzzle === null ? null : 1 / (1 + 10 ** ((puzzle - rating) / 400));
  keep({
    streak: now,
    best: Math.max(best, now),
    ...(expected === null ? {} : { rating: Math.round(rating + STEP * (Number(solved) - expected)), rated: rated + 1 }),
  });
}

/** @param {Context} context @returns {import("../app.js").Page} */
export function page(context) {
  const { go, signal, url } = context;
  const { id, kind } = readPuzzle(url);
  const panel = new BoardPanel("Puzzle");
  const heading = h("h1", {}, "Puzzles");
  const task = h("div", { class: "task" });
  const answer = h("div", { "aria-live": "polite" });
  const score = h("p", { class: "small muted" });
  const actions = h("div", { class: "row-of" });
  const analysis = h("div", {});
  /** @type {Puzzle | null} */
  let puzzle = null;
  let failedOnce = false;
  /** The first turn and the defence, while the second turn is to be found. @type {string[]} */
  let before = [];
  /** Where the turn that is to be found begins. @type {import("../addresses.js").At | null} */
  let from = null;
  let over = false;
  let hintLevel = 0;

  const input = new TurnInput(panel.board, {
    say: (words, tone) => panel.say(words, tone),
    change: () => {
      buttons.update();
      panel.note(input.text || (puzzle ? `${sideName(puzzle.side)} to move.` : ""));
    },
  });
  const buttons = turnButtons(input, () => void attempt());
  /** Only when it is solved: it would give the answer away. */
  const engine = new AnalysisBox(signal, panel, (turns) => {
    const at = readPosition(puzzle?.position);
    const replay = at && replayTurn(at.board, at.side, turns[0] ?? "");
    if (!at || !replay) return;
    input.start(replay.board, opponent(at.side), { steps: replay.steps, enabled: false });
    engine.set(positionText(replay.board, opponent(at.side)));
  });
  panel.setButtons(buttons.element);
  input.enabled = false;

  const drawScore = () => {
    const { streak, best, solved, rating, rated } = progress();
    score.textContent = `${rated > 0 ? `Your rating ${number(rating)}. ` : ""}Streak ${number(streak)}, best ${number(best)}, ${plural(solved, "puzzle")} solved.`;
  };

  const next = async (/** @type {"win" | "goal"} */ wanted, replace = false) => {
    try {
      const { seen, level, theme, rating, rated } = progress();
      /** @type {Puzzle} */
      const found = await get("/puzzles/next", { kind: wanted, seen: seen.join(","), level, theme, near: rated > 0 && !level ? rating : null }, signal);
      go(puzzleAddress(found.id), { replace });
    } catch (error) {
      if (isAbort(error)) return;
      if (/** @type {{status?: number}} */ (error).status === 404) {
        // All seen: begin again, or say that there are none.
        const { seen, level, theme } = progress();
        if (level || theme) {
          const all = () => {
            keep({ level: "", theme: "" });
            void next(wanted);
          };
          fill(
            answer,
            h(
              "div",
              { class: "notice" },
              h("p", {}, `No puzzle that you have not seen is ${[level, theme && `about “${THEMES[/** @type {Theme} */ (theme)] ?? theme}”`].filter(Boolean).join(" and ")}${level ? ", or its difficulty is not measured yet" : ""}.`),
              h("div", { class: "row-of" }, h("button", { type: "button", onclick: all }, "Any puzzle"), seen.length > 0 && h("button", { type: "button", onclick: () => (keep({ seen: [] }), void next(wanted)) }, "Begin again")),
            ),
          );
        } else if (seen.length > 0) {
          keep({ seen: [] });
          fill(answer, h("div", { class: "notice" }, h("p", {}, "You have seen every puzzle of this kind."), h("button", { type: "button", onclick: () => void next(wanted) }, "Begin again")));
        } else {
          fill(
            answer,
            h(
              "div",
              { class: "notice" },
              h("p", {}, wanted === "win" ? "The memory has no win-in-two puzzles." : "No goal in one turn was found in the games of the memory."),
              wanted === "win" && h("p", {}, "Read some: ", h("code", {}, "hathi puzzles --help"), " tells how."),
            ),
          );
        }
      } else fill(answer, failed(messageOf(error), () => void next(wanted, replace)));
    }
  };

  const load = async () => {
    try {
      puzzle = /** @type {Puzzle} */ (await get(`/puzzles/${id}`, {}, signal));
    } catch (error) {
      if (!isAbort(error)) fill(answer, failed(messageOf(error), () => void load()));
      return;
    }
    const at = readPosition(puzzle.position);
    if (!at) return;
    keep({ seen: [...progress().seen.filter((s) => s !== id), puzzle.id] });
    panel.board.set({ flipped: puzzle.side === "s" });
    from = at;
    input.start(at.board, at.side);
    buttons.update();
    panel.note(`${sideName(puzzle.side)} to move.`);
    drawTask();
  };

  const drawTask = () => {
    if (!puzzle) return;
    fill(
      task,
      h("p", {}, sideBadge(puzzle.side), puzzle.kind !== "win" ? " reaches goal this turn. How?" : before.length > 0 ? " to win now: the second turn." : " wins in two turns, whatever the other side does. Find the first turn."),
      h(
        "p",
        { class: "small muted" },
        puzzle.level === null ? "Its difficulty is not known yet." : `${capital(puzzle.level)}, rated ${number(puzzle.rating ?? 0)}`,
        puzzle.plausible !== null && puzzle.kind === "win" && `: ${plural(puzzle.plausible, "first turn")} to choose from`,
        puzzle.tries > 0 && `; solved at the first try by ${number(puzzle.solved)} of ${number(puzzle.tries)}`,
        over && puzzle.themes.length > 0 && `. ${capital(puzzle.themes.map((theme) => THEMES[theme]).join(", "))}.`,
      ),
    );
    fill(
      actions,
      h("button", { type: "button", disabled: over || before.length > 0 || hintLevel >= HINTS, onclick: () => void hint() }, icon("hint"), hintLevel === 0 ? "Hint" : hintLevel < HINTS ? `Hint ${hintLevel + 1} of ${HINTS}` : "No more hints"),
      h("button", { type: "button", disabled: over, onclick: () => void solution(true) }, icon("check"), "Solution"),
      h("button", { type: "button", class: over ? "primary" : "", onclick: () => void next(puzzle?.kind ?? "win") }, icon("forward"), "Next"),
    );
  };

  const attempt = async () => {
    if (!puzzle || over || !input.after) return;
    const turn = input.text;
    input.enabled = false;
    panel.note("Checking …");
    try {
      /** @type {Tried} */
      const tried = await post(`/puzzles/${puzzle.id}/try`, { turn, before, hints: hintLevel }, signal);
      judge(tried, turn);
    } catch (error) {
      input.enabled = true;
      if (!isAbort(error)) panel.say(messageOf(error), "wrong");
    }
  };

  /** What the first verdict, or the first help, does to streak and rating; once a puzzle. @param {boolean} solved */
  const count = (solved) => {
    if (failedOnce || !puzzle) return;
    failedOnce = true;
    rate(puzzle.rating, solved);
    drawScore();
  };

  /** The other side defends as long as it can; the second turn is to be found. @param {import("../addresses.js").At} after @param {string} turn @param {string} reply */
  const playOn = async (after, turn, reply) => {
    const defence = replayTurn(after.board, after.side, reply);
    if (!defence || !puzzle) return;
    before = [turn, reply];
    from = { board: defence.board, side: opponent(after.side) };
    panel.say(`Right! ${sideName(after.side)} defends with ${reply}. Now win.`, "good");
    await input.arrive(from.board, from.side, { steps: defence.steps, enabled: true });
    buttons.update();
    drawTask();
  };

  /** @param {Tried} tried @param {string} turn */
  const judge = (tried, turn) => {
    const reached = readPosition(tried.position_after);
    if (tried.correct && !tried.over && tried.reply && reached) {
      void playOn(reached, turn, tried.reply);
      return;
    }
    if (tried.correct) {
      over = true;
      count(hintLevel === 0);
      keep({ solved: progress().solved + 1 });
      drawScore();
      panel.say(puzzle?.kind === "goal" ? "Goal! That is it." : before.length > 0 ? "Won, against the best defence." : "Correct: there is no defence.", "good");
      void solution(false);
      return;
    }
    count(false);
    const at = from;
    if (tried.correct === null) {
      panel.say(tried.reason ?? "The solver ran out of time: it cannot say.", "wrong");
    } else {
      panel.say(`Not this one. ${tried.reason ?? ""}`, "wrong");
    }
    const after = readPosition(tried.position_after);
    const reply = tried.reply && after ? replayTurn(after.board, after.side, tried.reply) : null;
    if (reply && after) {
      panel.board.set({ board: after.board, arrows: drawnArrows(reply.steps, after.side, "foe") });
      fill(answer, h("div", { class: "notice" }, h("p", {}, "The defence: ", h("span", { class: "mono" }, tried.reply)), again()));
    } else {
      fill(answer, h("div", { class: "notice" }, again()));
    }
    input.enabled = false;
    buttons.update();
    function again() {
      return h(
        "button",
        {
          type: "button",
          onclick: () => {
            if (at) input.start(at.board, at.side);
            buttons.update();
            fill(answer);
            panel.note("Try another turn.");
          },
        },
        icon("undo"),
        "Try again",
      );
    }
  };

  const hint = async () => {
    if (!puzzle || over || hintLevel >= HINTS) return;
    try {
      /** @type {{text: string, squares: string[]}} */
      const given = await get(`/puzzles/${puzzle.id}/hint`, { level: hintLevel + 1 }, signal);
      hintLevel++;
      count(false);
      panel.board.set({ marks: new Map(given.squares.map((name) => [squareAt(name), "hint"])) });
      panel.say(given.text);
      drawTask();
    } catch (error) {
      if (!isAbort(error)) panel.say(messageOf(error), "wrong");
    }
  };

  /** @param {boolean} given up: it was asked for */
  const solution = async (given) => {
    if (!puzzle) return;
    if (given) {
      count(false);
      over = true;
    }
    drawTask();
    fill(answer, h("p", { class: "notice" }, "Asking the solver …"));
    try {
      /** @type {Solution} */
      const solved = await get(`/puzzles/${puzzle.id}/solution`, {}, signal);
      showSolution(puzzle, solved, given);
    } catch (error) {
      if (!isAbort(error)) fill(answer, failed(messageOf(error), () => void solution(given)));
    }
  };

  /** @param {Puzzle} shown @param {Solution} solved @param {boolean} given */
  const showSolution = (shown, solved, given) => {
    const at = readPosition(shown.position);
    if (!at) return;
    panel.board.set({ marks: new Map() });
    if (given) {
      const replay = replayTurn(at.board, at.side, solved.turn);
      before = [];
      input.start(at.board, at.side, { enabled: false });
      panel.board.set({ arrows: drawnArrows(replay?.steps ?? [], at.side, "best") });
    }
    buttons.update();
    fill(analysis, engine.element);
    // Where the board stands: after a win the game is over there, so the puzzle itself.
    engine.set(positionText(at.board, at.side), given || before.length > 0 ? "" : input.text);
    const first = replayTurn(at.board, at.side, solved.turn);
    /** @param {{reply: string, answer: string}} line */
    const show = (line) => {
      if (!first) return;
      const foe = at.side === "g" ? "s" : "g";
      const reply = replayTurn(first.board, foe, line.reply);
      const final = reply && replayTurn(reply.board, at.side, line.answer);
      panel.board.set({
        board: reply?.board ?? first.board,
        arrows: drawnArrows(final?.steps ?? [], at.side, "best"),
      });
      panel.note(`${line.reply}, and then ${line.answer}`);
    };
    fill(
      answer,
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Solution"),
        h("p", { class: "mono" }, solved.turn),
        h("p", { class: "small muted" }, solved.replies !== null ? `Proven against ${plural(solved.replies, "reply", "replies")} in ${solved.seconds.toFixed(1)} s.` : solved.proven ? "It wins at once." : "From the table; the solver did not finish its proof."),
        solved.defences.length > 0 && [
          h("h3", { class: "small" }, "Defences and how they fail"),
          h(
            "ul",
            { class: "defences" },
            solved.defences.map((line) =>
              h("li", {}, h("button", { type: "button", class: "link-button mono", onclick: () => show(line) }, line.reply), " – ", h("span", { class: "mono" }, line.answer)),
            ),
          ),
        ],
        h("p", { class: "small" }, h("a", { href: reviewAddress(shown.game) }, shown.players), " · ", h("a", { href: exploreAddress(positionSlug(at.board, at.side)) }, "Explore the position")),
      ),
    );
  };

  /** How hard, and what about. */
  const wishes = h("div", { class: "puzzle-wishes" });
  const drawWishes = (/** @type {PuzzleCounts} */ { levels, themes, unmeasured }) => {
    const { level, theme } = progress();
    const counts = new Map([...levels, ...themes].map(({ name, puzzles }) => [name, puzzles]));
    fill(
      wishes,
      chips(
        "Difficulty",
        Object.entries(LEVELS).map(([id, label]) => ({ id, label: id ? `${label} · ${number(counts.get(id) ?? 0)}` : label })),
        level,
        (id) => {
          keep({ level: id });
          void next(kind);
        },
      ),
      h(
        "label",
        { class: "field" },
        "Theme",
        h(
          "select",
          {
            name: "theme",
            onchange: (/** @type {Event} */ event) => {
              keep({ theme: /** @type {HTMLSelectElement} */ (event.target).value });
              void next(kind);
            },
          },
          h("option", { value: "" }, "any"),
          themes.map(({ name, puzzles }) => h("option", { value: name, selected: name === theme }, `${THEMES[/** @type {Theme} */ (name)]} (${number(puzzles)})`)),
        ),
      ),
      unmeasured > 0 && h("p", { class: "small muted" }, `${plural(unmeasured, "puzzle")} ${unmeasured === 1 ? "is" : "are"} not measured yet.`),
    );
  };
  void get("/puzzles", { kind, limit: 0 }, signal).then(
    (/** @type {PuzzleCounts} */ counts) => counts.total > 0 && drawWishes(counts),
    () => {},
  );

  drawScore();
  const element = h(
    "div",
    { class: "split" },
    panel.element,
    h(
      "div",
      { class: "side-column" },
      heading,
      task,
      score,
      actions,
      answer,
      analysis,
      h("section", { class: "card puzzle-choice", "aria-label": "Which puzzles" }, h("h2", {}, "Which puzzles"),
      chips(
        "Kind of puzzle",
        [
          { id: "win", label: "Win in two" },
          { id: "goal", label: "Goal this turn" },
        ],
        kind,
        (chosen) => void next(/** @type {"win"} */ (chosen)),
      ),
      wishes),
    ),
  );
  if (id) void load();
  else void next(kind, true);
  return {
    title: "Puzzles",
    element,
    key: (key) => {
      if (key === "x") panel.flip();
      else if (key === "u") input.undo();
      else if (key === "e" && analysis.firstChild) engine.toggle();
      else if (key === "f") void attempt();
      else if (key === "n") void next(kind);
      else if (key === "h") void hint();
      else return false;
      return true;
    },
  };
}
