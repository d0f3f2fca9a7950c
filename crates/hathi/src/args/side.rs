//! `--side`: whose turn it is.

use clap::ValueEnum;
use hathi_rules::Side;

/// A side on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideArg {
    #[value(name = "g", aliases = ["gold", "w"])]
    Gold,
    #[value(name = "s", aliases = ["silver", "b"])]
    Silver,
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Side {
        match side {
            SideArg::Gold => Side::Gold,
            SideArg::Silver => Side::Silver,
        }
    }
}
