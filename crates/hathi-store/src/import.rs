//! Archives into the store: every game replayed by the rules on all cores,
//! then added in batches, each of them whole or not at all.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hathi_archive::{ArchiveError, ArchiveReader, GameId, GameSource, RawRow, Replayer};
use hathi_rules::{IllegalStep, IllegalTurn, RecordFault};

use crate::error::StoreError;
use crate::model::{AddedGame, NewGame};
use crate::moves::Moves;

/// How an import is to be done.
#[derive(Clone, Copy, Debug)]
pub struct ImportOptions {
    /// Reject games that break a rule instead of keeping them up to there.
    pub strict: bool,
    /// Threads for replaying; 0 for as many as there are cores.
    pub threads: usize,
    /// Games in one transaction.
    pub batch: usize,
    /// The games are of this source, whatever their rows say.
    pub source: Option<GameSource>,
    /// Leave out the logs, which are longer than all the rest.
    pub without_logs: bool,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            strict: false,
            threads: 0,
            batch: 4000,
            source: None,
            without_logs: false,
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
    /// Of the added ones: kept as another copy, since a game with other content
    /// has their number.
    pub copies: u64,
    /// Turns of the added games: positions with a turn played from them.
    pub positions: u64,
    /// How often games were shortened or rejected for which kind of reason.
    pub reasons: BTreeMap<Reason, u64>,
    /// Was it stopped before the end?
    pub stopped: bool,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What it is known by, if that could be read.
    pub game: Option<GameId>,
    /// Was it kept in part?
    pub kept: bool,
    /// File, line, move and reason.
    pub text: String,
}

/// Why a game was kept only in part, or not at all: for counting, so without
/// squares and pieces, which would make each its own reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Reason {
    /// A piece moved although a stronger enemy stood beside it.
    #[error("a frozen piece moved")]
    Frozen,
    /// An enemy moved without anybody to push it, or was not followed.
    #[error("a push without pusher or not completed")]
    Push,
    /// A rabbit went back.
    #[error("a rabbit stepped backward")]
    RabbitBackward,
    /// A setup that cannot be read, or a turn before the setups.
    #[error("incomplete setup")]
    Setup,
    /// The game was over already.
    #[error("moves after the end")]
    AfterTheEnd,
    /// The other side was to move, or to set up.
    #[error("moves out of turn")]
    OutOfTurn,
    /// Nothing is left to keep.
    #[error("no complete setup")]
    NothingToKeep,
    /// Anything else.
    #[error("other")]
    Other,
    /// Nothing had been played yet.
    #[error("takeback of nothing")]
    NothingToTakeBack,
    /// Another piece, or none, stood there.
    #[error("the piece was not there")]
    NoSuchPiece,
    /// Not a row of an archive.
    #[error("the row cannot be read")]
    Row,
    /// Somebody stood there.
    #[error("the square was occupied")]
    Occupied,
    /// The turn led back to where it began.
    #[error("the turn changed nothing")]
    NoChange,
    /// The same position for the third time.
    #[error("third repetition")]
    ThirdRepetition,
}

impl Reason {
    /// The reason that a fault belongs to.
    fn of(fault: &RecordFault) -> Reason {
        let illegal = match fault {
            RecordFault::Setup(_) => return Reason::Setup,
            RecordFault::SetupOrder(_) | RecordFault::WrongSide(_) => return Reason::OutOfTurn,
            RecordFault::NothingToTakeBack => return Reason::NothingToTakeBack,
            RecordFault::AfterTheEnd(_) => return Reason::AfterTheEnd,
            RecordFault::NoLabel(_) | RecordFault::Turn(_) => return Reason::Other,
            RecordFault::Illegal(illegal) => illegal,
        };
        let step = match illegal {
            IllegalTurn::UnfinishedPush { .. } => return Reason::Push,
            IllegalTurn::NoChange => return Reason::NoChange,
            IllegalTurn::ThirdRepetition => return Reason::ThirdRepetition,
            IllegalTurn::GameOver(_) => return Reason::AfterTheEnd,
            IllegalTurn::SetupMissing(_) => return Reason::Setup,
            IllegalTurn::Empty | IllegalTurn::TooManySteps(_) => return Reason::Other,
            IllegalTurn::Step { reason, .. } => reason,
        };
        match step {
            IllegalStep::NoSuchPiece { .. } => Reason::NoSuchPiece,
            IllegalStep::Occupied { .. } => Reason::Occupied,
            IllegalStep::RabbitBackward => Reason::RabbitBackward,
            IllegalStep::Frozen { .. } => Reason::Frozen,
            IllegalStep::PushNotCompleted { .. }
            | IllegalStep::PusherTooWeak { .. }
            | IllegalStep::NoPusher { .. }
            | IllegalStep::PushNeedsTwoSteps => Reason::Push,
            IllegalStep::NoStepsLeft | IllegalStep::OffBoard | IllegalStep::WrongRemoval { .. } => {
                Reason::Other
            }
        }
    }
}

/// A row after replaying.
enum Outcome {
    Good(Box<Replayed>),
    Bad(Remark, Reason),
}

/// A game to be added, and why it was shortened, if it was.
struct Replayed {
    game: NewGame,
    reason: Option<Reason>,
}

