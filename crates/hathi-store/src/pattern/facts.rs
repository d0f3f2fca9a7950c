//! Facts as they are asked of sixty-four stored boards at a time.
//!
//! What is dear to work out stands in columns beside the index: a word of bits
//! for each yes or no ("the mover can goal within three steps"), and lists of
//! squares (frozen pieces, hostages, what can be captured in which trap). All
//! of it is in the view of the mover, who plays Gold there.

use hathi_model::phase::{Phase, PhaseScore, not_advanced};
use hathi_rules::{Bitboard, Side, Square, Step, Symmetry};

use super::condition::{Condition, Content, Count};
use super::fact::{Fact, Span, Who, arrives, fallen};
use crate::index::{IndexedGame, IndexedMove};

/// Boards looked at together: as many as a word has bits.
pub(crate) const BLOCK: usize = 64;

/// Which columns a pattern looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) goals: bool,
    pub(crate) captures: bool,
    pub(crate) shapes: bool,
}

impl Needs {
    pub(crate) fn and(self, other: Needs) -> Needs {
        Needs {
            goals: self.goals || other.goals,
            captures: self.captures || other.captures,
            shapes: self.shapes || other.shapes,
        }
    }
}

/// Sixty-four stored positions and what is known of them. Fewer at the end of
/// all: the rest of the boards is empty then.
pub(crate) struct FactBlock<'a> {
    pub(crate) boards: &'a [[u64; 4]; BLOCK],
    /// One bit for each position that there is.
    pub(crate) real: u64,
    /// What was played there, or nothing if that is not known.
    pub(crate) moves: &'a [IndexedMove],
    /// The games, by the numbers in the moves.
    pub(crate) games: &'a [IndexedGame],
    pub(crate) columns: BlockColumns<'a>,
}

/// The columns of a block; those that nobody needs may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockColumns<'a> {
    /// The mover could goal within 1, 2, 3, 4 steps; then the opponent.
    pub(crate) goals: &'a [u64],
    /// Forks of the mover, of the opponent.
    pub(crate) forks: &'a [u64],
    /// The mover's elephant is blockaded, the opponent's.
    pub(crate) blockades: &'a [u64],
    pub(crate) victims: &'a [u16],
    pub(crate) frozen: &'a [u16],
    pub(crate) hostages: &'a [u16],
    pub(crate) framed: &'a [u16],
}

/// A square in a list: position within the block, square, and a trap.
pub(crate) const fn entry(position: usize, square: Square, trap: usize) -> u16 {
    (position & 63) as u16 | (square.index() as u16) << 6 | (trap as u16) << 12
}

/// A fact in the view of the mover.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FactTest {
    List {
        list: List,
        content: Content,
        area: u64,
        count: Count,
        /// 0 to 3 in the order of [`Square::TRAPS`].
        trap: Option<u16>,
        by: Option<Content>,
    },
    Goal {
        opponent: bool,
        steps: u8,
    },
    Fork {
        opponent: bool,
    },
    Blockade {
        mover: bool,
        opponent: bool,
    },
    Strongest {
        beside: u64,
        content: Content,
    },
    /// The mover's pieces less the opponent's.
    Material(Span),
    Phase(Phase),
    MoveNumber(Span),
    /// Of these players.
    Rating {
        mover: bool,
        opponent: bool,
        span: Span,
    },
    Won {
        opponent: bool,
    },
    Plays {
        content: Content,
        area: u64,
    },
    Takes {
        content: Content,
        trap: Option<Square>,
    },
    GivesUp(Content),
    /// It cannot be in this view.
    Never,
}

/// Whose squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Frozen,
    Hostages,
    Framed,
    /// Of either side.
    Victims,
}

