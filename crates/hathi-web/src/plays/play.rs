//! One game between a person and an engine.

use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hathi_archive::{FinishedGame, GameId, GameSource, Occasion, Player, unix_time};
use hathi_engine::{Decision, Engine, EngineError, Limits, Stop};
use hathi_rules::{BySide, Choice, Game, Setup, Side, Termination, TimedGame, Turn};
use hathi_store::{Moves, NewGame};
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};
use utoipa::ToSchema;

use super::kept::{self, Terms};
use crate::api::think::ThoughtView;
use crate::engines::{self, Purpose};
use crate::error::ApiError;
use crate::pool::{blocking, lock};
use crate::state::App;

/// Forgiven on every turn of a person: the way to the server and back.
const MARGIN: Duration = Duration::from_millis(300);

/// Whose move it is, so to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The person's.
    Yours,
    /// The engine's.
    Thinking,
    /// Nobody's any more.
    Over,
    /// The engine broke down.
    Failed,
}

/// A game and who plays it.
pub(crate) struct Play {
    pub(crate) id: String,
    /// Whose browser it belongs to.
    pub(crate) client: String,
    /// The address it was begun from; games of older versions do not know.
    pub(crate) from: Option<IpAddr>,
    /// Seconds since 1970.
    pub(crate) created: i64,
    pub(crate) terms: Terms,
    state: Mutex<PlayState>,
    engine: Mutex<Option<Box<dyn Engine>>>,
    changes: watch::Sender<u64>,
    thoughts: broadcast::Sender<ThoughtView>,
}

/// The end of a game, as it goes to the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    /// Seconds since 1970.
    at: i64,
    number: u64,
}

/// Why the engine made a move.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Explained {
    /// Its place among the moves, setups included.
    #[serde(rename = "move")]
    pub(crate) index: usize,
    /// In sentences.
    pub(crate) reasons: Vec<String>,
}

/// What changes in the course of a game.
pub(crate) struct PlayState {
    pub(crate) timed: TimedGame,
    pub(crate) phase: Phase,
    /// When the side to move began to think.
    since: Instant,
    /// Why the engine did what it did.
    pub(crate) explained: Vec<Explained>,
    pub(crate) thought: Option<ThoughtView>,
    pub(crate) error: Option<String>,
    /// When it ended and the number it has in the store from then on: written
    /// down before it is stored, so that it is stored once, whatever happens.
    pub(super) ended: Option<Ended>,
    /// Its number in the store.
    pub(crate) stored: Option<GameId>,
    /// An answer of the engine to an older number is too late.
    number: u64,
    stop: Stop,
    /// When somebody last asked how it goes.
    watched: Instant,
    /// Seconds since 1970: it outlasts the server.
    touched: i64,
}

impl PlayState {
    pub(super) fn new(timed: TimedGame, person: Side) -> PlayState {
        let phase = if timed.outcome().is_some() {
            Phase::Over
        } else if timed.game().side_to_move() == person {
            Phase::Yours
        } else {
            Phase::Thinking
        };
        PlayState {
            timed,
            phase,
            since: Instant::now(),
            explained: Vec::new(),
            thought: None,
            error: None,
            ended: None,
            stored: None,
            number: 0,
            stop: Stop::default(),
            watched: Instant::now(),
            touched: unix_time(),
        }
    }

    /// When somebody last did something, as it is kept.
    pub(super) fn touched(&self) -> i64 {
        self.touched
    }

    pub(super) fn with_touched(mut self, touched: i64) -> PlayState {
        self.touched = touched;
        self
    }

    pub(crate) fn game(&self) -> &Game {
        self.timed.game()
    }

    /// Moves made, setups included.
    fn moves(&self) -> usize {
        let (gold, silver) = self.game().setups();
        self.game().turns().len() + usize::from(gold.is_some()) + usize::from(silver.is_some())
    }

    /// Seconds a side has left now: the time of its turn and its reserve.
    pub(crate) fn left(&self, side: Side) -> Option<f64> {
        let available = self.timed.time_available(side)?;
        let running = self.timed.outcome().is_none() && self.game().side_to_move() == side;
        let used = if running {
            self.since.elapsed()
        } else {
            Duration::ZERO
        };
        Some(available.saturating_sub(used).as_secs_f64())
    }

    /// What a person has used, the way to the server and back not counted.
    fn used_by_person(&self) -> Duration {
        self.since.elapsed().saturating_sub(MARGIN)
    }

