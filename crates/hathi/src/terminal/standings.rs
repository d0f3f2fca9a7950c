//! How a tournament stands, in a line.

use hathi_arena::{Elo, PlayerStats, Standings};
use hathi_view::numbers::signed;

/// For beside the progress bar.
pub(crate) fn live(standings: &Standings) -> String {
    match &standings.pairings[..] {
        [] => String::new(),
        [pairing] => {
            let (wins, losses) = (pairing.score.wins(), pairing.score.losses());
            let text = format!("{wins} - {losses}, Elo {}", elo(&pairing.elo));
            match &standings.sprt {
                None => text,
                Some(sprt) => {
                    let (llr, low, high) = (sprt.llr, sprt.low, sprt.high);
                    format!("{text}, LLR {llr:.2} ({low:.2}, {high:.2})")
                }
            }
        }
        _ => {
            let mut players: Vec<&PlayerStats> = standings.players.iter().collect();
            players.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
            let text: Vec<String> = players
                .iter()
                .take(4)
                .map(|player| format!("{} {}", player.name, signed(player.elo.value)))
                .collect();
            text.join(", ")
        }
    }
}

pub(crate) fn elo(elo: &Elo) -> String {
    format!("{:+.1} ± {:.1}", elo.value, elo.margin())
}
