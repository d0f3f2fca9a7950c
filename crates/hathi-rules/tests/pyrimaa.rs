//! hathi-rules against pyrimaa, an independent program that has judged real
//! games for years: the same positions, the same questions, the same answers.
//!
//! Random positions (odd ones on purpose, and states inside a turn) are asked
//! for their legal steps and the boards those lead to, for frozen pieces, for
//! the verdict and, where pyrimaa can count in reasonable time, for every
//! board a whole turn can reach. The archived games are replayed by both.
//! `oracle.py` beside this file does pyrimaa's part.
//!
//! | environment | meaning |
//! |---|---|
//! | `HATHI_PYTHON` | a Python that can import pyrimaa; `./test` sets it. Without one the tests are skipped, unless `CI` is set |
//! | `HATHI_DIFF_POSITIONS` | how many positions (6000); games are scaled alike |
//! | `HATHI_DIFF_SEED` | another run of positions |
//! | `HATHI_SHARED` | where `allgames*.txt` are, if not in `../shared/data` beside the workspace |
//!
//! # Where the two differ
//!
//! Nowhere on these questions. In particular pyrimaa's order of verdicts,
//! asked of the side to move next, is that of the rules: the mover's goal, the
//! other goal, the next side without rabbits, the mover without rabbits, the
//! next side without a step. What it leaves to its callers:
//!
//! - `do_move` accepts a turn that changes nothing, and moves after the end
//!   (game 46 of 2002); the oracle refuses both by pyrimaa's own `get_moves`
//!   and `is_end_state`;
//! - repetition needs a history, which a position has not, so rule 6 (only
//!   illegal turns are left) is not compared here;
//! - it knows the rules since 2008 only, so verdicts are compared by those
//!   rules even in older games;
//! - inside a push `get_moves` fails, see `reached` in the oracle;
//! - it ignores removals in notation (`rc3x`), hathi-rules checks them.

use std::env;
use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hathi_rules::{
    Bitboard, Board, Label, Lines, Outcome, Piece, Position, PushPull, Replay, Role, RuleSet,
    Setup, Side, Square, Step, Termination, TurnGenerator,
};

const FULL_RUN: usize = 6000;

#[test]
fn the_same_answers_about_random_positions() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let count = run_size();
    let seed = number_from("HATHI_DIFF_SEED").unwrap_or(20_020_926);
    let mut random = Random(seed as u64);
    let mut seen = Seen::default();
    // Whole turns of crowded positions take pyrimaa a second each.
    let mut slow_ones = count.div_ceil(150);
    for number in 0..count {
        let kind = Kind::ALL[number % Kind::ALL.len()];
        let case = Case::draw(kind, &mut random);
        let mut whole_turns = case.is_cheap();
        if !whole_turns && kind == Kind::Playout && case.taken.is_empty() && slow_ones > 0 {
            slow_ones -= 1;
            whole_turns = true;
        }
        if let Some(difference) = disagreement(&case, whole_turns, &mut oracle) {
            let smallest = shrink(case, whole_turns, &mut oracle);
            let difference =
                disagreement(&smallest, whole_turns, &mut oracle).unwrap_or(difference);
            panic!(
                "position {number} of seed {seed}, {kind:?}, made small:\n{smallest}{difference}"
            );
        }
        seen.note(&case, whole_turns);
    }
    say(&format!("compared with pyrimaa: {count} positions, {seen}"));
    if count >= 1000 {
        seen.assert_variety();
    }
}

