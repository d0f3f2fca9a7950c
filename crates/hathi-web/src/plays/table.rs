//! One game between a person and an engine.

use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hathi_archive::{ArchivedGame, GameId, Player, PlayerKind};
use hathi_engine::{Choice, Decision, Engine, EngineError, Limits, Stop};
use hathi_rules::{
    BySide, Clock, Game, Outcome, PieceLead, Setup, Side, Termination, Turn, TurnKind, Verdict,
};
use hathi_store::{Moves, NewGame};
use tokio::sync::{broadcast, watch};

use super::kept::{self, Charge, Terms, position_of, side_of};
use crate::api::think::ThoughtView;
use crate::engines;
use crate::error::ApiError;
use crate::pool::{blocking, lock};
use crate::state::App;

/// Megabytes of an engine's table, unless its options say so: there may be
/// many games.
const HASH: usize = 16;

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
pub(crate) struct Table {
    pub(crate) id: String,
    /// Whose browser it belongs to.
    pub(crate) client: String,
    pub(crate) from: Option<IpAddr>,
    /// Seconds since 1970.
    pub(crate) created: i64,
    pub(crate) terms: Terms,
    seat: Mutex<Seat>,
    engine: Mutex<Option<Box<dyn Engine>>>,
    changes: watch::Sender<u64>,
    thoughts: broadcast::Sender<ThoughtView>,
}

/// What changes in the course of a game.
pub(crate) struct Seat {
    pub(crate) game: Game,
    pub(crate) phase: Phase,
    pub(crate) clock: Option<Clock>,
    pub(crate) charges: Vec<Charge>,
    /// When the side to move began to think.
    pub(crate) since: Instant,
    pub(crate) outcome: Option<Outcome>,
    /// Why the engine did what it did last.
    pub(crate) reasons: Vec<String>,
    pub(crate) thought: Option<ThoughtView>,
    pub(crate) error: Option<String>,
    /// Its number in the store.
    pub(crate) stored: Option<u64>,
    /// An answer of the engine to an older number is too late.
    number: u64,
    stop: Stop,
    touched: Instant,
}

impl Seat {
    pub(super) fn new(game: Game, clock: Option<Clock>, phase: Phase) -> Seat {
        Seat {
            game,
            phase,
            clock,
            charges: Vec::new(),
            since: Instant::now(),
            outcome: None,
            reasons: Vec::new(),
            thought: None,
            error: None,
            stored: None,
            number: 0,
            stop: Stop::default(),
            touched: Instant::now(),
        }
    }

    /// Whose decision is next.
    pub(crate) fn to_move(&self) -> Side {
        side_of(&self.game)
    }

    pub(crate) fn position(&self) -> hathi_rules::Position {
        position_of(&self.game)
    }

    fn kind(&self) -> TurnKind {
        match self.game.must_set_up() {
            Some(_) => TurnKind::Setup,
            None => TurnKind::Play,
        }
    }

    /// Seconds a side has left now: the time of its turn and its reserve.
    pub(crate) fn left(&self, side: Side) -> Option<f64> {
        let clock = self.clock.as_ref()?;
        let available = clock.time_available(side, self.kind())?;
        let running = self.outcome.is_none() && self.to_move() == side;
        let used = if running {
            self.since.elapsed()
        } else {
            Duration::ZERO
        };
        Some(available.saturating_sub(used).as_secs_f64())
    }

    /// Takes time off the clock; an outcome if that ends the game.
    fn charge(&mut self, side: Side, used: Duration) -> Option<Outcome> {
        let kind = self.kind();
        let clock = self.clock.as_mut()?;
        self.charges.push(Charge {
            side: side.to_char(),
            seconds: used.as_secs_f64(),
            setup: kind == TurnKind::Setup,
        });
        match clock.charge(side, used, kind) {
            Verdict::InTime { .. } => None,
            Verdict::OutOfTime { .. } => Some(Outcome::win(side.opponent(), Termination::Time)),
            Verdict::GameLimit(_) => {
                let mut lead = PieceLead::default();
                for position in self.game.positions() {
                    let count = position.board().count();
                    lead.record(count.gold, count.silver);
                }
                Some(Outcome::win(lead.winner(), Termination::Score))
            }
        }
    }

    /// The answer under way is not wanted any more.
    /// Ends the game if there is an outcome, and says so. Whoever is told that
    /// it has ended, and nobody else, has to call [`Table::finish`].
    fn settle(&mut self, outcome: Option<Outcome>) -> bool {
        self.outcome = outcome;
        if outcome.is_some() {
            self.phase = Phase::Over;
        }
        outcome.is_some()
    }

    fn forget_answer(&mut self) {
        self.number += 1;
        self.stop.now();
        self.stop = Stop::default();
    }
}

impl Table {
    pub(super) fn new(
        id: String,
        client: String,
        from: Option<IpAddr>,
        terms: Terms,
    ) -> Result<Table, ApiError> {
        let game = terms.game()?;
        let clock = terms.clock()?;
        if let Some(outcome) = game.outcome() {
            return Err(ApiError::bad_position(format!(
                "the game is over in this position: {outcome}"
            )));
        }
        let phase = if side_of(&game) == terms.side() {
            Phase::Yours
        } else {
            Phase::Thinking
        };
        let mut table = Table::restored(id, client, now(), terms, Seat::new(game, clock, phase));
        table.from = from;
        Ok(table)
    }

