//! The arguments of `hathi`; those of a command stand in its own file.

use std::ffi::OsString;

use clap::{Parser, Subcommand, ValueEnum};

use crate::commands::{
    aei, analyse, arena, completions, dpg, explore, export, find, games, goal, import, index, man,
    motifs, phase, plans, play, puzzles, replay, review, serve, setups, show, solve, sources, sql,
    stats, study, synth, turns,
};
#[cfg(feature = "lab")]
use crate::commands::{bench, learn, paper};

/// Hathi, the memory of Arimaa: look at positions, replay games, and remember
/// all that were ever played.
#[derive(Debug, Parser)]
#[command(
    name = "hathi",
    version,
    max_term_width = 100,
    long_about = "Hathi, the memory of Arimaa.\n\n\
        Looks at positions, lists every turn, finds goals, replays games and archives by the \
        rules of Arimaa. Keeps archives of games in a store and finds every position in them: \
        what was played there, by whom, and how it went. Plays: against you, against other engines, \
        as an engine for any program that speaks AEI. Run a command with --help to learn what it does, with examples.",
    after_help = EXAMPLES,
)]
pub(crate) struct Cli {
    /// When to use colours; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(
        long,
        global = true,
        visible_alias = "colour",
        value_name = "WHEN",
        default_value = "auto",
        display_order = 100
    )]
    color: ColorWhen,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
A position is written as `g [64 characters]` (side to move, then a8 to h8, a7 to h7, ... a1 to h1, \
a space or a dot for an empty square), or drawn in a file. `-` reads standard input.

Examples:
  hathi                                    opens the page, as `hathi serve` does
  hathi show position.txt
  hathi turns --count position.txt
  hathi goal position.txt
  hathi replay game.txt --at 12s
  hathi analyse position.txt
  hathi review game.txt
  hathi import allgames2002.txt
  hathi setups
  hathi find --kind half --position position.txt
  hathi play
  hathi help show

Exit codes: 0 fine, 1 the answer is no or something failed, 2 bad usage or bad input, \
130 stopped by Ctrl-C.";

/// What `hathi` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(serve::Args),
    Show(show::Args),
    Turns(turns::Args),
    Goal(goal::Args),
    Solve(solve::Args),
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    Review(review::Args),
    Study(study::Args),
    Phase(phase::Args),
    Replay(replay::Args),
    Import(import::Args),
    Stats(stats::Args),
    Sources(sources::Args),
    Setups(setups::Args),
    Find(find::Args),
    Explore(explore::Args),
    Motifs(motifs::Args),
    Games(games::Args),
    Export(export::Args),
    Sql(sql::Args),
    Puzzles(puzzles::Args),
    Index(index::Args),
    Play(play::Args),
    Plans(plans::Args),
    Dpg(dpg::Args),
    Arena(Box<arena::Args>),
    Aei(aei::Args),
    #[cfg(feature = "lab")]
    Learn(learn::Args),
    Synth(synth::Args),
    #[cfg(feature = "lab")]
    Bench(bench::Args),
    #[cfg(feature = "lab")]
    Paper(paper::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorWhen {
    /// The last `--color` on the command line; `auto` if there is none or
    /// clap will refuse it.
    pub(crate) fn of_args(args: impl Iterator<Item = OsString>) -> ColorWhen {
        let mut when = ColorWhen::Auto;
        let mut args = args.skip(1);
        while let Some(arg) = args.next() {
            let Some(arg) = arg.to_str() else { continue };
            let value = match arg {
                "--" => break,
                "--color" | "--colour" => args.next().and_then(|value| value.into_string().ok()),
                _ => arg
                    .strip_prefix("--color=")
                    .or_else(|| arg.strip_prefix("--colour="))
                    .map(str::to_owned),
            };
            if let Some(value) = value {
                when = ColorWhen::from_str(&value, false).unwrap_or_default();
            }
        }
        when
    }

    /// Makes it so for everything printed from now on.
    pub(crate) fn apply(self) {
        match self {
            ColorWhen::Auto => anstream::ColorChoice::Auto,
            ColorWhen::Always => anstream::ColorChoice::Always,
            ColorWhen::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }

    /// The same for help and usage errors.
    pub(crate) fn for_clap(self) -> clap::ColorChoice {
        match self {
            ColorWhen::Auto => clap::ColorChoice::Auto,
            ColorWhen::Always => clap::ColorChoice::Always,
            ColorWhen::Never => clap::ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_colour_is_found_before_parsing() {
        let of = |args: &str| ColorWhen::of_args(args.split(' ').map(OsString::from));
        assert_eq!(of("hathi show x"), ColorWhen::Auto);
        assert_eq!(of("hathi show x --color never"), ColorWhen::Never);
        assert_eq!(of("hathi --colour=always show"), ColorWhen::Always);
        assert_eq!(of("hathi --color purple"), ColorWhen::Auto);
        assert_eq!(of("hathi --color"), ColorWhen::Auto);
        assert_eq!(of("hathi show -- --color never"), ColorWhen::Auto);
    }
}
