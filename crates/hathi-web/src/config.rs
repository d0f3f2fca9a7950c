//! What a server is started with.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use hathi_store::Place;

use crate::access::Access;
use crate::experiments::Laboratory;
use crate::queue::Places;

/// Where to listen, what to serve, how much of it.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port; port 0 takes any that is free.
    pub address: SocketAddr,
    /// The games.
    pub place: Place,
    /// Where running games and arenas are kept; it is made if need be.
    pub data: PathBuf,
    /// Where reports of `hathi paper` are looked for.
    pub lab: Vec<PathBuf>,
    /// Names under which the server may be addressed, besides `localhost`
    /// and plain IP addresses.
    pub names: Vec<String>,
    /// Put sample games into a store that is not there yet.
    pub samples: bool,
    /// To whom it is open.
    pub access: Access,
    /// Do requests come through a proxy? Then the last address of its
    /// `X-Forwarded-For` is who asks.
    pub behind_proxy: bool,
    /// Where experiments are done; nowhere if there is none.
    pub laboratory: Option<Arc<dyn Laboratory>>,
    /// AEI engines of this machine that look at positions for who uses it. Nobody
    /// else is served by them, whatever stands here.
    pub analysis_engines: Vec<AnalysisEngine>,
    /// How much is too much.
    pub limits: Limits,
}

/// An AEI engine of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisEngine {
    /// What it is called on the page.
    pub name: String,
    /// How it is started: split into words like a shell does, but no shell is run.
    pub command: String,
}

/// Why a text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected NAME=COMMAND, with a name of 1 to 40 letters, digits, spaces, `.`, `_` or `-`")]
pub struct ParseAnalysisEngineError;

impl FromStr for AnalysisEngine {
    type Err = ParseAnalysisEngineError;

    fn from_str(text: &str) -> Result<AnalysisEngine, ParseAnalysisEngineError> {
        let (name, command) = text.split_once('=').ok_or(ParseAnalysisEngineError)?;
        let (name, command) = (name.trim(), command.trim());
        let fits = |letter: char| letter.is_alphanumeric() || " ._-".contains(letter);
        let named = (1..=40).contains(&name.chars().count()) && name.chars().all(fits);
        if !named || command.is_empty() {
            return Err(ParseAnalysisEngineError);
        }
        Ok(AnalysisEngine {
            name: name.to_owned(),
            command: command.to_owned(),
        })
    }
}

