// @ts-check
/** A box to fold out that takes any position: as text, drawn, or the end of a move list. */

import { messageOf, post } from "./api.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { readPosition } from "./notation.js";
import { failed } from "./states.js";

/** @typedef {{board: string[], side: import("./rules.js").Side}} At */

/** @param {() => AbortSignal} signal @param {(at: At) => void} go */
export function positionBox(signal, go) {
  const text = h("textarea", { rows: "4", "aria-label": "Position or move list", placeholder: "g [rrrrrrrr…] or a drawn board or a move list", spellcheck: "false" });
  const answer = h("div", {});
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    fill(answer);
    const read = readPosition(text.value);
    if (read) {
      go(read);
      return;
    }
    try {
      /** @type {import("./types.js").FullGame} */
      const game = await post("/read", { text: text.value }, signal());
      const last = readPosition([...game.moves].reverse().find((m) => m.position)?.position ?? game.start ?? "");
      if (last) go(last);
    } catch (error) {
      fill(answer, failed(messageOf(error)));
    }
  };
  return h(
    "details",
    { class: "box card" },
    h("summary", {}, icon("plus"), "Go to any position"),
    h("form", { onsubmit: submit }, text, h("button", { type: "submit" }, "Show it")),
    answer,
  );
}
