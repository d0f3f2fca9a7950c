//! A stored game as the commands show it: a line in a list, or JSON.

use hathi_archive::Player;
use hathi_rules::Side;
use hathi_store::StoredGame;
use serde::Serialize;

use crate::columns::{Align, Columns};
use crate::dates;
use crate::output::printable;

/// Who, when, how it ended.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameView {
    /// Its number in the archive.
    pub(crate) id: u64,
    pub(crate) date: Option<String>,
    pub(crate) gold: PlayerView,
    pub(crate) silver: PlayerView,
    /// Who won.
    pub(crate) result: Option<char>,
    pub(crate) termination: Option<char>,
    /// After the setups, both sides together.
    pub(crate) turns: usize,
    pub(crate) event: String,
    pub(crate) time_control: String,
    pub(crate) rated: bool,
    /// Why it was shortened, if it was.
    pub(crate) fault: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlayerView {
    pub(crate) name: String,
    pub(crate) rating: Option<i32>,
    pub(crate) kind: Option<char>,
}

impl From<&Player> for PlayerView {
    fn from(player: &Player) -> PlayerView {
        PlayerView {
            name: player.name.clone(),
            rating: player.rating,
            kind: player.kind.to_char(),
        }
    }
}

impl PlayerView {
    /// `omar 1702`.
    pub(crate) fn text(&self) -> String {
        let name = match printable(&self.name) {
            name if name.is_empty() => "?".into(),
            name => name,
        };
        match self.rating {
            Some(rating) => format!("{name} {rating}"),
            None => name.into_owned(),
        }
    }
}

impl From<&StoredGame> for GameView {
    fn from(stored: &StoredGame) -> GameView {
        let game = &stored.game;
        GameView {
            id: game.id.get(),
            date: game.start.and_then(dates::date),
            gold: (&game.players.gold).into(),
            silver: (&game.players.silver).into(),
            result: game.result.map(Side::to_char),
            termination: game.termination.map(hathi_rules::Termination::to_char),
            turns: stored.moves.turns.len(),
            event: game.event.clone(),
            time_control: game.time_control.clone(),
            rated: game.rated,
            fault: stored.fault.clone(),
        }
    }
}

/// A list of games.
pub(crate) fn table(games: &[GameView]) -> Columns {
    let mut table = Columns::new(&[
        ("game", Align::Right),
        ("date", Align::Left),
        ("gold", Align::Left),
        ("silver", Align::Left),
        ("won", Align::Left),
        ("by", Align::Left),
        ("turns", Align::Right),
        ("event", Align::Left),
    ]);
    let letter = |letter: Option<char>| letter.map_or("-".to_owned(), String::from);
    for game in games {
        table.row([
            game.id.to_string(),
            game.date.clone().unwrap_or_else(|| "?".to_owned()),
            game.gold.text(),
            game.silver.text(),
            letter(game.result),
            letter(game.termination),
            game.turns.to_string(),
            printable(&game.event).into_owned(),
        ]);
    }
    table
}
