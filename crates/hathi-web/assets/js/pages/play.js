// @ts-check
/** Play an engine: begin a game or go on with one; the game itself is in play-game.js. */

import { gameAddress, readPlay, readSlug } from "../addresses.js";
import { get, isAbort, messageOf, post, send } from "../api.js";
import { miniBoard } from "../board.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { positionText } from "../notation.js";
import { GENTLEST, knownEngines, sure } from "../parts.js";
import { PlayedGame } from "../play-game.js";
import { sideName } from "../rules.js";
import { empty, failed, showing } from "../states.js";

/** @typedef {import("../types.js").Play} Play */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */

/** @param {Context} context @returns {Page} */
export function page(context) {
  const { id } = readPlay(context.url);
  return id ? game(context, id) : lobby(context);
}

/** @param {Context} context @param {string} id @returns {Page} */
function game(context, id) {
  const played = new PlayedGame(context, id);
  played.begin();
  return { title: "Game", element: played.element, key: (key) => played.key(key) };
}

/** How long a turn may take. */
const PACES = [
  { id: "seconds:0.5", label: "no clock, quick engine" },
  { id: "seconds:2", label: "no clock, engine thinks 2 s" },
  { id: "seconds:10", label: "no clock, engine thinks 10 s" },
  { id: "control:15s/1", label: "blitz: 15 s a turn, 1 min reserve" },
  { id: "control:1/2/100/10", label: "fast: 1 min a turn, 2 min reserve" },
  { id: "control:2/4/100/20", label: "standard: 2 min a turn, 4 min reserve" },
];

