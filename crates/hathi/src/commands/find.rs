//! `hathi find`: what was played in positions like this one.

mod pattern;

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Instant;

use clap::builder::PossibleValuesParser;
use hathi_rules::Position;
use hathi_store::{Kind, KindWords, PositionQuestion, Question};
use hathi_view::numbers::{counted, grouped};
use hathi_view::{FoundAnswer, GameView};
use serde::Serialize;

use crate::Answer;
use crate::args::filter::PositionFilterArgs;
use crate::args::limit::LimitArg;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input;
use crate::terminal::output;
use crate::terminal::played;

/// Find positions like this one, and what was played there
///
/// Looks for games in which the whole board, its middle or the surroundings of a trap were as in
/// the position given, with the same side to move. Prints the best hit (whoever played it won, then
/// the highest rating, then the fewest turns left), and every turn that was played: how often, how
/// often it won, the average rating of those who played it, when last, and some games, best first.
/// Only turns that are legal in the position given are offered; the number of others is printed.
///
/// Arimaa is the same with the colours exchanged and seen in a mirror, so such games count too,
/// their turns translated. --literal asks for exactly this board. The exit code is 1 if nothing is
/// found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Args {
    /// Which part of the board must match
    ///
    /// full: all of it; half: ranks 3 to 6; area: the 5x5 squares round a trap; area-by-piece: the
    /// same, but friends are just friends, and enemies weaker than, equal to or stronger than a
    /// piece. Trap and piece can be named with --trap or --last and --piece; otherwise it is the
    /// trap nearest to the elephant of the side to move, and its strongest piece round there.
    #[arg(long, value_name = "KIND", default_value = Kind::NAMES[0],
          value_parser = PossibleValuesParser::new(Kind::NAMES), verbatim_doc_comment)]
    kind: String,

    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(
        long,
        value_name = "POSITION|FILE",
        required_unless_present_any = ["pattern", "question"]
    )]
    position: Option<OsString>,

    /// Instead of a position: any pattern, such as 'Ed5 hc6 S<H@near(c6) g to move'
    ///
    /// Conditions on squares and areas: exact pieces, any gold or silver piece, empty, weaker or
    /// stronger than, not this, how many in an area. See below, and docs/patterns.md. A file name
    /// is taken too, for patterns drawn as a board.
    #[arg(long, value_name = "PATTERN|FILE", conflicts_with_all = ["position", "kind", "last", "trap", "piece", "side"])]
    pattern: Option<String>,

    /// Instead of all these options: a whole question in one line, as addresses of the API have it
    ///
    /// Names and values such as `position=...&kind=half&min_rating=2000`, or the address they are
    /// part of; in quotes, for the sake of your shell.
    #[arg(long, value_name = "QUESTION|ADDRESS", conflicts_with_all = OTHER_WORDS)]
    question: Option<String>,

    /// With --pattern: at most one position of each game
    #[arg(long, requires = "pattern")]
    one_per_game: bool,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    /// The square the opponent last moved to: for the area round the trap nearest to it
    #[arg(long, value_name = "SQUARE")]
    last: Option<String>,

    /// The trap of the area: c3, f3, c6 or f6
    #[arg(long, value_name = "TRAP", conflicts_with = "last")]
    trap: Option<String>,

    /// The piece of area-by-piece, by its letter: E M H D C R
    #[arg(long, value_name = "PIECE")]
    piece: Option<String>,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: PositionFilterArgs,
}

/// Everything that a question in one line says itself.
const OTHER_WORDS: [&str; 28] = [
    "position",
    "pattern",
    "kind",
    "last",
    "trap",
    "piece",
    "side",
    "one_per_game",
    "literal",
    "moves",
    "source",
    "numbers",
    "min_rating",
    "min_rating_either",
    "max_rating",
    "player",
    "colour",
    "humans",
    "bots",
    "mixed",
    "event",
    "rated",
    "unrated",
    "from",
    "to",
    "pace",
    "result",
    "termination",
];

const EXAMPLES: &str = "\
Examples:
  hathi find --position position.txt
  hathi find --position board.txt --side g --literal
  hathi find --kind half --position position.txt --min-rating 2000
  hathi find --kind area --last f6 --position position.txt
  hathi find --kind area-by-piece --trap c3 --piece H --position position.txt --json
  hathi find --pattern 'E@near(c6) h@trap(c6) g to move' --min-rating 2000
  hathi find --question 'pattern=E@near(c6)+h@trap(c6)&min_rating=2000&moves=5-20'";

