//! Every position ever played, found by the whole board or a part of it.
//!
//! Two places are asked: the index file, and the *delta*, which holds the
//! games added since it was built. Both answer in the same terms; what they
//! find is merged best first.

use std::collections::HashMap;
use std::thread;

use hathi_rules::{Position, Role, Side, Square, Symmetry, Turn};

use crate::answer::{Tally, without_removals};
use crate::index::{
    BuildGame, Gathered, IndexError, IndexFile, IndexedGame, IndexedMove, PostingKind,
    posting_hash, postings_of, rank_of, split,
};
use crate::seen::{Seen, SeenTrap, orientation, unpack_turn};

/// Which part of the board has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All of it.
    Full,
    /// Ranks 3 to 6.
    Half,
    /// The 5x5 squares round a trap.
    Area {
        /// The trap.
        trap: Square,
    },
    /// The same squares, but friends are just friends, and enemies are told
    /// apart only by whether they are weaker than, equal to or stronger than
    /// a piece.
    AreaByPiece {
        /// The trap.
        trap: Square,
        /// The piece.
        piece: Role,
    },
}

/// Does a game of the other colour, or its mirror image, count?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// Yes: one game teaches four.
    #[default]
    Symmetric,
    /// No: exactly this board with this side to move.
    Literal,
}

/// A position that matches, and what was played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Row of the game in the database.
    pub game: i64,
    /// Turns before this one in that game.
    pub ply: u16,
    /// The turn played, translated to the board that was asked about. It need
    /// not be legal there, unless the whole board matched.
    pub turn: Turn,
    /// How that game's board is turned to match.
    pub symmetry: Symmetry,
    /// Did the one who played it win?
    pub won: bool,
    /// Rating of the one who played it.
    pub rating: Option<u16>,
    /// When the game started, in seconds since 1970.
    pub started: Option<i64>,
    /// Turns the player had left, this one included.
    pub turns_left: u16,
}

/// Games added since the index was built.
#[derive(Default)]
pub(crate) struct Delta {
    gathered: Gathered,
    postings: [HashMap<u64, Vec<u32>>; 4],
}

impl Delta {
    pub(crate) fn add(&mut self, game: &BuildGame) {
        let from = self.gathered.boards.len();
        self.gathered.add(game);
        for position in from..self.gathered.boards.len() {
            let board = Seen(self.gathered.boards[position]);
            for kind in PostingKind::ALL {
                for trap in SeenTrap::ALL.into_iter().take(kind.per_position()) {
                    let hash = posting_hash(kind, board, trap);
                    let posting = (position as u32) << 2 | u32::from(trap.index());
                    self.postings[kind as usize]
                        .entry(hash)
                        .or_default()
                        .push(posting);
                }
            }
        }
    }

    pub(crate) fn positions(&self) -> usize {
        self.gathered.boards.len()
    }

    pub(crate) fn games(&self) -> usize {
        self.gathered.games.len()
    }
}

/// The part of a board that is looked for.
pub(crate) struct Wanted {
    pub(crate) kind: PostingKind,
    pub(crate) hash: u64,
    side: Side,
    pub(crate) matching: Matching,
    what: What,
}

enum What {
    /// Board or half board, and its mirror image.
    Board {
        part: fn(Seen) -> Seen,
        seen: Seen,
        image: Seen,
    },
    Window {
        trap: SeenTrap,
        seen: Seen,
        strength: Option<u8>,
    },
}

impl Wanted {
    pub(crate) fn new(position: &Position, kind: Kind, matching: Matching) -> Option<Wanted> {
        let board = Seen::of(position);
        let side = position.side_to_move();
        let whole = |part: fn(Seen) -> Seen| What::Board {
            part,
            seen: part(board),
            image: part(board).mirrored(),
        };
        let (posting, trap, what) = match kind {
            Kind::Full => (
                PostingKind::Full,
                SeenTrap::from_index(0),
                whole(|seen| seen),
            ),
            Kind::Half => (
                PostingKind::Half,
                SeenTrap::from_index(0),
                whole(Seen::half),
            ),
            Kind::Area { trap } => {
                let trap = SeenTrap::of_square(trap, side)?;
                let what = What::Window {
                    trap,
                    seen: board.window(trap),
                    strength: None,
                };
                (PostingKind::Area, trap, what)
            }
            Kind::AreaByPiece { trap, piece } => {
                let trap = SeenTrap::of_square(trap, side)?;
                let strength = piece.index() as u8 + 1;
                let what = What::Window {
                    trap,
                    seen: board.window(trap).relative_to(strength),
                    strength: Some(strength),
                };
                (PostingKind::Sides, trap, what)
            }
        };
        Some(Wanted {
            kind: posting,
            hash: posting_hash(posting, board, trap),
            side,
            matching,
            what,
        })
    }

