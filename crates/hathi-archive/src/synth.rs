//! Synthetic archives: as many games as wanted, in the real format and with
//! the statistics of the real archive.
//!
//! The openings follow `McKee`'s Table 5, the players are many and of all
//! strengths, and the games end in all the ways games end. Everything of a
//! game is decided by the seed and its index, so that the same archive comes
//! out whatever the number of threads.

// Plies, ratings, counts of pieces and shares of them: small numbers all.
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss
)]

mod people;
mod play;
mod rng;
mod setups;

use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};

use hathi_rules::{
    BySide, Game, Label, Outcome, PieceLead, Position, Role, RuleSet, Side, Step, Termination, Turn,
};

use crate::write::{letter, write_game};
use crate::{ArchiveWriter, ArchivedGame, GameId, GameSource, parallel};
use play::Style;
use rng::Rng;

/// The recipe of a synthetic archive.
///
/// ```
/// use hathi_archive::{ArchiveWriter, Synth};
/// let synth = Synth::new(42).with_games(3);
/// let mut writer = ArchiveWriter::new(Vec::new())?;
/// synth.write(&mut writer, 0, |_| {})?;
/// let archive = writer.finish()?;
/// assert_eq!(archive.split(|&c| c == b'\n').count(), 1 + 3 + 1);
/// // The same game, whoever asks.
/// assert_eq!(synth.game(2), Synth::new(42).with_games(3).game(2));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synth {
    seed: u64,
    games: u64,
}

/// Beyond the numbers of real games.
const FIRST_ID: u64 = 20_000_001;

/// Numbers that nothing else has: files written before games had sources.
pub(crate) const NUMBERS: RangeInclusive<u64> = FIRST_ID..=999_999_999_999;

/// Games made by one thread at a time.
const BATCH: u64 = 64;

/// November 2002, when the real archive begins, and February 2026.
const FIRST_DAY: i64 = 1_037_900_000;
const LAST_DAY: i64 = 1_772_200_000;

/// No game is longer, setups included.
const MOST_PLIES: usize = 180;

impl Synth {
    /// An archive of 1000 games.
    pub const fn new(seed: u64) -> Synth {
        Synth { seed, games: 1000 }
    }

    /// With so many games. They are spread over the years 2002 to 2026, so
    /// the dates (and what follows from them) depend on the number.
    #[must_use]
    pub const fn with_games(mut self, games: u64) -> Synth {
        self.games = games;
        self
    }

    /// The seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How many games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// One of the games, counted from 0.
    pub fn game(&self, index: u64) -> ArchivedGame {
        Author::new(*self).game(index)
    }

    /// Makes all games on several threads (0: as many as there are cores) and
    /// hands them over in order, until told to stop.
    pub fn for_each<B>(
        &self,
        threads: usize,
        mut sink: impl FnMut(ArchivedGame) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.batches(
            threads,
            |author, games| games.map(|index| author.game(index)).collect::<Vec<_>>(),
            |games| games.into_iter().try_for_each(&mut sink),
        )
    }

