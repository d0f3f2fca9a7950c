//! Motifs: named patterns, how often they happen and how they score.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use hathi_archive::GameId;
use hathi_store::{FactsNeeded, Motif, MotifError};
use hathi_view::{MotifTag, MotifView, TaggedGame};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer;
use super::games::stored;
use crate::cache::Asked;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, GameName, Part};
use crate::filter::FilterParams;
use crate::state::App;

/// Examples of each.
const EXAMPLES: usize = 4;

/// All motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct MotifList {
    motifs: Vec<MotifView>,
    /// Files of the owner's that are no motifs, and why.
    broken: Vec<String>,
}

/// Where a game has motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct MotifTags {
    tags: Vec<MotifTag>,
}

/// Those that come with Hathi, and people's own.
struct Known {
    motifs: Vec<Motif>,
    broken: Vec<String>,
}

impl Known {
    fn usual() -> Known {
        Known::of(Motif::usual_folder().as_deref())
    }

    fn of(folder: Option<&Path>) -> Known {
        let (motifs, errors) = Motif::all(folder);
        let mut broken: Vec<String> = errors.iter().map(without_folder).collect();
        broken.sort_unstable();
        Known { motifs, broken }
    }

    /// What is asked at this address, about these motifs: files can change while
    /// the server runs.
    fn asked(&self, uri: &Uri) -> Asked {
        let mut hasher = DefaultHasher::new();
        format!("{:?} {:?}", self.motifs, self.broken).hash(&mut hasher);
        Asked::Address(format!("{uri} {:x}", hasher.finish()).into())
    }
}

/// What is wrong with a file, without telling where this machine keeps it.
fn without_folder(error: &MotifError) -> String {
    match error {
        MotifError::Io { path, error } => {
            let name = path.file_name().unwrap_or_default();
            format!("{}: {error}", name.to_string_lossy())
        }
        error => error.to_string(),
    }
}

/// Named patterns: how often they happen, and how they score for whoever has them
#[utoipa::path(
    get, path = "/motifs", tag = "search",
    params(FilterParams),
    responses((status = 200, body = MotifList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Ask(games): Ask<FilterParams>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let filter = games.filter()?;
    let known = Known::usual();
    let asked = known.asked(&uri);
    answer::cached(&app, asked, move |store| {
        answer::check_facts(store, FactsNeeded::ALL)?;
        let views =
            (known.motifs.iter()).map(|motif| MotifView::ask(motif, store, &filter, EXAMPLES));
        Ok(MotifList {
            motifs: views.collect::<Result<_, _>>()?,
            broken: known.broken,
        })
    })
    .await
}

/// Where a game has which motifs
#[utoipa::path(
    get, path = "/games/{id}/motifs", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = MotifTags), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn of_game(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let known = Known::usual();
    let asked = known.asked(&uri);
    answer::cached(&app, asked, move |store| {
        let stored = stored(store, id)?;
        Ok(MotifTags {
            tags: MotifTag::of_game(&known.motifs, &stored),
        })
    })
    .await
}

/// Games of a list at most.
const MOST: usize = 50;

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TagParams {
    /// What they are known by, with commas between; up to 50.
    #[param(example = "sample:15,sample:16")]
    games: String,
}

/// Games of a list and where they have motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaggedGames {
    /// In the order asked for; games that are not there are left out.
    games: Vec<TaggedGame>,
}

/// Where games of a list have which motifs
#[utoipa::path(
    get, path = "/motif-tags", tag = "games", params(TagParams),
    responses((status = 200, body = TaggedGames), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn of_games(
    State(app): State<App>,
    Ask(params): Ask<TagParams>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let ids: Result<Vec<GameId>, _> = (params.games.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(str::parse)
        .collect();
    let ids = ids.map_err(|error| ApiError::bad_request(format!("`games`: {error}")))?;
    if ids.len() > MOST {
        return Err(ApiError::bad_request(format!(
            "`games` names {}, at most {MOST} are looked at",
            ids.len()
        )));
    }
    let known = Known::usual();
    let asked = known.asked(&uri);
    answer::cached(&app, asked, move |store| {
        let mut games = Vec::with_capacity(ids.len());
        for id in ids {
            let row = store.row_of(id)?;
            let found = row.map(|row| store.game(row)).transpose()?.flatten();
            games.extend(found.map(|stored| TaggedGame {
                game: id.to_string(),
                tags: MotifTag::of_game(&known.motifs, &stored),
            }));
        }
        Ok(TaggedGames { games })
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_motifs_are_read_anew_and_broken_ones_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let uri: Uri = "/api/v1/motifs".parse().expect("an address");
        let shipped = Known::of(None);
        assert!(shipped.broken.is_empty());
        let asked = |known: &Known| known.asked(&uri);
        let known = || Known::of(Some(folder.path()));
        assert_eq!(asked(&shipped), asked(&known()));
        let write = |text: &str| std::fs::write(folder.path().join("mine.motif"), text);
        write("Mine\npattern: Ed4\n").expect("written");
        let own = known();
        assert_eq!(own.motifs.len(), shipped.motifs.len() + 1);
        assert_ne!(asked(&shipped), asked(&own));
        write("Mine\npattern: Ed5\n").expect("written");
        assert_ne!(asked(&own), asked(&known()));
        write("Mine\npattern: ]\n").expect("written");
        std::fs::create_dir(folder.path().join("dir.motif")).expect("made");
        let known = known();
        assert_eq!(known.motifs.len(), shipped.motifs.len());
        let [dir, mine] = &known.broken[..] else {
            panic!("{:?}", known.broken)
        };
        assert!(dir.starts_with("dir.motif: "), "{dir}");
        assert!(
            mine.starts_with("mine: the pattern cannot be read"),
            "{mine}"
        );
        let place = folder.path().to_string_lossy().into_owned();
        assert!(!known.broken.join(" ").contains(&place));
    }
}
