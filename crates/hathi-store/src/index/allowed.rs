//! The games that a filter lets through, one bit each.

use crate::model::GameRow;

/// A set of games; all of them without a filter.
#[derive(Clone, Default)]
pub(crate) enum AllowedGames {
    /// No filter.
    #[default]
    All,
    /// These.
    Only(Vec<u64>),
    /// All but these.
    Except(Vec<u64>),
}

impl AllowedGames {
    /// These, in the order of their rows.
    pub(crate) fn of(rows: &[GameRow]) -> AllowedGames {
        AllowedGames::Only(bits_of(rows))
    }

    /// All but these, in the order of their rows.
    pub(crate) fn except(rows: &[GameRow]) -> AllowedGames {
        AllowedGames::Except(bits_of(rows))
    }

    /// Is every game allowed?
    pub(crate) fn is_all(&self) -> bool {
        matches!(self, AllowedGames::All)
    }

    #[inline]
    pub(crate) fn contains(&self, row: GameRow) -> bool {
        match self {
            AllowedGames::All => true,
            AllowedGames::Only(bits) => has(bits, row),
            AllowedGames::Except(bits) => !has(bits, row),
        }
    }
}

fn place(row: GameRow) -> usize {
    usize::try_from(row.get()).unwrap_or(0)
}

fn bits_of(rows: &[GameRow]) -> Vec<u64> {
    let last = rows.last().copied().unwrap_or_default();
    let mut bits = vec![0u64; place(last) / 64 + 1];
    for &row in rows {
        bits[place(row) / 64] |= 1 << (place(row) % 64);
    }
    bits
}

#[inline]
fn has(bits: &[u64], row: GameRow) -> bool {
    let place = place(row);
    bits.get(place / 64)
        .is_some_and(|word| word >> (place % 64) & 1 != 0)
}
