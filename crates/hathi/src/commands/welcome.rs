//! `hathi` without a command: what it is and what to try next.

use std::io::Write;

use anstyle::Style;
use hathi_rules::Position;

use crate::Answer;
use crate::draw::{self, Charset};
use crate::output;

/// A common setup, without spaces so that it is easy to paste.
const START: &str = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";

const BOLD: Style = Style::new().bold();

pub(crate) fn run() -> anyhow::Result<Answer> {
    let start: Position = START.parse()?;
    let mut out = output::styled();
    writeln!(
        out,
        "{BOLD}Hathi{BOLD:#} {}, the memory of Arimaa: positions, turns, goals and games by the rules.\n",
        env!("CARGO_PKG_VERSION"),
    )?;
    draw::board(&mut out, start.board(), Charset::new(false))?;
    writeln!(
        out,
        "
Try:
  {BOLD}hathi show{BOLD:#} '{START}'
  {BOLD}hathi turns --count{BOLD:#} POSITION   how many positions one turn can reach
  {BOLD}hathi goal{BOLD:#} POSITION            a shortest turn to goal, if there is one
  {BOLD}hathi replay{BOLD:#} FILE              a game, or an archive of games, checked by the rules
  {BOLD}hathi import{BOLD:#} FILE              archives into the store, which remembers every position
  {BOLD}hathi find --position{BOLD:#} POSITION what was played there; `hathi explore` steps on
  {BOLD}hathi setups{BOLD:#}                   how games begin; `hathi games` lists them
  {BOLD}hathi play{BOLD:#}                     a game against an engine; `hathi arena` between engines
  {BOLD}hathi bench rules{BOLD:#}              how fast this machine does all that
  {BOLD}hathi help{BOLD:#}                     all commands; `hathi help show` for one of them

POSITION is written as above, or is a file that holds it so or drawn."
    )?;
    out.flush()?;
    Ok(Answer::Yes)
}
