//! The index file: what stands where, and that it is what was written.
//!
//! ```text
//! header     one page: magic, version, counts, which database, sections
//! games      32 bytes a game: rating, winner, date
//! boards     32 bytes a position, in the mover's view, best first
//! moves      16 bytes a position: game, ply, the turn that was played
//! for each kind of pattern
//!   buckets  where each bucket of postings begins
//!   postings 4 bytes each: position and, for windows, the trap
//! sums       8 bytes for every block of 64 KiB before them
//! ```
//!
//! Positions are numbered in the order in which people want to see them:
//! the mover won, then the highest rating, then the fewest turns left. So the
//! first posting of a pattern is its best hit, without any sorting.
//!
//! A block is compared with its sum when it is first looked at, which costs
//! microseconds and means that a damaged file is found out before it can give
//! a wrong answer.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::{Pod, Zeroable};
use hathi_rules::{Ply, Side};
use twox_hash::XxHash3_64;

use super::guarded_map::GuardedMap;
use crate::model::GameRow;

/// Changes whenever the layout does.
pub(crate) const VERSION: u32 = 1;
pub(crate) const MAGIC: [u8; 8] = *b"HATHIIDX";
/// Sections start at multiples of this, and so does the first.
pub(crate) const PAGE: usize = 4096;
/// What one checksum covers.
pub(crate) const BLOCK: usize = 1 << 16;

/// The kinds of pattern that have postings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PostingKind {
    Full = 0,
    Half = 1,
    Area = 2,
    /// Windows by friends and enemies alone; the strengths are compared on
    /// the boards.
    Sides = 3,
}

impl PostingKind {
    pub(crate) const ALL: [PostingKind; 4] = [
        PostingKind::Full,
        PostingKind::Half,
        PostingKind::Area,
        PostingKind::Sides,
    ];

    /// How many postings a position has.
    pub(crate) const fn per_position(self) -> usize {
        match self {
            PostingKind::Full | PostingKind::Half => 1,
            PostingKind::Area | PostingKind::Sides => 4,
        }
    }
}

/// Where a section lies, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

/// games, boards, moves, (buckets, postings) x 4, sums.
pub(crate) const SECTIONS: usize = 3 + 2 * 4 + 1;
pub(crate) const GAMES: usize = 0;
pub(crate) const BOARDS: usize = 1;
pub(crate) const MOVES: usize = 2;
pub(crate) const SUMS: usize = SECTIONS - 1;

pub(crate) const fn buckets_section(kind: PostingKind) -> usize {
    3 + 2 * kind as usize
}

pub(crate) const fn postings_section(kind: PostingKind) -> usize {
    4 + 2 * kind as usize
}

/// The first page of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Header {
    pub(crate) magic: [u8; 8],
    pub(crate) version: u32,
    pub(crate) padding: u32,
    /// Which database it belongs to.
    pub(crate) store_id: u64,
    /// The newest game in it.
    pub(crate) last_game: GameRow,
    /// How many games and positions are in it.
    pub(crate) games: u64,
    pub(crate) positions: u64,
    /// Bits of the hash that choose a bucket, for each kind.
    pub(crate) bucket_bits: [u32; 4],
    pub(crate) sections: [Section; SECTIONS],
    /// Checksum of all that stands before it.
    pub(crate) sum: u64,
}

impl Header {
    pub(crate) fn computed_sum(&self) -> u64 {
        let bytes = bytemuck::bytes_of(self);
        XxHash3_64::oneshot(&bytes[..bytes.len() - size_of::<u64>()])
    }
}

/// What the index keeps of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct IndexedGame {
    pub(crate) row: GameRow,
    /// Start in seconds since 1970; `i64::MIN` if unknown.
    pub(crate) started: i64,
    /// 0 if unknown.
    pub(crate) gold_rating: u16,
    pub(crate) silver_rating: u16,
    /// Number of turns.
    pub(crate) turns: u16,
    /// 0 nobody, 1 Gold, 2 Silver.
    pub(crate) winner: u8,
    pub(crate) padding: [u8; 9],
}

