//! Epochs over lessons, and the network that comes out.

use std::ops::ControlFlow;

use hathi_model::network::inputs::{KIN, ROWS, kin};
use hathi_model::network::{
    About, DIRECT_ONE, HIDDEN, LEFT, Network, ONE, OUT_ONE, SECOND, SECOND_FULL, SECOND_ONE,
    SECOND_OUT_ONE, SecondWeights, UNIT,
};

use super::adam::{Adam, Home};
use super::forward::{Numbers, Views, flat_mut, learn};
use super::lesson::Lesson;

/// How to train.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Times through all lessons.
    pub epochs: u32,
    /// Lessons between two updates.
    pub batch: usize,
    /// The learning rate at the start; it falls to a hundredth of it.
    pub rate: f32,
    /// Pulls numbers towards nothing (decoupled weight decay).
    pub decay: f32,
    /// Where a network learns further: how strongly its rows are pulled towards what they were,
    /// instead of towards nothing. Units that were dead know nothing to hold on to; these decay.
    pub hold: Option<f32>,
    /// One game in so many is for checking.
    pub check_every: u32,
    /// The random seed.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 20,
            batch: 4096,
            rate: 0.001,
            decay: 2.0,
            hold: None,
            check_every: 50,
            seed: 1,
            threads: 2,
        }
    }
}

/// How an epoch went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean squared error of the chance to win on what was learned, while learning it.
    pub trained: f64,
    /// The same on the games kept for checking; none if there are too few
    /// games to keep any.
    pub checked: Option<f64>,
}

/// What is heard while training.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// So many of so many lessons of this epoch are done.
    Within {
        /// The epoch, from 1.
        epoch: u32,
        /// Lessons done.
        done: usize,
        /// Lessons in an epoch.
        of: usize,
    },
    /// An epoch is done.
    Done(Epoch),
}

/// Trains one network.
pub struct Trainer {
    settings: Settings,
    /// Rows and then what they share.
    numbers: Numbers,
    /// Rows with what they share added.
    effective: Numbers,
    /// What it holds on to.
    home: Option<Home<Numbers>>,
    /// Units that were dead in the network it learns further from.
    woken: [bool; HIDDEN],
    adam: [Adam; 3],
    random: fastrand::Rng,
    updates: i32,
}

const _: () = assert!(ROWS + KIN < usize::MAX);

impl Trainer {
    /// A network that knows nothing yet.
    pub fn new(settings: Settings) -> Trainer {
        let mut random = fastrand::Rng::with_seed(settings.seed);
        let all = ROWS + KIN;
        let mut numbers = Numbers::zero(all);
        // Small and different, so that units learn different things; what is
        // shared starts at random, rows themselves at nothing.
        for number in &mut numbers.rows[ROWS * HIDDEN..] {
            *number = (random.f32() - 0.5) * 0.1;
        }
        for unit in &mut numbers.bias {
            *unit = random.f32() * 0.5;
        }
        for weight in numbers.out.iter_mut().flatten() {
            *weight = (random.f32() - 0.5) * 0.2;
        }
        for weight in numbers.second.as_flattened_mut().as_flattened_mut() {
            *weight = (random.f32() - 0.5) * 0.3;
        }
        numbers.second_bias = [0.3; SECOND];
        for weight in numbers.second_out.as_flattened_mut() {
            *weight = (random.f32() - 0.5) * 0.2;
        }
        let few = numbers.few().count();
        Trainer {
            numbers,
            effective: Numbers::zero(ROWS),
            home: None,
            woken: [false; HIDDEN],
            adam: [all * HIDDEN, all, few].map(Adam::new),
            random,
            settings,
            updates: 0,
        }
    }

