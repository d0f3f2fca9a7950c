// @ts-check
/** A file of games to the server, piece by piece, and how far the server is with it. */

import { get, post, put } from "./api.js";

/** @typedef {import("./types.js").Import} Import */

/** Bytes sent at once: less than proxies take, and enough to see it move. */
const PIECE = 768 << 10;

/** Milliseconds between two looks. */
const LOOK = 400;

/**
 * Sends a file and waits until it is in the memory.
 * @param {string} name @param {Blob} blob
 * @param {(now: Import) => void} show @param {AbortSignal} signal
 * @returns {Promise<Import>}
 */
export async function importFile(name, blob, show, signal) {
  let now = /** @type {Import} */ (await post("/imports", { name, bytes: blob.size }, signal));
  show(now);
  while (now.state === "receiving") {
    const piece = blob.slice(now.received, now.received + PIECE);
    now = await put(`/imports/${now.id}/bytes?from=${now.received}`, piece, signal);
    show(now);
  }
  return followImport(now.id, show, signal);
}

/** Looks until it is over. @param {string} id @param {(now: Import) => void} show @param {AbortSignal} signal @returns {Promise<Import>} */
export async function followImport(id, show, signal) {
  for (;;) {
    const now = /** @type {Import} */ (await get(`/imports/${id}`, {}, signal));
    show(now);
    if (now.state === "finished" || now.state === "stopped" || now.state === "failed") return now;
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

/** @param {string} id */
export const stopImport = (id) => post(`/imports/${id}/stop`, {});
