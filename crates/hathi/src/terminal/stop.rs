//! Ctrl-C: the first one asks to stop, the second one stops.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use hathi_engine::Stop;

use crate::terminal::output;

static ASKED: LazyLock<Stop> = LazyLock::new(Stop::default);

/// From now on Ctrl-C asks; the command has to look whether it did.
pub(crate) fn listen() {
    // Without a handler Ctrl-C ends the program at once; nothing that was
    // committed is lost by that either.
    let _ = ctrlc::set_handler(|| {
        if ASKED.asked() {
            std::process::exit(130);
        }
        ASKED.now();
        output::note("stopping when what is being written is safe; again to stop now");
    });
}

/// Did the user ask to stop?
pub(crate) fn asked() -> bool {
    ASKED.asked()
}

/// The same for engines and those who let them play.
pub(crate) fn for_engines() -> Stop {
    ASKED.clone()
}

/// The same for who goes on or not.
pub(crate) fn flow() -> ControlFlow<()> {
    if asked() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
