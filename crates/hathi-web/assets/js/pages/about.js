// @ts-check
/** About: what Hathi is, how Arimaa goes, which keys there are, what is in the memory. */

import { API, HOME, LEARN, labAddress, MEMORY, playAddress, PUZZLES, reviewsAddress, searchAddress, WATCH } from "../addresses.js";
import { get } from "../api.js";
import { fill, h, plural } from "../dom.js";
import { showing } from "../states.js";
import { miniBoard } from "../board.js";
import { readPosition } from "../notation.js";

/** @param {import("../app.js").Context} context @returns {import("../app.js").Page} */
export function page({ signal }) {
  const status = h("section", { class: "card", "aria-label": "The memory" });
  void showing(
    status,
    () => /** @type {Promise<import("../types.js").Status>} */ (get("/status", {}, signal)),
    ({ version, store }) =>
      fill(
        status,
        h("h2", {}, "The memory"),
        store.trouble && h("p", { class: "notice failed" }, store.trouble),
        h("p", {}, `It knows ${plural(store.games, "game")} with ${plural(store.positions, "position")}, ${plural(store.players, "player")} and ${plural(store.puzzles, "puzzle")} to solve.`),
        h("p", {}, h("a", { href: MEMORY }, "Where they are from, and adding more")),
        h("p", { class: "muted small" }, `Hathi ${version}, store ${store.place}`),
      ),
  );
  const start = readPosition("g [rrrddrrrrhcmechr                                RHCMECHRRRRDDRRR]");
  return {
    title: "About",
    element: h(
      "div",
      { class: "narrow about" },
      h("h1", {}, "What Hathi is"),
      h("p", {}, "Arimaa is a board game for two, with elephants, camels, horses, dogs, cats and rabbits. Hathi is a program to learn it, to play it, and to find out what others have played. The name is Hindi for elephant: it remembers."),
      h(
        "ul",
        {},
        [
          [LEARN, "Learn", "the rules and first plans, on a real board, in small tasks"],
          [playAddress(), "Play", "against the computer, from very gentle to very strong"],
          [reviewsAddress(), "Review", "a game, with the computer's opinion of every turn"],
          [PUZZLES, "Puzzles", "find the turn that wins"],
          [HOME, "Explore", "what was played in a position, how often, and whether it won"],
          [searchAddress(""), "Search", "for positions by a pattern that you paint"],
          [WATCH, "Watch", "engines play each other"],
          [labAddress(), "Lab", "experiments and measurements, for the curious"],
        ].map(([href, name, words]) => h("li", {}, h("a", { href }, name), ` ${words}`)),
      ),
      h("p", {}, "All of it runs on the machine that serves this page. Nothing is sent anywhere else, and no account is needed; what you have learned and solved is kept in this browser."),
      status,
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Arimaa in a minute"),
        start && h("div", { class: "about-board" }, miniBoard(start.board, { label: "A board at the start of a game" })),
        h(
          "ul",
          {},
          [
            "Bring one of your rabbits to the far side and you win. You also win when the other side has no rabbits left or cannot move.",
            "From strong to weak: elephant, camel, two horses, two dogs, two cats, eight rabbits.",
            "Gold places its sixteen pieces on the first two rows as it likes, then Silver; then Gold begins.",
            "A turn is up to four steps, by one piece or several. A step goes to an empty square beside; rabbits do not step backward.",
            "A piece beside a stronger enemy is frozen, unless a friend stands beside it.",
            "A stronger piece can push an enemy beside it to an empty square and take its place, or pull it into the square it leaves. Both cost two steps.",
            "On the four marked traps a piece is lost as soon as no friend stands beside it.",
            "A turn must change the board, and must not bring about the same position for the third time.",
          ].map((words) => h("li", {}, words)),
        ),
        h("p", {}, h("a", { href: LEARN }, "Learn it step by step"), " on a real board."),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", {}, "On the board"),
        h(
          "ul",
          {},
          [
            "Drag a piece, or click it and then a square. Dots show where it can go; small dots take several steps.",
            "Push: drag your stronger piece onto the enemy, or drag the enemy to where it shall go.",
            "Pull: step away from a weaker enemy, then click it.",
            "When something is not possible, the line below the board says why.",
          ].map((words) => h("li", {}, words)),
        ),
        h("h2", {}, "Keys"),
        h(
          "dl",
          { class: "keys" },
          [
            ["Tab, arrows, Enter", "go to the board, move over it, take a piece and put it down; Escape lets go"],
            ["f", "finish the turn"],
            ["u", "take a step back"],
            ["x", "flip the board"],
            ["e", "the engine looks on, or not"],
            ["← → Home End", "step through a game"],
            ["n, h", "next task or puzzle, hint"],
          ].flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)]),
        ),
      ),
      h("p", { class: "muted small" }, "Programs talk with Hathi, too: ", h("a", { href: API }, "the API"), ". Arimaa is a game by Omar and Aamir Syed; “Arimaa” is a trademark of Omar Syed. Hathi is not affiliated with him."),
    ),
  };
}
