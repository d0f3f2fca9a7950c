//! Games made on the fly, for benches without an archive. Always the same
//! games: the seed is fixed.

use hathi_rules::{Board, Game, Position, RuleSet, Side, Turn, TurnGenerator};

/// Every random choice follows from it.
pub(super) const SEED: u64 = 2002;

/// A game that has not ended by then is left unfinished.
const LONGEST: usize = 160;

const SETUPS: [&str; 2] = [
    "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
    "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7",
];

/// Plays `count` games.
pub(super) fn games(count: usize, mut progress: impl FnMut(usize)) -> anyhow::Result<Vec<Game>> {
    let mut random = Random(SEED);
    let mut generator = TurnGenerator::new();
    (0..count)
        .map(|number| {
            progress(number);
            play(&mut random, &mut generator)
        })
        .collect()
}

fn play(random: &mut Random, generator: &mut TurnGenerator) -> anyhow::Result<Game> {
    let mut game = Game::new(RuleSet::Modern);
    for setup in SETUPS {
        game.set_up(&setup.parse()?)?;
    }
    while game.outcome().is_none() && game.turns().len() < LONGEST {
        // Another choice, should the first be a third repetition.
        for _ in 0..8 {
            let turn = choose(&game.position(), random, generator);
            if turn.is_some_and(|turn| game.play(&turn).is_ok()) {
                break;
            }
        }
    }
    Ok(game)
}

/// The best looking of a few random turns. Mostly short ones: turns of four
/// steps are ten times as many and take ten times as long to list.
fn choose(position: &Position, random: &mut Random, generator: &mut TurnGenerator) -> Option<Turn> {
    const CANDIDATES: usize = 12;
    let side = position.side_to_move();
    let steps = [2, 3, 3, 4][random.below(4)];
    let reached: Vec<_> = generator.generate(&position.limited_to(steps)).collect();
    (0..CANDIDATES.min(reached.len()))
        .map(|_| &reached[random.below(reached.len())])
        .max_by_key(|reached| looks(reached.board(), side))
        .map(hathi_rules::Reached::turn)
}

/// Goal above all, then pieces, then rabbits that have come forward.
fn looks(board: &Board, side: Side) -> i64 {
    let value = |side: Side| {
        let rabbits = board.rabbits(side).into_iter();
        let advanced: u32 = rabbits
            .map(|square| match side {
                Side::Gold => square.rank().index() as u32,
                Side::Silver => square.rank().flip().index() as u32,
            })
            .sum();
        let goal = i64::from(board.on_goal()[side]);
        1000 * goal + 8 * i64::from(board.side(side).len()) + i64::from(advanced)
    };
    value(side) - value(side.opponent())
}

/// `SplitMix64`: a few lines, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`, which is small and not 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_games_every_time() -> anyhow::Result<()> {
        let (one, two) = (games(1, |_| ())?, games(1, |_| ())?);
        assert_eq!(one[0].turns(), two[0].turns());
        assert!(one[0].outcome().is_some(), "the game has come to an end");
        Ok(())
    }
}
