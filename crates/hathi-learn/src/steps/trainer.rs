//! Epochs over lessons, and the order of steps that comes out.

use std::ops::{ControlFlow, Range};

use hathi_model::network::inputs::{self, ROWS, Row, Scene};
use hathi_model::network::{HIDDEN, Network, ONE};
use hathi_model::steps::{
    AboutSteps, BESIDE_ENTRIES, END_ROW, MEETS_ENTRIES, RECENT_ENTRIES, STEP_FIRST_ONE,
    STEP_HIDDEN, STEP_ONE, STEP_ROWS, STEP_UNITS, STEP_WEIGHT_ONE, StepNetwork, StepPlaces,
    StepView,
};
use hathi_rules::{Side, Symmetric, Symmetry};

use super::lesson::StepLesson;
use crate::network::{Adam, Home};

/// How to train.
#[derive(Clone, Debug)]
pub struct StepSettings {
    /// Times through all lessons.
    pub epochs: u32,
    /// Lessons between two updates.
    pub batch: usize,
    /// The learning rate at the start; it falls to a hundredth of it.
    pub rate: f32,
    /// Pulls numbers towards nothing (decoupled weight decay).
    pub decay: f32,
    /// Where a network learns further: how strongly its numbers are pulled towards what they were,
    /// instead of towards nothing.
    pub hold: Option<f32>,
    /// One game in so many is for checking.
    pub check_every: u32,
    /// The random seed.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
}

impl Default for StepSettings {
    fn default() -> StepSettings {
        StepSettings {
            epochs: 4,
            batch: 4096,
            rate: 0.002,
            decay: 0.3,
            hold: None,
            check_every: 50,
            seed: 1,
            threads: 2,
        }
    }
}

/// How an epoch went: the mean surprise, minus the logarithm of the chance given
/// to what was right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepEpoch {
    /// Its number, from 1.
    pub number: u32,
    /// Over what was learned, while it was learned.
    pub learned: f64,
}

/// What a listener hears of.
#[derive(Clone, Copy, Debug)]
pub enum StepProgress {
    /// Inside an epoch.
    Within {
        /// Its number.
        epoch: u32,
        /// Lessons gone through.
        done: usize,
        /// All of them.
        of: usize,
    },
    /// At the end of one.
    Done(StepEpoch),
}

// All numbers one after the other: rows, what each counts alone, the tables.
const ALONE: usize = STEP_ROWS * STEP_UNITS;
const BESIDE_AT: usize = ALONE + STEP_ROWS * 4;
const MEETS_AT: usize = BESIDE_AT + BESIDE_ENTRIES;
const RECENT_AT: usize = MEETS_AT + MEETS_ENTRIES;
const FIRST_AT: usize = RECENT_AT + RECENT_ENTRIES;
const BIAS_AT: usize = FIRST_AT + ROWS * STEP_HIDDEN;
const ALL: usize = BIAS_AT + STEP_HIDDEN;

// It begins with units of the evaluation network's first layer.
const _: () = assert!(HIDDEN >= STEP_HIDDEN);

/// Learns the order of steps.
pub struct StepTrainer {
    settings: StepSettings,
    numbers: Vec<f32>,
    /// What it holds on to.
    home: Option<Home<Vec<f32>>>,
    adam: Adam,
    updates: i32,
}

