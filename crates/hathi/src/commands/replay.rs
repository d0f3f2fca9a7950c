//! `hathi replay`: replays games by the rules.

mod summary;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use hathi_archive::ArchiveReader;
use hathi_rules::{BySide, Game, Label, Outcome, Position, Replay, RuleSet, Side, Turn};
use hathi_view::numbers::{counted, grouped};
use serde::Serialize;

use self::summary::Summary;
use crate::Answer;
use crate::failure::BadInput;
use crate::input::Source;
use crate::input::listed::{Fault, Listed, Pick, for_each as for_each_listed, starts_with_label};
use crate::input::table::{Table, is_packed};
use crate::terminal::draw::{self, Charset};
use crate::terminal::output::{self, printable};
use crate::terminal::position::{OutcomeReport, outcome_text};

/// Replay a game, or check an archive of games
///
/// Checks every move by the rules and draws the position at the end, or after the move given with
/// --at. The first illegal move is named with the reason; the last legal position is drawn then and
/// the exit code is 1.
///
/// FILE is one game in notation, a move a line (`1g Ra1 Rb1 ...`, `2g Ed2n ...`; w and b for g and
/// s are read too), or an archive, plain or packed (.gz, .zst, .zip): a tab-separated file with a
/// header and the columns `id` and `movelist`. An archive of several games is replayed whole, and a
/// summary says how many games are clean, which are broken and why, and how often the result on the
/// board agrees with the one written down. --game picks one game of an archive.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game, an archive, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: OsString,

    /// Pick a game of an archive by its id, or by its row as '#3'
    #[arg(long, value_name = "ID")]
    game: Option<String>,

    /// Show the position after this move: 12s is Silver's 12th, the setup being the first
    #[arg(long, value_name = "MOVE")]
    at: Option<Label>,

    /// By which rules
    #[arg(long, value_name = "RULES", default_value = "auto")]
    rules: RulesArg,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi replay game.txt
  hathi replay game.txt --at 12s           after Silver's 12th move
  hathi replay allgames2002.txt            check the whole archive
  hathi replay allgames2002.txt --game 55
  hathi replay allgames2002.txt --game '#1' --json";

/// Which year's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RulesArg {
    /// By the date in an archive, else modern
    Auto,
    /// Since July 2008
    Modern,
    /// Before: third repetition loses, losing all rabbits does not
    Old,
}

