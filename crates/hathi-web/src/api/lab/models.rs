//! What learning has brought: models, what they rank first, how well.

use std::sync::LazyLock;

use axum::Json;
use axum::extract::State;
use hathi_learn::evaluate::{Measures, Protocol, Ranker};
use hathi_learn::lessons::LessonGame;
use hathi_model::features::{FEATURES, GROUPS, Past};
use hathi_model::models::{Model, Unit};
use hathi_rules::TurnGenerator;
use hathi_view::numbers::rounded;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::answer;
use super::super::games::replayed;
use super::PositionParams;
use crate::engines;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::filter::FilterParams;
use crate::read;
use crate::state::App;

/// Turns ranked at most.
const MOST_RANKED: usize = 200;

/// Turns of the memory that a model is measured on at most.
const MOST_MEASURED: usize = 300;

/// Games these are from at most: turns are spread over them.
const GAMES: u64 = 30;

static TURNS: LazyLock<Option<Model>> = LazyLock::new(|| Model::shipped().ok());
static STEPS: LazyLock<Option<Model>> = LazyLock::new(|| Model::shipped_steps().ok());

fn turns() -> Result<&'static Model, ApiError> {
    TURNS
        .as_ref()
        .ok_or_else(|| ApiError::internal("the model that is shipped is broken"))
}

/// Models that come with Hathi.
#[derive(Serialize, ToSchema)]
pub(crate) struct Models {
    models: Vec<ModelView>,
}

/// A model.
#[derive(Serialize, ToSchema)]
struct ModelView {
    name: String,
    /// `turn` or `step`: what it ranks.
    unit: String,
    /// How the weights were found.
    method: String,
    /// `one`, `hard` or `blended`: weights by phase.
    phases: String,
    /// What it was trained on, in words.
    trained_on: String,
    games: usize,
    /// Turns or steps of those games.
    positions: usize,
    seed: u64,
    /// Groups of features that were left out.
    without: Vec<String>,
    features: usize,
    /// Cells of the hidden layer; 0 if there is none.
    hidden_cells: usize,
    groups: Vec<GroupView>,
}

/// Features of one kind.
#[derive(Serialize, ToSchema)]
struct GroupView {
    name: String,
    about: String,
    features: usize,
    /// Those with a weight, in any phase.
    used: usize,
    /// The mean size of a weight, over those that are not 0.
    mean_weight: f64,
    /// The largest and the smallest weight.
    highest: f64,
    lowest: f64,
    in_paper: bool,
}

impl ModelView {
    fn new(name: &str, model: &Model) -> ModelView {
        let training = &model.training;
        ModelView {
            name: name.to_owned(),
            unit: match training.unit {
                Unit::Turn => "turn",
                Unit::Step => "step",
            }
            .to_owned(),
            method: training.method.name().to_owned(),
            phases: training.phases.name().to_owned(),
            trained_on: training.games.clone(),
            games: training.game_count,
            positions: training.positions,
            seed: training.seed,
            without: training.without.clone(),
            features: FEATURES,
            hidden_cells: model.cells(),
            groups: GROUPS
                .iter()
                .map(|group| GroupView::new(group, model))
                .collect(),
        }
    }
}

impl GroupView {
    fn new(group: &hathi_model::features::Group, model: &Model) -> GroupView {
        let numbers = group.start..group.start + group.len;
        let used = numbers.clone().filter(|&feature| {
            let mut sets = model.sets();
            sets.any(|weights| weights[feature] != 0.0)
        });
        let weights: Vec<f64> = model
            .sets()
            .flat_map(|set| set[numbers.clone()].iter())
            .map(|&weight| f64::from(weight))
            .filter(|&weight| weight != 0.0)
            .collect();
        let sum: f64 = weights.iter().map(|weight| weight.abs()).sum();
        GroupView {
            name: group.name.to_owned(),
            about: group.about.to_owned(),
            features: group.len,
            used: used.count(),
            mean_weight: rounded(sum / weights.len().max(1) as f64, 3),
            highest: rounded(weights.iter().copied().fold(0.0, f64::max), 3),
            lowest: rounded(weights.iter().copied().fold(0.0, f64::min), 3),
            in_paper: group.in_paper,
        }
    }
}

/// The models that come with Hathi: what they were trained on, what they look at
#[utoipa::path(
    get, path = "/models", tag = "lab",
    responses((status = 200, body = Models), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn models(State(app): State<App>) -> Result<Json<Models>, ApiError> {
    app.errand(|| {
        let known = [("turns", &*TURNS), ("steps", &*STEPS)];
        let models = known
            .into_iter()
            .filter_map(|(name, model)| Some(ModelView::new(name, model.as_ref()?)));
        Ok(Json(Models {
            models: models.collect(),
        }))
    })
    .await
}

/// How many turns.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RankParams {
    /// Turns to show.
    #[serde(default = "twenty")]
    #[param(default = 20, minimum = 0, maximum = 200)]
    limit: usize,
}

const fn twenty() -> usize {
    20
}

/// Turns as the model ranks them.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ranking {
    position: String,
    /// All distinct turns there are.
    turns: usize,
    milliseconds: f64,
    /// The likeliest first.
    ranked: Vec<RankedTurn>,
}

