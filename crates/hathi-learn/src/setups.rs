//! Which setups do best: all against all, an engine on both sides.
//!
//! Game number `n` is between the setups `n mod k` (Gold) and `n / k mod k`
//! (Silver) of `k`, each mirrored or not by chance, so every `k * k` games each
//! setup meets each as often on either side. The games are kept as those of
//! [`selfplay`](crate::selfplay) are, and are as good to learn from.

use std::path::Path;

use hathi_engine::{Engine, EngineError, SetupTableError, SoundSetup, Stop, Tally};
use hathi_rules::{Game, RuleSet, Side};

use crate::selfplay::{
    Games, OpenError, PlayedGame, SelfPlayError, Settings, Standing, chance_of, fill, play_on,
};

/// Why setups cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SetupsError {
    /// The games.
    #[error(transparent)]
    Play(#[from] SelfPlayError),
    /// The file.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The table.
    #[error(transparent)]
    Table(#[from] SetupTableError),
    /// One setup has nobody to meet.
    #[error("at least two setups are needed")]
    TooFew,
}

/// The names under which setups stand in the settings of a file.
pub fn names(setups: &[SoundSetup]) -> Vec<String> {
    setups.iter().map(|setup| setup.rows.join("/")).collect()
}

/// Plays until the file holds `games` games, or until stopped.
pub fn play(
    path: &Path,
    setups: &[SoundSetup],
    settings: &Settings,
    games: u64,
    threads: usize,
    stop: &Stop,
    listener: &(dyn Fn(Standing) + Sync),
) -> Result<Standing, SetupsError> {
    if setups.len() < 2 {
        return Err(SetupsError::TooFew);
    }
    let one = |engine: &mut dyn Engine, number| play_one(engine, setups, settings, number, stop);
    Ok(fill(path, settings, games, threads, stop, listener, &one)?)
}

/// Who meets whom: Gold's setup, then Silver's.
fn pair(number: u64, setups: usize) -> [usize; 2] {
    let number = number as usize;
    [number % setups, number / setups % setups]
}

fn play_one(
    engine: &mut dyn Engine,
    setups: &[SoundSetup],
    settings: &Settings,
    number: u64,
    stop: &Stop,
) -> Result<Option<PlayedGame>, EngineError> {
    let mut random = chance_of(settings, number);
    engine.new_game(random.u64(..));
    let mut game = Game::new(RuleSet::default());
    for (side, index) in [Side::Gold, Side::Silver]
        .into_iter()
        .zip(pair(number, setups.len()))
    {
        let setup = setups[index].on(side, random.bool());
        let setup = setup.ok_or(EngineError::NoTurn)?;
        game.set_up(&setup).map_err(|_| EngineError::NoTurn)?;
    }
    play_on(engine, settings, number, game, 0, random, stop)
}

/// The setups with what became of them in a file of such games.
pub fn results(path: &Path, setups: &[SoundSetup]) -> Result<Vec<SoundSetup>, SetupsError> {
    let mut found = setups.to_vec();
    for setup in &mut found {
        setup.results = [Tally::default(); 2];
    }
    let mut games = Games::open(path)?;
    if games.settings.setups != names(setups) {
        return Err(SetupsError::Open(OpenError::OtherSettings {
            path: path.to_owned(),
            theirs: games.settings.setups.join(", "),
        }));
    }
    while let Some(game) = games.next_game() {
        let Some(winner) = game.winner else {
            continue;
        };
        let [gold, silver] = pair(game.number, setups.len());
        for (side, index) in [(Side::Gold, gold), (Side::Silver, silver)] {
            let tally = &mut found[index].results[side as usize];
            tally.games += 1;
            tally.won += u32::from(winner == side);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setup_meets_every_other_on_both_sides() {
        let mut met = [[0; 5]; 5];
        for number in 0..50 {
            let [gold, silver] = pair(number, 5);
            met[gold][silver] += 1;
        }
        assert_eq!(met, [[2; 5]; 5]);
    }
}
