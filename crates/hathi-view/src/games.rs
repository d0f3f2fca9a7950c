//! Games: in lists, and move by move.

use std::collections::HashMap;
use std::hash::BuildHasher;

use hathi_archive::{ArchivedGame, Player, plain};
use hathi_rules::{Action, Game, GameRecord, Label, Outcome, RuleSet, Side};
use hathi_store::{GameRow, Memory, StoreError, StoredGame, dates};
use serde::Serialize;

/// Who, when, how it ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameView {
    /// What it is known by: its number in the archive, or source and number such as `sample:15`,
    /// with `~2` for the second game of that number. None if it has no number.
    pub id: Option<String>,
    /// Where it is from: arimaa, sample, synth, play, arena, aei or file.
    pub source: &'static str,
    /// Its number there; 0 if it has none.
    pub number: u64,
    /// The day it began, in UTC.
    pub date: Option<String>,
    /// Who played Gold.
    pub gold: PlayerView,
    /// Who played Silver.
    pub silver: PlayerView,
    /// Who won: g or s.
    pub result: Option<char>,
    /// How: the letter of the archive.
    pub termination: Option<char>,
    /// After the setups, both sides together.
    pub turns: usize,
    /// The tournament, or what it was.
    pub event: String,
    /// As the archive writes it.
    pub time_control: String,
    /// Did ratings change by it?
    pub rated: bool,
    /// Why it was shortened, if it was.
    pub fault: Option<String>,
}

/// A player of a game.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerView {
    /// As the archive writes it.
    pub name: String,
    /// At the time of the game.
    pub rating: Option<i32>,
    /// h for a human, b for a bot.
    pub kind: Option<char>,
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

impl GameView {
    /// `fault`: why it was shortened.
    #[must_use]
    pub fn new(game: &ArchivedGame, turns: usize, fault: Option<String>) -> GameView {
        GameView {
            id: game.id.is_some().then(|| game.id.to_string()),
            source: game.id.source().name(),
            number: game.id.number(),
            date: game.start.and_then(dates::date),
            gold: (&game.players.gold).into(),
            silver: (&game.players.silver).into(),
            result: game.result.map(Side::to_char),
            termination: game.termination.map(hathi_rules::Termination::to_char),
            turns,
            event: game.event.clone(),
            time_control: game.time_control.clone(),
            rated: game.rated,
            fault,
        }
    }
}

impl From<&StoredGame> for GameView {
    fn from(stored: &StoredGame) -> GameView {
        let turns = stored.moves.turns.len();
        GameView::new(&stored.game, turns, stored.fault.clone())
    }
}

/// Games by their row, read when first asked for.
#[allow(missing_debug_implementations)] // nor does a store have one
pub struct Games<'a> {
    store: &'a dyn Memory,
    known: HashMap<GameRow, Option<GameView>>,
}

impl<'a> Games<'a> {
    /// None read yet.
    pub fn new(store: &'a dyn Memory) -> Games<'a> {
        Games {
            store,
            known: HashMap::new(),
        }
    }

    /// The game in a row.
    pub fn get(&mut self, row: GameRow) -> Result<Option<&GameView>, StoreError> {
        if !self.known.contains_key(&row) {
            let game = self.store.game(row)?;
            self.known.insert(row, game.as_ref().map(GameView::from));
        }
        Ok(self.known.get(&row).and_then(Option::as_ref))
    }

    /// The games in these rows.
    pub fn all(&mut self, rows: &[GameRow]) -> Result<Vec<GameView>, StoreError> {
        let mut games = Vec::new();
        for &row in rows {
            games.extend(self.get(row)?.cloned());
        }
        Ok(games)
    }
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OutcomeView {
    /// g or s.
    pub winner: Option<char>,
    /// The letter of the archive.
    pub termination: char,
    /// "Gold wins by goal".
    pub words: String,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> OutcomeView {
        OutcomeView {
            winner: outcome.winner.map(Side::to_char),
            termination: outcome.termination.to_char(),
            words: outcome.to_string(),
        }
    }
}

/// A move of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveView {
    /// Such as `12g`.
    pub label: String,
    /// The turn, or the setup.
    pub turn: String,
    /// Turns before it; none for a setup.
    pub ply: Option<usize>,
    /// The position after it; none for a setup.
    pub position: Option<String>,
    /// Time used, if it is known.
    pub seconds: Option<f64>,
}

/// The setups of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SetupsView {
    /// Gold's, once it is made.
    pub gold: Option<String>,
    /// Silver's.
    pub silver: Option<String>,
}

/// A whole game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameDetail {
    /// Who, when, how it ended.
    #[serde(flatten)]
    pub game: GameView,
    /// `modern`, or `old` before July 2008.
    pub rules: &'static str,
    /// Who won and how, if the game is over.
    pub outcome: Option<OutcomeView>,
    /// How it began.
    pub setups: SetupsView,
    /// Every move.
    pub moves: Vec<MoveView>,
    /// The position before the first turn; none if nobody has moved.
    pub start: Option<String>,
    /// The moves as text, below who played, when and how it ended.
    pub notation: String,
    /// What it is known by in the store, if it is there.
    pub stored: Option<String>,
}

impl GameDetail {
    /// `about` says who and when, `game` has the moves.
    pub fn new(
        about: &ArchivedGame,
        game: &Game,
        outcome: Option<Outcome>,
        fault: Option<String>,
    ) -> GameDetail {
        let (gold, silver) = game.setups();
        let notation = plain::notation(about, game, fault.as_deref());
        GameDetail {
            game: GameView::new(about, game.turns().len(), fault),
            rules: match game.rules() {
                RuleSet::Modern => "modern",
                RuleSet::Before2008 => "old",
            },
            outcome: outcome.map(Into::into),
            setups: SetupsView {
                gold: gold.map(ToString::to_string),
                silver: silver.map(ToString::to_string),
            },
            moves: moves(game, &times(about)),
            start: start(game),
            notation,
            stored: None,
        }
    }
}

/// The position before the first turn, once it is there.
pub fn start(game: &Game) -> Option<String> {
    match game.must_set_up() {
        Some(_) => None,
        None => game.positions().first().map(ToString::to_string),
    }
}

/// The moves with the positions they lead to.
pub fn moves(game: &Game, times: &HashMap<Label, f64, impl BuildHasher>) -> Vec<MoveView> {
    let mut ply = 0;
    GameRecord::of_game(game)
        .moves
        .iter()
        .map(|(label, action)| {
            let plays = matches!(action, Action::Play(_));
            let number = plays.then_some(ply);
            ply += usize::from(plays);
            MoveView {
                label: label.to_string(),
                turn: action.to_string(),
                ply: number,
                position: number
                    .and_then(|number| game.positions().get(number + 1))
                    .map(ToString::to_string),
                seconds: times.get(label).copied(),
            }
        })
        .collect()
}

/// The time of every turn, where the log of the game has it: lines such as
/// `after 12w, move used:3.250`.
fn times(game: &ArchivedGame) -> HashMap<Label, f64> {
    let Some(log) = &game.events else {
        return HashMap::new();
    };
    let log = String::from_utf8_lossy(log);
    log.split("\\n")
        .filter_map(|line| {
            let (label, used) = line.strip_prefix("after ")?.split_once(", move used:")?;
            Some((label.parse().ok()?, used.trim().parse().ok()?))
        })
        .collect()
}
