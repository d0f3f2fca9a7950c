//! Which games count: the options that all questions to the store share.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hathi_rules::Termination;
use hathi_store::{Filter, Kinds, Matching, Pace, Sources, game_numbers, termination};

use crate::args::side::SideArg;
use crate::dates::Period;
use crate::failure::BadInput;

/// Conditions on games; all that are given must hold.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // so are flags
#[command(next_help_heading = "Only games where")]
pub(crate) struct FilterArgs {
    /// It is from one of these sources, with commas between them, or from `all`
    ///
    /// arimaa: the archive of arimaa.com; sample: games of Hathi's engines, which come with the
    /// program; synth: synthetic archives; play: games played here; arena: matches between engines;
    /// aei: games of an engine under another program; file: move lists from files. Without this
    /// option all count, but the samples only as long as there are no games of arimaa or file.
    #[arg(long, value_name = "SOURCE")]
    source: Option<Sources>,

    /// Its number in its source is one of these: 5000, 5000-6000 or 5000-
    #[arg(long, value_name = "A-B", value_parser = game_numbers)]
    numbers: Option<RangeInclusive<u64>>,

    /// Both players are rated N or more
    #[arg(long, value_name = "N")]
    min_rating: Option<i32>,

    /// At least one player is rated N or more
    #[arg(long, value_name = "N")]
    min_rating_either: Option<i32>,

    /// Both players are rated N or less
    #[arg(long, value_name = "N")]
    max_rating: Option<i32>,

    /// A player of this name took part
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// That player had this colour
    #[arg(long = "as", value_name = "SIDE", requires = "player")]
    colour: Option<SideArg>,

    /// Two humans played
    #[arg(long, conflicts_with_all = ["bots", "mixed"])]
    humans: bool,

    /// Two bots played
    #[arg(long, conflicts_with = "mixed")]
    bots: bool,

    /// A human and a bot played
    #[arg(long)]
    mixed: bool,

    /// The name of the event contains this text
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// The game was rated
    #[arg(long, conflicts_with = "unrated")]
    rated: bool,

    /// The game was not rated
    #[arg(long)]
    unrated: bool,

    /// It began on this day (UTC) or later: YYYY, YYYY-MM or YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    from: Option<Period>,

    /// It began on this day (UTC) or earlier
    #[arg(long, value_name = "DATE")]
    to: Option<Period>,

    /// The time for a move is of this class
    #[arg(long, value_name = "PACE", value_parser = paces())]
    pace: Option<Pace>,

    /// This side won
    #[arg(long, value_name = "SIDE")]
    result: Option<SideArg>,

    /// It ended so: g goal, r resignation, t time, e elimination, m immobilisation, ...
    ///
    /// The letters of the archive: g goal, m immobilisation, e elimination of all rabbits, t time,
    /// r resignation, i illegal move, f forfeit, a abandoned, s score at the game limit, p third
    /// repetition, n draw.
    #[arg(long, value_name = "LETTER", value_parser = termination)]
    termination: Option<Termination>,
}

fn paces() -> impl TypedValueParser<Value = Pace> {
    let value = |pace: Pace| PossibleValue::new(pace.name()).help(pace.meaning());
    PossibleValuesParser::new(Pace::ALL.map(value)).try_map(|name| name.parse::<Pace>())
}

impl FilterArgs {
    pub(crate) fn filter(&self) -> anyhow::Result<Filter> {
        Ok(Filter {
            sources: self.source,
            numbers: self.numbers.clone(),
            min_rating_both: self.min_rating,
            min_rating_either: self.min_rating_either,
            max_rating_both: self.max_rating,
            player: self
                .player
                .clone()
                .map(|name| (name, self.colour.map(Into::into))),
            kinds: match (self.humans, self.bots, self.mixed) {
                (true, ..) => Some(Kinds::Humans),
                (_, true, _) => Some(Kinds::Bots),
                (.., true) => Some(Kinds::Mixed),
                _ => None,
            },
            event: self.event.clone(),
            rated: (self.rated || self.unrated).then_some(self.rated),
            started: self.started()?,
            pace: self.pace,
            result: self.result.map(Into::into),
            termination: self.termination,
            move_numbers: None,
        })
    }

    fn started(&self) -> anyhow::Result<Option<RangeInclusive<i64>>> {
        let started = Period::between(self.from.as_ref(), self.to.as_ref());
        if started.as_ref().is_some_and(RangeInclusive::is_empty) {
            return Err(BadInput::error("--from is later than --to"));
        }
        Ok(started)
    }
}

/// Which positions count in questions about positions. Has to come last
/// among the options of a command: what follows stands under its heading.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionFilterArgs {
    /// Exactly this board: no mirror images, no exchanged colours
    #[arg(long)]
    literal: bool,

    #[command(flatten)]
    games: FilterArgs,

    /// The move number is one of these: 5, 5-20 or 5- (2 is the first after the setups)
    #[arg(long, value_name = "A-B", help_heading = "Only games where")]
    moves: Option<MoveNumbers>,
}

impl PositionFilterArgs {
    pub(crate) fn matching(&self) -> Matching {
        if self.literal {
            Matching::Literal
        } else {
            Matching::Symmetric
        }
    }

    pub(crate) fn filter(&self) -> anyhow::Result<Filter> {
        let move_numbers = self.moves.clone().map(|MoveNumbers(range)| range);
        Ok(Filter {
            move_numbers,
            ..self.games.filter()?
        })
    }
}

/// Move numbers: `5`, `5-20` or `5-`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MoveNumbers(RangeInclusive<u32>);

impl FromStr for MoveNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<MoveNumbers, String> {
        hathi_store::move_numbers(text).map(MoveNumbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers() {
        let range = |text: &str| text.parse().map(|MoveNumbers(range)| range);
        assert_eq!(range("5"), Ok(5..=5));
        assert_eq!(range("5-20"), Ok(5..=20));
        assert_eq!(range("5-"), Ok(5..=u32::MAX));
        for bad in ["", "-5", "x", "9-5", "1-2-3"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}
