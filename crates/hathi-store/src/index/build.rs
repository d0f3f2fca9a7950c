//! Building the index from all games.
//!
//! 1. Every game is played through; each position goes into memory with the
//!    turn that was played from it (48 bytes).
//! 2. Positions are put in the order in which they will be offered, and
//!    written.
//! 3. For each kind of pattern the postings are counted into buckets, put in
//!    place and ordered within each bucket.
//! 4. Checksums, header, sync, rename: until then nobody sees the file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use bytemuck::Zeroable;
use hathi_rules::{Game, Ply, Position, RuleSet, Side};
use twox_hash::XxHash3_64;

use super::columns::StoredPositions;
use super::format::{
    BLOCK, BOARDS, GAMES, Header, IndexError, IndexedGame, IndexedMove, MAGIC, MOVES, PAGE,
    PostingKind, SUMS, Section, VERSION, buckets_section, postings_section,
};
use super::postings::{bucket_of, order_key, posting_hash, split};
use crate::draft::Draft;
use crate::model::{GameRow, StoredGame};
use crate::moves::Moves;
use crate::seen::{Seen, orientation, pack_turn};

/// What the database hands over of a game.
#[derive(Clone, Debug)]
pub(crate) struct BuildGame {
    pub(crate) row: GameRow,
    pub(crate) started: Option<i64>,
    pub(crate) gold_rating: Option<i32>,
    pub(crate) silver_rating: Option<i32>,
    pub(crate) winner: Option<Side>,
    pub(crate) moves: Vec<u8>,
}

impl BuildGame {
    /// The same of a game that was read whole.
    pub(crate) fn of(stored: &StoredGame) -> BuildGame {
        BuildGame {
            row: stored.row,
            started: stored.game.start,
            gold_rating: stored.game.players.gold.rating,
            silver_rating: stored.game.players.silver.rating,
            winner: stored.game.result,
            moves: stored.moves.encode(),
        }
    }
}

/// Positions of some games, before they are put in order.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) games: Vec<IndexedGame>,
    pub(crate) boards: Vec<[u64; 4]>,
    pub(crate) moves: Vec<IndexedMove>,
}

impl Gathered {
    /// What there is to work out columns of.
    pub(crate) fn stored(&self) -> StoredPositions<'_> {
        StoredPositions {
            boards: &self.boards,
            moves: &self.moves,
            games: &self.games,
        }
    }

    /// Plays a game through. Damaged moves end it early: what can be read is
    /// kept.
    pub(crate) fn add(&mut self, game: &BuildGame) {
        let rating = |rating: Option<i32>| {
            let rating = rating.unwrap_or(0).max(0);
            u16::try_from(rating).unwrap_or(u16::MAX)
        };
        let number = self.games.len() as u32;
        let moves = Moves::decode(&game.moves).ok();
        let turns = moves.as_ref().map_or(&[][..], |moves| &moves.turns);
        let turns = &turns[..turns.len().min(usize::from(u16::MAX))];
        self.games.push(IndexedGame {
            row: game.row,
            started: game.started.unwrap_or(i64::MIN),
            gold_rating: rating(game.gold_rating),
            silver_rating: rating(game.silver_rating),
            turns: turns.len() as u16,
            winner: match game.winner {
                None => 0,
                Some(Side::Gold) => 1,
                Some(Side::Silver) => 2,
            },
            ..IndexedGame::zeroed()
        });
        let Some(mut position) = moves.as_ref().and_then(start) else {
            return;
        };
        for (ply, turn) in turns.iter().enumerate() {
            let symmetry = orientation(position.side_to_move());
            self.boards.push(Seen::of(&position).0);
            self.moves.push(IndexedMove {
                game: number,
                turns_before: ply as u16,
                padding: 0,
                turn: pack_turn(&symmetry.apply(*turn)),
            });
            position = position.after_turn(turn.steps());
        }
    }

    /// The order in which a position is offered; less is better.
    pub(crate) fn rank(&self, position: usize) -> u32 {
        let played = &self.moves[position];
        rank_of(&self.games[played.game as usize], played.ply())
    }
}