impl FactTest {
    /// What the image of a fact asks of stored boards.
    pub(super) fn of(fact: &Fact, symmetry: Symmetry) -> FactTest {
        let is_opponent = |who: Who| match who {
            Who::Side(side) => symmetry.apply(side) == Side::Silver,
            Who::Mover => false,
            Who::Opponent => true,
        };
        let list = |list: List, pieces: &Condition| FactTest::List {
            list,
            content: symmetry.apply(pieces.content),
            area: symmetry.apply(pieces.area.squares()).0,
            count: pieces.count,
            trap: None,
            by: None,
        };
        match fact {
            Fact::Frozen(pieces) => list(List::Frozen, pieces),
            Fact::Framed(pieces) => list(List::Framed, pieces),
            Fact::Hostage { held, by: holder } => {
                let mut test = list(List::Hostages, held);
                if let FactTest::List { by, .. } = &mut test {
                    *by = holder.map(|content| symmetry.apply(content));
                }
                test
            }
            Fact::Capture {
                victims,
                trap: into,
                now,
            } => {
                let mut test = list(List::Victims, victims);
                if let FactTest::List { content, trap, .. } = &mut test {
                    *trap = into.map(|trap| trap_number(symmetry.apply(trap)));
                    if *now {
                        // The mover captures what is Silver in his view.
                        match content.side {
                            Some(Side::Gold) => {
                                // None of those: as many as that may be.
                                return if victims.count.contains(0) {
                                    FactTest::always()
                                } else {
                                    FactTest::Never
                                };
                            }
                            _ => content.side = Some(Side::Silver),
                        }
                    }
                }
                test
            }
            Fact::Goal { who, steps } => FactTest::Goal {
                opponent: is_opponent(*who),
                steps: *steps,
            },
            Fact::Fork(who) => FactTest::Fork {
                opponent: is_opponent(*who),
            },
            Fact::Blockade(side) => FactTest::Blockade {
                mover: side.is_none_or(|side| !is_opponent(Who::Side(side))),
                opponent: side.is_none_or(|side| is_opponent(Who::Side(side))),
            },
            Fact::Strongest { trap, content } => FactTest::Strongest {
                beside: symmetry.apply(*trap).neighbours().0,
                content: symmetry.apply(*content),
            },
            Fact::Material(span) if symmetry.flip => FactTest::Material(span.negated()),
            Fact::Material(span) => FactTest::Material(*span),
            Fact::Phase(phase) => FactTest::Phase(*phase),
            Fact::MoveNumber(span) => FactTest::MoveNumber(*span),
            Fact::Rating { who, span } => FactTest::Rating {
                mover: who.is_none_or(|who| !is_opponent(who)),
                opponent: who.is_none_or(is_opponent),
                span: *span,
            },
            Fact::Won(who) => FactTest::Won {
                opponent: is_opponent(*who),
            },
            Fact::Plays { content, area } => FactTest::Plays {
                content: symmetry.apply(*content),
                area: symmetry.apply(area.squares()).0,
            },
            Fact::Takes { content, trap } => FactTest::Takes {
                content: symmetry.apply(*content),
                trap: trap.map(|trap| symmetry.apply(trap)),
            },
            Fact::GivesUp(content) => FactTest::GivesUp(symmetry.apply(*content)),
        }
    }

    /// Holds everywhere: any difference of pieces will do.
    const fn always() -> FactTest {
        FactTest::Material(Span {
            least: i32::MIN,
            most: i32::MAX,
        })
    }

    /// Which columns it looks at.
    pub(super) fn needs(&self) -> Needs {
        Needs {
            goals: matches!(self, FactTest::Goal { .. } | FactTest::Phase(_)),
            captures: matches!(
                self,
                FactTest::Fork { .. }
                    | FactTest::List {
                        list: List::Victims,
                        ..
                    }
            ),
            shapes: matches!(self, FactTest::Blockade { .. })
                || matches!(self, FactTest::List { list, .. } if *list != List::Victims),
        }
    }

    /// Roughly how much work a board is; what is cheap is asked first.
    pub(super) const fn cost(&self) -> u32 {
        match self {
            FactTest::Never => 0,
            FactTest::Goal { .. } | FactTest::Fork { .. } | FactTest::Blockade { .. } => 1,
            FactTest::List { list, .. } => match list {
                List::Hostages | List::Framed => 2,
                List::Victims => 3,
                List::Frozen => 4,
            },
            FactTest::Material(_) | FactTest::Strongest { .. } => 5,
            FactTest::Phase(_) => 6,
            FactTest::MoveNumber(_) | FactTest::Won { .. } | FactTest::Rating { .. } => 7,
            FactTest::Takes { .. } | FactTest::GivesUp(_) | FactTest::Plays { .. } => 8,
        }
    }

