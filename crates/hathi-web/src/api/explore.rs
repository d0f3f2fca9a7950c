//! What was played in a position, in the middle of it, round a trap.

use std::time::Instant;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use hathi_rules::{Piece, Position, Role, Side, Square};
use hathi_store::{Filter, Kind, Matching, Memory, nearest_trap};
use hathi_view::{BestView, GameView, Games, TurnView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer;
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

/// A question about a position.
struct Place {
    position: Position,
    trap: Square,
    piece: Role,
}

impl WhereParams {
    fn place(&self) -> Result<Place, ApiError> {
        let position = read::position(&self.position)?;
        let square = |text: &String| {
            text.parse::<Square>()
                .map_err(|error| ApiError::bad_request(error.to_string()))
        };
        let trap = match (&self.trap, &self.last) {
            (Some(trap), _) => Some(square(trap)?)
                .filter(|trap| trap.is_trap())
                .ok_or_else(|| ApiError::bad_request("the traps are c3, f3, c6 and f6"))?,
            (None, Some(last)) => nearest_trap(square(last)?),
            (None, None) => busiest_trap(&position),
        };
        let piece = match &self.piece {
            None => strongest(&position, trap),
            Some(text) => {
                let mut letters = text.chars();
                match (letters.next().and_then(Role::from_char), letters.next()) {
                    (Some(role), None) => role,
                    _ => return Err(ApiError::bad_request("a piece is one of E, M, H, D, C, R")),
                }
            }
        };
        Ok(Place {
            position,
            trap,
            piece,
        })
    }
}

/// Where the own elephant is, something is going on.
fn busiest_trap(position: &Position) -> Square {
    let side = position.side_to_move();
    let elephant = position.board().pieces(Piece::new(side, Role::Elephant));
    match (elephant.first(), side) {
        (Some(square), _) => nearest_trap(square),
        (None, Side::Gold) => Square::C3,
        (None, Side::Silver) => Square::C6,
    }
}

/// The strongest own piece in the area.
fn strongest(position: &Position, trap: Square) -> Role {
    let board = position.board();
    let own = board.side(position.side_to_move());
    Role::ALL
        .into_iter()
        .rev()
        .find(|&role| (own & board.role(role)).iter().any(|s| in_area(trap, s)))
        .unwrap_or(Role::Elephant)
}

/// Is the square one of the 5x5 round the trap?
fn in_area(trap: Square, square: Square) -> bool {
    let files = trap.file().index().abs_diff(square.file().index());
    let ranks = trap.rank().index().abs_diff(square.rank().index());
    files <= 2 && ranks <= 2
}

fn area(trap: Square) -> Vec<String> {
    squares(|square| in_area(trap, square))
}

fn squares(keep: impl Fn(Square) -> bool) -> Vec<String> {
    Square::all()
        .filter(|&square| keep(square))
        .map(|square| square.to_string())
        .collect()
}

/// Which part of the board must match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KindParam {
    /// All of it.
    #[default]
    Full,
    /// Ranks 3 to 6.
    Half,
    /// The 5x5 squares round a trap.
    Area,
    /// The same, but friends are just friends, and enemies weaker than, equal to or stronger than a
    /// piece.
    AreaByPiece,
}

impl KindParam {
    const ALL: [KindParam; 4] = [
        KindParam::Full,
        KindParam::Half,
        KindParam::Area,
        KindParam::AreaByPiece,
    ];

    fn of(self, place: &Place) -> Kind {
        let &Place { trap, piece, .. } = place;
        match self {
            KindParam::Full => Kind::Full,
            KindParam::Half => Kind::Half,
            KindParam::Area => Kind::Area { trap },
            KindParam::AreaByPiece => Kind::AreaByPiece { trap, piece },
        }
    }

    fn has_trap(self) -> bool {
        matches!(self, KindParam::Area | KindParam::AreaByPiece)
    }

    fn squares(self, trap: Square) -> Vec<String> {
        match self {
            KindParam::Full => squares(|_| true),
            KindParam::Half => squares(|square| (2..6).contains(&square.rank().index())),
            KindParam::Area | KindParam::AreaByPiece => area(trap),
        }
    }
}

/// How to look.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExploreParams {
    /// Which part of the board must match.
    #[serde(default)]
    #[param(inline, default = "full")]
    kind: KindParam,
    /// Turns to show.
    #[serde(default = "ten")]
    #[param(default = 10, minimum = 0, maximum = 200)]
    limit: usize,
}

const fn ten() -> usize {
    10
}

/// What was played there.
#[derive(Serialize, ToSchema)]
pub(crate) struct Explored {
    kind: KindParam,
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
}

