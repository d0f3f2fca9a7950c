//! Progress bars on standard error; nothing when that is no terminal.

use std::time::Duration;

use hathi_archive::Progress;
use hathi_store::ImportSummary;
use indicatif::{ProgressBar, ProgressStyle};

use hathi_view::numbers::{grouped, per_second};

/// The template is ours and known to be good; if not, a plain bar will do.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// Reading archives: as far as the bytes of the files tell.
pub(crate) struct ImportBar {
    bar: ProgressBar,
    reading: Progress,
}

impl ImportBar {
    pub(crate) fn new(reading: Progress) -> ImportBar {
        let bar = match reading.total_bytes() {
            Some(total) => ProgressBar::new(total)
                .with_style(style("{bar:20} {percent:>3}%  {msg}  {eta} left")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}")),
        };
        bar.enable_steady_tick(Duration::from_millis(200));
        ImportBar { bar, reading }
    }

    pub(crate) fn show(&self, summary: &ImportSummary) {
        self.bar.set_position(self.reading.bytes_read());
        let seconds = self.bar.elapsed().as_secs_f64();
        let rate = |count: u64| per_second(count, seconds);
        let (games, positions) = (rate(summary.read), rate(summary.positions));
        let mut message = format!("{games} games/s, {positions} positions/s");
        if self.reading.total_bytes().is_none() {
            // Without a bar the number of games shows how far it is.
            message = format!("{} games, {message}", grouped(summary.read as usize));
        }
        self.bar.set_message(message);
    }

    /// Something to say while the bar stands there.
    pub(crate) fn pause(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Building the index, stage by stage.
pub(crate) struct IndexBar(ProgressBar);

impl IndexBar {
    pub(crate) fn new() -> IndexBar {
        IndexBar::named("index:")
    }

    /// The same for other work.
    pub(crate) fn named(what: &str) -> IndexBar {
        let template = format!("{{bar:24}} {{percent:>3}}%  {what} {{msg}}");
        let bar = ProgressBar::new(1000).with_style(style(&template));
        bar.enable_steady_tick(Duration::from_millis(200));
        IndexBar(bar)
    }

    /// Something to say while the bar stands there.
    #[cfg(feature = "lab")]
    pub(crate) fn pause(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    /// `share` is of the whole, 0 to 1.
    pub(crate) fn show(&self, stage: &str, share: f64) {
        self.0.set_message(stage.to_owned());
        #[allow(clippy::cast_sign_loss)] // it is clamped
        self.0.set_position((share.clamp(0.0, 1.0) * 1000.0) as u64);
    }
}

impl Drop for IndexBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Writing games.
pub(crate) struct GamesBar(ProgressBar);

impl GamesBar {
    pub(crate) fn new(games: u64) -> GamesBar {
        let style = style("{bar:24} {percent:>3}%  {human_pos} games, {per_sec}  {eta} left");
        GamesBar(ProgressBar::new(games).with_style(style))
    }

    pub(crate) fn show(&self, games: u64) {
        self.0.set_position(games);
    }

    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// Games being played.
pub(crate) struct ArenaBar(ProgressBar);

impl ArenaBar {
    pub(crate) fn new() -> ArenaBar {
        let bar = ProgressBar::new(0).with_style(style(
            "{bar:20} {human_pos}/{human_len} games  {msg}  {eta} left",
        ));
        bar.enable_steady_tick(Duration::from_millis(200));
        ArenaBar(bar)
    }

    /// Something happens.
    pub(crate) fn tick(&self) {
        self.0.tick();
    }

    pub(crate) fn show(&self, games: u64, planned: u64, message: &str) {
        self.0.set_length(planned);
        self.0.set_position(games);
        self.0.set_message(message.to_owned());
    }
}

impl Drop for ArenaBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Something that is counted.
#[cfg(feature = "lab")]
pub(crate) struct CountBar(ProgressBar);

#[cfg(feature = "lab")]
impl CountBar {
    pub(crate) fn new(what: &str, total: u64) -> CountBar {
        let style = style("{bar:20} {human_pos}/{human_len}  {msg}  {eta} left");
        let bar = ProgressBar::new(total).with_style(style);
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        CountBar(bar)
    }

    pub(crate) fn show(&self, count: u64) {
        self.0.set_position(count);
    }
}

#[cfg(feature = "lab")]
impl Drop for CountBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
