//! Facts as they are asked of sixty-four stored boards at a time: of the
//! columns of a [block](super::block), without a look at the boards but for who
//! holds a hostage.

#[cfg(feature = "postgres")]
pub(super) mod sql;

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Side, Symmetry};

use super::block::{CountWords, FactBlock, GameWords, Needs, trap_number};
use super::condition::{Condition, Content, Count};
use super::fact::{Fact, Span, Who};
use super::listed::Wanted;
use super::sliced;
use crate::index::Family;

/// A fact in the view of the mover.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FactTest {
    List {
        list: List,
        wanted: Wanted,
        count: Count,
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
        /// Its number, in the order of [`hathi_rules::Square::TRAPS`].
        trap: usize,
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
    /// It is always so.
    Always,
    /// It cannot be in this view.
    Never,
}

/// Whose squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Frozen,
    Hostages,
    Framed,
    /// Of either side, in any trap.
    Victims,
    /// The same in one of them.
    VictimsIn(usize),
    /// With the turn played.
    Arrivals,
    Fallen,
}

impl List {
    fn family(self) -> Family {
        match self {
            List::Frozen | List::Hostages | List::Framed => Family::Shapes,
            List::Victims | List::VictimsIn(_) => Family::Captures,
            List::Arrivals | List::Fallen => Family::Turns,
        }
    }
}

