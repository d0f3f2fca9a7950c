//! What a tournament has shown so far.

use std::collections::BTreeMap;
use std::time::Duration;

use hathi_rules::Side;
use serde::{Serialize, Serializer};

use crate::ratings::ratings;
use crate::state::Finished;
use crate::stats::{Elo, Score, Sprt, SprtState};

/// The table of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// Games finished.
    pub games: u64,
    /// Games planned.
    pub planned: u64,
    /// The players, in the order in which they were given.
    pub players: Vec<PlayerStats>,
    /// Everybody who met, first player's view.
    pub pairings: Vec<Pairing>,
    /// Games won by Gold.
    pub gold_wins: u64,
    /// How games ended: letters of the archive, and how often.
    pub terminations: BTreeMap<char, u64>,
    /// The test, if there is one.
    pub sprt: Option<SprtReport>,
}

/// A player's figures.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerStats {
    /// The name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Rating among these players; their average is 0.
    pub elo: Elo,
    /// Games lost by breaking down.
    pub crashes: u64,
    /// Games lost by an illegal move.
    pub illegal: u64,
    /// Games lost on time.
    pub timeouts: u64,
    /// How long turns took.
    pub time: TimeUse,
    /// What it did wrong last.
    pub last_fault: Option<String>,
}

/// Two players and how they fared.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    /// Place of the first in the list of players.
    pub first: usize,
    /// Place of the second.
    pub second: usize,
    /// The first player's score.
    pub score: Score,
    /// The first player's Elo above the second's.
    pub elo: Elo,
    /// How likely the first is the better one.
    pub los: f64,
}

/// How long turns took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimeUse {
    /// Turns counted.
    pub turns: usize,
    /// Half of them took less.
    #[serde(serialize_with = "seconds")]
    pub median: Duration,
    /// 99 in 100 took less.
    #[serde(serialize_with = "seconds")]
    pub p99: Duration,
    /// The slowest.
    #[serde(serialize_with = "seconds")]
    pub slowest: Duration,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The question.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Below it the test is rejected.
    pub low: f64,
    /// Above it the test is accepted.
    pub high: f64,
    /// The answer.
    pub state: SprtState,
}

impl TimeUse {
    fn of(mut micros: Vec<u64>) -> TimeUse {
        micros.sort_unstable();
        let at = |share: usize| {
            let place = (micros.len() * share / 100).min(micros.len().saturating_sub(1));
            Duration::from_micros(micros.get(place).copied().unwrap_or(0))
        };
        TimeUse {
            turns: micros.len(),
            median: at(50),
            p99: at(99),
            slowest: at(100),
        }
    }
}

impl Standings {
    /// Adds up games.
    pub(crate) fn of(
        names: &[String],
        finished: &[Finished],
        planned: u64,
        sprt: Option<Sprt>,
    ) -> Standings {
        let scores = scores(names.len(), finished);
        let elo = ratings(&scores);
        let players = names
            .iter()
            .zip(elo)
            .enumerate()
            .map(|(place, (name, elo))| PlayerStats::of(place, name, elo, finished))
            .collect();
        let mut pairings = Vec::new();
        for (first, row) in scores.iter().enumerate() {
            for (second, score) in row.iter().enumerate().skip(first + 1) {
                if score.games() > 0 {
                    pairings.push(Pairing {
                        first,
                        second,
                        score: *score,
                        elo: score.elo(),
                        los: score.los(),
                    });
                }
            }
        }
        let mut terminations = BTreeMap::new();
        for game in finished {
            *terminations
                .entry(game.termination().to_char())
                .or_default() += 1;
        }
        let between = scores.first().and_then(|row| row.get(1)).copied();
        Standings {
            games: finished.len() as u64,
            planned,
            players,
            pairings,
            gold_wins: finished.iter().filter(|g| g.winner() == Side::Gold).count() as u64,
            terminations,
            sprt: sprt.map(|test| SprtReport::of(test, &between.unwrap_or_default())),
        }
    }
}

impl SprtReport {
    fn of(test: Sprt, score: &Score) -> SprtReport {
        let (low, high) = test.bounds();
        SprtReport {
            test,
            llr: test.llr(score),
            low,
            high,
            state: test.state(score),
        }
    }
}