/// The mover won, then the highest rating, then the fewest turns left.
pub(crate) fn rank_of(game: &IndexedGame, ply: Ply) -> u32 {
    let (rating, won) = match ply.side() {
        Side::Gold => (game.gold_rating, game.winner == 1),
        Side::Silver => (game.silver_rating, game.winner == 2),
    };
    let left = u32::from(game.turns).saturating_sub(ply.get()) / 2;
    u32::from(!won) << 31 | u32::from(0x1fff - rating.min(0x1fff)) << 14 | left.min(0x3fff)
}

/// The position after both setups.
fn start(moves: &Moves) -> Option<Position> {
    let mut game = Game::new(RuleSet::Modern);
    game.set_up(&moves.gold).ok()?;
    game.set_up(&moves.silver).ok()?;
    Some(game.position())
}

/// Writes the index of these games to `path`. `progress` hears what is being
/// done, and how much of it, every second or so at full size; it can end the
/// work, and nothing is left of it then.
pub(crate) fn build(
    path: &Path,
    store_id: u64,
    games: &[BuildGame],
    threads: usize,
    mut progress: impl FnMut(&str, f64) -> ControlFlow<()>,
) -> Result<(), IndexError> {
    let mut progress = |stage: &str, share| match progress(stage, share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(IndexError::Stopped),
    };
    progress("playing through the games", 0.0)?;
    let mut gathered = gather(games, threads);
    let positions = gathered.boards.len();
    if positions as u64 > u64::from(u32::MAX >> 2) {
        return Err(IndexError::TooLarge(positions as u64));
    }
    let mut writer = Writer::create(path, threads)?;
    let mut header = Header {
        magic: MAGIC,
        version: VERSION,
        store_id,
        last_game: games.iter().map(|game| game.row).max().unwrap_or_default(),
        games: games.len() as u64,
        positions: positions as u64,
        ..Header::zeroed()
    };
    progress("putting positions in order", 0.15)?;
    let order = order_of(&gathered);
    progress("writing positions", 0.25)?;
    header.sections[GAMES] = writer.section(&gathered.games)?;
    // One at a time: together they would take twice the memory.
    let boards = rearranged(&order, &gathered.boards);
    gathered.boards = Vec::new();
    header.sections[BOARDS] = writer.section(&boards)?;
    progress("writing positions", 0.3)?;
    let moves = rearranged(&order, &gathered.moves);
    drop((gathered, order));
    header.sections[MOVES] = writer.section(&moves)?;
    drop(moves);
    for (i, kind) in PostingKind::ALL.into_iter().enumerate() {
        let mut progress = |part| progress("sorting postings", 0.35 + 0.15 * (i as f64 + part));
        progress(0.0)?;
        // About sixteen postings a bucket.
        let count = positions * kind.per_position();
        let bits = (count / 16).max(2).ilog2().clamp(1, 26);
        let (buckets, postings) = postings_of(kind, &boards, bits, threads, &mut progress)?;
        header.bucket_bits[kind as usize] = bits;
        header.sections[buckets_section(kind)] = writer.section(&buckets)?;
        progress(0.9)?;
        header.sections[postings_section(kind)] = writer.section(&postings)?;
    }
    drop(boards);
    progress("checksums", 0.95)?;
    writer.finish(header)
}

/// Plays all games through, on several threads.
fn gather(games: &[BuildGame], threads: usize) -> Gathered {
    let share = games.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<Gathered> = thread::scope(|scope| {
        let workers: Vec<_> = games
            .chunks(share)
            .map(|chunk| {
                scope.spawn(move || {
                    let mut part = Gathered::default();
                    for game in chunk {
                        part.add(game);
                    }
                    part
                })
            })
            .collect();
        workers.into_iter().map(crate::cores::joined).collect()
    });
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        let offset = all.games.len() as u32;
        all.games.extend(part.games);
        all.boards.extend(part.boards);
        all.moves
            .extend(part.moves.into_iter().map(|played| IndexedMove {
                game: played.game + offset,
                ..played
            }));
    }
    all
}

