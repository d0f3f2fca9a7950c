// @ts-check
/** Watch engines play each other: /watch begins an arena and lists past ones, /watch/ID shows one. */

import { arenaAddress, arenaGameAddress, readWatch, WATCH } from "../addresses.js";
import { get, isAbort, messageOf, post, send, stream } from "../api.js";
import { capital, fill, h, number, percent, plural } from "../dom.js";
import { icon } from "../icons.js";
import { LiveGame } from "../live-game.js";
import { ending, gameList, knownEngines } from "../parts.js";
import { empty, failed, showing } from "../states.js";

/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */
/** @typedef {{value: number | null, low: number | null, high: number | null} | null} Elo */
/** @typedef {{name: string, wins: number, losses: number, elo: Elo, crashes: number, illegal: number, timeouts: number, last_fault: string | null}} Standing */
/** Pairs of games by how many of the two were won: none, one, both; then games without a partner. @typedef {{pairs: number[], single_wins: number, single_losses: number}} Score */
/** @typedef {{first: number, second: number, score: Score, elo: Elo, los: number | null}} Pairing */
/** @typedef {{games: number, planned: number, gold_wins: number, terminations: Record<string, number>, players: Standing[], pairings: Pairing[]}} Standings */
/** @typedef {{number: number, gold: string, silver: string, label: string, position: string | null, turn: string | null, moves: LiveMove[]}} Live (API: BoardView) */
/** @typedef {import("../live-game.js").LiveMove} LiveMove */
/** @typedef {{id: string, state: "running" | "paused" | "stopped" | "finished" | "failed", started: string | null, settings: {players: string[], games: number}, standings: Standings | null, boards?: Live[], error: string | null, yours: boolean}} Arena (API: ArenaView) */

const STATES = /** @type {Record<string, string>} */ ({
  running: "running",
  paused: "paused",
  stopped: "stopped",
  finished: "finished",
  failed: "failed",
});

/** What is said where no game is played. */
const WAITS = /** @type {Record<string, string>} */ ({
  paused: "It pauses; no game is being played.",
  stopped: "It was stopped; no game is being played.",
  finished: "All games are played. Open one below, or beside.",
  failed: "It has failed.",
});

/** @param {Context} context @returns {Page} */
export function page(context) {
  const { id } = readWatch(context.url);
  return id ? arenaPage(context, id) : hall(context);
}

// --- beginning one -------------------------------------------------------------

/** @param {Context} context @returns {Page} */
function hall({ go, signal }) {
  const trouble = h("div", {});
  const choices = h("div", { class: "engines", role: "group", "aria-label": "Players" });
  void showing(choices, knownEngines, ({ engines }) =>
    fill(
      choices,
      engines.map(({ name, about }) =>
        h(
          "label",
          { class: "engine-choice" },
          h("input", { type: "checkbox", name: "player", value: name, checked: name === "greedy" || name === "fallback" }),
          h("span", {}, h("strong", {}, name), h("span", { class: "muted small" }, ` ${about}`)),
        ),
      ),
    ),
  );
  const start = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const more = String(form.get("more") ?? "").split(/[\s;]+/).filter(Boolean);
    const players = [...form.getAll("player").map(String), ...more];
    if (players.length < 2) {
      fill(trouble, failed("An arena needs two players at least."));
      return;
    }
    try {
      /** @type {Arena} */
      const arena = await post("/arenas", {
        players,
        games: Number(form.get("games")),
        seconds: Number(form.get("seconds")),
        nodes: null,
        depth: null,
        control: null,
        gauntlet: false,
        max_moves: 100,
        random_turns: Number(form.get("random")),
        concurrency: 1,
        seed: Number(form.get("seed")) || 1,
        learn: form.get("learn") === "on",
      });
      go(arenaAddress(arena.id));
    } catch (error) {
      fill(trouble, failed(messageOf(error)));
    }
  };
  const past = h("section", { class: "card", "aria-label": "Tournaments" });
  void showing(
    past,
    () => /** @type {Promise<{arenas: Arena[], total: number}>} */ (get("/arenas", {}, signal)),
    ({ arenas, total }) =>
      fill(
        past,
        h("h2", {}, "Tournaments"),
        arenas.length === 0
          ? empty("None yet. What you begin here is kept.")
          : h(
              "ul",
              { class: "games" },
              arenas.map((arena) =>
                h(
                  "li",
                  {},
                  h(
                    "a",
                    { href: arenaAddress(arena.id) },
                    h("span", {}, arena.settings.players.join(", ")),
                    h("span", { class: "muted small" }, [STATES[arena.state], arena.standings ? `${arena.standings.games} of ${plural(arena.standings.planned, "game")}` : "", arena.started].filter(Boolean).join(" · ")),
                  ),
                ),
              ),
            ),
        total > arenas.length && h("p", { class: "small muted" }, `The last ${number(arenas.length)} of ${number(total)} tournaments.`),
      ),
  );
  /** @param {string} label @param {string} name @param {string} value @param {Record<string, string>} [more] */
  const field = (label, name, value, more = {}) => h("label", { class: "field" }, label, h("input", { name, value, type: "number", ...more }));
  return {
    title: "Watch",
    element: h(
      "div",
      { class: "two-columns" },
      h(
        "div",
        {},
        h("h1", {}, "Let engines play"),
        h(
          "form",
          { class: "card", onsubmit: start },
          h("h2", {}, "Players"),
          choices,
          h(
            "div",
            { class: "fields" },
            h("label", { class: "field" }, "Further, with options", h("input", { name: "more", placeholder: "fairy:depth=4", autocomplete: "off" })),
            field("Games a pair", "games", "10", { min: "1", max: "1000" }),
            field("Seconds a turn", "seconds", "0.1", { min: "0.01", max: "10", step: "0.01" }),
            field("Random turns first", "random", "2", { min: "0", max: "20" }),
            field("Seed", "seed", "1", { min: "0" }),
            h("label", { class: "check" }, h("input", { type: "checkbox", name: "learn" }), "remember these games"),
          ),
          trouble,
          h("button", { type: "submit", class: "primary" }, icon("play"), "Begin"),
        ),
      ),
      past,
    ),
  };
}

