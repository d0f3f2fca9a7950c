// @ts-check
/**
 * One game, looked at turn by turn: own variations, what the memory knows of
 * each turn, what the engine thinks of it.
 *
 * Address: ?ply=12 for the turn, then=TURN~TURN for a variation from there
 * (steps joined by dots).
 */

import { address, apiAddress, isAbort, messageOf, postStream, send, stream } from "./api.js";
import { BoardPanel, turnButtons } from "./board-panel.js";
import { capital, fill, h, plural } from "./dom.js";
import { engineBox } from "./engine-box.js";
import { Graph, strip } from "./graph.js";
import { icon } from "./icons.js";
import { MoveList } from "./move-list.js";
import { drawnArrows, positionSlug, positionText, readPosition, replayTurn } from "./notation.js";
import { copyFrom, ending, engineSelect, players, scoreText } from "./parts.js";
import { phaseStrip } from "./phases.js";
import { opponent, outcome, sameBoard, sideName } from "./rules.js";
import { empty, failed } from "./states.js";
import { TurnInput } from "./turn-input.js";

/** @typedef {import("./types.js").FullGame} FullGame */
/** @typedef {import("./app.js").Context} Context */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {{board: string[], side: Side}} At */
/** @typedef {{ply: number, hits: {full: number, half: number, area: number, area_by_piece: number}, played_before: number}} Known */
/** @typedef {{ply: number, score: number, best: string, best_score: number, loss: number, mark: string | null, line: string[]}} Judged */

/**
 * @param {Context} context @param {FullGame} game
 * @param {string | null} pasted its text, if it is not from the memory
 */