    /// Writes all games, on several threads (0: as many as there are cores).
    /// `progress` is told how many are written.
    pub fn write<W: Write>(
        &self,
        writer: &mut ArchiveWriter<W>,
        threads: usize,
        mut progress: impl FnMut(u64),
    ) -> io::Result<()> {
        let mut written = 0;
        let flow = self.batches(
            threads,
            |author, games| {
                let count = games.end - games.start;
                let mut lines = Vec::new();
                for index in games {
                    write_game(&mut lines, &author.game(index));
                }
                (count, lines)
            },
            |(count, lines)| {
                if let Err(error) = writer.write_lines(&lines) {
                    return ControlFlow::Break(error);
                }
                written += count;
                progress(written);
                ControlFlow::Continue(())
            },
        );
        match flow {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    fn batches<T: Send, B>(
        &self,
        threads: usize,
        work: impl Fn(&mut Author, std::ops::Range<u64>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let threads = if threads == 0 {
            parallel::cores()
        } else {
            threads
        };
        let games = self.games;
        parallel::in_order(
            threads,
            move |job| {
                let mut start = 0;
                while start < games {
                    let end = games.min(start + BATCH);
                    if job(start..end).is_break() {
                        return;
                    }
                    start = end;
                }
            },
            || {
                let mut author = Author::new(*self);
                let work = &work;
                move |range| work(&mut author, range)
            },
            sink,
        )
    }
}

/// How a game is meant to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// On the board.
    PlayOn,
    /// The side to move loses from this ply on.
    StopAt(Termination, usize),
    /// From this ply on, the side that is behind gives up.
    ResignFrom(usize),
    /// From this ply on both sides shuffle: third repetition, old rules only.
    ShuffleFrom(usize),
}

/// Makes games; one for each thread.
struct Author {
    synth: Synth,
    game: Game,
}

impl Author {
    fn new(synth: Synth) -> Author {
        Author {
            synth,
            game: Game::new(RuleSet::Modern),
        }
    }

    fn game(&mut self, index: u64) -> ArchivedGame {
        let synth = self.synth;
        let mut rng = Rng::of(synth.seed, index);
        let start = start_of(index, synth.games, &mut rng);
        let rules = RuleSet::at_unix_time(start);
        let year = 1970 + start / 31_556_952;
        let players = people::pair(synth.seed, &mut rng);
        let occasion = people::occasion(year, &mut rng);
        let (styles, hunt) = styles(&players, &mut rng);
        let plan = plan(rules, hunt, &mut rng);
        // Casual play of the first years allowed takebacks.
        let takebacks = if year < 2005 { 0.006 } else { 0.0004 };
        let mut moves = Moves::default();
        let outcome = self.play(rules, plan, styles, takebacks, &mut moves, &mut rng);
        let last_move = self.game.next_label();
        let plies = self.game.turns().len() as i64 + 2;
        let pace = f64::from(occasion.seconds_per_move) * (0.3 + rng.unit());
        if year < 2004 && outcome.map(|o| o.termination) == Some(Termination::Resignation) {
            moves.write(last_move, "resigns");
        }
        moves.write(last_move, "");
        ArchivedGame {
            id: GameId::of(GameSource::Synth, FIRST_ID.saturating_add(index)).unwrap_or_default(),
            players,
            event: occasion.event,
            site: "Over the Net".to_owned(),
            time_control: occasion.time_control.to_owned(),
            postal: occasion.postal,
            start: Some(start),
            end: Some(start + (plies as f64 * pace) as i64),
            result: outcome.and_then(|outcome| outcome.winner),
            termination: outcome.map(|outcome| outcome.termination),
            last_move: Some(last_move.number - u32::from(last_move.side == Side::Gold)),
            mode: "IGS".to_owned(),
            rated: occasion.rated,
            corrupt: false,
            movelist: moves.text,
            events: None,
        }
    }

    /// Plays a game to its end, writing it down.
    fn play(
        &mut self,
        rules: RuleSet,
        plan: Plan,
        styles: BySide<Style>,
        takebacks: f64,
        moves: &mut Moves,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        self.game.restart(rules);
        let mut lead = PieceLead::default();
        for side in Side::ALL {
            let placed = setups::draw(rng, side);
            moves.write(self.game.next_label(), &placed.text);
            if let Err(error) = self.game.set_up(&placed.setup) {
                unreachable!("Gold, then Silver: {error}");
            }
        }
        loop {
            let position = self.game.position();
            let (side, ply) = (position.side_to_move(), self.game.turns().len() + 2);
            let count = position.board().count();
            lead.record(count.gold, count.silver);
            match plan {
                Plan::StopAt(termination, at) if ply >= at => {
                    return Some(match termination {
                        Termination::Score => Outcome::win(lead.winner(), termination),
                        _ => Outcome::win(side.opponent(), termination),
                    });
                }
                Plan::ResignFrom(at) if ply >= at && is_behind(&position, ply - at) => {
                    return Some(Outcome::win(side.opponent(), Termination::Resignation));
                }
                _ if ply >= MOST_PLIES => {
                    return Some(Outcome::win(side.opponent(), Termination::Time));
                }
                _ => {}
            }
            let shuffling = matches!(plan, Plan::ShuffleFrom(at) if ply >= at);
            let take_back = !shuffling && rng.chance(takebacks);
            for attempt in 0.. {
                let turn = match shuffle(&self.game, shuffling, rng) {
                    Some(turn) => Some(turn),
                    None => play::choose(&position, styles[side], ply, rng),
                };
                // After some bad luck a player stands there without a turn,
                // or with repetitions only.
                let Some(turn) = turn.filter(|_| attempt < 50) else {
                    return Some(Outcome::win(side.opponent(), Termination::Time));
                };
                let label = self.game.next_label();
                let Ok(outcome) = self.game.play(&turn) else {
                    continue;
                };
                moves.turn(label, &turn);
                if take_back && outcome.is_none() && attempt == 0 {
                    moves.write(self.game.next_label(), "takeback");
                    self.game.take_back();
                    continue;
                }
                if outcome.is_some() {
                    return outcome;
                }
                break;
            }
        }
    }
}

/// The moves as text.
#[derive(Default)]
struct Moves {
    text: Vec<u8>,
}

impl Moves {
    fn label(&mut self, label: Label) {
        if !self.text.is_empty() {
            self.text.extend_from_slice(b"\\n");
        }
        let _ = write!(self.text, "{}{}", label.number, letter(label.side));
    }

    fn write(&mut self, label: Label, what: &str) {
        self.label(label);
        if !what.is_empty() {
            self.text.push(b' ');
            self.text.extend_from_slice(what.as_bytes());
        }
    }

    fn turn(&mut self, label: Label, turn: &Turn) {
        self.label(label);
        for step in turn.iter() {
            let direction = step.direction().to_char();
            self.word(step.piece(), step.from(), direction);
            if let Some(removal) = step.removed() {
                self.word(removal.piece, removal.square, 'x');
            }
        }
    }

    /// By hand, as formatting would take a quarter of the time.
    fn word(&mut self, piece: hathi_rules::Piece, square: hathi_rules::Square, last: char) {
        let word = [
            b' ',
            piece.to_char() as u8,
            square.file().to_char() as u8,
            square.rank().to_char() as u8,
            last as u8,
        ];
        self.text.extend_from_slice(&word);
    }
}

/// When a game starts: evenly over the years, ascending with the index.
fn start_of(index: u64, games: u64, rng: &mut Rng) -> i64 {
    let share = (index as f64 + rng.unit()) / games.max(index + 1) as f64;
    FIRST_DAY + ((LAST_DAY - FIRST_DAY) as f64 * share) as i64
}

/// How the two play: by their ratings, and now and then one hunts the
/// other's pieces instead of running for the goal.
fn styles(players: &BySide<crate::Player>, rng: &mut Rng) -> (BySide<Style>, bool) {
    let (favourite, certainty) = people::favourite(players);
    let hunt = rng.chance(0.08);
    let mut style = |side: Side| {
        let rating = players[side]
            .rating
            .unwrap_or(1500)
            .clamp(people::LOWEST, people::HIGHEST);
        let skill = (rating - people::LOWEST) as u32;
        let advance = match (hunt, side == favourite) {
            (false, _) => 7 + rng.below(8) as i32,
            (true, true) => -3,
            (true, false) => -1,
        };
        let edge = if side == favourite {
            1.0 + 2.0 * certainty
        } else {
            1.0 - 0.7 * certainty
        };
        let mut samples = (f64::from(8 + skill / 80) * edge) as u32 + 2;
        if hunt {
            samples = if side == favourite { samples + 12 } else { 2 };
        }
        Style {
            samples,
            advance,
            blindness: if hunt {
                1.0
            } else {
                0.25 - f64::from(skill) * 0.00014
            },
        }
    };
    let gold = style(Side::Gold);
    (BySide::new(gold, style(Side::Silver)), hunt)
}

/// How the game is to end.
fn plan(rules: RuleSet, hunt: bool, rng: &mut Rng) -> Plan {
    let roll = rng.below(1000);
    let ply = |from: usize, spread: u32, rng: &mut Rng| {
        from + (rng.below(spread) + rng.below(spread)) as usize
    };
    if hunt {
        return Plan::PlayOn;
    }
    match roll {
        0..240 => Plan::StopAt(Termination::Time, ply(3, 50, rng)),
        240..440 => Plan::ResignFrom(ply(16, 30, rng)),
        440..448 => Plan::StopAt(Termination::Forfeit, ply(2, 10, rng)),
        448..454 => Plan::StopAt(Termination::Abandoned, ply(2, 30, rng)),
        454..458 => Plan::StopAt(Termination::IllegalMove, ply(3, 40, rng)),
        458..465 => Plan::StopAt(Termination::Score, ply(40, 30, rng)),
        465..475 if rules == RuleSet::Before2008 => Plan::ShuffleFrom(ply(20, 30, rng)),
        _ => Plan::PlayOn,
    }
}

/// Would the side to move give up? The longer it goes on, the sooner.
fn is_behind(position: &Position, patience: usize) -> bool {
    let board = position.board();
    let worth = |side: Side| -> i32 {
        Role::ALL
            .iter()
            .map(|role| {
                (role.index() as i32 + 1) * (board.side(side) & board.role(*role)).len() as i32
            })
            .sum()
    };
    let side = position.side_to_move();
    let behind = worth(side.opponent()) - worth(side);
    behind > 8 - (patience as i32 / 4).min(9)
}

/// A single step to and fro, if a side is shuffling and can.
fn shuffle(game: &Game, shuffling: bool, rng: &mut Rng) -> Option<Turn> {
    if !shuffling {
        return None;
    }
    let position = game.position();
    let single = |step: Step| Turn::from_steps([position.with_removal(step)]).ok();
    // Back with the piece that was moved two plies ago.
    if let Some([turn, _]) = game.turns().last_chunk()
        && let [step] = turn.steps()
        && step.removed().is_none()
        && step.piece().role() != Role::Rabbit
        && let Some(target) = step.to()
    {
        return single(Step::new(step.piece(), target, step.direction().opposite()));
    }
    let mut steps = position.legal_steps();
    steps.retain(|step| {
        step.side() == position.side_to_move()
            && step.piece().role() != Role::Rabbit
            && step.removed().is_none()
    });
    (!steps.is_empty())
        .then(|| rng.pick(&steps))
        .and_then(single)
}

#[cfg(test)]
mod tests;
