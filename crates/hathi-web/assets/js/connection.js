// @ts-check
/**
 * Is the server there? Whoever asks it and gets no answer says so here; then a
 * banner stands above every page until it answers again.
 */

import { announce, h } from "./dom.js";

/** How long to wait between two looks, in milliseconds. */
const PATIENCE = 2000;

/** Asked to see whether it is back: small, and there in every server. */
const ANYTHING = "/api/v1/status";

/** @type {HTMLElement | null} */
let banner = null;

/** A question was not answered at all. */
export function unanswered() {
  if (banner) return;
  banner = h("p", { class: "offline", role: "alert" }, "The server does not answer. Is ", h("code", {}, "hathi serve"), " still running? This page goes on when it is back.");
  document.querySelector("main")?.before(banner);
  wait();
}

/** The server has answered. */
export function answered() {
  if (!banner) return;
  banner.remove();
  banner = null;
  announce("The server answers again.");
}

function wait() {
  setTimeout(async () => {
    try {
      await fetch(ANYTHING);
      answered();
    } catch {
      wait();
    }
  }, PATIENCE);
}