/// Reads archives and hands the games over in batches.
pub(crate) fn import_into(
    mut insert: impl FnMut(&[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError>,
    reader: ArchiveReader,
    options: ImportOptions,
    remark: &mut dyn FnMut(&Remark),
    progress: &mut dyn FnMut(&ImportSummary) -> bool,
) -> Result<ImportSummary, StoreError> {
    let mut summary = ImportSummary::default();
    let mut batch: Vec<NewGame> = Vec::with_capacity(options.batch);
    let mut reasons: Vec<Option<Reason>> = Vec::with_capacity(options.batch);
    let mut add_batch = |batch: &mut Vec<NewGame>,
                         reasons: &mut Vec<Option<Reason>>,
                         summary: &mut ImportSummary,
                         remark: &mut dyn FnMut(&Remark)| {
        if !batch.is_empty() {
            summary.count(batch, reasons, &insert(batch)?, remark);
            batch.clear();
            reasons.clear();
        }
        Ok(())
    };
    let ended = reader.for_each_parallel(
        options.threads,
        Replayer::new,
        |replayer, row| read_game(replayer, row, options),
        |outcome| {
            summary.read += 1;
            match outcome {
                Outcome::Good(replayed) => {
                    let Replayed { game, reason } = *replayed;
                    if let Some(fault) = &game.fault {
                        remark(&Remark {
                            game: Some(game.game.id),
                            kept: true,
                            text: format!("game {}, {fault}", game.game.id),
                        });
                    }
                    batch.push(game);
                    reasons.push(reason);
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
            if let Err(error) = add_batch(&mut batch, &mut reasons, &mut summary, remark) {
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
    add_batch(&mut batch, &mut reasons, &mut summary, remark)?;
    progress(&summary);
    Ok(summary)
}

impl ImportSummary {
    /// Counts a batch by what became of its games.
    fn count(
        &mut self,
        batch: &[NewGame],
        reasons: &[Option<Reason>],
        added: &[Option<AddedGame>],
        remark: &mut dyn FnMut(&Remark),
    ) {
        for ((game, reason), added) in batch.iter().zip(reasons).zip(added) {
            let Some(added) = added else {
                self.duplicates += 1;
                continue;
            };
            self.stored += 1;
            let asked = game.game.id;
            if added.id != asked {
                self.copies += 1;
                remark(&Remark {
                    game: Some(added.id),
                    kept: true,
                    text: format!(
                        "game {asked}: another game of the store has this number; this one is kept as {}",
                        added.id
                    ),
                });
            }
            if let Some(reason) = *reason {
                self.shortened += 1;
                *self.reasons.entry(reason).or_default() += 1;
            }
            self.positions += game.moves.turns.len() as u64;
        }
    }
}

fn read_game(
    replayer: &mut Replayer,
    row: Result<RawRow<'_>, ArchiveError>,
    options: ImportOptions,
) -> Outcome {
    let row = match row {
        Ok(row) => row,
        Err(error) => {
            let remark = Remark {
                game: error.place.game,
                kept: false,
                text: error.to_string(),
            };
            return Outcome::Bad(remark, Reason::Row);
        }
    };
    let replayed = replayer.replay(&row);
    let fault = replayed.fault.as_ref().map(ToString::to_string);
    let reason = replayed
        .fault
        .as_ref()
        .map(|fault| Reason::of(&fault.reason));
    let rejected = |text: &str, reason: Reason| {
        let remark = Remark {
            game: Some(row.id()),
            kept: false,
            text: format!("{}: {text}", row.place()),
        };
        Outcome::Bad(remark, reason)
    };
    if options.strict
        && let (Some(fault), Some(reason)) = (&fault, reason)
    {
        return rejected(fault, reason);
    }
    let Some(moves) = Moves::of_game(replayed.game) else {
        return rejected(
            fault
                .as_deref()
                .unwrap_or("it ends before both sides have set up"),
            Reason::NothingToKeep,
        );
    };
    let takebacks = replayed.takebacks;
    let mut game = if options.without_logs {
        row.to_game()
    } else {
        row.to_game_with_events()
    };
    game.movelist = Vec::new();
    if let Some(source) = options.source {
        game.id = game.id.in_source(source);
    }
    let game = NewGame {
        game,
        moves,
        takebacks,
        fault,
    };
    Outcome::Good(Box::new(Replayed { game, reason }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{GameRecord, RuleSet, Side};

    const SETUPS: &str = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
";

    /// What is wrong with a game that goes on like this.
    fn reason(moves: &str) -> Option<Reason> {
        let record: Result<GameRecord, _> = format!("{SETUPS}{moves}").parse();
        let fault = match record {
            Ok(record) => record.replay(RuleSet::Modern).err(),
            Err(fault) => Some(fault),
        };
        fault.map(|fault| Reason::of(&fault.reason))
    }

    #[test]
    fn reasons_come_from_the_fault_not_from_its_words() {
        for (moves, wanted) in [
            ("2g Ee2n", None),
            ("2g Ee2n\n2s resigns\n3g Ee3n", Some(Reason::AfterTheEnd)),
            ("2g Ee3n", Some(Reason::NoSuchPiece)),
            ("2g Ee2w", Some(Reason::Occupied)),
            ("2g Ee2n Ee3s", Some(Reason::NoChange)),
            ("2s ed7s", Some(Reason::OutOfTurn)),
            ("2g ed7s", Some(Reason::Push)),
            ("2g Rx9", Some(Reason::Other)),
        ] {
            assert_eq!(reason(moves), wanted, "{moves}");
        }
        let turn_first = Reason::of(&RecordFault::Illegal(IllegalTurn::SetupMissing(Side::Gold)));
        assert_eq!(turn_first, Reason::Setup);
        // Its words begin like those of a missing piece.
        let nothing = RecordFault::NothingToTakeBack;
        assert_eq!(Reason::of(&nothing), Reason::NothingToTakeBack);
    }
}
