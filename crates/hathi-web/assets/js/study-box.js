// @ts-check
/** Comments and variations on a game, saved as a study in the store: /study/ID. */

import { apiAddress, get, isAbort, messageOf, post, send } from "./api.js";
import { studyAddress } from "./addresses.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { sure } from "./parts.js";
import { failed } from "./states.js";

/** @typedef {import("./types.js").Study} Study */
/** @typedef {import("./types.js").StudyNote} StudyNote */
/** @typedef {{ply: number, then: string[]}} Point */

export class StudyBox {
  /**
   * @param {Study | null} study the one that is open @param {string} text the game in notation @param {string} title
   * @param {{signal: AbortSignal, go: (address: string) => void, variations: () => {ply: number, turns: string[]}[], changed: () => void}} around
   */
  constructor(study, text, title, around) {
    this.study = study;
    this.text = study?.text ?? text;
    this.around = around;
    /** @type {Map<string, StudyNote>} */
    this.notes = new Map((study?.notes ?? []).map((note) => [keyOf(note), note]));
    /** @type {Point} */
    this.at = { ply: 0, then: [] };
    this.title = h("input", { name: "title", maxlength: "200", value: study?.title ?? title, "aria-label": "Title of the study" });
    this.label = h("label", { for: "study-comment" }, "Comment");
    this.comment = h("textarea", { id: "study-comment", rows: "3", maxlength: "4000", oninput: () => this.#write() });
    this.status = h("span", { class: "small muted", role: "status" });
    this.trouble = h("div", {});
    this.save = h("button", { type: "button", class: "primary", onclick: () => void this.#save() }, study ? "Save" : "Save as a study");
    const remove = h("button", { type: "button", onclick: () => sure(remove, () => void this.#remove()) }, h("span", {}, "Delete the study"));
    this.element = h(
      "details",
      { class: "card study", open: study !== null },
      h("summary", {}, study ? "Study" : "Comments and variations"),
      this.label,
      this.comment,
      h("div", { class: "row-of" }, this.title, this.save),
      this.trouble,
      h(
        "div",
        { class: "row-of small" },
        this.status,
        study && h("a", { class: "button", href: apiAddress(`/studies/${study.id}/study.txt`, {}), download: "study.txt" }, icon("download"), "With comments"),
        study && remove,
      ),
    );
  }

  /** Variations that the study brings along. */
  get variations() {
    return [...this.notes.values()].filter(({ then }) => then.length > 0).map(({ ply, then }) => ({ ply, turns: [...then] }));
  }

  /** The point looked at. @param {Point} at @param {string} label */
  show(at, label) {
    this.at = { ply: at.ply, then: [...at.then] };
    this.comment.value = this.notes.get(keyOf(this.at))?.text ?? "";
    this.label.textContent = `Comment ${label}`;
  }

  /** What is said there, to be shown in the list. @param {number} ply */
  said(ply) {
    return this.notes.get(keyOf({ ply, then: [] }))?.text ?? "";
  }

  #write() {
    const text = this.comment.value;
    if (text.trim()) this.notes.set(keyOf(this.at), { ...this.at, text });
    else this.notes.delete(keyOf(this.at));
    this.status.textContent = "Not saved yet.";
    this.around.changed();
  }

  async #save() {
    fill(this.trouble);
    const notes = new Map(this.notes);
    for (const { ply, turns } of this.around.variations()) {
      const note = { ply, then: turns, text: "" };
      if (!notes.has(keyOf(note))) notes.set(keyOf(note), note);
    }
    const body = { title: this.title.value, text: this.text, notes: [...notes.values()] };
    try {
      if (this.study) {
        await send("PUT", `/studies/${this.study.id}`, body, this.around.signal);
        this.status.textContent = "Saved.";
      } else {
        /** @type {Study} */
        const made = await post("/studies", body, this.around.signal);
        this.around.go(studyAddress(made.id, this.at.ply));
      }
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error)));
    }
  }

  async #remove() {
    try {
      await send("DELETE", `/studies/${this.study?.id}`, {}, this.around.signal);
      this.around.go("/review");
    } catch (error) {
      if (!isAbort(error)) fill(this.trouble, failed(messageOf(error)));
    }
  }
}

/** @param {Point} at */
const keyOf = ({ ply, then }) => `${ply}:${then.join("~")}`;

/** The studies there are. @param {AbortSignal} signal */
export const listedStudies = (signal) => /** @type {Promise<import("./types.js").StudyList>} */ (get("/studies", {}, signal));
