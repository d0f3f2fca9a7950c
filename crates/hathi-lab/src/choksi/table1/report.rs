//! Table 1 and the words round it.

use hathi_engine::{PhaseUse, SearchStyle};
use hathi_view::numbers::{grouped, signed};
use hathi_view::plot::{Axis, Line, Plot};

use super::{Match, Summary, rate_text};
use crate::document::{Document, Table};

use crate::rate;

const FULL: &str = SearchStyle::Full.name();
const PLAIN: &str = SearchStyle::Plain.name();

/// Puts it together.
pub(super) fn document(summary: &Summary) -> Document {
    let mut document = Document::new("Choksi, Ebrahim-Zadeh and Mohan 2013, table 1, again");
    document.text(
        "\"Leveraging Game Phase in Arimaa\" changes three things in the evaluation of the bot Fairy: \
         advanced cats and dogs are penalised in the opening; framed pieces are not penalised in the \
         end game; material and traps count slightly more than the advance of rabbits in opening and \
         middle game, and the advance of rabbits far more in the end game. `tweaked` is our `fairy` \
         with the same changes. `gt` knows the phase by the pieces left, the pieces gone forward and \
         goal threats, `ngt` by the first two. `smooth` is ours: the weights of the phases blend by \
         the chances of the phases, and were tuned on the results of games; the phase is asked for once, \
         where a search starts, not on every board that is valued.",
    );
    if !summary.complete {
        document.text(
            "This experiment was interrupted: the figures below are those so far, and the same \
             command goes on with it.",
        );
    }
    document.text(format!(
        "Conditions: one ply of the paper is one turn, a depth of 4 steps; two are 8. No clock. Both \
         players get the same setups drawn by chance, once with each colour; pieces are counted after \
         150 moves; seed {}. Intervals are 95 %, ours from pairs of games with the same setups. Plain: both \
         players search as their Fairy did (`search=plain`): every step to the same depth, captures not played out, \
         goals found only by the steps to them. The other words of `search` lack one of these three parts of our \
         search; `plain-goals` is plain with the search for goals.",
        summary.seed
    ));
    document.heading("Table 1: games won by the tweaked engine");
    document.table(table(summary));
    let parts = parts(summary);
    if !parts.is_empty() {
        document.heading("Does their 88 % come from blindness for goals?");
        document.text(
            "Their explanation of the 88 %: one ply ahead nobody sees that the opponent can reach goal next, and \
             knowing goal threats (`gt`) tells just that. One ply, one part of the search taken away, or the search for \
             goals given back to the plain one:",
        );
        document.list(parts);
    }
    for (plies, search) in [(1, FULL), (1, PLAIN), (2, FULL), (2, PLAIN)] {
        let name = if search == PLAIN { "-plain" } else { "" };
        document.figure(
            &format!("table-1-{plies}-ply{name}.svg"),
            &format!(
                "Share of games won so far, {plies} ply; dashed what the paper found, bands are 95 % \
                 intervals of games taken as independent."
            ),
            &figure(summary, plies, search),
        );
    }
    document.heading("Borders between phases");
    document.text(
        "Their second hypothesis for the bad result at two ply: moves across the border of a phase are \
         wrongly favoured or disfavoured, as the weights change there. For all turns of the games above: \
         by how much the evaluation changes over one turn, on average, where the phase (with goal \
         threats) stays the same and where it changes. An evaluation without phases shows how much the \
         boards themselves change there; what is beyond that comes from the border. (Inside a search \
         `smooth` sees no border at all: these are the changes from one of its turns to the next.)",
    );
    document.table(borders(summary));
    document.text(
        "And are they favoured? The evaluation of the tweaked engine for the board that a turn leads to, \
         less what it would be had the phase not changed, from the side of the one who moved. The plain \
         engine does not know of phases; what the tweaked one gets beyond it, it may have steered for.",
    );
    document.table(gains(summary));
    document.heading("Where it differs, and why");
    document.list(vec![
        "Their Fairy looks at nothing beyond its depth: one ply ahead it does not see that the \
         opponent can reach goal next, and knowing goal threats (GT) tells it just that: their explanation. Our search \
         asks for goals at the start of every turn, with and without tweaks, so there may be less to \
         gain. The rows of the plain search and of its parts show what becomes of it without."
            .to_owned(),
        "The paper gives no figures for its weights. Ours follow its words: -30 hundredths of a \
         rabbit for an advanced cat or dog, a tenth more for material and traps, twice for the \
         advance of rabbits. `tweaks=FILE` plays with others."
            .to_owned(),
        "Framed pieces have no term of their own in our `fairy`; what is forgiven is what its terms \
         for held pieces, near stronger ones and on traps cost them."
            .to_owned(),
        "Hard phases jump: `smooth` exists to tell their first hypothesis (weights not tuned) and \
         their second (moves across a border are wrongly favoured) from the idea itself."
            .to_owned(),
    ]);
    document
}

