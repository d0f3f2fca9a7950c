//! Archives into the store: every game replayed by the rules on all cores,
//! then added in batches, each of them whole or not at all.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hathi_archive::{ArchiveError, ArchiveReader, GameId, RawRow, Replayer};

use crate::database::NewGame;
use crate::moves::Moves;
use crate::store::{Store, StoreError};

/// How an import is to be done.
#[derive(Clone, Copy, Debug)]
pub struct ImportOptions {
    /// Reject games that break a rule instead of keeping them up to there.
    pub strict: bool,
    /// Threads for replaying; 0 for as many as there are cores.
    pub threads: usize,
    /// Games in one transaction.
    pub batch: usize,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            strict: false,
            threads: 0,
            batch: 4000,
        }
    }
}

/// What became of the games.
#[derive(Clone, Debug, Default)]
pub struct ImportSummary {
    /// Rows read, whether they could be used or not.
    pub read: u64,
    /// Games added.
    pub stored: u64,
    /// Of these: kept only up to the last legal turn.
    pub shortened: u64,
    /// Games not added because of what is wrong with them.
    pub rejected: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Turns of the added games: positions with a turn played from them.
    pub positions: u64,
    /// How often games were shortened or rejected for which kind of reason.
    pub reasons: BTreeMap<String, u64>,
    /// Was it stopped before the end?
    pub stopped: bool,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its number in the archive, if that could be read.
    pub game: Option<GameId>,
    /// Was it kept in part?
    pub kept: bool,
    /// File, line, move and reason.
    pub text: String,
}

/// A row after replaying.
enum Outcome {
    Good(Box<NewGame>),
    Bad(Remark, String),
}

impl Store {
    /// See [`Memory::import`](crate::Memory::import).
    pub fn import(
        &mut self,
        reader: ArchiveReader,
        options: ImportOptions,
        mut remark: impl FnMut(&Remark),
        mut progress: impl FnMut(&ImportSummary) -> bool,
    ) -> Result<ImportSummary, StoreError> {
        let insert = |games: &[NewGame]| self.insert_for_index(games);
        import_into(insert, reader, options, &mut remark, &mut progress)
    }
}

/// Reads archives and hands the games over in batches.
pub(crate) fn import_into(
    mut insert: impl FnMut(&[NewGame]) -> Result<Vec<Option<i64>>, StoreError>,
    reader: ArchiveReader,
    options: ImportOptions,
    remark: &mut dyn FnMut(&Remark),
    progress: &mut dyn FnMut(&ImportSummary) -> bool,
) -> Result<ImportSummary, StoreError> {
    let mut summary = ImportSummary::default();
    let mut batch: Vec<NewGame> = Vec::with_capacity(options.batch);
    let mut add_batch = |batch: &mut Vec<NewGame>, summary: &mut ImportSummary| {
        if !batch.is_empty() {
            summary.count(batch, &insert(batch)?);
            batch.clear();
        }
        Ok(())
    };
    let ended = reader.for_each_parallel(
        options.threads,
        Replayer::new,
        |replayer, row| read_game(replayer, row, options.strict),
        |outcome| {
            summary.read += 1;
            match outcome {
                Outcome::Good(game) => {
                    if let Some(fault) = &game.fault {
                        remark(&Remark {
                            game: Some(game.game.id),
                            kept: true,
                            text: format!("game {}, {fault}", game.game.id),
                        });
                    }
                    batch.push(*game);
                }
                Outcome::Bad(bad, reason) => {
                    summary.rejected += 1;
                    *summary.reasons.entry(reason).or_default() += 1;
                    remark(&bad);
                }
            }
            if batch.len() < options.batch {
                return ControlFlow::Continue(());
            }
            if let Err(error) = add_batch(&mut batch, &mut summary) {
                return ControlFlow::Break(Some(error));
            }
            if progress(&summary) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(None)
            }
        },
    );
    match ended {
        ControlFlow::Break(Some(error)) => return Err(error),
        ControlFlow::Break(None) => summary.stopped = true,
        ControlFlow::Continue(()) => {}
    }
    add_batch(&mut batch, &mut summary)?;
    progress(&summary);
    Ok(summary)
}

impl ImportSummary {
    /// Counts a batch by what became of its games.
    fn count(&mut self, batch: &[NewGame], rows: &[Option<i64>]) {
        for (game, row) in batch.iter().zip(rows) {
            if row.is_none() {
                self.duplicates += 1;
                continue;
            }
            self.stored += 1;
            if let Some(fault) = &game.fault {
                self.shortened += 1;
                *self.reasons.entry(kind_of(fault)).or_default() += 1;
            }
            self.positions += game.moves.turns.len() as u64;
        }
    }
}

/// The kind of a fault, for counting.
/// "move 22g: step 2 of 4, `Cg3n`: the cat on g3 is frozen by the dog on h3"
/// is one of many "frozen"; squares and pieces would make each its own kind.
fn kind_of(fault: &str) -> String {
    const KINDS: [(&str, &str); 12] = [
        ("is frozen", "a frozen piece moved"),
        ("is occupied", "the square was occupied"),
        ("there is no", "the piece was not there"),
        ("backward", "a rabbit stepped backward"),
        ("push", "a push without pusher or not completed"),
        ("third time", "third repetition"),
        ("as it was", "the turn changed nothing"),
        ("game is over", "moves after the end"),
        ("has ended", "moves after the end"),
        ("take back", "takeback of nothing"),
        ("'s turn", "moves out of turn"),
        ("placed", "incomplete setup"),
    ];
    KINDS
        .iter()
        .find(|(sign, _)| fault.contains(sign))
        .map_or("other", |(_, kind)| kind)
        .to_owned()
}

fn read_game(
    replayer: &mut Replayer,
    row: Result<RawRow<'_>, ArchiveError>,
    strict: bool,
) -> Outcome {
    let row = match row {
        Ok(row) => row,
        Err(error) => {
            let remark = Remark {
                game: error.place.game,
                kept: false,
                text: error.to_string(),
            };
            return Outcome::Bad(remark, "the row cannot be read".to_owned());
        }
    };
    let replayed = replayer.replay(&row);
    let fault = replayed.fault.as_ref().map(ToString::to_string);
    let rejected = |reason: &str, kind: &str| {
        let remark = Remark {
            game: Some(row.id()),
            kept: false,
            text: format!("{}: {reason}", row.place()),
        };
        Outcome::Bad(remark, kind.to_owned())
    };
    if strict && let Some(fault) = &fault {
        return rejected(fault, &kind_of(fault));
    }
    let Some(moves) = Moves::of_game(replayed.game) else {
        return rejected(
            fault
                .as_deref()
                .unwrap_or("it ends before both sides have set up"),
            "no complete setup",
        );
    };
    let takebacks = replayed.takebacks;
    let mut game = row.to_game();
    game.movelist = Vec::new();
    Outcome::Good(Box::new(NewGame {
        game,
        moves,
        takebacks,
        fault,
    }))
}
