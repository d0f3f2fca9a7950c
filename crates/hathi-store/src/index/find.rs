//! Every position ever played, found by the whole board or a part of it.
//!
//! Two places are asked: the index file, and the [`Delta`], which holds the
//! games added since it was built. Both answer in the same terms; what they
//! find is merged best first.

use std::thread;

use super::delta::{Delta, delta_hits};
use super::{IndexError, IndexFile, postings_of, split};
use crate::answer::Tally;
use crate::hits::{RawHit, Wanted};
use crate::question::PositionQuestion;
use crate::seen::Seen;

/// Postings that are not worth a thread of their own.
const SHORT_LIST: usize = 4096;

/// Positions fetched together at most.
const LARGEST_BATCH: usize = 128;

/// Calls `visit` with every match, best first, until it says to stop
/// (returns false).
pub(crate) fn for_each_hit(
    index: Option<&IndexFile>,
    delta: &Delta,
    question: &PositionQuestion,
    mut visit: impl FnMut(&RawHit) -> bool,
) -> Result<(), IndexError> {
    let Some(wanted) = Wanted::new(question) else {
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
            let Some(mirrored) = wanted.matches(board, trap, played.mover()) else {
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
    question: &PositionQuestion,
    keep: impl Fn(&RawHit) -> bool + Sync,
) -> Result<Tally, IndexError> {
    let mut tally = Tally::default();
    let Some(wanted) = Wanted::new(question) else {
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
