//! What the paper says and what came out here, side by side.

use hathi_view::numbers::{grouped, signed};

use super::{Match, Part, Summary};
use crate::document::{Document, Table};
use crate::rate::Rate;

/// The most possible turns of the paper's game, on its move 9.
const THEIR_PEAK: usize = 41_939;

pub(super) fn document(summary: &Summary) -> Document {
    let mut document = Document::new("Trippen 2009: plans, patterns and move categories, again");
    document.text(
        "\"Plans, Patterns and Move Categories Guiding a Highly Selective Search\" describes the bot Rat: it \
         looks at the position, chooses plans, makes a handful of turns for each and lets a search two turns deep \
         confirm them. The paper gives few figures and no table of results; each of its claims stands here beside \
         what our `rat` does. Opponents look a fixed number of steps ahead, nobody plays by the clock.",
    );
    if !summary.complete {
        document.text("Not finished: the same command goes on from here.");
    }
    document.text(format!(
        "This run took {:.0} s, what was done before aside; seed {}.",
        summary.seconds, summary.seed
    ));
    selectivity(&mut document, summary);
    turns_possible(&mut document, summary);
    ladder(&mut document, summary);
    hostages(&mut document, summary);
    variants(&mut document, summary);
    playouts(&mut document, summary);
    document
}

/// `62.5 % (58.1 to 66.7)`.
pub(super) fn rate_text(rate: Rate) -> String {
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * rate.value,
        100.0 * rate.low,
        100.0 * rate.high
    )
}

/// A count that is a mean: whole, with thousands apart.
#[allow(clippy::cast_sign_loss)] // counts
fn whole(value: f64) -> String {
    grouped(value.round() as usize)
}

fn selectivity(document: &mut Document, summary: &Summary) {
    document.heading("How selective it is");
    let mut table = Table::new(
        "Candidates of a position",
        &[
            "bot",
            "positions",
            "turns possible",
            "candidates, mean",
            "median",
            "most",
            "positions looked at",
            "ms a turn",
        ],
        1,
    );
    let mut theirs = vec!["Rat, Trippen 2009".to_owned(), String::new()];
    theirs.extend(["5,000 to 40,000".to_owned(), "5".to_owned()]);
    theirs.extend(std::iter::repeat_n(String::new(), 4));
    table.row(theirs);
    for survey in &summary.surveys {
        table.row([
            format!("`{}`", survey.engine),
            grouped(survey.positions),
            whole(survey.turns.mean),
            format!("{:.1}", survey.candidates.mean),
            format!("{:.0}", survey.candidates.median),
            format!("{:.0}", survey.candidates.most),
            format!("{:.0}", survey.nodes.mean),
            format!("{:.2}", survey.milliseconds.mean),
        ]);
    }
    document.table(table);
    document.text(
        "Candidates are the different positions that the turns of all plans lead to. His five are reached, nearly, \
         with one candidate a plan (`keep=1`); he says that the best three are kept and that this \"can also be \
         restricted to the best move\", not which of the two the figure is of. Milliseconds are by the clock of a machine \
         that may have been busy.",
    );
}

fn turns_possible(document: &mut Document, summary: &Summary) {
    let Some(branching) = &summary.branching else {
        return;
    };
    document.heading("Figure 1 (a): turns possible by move");
    document.figure(
        "turns-possible.svg",
        &format!(
            "{} positions of {} games; the mean of all is {} ± {}",
            grouped(branching.positions),
            grouped(branching.games),
            whole(branching.mean),
            whole(branching.error)
        ),
        &branching.plot("Turns possible, by move of the game"),
    );
    let mut table = Table::new("Turns possible", &["", "Trippen 2009", "here"], 1);
    let first = branching.first().map_or(0.0, |first| first.median);
    table.row([
        "the first turn".to_owned(),
        "2,000 to 3,000".to_owned(),
        format!("{} (median)", whole(first)),
    ]);
    table.row([
        "the mean".to_owned(),
        "over 17,000".to_owned(),
        whole(branching.mean),
    ]);
    table.row([
        "the most".to_owned(),
        format!("{} (one game)", grouped(THEIR_PEAK)),
        grouped(branching.most),
    ]);
    document.table(table);
    document.text("`hathi turns GAME --plot FILE` draws this of one game.");
}

