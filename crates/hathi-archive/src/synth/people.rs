//! The players, events and clocks of a synthetic archive.

use hathi_rules::{BySide, Side};

use super::rng::Rng;
use crate::{Player, PlayerKind};

/// How many there are to choose from; few play most of the games.
const HUMANS: u32 = 12_000;
const BOTS: u32 = 300;

/// Ratings lie between these.
pub(super) const LOWEST: i32 = 1000;
pub(super) const HIGHEST: i32 = 2600;

const COUNTRIES: [(&str, u32); 12] = [
    ("US", 50),
    ("PT", 2),
    ("IN", 6),
    ("DE", 8),
    ("NL", 7),
    ("CZ", 6),
    ("FR", 4),
    ("PL", 4),
    ("GB", 5),
    ("CA", 5),
    ("JP", 1),
    ("", 8),
];

const BOT_NAMES: [&str; 10] = [
    "Greedy", "Trapper", "Runner", "Shallow", "Patient", "Blitz", "Hermit", "Juggler", "Miner",
    "Sleepy",
];

/// Two different players.
pub(super) fn pair(seed: u64, rng: &mut Rng) -> BySide<Player> {
    use PlayerKind::{Bot, Human};
    let kinds = rng.weighted(&[
        ((Human, Human), 34),
        ((Human, Bot), 28),
        ((Bot, Human), 28),
        ((Bot, Bot), 10),
    ]);
    let gold = player(seed, kinds.0, rng);
    loop {
        let silver = player(seed, kinds.1, rng);
        if silver.id != gold.id {
            return BySide::new(gold, silver);
        }
    }
}

/// One of the pool, with the rating of the day.
fn player(seed: u64, kind: PlayerKind, rng: &mut Rng) -> Player {
    let count = if kind == PlayerKind::Bot {
        BOTS
    } else {
        HUMANS
    };
    // Even in the logarithm of the rank: number 10 plays a tenth of the games
    // of number 1.
    let log = rng.unit() * f64::from(count).ln();
    let rank = (log.exp() as u32 - 1).min(count - 1);
    let bot = kind == PlayerKind::Bot;
    // What does not change from game to game.
    let mut own = Rng::of(seed ^ 0x9e0_91e5, u64::from(rank) * 2 + u64::from(bot));
    let regular = 300.0 * (1.0 - log / f64::from(count).ln());
    let base = 1440.0 + regular + 340.0 * own.normal();
    let today = base + 40.0 * rng.normal();
    let rating = (today as i32).clamp(LOWEST, HIGHEST);
    Player {
        id: Some(u64::from(rank) + if bot { 100_000 } else { 1 }),
        name: if bot {
            let name = BOT_NAMES[rank as usize % BOT_NAMES.len()];
            format!("bot_{name}{:02}", rank as usize / BOT_NAMES.len() + 1)
        } else {
            format!("player_{:04}", rank + 1)
        },
        title: String::new(),
        country: own.weighted(&COUNTRIES).to_owned(),
        rating: Some(rating),
        rating_k: Some(if rng.chance(0.6) {
            30
        } else {
            30 + rng.below(171) as i32
        }),
        kind,
    }
}

/// Where and how a game is played.
pub(super) struct Occasion {
    pub(super) event: String,
    pub(super) time_control: &'static str,
    pub(super) seconds_per_move: u32,
    pub(super) postal: bool,
    pub(super) rated: bool,
}

/// Time controls with the seconds a move takes, as the site wrote them before
/// and after it learned about units.
const OLD_CONTROLS: [((&str, u32), u32); 8] = [
    (("2/2/100/10/8", 55), 40),
    (("0:30/3/100/5/8", 20), 20),
    (("3/3/100/3/0", 80), 8),
    (("4/4/100/4/0", 100), 6),
    (("1/1/100/1/0", 30), 6),
    (("2/2/100/2/0", 50), 6),
    (("0:15/1:30/100/2/4", 11), 10),
    (("0/0/0/0/0", 60), 2),
];
const NEW_CONTROLS: [((&str, u32), u32); 7] = [
    (("15s/2m30s/100", 12), 20),
    (("30s/5m/100", 24), 20),
    (("2m/6m/100/0/8h/6m", 80), 12),
    (("8s/0/100", 6), 12),
    (("1m/4m/100/0/4h/4m", 45), 12),
    (("4m/10m/100/0/16h/10m", 170), 4),
    (("30s/3m/100/0/120t", 22), 4),
];

/// The event of a game that starts in this year.
pub(super) fn occasion(year: i64, rng: &mut Rng) -> Occasion {
    let postal = rng.chance(0.02);
    let event = if postal {
        format!("{year} Postal Mixer")
    } else {
        match rng.below(1000) {
            0..930 => "Casual game".to_owned(),
            930..955 => format!("{year} Arimaa World Championship"),
            955..975 => format!("{year} Computer Championship"),
            975..985 => format!("{year} Challenge Screening"),
            _ => "Club Cup".to_owned(),
        }
    };
    let (time_control, seconds_per_move) = if postal {
        ("3d/60d/100/90d/0/14d", 86_400)
    } else if year < 2010 {
        rng.weighted(&OLD_CONTROLS)
    } else {
        rng.weighted(&NEW_CONTROLS)
    };
    Occasion {
        event,
        time_control,
        seconds_per_move,
        postal,
        rated: rng.chance(0.75),
    }
}

/// The side expected to win, and how sure that is, from 0 to 1.
pub(super) fn favourite(players: &BySide<Player>) -> (Side, f64) {
    let rating = |side: Side| f64::from(players[side].rating.unwrap_or(1500));
    let lead = rating(Side::Gold) - rating(Side::Silver);
    let side = if lead >= 0.0 {
        Side::Gold
    } else {
        Side::Silver
    };
    (side, (lead.abs() / 800.0).min(1.0))
}
