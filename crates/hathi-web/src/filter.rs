//! Which games count: the parameters that all questions to the store share,
//! in the words of the command line.

use std::ops::RangeInclusive;

use hathi_rules::Side;
use hathi_store::dates::Period;
use hathi_store::{Filter, Kinds, Matching, game_numbers, move_numbers, termination};
use serde::Deserialize;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;

/// Conditions on games; all that are given must hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FilterParams {
    /// It is from one of these sources, with commas between them: arimaa, sample, synth, play,
    /// arena, aei, file; or from `all`. Without, all count, but the samples only as long as there
    /// are no games of arimaa or file.
    #[param(example = "arimaa,play")]
    source: Option<String>,
    /// Its number in its source is one of these: 5000, 5000-6000 or 5000-.
    #[param(example = "5000-6000")]
    numbers: Option<String>,
    /// Both players are rated at least this.
    #[param(minimum = -100_000, maximum = 100_000)]
    min_rating: Option<i32>,
    /// One of the players is.
    #[param(minimum = -100_000, maximum = 100_000)]
    min_rating_either: Option<i32>,
    /// Both players are rated at most this.
    #[param(minimum = -100_000, maximum = 100_000)]
    max_rating: Option<i32>,
    /// A player of this name took part.
    player: Option<String>,
    /// The colour of that player.
    #[param(inline)]
    r#as: Option<SideParam>,
    /// Two humans, two bots, or one of each.
    #[param(inline)]
    who: Option<Who>,
    /// The name of the event contains this text.
    event: Option<String>,
    /// Rated games only, or unrated ones.
    rated: Option<bool>,
    /// It began on this day (UTC) or later: YYYY, YYYY-MM or YYYY-MM-DD.
    #[param(example = "2011-11")]
    from: Option<String>,
    /// It began on this day or earlier.
    #[param(example = "2011-12-31")]
    to: Option<String>,
    /// The class of the time control.
    #[param(schema_with = pace_names)]
    pace: Option<String>,
    /// This side won.
    #[param(inline)]
    result: Option<SideParam>,
    /// It ended so: g goal, m immobilisation, e elimination, t time, r resignation, i illegal move,
    /// f forfeit, a abandoned, s score, p repetition, n draw.
    #[param(example = "g")]
    termination: Option<String>,
}

/// Characters of a name that is looked for; no name in the archives has half.
const LONGEST: usize = 200;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize, ToSchema)]
pub(crate) enum SideParam {
    /// Gold.
    #[serde(rename = "g", alias = "gold")]
    Gold,
    /// Silver.
    #[serde(rename = "s", alias = "silver")]
    Silver,
}

impl From<SideParam> for Side {
    fn from(side: SideParam) -> Side {
        match side {
            SideParam::Gold => Side::Gold,
            SideParam::Silver => Side::Silver,
        }
    }
}

impl From<Side> for SideParam {
    fn from(side: Side) -> SideParam {
        match side {
            Side::Gold => SideParam::Gold,
            Side::Silver => SideParam::Silver,
        }
    }
}

/// Who played.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Who {
    /// Two humans.
    Humans,
    /// Two bots.
    Bots,
    /// One of each.
    Mixed,
}

/// The names of paces, as the store has them.
fn pace_names() -> Schema {
    let names = hathi_store::Pace::ALL.map(|pace| Some(pace.name()));
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .into()
}

/// A parameter that may be missing, read by a parser of the store's.
fn read<T>(
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, ApiError> {
    text.map(parse).transpose().map_err(ApiError::bad_request)
}

impl FilterParams {
    pub(crate) fn filter(&self) -> Result<Filter, ApiError> {
        if self.r#as.is_some() && self.player.is_none() {
            return Err(ApiError::bad_request(
                "`as` is the colour of a player: give `player`, too",
            ));
        }
        for (what, text) in [("player", &self.player), ("event", &self.event)] {
            if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
                return Err(ApiError::bad_request(format!(
                    "`{what}` has at most {LONGEST} characters"
                )));
            }
        }
        Ok(Filter {
            sources: read(self.source.as_deref(), |text| {
                text.parse()
                    .map_err(|error| format!("`source`: {error}, or `all`"))
            })?,
            numbers: read(self.numbers.as_deref(), |text| {
                game_numbers(text).map_err(|error| format!("`numbers`: {error}"))
            })?,
            min_rating_both: self.min_rating,
            min_rating_either: self.min_rating_either,
            max_rating_both: self.max_rating,
            player: self
                .player
                .clone()
                .map(|name| (name, self.r#as.map(Into::into))),
            kinds: self.who.map(|who| match who {
                Who::Humans => Kinds::Humans,
                Who::Bots => Kinds::Bots,
                Who::Mixed => Kinds::Mixed,
            }),
            event: self.event.clone(),
            rated: self.rated,
            started: self.started()?,
            pace: read(self.pace.as_deref(), str::parse)?,
            result: self.result.map(Into::into),
            termination: read(self.termination.as_deref(), |text| {
                termination(text).map_err(|error| format!("`termination`: {error}"))
            })?,
            move_numbers: None,
        })
    }

    fn started(&self) -> Result<Option<RangeInclusive<i64>>, ApiError> {
        let (from, to) = (
            read(self.from.as_deref(), str::parse::<Period>)?,
            read(self.to.as_deref(), str::parse)?,
        );
        let started = Period::between(from.as_ref(), to.as_ref());
        if started.as_ref().is_some_and(RangeInclusive::is_empty) {
            return Err(ApiError::bad_request("`from` is later than `to`"));
        }
        Ok(started)
    }
}

/// Which positions count, besides the games they are from.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MatchParams {
    /// Exactly this board: no mirror images, no exchanged colours.
    #[serde(default)]
    literal: bool,
    /// The move number is one of these: 5, 5-20 or 5- (2 is the first after the setups).
    #[param(example = "5-20")]
    moves: Option<String>,
}

impl MatchParams {
    pub(crate) fn matching(&self) -> Matching {
        if self.literal {
            Matching::Literal
        } else {
            Matching::Symmetric
        }
    }

    pub(crate) fn filter(&self, games: &FilterParams) -> Result<Filter, ApiError> {
        let moves = self.moves.as_deref().map(move_numbers);
        let move_numbers = moves
            .transpose()
            .map_err(|error| ApiError::bad_request(format!("`moves`: {error}")))?;
        Ok(Filter {
            move_numbers,
            ..games.filter()?
        })
    }
}
