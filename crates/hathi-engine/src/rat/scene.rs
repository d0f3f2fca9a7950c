//! A position under consideration: the view, what was found in it, and the
//! walks that several categories ask for.

use std::cell::OnceCell;

use hathi_rules::{Bitboard, Board, Position, Role, Square};

use super::Knowledge;
use super::features::Features;
use super::shove::{Shove, shoves};
use super::view::{THEM, US, View};
use super::walk::{Walk, walks};

/// Everything a category needs to build its turns.
pub(crate) struct Scene<'a> {
    pub(crate) view: View,
    pub(crate) features: Features,
    pub(crate) knowledge: &'a Knowledge,
    walks: OnceCell<Vec<Walk>>,
    /// Places in `walks`, by the square they lead to.
    by_target: OnceCell<Vec<(Square, u16)>>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(real: &Position, knowledge: &'a Knowledge) -> Scene<'a> {
        let view = View::new(real);
        Scene {
            features: Features::of(&view.position),
            view,
            knowledge,
            walks: OnceCell::new(),
            by_target: OnceCell::new(),
        }
    }

    /// The position, Gold to move.
    pub(crate) fn position(&self) -> &Position {
        &self.view.position
    }

    pub(crate) fn board(&self) -> &Board {
        self.view.position.board()
    }

    pub(crate) fn steps_left(&self) -> u8 {
        self.view.position.steps_left()
    }

    pub(crate) fn ours(&self, role: Role) -> Bitboard {
        self.board().side(US) & self.board().role(role)
    }

    pub(crate) fn theirs(&self, role: Role) -> Bitboard {
        self.board().side(THEM) & self.board().role(role)
    }

    /// Our pieces stronger than this one of theirs.
    pub(crate) fn stronger(&self, victim: Square) -> Bitboard {
        self.board()
            .piece_at(victim)
            .map_or(Bitboard::EMPTY, |piece| {
                self.board().side(US) & self.board().stronger_than(piece.role())
            })
    }

    /// The walks of all our pieces with the steps left.
    pub(crate) fn all_walks(&self) -> &[Walk] {
        self.walks.get_or_init(|| {
            let position = self.position();
            let movers = self.board().mobile(US);
            movers
                .into_iter()
                .flat_map(|from| walks(position, from, 4))
                .collect()
        })
    }

    /// The walks of some of our pieces.
    pub(crate) fn walks_of(&self, pieces: Bitboard) -> impl Iterator<Item = &Walk> {
        self.all_walks()
            .iter()
            .filter(move |walk| pieces.contains(walk.from))
    }

    /// The walks that end on a square.
    pub(crate) fn walks_to(&self, target: Square) -> impl Iterator<Item = &Walk> {
        let walks = self.all_walks();
        let sorted = self.by_target.get_or_init(|| {
            let mut sorted: Vec<(Square, u16)> = (0..)
                .zip(walks)
                .map(|(index, walk)| (walk.to, index))
                .collect();
            sorted.sort_unstable();
            sorted
        });
        let from = sorted.partition_point(|&(to, _)| to < target);
        sorted[from..]
            .iter()
            .take_while(move |&&(to, _)| to == target)
            .map(|&(_, index)| &walks[usize::from(index)])
    }

    /// Ways to move an enemy piece.
    pub(crate) fn shoves_of(&self, victim: Square) -> Vec<Shove> {
        shoves(self.position(), victim, 4)
    }
}

/// Enemy pieces of a position within so many steps of a piece of ours that is
/// stronger and can move.
pub(crate) fn in_reach(board: &Board, hunters: Bitboard, distance: u32) -> Bitboard {
    let hunters = hunters & board.mobile(US);
    let mut reached = Bitboard::EMPTY;
    for role in [Role::Rabbit, Role::Cat, Role::Dog, Role::Horse, Role::Camel] {
        let mut area = hunters & board.stronger_than(role);
        for _ in 0..distance {
            area = area.grow();
        }
        reached |= area & board.role(role) & board.side(THEM);
    }
    reached
}

/// The strongest piece of a set.
pub(crate) fn strongest(board: &Board, set: Bitboard) -> Option<Square> {
    set.into_iter()
        .max_by_key(|&square| board.piece_at(square).map(hathi_rules::Piece::role))
}
