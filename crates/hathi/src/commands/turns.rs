//! `hathi turns`: counts or lists what one turn can reach.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use hathi_rules::{BySide, Ply, Position, Side, TurnGenerator};
use hathi_view::plot::{Axis, Line, Plot};
use serde::Serialize;

use crate::Answer;
use crate::args::side::SideArg;
use crate::failure::BadInput;
use crate::input::given::{Given, GivenGame};
use crate::input::position_table;
use crate::input::{self, Source};
use crate::terminal::output;

/// Count or list the positions one turn can reach
///
/// Different sequences of steps that lead to the same position count once; each position is listed
/// with one shortest sequence. A turn that changes nothing is illegal and not counted. Repetition
/// is not considered, since a position does not know its history.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input; with --plot
    /// a file with a game in notation or an archive
    #[arg(
        value_name = "POSITION|FILE",
        required_unless_present = "positions",
        conflicts_with = "positions"
    )]
    position: Option<OsString>,

    /// Print the number of positions (this is the default)
    #[arg(long, conflicts_with = "list")]
    count: bool,

    /// Print every turn: the steps, a tab, the position it leads to
    #[arg(long, conflicts_with = "positions")]
    list: bool,

    /// Count for every row of a table (`-` for standard input)
    ///
    /// The table is tab separated, with a header. The columns `side` (g or s) and `position`
    /// (`[64 characters]`) are found by name. Every row is printed as it is, with a column `turns`
    /// appended.
    #[arg(long, value_name = "FILE")]
    positions: Option<OsString>,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE", conflicts_with = "positions")]
    side: Option<SideArg>,

    /// Count before every turn of a game, and draw the counts into this file as SVG
    #[arg(long, value_name = "SVG", conflicts_with_all = ["positions", "list", "side"])]
    plot: Option<PathBuf>,

    /// With --plot: pick a game of an archive by its id, or by its row as '#3'
    #[arg(long, value_name = "ID", requires = "plot")]
    game: Option<String>,

    /// Print JSON; with --positions, one object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi turns position.txt
  hathi turns --list position.txt | head
  hathi turns --list --json position.txt
  hathi turns allgames2002.txt --game 55 --plot turns.svg
  hathi turns --count --positions positions.tsv > counted.tsv";

#[derive(Serialize)]
struct Counted {
    position: String,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<Listed>>,
}

#[derive(Serialize)]
struct Listed {
    turn: String,
    position: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut generator = TurnGenerator::new();
    let mut out = output::plain();
    if let Some(file) = &args.positions {
        let count = |position: &Position| vec![generator.count(position).into()];
        position_table::annotate(Source::new(file), args.json, &["turns"], &mut out, count)?;
    } else if let (Some(game), Some(svg)) = (&args.position, &args.plot) {
        let Given::Game(game) = Given::read(game, None, args.game.as_deref())? else {
            return Err(BadInput::error("--plot draws a game, this is a position"));
        };
        plot(args, &game, svg, &mut generator, &mut out)?;
    } else if let Some(position) = &args.position {
        let position = input::position(position, args.side.map(Into::into))?;
        print(args, &position, &mut generator, &mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}

/// The turns possible before one turn of a game.
#[derive(Serialize)]
struct Before {
    #[serde(rename = "move")]
    label: String,
    count: usize,
}

/// Counts before every turn of a game, a line each, and draws what was counted.
fn plot(
    args: &Args,
    given: &GivenGame,
    svg: &Path,
    generator: &mut TurnGenerator,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let game = &given.game;
    if let Some(fault) = &given.fault {
        output::note(&format!("only a part of the game is legal: {fault}"));
    }
    let mut lines = BySide::new("Gold", "Silver").map(|name| Line {
        name: name.to_owned(),
        colour: usize::from(name == "Silver"),
        ..Line::default()
    });
    let (mut last, mut most) = (2.0, 1.0);
    let positions = game.positions().iter().take(game.turns().len());
    for (place, position) in positions.enumerate() {
        let count = generator.count(position);
        let label = game.label_of(Ply::after(place));
        let number = f64::from(label.number);
        (last, most) = (number, f64::max(most, count as f64));
        lines[position.side_to_move()]
            .points
            .push((number, count as f64));
        let label = label.to_string();
        if args.json {
            output::json(out, &Before { label, count })?;
        } else {
            writeln!(out, "{label}\t{count}")?;
        }
    }
    let names = BySide::new(Side::Gold, Side::Silver).map(|side| {
        given.players[side]
            .clone()
            .unwrap_or_else(|| side.name().to_owned())
    });
    let drawn = Plot {
        title: format!("Turns possible: {} against {}", names.gold, names.silver),
        x: Axis::count("move", last),
        y: Axis {
            low: 0.0,
            ..Axis::count("turns", most)
        },
        lines: vec![lines.gold, lines.silver],
    };
    std::fs::write(svg, drawn.svg())
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", svg.display())))
}

fn print(
    args: &Args,
    position: &Position,
    generator: &mut TurnGenerator,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let reached = generator.generate(position);
    let count = reached.len();
    if args.json {
        let turns = args.list.then(|| {
            reached
                .map(|reached| Listed {
                    turn: reached.turn().to_string(),
                    position: reached.position().to_string(),
                })
                .collect()
        });
        return output::json(
            out,
            &Counted {
                position: position.to_string(),
                count,
                turns,
            },
        );
    }
    if args.list {
        for reached in reached {
            writeln!(out, "{}\t{}", reached.turn(), reached.position())?;
        }
        return Ok(());
    }
    writeln!(out, "{count}")
}
