//! Motifs of a game, as lines.

use hathi_store::{Motif, StoredGame};
use hathi_view::MotifTag;

/// Where a game has the motifs that come with Hathi, and people's own. Files that
/// are none are left out here; `hathi motifs` says why.
pub(crate) fn of_game(stored: &StoredGame) -> Vec<MotifTag> {
    let (motifs, _) = Motif::all(Motif::usual_folder().as_deref());
    MotifTag::of_game(&motifs, stored)
}

/// What it is, where, and whose.
pub(crate) fn in_words(tag: &MotifTag) -> String {
    let who = if tag.side == 'g' { "Gold" } else { "Silver" };
    format!("{} ({who})", tag.words)
}