fn long_help() -> String {
    format!("{EXAMPLES}\n\n{}", hathi_store::pattern::HELP)
}

impl Args {
    /// What is asked, however it was said.
    fn question(&self) -> anyhow::Result<Question> {
        if let Some(text) = &self.question {
            return self.question_in_a_line(text);
        }
        if let Some(text) = &self.pattern {
            return Ok(Question::Pattern(pattern::question(self, text)?));
        }
        let text = self.position.as_deref().unwrap_or_default();
        let position = input::position(text, self.side.map(Into::into))?;
        let question = PositionQuestion::new(position, self.kind(&position)?)
            .matching(self.filter.matching())
            .of_games(self.filter.filter()?)
            .limit(self.limit.of(usize::MAX));
        Ok(Question::Position(question))
    }

    fn question_in_a_line(&self, text: &str) -> anyhow::Result<Question> {
        // Of an address only what is asked.
        let is_address = text.starts_with("http") || text.starts_with('/');
        let text = match text.split_once('?') {
            Some((_, asked)) if is_address => asked.split('#').next().unwrap_or_default(),
            _ => text,
        };
        let mut question: Question = text
            .parse()
            .map_err(|error| BadInput::error(format!("the question cannot be read: {error}")))?;
        let limit = match &mut question {
            Question::Position(about) => &mut about.limit,
            Question::Pattern(about) => &mut about.limit,
        };
        if *limit == usize::MAX {
            *limit = self.limit.of(usize::MAX);
        }
        Ok(question)
    }

    fn kind(&self, position: &Position) -> anyhow::Result<Kind> {
        let words = KindWords {
            kind: &self.kind,
            trap: self.trap.as_deref(),
            last: self.last.as_deref(),
            piece: self.piece.as_deref(),
        };
        words
            .read(position)
            .map_err(|error| BadInput::error(error.to_string()))
    }
}

#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    answer: FoundAnswer,
    microseconds: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match args.question()? {
        Question::Position(question) => find(args, &question),
        Question::Pattern(question) => pattern::run(args, &question),
    }
}

fn find(args: &Args, question: &PositionQuestion) -> anyhow::Result<Answer> {
    let mut store = args.store.open()?;

    let (answer, microseconds) = StoreArgs::ask(&mut *store, |store| {
        let started = Instant::now();
        let answer = store.find(question)?;
        Ok((answer, started.elapsed().as_micros() as u64))
    })?;

    let best = answer.best.as_ref();
    let from = best.map(|hit| store.game(hit.game)).transpose()?.flatten();
    let found = Found {
        answer: FoundAnswer::new(question, &answer, &*store)?,
        microseconds,
    };
    let from = from.as_ref().map(GameView::from);
    output::show(args.json, &found, |out| found.write(out, from.as_ref()))?;
    Ok(if answer.different_turns == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

impl Found {
    /// `from`: the game of the best hit.
    fn write(&self, out: &mut impl Write, from: Option<&GameView>) -> io::Result<()> {
        let found = &self.answer;
        if found.hits == 0 {
            return writeln!(out, "Not found.");
        }
        let hits = counted(found.hits as usize, "hit");
        write!(out, "{hits} of {}", counted(found.games as usize, "game"))?;
        if let Some(trap) = &found.trap {
            write!(out, " round {trap}")?;
        }
        if let Some(piece) = found.piece {
            write!(out, ", enemies as {piece} sees them,")?;
        }
        write!(out, " in {} µs", grouped(self.microseconds as usize))?;
        if found.illegal > 0 {
            let illegal = grouped(found.illegal as usize);
            write!(out, ", {illegal} left out: their turns are not legal here")?;
        }
        writeln!(out, ".")?;
        if let Some(best) = &found.best {
            writeln!(out)?;
            played::write_best(out, best, from)?;
        }
        if !found.turns.is_empty() {
            writeln!(out)?;
            played::table(&found.turns).write(out)?;
        }
        played::more_turns(out, found.different_turns, found.turns.len())
    }
}
