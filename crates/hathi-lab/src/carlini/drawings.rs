//! The sets that he draws in chapter 3, beside what his code and the rules make of the
//! same boards.
//!
//! The text of the thesis has lost some columns of its drawings: how many marks a rank
//! has can always be told, on which files they stand not always. Where it cannot they
//! are put where the rules put them, so only what is wrong beyond doubt counts as a slip.

use hathi_rules::{Bitboard, Board, Piece, Position, Side, Square};

use super::his::{self, HisBoard};

/// A board that several drawings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Situation {
    Cats,
    Freezing,
    Pushing,
}

impl Situation {
    pub(super) fn position(self) -> anyhow::Result<Position> {
        Ok(match self {
            Situation::Cats => CATS,
            Situation::Freezing => FREEZING,
            Situation::Pushing => PUSHING,
        }
        .parse()?)
    }
}

/// Section 3.2.
const CATS: &str = "
    g
    8| . . . . . . . . |
    7| . . . . . . . . |
    6| . . x . . x . . |
    5| . . . . . . . . |
    4| . . . . . . . . |
    3| . . x . . x . C |
    2| . . . . . . . . |
    1| . C . . . . . . |";

/// Section 3.3.
const FREEZING: &str = "
    g
    8| . . . . . r . . |
    7| r . . . . . . . |
    6| d . x . . x D . |
    5| M . . . . . . . |
    4| . . h . m . . . |
    3| . . x . C x . . |
    2| . e . . . . R . |
    1| . C E . . . R H |";

/// Section 3.4.
const PUSHING: &str = "
    g
    8| . c . . . r . . |
    7| r . r . . . . . |
    6| d . x . . x . d |
    5| M . . . . . . H |
    4| . . h . m . . . |
    3| . . x r H x . . |
    2| . e . . . . . R |
    1| . C E . . . R C |";

/// A set of his.
pub(super) struct Drawing {
    pub(super) name: &'static str,
    pub(super) situation: Situation,
    /// The squares he marks.
    drawn: &'static str,
    his: fn(&HisBoard) -> u64,
    rules: fn(&Board) -> Bitboard,
    /// What went wrong, if something did.
    pub(super) slip: &'static str,
}

/// A drawing with everything worked out.
pub(super) struct Beside {
    pub(super) position: Position,
    pub(super) drawn: Bitboard,
    pub(super) his: Bitboard,
    pub(super) rules: Bitboard,
}

const CAT: Piece = Piece::GoldCat;
const HORSE: Piece = Piece::GoldHorse;