impl Config {
    /// On this machine only, with everything else as it is mostly wanted.
    pub fn local(port: u16, place: Place, data: PathBuf) -> Config {
        Config {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            lab: vec![data.join("lab")],
            place,
            data,
            names: Vec::new(),
            samples: false,
            access: Access::Local,
            behind_proxy: false,
            laboratory: None,
            analysis_engines: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Can nobody ask but who uses this machine?
    pub(crate) fn is_for_this_machine(&self) -> bool {
        !self.access.is_public()
            && !self.behind_proxy
            && self.address.ip().is_loopback()
            && self.names.is_empty()
    }

    /// The engines of this machine, for who uses it; none for others.
    pub(crate) fn analysis_engines(&self) -> &[AnalysisEngine] {
        if self.is_for_this_machine() {
            &self.analysis_engines
        } else {
            &[]
        }
    }
}

/// How much is too much.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at the same time; more are told to come back later.
    pub connections: usize,
    /// Of them from one address.
    pub connections_for_one: usize,
    /// A connection that sends no request for so long is closed.
    pub idle: Duration,
    /// A client that does not read what it asked for is left after this time.
    pub write: Duration,
    /// A request that is not a stream is answered within this time.
    pub request: Duration,
    /// A stream is ended after this time.
    pub stream: Duration,
    /// Streams at the same time.
    pub streams: usize,
    /// Of them for one address. Browsers open six connections to a server.
    pub streams_for_one: usize,
    /// Questions to the store.
    pub questions: Places,
    /// Pictures, pasted games and other work without an engine. A picture may
    /// take some ten megabytes while it is drawn.
    pub errands: Places,
    /// Engines and solvers that think for a question, for seconds at most.
    pub engines: Places,
    /// Engines that think aloud, for up to a minute a turn. Nobody has all of
    /// these places, so that nobody keeps the others from thinking.
    pub thinking: Places,
    /// Positions that are analysed, each for as long as somebody looks on.
    pub analyses: Places,
    /// Games under review. Each has an engine with its table, though it waits
    /// among those who think for every turn.
    pub reviews: Places,
    /// Megabytes of the table of an engine that thinks for a question: all of
    /// them together have half a gigabyte.
    pub hash: usize,
    /// Megabytes of the table of an engine under review, or in a tournament.
    pub hash_for_long: usize,
    /// Megabytes of the table of an engine in a game against somebody: there
    /// may be many.
    pub hash_in_play: usize,
    /// Engines that keep their tables while somebody thinks about a turn; those
    /// who have waited longest lose them first.
    pub kept_engines: usize,
    /// Kilobytes of large answers that are under way to their clients.
    pub sending: usize,
    /// Engines that think in games against people at the same time. More than
    /// there are cores: they have so much time, and rather think less than
    /// keep somebody waiting.
    pub players: usize,
    /// How long a request waits for its turn before it is told to come back.
    pub patience: Duration,
    /// Bytes of a request's body, where nothing else is said.
    pub body: usize,
    /// Bytes of a pasted game.
    pub pasted: usize,
    /// Bytes of a file of games that is imported.
    pub import: u64,
    /// Running games of one client.
    pub plays_per_client: usize,
    /// Running games from one address: who forgets cookies is still who he is.
    pub plays_for_one: usize,
    /// Running games of all clients. When there are more, those nobody has
    /// touched for longest go first.
    pub plays: usize,
    /// A running game that nobody touches for so long is given up.
    pub play_idle: Duration,
    /// A running game that was touched within this time is not given up for
    /// another one.
    pub play_spared: Duration,
    /// Finished games are forgotten after this time.
    pub finished_for: Duration,
    /// Finished games of one client that are kept so long.
    pub finished_per_client: usize,
    /// Finished games of all clients.
    pub finished: usize,
    /// Tournaments of one client, or from one address; they are kept until they
    /// are deleted.
    pub arenas_per_client: usize,
    /// Tournaments of all clients.
    pub arenas: usize,
    /// Seconds an engine may think about a turn.
    pub think_seconds: u32,
    /// Positions a search gives back.
    pub search_results: usize,
    /// Games of an arena.
    pub arena_games: u64,
    /// Bytes of answers kept for the next one who asks.
    pub cache: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let places = cores.max(2);
        Limits {
            connections: 512,
            connections_for_one: 384,
            idle: Duration::from_secs(30),
            write: Duration::from_secs(30),
            request: Duration::from_secs(30),
            stream: Duration::from_secs(3600),
            streams: 64,
            streams_for_one: 24,
            questions: Places::of(places, 128).for_one(places, 96),
            errands: Places::of(places, 96).for_one(places, 64),
            engines: Places::of(places, 64).for_one(places, 32),
            thinking: Places::of(places, 64).for_one(places - 1, 64),
            analyses: Places::of(2 * places, 32).for_one(places, 8),
            reviews: Places::of(4, 64).for_one(3, 64),
            hash: (512 / places).clamp(16, 256),
            hash_for_long: 64,
            hash_in_play: 16,
            kept_engines: 24,
            sending: 128 << 10,
            players: 32,
            patience: Duration::from_secs(10),
            body: 64 << 10,
            pasted: 1 << 20,
            import: 4 << 30,
            plays_per_client: 4,
            plays_for_one: 20,
            plays: 200,
            play_idle: Duration::from_secs(7 * 24 * 3600),
            play_spared: Duration::from_secs(600),
            finished_for: Duration::from_secs(24 * 3600),
            finished_per_client: 50,
            finished: 1000,
            arenas_per_client: 200,
            arenas: 1000,
            think_seconds: 60,
            search_results: 500,
            arena_games: 1000,
            cache: 64 << 20,
        }
    }
}

impl Limits {
    /// For a server that strangers use: one address has a small part of
    /// everything.
    pub fn public() -> Limits {
        let usual = Limits::default();
        let one = |places: Places, waiting: usize| {
            let working = (places.working / 2).max(1);
            places.for_one(working, waiting)
        };
        Limits {
            connections_for_one: 32,
            streams_for_one: 6,
            questions: one(usual.questions, 16),
            errands: one(usual.errands, 16),
            engines: one(usual.engines, 4),
            thinking: usual.thinking.for_one(1, 3),
            reviews: usual.reviews.for_one(1, 2),
            import: 256 << 20,
            plays_for_one: 8,
            finished_per_client: 20,
            arenas_per_client: 10,
            think_seconds: 20,
            arena_games: 200,
            ..usual
        }
    }
}
