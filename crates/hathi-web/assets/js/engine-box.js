// @ts-check
/** "What would an engine do here?": asked only when wanted, answered line by line. */

import { isAbort, messageOf, stream } from "./api.js";
import { fill, h, number } from "./dom.js";
import { icon } from "./icons.js";
import { drawnArrows, readPosition, replayTurn } from "./notation.js";
import { engineSelect, scoreText } from "./parts.js";
import { failed } from "./states.js";

/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").Decided} Decided */

/**
 * @param {AbortSignal} signal
 * @param {(arrows: import("./board.js").Arrow[]) => void} draw
 */
export function engineBox(signal, draw) {
  /** @type {AbortController | null} */
  let running = null;
  let position = "";
  const select = engineSelect("engine", "hathi");
  select.setAttribute("aria-label", "Engine");
  const answer = h("div", { class: "engine-answer small" });
  const button = h("button", { type: "button", onclick: () => (running ? stop() : void ask()) }, icon("hint"), h("span", {}, "Ask the engine"));
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));

  const stop = () => {
    running?.abort();
    running = null;
    label.textContent = "Ask the engine";
  };

  const ask = async () => {
    const mine = new AbortController();
    running = mine;
    label.textContent = "Stop";
    fill(answer, h("p", { class: "muted" }, "Thinking …"));
    const sign = position.startsWith("s") ? -1 : 1;
    /** @param {{score: number | null, depth: number, nodes: number, line: string[]}} thought */
    const show = ({ score, depth, nodes, line }) => {
      fill(
        answer,
        h(
          "p",
          {},
          h("strong", {}, score === null ? "" : scoreText(score * sign)),
          h("span", { class: "muted" }, ` ${depth ? `depth ${depth}, ` : ""}${number(nodes)} nodes`),
        ),
        h("ol", { class: "engine-line" }, line.map((turn) => h("li", { class: "mono" }, turn))),
      );
      arrows(line[0] ?? "");
    };
    try {
      await stream(
        "/think",
        { position, engine: select.value, seconds: 5 },
        {
          thought: (/** @type {Thought} */ thought) => show(thought),
          decided: (/** @type {Decided} */ { turn, score, reasons }) => {
            if (!answer.querySelector("ol")) show({ score, depth: 0, nodes: 0, line: turn === null ? [] : [turn] });
            if (reasons.length > 0) answer.append(h("ul", { class: "reasons" }, reasons.map((r) => h("li", {}, r))));
            arrows(turn ?? "");
          },
        },
        mine.signal,
      );
    } catch (error) {
      if (!isAbort(error)) fill(answer, failed(messageOf(error)));
    }
    if (running === mine) stop();
  };

  /** @param {string} turn */
  const arrows = (turn) => {
    const at = readPosition(position);
    const replay = at && replayTurn(at.board, at.side, turn);
    if (replay) draw(drawnArrows(replay.steps, at.side, "best"));
  };

  signal.addEventListener("abort", stop);
  const element = h("section", { class: "card engine-box", "aria-label": "Engine" }, h("div", { class: "row-of" }, button, select), answer);
  return {
    element,
    /** The board has changed. @param {string} now */
    set(now) {
      if (now === position) return;
      stop();
      position = now;
      fill(answer);
    },
  };
}
