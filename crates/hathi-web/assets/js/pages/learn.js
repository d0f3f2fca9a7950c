// @ts-check
/** Learn: the lessons with what is solved of them, and one lesson (see lesson.js). */

import { lessonAddress, playAddress, readLearn } from "../addresses.js";
import { get } from "../api.js";
import { fill, h, plural } from "../dom.js";
import { icon } from "../icons.js";
import { countSolved, progress } from "../learn-progress.js";
import { LessonView } from "../lesson.js";
import { GENTLEST } from "../parts.js";
import { showing } from "../states.js";

/** @typedef {import("../types.js").Lessons} Lessons */
/** @typedef {import("../types.js").LessonLine} LessonLine */
/** @typedef {import("../types.js").Lesson} Lesson */
/** @typedef {import("../app.js").Context} Context */
/** @typedef {import("../app.js").Page} Page */

/** @param {Context} context @returns {Page} */
export function page(context) {
  const { id } = readLearn(context.url);
  return id ? lesson(context, id) : overview(context);
}

/** @param {Context} context @param {string} id @returns {Page} */
function lesson(context, id) {
  const element = h("div", {});
  let now = context;
  /** @type {LessonView | null} */
  let shown = null;
  void showing(
    element,
    () => /** @type {Promise<Lesson>} */ (get(`/lessons/${encodeURIComponent(id)}`, {}, context.signal)),
    (found) => {
      shown = new LessonView(now, found);
      fill(element, shown.element);
      document.title = `${shown.update(now)} · Hathi`;
    },
  );
  return {
    title: "Lesson",
    element,
    update: (next) => {
      now = next;
      return shown?.update(next);
    },
    key: (key) => shown?.key(key) ?? false,
  };
}

/** @param {Context} context @returns {Page} */
function overview({ signal }) {
  const place = h("div", { class: "lessons" });
  void showing(
    place,
    () => /** @type {Promise<Lessons>} */ (get("/lessons", {}, signal)),
    ({ lessons }) => fill(place, summary(lessons), part("The rules", lessons, "basics"), part("First strategy", lessons, "strategy")),
  );
  return {
    title: "Learn",
    element: h(
      "div",
      { class: "narrow learn" },
      h("h1", {}, "Learn Arimaa"),
      h("p", {}, "A board game of elephants, camels, horses, dogs, cats and rabbits. Short lessons on a real board: try things, and every try is answered."),
      place,
    ),
  };
}

/** How far somebody is, and where to go on. @param {LessonLine[]} lessons */
function summary(lessons) {
  const kept = progress();
  const all = lessons.reduce((sum, { tasks }) => sum + tasks, 0);
  const done = lessons.reduce((sum, lesson) => sum + countSolved(kept, lesson), 0);
  const open = lessons.find((lesson) => countSolved(kept, lesson) < lesson.tasks);
  const basics = lessons.filter(({ part: where }) => where === "basics");
  const knowsRules = basics.every((lesson) => countSolved(kept, lesson) === lesson.tasks);
  return h(
    "div",
    { class: "row-of learn-summary" },
    open && h("a", { class: "button primary", href: lessonAddress(open.id) }, icon("play"), done === 0 ? "Start with the first lesson" : `Go on: ${open.title}`),
    (knowsRules || !open) && h("a", { class: "button", href: playAddress({ engine: GENTLEST }) }, icon("play"), "Play a gentle engine"),
    done > 0 && h("span", { class: "muted" }, done === all ? `All ${all} tasks solved.` : `${done} of ${plural(all, "task")} solved.`),
  );
}

/** @param {string} title @param {LessonLine[]} lessons @param {LessonLine["part"]} which */
function part(title, lessons, which) {
  const kept = progress();
  return h(
    "section",
    { "aria-label": title },
    h("h2", { class: "like-h1" }, title),
    h(
      "ol",
      { class: "lesson-list" },
      lessons.filter(({ part: where }) => where === which).map((line) => lessonCard(line, countSolved(kept, line))),
    ),
  );
}

/** @param {LessonLine} lesson @param {number} done */
const lessonCard = ({ id, title, about, tasks }, done) =>
  h(
    "li",
    { class: `card${done === tasks ? " done" : ""}` },
    h(
      "a",
      { href: lessonAddress(id) },
      h("strong", {}, title),
      h("span", { class: "muted small" }, about),
      h("span", { class: "lesson-done small" }, done === tasks ? [icon("check"), "done"] : done > 0 ? `${done} of ${tasks}` : plural(tasks, "task")),
    ),
  );