impl StepTrainer {
    /// Begins with what an evaluation network sees on a board, and knows nothing of
    /// steps.
    pub fn new(network: &Network, settings: StepSettings) -> StepTrainer {
        let mut numbers = vec![0.0; ALL];
        let units = network.rows.iter().chain([&network.bias]);
        for (to, from) in numbers[FIRST_AT..].chunks_mut(STEP_HIDDEN).zip(units) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = f32::from(*from) / f32::from(ONE);
            }
        }
        StepTrainer::with(numbers, settings)
    }

    /// Learns further from what a network of steps knows as it plays.
    pub fn from_steps(network: &StepNetwork, settings: StepSettings) -> StepTrainer {
        let mut numbers = vec![0.0; ALL];
        let weights = network.rows.as_flattened();
        for (to, from) in numbers[..ALONE].iter_mut().zip(weights) {
            *to = f32::from(*from) / STEP_WEIGHT_ONE as f32;
        }
        let tables = network.alone.as_flattened().iter();
        let tables = tables.chain(&network.beside).chain(&network.meets);
        let tables = tables.chain(&network.recent);
        for (to, from) in numbers[ALONE..FIRST_AT].iter_mut().zip(tables) {
            *to = f32::from(*from) / STEP_ONE as f32;
        }
        let first = network.first.as_flattened().iter().copied().map(i16::from);
        let first = first.chain(network.first_bias);
        for (to, from) in numbers[FIRST_AT..].iter_mut().zip(first) {
            *to = f32::from(from) / f32::from(STEP_FIRST_ONE);
        }
        let home = settings.hold.map(|strength| Home {
            numbers: numbers.clone(),
            strength,
        });
        StepTrainer {
            home,
            ..StepTrainer::with(numbers, settings)
        }
    }

    fn with(numbers: Vec<f32>, settings: StepSettings) -> StepTrainer {
        StepTrainer {
            settings,
            numbers,
            home: None,
            adam: Adam::new(ALL),
            updates: 0,
        }
    }

    /// Is this lesson kept apart?
    pub fn is_apart(&self, lesson: &StepLesson) -> bool {
        lesson.game.is_multiple_of(self.settings.check_every)
    }

    /// Goes through the lessons until the epochs are over or the listener breaks off.
    pub fn train(
        &mut self,
        lessons: &[StepLesson],
        listener: &mut dyn FnMut(StepProgress) -> ControlFlow<()>,
    ) {
        let mut order: Vec<u32> = (0..lessons.len() as u32)
            .filter(|&index| !self.is_apart(&lessons[index as usize]))
            .collect();
        let mut random = fastrand::Rng::with_seed(self.settings.seed);
        let epochs = self.settings.epochs;
        let batches = order.len().div_ceil(self.settings.batch.max(1)).max(1);
        for epoch in 1..=epochs {
            random.shuffle(&mut order);
            let mut surprise = 0.0;
            for (number, batch) in order.chunks(self.settings.batch.max(1)).enumerate() {
                let part = (f64::from(epoch - 1) + number as f64 / batches as f64)
                    / f64::from(epochs.max(1));
                let rate = self.settings.rate * 0.01_f32.powf(part as f32);
                surprise += self.learn(lessons, batch, rate, random.u64(..));
                let done = (number * self.settings.batch).min(order.len());
                let progress = StepProgress::Within {
                    epoch,
                    done,
                    of: order.len(),
                };
                if listener(progress).is_break() {
                    return;
                }
            }
            let done = StepEpoch {
                number: epoch,
                learned: surprise / order.len().max(1) as f64,
            };
            if listener(StepProgress::Done(done)).is_break() {
                return;
            }
        }
    }

    fn learn(&mut self, lessons: &[StepLesson], batch: &[u32], rate: f32, seed: u64) -> f64 {
        let parts = batch.len().div_ceil(self.settings.threads.max(1)).max(1);
        let numbers = &self.numbers;
        let (slopes, surprise) = std::thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(parts)
                .zip(seed..)
                .map(|(part, seed)| {
                    scope.spawn(move || {
                        let mut slopes = vec![0.0; ALL];
                        let mut random = fastrand::Rng::with_seed(seed);
                        let mut surprise = 0.0;
                        let mut scratch = Scratch::default();
                        for &index in part {
                            let lesson = &lessons[index as usize];
                            scratch.look(lesson, random.bool());
                            surprise += f64::from(study(numbers, &mut scratch, &mut slopes));
                        }
                        (slopes, surprise)
                    })
                })
                .collect();
            let mut all: Option<(Vec<f32>, f64)> = None;
            for worker in workers {
                let Ok((slopes, surprise)) = worker.join() else {
                    continue;
                };
                match &mut all {
                    None => all = Some((slopes, surprise)),
                    Some((sum, total)) => {
                        for (sum, slope) in sum.iter_mut().zip(&slopes) {
                            *sum += slope;
                        }
                        *total += surprise;
                    }
                }
            }
            all.unwrap_or_else(|| (vec![0.0; ALL], 0.0))
        });
        let scale = 1.0 / batch.len().max(1) as f32;
        let slopes: Vec<f32> = slopes.iter().map(|slope| slope * scale).collect();
        self.updates += 1;
        let (time, adam, numbers) = (self.updates, &mut self.adam, &mut self.numbers);
        if let Some(home) = &self.home {
            let pull = |place: usize, number: f32| home.strength * (number - home.numbers[place]);
            adam.update(numbers, &slopes, rate, pull, time);
        } else {
            let decay = self.settings.decay;
            adam.update(numbers, &slopes, rate, |_, number| decay * number, time);
        }
        // What an integer of play can hold.
        let most = f32::from(i8::MAX) / STEP_WEIGHT_ONE as f32;
        for weight in &mut self.numbers[..ALONE] {
            *weight = weight.clamp(-most, most);
        }
        for weight in &mut self.numbers[FIRST_AT..BIAS_AT] {
            *weight = weight.clamp(-1.0, 1.0);
        }
        surprise
    }

    /// The order as it is played by: rounded.
    pub fn network(&self, about: AboutSteps) -> StepNetwork {
        let numbers = &self.numbers;
        let first = |number: f32| (number * f32::from(STEP_FIRST_ONE)).round();
        let rows = numbers[FIRST_AT..BIAS_AT].as_chunks::<STEP_HIDDEN>().0;
        let table = |range: Range<usize>| -> Vec<i16> {
            let most = f32::from(i16::MAX);
            let rounded = numbers[range]
                .iter()
                .map(|number| (number * STEP_ONE as f32).round().clamp(-most, most) as i16);
            rounded.collect()
        };
        StepNetwork {
            first: rows
                .iter()
                .map(|row| row.map(|weight| first(weight) as i8))
                .collect(),
            first_bias: std::array::from_fn(|unit| first(numbers[BIAS_AT + unit]) as i16),
            about,
            rows: numbers[..ALONE]
                .as_chunks::<STEP_UNITS>()
                .0
                .iter()
                .map(|row| row.map(|weight| (weight * STEP_WEIGHT_ONE as f32).round() as i8))
                .collect(),
            alone: table(ALONE..BESIDE_AT).as_chunks::<4>().0.to_vec(),
            beside: table(BESIDE_AT..MEETS_AT),
            meets: table(MEETS_AT..RECENT_AT),
            recent: table(RECENT_AT..FIRST_AT),
        }
    }
}

