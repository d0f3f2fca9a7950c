//! Questions that are answered by pointing at squares; the rules answer them.

use hathi_rules::{Bitboard, Board, Piece, Position, Role, Side, Square, Step};

use super::condition::guards;

/// Which squares?
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    /// This side's frozen pieces.
    Frozen(Side),
    /// Where the piece there can go with one step.
    Steps(Square),
    /// Who can push the enemy there.
    Pushers(Square),
    /// Where the enemy can be pushed to by the piece on `by`.
    PushedTo { by: Square, enemy: Square },
    /// Which enemies the piece there can pull.
    Pullable(Square),
    /// What falls into a trap if the piece there goes away.
    FallsWithout(Square),
    /// Enemies weaker than the piece there.
    WeakerThan(Square),
    /// Enemies that can be captured this turn.
    Capturable,
    /// Own pieces beside this trap.
    Guards(Square),
}

impl Question {
    pub(crate) fn answer(self, position: &Position) -> Bitboard {
        let board = position.board();
        let mover = position.side_to_move();
        match self {
            Question::Frozen(side) => board.frozen(side),
            Question::Steps(from) => squares(steps_from(position, from).filter_map(Step::to)),
            Question::Pushers(enemy) => squares(
                pushes(position)
                    .filter_map(|(first, second)| (first.from() == enemy).then_some(second.from())),
            ),
            Question::PushedTo { by, enemy } => {
                squares(pushes(position).filter_map(|(first, second)| {
                    let fits = first.from() == enemy && second.from() == by;
                    first.to().filter(|_| fits)
                }))
            }
            Question::Pullable(puller) => {
                let after = |step: Step| position.after(step);
                squares(steps_from(position, puller).flat_map(|step| {
                    let after = after(step);
                    let pulled = after.legal_steps().into_iter().filter(move |pull| {
                        // Into the square just left, and complete with that: no push.
                        pull.side() != mover
                            && pull.to() == Some(puller)
                            && !after.after(*pull).is_mid_push()
                    });
                    pulled.map(Step::from).collect::<Vec<_>>()
                }))
            }
            Question::FallsWithout(guard) => {
                let mut without = *board;
                without.remove(guard);
                without.unsupported_on_traps() & !board.unsupported_on_traps()
            }
            Question::WeakerThan(square) => board.piece_at(square).map_or(Bitboard::EMPTY, |own| {
                board.weaker_than(own.role()) & board.side(own.side().opponent())
            }),
            Question::Capturable => {
                let threats = position.capture_threats();
                squares(threats.into_iter().map(|threat| threat.square))
            }
            Question::Guards(trap) => guards(board, mover, trap),
        }
    }

    /// Why a square is not among the answers.
    pub(crate) fn why_not(self, position: &Position, square: Square) -> String {
        let board = position.board();
        let there = board.piece_at(square);
        match self {
            Question::Frozen(side) => match there {
                None => nobody(square),
                Some(piece) if piece.side() != side => of_other(piece, square),
                Some(piece) => why_free(board, piece, square),
            },
            Question::Steps(from) => why_no_step(position, from, square),
            Question::Pushers(enemy) => why_no_push(position, square, enemy),
            Question::PushedTo { enemy, .. } => match there {
                Some(piece) => format!("{square} is taken: the {} stands there.", name(piece)),
                None if enemy.neighbours().contains(square) => {
                    format!("It cannot be pushed to {square}.")
                }
                None => format!("{square} is not beside {enemy}: a push moves it by one square."),
            },
            Question::Pullable(puller) => why_no_pull(position, puller, square),
            Question::FallsWithout(guard) => match there {
                None => nobody(square),
                Some(piece) if !square.is_trap() => {
                    format!("The {} stands on no trap, so it cannot fall.", name(piece))
                }
                Some(piece) if square.neighbours().contains(guard) => {
                    format!("The {} keeps another friend beside it.", name(piece))
                }
                Some(piece) => format!(
                    "The {} does not need the piece on {guard}: that is not beside it.",
                    name(piece)
                ),
            },
            Question::WeakerThan(own) => match (board.piece_at(own), there) {
                (_, None) => nobody(square),
                (Some(own), Some(piece)) if own.side() == piece.side() => {
                    format!("The {} is a friend.", name(piece))
                }
                (Some(own), Some(piece)) if own.role() == piece.role() => format!(
                    "{} is as strong as {}, not stronger.",
                    capital(&a(own.role())),
                    a(piece.role())
                ),
                (own, Some(piece)) => format!(
                    "{} is stronger than {}.",
                    capital(&a(piece.role())),
                    own.map_or("nothing".to_owned(), |own| a(own.role()))
                ),
            },
            Question::Capturable => match there {
                None => nobody(square),
                Some(piece) if piece.side() == position.side_to_move() => of_other(piece, square),
                Some(piece) => format!(
                    "The {} on {square} cannot be brought into a trap this turn.",
                    piece.role()
                ),
            },
            Question::Guards(trap) => match there {
                None => nobody(square),
                Some(piece) if piece.side() != position.side_to_move() => of_other(piece, square),
                Some(piece) => format!("The {} on {square} is not beside {trap}.", piece.role()),
            },
        }
    }
}

