//! `hathi phase`: how far a game has gone.

mod strip;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use hathi_learn::clusters::Clusters;
use hathi_model::phase::{Phase, PhaseFeatures, Probabilities};
use hathi_rules::{Label, Position};
use hathi_view::numbers::{counted, rounded};
use serde::Serialize;

use crate::Answer;
use crate::args::side::SideArg;
use crate::failure::BadInput;
use crate::input::given::{Given, GivenGame};
use crate::terminal::output::{self, printable};

/// Say how far a game has gone: opening, middle game or end game
///
/// By the features of Choksi, Ebrahim-Zadeh and Mohan (2013): the pieces of the side that has fewer,
/// the advanced pieces of the side that has more (elephants aside; Gold's on rank 4 or above, Silver's
/// on rank 5 or below), and whether either side could reach goal if it were to move. Pieces less half
/// the advanced ones make a score: above 14 it is the opening, above 11 the middle game, else the end
/// game; a goal threat belongs to the end game. Beside that stand the chances of the phases, and the
/// cluster of boards it belongs to, as `hathi learn cluster` finds them in games.
///
/// For a game, a strip chart over its moves: the phase after each.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, or a file with a position, a game in notation or an archive;
    /// `-` for standard input
    #[arg(value_name = "POSITION|GAME")]
    given: OsString,

    /// Pick a game of an archive by its id, or by its row as '#3'
    #[arg(long, value_name = "ID")]
    game: Option<String>,

    /// Whose turn it is, if a position does not say; it does not change the phase
    #[arg(long, value_name = "SIDE", hide = true)]
    side: Option<SideArg>,

    /// Leave goal threats out, as the NGT version of the paper does
    #[arg(long)]
    no_goal_threats: bool,

    /// Another cluster file; by default the one that is shipped
    #[arg(long, value_name = "FILE")]
    clusters: Option<PathBuf>,

    /// Draw the strip chart of a game into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi phase position.txt
  hathi phase game.txt
  hathi phase allgames2002.txt --game 55 --svg phases.svg
  hathi phase allgames2002.txt --game '#1' --json | jq '.moves[] | [.move, .phase]'";

/// The phase of a board, with everything it comes from.
#[derive(Debug, Serialize)]
struct Judged {
    phase: &'static str,
    features: PhaseFeatures,
    score: f64,
    probabilities: Chances,
    cluster: String,
    cluster_chances: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Chances {
    opening: f64,
    middle: f64,
    end: f64,
}

impl From<Probabilities> for Chances {
    fn from(chances: Probabilities) -> Chances {
        let of = |phase| rounded(chances.of(phase), 4);
        Chances {
            opening: of(Phase::Opening),
            middle: of(Phase::Middle),
            end: of(Phase::End),
        }
    }
}

/// What looks at boards.
struct Judge {
    clusters: Clusters,
    goal_threats: bool,
}

impl Judge {
    fn new(args: &Args) -> anyhow::Result<Judge> {
        let clusters = match &args.clusters {
            Some(path) => read_clusters(path)?,
            None => Clusters::shipped()
                .ok_or_else(|| anyhow::anyhow!("the clusters that are shipped are broken"))?,
        };
        Ok(Judge {
            clusters,
            goal_threats: !args.no_goal_threats,
        })
    }

    fn features(&self, position: &Position) -> PhaseFeatures {
        if self.goal_threats {
            PhaseFeatures::of(position)
        } else {
            PhaseFeatures::without_goals(position)
        }
    }

    fn judge(&self, features: PhaseFeatures) -> Judged {
        let chances = self.clusters.chances(features);
        let nearest = &self.clusters.all()[self.clusters.nearest(features)];
        Judged {
            phase: features.heuristic().name(),
            features,
            score: features.score().value(),
            probabilities: features.probabilities().into(),
            cluster: nearest.name.clone(),
            cluster_chances: chances.into_iter().map(|c| rounded(c, 4)).collect(),
        }
    }
}

fn read_clusters(path: &std::path::Path) -> anyhow::Result<Clusters> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| BadInput::error(format!("cannot read {name}: {error}")))?;
    Clusters::parse(&text).map_err(|error| BadInput::error(format!("{name}: {error}")))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let judge = Judge::new(args)?;
    let side = args.side.map(Into::into);
    match Given::read(&args.given, side, args.game.as_deref())? {
        Given::Position(position) => of_position(args, &judge, &position),
        Given::Game(game) => of_game(args, &judge, &game),
    }
}

