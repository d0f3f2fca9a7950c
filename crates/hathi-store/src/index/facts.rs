//! The columns of all positions of an index, each family in a file beside it.
//!
//! A file has the layout of the index: header, sections, checksums of blocks.
//! It is written under another name and renamed when it is whole, so whoever is
//! killed leaves no half of one. It names the index it was made from; one of
//! another index, of an older version or with damage is made again, and the
//! other families stay as they are. Where nothing can be written, columns are
//! held in memory.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::Zeroable;

use super::build::Writer;
use super::columns::{ColumnSlices, Columns, Family, ListSlice, MOST_LISTS, StoredPositions};
use super::format::{GAMES, Header};
use super::{BOARDS, IndexError, IndexFile, MOVES};
use crate::pattern::Needs;
use crate::pattern::block::BLOCK;

const MAGIC: [u8; 8] = *b"HATHIFCT";

/// Sections: the words, then where the squares of a list begin, and the squares.
const WORDS: usize = 0;

const fn starts_section(list: usize) -> usize {
    1 + 2 * list
}

const fn entries_section(list: usize) -> usize {
    2 + 2 * list
}

const _: () = assert!(entries_section(MOST_LISTS - 1) < super::format::SUMS);

/// Held by who works columns out, which takes all cores anyway.
static MAKING: Mutex<()> = Mutex::new(());

/// Columns that this process is working out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactsInWork {
    /// Of so many positions.
    pub positions: u64,
    /// How much of it is done: 0 to 1.
    pub share: f64,
}

/// What is being worked out, by the fingerprint of its index.
static IN_WORK: Mutex<Vec<(u64, FactsInWork)>> = Mutex::new(Vec::new());

/// Notes how far the columns of an index are, as long as it is there.
struct WorkNote {
    index: u64,
}

impl WorkNote {
    fn update(&self, positions: u64, share: f64) {
        let mut notes = IN_WORK.lock().unwrap_or_else(PoisonError::into_inner);
        notes.retain(|(index, _)| *index != self.index);
        notes.push((self.index, FactsInWork { positions, share }));
    }
}

impl Drop for WorkNote {
    fn drop(&mut self) {
        let mut notes = IN_WORK.lock().unwrap_or_else(PoisonError::into_inner);
        notes.retain(|(index, _)| *index != self.index);
    }
}

/// Positions worked out between two reports of progress.
const PIECE: usize = 1 << 17;

/// Where the files of an index are, and whether they may be written.
#[derive(Clone, Debug)]
pub(crate) struct FactsPlace {
    /// The file of the index; the others have longer names.
    pub(crate) index: PathBuf,
    pub(crate) writable: bool,
}

impl FactsPlace {
    fn file(&self, family: Family) -> PathBuf {
        let mut path = self.index.as_os_str().to_owned();
        path.push(".");
        path.push(family.name());
        PathBuf::from(path)
    }

    /// Takes the files away: they are made again when they are wanted.
    pub(crate) fn clear(&self) {
        if self.writable {
            for family in Family::ALL {
                // What is not there need not go; what cannot go is checked
                // against its index before it is used.
                let _ = std::fs::remove_file(self.file(family));
            }
        }
    }
}

/// The columns of an index, as far as they are there.
#[derive(Debug, Default)]
pub(crate) struct FactColumns {
    families: [OnceLock<Kept>; Family::ALL.len()],
}

#[derive(Debug)]
enum Kept {
    InFile(Box<IndexFile>),
    InMemory(Columns),
}

impl FactColumns {
    /// Those that are there and belong to this index.
    pub(crate) fn open(place: &FactsPlace, index: &IndexFile) -> FactColumns {
        let facts = FactColumns::default();
        for family in Family::ALL {
            if let Ok(file) = open(&place.file(family), family, index) {
                let _ = facts.families[family as usize].set(Kept::InFile(Box::new(file)));
            }
        }
        facts
    }

