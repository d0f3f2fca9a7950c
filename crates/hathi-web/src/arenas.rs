//! Tournaments between engines: one runs at a time, all are kept in folders
//! of their own and can be gone on with.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use hathi_archive::{GameId, Occasion, unix_time};
use hathi_arena::{
    Event, Format, MoveReport, Openings, PlayerKind, PlayerSpec, Thinking, Tournament,
};
use hathi_engine::{Stop, winning_chance};
use hathi_rules::{Game, Label, Side, TimeControl};
use hathi_store::{Moves, NewGame};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{broadcast, watch};
use utoipa::ToSchema;

use crate::client::Client;
use crate::engines::{self, Purpose};
use crate::error::ApiError;
use crate::pool::lock;
use crate::state::App;

/// Players of a tournament at most.
const MOST_PLAYERS: usize = 12;

/// Characters of a player as it is written, and of its name.
const LONGEST_PLAYER: usize = 300;
const LONGEST_NAME: usize = 60;

/// Our own file in a tournament's folder.
const FILE: &str = "web.json";

/// What to play.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Settings {
    /// Engines of Hathi's own: NAME, NAME:OPTION=VALUE,... or OTHER=NAME:...
    #[schema(min_items = 2, max_items = 12, example = json!(["greedy", "random"]))]
    pub(crate) players: Vec<String>,
    /// Games of everybody who meets; an even number.
    #[serde(default = "ten")]
    #[schema(minimum = 2, maximum = 1000, example = 2)]
    pub(crate) games: u64,
    /// For every turn.
    #[schema(minimum = 0.001, maximum = 60.0, example = 0.01)]
    pub(crate) seconds: Option<f64>,
    /// Positions to look at for a turn.
    pub(crate) nodes: Option<u64>,
    /// Steps to look ahead.
    pub(crate) depth: Option<u32>,
    /// A time control instead.
    pub(crate) control: Option<String>,
    /// Only the first meets the others.
    #[serde(default)]
    pub(crate) gauntlet: bool,
    /// Pieces are counted after so many moves.
    #[serde(default = "hundred")]
    #[schema(minimum = 1, maximum = 500, example = 20)]
    pub(crate) max_moves: u32,
    /// Random turns after the setups.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 20)]
    pub(crate) random_turns: usize,
    /// Games at the same time.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 4)]
    pub(crate) concurrency: usize,
    /// The dice.
    #[serde(default = "seed")]
    pub(crate) seed: u64,
    /// Add the games to the store.
    #[serde(default)]
    pub(crate) learn: bool,
}

const fn ten() -> u64 {
    10
}

const fn hundred() -> u32 {
    100
}

const fn one() -> usize {
    1
}

const fn seed() -> u64 {
    1
}

impl Settings {
    /// The same, as it is kept: players and clock as we write them, whatever
    /// could be read.
    fn canonical(mut self, app: &App) -> Result<Settings, ApiError> {
        for text in &mut self.players {
            let bad = |error: &dyn std::fmt::Display| ApiError::bad_request(error.to_string());
            if text.len() > LONGEST_PLAYER {
                return Err(bad(&format!(
                    "a player is written with at most {LONGEST_PLAYER} characters"
                )));
            }
            let player: PlayerSpec = text.parse().map_err(|error| bad(&error))?;
            if let PlayerKind::BuiltIn(spec) = &player.kind {
                let engine = engines::read(app, &spec.to_string(), Purpose::Long)?;
                let named = text
                    .split_once('=')
                    .is_some_and(|(name, _)| !name.contains(':'));
                *text = if named {
                    let name: String = player.name.chars().take(LONGEST_NAME).collect();
                    format!("{}={engine}", name.trim())
                } else {
                    engine.to_string()
                };
            }
        }
        if let Some(control) = &mut self.control {
            *control = crate::read::control(control)?.to_string();
        }
        Ok(self)
    }

