//! What was played in a position, in the middle of it, round a trap.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use hathi_rules::{Bitboard, Role, Square};
use hathi_store::{Answer, Focus, Kind, KindError, KindWords, Memory, PositionQuestion, PuzzleHit};
use hathi_view::{BestView, GameView, Games, TurnView};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use super::answer;
use crate::cache::Asked;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::filter::{FilterParams, MatchParams};
use crate::read;
use crate::state::App;

/// Turns shown at most.
const MOST_TURNS: usize = 200;

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhereParams {
    /// `g [64 characters]`, a8 to h1, a dot or a space for an empty square.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// The trap of the area: c3, f3, c6 or f6.
    #[param(example = "c3")]
    trap: Option<String>,
    /// Or the square the opponent last moved to: the trap nearest to it.
    #[param(example = "d6")]
    last: Option<String>,
    /// The piece that enemies are compared with: E, M, H, D, C or R.
    #[param(example = "E")]
    piece: Option<String>,
}

impl WhereParams {
    /// `kind` is one of the names of the kinds.
    fn words<'a>(&'a self, kind: &'a str) -> KindWords<'a> {
        KindWords {
            kind,
            trap: self.trap.as_deref(),
            last: self.last.as_deref(),
            piece: self.piece.as_deref(),
        }
    }
}

impl From<KindError> for ApiError {
    fn from(error: KindError) -> ApiError {
        ApiError::bad_request(error.to_string())
    }
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

fn letter(piece: Role) -> char {
    piece.to_char().to_ascii_uppercase()
}

/// Asks for the first kind, from the whole board down, that finds anything.
const CLOSEST: &str = "closest";

/// What may be asked for.
fn kind_names() -> Schema {
    one_of(Kind::NAMES.into_iter().chain([CLOSEST]))
}

/// What an answer says: which of them it was, never `closest`.
fn found_kind_names() -> Schema {
    one_of(Kind::NAMES)
}

fn one_of(names: impl IntoIterator<Item = &'static str>) -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .into()
}

/// How to look.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExploreParams {
    /// Which part of the board must match: `full`, all of it; `half`, ranks 3 to 6; `area`, the 5x5
    /// squares round a trap; `area-by-piece`, the same, but friends are just friends, and enemies
    /// weaker than, equal to or stronger than a piece; `closest`, the first of these that finds
    /// anything. Without it the whole board.
    #[param(schema_with = kind_names)]
    kind: Option<String>,
    /// Turns to show.
    #[serde(default = "ten")]
    #[param(default = 10, minimum = 0, maximum = 200)]
    limit: usize,
    /// Count for every turn shown how often the position it leads to was reached by any turn; for
    /// the whole board only.
    #[serde(default)]
    reached: bool,
}

const fn ten() -> usize {
    10
}

/// Everything that a click on the explorer asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExploreQuestion {
    /// About the kind whose turns are shown.
    about: PositionQuestion,
    /// Of the kinds that are counted beside it.
    focus: Focus,
    /// Show the turns of the first kind that finds anything instead.
    closest: bool,
    /// Count how often the positions after the turns were reached.
    reached: bool,
}

/// What was played there, and how much there is of every kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct Explored {
    /// Of the turns: full, half, area or area-by-piece.
    #[schema(schema_with = found_kind_names)]
    kind: &'static str,
    position: String,
    trap: Option<String>,
    piece: Option<char>,
    /// The squares that must match.
    squares: Vec<String>,
    /// Positions that match.
    hits: u64,
    /// Games they are from.
    games: u64,
    /// Left out, as their turn is not legal here.
    illegal: u64,
    /// Different turns, shown or not.
    different_turns: usize,
    microseconds: u64,
    best: Option<BestView>,
    /// Most played first.
    turns: Vec<TurnView>,
    /// Games of the strongest players.
    top_rated: Vec<GameView>,
    most_recent: Vec<GameView>,
    /// How much there is of each kind.
    kinds: Vec<KindHits>,
    /// How much there is round each trap.
    traps: Vec<TrapHits>,
    /// Puzzles that have this position.
    puzzles: Vec<PuzzleHere>,
}