    /// The next to decide has the move, unless the game has ended. Says
    /// whether it has; who is told so, and nobody else, has to call
    /// [`Play::finish`].
    fn hand_over(&mut self, to: Phase) -> bool {
        let over = self.timed.outcome().is_some();
        self.phase = if over { Phase::Over } else { to };
        self.since = Instant::now();
        over
    }

    /// The answer under way is not wanted any more.
    fn forget_answer(&mut self) {
        self.number += 1;
        self.stop.now();
        self.stop = Stop::default();
    }
}

impl Play {
    pub(super) fn new(
        id: String,
        client: String,
        from: IpAddr,
        terms: Terms,
        setups: &[Setup],
    ) -> Result<Play, ApiError> {
        let mut timed = TimedGame::new(terms.game()?, terms.timing()?);
        for setup in setups {
            let made = timed.make(&Choice::SetUp(*setup), Duration::ZERO);
            let _ = made.map_err(|error| ApiError::bad_turn(error.to_string()))?;
        }
        if let Some(outcome) = timed.outcome() {
            return Err(ApiError::bad_position(format!(
                "the game is over in this position: {outcome}"
            )));
        }
        let state = PlayState::new(timed, terms.side());
        Ok(Play::restored(
            id,
            client,
            Some(from),
            unix_time(),
            terms,
            state,
        ))
    }

    pub(super) fn restored(
        id: String,
        client: String,
        from: Option<IpAddr>,
        created: i64,
        terms: Terms,
        state: PlayState,
    ) -> Play {
        Play {
            id,
            client,
            from,
            created,
            terms,
            state: Mutex::new(state),
            engine: Mutex::new(None),
            changes: watch::channel(0).0,
            thoughts: broadcast::channel(32).0,
        }
    }