    /// What the arena plays, if it is allowed here.
    fn tournament(&self, app: &App) -> Result<Tournament, ApiError> {
        let bad = |message: String| ApiError::bad_request(message);
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return Err(bad(format!("a tournament has 2 to {MOST_PLAYERS} players")));
        }
        let mut players = Vec::new();
        for text in &self.players {
            let mut player: PlayerSpec = text.parse().map_err(|error| bad(format!("{error}")))?;
            match &mut player.kind {
                // Anybody could run anything on this machine.
                PlayerKind::Program(_) => {
                    return Err(bad(
                        "only Hathi's own engines play here; `hathi arena` runs others".to_owned(),
                    ));
                }
                PlayerKind::BuiltIn(spec) => {
                    *spec = engines::spec(app, &spec.to_string(), Purpose::Long)?;
                }
            }
            player.name = player.name.chars().take(LONGEST_NAME).collect();
            players.push(player);
        }
        let most = app.config.limits.arena_games;
        if self.games < 2 || self.games > most || !self.games.is_multiple_of(2) {
            return Err(bad(format!("`games` is an even number from 2 to {most}")));
        }
        if !(1..=500).contains(&self.max_moves) {
            return Err(bad("`max_moves` is 1 to 500".to_owned()));
        }
        if self.random_turns > 20 {
            return Err(bad("`random_turns` is at most 20".to_owned()));
        }
        let cores = app.config.limits.engines.working;
        if !(1..=cores).contains(&self.concurrency) {
            return Err(bad(format!("`concurrency` is 1 to {cores} here")));
        }
        let control = self.control.as_ref().map(|text| {
            text.parse::<TimeControl>()
                .map_err(|error| bad(format!("`control`: {error}")))
        });
        let control = control.transpose()?;
        let seconds = self.seconds.map(|time| engines::seconds(app, time));
        let mut time = seconds.transpose()?;
        if time.is_some() && control.is_some() {
            return Err(bad("give either `seconds` or `control`".to_owned()));
        }
        if time.is_none() && control.is_none() {
            // Nodes and depth alone could take for ever.
            time = Some(if self.nodes.is_some() || self.depth.is_some() {
                Duration::from_secs(u64::from(app.config.limits.think_seconds))
            } else {
                Duration::from_millis(100)
            });
        }
        let mut names = std::collections::HashSet::new();
        if let Some(twice) = players.iter().find(|player| !names.insert(&player.name)) {
            return Err(bad(format!(
                "two players are called {0:?}: give one another name, as in other={0}",
                twice.name
            )));
        }
        Ok(Tournament {
            format: if self.gauntlet {
                Format::Gauntlet
            } else {
                Format::RoundRobin
            },
            games: self.games,
            openings: Openings::Drawn {
                turns: self.random_turns,
            },
            thinking: Thinking {
                time,
                control,
                nodes: self.nodes,
                depth: self.depth,
                // The machine answers requests meanwhile.
                margin: Duration::from_secs(1),
            },
            max_moves: self.max_moves,
            concurrency: self.concurrency,
            seed: self.seed,
            memory: app.pool.place().to_string(),
            ..Tournament::new(players)
        })
    }
}

/// Where a tournament stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Running,
    Paused,
    Stopped,
    Finished,
    Failed,
}

/// A game that is being played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BoardView {
    number: u64,
    gold: String,
    silver: String,
    /// The move that is next.
    label: String,
    position: Option<String>,
    /// The last turn.
    turn: Option<String>,
    /// The turns so far; when one is told, only that.
    moves: Vec<LiveMove>,
}

/// A turn of a game that is being played, and what its player thought.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiveMove {
    label: String,
    turn: String,
    /// After it; none before both setups.
    position: Option<String>,
    /// What the one who played it thinks of the game, for Gold, in hundredths of a rabbit.
    gold_score: Option<i32>,
    /// The same as Gold's chance to win.
    gold_chance: Option<f64>,
    /// How long it took.
    seconds: f64,
}

/// A tournament.
pub(crate) struct Arena {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
    kept: Mutex<Kept>,
    boards: Mutex<BTreeMap<u64, BoardView>>,
    events: broadcast::Sender<(&'static str, Arc<Value>)>,
    /// Counts changes of the whole, which everybody sees differently.
    changes: watch::Sender<u64>,
    stop: Mutex<Stop>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What is on disk beside the games.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    settings: Settings,
    state: State,
    /// The client who started it; tournaments of older versions have none.
    #[serde(default)]
    owner: Option<String>,
    /// From this address.
    #[serde(default)]
    from: Option<IpAddr>,
    started: i64,
    standings: Option<Value>,
    error: Option<String>,
}

/// A tournament as clients see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArenaView {
    pub(crate) id: String,
    pub(crate) state: State,
    settings: Settings,
    /// The day.
    started: Option<String>,
    /// The table so far; none before the first game is over.
    #[schema(value_type = Option<Object>)]
    standings: Option<Value>,
    /// The games being played.
    boards: Vec<BoardView>,
    error: Option<String>,
    /// May you stop and delete it?
    yours: bool,
}

