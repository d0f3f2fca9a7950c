// @ts-check
/**
 * What the server sends, as far as the page reads it (see API.md).
 *
 * @typedef {{id: string, title: string, about: string, part: "basics" | "strategy", tasks: number}} LessonLine
 * @typedef {{lessons: LessonLine[]}} Lessons
 * @typedef {{text: string, kind: "turn" | "setup" | "squares" | "choice", position: string, played: string[], options: string[]}} LessonTask
 * @typedef {{id: string, title: string, about: string, part: "basics" | "strategy", tasks: LessonTask[], last_of_part: boolean, next: string | null}} Lesson
 * @typedef {{turn: string | null, setup: string | null, squares: string[] | null, choice: number | null}} LessonAttempt
 * @typedef {{right: boolean, words: string}} LessonVerdict
 *
 * @typedef {{name: string, rating: number | null, kind: "h" | "b" | null}} Player
 * @typedef {object} Game
 * @property {number} id
 * @property {string | null} date
 * @property {Player} gold
 * @property {Player} silver
 * @property {"g" | "s" | null} result
 * @property {string | null} termination
 * @property {number} turns
 * @property {string | null} event
 * @property {string | null} time_control
 * @property {string | null} fault
 *
 * @typedef {{winner: "g" | "s" | null, termination: string, words: string}} Outcome
 * @typedef {{label: string, turn: string, ply: number | null, position: string | null, seconds: number | null}} Move
 * @typedef {Game & {outcome: Outcome | null, moves: Move[], start: string | null, notation: string}} FullGame
 *
 * @typedef {object} PlayedTurn
 * @property {string} turn
 * @property {number} count
 * @property {number} wins
 * @property {number} win_rate
 * @property {number | null} rating
 * @property {string | null} last_played
 * @property {number[]} games
 * @property {{game: number, ply: number}[]} samples
 * @property {string} position_after
 * @property {number | null} reached
 *
 * @typedef {object} Explored
 * @property {string} kind
 * @property {string | null} trap
 * @property {string | null} piece
 * @property {string[]} squares
 * @property {number} hits
 * @property {number} games
 * @property {number} illegal
 * @property {number} different_turns
 * @property {number} microseconds
 * @property {PlayedTurn[]} turns
 * @property {Game[]} top_rated
 * @property {Game[]} most_recent
 *
 * @typedef {object} Hits
 * @property {string | null} trap
 * @property {string | null} piece
 * @property {{kind: string, hits: number, games: number, microseconds: number}[]} kinds
 * @property {{trap: string, hits: number, squares: string[]}[]} traps
 * @property {{game: number, move: string, turn: string}[]} puzzles
 *
 * @typedef {{rank: number, games: number, share: number, wins: number, win_rate: number, rating: number | null, setup: string}} Setup
 * @typedef {{side: "g" | "s", games: number, kinds: number, setups: Setup[]}} Setups
 *
 * @typedef {{depth: number | null, nodes: number, seconds: number, score: number | null, line: string[]}} Thought
 *
 * @typedef {object} Play
 * @property {string} id
 * @property {string} engine
 * @property {"g" | "s"} side
 * @property {"yours" | "thinking" | "over" | "failed"} state
 * @property {"g" | "s"} to_move
 * @property {string | null} position none before both setups
 * @property {boolean} must_set_up
 * @property {string} label
 * @property {Move[]} moves
 * @property {string | null} start
 * @property {{control: string, gold: number, silver: number, running: "g" | "s" | null} | null} clock
 * @property {Outcome | null} outcome
 * @property {string[]} reasons
 * @property {number | null} game
 * @property {string | null} error
 * @property {string} name
 *
 * @typedef {{ply: number, hits: {full: number, half: number, area: number, area_by_piece: number}, played_before: number}} Known
 * @typedef {{ply: number, phase: import("./phases.js").Phase}} TurnPhase
 * @typedef {{side: "g" | "s", label: string | null}} LeftMemory
 * @typedef {{ply: number, score: number, best: string, best_score: number, loss: number, mark: string | null, line: string[]}} Judged
 * @typedef {{inaccuracies: number, mistakes: number, blunders: number}} MarkCount
 * @typedef {{gold: MarkCount, silver: MarkCount}} ReviewTotals
 *
 * @typedef {{turn: string | null, setup: string | null, from: string, reasons: string[]}} Hint
 *
 * @typedef {{place: string, games: number, positions: number, players: number, puzzles: number, ready: boolean, trouble: string | null}} StoreStatus
 * @typedef {{name: string, version: string, store: StoreStatus, limits: {think_seconds: number, search_results: number, arena_games: number}}} Status
 * @typedef {{engines: {name: string, about: string, memory: boolean}[]}} Engines
 */
export {};
