//! Model files: JSON, with everything that says where the weights come from.

use serde::{Deserialize, Serialize};

use super::hidden::{CELLS, Cells, Hidden};
use super::{Method, Model, Phases, Weights};
use crate::features::{FEATURES, GROUPS, SCENE};

/// The version of the format; goes up when features change their meaning.
const VERSION: u32 = 1;

/// How a model was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// The method.
    pub method: Method,
    /// Phases.
    pub phases: Phases,
    /// Whole turns or single steps.
    pub unit: Unit,
    /// What it was trained on, in words.
    pub games: String,
    /// How many games.
    pub game_count: usize,
    /// How many turns of them.
    pub positions: usize,
    /// What the dice started with.
    pub seed: u64,
    /// Names of the groups of features that were left out.
    pub without: Vec<String>,
}

/// What is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Whole turns, among all turns.
    Turn,
    /// Single steps, among all steps.
    Step,
}

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It cannot be read or written.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What went wrong.
        error: std::io::Error,
    },
    /// It is no model.
    #[error("not a model file: {0}; `hathi learn train` writes one")]
    Format(#[from] serde_json::Error),
    /// It is of another version.
    #[error("a model of version {0}, expected {VERSION}; train it again with `hathi learn train`")]
    Version(u32),
    /// Its features are others.
    #[error(
        "the features of the model are not ours ({0}); train it again with `hathi learn train`"
    )]
    Features(String),
}

#[derive(Serialize, Deserialize)]
struct File {
    hathi_model: u32,
    training: Training,
    features: Vec<FileGroup>,
    /// Thousandths, so that files are small and the same everywhere.
    weights: Vec<Vec<i32>>,
    /// The hidden layer, if there is just one, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hidden: Option<FileHidden>,
    /// Hidden layers, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    layers: Vec<FileHidden>,
}

/// A row for each feature of a turn, for each of a position, and what the cells
/// count.
#[derive(Serialize, Deserialize)]
struct FileHidden {
    features: Vec<Vec<i16>>,
    scene: Vec<Vec<i16>>,
    out: Vec<i16>,
}

impl FileHidden {
    fn new(hidden: &Hidden) -> FileHidden {
        let rows = |rows: &[Cells]| rows.iter().map(|row| row.0.to_vec()).collect();
        FileHidden {
            features: rows(&hidden.features),
            scene: rows(&hidden.scene),
            out: hidden.out.0.to_vec(),
        }
    }

    /// The layer, of a file that knows the first `known` features.
    fn read(&self, known: usize) -> Result<Hidden, ModelError> {
        let cells = |row: &Vec<i16>| {
            let fault = |_| ModelError::Features(format!("{} hidden cells", row.len()));
            row.as_slice().try_into().map(Cells).map_err(fault)
        };
        let rows = |rows: &[Vec<i16>], expected: usize| {
            if rows.len() == expected {
                rows.iter().map(cells).collect()
            } else {
                let found = rows.len();
                let text = format!("{found} rows of the hidden layer, ours {expected}");
                Err(ModelError::Features(text))
            }
        };
        let mut features: Vec<Cells> = rows(&self.features, known)?;
        features.resize(FEATURES, Cells([0; CELLS]));
        Ok(Hidden::new(
            features,
            rows(&self.scene, SCENE)?,
            cells(&self.out)?,
        ))
    }
}

#[derive(Serialize, Deserialize, PartialEq)]
struct FileGroup {
    name: String,
    count: usize,
}

fn our_groups() -> Vec<FileGroup> {
    let group = |group: &crate::features::Group| FileGroup {
        name: group.name.to_owned(),
        count: group.len,
    };
    GROUPS.iter().map(group).collect()
}

impl Model {
    /// The model as the text of a file.
    pub fn to_text(&self) -> Result<String, ModelError> {
        let thousandths = |weights: &Weights| {
            let weights = weights.iter();
            weights.map(|w| (w * 1000.0).round() as i32).collect()
        };
        let mut layers: Vec<FileHidden> = self.layers.iter().map(FileHidden::new).collect();
        let hidden = (layers.len() == 1).then(|| layers.pop()).flatten();
        let file = File {
            hathi_model: VERSION,
            training: self.training.clone(),
            features: our_groups(),
            weights: self.sets().map(thousandths).collect(),
            hidden,
            layers,
        };
        Ok(serde_json::to_string(&file)? + "\n")
    }

