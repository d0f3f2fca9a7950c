//! How far a game has gone: of a position, over a game, over the memory.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use hathi_engine::Stop;
use hathi_learn::clusters::Clusters;
use hathi_learn::heatmap::HeatMap;
use hathi_learn::histogram::Histogram;
use hathi_model::phase::{Phase, PhaseFeatures};
use hathi_rules::{Game, Ply, Position};
use hathi_store::{Filter, Memory};
use hathi_view::numbers::rounded;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::games::{replayed, stored};
use super::super::pictures::image;
use super::{PositionParams, shipped_clusters};
use crate::engines;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, GameName, Part};
use crate::filter::FilterParams;
use crate::pool::lock;
use crate::read;
use crate::state::App;

/// Games that are counted for a heat map at most.
const MOST_GAMES: u64 = 5000;

/// Where a game is by a few numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct PhaseView {
    phase: PhaseName,
    /// 16 at the start, falling: above 14 it is the opening, above 11 the middle game.
    score: f64,
    features: FeaturesView,
    probabilities: Chances,
}

/// A phase.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PhaseName {
    Opening,
    Middle,
    End,
}

/// What the phase is judged by.
#[derive(Serialize, ToSchema)]
struct FeaturesView {
    /// Pieces of the side that has fewer.
    fewer_pieces: u32,
    /// Advanced pieces of the side that has more, elephants left out.
    advanced: u32,
    /// Could either side reach goal if it were to move?
    goal_threat: bool,
}

/// Chances of the phases; together 1.
#[derive(Serialize, ToSchema)]
struct Chances {
    opening: f64,
    middle: f64,
    end: f64,
}

impl From<PhaseFeatures> for PhaseView {
    fn from(features: PhaseFeatures) -> PhaseView {
        let chances = features.probabilities();
        let of = |phase| rounded(chances.of(phase), 4);
        PhaseView {
            phase: match features.heuristic() {
                Phase::Opening => PhaseName::Opening,
                Phase::Middle => PhaseName::Middle,
                Phase::End => PhaseName::End,
            },
            score: features.score().value(),
            features: FeaturesView {
                fewer_pieces: features.fewer_pieces,
                advanced: features.advanced,
                goal_threat: features.goal_threat,
            },
            probabilities: Chances {
                opening: of(Phase::Opening),
                middle: of(Phase::Middle),
                end: of(Phase::End),
            },
        }
    }
}

/// The phase of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionPhase {
    position: String,
    #[serde(flatten)]
    judged: PhaseView,
    /// The name of the likeliest cluster.
    cluster: String,
    /// Groups of boards that were found in games, from the start to the end.
    clusters: Vec<ClusterView>,
    /// What they were found in.
    made_from: String,
}

/// A group of boards.
#[derive(Serialize, ToSchema)]
struct ClusterView {
    name: String,
    /// That the position belongs to it.
    chance: f64,
    /// At its centre: pieces of the side that has fewer.
    pieces: f64,
    /// At its centre: advanced pieces of the side that has more.
    advanced: f64,
    /// Which part of its boards has a goal threat.
    goal_threat: f64,
    /// Which part of all boards it has.
    share: f64,
}

/// How far a game has gone in a position: opening, middle or end
#[utoipa::path(
    get, path = "/phase", tag = "lab", params(PositionParams),
    responses((status = 200, body = PositionPhase), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn phase(
    State(app): State<App>,
    Ask(params): Ask<PositionParams>,
) -> Result<Json<PositionPhase>, ApiError> {
    let position = read::playable(&params.position)?;
    app.errand(move || {
        let clusters = shipped_clusters()?;
        let features = PhaseFeatures::of(&position);
        let chances = clusters.chances(features);
        let all = clusters.all().iter().zip(chances);
        Ok(Json(PositionPhase {
            position: position.to_string(),
            judged: features.into(),
            cluster: clusters.all()[clusters.nearest(features)].name.clone(),
            clusters: all
                .map(|(cluster, chance)| ClusterView {
                    name: cluster.name.clone(),
                    chance: rounded(chance, 4),
                    pieces: rounded(cluster.pieces, 2),
                    advanced: rounded(cluster.advanced, 2),
                    goal_threat: rounded(cluster.goal_threat, 4),
                    share: rounded(cluster.share, 4),
                })
                .collect(),
            made_from: clusters.made_from().to_owned(),
        }))
    })
    .await
}

/// The phase after a turn.
#[derive(Serialize, ToSchema)]
pub(crate) struct TurnPhase {
    ply: usize,
    label: String,
    #[serde(flatten)]
    judged: PhaseView,
}

impl TurnPhase {
    /// After the turn with this number.
    pub(crate) fn after(game: &Game, ply: usize, position: &Position) -> TurnPhase {
        TurnPhase {
            ply,
            label: game.label_of(Ply::after(ply)).to_string(),
            judged: PhaseFeatures::of(position).into(),
        }
    }
}

/// The phases of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GamePhases {
    game: String,
    /// After each turn.
    turns: Vec<TurnPhase>,
}

/// The phase after each turn of a game
#[utoipa::path(
    get, path = "/games/{id}/phases", tag = "lab",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = GamePhases), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game_phases(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
) -> Result<Json<GamePhases>, ApiError> {
    app.pool
        .ask(move |store| {
            let game = replayed(&stored(store, id)?)?;
            let after = game.positions().iter().skip(1).enumerate();
            let turns = after.map(|(ply, position)| TurnPhase::after(&game, ply, position));
            Ok(Json(GamePhases {
                game: id.to_string(),
                turns: turns.collect(),
            }))
        })
        .await
}

