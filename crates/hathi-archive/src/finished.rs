//! A game that was just played, as a row of an archive. The match runner, the
//! page, the terminal and engines under AEI all make their rows here.

use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hathi_rules::{BySide, Game, Label, Outcome};

use crate::write::letter;
use crate::{ArchivedGame, GameId, GameSource, Player};

/// Where games of our own are played.
const SITE: &str = "Hathi";

/// On what occasion a game of our own was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// A tournament of engines.
    Arena,
    /// Somebody against an engine, on the page or in the terminal.
    Play,
    /// A game of an engine under a foreign controller.
    Aei,
}

impl Occasion {
    /// The event that the archive names.
    pub const fn event(self) -> &'static str {
        match self {
            Occasion::Arena => "Hathi arena",
            Occasion::Play => "Hathi play",
            Occasion::Aei => "Hathi AEI",
        }
    }

    /// What games of that kind are known by, with their number.
    pub const fn source(self) -> GameSource {
        match self {
            Occasion::Arena => GameSource::Arena,
            Occasion::Play => GameSource::Play,
            Occasion::Aei => GameSource::Aei,
        }
    }
}

/// A game that has ended, and what is known about it.
///
/// ```
/// use hathi_archive::{FinishedGame, GameId, Occasion, Player};
/// use hathi_rules::{BySide, Game, Outcome, RuleSet, Side, Termination};
///
/// let mut game = Game::new(RuleSet::Modern);
/// game.set_up(&"Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2".parse()?)?;
/// game.set_up(&"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7".parse()?)?;
/// let finished = FinishedGame {
///     game: &game,
///     outcome: Some(Outcome::win(Side::Silver, Termination::Resignation)),
///     players: BySide::new(Player::human("Ada"), Player::bot("greedy")),
///     occasion: Occasion::Play,
///     time_control: "0/0".to_owned(),
///     start: 1_700_000_000,
///     end: 1_700_000_100,
///     times: &[],
/// };
/// let row = finished.archived(GameId::own(finished.occasion, finished.end));
/// assert!(row.id.to_string().starts_with("play:1700000100"));
/// assert_eq!((row.result, row.event.as_str()), (Some(Side::Silver), "Hathi play"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FinishedGame<'a> {
    /// The moves.
    pub game: &'a Game,
    /// How it ended, on the board or off it.
    pub outcome: Option<Outcome>,
    /// Who played.
    pub players: BySide<Player>,
    /// What for.
    pub occasion: Occasion,
    /// The time control as archives write it; `0/0` for none.
    pub time_control: String,
    /// Start in seconds since 1970.
    pub start: i64,
    /// End in seconds since 1970.
    pub end: i64,
    /// How long moves took, for those that were measured.
    pub times: &'a [(Label, Duration)],
}

impl FinishedGame<'_> {
    /// The row of this game under this number: [`GameId::own`], or its place in
    /// a file of its own.
    pub fn archived(&self, id: GameId) -> ArchivedGame {
        ArchivedGame {
            id,
            players: self.players.clone(),
            event: self.occasion.event().to_owned(),
            site: SITE.to_owned(),
            time_control: self.time_control.clone(),
            start: Some(self.start),
            end: Some(self.end),
            mode: "IGS".to_owned(),
            events: (!self.times.is_empty()).then(|| self.clock_log()),
            ..ArchivedGame::default()
        }
        .with_game(self.game, self.outcome)
    }

    /// The times in the manner of the game server's log.
    fn clock_log(&self) -> Vec<u8> {
        let mut text = format!("{} game started", self.start);
        for (label, used) in self.times {
            let _ = write!(
                text,
                "\\nafter {}{}, move used:{:.3}",
                label.number,
                letter(label.side),
                used.as_secs_f64()
            );
        }
        let _ = write!(text, "\\n{} game ended", self.end);
        text.into_bytes()
    }
}

/// The time now, in seconds since 1970, as archives date games.
pub fn unix_time() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs().cast_signed())
}

/// Numbers of our own within a second.
const A_SECOND: u64 = 100_000;

impl GameId {
    /// A number for a game of our own that ended then: its second and five
    /// more digits, which begin anywhere and count up, so no two games of a
    /// program have the same one.
    pub fn own(occasion: Occasion, end: i64) -> GameId {
        static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| {
            let start = RandomState::new().build_hasher().finish();
            AtomicU64::new(start % A_SECOND)
        });
        let second = end.unsigned_abs().saturating_mul(A_SECOND);
        let number = second.saturating_add(NEXT.fetch_add(1, Ordering::Relaxed) % A_SECOND);
        GameId::of(occasion.source(), number).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use hathi_rules::{RuleSet, Side, Termination};

    use super::*;

    #[test]
    fn numbers_of_our_own_differ_and_begin_with_the_second() {
        let numbers: Vec<u64> = (0..1000)
            .map(|_| GameId::own(Occasion::Play, 1_700_000_000).number())
            .collect();
        let mut distinct = numbers.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), numbers.len());
        assert!(numbers.iter().all(|n| n / A_SECOND == 1_700_000_000));
        assert_eq!(GameId::own(Occasion::Play, i64::MIN), GameId::default());
    }

    #[test]
    fn times_stand_beside_their_moves() {
        let game = Game::new(RuleSet::Modern);
        let label = |text: &str| text.parse().expect("a label");
        let finished = FinishedGame {
            game: &game,
            outcome: Some(Outcome::win(Side::Gold, Termination::Time)),
            players: BySide::default(),
            occasion: Occasion::Arena,
            time_control: "15s/1".to_owned(),
            start: 10,
            end: 20,
            times: &[
                (label("2g"), Duration::from_millis(1500)),
                (label("2s"), Duration::from_millis(250)),
            ],
        };
        let row = finished.archived(GameId::default());
        assert_eq!(row.recorded(), finished.outcome);
        assert_eq!(
            String::from_utf8(row.events.expect("a log")).as_deref(),
            Ok(
                "10 game started\\nafter 2w, move used:1.500\\nafter 2b, move used:0.250\\n20 game ended"
            )
        );
    }
}
