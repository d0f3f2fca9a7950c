//! One game, from its opening to its end, whatever the players do. The rules
//! say what counts ([`TimedGame`]); here players are asked and waited for.

use std::num::NonZeroU32;
use std::time::Duration;

use hathi_archive::unix_time;
use hathi_engine::{Limits, Stop};
use hathi_rules::{
    BySide, Choice, Clock, Game, Label, Outcome, Ruling, Side, Termination, TimeControl, TimedGame,
    Timing,
};

use crate::player::{Answer, Player, PlayerFault, Request, Source};

/// How long players may think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Time for every turn, without a reserve.
    pub time: Option<Duration>,
    /// A clock, instead.
    pub control: Option<TimeControl>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Depth in steps.
    pub depth: Option<u32>,
    /// Forgiven on every turn: machines are busy, pipes take time.
    pub margin: Duration,
}

/// A player without a clock that says nothing for so long is taken for hung.
const HUNG: Duration = Duration::from_secs(300);

impl Thinking {
    /// What a game is timed by.
    fn timing(&self) -> Timing {
        match (self.control, self.time) {
            (Some(control), _) => Timing::Clock(Clock::new(control)),
            (None, Some(time)) => Timing::EachTurn(time),
            (None, None) => Timing::Untimed,
        }
    }

    fn limits(&self, game: &TimedGame) -> Limits {
        let limits = Limits::of_game(game, HUNG).unwrap_or_else(|| match self.time {
            Some(time) => Limits::time(time),
            None => Limits::none(),
        });
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            ..limits
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won and why.
    pub outcome: Outcome,
    /// What the loser did wrong, if it was that.
    pub fault: Option<String>,
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The moves.
    pub game: Game,
    /// The end.
    pub ending: Ending,
    /// The time of each turn the players decided, opening not included; with
    /// one that was too late.
    pub used: BySide<Vec<Duration>>,
    /// Where each of these turns came from.
    pub sources: BySide<Vec<Source>>,
    /// How long the moves took that were made, opening not included.
    pub times: Vec<(Label, Duration)>,
    /// Start in seconds since 1970.
    pub start: i64,
    /// End in seconds since 1970.
    pub end: i64,
}

/// A move that was just made.
#[derive(Debug)]
pub struct MoveReport<'a> {
    /// The game, this move included.
    pub game: &'a Game,
    /// Who made it.
    pub side: Side,
    /// What was done.
    pub choice: &'a Choice,
    /// How long it took.
    pub used: Duration,
    /// Where it came from.
    pub source: Source,
}

/// Plays a game between two players. None if it was stopped from outside.
///
/// `max_moves` full moves end it by piece count, 0 for no limit.
pub fn play_game(
    players: BySide<&mut Player>,
    opening: Game,
    seed: u64,
    thinking: &Thinking,
    max_moves: u32,
    stop: &Stop,
    mut listener: impl FnMut(&MoveReport<'_>),
) -> Option<GameReport> {
    let start = unix_time();
    let game = TimedGame::new(opening, thinking.timing());
    let mut refereed = RefereedGame {
        game: match NonZeroU32::new(max_moves) {
            Some(most) => game.with_most_moves(most),
            None => game,
        },
        used: BySide::default(),
        sources: BySide::default(),
        times: Vec::new(),
        last_turn: Duration::ZERO,
        players,
        thinking,
        stop,
    };
    let ending = match refereed.seat(seed) {
        Err(Some(ending)) => ending,
        Err(None) => return None,
        Ok(()) => loop {
            match refereed.turn(&mut listener) {
                Ok(None) => {}
                Ok(Some(ending)) => break ending,
                Err(Interrupted) => return None,
            }
        },
    };
    Some(GameReport {
        game: refereed.game.into_game(),
        ending,
        used: refereed.used,
        sources: refereed.sources,
        times: refereed.times,
        start,
        end: unix_time(),
    })
}

struct Interrupted;

/// A game, and who plays it.
struct RefereedGame<'a> {
    game: TimedGame,
    players: BySide<&'a mut Player>,
    used: BySide<Vec<Duration>>,
    sources: BySide<Vec<Source>>,
    times: Vec<(Label, Duration)>,
    last_turn: Duration,
    thinking: &'a Thinking,
    stop: &'a Stop,
}