/// Which boards to count.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HeatParams {
    /// Games to count at most.
    #[serde(default = "usual_games")]
    #[param(default = 500, minimum = 1, maximum = 5000, example = 5)]
    games: u64,
}

const fn usual_games() -> u64 {
    500
}

/// A position to point out.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HereParams {
    /// `g [64 characters]`: its place is framed.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: Option<String>,
}

/// What was counted for the heat maps.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeatMaps {
    games: u64,
    boards: u64,
    with_goal_threat: u64,
    maps: Vec<HeatMapView>,
}

/// One of them.
#[derive(Serialize, ToSchema)]
struct HeatMapView {
    name: String,
    title: String,
    url: String,
}

/// Boards of the memory by their features, as they were last counted: for the
/// two drawings and for those who look at them one after the other.
#[derive(Default)]
pub(crate) struct Counted(std::sync::Mutex<Option<(CountKey, Arc<Boards>)>>);

type CountKey = (u64, u64, String);

pub(crate) struct Boards {
    games: u64,
    histogram: Histogram,
}

async fn counted(app: &App, how: &HeatParams, filter: Filter) -> Result<Arc<Boards>, ApiError> {
    let most = how.games;
    if !(1..=MOST_GAMES).contains(&most) {
        return Err(ApiError::bad_request(format!(
            "`games` is 1 to {MOST_GAMES}"
        )));
    }
    let key = (app.pool.version(), most, format!("{filter:?}"));
    if let Some((known, boards)) = &*lock(&app.counted.0)
        && *known == key
    {
        return Ok(boards.clone());
    }
    let shared = app.clone();
    let boards = engines::work(app, app.config.limits.request, move |limits| {
        let store = shared.pool.borrow()?;
        count(&*store, &filter, most, &limits.stop)
    })
    .await?;
    let boards = Arc::new(boards);
    *lock(&app.counted.0) = Some((key, boards.clone()));
    Ok(boards)
}

fn count(store: &dyn Memory, filter: &Filter, most: u64, stop: &Stop) -> Result<Boards, ApiError> {
    let mut boards = Boards {
        games: 0,
        histogram: Histogram::default(),
    };
    store.visit_filtered(filter, Some(most), &mut |stored| {
        // A damaged row is one game less.
        if let Ok(game) = replayed(&stored) {
            boards.games += 1;
            for position in game.positions() {
                boards.histogram.add(PhaseFeatures::of(position));
            }
        }
        if stop.asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    if stop.asked() {
        return Err(ApiError::timeout("this took too long; ask for fewer games"));
    }
    Ok(boards)
}

/// The drawings: their names, and whether there is a goal threat.
const MAPS: [(&str, bool); 2] = [("quiet.svg", false), ("goal-threat.svg", true)];

fn title(goal_threat: bool) -> String {
    let with = if goal_threat { "with" } else { "without" };
    format!("Boards {with} a goal threat")
}

/// What the heat maps show: boards of the memory by phase features
#[utoipa::path(
    get, path = "/heatmaps", tag = "lab", params(HeatParams, FilterParams),
    responses((status = 200, body = HeatMaps), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn heat_maps(
    State(app): State<App>,
    Ask(how): Ask<HeatParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Json<HeatMaps>, ApiError> {
    let boards = counted(&app, &how, games.filter()?).await?;
    let threats = boards.histogram.iter().filter(|(f, _)| f.goal_threat);
    Ok(Json(HeatMaps {
        games: boards.games,
        boards: boards.histogram.boards(),
        with_goal_threat: threats.map(|(_, count)| count).sum(),
        maps: MAPS
            .map(|(name, goal_threat)| HeatMapView {
                name: name.to_owned(),
                title: title(goal_threat),
                url: format!("/api/v1/heatmaps/{name}"),
            })
            .into(),
    }))
}

/// Boards of the memory by pieces and advanced pieces, as SVG: `quiet.svg`
/// without, `goal-threat.svg` with a goal threat
#[utoipa::path(
    get, path = "/heatmaps/{name}", tag = "lab",
    params(("name" = String, Path, description = "`quiet.svg` or `goal-threat.svg`", example = "quiet.svg"), HeatParams, HereParams, FilterParams),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn heat_map(
    State(app): State<App>,
    Part(name): Part<String>,
    Ask(how): Ask<HeatParams>,
    Ask(here): Ask<HereParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let Some((_, goal_threat)) = MAPS.into_iter().find(|(known, _)| *known == name) else {
        let names = MAPS.map(|(name, _)| name).join(", ");
        return Err(ApiError::not_found(format!("the heat maps are {names}")));
    };
    let here = here.position.as_deref().map(read::playable).transpose()?;
    let boards = counted(&app, &how, games.filter()?).await?;
    app.errand(move || {
        let clusters = shipped_clusters()?;
        let mut map = HeatMap::of(&boards.histogram, clusters, goal_threat, title(goal_threat));
        if let Some(position) = here {
            let features = PhaseFeatures::of(&position);
            if features.goal_threat == goal_threat {
                map = map.pointing_at(features);
            }
        }
        Ok(image("image/svg+xml", map.svg().into_bytes()))
    })
    .await
}

/// Read once.
pub(super) static CLUSTERS: LazyLock<Option<Clusters>> = LazyLock::new(Clusters::shipped);
