//! Archived games, replayed by both.

use std::fmt;

use hathi_rules::{Label, Lines, Replay};

use crate::Oracle;
use crate::answers::winner;
use crate::common::Archived;

/// A move as replayed by one of the two: the board after it and who has won
/// (`-` for nobody), or an objection.
pub(crate) struct Ply {
    pub(crate) label: Label,
    pub(crate) after: Result<(String, char), String>,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.label)?;
        match &self.after {
            Ok((board, winner)) => write!(f, "{board} winner {winner}"),
            Err(objection) => write!(f, "objects: {objection}"),
        }
    }
}

/// Every move up to the first illegal one. Resignations leave the board as it
/// is and are left out.
pub(crate) fn our_plies(game: &Archived) -> Vec<Ply> {
    let mut replay = Replay::new(game.rules);
    let mut plies = Vec::new();
    for line in Lines::new(&game.moves) {
        let line = line.unwrap_or_else(|error| panic!("game {}: {error}", game.id));
        let played = match line.action() {
            Ok(None) => continue,
            Ok(Some(action)) => replay
                .play(line.label, &action)
                .map_err(|fault| fault.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let illegal = played.is_err();
        if replay.gave_up.is_some() && !illegal {
            continue;
        }
        let position = replay.game.position();
        let winner = match replay.game.must_set_up() {
            Some(_) => '-',
            None => winner(position.board(), position.side_to_move().opponent()),
        };
        plies.push(Ply {
            label: line.label,
            after: played.map(|()| (position.board().short_form(), winner)),
        });
        if illegal {
            break;
        }
    }
    plies
}

/// As [`our_plies`], by pyrimaa.
pub(crate) fn their_plies(game: &Archived, oracle: &mut Oracle) -> Vec<Ply> {
    let moves = String::from_utf8_lossy(&game.moves);
    let answer = oracle.ask(&format!("game\t{moves}"));
    let fields = answer.unwrap_or_else(|error| panic!("game {}: {error}", game.id));
    let fields = fields.iter().filter(|field| !field.is_empty());
    fields
        .map(|field| {
            let ply = read_ply(field);
            ply.unwrap_or_else(|| panic!("game {}: the oracle says {field:?}", game.id))
        })
        .collect()
}

fn read_ply(field: &str) -> Option<Ply> {
    let (label, after) = field.split_once(' ')?;
    let after = if let Some(objection) = after.strip_prefix("! ") {
        Err(objection.to_owned())
    } else {
        let (board, winner) = after.rsplit_once(' ')?;
        Ok((board.to_owned(), winner.parse().ok()?))
    };
    let label = label.parse().ok()?;
    Some(Ply { label, after })
}