export function viewer(context, game, pasted) {
  let now = context;
  const { signal } = context;
  const turns = game.moves.filter((move) => move.ply !== null);
  /** Positions before each turn and after the last. @type {At[]} */
  const positions = [game.start, ...turns.map((move) => move.position)].flatMap((text) => readPosition(text) ?? []);
  /** Own variations: the turn they start at, and their turns. @type {{ply: number, turns: string[]}[]} */
  const variations = [];
  let ply = 0;
  /** @type {string[]} */
  let then = [];
  /** @type {Map<number, Known>} */
  const known = new Map();
  /** @type {Map<number, Judged>} */
  const judged = new Map();
  /** After each turn. @type {Map<number, import("./phases.js").Phase>} */
  const phases = new Map();

  const panel = new BoardPanel(`Game of ${game.gold.name} and ${game.silver.name}`);
  const graph = new Graph((at) => goTo(at));
  const strips = h("div", { class: "strips" });
  const list = new MoveList((index) => goTo(index + 1));
  const facts = h("div", { class: "turn-facts" });
  const here = h("p", { class: "small here-links" });
  const summary = h("div", { class: "summary small" });
  const engine = engineBox(signal, (arrows) => panel.board.set({ arrows }));
  const input = new TurnInput(panel.board, {
    say: (words, tone) => panel.say(words, tone),
    change: () => {
      buttons.update();
      if (input.taken.length > 0) panel.note(input.text);
      else say();
    },
  });
  const buttons = turnButtons(input, () => finish());

  /** @param {number} at @param {string[]} [variation] @param {boolean} [replace] */
  const goTo = (at, variation = [], replace = true) => {
    const target = Math.max(0, Math.min(turns.length, at));
    const line = variation.map((turn) => turn.replaceAll(" ", ".")).join("~");
    now.go(address(now.url.pathname, { ply: target, then: line }) + now.url.hash, { replace });
  };

  /** Where the address says. @param {Context} next */
  const update = (next) => {
    const before = { ply, then };
    now = next;
    const query = now.url.searchParams;
    ply = Math.max(0, Math.min(turns.length, Number(query.get("ply") ?? 0) || 0));
    then = (query.get("then") ?? "").split("~").map((turn) => turn.replaceAll(".", " ")).filter(Boolean);
    const reached = walk();
    if (!reached) {
      panel.note("This game has no turns.");
      return;
    }
    const { at, steps } = reached;
    const oneOn = then.length === 0 ? before.then.length === 0 && ply === before.ply + 1 : before.ply === ply && then.length === before.then.length + 1;
    const enabled = outcome(at.board, opponent(at.side)) === null;
    if (oneOn && !sameBoard(panel.board.state.board, at.board)) void input.arrive(at.board, at.side, { steps, enabled }).then(() => buttons.update());
    else input.start(at.board, at.side, { last: steps, enabled });
    buttons.update();
    list.light(ply - 1);
    graph.light(ply);
    engine.set(positionText(at.board, at.side));
    const slug = positionSlug(at.board, at.side);
    fill(here, "This position: ", h("a", { href: address("/explore", { at: slug }) }, "explore"), " · ", h("a", { href: address("/lab/plans", { position: slug }) }, "In the lab"));
    keepVariation();
    drawList();
    drawFacts();
    say();
  };

  /** The position looked at, and the steps that led to it. @returns {{at: At, steps: import("./rules.js").Step[]} | null} */
  const walk = () => {
    const start = positions[ply];
    if (!start) return null;
    let at = start;
    const before = positions[ply - 1];
    let steps = (before && replayTurn(before.board, before.side, turns[ply - 1]?.turn ?? "")?.steps) || [];
    for (const [i, turn] of then.entries()) {
      const replay = replayTurn(at.board, at.side, turn);
      if (!replay) {
        panel.say(`The variation in the address breaks off: ${turn} is not legal there.`, "wrong");
        then = then.slice(0, i);
        break;
      }
      at = { board: replay.board, side: opponent(at.side) };
      steps = replay.steps;
    }
    return { at, steps };
  };

  const keepVariation = () => {
    if (then.length === 0) return;
    const starts = (/** @type {string[]} */ long, /** @type {string[]} */ short) => short.every((turn, i) => long[i] === turn);
    if (variations.some((v) => v.ply === ply && starts(v.turns, then))) return;
    const shorter = variations.find((v) => v.ply === ply && starts(then, v.turns));
    if (shorter) shorter.turns = [...then];
    else variations.push({ ply, turns: [...then] });
  };

  const finish = () => {
    if (!input.after) return;
    const next = positions[ply + 1];
    if (then.length === 0 && next && sameBoard(next.board, input.after.board)) goTo(ply + 1);
    else goTo(ply, [...then, input.text], false);
  };

  const say = () => {
    const end = then.length === 0 && ply === turns.length;
    const move = then.length > 0 ? then.at(-1) : turns[ply - 1]?.turn;
    const label = then.length > 0 ? "Variation: " : `${turns[ply - 1]?.label ?? ""} `;
    if (end) panel.note(game.outcome?.words ?? ending(game));
    else panel.note(move ? `${label}${move}` : "The position after both setups. Step through with the arrow keys.");
  };

  const drawList = () => {
    /** @type {Map<number, Element>} */
    const below = new Map();
    for (const variation of variations) {
      const index = Math.max(0, variation.ply - 1);
      const place = below.get(index) ?? h("div", { class: "variations" });
      place.append(
        h(
          "p",
          { class: "variation" },
          variation.turns.map((turn, i) => {
            const here = variation.ply === ply && then.length === i + 1 && then.every((t, k) => t === variation.turns[k]);
            return h(
              "button",
              { type: "button", class: "link-button mono", "aria-current": here ? "true" : undefined, onclick: () => goTo(variation.ply, variation.turns.slice(0, i + 1)) },
              turn,
            );
          }),
        ),
      );
      below.set(index, place);
    }
    list.set(
      turns.map((move, index) => {
        const memory = known.get(index);
        const verdict = judged.get(index);
        return {
          label: move.label,
          text: move.turn,
          mark: verdict?.mark ?? undefined,
          known: (memory?.played_before ?? 0) > 0,
          note: [verdict ? scoreText(verdict.score) : "", memory ? `${memory.hits.full}` : ""].filter(Boolean).join(" · "),
          title: memory ? `position seen ${memory.hits.full} times, this turn played in ${memory.played_before} other games` : undefined,
        };
      }),
      below,
    );
    list.light(then.length === 0 ? ply - 1 : -1);
  };

  const drawFacts = () => {
    const index = ply - 1;
    const memory = known.get(index);
    const verdict = judged.get(index);
    const before = positions[index];
    if (then.length > 0 || index < 0 || (!memory && !verdict)) {
      fill(facts);
      return;
    }
    const showBest = () => {
      const best = verdict && before && replayTurn(before.board, before.side, verdict.best);
      if (best && before) {
        input.start(before.board, before.side, { enabled: false });
        panel.board.set({ arrows: drawnArrows(best.steps, before.side, "best") });
      }
    };
    fill(
      facts,
      verdict &&
        h(
          "p",
          {},
          verdict.mark && h("strong", { class: `mark ${verdict.mark}` }, `${capital(verdict.mark)}. `),
          `${scoreText(verdict.score)} for Gold.`,
          verdict.loss > 0 && verdict.best && [" Better: ", h("button", { type: "button", class: "link-button mono", onmouseenter: showBest, onmouseleave: () => update(now), onclick: () => goTo(index, [verdict.best], false) }, verdict.best)],
        ),
      memory &&
        h(
          "p",
          { class: "small" },
          `Before this turn the memory knew the position ${times(memory.hits.full)}, its middle ${times(memory.hits.half)}, the area ${times(memory.hits.area)}, by piece ${times(memory.hits.area_by_piece)}. `,
          memory.played_before > 0 ? `This very turn was played in ${plural(memory.played_before, "other game")}.` : "This turn had never been played.",
          " ",
          before && h("a", { href: `/explore?at=${positionSlug(before.board, before.side)}` }, "Explore from here"),
        ),
    );
  };

  const drawGraph = () => {
    const scores = turns.map((_, i) => judged.get(i)?.score);
    const marks = [...judged.values()].flatMap(({ ply: at, mark }) => (mark ? [{ ply: at, mark }] : []));
    graph.set(turns.length, scores, marks);
    graph.light(ply);
    fill(
      strips,
      turns.length > 0 && phaseStrip(turns.map(({ label }, i) => ({ label, phase: phases.get(i) })), goTo),
      strip({
        name: "What the memory knows of each turn",
        colours: turns.map((_, i) => {
          const memory = known.get(i);
          if (!memory) return undefined;
          if (memory.played_before > 0) return "k4";
          if (memory.hits.full > 1) return "k3";
          if (memory.hits.half > 1) return "k2";
          return memory.hits.area > 1 ? "k1" : "k0";
        }),
        titles: turns.map((move, i) => `${move.label}: ${MEMORY_WORDS(known.get(i))}`),
      }),
      strip({
        name: "Pieces on the board",
        colours: turns.map((_, i) => `m${Math.min(8, 32 - (positions[i + 1]?.board.filter(Boolean).length ?? 32))}`),
        titles: turns.map((move, i) => `${move.label}: ${positions[i + 1]?.board.filter(Boolean).length ?? 32} pieces`),
      }),
    );
  };

  /** Who first played a turn that nobody had played before. @type {{side: Side, label: string | null} | null} */
  let left = null;
  /** @type {{gold: Record<string, number>, silver: Record<string, number>} | null} */
  let totals = null;
  const drawSummary = () =>
    fill(
      summary,
      left && h("p", {}, leftWords(left)),
      totals &&
        (["gold", "silver"]).map((side) => {
          const count = totals?.[/** @type {"gold"} */ (side)] ?? {};
          return h("p", {}, `${capital(side)}: ${plural(count.inaccuracies ?? 0, "inaccuracy", "inaccuracies")}, ${plural(count.mistakes ?? 0, "mistake")}, ${plural(count.blunders ?? 0, "blunder")}.`);
        }),
    );

  /** @param {{side: Side, label: string | null}} first */
  const leftWords = ({ side, label }) =>
    label === null
      ? "The whole game stayed in known territory."
      : `${sideName(side)} (${side === "g" ? game.gold.name : game.silver.name}) was the first to leave known territory, at ${label}.`;

  /** Draws at most once a frame, however fast the events come. */
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawGraph();
      drawList();
      drawFacts();
    });
  };

  const reviewSelect = engineSelect("review-engine", "fairy");
  const pace = h("select", { name: "pace" }, [0.1, 0.5, 2].map((sec) => h("option", { value: sec, selected: sec === 0.5 }, `${sec} s a turn`)));
  const progress = h("progress", { max: String(turns.length), value: "0", hidden: true, "aria-label": "Turns looked at" });
  const reviewTrouble = h("div", {});
  const run = h("button", { type: "button", class: "primary", onclick: () => void review(true) }, icon("search"), h("span", {}, "Find mistakes"));
  /** @type {AbortController | null} */
  let running = null;

  /** Without the engine only the memory is asked: the stream is left when it is done with that. @param {boolean} withEngine */
  const review = async (withEngine) => {
    if (running) {
      running.abort();
      running = null;
      if (withEngine && progress.hidden === false) {
        setRunning(false);
        return;
      }
    }
    const mine = new AbortController();
    running = mine;
    signal.addEventListener("abort", () => mine.abort());
    if (withEngine) setRunning(true);
    const handlers = {
      known: (/** @type {Known} */ data) => {
        known.set(data.ply, data);
        soon();
      },
      phase: (/** @type {{ply: number, phase: import("./phases.js").Phase}} */ data) => {
        phases.set(data.ply, data.phase);
        soon();
      },
      left: (/** @type {{side: Side, label: string | null}} */ data) => {
        left = data;
        drawSummary();
        if (!withEngine) mine.abort();
      },
      turn: (/** @type {Judged} */ data) => {
        judged.set(data.ply, data);
        progress.value = judged.size;
        soon();
      },
      done: (/** @type {any} */ data) => {
        totals = data;
        drawSummary();
      },
    };
    const options = { engine: reviewSelect.value, seconds: Number(pace.value) };
    try {
      if (pasted === null) await stream(`/games/${game.id}/review`, options, handlers, mine.signal);
      else await postStream("/review", { text: pasted, ...options }, handlers, mine.signal);
    } catch (error) {
      if (!isAbort(error)) fill(reviewTrouble, failed(messageOf(error), () => void review(withEngine)));
    }
    if (running === mine) running = null;
    if (withEngine) setRunning(false);
  };
  /** @param {boolean} on */
  const setRunning = (on) => {
    fill(reviewTrouble);
    progress.hidden = !on;
    const label = run.querySelector("span");
    if (label) label.textContent = on ? "Stop" : judged.size > 0 ? "Look again" : "Find mistakes";
  };

  const exports = h("div", { class: "row-of small" });
  const drawExports = () => {
    const share = h("button", { type: "button", onclick: () => void copyFrom(share, location.href) }, icon("share"), h("span", {}, "Copy address"));
    const name = pasted === null ? `game-${game.id}` : "game";
    const notation = h("button", { type: "button", onclick: () => save(new Blob([game.notation], { type: "text/plain" }), `${name}.txt`) }, icon("download"), "Notation");
    /** @param {"png" | "svg"} kind */
    const picture = (kind) => h("button", { type: "button", onclick: () => void savePicture(kind, name) }, icon("download"), kind.toUpperCase());
    const gif = h("button", { type: "button", onclick: () => void saveGif(gif, name) }, icon("download"), h("span", {}, "GIF"));
    fill(exports, share, notation, picture("png"), picture("svg"), gif);
  };

  /** @param {"png" | "svg"} kind @param {string} name */
  const savePicture = async (kind, name) => {
    const at = walk()?.at;
    if (!at) return;
    const side = panel.board.state.flipped ? "s" : "g";
    await fetchAndSave(apiAddress(`/board.${kind}`, { position: positionText(at.board, at.side).replaceAll(" ", ".").replace(".[", " ["), size: 480, side }), `${name}-${ply}.${kind}`);
  };

  /** @param {HTMLElement} button @param {string} name */
  const saveGif = async (button, name) => {
    const label = /** @type {HTMLElement} */ (button.querySelector("span"));
    label.textContent = "Drawing …";
    try {
      const side = panel.board.state.flipped ? "s" : "g";
      if (pasted === null) await fetchAndSave(apiAddress(`/games/${game.id}/game.gif`, { size: 320, delay: 700 }), `${name}.gif`);
      else save(await (await send("POST", "/draw", { text: pasted, format: "gif", size: 320, delay: 700, side }, signal)).blob(), `${name}.gif`);
    } catch (error) {
      if (!isAbort(error)) panel.say(messageOf(error), "wrong");
    }
    label.textContent = "GIF";
  };

  /** @param {string} url @param {string} name */
  const fetchAndSave = async (url, name) => {
    const response = await fetch(url, { signal });
    if (response.ok) save(await response.blob(), name);
    else panel.say(`The server could not draw it (status ${response.status}).`, "wrong");
  };

  panel.setButtons(
    h(
      "div",
      { class: "row-of" },
      step("first", "To the start (Home)", () => goTo(0)),
      step("back", "Back (left arrow)", () => back()),
      step("forward", "On (right arrow)", () => forward()),
      step("last", "To the end (End)", () => goTo(turns.length)),
    ),
    buttons.element,
  );
  const back = () => (then.length > 0 ? goTo(ply, then.slice(0, -1)) : goTo(ply - 1));
  const forward = () => {
    const more = variations.find((v) => v.ply === ply && then.length > 0 && v.turns.length > then.length && then.every((t, i) => t === v.turns[i]));
    if (more) goTo(ply, more.turns.slice(0, then.length + 1));
    else if (then.length === 0) goTo(ply + 1);
  };

  drawExports();
  drawGraph();
  const title = `${game.gold.name} – ${game.silver.name}`;
  const element = h(
    "div",
    { class: "split two-rows" },
    panel.element,
    h(
      "div",
      { class: "side-column" },
      h("h1", {}, players(game)),
      h("p", { class: "muted small" }, [game.outcome?.words ?? ending(game), plural(turns.length, "turn"), game.date, game.event, game.time_control === "0/0" ? "no clock" : game.time_control].filter(Boolean).join(" · ")),
      game.fault && h("p", { class: "notice failed" }, `The record has a fault: ${game.fault}`),
      h(
        "section",
        { class: "card", "aria-label": "Course of the game" },
        graph.element,
        strips,
        legend(),
        h("div", { class: "row-of" }, run, reviewSelect, pace, progress),
        reviewTrouble,
        summary,
      ),
      h("section", { class: "card", "aria-label": "Turns" }, turns.length > 0 ? list.element : empty("No turns were played."), facts, here),
      engine.element,
      h("section", { class: "card", "aria-label": "Share and save" }, exports),
    ),
  );
  reviewSelect.setAttribute("aria-label", "Engine for the review");
  pace.setAttribute("aria-label", "Time a turn");
  update(context);
  if (turns.length > 0) void review(false);

  return {
    element,
    title,
    update,
    key: (/** @type {string} */ key) => {
      if (key === "ArrowLeft") back();
      else if (key === "ArrowRight") forward();
      else if (key === "Home") goTo(0);
      else if (key === "End") goTo(turns.length);
      else if (key === "x") panel.flip();
      else if (key === "u") input.undo();
      else if (key === "f") finish();
      else return false;
      return true;
    },
  };
}

/** @param {string} name @param {string} label @param {() => void} act */
const step = (name, label, act) => h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: act }, icon(name));

/** @param {number} count */
const times = (count) => (count === 0 ? "not at all" : count === 1 ? "once" : `${count} times`);


/** @param {Known | undefined} memory */
const MEMORY_WORDS = (memory) => {
  if (!memory) return "not asked yet";
  if (memory.played_before > 0) return `played in ${plural(memory.played_before, "other game")}`;
  if (memory.hits.full > 1) return "position known, turn new";
  if (memory.hits.half > 1) return "middle of the board known";
  return memory.hits.area > 1 ? "area round a trap known" : "all new";
};

const legend = () =>
  h(
    "p",
    { class: "legend small muted" },
    [
      ["k4", "turn played before"],
      ["k3", "position known"],
      ["k2", "middle known"],
      ["k1", "area known"],
    ].map(([colour, words]) => h("span", {}, h("span", { class: `swatch ${colour}` }), words)),
    h("span", {}, "lower strip: pieces lost"),
  );

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