/** @param {Context} context @returns {Page} */
function lobby({ go, signal, url }) {
  const trouble = h("div", {});
  // From Explore: a game that begins in the middle.
  const { at, engine: wished } = readPlay(url);
  const from = readSlug(at);
  const engineField = h("div", { class: "engines", role: "radiogroup", "aria-label": "Opponent" });
  const usual = wished || (localStorage.getItem("opponent") ?? GENTLEST);
  void showing(engineField, knownEngines, ({ levels, scale, engines }) => {
    const known = [...levels.map(({ engine }) => engine), ...engines.map(({ name }) => name)];
    const chosen = known.includes(usual) ? usual : GENTLEST;
    /** @param {string} value @param {import("../dom.js").Child[]} words */
    const choice = (value, ...words) =>
      h("label", { class: "engine-choice" }, h("input", { type: "radio", name: "engine", value, checked: value === chosen }), h("span", {}, ...words));
    const others = h(
      "details",
      { class: "other-engines", open: engines.some(({ name }) => name === chosen) },
      h("summary", {}, "Other engines"),
      h("p", { class: "small muted" }, "Weakest first. They play at full strength for the time you give them."),
      engines.map(({ name, for_players, memory }) => choice(name, h("strong", {}, name), h("span", { class: "muted small" }, ` ${for_players}${memory ? " (uses the memory)" : ""}`))),
    );
    fill(
      engineField,
      levels.map(({ level, engine, name, about, rating }) =>
        choice(engine, h("strong", {}, `${level} ${name}`), h("span", { class: "rating small" }, ` about ${rating} on our scale`), h("span", { class: "muted small about" }, about)),
      ),
      h("p", { class: "small muted" }, scale, " Levels 1 to 9 play the same on every machine; level 10 takes the time you give it."),
      others,
    );
  });
  const start = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const [how, value] = String(form.get("pace")).split(/:(.*)/s);
    const wish = String(form.get("side"));
    const side = wish === "chance" ? (Math.random() < 0.5 ? "g" : "s") : wish;
    try {
      /** @type {Play} */
      const play = await post("/plays", {
        engine: form.get("engine") ?? GENTLEST,
        side,
        seconds: how === "seconds" ? Number(value) : null,
        control: how === "control" ? value : null,
        position: from ? positionText(from.board, from.side) : null,
        name: String(form.get("name") || "you"),
        remember: form.has("remember"),
      });
      localStorage.setItem("opponent", play.engine);
      localStorage.setItem("remember", String(form.has("remember")));
      localStorage.setItem("name", String(form.get("name") ?? ""));
      go(gameAddress(play.id));
    } catch (error) {
      fill(trouble, failed(messageOf(error)));
    }
  };
  const running = h("section", { class: "card", "aria-label": "Your games" });
  const form = h(
    "form",
    { class: "card play-form", onsubmit: start },
    from && h("div", { class: "row-of from-here" }, h("div", { class: "about-board" }, miniBoard(from.board)), h("p", {}, `From this position, ${sideName(from.side)} to move. Such games are not kept in the memory.`)),
    h("h2", {}, "Opponent"),
    engineField,
    h(
      "div",
      { class: "fields" },
      h(
        "label",
        { class: "field" },
        "You play",
        h("select", { name: "side" }, h("option", { value: "g", selected: from?.side === "g" }, from ? "Gold" : "Gold (begins)"), h("option", { value: "s", selected: from?.side === "s" }, "Silver"), h("option", { value: "chance" }, "by chance")),
      ),
      h("label", { class: "field span-two" }, "Time", h("select", { name: "pace" }, PACES.map(({ id, label }) => h("option", { value: id, selected: id === "seconds:2" }, label)))),
      h("label", { class: "field" }, "Your name", h("input", { name: "name", value: localStorage.getItem("name") ?? "", placeholder: "you", maxlength: "40", autocomplete: "nickname" })),
    ),
    !from &&
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "remember", checked: localStorage.getItem("remember") === "true" }),
        " Keep this game in the memory when it is over",
      ),
    trouble,
    h("button", { type: "submit", class: "primary" }, icon("play"), "Start the game"),
  );
  const list = () =>
    showing(
      running,
      () => /** @type {Promise<{plays: Play[], total: number}>} */ (get("/plays", {}, signal)),
      ({ plays, total }) =>
        fill(
          running,
          h("h2", {}, "Your games"),
          plays.length > 0 ? playList(plays, { remove, giveUp }) : empty("None yet. A game you begin is kept here, even if you close this page."),
          total > plays.length && h("p", { class: "small muted" }, `The last ${plays.length} of ${total} games.`),
        ),
    );
  /** @param {() => Promise<unknown>} act */
  const change = async (act) => {
    try {
      await act();
      void list();
    } catch (error) {
      if (!isAbort(error)) fill(trouble, failed(messageOf(error)));
    }
  };
  /** @param {Play} play */
  const remove = (play) => void change(() => send("DELETE", `/plays/${encodeURIComponent(play.id)}`, {}, signal));
  /** @param {Play} play */
  const giveUp = (play) => void change(() => post(`/plays/${encodeURIComponent(play.id)}/resign`, {}, signal));
  void list();
  return {
    title: "Play",
    element: h("div", { class: "narrow" }, h("h1", {}, "Play an engine"), form, running),
  };
}

/** @param {Play[]} plays @param {{remove: (play: Play) => void, giveUp: (play: Play) => void}} acts */
const playList = (plays, { remove, giveUp }) =>
  h(
    "ul",
    { class: "games" },
    plays.map((play) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: gameAddress(play.id) },
          h("span", {}, `${sideName(play.side)} against ${play.opponent}${play.must_set_up ? "" : `, move ${play.label}`}`),
          h("span", { class: "muted small" }, play.outcome?.words ?? (play.must_set_up ? "not set up yet" : STATES[play.state])),
        ),
        play.state === "over" || play.must_set_up
          ? h("button", { type: "button", class: "small", "aria-label": `Remove the game against ${play.opponent} from this list`, onclick: () => remove(play) }, "Remove")
          : giveUpButton(play, giveUp),
      ),
    ),
  );

/** @param {Play} play @param {(play: Play) => void} giveUp */
function giveUpButton(play, giveUp) {
  const button = h("button", { type: "button", class: "small", title: `Give up the game against ${play.opponent}`, onclick: () => sure(button, () => giveUp(play)) }, h("span", {}, "Give up"));
  return button;
}

const STATES = /** @type {Record<string, string>} */ ({
  yours: "your turn",
  thinking: "the engine is thinking",
  over: "over",
  failed: "the engine broke down",
});