impl PlayerStats {
    fn of(place: usize, name: &str, elo: Elo, finished: &[Finished]) -> PlayerStats {
        let mut stats = PlayerStats {
            name: name.to_owned(),
            wins: 0,
            losses: 0,
            elo,
            crashes: 0,
            illegal: 0,
            timeouts: 0,
            time: TimeUse::default(),
            last_fault: None,
        };
        let mut micros = Vec::new();
        for game in finished {
            for side in [Side::Gold, Side::Silver] {
                if game.player(side) != place {
                    continue;
                }
                micros.extend_from_slice(&game.used[side.index()]);
                if game.winner() == side {
                    stats.wins += 1;
                    continue;
                }
                stats.losses += 1;
                match game.termination().to_char() {
                    'f' => stats.crashes += 1,
                    'i' => stats.illegal += 1,
                    't' => stats.timeouts += 1,
                    _ => {}
                }
                if game.fault.is_some() {
                    stats.last_fault.clone_from(&game.fault);
                }
            }
        }
        stats.time = TimeUse::of(micros);
        stats
    }
}

/// `[a][b]`: how a fared against b. Two games with the numbers 2n and 2n + 1
/// are a pair.
fn scores(players: usize, finished: &[Finished]) -> Vec<Vec<Score>> {
    let mut pairs: BTreeMap<u64, Vec<&Finished>> = BTreeMap::new();
    for game in finished {
        pairs.entry(game.number / 2).or_default().push(game);
    }
    let mut scores = vec![vec![Score::default(); players]; players];
    for games in pairs.values() {
        let Some(game) = games.first() else { continue };
        let (a, b) = (game.gold.min(game.silver), game.gold.max(game.silver));
        let wins = games
            .iter()
            .filter(|game| game.player(game.winner()) == a)
            .count();
        let Some(score) = scores.get_mut(a).and_then(|row| row.get_mut(b)) else {
            continue;
        };
        if games.len() == 2 {
            score.pairs[wins] += 1;
        } else {
            score.single_wins += wins as u64;
            score.single_losses += (games.len() - wins) as u64;
        }
        let seen_by_b = score.reversed();
        scores[b][a] = seen_by_b;
    }
    scores
}

#[cfg(test)]
mod tests {
    use hathi_rules::{BySide, Termination};

    use super::*;

    fn game(number: u64, gold: usize, silver: usize, winner: Side) -> Finished {
        Finished::new(number, BySide::new(gold, silver), winner, Termination::Goal)
    }

    #[test]
    fn pairs_are_put_together() {
        let names = ["a".to_owned(), "b".to_owned()];
        let games = [
            game(0, 0, 1, Side::Gold),
            game(1, 1, 0, Side::Silver),
            game(3, 1, 0, Side::Gold),
            game(2, 0, 1, Side::Gold),
            game(4, 0, 1, Side::Silver),
        ];
        let standings = Standings::of(&names, &games, 10, None);
        let score = standings.pairings[0].score;
        assert_eq!(score.pairs, [0, 1, 1]);
        assert_eq!((score.single_wins, score.single_losses), (0, 1));
        assert_eq!((score.wins(), score.losses()), (3, 2));
        assert_eq!(standings.players[1].wins, 2);
        assert_eq!(standings.terminations[&'g'], 5);
        assert_eq!(standings.gold_wins, 3);
    }

    #[test]
    fn times_by_rank() {
        let time = TimeUse::of((1..=200).rev().collect());
        assert_eq!(time.median, Duration::from_micros(101));
        assert_eq!(time.p99, Duration::from_micros(199));
        assert_eq!(time.slowest, Duration::from_micros(200));
        assert_eq!(TimeUse::of(Vec::new()), TimeUse::default());
    }

    #[test]
    fn nothing_played_is_no_trouble() {
        let standings = Standings::of(&["a".to_owned(), "b".to_owned()], &[], 4, None);
        assert_eq!(standings.games, 0);
        assert!(standings.pairings.is_empty());
    }
}