/// A lesson, looked at.
#[derive(Default)]
struct Scratch {
    rows: [Vec<Row>; 2],
    sums: Vec<f32>,
    unit_slopes: Vec<f32>,
    units: Vec<f32>,
    left: usize,
    steps: Vec<StepPlaces>,
    right: u128,
    can_end: bool,
    ends: bool,
    /// What is said of each step, the end of the turn last.
    said: Vec<f32>,
}

impl Scratch {
    fn look(&mut self, lesson: &StepLesson, mirror: bool) {
        let position = &lesson.position;
        let board = if mirror {
            position.board().under(Symmetry::MIRROR)
        } else {
            *position.board()
        };
        let swap = position.side_to_move() == Side::Silver;
        for rows in &mut self.rows {
            rows.clear();
        }
        let [own, other] = &mut self.rows;
        inputs::list(&Scene::of(&board), |[gold, silver]| {
            let (a, b) = if swap { (silver, gold) } else { (gold, silver) };
            own.push(a);
            other.push(b);
        });
        let view = StepView::of(position, &lesson.past, mirror);
        self.left = view.left();
        self.steps.clear();
        let steps = &mut self.steps;
        position.for_each_step(|step| steps.push(view.places(step)));
        self.right = lesson.right;
        self.can_end = position.can_end_turn();
        self.ends = lesson.ends;
    }

    /// The places of the numbers that count for a step beside its row.
    fn few(&self, places: &StepPlaces) -> [usize; 9] {
        let mut few = [0; 9];
        few[0] = ALONE + usize::from(places.row) * 4 + self.left;
        for (to, place) in few[1..7].iter_mut().zip(places.beside) {
            *to = BESIDE_AT + usize::from(place);
        }
        few[7] = MEETS_AT + usize::from(places.meets);
        few[8] = RECENT_AT + usize::from(places.recent);
        few
    }
}

