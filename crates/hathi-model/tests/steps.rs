//! The network of steps in play: the same order however a board was reached and
//! whichever colour moves, and a file that survives.

use hathi_model::features::Past;
use hathi_model::steps::{
    AboutSteps, BESIDE_ENTRIES, Foreseen, MEETS_ENTRIES, RECENT_ENTRIES, STEP_ONE, STEP_ROWS,
    StepNetwork, StepNetworkError, StepSums, StepView,
};
use hathi_rules::{Board, Position, Side, Step, Symmetric, Symmetry, TurnGenerator};

/// Numbers by chance, as large as they get.
fn random_network(seed: u64) -> StepNetwork {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut network = StepNetwork::nothing(AboutSteps {
        name: "by chance".to_owned(),
        ..AboutSteps::default()
    });
    let bytes = network.first.as_flattened_mut().iter_mut();
    for weight in bytes.chain(network.rows.as_flattened_mut()) {
        *weight = random.i8(-127..=127);
    }
    let shorts = network.first_bias.iter_mut();
    let shorts = shorts.chain(network.alone.as_flattened_mut());
    let shorts = shorts.chain(&mut network.beside).chain(&mut network.meets);
    for number in shorts.chain(&mut network.recent) {
        *number = random.i16(-3000..=3000);
    }
    network
}

const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

/// Positions of a random game, step by step, with what moved before.
fn walk(seed: u64, steps: usize, mut visit: impl FnMut(usize, &Position, &Past)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position: Position = START.parse().expect("a position");
    let mut starts = vec![position];
    for ply in 1..=steps {
        let legal = position.legal_steps();
        let Some(step) = random.choice(legal) else {
            return;
        };
        let next = position.after(step);
        if next.steps_left() == 0 && next.is_mid_push() {
            return;
        }
        position = next;
        if position.steps_left() == 0 {
            position = position.end_turn();
            starts.push(position);
        }
        let start = starts[starts.len() - 1];
        let past = Past::of(&starts).inside(start.board(), position.board());
        visit(ply, &position, &past);
    }
}

/// What is said of every step, and of ending the turn.
fn said(network: &StepNetwork, position: &Position, past: &Past) -> Vec<(Step, i32)> {
    let units = StepSums::new(network, position.board()).units(position.side_to_move());
    let view = StepView::of(position, past, false);
    let scored = |step| (step, network.score(&view, &units, step));
    position.legal_steps().into_iter().map(scored).collect()
}

#[test]
fn corrected_sums_are_those_from_nothing() {
    let network = random_network(1);
    for seed in 0..20 {
        let mut track = vec![StepSums::new(&network, &Board::EMPTY); 160];
        let mut random = fastrand::Rng::with_seed(seed);
        walk(seed, 150, |ply, position, _| {
            // Now and then a place is passed by, as a search does that need not ask.
            if random.u8(..4) == 0 {
                return;
            }
            let (before, rest) = track.split_at_mut(ply);
            rest[0].follow(&network, &before[ply - 1], position.board());
            let fresh = StepSums::new(&network, position.board());
            for side in [Side::Gold, Side::Silver] {
                assert_eq!(rest[0].units(side), fresh.units(side), "seed {seed}, {ply}");
            }
        });
    }
}

#[test]
fn both_colours_are_told_the_same() {
    let network = random_network(2);
    for seed in 0..8 {
        walk(seed, 60, |_, position, past| {
            let flip = Symmetry::FLIP;
            let turned = position.under(flip);
            let turned_past = Past {
                opponent: past.opponent.under(flip),
                left: past.left.under(flip),
                entered: past.entered.under(flip),
                turn: past.turn.under(flip),
            };
            let of_turned = said(&network, &turned, &turned_past);
            for (step, score) in said(&network, position, past) {
                let image = step.under(flip);
                let found = of_turned.iter().find(|(other, _)| *other == image);
                assert_eq!(found, Some(&(image, score)), "{step} in {position:?}");
            }
        });
    }
}

/// Lessons are shown mirrored or not: a mirrored look at a position is a look at its mirror image.
#[test]
fn a_mirrored_look_is_a_look_in_the_mirror() {
    for seed in 0..8 {
        walk(seed, 60, |_, position, past| {
            let mirror = Symmetry::MIRROR;
            let image_past = Past {
                opponent: past.opponent.under(mirror),
                left: past.left.under(mirror),
                entered: past.entered.under(mirror),
                turn: past.turn.under(mirror),
            };
            let mirrored = StepView::of(position, past, true);
            let image = StepView::of(&position.under(mirror), &image_past, false);
            for step in position.legal_steps() {
                let places = mirrored.places(step);
                assert_eq!(places, image.places(step.under(mirror)), "{step}");
                assert!(usize::from(places.row) < STEP_ROWS - 1);
                assert!(
                    places
                        .beside
                        .iter()
                        .all(|&p| usize::from(p) < BESIDE_ENTRIES)
                );
                assert!(usize::from(places.meets) < MEETS_ENTRIES);
                assert!(usize::from(places.recent) < RECENT_ENTRIES);
            }
        });
    }
}

