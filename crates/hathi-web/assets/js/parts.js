// @ts-check
/** Parts that several pages show: win bars, games, filters, tabs, engines. */

import { FILTER_NAMES, reviewAddress } from "./addresses.js";
import { get } from "./api.js";
import { announce, h, percent, plural } from "./dom.js";
import { icon } from "./icons.js";
import { sideName } from "./rules.js";

/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./types.js").Game} Game */

/**
 * Gold's share of the games in light, Silver's in dark.
 * @param {Side} side whose wins these are @param {number} rate their share
 */
export function winBar(side, rate) {
  const gold = side === "g" ? rate : 1 - rate;
  const left = h("span", { class: "gold-part" }, gold >= 0.3 ? percent(gold) : "");
  left.style.width = `${gold * 100}%`;
  const right = h("span", { class: "silver-part" }, gold <= 0.7 ? percent(1 - gold) : "");
  return h("span", { class: "win-bar", role: "img", "aria-label": `Gold won ${percent(gold)}, Silver ${percent(1 - gold)}` }, left, right);
}

/** @type {Record<string, string>} */
const ENDS = {
  g: "by goal",
  m: "by immobilisation",
  e: "by elimination",
  t: "on time",
  r: "by resignation",
  i: "after an illegal move",
  f: "by forfeit",
  a: "abandoned",
  s: "by score",
  p: "by repetition",
  n: "draw",
};

/** How a game ended, in words. @param {{result: Side | null, termination: string | null}} game */
export function ending({ result, termination }) {
  const how = ENDS[termination ?? ""] ?? "";
  return result ? `${sideName(result)} won ${how}`.trim() : how || "unfinished";
}

/** @param {import("./types.js").Player} player */
export const playerName = (player) => `${player.name}${player.rating ? ` (${Math.round(player.rating)})` : ""}`;

/** Both players; the winner's side has a filled dot. @param {Game} game */
export const players = (game) =>
  h(
    "span",
    { class: "players" },
    h("span", {}, h("span", { class: `side-dot gold${game.result === "g" ? " won" : ""}` }), playerName(game.gold)),
    h("span", {}, h("span", { class: `side-dot silver${game.result === "s" ? " won" : ""}` }), playerName(game.silver)),
  );

/** What is said of games that are not of the archive. @type {Record<string, string>} */
const SOURCES = { sample: "sample", synth: "synthetic", play: "played here", arena: "arena", aei: "AEI", file: "from a file" };

/**
 * A list of games that open in review.
 * @param {Game[]} games @param {(game: Game) => string} [href]
 */
export const gameList = (games, href = (game) => reviewAddress(game.id ?? "")) =>
  h(
    "ul",
    { class: "games" },
    games.map((game) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: href(game) },
          players(game),
          h("span", { class: "muted small" }, [ending(game), plural(game.turns, "turn"), game.date, SOURCES[game.source]].filter(Boolean).join(" · ")),
          game.id !== null && h("span", { class: "small tags", "data-tags": game.id }),
        ),
      ),
    ),
  );

/**
 * Tabs, with arrow keys.
 * @param {string} label
 * @param {{id: string, label: string, count?: string, picture?: Element}[]} tabs
 * @param {string} chosen @param {(id: string) => void} choose
 */
export function tabs(label, tabs, chosen, choose) {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  for (const [i, tab] of tabs.entries()) {
    const selected = tab.id === chosen;
    list.append(
      h(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(selected),
          tabindex: selected ? "0" : "-1",
          "data-tab": tab.id,
          onclick: () => choose(tab.id),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            const next = tabs[(i + step + tabs.length) % tabs.length];
            if (step === 0 || !next) return;
            event.preventDefault();
            choose(next.id);
            /** @type {HTMLElement | null} */ (list.querySelector(`[data-tab="${next.id}"]`))?.focus();
          },
        },
        tab.picture,
        h("span", {}, tab.label),
        tab.count !== undefined && h("span", { class: "count" }, tab.count),
      ),
    );
  }
  return list;
}

/**
 * Buttons of which one is pressed.
 * @param {string} label
 * @param {{id: string, label: string | Node, title?: string}[]} options
 * @param {string} chosen @param {(id: string) => void} choose
 */
export const chips = (label, options, chosen, choose) =>
  h(
    "div",
    { class: "chips", role: "group", "aria-label": label },
    options.map((option) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(option.id === chosen),
          title: option.title,
          "data-id": option.id,
          onclick: () => choose(option.id),
        },
        option.label,
      ),
    ),
  );

/**
 * The filters of the store, in the order in which they are shown.
 * @type {({name: typeof FILTER_NAMES[number], label: string, position?: boolean} & ({type: string} | {options: Record<string, string>}))[]}
 */