#[test]
fn the_same_positions_in_archived_games() {
    let games = archived_games();
    if games.is_empty() {
        say("skipped: no game archives to replay (see HATHI_SHARED)");
        return;
    }
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let every = (FULL_RUN / run_size().max(1)).max(1);
    let mut objections = Vec::new();
    let (mut replayed, mut plies) = (0, 0);
    for game in games.iter().step_by(every) {
        let ours = game.our_moves();
        let theirs = game.their_moves(&mut oracle);
        for (our, their) in ours.iter().zip(&theirs) {
            let same = match (&our.after, &their.after) {
                (Ok(our), Ok(their)) => our == their,
                // Both object, each in its own words.
                (Err(_), Err(_)) => true,
                _ => false,
            };
            assert!(
                same && our.label == their.label,
                "game {}\n  hathi-rules: {our}\n  pyrimaa:     {their}",
                game.id
            );
            if our.after.is_err() {
                objections.push(format!("{} {}", game.id, our.label));
            }
        }
        assert_eq!(ours.len(), theirs.len(), "moves of game {}", game.id);
        replayed += 1;
        plies += ours.len();
    }
    say(&format!(
        "replayed with pyrimaa: {replayed} games, {plies} plies"
    ));
    if every == 1 && games.iter().any(|game| game.file == "allgames2002.txt") {
        // A frozen piece moves in 32 and 55; 46 goes on after the end.
        objections.sort_unstable();
        assert_eq!(objections, ["32 15g", "46 22g", "55 22g"]);
    }
}

fn run_size() -> usize {
    number_from("HATHI_DIFF_POSITIONS").unwrap_or(FULL_RUN)
}

fn number_from(variable: &str) -> Option<usize> {
    let value = env::var(variable).ok().filter(|value| !value.is_empty())?;
    match value.parse() {
        Ok(number) => Some(number),
        Err(_) => panic!("{variable} is {value:?}, expected a number"),
    }
}

/// Past the test harness, which would swallow what a passing test prints.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A Python process with pyrimaa in it.
struct Oracle {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// None, with a word of explanation, where there is no pyrimaa to ask.
    fn start() -> Option<Oracle> {
        match Oracle::try_start() {
            Ok(oracle) => Some(oracle),
            Err(reason) if env::var_os("CI").is_some_and(|ci| !ci.is_empty()) => {
                panic!("nothing to compare with: {reason}")
            }
            Err(reason) => {
                say(&format!("skipped: {reason}"));
                None
            }
        }
    }

    fn try_start() -> Result<Oracle, String> {
        let python = env::var_os("HATHI_PYTHON")
            .filter(|python| !python.is_empty())
            .ok_or("HATHI_PYTHON is not set to a Python with the package `aei`")?;
        let name = python.to_string_lossy().into_owned();
        let import = Command::new(&python)
            .args(["-c", "import pyrimaa.board"])
            .output()
            .map_err(|error| format!("{name}: {error}"))?;
        if !import.status.success() {
            return Err(format!("{name} cannot import pyrimaa"));
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle.py");
        let mut process = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name}: {error}"))?;
        let questions = process.stdin.take().ok_or("no way to ask")?;
        let answers = process.stdout.take().ok_or("no way to answer")?;
        Ok(Oracle {
            process,
            questions,
            answers: BufReader::new(answers),
        })
    }

