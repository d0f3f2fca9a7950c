//! Many games between any players, on several cores, and again from where
//! they were interrupted.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use hathi_archive::{ArchivedGame, FinishedGame, GameId, GameSource, Occasion, Player as Name};
use hathi_engine::Stop;
use hathi_rules::{BySide, Game, Side};

use crate::openings::{Openings, mix};
use crate::player::{Player, PlayerFault};
use crate::referee::{Ending, GameReport, MoveReport, Thinking, play_game};
use crate::spec::{PlayerKind, PlayerSpec};
use crate::standings::Standings;
use crate::state::{Finished, Settings, State, StateError};
use crate::stats::{Sprt, SprtState};

/// A tournament to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who takes part: at least two.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games of everybody who meets, two for each opening.
    pub games: u64,
    /// How games begin.
    pub openings: Openings,
    /// How long players think.
    pub thinking: Thinking,
    /// Full moves after which pieces are counted, 0 for no limit.
    pub max_moves: u32,
    /// Games at the same time.
    pub concurrency: usize,
    /// The dice.
    pub seed: u64,
    /// Stop as soon as this is decided, between the first two players.
    pub sprt: Option<Sprt>,
    /// Where engines have their memory that do not say so themselves.
    pub memory: String,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody everybody.
    RoundRobin,
    /// The first all others.
    Gauntlet,
    /// Those who stand at most so many places apart in the list.
    Near(usize),
}

impl Format {
    /// Do the players at these places meet?
    const fn meet(self, first: usize, second: usize) -> bool {
        match self {
            Format::RoundRobin => true,
            Format::Gauntlet => first == 0,
            Format::Near(places) => second.abs_diff(first) <= places,
        }
    }
}

/// What happens, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game has begun.
    Started {
        /// Its number.
        number: u64,
        /// The players' places.
        players: BySide<usize>,
    },
    /// A move was made in a game.
    Moved {
        /// The game's number.
        number: u64,
        /// The move.
        report: &'a MoveReport<'a>,
    },
    /// A game has ended.
    Finished {
        /// What came of it.
        result: &'a Finished,
        /// The game.
        game: &'a Game,
        /// The game as the archive keeps it.
        archived: &'a ArchivedGame,
        /// The table with it.
        standings: &'a Standings,
    },
}

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Too few.
    #[error("a tournament needs at least two players")]
    TooFewPlayers,
    /// Two of one name.
    #[error("two players are called `{0}`: give one another name, as in other={0}")]
    SameName(String),
    /// Half a pair.
    #[error("{0} games cannot be played in pairs, once with each colour: give an even number")]
    OddGames(u64),
    /// One of the players does not start.
    #[error("{name} cannot play: {why}")]
    CannotStart {
        /// Who.
        name: String,
        /// Why not.
        why: String,
    },
    /// The folder.
    #[error(transparent)]
    State(#[from] StateError),
}

impl TournamentError {
    /// Is it something in the settings that the user can mend, rather than
    /// trouble with files?
    pub fn can_be_mended(&self) -> bool {
        !matches!(
            self,
            TournamentError::State(StateError::Io { .. } | StateError::InUse(_))
        )
    }
}

/// One game to be played.
#[derive(Clone, Copy, Debug)]
struct Fixture {
    number: u64,
    opening: u64,
    players: BySide<usize>,
}

impl Tournament {
    /// A tournament of these players with everything else as it is mostly
    /// wanted.
    pub fn new(players: Vec<PlayerSpec>) -> Tournament {
        Tournament {
            players,
            format: Format::RoundRobin,
            games: 100,
            openings: Openings::Drawn { turns: 0 },
            thinking: Thinking {
                margin: Duration::from_millis(100),
                ..Thinking::default()
            },
            max_moves: 150,
            concurrency: 1,
            seed: 1,
            sprt: None,
            memory: String::new(),
        }
    }

