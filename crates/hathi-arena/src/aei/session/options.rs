//! What a controller may set, and the engine that follows from it.

use std::io::{self, Write};
use std::time::Duration;

use hathi_engine::EngineSpec;

use super::{Session, start_worker};

impl<W: Write> Session<'_, W> {
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if let Some(understood) = self.times.set(name, value) {
            if !understood {
                let text = format!("option {name} is {value:?}, expected a number; left as it was");
                self.log("Warning", &text)?;
            }
            return Ok(());
        }
        let number = value.trim().parse::<u64>();
        let refused = match (name, number) {
            ("opponent", _) => {
                value.clone_into(&mut self.opponent);
                None
            }
            ("opponent_rating" | "rating" | "rated" | "event", _) => None,
            ("depth", Ok(steps)) if steps <= 400 => {
                self.depth = steps as u32;
                None
            }
            ("nodes", Ok(nodes)) => {
                self.nodes = nodes;
                None
            }
            ("seed", Ok(seed)) => {
                self.setting.seed = seed;
                self.worker.new_game(seed);
                None
            }
            ("depth" | "nodes" | "seed", _) => Some(format!("{name} is {value:?}, no number")),
            ("movetime", _) => match value.trim().parse::<f64>() {
                Ok(seconds) if (0.001..1e6).contains(&seconds) => {
                    self.setting.unlimited = Duration::from_secs_f64(seconds);
                    None
                }
                _ => Some(format!("movetime is {value:?}, expected seconds")),
            },
            ("engine", _) => match value.parse::<EngineSpec>() {
                Ok(spec) => {
                    let mut spec = spec;
                    if spec.options.store.is_empty() {
                        spec.options
                            .store
                            .clone_from(&self.setting.spec.options.store);
                    }
                    self.change_engine(spec);
                    None
                }
                Err(error) => Some(error.to_string()),
            },
            _ => {
                let mut spec = self.setting.spec.clone();
                match spec.options.set(name, value) {
                    Ok(()) => {
                        self.change_engine(spec);
                        None
                    }
                    Err(error) => Some(error.to_string()),
                }
            }
        };
        match refused {
            Some(why) => self.log("Warning", &why),
            None => Ok(()),
        }
    }

    /// The new one is made when it is needed.
    pub(super) fn change_engine(&mut self, spec: EngineSpec) {
        if spec != self.setting.spec {
            self.setting.spec = spec;
            self.cancel();
            self.replace_worker();
        }
    }

    pub(super) fn replace_worker(&mut self) {
        self.worker_number += 1;
        self.worker = start_worker(&self.setting, &self.events, self.worker_number);
        self.loaded = false;
        self.late = None;
        if self.waiting > 0 {
            self.worker.load();
        }
    }
}
