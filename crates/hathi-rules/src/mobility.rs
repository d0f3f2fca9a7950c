//! Who is frozen, who can step, push and pull: Carlini's chapter 3.
//!
//! His functions take the bitboard of one kind of piece; here they are
//! methods of [`Board`] that take the kind. Where one of his drawings
//! disagrees with the rule it illustrates, the rule wins (see the tests).

use crate::{Bitboard, Board, Piece, Role, Side};

impl Board {
    /// Pieces of `side` with a friend next to them.
    #[inline]
    pub fn supported(&self, side: Side) -> Bitboard {
        let own = self.side(side);
        own & own.near()
    }

    /// Pieces of `side` with a stronger enemy next to them
    /// (`strongEnemyNear`).
    #[inline]
    pub fn dominated(&self, side: Side) -> Bitboard {
        let enemy = self.side(side.opponent());
        let own = self.side(side);
        let mut dominated = Bitboard::EMPTY;
        // An elephant has nobody above it.
        for role in [Role::Rabbit, Role::Cat, Role::Dog, Role::Horse, Role::Camel] {
            dominated |= self.role(role) & (self.stronger_than(role) & enemy).near();
        }
        dominated & own
    }

    /// Pieces of `side` that cannot move: a stronger enemy beside them and no
    /// friend (`frozen`).
    #[inline]
    pub fn frozen(&self, side: Side) -> Bitboard {
        self.dominated(side) - self.side(side).near()
    }

    /// Pieces of `side` that are not frozen (`not_frozen`). They may still
    /// have no empty square to go to.
    #[inline]
    pub fn mobile(&self, side: Side) -> Bitboard {
        self.side(side) - self.frozen(side)
    }

    /// Squares a piece of this kind can step to (`move`): empty, next to one
    /// that is not frozen, and for rabbits not behind it.
    pub fn step_targets(&self, piece: Piece) -> Bitboard {
        let movers = self.pieces(piece) & self.mobile(piece.side());
        let mut targets = movers.near();
        if piece.role() == Role::Rabbit {
            let forward = piece.side().forward();
            targets = movers.shift(forward) | movers.east() | movers.west();
        }
        targets & self.empty()
    }

    /// Enemies weaker than `piece` with an empty square beside them
    /// (`pushFull`): the ones that could be pushed if a pusher were near.
    pub fn loose_enemies(&self, piece: Piece) -> Bitboard {
        let weak = self.side(piece.side().opponent()) & self.weaker_than(piece.role());
        weak & self.empty().near()
    }

    /// Enemies that a piece of this kind can push now (`push`). The pusher
    /// ends up on the square of the pushed piece.
    pub fn pushable(&self, piece: Piece) -> Bitboard {
        let pushers = self.pieces(piece) & self.mobile(piece.side());
        pushers.near() & self.loose_enemies(piece)
    }

    /// Where the pushed pieces can go (`pushed`).
    pub fn push_targets(&self, piece: Piece) -> Bitboard {
        self.pushable(piece).near() & self.empty()
    }

    /// Enemies that a piece of this kind can pull now (`pullFull`, limited to
    /// pullers that have an empty square to go to).
    pub fn pullable(&self, piece: Piece) -> Bitboard {
        let pullers = self.pieces(piece) & self.mobile(piece.side()) & self.empty().near();
        pullers.near() & self.side(piece.side().opponent()) & self.weaker_than(piece.role())
    }

    /// Where the pullers can go (`pull`).
    pub fn pull_targets(&self, piece: Piece) -> Bitboard {
        let weak = self.side(piece.side().opponent()) & self.weaker_than(piece.role());
        let pullers = self.pieces(piece) & self.mobile(piece.side()) & weak.near();
        pullers.near() & self.empty()
    }

    /// Enemies of `side` that any of its pieces can push now.
    #[inline]
    pub fn pushable_by(&self, side: Side) -> Bitboard {
        self.beside_stronger(side, self.mobile(side)) & self.empty().near()
    }

    /// Enemies of `side` next to a stronger piece of `movers` (a set of
    /// `side`'s pieces): the same five comparisons as for freezing, seen from
    /// the other end.
    #[inline]
    pub(crate) fn beside_stronger(&self, side: Side, movers: Bitboard) -> Bitboard {
        let enemy = self.side(side.opponent());
        let mut beside = Bitboard::EMPTY;
        for role in [Role::Rabbit, Role::Cat, Role::Dog, Role::Horse, Role::Camel] {
            beside |= self.role(role) & (self.stronger_than(role) & movers).near();
        }
        beside & enemy
    }

    /// Enemies of `side` that would be next to a stronger piece if one of
    /// `movers`, or of the pieces beside them, made one step: what is two
    /// squares from a stronger mover, or beside a stronger piece that cannot
    /// move yet.
    #[inline]
    pub(crate) fn beside_stronger_after_a_step(&self, side: Side, movers: Bitboard) -> Bitboard {
        let own = self.side(side);
        let mut beside = Bitboard::EMPTY;
        for role in [Role::Rabbit, Role::Cat, Role::Dog, Role::Horse, Role::Camel] {
            let strong = self.stronger_than(role);
            beside |= self.role(role) & ((strong & movers).near() | strong & own).near();
        }
        beside & self.side(side.opponent())
    }

