//! A stored game as the commands show it: a line in a list.

use hathi_view::columns::{Align, Columns};
use hathi_view::{GameView, PlayerView};

use crate::terminal::output::printable;

/// `omar 1702`.
pub(crate) fn player(player: &PlayerView) -> String {
    let name = match printable(&player.name) {
        name if name.is_empty() => "?".into(),
        name => name,
    };
    match player.rating {
        Some(rating) => format!("{name} {rating}"),
        None => name.into_owned(),
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
            game.id.clone().unwrap_or_default(),
            game.date.clone().unwrap_or_else(|| "?".to_owned()),
            player(&game.gold),
            player(&game.silver),
            letter(game.result),
            letter(game.termination),
            game.turns.to_string(),
            printable(&game.event).into_owned(),
        ]);
    }
    table
}
