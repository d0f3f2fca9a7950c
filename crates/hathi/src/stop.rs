//! Ctrl-C: the first one asks to stop, the second one stops.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks; the command has to look whether it did.
pub(crate) fn listen() {
    // Without a handler Ctrl-C ends the program at once; nothing that was
    // committed is lost by that either.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        output::note("stopping when what is being written is safe; again to stop now");
    });
}

/// Did the user ask to stop?
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// The same for who goes on or not.
pub(crate) fn flow() -> ControlFlow<()> {
    if asked() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
