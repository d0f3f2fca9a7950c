//! Bradley-Terry with a hidden layer.
//!
//! Like plain Bradley-Terry, the choices are gone through in an order drawn by
//! chance, in steps that become smaller the more a weight has moved. What comes
//! out is the mean over the way, from the second round on: a layer that goes on
//! longer learns its games by heart, so a few rounds are enough.
//!
//! Where some games are emphasized, the model is for games of that kind: each
//! weight has a part, and the cells have a row, that only these games teach.
//! So the others can differ from them without harm.

use hathi_model::features::{ALWAYS, FEATURES, OUTLOOK, SCENE};
use hathi_model::models::Weights;
use hathi_model::models::hidden::{CELLS, Cells, Hidden};

use super::Recipe;
use super::gradient::competition;
use crate::samples::{Choice, Samples};

/// How strongly cells are drawn to zero, beside weights.
const CELL_RESTRAINT: f32 = 3.0;

/// The first steps of weights and of cells.
const RATE: f32 = 0.1;
const CELL_RATE: f32 = 0.03;

/// Where cells begin: drawn between these, so that no two are alike.
const DRAWN: f32 = 0.05;

/// What a cell counts at first, for one half of them and against for the other.
const OUT: f32 = 0.5;

/// Changes so small are left out.
const NOTHING: f32 = 1e-7;

/// Every so many choices a point of the way is taken into the mean.
const MEAN_EVERY: usize = 1000;
/// The mean is over about so many points, the last ones.
const MEAN_OVER: f32 = 20.0;

/// The numbers of the cells while they are learned.
type Row = [f32; CELLS];

/// A weight: the common part, one for each phase, and one for the games that are
/// emphasized.
type Parts = [f32; 5];

/// The row of the cells that is for games that are emphasized, after those for
/// features of the position.
const EMPHASIZED: usize = SCENE;

#[inline]
fn add(row: &mut Row, parts: &Row) {
    for (number, part) in row.iter_mut().zip(parts) {
        *number += part;
    }
}

/// Numbers that are learned together, each with the squares of its changes so
/// far.
#[derive(Clone)]
struct Learned<const N: usize> {
    values: Vec<[f32; N]>,
    moved: Vec<[f32; N]>,
    rate: f32,
    decay: f32,
}

impl<const N: usize> Learned<N> {
    fn new(values: Vec<[f32; N]>, rate: f32, decay: f32) -> Learned<N> {
        Learned {
            moved: vec![[1.0; N]; values.len()],
            values,
            rate,
            decay,
        }
    }

    fn change(&mut self, index: usize, changes: &[f32; N]) {
        let values = self.values[index].iter_mut();
        for ((value, moved), change) in values.zip(&mut self.moved[index]).zip(changes) {
            let change = change - self.decay * *value;
            *moved += change * change;
            *value += self.rate * change / moved.sqrt();
        }
    }
}

/// Everything that is learned.
#[derive(Clone)]
struct Net {
    weights: Vec<Parts>,
    features: Vec<Row>,
    scene: Vec<Row>,
    out: Row,
}

impl Net {
    /// Moves towards another.
    fn approach(&mut self, other: &Net, share: f32) {
        fn rows<const N: usize>(rows: &mut [[f32; N]], others: &[[f32; N]], share: f32) {
            for (row, other) in rows.iter_mut().zip(others) {
                for (value, other) in row.iter_mut().zip(other) {
                    *value += (other - *value) * share;
                }
            }
        }
        rows(&mut self.weights, &other.weights, share);
        rows(&mut self.features, &other.features, share);
        rows(&mut self.scene, &other.scene, share);
        let (out, other) = (&mut self.out, &other.out);
        rows(
            std::slice::from_mut(out),
            std::slice::from_ref(other),
            share,
        );
    }
}

