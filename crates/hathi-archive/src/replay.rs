//! Archived games played over by the rules.

use hathi_rules::{
    BySide, Game, Label, Outcome, RecordError, RecordFault, Replay, RuleSet, Setup, Turn,
};

use crate::{ArchivedGame, RawRow};

/// Replays games one after the other without allocating: one for each thread.
#[derive(Clone, Debug)]
pub struct Replayer {
    replay: Replay,
}

impl Default for Replayer {
    fn default() -> Replayer {
        Replayer::new()
    }
}

impl Replayer {
    /// Ready for the first game.
    pub fn new() -> Replayer {
        Replayer {
            replay: Replay::new(RuleSet::Modern),
        }
    }

    /// Replays a row by the rules of its time.
    pub fn replay(&mut self, row: &RawRow<'_>) -> Replayed<'_> {
        self.replay_moves(row.movelist(), row.rules(), row.recorded())
    }

    /// Replays a game by the rules of its time.
    pub fn replay_game(&mut self, game: &ArchivedGame) -> Replayed<'_> {
        self.replay_moves(&game.movelist, game.rules(), game.recorded())
    }

    /// Replays a move list and compares its end with the recorded outcome.
    pub(crate) fn replay_moves(
        &mut self,
        movelist: &[u8],
        rules: RuleSet,
        recorded: Option<Outcome>,
    ) -> Replayed<'_> {
        let fault = self.replay.read(movelist, rules).err().map(Fault::from);
        let outcome = self.replay.outcome();
        Replayed {
            game: &self.replay.game,
            takebacks: self.replay.takebacks,
            fault,
            outcome,
            agreement: Agreement::of(outcome, recorded),
        }
    }
}

/// A game replayed as far as it is legal. Borrowed from the [`Replayer`];
/// [`to_owned`](Replayed::to_owned) makes a copy.
#[derive(Clone, Debug)]
pub struct Replayed<'a> {
    /// The game with its setups, turns and positions: what was taken back is
    /// not in it. After a fault it stands at the last legal move.
    pub game: &'a Game,
    /// How many takebacks there were.
    pub takebacks: usize,
    /// The first move that cannot be, if there is one.
    pub fault: Option<Fault>,
    /// The outcome the moves lead to: on the board, or by a resignation
    /// written among them.
    pub outcome: Option<Outcome>,
    /// Whether that fits what the archive says.
    pub agreement: Agreement,
}

impl Replayed<'_> {
    /// Setups made; a game may end before them.
    pub fn setups(&self) -> BySide<Option<Setup>> {
        let (gold, silver) = self.game.setups();
        BySide::new(gold.copied(), silver.copied())
    }

    /// A copy that outlives the replayer.
    #[allow(clippy::should_implement_trait)] // borrows more than one thing
    pub fn to_owned(&self) -> ReplayedGame {
        ReplayedGame {
            rules: self.game.rules(),
            setups: self.setups(),
            turns: self.game.turns().to_vec(),
            takebacks: self.takebacks,
            fault: self.fault.clone(),
            outcome: self.outcome,
            agreement: self.agreement,
        }
    }
}

/// A replayed game on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedGame {
    /// The rules it was judged by.
    pub rules: RuleSet,
    /// Setups made.
    pub setups: BySide<Option<Setup>>,
    /// The turns, up to the last legal one; removals filled in.
    pub turns: Vec<Turn>,
    /// How many takebacks there were.
    pub takebacks: usize,
    /// The first move that cannot be.
    pub fault: Option<Fault>,
    /// The outcome the moves lead to.
    pub outcome: Option<Outcome>,
    /// Whether that fits what the archive says.
    pub agreement: Agreement,
}

/// Why a game could be kept only in part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", self.place())]
pub struct Fault {
    /// The move, if the line has a label.
    pub label: Option<Label>,
    /// Line of the move list, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: RecordFault,
}

