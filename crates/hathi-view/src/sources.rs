//! Where the games are from.

use hathi_store::{Memory, SourceCount, StoreError};
use serde::Serialize;

/// The games of one source.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SourceView {
    /// arimaa, sample, synth, play, arena, aei or file.
    pub source: &'static str,
    /// What that means.
    pub meaning: &'static str,
    /// Games of it.
    pub games: u64,
    /// Their positions with a turn played from them.
    pub positions: u64,
    /// Do they count where no source is chosen? The samples do not, once there
    /// are games of arimaa or file.
    pub counted: bool,
}

impl From<SourceCount> for SourceView {
    fn from(count: SourceCount) -> SourceView {
        SourceView {
            source: count.source.name(),
            meaning: count.source.meaning(),
            games: count.games,
            positions: count.positions,
            counted: count.counted,
        }
    }
}

/// What is in a store, source by source, and what of it counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SourceList {
    /// Games that count where no source is chosen.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Every source of which there are games.
    pub sources: Vec<SourceView>,
}

impl SourceList {
    /// Of a store.
    pub fn of(store: &dyn Memory) -> Result<SourceList, StoreError> {
        let sources: Vec<SourceView> = store.sources()?.into_iter().map(Into::into).collect();
        let counted = || sources.iter().filter(|source| source.counted);
        Ok(SourceList {
            games: counted().map(|source| source.games).sum(),
            positions: counted().map(|source| source.positions).sum(),
            sources,
        })
    }
}
