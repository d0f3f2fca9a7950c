//! Bitboards and a mailbox do the same work in turn, in one run, so that a busy machine
//! slows both. The answers must be the same.

use std::hint::black_box;
use std::io::{self, Write};

use hathi_rules::{Board, Piece, Position, Side};
use serde::Serialize;

use super::his::HisBoard;
use super::mailbox::{self, Mailbox};
use crate::questions::median;
use crate::watcher::Watcher;

/// Steps in a row that are looked through.
const DEPTH: u32 = 3;

/// Boards that are looked at for frozen pieces: too many for any cache.
const BOARDS: usize = 1 << 19;

/// Some work, done in several ways.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Speed {
    pub(super) work: &'static str,
    /// What is counted in a second.
    pub(super) unit: &'static str,
    /// How many of them a round has.
    pub(super) count: u64,
    pub(super) rounds: usize,
    /// The first is ours, and the others are compared with it.
    pub(super) ways: Vec<Way>,
}

/// A way of doing it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Way {
    pub(super) name: &'static str,
    /// Millions a second.
    pub(super) millions: Spread,
    /// How many times as fast ours is, round by round.
    pub(super) behind: Spread,
}

/// A median over rounds with its 95 % interval, by the order of the rounds' values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Spread {
    pub(super) low: f64,
    pub(super) median: f64,
    pub(super) high: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Spread {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        // As many values lie below the median as heads come up; few rounds say little, then it is all of them.
        let beyond = (count as f64 - 1.96 * (count as f64).sqrt()) / 2.0;
        #[allow(clippy::cast_sign_loss)] // not below 0
        let beyond = beyond.floor().max(0.0) as usize;
        let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
        Spread {
            low: at(beyond),
            median: median(&sorted),
            high: at(count.saturating_sub(beyond + 1)),
        }
    }
}

/// Seconds that this thread has worked: others on a busy machine do not count.
#[cfg(target_os = "linux")]
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds since the first call: elsewhere the clock must do.
#[cfg(not(target_os = "linux"))]
fn clock() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

/// One way of doing some work; the answer is compared with the others'.
type Work<'a> = (&'static str, Box<dyn Fn() -> u64 + 'a>);

/// Everything that is timed; less if it was stopped.
pub(super) fn measure(
    positions: &[Position],
    rounds: usize,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<Speed>> {
    let mailboxes: Vec<Mailbox> = positions.iter().map(Mailbox::of).collect();
    let sequences = positions.iter().map(|p| mailbox::sequences(p, DEPTH)).sum();
    let many: Vec<&Position> = positions.iter().cycle().take(BOARDS).collect();
    let boards: Vec<Board> = many.iter().map(|position| *position.board()).collect();
    let layers: Vec<HisBoard> = boards.iter().map(HisBoard::of).collect();
    let arrays: Vec<Mailbox> = many.iter().map(|position| Mailbox::of(position)).collect();
    let works: [(&'static str, &'static str, u64, Vec<Work<'_>>); 3] = [
        (
            "steps counted: sequences of three steps, the last ones only counted",
            "sequences",
            sequences,
            vec![
                (
                    "bitboards, four planes",
                    Box::new(|| positions.iter().map(|p| mailbox::sequences(p, DEPTH)).sum()),
                ),
                (
                    "mailbox",
                    Box::new(|| mailboxes.iter().map(|m| m.sequences(DEPTH)).sum()),
                ),
            ],
        ),
        (
            "steps taken: the same sequences, every step taken",
            "sequences",
            sequences,
            vec![
                (
                    "bitboards, four planes",
                    Box::new(|| {
                        positions
                            .iter()
                            .map(|p| mailbox::pieces_left(p, DEPTH))
                            .sum()
                    }),
                ),
                (
                    "mailbox",
                    Box::new(|| mailboxes.iter().map(|m| m.pieces_left(DEPTH)).sum()),
                ),
            ],
        ),
        (
            "frozen pieces of both sides, on boards that no cache holds",
            "boards",
            BOARDS as u64,
            vec![
                (
                    "bitboards, four planes",
                    Box::new(|| boards.iter().map(frozen).sum()),
                ),
                (
                    "bitboards, his twelve layers",
                    Box::new(|| layers.iter().map(frozen_by_him).sum()),
                ),
                (
                    "mailbox",
                    Box::new(|| arrays.iter().map(|m| u64::from(m.frozen())).sum()),
                ),
            ],
        ),
    ];
    let bar = watcher.count("rounds", (rounds * works.len()) as u64);
    let mut speeds = Vec::new();
    for (place, (work, unit, count, ways)) in works.iter().enumerate() {
        let mut times = vec![Vec::new(); ways.len()];
        for round in 0..rounds {
            if watcher.asked_to_stop() {
                return Ok(speeds);
            }
            let mut answers = Vec::new();
            for ((_, way), times) in ways.iter().zip(&mut times) {
                let start = clock();
                answers.push(black_box(way()));
                times.push((clock() - start).max(1e-9));
            }
            anyhow::ensure!(
                answers.windows(2).all(|two| two[0] == two[1]),
                "{work}: the answers differ: {answers:?}"
            );
            bar((place * rounds + round) as u64 + 1);
        }
        speeds.push(Speed {
            work,
            unit,
            count: *count,
            rounds,
            ways: ways
                .iter()
                .zip(&times)
                .map(|((name, _), own)| way(name, *count, own, &times[0]))
                .collect(),
        });
    }
    Ok(speeds)
}

fn way(name: &'static str, count: u64, times: &[f64], ours: &[f64]) -> Way {
    let millions: Vec<f64> = times.iter().map(|time| count as f64 / 1e6 / time).collect();
    let behind: Vec<f64> = times
        .iter()
        .zip(ours)
        .map(|(own, ours)| own / ours)
        .collect();
    Way {
        name,
        millions: Spread::of(&millions),
        behind: Spread::of(&behind),
    }
}

fn frozen(board: &Board) -> u64 {
    let frozen = Side::ALL.map(|side| u64::from(board.frozen(side).len()));
    frozen.iter().sum()
}

fn frozen_by_him(board: &HisBoard) -> u64 {
    let frozen = Piece::ALL.map(|piece| u64::from(board.frozen(piece).count_ones()));
    frozen.iter().sum()
}

impl Speed {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}:", self.work)?;
        for way in &self.ways {
            writeln!(
                out,
                "  {}: {:.1} million a second; ours is {:.2} ({:.2} to {:.2}) times as fast",
                way.name, way.millions.median, way.behind.median, way.behind.low, way.behind.high
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_have_intervals_by_order() {
        let values: Vec<f64> = (1..=15).map(f64::from).collect();
        let spread = Spread::of(&values);
        // Binomial: 4th and 12th of 15 hold the median with 96.5 %.
        assert_eq!((spread.low, spread.median, spread.high), (4.0, 8.0, 12.0));
        let few = Spread::of(&[3.0, 1.0]);
        assert_eq!((few.low, few.high), (1.0, 3.0));
    }
}
