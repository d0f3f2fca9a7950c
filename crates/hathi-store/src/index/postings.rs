//! Finding the postings of a pattern.
//!
//! The top bits of a hash choose a bucket; within it postings stand in the
//! order of the next 32 bits, and where those are equal in the order of the
//! positions, which is best first. The hash is not stored: it is worked out
//! again from the board, which has to be looked at anyway, since a hash never
//! decides.

use std::ops::Range;

use super::format::{
    BOARDS, IndexError, IndexFile, PostingKind, buckets_section, postings_section,
};
use crate::seen::{Seen, SeenTrap};

/// The hash of the part of a board that a posting stands for.
#[inline]
pub(crate) fn posting_hash(kind: PostingKind, board: Seen, trap: SeenTrap) -> u64 {
    match kind {
        PostingKind::Full => board.hash_either_way(),
        PostingKind::Half => board.half().hash_either_way(),
        PostingKind::Area => board.window(trap).window_hash(trap),
        PostingKind::Sides => board.window(trap).sides_only().window_hash(trap),
    }
}

/// The bucket of a hash.
#[inline]
pub(super) const fn bucket_of(hash: u64, bits: u32) -> usize {
    (hash >> (64 - bits)) as usize
}

/// The 32 bits after those of the bucket: the order within it.
#[inline]
pub(super) const fn order_key(hash: u64, bits: u32) -> u32 {
    (hash << bits >> 32) as u32
}

/// Splits a posting into position and trap.
#[inline]
pub(crate) const fn split(kind: PostingKind, posting: u32) -> (u32, SeenTrap) {
    match kind {
        PostingKind::Full | PostingKind::Half => (posting, SeenTrap::from_index(0)),
        PostingKind::Area | PostingKind::Sides => (posting >> 2, SeenTrap::from_index(posting)),
    }
}

/// The postings with this hash, best first; [`split`] tells what they mean.
pub(crate) fn postings_of(
    index: &IndexFile,
    kind: PostingKind,
    hash: u64,
) -> Result<&[u32], IndexError> {
    let bits = index.header.bucket_bits[kind as usize];
    let bucket = bucket_of(hash, bits);
    let bounds: &[u32] = index.slice(buckets_section(kind), bucket..bucket + 2)?;
    let bucket = bounds[0] as usize..bounds[1] as usize;
    let found = range_of(index, kind, order_key(hash, bits), bucket)?;
    index.slice(postings_section(kind), found)
}

/// Where in the bucket the postings with this order key are, by bisection.
fn range_of(
    index: &IndexFile,
    kind: PostingKind,
    wanted: u32,
    bucket: Range<usize>,
) -> Result<Range<usize>, IndexError> {
    let bits = index.header.bucket_bits[kind as usize];
    let key_at = |i: usize| -> Result<u32, IndexError> {
        let posting: u32 = index.value(postings_section(kind), i)?;
        let (position, trap) = split(kind, posting);
        let board: [u64; 4] = index.value(BOARDS, position as usize)?;
        Ok(order_key(posting_hash(kind, Seen(board), trap), bits))
    };
    let first_not = |mut range: Range<usize>, before: &dyn Fn(u32) -> bool| {
        while range.start < range.end {
            let middle = usize::midpoint(range.start, range.end);
            if before(key_at(middle)?) {
                range.start = middle + 1;
            } else {
                range.end = middle;
            }
        }
        Ok::<usize, IndexError>(range.start)
    };
    let start = first_not(bucket.clone(), &|other| other < wanted)?;
    // The run is short as a rule: look at its neighbours before bisecting.
    let mut step = 1;
    let mut low = start;
    while low + step < bucket.end && key_at(low + step)? == wanted {
        low += step;
        step *= 2;
    }
    let end = first_not(low..bucket.end.min(low + step + 1), &|other| {
        other <= wanted
    })?;
    Ok(start..end.max(start))
}