    /// Plays it until it is over or somebody says stop. With a folder, games
    /// that are finished there already are not played again.
    pub fn run(
        &self,
        folder: Option<&Path>,
        stop: &Stop,
        listener: &(dyn Fn(&Event<'_>) + Sync),
    ) -> Result<Standings, TournamentError> {
        self.check()?;
        let fixtures = self.fixtures();
        let (state, finished) = match folder {
            None => (None, Vec::new()),
            Some(folder) => {
                let (state, finished) = State::open(folder, &self.settings())?;
                if let Openings::From(positions) = &self.openings {
                    state.keep_positions(positions)?;
                }
                (Some(state), finished)
            }
        };
        let played: HashSet<u64> = finished.iter().map(|game| game.number).collect();
        let mut to_play: Vec<Fixture> = fixtures
            .iter()
            .filter(|fixture| !played.contains(&fixture.number))
            .copied()
            .collect();
        to_play.reverse();
        if !to_play.is_empty() {
            self.check_players(stop)?;
        }
        let hall = Hall {
            tournament: self,
            planned: fixtures.len() as u64,
            names: self.players.iter().map(|p| p.name.clone()).collect(),
            to_play: Mutex::new(to_play),
            desk: Mutex::new(Desk {
                state,
                finished,
                trouble: None,
            }),
            stop: stop.clone(),
            over: Stop::default(),
            listener,
        };
        if is_decided(&hall.standings(&lock(&hall.desk).finished)) {
            hall.over.now();
        }
        thread::scope(|scope| {
            let tables: Vec<_> = (0..self.concurrency.max(1))
                .map(|_| scope.spawn(|| hall.play_games()))
                .collect();
            // Players listen to one flag only; it is raised when either is.
            while tables.iter().any(|table| !table.is_finished()) {
                if hall.stop.asked() {
                    hall.over.now();
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        let desk = hall
            .desk
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(trouble) = desk.trouble {
            return Err(trouble.into());
        }
        Ok(Standings::of(
            &hall.names,
            &desk.finished,
            hall.planned,
            self.sprt,
        ))
    }

    /// A player as it is started.
    fn player(&self, place: usize) -> PlayerSpec {
        let mut player = self.players[place].clone();
        if let PlayerKind::BuiltIn(spec) = &mut player.kind
            && spec.options.store.is_empty()
        {
            spec.options.store.clone_from(&self.memory);
        }
        player
    }

    /// Starts everybody once: a match against somebody who is not there would
    /// say something about strength that is not true.
    fn check_players(&self, stop: &Stop) -> Result<(), TournamentError> {
        for (place, player) in self.players.iter().enumerate() {
            match Player::start(&self.player(place), stop) {
                Ok(_) => {}
                // Somebody has had enough; the games will notice.
                Err(PlayerFault::Interrupted) => return Ok(()),
                Err(fault) => {
                    return Err(TournamentError::CannotStart {
                        name: player.name.clone(),
                        why: fault.to_string(),
                    });
                }
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), TournamentError> {
        if self.players.len() < 2 {
            return Err(TournamentError::TooFewPlayers);
        }
        let mut names = HashSet::new();
        for player in &self.players {
            if !names.insert(&player.name) {
                return Err(TournamentError::SameName(player.name.clone()));
            }
        }
        if !self.games.is_multiple_of(2) {
            return Err(TournamentError::OddGames(self.games));
        }
        Ok(())
    }

    /// All games, everybody's first pair before anybody's second.
    fn fixtures(&self) -> Vec<Fixture> {
        let mut meetings = Vec::new();
        for first in 0..self.players.len() {
            for second in first + 1..self.players.len() {
                if self.format.meet(first, second) {
                    meetings.push((first, second));
                }
            }
        }
        let mut fixtures = Vec::new();
        for opening in 0..self.games / 2 {
            for &(first, second) in &meetings {
                for players in [BySide::new(first, second), BySide::new(second, first)] {
                    fixtures.push(Fixture {
                        number: fixtures.len() as u64,
                        opening,
                        players,
                    });
                }
            }
        }
        fixtures
    }

    /// What must be the same to go on with a tournament. The number of games
    /// may grow, and how many are played at once matters to nobody.
    fn settings(&self) -> Settings {
        let thinking = &self.thinking;
        let text = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
        let players: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let settings = [
            ("players", players.join(" | ")),
            ("format", format!("{:?}", self.format)),
            ("openings", self.openings.to_string()),
            (
                "time a turn",
                text(thinking.time.map(|t| format!("{} s", t.as_secs_f64()))),
            ),
            (
                "time control",
                text(thinking.control.map(|c| c.to_string())),
            ),
            ("nodes", text(thinking.nodes.map(|n| n.to_string()))),
            ("depth", text(thinking.depth.map(|d| d.to_string()))),
            ("move limit", self.max_moves.to_string()),
            ("seed", self.seed.to_string()),
        ];
        settings
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Where the games are played.
struct Hall<'a> {
    tournament: &'a Tournament,
    planned: u64,
    names: Vec<String>,
    /// The next game last.
    to_play: Mutex<Vec<Fixture>>,
    desk: Mutex<Desk>,
    /// From outside.
    stop: Stop,
    /// Everything ends now.
    over: Stop,
    listener: &'a (dyn Fn(&Event<'_>) + Sync),
}

/// Where results are handed in.
struct Desk {
    state: Option<State>,
    finished: Vec<Finished>,
    trouble: Option<StateError>,
}

impl Hall<'_> {
    fn standings(&self, finished: &[Finished]) -> Standings {
        Standings::of(&self.names, finished, self.planned, self.tournament.sprt)
    }

    /// One of the threads that play.
    fn play_games(&self) {
        let mut seats: HashMap<usize, Player> = HashMap::new();
        while !self.over.asked() {
            let Some(fixture) = lock(&self.to_play).pop() else {
                return;
            };
            (self.listener)(&Event::Started {
                number: fixture.number,
                players: fixture.players,
            });
            if let Some(report) = self.play(fixture, &mut seats) {
                self.hand_in(fixture, &report);
            }
        }
    }

    fn play(&self, fixture: Fixture, seats: &mut HashMap<usize, Player>) -> Option<GameReport> {
        let tournament = self.tournament;
        let opening = tournament.openings.game(tournament.seed, fixture.opening);
        let mut players = Vec::with_capacity(2);
        for side in [Side::Gold, Side::Silver] {
            let place = fixture.players[side];
            let player = match seats.remove(&place) {
                Some(player) => Ok(player),
                None => Player::start(&tournament.player(place), &self.over),
            };
            match player {
                Ok(player) => players.push(player),
                Err(PlayerFault::Interrupted) => return None,
                Err(fault) => return Some(not_played(side, &fault, opening)),
            }
        }
        let [gold, silver] = &mut players[..] else {
            return None;
        };
        let seed = tournament
            .seed
            .wrapping_add(mix(fixture.number + (1 << 32)));
        let report = play_game(
            BySide::new(gold, silver),
            opening,
            seed,
            &tournament.thinking,
            tournament.max_moves,
            &self.over,
            |report| {
                (self.listener)(&Event::Moved {
                    number: fixture.number,
                    report,
                });
            },
        )?;
        // Who did something wrong is started again for the next game.
        let loser = report
            .ending
            .fault
            .as_ref()
            .and(report.ending.outcome.winner)
            .map(Side::opponent);
        for (side, player) in [Side::Gold, Side::Silver].into_iter().zip(players) {
            if loser != Some(side) {
                seats.insert(fixture.players[side], player);
            }
        }
        Some(report)
    }

    fn hand_in(&self, fixture: Fixture, report: &GameReport) {
        let outcome = report.ending.outcome;
        let winner = outcome.winner.unwrap_or(Side::Silver);
        let micros = |times: &[Duration]| times.iter().map(|t| t.as_micros() as u64).collect();
        let mut result =
            Finished::new(fixture.number, fixture.players, winner, outcome.termination);
        result.fault.clone_from(&report.ending.fault);
        result.turns = report.game.turns().len();
        result.used = [micros(&report.used.gold), micros(&report.used.silver)];
        let sources = [&report.sources.gold, &report.sources.silver];
        result.levels = sources.map(|of| of.iter().map(|source| source.level).collect());
        result.depths = sources.map(|of| of.iter().map(|source| source.depth).collect());
        let archived = self.archived(fixture, report);
        let mut desk = lock(&self.desk);
        if let Some(state) = &mut desk.state
            && let Err(trouble) = state.add(&result, &archived)
        {
            desk.trouble = Some(trouble);
            self.over.now();
            return;
        }
        desk.finished.push(result);
        let standings = self.standings(&desk.finished);
        if is_decided(&standings) {
            self.over.now();
        }
        if let Some(result) = desk.finished.last() {
            (self.listener)(&Event::Finished {
                result,
                game: &report.game,
                archived: &archived,
                standings: &standings,
            });
        }
    }

    fn archived(&self, fixture: Fixture, report: &GameReport) -> ArchivedGame {
        let thinking = &self.tournament.thinking;
        let name = |side| Name::bot(self.names[fixture.players[side]].as_str());
        let finished = FinishedGame {
            game: &report.game,
            outcome: Some(report.ending.outcome),
            players: BySide::new(name(Side::Gold), name(Side::Silver)),
            occasion: Occasion::Arena,
            time_control: match (&thinking.control, thinking.time) {
                (Some(control), _) => control.to_string(),
                (None, Some(time)) => format!("{}s/0", time.as_secs_f64().ceil()),
                (None, None) => "0/0".to_owned(),
            },
            start: report.start,
            end: report.end,
            times: &report.times,
        };
        finished.archived(GameId::of(GameSource::Arena, fixture.number + 1).unwrap_or_default())
    }
}

fn is_decided(standings: &Standings) -> bool {
    standings
        .sprt
        .is_some_and(|sprt| sprt.state != SprtState::Running)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A player that did not even start has lost.
fn not_played(side: Side, fault: &PlayerFault, game: Game) -> GameReport {
    let outcome = hathi_rules::Outcome::win(side.opponent(), hathi_rules::Termination::Forfeit);
    GameReport {
        game,
        ending: Ending {
            outcome,
            fault: Some(fault.to_string()),
        },
        used: BySide::default(),
        sources: BySide::default(),
        times: Vec::new(),
        start: 0,
        end: 0,
    }
}
