//! McKee's database as a control: his table, his index and his questions, on this
//! machine and over the same games as ours, in one run. What his times have to do
//! with his design and what with his machine is told apart so.

mod report;

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use hathi_rules::{Position, Side};
use hathi_store::sql::{HisDatabase, HisQuestion};
use hathi_store::{Filter, Matching, Memory, MoveRow, Place, PositionQuestion, SqlAnswer};
use hathi_view::numbers::{grouped, time_text};
use serde::Serialize;

use super::waited;
use crate::folder::{self, Settings};
use crate::questions::{self, KINDS};
use crate::watcher::Watcher;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct ControlRequest {
    /// Positions that are asked about, with each kind of question.
    pub positions: usize,
    /// A server that gets his table too, for the time being.
    pub server: Option<Place>,
    /// Where the memory is, as messages name it.
    pub store: String,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct ControlSummary {
    store_games: u64,
    store_positions: u64,
    /// Rows of his table: the positions, and two setups a game.
    rows: u64,
    databases: Vec<ControlDatabase>,
    questions: Vec<ControlQuestion>,
    /// Was it done to its end?
    complete: bool,
}

/// His database, kept by somebody.
#[derive(Debug, Serialize)]
struct ControlDatabase {
    name: String,
    /// To fill his table, games replayed and all.
    load_seconds: f64,
    /// To make his index.
    index_seconds: f64,
    bytes: Option<u64>,
}

/// One kind of question.
#[derive(Debug, Serialize)]
struct ControlQuestion {
    name: &'static str,
    /// Seconds he waited with all his games; none if less than one.
    his_seconds: Option<f64>,
    /// Is every row compared, or does his index lead to some of them?
    scan: bool,
    /// How often it was asked.
    asked: usize,
    /// Rows of an answer, the one in the middle.
    rows: f64,
    /// Medians for each of the databases, in seconds.
    sql_seconds: Vec<f64>,
    /// Ours: the best hit alone, and everything that was played.
    best_seconds: f64,
    all_seconds: f64,
    /// Answers that are not the same, of all databases together.
    different: usize,
}

/// Setups are asked for so many times.
const REPEATS: usize = 3;

/// Games whose rows are added at once.
const BATCH: usize = 500;

/// Does it all, in minutes: nothing is kept but the report.
pub fn control(
    request: &ControlRequest,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
) -> anyhow::Result<ControlSummary> {
    let totals = memory.totals()?;
    let out = &request.out;
    let settings: Settings = [
        ("paper", "mckee, control".to_owned()),
        ("store", request.store.clone()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let _lock = folder::open(out, &settings)?;
    let mut summary = ControlSummary {
        store_games: totals.games,
        store_positions: totals.positions,
        rows: 0,
        databases: Vec::new(),
        questions: Vec::new(),
        complete: false,
    };
    let file = out.join("his.db");
    let _ = fs::remove_file(&file);
    let places = [Place::File(file.clone())].into_iter();
    let mut all_his = Vec::new();
    for place in places.chain(request.server.clone()) {
        let mut his = HisDatabase::make(&place)?;
        let Some(rows) = fill(&mut his, memory, watcher, &mut summary)? else {
            break;
        };
        summary.rows = rows;
        if let Some(database) = summary.databases.last_mut() {
            database.bytes = place
                .file()
                .and_then(|path| Some(fs::metadata(path).ok()?.len()));
        }
        let watch = place.file().map_or(Watch::Server, |_| Watch::Ours);
        all_his.push((his, watch));
    }
    if !watcher.asked_to_stop() {
        ask_setups(memory, &mut all_his, &mut summary)?;
        ask_positions(request, memory, &mut all_his, watcher, &mut summary)?;
    }
    summary.complete = !watcher.asked_to_stop();
    // It is large and has served its purpose.
    drop(all_his);
    let _ = fs::remove_file(&file);
    summary.save(out)?;
    Ok(summary)
}

/// Puts all games that count into his table. None if somebody said stop.
fn fill(
    his: &mut HisDatabase,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
    summary: &mut ControlSummary,
) -> anyhow::Result<Option<u64>> {
    let name = his.name()?;
    let filter = Filter::default();
    let bar = watcher.count(&format!("his table, {name}"), memory.count(&filter)?);
    let started = clock();
    let (mut games, mut count) = (0, 0);
    let mut rows: Vec<MoveRow> = Vec::new();
    let mut trouble: anyhow::Result<()> = Ok(());
    memory.visit_filtered(&filter, None, &mut |stored| {
        // A game that cannot be replayed is not in our index either.
        rows.extend(MoveRow::of_game(&stored).unwrap_or_default());
        games += 1;
        bar(games);
        if games % BATCH as u64 == 0 {
            count += rows.len() as u64;
            trouble = his.add(&rows).map_err(anyhow::Error::from);
            rows.clear();
        }
        if trouble.is_err() || watcher.asked_to_stop() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    drop(bar);
    trouble?;
    if watcher.asked_to_stop() {
        return Ok(None);
    }
    his.add(&rows)?;
    count += rows.len() as u64;
    let load_seconds = clock().saturating_sub(started).as_secs_f64();
    let started = clock();
    his.make_index()?;
    summary.databases.push(ControlDatabase {
        name,
        load_seconds,
        index_seconds: clock().saturating_sub(started).as_secs_f64(),
        bytes: None,
    });
    Ok(Some(count))
}

/// How times are measured.
#[derive(Clone, Copy)]
enum Watch {
    /// By the processor, where it can be asked: others on the machine do not matter.
    Ours,
    /// By the clock: somebody else does the work.
    Server,
}

impl Watch {
    fn now(self) -> Duration {
        match self {
            Watch::Ours => processor_time(),
            Watch::Server => clock(),
        }
    }
}

/// Time on the clock since some moment.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What all threads of this process have worked.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    clock()
}

fn timed<T>(
    watch: Watch,
    times: &mut Vec<f64>,
    ask: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let started = watch.now();
    let answer = ask()?;
    times.push(watch.now().saturating_sub(started).as_secs_f64());
    Ok(answer)
}

/// The setups of Gold, and Silver's replies to the commonest.
fn ask_setups(
    memory: &dyn Memory,
    all_his: &mut [(HisDatabase, Watch)],
    summary: &mut ControlSummary,
) -> anyhow::Result<()> {
    let all = Filter::default();
    let setups = memory.setups(Side::Gold, None, false, &all, usize::MAX)?;
    let Some(commonest) = setups.top.first() else {
        return Ok(());
    };
    let replies = HisQuestion::Replies {
        gold: commonest.setup,
        within: None,
    };
    for (name, his_seconds, question, rows) in [
        (
            "Gold's setups",
            Some(super::thesis::SETUP_SECONDS),
            HisQuestion::Setups,
            setups.kinds,
        ),
        (
            waited::SILVER_SETUP.name,
            waited::SILVER_SETUP.seconds[7],
            replies,
            commonest.games,
        ),
    ] {
        let sql = question.to_string();
        let mut ours = Vec::new();
        let mut times = vec![Vec::new(); all_his.len()];
        let mut different = 0;
        for _ in 0..REPEATS {
            timed(Watch::Ours, &mut ours, || {
                let gold = match &question {
                    HisQuestion::Replies { gold, .. } => Some(gold),
                    _ => None,
                };
                let side = if gold.is_some() {
                    Side::Silver
                } else {
                    Side::Gold
                };
                Ok(memory.setups(side, gold, false, &all, usize::MAX)?)
            })?;
            for ((his, watch), times) in all_his.iter_mut().zip(&mut times) {
                let answer = timed(*watch, times, || Ok(his.ask(&sql)?))?;
                different += usize::from(answer.rows.len() as u64 != rows);
            }
        }
        summary.questions.push(ControlQuestion {
            name,
            his_seconds,
            scan: matches!(question, HisQuestion::Setups),
            asked: REPEATS,
            rows: rows as f64,
            sql_seconds: times.iter().map(|times| questions::median(times)).collect(),
            best_seconds: questions::median(&ours),
            all_seconds: questions::median(&ours),
            different,
        });
    }
    Ok(())
}

/// What was played from positions all over the store.
fn ask_positions(
    request: &ControlRequest,
    memory: &dyn Memory,
    all_his: &mut [(HisDatabase, Watch)],
    watcher: &dyn Watcher,
    summary: &mut ControlSummary,
) -> anyhow::Result<()> {
    let positions = questions::sample(memory)?;
    let apart = (positions.len() / request.positions.max(1)).max(1);
    let positions: Vec<Position> = (positions.into_iter().step_by(apart))
        .take(request.positions.max(1))
        .collect();
    for (kind, table) in KINDS.iter().zip(&waited::TABLES[1..]) {
        let bar = watcher.count(
            &format!("asking both: {}", kind.name),
            positions.len() as u64,
        );
        let (mut best, mut all, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut times = vec![Vec::new(); all_his.len()];
        let mut different = 0;
        for (number, &position) in positions.iter().enumerate() {
            if watcher.asked_to_stop() {
                return Ok(());
            }
            let kind = kind.of(number);
            let question = PositionQuestion::new(position, kind).matching(Matching::Literal);
            timed(Watch::Ours, &mut best, || Ok(memory.best(&question)?))?;
            let ours = timed(Watch::Ours, &mut all, || Ok(memory.find(&question)?))?;
            let first = memory.first(&question)?;
            let wanted = first.map(|hit| [i64::from(hit.won), hit.rating.unwrap_or(0).into()]);
            rows.push(ours.hits as f64);
            let sql = HisQuestion::Played { position, kind }.to_string();
            for ((his, watch), times) in all_his.iter_mut().zip(&mut times) {
                let answer = timed(*watch, times, || Ok(his.ask(&sql)?))?;
                let same = answer.rows.len() as u64 == ours.hits && first_of(&answer) == wanted;
                different += usize::from(!same);
            }
            bar(number as u64 + 1);
        }
        summary.questions.push(ControlQuestion {
            name: kind.name,
            his_seconds: table.seconds[7],
            scan: table.name != waited::FULL.name,
            asked: positions.len(),
            rows: questions::median(&rows),
            sql_seconds: times.iter().map(|times| questions::median(times)).collect(),
            best_seconds: questions::median(&best),
            all_seconds: questions::median(&all),
            different,
        });
    }
    Ok(())
}

/// Whether the mover of the first row won, and the rating.
fn first_of(answer: &SqlAnswer) -> Option<[i64; 2]> {
    let row = answer.rows.first()?;
    Some([row.first()?.as_integer()?, row.get(1)?.as_integer()?])
}

impl ControlSummary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    fn save(&self, out: &Path) -> anyhow::Result<()> {
        folder::write(&out.join("summary.json"), self)?;
        report::document(self)
            .save(out)
            .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))
    }

    /// The times, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for question in &self.questions {
            write!(out, "{}: ", question.name)?;
            for (database, &seconds) in self.databases.iter().zip(&question.sql_seconds) {
                write!(out, "{} {}, ", database.name, time_text(seconds))?;
            }
            writeln!(
                out,
                "Hathi {} (all hits {}); {}",
                time_text(question.best_seconds),
                time_text(question.all_seconds),
                if question.different == 0 {
                    "the same answers".to_owned()
                } else {
                    format!("{} answers differ", grouped(question.different))
                }
            )?;
        }
        Ok(())
    }
}
