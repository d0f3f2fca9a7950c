//! One game, from its opening to its end, whatever the players do.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hathi_engine::{Choice, Limits, Stop};
use hathi_rules::{
    BySide, Clock, Game, LastTurn, Outcome, PieceLead, Side, Termination, TimeControl, TurnKind,
    Verdict,
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
    fn limits(&self, clock: Option<&Clock>, side: Side, kind: TurnKind) -> Limits {
        let limits = match (clock, self.time) {
            (Some(clock), _) => Limits::clock(clock, side, kind, HUNG),
            (None, Some(time)) => Limits::time(time),
            (None, None) => Limits::none(),
        };
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            ..limits
        }
    }

    /// The moment at which a turn is lost on time.
    fn available(&self, clock: Option<&Clock>, side: Side, kind: TurnKind) -> Option<Duration> {
        match clock {
            Some(clock) => clock.time_available(side, kind),
            None => self.time,
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
    /// The time of each turn the players decided, opening not included.
    pub used: BySide<Vec<Duration>>,
    /// Where each of these turns came from.
    pub sources: BySide<Vec<Source>>,
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
    let start = now();
    let mut table = Table {
        lead: PieceLead::default(),
        clock: thinking.control.map(Clock::new),
        used: BySide::default(),
        sources: BySide::default(),
        last_turn: Duration::ZERO,
        game: opening,
        players,
        thinking,
        max_moves,
        limit_reached: false,
        stop,
    };
    for position in table.game.positions() {
        let count = position.board().count();
        table.lead.record(count.gold, count.silver);
    }
    let ending = match table.seat(seed) {
        Err(Some(ending)) => ending,
        Err(None) => return None,
        Ok(()) => loop {
            match table.turn(&mut listener) {
                Ok(None) => {}
                Ok(Some(ending)) => break ending,
                Err(Interrupted) => return None,
            }
        },
    };
    Some(GameReport {
        game: table.game,
        ending,
        used: table.used,
        sources: table.sources,
        start,
        end: now(),
    })
}

struct Interrupted;

struct Table<'a> {
    game: Game,
    players: BySide<&'a mut Player>,
    clock: Option<Clock>,
    lead: PieceLead,
    used: BySide<Vec<Duration>>,
    sources: BySide<Vec<Source>>,
    last_turn: Duration,
    thinking: &'a Thinking,
    max_moves: u32,
    /// The clock's game limit: the turn counts, and there is no other.
    limit_reached: bool,
    stop: &'a Stop,
}

impl Table<'_> {
    /// Both players are told what is to be played. An error is the end of
    /// the game, or nothing if somebody stopped it.
    fn seat(&mut self, seed: u64) -> Result<(), Option<Ending>> {
        for side in [Side::Gold, Side::Silver] {
            let own_seed = seed.wrapping_mul(2).wrapping_add(side.index() as u64);
            let seated =
                self.players[side].new_game(own_seed, &self.game, self.thinking, self.stop);
            if let Err(fault) = seated {
                return Err(loss(side, &fault));
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
        let side = self.game.side_to_move();
        let too_long = self.max_moves > 0 && self.game.next_label().number > self.max_moves;
        if too_long || self.limit_reached {
            return Ok(Some(self.count_pieces()));
        }
        let kind = match self.game.must_set_up() {
            Some(_) => TurnKind::Setup,
            None => TurnKind::Play,
        };
        let margin = self.thinking.margin;
        let available = self.thinking.available(self.clock.as_ref(), side, kind);
        // A little beyond the margin, so that a late answer is told from none.
        let patience = available.map_or(HUNG, |time| time + margin + margin.max(HUNG / 1000));
        let request = Request {
            game: &self.game,
            limits: self.thinking.limits(self.clock.as_ref(), side, kind),
            patience,
            clock: self.clock.as_ref(),
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
        let answer = match answer {
            Ok(answer) => answer,
            Err(PlayerFault::Interrupted) => return Err(Interrupted),
            Err(fault) => return Ok(loss(side, &fault)),
        };
        let charged = used.saturating_sub(margin);
        if let Some(ending) = self.charge(side, charged, kind, available) {
            return Ok(Some(ending));
        }
        let Answer::Choice(choice, _) = answer else {
            let outcome = Outcome::win(side.opponent(), Termination::Resignation);
            return Ok(Some(plain(outcome)));
        };
        let made = match &choice {
            Choice::SetUp(setup) => self.game.set_up(setup).map_err(|e| e.to_string()),
            Choice::Play(turn) => self.game.play(turn).map(|_| ()).map_err(|e| e.to_string()),
        };
        if let Err(why) = made {
            let fault = PlayerFault::Illegal(format!("`{choice}`: {why}"));
            return Ok(loss(side, &fault));
        }
        // With removals, as the game has them.
        let choice = match (choice, self.game.turns().last()) {
            (Choice::Play(_), Some(turn)) => Choice::Play(*turn),
            (choice, _) => choice,
        };
        let count = self.game.position().board().count();
        if self.game.must_set_up().is_none() {
            self.lead.record(count.gold, count.silver);
        }
        for side in [Side::Gold, Side::Silver] {
            self.players[side].made(&choice);
        }
        listener(&MoveReport {
            game: &self.game,
            side,
            choice: &choice,
            used,
            source,
        });
        Ok(None)
    }

    /// What the clock says about a turn; none if it counts.
    fn charge(
        &mut self,
        side: Side,
        used: Duration,
        kind: TurnKind,
        available: Option<Duration>,
    ) -> Option<Ending> {
        let late = |over_by: Duration| {
            Some(Ending {
                outcome: Outcome::win(side.opponent(), Termination::Time),
                fault: Some(format!("{:.3} s too late", over_by.as_secs_f64())),
            })
        };
        let Some(clock) = &mut self.clock else {
            let over = used.saturating_sub(available?);
            return if over.is_zero() { None } else { late(over) };
        };
        match clock.charge(side, used, kind) {
            Verdict::InTime { .. } => None,
            Verdict::OutOfTime { over_by, .. } => late(over_by),
            Verdict::GameLimit(LastTurn::CutShort) => Some(self.count_pieces()),
            Verdict::GameLimit(LastTurn::Completed) => {
                self.limit_reached = true;
                None
            }
        }
    }

    fn count_pieces(&self) -> Ending {
        plain(Outcome::win(self.lead.winner(), Termination::Score))
    }
}

fn plain(outcome: Outcome) -> Ending {
    Ending {
        outcome,
        fault: None,
    }
}

/// A game lost by what a player did; none if it was interrupted.
fn loss(side: Side, fault: &PlayerFault) -> Option<Ending> {
    let termination = match fault {
        PlayerFault::Crash(_) => Termination::Forfeit,
        PlayerFault::Illegal(_) => Termination::IllegalMove,
        PlayerFault::Silent(_) => Termination::Time,
        PlayerFault::Interrupted => return None,
    };
    Some(Ending {
        outcome: Outcome::win(side.opponent(), termination),
        fault: Some(fault.to_string()),
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs().cast_signed())
}