fn ladder(document: &mut Document, summary: &Summary) {
    document.heading("The ladder: one turn ahead, two turns ahead");
    document.text(
        "\"Most of the P1 bots and several of the P2 bots can be beaten regularly\": those that look one turn and two turns \
         ahead. `greedy` and `fallback` have a plain evaluation \
         and search every step to the same depth; `fairy` has a rich one, plays captures out and searches late steps \
         less deeply, so its eight steps are not all of two turns.",
    );
    matches(document, summary, Part::Ladder, "Games of `rat`");
}

fn hostages(document: &mut Document, summary: &Summary) {
    document.heading("Hostage starts, with and without the flash-kidnapping");
    document.text(
        "Rat \"can also beat generally stronger bots … if these bots take the horse hostage\". Positions as in figure 2 (a), with other pieces behind the trap and other rabbits at home, in each of which \
         the graph `flash-kidnapping` proposes something; two games from each, one with each colour, so both players \
         have the horse held once.",
    );
    matches(
        document,
        summary,
        Part::Hostages,
        "Games from hostage positions",
    );
}

fn variants(document: &mut Document, summary: &Summary) {
    document.heading("What the paper leaves open");
    document.text(
        "How many plans may share a turn (`shared`; ours is two, the paper's words are \"all plans that have not yet \
         been tried\"), whether anything outside the categories may be looked at when all plans lose (`strict=on`: \
         never), and how many candidates of a plan are kept (`keep`).",
    );
    matches(
        document,
        summary,
        Part::Variants,
        "Readings of the paper against `rat` as it comes",
    );
}

fn matches(document: &mut Document, summary: &Summary, part: Part, caption: &str) {
    let headings = [
        "player",
        "opponent",
        "in the paper",
        "games",
        "won",
        "share (95 %)",
        "Elo (95 %)",
        "ms a turn",
    ];
    let mut table = Table::new(caption, &headings, 3);
    for played in summary.matches.iter().filter(|played| played.part == part) {
        table.row(row(played));
    }
    document.table(table);
}

fn row(played: &Match) -> Vec<String> {
    let mut cells = vec![
        format!("`{}`", played.player),
        format!("`{}`", played.opponent),
        played.theirs.to_owned(),
        grouped(played.games as usize),
        grouped(played.wins as usize),
    ];
    if played.games == 0 {
        cells.extend(["not played yet".to_owned(), String::new(), String::new()]);
    } else {
        let [own, other] = played.milliseconds;
        cells.extend([
            rate_text(played.rate),
            format!(
                "{} ({} to {})",
                signed(played.elo.value),
                signed(played.elo.low),
                signed(played.elo.high)
            ),
            format!("{own:.1} : {other:.1}"),
        ]);
    }
    cells
}

fn playouts(document: &mut Document, summary: &Summary) {
    document.heading("Random playouts: is an elephant worth less than a rabbit?");
    document.text(
        "\"In games where one player is missing an elephant and another player is missing a rabbit, the higher \
         percentage is won by the party with the missing elephant\": why the paper does without UCT. Each turn of a \
         playout is one to four random steps; both colours, the usual setup.",
    );
    let mut table = Table::new(
        "Playouts won by a side that is without …",
        &[
            "without",
            "in the paper",
            "playouts",
            "won (95 %)",
            "turns of a playout",
            "chance by the network",
        ],
        2,
    );
    for (place, handicap) in summary.handicaps.iter().enumerate() {
        let theirs = if place == 0 { "more than half" } else { "" };
        table.row([
            handicap.without.clone(),
            theirs.to_owned(),
            grouped(handicap.playouts as usize),
            rate_text(handicap.rate()),
            format!("{:.0}", handicap.turns),
            format!("{:.0} %", 100.0 * handicap.network),
        ]);
    }
    document.table(table);
    if let Some(first) = summary.handicaps.first() {
        let rate = first.rate();
        let verdict = if rate.low > 0.5 {
            "So it is here: blind playouts prefer to be without the elephant."
        } else if rate.high < 0.5 {
            "Not so here: the side without the elephant loses more often, if by little."
        } else {
            "Here it makes no difference that so many playouts could show: they do not know what an elephant is for."
        };
        document.text(format!(
            "{verdict} The network, which `uct` asks instead, has no doubt about it."
        ));
    }
}