    /// Reads the text of a file.
    pub fn from_text(text: &str) -> Result<Model, ModelError> {
        let file: File = serde_json::from_str(text)?;
        if file.hathi_model != VERSION {
            return Err(ModelError::Version(file.hathi_model));
        }
        // Groups are only ever added at the end: a model without the last ones
        // does not use them.
        let known = file.features.iter().map(|group| group.count).sum::<usize>();
        if !our_groups().starts_with(&file.features) {
            let theirs = known;
            return Err(ModelError::Features(format!("{theirs}, ours {FEATURES}")));
        }
        if file.weights.len() != file.training.phases.count() {
            let sets = file.weights.len();
            return Err(ModelError::Features(format!("{sets} sets of weights")));
        }
        let mut sets = Vec::new();
        for weights in &file.weights {
            if weights.len() != known {
                let number = weights.len();
                return Err(ModelError::Features(format!("{number} weights")));
            }
            let mut set = Box::new([0.0; FEATURES]);
            for (place, &weight) in set.iter_mut().zip(weights) {
                *place = weight as f32 / 1000.0;
            }
            sets.push(set);
        }
        let layers = file.hidden.iter().chain(&file.layers);
        let layers = layers
            .map(|layer| layer.read(known))
            .collect::<Result<_, _>>()?;
        Ok(Model::new(file.training, sets, layers))
    }

    /// Reads a file.
    pub fn read(path: &std::path::Path) -> Result<Model, ModelError> {
        let text = std::fs::read_to_string(path).map_err(|error| ModelError::Io {
            file: path.display().to_string(),
            error,
        })?;
        Model::from_text(&text)
    }

    /// Writes a file.
    pub fn write(&self, path: &std::path::Path) -> Result<(), ModelError> {
        std::fs::write(path, self.to_text()?).map_err(|error| ModelError::Io {
            file: path.display().to_string(),
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::OUTLOOK;

    #[test]
    fn models_survive_their_file() {
        let mut weights = Box::new([0.0; FEATURES]);
        weights[7] = -1.25;
        weights[FEATURES - 1] = 3.5;
        let training = Training {
            method: Method::BradleyTerry,
            phases: Phases::One,
            unit: Unit::Turn,
            games: "none".to_owned(),
            game_count: 0,
            positions: 0,
            seed: 1,
            without: vec!["goal".to_owned()],
        };
        let model = Model::new(training, vec![weights], Vec::new());
        let text = model.to_text().expect("written");
        let again = Model::from_text(&text).expect("read");
        assert_eq!(again.training, model.training);
        assert!(again.sets().eq(model.sets()));
        let other = text.replacen("\"hathi_model\":1", "\"hathi_model\":9", 1);
        assert!(matches!(
            Model::from_text(&other),
            Err(ModelError::Version(9))
        ));
        let other = text.replacen("\"source\"", "\"sauce\"", 1);
        assert!(matches!(
            Model::from_text(&other),
            Err(ModelError::Features(_))
        ));
        assert!(matches!(Model::from_text("{"), Err(ModelError::Format(_))));
    }

    #[test]
    fn a_model_without_the_last_groups_does_not_use_them() {
        let steps = Model::shipped_steps().expect("the model of steps");
        assert!(!steps.has_outlook());
        for set in steps.sets() {
            assert!(set[OUTLOOK..].iter().all(|&weight| weight == 0.0));
        }
        let text = include_str!("../../models/steps.json");
        let short = text.replacen("{\"name\":\"in-turn\"", "{\"name\":\"in-turns\"", 1);
        assert!(matches!(
            Model::from_text(&short),
            Err(ModelError::Features(_))
        ));
    }

    #[test]
    fn the_shipped_models_can_be_read() {
        let turns = Model::shipped().expect("the model of turns");
        assert_eq!(turns.training.unit, Unit::Turn);
        assert!(turns.has_outlook());
        let again = Model::from_text(&turns.to_text().expect("written")).expect("read");
        assert_eq!(again.cells(), turns.cells());
        let steps = Model::shipped_steps().expect("the model of steps");
        assert_eq!(steps.training.unit, Unit::Step);
    }
}