/// The numbers of the positions, best first. Equal ones stay in the order of
/// the games, so that the same games give the same file.
fn order_of(gathered: &Gathered) -> Vec<u32> {
    let mut keyed: Vec<u64> = (0..gathered.boards.len())
        .map(|i| u64::from(gathered.rank(i)) << 32 | i as u64)
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|key| key as u32).collect()
}

fn rearranged<T: Copy>(order: &[u32], values: &[T]) -> Vec<T> {
    order.iter().map(|&i| values[i as usize]).collect()
}

/// Buckets and postings of one kind.
///
/// Counted first, then put in place: every thread has its own share of the
/// positions and, in each bucket, its own places, so that they do not meet
/// and the order of the positions is kept. A hash is worked out twice rather
/// than kept, which would take as much memory again.
fn postings_of(
    kind: PostingKind,
    boards: &[[u64; 4]],
    bits: u32,
    threads: usize,
    progress: &mut impl FnMut(f64) -> Result<(), IndexError>,
) -> Result<(Vec<u32>, Vec<u32>), IndexError> {
    let per_position = kind.per_position();
    let share = boards.len().div_ceil(threads.max(1)).max(1);
    let shares: Vec<Range<usize>> = (0..boards.len())
        .step_by(share)
        .map(|from| from * per_position..(from + share).min(boards.len()) * per_position)
        .collect();
    let hash_of = |posting: usize| {
        let (position, trap) = split(kind, posting as u32);
        posting_hash(kind, Seen(boards[position as usize]), trap)
    };
    let mut cursors: Vec<Vec<u32>> = thread::scope(|scope| {
        let hash_of = &hash_of;
        let workers: Vec<_> = shares
            .iter()
            .map(|share| {
                let share = share.clone();
                scope.spawn(move || {
                    let mut counts = vec![0u32; 1 << bits];
                    for posting in share {
                        counts[bucket_of(hash_of(posting), bits)] += 1;
                    }
                    counts
                })
            })
            .collect();
        workers.into_iter().map(crate::cores::joined).collect()
    });
    progress(0.3)?;
    // Counts become the places where each thread's postings begin.
    let mut buckets = Vec::with_capacity((1 << bits) + 1);
    let mut at = 0;
    for bucket in 0..1 << bits {
        buckets.push(at);
        for counts in &mut cursors {
            let count = counts[bucket];
            counts[bucket] = at;
            at += count;
        }
    }
    buckets.push(at);
    let placed: Vec<AtomicU64> = (0..at).map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for (share, mut next) in shares.into_iter().zip(cursors) {
            let (hash_of, placed) = (&hash_of, &placed);
            scope.spawn(move || {
                for posting in share {
                    let hash = hash_of(posting);
                    let place = &mut next[bucket_of(hash, bits)];
                    let entry = u64::from(order_key(hash, bits)) << 32 | posting as u64;
                    placed[*place as usize].store(entry, Ordering::Relaxed);
                    *place += 1;
                }
            });
        }
    });
    let mut placed: Vec<u64> = placed.into_iter().map(AtomicU64::into_inner).collect();
    progress(0.6)?;
    sort_buckets(&mut placed, &buckets, threads);
    let postings = placed.into_iter().map(|entry| entry as u32).collect();
    Ok((buckets, postings))
}

