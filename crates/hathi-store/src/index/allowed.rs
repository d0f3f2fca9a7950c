//! The games that a filter lets through, one bit each.

use crate::model::GameRow;

/// A set of games; all of them without a filter.
pub(crate) struct AllowedGames(Option<Vec<u64>>);

impl AllowedGames {
    /// No filter.
    pub(crate) const ALL: AllowedGames = AllowedGames(None);

    /// These, in the order of their rows.
    pub(crate) fn of(rows: &[GameRow]) -> AllowedGames {
        let place = |row: GameRow| usize::try_from(row.get()).unwrap_or(0);
        let last = rows.last().copied().unwrap_or_default();
        let mut bits = vec![0u64; place(last) / 64 + 1];
        for &row in rows {
            bits[place(row) / 64] |= 1 << (place(row) % 64);
        }
        AllowedGames(Some(bits))
    }

    #[inline]
    pub(crate) fn contains(&self, row: GameRow) -> bool {
        match &self.0 {
            None => true,
            Some(bits) => usize::try_from(row.get())
                .ok()
                .and_then(|row| Some(bits.get(row / 64)? >> (row % 64) & 1 != 0))
                .unwrap_or(false),
        }
    }
}
