//! How games begin.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use hathi_rules::{Setup, Side};
use hathi_view::SetupView;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::filter::{FilterParams, SideParam};
use crate::state::App;

/// Setups shown at most.
const MOST: usize = 200;

/// Whose setups.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SetupParams {
    /// Whose: g (the default) or s.
    #[param(inline)]
    side: Option<SideParam>,
    /// Only Silver's replies to this setup of Gold.
    #[param(example = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2")]
    reply_to: Option<String>,
    /// Exactly these setups: a mirror image is another one. Without, a setup and its mirror image
    /// count as one, as positions do everywhere.
    #[serde(default)]
    literal: bool,
    /// Setups to show.
    #[serde(default = "ten")]
    #[param(default = 10, minimum = 0, maximum = 200)]
    limit: usize,
}

const fn ten() -> usize {
    10
}

/// The setups that are used most.
#[derive(Serialize, ToSchema)]
pub(crate) struct SetupList {
    side: char,
    reply_to: Option<String>,
    /// Games asked about.
    games: u64,
    /// Different setups in them.
    kinds: u64,
    setups: Vec<SetupView>,
}

/// The setups that are used most, and how they fare
#[utoipa::path(
    get, path = "/setups", tag = "memory",
    params(SetupParams, FilterParams),
    responses((status = 200, body = SetupList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn setups(
    State(app): State<App>,
    uri: Uri,
    Ask(params): Ask<SetupParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let limit = answer::limit(params.limit, MOST)?;
    let filter = games.filter()?;
    let reply_to = params.reply_to.as_deref().map(gold_setup).transpose()?;
    let side = match (params.side.map(Side::from), &reply_to) {
        (Some(Side::Gold), Some(_)) => {
            return Err(ApiError::bad_request(
                "`reply_to` asks for Silver's setups: leave `side=g` out",
            ));
        }
        (side, None) => side.unwrap_or(Side::Gold),
        (_, Some(_)) => Side::Silver,
    };
    answer::cached(&app, &uri, move |store| {
        let found = store.setups(side, reply_to.as_ref(), !params.literal, &filter, limit)?;
        Ok(SetupList {
            side: side.to_char(),
            reply_to: reply_to.map(|setup| setup.to_string()),
            games: found.games,
            kinds: found.kinds,
            setups: SetupView::ranked(&found.top),
        })
    })
    .await
}

fn gold_setup(text: &str) -> Result<Setup, ApiError> {
    let setup = setup(text)?;
    if setup.side() == Side::Silver {
        return Err(ApiError::bad_request(
            "`reply_to` is a setup of Silver, who sets up second",
        ));
    }
    Ok(setup)
}

/// `Ra1 Rb1 ...`.
pub(super) fn setup(text: &str) -> Result<Setup, ApiError> {
    text.trim()
        .parse()
        .map_err(|error| ApiError::bad_turn(format!("the setup cannot be read: {error}")))
}