    /// Those of the boards in question for which it holds.
    pub(super) fn passing(&self, block: &FactBlock<'_>, alive: u64) -> u64 {
        let columns = &block.columns;
        let word = |words: &[u64], i: usize| words.get(i).copied().unwrap_or(0);
        match *self {
            FactTest::Never => 0,
            FactTest::Goal { opponent, steps } => {
                let place = usize::from(opponent) * 4 + usize::from(steps) - 1;
                alive & word(columns.goals, place)
            }
            FactTest::Fork { opponent } => alive & word(columns.forks, usize::from(opponent)),
            FactTest::Blockade { mover, opponent } => {
                let of = |wanted: bool, i| {
                    if wanted {
                        word(columns.blockades, i)
                    } else {
                        0
                    }
                };
                alive & (of(mover, 0) | of(opponent, 1))
            }
            FactTest::List {
                list,
                content,
                area,
                count,
                trap,
                by,
            } => {
                let entries = match list {
                    List::Frozen => columns.frozen,
                    List::Hostages => columns.hostages,
                    List::Framed => columns.framed,
                    List::Victims => columns.victims,
                };
                let wanted = Wanted::new(content, area, trap, by);
                wanted.passing(entries, count, block.boards, alive)
            }
            FactTest::Strongest { beside, content } => {
                let boards = block.boards;
                each(alive, |i| strongest_are(&boards[i], beside, content))
            }
            FactTest::Material(span) => each(alive, |i| {
                let [p0, p1, p2, enemies] = block.boards[i];
                let all = (p0 | p1 | p2).count_ones().cast_signed();
                span.contains(all - 2 * enemies.count_ones().cast_signed())
            }),
            FactTest::Phase(phase) => {
                let threat = word(columns.goals, 3) | word(columns.goals, 7);
                each(alive, |i| {
                    let found = if threat >> i & 1 != 0 {
                        Phase::End
                    } else {
                        quiet_phase(&block.boards[i])
                    };
                    found == phase
                })
            }
            FactTest::MoveNumber(span) => each(alive, |i| {
                (block.moves.get(i))
                    .is_some_and(|played| span.contains(played.ply().move_number().cast_signed()))
            }),
            FactTest::Rating {
                mover,
                opponent,
                span,
            } => each(alive, |i| {
                block.game(i).is_some_and(|(played, game)| {
                    let fits = |side| {
                        let rating = match side {
                            Side::Gold => game.gold_rating,
                            Side::Silver => game.silver_rating,
                        };
                        rating > 0 && span.contains(rating.into())
                    };
                    let side = played.mover();
                    (!mover || fits(side)) && (!opponent || fits(side.opponent()))
                })
            }),
            FactTest::Won { opponent } => each(alive, |i| {
                block.game(i).is_some_and(|(played, game)| {
                    let side = if opponent {
                        played.mover().opponent()
                    } else {
                        played.mover()
                    };
                    game.winner == side as u8 + 1
                })
            }),
            FactTest::Plays { content, area } => each(alive, |i| {
                block.may_arrive(i, content, area)
                    && block.steps(i).is_some_and(|(steps, count)| {
                        arrives(&steps[..count], Side::Gold, |piece, to| {
                            content.allows(Some(piece)) && Bitboard(area).contains(to)
                        })
                    })
            }),
            FactTest::Takes { content, trap } => each(alive, |i| {
                block.captures(i)
                    && block.steps(i).is_some_and(|(steps, count)| {
                        fallen(&steps[..count], Side::Silver).any(|removal| {
                            content.allows(Some(removal.piece))
                                && trap.is_none_or(|trap| trap == removal.square)
                        })
                    })
            }),
            FactTest::GivesUp(content) => each(alive, |i| {
                block.captures(i)
                    && block.steps(i).is_some_and(|(steps, count)| {
                        fallen(&steps[..count], Side::Gold)
                            .any(|removal| content.allows(Some(removal.piece)))
                    })
            }),
        }
    }
}