fn squares(found: impl IntoIterator<Item = Square>) -> Bitboard {
    found
        .into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | square.bit())
}

fn steps_from(position: &Position, from: Square) -> impl Iterator<Item = Step> {
    let steps = position.legal_steps().into_iter();
    steps.filter(move |step| step.from() == from)
}

/// Every push, as its two steps.
fn pushes(position: &Position) -> impl Iterator<Item = (Step, Step)> {
    let mover = position.side_to_move();
    let firsts = position.legal_steps().into_iter();
    let firsts = firsts.filter(move |step| step.side() != mover);
    let position = *position;
    firsts.flat_map(move |first| {
        let seconds = position.after(first).legal_steps();
        seconds.into_iter().map(move |second| (first, second))
    })
}

fn name(piece: Piece) -> String {
    format!("{} {}", piece.side().name().to_lowercase(), piece.role())
}

fn nobody(square: Square) -> String {
    format!("{square} is empty.")
}

fn of_other(piece: Piece, square: Square) -> String {
    let role = piece.role();
    format!("The {role} on {square} is {}'s.", piece.side().name())
}

fn why_free(board: &Board, piece: Piece, square: Square) -> String {
    let role = piece.role();
    if board.has_neighbour(square, piece.side()) {
        format!("The {role} on {square} is not frozen: a friend stands beside it.")
    } else {
        format!("The {role} on {square} is not frozen: no stronger enemy stands beside it.")
    }
}

fn why_no_step(position: &Position, from: Square, to: Square) -> String {
    let board = position.board();
    let Some(piece) = board.piece_at(from) else {
        return nobody(from);
    };
    let steps = hathi_rules::Direction::ALL.map(|direction| Step::new(piece, from, direction));
    match steps.into_iter().find(|step| step.to() == Some(to)) {
        None => format!("{to} is not beside {from}: a step goes up, down, left or right."),
        Some(step) => match position.check_step(step) {
            Err(reason) => sentence(&reason.to_string()),
            Ok(_) => String::new(),
        },
    }
}

fn why_no_push(position: &Position, pusher: Square, enemy: Square) -> String {
    let board = position.board();
    let (Some(piece), Some(pushed)) = (board.piece_at(pusher), board.piece_at(enemy)) else {
        return nobody(pusher);
    };
    let (role, other) = (piece.role(), pushed.role());
    if piece.side() != position.side_to_move() {
        of_other(piece, pusher)
    } else if !pusher.neighbours().contains(enemy) {
        format!("The {role} on {pusher} is not beside the {other}.")
    } else if role <= other {
        format!(
            "{} cannot push {}: the pusher must be stronger.",
            capital(&a(role)),
            a(other)
        )
    } else if let Some((square, by)) = board.freezer(pusher, piece) {
        format!(
            "The {role} on {pusher} is frozen by the {} on {square}.",
            by.role()
        )
    } else {
        format!("The {other} has no empty square to be pushed to.")
    }
}

fn why_no_pull(position: &Position, puller: Square, enemy: Square) -> String {
    let board = position.board();
    let (Some(own), Some(piece)) = (board.piece_at(puller), board.piece_at(enemy)) else {
        return nobody(enemy);
    };
    let (role, other) = (own.role(), piece.role());
    if piece.side() == own.side() {
        format!("The {other} on {enemy} is a friend: friends are not pulled.")
    } else if !puller.neighbours().contains(enemy) {
        format!("The {other} on {enemy} is not beside the {role}.")
    } else if other >= role {
        format!(
            "{} cannot pull {}: the puller must be stronger.",
            capital(&a(role)),
            a(other)
        )
    } else {
        format!("The {role} has nowhere to step, so it cannot pull.")
    }
}

/// `a dog`, `an elephant`.
fn a(role: Role) -> String {
    let article = if role == Role::Elephant { "an" } else { "a" };
    format!("{article} {role}")
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A reason of the rules as a sentence of its own.
fn sentence(reason: &str) -> String {
    // A square at the start stays as it is.
    if reason.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        format!("{reason}.")
    } else {
        format!("{}.", capital(reason))
    }
}