    /// A network that learns further: from what it knows as it plays. Rows begin with what they
    /// share already in them.
    pub fn from_network(settings: Settings, network: &Network) -> Trainer {
        let mut trainer = Trainer::new(settings);
        let numbers = &mut trainer.numbers;
        numbers.rows.fill(0.0);
        let whole = |number: i32, one: f32| number as f32 / one;
        let unit = |number: i16| whole(number.into(), f32::from(ONE));
        let counted = |number: i16| whole(number.into(), f32::from(OUT_ONE));
        let deeper = |number: i32| whole(number, SECOND_OUT_ONE as f32);
        for (to, from) in numbers.rows.iter_mut().zip(network.rows.as_flattened()) {
            *to = unit(*from);
        }
        for (to, from) in numbers.direct.iter_mut().zip(&network.direct) {
            *to = whole(*from, (UNIT * DIRECT_ONE) as f32);
        }
        numbers.bias = network.bias.map(unit);
        numbers.out = network.out.map(|weights| weights.map(counted));
        let gain = network
            .gain
            .map(|stretches| stretches.map(|views| views.map(|weights| weights.map(counted))));
        numbers.gain = [gain; 2];
        let second_gain = network
            .second_gain
            .map(|stretches| stretches.map(|views| views.map(|weights| weights.map(deeper))));
        numbers.second_gain = [second_gain; 2];
        numbers.tempo = [network.tempo.map(|tempo| whole(tempo, UNIT as f32)); 2];
        numbers.second_bias = network
            .second_bias
            .map(|bias| whole(bias, SECOND_FULL as f32));
        numbers.second_out = network.second_out.map(|weights| weights.map(deeper));
        for (unit, views) in numbers.second.iter_mut().enumerate() {
            for index in 0..HIDDEN {
                let [added, taken] = &network.second;
                let place = 2 * unit + index % 2;
                let (sum, difference) = (added[index / 2][place], taken[index / 2][place]);
                let half = |number: i32| whole(number, 2.0 * f32::from(SECOND_ONE));
                views[0][index] = half(i32::from(sum) + i32::from(difference));
                views[1][index] = half(i32::from(sum) - i32::from(difference));
            }
        }
        trainer.wake_dead_units(network);
        trainer.home = trainer.settings.hold.map(|strength| Home {
            numbers: trainer.numbers.clone(),
            strength,
        });
        trainer.share();
        trainer
    }

    /// Units that are never anything but nothing learn no more: those of a network that had fewer, and
    /// those that decay has emptied. They begin again from chance, counting nothing yet, so the
    /// network says the same as before.
    fn wake_dead_units(&mut self, network: &Network) {
        let Trainer {
            numbers,
            random,
            woken,
            ..
        } = self;
        for unit in 0..HIDDEN {
            if network.bias[unit] > 0 || network.rows.iter().any(|row| row[unit] != 0) {
                continue;
            }
            woken[unit] = true;
            let shared = &mut numbers.rows[ROWS * HIDDEN..];
            for number in shared.iter_mut().skip(unit).step_by(HIDDEN) {
                *number = (random.f32() - 0.5) * 0.1;
            }
            numbers.bias[unit] = random.f32() * 0.5;
            let gains = flat_mut(&mut numbers.gain).as_chunks_mut::<HIDDEN>().0;
            for weights in numbers.out.iter_mut().chain(gains) {
                weights[unit] = 0.0;
            }
            for weights in numbers.second.as_flattened_mut() {
                weights[unit] = 0.0;
            }
        }
    }

