//! `hathi setups`: how games begin.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use hathi_rules::{Board, File, Rank, Setup, Side, Square};
use hathi_view::SetupView;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{counted, grouped};
use serde::Serialize;

use crate::Answer;
use crate::args::filter::FilterArgs;
use crate::args::limit::LimitArg;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input::{self, Source};
use crate::terminal::draw;
use crate::terminal::output;

/// List the setups that are used most, and how they fare
///
/// For each setup: in how many games it was used, what share of all games that is, how often its
/// side won, the average rating of those who used it. The same arrangement written in another order
/// is the same setup, and so is its mirror image, as with positions everywhere; --literal tells them
/// apart. With --reply-to: what Silver answers to a setup of Gold.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools)] // so are flags
pub(crate) struct Args {
    /// Whose setups: g (the default) or s
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    /// Only Silver's replies to this setup of Gold: `Ra1 Rb1 ...`, a file or `-`
    #[arg(long, value_name = "SETUP|FILE")]
    reply_to: Option<OsString>,

    /// Exactly these setups: a mirror image is another one
    #[arg(long)]
    literal: bool,

    /// As it is anyway; once it was not
    #[arg(long, hide = true, conflicts_with = "literal")]
    mirror: bool,

    /// Draw the setups below the table as they stand on the board
    #[arg(long, conflicts_with = "json")]
    draw: bool,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: FilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi setups                             Gold's ten most common setups
  hathi setups --side s --literal --limit 5
  hathi setups --min-rating 2000 --humans --draw
  hathi setups --reply-to 'Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2'";

#[derive(Serialize)]
struct Listed {
    side: char,
    reply_to: Option<String>,
    /// Games asked about.
    games: u64,
    /// Different setups in them.
    kinds: u64,
    setups: Vec<SetupView>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let reply_to = args.reply_to.as_deref().map(gold_setup).transpose()?;
    let side = match (args.side.map(Side::from), &reply_to) {
        (Some(Side::Gold), Some(_)) => {
            return Err(BadInput::error(
                "--reply-to asks for Silver's setups: leave --side g out",
            ));
        }
        (side, None) => side.unwrap_or(Side::Gold),
        (_, Some(_)) => Side::Silver,
    };
    let filter = args.filter.filter()?;
    let store = args.store.open_games()?;
    let limit = args.limit.get().unwrap_or(usize::MAX);
    let found = store.setups(side, reply_to.as_ref(), !args.literal, &filter, limit)?;
    let listed = Listed {
        side: side.to_char(),
        reply_to: reply_to.map(|setup| setup.to_string()),
        games: found.games,
        kinds: found.kinds,
        setups: SetupView::ranked(&found.top),
    };
    output::show(args.json, &listed, |out| {
        listed.write(out, side)?;
        if args.draw {
            for (row, stats) in listed.setups.iter().zip(&found.top) {
                writeln!(out, "\n  {}.", row.rank)?;
                draw_setup(out, &stats.setup)?;
            }
        }
        Ok(())
    })?;
    Ok(if found.games > 0 {
        Answer::Yes
    } else {
        Answer::No
    })
}

impl Listed {
    fn write(&self, out: &mut impl Write, side: Side) -> io::Result<()> {
        let of = if self.reply_to.is_some() {
            "Silver's replies in".to_owned()
        } else {
            format!("{}'s setups in", side.name())
        };
        let games = counted(self.games as usize, "game");
        let kinds = grouped(self.kinds as usize);
        writeln!(out, "{of} {games}: {kinds} different.")?;
        if self.setups.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut table = Columns::new(&[
            ("rank", Align::Right),
            ("games", Align::Right),
            ("share", Align::Right),
            ("won", Align::Right),
            ("rating", Align::Right),
            ("setup", Align::Left),
        ]);
        for row in &self.setups {
            table.row([
                row.rank.to_string(),
                grouped(row.games as usize),
                format!("{:.2}%", 100.0 * row.share),
                format!("{:.1}%", 100.0 * row.win_rate),
                row.rating.map_or("-".to_owned(), |r| format!("{r:.0}")),
                row.setup.clone(),
            ]);
        }
        table.write(out)?;
        if self.kinds as usize > self.setups.len() {
            let more = grouped(self.kinds as usize - self.setups.len());
            writeln!(out, "\n{more} more; --limit shows as many as you like.")?;
        }
        Ok(())
    }
}

/// The two home ranks as they stand on the board.
fn draw_setup(out: &mut impl Write, setup: &Setup) -> io::Result<()> {
    let mut board = Board::EMPTY;
    setup.place_on(&mut board);
    let ranks = match setup.side() {
        Side::Gold => [Rank::ALL[1], Rank::ALL[0]],
        Side::Silver => [Rank::ALL[7], Rank::ALL[6]],
    };
    let style = draw::side_style(setup.side());
    for rank in ranks {
        write!(out, "     {rank} {style}")?;
        for file in File::ALL {
            if let Some(piece) = board.piece_at(Square::new(file, rank)) {
                write!(out, " {piece}")?;
            }
        }
        writeln!(out, "{style:#}")?;
    }
    writeln!(out, "       a b c d e f g h")
}

/// Longer than any way to write a setup.
const LONGEST_SETUP: usize = 4096;

/// The setup itself, or a file that holds it.
fn gold_setup(argument: &OsStr) -> anyhow::Result<Setup> {
    let wrong = |from: &str, reason: &dyn std::fmt::Display| {
        BadInput::error(format!("--reply-to: {from}{reason}"))
    };
    let (from, setup) = match argument.to_str() {
        // A setup has spaces; a file with such a name can be had by `-`.
        Some(text) if text.contains(' ') => (String::new(), text.parse::<Setup>()),
        _ => {
            let source = Source::new(argument);
            let bytes = input::read_at_most(&mut *source.open()?, LONGEST_SETUP)
                .map_err(|error| source.unreadable(&error))?;
            let name = format!("{}: ", source.name());
            let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                return Err(wrong(&name, &"this is no setup"));
            };
            (name, text.trim().parse::<Setup>())
        }
    };
    let setup = setup.map_err(|error| wrong(&from, &error))?;
    if setup.side() == Side::Silver {
        return Err(wrong(
            &from,
            &"this is a setup of Silver, who sets up second",
        ));
    }
    Ok(setup)
}