    fn ask(&mut self, question: &str) -> Vec<String> {
        let mut answer = String::new();
        let asked = writeln!(self.questions, "{question}")
            .and_then(|()| self.questions.flush())
            .and_then(|()| self.answers.read_line(&mut answer));
        assert!(
            matches!(asked, Ok(1..)),
            "the oracle has gone ({asked:?}) at the question\n{question}"
        );
        let fields: Vec<String> = answer
            .trim_end_matches('\n')
            .split('\t')
            .map(str::to_owned)
            .collect();
        if let [error, reason] = fields.as_slice()
            && error == "error"
        {
            panic!("pyrimaa says {reason} to the question\n{question}");
        }
        fields
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What is compared, in the words of `oracle.py`.
#[derive(PartialEq, Eq)]
struct Answer {
    board: String,
    steps: Vec<String>,
    results: String,
    frozen: String,
    verdict: String,
    turns: String,
    reached: String,
}

impl Answer {
    fn ours(case: &Case, whole_turns: bool) -> Answer {
        let position = case.position();
        let board = position.board();
        let side = position.side_to_move();
        let legal = position.legal_steps();
        let mut steps: Vec<String> = legal.iter().map(Step::to_string).collect();
        steps.sort_unstable();
        let frozen = board.frozen(Side::Gold) | board.frozen(Side::Silver);
        // Who has just moved: the other side or, inside a turn, this one.
        let mover = if case.taken.is_empty() {
            side.opponent()
        } else {
            side
        };
        let verdict = if matches!(position.push_pull(), PushPull::MustPush { .. }) {
            '?'
        } else {
            winner(board, mover)
        };
        let (turns, reached) = if whole_turns {
            let mut generator = TurnGenerator::new();
            let reached = generator.generate(&position);
            (
                reached.len().to_string(),
                digest(reached.map(|reached| *reached.board())),
            )
        } else {
            ("-".to_owned(), "-".to_owned())
        };
        Answer {
            board: board.short_form(),
            steps,
            results: digest(legal.iter().map(|&step| *position.after(step).board())),
            frozen: list(frozen.into_iter()),
            verdict: verdict.to_string(),
            turns,
            reached,
        }
    }

    fn theirs(case: &Case, whole_turns: bool, oracle: &mut Oracle) -> Answer {
        let question = format!(
            "position\t{}\t{}\t{}\t{}",
            case.start.side_to_move(),
            case.start.board().short_form(),
            list(case.taken.iter()),
            if whole_turns { "yes" } else { "no" },
        );
        let fields = oracle.ask(&question);
        let Ok([board, steps, results, frozen, verdict, turns, reached]) =
            <[String; 7]>::try_from(fields)
        else {
            panic!("not the seven fields of an answer, to the question\n{question}");
        };
        let steps = steps.split(',').filter(|step| !step.is_empty());
        Answer {
            steps: steps.map(str::to_owned).collect(),
            board,
            results,
            frozen,
            verdict,
            turns,
            reached,
        }
    }
}

fn winner(board: &Board, mover: Side) -> char {
    Outcome::on_board(board, mover, RuleSet::Modern)
        .and_then(|outcome| outcome.winner)
        .map_or('-', Side::to_char)
}

fn list(items: impl Iterator<Item = impl fmt::Display>) -> String {
    let words: Vec<String> = items.map(|item| item.to_string()).collect();
    words.join(" ")
}

/// See `digest` in the oracle.
fn digest(boards: impl Iterator<Item = Board>) -> String {
    let of_board = |board: Board| {
        Piece::ALL
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |value, &piece| {
                let value = (value ^ board.pieces(piece).0).wrapping_mul(0x100_0000_01b3);
                value ^ value >> 32
            })
    };
    let sum = boards.map(of_board).fold(0, u64::wrapping_add);
    format!("{sum:016x}")
}

/// Only what differs, both answers below each other.
fn disagreement(case: &Case, whole_turns: bool, oracle: &mut Oracle) -> Option<String> {
    let ours = Answer::ours(case, whole_turns);
    let theirs = Answer::theirs(case, whole_turns, oracle);
    if ours == theirs {
        return None;
    }
    let only = |these: &[String], those: &[String]| {
        let extra: Vec<&str> = these
            .iter()
            .filter(|step| !those.contains(step))
            .map(String::as_str)
            .collect();
        format!("only {}", extra.join(", "))
    };
    let steps = [
        only(&ours.steps, &theirs.steps),
        only(&theirs.steps, &ours.steps),
    ];
    let mut text = String::new();
    for (what, ours, theirs) in [
        ("board", &ours.board, &theirs.board),
        ("steps", &steps[0], &steps[1]),
        (
            "digest of the boards they lead to",
            &ours.results,
            &theirs.results,
        ),
        ("frozen", &ours.frozen, &theirs.frozen),
        ("winner", &ours.verdict, &theirs.verdict),
        ("boards a whole turn can reach", &ours.turns, &theirs.turns),
        ("digest of those boards", &ours.reached, &theirs.reached),
    ] {
        if ours != theirs {
            let _ = writeln!(
                text,
                "{what}\n  hathi-rules: {ours}\n  pyrimaa:     {theirs}"
            );
        }
    }
    Some(text)
}

/// Leaves out pieces as long as the disagreement stays.
fn shrink(mut case: Case, whole_turns: bool, oracle: &mut Oracle) -> Case {
    'smaller: loop {
        for square in case.start.board().occupied() {
            let Some(smaller) = case.without(square) else {
                continue;
            };
            if disagreement(&smaller, whole_turns, oracle).is_some() {
                case = smaller;
                continue 'smaller;
            }
        }
        return case;
    }
}

