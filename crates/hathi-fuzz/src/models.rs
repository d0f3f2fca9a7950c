//! Models, networks and weights, as `hathi learn` and tuners write them.

use hathi_engine::{Tweaks, Weights};
use hathi_model::features::Past;
use hathi_model::models::Model;
use hathi_model::network::Network;
use hathi_model::steps::{StepNetwork, StepSums, StepView};

use crate::{crowded, is_short};

/// A file that is read is written as what reads as the same, and can be asked.
pub(crate) fn file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Model::from_text(&text) {
        Ok(model) => {
            let printed = model.to_text().expect("a model can be written");
            let again = Model::from_text(&printed).expect("what was written");
            assert_eq!(again.to_text().expect("and again"), printed);
            let weights = model.weights(&crowded());
            assert!(weights.iter().all(|weight| weight.is_finite()));
        }
        // It may quote what it did not understand.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    network(bytes);
    steps(bytes);
    match Weights::parse(&text) {
        Ok(weights) => assert_eq!(Weights::parse(&weights.to_string()), Ok(weights)),
        Err(error) => is_short(&error),
    }
    match Tweaks::parse(&text) {
        Ok(tweaks) => assert_eq!(Tweaks::parse(&tweaks.to_string()), Ok(tweaks)),
        Err(error) => is_short(&error),
    }
}

/// A network that is read can be asked, and is written as the same one.
fn network(bytes: &[u8]) {
    match Network::read(bytes) {
        Ok(network) => {
            let position = crowded();
            let value = network.evaluate(position.board(), position.side_to_move());
            let again = Network::read(&network.to_bytes().expect("a network can be written"))
                .expect("what was written");
            let same = again.evaluate(position.board(), position.side_to_move());
            assert_eq!(same, value);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A network of steps that is read can be asked, and is written as the same one.
fn steps(bytes: &[u8]) {
    match StepNetwork::read(bytes) {
        Ok(network) => {
            let position = crowded();
            let units = StepSums::new(&network, position.board()).units(position.side_to_move());
            let view = StepView::of(&position, &Past::default(), false);
            let said = |network: &StepNetwork| -> Vec<i32> {
                let steps = position.legal_steps().into_iter();
                let scores = steps.map(|step| network.score(&view, &units, step));
                scores.chain([network.score_end(&view, &units)]).collect()
            };
            let written = network.to_bytes().expect("a network can be written");
            let again = StepNetwork::read(&written).expect("what was written");
            assert_eq!(said(&again), said(&network));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