impl FactBlock<'_> {
    fn game(&self, i: usize) -> Option<(&IndexedMove, &IndexedGame)> {
        let played = self.moves.get(i)?;
        Some((played, self.games.get(played.game as usize)?))
    }

    /// Does some step there bring such a piece of the mover to such a square? By
    /// the bits alone (from 0 to 5, direction 6 and 7, strength 8 to 10, side
    /// 11), since most turns do not.
    #[inline]
    fn may_arrive(&self, i: usize, content: Content, area: u64) -> bool {
        let Some(played) = self.moves.get(i) else {
            return false;
        };
        played.turn.iter().any(|&step| {
            let strength = (step >> 8 & 7) as u8;
            // North, south, east, west.
            let to = (step & 63).wrapping_add(
                [8, 8u16.wrapping_neg(), 1, 1u16.wrapping_neg()][usize::from(step >> 6 & 3)],
            );
            strength != 0
                && step >> 11 & 1 == 0
                && content.weakest <= strength
                && strength <= content.strongest
                && area >> (to & 63) & 1 != 0
        })
    }

    /// Does the turn played there make any piece fall?
    fn captures(&self, i: usize) -> bool {
        (self.moves.get(i)).is_some_and(|played| played.turn.iter().any(|step| step >> 12 != 0))
    }

    /// The steps played there, and how many they are.
    fn steps(&self, i: usize) -> Option<([Step; 4], usize)> {
        let packed = self.moves.get(i)?.turn;
        let mut steps = [Step::from_bits(packed[0])?; 4];
        let mut count = 0;
        for bits in packed.into_iter().take_while(|&bits| bits != 0) {
            steps[count] = Step::from_bits(bits)?;
            count += 1;
        }
        Some((steps, count))
    }
}

/// The boards in question that pass a test of single ones.
#[inline]
fn each(alive: u64, passes: impl Fn(usize) -> bool) -> u64 {
    let (mut passing, mut left) = (0, alive);
    while left != 0 {
        let i = left.trailing_zeros() as usize;
        passing |= u64::from(passes(i)) << i;
        left &= left - 1;
    }
    passing
}

/// So few squares are asked about first.
const FEW_SQUARES: u32 = 8;

/// What is looked for in a list.
struct Wanted {
    /// A bit for each piece that will do, by its code: strength, then the side.
    codes: u16,
    area: u64,
    /// A bit for each trap that will do.
    traps: u16,
    by: Option<Content>,
}

impl Wanted {
    fn new(content: Content, area: u64, trap: Option<u16>, by: Option<Content>) -> Wanted {
        let mut codes = 0;
        for strength in
            (0..8u8).filter(|strength| (content.weakest..=content.strongest).contains(strength))
        {
            for (side, bit) in [(Side::Gold, 0), (Side::Silver, 8)] {
                if content.side.is_none_or(|wanted| wanted == side) {
                    codes |= 1 << (strength | bit);
                }
            }
        }
        Wanted {
            codes,
            area,
            traps: trap.map_or(0b1111, |trap| 1 << (trap & 3)),
            by,
        }
    }

    fn passing(
        &self,
        entries: &[u16],
        count: Count,
        boards: &[[u64; 4]; BLOCK],
        alive: u64,
    ) -> u64 {
        if count == Count::SOME {
            let mut found = 0;
            if let Some(by) = self.by {
                for &entry in entries {
                    let position = usize::from(entry & 63);
                    let fits = self.fits(entry, &boards[position]) & alive >> position;
                    if fits & 1 != 0 && is_held_by(by, &boards[position], square_of(entry)) {
                        found |= 1 << position;
                    }
                }
                return found;
            }
            // No branch depends on what is found, as it could not be foreseen; but that
            // an entry is not about one of a few squares can be.
            let few = self.area.count_ones() <= FEW_SQUARES;
            for &entry in entries {
                if few && self.area >> square_of(entry) & 1 == 0 {
                    continue;
                }
                let position = usize::from(entry & 63);
                found |= self.fits(entry, &boards[position]) << position;
            }
            return found & alive;
        }
        // A piece that could fall into two traps is still one piece.
        let mut squares = [0u64; BLOCK];
        for &entry in entries {
            let position = usize::from(entry & 63);
            let board = &boards[position];
            let held = |by| is_held_by(by, board, square_of(entry));
            if self.fits(entry, board) != 0 && self.by.is_none_or(held) {
                squares[position] |= 1 << square_of(entry);
            }
        }
        each(alive, |i| count.contains(squares[i].count_ones() as usize))
    }