/// Several layers, each trained from a random seed of its own; what they say
/// together is the mean.
pub(super) fn train_several(
    recipe: &Recipe,
    samples: &Samples,
    tick: &mut dyn FnMut(f64),
) -> (Vec<Box<Weights>>, Vec<Hidden>) {
    let count = recipe.layers;
    let mut sets: Vec<Box<Weights>> = Vec::new();
    let mut layers = Vec::new();
    for number in 0..count {
        let one = Recipe {
            seed: recipe.seed.wrapping_add(u64::from(number)),
            ..recipe.clone()
        };
        let mut part = |done: f64| tick((f64::from(number) + done) / f64::from(count));
        let (trained, layer) = train(&one, samples, &mut part);
        layers.push(layer.scaled(1.0 / count as f32));
        if sets.is_empty() {
            sets = vec![Box::new([0.0; FEATURES]); trained.len()];
        }
        for (set, trained) in sets.iter_mut().zip(&trained) {
            for (weight, trained) in set.iter_mut().zip(trained.iter()) {
                *weight += trained / count as f32;
            }
        }
    }
    (sets, layers)
}

struct Descent<'a> {
    recipe: &'a Recipe,
    samples: &'a Samples,
    used: Box<[bool; FEATURES]>,
    weights: Learned<5>,
    features: Learned<CELLS>,
    scene: Learned<CELLS>,
    out: Learned<CELLS>,
    /// Changes of the choice at hand, and the features they are for.
    changes: Vec<f32>,
    cell_changes: Vec<Row>,
    is_touched: Vec<bool>,
    touched: Vec<usize>,
    scores: Vec<f32>,
    cells: Vec<Row>,
}

/// Trains weights and a layer.
pub(super) fn train(
    recipe: &Recipe,
    samples: &Samples,
    tick: &mut dyn FnMut(f64),
) -> (Vec<Box<Weights>>, Hidden) {
    let mut random = fastrand::Rng::with_seed(recipe.seed);
    let mut drawn = |rows: usize| -> Vec<Row> {
        let mut row = || std::array::from_fn(|_| (random.f32() * 2.0 - 1.0) * DRAWN);
        (0..rows).map(|_| row()).collect()
    };
    let decay = recipe.restraint / samples.len().max(1) as f32;
    let features = drawn(FEATURES);
    let mut scene = drawn(SCENE);
    scene.push([0.0; CELLS]);
    let out = std::array::from_fn(|cell| if cell % 2 == 0 { OUT } else { -OUT });
    let mut used = recipe.used();
    if !samples.have_outlook() {
        used[OUTLOOK..].fill(false);
    }
    let mut descent = Descent {
        recipe,
        samples,
        used,
        weights: Learned::new(vec![[0.0; 5]; FEATURES], RATE, decay),
        features: Learned::new(features, CELL_RATE, CELL_RESTRAINT * decay),
        scene: Learned::new(scene, CELL_RATE, CELL_RESTRAINT * decay),
        out: Learned::new(vec![out], CELL_RATE, 0.0),
        changes: vec![0.0; FEATURES],
        cell_changes: vec![[0.0; CELLS]; FEATURES],
        is_touched: vec![false; FEATURES],
        touched: Vec::new(),
        scores: Vec::new(),
        cells: Vec::new(),
    };
    let mut order = samples.round();
    let mut mean: Option<Net> = None;
    let mut points = 0.0f32;
    for round in 0..recipe.rounds {
        random.shuffle(&mut order);
        for (number, &choice) in order.iter().enumerate() {
            descent.learn(&samples.choices[choice]);
            if number % MEAN_EVERY == 0 && (round > 0 || recipe.rounds == 1) {
                points += 1.0;
                let now = descent.net();
                match &mut mean {
                    None => mean = Some(now),
                    Some(mean) => mean.approach(&now, 1.0 / points.min(MEAN_OVER)),
                }
            }
            if number % 256 == 0 {
                let part = number as f64 / order.len() as f64;
                tick((f64::from(round) + part) / f64::from(recipe.rounds));
            }
        }
    }
    let net = mean.unwrap_or_else(|| descent.net());
    // Cells of features that are not used are still as they were drawn.
    let features = net.features.iter().zip(descent.used.iter());
    let mut scene = net.scene;
    if let Some(emphasized) = scene.pop() {
        add(&mut scene[ALWAYS], &emphasized);
    }
    let hidden = Hidden::new(
        features
            .map(|(row, &used)| Cells::of(if used { row } else { &[0.0; CELLS] }))
            .collect(),
        scene.iter().map(Cells::of).collect(),
        Cells::of(&net.out),
    );
    let weights: Vec<super::Parts> = net
        .weights
        .iter()
        .map(|[common, a, b, c, emphasized]| [common + emphasized, *a, *b, *c])
        .collect();
    (recipe.sets(&weights), hidden)
}

