//! Any pattern at all: every position is compared with it.

use std::collections::HashSet;
use std::ops::Range;
use std::thread;

use hathi_rules::Symmetry;

use super::delta::{Delta, delta_positions};
use super::{
    AllowedGames, BOARDS, IndexError, IndexFile, IndexedGame, IndexedMove, MOVES, rank_of,
};
use crate::model::GameRow;
use crate::pattern::{Compiled, PatternAnswer, Raw, translate};
use crate::question::PatternQuestion;
use crate::seen::Seen;

/// Positions looked at in one go: half a megabyte of boards.
const PIECE: usize = 1 << 14;

/// Looks through the index file and the games beside it.
pub(crate) fn search(
    index: Option<&IndexFile>,
    delta: &Delta,
    question: &PatternQuestion,
    allowed: &AllowedGames,
) -> Result<PatternAnswer, IndexError> {
    let &PatternQuestion {
        limit,
        one_per_game,
        ..
    } = question;
    let wanted = PatternScan {
        compiled: question.pattern.compile(question.matching),
        question,
        allowed,
    };
    let mut answer = PatternAnswer::default();
    let mut found: Vec<Raw> = Vec::new();
    if let Some(index) = index {
        let part = wanted.among_indexed(index)?;
        answer.hits = part.hits;
        answer.games = part.games.len();
        found = part.kept;
    }
    // Recent games are few; each list is best first before they are merged.
    let mut games: HashSet<GameRow> = HashSet::new();
    let mut recent = 0;
    let mut rest: Vec<_> = delta_positions(delta).collect();
    rest.sort_by_key(|(_, played, game)| rank_of(game, played.ply()));
    for (board, played, game) in rest {
        let Some(symmetry) = wanted.matches(&board.0, &played, &game) else {
            continue;
        };
        answer.hits += 1;
        let new_game = games.insert(game.row);
        if recent < limit && (new_game || !one_per_game) {
            recent += 1;
            found.push(Raw {
                board,
                played,
                game,
                symmetry,
            });
        }
    }
    found.sort_by_key(|raw| rank_of(&raw.game, raw.played.ply()));
    found.truncate(limit);
    answer.games += games.len() as u64;
    answer.best = found.iter().filter_map(translate).collect();
    Ok(answer)
}

/// What is looked for.
struct PatternScan<'a> {
    compiled: Compiled,
    question: &'a PatternQuestion,
    allowed: &'a AllowedGames,
}

/// What a part of the index holds of it.
struct Part {
    hits: u64,
    games: GameSet,
    /// The best, in their order.
    kept: Vec<Raw>,
}

impl PatternScan<'_> {
    /// How a position has to be turned to the pattern, if it is wanted at all.
    fn matches(
        &self,
        board: &[u64; 4],
        played: &IndexedMove,
        game: &IndexedGame,
    ) -> Option<Symmetry> {
        let fits = self.question.filter.fits_ply(played.ply()) && self.allowed.contains(game.row);
        fits.then(|| self.compiled.matches(board, played.mover()))?
    }

    /// Looks at all positions of the index, shared out among the cores.
    fn among_indexed(&self, index: &IndexFile) -> Result<Part, IndexError> {
        let positions = index.header.positions as usize;
        let share = positions.div_ceil(crate::cores::threads(0)).max(1);
        let parts: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..positions)
                .step_by(share)
                .map(|from| {
                    let to = positions.min(from + share);
                    scope.spawn(move || self.among(index, from..to))
                })
                .collect();
            workers.into_iter().map(crate::cores::joined).collect()
        });
        let mut all = Part::empty(index);
        for part in parts {
            let part = part?;
            all.hits += part.hits;
            for raw in part.kept {
                // The best hit of a game is in the first part that has one.
                let known = self.question.one_per_game && all.games.contains(raw.played.game);
                if all.kept.len() < self.question.limit && !known {
                    all.kept.push(raw);
                }
            }
            all.games.add_all(&part.games);
        }
        Ok(all)
    }

    /// Looks at some of them, a piece at a time: what has just been compared
    /// with its checksum is still at hand.
    fn among(&self, index: &IndexFile, range: Range<usize>) -> Result<Part, IndexError> {
        let mut part = Part::empty(index);
        for from in range.clone().step_by(PIECE) {
            let to = range.end.min(from + PIECE);
            self.among_piece(index, from..to, &mut part)?;
        }
        Ok(part)
    }

    /// Common patterns are met a million times: a hit that is only counted
    /// must cost next to nothing.
    fn among_piece(
        &self,
        index: &IndexFile,
        range: Range<usize>,
        part: &mut Part,
    ) -> Result<(), IndexError> {
        let boards: &[[u64; 4]] = index.slice(BOARDS, range.clone())?;
        // Read only where there is a hit at all.
        let mut moves: &[IndexedMove] = &[];
        let mut broken = None;
        // All that the scan lets through is wanted.
        let surely = !self.compiled.needs_mover()
            && self.question.filter.move_numbers.is_none()
            && self.allowed.is_all();
        self.compiled.scan(boards, |i| {
            if moves.is_empty() {
                match index.slice(MOVES, range.clone()) {
                    Ok(there) => moves = there,
                    Err(error) => broken = Some(error),
                }
            }
            let Some(&played) = moves.get(i) else {
                return;
            };
            let keeps = part.kept.len() < self.question.limit;
            if surely && !keeps {
                part.hits += 1;
                part.games.insert(played.game);
                return;
            }
            let game = match index.game(played.game) {
                Ok(game) => game,
                Err(error) => {
                    broken = Some(error);
                    return;
                }
            };
            let Some(symmetry) = self.matches(&boards[i], &played, &game) else {
                return;
            };
            part.hits += 1;
            let new_game = part.games.insert(played.game);
            if keeps && (new_game || !self.question.one_per_game) {
                part.kept.push(Raw {
                    board: Seen(boards[i]),
                    played,
                    game,
                    symmetry,
                });
            }
        });
        broken.map_or(Ok(()), Err)
    }
}

impl Part {
    fn empty(index: &IndexFile) -> Part {
        Part {
            hits: 0,
            games: GameSet(vec![0; (index.header.games as usize).div_ceil(64)]),
            kept: Vec::new(),
        }
    }
}

/// Games by their number within the index, a bit each.
struct GameSet(Vec<u64>);

impl GameSet {
    /// Was it not in yet? A number that no game has is left out: the index
    /// checks what it reads before anything is said of it.
    #[inline]
    fn insert(&mut self, game: u32) -> bool {
        let Some(word) = self.0.get_mut(game as usize / 64) else {
            return false;
        };
        let bit = 1 << (game % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn contains(&self, game: u32) -> bool {
        let word = self.0.get(game as usize / 64);
        word.is_some_and(|word| word >> (game % 64) & 1 != 0)
    }

    fn add_all(&mut self, other: &GameSet) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