const FILTERS = [
  {
    name: "source",
    label: "Source",
    options: {
      "": "all that count",
      arimaa: "arimaa.com",
      sample: "samples",
      play: "played here",
      arena: "arena",
      aei: "under AEI",
      file: "move lists",
      synth: "synthetic",
      all: "all, samples too",
    },
  },
  { name: "numbers", label: "Game numbers (5000-6000)", type: "text" },
  { name: "min_rating", label: "Both rated at least", type: "number" },
  { name: "max_rating", label: "Both rated at most", type: "number" },
  { name: "player", label: "Player", type: "search" },
  { name: "as", label: "who plays", options: { "": "either side", g: "Gold", s: "Silver" } },
  { name: "who", label: "Who", options: { "": "anybody", humans: "humans", bots: "bots", mixed: "human and bot" } },
  { name: "event", label: "Event", type: "search" },
  { name: "from", label: "From (year or date)", type: "text" },
  { name: "to", label: "To", type: "text" },
  {
    name: "pace",
    label: "Pace",
    options: { "": "any", lightning: "lightning", blitz: "blitz", fast: "fast", standard: "standard", slow: "slow", postal: "postal", untimed: "untimed" },
  },
  { name: "rated", label: "Rated", options: { "": "either", true: "rated", false: "unrated" } },
  { name: "result", label: "Won by", options: { "": "either", g: "Gold", s: "Silver" } },
  { name: "moves", label: "At moves (5, 5-20)", type: "text", position: true },
  { name: "literal", label: "Mirrored boards", options: { "": "count, too", true: "do not count" }, position: true },
];

let lists = 0;

/** A field for the name of a player, which completes what is typed. */
function playerInput() {
  const names = h("datalist", { id: `players-${++lists}` });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const complete = async () => {
    try {
      const found = /** @type {{names: string[]}} */ (await get("/players", { name: input.value.trim(), limit: 12 }));
      names.replaceChildren(...found.names.map((value) => h("option", { value })));
    } catch {
      // Then nothing is completed.
    }
  };
  const input = h("input", {
    name: "player",
    type: "search",
    autocomplete: "off",
    list: names.id,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void complete(), 120);
    },
    onfocus: () => void complete(),
  });
  return h("span", { class: "with-list" }, input, names);
}

/**
 * A box to fold out, with every filter. It is built once and told of changes,
 * so that it stays open and keeps the focus.
 */
export class FilterBox {
  /**
   * @param {(filters: Record<string, string>) => void} change
   * @param {{position?: boolean}} [options] also those about positions
   */
  constructor(change, { position = true } = {}) {
    this.form = h(
      "form",
      {
        class: "fields",
        onchange: () => change(this.#read()),
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          change(this.#read());
        },
      },
      FILTERS.filter((filter) => position || !("position" in filter)).map((filter) =>
        h(
          "label",
          { class: "field" },
          filter.label,
          "options" in filter
            ? h("select", { name: filter.name }, Object.entries(filter.options).map(([value, words]) => h("option", { value }, words)))
            : filter.name === "player"
              ? playerInput()
              : h("input", { name: filter.name, type: filter.type, autocomplete: "off" }),
        ),
      ),
    );
    this.label = h("span", {}, "Filters");
    this.clear = h("button", { type: "button", hidden: true, onclick: () => change({}) }, "Clear filters");
    this.element = h("details", { class: "box" }, h("summary", {}, icon("filter"), this.label), this.form, this.clear);
  }

  /** Shows what the address says. @param {Record<string, string>} chosen */
  set(chosen) {
    for (const field of this.#fields()) {
      const value = chosen[field.name] ?? "";
      if (field.value.trim() !== value) field.value = value;
    }
    const count = Object.keys(chosen).length;
    this.label.textContent = count > 0 ? `Filters (${count})` : "Filters";
    this.clear.hidden = count === 0;
  }

  #fields() {
    return /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll("input, select"));
  }

  #read() {
    /** @type {Record<string, string>} */
    const filters = {};
    for (const { name, value } of this.#fields()) if (value.trim()) filters[name] = value.trim();
    return filters;
  }
}

/** @type {Promise<import("./types.js").Engines> | undefined} */
let engines;

/** The engines of this server, asked once. */
export function knownEngines() {
  engines ??= get("/engines");
  engines.catch(() => (engines = undefined));
  return engines;
}

/**
 * A list of engines to choose from.
 * @param {string} name @param {string} chosen
 */
export function engineSelect(name, chosen) {
  const select = h("select", { name }, h("option", { value: chosen }, chosen));
  knownEngines().then(
    ({ engines }) =>
      select.replaceChildren(
        ...engines.map((engine) => h("option", { value: engine.name, selected: engine.name === chosen, title: engine.about }, engine.name)),
      ),
    () => {},
  );
  return select;
}

/** The engine that loses most, for a first game. */
export const GENTLEST = "level-1";

/** Centi-rabbits for Gold as people write it. @param {number} score */
export function scoreText(score) {
  if (Math.abs(score) >= 90000) return score > 0 ? "Gold wins" : "Silver wins";
  return `${score > 0 ? "+" : score < 0 ? "−" : ""}${(Math.abs(score) / 100).toFixed(1)}`;
}

/** A second click within three seconds means it. @param {HTMLButtonElement} button @param {() => void} act */
export function sure(button, act) {
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));
  if (button.dataset.sure) {
    act();
    return;
  }
  const before = label.textContent;
  button.dataset.sure = "asked";
  label.textContent = "Really?";
  announce(`${before}? Press again to confirm.`);
  setTimeout(() => {
    delete button.dataset.sure;
    label.textContent = before;
  }, 3000);
}

/** Copies, and says so on the button. @param {HTMLElement} button @param {string} text */
export async function copyFrom(button, text) {
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(text);
    label.textContent = "Copied";
  } catch {
    label.textContent = "Copying is not allowed here";
  }
  setTimeout(() => (label.textContent = before), 1500);
}
