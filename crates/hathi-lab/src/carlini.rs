//! Carlini 2008, "Arimaa: from rules to bitboard analysis": his functions by the
//! letter beside ours, his drawings, what he says about the number of turns and the
//! bytes of a board, and how fast bitboards are beside a plain mailbox.

mod drawings;
mod games;
mod his;
mod mailbox;
mod pictures;
mod report;
mod speed;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use hathi_rules::{Board, PackedBoard, Position};
use serde::Serialize;

use crate::branching::{self, Branching};
use crate::failure::BadInput;
use crate::folder::{self, Settings};
use crate::watcher::Watcher;
pub use games::{DrawnGames, GameDraw};
use his::{Compared, HisBoard};
use speed::Speed;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Positions that functions are compared on and steps are counted in.
    pub positions: usize,
    /// Times that the speed is measured.
    pub rounds: usize,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Was it done to its end?
    complete: bool,
    /// Seconds that this run took, what it found done already aside.
    seconds: f64,
    /// Which games.
    games: String,
    /// Positions that functions were compared on.
    positions: usize,
    branching: Option<Branching>,
    compared: Vec<Compared>,
    bytes: Bytes,
    speed: Vec<Speed>,
}

/// Bytes of a board.
#[derive(Clone, Copy, Debug, Serialize)]
struct Bytes {
    /// The array of his section 2.2, an integer of four bytes a square.
    array: usize,
    /// His twelve bitboards.
    his: usize,
    /// An array with a byte a square.
    mailbox: usize,
    /// Our planes with the hash that a search needs.
    ours: usize,
    /// Our planes alone, as on disk.
    packed: usize,
}

const BYTES: Bytes = Bytes {
    array: size_of::<[i32; 64]>(),
    his: size_of::<HisBoard>(),
    mailbox: size_of::<[i8; 64]>(),
    ours: size_of::<Board>(),
    packed: size_of::<PackedBoard>(),
};

/// Does what is not done yet in the folder, and writes the report.
pub fn run(
    request: &Request,
    games: &DrawnGames,
    watcher: &dyn Watcher,
) -> anyhow::Result<Summary> {
    let started = Instant::now();
    let out = &request.out;
    let settings: Settings = [
        ("paper".to_owned(), "carlini".to_owned()),
        ("games".to_owned(), games.fingerprint()),
        ("positions".to_owned(), request.positions.to_string()),
    ]
    .into();
    let _lock = folder::open(out, &settings)?;
    let positions = spread(&games.positions(), request.positions);
    if positions.is_empty() {
        return Err(BadInput::error(format!(
            "{}: there are no positions in these games",
            games.text()
        )));
    }
    let branching = branching::count_on(games.lists(), &out.join("turns.jsonl"), watcher)?;
    // Quick, and speeds are those of this machine now, so they are measured every time.
    let speed = if branching.is_some() {
        speed::measure(&positions, request.rounds, watcher)?
    } else {
        Vec::new()
    };
    let summary = Summary {
        complete: branching.is_some() && !watcher.asked_to_stop(),
        seconds: started.elapsed().as_secs_f64(),
        games: games.text(),
        positions: positions.len(),
        branching,
        compared: his::compare(&positions),
        bytes: BYTES,
        speed,
    };
    folder::write(&out.join("summary.json"), &summary)?;
    report::document(&summary)?
        .save(out)
        .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))?;
    Ok(summary)
}

/// So many positions, spread over all.
fn spread(all: &[Position], wanted: usize) -> Vec<Position> {
    let wanted = wanted.min(all.len());
    (0..wanted).map(|i| all[i * all.len() / wanted]).collect()
}

impl Summary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The main figures, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.games)?;
        for compared in &self.compared {
            writeln!(
                out,
                "{}: differs from the rules in {} of {} cases",
                compared.function, compared.differ, compared.cases
            )?;
        }
        if let Some(branching) = &self.branching {
            writeln!(
                out,
                "turns possible: {:.0} ± {:.0} on average, {} at the most; he assumes 20,000",
                branching.mean, branching.error, branching.most
            )?;
        }
        writeln!(
            out,
            "bytes of a board: {} as he has it, {} on disk here",
            self.bytes.his, self.bytes.packed
        )?;
        for speed in &self.speed {
            speed.write(out)?;
        }
        Ok(())
    }
}
