//! What was played from a position.

use hathi_store::{Hit, Memory, StoreError, TurnStats, dates};
use serde::Serialize;

use crate::numbers::rounded;

/// The best hit: the mover won, then the highest rating, then the fewest
/// turns left.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BestView {
    /// The game, by what it is known by.
    pub game: Option<String>,
    /// Its label there: `12g`.
    pub r#move: String,
    /// The turn, as it is on the board asked about.
    pub turn: String,
    /// Did who played it win?
    pub won: bool,
    /// Their rating.
    pub rating: Option<u16>,
    /// The day the game began.
    pub date: Option<String>,
    /// Turns to the end of the game, this one with them.
    pub turns_left: u16,
    /// The game's board is the mirror image of the one asked about.
    pub mirrored: bool,
    /// The colours are exchanged.
    pub flipped: bool,
}

impl BestView {
    /// Of a question to the store.
    pub fn new(hit: &Hit, store: &dyn Memory) -> Result<BestView, StoreError> {
        Ok(BestView {
            game: store.id_of(hit.game)?.map(|id| id.to_string()),
            r#move: hit.ply.label().to_string(),
            turn: hit.turn.to_string(),
            won: hit.won,
            rating: hit.rating,
            date: hit.started.and_then(dates::date),
            turns_left: hit.turns_left,
            mirrored: hit.symmetry.mirror,
            flipped: hit.symmetry.flip,
        })
    }
}

/// One turn and how it fared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TurnView {
    /// The turn, as it is on the board asked about.
    pub turn: String,
    /// How often it was played.
    pub count: u64,
    /// How often who played it won.
    pub wins: u64,
    /// What share that is.
    pub win_rate: f64,
    /// Average rating of those who played it.
    pub rating: Option<f64>,
    /// The day of the last game with it.
    pub last_played: Option<String>,
    /// Some games, best first.
    pub games: Vec<String>,
    /// The same with the place in them.
    pub samples: Vec<SampleView>,
    /// Where it leads to.
    pub position_after: String,
    /// How often the position it leads to was reached by any turn, for the whole board.
    pub reached: Option<u64>,
}

/// A place in a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SampleView {
    /// The game, by what it is known by.
    pub game: String,
    /// Turns before it.
    pub ply: u32,
}

impl TurnView {
    /// Of a question to the store.
    pub fn new(stats: &TurnStats, store: &dyn Memory) -> Result<TurnView, StoreError> {
        let mut samples: Vec<SampleView> = Vec::new();
        for &(row, ply) in &stats.samples {
            let Some(id) = store.id_of(row)? else {
                continue;
            };
            let game = id.to_string();
            if !samples.iter().any(|known| known.game == game) {
                samples.push(SampleView {
                    game,
                    ply: ply.get(),
                });
            }
        }
        Ok(TurnView {
            turn: stats.turn.to_string(),
            count: stats.count,
            wins: stats.wins,
            win_rate: rounded(stats.win_rate(), 4),
            rating: stats.rating.map(|rating| rounded(rating, 1)),
            last_played: stats.last_played.and_then(dates::date),
            games: samples.iter().map(|sample| sample.game.clone()).collect(),
            samples,
            position_after: stats.after.to_string(),
            reached: None,
        })
    }
}