/// What was played in a position, its middle, or round a trap, and how much there is of each
///
/// Mirror images and exchanged colours count, unless `literal` is set. A position that was never
/// reached has 0 hits. Without `trap` or `last` the trap is the one nearest to the elephant of the
/// side to move; without `piece` the piece is its strongest in the area.
#[utoipa::path(
    get, path = "/explore", tag = "memory",
    params(WhereParams, ExploreParams, MatchParams, FilterParams),
    responses((status = 200, body = Explored), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn explore(
    State(app): State<App>,
    Ask(place): Ask<WhereParams>,
    Ask(how): Ask<ExploreParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let position = read::position(&place.position)?;
    let wanted = how.kind.as_deref().unwrap_or_default();
    let closest = wanted == CLOSEST;
    let words = match wanted {
        "" | CLOSEST => place.words(Kind::NAMES[0]),
        name => place.words(name),
    };
    let question = Arc::new(ExploreQuestion {
        about: PositionQuestion::new(position, words.read(&position)?)
            .matching(matching.matching())
            .of_games(matching.filter(&games)?)
            .limit(answer::limit(how.limit, MOST_TURNS)?),
        focus: words.focus(&position)?,
        closest,
        reached: how.reached,
    });
    let asked = Asked::Explore(Arc::clone(&question));
    answer::cached(&app, asked, move |store| find(store, &question)).await
}

/// The answer to a question, and how long it took.
struct Timed {
    kind: Kind,
    answer: Answer,
    microseconds: u64,
}

impl Timed {
    fn ask(store: &dyn Memory, question: &PositionQuestion) -> Result<Timed, ApiError> {
        let started = Instant::now();
        let answer = store.find(question)?;
        Ok(Timed {
            kind: question.kind,
            answer,
            microseconds: started.elapsed().as_micros() as u64,
        })
    }
}

/// Seven look-ups: the four kinds, and the areas of the three other traps.
fn find(store: &dyn Memory, question: &ExploreQuestion) -> Result<Explored, ApiError> {
    let about = &question.about;
    let mut found = Vec::new();
    for kind in Kind::all(question.focus) {
        found.push(Timed::ask(store, &about.with_kind(kind))?);
    }
    let kinds = found.iter().map(KindHits::new).collect();
    let mut traps = Vec::new();
    for trap in Square::TRAPS {
        let kind = Kind::Area { trap };
        let known = found.iter().find(|timed| timed.kind == kind);
        let hits = match known {
            Some(timed) => timed.answer.hits,
            None => store.find(&about.with_kind(kind).limit(0))?.hits,
        };
        traps.push(TrapHits {
            trap: trap.to_string(),
            hits,
            squares: names(kind.squares()),
        });
    }
    let chosen = if question.closest {
        found.iter().position(|timed| timed.answer.hits > 0)
    } else {
        found.iter().position(|timed| timed.kind == about.kind)
    };
    let Timed {
        kind,
        answer,
        microseconds,
    } = found.swap_remove(chosen.unwrap_or(0));
    let mut turns = Vec::new();
    for stats in &answer.turns {
        let mut turn = TurnView::new(stats, store)?;
        if question.reached && kind == Kind::Full {
            turn.reached = Some(store.find(&about.reached(stats.after))?.hits);
        }
        turns.push(turn);
    }
    let mut games = Games::new(store);
    let best = answer.best.as_ref();
    let puzzles = store.puzzles_at(&about.position, about.matching)?;
    Ok(Explored {
        kind: kind.name(),
        position: about.position.to_string(),
        trap: kind.trap().map(|trap| trap.to_string()),
        piece: kind.piece().map(letter),
        squares: names(kind.squares()),
        hits: answer.hits,
        games: answer.games,
        illegal: answer.illegal,
        different_turns: answer.different_turns,
        microseconds,
        best: best.map(|hit| BestView::new(hit, store)).transpose()?,
        turns,
        top_rated: games.all(&answer.top_rated)?,
        most_recent: games.all(&answer.most_recent)?,
        kinds,
        traps,
        puzzles: puzzles.into_iter().map(PuzzleHere::from).collect(),
    })
}

/// How much there is of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct KindHits {
    #[schema(schema_with = found_kind_names)]
    kind: &'static str,
    hits: u64,
    games: u64,
    illegal: u64,
    microseconds: u64,
}

impl KindHits {
    fn new(found: &Timed) -> KindHits {
        KindHits {
            kind: found.kind.name(),
            hits: found.answer.hits,
            games: found.answer.games,
            illegal: found.answer.illegal,
            microseconds: found.microseconds,
        }
    }
}

/// How much there is round a trap.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrapHits {
    trap: String,
    hits: u64,
    squares: Vec<String>,
}

/// A puzzle with this position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleHere {
    game: String,
    r#move: String,
    turn: String,
}

impl From<PuzzleHit> for PuzzleHere {
    fn from(hit: PuzzleHit) -> PuzzleHere {
        PuzzleHere {
            game: hit.game.to_string(),
            r#move: hit.label,
            turn: hit.turn.to_string(),
        }
    }
}
