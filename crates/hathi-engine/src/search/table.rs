//! The transposition table: what is known of positions seen before.

use std::sync::atomic::{AtomicU64, Ordering};

use hathi_rules::Step;
use memmap2::MmapMut;
use zerocopy::FromBytes;

use super::SURE;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// At most this.
    Upper,
    /// At least this.
    Lower,
    /// This.
    Exact,
}

impl Bound {
    /// What a score found within a window says.
    pub(crate) fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Is such a score all that has to be known within a window?
    #[inline]
    pub(crate) fn settles(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) best: Best,
    /// What the board is worth as it stands, if that was worked out.
    pub(crate) seen: Option<i32>,
}

impl Entry {
    /// What a board seems to be worth, corrected by what is known of it. A won or lost game
    /// says nothing about its board.
    #[inline]
    pub(crate) fn corrects(self, seen: i32) -> i32 {
        if self.score.abs() > SURE {
            return seen;
        }
        match self.bound {
            Bound::Exact => self.score,
            Bound::Lower => seen.max(self.score),
            Bound::Upper => seen.min(self.score),
        }
    }
}

/// The best step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Best {
    /// None is known.
    Unknown,
    /// To end the turn.
    Pass,
    /// A step.
    Step(Step),
}

/// An entry is two words, the first mixed with the second, so that words of
/// different entries do not fit each other.
type Slot = [AtomicU64; 2];

/// The memory of a search, from turn to turn.
pub(crate) struct Table {
    memory: Memory,
    age: u8,
    /// In the key of every entry; those with another are as good as gone.
    mark: u64,
}

/// Memory that the system hands out empty: what a short search never comes to
/// costs no time.
enum Memory {
    /// In huge pages, where the system has them: entries lie anywhere, and to
    /// find the page of each would take as long as to read it.
    Mapped(MmapMut),
    /// Where memory cannot be mapped.
    Plain(Vec<Slot>),
}

impl Memory {
    /// Room for so many entries.
    fn empty(slots: usize) -> Memory {
        let Ok(map) = MmapMut::map_anon(slots * size_of::<Slot>()) else {
            return Memory::Plain(bytemuck::zeroed_vec(slots));
        };
        // A wish: without huge pages it works as well, less quickly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Memory::Mapped(map)
    }

    fn slots(&mut self) -> &[Slot] {
        match self {
            Memory::Mapped(map) => <[Slot]>::mut_from_bytes(map).map_or(&[], |slots| slots),
            Memory::Plain(slots) => slots,
        }
    }
}

/// A table of so many bytes is sooner wiped than asked of the system anew.
const SMALL: usize = 2 << 20;

/// Where in an entry the score stands, and the worth of the board.
const SCORE_AT: u32 = 16;
const SCORE_BITS: u32 = 18;
const SEEN_AT: u32 = SCORE_AT + SCORE_BITS;
const SEEN_BITS: u32 = 48 - SEEN_AT;

/// Not worked out.
const NOT_SEEN: i32 = -(1 << (SEEN_BITS - 1));

const _: () = assert!(super::INFINITE < 1 << (SCORE_BITS - 1));

/// No step has these bits.
const NO_STEP: u16 = u16::MAX;
const PASS: u16 = u16::MAX - 1;

impl Table {
    pub(crate) fn new(megabytes: usize) -> Table {
        Table {
            memory: Memory::empty(slots_in(megabytes)),
            age: 0,
            mark: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        let slots = self.memory.slots();
        if size_of_val(slots) <= SMALL {
            for word in slots.as_flattened() {
                word.store(0, Ordering::Relaxed);
            }
        } else {
            self.memory = Memory::empty(slots.len());
        }
        self.age = 0;
    }

    /// Nothing that is in the table holds any longer. Takes no time, where
    /// new memory would have to be touched page by page.
    pub(crate) fn forget(&mut self) {
        self.mark = self.mark.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// A new search begins: what is in the table gives way to it.
    pub(crate) fn next_search(&mut self) {
        self.age = (self.age + 1) & 0x3f;
    }

    /// The table for all threads of a search.
    pub(crate) fn shared(&mut self) -> Shared<'_> {
        Shared {
            age: self.age,
            mark: self.mark,
            slots: self.memory.slots(),
        }
    }
}

/// A power of two, as large as fits.
fn slots_in(megabytes: usize) -> usize {
    1 << ((megabytes.max(1) << 20) / size_of::<Slot>()).ilog2()
}

/// Read and written by all threads of a search.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    slots: &'a [Slot],
    age: u8,
    mark: u64,
}

