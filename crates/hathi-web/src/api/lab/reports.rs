//! Reports of experiments, as `hathi paper` writes them.
//!
//! A report is a folder with a `report.html`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hathi_store::dates;
use serde::Serialize;
use utoipa::ToSchema;

use crate::assets::media_type;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Part;
use crate::state::App;

const REPORT: &str = "report.html";

/// Bytes of a file at most.
const LARGEST: u64 = 32 << 20;

/// What files may show: what is in them, and nothing that runs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox";

/// What may be served.
const ENDS: [&str; 9] = [
    "html", "md", "svg", "png", "json", "csv", "tsv", "txt", "jsonl",
];

/// Finished reports that came with the program, small ones, so that a newcomer
/// sees what comes out: the name of the experiment and its page.
const EXAMPLES: [(&str, &str); 6] = [
    ("mckee", include_str!("../../../samples/reports/mckee.html")),
    ("dose", include_str!("../../../samples/reports/dose.html")),
    (
        "choksi",
        include_str!("../../../samples/reports/choksi.html"),
    ),
    (
        "ordering",
        include_str!("../../../samples/reports/ordering.html"),
    ),
    ("rat", include_str!("../../../samples/reports/rat.html")),
    (
        "carlini",
        include_str!("../../../samples/reports/carlini.html"),
    ),
];

/// What an example is called among the reports.
const EXAMPLE: &str = "example-";

/// The report that shows what an experiment leads to.
pub(super) fn example(experiment: &str) -> Option<String> {
    let known = EXAMPLES.iter().any(|(name, _)| *name == experiment);
    known.then(|| format!("{EXAMPLE}{experiment}"))
}

fn example_page(report: &str) -> Option<&'static str> {
    let wanted = report.strip_prefix(EXAMPLE)?;
    let found = EXAMPLES.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, page)| *page)
}

/// The reports there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lab {
    reports: Vec<Report>,
}

/// A report.
#[derive(Serialize, ToSchema)]
pub(crate) struct Report {
    name: String,
    title: String,
    modified: Option<String>,
    files: Vec<String>,
    url: String,
    /// Did it come with the program?
    example: bool,
}

fn title(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<title>")?;
    Some(rest.split_once("</title>")?.0.trim())
}

/// The reports there are, newest first
#[utoipa::path(get, path = "/lab", tag = "lab", responses((status = 200, body = Lab), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn lab(State(app): State<App>) -> Result<Json<Lab>, ApiError> {
    let shared = app.clone();
    app.errand(move || {
        let mut reports: Vec<(u64, Report)> = Vec::new();
        for folder in &shared.config.lab {
            for (name, path) in folders(folder) {
                if !reports.iter().any(|(_, known)| known.name == name) {
                    reports.extend(report(name, &path));
                }
            }
        }
        reports.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        let examples = EXAMPLES.iter().map(|(name, page)| Report {
            url: format!("/lab-files/{EXAMPLE}{name}/{REPORT}"),
            title: title(page).unwrap_or(name).to_owned(),
            name: format!("{EXAMPLE}{name}"),
            modified: None,
            files: vec![REPORT.to_owned()],
            example: true,
        });
        Ok(Json(Lab {
            reports: reports
                .into_iter()
                .map(|(_, report)| report)
                .chain(examples)
                .collect(),
        }))
    })
    .await
}

/// Folders that hold a report. Where the user happens to be, only those that
/// `hathi paper` makes.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let here = folder == Path::new(".");
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let fits = is_plain(&name) && (!here || name.starts_with("paper"));
            let path = entry.path();
            (fits && path.join(REPORT).is_file()).then_some((name, path))
        })
        .collect()
}

/// A name without tricks.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn report(name: String, path: &Path) -> Option<(u64, Report)> {
    let page = path.join(REPORT);
    let modified = fs::metadata(&page).ok()?.modified().ok()?;
    let seconds = modified.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let mut files: Vec<String> = fs::read_dir(path)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_plain(name) && is_served(name))
        .collect();
    files.sort();
    let text = fs::read(&page).unwrap_or_default();
    let text = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    let title = title(&text).unwrap_or(&name).to_owned();
    let report = Report {
        url: format!("/lab-files/{name}/{REPORT}"),
        title,
        modified: dates::date(seconds.cast_signed()),
        files,
        name,
        example: false,
    };
    Some((seconds, report))
}

fn is_served(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| ENDS.contains(&end))
}

/// `/lab-files/{name}/{file}`
pub(crate) async fn file(
    State(app): State<App>,
    Part((name, file)): Part<(String, String)>,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("there is no such report");
    if !is_plain(&name) || !is_plain(&file) || !is_served(&file) {
        return Err(missing());
    }
    if file == REPORT
        && let Some(page) = example_page(&name)
    {
        let headers = [
            (header::CONTENT_TYPE, media_type(REPORT)),
            (header::CONTENT_SECURITY_POLICY, POLICY),
        ];
        return Ok((headers, page).into_response());
    }
    let shared = app.clone();
    app.errand(move || {
        let found = shared
            .config
            .lab
            .iter()
            .flat_map(|folder| folders(folder))
            .find(|(known, _)| *known == name);
        let path = found.ok_or_else(missing)?.1.join(&file);
        // What a link in the folder points to is not part of the report.
        let about = fs::symlink_metadata(&path).map_err(|_| missing())?;
        if !about.is_file() || about.len() > LARGEST {
            return Err(missing());
        }
        let bytes = fs::read(&path).map_err(|_| missing())?;
        Ok((
            [
                (header::CONTENT_TYPE, media_type(&file)),
                (header::CONTENT_SECURITY_POLICY, POLICY),
            ],
            bytes,
        )
            .into_response())
    })
    .await
}