// --- one arena -------------------------------------------------------------------

/** @param {Context} context @param {string} id @returns {Page} */
function arenaPage({ signal, go }, id) {
  const heading = h("h1", {}, "Tournament");
  const status = h("p", { role: "status" });
  const actions = h("div", { class: "row-of" });
  const bar = h("progress", { max: "1", value: "0", "aria-label": "Games played" });
  const game = new LiveGame(signal);
  const standingsPlace = h("section", { class: "card", "aria-label": "Standings" });
  const gamesPlace = h("section", { class: "card", "aria-label": "Games" });
  const trouble = h("div", {});
  /** @type {Arena | null} */
  let arena = null;
  /** @param {"pause" | "resume" | "stop"} what */
  const act = async (what) => {
    try {
      show(await post(`/arenas/${id}/${what}`, {}, signal));
      if (what === "resume") void listen();
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };

  const remove = async () => {
    if (!confirm("Delete this tournament and its games?")) return;
    try {
      await send("DELETE", `/arenas/${id}`, {}, signal);
      go(WATCH);
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };

  /** The state its buttons are for. @type {string} */
  let offered = "";
  /** Only when the state changes: a button replaced under a finger loses the press. @param {Arena} next */
  const offer = (next) => {
    if (offered === `${next.state} ${next.yours}`) return;
    offered = `${next.state} ${next.yours}`;
    fill(
      actions,
      next.yours && next.state === "running" && h("button", { type: "button", onclick: () => void act("pause") }, icon("pause"), "Pause"),
      next.yours && next.state === "running" && h("button", { type: "button", onclick: () => void act("stop") }, icon("stop"), "Stop"),
      next.yours && next.state !== "running" && h("button", { type: "button", onclick: () => void remove() }, "Delete"),
      next.yours && (next.state === "paused" || next.state === "stopped") && h("button", { type: "button", class: "primary", onclick: () => void act("resume") }, icon("play"), "Go on"),
      h("a", { class: "button", href: WATCH }, "All tournaments"),
    );
  };

  /** @param {Arena} next */
  const show = (next) => {
    arena = next;
    fill(heading, next.settings.players.join(" – "));
    const { standings } = next;
    bar.value = standings && standings.planned > 0 ? standings.games / standings.planned : 0;
    bar.hidden = next.state === "finished";
    fill(status, `${capital(STATES[next.state] ?? next.state)}${standings ? `: ${number(standings.games)} of ${plural(standings.planned, "game")} played` : ""}`);
    offer(next);
    if (next.error) fill(trouble, failed(next.error));
    for (const board of next.boards ?? []) game.begin(board);
    game.wait(next.state === "running" ? "The next game begins …" : WAITS[next.state] ?? "", next.state === "running");
    if (standings) drawStandings(standings);
    else fill(standingsPlace, h("h2", {}, "Standings"), empty("They appear when the first game is over."));
    void loadGames();
  };

  /** @param {Standings} standings */
  const drawStandings = (standings) => {
    const { players, pairings } = standings;
    /** @param {number} a @param {number} b */
    const against = (a, b) => {
      const pair = pairings.find((p) => (p.first === a && p.second === b) || (p.first === b && p.second === a));
      if (!pair) return "";
      const [wins, losses] = wonLost(pair.score);
      return pair.first === a ? `${wins}–${losses}` : `${losses}–${wins}`;
    };
    // Whoever leads stands first.
    const order = players.map((_, i) => i).sort((a, b) => (players[b]?.elo?.value ?? 0) - (players[a]?.elo?.value ?? 0) || (players[b]?.wins ?? 0) - (players[a]?.wins ?? 0));
    fill(
      standingsPlace,
      h("h2", {}, "Standings"),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Crosstable" },
        h(
          "table",
          { class: "crosstable" },
          h(
            "thead",
            {},
            h("tr", {}, h("th", {}, "Engine"), h("th", { class: "num" }, "Won"), h("th", { class: "num" }, "Lost"), h("th", { class: "num", title: "Elo above or below the average of these players" }, "Elo ± average"), order.map((k, i) => h("th", { class: "num", title: players[k]?.name }, `vs ${i + 1}`))),
          ),
          h(
            "tbody",
            {},
            order.map((i, place) => {
              const player = /** @type {Standing} */ (players[i]);
              return h(
                "tr",
                {},
                h("td", {}, `${place + 1}. ${player.name}`, faults(player)),
                h("td", { class: "num" }, player.wins),
                h("td", { class: "num" }, player.losses),
                h("td", { class: "num" }, eloText(player.elo)),
                order.map((k) => h("td", { class: "num" }, i === k ? "·" : against(i, k))),
              );
            }),
          ),
        ),
      ),
      h("p", { class: "small muted" }, "Elo ± average: how far above or below the average of these players, with its error; not a rating that means something elsewhere."),
      standings.games > 0 && h("p", { class: "small muted" }, `Gold won ${percent(standings.gold_wins / standings.games)} of the games.`),
    );
  };

  const loadGames = () =>
    showing(
      gamesPlace,
      () => /** @type {Promise<{games: import("../types.js").Game[], total: number}>} */ (get(`/arenas/${id}/games`, { order: "newest", limit: 200 }, signal)),
      ({ games, total }) =>
        fill(
          gamesPlace,
          h("h2", {}, "Games"),
          games.length > 0 ? gameList(games, (one) => arenaGameAddress(id, one.number)) : empty("No game has ended yet."),
          total > games.length && h("p", { class: "small muted" }, `The last ${number(games.length)} of ${number(total)} games.`),
        ),
    );

  const listen = async () => {
    try {
      await stream(
        `/arenas/${id}/events`,
        {},
        {
          arena: show,
          started: (/** @type {Live} */ board) => game.begin(board),
          moved: (/** @type {Live} */ board) => game.moved(board),
          finished: ({ number: which, winner, termination, standings }) => {
            game.finished(which, ending({ result: winner, termination }));
            if (arena) show({ ...arena, standings, boards: [] });
          },
          done: () => void get(`/arenas/${id}`, {}, signal).then((last) => show(/** @type {Arena} */ (last)), () => {}),
        },
        signal,
      );
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error), () => (fill(trouble), void listen())));
    }
  };
  void listen();

  return {
    title: "Tournament",
    element: h("div", { class: "two-columns watch-page" }, h("div", {}, heading, status, bar, trouble, actions, game.element), h("div", {}, standingsPlace, gamesPlace)),
  };
}

/** @param {Elo} elo */
function eloText(elo) {
  if (!elo || elo.value === null) return "–";
  const sign = elo.value > 0 ? "+" : elo.value < 0 ? "−" : "";
  const error = elo.low !== null && elo.high !== null ? ` ± ${Math.round((elo.high - elo.low) / 2)}` : "";
  return `${sign}${Math.abs(Math.round(elo.value))}${error}`;
}

/** @param {Standing} player */
const faults = ({ crashes, illegal, timeouts, last_fault }) => {
  const words = [crashes && plural(crashes, "crash", "crashes"), illegal && plural(illegal, "illegal turn"), timeouts && plural(timeouts, "timeout")].filter(Boolean).join(", ");
  return words ? h("span", { class: "small wrong", title: last_fault ?? "" }, ` (${words})`) : null;
};

/** Wins and losses of the first of a pair. @param {Score} score @returns {[number, number]} */
function wonLost({ pairs, single_wins, single_losses }) {
  const [none = 0, one = 0, both = 0] = pairs;
  return [one + 2 * both + single_wins, one + 2 * none + single_losses];
}
