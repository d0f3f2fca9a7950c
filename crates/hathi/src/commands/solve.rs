//! `hathi solve`: is there a forced win in at most two turns?

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use hathi_engine::{Limits, Solution, refute, solve};
use hathi_rules::Position;
use hathi_view::{Line, Solved};
use serde::Serialize;

use crate::Answer;
use crate::args::engine::seconds;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::input;
use crate::terminal::output;
use crate::terminal::position::{outcome_of, outcome_text};
use crate::terminal::stop;

/// Prove a forced win in at most two turns, or that there is none
///
/// Tries every turn of the side to move against every reply, so the answer is certain: a win
/// comes with the replies that fail, "no win" with the reply that holds against each turn that
/// threatens something. If time runs out before it is certain, it says so.
///
/// A win is a goal, the capture of all enemy rabbits, or an opponent who cannot move; the last two
/// are only looked for in the second turn when at most two enemy rabbits are left, or at most four
/// enemy pieces can move. Repetition is not considered.
///
/// Exit code 0: there is a win. 1: there is none, or it is not known.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(
        value_name = "POSITION|FILE",
        required_unless_present = "puzzles",
        conflicts_with = "puzzles"
    )]
    position: Option<OsString>,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE", conflicts_with = "puzzles")]
    side: Option<SideArg>,

    /// Own turns within which to win
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=2))]
    turns: u32,

    /// Seconds to try, for each position
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time: Duration,

    /// Solve every puzzle of the store that is linked to its game, and list those that are no win
    /// in two
    #[arg(long)]
    puzzles: bool,

    #[command(flatten)]
    store: StoreArgs,

    /// Print JSON; with --puzzles, one object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi solve position.txt
  hathi solve --turns 1 --side s board.txt
  hathi solve --puzzles --time 10";

#[derive(Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<String>,
    position: String,
    #[serde(flatten)]
    solved: Solved,
}

impl Row {
    fn new(puzzle: Option<String>, position: &Position, solution: &Solution, seconds: f64) -> Row {
        Row {
            puzzle,
            position: position.to_string(),
            solved: Solved::new(solution, seconds),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    if args.puzzles {
        return puzzles(args);
    }
    let Some(position) = &args.position else {
        return Ok(Answer::No); // clap asks for one of the two
    };
    let position = input::position(position, args.side.map(Into::into))?;
    if let Some(outcome) = outcome_of(&position) {
        output::note(&format!("the game is over here: {}", outcome_text(outcome)));
    }
    let (solution, seconds) = timed(&position, args);
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &Row::new(None, &position, &solution, seconds))?;
    } else {
        print(&solution, seconds, &mut out)?;
    }
    out.flush()?;
    Ok(match solution {
        Solution::WinNow { .. } | Solution::WinInTwo { .. } => Answer::Yes,
        _ if stop::asked() => Answer::Interrupted,
        _ => Answer::No,
    })
}

fn timed(position: &Position, args: &Args) -> (Solution, f64) {
    let started = Instant::now();
    let limits = Limits::time(args.time);
    // Ctrl-C ends the search, not the program: what is known is still told.
    let asked = limits.stop.clone();
    let done = std::sync::atomic::AtomicBool::new(false);
    let solution = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                if stop::asked() {
                    asked.now();
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let solution = solve(position, args.turns, &limits);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        solution
    });
    (solution, started.elapsed().as_secs_f64())
}

fn print(solution: &Solution, seconds: f64, out: &mut impl Write) -> std::io::Result<()> {
    const SHOWN: usize = 8;
    match solution {
        Solution::WinNow { turn } => writeln!(out, "wins at once: {turn}")?,
        Solution::WinInTwo {
            turn,
            defences,
            replies,
        } => {
            writeln!(out, "wins in two: {turn}")?;
            writeln!(
                out,
                "none of {replies} replies holds; some of them, and what wins then:"
            )?;
            for (reply, answer) in defences.iter().take(SHOWN) {
                writeln!(out, "  {reply:35}  {answer}")?;
            }
        }
        Solution::NoWin { refuted, tried } => {
            writeln!(out, "no win: {tried} turns tried")?;
            if !refuted.is_empty() {
                writeln!(
                    out,
                    "turns that threaten something, and a reply that holds:"
                )?;
            }
            for (turn, reply) in refuted.iter().take(SHOWN) {
                writeln!(out, "  {turn:35}  {reply}")?;
            }
        }
        Solution::Unknown { tried, of } => writeln!(
            out,
            "not known: {tried} of {of} turns do not win, then time was up; --time gives it more"
        )?,
    }
    writeln!(out, "{seconds:.3} s")
}

/// All linked puzzles of the store.
fn puzzles(args: &Args) -> anyhow::Result<Answer> {
    let store = args.store.open()?;
    let mut out = output::plain();
    let (mut proven, mut refuted, mut unknown) = (0, 0, 0);
    let mut slowest = 0.0f64;
    for number in 0.. {
        let Some((puzzle, position)) = store.linked_puzzle(number)? else {
            break;
        };
        let (solution, seconds) = timed(&position, args);
        if stop::asked() {
            output::note("stopped");
            return Ok(Answer::Interrupted);
        }
        slowest = slowest.max(seconds);
        let name = format!("{}:{}", puzzle.game, puzzle.label);
        let mut row = Row::new(Some(name.clone()), &position, &solution, seconds);
        if let Solution::NoWin { .. } = solution
            && let Some(reply) = refute(&position, &puzzle.turn, &Limits::time(args.time))
        {
            row.solved.lines = vec![Line::new(&puzzle.turn, &reply)];
        }
        match row.solved.answer {
            "win" => proven += 1,
            "no win" => refuted += 1,
            _ => unknown += 1,
        }
        if args.json {
            serde_json::to_writer(&mut out, &row)?;
            writeln!(out)?;
        } else {
            let said = match (&row.solved.turn, row.solved.lines.first()) {
                (Some(turn), _) => turn.clone(),
                (None, Some(line)) => format!("{} is met by {}", line.turn, line.answer),
                _ => String::new(),
            };
            writeln!(
                out,
                "{name:12} {:8} {seconds:8.3} s  {said}",
                row.solved.answer
            )?;
        }
        out.flush()?;
    }
    if !args.json {
        writeln!(
            out,
            "{proven} proven, {refuted} refuted, {unknown} not known; slowest {slowest:.3} s"
        )?;
    }
    Ok(Answer::Yes)
}