#[test]
fn networks_survive_their_file() {
    let network = random_network(3);
    let bytes = network.to_bytes().expect("written");
    assert!(StepNetwork::is_meant(&bytes));
    assert!(StepNetwork::read(&bytes).expect("read") == network);
}

#[test]
fn other_files_and_damaged_ones_are_refused() {
    let bytes = random_network(4).to_bytes().expect("written");
    let refused = |bytes: &[u8]| StepNetwork::read(bytes).expect_err("refused");
    assert!(matches!(refused(b"nothing"), StepNetworkError::NotOurs));
    assert!(matches!(
        refused(&bytes[..bytes.len() / 2]),
        StepNetworkError::Damaged(_)
    ));
    let text = String::from_utf8_lossy(&bytes[..200]).into_owned();
    let other = text.replace("\"hidden\":64", "\"hidden\":63");
    let mut other = other.into_bytes();
    other.push(b'\n');
    assert!(matches!(
        refused(&other),
        StepNetworkError::Inputs(_) | StepNetworkError::Header(_)
    ));
}

#[test]
fn the_shipped_one_says_where_it_comes_from_and_tells_steps_apart() {
    let network = StepNetwork::shipped().expect("shipped");
    assert!(network.about.points > 0 && !network.about.data.is_empty());
    walk(5, 80, |_, position, past| {
        let scores = said(network, position, past);
        let all = || scores.iter().map(|(_, score)| *score);
        // Logarithms of chances: no step of a position is certain, few are as likely as others.
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        assert!(scores.len() < 8 || most - least > STEP_ONE, "{scores:?}");
        assert!(most < 40 * STEP_ONE && least > -40 * STEP_ONE, "{scores:?}");
    });
}

/// Chances of turns are chances: all of them make one, but for those that the
/// rules forbid, and a turn of one step has at least the chance of that step and
/// of ending after it.
#[test]
fn chances_of_turns_make_one() {
    let network = StepNetwork::shipped().expect("the network");
    let mut tried = 0;
    walk(7, 90, |ply, position, past| {
        if position.steps_left() != 4 || ply % 12 != 0 {
            return;
        }
        tried += 1;
        let foreseen = Foreseen::new(network, position, past);
        let mut turns = TurnGenerator::new();
        let chances = turns.generate(position).map(|reached| {
            let chance = foreseen.of(reached.board());
            assert!((-40.0..=0.0).contains(&chance), "{chance}");
            f64::from(chance).exp()
        });
        // What is missing would have given the position back.
        let all: f64 = chances.sum();
        assert!((0.9..1.0001).contains(&all), "{all}");

        let chance_of = |position: &Position, past: &Past, step: Option<Step>| {
            let mut said = said(network, position, past);
            let view = StepView::of(position, past, false);
            let units = StepSums::new(network, position.board()).units(position.side_to_move());
            let end = network.score_end(&view, &units);
            let all: f64 = said
                .iter()
                .map(|&(_, score)| score)
                .chain(position.can_end_turn().then_some(end))
                .map(|score| (f64::from(score) / f64::from(STEP_ONE)).exp())
                .sum();
            said.retain(|&(other, _)| Some(other) == step);
            let score = said.first().map_or(end, |&(_, score)| score);
            (f64::from(score) / f64::from(STEP_ONE)).exp() / all
        };
        for step in position.legal_steps() {
            let there = position.after(step);
            if !there.can_end_turn() {
                continue;
            }
            let inside = past.inside(position.board(), there.board());
            let least = chance_of(position, past, Some(step)) * chance_of(&there, &inside, None);
            let chance = f64::from(foreseen.of(there.board())).exp();
            assert!(chance >= least * 0.999, "{step}: {chance} {least}");
        }
    });
    assert!(tried >= 5, "{tried}");
    // A board that no turn leads to.
    let position: Position = START.parse().expect("a position");
    let foreseen = Foreseen::new(network, &position, &Past::default());
    assert!((foreseen.of(&Board::EMPTY) + 40.0).abs() < 1e-6);
}
