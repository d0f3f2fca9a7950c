//! What was played from a position, as `find` and `explore` show it.

use std::collections::HashMap;
use std::io::{self, Write};

use hathi_rules::Label;
use hathi_store::{Hit, Memory, StoreError, TurnStats};
use serde::Serialize;

use crate::columns::{Align, Columns};
use crate::dates;
use crate::game_view::GameView;
use crate::output::{counted, grouped, rounded};

/// Games by their row, read when first asked for.
pub(crate) struct Games<'a> {
    store: &'a dyn Memory,
    known: HashMap<i64, Option<GameView>>,
}

impl<'a> Games<'a> {
    pub(crate) fn new(store: &'a dyn Memory) -> Games<'a> {
        Games {
            store,
            known: HashMap::new(),
        }
    }

    pub(crate) fn get(&mut self, row: i64) -> Result<Option<&GameView>, StoreError> {
        if !self.known.contains_key(&row) {
            let game = self.store.game(row)?;
            self.known.insert(row, game.as_ref().map(GameView::from));
        }
        Ok(self.known.get(&row).and_then(Option::as_ref))
    }

    /// The games in these rows.
    pub(crate) fn all(&mut self, rows: &[i64]) -> Result<Vec<GameView>, StoreError> {
        let mut games = Vec::new();
        for &row in rows {
            games.extend(self.get(row)?.cloned());
        }
        Ok(games)
    }

    /// The archive's numbers of games.
    fn ids(&self, rows: impl IntoIterator<Item = i64>) -> Result<Vec<u64>, StoreError> {
        let mut ids = Vec::new();
        for row in rows {
            if let Some(id) = self.store.archive_id(row)?
                && !ids.contains(&id.get())
            {
                ids.push(id.get());
            }
        }
        Ok(ids)
    }
}

/// `12g` for the turn that comes after this many turns.
fn label(ply: u16) -> String {
    // The setups are the first two plies of a game.
    Label::of_ply(usize::from(ply) + 2).to_string()
}

/// The best hit.
#[derive(Debug, Serialize)]
pub(crate) struct BestView {
    game: Option<u64>,
    #[serde(rename = "move")]
    label: String,
    turn: String,
    won: bool,
    rating: Option<u16>,
    date: Option<String>,
    turns_left: u16,
    /// The game's board is the mirror image of the one asked about.
    mirrored: bool,
    /// The colours are exchanged.
    flipped: bool,
    #[serde(skip)]
    players: Option<(String, String)>,
}

impl BestView {
    pub(crate) fn new(hit: &Hit, games: &mut Games<'_>) -> Result<BestView, StoreError> {
        let game = games.get(hit.game)?;
        Ok(BestView {
            game: game.map(|game| game.id),
            label: label(hit.ply),
            turn: hit.turn.to_string(),
            won: hit.won,
            rating: hit.rating,
            date: hit.started.and_then(dates::date),
            turns_left: hit.turns_left,
            mirrored: hit.symmetry.mirror,
            flipped: hit.symmetry.flip,
            players: game.map(|game| (game.gold.text(), game.silver.text())),
        })
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Best: {}", self.turn)?;
        write!(out, "  played at {}", self.label)?;
        if let Some(game) = self.game {
            write!(out, " of game {game}")?;
        }
        if let Some((gold, silver)) = &self.players {
            write!(out, ", {gold} (Gold) against {silver} (Silver)")?;
        }
        if let Some(date) = &self.date {
            write!(out, ", {date}")?;
        }
        let rating = self
            .rating
            .map_or(String::new(), |rating| format!(", rated {rating},"));
        write!(out, ";\n  who played it{rating} ")?;
        match (self.won, self.turns_left) {
            (true, 0 | 1) => write!(out, "won, with no turn more")?,
            (true, left) => {
                let turns = counted(usize::from(left) - 1, "turn");
                write!(out, "won, {turns} later")?;
            }
            (false, _) => write!(out, "did not win")?,
        }
        match (self.mirrored, self.flipped) {
            (false, false) => {}
            (true, false) => write!(out, " (the board is mirrored)")?,
            (false, true) => write!(out, " (the colours are exchanged)")?,
            (true, true) => write!(out, " (the board is mirrored, the colours are exchanged)")?,
        }
        writeln!(out)
    }
}

/// One turn and how it fared.
#[derive(Debug, Serialize)]
pub(crate) struct TurnView {
    turn: String,
    count: u64,
    wins: u64,
    win_rate: f64,
    rating: Option<f64>,
    last_played: Option<String>,
    /// Some games, best first, by their numbers in the archive.
    games: Vec<u64>,
    position_after: String,
    /// How often the position it leads to was reached by any turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reached: Option<u64>,
}

impl TurnView {
    pub(crate) fn new(stats: &TurnStats, games: &Games<'_>) -> Result<TurnView, StoreError> {
        Ok(TurnView {
            turn: stats.turn.to_string(),
            count: stats.count,
            wins: stats.wins,
            win_rate: rounded(stats.win_rate(), 4),
            rating: stats.rating.map(|rating| rounded(rating, 1)),
            last_played: stats.last_played.and_then(dates::date),
            games: games.ids(stats.samples.iter().map(|&(row, _)| row))?,
            position_after: stats.after.to_string(),
            reached: None,
        })
    }
}

/// The turns below each other.
pub(crate) fn table(turns: &[TurnView]) -> Columns {
    let with_reached = turns.iter().any(|turn| turn.reached.is_some());
    let mut headings = vec![("played", Align::Right)];
    if with_reached {
        headings.push(("reached", Align::Right));
    }
    headings.extend([
        ("won", Align::Right),
        ("rating", Align::Right),
        ("last played", Align::Left),
        ("turn", Align::Left),
        ("games", Align::Left),
    ]);
    let mut table = Columns::new(&headings);
    for turn in turns {
        let mut cells = vec![grouped(turn.count as usize)];
        if with_reached {
            cells.push(turn.reached.map_or(String::new(), |n| grouped(n as usize)));
        }
        let ids: Vec<String> = turn.games.iter().map(ToString::to_string).collect();
        cells.extend([
            format!("{:.1}%", 100.0 * turn.win_rate),
            turn.rating.map_or("-".to_owned(), |r| format!("{r:.0}")),
            turn.last_played.clone().unwrap_or_else(|| "?".to_owned()),
            turn.turn.clone(),
            ids.join(" "),
        ]);
        table.row(cells);
    }
    table
}