    /// Can `side` make at least one step, push or pull? (A pull starts with a
    /// step, so steps and pushes decide.)
    #[inline]
    pub fn can_move(&self, side: Side) -> bool {
        let own = self.side(side);
        let empty = self.empty();
        // Nearly always some piece has a friend beside it, so that it cannot
        // be frozen, and room to move.
        if (own & (own.near() - self.role(Role::Rabbit)))
            .near()
            .intersects(empty)
        {
            return true;
        }
        let mobile = self.mobile(side);
        let rabbits = mobile & self.rabbits(side);
        let ahead = rabbits.shift(side.forward()) | rabbits.east() | rabbits.west();
        let targets = (mobile - rabbits).near() | ahead;
        targets.intersects(empty) || self.pushable_by(side).any()
    }
}

#[cfg(test)]
mod tests {
    //! The worked examples of Carlini's sections 3.3 and 3.4. The thesis lost
    //! some alignment in print; pieces stand where his `EMPTY`, `GOLD` and
    //! result drawings put them.

    use crate::{Bitboard, Board, Piece, Position, Side, Square};

    fn board(text: &str) -> Board {
        *text.parse::<Position>().expect("a drawn position").board()
    }

    fn squares(names: &str) -> Bitboard {
        names
            .split_whitespace()
            .map(|name| name.parse::<Square>().expect("a square"))
            .collect()
    }

    fn freeze_example() -> Board {
        board(
            "g
             +-----------------+
            8| . . . . . r . . |
            7| r . . . . . . . |
            6| d . x . . x D . |
            5| M . . . . . . . |
            4| . . h . m . . . |
            3| . . x . C x . . |
            2| . e . . . . R . |
            1| . C E . . . R H |
             +-----------------+
               a b c d e f g h",
        )
    }

    #[test]
    fn carlini_near() {
        // Section 3.2: one mark on rank 4, one on 3, two on 2 and two on 1, as cats
        // on b1 and h3 have it.
        assert_eq!(squares("b1 h3").near(), squares("a1 c1 b2 h2 h4 g3"));
    }

    #[test]
    fn carlini_freeze() {
        let board = freeze_example();
        let cats = board.pieces(Piece::GoldCat);
        assert_eq!(cats, squares("b1 e3"));
        assert_eq!(board.dominated(Side::Gold) & cats, squares("b1 e3"));
        assert_eq!(board.supported(Side::Gold) & cats, squares("b1"));
        assert_eq!(board.frozen(Side::Gold) & cats, squares("e3"));
        assert_eq!(board.mobile(Side::Gold) & cats, squares("b1"));
        // b1 has the elephants beside it: only a1 is free.
        assert_eq!(board.step_targets(Piece::GoldCat), squares("a1"));
    }

    #[test]
    fn carlini_empty() {
        // His EMPTY leaves out the pieces of ranks 5 to 8 and draws three of
        // the four on rank 1: a slip, EMPTY is the complement of all pieces.
        let occupied = squares("f8 a7 a6 g6 a5 c4 e4 e3 b2 g2 b1 c1 g1 h1");
        assert_eq!(freeze_example().empty(), !occupied);
    }

    fn push_example() -> Board {
        board(
            "g
             +-----------------+
            8| . c . . . r . . |
            7| r . r . . . . . |
            6| d . x . . x . d |
            5| M . . . . . . H |
            4| . . h . m . . . |
            3| . . x r H x . . |
            2| . e . . . . . R |
            1| . C E . . . R C |
             +-----------------+
               a b c d e f g h",
        )
    }

    #[test]
    fn carlini_push() {
        let board = push_example();
        let horse = Piece::GoldHorse;
        assert_eq!(board.loose_enemies(horse), squares("b8 f8 a7 c7 a6 h6 d3"));
        // The horse on e3 is frozen by the camel on e4, so d3 is safe from it.
        assert_eq!(board.pushable(horse), squares("h6"));
        // Drawn as h8 and g6; a dog on h6 goes to h7 or g6. The rule wins.
        assert_eq!(board.push_targets(horse), squares("h7 g6"));
    }

    #[test]
    fn carlini_pull() {
        let board = push_example();
        let horse = Piece::GoldHorse;
        // Drawn with every weaker silver piece, without the `near` that the
        // function computes. The rule wins: only the dog on h6 is beside a
        // horse that can move.
        assert_eq!(board.pullable(horse), squares("h6"));
        assert_eq!(board.pull_targets(horse), squares("g5 h4"));
    }

    #[test]
    fn an_elephant_is_never_frozen_and_rabbits_never_push() {
        let board = board(
            "g
            8| . . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . e . . . . |
            3| . . x E . x . . |
            2| . . . . . . . R |
            1| . . . . . . . r |",
        );
        assert_eq!(board.frozen(Side::Gold), Bitboard::EMPTY);
        assert_eq!(board.pushable(Piece::GoldRabbit), Bitboard::EMPTY);
        assert_eq!(board.pullable(Piece::GoldRabbit), Bitboard::EMPTY);
        assert_eq!(board.pushable_by(Side::Gold), Bitboard::EMPTY);
    }

    #[test]
    fn shut_in_and_frozen_sides_cannot_move() {
        let board = board(
            "s
            8| r r . . . . . . |
            7| R C . . . . . . |
            6| E . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| . . . . . . . R |",
        );
        assert!(board.can_move(Side::Gold));
        assert!(board.can_move(Side::Silver), "b8 can go to c8");
        let mut shut = board;
        shut.place(Square::C8, Piece::GoldDog);
        assert!(!shut.can_move(Side::Silver));
    }
}
