//! Figures 3 to 5: the phase over a game, and boards by what the phase is judged
//! by.

use hathi_learn::clustered::ThreeClusters;
use hathi_learn::heatmap::HeatMap;
use hathi_learn::histogram::Histogram;
use hathi_learn::lessons::LessonGame;
use hathi_model::phase::{Phase, PhaseFeatures};
use hathi_view::numbers::grouped;
use hathi_view::plot::{Axis, Line, Plot};

use super::Games;
use crate::document::Document;

/// Adds the three figures.
pub(super) fn write(document: &mut Document, games: &Games) {
    document.heading("Game phase over four games (figure 3)");
    document.text(
        "The phase by cut-offs, as `hathi phase` gives it, at each turn of four games of those tested; \
         goal threats that come and go make it swing between middle and end game, as the paper says of its \
         bottom right plot.",
    );
    for (number, game) in four(&games.tested).into_iter().enumerate() {
        document.figure(
            &format!("figure-3-{}.svg", number + 1),
            &format!("Figure 3, game {}: opening, middle, end", game.id),
            &over(game),
        );
    }
    let mut boards = Histogram::default();
    for lesson in games
        .tested
        .iter()
        .chain(&games.also)
        .flat_map(|game| &game.lessons)
    {
        boards.add(PhaseFeatures::of(&lesson.position));
    }
    let Some(clusters) = ThreeClusters::shipped() else {
        return;
    };
    document.heading("Boards by their phase features (figures 4 and 5)");
    document.text(format!(
        "{} boards of all games of this experiment; the paper has those of 15,000 games. The letters are the three \
         X-means clusters that the models below are trained on ({}).",
        grouped(boards.boards() as usize),
        clusters.clusters().made_from()
    ));
    for (figure, threat) in [(4, false), (5, true)] {
        let with = if threat { "with" } else { "without" };
        let title = format!("Figure {figure}: boards {with} a goal threat");
        let map = HeatMap::of(&boards, clusters.clusters(), threat, title.clone());
        document.drawing(&format!("figure-{figure}.svg"), &title, map.svg());
    }
}

/// Four games, from the first to the last.
fn four(games: &[LessonGame]) -> Vec<&LessonGame> {
    let last = games.len().saturating_sub(1);
    let mut places: Vec<usize> = (0..4).map(|i| i * last / 3).collect();
    places.dedup();
    places
        .into_iter()
        .filter_map(|place| games.get(place))
        .collect()
}

fn over(game: &LessonGame) -> Plot {
    let points: Vec<(f64, f64)> = game
        .lessons
        .iter()
        .enumerate()
        .map(|(turn, lesson)| {
            let phase = PhaseFeatures::of(&lesson.position).heuristic();
            (turn as f64 + 1.0, phase.index() as f64)
        })
        .collect();
    let ticks = Phase::ALL.map(|phase| (phase.index() as f64, phase.name().to_owned()));
    Plot {
        title: format!("Game {}", game.id),
        x: Axis::count("turns of both sides", points.len().max(2) as f64),
        y: Axis {
            label: "phase".to_owned(),
            low: -0.2,
            high: 2.2,
            logarithmic: false,
            ticks: ticks.to_vec(),
        },
        lines: vec![Line {
            name: "phase by cut-offs".to_owned(),
            smooth: true,
            points,
            ..Line::default()
        }],
    }
}
