//! The state of the index, as `stats` and `index` show it.

use std::io::{self, Write};

use hathi_store::Memory;
use hathi_view::numbers::{bytes_text, grouped};
use serde::Serialize;

use super::output::line;
use crate::args::store::trouble;

/// How much it covers; the keys are stable.
#[derive(Serialize)]
pub(crate) struct IndexView {
    games: u64,
    positions: u64,
    /// Added since it was built; kept in memory beside it.
    recent_games: u64,
    recent_positions: u64,
    bytes: u64,
    trouble: Option<String>,
}

impl IndexView {
    pub(crate) fn of(store: &dyn Memory) -> IndexView {
        let state = store.index_state();
        IndexView {
            games: state.indexed_games,
            positions: state.indexed_positions,
            recent_games: state.recent_games,
            recent_positions: state.recent_positions,
            bytes: state.bytes,
            trouble: trouble(store),
        }
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(trouble) = &self.trouble {
            line(out, "index", trouble)?;
        } else {
            let (games, positions) = (self.games as usize, self.positions as usize);
            line(
                out,
                "index",
                &format!(
                    "{} games, {} positions, {}",
                    grouped(games),
                    grouped(positions),
                    bytes_text(self.bytes)
                ),
            )?;
        }
        if self.recent_games > 0 {
            let (games, positions) = (self.recent_games as usize, self.recent_positions as usize);
            line(
                out,
                "beside it",
                &format!(
                    "{} games, {} positions in memory",
                    grouped(games),
                    grouped(positions)
                ),
            )?;
        }
        Ok(())
    }
}
