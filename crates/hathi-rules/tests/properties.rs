//! What must hold in every position, however odd.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;

use common::{any_moment, any_position};
use hathi_rules::{
    Bitboard, Board, Direction, Outcome, PackedBoard, Piece, Position, RuleSet, Side, Square, Step,
    Symmetric, Symmetry, Turn, TurnGenerator,
};
use proptest::prelude::*;

fn sorted(mut steps: Vec<Step>) -> Vec<Step> {
    steps.sort();
    steps
}

/// Every step that notation can write in this position.
fn every_step(position: &Position) -> impl Iterator<Item = Step> + '_ {
    position.board().iter().flat_map(|(square, piece)| {
        Direction::ALL.map(|direction| Step::new(piece, square, direction))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn exactly_the_generated_steps_pass_the_check(position in any_moment()) {
        let generated: HashSet<Step> = position.legal_steps().into_iter().collect();
        prop_assert_eq!(generated.len(), position.step_sets().len());
        for step in every_step(&position) {
            match position.check_step(step) {
                Ok(complete) => prop_assert!(generated.contains(&complete), "{complete}"),
                Err(reason) => {
                    let same = generated.iter().any(|other| other.bare() == step);
                    prop_assert!(!same, "{} is generated, but: {}", step, reason);
                }
            }
        }
    }

    #[test]
    fn a_wrong_piece_or_removal_is_refused(position in any_moment(), other in 0..12usize) {
        for step in position.legal_steps() {
            let other = Piece::ALL[other];
            if other != step.piece() {
                let wrong = Step::new(other, step.from(), step.direction());
                prop_assert!(position.check_step(wrong).is_err());
            }
            for role in hathi_rules::Role::ALL {
                let wrong = step.removing(Some(role));
                if wrong != step && wrong.removed().is_some() {
                    prop_assert!(position.check_step(wrong).is_err());
                }
            }
        }
    }

    #[test]
    fn undo_gives_the_position_back(position in any_moment()) {
        for step in position.legal_steps() {
            let mut copy = position;
            let undo = copy.apply(step);
            prop_assert_eq!(undo.step(), step);
            prop_assert_eq!(copy.board().hash(), copy.board().computed_hash());
            prop_assert!(copy.board().unsupported_on_traps().is_empty());
            copy.undo(undo);
            prop_assert_eq!(copy, position);
            prop_assert_eq!(copy.board().hash(), position.board().hash());
        }
    }

    #[test]
    fn a_started_push_can_be_completed(position in any_moment()) {
        for step in position.legal_steps() {
            let after = position.after(step);
            if after.is_mid_push() {
                prop_assert!(after.steps_left() > 0);
                prop_assert!(!after.legal_steps().is_empty());
            }
        }
    }

    #[test]
    fn symmetries_commute_with_everything(position in any_moment()) {
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply(position);
            prop_assert_eq!(symmetry.apply(image), position);
            prop_assert_eq!(image.board().hash(), image.board().computed_hash());
            for side in Side::ALL {
                let (there, here) = (side.under(symmetry), side);
                prop_assert_eq!(image.board().frozen(there), position.board().frozen(here).under(symmetry));
                prop_assert_eq!(image.board().can_move(there), position.board().can_move(here));
                prop_assert_eq!(image.board().pushable_by(there), position.board().pushable_by(here).under(symmetry));
                for rules in [RuleSet::Modern, RuleSet::Before2008] {
                    prop_assert_eq!(
                        Outcome::on_board(image.board(), there, rules),
                        Outcome::on_board(position.board(), here, rules).map(|o| o.under(symmetry))
                    );
                }
            }
            let steps = position.legal_steps().into_iter().map(|s| s.under(symmetry)).collect();
            prop_assert_eq!(sorted(image.legal_steps()), sorted(steps));
            for step in position.legal_steps() {
                prop_assert_eq!(image.after(step.under(symmetry)), position.after(step).under(symmetry));
            }
            prop_assert_eq!(
                image.can_goal().map(|turn| turn.len()),
                position.can_goal().map(|turn| turn.len())
            );
            let threats = |p: &Position, s: Symmetry| -> BTreeMap<Square, u8> {
                p.capture_threats().iter().map(|t| (t.square.under(s), t.steps)).collect()
            };
            prop_assert_eq!(threats(&image, Symmetry::IDENTITY), threats(&position, symmetry));
        }
    }

    #[test]
    fn carlinis_sets_agree_with_the_steps(position in any_position()) {
        // What the sets promise, seen from the generated steps.
        let side = position.side_to_move();
        let board = position.board();
        let mut pushed = Bitboard::EMPTY;
        for step in position.legal_steps() {
            if step.side() == side {
                prop_assert!(board.mobile(side).contains(step.from()));
                prop_assert!(board.step_targets(step.piece()).contains(step.to().unwrap()));
            } else {
                pushed |= step.from().bit();
            }
        }
        prop_assert_eq!(pushed, board.pushable_by(side));
        let by_kind = Piece::ALL.into_iter().filter(|p| p.side() == side)
            .fold(Bitboard::EMPTY, |set, piece| set | board.pushable(piece));
        prop_assert_eq!(pushed, by_kind);
        prop_assert_eq!(board.can_move(side), !position.legal_steps().is_empty());
        for piece in Piece::ALL.into_iter().filter(|p| p.side() == side) {
            let mut pulled = Bitboard::EMPTY;
            let mut to = Bitboard::EMPTY;
            for first in position.legal_steps().into_iter().filter(|s| s.piece() == piece) {
                let after = position.after(first);
                for second in after.legal_steps() {
                    let into = second.to().unwrap();
                    let weaker = second.piece().role() < piece.role();
                    if second.side() != side && into == first.from() && weaker {
                        pulled |= second.from().bit();
                        to |= first.to().unwrap().bit();
                    }
                }
            }
            prop_assert_eq!(pulled, board.pullable(piece));
            prop_assert_eq!(to, board.pull_targets(piece));
        }
    }

    #[test]
    fn text_round_trips(position in any_position()) {
        prop_assert_eq!(position.short_form().parse::<Position>().unwrap(), position);
        prop_assert_eq!(position.long_form().parse::<Position>().unwrap(), position);
        let packed = PackedBoard::from(position.board());
        prop_assert_eq!(Board::try_from(packed).unwrap(), *position.board());
    }

    #[test]
    fn turns_round_trip_as_text(position in any_position(), choice in any::<prop::sample::Index>()) {
        let mut generator = TurnGenerator::new();
        let reached: Vec<_> = generator.generate(&position).collect();
        if !reached.is_empty() {
            let turn = reached[choice.index(reached.len())].turn();
            prop_assert_eq!(turn.to_string().parse::<Turn>().unwrap(), turn);
            // Without the removals written they are filled in.
            let bare = Turn::from_steps(turn.iter().map(|s| s.bare())).unwrap();
            prop_assert_eq!(position.check_turn(&bare).unwrap().0, turn);
        }
    }

    /// Positions that hash the same for play are of the same board and have
    /// the same steps, whatever step came before them.
    #[test]
    fn what_hashes_the_same_for_play_plays_the_same(position in any_position()) {
        let mut seen: std::collections::HashMap<u64, Position> = std::collections::HashMap::new();
        for first in position.legal_steps() {
            let once = position.after(first);
            for second in once.legal_steps() {
                let twice = once.after(second);
                let other = *seen.entry(twice.play_hash()).or_insert(twice);
                prop_assert_eq!(other.board(), twice.board());
                prop_assert_eq!(
                    other.legal_steps().into_iter().collect::<Vec<_>>(),
                    twice.legal_steps().into_iter().collect::<Vec<_>>()
                );
                prop_assert_eq!(other.can_end_turn(), twice.can_end_turn());
            }
        }
    }

    /// Whatever steps are taken: what is left of them leads to the same place.
    #[test]
    fn tidied_turns_lead_to_the_same_position(
        position in any_position(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let mut turn = Turn::EMPTY;
        let mut at = position;
        for choice in choices {
            let mut steps = Vec::new();
            at.for_each_step(|step| steps.push(step));
            if steps.is_empty() {
                break;
            }
            let step = steps[choice.index(steps.len())];
            at.apply(step);
            turn.push(step).unwrap();
        }
        let tidy = position.tidied(&turn);
        if let Ok((_, after)) = position.check_turn(&turn) {
            prop_assert!(tidy.len() <= turn.len());
            prop_assert_eq!(position.check_turn(&tidy), Ok((tidy, after)));
            prop_assert_eq!(position.tidied(&tidy), tidy);
        } else {
            prop_assert_eq!(tidy, turn);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The level-by-level search against the plain list of all sequences.
    #[test]
    fn distinct_turns_are_all_turns_without_repeats(position in any_moment()) {
        // Crowded positions have millions of sequences.
        prop_assume!(position.board().occupied().len() <= 12 || position.steps_left() <= 2);
        let mut shortest: BTreeMap<String, usize> = BTreeMap::new();
        let _ = position.for_each_turn(|turn, after| {
            let best = shortest.entry(after.short_form()).or_insert(turn.len());
            *best = turn.len().min(*best);
            ControlFlow::Continue(())
        });
        let mut generator = TurnGenerator::new();
        let mut found = BTreeMap::new();
        for reached in generator.generate(&position) {
            let turn = reached.turn();
            let mut at = position;
            for &step in turn.iter() {
                prop_assert_eq!(at.check_step(step), Ok(step));
                at.apply(step);
            }
            prop_assert_eq!(at.end_turn(), reached.position());
            let twice = found.insert(reached.position().short_form(), turn.len());
            prop_assert_eq!(twice, None, "the same position twice");
        }
        prop_assert_eq!(found, shortest);
    }

    #[test]
    fn goal_search_agrees_with_all_turns(position in any_moment()) {
        let side = position.side_to_move();
        prop_assume!(!position.board().on_goal()[side] || position.is_mid_push());
        let mut generator = TurnGenerator::new();
        let shortest = generator
            .generate(&position)
            .find(|reached| reached.board().on_goal()[side])
            .map(|reached| reached.turn().len());
        let found = position.can_goal();
        prop_assert_eq!(found.map(|turn| turn.len()), shortest);
        prop_assert_eq!(position.reaches_goal(), found.is_some());
        if let Some(turn) = found {
            let (_, after) = position.check_turn(&turn).unwrap();
            prop_assert!(after.board().on_goal()[side]);
        }
    }

    #[test]
    fn elsewhere_nothing_changes_a_turn_to_goal(position in any_moment(), other in any_position()) {
        let Some(turn) = position.can_goal() else {
            return Ok(());
        };
        if !position.at_turn_start() {
            return Ok(());
        }
        // The board of the threat on its ground, another one everywhere else.
        let ground = turn.ground();
        let mut board = Board::EMPTY;
        for square in Bitboard::ALL {
            let from = if ground.contains(square) { &position } else { &other };
            if let Some(piece) = from.board().piece_at(square) {
                board.place(square, piece);
            }
        }
        let mut here = Position::composed(board, position.side_to_move());
        for step in turn.iter() {
            let checked = here.check_step(step.bare());
            prop_assert!(checked.is_ok(), "{} in {:?}", step, here);
            here.apply(checked.unwrap());
        }
        prop_assert!(here.board().on_goal()[here.side_to_move()]);
    }

    #[test]
    fn capture_threats_agree_with_all_turns(position in any_moment()) {
        prop_assume!(position.board().occupied().len() <= 12 || position.steps_left() <= 2);
        let mut fewest = BTreeMap::new();
        let mut falls = BTreeSet::new();
        let mut enemies: Vec<(Square, Square)> = position.enemy().into_iter().map(|s| (s, s)).collect();
        captures(&position, 0, &mut enemies, &mut |origin, trap, steps| {
            let best = fewest.entry(origin).or_insert(steps);
            *best = steps.min(*best);
            falls.insert((trap, origin));
        });
        let mut found = BTreeMap::new();
        for threat in position.capture_threats() {
            prop_assert_eq!(threat.turn.len(), usize::from(threat.steps));
            prop_assert_eq!(position.board().piece_at(threat.square), Some(threat.victim));
            let mut at = position;
            for &step in threat.turn.iter() {
                prop_assert_eq!(at.check_step(step), Ok(step));
                at.apply(step);
            }
            prop_assert!(at.can_end_turn());
            found.insert(threat.square, threat.steps);
        }
        prop_assert_eq!(found, fewest);
        let victims: BTreeSet<(Square, Square)> = Square::TRAPS
            .into_iter()
            .flat_map(|trap| position.victims(trap).into_iter().map(move |origin| (trap, origin)))
            .collect();
        prop_assert_eq!(victims, falls);
        prop_assert!(position.victims(Square::D4).is_empty());
    }
}

/// Tells where each enemy piece that can be captured stands now, into which
/// trap it falls and with how many steps, by trying everything. `enemies` pairs where each one started with where it is now.
fn captures(
    position: &Position,
    used: u8,
    enemies: &mut Vec<(Square, Square)>,
    fallen: &mut impl FnMut(Square, Square, u8),
) {
    for step in position.legal_steps() {
        let after = position.after(step);
        let before = enemies.clone();
        if step.side() != position.side_to_move() {
            for enemy in enemies.iter_mut().filter(|enemy| enemy.1 == step.from()) {
                enemy.1 = step.to().expect("on the board");
            }
            if let Some(removal) = step.removed() {
                let at = enemies.iter().position(|enemy| enemy.1 == removal.square);
                let (origin, _) = enemies.remove(at.expect("an enemy on the trap"));
                // The push that it was must still be completed.
                let steps = used + 1 + u8::from(after.is_mid_push());
                fallen(origin, removal.square, steps);
            }
        }
        if after.steps_left() > 0 {
            captures(&after, used + 1, enemies, fallen);
        }
        *enemies = before;
    }
}