/// What the numbers say of a lesson, and how each would have to change to do better.
#[inline(always)]
#[allow(clippy::inline_always)] // or it would not be compiled for wide registers
fn study_body(numbers: &[f32], scratch: &mut Scratch, slopes: &mut [f32]) -> f32 {
    let mut said = std::mem::take(&mut scratch.said);
    said.clear();
    scratch.sums.clear();
    for rows in &scratch.rows {
        let mut sums = [0.0f32; STEP_HIDDEN];
        sums.copy_from_slice(&numbers[BIAS_AT..BIAS_AT + STEP_HIDDEN]);
        for &row in rows {
            let weights = &numbers[FIRST_AT + usize::from(row) * STEP_HIDDEN..][..STEP_HIDDEN];
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        scratch.sums.extend(sums);
    }
    scratch.units.clear();
    scratch
        .units
        .extend(scratch.sums.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)));
    scratch.unit_slopes.clear();
    scratch.unit_slopes.resize(STEP_UNITS, 0.0);
    for places in &scratch.steps {
        let row = &numbers[usize::from(places.row) * STEP_UNITS..][..STEP_UNITS];
        let few = scratch.few(places);
        let sum: f32 = few.iter().map(|&place| numbers[place]).sum();
        said.push(sum + dot(row, &scratch.units));
    }
    if scratch.can_end {
        let row = &numbers[END_ROW * STEP_UNITS..][..STEP_UNITS];
        said.push(numbers[ALONE + END_ROW * 4 + scratch.left] + dot(row, &scratch.units));
    }
    let steps = scratch.steps.len();
    let right = |index: usize| {
        if index < steps {
            index < 128 && scratch.right >> index & 1 == 1
        } else {
            scratch.ends
        }
    };
    let top = said.iter().copied().fold(f32::MIN, f32::max);
    let (mut all, mut good) = (0.0, 0.0);
    for (index, value) in said.iter_mut().enumerate() {
        *value = (*value - top).exp();
        all += *value;
        if right(index) {
            good += *value;
        }
    }
    let good = good.max(1e-20);
    for (index, &value) in said.iter().enumerate() {
        let mut slope = value / all;
        if right(index) {
            slope -= value / good;
        }
        // Too little to matter.
        if slope.abs() < 1e-4 {
            continue;
        }
        let row = if index < steps {
            let places = scratch.steps[index];
            for place in scratch.few(&places) {
                slopes[place] += slope;
            }
            usize::from(places.row)
        } else {
            slopes[ALONE + END_ROW * 4 + scratch.left] += slope;
            END_ROW
        };
        let weights = &numbers[row * STEP_UNITS..][..STEP_UNITS];
        for (to, weight) in scratch.unit_slopes.iter_mut().zip(weights) {
            *to += slope * weight;
        }
        let row = &mut slopes[row * STEP_UNITS..][..STEP_UNITS];
        for (to, unit) in row.iter_mut().zip(&scratch.units) {
            *to += slope * unit;
        }
    }
    for (slope, &sum) in scratch.unit_slopes.iter_mut().zip(&scratch.sums) {
        *slope *= if sum > 0.0 && sum < 1.0 {
            2.0 * sum
        } else {
            0.0
        };
    }
    for (rows, changes) in scratch
        .rows
        .iter()
        .zip(scratch.unit_slopes.as_chunks::<STEP_HIDDEN>().0)
    {
        for &row in rows {
            let to = &mut slopes[FIRST_AT + usize::from(row) * STEP_HIDDEN..][..STEP_HIDDEN];
            for (to, change) in to.iter_mut().zip(changes) {
                *to += change;
            }
        }
        for (to, change) in slopes[BIAS_AT..].iter_mut().zip(changes) {
            *to += change;
        }
    }
    scratch.said = said;
    -(good / all).ln()
}

#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn dot(row: &[f32], units: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (row, units) in row
        .as_chunks::<16>()
        .0
        .iter()
        .zip(units.as_chunks::<16>().0)
    {
        for lane in 0..16 {
            sums[lane] += row[lane] * units[lane];
        }
    }
    sums.iter().sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn study_avx2(numbers: &[f32], scratch: &mut Scratch, slopes: &mut [f32]) -> f32 {
    study_body(numbers, scratch, slopes)
}

