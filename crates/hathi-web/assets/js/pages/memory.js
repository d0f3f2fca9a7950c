// @ts-check
/** The memory: which games it holds, where they are from, taking them out, and adding more. */

import { HOME, REAL_ARCHIVES, reviewsAddress } from "../addresses.js";
import { get, messageOf, send } from "../api.js";
import { fill, h, number, plural } from "../dom.js";
import { icon } from "../icons.js";
import { followImport, importFile, stopImport } from "../importing.js";
import { sure } from "../parts.js";
import { failed, showing } from "../states.js";

/** @typedef {import("../types.js").Import} Import */
/** @typedef {import("../types.js").SourceOfGames} SourceOfGames */

/**
 * Where the games are from; a source can be taken out again.
 * @param {SourceOfGames[]} sources @param {() => void} again
 */
const sourceTable = (sources, again) =>
  h(
    "table",
    { class: "sources" },
    h("thead", {}, h("tr", {}, h("th", {}, "From"), h("th", { class: "num" }, "Games"), h("th", {}, ""))),
    h(
      "tbody",
      {},
      sources.map(({ source, meaning, games, counted }) => {
        const trouble = h("span", { class: "small wrong", role: "status" });
        const remove = h("button", { type: "button", "aria-label": `Take out ${meaning}`, onclick: () => sure(remove, () => void take()) }, h("span", {}, "Take out"));
        const take = async () => {
          try {
            await send("DELETE", `/sources/${source}`, {});
            again();
          } catch (error) {
            trouble.textContent = messageOf(error);
          }
        };
        return h(
          "tr",
          { "data-source": source },
          h("td", {}, h("a", { href: reviewsAddress({ source }) }, meaning), h("span", { class: "muted small" }, ` ${source}`, counted ? "" : "; they do not count, unless you choose them")),
          h("td", { class: "num" }, number(games)),
          h("td", { class: "num" }, remove, trouble),
        );
      }),
    ),
  );

/** @param {import("../app.js").Context} context @returns {import("../app.js").Page} */
export function page({ signal }) {
  const status = h("section", { class: "card", "aria-label": "What is in the memory" });
  const imports = h("div", { class: "imports" });
  const trouble = h("div", {});
  let most = 0;

  const again = () =>
    void showing(
      status,
      // Not the status, which may be a moment old when the server is busy.
      () => /** @type {Promise<import("../types.js").Sources>} */ (get("/sources", {}, signal)),
      ({ games, positions, sources }) =>
        fill(
          status,
          h("h2", {}, "What is in the memory"),
          h("p", {}, `${plural(games, "game")} ${games === 1 ? "counts" : "count"}, with ${plural(positions, "position")}.`),
          sources.length > 0 ? sourceTable(sources, again) : h("p", { class: "notice" }, "Nothing yet."),
        ),
    );
  again();

  /** One row for each file, newest on top. @param {string} name */
  const row = (name) => {
    const place = h("section", { class: "card import", "aria-label": `Import of ${name}` });
    imports.prepend(place);
    return place;
  };

  /** @type {Promise<void>} Files are taken one after the other. */
  let line = Promise.resolve();
  /** @param {{name: string, blob: Blob}[]} files */
  const add = (files) => {
    fill(trouble);
    for (const { name, blob } of files) {
      const place = row(name);
      fill(place, h("strong", {}, name), h("p", { class: "muted small" }, "Waiting …"));
      line = line.then(async () => {
        try {
          const last = await importFile(name, blob, (now) => drawImport(place, now), signal);
          drawImport(place, last);
          if (last.stored > 0) again();
        } catch (error) {
          if (!signal.aborted) fill(place, h("strong", {}, name), failed(messageOf(error)));
        }
      });
    }
  };

  // What was begun before this page was opened goes on.
  void get("/imports", {}, signal).then(
    (/** @type {import("../types.js").ImportList} */ list) => {
      most = list.most_megabytes;
      limit.textContent = `Plain or packed (.gz, .zst, .zip, .tar), up to ${most >= 1024 ? `${number(Math.round(most / 1024))} GB` : `${number(most)} MB`} a file.`;
      for (const found of [...list.imports].reverse()) {
        const place = row(found.name);
        drawImport(place, found);
        if (isRunning(found) && found.state !== "receiving") void followImport(found.id, (now) => drawImport(place, now), signal).then(again, () => {});
      }
    },
    () => {},
  );

  const limit = h("p", { class: "muted small" });
  const chooser = h("input", {
    type: "file",
    multiple: true,
    class: "visually-hidden",
    id: "files",
    onchange: () => {
      add([...(chooser.files ?? [])].map((file) => ({ name: file.name, blob: file })));
      chooser.value = "";
    },
  });
  const drop = h(
    "div",
    {
      class: "drop",
      ondragover: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        drop.classList.add("over");
      },
      ondragleave: () => drop.classList.remove("over"),
      ondrop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        drop.classList.remove("over");
        add([...(event.dataTransfer?.files ?? [])].map((file) => ({ name: file.name, blob: file })));
      },
    },
    chooser,
    h("p", {}, "Drop files of games here, or"),
    h("label", { class: "button primary", for: "files" }, icon("plus"), "Choose files"),
    limit,
  );
  const text = h("textarea", { name: "text", rows: "5", spellcheck: "false", "aria-label": "Games as text", placeholder: "1g Ra1 Rb1 …\n1s …\n2g Ed2n …\nor lines of an archive with their header" });
  const paste = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.value.trim() === "") {
      fill(trouble, failed("Paste a game first."));
      return;
    }
    add([{ name: "pasted games", blob: new Blob([text.value]) }]);
    text.value = "";
  };
  return {
    title: "The memory",
    element: h(
      "div",
      { class: "two-columns memory-page" },
      h(
        "div",
        {},
        h("h1", {}, "Games in the memory"),
        h("p", {}, "Explore, Search, Puzzles and the setups know what is in here, and nothing else."),
        status,
        h(
          "section",
          { class: "card" },
          h("h2", {}, "Where real games come from"),
          h("p", {}, "Every game played in the game room at arimaa.com since 2002 is public. Save the files you like, one a month or a year, from ", h("a", { href: REAL_ARCHIVES, target: "_blank", rel: "noopener noreferrer" }, "the download page of its game data"), " and drop them here as they are. Games that are in the memory already are not added twice."),
          h("p", { class: "small muted" }, "Every game is played through by the rules. One that breaks a rule is kept up to its last legal turn, and you are told which and why."),
        ),
      ),
      h(
        "div",
        {},
        h("section", { class: "card", "aria-label": "Add games" }, h("h2", {}, "Add games"), drop, h("form", { onsubmit: paste }, h("h3", { class: "small" }, "Or paste them"), text, trouble, h("button", { type: "submit" }, "Add these games"))),
        imports,
        h("p", { class: "small" }, h("a", { href: HOME }, "Explore what was played")),
      ),
    ),
  };
}