    /// The windows that may match; the first one for other kinds.
    pub(crate) fn traps(&self) -> Vec<SeenTrap> {
        match self.what {
            What::Board { .. } => vec![SeenTrap::from_index(0)],
            What::Window { trap, .. } => SeenTrap::ALL
                .into_iter()
                .filter(|other| {
                    other.is_away() == trap.is_away()
                        && (self.matching == Matching::Symmetric || *other == trap)
                })
                .collect(),
        }
    }

    /// Does this stored position match, and is it mirrored? The hash has
    /// brought us here; the board decides.
    #[inline]
    pub(crate) fn matches(&self, board: Seen, trap: SeenTrap, ply: u16) -> Option<bool> {
        let mirrored = match self.what {
            What::Board { part, seen, image } => {
                let stored = part(board);
                if stored == seen {
                    false
                } else if stored == image {
                    true
                } else {
                    return None;
                }
            }
            What::Window {
                trap: wanted,
                seen,
                strength,
            } => {
                if trap.is_away() != wanted.is_away() {
                    return None;
                }
                let window = board.window(trap);
                let window = strength.map_or(window, |strength| window.relative_to(strength));
                if window != seen {
                    return None;
                }
                trap.is_right() != wanted.is_right()
            }
        };
        let literal = !mirrored && mover(ply) == self.side;
        (self.matching == Matching::Symmetric || literal).then_some(mirrored)
    }
}

/// Whose turn it is after this many turns.
#[inline]
pub(crate) const fn mover(ply: u16) -> Side {
    if ply.is_multiple_of(2) {
        Side::Gold
    } else {
        Side::Silver
    }
}

/// A match before it is translated.
#[derive(Clone, Copy)]
pub(crate) struct RawHit {
    pub(crate) game: IndexedGame,
    pub(crate) played: IndexedMove,
    pub(crate) mirrored: bool,
}

impl RawHit {
    pub(crate) fn rank(&self) -> u32 {
        rank_of(&self.game, self.played.ply)
    }

    /// Turned to the board of the one who asks.
    pub(crate) fn translate(&self, side: Side) -> Option<Hit> {
        let stored_side = mover(self.played.ply);
        let symmetry = Symmetry {
            mirror: self.mirrored,
            flip: stored_side != side,
        };
        Some(Hit {
            game: self.game.id,
            ply: self.played.ply,
            turn: self.turn(side)?,
            symmetry,
            won: self.won(),
            rating: self.rating(),
            started: (self.game.started != i64::MIN).then_some(self.game.started),
            turns_left: self.game.turns.saturating_sub(self.played.ply).div_ceil(2),
        })
    }

    /// Turned likewise, if what was played is legal there.
    pub(crate) fn legal_on(&self, position: &Position) -> Option<Hit> {
        let side = position.side_to_move();
        let turn = without_removals(&self.turn(side)?);
        let (turn, _) = position.check_turn(&turn).ok()?;
        self.translate(side).map(|hit| Hit { turn, ..hit })
    }

    /// The turn alone, on the board of the one who asks.
    pub(crate) fn turn(&self, side: Side) -> Option<Turn> {
        let mirror = Symmetry {
            mirror: self.mirrored,
            flip: false,
        };
        let turn = unpack_turn(self.played.turn)?;
        Some(orientation(side).apply(mirror.apply(turn)))
    }

    /// Did the one who moved win?
    pub(crate) fn won(&self) -> bool {
        match mover(self.played.ply) {
            Side::Gold => self.game.winner == 1,
            Side::Silver => self.game.winner == 2,
        }
    }

    /// The rating of the one who moved.
    pub(crate) fn rating(&self) -> Option<u16> {
        let rating = match mover(self.played.ply) {
            Side::Gold => self.game.gold_rating,
            Side::Silver => self.game.silver_rating,
        };
        (rating > 0).then_some(rating)
    }
}

/// Postings that are not worth a thread of their own.
const SHORT_LIST: usize = 4096;

/// Positions fetched together at most.
const LARGEST_BATCH: usize = 128;