impl Arena {
    fn new(id: String, folder: PathBuf, kept: Kept) -> Arena {
        Arena {
            id,
            folder,
            kept: Mutex::new(kept),
            boards: Mutex::default(),
            events: broadcast::channel(256).0,
            changes: watch::channel(0).0,
            stop: Mutex::default(),
            thread: Mutex::new(None),
        }
    }

    /// Only who started it may stop it, and who sits at this machine.
    fn is_of(&self, client: &Client) -> bool {
        client.asker.is_local() || lock(&self.kept).owner.as_ref() == Some(&client.id)
    }

    /// As this client sees it.
    pub(crate) fn view(&self, client: &Client, with_boards: bool) -> ArenaView {
        ArenaView {
            yours: self.is_of(client),
            ..self.view_for_all(with_boards)
        }
    }

    /// As everybody who listens sees it.
    fn view_for_all(&self, with_boards: bool) -> ArenaView {
        let kept = lock(&self.kept).clone();
        ArenaView {
            id: self.id.clone(),
            state: kept.state,
            settings: kept.settings,
            started: hathi_store::dates::date(kept.started),
            standings: kept.standings,
            boards: if with_boards {
                lock(&self.boards).values().cloned().collect()
            } else {
                Vec::new()
            },
            error: kept.error,
            yours: false,
        }
    }

    pub(crate) fn state(&self) -> State {
        lock(&self.kept).state
    }

    /// Hears of everything that happens.
    pub(crate) fn events(&self) -> broadcast::Receiver<(&'static str, Arc<Value>)> {
        self.events.subscribe()
    }

    /// Hears that it was started, paused or ended.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn tell(&self, name: &'static str, data: &impl Serialize) {
        if let Ok(data) = serde_json::to_value(data) {
            let _ = self.events.send((name, Arc::new(data)));
        }
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) {
        let kept = {
            let mut kept = lock(&self.kept);
            change(&mut kept);
            kept.clone()
        };
        save(&self.folder, &kept);
        self.changes.send_modify(|number| *number += 1);
    }

    /// Runs it, in a thread of its own.
    fn run(self: &Arc<Arena>, app: &App, tournament: Tournament) {
        let stop = Stop::default();
        *lock(&self.stop) = stop.clone();
        let (arena, app) = (self.clone(), app.clone());
        let thread = std::thread::spawn(move || arena.play(&app, &tournament, &stop));
        *lock(&self.thread) = Some(thread);
    }

    /// Waits until it does not run any more.
    fn join(&self) {
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    fn play(&self, app: &App, tournament: &Tournament, stop: &Stop) {
        let names: Vec<String> = tournament.players.iter().map(|p| p.name.clone()).collect();
        let learn = lock(&self.kept).settings.learn;
        let listener = |event: &Event<'_>| self.hear(app, &names, learn, event);
        let result = tournament.run(Some(&self.folder), stop, &listener);
        lock(&self.boards).clear();
        self.change(|kept| match result {
            Ok(standings) => {
                kept.standings = serde_json::to_value(&standings).ok();
                let complete = standings.games >= standings.planned;
                if complete {
                    kept.state = State::Finished;
                } else if kept.state == State::Running {
                    // The server is ending.
                    kept.state = State::Paused;
                }
            }
            Err(error) => {
                kept.state = State::Failed;
                // Where the server keeps it is nobody's business.
                let folder = self.folder.display().to_string();
                let words = error.to_string().replace(&folder, "the tournament");
                kept.error = Some(app.discreet(words));
            }
        });
        self.tell("done", &Value::Object(serde_json::Map::default()));
    }

    fn hear(&self, app: &App, names: &[String], learn: bool, event: &Event<'_>) {
        match event {
            Event::Started { number, players } => {
                let name = |place: usize| names.get(place).cloned().unwrap_or_default();
                let board = BoardView {
                    number: *number,
                    gold: name(players.gold),
                    silver: name(players.silver),
                    label: Label::at_index(0).to_string(),
                    position: None,
                    turn: None,
                    moves: Vec::new(),
                };
                self.tell("started", &board);
                lock(&self.boards).insert(*number, board);
            }
            Event::Moved { number, report } => {
                let board = {
                    let mut boards = lock(&self.boards);
                    let Some(board) = boards.get_mut(number) else {
                        return;
                    };
                    let played = moved(board, report);
                    let told = BoardView {
                        moves: vec![played.clone()],
                        ..board.without_moves()
                    };
                    board.moves.push(played);
                    told
                };
                self.tell("moved", &board);
            }
            Event::Finished {
                result,
                game,
                archived,
                standings,
            } => {
                lock(&self.boards).remove(&result.number);
                let standings = serde_json::to_value(standings).ok();
                let kept = {
                    let mut kept = lock(&self.kept);
                    kept.standings.clone_from(&standings);
                    kept.clone()
                };
                save(&self.folder, &kept);
                self.tell(
                    "finished",
                    &serde_json::json!({
                        "number": result.number,
                        "winner": result.winner().to_char(),
                        "termination": result.termination().to_char(),
                        "standings": standings,
                    }),
                );
                if learn {
                    remember(app, archived, game);
                }
            }
        }
    }
}

