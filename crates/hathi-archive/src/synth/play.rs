//! A fast, greedy and careless player: good enough for captures, goals,
//! eliminations and immobilisations to happen, at some microseconds a turn.

use hathi_rules::{Bitboard, Board, Direction, Position, Role, Side, Step, StepSets, Turn};

use super::rng::Rng;

/// How a side plays in one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Turns looked at before choosing one: strength.
    pub(super) samples: u32,
    /// What a rabbit's advance is worth; below zero they stay at home and the
    /// stronger pieces hunt.
    pub(super) advance: i32,
    /// How often a goal on the board is overlooked.
    pub(super) blindness: f64,
}

/// What the pieces are worth, rabbit to elephant.
const VALUES: [i32; 6] = [100, 150, 190, 300, 450, 900];

/// Squares that matter to strong pieces:
///
/// ```text
/// 6| . . x o o x . . |
/// 5| . . o o o o . . |
/// 4| . . o o o o . . |
/// 3| . . x o o x . . |
/// ```
const CENTRE: Bitboard = Bitboard(0x0000_183c_3c18_0000);

/// Chooses a turn; none if there was none among those looked at.
pub(super) fn choose(position: &Position, style: Style, ply: usize, rng: &mut Rng) -> Option<Turn> {
    if !rng.chance(style.blindness)
        && let Some(goal) = position.can_goal()
    {
        return Some(goal);
    }
    let side = position.side_to_move();
    // Games do not go on for ever: rabbits get braver.
    let advance = style.advance + if style.advance > 0 { ply as i32 / 6 } else { 0 };
    let mut best: Option<(i32, Turn)> = None;
    for _ in 0..style.samples {
        let Some((turn, after)) = random_turn(position, rng) else {
            continue;
        };
        let mut score = evaluate(after.board(), side, advance) + rng.below(40) as i32;
        if best.is_none_or(|(best, _)| score > best) {
            // Careful players see that the opponent would win.
            if !rng.chance(0.5 * style.blindness) && after.end_turn().can_goal().is_some() {
                score -= 2000;
                if best.is_some_and(|(best, _)| score <= best) {
                    continue;
                }
            }
            best = Some((score, turn));
        }
    }
    best.map(|(_, turn)| turn)
}

/// A turn of random steps, mostly four, with the position it ends in.
pub(super) fn random_turn(position: &Position, rng: &mut Rng) -> Option<(Turn, Position)> {
    let mut turn = Turn::EMPTY;
    let mut now = *position;
    while now.steps_left() > 0 {
        if now.can_end_turn() && rng.below(24) == 0 {
            break;
        }
        let Some(step) = random_step(&now, rng) else {
            break;
        };
        now.apply(step);
        turn.push(step).ok()?;
    }
    let changed = now.board() != position.board();
    (changed && now.can_end_turn()).then_some((turn, now))
}

/// One of the legal steps.
fn random_step(position: &Position, rng: &mut Rng) -> Option<Step> {
    let sets = position.step_sets();
    let count = sets.len() as u32;
    if count == 0 {
        return None;
    }
    let (from, direction) = nth_step(&sets, rng.below(count))?;
    let piece = position.board().piece_at(from)?;
    Some(position.with_removal(Step::new(piece, from, direction)))
}

fn nth_step(sets: &StepSets, mut n: u32) -> Option<(hathi_rules::Square, Direction)> {
    for direction in Direction::ALL {
        for set in [sets.own(direction), sets.enemy(direction)] {
            let count = set.len();
            if n < count {
                return set.iter().nth(n as usize).map(|from| (from, direction));
            }
            n -= count;
        }
    }
    None
}

/// How good a board is for the side that has just moved.
fn evaluate(board: &Board, side: Side, advance: i32) -> i32 {
    let enemy = side.opponent();
    let (own_pieces, enemy_pieces) = (board.side(side), board.side(enemy));
    let count = |set: Bitboard| set.len() as i32;
    let mut score = 0;
    for role in Role::ALL {
        let pieces = board.role(role);
        score += VALUES[role.index()] * (count(pieces & own_pieces) - count(pieces & enemy_pieces));
    }
    score +=
        advance * (progress(board.rabbits(side), side) - progress(board.rabbits(enemy), enemy));
    let strong = board.stronger_than(Role::Cat);
    score += 6 * (count(strong & own_pieces & CENTRE) - count(strong & enemy_pieces & CENTRE));
    score += 14 * (count(board.frozen(enemy)) - count(board.frozen(side)));
    // A piece on a trap is soon gone.
    score -= 40 * count(own_pieces & Bitboard::TRAPS);
    score += 12 * count(enemy_pieces & Bitboard::TRAPS.near());
    score
}

/// Ranks the rabbits have advanced, the later ones counting double and
/// threefold.
fn progress(rabbits: Bitboard, side: Side) -> i32 {
    let rabbits = match side {
        Side::Gold => rabbits.0,
        Side::Silver => rabbits.0.swap_bytes(),
    };
    let beyond = |rank: u32| (rabbits >> (8 * rank)).count_ones() as i32;
    beyond(2) + beyond(3) + beyond(4) + 2 * beyond(5) + 3 * beyond(6)
}
