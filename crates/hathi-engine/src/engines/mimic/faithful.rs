//! McKee's bot as his thesis describes it: literal boards, his order, the top
//! answer of each level or the next level, a random move in the end.
//!
//! What the thesis leaves open is decided here:
//! - an answer that cannot be played on the real board counts as no answer of
//!   its level (he says so for areas; half boards are treated the same);
//! - an area whose answer carries the piece out of it is asked again once, from
//!   where that piece would be; if that has no answer, the first one stands;
//! - when the area has no answer at all there is no "piece to move": the
//!   strongest own piece in the area that can move takes its place.

use hathi_rules::{Game, Role, Setup, Side, Square, Symmetry, Turn, TurnGenerator};
use hathi_store::{Filter, Hit, Kind, Matching, Memory, PositionQuestion, nearest_trap};

use crate::Level;
use crate::engines::random::random_turn;
use crate::recall;
use crate::setups;
use crate::{Choice, Decision, Engine, EngineError, EngineOptions, Limits, Thought};

/// The thesis, by the letter.
pub(crate) struct Mimic2014 {
    memory: Box<dyn Memory>,
    random: fastrand::Rng,
    turns: TurnGenerator,
}

impl Mimic2014 {
    pub(crate) fn new(options: &EngineOptions) -> Result<Mimic2014, EngineError> {
        Ok(Mimic2014 {
            memory: recall::open(options)?,
            random: fastrand::Rng::with_seed(0),
            turns: TurnGenerator::new(),
        })
    }

    /// Gold: the most common. Silver: the most common reply to Gold's, else
    /// Gold's mirrored.
    fn set_up(&self, game: &Game, side: Side) -> Result<(Setup, String), EngineError> {
        let gold = game.setups().0.copied();
        let all = Filter::default();
        let found = self.memory.setups(side, gold.as_ref(), false, &all, 1)?;
        Ok(match (found.top.first(), gold) {
            (Some(top), None) => (
                top.setup,
                format!(
                    "the most common setup: {} of {} games",
                    top.games, found.games
                ),
            ),
            (Some(top), Some(_)) => (
                top.setup,
                format!(
                    "the most common reply to this setup: {} of {} games",
                    top.games, found.games
                ),
            ),
            (None, Some(gold)) => (
                Symmetry::FLIP.apply(gold),
                "nobody has replied to this setup yet: the same, mirrored".to_owned(),
            ),
            (None, None) => (
                setups::usual(side),
                "the memory is empty: a sound setup".to_owned(),
            ),
        })
    }

    /// The top answer of a level, and its turn if it can be played.
    fn ask(&self, game: &Game, kind: Kind) -> Result<Option<(Hit, Option<Turn>)>, EngineError> {
        let position = game.position();
        let question = PositionQuestion::new(position, kind).literal();
        let hit = self.memory.first(&question)?;
        Ok(hit.map(|hit| (hit, playable(game, &hit.turn))))
    }

    /// The area round the trap nearest the last moved piece.
    fn area(&self, game: &Game, last: Square) -> Result<AreaAnswer, EngineError> {
        let position = game.position();
        let trap = nearest_trap(last);
        let Some((hit, turn)) = self.ask(game, Kind::Area { trap })? else {
            return Ok(AreaAnswer {
                answer: None,
                piece: recall::strongest_in_area(&position, trap),
            });
        };
        let piece = recall::moved_piece(&position, &hit.turn).map(|(role, _)| role);
        let mut answer = turn.map(|turn| (hit, turn));
        if let Some(out) = recall::carried_out(&position, &hit.turn, trap)
            && nearest_trap(out) != trap
        {
            let trap = nearest_trap(out);
            if let Some((again, Some(turn))) = self.ask(game, Kind::Area { trap })? {
                answer = Some((again, turn));
            }
        }
        Ok(AreaAnswer { answer, piece })
    }
}

/// What an area has to say.
struct AreaAnswer {
    /// The turn to play, and where it is from.
    answer: Option<(Hit, Turn)>,
    /// The piece to look through if there is none.
    piece: Option<Role>,
}

/// The turn with its removals, if the game allows it.
fn playable(game: &Game, turn: &Turn) -> Option<Turn> {
    let bare = Turn::from_steps(turn.steps().iter().map(|step| step.bare())).ok()?;
    Some(game.check_turn(&bare).ok()?.0)
}

/// What the memory says is played, with the game it is from.
fn decision(
    memory: &dyn Memory,
    level: Level,
    turn: Turn,
    hit: &Hit,
) -> Result<Decision, EngineError> {
    let game = recall::game_name(memory, hit.game)?;
    let won = if hit.won { "won" } else { "lost" };
    let rating = hit
        .rating
        .map_or_else(|| "unrated".to_owned(), |rating| format!("rated {rating}"));
    Ok(Decision {
        level: Some(level),
        ..Decision::because(
            Choice::Play(turn),
            format!(
                "{}: follows game {game} after {} turns, whose player ({rating}) {won} {} turns \
                 later",
                level.name(),
                hit.ply.turns(),
                hit.turns_left
            ),
        )
    })
}

impl Engine for Mimic2014 {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if game.outcome().is_some() {
            return Err(EngineError::GameOver);
        }
        self.memory.catch_up()?;
        if let Some(side) = game.must_set_up() {
            let (setup, reason) = self.set_up(game, side)?;
            return Ok(Decision {
                level: Some(Level::Setup),
                ..Decision::because(Choice::SetUp(setup), reason)
            });
        }
        let position = game.position();
        let puzzles = self.memory.puzzles_at(&position, Matching::Literal)?;
        let allowed = |turn: &Turn| playable(game, turn).is_some();
        if let Some(puzzle) = puzzles.iter().find(|puzzle| allowed(&puzzle.turn)) {
            return Ok(Decision {
                level: Some(Level::Puzzle),
                ..Decision::because(
                    Choice::Play(puzzle.turn),
                    format!(
                        "wins in two, as in game {} at {}",
                        puzzle.game, puzzle.label
                    ),
                )
            });
        }
        for (level, kind) in [(Level::Full, Kind::Full), (Level::Half, Kind::Half)] {
            if let Some((hit, Some(turn))) = self.ask(game, kind)? {
                return decision(self.memory.as_ref(), level, turn, &hit);
            }
        }
        if let Some(last) = recall::last_moved(game) {
            let area = self.area(game, last)?;
            if let Some((hit, turn)) = area.answer {
                return decision(self.memory.as_ref(), Level::Area, turn, &hit);
            }
            if let Some(piece) = area.piece {
                let trap = nearest_trap(last);
                if let Some((hit, Some(turn))) =
                    self.ask(game, Kind::AreaByPiece { trap, piece })?
                {
                    return decision(self.memory.as_ref(), Level::AreaByPiece, turn, &hit);
                }
            }
        }
        let turn = random_turn(game, &mut self.turns, &mut self.random)?;
        Ok(Decision {
            level: Some(Level::Chance),
            ..Decision::because(
                Choice::Play(turn),
                "nothing like this is remembered: any turn, by chance",
            )
        })
    }
}