    /// 1 if the piece, the square and the trap of the entry will do, else 0.
    #[inline]
    fn fits(&self, entry: u16, board: &[u64; 4]) -> u64 {
        let square = square_of(entry);
        let bit = |plane: usize| board[plane] >> square & 1;
        let code = bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3;
        let (codes, traps) = (self.codes >> code, self.traps >> (entry >> 12 & 3));
        self.area >> square & u64::from(codes & traps) & 1
    }
}

#[inline]
fn square_of(entry: u16) -> u32 {
    u32::from(entry >> 6 & 63)
}

/// Strength of what stands there (0 for nothing), and whether it is an enemy.
#[inline]
fn found(board: &[u64; 4], square: u32) -> (u8, bool) {
    let bit = |plane: usize| (board[plane] >> square & 1) as u8;
    (bit(0) | bit(1) << 1 | bit(2) << 2, bit(3) != 0)
}

#[inline]
fn allows(content: Content, board: &[u64; 4], square: u32) -> bool {
    let (strength, enemy) = found(board, square);
    let side = if enemy { Side::Silver } else { Side::Gold };
    content.weakest <= strength
        && strength <= content.strongest
        && content.side.is_none_or(|wanted| wanted == side)
}

/// Is one of these, stronger and of the other side, beside the piece there?
fn is_held_by(by: Content, board: &[u64; 4], square: u32) -> bool {
    let (strength, enemy) = found(board, square);
    let beside = Bitboard(1 << square).near();
    beside.iter().any(|other| {
        let other = other.index() as u32;
        let (holder, other_side) = found(board, other);
        holder > strength && other_side != enemy && allows(by, board, other)
    })
}

/// Is every piece there than which there is no stronger one such a piece?
fn strongest_are(board: &[u64; 4], beside: u64, content: Content) -> bool {
    let [p0, p1, p2, enemies] = *board;
    let [p0, p1, p2] = [p0 & beside, p1 & beside, p2 & beside];
    let mut top = p0 | p1 | p2;
    if top == 0 {
        return false;
    }
    let mut strength = 0;
    for (bit, plane) in [(4, p2), (2, p1), (1, p0)] {
        if top & plane != 0 {
            top &= plane;
            strength |= bit;
        }
    }
    (content.weakest..=content.strongest).contains(&strength)
        && match content.side {
            None => true,
            Some(Side::Gold) => top & enemies == 0,
            Some(Side::Silver) => top & !enemies == 0,
        }
}

/// The phase while nobody threatens to reach goal.
fn quiet_phase(board: &[u64; 4]) -> Phase {
    let [p0, p1, p2, enemies] = *board;
    let all = p0 | p1 | p2;
    let elephants = p2 & p1 & !p0;
    let (own, theirs) = (all & !enemies, enemies);
    let advanced = |set: u64, side: Side| (set & !elephants & !not_advanced(side).0).count_ones();
    let fewer = own.count_ones().min(theirs.count_ones());
    let most = advanced(own, Side::Gold).max(advanced(theirs, Side::Silver));
    PhaseScore::new(fewer, most).phase()
}

fn trap_number(trap: Square) -> u16 {
    let found = Square::TRAPS.iter().position(|&other| other == trap);
    found.unwrap_or(0) as u16
}

impl Span {
    /// What the opposite numbers are in.
    fn negated(self) -> Span {
        let negated = |number: i32| match number {
            i32::MIN => i32::MAX,
            i32::MAX => i32::MIN,
            number => -number,
        };
        Span {
            least: negated(self.most),
            most: negated(self.least),
        }
    }
}
