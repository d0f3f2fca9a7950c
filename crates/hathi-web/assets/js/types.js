// @ts-check
/**
 * What the server sends, as far as the page reads it (see API.md). Each type
 * names the schema of the server's own description that it is compared with.
 *
 * @typedef {{id: string, title: string, about: string, part: "basics" | "strategy", tasks: number}} LessonLine (API: LessonLine)
 * @typedef {{lessons: LessonLine[]}} Lessons (API: Lessons)
 * @typedef {{text: string, kind: "turn" | "setup" | "squares" | "choice", position: string, played: string[], options: string[]}} LessonTask (API: TaskView)
 * @typedef {{id: string, title: string, about: string, part: "basics" | "strategy", tasks: LessonTask[], last_of_part: boolean, next: string | null}} Lesson (API: LessonView)
 * @typedef {{turn: string | null, setup: string | null, squares: string[] | null, choice: number | null}} LessonAttempt (API: Attempt)
 * @typedef {{right: boolean, words: string}} LessonVerdict (API: Judged)
 *
 * @typedef {{name: string, rating: number | null, kind: "h" | "b" | null}} Player (API: PlayerView)
 * @typedef {object} Game (API: GameView)
 * @property {string | null} id
 * @property {string} source
 * @property {number} number
 * @property {string | null} date
 * @property {Player} gold
 * @property {Player} silver
 * @property {"g" | "s" | null} result
 * @property {string | null} termination
 * @property {number} turns
 * @property {string} event
 * @property {string} time_control
 * @property {string | null} fault
 *
 * @typedef {{winner: "g" | "s" | null, termination: string, words: string}} Outcome (API: OutcomeView)
 * @typedef {{label: string, turn: string, ply: number | null, position: string | null, seconds: number | null}} Move (API: MoveView)
 * @typedef {Game & {outcome: Outcome | null, moves: Move[], start: string | null, notation: string, stored: string | null}} FullGame (API: GameDetail)
 *
 * @typedef {object} PlayedTurn (API: TurnView)
 * @property {string} turn
 * @property {number} count
 * @property {number} wins
 * @property {number} win_rate
 * @property {number | null} rating
 * @property {string | null} last_played
 * @property {string[]} games
 * @property {{game: string, ply: number}[]} samples
 * @property {string} position_after
 * @property {number | null} reached
 *
 * @typedef {object} Explored (API: Explored)
 * @property {"full" | "half" | "area" | "area-by-piece"} kind
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
 * @property {{kind: "full" | "half" | "area" | "area-by-piece", hits: number, games: number, microseconds: number}[]} kinds
 * @property {{trap: string, hits: number, squares: string[]}[]} traps
 * @property {{game: string, move: string, turn: string}[]} puzzles
 *
 * @typedef {{rank: number, games: number, share: number, wins: number, win_rate: number, rating: number | null, setup: string}} Setup (API: SetupView)
 * @typedef {{side: "g" | "s", games: number, kinds: number, setups: Setup[]}} Setups (API: SetupList)
 *
 * @typedef {{depth: number, nodes: number, seconds: number, score: number, line: string[]}} Thought (API: ThoughtView)
 * @typedef {{turn: string, gold_score: number, gold_chance: number, words: string, line: string[]}} AnalysedLine (API: AnalysedLine)
 * @typedef {{id: string, name: string, side: "g" | "s", first: string, last: string, ply: number, words: string}} MotifTag (API: MotifTag)
 * @typedef {{game: string, tags: MotifTag[]}} TaggedGame (API: TaggedGame)
 * @typedef {{games: TaggedGame[]}} TaggedGames (API: TaggedGames)
 * @typedef {{tags: MotifTag[]}} MotifTags (API: MotifTags)
 * @typedef {{turn: string, depth: string | null, score: string | null, nodes: string | null, line: string[]}} SaidLine (API: SaidLineView)
 * @typedef {{name: string | null, lines: SaidLine[]}} Said (API: SaidView)
 * @typedef {{depth: number, nodes: number, seconds: number, lines: AnalysedLine[], also: AnalysedLine | null}} Analysed (API: AnalysedView)
 *
 * @typedef {object} Play (API: PlayView)
 * @property {string} id
 * @property {string} engine
 * @property {string} opponent what people call the engine
 * @property {"g" | "s"} side
 * @property {"yours" | "thinking" | "over" | "failed"} state
 * @property {"g" | "s"} to_move
 * @property {string | null} position none before both setups
 * @property {boolean} must_set_up
 * @property {string} label
 * @property {Move[]} moves
 * @property {string | null} start
 * @property {number} seconds for a turn of the engine
 * @property {{control: string, gold: number | null, silver: number | null, running: "g" | "s" | null} | null} clock
 * @property {Outcome | null} outcome
 * @property {{move: number, reasons: string[]}[]} explained why the engine moved as it did
 * @property {string | null} game
 * @property {string | null} error
 * @property {string} name
 * @property {boolean} remember
 * @property {boolean} from_setup
 *
 * @typedef {{ply: number, hits: {full: number, half: number, area: number, area_by_piece: number}, played_before: number}} Known (API: Known)
 * @typedef {{ply: number, phase: import("./phases.js").Phase}} TurnPhase (API: TurnPhase)
 * @typedef {{side: "g" | "s" | null, label: string | null}} LeftMemory (API: Left)
 * @typedef {{ply: number, score: number, gold_chance: number, words: string, best: string, loss: number, mark: "mistake" | "blunder" | null, depth: number}} JudgedTurn (API: JudgedView)
 * @typedef {{mistakes: number, blunders: number, turns: number, accuracy: number}} SideReview (API: SideReview)
 * @typedef {{gold: SideReview, silver: SideReview}} ReviewTotals (API: ReviewSummary)
 * @typedef {{engine: string, nodes: number, version: string, current: boolean, made: number, turns: JudgedTurn[], summary: ReviewTotals}} KeptReview (API: ReviewView)
 * @typedef {{review: KeptReview | null}} KeptReviewAnswer (API: KeptReviewView)
 *
 * @typedef {{ply: number, then: string[], text: string}} StudyNote (API: StudyNote)
 * @typedef {{id: string, title: string, changed: number, text: string, notes: StudyNote[]}} Study (API: StudyView)
 * @typedef {{studies: {id: string, title: string, changed: number}[]}} StudyList (API: StudyList)
 *
 * @typedef {{turn: string | null, setup: string | null, from: string, reasons: string[]}} Hint (API: Advice)
 *
 * @typedef {{source: string, meaning: string, games: number, positions: number, counted: boolean}} SourceOfGames (API: SourceView)
 * @typedef {{games: number, positions: number, sources: SourceOfGames[]}} Sources (API: SourceList)
 * @typedef {object} Import (API: ImportView)
 * @property {string} id
 * @property {string} name
 * @property {"receiving" | "reading" | "indexing" | "finished" | "stopped" | "failed"} state
 * @property {number} bytes
 * @property {number} received
 * @property {number} read_bytes
 * @property {number} indexed
 * @property {number} read
 * @property {number} stored
 * @property {number} shortened
 * @property {number} rejected
 * @property {number} duplicates
 * @property {number} copies
 * @property {{reason: string, games: number}[]} reasons
 * @property {string[]} remarks
 * @property {number} more_remarks
 * @property {string | null} error
 * @property {number} seconds
 *
 * @typedef {{imports: Import[], most_megabytes: number}} ImportList (API: ImportList)
 * @typedef {{place: string, games: number, positions: number, sources: SourceOfGames[], players: number, puzzles: number, ready: boolean, trouble: string | null}} StoreStatus (API: StoreStatus)
 * @typedef {{name: string, version: string, store: StoreStatus, analysis_engines: string[], limits: {think_seconds: number, search_results: number, arena_games: number, engine_threads: number, engine_megabytes: number}}} Status (API: Status)
 * @typedef {{levels: {level: number, engine: string, name: string, about: string, rating: number}[], scale: string, engines: {name: string, about: string, for_players: string, memory: boolean}[]}} Engines (API: Engines)
 */
export {};
