// @ts-check
/** The frame round every page: navigation, addresses, theme. */

import { ABOUT, API, HOME, labAddress, LEARN, MEMORY, MOTIFS, pageAt, pageKey, playAddress, PUZZLES, reviewsAddress, searchAddress, WATCH } from "./addresses.js";
import { announce, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { failed } from "./states.js";

/**
 * What a page gets.
 * @typedef {object} Context
 * @property {URL} url
 * @property {AbortSignal} signal aborted when the page is left
 * @property {any} state what was kept with this entry of the history
 * @property {(url: string, options?: {replace?: boolean, state?: unknown}) => void} go
 */

/**
 * What a page gives.
 * @typedef {object} Page
 * @property {Element} element
 * @property {string} title
 * @property {(context: Context) => string | void} [update] called when only the address changed; may give a new title
 * @property {(key: string) => boolean} [key] a key was pressed outside of any field; true if it meant something
 */

/** @typedef {{page: (context: Context) => Page}} PageModule */

/** @type {{name: import("./addresses.js").PageName, label: string, href: string, nav: boolean, load: () => Promise<PageModule>}[]} */
const ROUTES = [
  { name: "learn", label: "Learn", href: LEARN, nav: true, load: () => import("./pages/learn.js") },
  { name: "explore", label: "Explore", href: HOME, nav: true, load: () => import("./pages/explore.js") },
  { name: "play", label: "Play", href: playAddress(), nav: true, load: () => import("./pages/play.js") },
  { name: "review", label: "Review", href: reviewsAddress(), nav: true, load: () => import("./pages/review.js") },
  { name: "search", label: "Search", href: searchAddress(""), nav: true, load: () => import("./pages/search.js") },
  { name: "motifs", label: "Motifs", href: MOTIFS, nav: false, load: () => import("./pages/motifs.js") },
  { name: "puzzles", label: "Puzzles", href: PUZZLES, nav: true, load: () => import("./pages/puzzles.js") },
  { name: "watch", label: "Watch", href: WATCH, nav: true, load: () => import("./pages/watch.js") },
  { name: "lab", label: "Lab", href: labAddress(), nav: true, load: () => import("./pages/lab.js") },
  { name: "memory", label: "Games in the memory", href: MEMORY, nav: false, load: () => import("./pages/memory.js") },
  { name: "about", label: "About", href: ABOUT, nav: false, load: () => import("./pages/about.js") },
  { name: "api", label: "API", href: API, nav: false, load: () => import("./pages/api.js") },
];

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const nav = /** @type {HTMLElement} */ (document.querySelector(".nav"));

/** @type {{route: (typeof ROUTES)[number] | null, page: Page, control: AbortController, key: string} | null} */
let shown = null;
let turn = 0;

/** @param {string} url @param {{replace?: boolean, state?: unknown}} [options] */
function go(url, { replace = false, state = null } = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", url);
  void show();
}

async function show() {
  const mine = ++turn;
  const url = new URL(location.href);
  const route = ROUTES.find(({ name }) => name === pageAt(url.pathname));
  for (const link of nav.querySelectorAll("a")) {
    const here = link.dataset.nav === route?.name;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const same = shown !== null && shown.route === (route ?? null) && shown.key === pageKey(url);
  if (shown && same && shown.page.update) {
    const context = { url, signal: shown.control.signal, state: history.state, go };
    const title = shown.page.update(context);
    if (title) setTitle(title);
    return;
  }
  const moved = shown !== null;
  const control = new AbortController();
  try {
    const { page: build } = route ? await route.load() : { page: notHere };
    // Somebody may have gone back meanwhile: the old page is still there and lives on.
    if (mine !== turn) return;
    shown?.control.abort();
    const page = build({ url, signal: control.signal, state: history.state, go });
    shown = { route: route ?? null, page, control, key: pageKey(url) };
    fill(main, page.element);
    setTitle(page.title);
  } catch (error) {
    if (mine !== turn) return;
    shown?.control.abort();
    shown = null;
    fill(main, failed(error instanceof Error ? error.message : String(error)));
    setTitle("Something went wrong");
    if (!(error instanceof Error)) throw error;
    console.error(error);
  }
  if (moved) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
    announce(document.title);
  }
}

/** An address that leads nowhere. @param {Context} context @returns {Page} */
const notHere = ({ url }) => ({
  title: "Not here",
  element: h(
    "div",
    { class: "narrow" },
    h("h1", {}, "Not here"),
    h("p", {}, "There is no page at ", h("code", {}, url.pathname), ". Perhaps a part of the address was lost on the way."),
    h(
      "ul",
      {},
      ROUTES.map(({ label, href }) => h("li", {}, h("a", { href }, label))),
    ),
  ),
});

/** @param {string} title */
function setTitle(title) {
  document.title = `${title} · Hathi`;
}

function buildNav() {
  fill(
    nav,
    ROUTES.filter(({ nav: listed }) => listed).map(({ name, label, href }) =>
      h("a", { href, "data-nav": name }, icon(name), h("span", {}, label)),
    ),
  );
}

/** Auto, light, dark and round again. */
function buildTheme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const modes = /** @type {const} */ (["auto", "light", "dark"]);
  const pictures = { auto: "auto", light: "sun", dark: "moon" };
  const draw = () => {
    const mode = /** @type {"auto" | "light" | "dark"} */ (document.documentElement.dataset.theme ?? "auto");
    fill(button, icon(pictures[mode]));
    const words = mode === "auto" ? "Colours: as your system" : `Colours: ${mode}`;
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => {
    const mode = /** @type {"auto" | "light" | "dark"} */ (document.documentElement.dataset.theme ?? "auto");
    const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? "auto";
    if (next === "auto") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem("theme", next);
    }
    draw();
    announce(button.title);
  });
  draw();
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = /** @type {Element} */ (event.target).closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (!pageAt(link.pathname)) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, textarea, select, [contenteditable], dialog")) return;
  // Enter and Space belong to the button or link that has the focus.
  if ((event.key === "Enter" || event.key === " ") && target.closest("button, a, summary")) return;
  if (shown?.page.key?.(event.key)) event.preventDefault();
});

addEventListener("popstate", () => void show());
buildNav();
buildTheme();
// The place for announcements must be there before the first of them.
announce("");
void show();
