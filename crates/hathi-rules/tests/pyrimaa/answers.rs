//! One case, both answers, and what differs.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use hathi_rules::{Board, Outcome, Piece, Position, PushPull, RuleSet, Side, Step, TurnGenerator};

use crate::Oracle;
use crate::positions::Case;

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
    goal: String,
    captures: String,
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
        let skipped = || "-".to_owned();
        let [turns, reached, goal, captures] = if whole_turns {
            let mut generator = TurnGenerator::new();
            let reached = generator.generate(&position);
            [
                reached.len().to_string(),
                digest(reached.map(|reached| *reached.board())),
                can_goal(&position),
                captures(&position),
            ]
        } else {
            [skipped(), skipped(), skipped(), skipped()]
        };
        Answer {
            board: board.short_form(),
            steps,
            results: digest(legal.iter().map(|&step| *position.after(step).board())),
            frozen: list(frozen.into_iter()),
            verdict: verdict.to_string(),
            turns,
            reached,
            goal,
            captures,
        }
    }

    fn theirs(case: &Case, whole_turns: bool, oracle: &mut Oracle) -> Result<Answer, String> {
        let question = format!(
            "position\t{}\t{}\t{}\t{}",
            case.start.side_to_move(),
            case.start.board().short_form(),
            list(case.taken.iter()),
            if whole_turns { "yes" } else { "no" },
        );
        let fields = oracle.ask(&question)?;
        let Ok(
            [
                board,
                steps,
                results,
                frozen,
                verdict,
                turns,
                reached,
                goal,
                captures,
            ],
        ) = <[String; 9]>::try_from(fields)
        else {
            panic!("not the nine fields of an answer, to the question\n{question}");
        };
        let steps = steps.split(',').filter(|step| !step.is_empty());
        Ok(Answer {
            steps: steps.map(str::to_owned).collect(),
            board,
            results,
            frozen,
            verdict,
            turns,
            reached,
            goal,
            captures,
        })
    }
}

/// Whether there is a goal, and whether the turn found really ends there.
fn can_goal(position: &Position) -> String {
    let side = position.side_to_move();
    let text = match position.can_goal() {
        None => "no",
        Some(turn) if turn.is_empty() => "yes",
        Some(turn) => match position.check_turn(&turn) {
            Ok((_, after)) if after.board().on_goal()[side] => "yes",
            _ => return format!("yes, but {turn} is no goal"),
        },
    };
    text.to_owned()
}

/// The kinds of enemy pieces that can be captured, weakest first.
fn captures(position: &Position) -> String {
    let threats = position.capture_threats();
    let kinds: BTreeSet<Piece> = threats.iter().map(|threat| threat.victim).collect();
    kinds.into_iter().map(Piece::to_char).collect()
}

/// Who has won by the rules since 2008, now that `mover` has moved.
pub(crate) fn winner(board: &Board, mover: Side) -> char {
    Outcome::on_board(board, mover, RuleSet::Modern)
        .and_then(|outcome| outcome.winner)
        .map_or('-', Side::to_char)
}

pub(crate) fn list(items: impl Iterator<Item = impl fmt::Display>) -> String {
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
pub(crate) fn disagreement(case: &Case, whole_turns: bool, oracle: &mut Oracle) -> Option<String> {
    let ours = Answer::ours(case, whole_turns);
    let theirs = match Answer::theirs(case, whole_turns, oracle) {
        Ok(theirs) => theirs,
        Err(objection) => return Some(format!("pyrimaa objects: {objection}\n")),
    };
    if ours == theirs {
        return None;
    }
    let extra = |these: &[String], those: &[String]| {
        let extra = these.iter().filter(|step| !those.contains(step));
        let extra: Vec<&str> = extra.map(String::as_str).collect();
        match extra.as_slice() {
            [] => "no other".to_owned(),
            extra => format!("also {}", extra.join(", ")),
        }
    };
    let steps = [
        extra(&ours.steps, &theirs.steps),
        extra(&theirs.steps, &ours.steps),
    ];
    let mut text = String::new();
    let mut compare = |what: &str, ours: &str, theirs: &str| {
        if ours != theirs {
            let _ = writeln!(
                text,
                "{what}\n  hathi-rules: {ours}\n  pyrimaa:     {theirs}"
            );
        }
    };
    compare("board", &ours.board, &theirs.board);
    compare("legal steps", &steps[0], &steps[1]);
    // Digests are for things that have no other name.
    if ours.steps == theirs.steps {
        compare(
            "digest of the boards after one step",
            &ours.results,
            &theirs.results,
        );
    }
    compare("frozen", &ours.frozen, &theirs.frozen);
    compare("winner", &ours.verdict, &theirs.verdict);
    compare("boards a whole turn can reach", &ours.turns, &theirs.turns);
    if ours.turns == theirs.turns {
        compare(
            "digest of the boards a whole turn can reach",
            &ours.reached,
            &theirs.reached,
        );
    }
    compare("can goal", &ours.goal, &theirs.goal);
    compare("can capture", &ours.captures, &theirs.captures);
    Some(text)
}

/// Leaves out pieces as long as the disagreement stays.
pub(crate) fn shrink(mut case: Case, whole_turns: bool, oracle: &mut Oracle) -> Case {
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