    /// Are all of these there?
    pub(crate) fn has(&self, needs: Needs) -> bool {
        Family::ALL
            .into_iter()
            .all(|family| !needs.contains(family) || self.families[family as usize].get().is_some())
    }

    /// How far somebody else in this process is with those of these that are
    /// missing. None if nobody is at it, or nothing is missing.
    pub(crate) fn in_work(
        &self,
        needs: Needs,
        place: &FactsPlace,
        index: &IndexFile,
    ) -> Option<FactsInWork> {
        for family in Family::ALL {
            let slot = &self.families[family as usize];
            // Another store may have made the file.
            if needs.contains(family)
                && slot.get().is_none()
                && let Ok(file) = open(&place.file(family), family, index)
            {
                let _ = slot.set(Kept::InFile(Box::new(file)));
            }
        }
        if self.has(needs) {
            return None;
        }
        let print = index.fingerprint();
        let notes = IN_WORK.lock().unwrap_or_else(PoisonError::into_inner);
        let note = notes.iter().find(|(index, _)| *index == print);
        note.map(|(_, work)| *work)
    }

    /// Makes those that are missing, unless another store on the same index has
    /// made them meanwhile. `progress` hears what is being done and can end it.
    pub(crate) fn prepare(
        &self,
        needs: Needs,
        place: &FactsPlace,
        index: &IndexFile,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), IndexError> {
        let missing: Vec<Family> = Family::ALL
            .into_iter()
            .filter(|&family| {
                needs.contains(family) && self.families[family as usize].get().is_none()
            })
            .collect();
        let all: u32 = missing.iter().map(|family| family.work()).sum();
        let mut done = 0;
        let mut note: Option<WorkNote> = None;
        for family in missing {
            let slot = &self.families[family as usize];
            let before = done;
            done += family.work();
            let path = place.file(family);
            // Several stores may be open on one index: the second waits for the
            // first and finds its file.
            let _one_at_a_time = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
            if let Ok(file) = open(&path, family, index) {
                let _ = slot.set(Kept::InFile(Box::new(file)));
                continue;
            }
            let note = note.get_or_insert_with(|| WorkNote {
                index: index.fingerprint(),
            });
            let columns = work_out(family, index, threads, &mut |stage, share| {
                let whole = f64::from(before) + f64::from(family.work()) * share;
                note.update(index.header.positions, whole / f64::from(all));
                progress(stage, share)
            })?;
            let saved = place.writable && write(&path, family, index, &columns, threads).is_ok();
            let kept = match saved.then(|| open(&path, family, index)) {
                Some(Ok(file)) => Kept::InFile(Box::new(file)),
                // They serve as well from memory, until the next start.
                _ => Kept::InMemory(columns),
            };
            let _ = slot.set(kept);
        }
        Ok(())
    }

    /// The columns of some blocks.
    pub(super) fn slices(
        &self,
        needs: Needs,
        blocks: Range<usize>,
    ) -> Result<[ColumnSlices<'_>; Family::ALL.len()], IndexError> {
        let mut slices = [ColumnSlices::default(); Family::ALL.len()];
        for family in Family::ALL {
            if needs.contains(family)
                && let Some(kept) = self.families[family as usize].get()
            {
                slices[family as usize] = kept.slices(family, blocks.clone())?;
            }
        }
        Ok(slices)
    }

    /// Has a file been cut while it was used?
    pub(crate) fn check_whole(&self) -> Result<(), IndexError> {
        for kept in self.families.iter().filter_map(OnceLock::get) {
            if let Kept::InFile(file) = kept {
                file.check_whole()?;
            }
        }
        Ok(())
    }

    /// Compares all files with their checksums.
    pub(crate) fn check_all(&self) -> Result<(), IndexError> {
        for kept in self.families.iter().filter_map(OnceLock::get) {
            if let Kept::InFile(file) = kept {
                file.check_all()?;
            }
        }
        Ok(())
    }
}