    /// Looks at the game.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&PlayState) -> T) -> T {
        look(&lock(&self.state))
    }

    /// Hears of every change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Hears what the engine thinks.
    pub(crate) fn thoughts(&self) -> broadcast::Receiver<ThoughtView> {
        self.thoughts.subscribe()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.look(|state| state.phase != Phase::Over)
    }

    /// Is it being played, with both sides set up?
    pub(super) fn has_begun(&self) -> bool {
        self.look(|state| state.phase != Phase::Over && state.game().must_set_up().is_none())
    }

    /// Is it to be set up yet?
    pub(super) fn is_waiting(&self) -> bool {
        self.look(|state| state.phase != Phase::Over && state.game().must_set_up().is_some())
    }

    pub(super) fn is_idle(&self, time: Duration) -> bool {
        let now = unix_time();
        self.look(|state| {
            let idle = u64::try_from(now.saturating_sub(state.touched)).unwrap_or(0);
            state.phase != Phase::Thinking && idle >= time.as_secs().max(1)
        })
    }

    /// When somebody last did something: seconds since 1970.
    pub(super) fn touched(&self) -> i64 {
        self.look(PlayState::touched)
    }

    /// Has it an engine that waits for somebody's turn?
    pub(super) fn has_idle_engine(&self) -> bool {
        self.engine.try_lock().is_ok_and(|engine| engine.is_some())
    }

    pub(super) fn release_engine(&self) {
        if let Ok(mut engine) = self.engine.try_lock() {
            *engine = None;
        }
    }

    pub(super) fn stop(&self) {
        lock(&self.state).stop.now();
    }

    pub(super) fn keep(&self, folder: &Path) {
        kept::save(folder, self, &lock(&self.state));
    }

    fn changed(&self, app: &App, state: &mut PlayState) {
        state.touched = unix_time();
        kept::save(app.plays.folder(), self, state);
        self.changes.send_modify(|number| *number += 1);
    }

    /// The person sets up.
    pub(crate) async fn set_up(self: &Arc<Play>, app: &App, setup: Setup) -> Result<(), ApiError> {
        self.decide(app, Choice::SetUp(setup)).await
    }

    /// The person moves.
    pub(crate) async fn play(self: &Arc<Play>, app: &App, turn: Turn) -> Result<(), ApiError> {
        self.decide(app, Choice::Play(turn)).await
    }

    async fn decide(self: &Arc<Play>, app: &App, choice: Choice) -> Result<(), ApiError> {
        let over = {
            let mut state = lock(&self.state);
            match state.phase {
                Phase::Yours => {}
                Phase::Thinking => {
                    return Err(ApiError::conflict("it is the engine's turn"));
                }
                Phase::Over => return Err(ApiError::conflict("the game is over")),
                Phase::Failed => {
                    return Err(ApiError::conflict(
                        "the engine broke down: take your last turn back, or resign",
                    ));
                }
            }
            let used = state.used_by_person();
            let ruling = state.timed.make(&choice, used);
            let _ = ruling.map_err(|error| ApiError::bad_turn(error.to_string()))?;
            let over = state.hand_over(Phase::Thinking);
            state.thought = None;
            self.changed(app, &mut state);
            over
        };
        if over {
            self.finish(app).await;
        } else {
            self.clone().let_engine_move(app);
        }
        Ok(())
    }

    /// Back to the person's last decision.
    pub(crate) fn take_back(&self, app: &App) -> Result<(), ApiError> {
        let mut state = lock(&self.state);
        if state.phase == Phase::Over {
            return Err(ApiError::conflict(
                "the game is over, and the store has it: start another one",
            ));
        }
        let person = self.terms.side();
        let mut timed = state.timed.clone();
        loop {
            if !timed.take_back() {
                return Err(ApiError::conflict("there is nothing to take back"));
            }
            if timed.game().side_to_move() == person {
                break;
            }
        }
        state.forget_answer();
        state.timed = timed;
        state.hand_over(Phase::Yours);
        state.error = None;
        let moves = state.moves();
        state.explained.retain(|explained| explained.index < moves);
        state.thought = None;
        self.changed(app, &mut state);
        Ok(())
    }

    /// The person gives up.
    pub(crate) async fn resign(self: &Arc<Play>, app: &App) -> Result<(), ApiError> {
        {
            let mut state = lock(&self.state);
            if state.phase == Phase::Over {
                return Err(ApiError::conflict("the game is over"));
            }
            state.forget_answer();
            state
                .timed
                .lose(self.terms.side(), Termination::Resignation);
            state.phase = Phase::Over;
        }
        self.finish(app).await;
        Ok(())
    }

    /// Has the side to move run out of time?
    pub(super) async fn look_at_clock(self: Arc<Play>, app: &App) {
        {
            let mut state = lock(&self.state);
            if state.phase != Phase::Yours {
                return;
            }
            let used = state.used_by_person();
            if state.timed.look_at_clock(used).is_none() {
                return;
            }
            state.phase = Phase::Over;
        }
        self.finish(app).await;
    }

    /// Has it ended without anybody knowing whether it is in the store? The
    /// server was killed then.
    pub(super) fn is_unfinished(&self) -> bool {
        self.look(|state| {
            state.phase == Phase::Over && state.stored.is_none() && state.ended.is_some()
        })
    }

    /// Somebody asks how it goes.
    pub(crate) fn watch(&self) {
        lock(&self.state).watched = Instant::now();
    }

    /// Does an engine think about it that nobody waits for?
    pub(super) fn thinks_for_nobody(&self, patience: Duration) -> bool {
        self.changes.receiver_count() == 0
            && self
                .look(|state| state.phase == Phase::Thinking && state.watched.elapsed() > patience)
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.look(|state| state.phase == Phase::Thinking)
    }

    /// The game is over: it goes to the store. To be called once, and again
    /// after a restart if the first time was interrupted.
    pub(super) async fn finish(self: &Arc<Play>, app: &App) {
        let new = {
            let mut state = lock(&self.state);
            let ended = *state.ended.get_or_insert_with(|| {
                let at = unix_time();
                let number = GameId::own(Occasion::Play, at).number();
                Ended { at, number }
            });
            let new = self.archived(&state, ended);
            self.changed(app, &mut state);
            new
        };
        self.release_engine();
        let Some(new) = new else {
            return;
        };
        let asked = new.game.id;
        let pool = app.pool.clone();
        let stored = blocking(move || Ok(pool.insert(&[new])?)).await;
        let mut state = lock(&self.state);
        match stored {
            // If it was there already, a server that was killed had put it there.
            Ok(added) => {
                let added = added.first().copied().flatten();
                state.stored = Some(added.map_or(asked, |game| game.id));
            }
            Err(error) => {
                let why = app.discreet(error.message);
                state.error = Some(format!("the game was not kept: {why}"));
            }
        }
        self.changed(app, &mut state);
    }

    /// The game as the store wants it; none if the player has not said so, it
    /// did not begin with setups, or nobody moved.
    fn archived(&self, state: &PlayState, ended: Ended) -> Option<NewGame> {
        if !self.terms.remember {
            return None;
        }
        let moves = Moves::of_game(state.game()).filter(|moves| !moves.turns.is_empty())?;
        let person = Player::human(self.terms.name.as_str());
        let engine = Player::bot(self.terms.engine.as_str());
        let finished = FinishedGame {
            game: state.game(),
            outcome: state.timed.outcome(),
            players: match self.terms.side() {
                Side::Gold => BySide::new(person, engine),
                Side::Silver => BySide::new(engine, person),
            },
            occasion: Occasion::Play,
            time_control: self.terms.control.clone().unwrap_or("0/0".to_owned()),
            start: self.created,
            end: ended.at,
            times: &[],
        };
        Some(NewGame {
            game: finished.archived(GameId::of(GameSource::Play, ended.number)?),
            moves,
            takebacks: 0,
            fault: None,
        })
    }

    /// The first decision may be the engine's.
    pub(crate) fn begin(self: Arc<Play>, app: &App) {
        self.keep(app.plays.folder());
        self.let_engine_move(app);
    }

    /// If it is the engine's turn, it thinks and moves; this returns at once.
    pub(super) fn let_engine_move(self: Arc<Play>, app: &App) {
        let (number, stop) = {
            let mut state = lock(&self.state);
            if state.phase != Phase::Thinking {
                return;
            }
            state.forget_answer();
            (state.number, state.stop.clone())
        };
        let app = app.clone();
        tokio::spawn(async move {
            let Ok(_turn) = app.players.acquire().await else {
                return;
            };
            let (game, limits) = {
                let mut state = lock(&self.state);
                if state.number != number {
                    return;
                }
                // Its time counts from now: it had to wait for others.
                state.since = Instant::now();
                (state.game().clone(), self.limits(&state).with_stop(stop))
            };
            let (play, about) = (self.clone(), app.clone());
            let decided = blocking(move || play.ask_engine(&about, &game, &limits)).await;
            // The server ends: the game goes on when it is back.
            if app.stop.asked() {
                return;
            }
            self.take_answer(&app, number, decided).await;
        });
    }

    fn limits(&self, state: &PlayState) -> Limits {
        let usual = Duration::from_secs_f64(self.terms.seconds);
        Limits::of_game(&state.timed, usual).unwrap_or_else(|| Limits::time(usual))
    }

    /// Asks the engine, made when it is first needed.
    fn ask_engine(&self, app: &App, game: &Game, limits: &Limits) -> Result<Decision, ApiError> {
        let broken = |error: EngineError| ApiError::internal(error.to_string());
        let mut place = lock(&self.engine);
        let mut engine = if let Some(engine) = place.take() {
            engine
        } else {
            let spec = engines::spec(app, &self.terms.engine, Purpose::Play)?;
            let mut engine = spec.build().map_err(broken)?;
            engine.new_game(self.terms.seed);
            engine
        };
        let decision = engine.decide(game, limits, &mut |thought| {
            let _ = self.thoughts.send(ThoughtView::from(thought));
        });
        // Only if it did not panic.
        *place = Some(engine);
        decision.map_err(broken)
    }

    async fn take_answer(
        self: &Arc<Play>,
        app: &App,
        number: u64,
        decided: Result<Decision, ApiError>,
    ) {
        let over = {
            let mut state = lock(&self.state);
            if state.number != number || state.phase != Phase::Thinking {
                return;
            }
            let used = state.since.elapsed();
            let judged = decided.and_then(|decision| {
                let ruling = state.timed.make(&decision.choice, used);
                let ruling = ruling.map_err(|error| ApiError::bad_turn(error.to_string()))?;
                Ok((decision, ruling))
            });
            let over = match judged {
                Err(error) => {
                    state.phase = Phase::Failed;
                    state.error = Some(app.discreet(error.message));
                    false
                }
                Ok((decision, ruling)) => {
                    // What was too late was not done, and needs no reasons.
                    if ruling.counts() {
                        state.thought = decision.thought.as_ref().map(ThoughtView::from);
                        let index = state.moves().saturating_sub(1);
                        state.explained.push(Explained {
                            index,
                            reasons: decision.reasons,
                        });
                    }
                    state.hand_over(Phase::Yours)
                }
            };
            self.changed(app, &mut state);
            over
        };
        if over {
            self.finish(app).await;
        }
    }
}