impl RulesArg {
    fn choose(self, by_date: RuleSet) -> RuleSet {
        match self {
            RulesArg::Auto => by_date,
            RulesArg::Modern => RuleSet::Modern,
            RulesArg::Old => RuleSet::Before2008,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let source = Source::new(&args.file);
    let name = source.name();
    let mut reader = source.open()?;
    let start = reader
        .fill_buf()
        .map_err(|error| source.unreadable(&error))?;
    let source = if is_packed(start) {
        hathi_archive::Source::reader(&name, reader)
    } else {
        let table = Table::read(source, reader)?;
        if table.column("movelist").is_none() {
            return replay_record(args, &name, table);
        }
        hathi_archive::Source::reader(&name, table.unread())
    };
    replay_archive(args, &name, ArchiveReader::new([source]))
}

/// A file without a `movelist` column: one game in notation.
fn replay_record(args: &Args, name: &str, mut table: Table) -> anyhow::Result<Answer> {
    let wrong = |reason: &str| BadInput::error(format!("{name}: {reason}"));
    if table.columns().len() > 1 && !starts_with_label(table.header()) {
        // A table, but not of games: let it say which column is missing.
        table.require("movelist")?;
    }
    let mut text = table.header().to_vec();
    text.push(b'\n');
    match table.rest()? {
        Some(rest) => text.extend(rest),
        None => return Err(wrong("too long for one game")),
    }
    if text.contains(&0) {
        return Err(wrong(
            "this is not text: expected a game in notation, or an archive",
        ));
    }
    if args.game.is_some() {
        return Err(wrong("this is one game, not an archive: leave --game out"));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    if !text.split(|&byte| byte == b'\n').any(starts_with_label) {
        return Err(wrong(
            "no moves found: expected lines such as `1g Ra1 Rb1 ...` and `2g Ed2n Ed3n`, \
             or an archive with a column `movelist`",
        ));
    }
    let facts = Facts::default();
    let rules = args.rules.choose(RuleSet::Modern);
    show_game(args, &facts, rules, text)
}

fn replay_archive(args: &Args, name: &str, reader: ArchiveReader) -> anyhow::Result<Answer> {
    if let Some(text) = &args.game {
        let pick: Pick = text.parse()?;
        let mut games = 0;
        let mut found = None;
        for_each_listed(reader, |game| {
            games = game.row;
            if pick.is(&game) {
                found = Some(game);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        return match found {
            Some(game) => show_listed(args, name, game),
            None => Err(BadInput::error(format!(
                "{name}: there is no game {text} among its {}; \
                 --game takes an id, or a row such as '#1'",
                counted(games, "game"),
            ))),
        };
    }

    let mut summary = Summary::default();
    let mut replay = Replay::new(RuleSet::Modern);
    // The first game is shown in full if it turns out to be the only one.
    let mut first = None;
    for_each_listed(reader, |game| {
        summary.add(&game, args.rules.choose(game.rules), &mut replay);
        first.get_or_insert(game);
        ControlFlow::Continue(())
    })?;
    match first {
        Some(game) if summary.games == 1 => show_listed(args, name, game),
        None => Err(BadInput::error(format!("{name}: no game below the header"))),
        Some(_) if args.at.is_some() => Err(BadInput::error(format!(
            "{name}: --at needs one game, these are {}: pick one with --game",
            grouped(summary.games),
        ))),
        Some(_) => {
            output::show(args.json, &summary, |out| summary.write(out))?;
            Ok(if summary.broken.is_empty() {
                Answer::Yes
            } else {
                Answer::No
            })
        }
    }
}

fn show_listed(args: &Args, name: &str, game: Listed) -> anyhow::Result<Answer> {
    let movelist = game
        .movelist
        .map_err(|fault| BadInput::error(format!("{name}: {}: {}", fault.place(), fault.reason)))?;
    let facts = Facts {
        id: Some(game.id),
        players: game.players,
        recorded: game.recorded,
    };
    show_game(args, &facts, args.rules.choose(game.rules), &movelist)
}

/// What an archive knows about a game beside its moves.
#[derive(Default)]
struct Facts {
    id: Option<String>,
    players: BySide<Option<String>>,
    recorded: Option<Outcome>,
}

/// A replayed game at one of its moves, for printing.
#[derive(Serialize)]
struct Shown {
    game: Option<String>,
    gold: Option<String>,
    silver: Option<String>,
    rules: &'static str,
    /// The move after which the position stands; none before any move.
    at: Option<String>,
    /// What was played there.
    last_move: Option<String>,
    /// The last legal move of the game.
    end: Option<String>,
    /// The label of the move that comes next.
    next: String,
    takebacks: usize,
    /// Short form of the position.
    position: String,
    /// The result by the moves.
    outcome: Option<OutcomeReport>,
    /// The result written in the archive.
    recorded: Option<OutcomeReport>,
    error: Option<Fault>,
}

fn show_game(args: &Args, facts: &Facts, rules: RuleSet, moves: &[u8]) -> anyhow::Result<Answer> {
    let mut replay = Replay::new(rules);
    let error = replay.read(moves, rules).err().map(Fault::from);
    let plies = plies(&replay.game);
    let wanted = match args.at {
        None => plies,
        Some(label) => match label.index() {
            Some(ply) if ply < plies => ply + 1,
            // The move may be there, beyond the one that is illegal.
            _ if error.is_some() => plies,
            _ => return Err(no_such_move(label, plies)),
        },
    };
    let moment = Moment::after(&replay.game, wanted);
    let answer = if error.is_none() {
        Answer::Yes
    } else {
        Answer::No
    };
    let shown = Shown {
        game: facts.id.clone(),
        gold: facts.players.gold.clone(),
        silver: facts.players.silver.clone(),
        rules: match rules {
            RuleSet::Modern => "modern",
            RuleSet::Before2008 => "old",
        },
        at: wanted
            .checked_sub(1)
            .map(|ply| Label::at_index(ply).to_string()),
        last_move: moment.last_move,
        end: plies
            .checked_sub(1)
            .map(|ply| Label::at_index(ply).to_string()),
        next: Label::at_index(wanted).to_string(),
        takebacks: replay.takebacks,
        position: moment.position.to_string(),
        outcome: replay.outcome().map(OutcomeReport::from),
        recorded: facts.recorded.map(OutcomeReport::from),
        error,
    };
    if args.json {
        let mut out = output::plain();
        output::json(&mut out, &shown)?;
        out.flush()?;
    } else {
        let charset = Charset::new(args.ascii);
        let mut out = output::styled();
        shown.write_title(&mut out)?;
        draw::board(&mut out, moment.position.board(), charset)?;
        draw::legend(&mut out, charset)?;
        writeln!(out)?;
        shown.write_story(&mut out, replay.outcome(), facts.recorded)?;
        out.flush()?;
    }
    Ok(answer)
}

/// How many plies have been played, setups included.
fn plies(game: &Game) -> usize {
    let (gold, silver) = game.setups();
    usize::from(gold.is_some()) + usize::from(silver.is_some()) + game.turns().len()
}

fn no_such_move(label: Label, plies: usize) -> anyhow::Error {
    let last = match plies.checked_sub(1) {
        None => "it has no moves".to_owned(),
        Some(ply) => format!("its last is {}", Label::at_index(ply)),
    };
    BadInput::error(format!("--at: the game has no move {label}, {last}"))
}

/// The game after a number of plies.
struct Moment {
    position: Position,
    last_move: Option<String>,
}

impl Moment {
    fn after(game: &Game, plies: usize) -> Moment {
        let (gold, silver) = game.setups();
        let reached = plies
            .checked_sub(2)
            .and_then(|turns| game.positions().get(turns));
        let position = reached.copied().unwrap_or_else(|| {
            // Fewer than two plies: only Gold has set up, or nobody.
            let mut start = Game::new(game.rules());
            if let (Some(gold), true) = (gold, plies > 0) {
                let _ = start.set_up(gold);
            }
            start.position()
        });
        let last_move = match plies {
            0 => None,
            1 => gold.map(ToString::to_string),
            2 => silver.map(ToString::to_string),
            _ => game.turns().get(plies - 3).map(Turn::to_string),
        };
        Moment {
            position,
            last_move,
        }
    }
}

const BOLD: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

impl Shown {
    /// Which game, and who plays.
    fn write_title(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(id) = &self.game else {
            return Ok(());
        };
        write!(out, "Game {}", printable(id))?;
        if let (Some(gold), Some(silver)) = (&self.gold, &self.silver) {
            let (g, s) = (draw::side_style(Side::Gold), draw::side_style(Side::Silver));
            let (gold, silver) = (printable(gold), printable(silver));
            write!(
                out,
                ": {g}{gold}{g:#} (Gold) against {s}{silver}{s:#} (Silver)"
            )?;
        }
        if self.rules == "old" {
            write!(out, ", rules before July 2008")?;
        }
        writeln!(out, "\n")
    }

    /// The last move, whose turn it is, the result, what went wrong.
    fn write_story(
        &self,
        out: &mut impl Write,
        outcome: Option<Outcome>,
        recorded: Option<Outcome>,
    ) -> io::Result<()> {
        match (&self.at, &self.last_move) {
            (Some(at), Some(last)) => writeln!(out, "After {BOLD}{at}{BOLD:#}: {last}")?,
            _ => writeln!(out, "Before the first move.")?,
        }
        if let (Some(end), true) = (&self.end, self.at != self.end) {
            writeln!(out, "Next is {}; the game goes on to {end}.", self.next)?;
        } else if self.error.is_none() && outcome.is_none() {
            writeln!(out, "Next is {}.", self.next)?;
        }
        if self.takebacks > 0 {
            writeln!(
                out,
                "{} in the record.",
                counted(self.takebacks, "takeback")
            )?;
        }
        if let Some(fault) = &self.error {
            let reason = printable(&fault.reason);
            writeln!(out, "{BAD}Broken{BAD:#} at {}: {reason}.", fault.place())?;
        }
        let by_moves = outcome.map(outcome_text);
        let by_archive = recorded.map(outcome_text);
        match (by_moves, by_archive) {
            (Some(moves), Some(archive)) if moves != archive => {
                writeln!(out, "Result: {moves}. The archive says: {archive}.")?;
            }
            (Some(moves), _) => writeln!(out, "Result: {moves}.")?,
            (None, Some(archive)) => writeln!(out, "The archive says: {archive}.")?,
            (None, None) => {}
        }
        writeln!(out, "\n{}", self.position)
    }
}