/// See [`study_body`].
#[allow(unsafe_code)] // for processors that have AVX2: twice as fast
fn study(numbers: &[f32], scratch: &mut Scratch, slopes: &mut [f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function needs, as just asked.
        return unsafe { study_avx2(numbers, scratch, slopes) };
    }
    study_body(numbers, scratch, slopes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::by_network;
    use hathi_model::features::Past;
    use hathi_rules::Position;

    fn lessons() -> Vec<StepLesson> {
        // The rule to learn: the first legal step is always right.
        let mut random = fastrand::Rng::with_seed(7);
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut lessons = Vec::new();
        for game in 1..40 {
            let mut position: Position = start.parse().expect("a position");
            for _ in 0..30 {
                let steps = position.legal_steps();
                let Some(step) = random.choice(&steps).copied() else {
                    break;
                };
                lessons.push(StepLesson {
                    position,
                    past: Past::default(),
                    right: 1,
                    ends: false,
                    game,
                });
                position.apply(step);
                if position.is_mid_push() && position.steps_left() == 0 {
                    break;
                }
                if position.steps_left() == 0 {
                    position = position.end_turn();
                }
            }
        }
        lessons
    }

    /// What is learned from a lesson is the slope of its surprise.
    #[test]
    fn slopes_are_those_of_the_surprise() {
        let lessons = lessons();
        let network = Network::shipped().expect("shipped");
        let mut trainer = StepTrainer::new(network, StepSettings::default());
        let mut random = fastrand::Rng::with_seed(5);
        for number in &mut trainer.numbers[..FIRST_AT] {
            *number = (random.f32() - 0.5) * 0.2;
        }
        for lesson in [&lessons[3], &lessons[200]] {
            let mut scratch = Scratch::default();
            scratch.look(lesson, true);
            let mut slopes = vec![0.0; ALL];
            study(&trainer.numbers, &mut scratch, &mut slopes);
            let mut places: Vec<usize> = (0..ALL)
                .filter(|&place| slopes[place].abs() > 0.01)
                .collect();
            random.shuffle(&mut places);
            assert!(places.len() > 100);
            for &place in places.iter().take(150) {
                let mut moved = |by: f32| {
                    let mut numbers = trainer.numbers.clone();
                    numbers[place] += by;
                    study(&numbers, &mut scratch, &mut vec![0.0; ALL])
                };
                let seen = (moved(0.004) - moved(-0.004)) / 0.008;
                let told = slopes[place];
                assert!(
                    (seen - told).abs() < 0.01 + 0.05 * told.abs(),
                    "number {place}: {told} told, {seen} seen"
                );
            }
        }
    }

    #[test]
    fn learning_further_begins_with_what_a_network_knows() {
        let shipped = StepNetwork::shipped().expect("shipped");
        let trainer = StepTrainer::from_steps(shipped, StepSettings::default());
        let again = trainer.network(shipped.about.clone());
        assert!(again == *shipped, "the same numbers");
    }

    #[test]
    fn a_network_that_holds_on_stays_nearer_to_what_it_was() {
        let shipped = StepNetwork::shipped().expect("shipped");
        let lessons = lessons();
        let moved = |hold| {
            let settings = StepSettings {
                epochs: 6,
                batch: 64,
                rate: 0.01,
                decay: 0.0,
                hold,
                ..StepSettings::default()
            };
            let mut trainer = StepTrainer::from_steps(shipped, settings);
            let home = trainer.numbers.clone();
            trainer.train(&lessons, &mut |_| ControlFlow::Continue(()));
            let pairs = trainer.numbers.iter().zip(&home);
            pairs
                .map(|(now, then)| (now - then).powi(2))
                .sum::<f32>()
                .sqrt()
        };
        let (free, held) = (moved(None), moved(Some(100.0)));
        assert!(0.0 < held && held < free / 2.0, "held {held}, free {free}");
    }

    #[test]
    fn a_rule_is_learned_and_the_same_seed_learns_the_same() {
        let lessons = lessons();
        let settings = StepSettings {
            epochs: 12,
            batch: 64,
            rate: 0.02,
            ..StepSettings::default()
        };
        let train = || {
            let network = Network::shipped().expect("shipped");
            let mut trainer = StepTrainer::new(network, settings.clone());
            trainer.train(&lessons, &mut |_| ControlFlow::Continue(()));
            trainer.network(AboutSteps::default())
        };
        let network = train();
        let before = StepNetwork::nothing(AboutSteps::default());
        let (before, after) = (
            by_network(&before, &lessons),
            by_network(&network, &lessons),
        );
        assert!(before.surprise > 2.0, "{before:?}");
        assert!(after.surprise < 1.0 && after.first > 0.7, "{after:?}");
        assert!(train() == network, "the same again");
    }
}