/// What the index keeps of a position besides its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct IndexedMove {
    /// Number of the game within the index.
    pub(crate) game: u32,
    /// Turns before this one; even: Gold moves.
    pub(crate) turns_before: u16,
    pub(crate) padding: u16,
    /// The turn played, in the mover's view.
    pub(crate) turn: [u16; 4],
}

impl IndexedMove {
    /// How far into its game it is.
    #[inline]
    pub(crate) fn ply(&self) -> Ply {
        Ply::from(self.turns_before)
    }

    /// Who played it.
    #[inline]
    pub(crate) fn mover(&self) -> Side {
        self.ply().side()
    }
}

const _: () = assert!(size_of::<IndexedGame>() == 32);
const _: () = assert!(size_of::<IndexedMove>() == 16);
const _: () = assert!(size_of::<Header>() <= PAGE);

/// Why an index file cannot be used. All but the first are mended by building
/// it again.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// There is none.
    #[error("there is no index yet")]
    Missing,
    /// It is not an index, or cut short, or a checksum is wrong.
    #[error("the index is damaged: {0}")]
    Damaged(&'static str),
    /// It is of another version.
    #[error("the index is of version {0}, this program uses {VERSION}")]
    OtherVersion(u32),
    /// It does not belong to the database, or games in it have changed.
    #[error("the index does not belong to the games as they are now")]
    Stale,
    /// More positions than it can number.
    #[error("{0} positions are more than an index can hold")]
    TooLarge(u64),
    /// Whoever asked for it did not want to wait.
    #[error("stopped before the index was complete; the one before, if any, is still there")]
    Stopped,
}

/// An index file, mapped into memory.
#[derive(Debug)]
pub(crate) struct IndexFile {
    map: GuardedMap,
    pub(crate) header: Header,
    /// One bit a block: compared with its sum already?
    checked: Vec<AtomicU64>,
}

impl IndexFile {
    /// Maps a file and checks that it is whole, but for the contents of the
    /// blocks, which are checked as they are used.
    pub(crate) fn open(path: &Path) -> Result<IndexFile, IndexError> {
        Self::open_as(path, MAGIC, VERSION)
    }