impl FactTest {
    /// What the image of a fact asks of stored boards.
    pub(super) fn of(fact: &Fact, symmetry: Symmetry) -> FactTest {
        let is_opponent = |who: Who| match who {
            Who::Side(side) => symmetry.apply(side) == Side::Silver,
            Who::Mover => false,
            Who::Opponent => true,
        };
        let list = |list: List, pieces: &Condition, by: Option<Content>| FactTest::List {
            list,
            wanted: Wanted::new(
                symmetry.apply(pieces.content),
                symmetry.apply(pieces.area.squares()).0,
                by.map(|content| symmetry.apply(content)),
            ),
            count: pieces.count,
        };
        match fact {
            Fact::Frozen(pieces) => list(List::Frozen, pieces, None),
            Fact::Framed(pieces) => list(List::Framed, pieces, None),
            Fact::Hostage { held, by } => list(List::Hostages, held, *by),
            Fact::Capture { victims, trap, now } => {
                let place = trap.map_or(List::Victims, |trap| {
                    List::VictimsIn(trap_number(symmetry.apply(trap)))
                });
                if !now {
                    return list(place, victims, None);
                }
                // The mover captures what is Silver in his view.
                match of_side(symmetry.apply(victims.content), Side::Silver) {
                    Some(content) => FactTest::List {
                        list: place,
                        wanted: Wanted::new(
                            content,
                            symmetry.apply(victims.area.squares()).0,
                            None,
                        ),
                        count: victims.count,
                    },
                    // None of those: as many as that may be.
                    None if victims.count.contains(0) => FactTest::Always,
                    None => FactTest::Never,
                }
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
                trap: trap_number(symmetry.apply(*trap)),
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
            Fact::Plays { content, area } => {
                let squares = symmetry.apply(area.squares());
                FactTest::moved(
                    List::Arrivals,
                    symmetry.apply(*content),
                    Side::Gold,
                    squares,
                )
            }
            Fact::Takes { content, trap } => {
                // Nothing falls anywhere else.
                let traps = trap.map_or(Bitboard::ALL, |trap| {
                    std::iter::once(symmetry.apply(trap)).collect()
                });
                FactTest::moved(List::Fallen, symmetry.apply(*content), Side::Silver, traps)
            }
            Fact::GivesUp(content) => FactTest::moved(
                List::Fallen,
                symmetry.apply(*content),
                Side::Gold,
                Bitboard::ALL,
            ),
        }
    }

    /// What the turn played does with pieces of one side, as its mover sees it.
    fn moved(list: List, content: Content, side: Side, squares: Bitboard) -> FactTest {
        match of_side(content, side) {
            Some(content) => FactTest::List {
                list,
                wanted: Wanted::new(content, squares.0, None),
                count: Count::SOME,
            },
            None => FactTest::Never,
        }
    }

    /// Which columns it looks at.
    pub(super) fn needs(&self) -> Needs {
        match self {
            FactTest::Always | FactTest::Never => Needs::default(),
            FactTest::List { list, .. } => Needs::of(list.family()),
            FactTest::Goal { .. } => Needs::of(Family::Goals),
            FactTest::Fork { .. } => Needs::of(Family::Captures),
            FactTest::Blockade { .. } => Needs::of(Family::Shapes),
            FactTest::Phase(_) => Needs::of(Family::Goals).and(Needs::of(Family::Counts)),
            FactTest::Material(_) | FactTest::Strongest { .. } => Needs::of(Family::Counts),
            FactTest::MoveNumber(_) | FactTest::Rating { .. } | FactTest::Won { .. } => {
                Needs::of(Family::Games)
            }
        }
    }

    /// Roughly how much work a board is; what is cheap is asked first.
    pub(super) const fn cost(&self) -> u32 {
        match self {
            FactTest::List { list, .. } => match list {
                List::Hostages | List::Framed | List::Fallen => 2,
                List::VictimsIn(_) => 3,
                List::Victims | List::Frozen => 4,
                List::Arrivals => 5,
            },
            FactTest::Always | FactTest::Never => 0,
            _ => 1,
        }
    }

    /// Those of the boards in question for which it holds.
    pub(super) fn passing(&self, block: &FactBlock<'_>, alive: u64) -> u64 {
        let columns = &block.columns;
        let word = |words: &[u64], i: usize| words.get(i).copied().unwrap_or(0);
        let (counts, games) = (columns.counts, columns.games);
        alive
            & match *self {
                FactTest::Always => alive,
                FactTest::Never => 0,
                FactTest::Goal { opponent, steps } => {
                    let place = usize::from(opponent) * 4 + usize::from(steps) - 1;
                    word(columns.goals, place)
                }
                FactTest::Fork { opponent } => word(columns.forks, usize::from(opponent)),
                FactTest::Blockade { mover, opponent } => {
                    let of = |wanted: bool, i| {
                        if wanted {
                            word(columns.blockades, i)
                        } else {
                            0
                        }
                    };
                    of(mover, 0) | of(opponent, 1)
                }
                FactTest::List {
                    list,
                    ref wanted,
                    count,
                } => {
                    let one: [&[u16]; 1];
                    let lists = match list {
                        List::Victims => &columns.victims[..],
                        List::VictimsIn(trap) => &columns.victims[trap..=trap],
                        List::Frozen => {
                            one = [columns.frozen];
                            &one[..]
                        }
                        List::Hostages => {
                            one = [columns.hostages];
                            &one[..]
                        }
                        List::Framed => {
                            one = [columns.framed];
                            &one[..]
                        }
                        List::Arrivals => {
                            one = [columns.arrivals];
                            &one[..]
                        }
                        List::Fallen => {
                            one = [columns.fallen];
                            &one[..]
                        }
                    };
                    wanted.passing(lists, count, block.boards, alive)
                }
                FactTest::Strongest { trap, content } => {
                    let strength = numbers(counts, CountWords::strongest(trap));
                    let weakest = content.weakest.max(1).into();
                    let whose = content.side.map_or(!0, |side| {
                        let opponent = side == Side::Silver;
                        word(counts, CountWords::strongest_are_of(trap, opponent))
                    });
                    whose & sliced::within(strength, weakest, content.strongest.into())
                }
                FactTest::Material(Span { least, most }) => {
                    let words = numbers(counts, CountWords::MATERIAL);
                    let placed = |number: i32| i64::from(number) + CountWords::EVEN;
                    sliced::within(words, placed(least), placed(most))
                }
                FactTest::Phase(phase) => {
                    let threat = word(columns.goals, 3) | word(columns.goals, 7);
                    let opening = word(counts, CountWords::OPENING);
                    let middle = word(counts, CountWords::MIDDLE);
                    match phase {
                        Phase::Opening => opening & !threat,
                        Phase::Middle => middle & !threat,
                        Phase::End => threat | !(opening | middle),
                    }
                }
                FactTest::MoveNumber(span) => known(games, GameWords::MOVE_NUMBER, span),
                FactTest::Rating {
                    mover,
                    opponent,
                    span,
                } => {
                    let fits = |asked: bool, opponent: bool| {
                        if asked {
                            known(games, GameWords::rating(opponent), span)
                        } else {
                            !0
                        }
                    };
                    fits(mover, false) & fits(opponent, true)
                }
                FactTest::Won { opponent } => word(games, GameWords::won(opponent)),
            }
    }
}

/// The words of some numbers.
fn numbers(words: &[u64], range: std::ops::Range<usize>) -> &[u64] {
    words.get(range).unwrap_or(&[])
}

/// The positions of which a number is known and in the span; 0 is none.
fn known(words: &[u64], range: std::ops::Range<usize>, span: Span) -> u64 {
    sliced::within(
        numbers(words, range),
        i64::from(span.least).max(1),
        span.most.into(),
    )
}

/// Those of the pieces that are of this side.
fn of_side(content: Content, side: Side) -> Option<Content> {
    let fits = content.side.is_none_or(|wanted| wanted == side);
    fits.then_some(Content {
        side: Some(side),
        ..content
    })
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