impl Descent<'_> {
    fn net(&self) -> Net {
        Net {
            weights: self.weights.values.clone(),
            features: self.features.values.clone(),
            scene: self.scene.values.clone(),
            out: self.out.values[0],
        }
    }

    /// The scores of all candidates, and their cells.
    fn look(&mut self, choice: &Choice, parts: &Parts) {
        let mut start = if choice.emphasized {
            self.scene.values[EMPHASIZED]
        } else {
            [0.0; CELLS]
        };
        for &feature in &choice.scene {
            add(&mut start, &self.scene.values[usize::from(feature)]);
        }
        let out = &self.out.values[0];
        self.scores.clear();
        self.cells.clear();
        for candidate in choice.first..choice.end {
            let mut sum: Parts = [0.0; 5];
            let mut cells = start;
            for &feature in self.samples.features(candidate) {
                let index = usize::from(feature);
                if !self.used[index] {
                    continue;
                }
                for (sum, weight) in sum.iter_mut().zip(&self.weights.values[index]) {
                    *sum += weight;
                }
                add(&mut cells, &self.features.values[index]);
            }
            let linear: f32 = sum.iter().zip(parts).map(|(sum, part)| sum * part).sum();
            let hidden = cells.iter().zip(out).map(|(cell, out)| cell.max(0.0) * out);
            self.scores.push(linear + hidden.sum::<f32>());
            self.cells.push(cells);
        }
    }

    fn learn(&mut self, choice: &Choice) {
        let [common, a, b, c] = self.recipe.parts(choice);
        let emphasized = f32::from(u8::from(choice.emphasized));
        let parts = [common, a, b, c, emphasized];
        self.look(choice, &parts);
        competition(
            &mut self.scores,
            &self.samples.stands_for[choice.first..choice.end],
        );
        let out = self.out.values[0];
        let mut out_change = [0.0; CELLS];
        let mut scene_change = [0.0; CELLS];
        for (number, candidate) in (choice.first..choice.end).enumerate() {
            let pull = self.scores[number];
            if pull.abs() < NOTHING {
                continue;
            }
            let cells = &self.cells[number];
            let change: Row =
                std::array::from_fn(|i| if cells[i] > 0.0 { pull * out[i] } else { 0.0 });
            for (change, cell) in out_change.iter_mut().zip(cells) {
                *change += pull * cell.max(0.0);
            }
            add(&mut scene_change, &change);
            for &feature in self.samples.features(candidate) {
                let index = usize::from(feature);
                if !self.used[index] {
                    continue;
                }
                if !std::mem::replace(&mut self.is_touched[index], true) {
                    self.touched.push(index);
                }
                self.changes[index] += pull;
                add(&mut self.cell_changes[index], &change);
            }
        }
        for index in self.touched.drain(..) {
            self.is_touched[index] = false;
            let change = std::mem::take(&mut self.changes[index]);
            self.weights.change(index, &parts.map(|part| change * part));
            let change = std::mem::replace(&mut self.cell_changes[index], [0.0; CELLS]);
            self.features.change(index, &change);
        }
        for &feature in &choice.scene {
            self.scene.change(usize::from(feature), &scene_change);
        }
        if choice.emphasized {
            self.scene.change(EMPHASIZED, &scene_change);
        }
        self.out.change(0, &out_change);
    }
}