impl BoardView {
    fn without_moves(&self) -> BoardView {
        BoardView {
            number: self.number,
            gold: self.gold.clone(),
            silver: self.silver.clone(),
            label: self.label.clone(),
            position: self.position.clone(),
            turn: self.turn.clone(),
            moves: Vec::new(),
        }
    }
}

fn moved(board: &mut BoardView, report: &MoveReport<'_>) -> LiveMove {
    let label = std::mem::take(&mut board.label);
    board.label = report.game.next_label().to_string();
    board.position = match report.game.must_set_up() {
        Some(_) => None,
        None => Some(report.game.position().to_string()),
    };
    let turn = report.choice.to_string();
    board.turn = Some(turn.clone());
    let gold_score = report.source.score.map(|score| match report.side {
        Side::Gold => score,
        Side::Silver => -score,
    });
    LiveMove {
        label,
        turn,
        position: board.position.clone(),
        gold_score,
        gold_chance: gold_score.map(|score| hathi_view::numbers::rounded(winning_chance(score), 4)),
        seconds: hathi_view::numbers::rounded(report.used.as_secs_f64(), 3),
    }
}

fn remember(app: &App, archived: &hathi_archive::ArchivedGame, game: &Game) {
    let Some(moves) = Moves::of_game(game) else {
        return;
    };
    let mut about = archived.clone();
    // A number of its own: those of tournaments repeat.
    about.id = GameId::own(Occasion::Arena, about.end.unwrap_or(0));
    // The tournament has the game; a store that is busy does not end it.
    let _ = app.pool.insert(&[NewGame {
        game: about,
        moves,
        takebacks: 0,
        fault: None,
    }]);
}

fn save(folder: &Path, kept: &Kept) {
    let draft = folder.join("web.json.tmp");
    if let Ok(json) = serde_json::to_vec(kept)
        && fs::write(&draft, json).is_ok()
    {
        let _ = fs::rename(&draft, folder.join(FILE));
    }
}

/// All tournaments.
pub(crate) struct Arenas {
    folder: PathBuf,
    all: Mutex<HashMap<String, Arc<Arena>>>,
    /// Held while one is started, so that two are not.
    starting: Mutex<()>,
}

impl Arenas {
    pub(crate) fn open(folder: PathBuf) -> Arenas {
        let _ = fs::create_dir_all(&folder);
        let mut all = HashMap::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let kept = fs::read(path.join(FILE))
                .ok()
                .and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
            if let (Some(mut kept), Ok(id)) = (kept, entry.file_name().into_string()) {
                // It was killed rather than ended.
                if kept.state == State::Running {
                    kept.state = State::Paused;
                }
                all.insert(id.clone(), Arc::new(Arena::new(id, path, kept)));
            }
        }
        Arenas {
            folder,
            all: Mutex::new(all),
            starting: Mutex::new(()),
        }
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Arena>, ApiError> {
        let arena = lock(&self.all).get(id).cloned();
        arena.ok_or_else(|| ApiError::not_found("there is no such tournament"))
    }

    /// Newest first.
    pub(crate) fn list(&self) -> Vec<Arc<Arena>> {
        let mut all: Vec<_> = lock(&self.all).values().cloned().collect();
        all.sort_by(|a, b| b.id.cmp(&a.id));
        all
    }

    pub(crate) fn is_running(&self) -> bool {
        let all = lock(&self.all);
        all.values().any(|arena| arena.state() == State::Running)
    }

    fn check_free(&self) -> Result<(), ApiError> {
        if self.is_running() {
            return Err(ApiError::too_many(
                "a tournament is running: pause or stop it first",
            ));
        }
        Ok(())
    }

    /// Tournaments stay until they are deleted, so there are only so many.
    fn check_number(&self, app: &App, client: &Client) -> Result<(), ApiError> {
        let limits = &app.config.limits;
        let all = lock(&self.all);
        let from = Some(client.asker.address());
        let own = all.values().filter(|arena| {
            let kept = lock(&arena.kept);
            kept.owner.as_ref() == Some(&client.id) || kept.from == from
        });
        if own.count() >= limits.arenas_per_client {
            return Err(ApiError::too_many(format!(
                "you have {} tournaments: delete one of them first",
                limits.arenas_per_client
            )));
        }
        if all.len() >= limits.arenas {
            return Err(ApiError::too_many("there are too many tournaments"));
        }
        Ok(())
    }