/// A position to ask about: a start of turn and the steps taken since.
struct Case {
    start: Position,
    taken: Vec<Step>,
}

impl Case {
    fn draw(kind: Kind, random: &mut Random) -> Case {
        let mut case = Case {
            start: kind.draw(random),
            taken: Vec::new(),
        };
        // Half of them inside a turn. The enemy's pieces come first, so that
        // pushes are seen half done and pulls pending.
        if random.one_in(2) {
            let mut position = case.start;
            for _ in 0..=random.below(3) {
                let mut steps = position.legal_steps();
                if random.one_in(2) {
                    let own = position.side_to_move();
                    let moving_enemies = steps.iter().any(|step| step.side() != own);
                    steps.retain(|step| !moving_enemies || step.side() != own);
                }
                let Some(&step) = random.choose(&steps) else {
                    break;
                };
                position.apply(step);
                case.taken.push(step);
            }
        }
        case
    }

    fn position(&self) -> Position {
        self.taken
            .iter()
            .fold(self.start, |position, &step| position.after(step))
    }

    /// Can pyrimaa list the whole turns in a fraction of a second?
    fn is_cheap(&self) -> bool {
        let position = self.position();
        position
            .legal_steps()
            .len()
            .pow(position.steps_left().into())
            < 20_000
    }

    /// The case without one piece, if the steps taken are still legal.
    fn without(&self, square: Square) -> Option<Case> {
        let mut board = *self.start.board();
        board.remove(square);
        let start = Position::new(board, self.start.side_to_move()).ok()?;
        let mut position = start;
        let mut taken = Vec::new();
        for step in &self.taken {
            let step = position.check_step(step.bare()).ok()?;
            position.apply(step);
            taken.push(step);
        }
        Some(Case { start, taken })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.start.long_form(), self.start.short_form())?;
        if !self.taken.is_empty() {
            writeln!(f, "after {}", list(self.taken.iter()))?;
        }
        Ok(())
    }
}

/// How a position is made up. Random play alone would hardly ever show what
/// most of these are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    FewPieces,
    ManyPieces,
    ManyRabbits,
    RoundTraps,
    Edges,
    FrozenPairs,
    NearGoal,
    OneSideOnly,
    WithoutRabbits,
    HemmedIn,
    Playout,
}

impl Kind {
    const ALL: [Kind; 11] = [
        Kind::FewPieces,
        Kind::ManyPieces,
        Kind::ManyRabbits,
        Kind::RoundTraps,
        Kind::Edges,
        Kind::FrozenPairs,
        Kind::NearGoal,
        Kind::OneSideOnly,
        Kind::WithoutRabbits,
        Kind::HemmedIn,
        Kind::Playout,
    ];

