//! The moves of a game as a few hundred bytes: what the database keeps.
//!
//! ```text
//! 16 bytes  Gold's setup, Silver's setup: four bits a square, lowest first
//! then for each turn: one byte with the number of steps, two bytes a step
//! ```

use hathi_rules::{Game, Role, RuleSet, Setup, Side, Step, Turn};

/// Setups and turns of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Gold's setup.
    pub gold: Setup,
    /// Silver's setup.
    pub silver: Setup,
    /// The turns, Gold's first.
    pub turns: Vec<Turn>,
}

/// The bytes are not the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored moves are damaged at byte {0}")]
pub struct DamagedMoves(pub usize);

impl Moves {
    /// The moves of a game in which both sides have set up.
    pub fn of_game(game: &Game) -> Option<Moves> {
        match game.setups() {
            (Some(gold), Some(silver)) => Some(Moves {
                gold: *gold,
                silver: *silver,
                turns: game.turns().to_vec(),
            }),
            _ => None,
        }
    }

    /// The bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16 + self.turns.len() * 9);
        bytes.extend(encode_setup(&self.gold));
        bytes.extend(encode_setup(&self.silver));
        for turn in &self.turns {
            bytes.push(turn.len() as u8);
            for step in turn.steps() {
                bytes.extend(step.to_bits().to_le_bytes());
            }
        }
        bytes
    }

    /// The moves of these bytes. Whether they are legal is not checked.
    pub fn decode(bytes: &[u8]) -> Result<Moves, DamagedMoves> {
        let setup = |from: usize, side| {
            bytes
                .get(from..from + 8)
                .and_then(|bytes| decode_setup(bytes, side))
                .ok_or(DamagedMoves(from))
        };
        let (gold, silver) = (setup(0, Side::Gold)?, setup(8, Side::Silver)?);
        let mut turns = Vec::with_capacity((bytes.len() - 16) / 8);
        let mut at = 16;
        while let Some(&count) = bytes.get(at) {
            let steps = bytes
                .get(at + 1..at + 1 + 2 * usize::from(count))
                .filter(|_| (1..=4).contains(&count))
                .ok_or(DamagedMoves(at))?;
            let mut turn = Turn::EMPTY;
            for pair in steps.chunks_exact(2) {
                let step = Step::from_bits(u16::from_le_bytes([pair[0], pair[1]]));
                let added = step.map(|step| turn.push(step));
                if added != Some(Ok(())) {
                    return Err(DamagedMoves(at));
                }
            }
            turns.push(turn);
            at += 1 + steps.len();
        }
        Ok(Moves {
            gold,
            silver,
            turns,
        })
    }

    /// The game, played again by the rules.
    pub fn replay(&self, rules: RuleSet) -> Result<Game, DamagedMoves> {
        let mut game = Game::new(rules);
        let set_up = game.set_up(&self.gold).and(game.set_up(&self.silver));
        set_up.map_err(|_| DamagedMoves(0))?;
        for (i, turn) in self.turns.iter().enumerate() {
            game.play(turn).map_err(|_| DamagedMoves(16 + i))?;
        }
        Ok(game)
    }
}

/// A setup in eight bytes: four bits a square, the lowest square first.
pub(crate) fn encode_setup(setup: &Setup) -> [u8; 8] {
    let mut bytes = [0; 8];
    for (i, role) in setup.roles().iter().enumerate() {
        bytes[i / 2] |= (role.index() as u8 + 1) << (4 * (i % 2));
    }
    bytes
}

/// The setup of eight bytes.
pub(crate) fn decode_setup(bytes: &[u8], side: Side) -> Option<Setup> {
    let mut roles = [Role::Rabbit; 16];
    for (i, role) in roles.iter_mut().enumerate() {
        let code = bytes.get(i / 2)? >> (4 * (i % 2)) & 15;
        *role = *Role::ALL.get(usize::from(code).checked_sub(1)?)?;
    }
    Setup::new(side, roles).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::GameRecord;

    pub(crate) fn game() -> Game {
        let record: GameRecord = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2g Ee2n Ee3n Ee4n Ha2n
2s ed7s ed6s ed5s
3g Cc2n Rc1n"
            .parse()
            .unwrap();
        record.replay(RuleSet::Modern).unwrap().game
    }

    #[test]
    fn round_trip() {
        let moves = Moves::of_game(&game()).unwrap();
        let bytes = moves.encode();
        assert_eq!(bytes.len(), 16 + 9 + 7 + 5);
        assert_eq!(Moves::decode(&bytes).unwrap(), moves);
        let again = moves.replay(RuleSet::Modern).unwrap();
        assert_eq!(again.turns(), game().turns());
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let bytes = Moves::of_game(&game()).unwrap().encode();
        for cut in 0..bytes.len() {
            // A cut between two turns is a shorter game; all others are not.
            let whole = [16, 25, 32].contains(&cut);
            assert_eq!(Moves::decode(&bytes[..cut]).is_ok(), whole, "{cut}");
        }
        let mut wrong = bytes.clone();
        wrong[16] = 9;
        assert_eq!(Moves::decode(&wrong), Err(DamagedMoves(16)));
    }
}