fn table(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Tweaked against untweaked, same depth",
        &[
            "version",
            "search",
            "ply",
            "paper",
            "games",
            "ours",
            "games",
            "Elo",
            "better",
            "ms a turn, tweaked",
            "fairy",
        ],
        2,
    );
    for played in &summary.matches {
        let ours = |text: String| {
            if played.games == 0 {
                "-".to_owned()
            } else {
                text
            }
        };
        let none = "-".to_owned();
        table.row([
            format!("`{}`", played.version),
            search_name(played),
            played.plies.to_string(),
            played.theirs.map_or(none.clone(), rate_text),
            played.their_games.map_or(none, |n| grouped(n as usize)),
            ours(rate_text(played.rate)),
            grouped(played.games as usize),
            ours(format!(
                "{} ± {:.0}",
                signed(played.elo.value),
                played.elo.margin()
            )),
            ours(format!("{:.1} %", 100.0 * played.better)),
            ours(format!("{:.2}", played.milliseconds[0])),
            ours(format!("{:.2}", played.milliseconds[1])),
        ]);
    }
    table
}

/// The full search is ours.
fn search_name(played: &Match) -> String {
    if played.search == FULL {
        "ours".to_owned()
    } else {
        format!("`{}`", played.search)
    }
}

/// What became of a version when one part of the search was taken away, in words.
fn parts(summary: &Summary) -> Vec<String> {
    let find = |version: &str, search: SearchStyle| {
        let mut of = summary.matches.iter();
        of.find(|m| (m.plies, m.version, m.search) == (1, version, search.name()) && m.games > 0)
    };
    let mut all = Vec::new();
    for (from, to, what) in [
        (
            SearchStyle::Full,
            SearchStyle::NoGoals,
            "our search without the search for goals",
        ),
        (
            SearchStyle::Full,
            SearchStyle::NoQuiescence,
            "our search without playing out captures",
        ),
        (
            SearchStyle::Full,
            SearchStyle::NoReductions,
            "our search with every step equally deep",
        ),
        (
            SearchStyle::PlainGoals,
            SearchStyle::Plain,
            "the plain search, and before with a search for goals",
        ),
    ] {
        for version in [PhaseUse::GoalThreats.name(), PhaseUse::NoGoalThreats.name()] {
            let (Some(before), Some(after)) = (find(version, from), find(version, to)) else {
                continue;
            };
            let verdict = match after.rate.differs_from(before.rate) {
                Some(true) => "more, beyond chance",
                Some(false) => "less, beyond chance",
                None => "no difference beyond chance",
            };
            all.push(format!(
                "`{version}`, {what}: {} won, before {}: {verdict}.",
                rate_text(after.rate),
                rate_text(before.rate),
            ));
        }
    }
    all
}

fn borders(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Mean change of the evaluation over a turn, in rabbits",
        &["evaluation", "same phase", "phase changes", "ratio"],
        1,
    );
    let borders = &summary.borders;
    for change in &borders.changes {
        let [same, other] = [change.same, change.other].map(|sum| sum / 100.0);
        let same = same / borders.turns_same.max(1) as f64;
        let other = other / borders.turns_other.max(1) as f64;
        table.row([
            format!("`{}`", change.evaluation),
            format!("{same:.2}"),
            format!("{other:.2}"),
            format!("{:.2}", other / same.max(0.01)),
        ]);
    }
    table.row([
        "turns".to_owned(),
        grouped(borders.turns_same as usize),
        grouped(borders.turns_other as usize),
        String::new(),
    ]);
    table
}

fn gains(summary: &Summary) -> Table {
    let mut table = Table::new(
        "What a turn owes to the phase it leads to, on average, in hundredths of a rabbit",
        &[
            "version",
            "search",
            "ply",
            "turns of tweaked",
            "turns of fairy",
        ],
        2,
    );
    for played in &summary.matches {
        let [tweaked, plain] = played.phase_gains;
        table.row([
            format!("`{}`", played.version),
            search_name(played),
            played.plies.to_string(),
            format!("{tweaked:+.2}"),
            format!("{plain:+.2}"),
        ]);
    }
    table
}

fn figure(summary: &Summary, plies: u32, search: &str) -> Plot {
    let matches: Vec<&Match> = summary
        .matches
        .iter()
        .filter(|played| played.plies == plies && played.search == search)
        .collect();
    let most = matches.iter().map(|played| played.won.len()).max();
    let most = most.unwrap_or(0).max(2) as f64;
    let mut lines = Vec::new();
    for (colour, played) in matches.into_iter().enumerate() {
        lines.push(rate::so_far(
            format!("Hathi, {}", played.version),
            colour,
            &played.won,
        ));
        if let Some(theirs) = played.theirs {
            let percent = 100.0 * theirs.value;
            lines.push(Line {
                name: format!("paper, {}", played.version),
                colour,
                dashed: true,
                smooth: true,
                points: vec![(1.0, percent), (most, percent)],
                ..Line::default()
            });
        }
    }
    Plot {
        title: if search == PLAIN {
            format!("Table 1, {plies} ply, plain search: games won against fairy")
        } else {
            format!("Table 1, {plies} ply: games won against fairy")
        },
        x: Axis::count("games", most),
        y: Axis::percent("", 100.0),
        lines,
    }
}