    /// The same for a file of another kind with the same layout.
    pub(super) fn open_as(
        path: &Path,
        magic: [u8; 8],
        version: u32,
    ) -> Result<IndexFile, IndexError> {
        let io = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => IndexError::Missing,
            _ => IndexError::Io {
                path: path.to_owned(),
                error,
            },
        };
        let file = File::open(path).map_err(io)?;
        let map = GuardedMap::of(&file).map_err(io)?;
        let header = Self::checked_header(&map, magic, version)?;
        let blocks = (header.sections[SUMS].offset as usize).div_ceil(BLOCK);
        let checked = (0..blocks.div_ceil(64))
            .map(|_| AtomicU64::new(0))
            .collect();
        Ok(IndexFile {
            map,
            header,
            checked,
        })
    }

    fn checked_header(map: &[u8], magic: [u8; 8], version: u32) -> Result<Header, IndexError> {
        let bytes = map
            .get(..size_of::<Header>())
            .ok_or(IndexError::Damaged("it is too short"))?;
        let header: Header = bytemuck::pod_read_unaligned(bytes);
        if header.magic != magic {
            return Err(IndexError::Damaged("it is no index"));
        }
        if header.version != version {
            return Err(IndexError::OtherVersion(header.version));
        }
        if header.sum != header.computed_sum() {
            return Err(IndexError::Damaged(
                "the header does not match its checksum",
            ));
        }
        // The header is what was written; is the rest there?
        let end = |section: &Section| section.offset.saturating_add(section.len);
        let size = header.sections.iter().map(end).max().unwrap_or(0);
        if map.len() as u64 != size {
            return Err(IndexError::Damaged("it has another size than it should"));
        }
        Ok(header)
    }

    /// Part of a section, as values. Its blocks are checked.
    pub(crate) fn slice<T: Pod>(
        &self,
        section: usize,
        range: Range<usize>,
    ) -> Result<&[T], IndexError> {
        let place = self.header.sections[section];
        let size = size_of::<T>();
        let outside = IndexError::Damaged("something in it points outside");
        let (from, to) = (range.start.checked_mul(size), range.end.checked_mul(size));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(outside);
        };
        if from > to || to as u64 > place.len {
            return Err(outside);
        }
        let start = place.offset as usize;
        let bytes = &self.map[start + from..start + to];
        self.check(start + from, start + to)?;
        bytemuck::try_cast_slice(bytes).map_err(|_| IndexError::Damaged("a section is misaligned"))
    }

    /// One value of a section.
    #[inline]
    pub(crate) fn value<T: Pod>(&self, section: usize, i: usize) -> Result<T, IndexError> {
        self.slice::<T>(section, i..i + 1)?
            .first()
            .copied()
            .ok_or(IndexError::Damaged("something in it points outside"))
    }

    /// Compares the blocks of a range of bytes with their sums, once.
    #[inline]
    fn check(&self, from: usize, to: usize) -> Result<(), IndexError> {
        if from == to {
            return Ok(());
        }
        for block in from / BLOCK..=(to - 1) / BLOCK {
            let (word, bit) = (&self.checked[block / 64], 1u64 << (block % 64));
            if word.load(Ordering::Relaxed) & bit == 0 {
                self.check_block(block)?;
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    #[cold]
    fn check_block(&self, block: usize) -> Result<(), IndexError> {
        let body = self.header.sections[SUMS].offset as usize;
        let sums = &self.map[body..];
        let sum = sums
            .get(block * 8..block * 8 + 8)
            .and_then(|bytes| bytes.try_into().ok())
            .map(u64::from_le_bytes);
        let bytes = &self.map[block * BLOCK..body.min((block + 1) * BLOCK)];
        if sum == Some(XxHash3_64::oneshot(bytes)) {
            Ok(())
        } else {
            Err(IndexError::Damaged("a block does not match its checksum"))
        }
    }

    /// Compares every block with its sum.
    pub(crate) fn check_all(&self) -> Result<(), IndexError> {
        self.check(0, self.header.sections[SUMS].offset as usize)?;
        self.check_whole()
    }

    /// An error if the file was cut while it was used: what was read then is
    /// not what it had. To be asked before an answer is given.
    pub(crate) fn check_whole(&self) -> Result<(), IndexError> {
        if self.map.is_whole() {
            Ok(())
        } else {
            Err(IndexError::Damaged("it was cut while it was in use"))
        }
    }

    /// A number that another index does not have: what is made from this one
    /// keeps it.
    pub(super) fn fingerprint(&self) -> u64 {
        // The sums of all blocks stand for what is in them.
        let sums = &self.map[self.header.sections[SUMS].offset as usize..];
        XxHash3_64::oneshot(sums) ^ self.header.sum
    }

    /// Bytes of the whole file.
    pub(crate) fn size(&self) -> u64 {
        self.map.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher as _;

    use super::*;

    /// Files and fingerprints of earlier builds stay valid: XXH3 of 64 bits
    /// without a seed, in one piece or in several.
    #[test]
    fn checksums_stay_what_they_were() {
        let bytes: Vec<u8> = (0..70_000u32)
            .map(|i| (i.wrapping_mul(i) >> 3) as u8)
            .collect();
        assert_eq!(XxHash3_64::oneshot(b""), 0x2d06_8005_38d3_94c2);
        assert_eq!(XxHash3_64::oneshot(&bytes), 0xa936_0ee2_3e60_354c);
        let mut pieces = XxHash3_64::new();
        for piece in bytes.chunks(999) {
            pieces.write(piece);
        }
        assert_eq!(pieces.finish(), 0xa936_0ee2_3e60_354c);
    }
}