/// Orders each bucket by hash, then best first, on several threads.
fn sort_buckets(placed: &mut [u64], buckets: &[u32], threads: usize) {
    let share = (buckets.len() - 1).div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let mut rest = placed;
        for bounds in (0..buckets.len() - 1)
            .step_by(share)
            .map(|from| &buckets[from..(from + share + 1).min(buckets.len())])
        {
            let (Some(&first), Some(&last)) = (bounds.first(), bounds.last()) else {
                continue;
            };
            let (mine, others) = rest.split_at_mut((last - first) as usize);
            rest = others;
            scope.spawn(move || {
                for pair in bounds.windows(2) {
                    let bucket = (pair[0] - first) as usize..(pair[1] - first) as usize;
                    mine[bucket].sort_unstable();
                }
            });
        }
    });
}

/// Writes sections one after the other to a temporary file.
pub(super) struct Writer {
    draft: Draft,
    out: BufWriter<File>,
    at: u64,
    threads: usize,
}

impl Writer {
    pub(super) fn create(path: &Path, threads: usize) -> Result<Writer, IndexError> {
        let (draft, file) = Draft::create(path).map_err(|error| IndexError::Io {
            path: path.to_owned(),
            error,
        })?;
        let mut writer = Writer {
            draft,
            out: BufWriter::with_capacity(1 << 20, file),
            at: 0,
            threads,
        };
        writer.write(&[0; PAGE])?;
        Ok(writer)
    }

    fn failed(&self, error: io::Error) -> IndexError {
        IndexError::Io {
            path: self.draft.temporary().to_owned(),
            error,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), IndexError> {
        self.out
            .write_all(bytes)
            .map_err(|error| self.failed(error))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn section<T: bytemuck::Pod>(
        &mut self,
        values: &[T],
    ) -> Result<Section, IndexError> {
        let offset = self.at;
        let bytes: &[u8] = bytemuck::cast_slice(values);
        self.write(bytes)?;
        let padding = (PAGE - bytes.len() % PAGE) % PAGE;
        self.write(&vec![0; padding])?;
        Ok(Section {
            offset,
            len: bytes.len() as u64,
        })
    }

    /// Adds the header and the checksums, makes sure all of it is on disk and
    /// gives the file its name.
    pub(super) fn finish(mut self, mut header: Header) -> Result<(), IndexError> {
        use std::io::{Seek, SeekFrom};

        let body = self.at as usize;
        let sums = body.div_ceil(BLOCK) * 8;
        header.sections[SUMS] = Section {
            offset: self.at,
            len: sums as u64,
        };
        header.sum = header.computed_sum();
        let failed = |error| IndexError::Io {
            path: self.draft.temporary().to_owned(),
            error,
        };
        self.out.flush().map_err(failed)?;
        let file = self.out.get_mut();
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.write_all(bytemuck::bytes_of(&header))
            .map_err(failed)?;
        let sums = block_sums(file, body, self.threads).map_err(failed)?;
        file.seek(SeekFrom::Start(body as u64)).map_err(failed)?;
        file.write_all(bytemuck::cast_slice(&sums))
            .map_err(failed)?;
        let path = self.draft.path().to_owned();
        let failed = |error| IndexError::Io { path, error };
        self.draft.publish(file).map_err(failed)
    }
}

/// The checksum of every block of the first `body` bytes.
fn block_sums(file: &File, body: usize, threads: usize) -> io::Result<Vec<u64>> {
    // SAFETY: the file was made by this process under a name of its own and
    // nobody else writes to it.
    #[allow(unsafe_code)]
    let map = unsafe { memmap2::Mmap::map(file) }?;
    let bytes = map
        .get(..body)
        .ok_or_else(|| io::Error::other("the file is shorter than what was written"))?;
    let share = body.div_ceil(BLOCK).div_ceil(threads.max(1)).max(1) * BLOCK;
    Ok(thread::scope(|scope| {
        let workers: Vec<_> = bytes
            .chunks(share)
            .map(|part| {
                scope.spawn(move || {
                    part.chunks(BLOCK)
                        .map(XxHash3_64::oneshot)
                        .collect::<Vec<u64>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(crate::cores::joined).collect()
    }))
}