#[derive(Serialize)]
struct OfPosition {
    position: String,
    #[serde(flatten)]
    judged: Judged,
    clusters: Vec<String>,
}

fn of_position(args: &Args, judge: &Judge, position: &Position) -> anyhow::Result<Answer> {
    if args.svg.is_some() {
        return Err(BadInput::error("--svg draws a game, this is a position"));
    }
    let clusters = judge.clusters.all().iter();
    let shown = OfPosition {
        position: position.to_string(),
        judged: judge.judge(judge.features(position)),
        clusters: clusters.map(|cluster| cluster.name.clone()).collect(),
    };
    output::show(args.json, &shown, |out| shown.write(out))?;
    Ok(Answer::Yes)
}

impl OfPosition {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Judged {
            features,
            probabilities,
            ..
        } = &self.judged;
        writeln!(
            out,
            "phase     {}, score {}",
            self.judged.phase, self.judged.score
        )?;
        writeln!(
            out,
            "features  {} of the side with fewer, {} advanced, {} goal threat",
            counted(features.fewer_pieces as usize, "piece"),
            features.advanced,
            if features.goal_threat { "a" } else { "no" },
        )?;
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        writeln!(
            out,
            "chances   opening {}, middle {}, end {}",
            percent(probabilities.opening),
            percent(probabilities.middle),
            percent(probabilities.end),
        )?;
        let clusters = self.clusters.iter().zip(&self.judged.cluster_chances);
        let clusters: Vec<String> = clusters
            .map(|(name, chance)| format!("{name} {}", percent(*chance)))
            .collect();
        writeln!(
            out,
            "cluster   {} ({})",
            self.judged.cluster,
            clusters.join(", ")
        )
    }
}

#[derive(Serialize)]
struct OfGame {
    game: Option<String>,
    gold: Option<String>,
    silver: Option<String>,
    /// After each move, from the second setup on.
    moves: Vec<AfterMove>,
    /// Why it ends there, if its record goes on.
    error: Option<String>,
}

#[derive(Serialize)]
struct AfterMove {
    #[serde(rename = "move")]
    label: String,
    #[serde(flatten)]
    judged: Judged,
}

fn of_game(args: &Args, judge: &Judge, given: &GivenGame) -> anyhow::Result<Answer> {
    let positions = given.game.positions();
    if positions.is_empty() {
        return Err(BadInput::error(
            "the game ends before both sides have set up: there is no phase yet",
        ));
    }
    let features: Vec<PhaseFeatures> = positions.iter().map(|p| judge.features(p)).collect();
    if let Some(path) = &args.svg {
        let title = strip::title(given);
        let svg = strip::plot(title, &features).svg();
        std::fs::write(path, svg).map_err(|error| {
            BadInput::error(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let moves = features.iter().enumerate().map(|(i, features)| AfterMove {
        // The first position stands after Silver's setup.
        label: Label::at_index(i + 1).to_string(),
        judged: judge.judge(*features),
    });
    let shown = OfGame {
        game: given.id.clone(),
        gold: given.players.gold.clone(),
        silver: given.players.silver.clone(),
        moves: moves.collect(),
        error: given.fault.clone(),
    };
    output::show(args.json, &shown, |out| {
        writeln!(out, "{}\n", printable(&strip::title(given)))?;
        strip::write(out, &features, args.ascii)?;
        if let Some(error) = &shown.error {
            writeln!(out, "\nBroken there: {}", printable(error))?;
        }
        Ok(())
    })?;
    Ok(if shown.error.is_none() {
        Answer::Yes
    } else {
        Answer::No
    })
}
