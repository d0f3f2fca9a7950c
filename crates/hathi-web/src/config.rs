//! What a server is started with.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use hathi_store::Place;

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
    /// How much is too much.
    pub limits: Limits,
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
            limits: Limits::default(),
        }
    }
}

/// How much is too much.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at the same time; more are told to come back later.
    pub connections: usize,
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
    /// Questions to the store at the same time; others wait.
    pub questions: usize,
    /// Engines that think for questions at the same time; others wait.
    pub engines: usize,
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
    /// Running games of one client.
    pub plays_per_client: usize,
    /// Running games of all clients.
    pub plays: usize,
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
        Limits {
            connections: 512,
            idle: Duration::from_secs(30),
            write: Duration::from_secs(30),
            request: Duration::from_secs(30),
            stream: Duration::from_secs(3600),
            streams: 64,
            questions: cores.max(2),
            engines: cores.max(2),
            players: 32,
            patience: Duration::from_secs(10),
            body: 64 << 10,
            pasted: 1 << 20,
            plays_per_client: 4,
            plays: 200,
            think_seconds: 60,
            search_results: 500,
            arena_games: 1000,
            cache: 64 << 20,
        }
    }
}