    /// One that this client may change.
    fn own(&self, client: &Client, id: &str) -> Result<Arc<Arena>, ApiError> {
        let arena = self.get(id)?;
        if arena.is_of(client) {
            Ok(arena)
        } else {
            Err(ApiError::foreign(
                "this tournament was started by somebody else",
            ))
        }
    }

    /// Takes one away for good.
    pub(crate) fn delete(&self, client: &Client, id: &str) -> Result<(), ApiError> {
        let arena = self.own(client, id)?;
        let _one_at_a_time = lock(&self.starting);
        if arena.state() == State::Running {
            return Err(ApiError::conflict(
                "the tournament is running: stop it first",
            ));
        }
        // Its last games may still be ending.
        arena.join();
        fs::remove_dir_all(&arena.folder).map_err(|error| {
            ApiError::internal(format!(
                "the tournament cannot be deleted: {}",
                error.kind()
            ))
        })?;
        lock(&self.all).remove(id);
        Ok(())
    }

    /// Starts a new one.
    pub(crate) fn start(
        &self,
        app: &App,
        client: &Client,
        settings: Settings,
    ) -> Result<Arc<Arena>, ApiError> {
        let settings = settings.canonical(app)?;
        let tournament = settings.tournament(app)?;
        let _one_at_a_time = lock(&self.starting);
        self.check_free()?;
        self.check_number(app, client)?;
        let started = unix_time();
        let (id, folder) = self.new_folder(started)?;
        let kept = Kept {
            settings,
            state: State::Running,
            owner: Some(client.id.clone()),
            from: Some(client.asker.address()),
            started,
            standings: None,
            error: None,
        };
        save(&folder, &kept);
        let arena = Arc::new(Arena::new(id.clone(), folder, kept));
        lock(&self.all).insert(id, arena.clone());
        arena.run(app, tournament);
        Ok(arena)
    }

    /// `a20261116-0001`, the next number of the day.
    fn new_folder(&self, started: i64) -> Result<(String, PathBuf), ApiError> {
        let day = hathi_store::dates::date(started)
            .unwrap_or_default()
            .replace('-', "");
        for number in 1..10_000 {
            let id = format!("a{day}-{number:04}");
            let folder = self.folder.join(&id);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok((id, folder)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(ApiError::internal(format!(
                        "no folder for the tournament can be made: {error}"
                    )));
                }
            }
        }
        Err(ApiError::too_many("too many tournaments today"))
    }

    /// Goes on with one that was paused or stopped.
    pub(crate) fn resume(
        &self,
        app: &App,
        client: &Client,
        id: &str,
    ) -> Result<Arc<Arena>, ApiError> {
        let arena = self.own(client, id)?;
        let _one_at_a_time = lock(&self.starting);
        if arena.state() == State::Running {
            return Ok(arena);
        }
        // Its last run may still be ending.
        arena.join();
        match arena.state() {
            State::Running => return Ok(arena),
            State::Finished => return Err(ApiError::conflict("the tournament is over")),
            State::Paused | State::Stopped | State::Failed => {}
        }
        self.check_free()?;
        let settings = lock(&arena.kept).settings.clone();
        let tournament = settings.tournament(app)?;
        arena.change(|kept| {
            kept.state = State::Running;
            kept.error = None;
        });
        arena.run(app, tournament);
        Ok(arena)
    }

    /// Pauses or stops one; games that are under way are played again later.
    pub(crate) fn halt(
        &self,
        client: &Client,
        id: &str,
        state: State,
    ) -> Result<Arc<Arena>, ApiError> {
        let arena = self.own(client, id)?;
        match arena.state() {
            State::Running | State::Paused | State::Stopped => {}
            State::Finished => return Err(ApiError::conflict("the tournament is over")),
            State::Failed => return Err(ApiError::conflict("the tournament has failed")),
        }
        arena.change(|kept| kept.state = state);
        lock(&arena.stop).now();
        Ok(arena)
    }

    /// The one that runs is stopped.
    pub(crate) fn end(&self) {
        for arena in lock(&self.all).values() {
            lock(&arena.stop).now();
        }
    }

    /// Waits until its games are safe.
    pub(crate) fn join(&self) {
        for arena in self.list() {
            arena.join();
        }
    }
}
