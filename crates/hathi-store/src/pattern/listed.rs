//! What is looked for in a list of squares of sixty-four boards.

use hathi_rules::{Bitboard, Side};

use super::block::BLOCK;
use super::condition::{Content, Count};

/// So few things are compared one by one.
const FEW: usize = 8;
/// Entries looked at together.
const CHUNK: usize = 32;

/// Which entries of a list will do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    /// A bit for each piece that will do, by its code.
    codes: u16,
    pub(super) content: Content,
    pub(super) area: u64,
    pub(super) by: Option<Content>,
    /// All that an entry without its position may be, as far as `mask` says, if
    /// that is not much.
    keys: Option<Keys>,
}

/// A few values, one of which an entry has that will do.
#[derive(Clone, Debug, PartialEq)]
struct Keys {
    mask: u16,
    values: Vec<u16>,
}

impl Wanted {
    pub(super) fn new(content: Content, area: u64, by: Option<Content>) -> Wanted {
        let mut codes = 0u16;
        for strength in content.weakest..=content.strongest.min(7) {
            for (side, bit) in [(Side::Gold, 0), (Side::Silver, 8)] {
                if content.side.is_none_or(|wanted| wanted == side) {
                    codes |= 1 << (strength | bit);
                }
            }
        }
        Wanted {
            codes,
            content,
            area,
            by,
            keys: Keys::of(codes, area),
        }
    }

    /// The codes of the pieces that will do, none of them of an empty square.
    #[cfg(feature = "postgres")]
    pub(super) fn pieces(&self) -> u16 {
        self.codes & !0x0101
    }

    /// Those of the boards in question that have as many of them in the lists.
    pub(super) fn passing(
        &self,
        lists: &[&[u16]],
        count: Count,
        boards: &[[u64; 4]; BLOCK],
        alive: u64,
    ) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has just said that it has all three.
            return alive & unsafe { self.fitting_avx2(lists, count, boards) };
        }
        alive & self.fitting(lists, count, boards)
    }

    /// The same code in wider registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn fitting_avx2(&self, lists: &[&[u16]], count: Count, boards: &[[u64; 4]; BLOCK]) -> u64 {
        self.fitting(lists, count, boards)
    }

    #[inline(always)]
    fn fitting(&self, lists: &[&[u16]], count: Count, boards: &[[u64; 4]; BLOCK]) -> u64 {
        match count {
            Count::SOME => self.some(lists, boards),
            Count::NONE => !self.some(lists, boards),
            _ => self.counted(lists, count, boards),
        }
    }

    /// The boards with at least one.
    #[inline(always)]
    fn some(&self, lists: &[&[u16]], boards: &[[u64; 4]; BLOCK]) -> u64 {
        let Some(by) = self.by else {
            return self.listed(lists);
        };
        let mut found = 0;
        for entries in lists {
            for &entry in *entries {
                let position = usize::from(entry & 63);
                if self.fits(entry) != 0 && is_held_by(by, &boards[position], square_of(entry)) {
                    found |= 1 << position;
                }
            }
        }
        found
    }

    /// The positions of entries that will do.
    #[inline(always)]
    fn listed(&self, lists: &[&[u16]]) -> u64 {
        // No branch depends on what is found, as it could not be foreseen.
        let each = |entries: &[u16]| {
            let mut found = 0;
            for &entry in entries {
                found |= self.fits(entry) << (entry & 63);
            }
            found
        };
        let mut found = 0;
        for entries in lists {
            let Some(keys) = &self.keys else {
                found |= each(entries);
                continue;
            };
            // But that there is nothing of a few among many can be.
            let (chunks, rest) = entries.as_chunks::<CHUNK>();
            for chunk in chunks {
                if keys.are_in(chunk) {
                    found |= each(chunk);
                }
            }
            found |= each(rest);
        }
        found
    }

    /// The boards with so many.
    #[inline(always)]
    fn counted(&self, lists: &[&[u16]], count: Count, boards: &[[u64; 4]; BLOCK]) -> u64 {
        // A piece that could fall into two traps is still one piece.
        let mut squares = [0u64; BLOCK];
        for entries in lists {
            for &entry in *entries {
                let position = usize::from(entry & 63);
                let mut fits = self.fits(entry);
                if let Some(by) = self.by
                    && fits != 0
                {
                    fits = is_held_by(by, &boards[position], square_of(entry)).into();
                }
                squares[position] |= fits << square_of(entry);
            }
        }
        let (least, most) = (u32::from(count.least), u32::from(count.most));
        let mut passing = 0;
        for (i, squares) in squares.iter().enumerate() {
            let found = squares.count_ones();
            passing |= u64::from(least <= found && found <= most) << i;
        }
        passing
    }

    /// 1 if the piece and the square of the entry will do, else 0.
    #[inline(always)]
    fn fits(&self, entry: u16) -> u64 {
        self.area >> square_of(entry) & u64::from(self.codes >> (entry >> 12)) & 1
    }
}

impl Keys {
    fn of(codes: u16, area: u64) -> Option<Keys> {
        let squares = area.count_ones() as usize;
        let pieces = codes.count_ones() as usize;
        if squares > FEW {
            return None;
        }
        let squares = Bitboard(area)
            .iter()
            .map(|square| (square.index() as u16) << 6);
        let codes: Vec<u16> = (0..16u16).filter(|code| codes >> code & 1 != 0).collect();
        Some(if squares.clone().count() * pieces <= FEW {
            Keys {
                mask: 0xffc0,
                values: squares
                    .flat_map(|square| codes.iter().map(move |code| square | code << 12))
                    .collect(),
            }
        } else {
            Keys {
                mask: 0x0fc0,
                values: squares.collect(),
            }
        })
    }

    /// Has any of these entries one of the values?
    #[inline(always)]
    fn are_in(&self, entries: &[u16; CHUNK]) -> bool {
        let mut found = 0;
        for &value in &self.values {
            for &entry in entries {
                found |= u16::from(entry & self.mask == value);
            }
        }
        found != 0
    }
}

#[inline(always)]
fn square_of(entry: u16) -> u32 {
    u32::from(entry >> 6 & 63)
}

/// Is one of these, stronger and of the other side, beside the piece there?
#[inline(always)]
fn is_held_by(by: Content, board: &[u64; 4], square: u32) -> bool {
    let [p0, p1, p2, enemies] = *board;
    let bit = |plane: u64| (plane >> square & 1) as u8;
    let strength = bit(p0) | bit(p1) << 1 | bit(p2) << 2;
    let side = if bit(enemies) == 0 {
        Side::Silver
    } else {
        Side::Gold
    };
    if by.side.is_some_and(|wanted| wanted != side) {
        return false;
    }
    let others = match side {
        Side::Gold => !enemies,
        Side::Silver => enemies,
    };
    // For each strength the squares with a piece at least that strong.
    let at_least = |strength: u8| match strength {
        0 => !0,
        1 => p0 | p1 | p2,
        2 => p1 | p2,
        3 => (p0 & p1) | p2,
        4 => p2,
        5 => (p0 | p1) & p2,
        6 => p1 & p2,
        _ => 0,
    };
    let beside = Bitboard(1 << square).near().0;
    let holders = at_least(by.weakest.max(strength + 1)) & !at_least(by.strongest + 1);
    beside & others & holders != 0
}
