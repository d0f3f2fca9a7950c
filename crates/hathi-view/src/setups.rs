//! How games begin.

use hathi_rules::Board;
use hathi_store::SetupStats;
use serde::Serialize;

use crate::numbers::rounded;

/// A setup and how it fares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SetupView {
    /// 1 for the most common one.
    pub rank: usize,
    /// Games with it.
    pub games: u64,
    /// What share of all games that is.
    pub share: f64,
    /// How often its side won.
    pub wins: u64,
    /// What share that is.
    pub win_rate: f64,
    /// Average rating of those who used it.
    pub rating: Option<f64>,
    /// `Ra1 Rb1 ...`.
    pub setup: String,
    /// The board with it: `[64 characters]`.
    pub board: String,
}

impl SetupView {
    /// Setups in the order of a question to the store.
    #[must_use]
    pub fn ranked(setups: &[SetupStats]) -> Vec<SetupView> {
        (1..)
            .zip(setups)
            .map(|(rank, stats)| {
                let mut board = Board::EMPTY;
                stats.setup.place_on(&mut board);
                SetupView {
                    rank,
                    games: stats.games,
                    share: rounded(stats.share, 6),
                    wins: stats.wins,
                    win_rate: rounded(stats.wins as f64 / stats.games.max(1) as f64, 4),
                    rating: stats.rating.map(|rating| rounded(rating, 1)),
                    setup: stats.setup.to_string(),
                    board: board.short_form(),
                }
            })
            .collect()
    }
}