impl RefereedGame<'_> {
    /// Both players are told what is to be played. An error is the end of
    /// the game, or nothing if somebody stopped it.
    fn seat(&mut self, seed: u64) -> Result<(), Option<Ending>> {
        for side in [Side::Gold, Side::Silver] {
            let own_seed = seed.wrapping_mul(2).wrapping_add(side.index() as u64);
            let opening = self.game.game();
            let seated = self.players[side].new_game(own_seed, opening, self.thinking, self.stop);
            if let Err(fault) = seated {
                return Err(self.loss(side, &fault));
            }
        }
        Ok(())
    }

    fn turn(
        &mut self,
        listener: &mut impl FnMut(&MoveReport<'_>),
    ) -> Result<Option<Ending>, Interrupted> {
        if let Some(outcome) = self.game.outcome() {
            return Ok(Some(plain(outcome)));
        }
        let side = self.game.game().side_to_move();
        let margin = self.thinking.margin;
        let available = self.game.time_available(side);
        // A little beyond the margin, so that a late answer is told from none.
        let patience = available.map_or(HUNG, |time| time + margin + margin.max(HUNG / 1000));
        let request = Request {
            game: self.game.game(),
            limits: self.thinking.limits(&self.game),
            patience,
            clock: self.game.clock(),
            last_turn: self.last_turn,
            stop: self.stop,
        };
        let (answer, used) = self.players[side].decide(request);
        self.used[side].push(used);
        self.last_turn = used;
        let source = match &answer {
            Ok(Answer::Choice(_, source)) => *source,
            _ => Source::default(),
        };
        self.sources[side].push(source);
        let charged = used.saturating_sub(margin);
        let choice = match answer {
            Ok(Answer::Choice(choice, _)) => choice,
            Ok(Answer::Resigns) => {
                let outcome = self.game.look_at_clock(charged);
                let resigns = || self.game.lose(side, Termination::Resignation);
                return Ok(Some(plain(outcome.unwrap_or_else(resigns))));
            }
            Err(PlayerFault::Interrupted) => return Err(Interrupted),
            Err(fault @ PlayerFault::Silent(_)) => {
                // The limit of the game is nobody's fault.
                return Ok(match self.game.look_at_clock(charged) {
                    Some(outcome) if outcome.termination == Termination::Score => {
                        Some(plain(outcome))
                    }
                    _ => self.loss(side, &fault),
                });
            }
            Err(fault) => return Ok(self.loss(side, &fault)),
        };
        let label = self.game.game().next_label();
        match self.game.make(&choice, charged) {
            Err(why) => {
                let fault = PlayerFault::Illegal(format!("`{choice}`: {why}"));
                return Ok(self.loss(side, &fault));
            }
            Ok(Ruling::OutOfTime { outcome, over_by }) => {
                return Ok(Some(Ending {
                    outcome,
                    fault: Some(format!("{:.3} s too late", over_by.as_secs_f64())),
                }));
            }
            Ok(Ruling::CutShort(outcome)) => return Ok(Some(plain(outcome))),
            Ok(Ruling::GoesOn | Ruling::Ended(_)) => self.times.push((label, used)),
        }
        let game = self.game.game();
        // With removals, as the game has them.
        let choice = match (choice, game.turns().last()) {
            (Choice::Play(_), Some(turn)) => Choice::Play(*turn),
            (choice, _) => choice,
        };
        for side in [Side::Gold, Side::Silver] {
            self.players[side].made(&choice);
        }
        listener(&MoveReport {
            game,
            side,
            choice: &choice,
            used,
            source,
        });
        Ok(None)
    }

    /// A game lost by what a player did; none if it was interrupted.
    fn loss(&mut self, side: Side, fault: &PlayerFault) -> Option<Ending> {
        let termination = match fault {
            PlayerFault::Crash(_) => Termination::Forfeit,
            PlayerFault::Illegal(_) => Termination::IllegalMove,
            PlayerFault::Silent(_) => Termination::Time,
            PlayerFault::Interrupted => return None,
        };
        Some(Ending {
            outcome: self.game.lose(side, termination),
            fault: Some(fault.to_string()),
        })
    }
}

fn plain(outcome: Outcome) -> Ending {
    Ending {
        outcome,
        fault: None,
    }
}
