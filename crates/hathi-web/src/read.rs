//! Text from clients: positions, turns, games however they are written.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, ArchivedGame, Column, Replayer, Source};
use hathi_rules::{
    Game, GameRecord, Label, Outcome, ParsePositionError, Position, RuleSet, TimeControl, Turn,
};

use crate::error::ApiError;

/// `g [64 characters]`, or drawn.
pub(crate) fn position(text: &str) -> Result<Position, ApiError> {
    Position::parse_with_side(text, None).map_err(|error| {
        ApiError::bad_position(match error {
            ParsePositionError::MissingSide => {
                "the side to move is missing: start the position with `g` or `s`".to_owned()
            }
            error => format!("the position cannot be read: {error}"),
        })
    })
}

/// Pieces of a side at most.
const MOST_PIECES: u32 = 16;

/// A position that engines can play from: each side has pieces for a game.
pub(crate) fn playable(text: &str) -> Result<Position, ApiError> {
    let position = position(text)?;
    let count = position.board().count();
    if count.gold > MOST_PIECES || count.silver > MOST_PIECES {
        return Err(ApiError::bad_position(
            "this is no position of a game: a side has at most 16 pieces",
        ));
    }
    Position::new(*position.board(), position.side_to_move())
        .map_err(|error| ApiError::bad_position(format!("this is no position of a game: {error}")))
}

/// Characters of a time control; the longest of the archive has 22.
const LONGEST_CONTROL: usize = 80;

/// `2/2/100/10/8`.
pub(crate) fn control(text: &str) -> Result<TimeControl, ApiError> {
    if text.len() > LONGEST_CONTROL {
        return Err(ApiError::bad_request(format!(
            "a time control is written with at most {LONGEST_CONTROL} characters"
        )));
    }
    text.parse()
        .map_err(|error| ApiError::bad_request(format!("the time control cannot be read: {error}")))
}

/// `Ed2n Ed3n`.
pub(crate) fn turn(text: &str) -> Result<Turn, ApiError> {
    text.parse()
        .map_err(|error| ApiError::bad_turn(format!("the turn cannot be read: {error}")))
}

/// A game that somebody pasted.
#[derive(Clone, Debug)]
pub(crate) struct Pasted {
    pub(crate) about: ArchivedGame,
    pub(crate) game: Game,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) fault: Option<String>,
}

/// Reads a move list, an archive row or a position.
pub(crate) fn game(text: &str) -> Result<Pasted, ApiError> {
    let text = text.trim_matches(['\u{feff}', '\n', '\r', ' ']);
    if text.is_empty() {
        return Err(ApiError::bad_request(
            "there is nothing to read: paste a move list, a row of an archive or a position",
        ));
    }
    if text.lines().any(|line| line.matches('\t').count() >= 4) {
        return archive_row(text);
    }
    if text.contains('[') || (text.contains('|') && text.contains('\n')) {
        let position = position(text)?;
        return Ok(Pasted {
            about: ArchivedGame::default(),
            game: Game::from_position(RuleSet::Modern, position),
            outcome: None,
            fault: None,
        });
    }
    let record = match GameRecord::parse(text.as_bytes()) {
        Err(error) => match labelled(text) {
            // Perhaps the labels were left out.
            Some(labelled) => GameRecord::parse(labelled.as_bytes()).map_err(|_| error),
            None => Err(error),
        },
        record => record,
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        ApiError::bad_request(format!("the game cannot be read: {error}"))
    };
    let record = record.map_err(|error| unreadable(&error))?;
    let replay = record
        .replay(RuleSet::Modern)
        .map_err(|error| unreadable(&error))?;
    let outcome = replay.outcome();
    let about = ArchivedGame::default().with_game(&replay.game, outcome);
    Ok(Pasted {
        about,
        outcome,
        game: replay.game,
        fault: None,
    })
}

/// The lines with labels, if no line has one: setups first, Gold begins.
fn labelled(text: &str) -> Option<String> {
    let mut labelled = String::new();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for (ply, line) in lines.enumerate() {
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let _ = writeln!(labelled, "{} {line}", Label::at_index(ply));
    }
    Some(labelled)
}

/// The first row of an archive; the header may be missing.
fn archive_row(text: &str) -> Result<Pasted, ApiError> {
    let header = Column::ALL.map(Column::name).join("\t");
    let has_header = text
        .lines()
        .next()
        .is_some_and(|line| line.split('\t').any(|name| name == "movelist"));
    let text = if has_header {
        text.to_owned()
    } else {
        format!("{header}\n{text}\n")
    };
    let reader = ArchiveReader::new([Source::reader(
        "text",
        std::io::Cursor::new(text.into_bytes()),
    )]);
    let mut first = Err(ApiError::bad_request("there is no game in this text"));
    let _ = reader.for_each(|row| {
        first = match row {
            Err(error) => Err(ApiError::bad_request(format!(
                "the row cannot be read: {}",
                error.fault
            ))),
            Ok(row) => {
                let about = row.to_game_with_events();
                let mut replayer = Replayer::new();
                let replayed = replayer.replay(&row);
                Ok(Pasted {
                    outcome: about.recorded().or(replayed.outcome),
                    game: replayed.game.clone(),
                    fault: replayed.fault.map(|fault| fault.to_string()),
                    about,
                })
            }
        };
        ControlFlow::Break(())
    });
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUPS: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                          ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n";

    #[test]
    fn labels_may_be_left_out() {
        let pasted = game(&format!("{SETUPS}Ee2n Ee3n\ned7s")).expect("a game");
        assert_eq!(pasted.game.turns().len(), 2);
        let labelled = GameRecord::of_game(&pasted.game).to_string();
        assert_eq!(game(&labelled).expect("a game").game.turns().len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |text: &str| game(text).expect_err("no game").message;
        assert!(message("").contains("nothing to read"));
        assert!(message("1g Ra1").contains("1g"), "{}", message("1g Ra1"));
        let illegal = message(&format!("{SETUPS}Ee2s"));
        assert!(
            illegal.contains("2g") && illegal.contains("occupied"),
            "{illegal}"
        );
        assert!(message("hello world").contains("cannot be read"));
        assert!(message("a\tb\tc\td\te").contains("cannot be read"));
    }

    #[test]
    fn positions_are_games_without_moves() {
        let text = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
        let pasted = game(text).expect("a position");
        assert!(pasted.game.turns().is_empty());
        assert_eq!(pasted.game.must_set_up(), None);
    }
}
