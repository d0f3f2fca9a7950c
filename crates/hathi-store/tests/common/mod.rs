//! Stores in temporary folders, and games to put into them.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::path::{Path, PathBuf};

use hathi_archive::{ArchivedGame, GameId, Player, PlayerKind};
use hathi_rules::{BySide, Game, RuleSet, Setup, Side, TurnGenerator};
use hathi_store::{GameRow, Moves, NewGame, PostgresStore, ServerUrl, Store, Upkeep};

/// A store that is gone with the test.
pub struct TempStore {
    pub store: Store,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl TempStore {
    pub fn new() -> TempStore {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        TempStore {
            store: Store::open(&path).expect("a new store"),
            path,
            _folder: folder,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn index_path(&self) -> PathBuf {
        let mut path = self.path.as_os_str().to_owned();
        path.push(".index");
        PathBuf::from(path)
    }

    /// Adds games and gives back their rows.
    pub fn insert(&mut self, games: &[NewGame]) -> Vec<GameRow> {
        let rows = self.store.insert(games).expect("inserted");
        rows.into_iter()
            .map(|added| added.expect("new").row)
            .collect()
    }
}

/// The database for tests: `HATHI_POSTGRES`, which `./test` sets. Without it
/// tests that need a server say so and end, but never in CI.
pub fn postgres_url() -> Option<String> {
    let url = std::env::var("HATHI_POSTGRES")
        .ok()
        .filter(|url| !url.is_empty());
    if url.is_none() {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
            "HATHI_POSTGRES is not set: CI needs a PostgreSQL server"
        );
        eprintln!("skipped: HATHI_POSTGRES names no PostgreSQL database (./test starts one)");
    }
    url
}

/// A schema of its own in that database, gone with the test.
pub struct TempSchema {
    admin: postgres::Client,
    name: String,
    /// Leads to the schema.
    pub text: String,
}

/// Schemas made so far.
static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

impl TempSchema {
    pub fn new() -> Option<TempSchema> {
        let base = postgres_url()?;
        let mut admin = postgres::Client::connect(&base, postgres::NoTls).expect("the server");
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("t{}_{number}", std::process::id());
        admin
            .batch_execute(&format!("CREATE SCHEMA {name}"))
            .expect("a schema");
        let mark = if base.contains('?') { '&' } else { '?' };
        let text = format!("{base}{mark}options=-csearch_path%3D{name}");
        Some(TempSchema { admin, name, text })
    }

    pub fn url(&self) -> ServerUrl {
        self.text.parse().expect("a URL")
    }

    pub fn store(&self) -> PostgresStore {
        PostgresStore::open(&self.url()).expect("a new store")
    }

    /// Something done by somebody else.
    pub fn execute(&mut self, sql: &str) {
        let sql = format!("SET search_path TO {}; {sql}", self.name);
        self.admin.batch_execute(&sql).expect("done");
    }

    /// A number that somebody else asks for.
    pub fn number(&mut self, sql: &str) -> i64 {
        self.execute("");
        self.admin.query_one(sql, &[]).expect("asked").get(0)
    }
}

impl Drop for TempSchema {
    fn drop(&mut self) {
        let _ = self
            .admin
            .batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// A database that looks like a coordinator of Citus, gone with the test.
pub struct TempCluster {
    admin: postgres::Client,
    name: String,
    config: postgres::Config,
    /// Leads to the database.
    pub text: String,
}

impl TempCluster {
    pub fn new() -> Option<TempCluster> {
        let base = postgres_url()?;
        let mut admin = postgres::Client::connect(&base, postgres::NoTls).expect("the server");
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("cluster{}_{number}", std::process::id());
        admin
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
            .expect("a database");
        let mut config: postgres::Config = base.parse().expect("a URL");
        config.dbname(&name);
        let (start, query) = base.split_once('?').unwrap_or((&base, ""));
        let start = start.rsplit_once('/').expect("a database").0;
        let text = format!("{start}/{name}?{query}");
        let mut cluster = TempCluster {
            admin,
            name,
            config,
            text,
        };
        cluster.execute(include_str!("citus.sql"));
        Some(cluster)
    }

    pub fn store(&self) -> PostgresStore {
        let url: ServerUrl = self.text.parse().expect("a URL");
        PostgresStore::open(&url).expect("a new store")
    }

    /// Something done by somebody else.
    pub fn execute(&mut self, sql: &str) {
        let mut client = self.config.connect(postgres::NoTls).expect("the database");
        client.batch_execute(sql).expect("done");
    }
}

impl Drop for TempCluster {
    fn drop(&mut self) {
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let _ = self.admin.batch_execute(&drop);
    }
}

/// A small generator of pseudo-random numbers: the same games every time.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }
}

const GOLD: [&str; 3] = [
    "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Rh2",
    "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
    "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2",
];
const SILVER: [&str; 2] = [
    "ra8 rb8 rc8 cd8 ce8 rf8 rg8 rh8 ra7 hb7 dc7 ed7 me7 df7 hg7 rh7",
    "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7",
];

/// Short games of few kinds of moves, so that positions come up again: each
/// turn is one of the first few that the generator finds.
pub fn playout_games(count: usize, seed: u64) -> Vec<NewGame> {
    let mut dice = Dice::new(seed);
    let mut generator = TurnGenerator::new();
    (0..count)
        .map(|number| {
            let setup = |texts: &[&str], pick: usize| -> Setup {
                texts[pick % texts.len()].parse().expect("a setup")
            };
            let mut game = Game::new(RuleSet::Modern);
            game.set_up(&setup(&GOLD, dice.roll(3))).expect("Gold");
            game.set_up(&setup(&SILVER, dice.roll(2))).expect("Silver");
            for _ in 0..6 + dice.roll(20) {
                let position = game.position();
                let mut choices = generator.generate(&position);
                let pick = dice.roll(choices.len().min(12));
                let turn = choices.nth(pick).expect("a turn").turn();
                if game.play(&turn).is_ok() && game.outcome().is_some() {
                    break;
                }
            }
            let player = |dice: &mut Dice, name: &str| Player {
                name: format!("{name}{}", dice.roll(4)),
                rating: Some(1500 + 100 * dice.roll(8) as i32),
                kind: PlayerKind::Human,
                ..Player::default()
            };
            NewGame {
                game: ArchivedGame {
                    id: GameId::new(1000 + number as u64).expect("an id"),
                    players: BySide::new(player(&mut dice, "ann"), player(&mut dice, "bob")),
                    event: "Test".to_owned(),
                    time_control: "2/2/100".to_owned(),
                    start: Some(1_700_000_000 + number as i64),
                    result: [Some(Side::Gold), Some(Side::Silver), None][dice.roll(3)],
                    ..ArchivedGame::default()
                },
                moves: Moves::of_game(&game).expect("set up"),
                takebacks: 0,
                fault: None,
            }
        })
        .collect()
}
