//! Shapes of boards: what a question about a position looks for, whichever way
//! round it stands.

use hathi_rules::Side;

use crate::question::{Kind, PositionQuestion};
use crate::seen::{Seen, SeenTrap};

/// Which part of a board it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Full = 0,
    Half = 1,
    AreaAtHome = 2,
    AreaAway = 3,
    PieceAtHome = 4,
    PieceAway = 5,
}

impl ShapeKind {
    const ALL: [ShapeKind; 6] = [
        ShapeKind::Full,
        ShapeKind::Half,
        ShapeKind::AreaAtHome,
        ShapeKind::AreaAway,
        ShapeKind::PieceAtHome,
        ShapeKind::PieceAway,
    ];

    pub(super) fn number(self) -> i32 {
        self as i32
    }

    pub(super) fn from_number(number: i32) -> Option<ShapeKind> {
        ShapeKind::ALL
            .into_iter()
            .find(|kind| kind.number() == number)
    }

    fn area(trap: SeenTrap) -> ShapeKind {
        if trap.is_away() {
            ShapeKind::AreaAway
        } else {
            ShapeKind::AreaAtHome
        }
    }

    fn piece(trap: SeenTrap) -> ShapeKind {
        if trap.is_away() {
            ShapeKind::PieceAway
        } else {
            ShapeKind::PieceAtHome
        }
    }
}

/// A part of a board, one way round of two: a board or its mirror image, the
/// area of a trap put to where that of c3 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeptShape {
    pub(super) kind: ShapeKind,
    pub(super) planes: Seen,
}

impl KeptShape {
    /// A hash; the planes decide.
    pub(super) fn key(&self) -> u64 {
        (self.planes.hash() ^ self.kind as u64).rotate_left(8 * self.kind as u32)
    }
}

/// A shape as it is on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) shape: KeptShape,
    /// Is it the mirror image there?
    pub(super) turned: bool,
}

/// A board or a part of it that is not moved: of the two ways round the one
/// that comes first in the order of numbers.
fn whole(kind: ShapeKind, planes: Seen) -> Standing {
    let image = planes.mirrored();
    let turned = image.0 < planes.0;
    Standing {
        shape: KeptShape {
            kind,
            planes: if turned { image } else { planes },
        },
        turned,
    }
}

fn window(kind: ShapeKind, planes: Seen, trap: SeenTrap) -> Standing {
    Standing {
        shape: KeptShape { kind, planes },
        turned: trap.is_right(),
    }
}

/// What a question looks for. None if there is no such trap.
pub(super) fn asked(question: &PositionQuestion) -> Option<Standing> {
    let board = Seen::of(&question.position);
    let side: Side = question.position.side_to_move();
    Some(match question.kind {
        Kind::Full => whole(ShapeKind::Full, board),
        Kind::Half => whole(ShapeKind::Half, board.half()),
        Kind::Area { trap } => {
            let trap = SeenTrap::of_square(trap, side)?;
            window(ShapeKind::area(trap), board.window(trap), trap)
        }
        Kind::AreaByPiece { trap, piece } => {
            let trap = SeenTrap::of_square(trap, side)?;
            let strength = piece.index() as u8 + 1;
            let planes = board.window(trap).relative_to(strength);
            window(ShapeKind::piece(trap), planes, trap)
        }
    })
}

/// Every shape that a board has, each once for each place where it stands.
pub(super) fn for_each(board: Seen, mut visit: impl FnMut(Standing)) {
    visit(whole(ShapeKind::Full, board));
    visit(whole(ShapeKind::Half, board.half()));
    for trap in SeenTrap::ALL {
        let area = board.window(trap);
        visit(window(ShapeKind::area(trap), area, trap));
        // With no enemy there it is the same for every piece.
        let mut before: [Option<Seen>; 6] = [None; 6];
        for strength in 1..=6u8 {
            let planes = area.relative_to(strength);
            if !before.contains(&Some(planes)) {
                before[usize::from(strength) - 1] = Some(planes);
                visit(window(ShapeKind::piece(trap), planes, trap));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Position, Role, Square, Symmetry};

    fn position() -> Position {
        "s
        8| . r . . . . . . |
        7| e . . . . . . c |
        6| . . D . . x . . |
        5| . . C . . . h . |
        4| . . . . E . . . |
        3| . . x . . M . . |
        2| . . . . . H . . |
        1| . . . . . . R . |"
            .parse()
            .unwrap()
    }

    #[test]
    fn whatever_is_asked_is_among_the_shapes_of_the_board() {
        for symmetry in Symmetry::ALL {
            let position = symmetry.apply(position());
            let mut shapes = Vec::new();
            for_each(Seen::of(&position), |standing| shapes.push(standing));
            for trap in Square::TRAPS {
                for piece in Role::ALL {
                    for kind in Kind::all(crate::question::Focus { trap, piece }) {
                        let asked = asked(&PositionQuestion::new(position, kind)).unwrap();
                        let found = shapes.iter().filter(|shape| **shape == asked).count();
                        assert_eq!(found, 1, "{kind:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn mirror_images_are_one_shape() {
        let image = Symmetry::MIRROR.apply(position());
        let of = |position: &Position| {
            let mut keys = Vec::new();
            for_each(Seen::of(position), |standing| {
                keys.push(standing.shape.key());
            });
            keys.sort_unstable();
            keys
        };
        assert_eq!(of(&position()), of(&image));
        for kind in ShapeKind::ALL {
            assert_eq!(ShapeKind::from_number(kind.number()), Some(kind));
        }
    }
}