    /// Goes through the lessons, as often as the settings say, unless the listener has enough.
    pub fn train(
        &mut self,
        lessons: &[Lesson],
        listener: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) {
        let every = self.settings.check_every.max(2);
        let (mut learned, mut checked) = (Vec::new(), Vec::new());
        for lesson in lessons {
            if lesson.game % every == 0 {
                checked.push(*lesson);
            } else {
                learned.push(*lesson);
            }
        }
        let batches = learned.len().div_ceil(self.settings.batch);
        let total = (batches * self.settings.epochs as usize).max(1);
        let threads = self.settings.threads.max(1);
        let mut slopes: Vec<Numbers> = (0..threads).map(|_| Numbers::zero(ROWS)).collect();
        let mut done_batches = 0;
        for epoch in 1..=self.settings.epochs {
            self.random.shuffle(&mut learned);
            let mut error = 0.0;
            let mut done = 0;
            for batch in learned.chunks(self.settings.batch) {
                self.share();
                let seeds: Vec<u64> = (0..threads).map(|_| self.random.u64(..)).collect();
                let part = batch.len().div_ceil(threads);
                let numbers = &self.effective;
                std::thread::scope(|scope| {
                    let work: Vec<_> = batch
                        .chunks(part)
                        .zip(&mut slopes)
                        .zip(seeds)
                        .map(|((lessons, slopes), seed)| {
                            scope.spawn(move || study(numbers, lessons, slopes, seed))
                        })
                        .collect();
                    for thread in work {
                        error += thread.join().unwrap_or_default();
                    }
                });
                let (first, rest) = slopes.split_at_mut(1);
                for other in rest {
                    first[0].add(other);
                    other.clear();
                }
                let progress = done_batches as f32 / total as f32;
                // Half a cosine down to a hundredth.
                let rate = self.settings.rate
                    * (0.01 + 0.99 * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos()));
                self.update(&first[0], batch.len(), rate);
                first[0].clear();
                done_batches += 1;
                done += batch.len();
                let within = Progress::Within {
                    epoch,
                    done,
                    of: learned.len(),
                };
                if listener(within).is_break() {
                    self.share();
                    return;
                }
            }
            self.share();
            let epoch = Epoch {
                number: epoch,
                trained: error / learned.len().max(1) as f64,
                checked: (!checked.is_empty()).then(|| self.error(&checked)),
            };
            if listener(Progress::Done(epoch)).is_break() {
                return;
            }
        }
    }

    /// The mean squared error of the chance to win.
    pub fn error(&self, lessons: &[Lesson]) -> f64 {
        let mut views = Views::default();
        let mut error = 0.0;
        for lesson in lessons {
            if views.look(lesson, false) {
                let seen = learn(&self.effective, &views, lesson.chance, None);
                error += f64::from((seen - lesson.chance).powi(2));
            }
        }
        error / lessons.len().max(1) as f64
    }

    /// Adds what rows share into them.
    fn share(&mut self) {
        let (own, shared) = self.numbers.rows.split_at(ROWS * HIDDEN);
        let (direct, shared_direct) = self.numbers.direct.split_at(ROWS);
        let effective = &mut self.effective;
        effective.rows.copy_from_slice(own);
        effective.direct.copy_from_slice(direct);
        for (row, numbers) in effective.rows.chunks_exact_mut(HIDDEN).enumerate() {
            for shares in kin(row).into_iter().flatten() {
                effective.direct[row] += shared_direct[shares];
                for (number, more) in numbers.iter_mut().zip(&shared[shares * HIDDEN..][..HIDDEN]) {
                    *number += more;
                }
            }
        }
        for (to, from) in effective.few_mut().zip(self.numbers.few()) {
            *to = *from;
        }
    }

    fn update(&mut self, slopes: &Numbers, lessons: usize, rate: f32) {
        self.updates += 1;
        let scale = 1.0 / lessons as f32;
        let mut all = Numbers::zero(ROWS + KIN);
        for (row, from) in slopes.rows.chunks_exact(HIDDEN).enumerate() {
            let direct = slopes.direct[row] * scale;
            all.direct[row] = direct;
            let places = [Some(row)]
                .into_iter()
                .chain(kin(row).map(|shared| shared.map(|shared| ROWS + shared)));
            for (index, place) in places.flatten().enumerate() {
                if index > 0 {
                    all.direct[place] += direct;
                }
                for (to, from) in all.rows[place * HIDDEN..][..HIDDEN].iter_mut().zip(from) {
                    *to += from * scale;
                }
            }
        }
        let decay = self.settings.decay;
        let [rows, direct, rest] = &mut self.adam;
        let (time, numbers, woken) = (self.updates, &mut self.numbers, &self.woken);
        if let Some(Home {
            numbers: home,
            strength,
        }) = &self.home
        {
            let pull = |place: usize, number: f32| {
                if woken[place % HIDDEN] {
                    decay * number
                } else {
                    strength * (number - home.rows[place])
                }
            };
            rows.update(&mut numbers.rows, &all.rows, rate, pull, time);
            let pull = |place: usize, number: f32| strength * (number - home.direct[place]);
            direct.update(&mut numbers.direct, &all.direct, rate, pull, time);
        } else {
            let pull = |_: usize, number: f32| decay * number;
            rows.update(&mut numbers.rows, &all.rows, rate, pull, time);
            direct.update(&mut numbers.direct, &all.direct, rate, pull, time);
        }
        let mut few: Vec<f32> = self.numbers.few().copied().collect();
        let changes: Vec<f32> = slopes.few().map(|slope| slope * scale).collect();
        rest.update(&mut few, &changes, rate, |_, _| 0.0, time);
        for (number, new) in self.numbers.few_mut().zip(few) {
            *number = new;
        }
        // What an integer of play can hold.
        let most = f32::from(i8::MAX) / f32::from(OUT_ONE);
        let numbers = &mut self.numbers;
        let out = numbers.out.as_flattened_mut().iter_mut();
        for weight in out.chain(flat_mut(&mut numbers.gain)) {
            *weight = weight.clamp(-most, most);
        }
        // Two of them added, too.
        let most = f32::from(i16::MAX / 4) / f32::from(SECOND_ONE);
        for weight in numbers.second.as_flattened_mut().as_flattened_mut() {
            *weight = weight.clamp(-most, most);
        }
    }

    /// The network as it is played by: rounded.
    pub fn network(&self, about: About) -> Network {
        let round = |number: f32, one: f32| (number * one).round();
        let unit = |number: f32| round(number, f32::from(ONE)) as i16;
        let effective = &self.effective;
        let rows = effective.rows.chunks_exact(HIDDEN);
        let second = |weights: [f32; SECOND]| {
            weights.map(|weight| round(weight, SECOND_OUT_ONE as f32) as i32)
        };
        Network {
            rows: rows
                .map(|row| std::array::from_fn(|index| unit(row[index])))
                .collect(),
            direct: effective
                .direct
                .iter()
                .map(|&number| round(number, (UNIT * DIRECT_ONE) as f32) as i32)
                .collect(),
            bias: effective.bias.map(unit),
            out: effective
                .out
                .map(|weights| weights.map(|weight| round(weight, f32::from(OUT_ONE)) as i16)),
            gain: effective.gain[1].map(|stretches| {
                stretches.map(|views| {
                    views.map(|weights| {
                        weights.map(|weight| round(weight, f32::from(OUT_ONE)) as i16)
                    })
                })
            }),
            second: self.second_weights(),
            second_bias: effective
                .second_bias
                .map(|bias| round(bias, SECOND_FULL as f32) as i32),
            second_out: effective.second_out.map(second),
            second_gain: effective.second_gain[1]
                .map(|stretches| stretches.map(|views| views.map(second))),
            tempo: self.numbers.tempo[1].map(|tempo| round(tempo, UNIT as f32) as i32),
            about,
        }
    }

    /// The weights of the second layer, rounded, as they are played by.
    fn second_weights(&self) -> SecondWeights {
        let mut weights = [[[0; 2 * SECOND]; HIDDEN / 2]; 2];
        for (unit, [own, other]) in self.effective.second.iter().enumerate() {
            for (index, (own, other)) in own.iter().zip(other).enumerate() {
                // Rounded as they are played by, so that what was read is written again.
                let whole = |weight: f32| (weight * f32::from(SECOND_ONE)).round() as i16;
                let place = 2 * unit + index % 2;
                weights[0][index / 2][place] = whole(own + other);
                weights[1][index / 2][place] = whole(own - other);
            }
        }
        weights
    }

    /// What being on move with a whole turn is worth on any board, in hundredths of a rabbit.
    pub fn tempo(&self) -> f32 {
        self.numbers.tempo[1][LEFT - 1] * UNIT as f32
    }
}

/// Some lessons, learned: the sum of squared errors.
fn study(numbers: &Numbers, lessons: &[Lesson], slopes: &mut Numbers, seed: u64) -> f64 {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut views = Views::default();
    let mut error = 0.0;
    for lesson in lessons {
        if views.look(lesson, random.bool()) {
            let seen = learn(numbers, &views, lesson.chance, Some(slopes));
            error += f64::from((seen - lesson.chance).powi(2));
        }
    }
    error
}