impl Shared<'_> {
    #[inline]
    fn place(self, hash: u64) -> usize {
        (hash >> 3) as usize & (self.slots.len() - 1)
    }

    /// Says that this position will be asked for soon: the answer comes from
    /// far away in memory.
    #[inline]
    pub(crate) fn prefetch(self, hash: u64) {
        prefetch_index::prefetch_index(self.slots, self.place(hash));
    }

    #[inline]
    pub(crate) fn get(self, hash: u64) -> Option<Entry> {
        let [key, data] = &self.slots[self.place(hash)];
        let data = data.load(Ordering::Relaxed);
        if key.load(Ordering::Relaxed) ^ data != hash ^ self.mark || data == 0 {
            return None;
        }
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let best = match data as u16 {
            NO_STEP => Best::Unknown,
            PASS => Best::Pass,
            bits => Step::from_bits(bits).map_or(Best::Unknown, Best::Step),
        };
        // Moved to the top and back, so that the sign comes along.
        let number = |from: u32, bits: u32| {
            ((data << (64 - from - bits)).cast_signed() >> (64 - bits)) as i32
        };
        let seen = number(SEEN_AT, SEEN_BITS);
        Some(Entry {
            score: number(SCORE_AT, SCORE_BITS),
            depth: i32::from((data >> 48) as u8),
            bound,
            best,
            seen: (seen != NOT_SEEN).then_some(seen),
        })
    }

    #[inline]
    pub(crate) fn put(self, hash: u64, entry: Entry) {
        let slot = &self.slots[self.place(hash)];
        let old = slot[1].load(Ordering::Relaxed);
        let same_age = (old >> 58) as u8 == self.age;
        let key = hash ^ self.mark;
        let same_key = slot[0].load(Ordering::Relaxed) ^ old == key;
        // A deeper result of this search stays, unless this is the same
        // position, better known.
        if old != 0 && same_age && !same_key && i32::from((old >> 48) as u8) > entry.depth + 3 {
            return;
        }
        let best = match entry.best {
            // Better an old step than none.
            Best::Unknown if same_key => old as u16,
            Best::Unknown => NO_STEP,
            Best::Pass => PASS,
            Best::Step(step) => step.to_bits(),
        };
        let bound = match entry.bound {
            Bound::Upper => 1u64,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        // Beyond the bits there are nobody needs to know exactly.
        let seen = entry
            .seen
            .filter(|seen| seen.unsigned_abs() < NOT_SEEN.unsigned_abs());
        let bits = |number: i32, at: u32, bits: u32| {
            (i64::from(number).cast_unsigned() & ((1 << bits) - 1)) << at
        };
        let data = u64::from(best)
            | bits(entry.score, SCORE_AT, SCORE_BITS)
            | bits(seen.unwrap_or(NOT_SEEN), SEEN_AT, SEEN_BITS)
            | u64::from(entry.depth.clamp(0, 255).cast_unsigned()) << 48
            | bound << 56
            | u64::from(self.age) << 58;
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Direction, Piece, Role, Square};

    #[test]
    fn what_is_put_is_got() {
        let mut table = Table::new(1);
        let table = table.shared();
        let step =
            Step::new(Piece::SilverCamel, Square::C7, Direction::South).removing(Some(Role::Cat));
        for (hash, score, best) in [
            (7, -99_990, Best::Step(step)),
            (u64::MAX, 100_001, Best::Pass),
            (0x1234_5678_9abc_def0, 0, Best::Unknown),
        ] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                for seen in [None, Some(0), Some(-8_191), Some(8_191)] {
                    let entry = Entry {
                        score,
                        depth: 12,
                        bound,
                        best,
                        seen,
                    };
                    table.put(hash, entry);
                    assert_eq!(table.get(hash), Some(entry));
                }
            }
        }
        assert_eq!(table.get(8), None);
        // What does not fit is not known.
        for seen in [-8_192, 8_192, i32::MIN, i32::MAX] {
            let entry = Entry {
                score: 0,
                depth: 1,
                bound: Bound::Exact,
                best: Best::Unknown,
                seen: Some(seen),
            };
            table.put(9, entry);
            assert_eq!(
                table.get(9),
                Some(Entry {
                    seen: None,
                    ..entry
                })
            );
        }
    }

    #[test]
    fn the_table_is_as_large_as_asked_wherever_its_memory_is_from() {
        for megabytes in [0, 1, 3, 8] {
            let slots = slots_in(megabytes);
            assert!(slots.is_power_of_two() && slots * 16 <= megabytes.max(1) << 20);
            assert_eq!(Memory::empty(slots).slots().len(), slots);
            let mut plain = Memory::Plain(bytemuck::zeroed_vec(slots));
            assert_eq!(plain.slots().len(), slots);
        }
    }

    #[test]
    fn what_is_known_corrects_a_board_only_as_far_as_it_goes() {
        let entry = |score, bound| Entry {
            score,
            depth: 3,
            bound,
            best: Best::Unknown,
            seen: None,
        };
        assert_eq!(entry(80, Bound::Exact).corrects(10), 80);
        assert_eq!(entry(80, Bound::Lower).corrects(10), 80);
        assert_eq!(entry(80, Bound::Lower).corrects(200), 200);
        assert_eq!(entry(80, Bound::Upper).corrects(200), 80);
        assert_eq!(entry(80, Bound::Upper).corrects(10), 10);
        // A won or lost game is no worth of a board.
        assert_eq!(entry(SURE + 900, Bound::Exact).corrects(10), 10);
        assert_eq!(entry(-SURE - 900, Bound::Exact).corrects(10), 10);
    }

    #[test]
    fn no_step_looks_like_the_marks() {
        for bits in [NO_STEP, PASS] {
            assert_eq!(Step::from_bits(bits), None);
        }
    }

    #[test]
    fn what_is_forgotten_is_gone_and_gives_way() {
        let mut table = Table::new(1);
        let entry = |depth: i32| Entry {
            score: depth,
            depth,
            bound: Bound::Exact,
            best: Best::Pass,
            seen: None,
        };
        table.shared().put(8, entry(20));
        assert_eq!(table.shared().get(8), Some(entry(20)));
        table.forget();
        assert_eq!(table.shared().get(8), None);
        table.next_search();
        table.shared().put(8, entry(1));
        assert_eq!(table.shared().get(8), Some(entry(1)));
        table.clear();
        assert_eq!(table.shared().get(8), None);
    }

    #[test]
    fn a_small_table_is_wiped_and_a_large_one_asked_for_anew() {
        for megabytes in [1, 8] {
            let mut table = Table::new(megabytes);
            for hash in 0..100_000u64 {
                let entry = Entry {
                    score: 7,
                    depth: 3,
                    bound: Bound::Lower,
                    best: Best::Pass,
                    seen: None,
                };
                table
                    .shared()
                    .put(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry);
            }
            table.clear();
            let left = table.memory.slots().as_flattened();
            assert!(left.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        }
    }
}
