//! Who watches an experiment: hears how far it has come, and may stop it.

use hathi_arena::Standings;
use hathi_engine::Stop;

/// Told how many are done.
pub type Counting<'a> = Box<dyn Fn(u64) + Sync + 'a>;

/// Told the stage and how much of all is done, from 0 to 1.
pub type Indexing<'a> = Box<dyn Fn(&str, f64) + Sync + 'a>;

/// Told that something happens, or how it stands after a game.
pub type Playing<'a> = Box<dyn Fn(Option<&Standings>) + Sync + 'a>;

/// Somebody in front of a long experiment. What the methods give is told how
/// far the work is, and is dropped when it is over.
pub trait Watcher: Sync {
    /// Something worth knowing beside the result.
    fn note(&self, message: &str);

    /// Raised when the experiment is to stop.
    fn stop(&self) -> Stop;

    /// So many of something are to be done.
    fn count(&self, what: &str, total: u64) -> Counting<'_>;

    /// An index is being built.
    fn indexing(&self) -> Indexing<'_>;

    /// A match is being played.
    fn playing(&self, name: &str, games: u64) -> Playing<'_>;

    /// Is the experiment to stop?
    fn asked_to_stop(&self) -> bool {
        self.stop().asked()
    }
}
