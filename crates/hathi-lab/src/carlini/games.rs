//! Games drawn by chance from many, the same ones every time.

use hathi_rules::{Game, Position, Replay, RuleSet};
use hathi_view::numbers::grouped;

use crate::bench::archived;

/// What the draw starts with: the same games come out of the same archive.
const SEED: u64 = 2008;

/// Draws games while they pass by, each as likely as any other, without holding
/// more than are wanted.
#[derive(Debug)]
pub struct GameDraw {
    wanted: usize,
    offered: usize,
    random: fastrand::Rng,
    /// With their place among those offered.
    kept: Vec<(usize, (Vec<u8>, RuleSet))>,
}

impl GameDraw {
    /// So many games are wanted.
    pub fn new(wanted: usize) -> GameDraw {
        GameDraw {
            wanted,
            offered: 0,
            random: fastrand::Rng::with_seed(SEED),
            kept: Vec::new(),
        }
    }

    /// The next game; its moves, as an archive writes them, and its rules are only
    /// asked for if it is drawn. A game that has none is not counted.
    pub fn offer(&mut self, game: impl FnOnce() -> Option<(Vec<u8>, RuleSet)>) {
        let number = self.offered;
        self.offered += 1;
        if self.kept.len() < self.wanted {
            self.kept.extend(game().map(|game| (number, game)));
            return;
        }
        let place = self.random.usize(..=number);
        if place < self.wanted
            && let Some(game) = game()
        {
            self.kept[place] = (number, game);
        }
    }

    /// The same for a game that was played by our rules.
    pub fn offer_game(&mut self, game: impl FnOnce() -> Option<Game>) {
        self.offer(|| game().map(|game| (archived(&game), game.rules())));
    }

    /// What was drawn. `source` says in words where the games come from.
    pub fn finish(mut self, source: String) -> DrawnGames {
        self.kept.sort_by_key(|(number, _)| *number);
        DrawnGames {
            source,
            of: self.offered,
            games: self.kept.into_iter().map(|(_, game)| game).collect(),
        }
    }
}

/// The games of an experiment.
#[derive(Debug)]
pub struct DrawnGames {
    source: String,
    /// How many there were to draw from.
    of: usize,
    games: Vec<(Vec<u8>, RuleSet)>,
}

impl DrawnGames {
    /// Which games, in words.
    pub(crate) fn text(&self) -> String {
        let (drawn, of) = (grouped(self.games.len()), grouped(self.of));
        if self.games.len() == self.of {
            format!("{drawn} games: {}", self.source)
        } else {
            format!("{drawn} games, drawn from {of}: {}", self.source)
        }
    }

    /// Other games have another one.
    pub(crate) fn fingerprint(&self) -> String {
        // FNV-1a: the same on every machine and for every version.
        let bytes = self.games.iter().flat_map(|(moves, _)| moves);
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{} games, {hash:016x}", self.games.len())
    }

    pub(crate) fn lists(&self) -> &[(Vec<u8>, RuleSet)] {
        &self.games
    }

    /// Before every turn of every game.
    pub(crate) fn positions(&self) -> Vec<Position> {
        let mut replay = Replay::new(RuleSet::Modern);
        let mut positions = Vec::new();
        for (moves, rules) in &self.games {
            // A game that breaks the rules is as good as any up to there.
            let _ = replay.read(moves, *rules);
            let game = &replay.game;
            positions.extend(game.positions().iter().take(game.turns().len()));
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(offered: usize, wanted: usize) -> DrawnGames {
        let mut draw = GameDraw::new(wanted);
        for number in 0..offered {
            draw.offer(|| Some((number.to_string().into_bytes(), RuleSet::Modern)));
        }
        draw.finish("numbers".to_owned())
    }

    #[test]
    fn games_are_drawn_from_all_and_always_the_same() {
        let drawn = draw(1000, 100);
        assert_eq!(drawn.games.len(), 100);
        assert_eq!(drawn.games, draw(1000, 100).games);
        assert_eq!(drawn.text(), "100 games, drawn from 1,000: numbers");
        let numbers: Vec<usize> = drawn
            .games
            .iter()
            .map(|(text, _)| String::from_utf8_lossy(text).parse().expect("a number"))
            .collect();
        assert!(numbers.is_sorted());
        let late = numbers.iter().filter(|&&number| number >= 500).count();
        assert!((30..=70).contains(&late), "{late} of the second half");
    }

    #[test]
    fn few_games_are_all_taken() {
        let drawn = draw(3, 100);
        assert_eq!(drawn.text(), "3 games: numbers");
        assert_ne!(drawn.fingerprint(), draw(4, 100).fingerprint());
    }
}
