// @ts-check
/** Sharing and saving a game: its address, its notation, pictures. */

import { apiAddress, isAbort, messageOf, send } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { positionText } from "./notation.js";
import { copyFrom, sure } from "./parts.js";

/** @typedef {import("./rules.js").Side} Side */

/**
 * @typedef {object} Exported
 * @property {import("./types.js").FullGame} game
 * @property {string | null} pasted its text, if it is not from the memory
 * @property {AbortSignal} signal
 * @property {() => {at: {board: string[], side: Side}, ply: number, then: string[], from: Side} | null} here the position looked at, turns of a variation that lead there, and from which side
 * @property {(words: string) => void} complain
 */

/** @param {Exported} exported */
export function exportButtons(exported) {
  const { game, pasted } = exported;
  const name = pasted === null ? `game-${(game.id ?? "").replace(/[:~]/g, "-")}` : "game";
  const share = h("button", { type: "button", onclick: () => void copyFrom(share, location.href) }, icon("share"), h("span", {}, "Copy address"));
  const notation = h("button", { type: "button", onclick: () => save(new Blob([game.notation], { type: "text/plain" }), `${name}.txt`) }, icon("download"), "Notation");
  /** @param {"png" | "svg"} kind */
  const picture = (kind) => h("button", { type: "button", title: "The position on the board, with coordinates", onclick: () => void savePicture(exported, kind, name) }, icon("download"), kind.toUpperCase());
  const gif = h("button", { type: "button", title: "The whole game, or the variation on the board, move by move", onclick: () => void saveGif(exported, gif, name) }, icon("download"), h("span", {}, "GIF"));
  const out = h("button", { type: "button", onclick: () => sure(out, () => void takeOut(exported, out)) }, h("span", {}, "Take out of the memory"));
  return h("div", { class: "row-of small" }, share, notation, picture("png"), picture("svg"), gif, pasted === null && game.stored !== null && out);
}

/** @param {Exported} exported @param {"png" | "svg"} kind @param {string} name */
async function savePicture(exported, kind, name) {
  const here = exported.here();
  if (!here) return;
  const position = positionText(here.at.board, here.at.side).replaceAll(" ", ".").replace(".[", " [");
  await fetchAndSave(exported, apiAddress(`/board.${kind}`, { position, size: 480, side: here.from, coordinates: true }), `${name}-${here.ply}${here.then.length > 0 ? `-variation-${here.then.length}` : ""}.${kind}`);
}

/** @param {Exported} exported @param {HTMLButtonElement} button */
async function takeOut({ game, complain }, button) {
  try {
    await send("DELETE", `/games/${encodeURIComponent(game.stored ?? "")}`, {});
    button.replaceWith(h("span", { role: "status" }, "Taken out of the memory."));
  } catch (error) {
    complain(messageOf(error));
  }
}

/** @param {Exported} exported @param {HTMLElement} button @param {string} name */
async function saveGif(exported, button, name) {
  const { game, pasted, signal, complain } = exported;
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));
  label.textContent = "Drawing …";
  try {
    const { ply, then, from: side } = exported.here() ?? { ply: 0, then: [], from: "g" };
    const how = { size: 320, delay: 700, side, coordinates: true };
    if (then.length > 0) {
      const drawn = await send("POST", "/draw", { text: pasted ?? game.notation, format: "gif", ply, then, ...how }, signal);
      save(await drawn.blob(), `${name}-${ply}-variation.gif`);
    } else if (pasted === null) await fetchAndSave(exported, apiAddress(`/games/${game.id}/game.gif`, how), `${name}.gif`);
    else save(await (await send("POST", "/draw", { text: pasted, format: "gif", ...how }, signal)).blob(), `${name}.gif`);
  } catch (error) {
    if (!isAbort(error)) complain(messageOf(error));
  }
  label.textContent = "GIF";
}

/** @param {Exported} exported @param {string} url @param {string} name */
async function fetchAndSave({ signal, complain }, url, name) {
  const response = await fetch(url, { signal });
  if (response.ok) save(await response.blob(), name);
  else complain(`The server could not draw it (status ${response.status}).`);
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