    pub(super) fn restored(
        id: String,
        client: String,
        created: i64,
        terms: Terms,
        seat: Seat,
    ) -> Table {
        Table {
            id,
            client,
            from: None,
            created,
            terms,
            seat: Mutex::new(seat),
            engine: Mutex::new(None),
            changes: watch::channel(0).0,
            thoughts: broadcast::channel(32).0,
        }
    }

    /// Looks at the game.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Seat) -> T) -> T {
        look(&lock(&self.seat))
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
        self.look(|seat| seat.phase != Phase::Over)
    }

    pub(super) fn is_idle(&self, time: Duration) -> bool {
        self.look(|seat| seat.phase != Phase::Thinking && seat.touched.elapsed() > time)
    }

    pub(super) fn release_engine(&self) {
        if let Ok(mut engine) = self.engine.try_lock() {
            *engine = None;
        }
    }

    pub(super) fn stop(&self) {
        lock(&self.seat).stop.now();
    }

    pub(super) fn keep(&self, folder: &Path) {
        kept::save(folder, self, &lock(&self.seat));
    }

    fn changed(&self, app: &App, seat: &mut Seat) {
        seat.touched = Instant::now();
        kept::save(app.plays.folder(), self, seat);
        self.changes.send_modify(|number| *number += 1);
    }

    /// The person sets up.
    pub(crate) async fn set_up(self: &Arc<Table>, app: &App, setup: Setup) -> Result<(), ApiError> {
        self.decide(app, Choice::SetUp(setup)).await
    }

    /// The person moves.
    pub(crate) async fn play(self: &Arc<Table>, app: &App, turn: Turn) -> Result<(), ApiError> {
        self.decide(app, Choice::Play(turn)).await
    }

    async fn decide(self: &Arc<Table>, app: &App, choice: Choice) -> Result<(), ApiError> {
        let over = {
            let mut seat = lock(&self.seat);
            match seat.phase {
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
            // First on a copy: what is illegal must not cost time.
            let mut game = seat.game.clone();
            apply(&mut game, &choice)?;
            let used = seat.since.elapsed().saturating_sub(MARGIN);
            let late = seat.charge(self.terms.side(), used);
            if late.is_none() {
                seat.game = game;
            }
            seat.phase = Phase::Thinking;
            let outcome = late.or_else(|| seat.game.outcome());
            let over = seat.settle(outcome);
            seat.since = Instant::now();
            seat.thought = None;
            self.changed(app, &mut seat);
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
        let mut seat = lock(&self.seat);
        if seat.phase == Phase::Over {
            return Err(ApiError::conflict(
                "the game is over, and the store has it: start another one",
            ));
        }
        let person = self.terms.side();
        let mut game = seat.game.clone();
        loop {
            if !game.take_back() {
                return Err(ApiError::conflict("there is nothing to take back"));
            }
            if side_of(&game) == person {
                break;
            }
        }
        seat.forget_answer();
        seat.game = game;
        seat.phase = Phase::Yours;
        seat.since = Instant::now();
        seat.error = None;
        seat.reasons.clear();
        seat.thought = None;
        self.changed(app, &mut seat);
        Ok(())
    }

    /// The person gives up.
    pub(crate) async fn resign(self: &Arc<Table>, app: &App) -> Result<(), ApiError> {
        {
            let mut seat = lock(&self.seat);
            if seat.phase == Phase::Over {
                return Err(ApiError::conflict("the game is over"));
            }
            seat.forget_answer();
            let winner = self.terms.side().opponent();
            seat.settle(Some(Outcome::win(winner, Termination::Resignation)));
        }
        self.finish(app).await;
        Ok(())
    }

    /// Has the side to move run out of time?
    pub(super) async fn look_at_clock(self: Arc<Table>, app: &App) {
        {
            let mut seat = lock(&self.seat);
            if seat.phase != Phase::Yours {
                return;
            }
            let side = self.terms.side();
            let Some(left) = seat.left(side) else {
                return;
            };
            if left > 0.0 || seat.since.elapsed() < MARGIN {
                return;
            }
            seat.settle(Some(Outcome::win(side.opponent(), Termination::Time)));
        }
        self.finish(app).await;
    }

    /// The game is over: it goes to the store. To be called once.
    async fn finish(self: &Arc<Table>, app: &App) {
        let new = {
            let mut seat = lock(&self.seat);
            let new = self.archived(&seat);
            self.changed(app, &mut seat);
            new
        };
        self.release_engine();
        let Some(new) = new else {
            return;
        };
        let id = new.game.id.get();
        let pool = app.pool.clone();
        let stored = blocking(move || Ok(pool.insert(&[new])?)).await;
        let mut seat = lock(&self.seat);
        match stored {
            Ok(_) => seat.stored = Some(id),
            Err(error) => seat.error = Some(format!("the game was not kept: {}", error.message)),
        }
        self.changed(app, &mut seat);
    }

    /// The game as the store wants it; none if it did not begin with setups,
    /// or nobody moved.
    fn archived(&self, seat: &Seat) -> Option<NewGame> {
        let moves = Moves::of_game(&seat.game).filter(|moves| !moves.turns.is_empty())?;
        let person = Player {
            name: self.terms.name.clone(),
            kind: PlayerKind::Human,
            ..Player::default()
        };
        let engine = Player {
            name: self.terms.engine.clone(),
            kind: PlayerKind::Bot,
            ..Player::default()
        };
        let players = match self.terms.side() {
            Side::Gold => BySide::new(person, engine),
            Side::Silver => BySide::new(engine, person),
        };
        let end = now();
        // A number of its own: no archive has such ones.
        let id = end.unsigned_abs() * 100_000 + fastrand::u64(..100_000);
        let about = ArchivedGame {
            id: GameId::new(id).unwrap_or_default(),
            players,
            event: "Hathi play".to_owned(),
            site: "local".to_owned(),
            time_control: self.terms.control.clone().unwrap_or("0/0".to_owned()),
            start: Some(self.created),
            end: Some(end),
            mode: "IGS".to_owned(),
            ..ArchivedGame::default()
        };
        Some(NewGame {
            game: about.with_game(&seat.game, seat.outcome),
            moves,
            takebacks: 0,
            fault: None,
        })
    }

    /// The first decision may be the engine's.
    pub(crate) fn begin(self: Arc<Table>, app: &App) {
        self.keep(app.plays.folder());
        self.let_engine_move(app);
    }

    /// If it is the engine's turn, it thinks and moves; this returns at once.
    pub(super) fn let_engine_move(self: Arc<Table>, app: &App) {
        let (number, stop) = {
            let mut seat = lock(&self.seat);
            if seat.phase != Phase::Thinking {
                return;
            }
            seat.forget_answer();
            (seat.number, seat.stop.clone())
        };
        let app = app.clone();
        tokio::spawn(async move {
            let Ok(_turn) = app.players.acquire().await else {
                return;
            };
            let (game, limits) = {
                let mut seat = lock(&self.seat);
                if seat.number != number {
                    return;
                }
                // Its time counts from now: it had to wait for others.
                seat.since = Instant::now();
                (seat.game.clone(), self.limits(&seat).with_stop(stop))
            };
            let (table, about) = (self.clone(), app.clone());
            let decided = blocking(move || table.ask_engine(&about, &game, &limits)).await;
            // The server ends: the game goes on when it is back.
            if app.stop.asked() {
                return;
            }
            self.take_answer(&app, number, decided).await;
        });
    }

    fn limits(&self, seat: &Seat) -> Limits {
        let usual = Duration::from_secs_f64(self.terms.seconds);
        match &seat.clock {
            None => Limits::time(usual),
            Some(clock) => Limits::clock(clock, seat.to_move(), seat.kind(), usual),
        }
    }

    /// Asks the engine, made when it is first needed.
    fn ask_engine(&self, app: &App, game: &Game, limits: &Limits) -> Result<Decision, ApiError> {
        let broken = |error: EngineError| ApiError::internal(error.to_string());
        let mut place = lock(&self.engine);
        let mut engine = if let Some(engine) = place.take() {
            engine
        } else {
            let mut spec = engines::spec(app, &self.terms.engine)?;
            if !self.terms.engine.contains("hash=") {
                spec.options.hash = HASH;
            }
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
        self: &Arc<Table>,
        app: &App,
        number: u64,
        decided: Result<Decision, ApiError>,
    ) {
        let over = {
            let mut seat = lock(&self.seat);
            if seat.number != number || seat.phase != Phase::Thinking {
                return;
            }
            let side = seat.to_move();
            let used = seat.since.elapsed();
            let mut over = false;
            match decided {
                Err(error) => {
                    seat.phase = Phase::Failed;
                    seat.error = Some(error.message);
                }
                Ok(decision) => {
                    let late = seat.charge(side, used);
                    let applied = apply(&mut seat.game, &decision.choice);
                    seat.thought = decision.thought.as_ref().map(ThoughtView::from);
                    seat.reasons = decision.reasons;
                    seat.since = Instant::now();
                    seat.phase = Phase::Yours;
                    match applied {
                        Ok(()) => {
                            let outcome = late.or_else(|| seat.game.outcome());
                            over = seat.settle(outcome);
                        }
                        Err(error) => {
                            seat.phase = Phase::Failed;
                            seat.error = Some(error.message);
                        }
                    }
                }
            }
            self.changed(app, &mut seat);
            over
        };
        if over {
            self.finish(app).await;
        }
    }
}

fn apply(game: &mut Game, choice: &Choice) -> Result<(), ApiError> {
    match choice {
        Choice::SetUp(setup) => game
            .set_up(setup)
            .map_err(|error| ApiError::bad_turn(error.to_string())),
        Choice::Play(turn) => game
            .play(turn)
            .map(|_| ())
            .map_err(|error| ApiError::bad_turn(error.to_string())),
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs().cast_signed())
}