impl Kept {
    fn slices(&self, family: Family, blocks: Range<usize>) -> Result<ColumnSlices<'_>, IndexError> {
        let words = blocks.start * family.words()..blocks.end * family.words();
        let mut slices = ColumnSlices::default();
        match self {
            Kept::InFile(file) => {
                slices.words = file.slice(WORDS, words)?;
                for list in 0..family.lists() {
                    let starts: &[u32] =
                        file.slice(starts_section(list), blocks.start..blocks.end + 1)?;
                    let (from, to) = (starts[0] as usize, starts[starts.len() - 1] as usize);
                    slices.lists[list] = ListSlice {
                        starts,
                        entries: file.slice(entries_section(list), from..to)?,
                    };
                }
            }
            Kept::InMemory(columns) => {
                let outside = || IndexError::Damaged("its columns are too short");
                slices.words = columns.words.get(words).ok_or_else(outside)?;
                for (slice, list) in slices.lists.iter_mut().zip(&columns.lists) {
                    let starts = list
                        .starts
                        .get(blocks.start..=blocks.end)
                        .ok_or_else(outside)?;
                    let (from, to) = (starts[0] as usize, starts[starts.len() - 1] as usize);
                    let entries = list.entries.get(from..to).ok_or_else(outside)?;
                    *slice = ListSlice { starts, entries };
                }
            }
        }
        Ok(slices)
    }
}

/// Opens the file of a family, if it was made from this index.
fn open(path: &Path, family: Family, index: &IndexFile) -> Result<IndexFile, IndexError> {
    let file = IndexFile::open_as(path, MAGIC, family.version())?;
    let wanted = header(family, index);
    let same = Header {
        sections: file.header.sections,
        sum: file.header.sum,
        ..wanted
    } == file.header;
    if same {
        Ok(file)
    } else {
        Err(IndexError::Stale)
    }
}

/// What the header of a family says, but for its sections.
fn header(family: Family, index: &IndexFile) -> Header {
    let print = index.fingerprint();
    Header {
        magic: MAGIC,
        version: family.version(),
        padding: family as u32,
        store_id: index.header.store_id,
        last_game: index.header.last_game,
        games: index.header.games,
        positions: index.header.positions,
        bucket_bits: [print as u32, (print >> 32) as u32, 0, 0],
        ..Header::zeroed()
    }
}

fn work_out(
    family: Family,
    index: &IndexFile,
    threads: usize,
    progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
) -> Result<Columns, IndexError> {
    let positions = index.header.positions as usize;
    let stage = match family {
        Family::Goals => "looking for goals",
        Family::Captures => "looking for captures",
        Family::Shapes => "looking for hostages, frames and frozen pieces",
        Family::Counts => "counting pieces",
        Family::Games => "noting ratings and results",
        Family::Turns => "noting the turns played",
    };
    let games = index.slice(GAMES, 0..index.header.games as usize)?;
    let mut columns = Columns::empty(family);
    for from in (0..positions).step_by(PIECE) {
        if progress(stage, from as f64 / positions as f64).is_break() {
            return Err(IndexError::Stopped);
        }
        let range = from..positions.min(from + PIECE);
        let stored = StoredPositions {
            boards: index.slice(BOARDS, range.clone())?,
            moves: index.slice(MOVES, range)?,
            games,
        };
        columns.append(Columns::of(family, stored, threads));
    }
    // What was read of an index that was cut is not what it had.
    index.check_whole()?;
    Ok(columns)
}

fn write(
    path: &Path,
    family: Family,
    index: &IndexFile,
    columns: &Columns,
    threads: usize,
) -> Result<(), IndexError> {
    let mut header = header(family, index);
    let mut writer = Writer::create(path, threads)?;
    header.sections[WORDS] = writer.section(&columns.words)?;
    for (number, list) in columns.lists.iter().enumerate() {
        header.sections[starts_section(number)] = writer.section(&list.starts)?;
        header.sections[entries_section(number)] = writer.section(&list.entries)?;
    }
    writer.finish(header)
}

const _: () = assert!(PIECE.is_multiple_of(BLOCK));