impl Fault {
    fn place(&self) -> String {
        match self.label {
            Some(label) => format!("move {label}"),
            None => format!("line {} of the moves", self.line),
        }
    }
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Fault {
        Fault {
            label: error.label,
            line: error.line,
            reason: error.reason,
        }
    }
}

/// Does the outcome on the board fit the recorded one?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// Both say the same.
    Same,
    /// The moves decide nothing and need not: time, resignation, forfeit.
    OffBoard,
    /// Neither the moves nor the archive decide it.
    Undecided,
    /// The archive records an end on the board that the moves do not show.
    NotOnBoard,
    /// The moves decide it, the archive records no outcome.
    NotRecorded,
    /// The same winner for another reason.
    OtherReason,
    /// Another winner.
    OtherWinner,
}

impl Agreement {
    /// Compares what the moves lead to with what is recorded.
    pub fn of(played: Option<Outcome>, recorded: Option<Outcome>) -> Agreement {
        match (played, recorded) {
            (None, None) => Agreement::Undecided,
            (Some(_), None) => Agreement::NotRecorded,
            (None, Some(recorded)) if recorded.termination.is_on_board() => Agreement::NotOnBoard,
            (None, Some(_)) => Agreement::OffBoard,
            (Some(played), Some(recorded)) if played == recorded => Agreement::Same,
            (Some(played), Some(recorded)) if played.winner == recorded.winner => {
                Agreement::OtherReason
            }
            _ => Agreement::OtherWinner,
        }
    }
}

#[cfg(test)]
mod tests {
    use hathi_rules::{Side, Termination};

    use super::*;

    const SETUPS: &str = "\
        1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n";

    fn replay(moves: &str, recorded: Option<Outcome>) -> ReplayedGame {
        let text = format!("{SETUPS}{moves}");
        Replayer::new()
            .replay_moves(text.as_bytes(), RuleSet::Modern, recorded)
            .to_owned()
    }

    #[test]
    fn a_broken_game_is_kept_up_to_the_last_legal_turn() {
        let game = replay("2w Ee2n\\n2b ed7s\\n3w Ee3e Ra1s\\n3b ed6s", None);
        assert_eq!(game.turns.len(), 2);
        let fault = game.fault.unwrap();
        assert_eq!(fault.label.unwrap().to_string(), "3g");
        assert!(
            fault
                .to_string()
                .starts_with("move 3g: step 2 of 4, `Ra1s`")
        );
        assert!(game.setups.gold.is_some() && game.setups.silver.is_some());
    }

    #[test]
    fn takebacks_are_counted_and_gone() {
        let game = replay("2w Ee2n\\n2b takeback\\n2w Md2n\\n2b", None);
        assert_eq!((game.takebacks, game.turns.len()), (1, 1));
        assert_eq!(game.turns[0].to_string(), "Md2n");
    }

    #[test]
    fn the_moves_and_the_record_may_agree_or_not() {
        let resigned = |side| Some(Outcome::win(side, Termination::Resignation));
        let agreement = |moves, recorded| replay(moves, recorded).agreement;
        let gives_up = "2w resigns";
        assert_eq!(agreement(gives_up, resigned(Side::Silver)), Agreement::Same);
        assert_eq!(
            agreement(gives_up, resigned(Side::Gold)),
            Agreement::OtherWinner
        );
        assert_eq!(agreement(gives_up, None), Agreement::NotRecorded);
        let on_time = Some(Outcome::win(Side::Silver, Termination::Time));
        assert_eq!(agreement(gives_up, on_time), Agreement::OtherReason);
        assert_eq!(agreement("2w", on_time), Agreement::OffBoard);
        let goal = Some(Outcome::win(Side::Gold, Termination::Goal));
        assert_eq!(agreement("2w", goal), Agreement::NotOnBoard);
        assert_eq!(agreement("2w", None), Agreement::Undecided);
    }
}