/** @param {Import} found */
const isRunning = ({ state }) => state === "receiving" || state === "reading" || state === "indexing";

const STATES = /** @type {Record<Import["state"], string>} */ ({
  receiving: "Sending the file",
  reading: "Reading games",
  indexing: "Sorting positions, so that they are found quickly",
  finished: "Done",
  stopped: "Stopped; what was added stays",
  failed: "Failed",
});

/** How far it is, from 0 to 1. @param {Import} now */
function share({ state, bytes, received, read_bytes, indexed }) {
  if (state === "receiving") return received / bytes;
  if (state === "reading") return read_bytes / bytes;
  return state === "indexing" ? indexed : 1;
}

/** @param {HTMLElement} place @param {Import} now */
function drawImport(place, now) {
  const running = isRunning(now);
  const stop = h("button", { type: "button", onclick: () => void stopImport(now.id).catch(() => {}) }, icon("stop"), "Stop");
  const bar = h("progress", { max: "1", value: share(now), "aria-label": STATES[now.state] });
  const told = now.remarks.length + now.more_remarks;
  const useless = now.state === "finished" && now.stored + now.duplicates === 0;
  const open = place.querySelector("details")?.open ?? false;
  fill(
    place,
    h("div", { class: "row-of" }, h("strong", {}, now.name), h("span", { class: "muted small", role: "status" }, STATES[now.state]), running && stop),
    running && bar,
    now.error && failed(now.error),
    useless && failed("No game was found in it."),
    (now.read > 0 || !running) &&
      h(
        "p",
        { class: "small" },
        [
          `${plural(now.stored, "game")} added`,
          now.duplicates > 0 && `${number(now.duplicates)} there already`,
          now.shortened > 0 && `${number(now.shortened)} kept only up to the last legal turn`,
          now.copies > 0 && `${number(now.copies)} with the number of another game`,
          now.rejected > 0 && `${number(now.rejected)} not added`,
          !running && `${now.seconds.toFixed(1)} s`,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    now.reasons.length > 0 && h("ul", { class: "small" }, now.reasons.map(({ reason, games }) => h("li", {}, `${number(games)}: ${reason}`))),
    told > 0 &&
      h(
        "details",
        { class: "box small", open },
        h("summary", {}, plural(told, "remark")),
        h("ul", { class: "remarks" }, now.remarks.map((words) => h("li", {}, words))),
        now.more_remarks > 0 && h("p", { class: "muted" }, `and ${number(now.more_remarks)} more; hathi import --report FILE writes them all.`),
      ),
  );
}