/// What was played in a position, its middle, or round a trap
///
/// Mirror images and exchanged colours count, unless `literal` is set. A position that was never
/// reached has 0 hits.
#[utoipa::path(
    get, path = "/explore", tag = "memory",
    params(WhereParams, ExploreParams, MatchParams, FilterParams),
    responses((status = 200, body = Explored), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn explore(
    State(app): State<App>,
    uri: Uri,
    Ask(place): Ask<WhereParams>,
    Ask(how): Ask<ExploreParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let place = place.place()?;
    let filter = matching.filter(&games)?;
    let limit = answer::limit(how.limit, MOST_TURNS)?;
    answer::cached(&app, &uri, move |store| {
        find(store, &place, how.kind, matching.matching(), &filter, limit)
    })
    .await
}

fn find(
    store: &dyn Memory,
    place: &Place,
    kind: KindParam,
    matching: Matching,
    filter: &Filter,
    limit: usize,
) -> Result<Explored, ApiError> {
    let started = Instant::now();
    let answer = store.find(&place.position, kind.of(place), matching, filter)?;
    let microseconds = started.elapsed().as_micros() as u64;
    let anywhere = Filter {
        move_numbers: None,
        ..filter.clone()
    };
    let mut turns = Vec::new();
    for stats in answer.turns.iter().take(limit) {
        let mut turn = TurnView::new(stats, store)?;
        if kind == KindParam::Full {
            let reached = store.find(&stats.after, Kind::Full, matching, &anywhere)?;
            turn.reached = Some(reached.hits);
        }
        turns.push(turn);
    }
    let mut games = Games::new(store);
    let best = answer.best.as_ref();
    Ok(Explored {
        kind,
        position: place.position.to_string(),
        trap: kind.has_trap().then(|| place.trap.to_string()),
        piece: (kind == KindParam::AreaByPiece).then(|| place.piece.to_char().to_ascii_uppercase()),
        squares: kind.squares(place.trap),
        hits: answer.hits,
        games: answer.games,
        illegal: answer.illegal,
        different_turns: answer.turns.len(),
        microseconds,
        best: best.map(|hit| BestView::new(hit, store)).transpose()?,
        turns,
        top_rated: games.all(&answer.top_rated)?,
        most_recent: games.all(&answer.most_recent)?,
    })
}

/// How much there is of each kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hits {
    position: String,
    trap: String,
    piece: char,
    /// full, half, area, area-by-piece.
    kinds: Vec<KindHits>,
    /// The area round each trap.
    traps: Vec<TrapHits>,
    /// Puzzles that have this position.
    puzzles: Vec<PuzzleHere>,
}

/// How much there is of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct KindHits {
    kind: KindParam,
    hits: u64,
    games: u64,
    illegal: u64,
    microseconds: u64,
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
    game: u64,
    r#move: String,
    turn: String,
}

/// How often a position was seen, by all kinds at once
#[utoipa::path(
    get, path = "/hits", tag = "memory",
    params(WhereParams, MatchParams, FilterParams),
    responses((status = 200, body = Hits), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn hits(
    State(app): State<App>,
    uri: Uri,
    Ask(place): Ask<WhereParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let place = place.place()?;
    let filter = matching.filter(&games)?;
    let matching = matching.matching();
    answer::cached(&app, &uri, move |store| {
        count(store, &place, matching, &filter)
    })
    .await
}

fn count(
    store: &dyn Memory,
    place: &Place,
    matching: Matching,
    filter: &Filter,
) -> Result<Hits, ApiError> {
    let position = &place.position;
    let mut kinds = Vec::new();
    for kind in KindParam::ALL {
        let started = Instant::now();
        let found = store.find(position, kind.of(place), matching, filter)?;
        kinds.push(KindHits {
            kind,
            hits: found.hits,
            games: found.games,
            illegal: found.illegal,
            microseconds: started.elapsed().as_micros() as u64,
        });
    }
    let mut traps = Vec::new();
    for trap in Square::TRAPS {
        let found = store.find(position, Kind::Area { trap }, matching, filter)?;
        traps.push(TrapHits {
            trap: trap.to_string(),
            hits: found.hits,
            squares: area(trap),
        });
    }
    let puzzles = store.puzzles_at(position, matching)?;
    Ok(Hits {
        position: position.to_string(),
        trap: place.trap.to_string(),
        piece: place.piece.to_char().to_ascii_uppercase(),
        kinds,
        traps,
        puzzles: puzzles
            .into_iter()
            .map(|hit| PuzzleHere {
                game: hit.game.get(),
                r#move: hit.label,
                turn: hit.turn.to_string(),
            })
            .collect(),
    })
}