/// A turn and its score.
#[derive(Serialize, ToSchema)]
struct RankedTurn {
    rank: usize,
    turn: String,
    score: f64,
    /// How likely a strong player is to choose it among all, as the model has it.
    chance: f64,
    position_after: String,
}

/// The turns of a position as the model ranks them: those strong players would look at first
///
/// What was played before is not known here, so the features about it count for nothing.
#[utoipa::path(
    get, path = "/rank", tag = "lab", params(PositionParams, RankParams),
    responses((status = 200, body = Ranking), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn rank(
    State(app): State<App>,
    Ask(params): Ask<PositionParams>,
    Ask(how): Ask<RankParams>,
) -> Result<Json<Ranking>, ApiError> {
    let position = read::playable(&params.position)?;
    let limit = answer::limit(how.limit, MOST_RANKED)?;
    engines::work(&app, app.config.limits.request, move |limits| {
        let model = turns()?;
        let mut generator = TurnGenerator::new();
        let mut scores = Vec::new();
        model.score_turns(&position, &Past::default(), &mut generator, &mut scores);
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = scores.iter().map(|s| f64::from(s - top).exp()).sum();
        let mut best: Vec<(usize, f32)> = scores.iter().copied().enumerate().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(limit);
        let reached: Vec<_> = generator.generate(&position).collect();
        let ranked = best.iter().zip(1..).filter_map(|(&(number, score), rank)| {
            let reached = reached.get(number)?;
            Some(RankedTurn {
                rank,
                turn: reached.turn().to_string(),
                score: rounded(f64::from(score), 3),
                chance: rounded(f64::from(score - top).exp() / sum, 5),
                position_after: reached.position().to_string(),
            })
        });
        Ok(Json(Ranking {
            position: position.to_string(),
            turns: scores.len(),
            ranked: ranked.collect(),
            milliseconds: rounded(limits.started.elapsed().as_secs_f64() * 1000.0, 1),
        }))
    })
    .await
}

/// How much to measure.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MeasureParams {
    /// Turns of the memory to look at.
    #[serde(default = "usual_positions")]
    #[param(default = 60, minimum = 1, maximum = 300, example = 2)]
    positions: usize,
}

const fn usual_positions() -> usize {
    60
}

/// How high the model ranks what was played.
#[derive(Serialize, ToSchema)]
pub(crate) struct Measured {
    games: usize,
    /// Turns that were looked at; fewer if there was no time.
    positions: usize,
    /// Per cent of turns not ranked above the one played: mean and median.
    mean_percentile: f64,
    median_percentile: f64,
    /// Per cent of turns played that are in the top 1, 5, 10, 20 per cent.
    top_1: f64,
    top_5: f64,
    top_10: f64,
    top_20: f64,
    seconds: f64,
}

/// Measure the model on games of the memory: how high it ranks what was played
///
/// Turns are spread over up to 30 games. All measures are 0 if no game passes the filter.
#[utoipa::path(
    get, path = "/models/measure", tag = "lab", params(MeasureParams, FilterParams),
    responses((status = 200, body = Measured), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn measure(
    State(app): State<App>,
    Ask(how): Ask<MeasureParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Json<Measured>, ApiError> {
    let most = how.positions;
    if !(1..=MOST_MEASURED).contains(&most) {
        return Err(ApiError::bad_request(format!(
            "`positions` is 1 to {MOST_MEASURED}"
        )));
    }
    let filter = games.filter()?;
    let games = app
        .pool
        .ask(move |store| {
            let mut games = Vec::new();
            store.visit_filtered(&filter, Some(GAMES), &mut |stored| {
                let id = stored.game.id.number();
                // A damaged row is one game less.
                if let Ok(game) = replayed(&stored) {
                    games.push(LessonGame::new(id, &game, None));
                }
                std::ops::ControlFlow::Continue(())
            })?;
            Ok(games)
        })
        .await?;
    // Some time is left for the answer.
    let longest = app.config.limits.request.mul_f64(0.7);
    engines::work(&app, longest, move |limits| {
        let model = turns()?;
        let lessons: Vec<_> = games.iter().flat_map(|game| &game.lessons).collect();
        let every = (lessons.len() / most).max(1);
        let mut ranker = Ranker::default();
        let mut ranks = Vec::new();
        for lesson in lessons.iter().step_by(every).take(most) {
            if limits.stop.asked() || limits.started.elapsed() > longest {
                break;
            }
            ranks.extend(ranker.rank(model, lesson));
        }
        let measures = Measures::of(&ranks, Protocol::Wu);
        Ok(Json(Measured {
            games: games.len(),
            positions: measures.positions,
            mean_percentile: rounded(measures.mean_percentile, 2),
            median_percentile: rounded(measures.median_percentile, 2),
            top_1: rounded(measures.top_1, 2),
            top_5: rounded(measures.top_5, 2),
            top_10: rounded(measures.top_10, 2),
            top_20: rounded(measures.top_20, 2),
            seconds: rounded(limits.started.elapsed().as_secs_f64(), 2),
        }))
    })
    .await
}
