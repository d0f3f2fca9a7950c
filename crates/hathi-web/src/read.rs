//! Text from clients: positions, turns, games however they are written.

use std::ops::ControlFlow;

use hathi_archive::{
    ArchiveReader, ArchivedGame, Column, GameId, GameSource, Replayer, Source, plain,
};
use hathi_rules::{
    Game, GameRecord, Outcome, ParsePositionError, Position, RuleSet, TimeControl, Turn,
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
    // Names above the moves may hold what positions are told by.
    if let Some(about) = plain::games(text.as_bytes()).into_iter().next() {
        return move_list(about);
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
    // It is none: why not, in the words of the rules.
    match GameRecord::parse(text.as_bytes()).and_then(|record| record.replay(RuleSet::Modern)) {
        Err(error) => Err(unreadable(&error)),
        Ok(_) => Err(unreadable(&"it does not begin with a setup")),
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> ApiError {
    ApiError::bad_request(format!("the game cannot be read: {error}"))
}

/// A move list, with what stands above it.
fn move_list(about: ArchivedGame) -> Result<Pasted, ApiError> {
    let mut replayer = Replayer::new();
    let replayed = replayer.replay_game(&about);
    if let Some(fault) = replayed.fault {
        return Err(unreadable(&fault));
    }
    let outcome = about.recorded().or(replayed.outcome);
    let (game, mut about) = (replayed.game.clone(), about);
    if about.id.source() == GameSource::File {
        // A number made from the moves is no name that anybody knows.
        about.id = GameId::default();
    }
    Ok(Pasted {
        about: about.with_game(&game, outcome),
        outcome,
        game,
        fault: None,
    })
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
        // And so may line ends.
        let one_line = labelled.replace('\n', " ");
        assert_eq!(game(&one_line).expect("a game").game.turns().len(), 2);
        let named = format!("# Gold       a [b] | c\n{labelled}");
        let named = game(&named).expect("a game");
        assert_eq!(named.about.players.gold.name, "a [b] | c");
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
