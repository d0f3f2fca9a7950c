// @ts-check
/**
 * Explore: a board, and beside it what the memory knows of the position. It
 * begins with the setups: Gold's, then Silver's replies, then turn after turn.
 *
 * Addresses: / Gold's setups, /setups?gold=LETTERS Silver's replies,
 * /explore?at=POSITION the position; kind, trap, piece and filters beside.
 */

import { address, get } from "../api.js";
import { BoardPanel, sideBadge, turnButtons } from "../board-panel.js";
import { duration, fill, h, number, plural } from "../dom.js";
import { engineBox } from "../engine-box.js";
import { icon } from "../icons.js";
import { drawnArrows, positionSlug, positionText, readPosition, readSetup, readSlug, replayTurn, setupText } from "../notation.js";
import { chips, FilterBox, filtersOf, gameList, tabs, winBar } from "../parts.js";
import { emptyBoard, outcome, opponent, sideName, sideOf, squareName } from "../rules.js";
import { arrange, isSetup, setupLetters, SetupInput } from "../setup-input.js";
import { setupPicker } from "../setup-picker.js";
import { empty, showing } from "../states.js";
import { positionBox } from "../position-box.js";
import { TurnInput } from "../turn-input.js";

/** @typedef {import("../types.js").Explored} Explored */
/** @typedef {import("../types.js").Hits} Hits */
/** @typedef {import("../types.js").PlayedTurn} PlayedTurn */
/** @typedef {import("../rules.js").Side} Side */
/** @typedef {{turn: string, from: string}[]} Line the turns that led here, each with the position before it */

const KINDS = [
  { id: "full", label: "Full" },
  { id: "half", label: "Half" },
  { id: "area", label: "Area" },
  { id: "area-by-piece", label: "By piece" },
];
const KIND_WORDS = /** @type {Record<string, string>} */ ({
  full: "The whole board.",
  half: "The middle, ranks 3 to 6; the rest may differ.",
  area: "The 5×5 squares round a trap; the rest may differ.",
  "area-by-piece": "Round a trap, as one piece sees it: friends, and enemies weaker, equal or stronger.",
});