    fn draw(self, random: &mut Random) -> Position {
        let mut board = Board::EMPTY;
        let mut side = random.side();
        let mut pieces = random.shuffled(all_pieces());
        let is_rabbit = |piece: &Piece| piece.role() == Role::Rabbit;
        match self {
            Kind::FewPieces => {
                pieces.truncate(1 + random.below(6));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::ManyPieces => {
                pieces.truncate(7 + random.below(26));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::ManyRabbits => {
                pieces.sort_by_key(|piece| !is_rabbit(piece));
                pieces.truncate(12 + random.below(10));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::RoundTraps => {
                let rest = pieces.split_off(6 + random.below(12));
                let round_traps = Bitboard::TRAPS | Bitboard::TRAPS.near();
                random.scatter(pieces, round_traps, &mut board);
                let rest = rest.into_iter().take(random.below(6)).collect();
                random.scatter(rest, Bitboard::ALL, &mut board);
            }
            Kind::Edges => {
                let files = Bitboard::FILE_A | Bitboard::FILE_H;
                let edges = files | Bitboard::RANK_1 | Bitboard::RANK_8;
                pieces.truncate(4 + random.below(24));
                random.scatter(pieces, edges, &mut board);
            }
            Kind::FrozenPairs => {
                // A weak piece with a stronger enemy beside it, several times.
                while let (Some(piece), Some(other)) = (pieces.pop(), pieces.pop()) {
                    let square = random.square(Bitboard::ALL);
                    let beside = random.square(square.neighbours());
                    let taken = board.occupied();
                    let is_pair = piece.side() != other.side() && piece.role() != other.role();
                    if is_pair && !taken.contains(square) && !taken.contains(beside) {
                        board.place(square, piece);
                        board.place(beside, other);
                    }
                }
            }
            Kind::NearGoal => {
                let (rabbits, mut others): (Vec<_>, Vec<_>) =
                    pieces.into_iter().partition(is_rabbit);
                // Far ahead more often than arrived: a game ends there.
                let arrived = random.one_in(3);
                for side in Side::ALL {
                    let mut ahead = side.opponent().home();
                    if !arrived {
                        ahead = ahead - side.goal();
                    }
                    let mut own = rabbits.clone();
                    own.retain(|rabbit| rabbit.side() == side);
                    own.truncate(1 + random.below(5));
                    random.scatter(own, ahead, &mut board);
                }
                others.truncate(random.below(12));
                random.scatter(others, Bitboard::ALL, &mut board);
            }
            Kind::OneSideOnly => {
                let owner = random.side();
                pieces.retain(|piece| piece.side() == owner);
                pieces.truncate(random.below(17));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::WithoutRabbits => {
                let robbed = random.side();
                let both = random.one_in(3);
                pieces.retain(|piece| !is_rabbit(piece) || (piece.side() != robbed && !both));
                pieces.truncate(2 + random.below(15));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::HemmedIn => {
                // A few pieces of the side to move, enemies on most squares
                // beside them: often nothing can move.
                let (mut own, enemies): (Vec<_>, Vec<_>) =
                    pieces.into_iter().partition(|piece| piece.side() == side);
                own.sort_by_key(|piece| piece.role());
                own.truncate(1 + random.below(3));
                random.scatter(own, Bitboard::ALL, &mut board);
                let mut beside = board.occupied().near();
                if random.one_in(3) {
                    beside = beside - random.square(Bitboard::ALL).bit();
                }
                random.scatter(enemies, beside, &mut board);
            }
            Kind::Playout => {
                let start = random.play_out();
                board = *start.board();
                side = start.side_to_move();
            }
        }
        for square in board.unsupported_on_traps() {
            board.remove(square);
        }
        Position::new(board, side).expect("at most the starting pieces, none falling")
    }
}

/// What both sides start with.
fn all_pieces() -> Vec<Piece> {
    Piece::ALL
        .into_iter()
        .flat_map(|piece| (0..piece.role().count_at_start()).map(move |_| piece))
        .collect()
}

/// Steele, Lea and Flood's `SplitMix64`: small, good enough, and the same on
/// every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }

    fn side(&mut self) -> Side {
        Side::ALL[self.below(2)]
    }

    /// One of a set that is not empty.
    fn square(&mut self, squares: Bitboard) -> Square {
        let squares: Vec<Square> = squares.into_iter().collect();
        squares[self.below(squares.len())]
    }

    /// Puts the pieces on free squares of the set, as long as there are any.
    fn scatter(&mut self, pieces: Vec<Piece>, squares: Bitboard, board: &mut Board) {
        let free = (squares & board.empty()).into_iter().collect();
        for (piece, square) in pieces.into_iter().zip(self.shuffled(free)) {
            board.place(square, piece);
        }
    }

    /// The position after some random turns of a game from random setups.
    fn play_out(&mut self) -> Position {
        let mut board = Board::EMPTY;
        for side in Side::ALL {
            let mut roles: Vec<Role> = all_pieces().iter().map(|piece| piece.role()).collect();
            roles.truncate(16);
            let roles = <[Role; 16]>::try_from(self.shuffled(roles)).expect("sixteen pieces");
            let setup = Setup::new(side, roles).expect("the right pieces");
            setup.place_on(&mut board);
        }
        let mut position = Position::new(board, Side::Gold).expect("a legal start");
        for _ in 0..self.below(80) {
            let mut next = position;
            let wanted = 1 + self.below(4);
            for taken in 0.. {
                if taken >= wanted && next.can_end_turn() {
                    break;
                }
                let steps = next.legal_steps();
                let Some(&step) = self.choose(&steps) else {
                    break;
                };
                next.apply(step);
            }
            // Random turns end games early; these go on to the next question.
            if Outcome::on_board(next.board(), position.side_to_move(), RuleSet::Modern).is_some() {
                break;
            }
            position = next.end_turn();
        }
        position
    }
}

/// What the random positions have shown, so that a change of the generator
/// cannot quietly make the comparison a dull one.
#[derive(Default)]
struct Seen {
    inside_turn: usize,
    inside_push: usize,
    can_pull: usize,
    captures: usize,
    frozen: usize,
    goals: usize,
    both_goals: usize,
    eliminations: usize,
    both_eliminated: usize,
    immobilised: usize,
    whole_turns: usize,
}

impl Seen {
    fn note(&mut self, case: &Case, whole_turns: bool) {
        let position = case.position();
        let board = position.board();
        let steps = position.legal_steps();
        let enemy = position.side_to_move().opponent();
        let mut count = |number: &mut usize, seen: bool| *number += usize::from(seen);
        count(&mut self.inside_turn, !case.taken.is_empty());
        match position.push_pull() {
            PushPull::Free => {}
            PushPull::MustPush { .. } => self.inside_push += 1,
            PushPull::MayPull { into, .. } => {
                let pull = |step: &Step| step.side() == enemy && step.to() == Some(into);
                count(&mut self.can_pull, steps.iter().any(pull));
            }
        }
        count(&mut self.captures, steps.iter().any(|step| step.captures()));
        let frozen = board.frozen(Side::Gold) | board.frozen(Side::Silver);
        count(&mut self.frozen, frozen.any());
        count(&mut self.whole_turns, whole_turns);
        if !case.taken.is_empty() {
            return;
        }
        let goals = board.on_goal();
        count(&mut self.both_goals, goals.gold && goals.silver);
        let rabbits = board.role(Role::Rabbit);
        let goal = goals.gold || goals.silver;
        count(&mut self.both_eliminated, rabbits.is_empty());
        let outcome = Outcome::on_board(board, enemy, RuleSet::Modern);
        match outcome.map(|outcome| outcome.termination) {
            Some(Termination::Goal) => count(&mut self.goals, goal),
            Some(Termination::Elimination) => self.eliminations += 1,
            Some(Termination::Immobilised) => self.immobilised += 1,
            _ => {}
        }
    }

    fn numbers(&self) -> [(&'static str, usize); 11] {
        [
            ("inside a turn", self.inside_turn),
            ("inside a push", self.inside_push),
            ("with a pull pending", self.can_pull),
            ("with a step that captures", self.captures),
            ("with frozen pieces", self.frozen),
            ("won by goal", self.goals),
            ("both sides on goal", self.both_goals),
            ("won by elimination", self.eliminations),
            ("no rabbits at all", self.both_eliminated),
            ("won by immobilisation", self.immobilised),
            ("with whole turns", self.whole_turns),
        ]
    }

    fn assert_variety(&self) {
        for (what, number) in self.numbers() {
            assert!(
                number >= 10,
                "only {number} positions {what}: the generator has gone dull"
            );
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.numbers();
        let words: Vec<String> = numbers
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        f.write_str(&words.join(", "))
    }
}

/// A line of an archive file, as far as it matters here.
struct ArchivedGame {
    file: String,
    id: String,
    rules: RuleSet,
    moves: Vec<u8>,
}

/// A move as replayed by one of the two: the board after it and who has won
/// (`-` for nobody), or an objection.
struct Ply {
    label: Label,
    after: Result<(String, char), String>,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.label)?;
        match &self.after {
            Ok((board, winner)) => write!(f, "{board} winner {winner}"),
            Err(objection) => write!(f, "objects: {objection}"),
        }
    }
}

impl ArchivedGame {
    fn our_moves(&self) -> Vec<Ply> {
        let mut replay = Replay::new(self.rules);
        let mut plies = Vec::new();
        for line in Lines::new(&self.moves) {
            let line = line.unwrap_or_else(|error| panic!("game {}: {error}", self.id));
            let label = line.label;
            let before = replay.gave_up.is_some();
            let played = match line.action() {
                Ok(None) => continue,
                Ok(Some(action)) => replay
                    .play(label, &action)
                    .map_err(|fault| fault.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if replay.gave_up.is_some() && !before {
                continue; // a resignation leaves the board as it is
            }
            let over = played.is_err();
            let game = &replay.game;
            let position = game.position();
            let winner = match game.must_set_up() {
                Some(_) => '-',
                None => winner(position.board(), position.side_to_move().opponent()),
            };
            plies.push(Ply {
                label,
                after: played.map(|()| (position.board().short_form(), winner)),
            });
            if over {
                break;
            }
        }
        plies
    }

    fn their_moves(&self, oracle: &mut Oracle) -> Vec<Ply> {
        let moves = String::from_utf8_lossy(&self.moves);
        let fields = oracle.ask(&format!("game\t{moves}"));
        let fields = fields.iter().filter(|field| !field.is_empty());
        fields.map(|field| self.read_ply(field)).collect()
    }

    fn read_ply(&self, field: &str) -> Ply {
        let read = || {
            let (label, after) = field.split_once(' ')?;
            let after = match after.strip_prefix("! ") {
                Some(objection) => Err(objection.to_owned()),
                None => {
                    let (board, winner) = after.rsplit_once(' ')?;
                    Ok((board.to_owned(), winner.parse().ok()?))
                }
            };
            let label = label.parse().ok()?;
            Some(Ply { label, after })
        };
        read().unwrap_or_else(|| panic!("game {}: the oracle says {field:?}", self.id))
    }
}

fn data_folder() -> PathBuf {
    match env::var_os("HATHI_SHARED") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    }
}

fn archived_games() -> Vec<ArchivedGame> {
    let Ok(entries) = fs::read_dir(data_folder()) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("allgames") && name.ends_with(".txt"))
        .collect();
    names.sort_unstable();
    names.iter().flat_map(|name| games_of(name)).collect()
}

fn games_of(file: &str) -> Vec<ArchivedGame> {
    let path = data_folder().join(file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rows = bytes
        .split(|&byte| byte == b'\n')
        .filter(|row| !row.is_empty())
        .map(|row| row.split(|&byte| byte == b'\t').collect::<Vec<_>>());
    let header = rows.next().unwrap_or_default();
    let column = |name: &str| {
        let place = header.iter().position(|title| *title == name.as_bytes());
        place.unwrap_or_else(|| panic!("{file} has no column `{name}`"))
    };
    let (id, moves, started) = (column("id"), column("movelist"), column("startts"));
    rows.map(|row| {
        let text = |column: usize| String::from_utf8_lossy(row[column]).into_owned();
        ArchivedGame {
            file: file.to_owned(),
            id: text(id),
            rules: RuleSet::at_unix_time(text(started).parse().expect("a time")),
            moves: row[moves].to_vec(),
        }
    })
    .collect()
}