/// In his order.
pub(super) const DRAWINGS: &[Drawing] = &[
    Drawing {
        name: "FILE_H",
        situation: Situation::Cats,
        drawn: "h1 h2 h3 h4 h5 h6 h7 h8",
        his: |_| his::FILE_H,
        rules: |_| Bitboard::FILE_H,
        slip: "",
    },
    Drawing {
        name: "FILE_A",
        situation: Situation::Cats,
        drawn: "a1 a2 a3 a4 a5 a6 a7 a8",
        his: |_| his::FILE_A,
        rules: |_| Bitboard::FILE_A,
        slip: "",
    },
    Drawing {
        name: "near(GC)",
        situation: Situation::Cats,
        drawn: "h4 g3 b2 h2 a1 c1",
        his: |his| his::near(his.pieces(CAT)),
        rules: |board| board.pieces(CAT).near(),
        slip: "",
    },
    Drawing {
        name: "STRONG_SILVER",
        situation: Situation::Freezing,
        drawn: "a6 c4 e4 b2",
        his: |his| his.strong(CAT),
        rules: |board| board.side(Side::Silver) & board.stronger_than(CAT.role()),
        slip: "",
    },
    Drawing {
        name: "strongEnemyNear(GC)",
        situation: Situation::Freezing,
        drawn: "e3 b1",
        his: |his| his.strong_enemy_near(CAT),
        rules: |board| board.dominated(Side::Gold) & board.pieces(CAT),
        slip: "",
    },
    Drawing {
        name: "GOLD",
        situation: Situation::Freezing,
        drawn: "g6 a5 e3 g2 b1 c1 g1 h1",
        his: |his| his.side(Side::Gold),
        rules: |board| board.side(Side::Gold),
        slip: "",
    },
    Drawing {
        name: "friendNear(GC)",
        situation: Situation::Freezing,
        drawn: "b1",
        his: |his| his.friend_near(CAT),
        rules: |board| board.supported(Side::Gold) & board.pieces(CAT),
        slip: "",
    },
    Drawing {
        name: "frozen(GC)",
        situation: Situation::Freezing,
        drawn: "e3",
        his: |his| his.frozen(CAT),
        rules: |board| board.frozen(Side::Gold) & board.pieces(CAT),
        slip: "",
    },
    Drawing {
        name: "not_frozen(GC)",
        situation: Situation::Freezing,
        drawn: "b1",
        his: |his| his.not_frozen(CAT),
        rules: |board| board.mobile(Side::Gold) & board.pieces(CAT),
        slip: "",
    },
    Drawing {
        name: "EMPTY",
        situation: Situation::Freezing,
        drawn: "a8 b8 c8 d8 e8 f8 g8 h8 a7 b7 c7 d7 e7 f7 g7 h7 a6 b6 c6 d6 e6 f6 g6 h6 \
                a5 b5 c5 d5 e5 f5 g5 h5 a4 b4 d4 f4 g4 h4 a3 b3 c3 d3 f3 g3 h3 \
                a2 c2 d2 e2 f2 h2 a1 c1 d1 f1 h1",
        his: HisBoard::empty,
        rules: Board::empty,
        slip: "the five pieces of ranks 5 to 8 are forgotten, and rank 1 has three gaps for four pieces",
    },
    Drawing {
        name: "move(GC)",
        situation: Situation::Freezing,
        drawn: "a1",
        his: |his| his.moves(CAT),
        rules: |board| board.step_targets(CAT),
        slip: "",
    },
    Drawing {
        name: "pushFull()",
        situation: Situation::Pushing,
        drawn: "b8 f8 a7 c7 a6 h6 d3",
        his: |his| his.push_full(HORSE),
        rules: |board| board.loose_enemies(HORSE),
        slip: "",
    },
    Drawing {
        name: "push(GH)",
        situation: Situation::Pushing,
        drawn: "h6",
        his: |his| his.push(HORSE),
        rules: |board| board.pushable(HORSE),
        slip: "",
    },
    Drawing {
        name: "pullFull(GH)",
        situation: Situation::Pushing,
        drawn: "b8 f8 a7 c7 a6 h6",
        his: |his| his.pull_full(HORSE),
        rules: |board| board.pullable(HORSE),
        slip: "six weaker pieces are marked, five of them with no horse beside them; the code is right",
    },
    Drawing {
        name: "pull(GH)",
        situation: Situation::Pushing,
        drawn: "g5 h4",
        his: |his| his.pull(HORSE),
        rules: |board| board.pull_targets(HORSE),
        slip: "the drawing is right and the code is not: it intersects own pieces with enemies and finds nothing",
    },
    Drawing {
        name: "pushed(GH)",
        situation: Situation::Pushing,
        drawn: "h8 g6",
        his: |his| his.pushed(HORSE),
        rules: |board| board.push_targets(HORSE),
        slip: "one of the two marks is a rank too high: on 8, two squares from the dog on h6",
    },
];

impl Drawing {
    pub(super) fn beside(&self) -> anyhow::Result<Beside> {
        let position = self.situation.position()?;
        let board = position.board();
        let mut drawn = Bitboard::EMPTY;
        for square in self.drawn.split_whitespace() {
            drawn |= square.parse::<Square>()?.bit();
        }
        Ok(Beside {
            drawn,
            his: his::ours((self.his)(&HisBoard::of(board))),
            rules: (self.rules)(board),
            position,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_named_where_drawing_code_and_rules_differ_and_nowhere_else() {
        for drawing in DRAWINGS {
            let beside = drawing.beside().expect("a drawing");
            let same = beside.drawn == beside.rules && beside.his == beside.rules;
            assert_eq!(same, drawing.slip.is_empty(), "{}", drawing.name);
        }
    }

    #[test]
    fn only_pull_is_wrong_in_his_code() {
        let wrong: Vec<_> = DRAWINGS
            .iter()
            .filter(|drawing| {
                let beside = drawing.beside().expect("a drawing");
                beside.his != beside.rules
            })
            .map(|drawing| drawing.name)
            .collect();
        assert_eq!(wrong, ["pull(GH)"]);
    }

    #[test]
    fn his_pull_full_is_every_weaker_piece_but_one() {
        let drawing = DRAWINGS.iter().find(|of| of.name == "pullFull(GH)");
        let beside = drawing.expect("it").beside().expect("a drawing");
        let board = beside.position.board();
        let weak = board.side(Side::Silver) & board.weaker_than(HORSE.role());
        assert_eq!(weak - beside.drawn, Square::D3.bit());
    }
}