/** @param {import("../app.js").Context} context @returns {import("../app.js").Page} */
export function page(context) {
  let now = context;
  const panel = new BoardPanel("Arimaa board");
  const heading = h("h1", {});
  const trail = h("div", { class: "trail" });
  const side = h("div", { class: "side" });
  const element = h("div", { class: "split" }, panel.element, h("div", { class: "side-column" }, heading, trail, side));
  const memory = h("section", { class: "card memory", "aria-label": "Memory" });
  const filterBox = new FilterBox((filters) => changeFilters(filters));
  const engine = engineBox(context.signal, (arrows) => panel.board.set({ arrows }));
  /** @type {TurnInput | null} */
  let input = null;
  /** @type {ReturnType<typeof turnButtons> | null} */
  let buttons = null;
  let shownAt = "";

  /** Goes somewhere, keeping filters. @param {string} path @param {Record<string, string | undefined>} params @param {{replace?: boolean, state?: unknown}} [options] */
  const go = (path, params, options) => now.go(address(path, { ...params, ...filtersOf(now.url.searchParams) }), options);

  const update = (/** @type {import("../app.js").Context} */ next) => {
    now = next;
    const query = now.url.searchParams;
    filterBox.set(filtersOf(query));
    const at = readSlug(query.get("at") ?? "");
    if (at) return showPosition(at.board, at.side);
    if (query.get("at")) panel.say("The position in the address cannot be read. Here are the setups instead.", "wrong");
    shownAt = "";
    input = null;
    panel.area(null);
    const gold = (query.get("gold") ?? "").toUpperCase();
    return isSetup(gold) ? showSetups("s", gold) : showSetups("g", "");
  };

  /** @param {Side} side_ @param {string} gold */
  const showSetups = (side_, gold) => {
    const board = emptyBoard();
    if (gold) arrange(board, "g", gold);
    const setupInput = new SetupInput(panel.board, side_, () => {});
    setupInput.start(board);
    fill(panel.above);
    fill(panel.below);
    panel.note("Drag pieces to change places, or take a setup from the list.");
    const use = () => {
      const placed = panel.board.state.board;
      if (side_ === "g") go("/setups", { gold: setupLetters(placed, "g") });
      else go("/explore", { at: positionSlug(placed, "g") });
    };
    panel.setButtons(h("button", { type: "button", class: "primary", onclick: use }, icon("check"), "Use this setup"));
    fill(heading, side_ === "g" ? "How games begin: Gold's setup" : "Silver's reply");
    fill(
      trail,
      side_ === "s" && h("a", { href: "/" }, "‹ Gold's setups"),
      side_ === "g" && h("p", { class: "muted" }, "Hathi remembers every Arimaa game it has read. Choose how Gold sets up, then Silver's reply, and walk through what was played."),
    );
    const list = setupPicker({
      side: side_,
      replyTo: gold ? setupText(board, "g") : "",
      filters: filtersOf(now.url.searchParams),
      signal: now.signal,
      show: (setup) => {
        const placed = [...board];
        for (const { piece, square } of readSetup(setup) ?? []) placed[square] = piece;
        setupInput.start(placed);
      },
      choose: use,
    });
    fill(side, filterBox.element, list, goToBox);
    scrollTo(0, 0);
    return side_ === "g" ? "Explore" : "Silver's replies";
  };

  const changeFilters = (/** @type {Record<string, string>} */ filters) => {
    const query = now.url.searchParams;
    const keep = Object.fromEntries(["at", "gold", "kind", "trap", "piece"].map((key) => [key, query.get(key)]));
    now.go(address(now.url.pathname, { ...keep, ...filters }), { replace: true, state: now.state });
  };

  /** @param {string[]} board @param {Side} toMove */
  const showPosition = (board, toMove) => {
    const slug = positionSlug(board, toMove);
    const line = /** @type {Line} */ (now.state?.line ?? []);
    const last = line.at(-1);
    if (slug !== shownAt) {
      if (!input) {
        input = new TurnInput(panel.board, {
          say: (words, tone) => panel.say(words, tone),
          change: () => {
            buttons?.update();
            sayTurn();
          },
        });
        buttons = turnButtons(input, () => finish());
        panel.setButtons(buttons.element);
      }
      const from = last && readSlug(last.from);
      const replay = last && from ? replayTurn(from.board, from.side, last.turn) : null;
      void input.arrive(board, toMove, { steps: replay?.steps ?? [], enabled: outcome(board, opponent(toMove)) === null }).then(() => buttons?.update());
      buttons?.update();
      shownAt = slug;
    }
    fill(panel.above);
    sayTurn();
    engine.set(positionText(board, toMove));
    fill(heading, sideBadge(toMove), ` to move`);
    fill(trail, showLine(line), h("p", { class: "small from-here-link" }, h("a", { href: address("/play", { at: slug }) }, "Play from here"), " · ", h("a", { href: address("/lab/plans", { position: slug }) }, "In the lab")));
    if (side.firstChild !== memory) {
      fill(side, memory, filterBox.element, engine.element, goToBox);
      scrollTo(0, 0);
    }
    void fillMemory(memory, board, toMove);
    return `${sideName(toMove)} to move`;
  };

  const sayTurn = () => {
    if (!input) return;
    const { board, side: toMove } = input.position;
    const over = input.taken.length === 0 ? outcome(board, opponent(toMove)) : null;
    if (over) panel.note(`${sideName(over.winner)} has won: ${over.reason}.`);
    else if (input.taken.length > 0) panel.note(input.text);
    else panel.note(`${sideName(toMove)}'s turn: up to four steps. Drag or click a piece; drag a stronger piece onto an enemy to push it.`);
  };

  /** @param {Line} line */
  const showLine = (line) =>
    line.length === 0
      ? h("a", { href: "/" }, "‹ Setups")
      : h(
          "ol",
          { class: "line" },
          h("li", {}, h("a", { href: "/" }, "Setups")),
          line.map(({ turn, from }, i) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: "link-button mono",
                  title: "Back to before this turn",
                  onclick: () => go("/explore", { at: from }, { state: { line: line.slice(0, i) } }),
                },
                turn,
              ),
            ),
          ),
        );

  /** One turn back along the line that led here. */
  const back = () => {
    const line = /** @type {Line} */ (now.state?.line ?? []);
    const last = line.at(-1);
    if (last) go("/explore", { at: last.from }, { state: { line: line.slice(0, -1) } });
  };

  const finish = () => {
    if (!input?.after) return;
    const { board, side: toMove } = input.after;
    const line = [.../** @type {Line} */ (now.state?.line ?? []), { turn: input.text, from: shownAt }];
    // The pieces are where they belong already: no second motion.
    shownAt = positionSlug(board, toMove);
    input.start(board, toMove, { last: input.steps, enabled: outcome(board, opponent(toMove)) === null });
    buttons?.update();
    go("/explore", { at: shownAt, kind: now.url.searchParams.get("kind") ?? undefined }, { state: { line } });
  };

  /** Plays a turn of the memory. @param {PlayedTurn} played */
  const playTurn = (played) => {
    const after = readPosition(played.position_after);
    if (!after) return;
    const line = [.../** @type {Line} */ (now.state?.line ?? []), { turn: played.turn, from: shownAt }];
    go("/explore", { at: positionSlug(after.board, after.side), kind: now.url.searchParams.get("kind") ?? undefined }, { state: { line } });
  };

  /** The square the opponent last moved to, if the turn that led here is known: areas are looked for round the trap next to it. */
  const lastMoved = () => {
    const last = /** @type {Line} */ (now.state?.line ?? []).at(-1);
    const from = last && readSlug(last.from);
    const replay = from && replayTurn(from.board, from.side, last.turn);
    if (!replay) return undefined;
    // As the engines see it: an own piece rather than one pushed or pulled, and one that still stands.
    const standing = replay.steps.filter(({ piece, to }) => replay.board[to] === piece).reverse();
    const step = standing.find(({ piece }) => sideOf(piece) === from.side) ?? standing[0];
    return step && squareName(step.to);
  };

  /** @param {HTMLElement} place @param {string[]} board @param {Side} toMove */
  const fillMemory = async (place, board, toMove) => {
    const query = now.url.searchParams;
    const filters = filtersOf(query);
    const position = positionText(board, toMove);
    const trap = query.get("trap") ?? undefined;
    const where = { trap, last: trap ? undefined : lastMoved(), piece: query.get("piece") ?? undefined };
    const { signal } = now;
    await showing(
      place,
      async () => {
        /** @type {Hits} */
        const hits = await get("/hits", { position, ...where, ...filters }, signal);
        const wanted = query.get("kind");
        const first = hits.kinds.find((k) => k.hits > 0)?.kind ?? "full";
        const kind = KINDS.some((k) => k.id === wanted) ? String(wanted) : first;
        const area = kind.startsWith("area") ? where : {};
        /** @type {Explored} */
        const explored = await get("/explore", { position, kind, limit: 20, ...area, ...filters }, signal);
        return { hits, explored, kind };
      },
      ({ hits, explored, kind }) => {
        if (positionSlug(board, toMove) !== shownAt) return;
        panel.area(kind === "full" ? null : explored.squares);
        const change = (/** @type {Record<string, string | undefined>} */ params) =>
          go("/explore", { at: shownAt, kind, trap: where.trap, piece: where.piece, ...params }, { replace: true, state: now.state });
        fill(
          place,
          tabs(
            "What must be the same",
            KINDS.map(({ id, label }) => ({ id, label, count: number(hits.kinds.find((k) => k.kind === id)?.hits ?? 0) })),
            kind,
            (id) => change({ kind: id }),
          ),
          h("p", { class: "muted small" }, KIND_WORDS[kind]),
          kind.startsWith("area") && areaChips(hits, explored, kind, change),
          turnTable(explored, board, toMove),
          hits.puzzles.length > 0 && puzzleNote(hits.puzzles),
          games("Strongest", explored.top_rated),
          games("Most recent", explored.most_recent),
        );
      },
    );
  };

  /** @param {Hits} hits @param {Explored} explored @param {string} kind @param {(params: Record<string, string>) => void} change */
  const areaChips = (hits, explored, kind, change) =>
    h(
      "div",
      { class: "area-chips" },
      chips(
        "Trap",
        hits.traps.map(({ trap, hits: count }) => ({ id: trap, label: `${trap} · ${number(count)}` })),
        explored.trap ?? "",
        (trap) => change({ trap }),
      ),
      kind === "area-by-piece" &&
        chips(
          "Piece to be moved",
          [..."EMHDCR"].map((letter) => ({ id: letter, label: letter, title: `as the ${letter} sees it` })),
          explored.piece ?? "",
          (piece) => change({ piece }),
        ),
    );

  /** @param {Explored} explored @param {string[]} board @param {Side} toMove */
  const turnTable = (explored, board, toMove) => {
    if (explored.hits === 0) {
      return empty("Nobody has been here before. Try a smaller part of the board above, fewer filters, or play on.");
    }
    /** @param {PlayedTurn} played */
    const preview = (played) => {
      if (input && input.taken.length > 0) return;
      const steps = replayTurn(board, toMove, played.turn)?.steps ?? [];
      panel.board.set({ arrows: drawnArrows(steps, toMove) });
    };
    const clear = () => {
      if (!input || input.taken.length === 0) panel.board.set({ arrows: [] });
    };
    return h(
      "div",
      {},
      h(
        "p",
        { class: "small" },
        `${plural(explored.hits, "time")} in ${plural(explored.games, "game")}, ${plural(explored.different_turns, "different turn")}`,
        h("span", { class: "muted" }, ` · ${duration(explored.microseconds)}`),
      ),
      h(
        "table",
        { class: "turns", onmouseleave: clear },
        h(
          "thead",
          {},
          h("tr", {}, h("th", {}, "Turn"), h("th", { class: "num" }, "Games"), h("th", {}, "Won"), h("th", { class: "num wide-only" }, "Rating"), h("th", { class: "num wide-only" }, "Last")),
        ),
        h(
          "tbody",
          {},
          explored.turns.map((played) =>
            h(
              "tr",
              { class: "hot", onmouseenter: () => preview(played), onfocusin: () => preview(played), onfocusout: clear },
              h(
                "td",
                {},
                h("button", { type: "button", class: "link-button mono turn", onclick: () => playTurn(played) }, played.turn),
              ),
              h(
                "td",
                { class: "num" },
                played.samples[0]
                  ? h("a", { href: `/review/${played.samples[0].game}?ply=${played.samples[0].ply}`, title: "A game with it" }, number(played.count))
                  : number(played.count),
              ),
              h("td", {}, winBar(toMove, played.win_rate)),
              h("td", { class: "num wide-only" }, played.rating ? Math.round(played.rating) : "–"),
              h("td", { class: "num wide-only" }, played.last_played?.slice(0, 7) ?? "–"),
            ),
          ),
        ),
      ),
      explored.different_turns > explored.turns.length &&
        h("p", { class: "muted small" }, `The ${explored.turns.length} most played of ${number(explored.different_turns)}.`),
    );
  };

  /** @param {Hits["puzzles"]} puzzles */
  const puzzleNote = (puzzles) =>
    h(
      "p",
      { class: "notice" },
      "There is a win in two here: ",
      puzzles.map(({ game, move }) => h("a", { href: `/puzzles/win-${game}-${move}` }, "solve it")),
    );

  /** @param {string} title @param {import("../types.js").Game[]} list */
  const games = (title, list) => list.length > 0 && h("section", {}, h("h2", {}, title), gameList(list));

  const goToBox = positionBox(() => now.signal, ({ board, side: toMove }) => go("/explore", { at: positionSlug(board, toMove) }));
  const title = update(context);
  return {
    element,
    title,
    update,
    key: (key) => {
      if (key === "x") panel.flip();
      else if (key === "u" && input) input.undo();
      else if (key === "f" && input) finish();
      else if (key === "ArrowLeft" && shownAt) back();
      else return false;
      return true;
    },
  };
}

