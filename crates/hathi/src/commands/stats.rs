//! `hathi stats`: how much is in the store.

use std::collections::BTreeMap;
use std::io::{self, Write};

use hathi_rules::{Side, Termination};
use hathi_store::{Filter, Memory};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{bytes_text, grouped};
use hathi_view::{SourceList, SourceView};
use serde::Serialize;

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::terminal::index::IndexView;
use crate::terminal::output::{self, line};

/// Say how much is in the store
///
/// Games and positions (those with a turn played from them) that count, and where they are from;
/// players; puzzles that can be played; how the games ended; how much the index covers, and how many
/// bytes it all takes. The samples count only as long as there are no games of arimaa or file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi stats
  hathi stats --json | jq .games";

/// The keys are stable: scripts read them.
#[derive(Serialize)]
struct Stats {
    store: String,
    games: u64,
    positions: u64,
    sources: Vec<SourceView>,
    players: u64,
    puzzles: u64,
    results: Results,
    index: IndexView,
    database_bytes: u64,
}

#[derive(Default, Serialize)]
struct Results {
    gold: u64,
    silver: u64,
    nobody: u64,
    /// By the letters of the archive, `-` if it does not say.
    terminations: BTreeMap<char, Wins>,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Wins {
    gold: u64,
    silver: u64,
    nobody: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let (store, place) = args.store.open_quietly()?;
    let totals = store.totals()?;
    let counted = SourceList::of(&*store)?;
    let stats = Stats {
        store: place.to_string(),
        games: counted.games,
        positions: counted.positions,
        sources: counted.sources,
        players: totals.players,
        puzzles: totals.puzzles,
        results: Results::of(&*store)?,
        index: IndexView::of(&*store),
        database_bytes: store.bytes()?,
    };
    output::show(args.json, &stats, |out| stats.write(out))?;
    Ok(Answer::Yes)
}

impl Results {
    fn of(store: &dyn Memory) -> anyhow::Result<Results> {
        let mut results = Results::default();
        for count in store.results(&Filter::default())? {
            let letter = count.termination.map_or('-', Termination::to_char);
            let wins = results.terminations.entry(letter).or_default();
            let (all, these) = match count.winner {
                Some(Side::Gold) => (&mut results.gold, &mut wins.gold),
                Some(Side::Silver) => (&mut results.silver, &mut wins.silver),
                None => (&mut results.nobody, &mut wins.nobody),
            };
            *all += count.games;
            *these += count.games;
        }
        Ok(results)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Columns::new(&[
            ("end", Align::Left),
            ("Gold won", Align::Right),
            ("Silver won", Align::Right),
            ("nobody", Align::Right),
        ]);
        let mut row = |name: String, wins: Wins| {
            let numbers = [wins.gold, wins.silver, wins.nobody];
            let numbers = numbers.map(|number| grouped(number as usize));
            table.row([name].into_iter().chain(numbers));
        };
        for (&letter, &wins) in &self.terminations {
            row(format!("{letter}  {}", phrase(letter)), wins);
        }
        row(
            "all".to_owned(),
            Wins {
                gold: self.gold,
                silver: self.silver,
                nobody: self.nobody,
            },
        );
        table.write(out)
    }
}

fn phrase(letter: char) -> &'static str {
    match Termination::from_char(letter) {
        Some(Termination::Draw) => "draw",
        Some(Termination::Abandoned) => "abandoned",
        Some(termination) => termination.phrase(),
        None => "not written down",
    }
}

impl Stats {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        line(out, "store", &output::printable(&self.store))?;
        for (label, number) in [
            ("games", self.games),
            ("positions", self.positions),
            ("players", self.players),
            ("puzzles", self.puzzles),
        ] {
            line(out, label, &grouped(number as usize))?;
        }
        let mut label = "sources";
        for source in &self.sources {
            let ignored = if source.counted { "" } else { ", not counted" };
            let games = grouped(source.games as usize);
            line(out, label, &format!("{}  {games}{ignored}", source.source))?;
            label = "";
        }
        line(out, "database", &bytes_text(self.database_bytes))?;
        self.index.write(out)?;
        if self.games > 0 {
            writeln!(out)?;
            self.results.write(out)?;
        }
        Ok(())
    }
}
