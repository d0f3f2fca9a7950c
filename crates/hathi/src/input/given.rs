//! An argument that may be a position or a game: which of them it is, and
//! what it says.

use std::ffi::OsStr;
use std::io::BufRead;
use std::ops::ControlFlow;

use hathi_archive::ArchiveReader;
use hathi_rules::{BySide, Game, Label, Ply, Position, Replay, RuleSet, Side};

use super::listed::{Listed, Pick, for_each as for_each_listed, starts_with_label};
use crate::failure::BadInput;
use crate::input::table::{Table, is_packed};
use crate::input::{self, Source};

/// What was given.
pub(crate) enum Given {
    Position(Position),
    Game(Box<GivenGame>),
}

/// A game that was given.
pub(crate) struct GivenGame {
    /// If an archive names it.
    pub(crate) id: Option<String>,
    pub(crate) players: BySide<Option<String>>,
    /// As far as it is legal.
    pub(crate) game: Game,
    /// Why it ends there, if its record goes on.
    pub(crate) fault: Option<String>,
}

impl Given {
    /// A position as text, or a file with a position, a game in notation or an
    /// archive of games; `pick` says which one of these.
    pub(crate) fn read(
        argument: &OsStr,
        side: Option<Side>,
        pick: Option<&str>,
    ) -> anyhow::Result<Given> {
        if argument.to_str().is_some_and(input::is_position) {
            return input::position(argument, side).map(Given::Position);
        }
        let source = Source::new(argument);
        let name = source.name();
        let mut reader = source.open()?;
        let start = reader
            .fill_buf()
            .map_err(|error| source.unreadable(&error))?;
        if is_packed(start) {
            let packed = hathi_archive::Source::reader(&name, reader);
            return of_archive(ArchiveReader::new([packed]), &name, pick);
        }
        let mut table = Table::read(source, reader)?;
        if table.column("movelist").is_some() {
            let rows = hathi_archive::Source::reader(&name, table.unread());
            return of_archive(ArchiveReader::new([rows]), &name, pick);
        }
        let mut text = table.header().to_vec();
        text.push(b'\n');
        match table.rest()? {
            Some(rest) => text.extend(rest),
            None => return Err(BadInput::error(format!("{name}: too long for one game"))),
        }
        if pick.is_some() {
            return Err(BadInput::error(format!(
                "{name}: this is no archive of games: leave --game out"
            )));
        }
        let lines = text.split(|&byte| byte == b'\n');
        let moves: Vec<&[u8]> = lines.filter(|line| starts_with_label(line)).collect();
        // A drawn position may begin with the label of the next move, too.
        if moves.len() > 1 || moves.iter().any(|line| line.len() > 8) {
            let game = GivenGame::replayed(&text, RuleSet::Modern);
            return Ok(Given::Game(Box::new(game)));
        }
        input::position_in(&text, &name, side).map(Given::Position)
    }
}

impl GivenGame {
    fn replayed(moves: &[u8], rules: RuleSet) -> GivenGame {
        let mut replay = Replay::new(rules);
        let fault = replay.read(moves, rules).err();
        GivenGame {
            id: None,
            players: BySide::default(),
            game: replay.game,
            fault: fault.map(|fault| fault.to_string()),
        }
    }

    fn listed(listed: Listed, name: &str) -> anyhow::Result<GivenGame> {
        let moves = listed.movelist.map_err(|fault| {
            BadInput::error(format!("{name}: {}: {}", fault.place(), fault.reason))
        })?;
        Ok(GivenGame {
            id: Some(listed.id),
            players: listed.players,
            ..GivenGame::replayed(&moves, listed.rules)
        })
    }
}

/// The game that was picked, or the only one there is.
fn of_archive(reader: ArchiveReader, name: &str, pick: Option<&str>) -> anyhow::Result<Given> {
    let pick: Option<Pick> = pick.map(str::parse).transpose()?;
    let mut games = 0;
    let mut found = None;
    for_each_listed(reader, |game| {
        games = game.row;
        let wanted = pick.as_ref().is_none_or(|pick| pick.is(&game));
        if wanted && found.is_none() {
            found = Some(game);
        }
        // Without a pick a second game is one too many.
        if found.is_some() && (pick.is_some() || games > 1) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    match found {
        Some(_) if pick.is_none() && games > 1 => Err(BadInput::error(format!(
            "{name}: this is an archive of games: pick one with --game ID, or --game '#1' for the first"
        ))),
        Some(game) => Ok(Given::Game(Box::new(GivenGame::listed(game, name)?))),
        None => Err(BadInput::error(format!(
            "{name}: there is no such game; --game takes an id, or a row such as '#1'"
        ))),
    }
}

/// The same game before its first turn.
pub(crate) fn game_at_start(game: &Game) -> Game {
    cut(game, 0)
}

/// The game before this move.
pub(crate) fn game_before(game: &Game, label: Label) -> anyhow::Result<Game> {
    let turns = 0..=game.turns().len();
    let wanted = turns
        .into_iter()
        .find(|&turns| game.label_of(Ply::after(turns)) == label);
    match wanted {
        Some(turns) => Ok(cut(game, turns)),
        None => Err(BadInput::error(format!(
            "--at: the game has no turn {label}, its last is {}",
            game.label_of(Ply::after(game.turns().len().saturating_sub(1)))
        ))),
    }
}

/// So many turns of the game.
fn cut(game: &Game, turns: usize) -> Game {
    let mut game = game.clone();
    while game.turns().len() > turns && game.take_back() {}
    game
}