/// Calls `visit` with every match, best first, until it says to stop
/// (returns false).
pub(crate) fn for_each_hit(
    index: Option<&IndexFile>,
    delta: &Delta,
    position: &Position,
    kind: Kind,
    matching: Matching,
    mut visit: impl FnMut(&RawHit) -> bool,
) -> Result<(), IndexError> {
    let Some(wanted) = Wanted::new(position, kind, matching) else {
        return Ok(());
    };
    let mut recent = delta_hits(delta, &wanted);
    recent.sort_by_key(RawHit::rank);
    let mut recent = recent.into_iter().peekable();
    if let Some(index) = index {
        let postings = postings_of(index, wanted.kind, wanted.hash)?;
        let mut go_on = true;
        index_hits(index, &wanted, postings, |hit| {
            while let Some(newer) = recent.next_if(|newer| go_on && newer.rank() < hit.rank()) {
                go_on = visit(&newer);
            }
            go_on = go_on && visit(hit);
            go_on
        })?;
        if !go_on {
            return Ok(());
        }
    }
    for hit in recent {
        if !visit(&hit) {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with the postings that match, until it returns false.
///
/// Every position is somewhere else in memory. Fetched one by one they would
/// be waited for one by one; a batch is waited for once, and once more for
/// the games of those that match. Who wants only the first should not wait
/// for many, so batches grow.
fn index_hits(
    index: &IndexFile,
    wanted: &Wanted,
    postings: &[u32],
    mut visit: impl FnMut(&RawHit) -> bool,
) -> Result<(), IndexError> {
    let most = LARGEST_BATCH.min(postings.len());
    let mut fetched = Vec::with_capacity(most);
    let mut hits = Vec::with_capacity(most);
    let (mut rest, mut size) = (postings, 1);
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(size.min(rest.len()));
        fetched.clear();
        for &posting in batch {
            let (number, trap) = split(wanted.kind, posting);
            fetched.push((Seen(index.board(number)?), index.played(number)?, trap));
        }
        for &(board, played, trap) in &fetched {
            let Some(mirrored) = wanted.matches(board, trap, played.ply) else {
                continue;
            };
            hits.push(RawHit {
                game: index.game(played.game)?,
                played,
                mirrored,
            });
        }
        for hit in hits.drain(..) {
            if !visit(&hit) {
                return Ok(());
            }
        }
        (rest, size) = (others, (size * 2).min(LARGEST_BATCH));
    }
    Ok(())
}

/// Adds up every match that `keep` lets through; long lists on all cores.
pub(crate) fn tally_hits(
    index: Option<&IndexFile>,
    delta: &Delta,
    position: &Position,
    kind: Kind,
    matching: Matching,
    keep: impl Fn(&RawHit) -> bool + Sync,
) -> Result<Tally, IndexError> {
    let mut tally = Tally::default();
    let Some(wanted) = Wanted::new(position, kind, matching) else {
        return Ok(tally);
    };
    for hit in delta_hits(delta, &wanted).iter().filter(|hit| keep(hit)) {
        tally.add(hit);
    }
    tally.start_other_numbers();
    let Some(index) = index else {
        return Ok(tally);
    };
    let postings = postings_of(index, wanted.kind, wanted.hash)?;
    let cores = crate::cores::threads(0);
    let share = postings.len().div_ceil(cores).max(SHORT_LIST);
    let parts: Vec<Result<Tally, IndexError>> = thread::scope(|scope| {
        let (wanted, keep) = (&wanted, &keep);
        let work = move |part: &[u32]| {
            let mut tally = Tally::default();
            index_hits(index, wanted, part, |hit| {
                if keep(hit) {
                    tally.add(hit);
                }
                true
            })?;
            Ok(tally)
        };
        let mut shares = postings.chunks(share);
        let mine = shares.next();
        let workers: Vec<_> = shares.map(|part| scope.spawn(move || work(part))).collect();
        let mut parts: Vec<_> = mine.into_iter().map(work).collect();
        parts.extend(workers.into_iter().map(crate::cores::joined));
        parts
    });
    for part in parts {
        tally.merge(part?);
    }
    Ok(tally)
}

fn delta_hits(delta: &Delta, wanted: &Wanted) -> Vec<RawHit> {
    let postings = delta.postings[wanted.kind as usize].get(&wanted.hash);
    postings
        .into_iter()
        .flatten()
        .filter_map(|&posting| {
            let number = (posting >> 2) as usize;
            let played = delta.gathered.moves[number];
            let board = Seen(delta.gathered.boards[number]);
            let mirrored = wanted.matches(board, SeenTrap::from_index(posting), played.ply)?;
            Some(RawHit {
                game: delta.gathered.games[played.game as usize],
                played,
                mirrored,
            })
        })
        .collect()
}

/// Every position of the delta, for scans.
pub(crate) fn delta_positions(
    delta: &Delta,
) -> impl Iterator<Item = (Seen, IndexedMove, IndexedGame)> + '_ {
    delta
        .gathered
        .boards
        .iter()
        .zip(&delta.gathered.moves)
        .map(|(&board, &played)| {
            (
                Seen(board),
                played,
                delta.gathered.games[played.game as usize],
            )
        })
}

/// The trap nearest to a square: where the opponent has just been busy. Of
/// several equally near, the first of c3, f3, c6, f6.
pub fn nearest_trap(square: Square) -> Square {
    Square::TRAPS
        .into_iter()
        .min_by_key(|trap| trap.distance(square))
        .unwrap_or(Square::C3)
}
