//! hathi-rules against pyrimaa, an independent program that has judged real
//! games for years: the same positions, the same questions, the same answers.
//!
//! Random positions (odd ones on purpose, and states inside a turn) are asked
//! for their legal steps and the boards those lead to, for frozen pieces, for
//! the verdict and, where pyrimaa can list them in reasonable time, for every
//! board a whole turn can reach, with the goals and captures among them. The
//! archived games are replayed by both. `oracle.py` beside this file does
//! pyrimaa's part.
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
//! - it ignores removals in notation (`rc3x`), hathi-rules checks them;
//! - in a composition with a piece alone on a trap its `do_step` and its
//!   `get_steps` disagree about when that piece falls, so there are none here.

mod common;

// In a folder of their own, as every file beside this one would be a test.
#[path = "pyrimaa/answers.rs"]
mod answers;
#[path = "pyrimaa/games.rs"]
mod games;
#[path = "pyrimaa/positions.rs"]
mod positions;

use std::cell::Cell;
use std::env;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use answers::{disagreement, shrink};
use games::{our_plies, their_plies};
use positions::{Case, Kind, Random, Seen};

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
    // Pyrimaa needs a second for the whole turns of a crowded position.
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
    let has_2002 = Cell::new(false);
    let Some(games) = common::games(|file| {
        has_2002.set(has_2002.get() || file == "allgames2002.txt");
        true
    }) else {
        say("skipped: no archived games to replay");
        return;
    };
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let every = (FULL_RUN / run_size().max(1)).max(1);
    let mut objections = Vec::new();
    let (mut replayed, mut plies) = (0, 0);
    for game in games.iter().step_by(every) {
        let ours = our_plies(game);
        let theirs = their_plies(game, &mut oracle);
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
    if every == 1 && has_2002.get() {
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
    let number = value.parse();
    Some(number.unwrap_or_else(|error| panic!("{variable} is {value:?}: {error}")))
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

    /// The fields of the answer, or what pyrimaa has against the question.
    fn ask(&mut self, question: &str) -> Result<Vec<String>, String> {
        let mut answer = String::new();
        let asked = writeln!(self.questions, "{question}")
            .and_then(|()| self.questions.flush())
            .and_then(|()| self.answers.read_line(&mut answer));
        assert!(
            matches!(asked, Ok(1..)),
            "the oracle has gone ({asked:?}) at the question\n{question}"
        );
        let answer = answer.trim_end_matches('\n');
        match answer.strip_prefix("error\t") {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(answer.split('\t').map(str::to_owned).collect()),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
