//! The terminal as the one who watches long work: bars, notes, Ctrl-C.

use hathi_engine::Stop;
use hathi_lab::{Counting, Indexing, Playing, Watcher};
use hathi_learn::pipeline::PipelineWatcher;

use crate::terminal::output;
use crate::terminal::progress::{ArenaBar, CountBar, IndexBar};
use crate::terminal::standings::live;
use crate::terminal::stop;

/// Standard error, and Ctrl-C if the command listens.
pub(crate) struct Terminal;

impl Watcher for Terminal {
    fn note(&self, message: &str) {
        output::note(message);
    }

    fn stop(&self) -> Stop {
        stop::for_engines()
    }

    fn count(&self, what: &str, total: u64) -> Counting<'_> {
        let bar = CountBar::new(what, total);
        Box::new(move |done| bar.show(done))
    }

    fn indexing(&self) -> Indexing<'_> {
        let bar = IndexBar::new();
        Box::new(move |stage, share| bar.show(stage, share))
    }

    fn playing(&self, name: &str, games: u64) -> Playing<'_> {
        let bar = ArenaBar::new();
        bar.show(0, games, name);
        let name = name.to_owned();
        Box::new(move |standings| match standings {
            None => bar.tick(),
            Some(standings) => {
                let message = format!("{name}: {}", live(standings));
                bar.show(standings.games, standings.planned, &message);
            }
        })
    }
}

impl PipelineWatcher for Terminal {
    fn sampling(&self, games: usize) -> Box<dyn Fn(usize) -> bool + Sync + '_> {
        let bar = CountBar::new("games looked at", games as u64);
        Box::new(move |done| {
            bar.show(done as u64);
            !stop::asked()
        })
    }

    fn training(&self) -> Box<dyn FnMut(f64) + '_> {
        let bar = IndexBar::named("training");
        Box::new(move |share| bar.show("", share))
    }
}
