//! McKee's bot as his thesis describes it: literal boards, his order, the top
//! answer of each level or the next level, a random move in the end, at once
//! when the time is up (section 3.7).
//!
//! Where his words allow two readings, [`Readings`] chooses. What he leaves open
//! is decided here:
//! - an answer that cannot be played on the real board counts as no answer of
//!   its level (he says so for areas; half boards are treated the same);
//! - an area whose answer carries the piece out of it is asked again once, from
//!   where that piece would be; if that has no answer, the first one stands;
//! - when the area has no answer at all there is no "piece to move": the
//!   strongest own piece in the area that can move takes its place.

use std::fmt::Write;

use hathi_rules::{Game, Position, Role, Setup, Side, Square, Step, Symmetry, Turn, TurnGenerator};
use hathi_store::{
    Filter, GameRow, Hit, Kind, Matching, Memory, Pattern, PatternQuestion, PositionQuestion, area,
    nearest_trap,
};

use crate::Level;
use crate::engines::Searcher;
use crate::engines::random::random_turn;
use crate::readings::{HitsUsed, Otherwise, Readings, Replay, SetupsFrom, WindowRound};
use crate::recall;
use crate::setups;
use crate::{Choice, Decision, Engine, EngineError, EngineOptions, Limits, Thought};

/// Of the hits of a pattern so many are tried; he would try the top one.
const MOST_TRIED: usize = 1000;

/// The thesis, by the letter.
pub(crate) struct Mimic2014 {
    memory: Box<dyn Memory>,
    random: fastrand::Rng,
    turns: TurnGenerator,
    readings: Readings,
    /// What plays when nothing is remembered, if chance does not.
    search: Option<Box<dyn Engine>>,
}

/// An answer of the memory, and its turn as it can be played here, if it can.
struct Found {
    from: Source,
    turn: Turn,
    playable: Option<Turn>,
}

/// Where an answer is from.
struct Source {
    game: GameRow,
    turns_before: usize,
    won: bool,
    rating: Option<u16>,
    /// A pattern does not say.
    turns_left: Option<u16>,
}

impl Source {
    fn of(hit: &Hit) -> Source {
        Source {
            game: hit.game,
            turns_before: hit.ply.turns(),
            won: hit.won,
            rating: hit.rating,
            turns_left: Some(hit.turns_left),
        }
    }
}

impl Mimic2014 {
    pub(crate) fn new(options: &EngineOptions) -> Result<Mimic2014, EngineError> {
        let search = || -> Box<dyn Engine> { Box::new(Searcher::fallback(options)) };
        Ok(Mimic2014 {
            memory: recall::open(options)?,
            random: fastrand::Rng::with_seed(0),
            turns: TurnGenerator::new(),
            readings: options.readings,
            search: (options.readings.otherwise == Otherwise::Search).then(search),
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

    /// A turn of another board as it would be played here, if it can be.
    fn playable(&self, game: &Game, turn: &Turn) -> Option<Turn> {
        match self.readings.replay {
            Replay::Letter => playable(game, turn),
            Replay::Square => playable(game, &by_square(&game.position(), turn)?),
        }
    }

    /// The answer of a level: the top one, or the best that can be played; if
    /// none can, the top one.
    fn ask(&self, game: &Game, kind: Kind) -> Result<Option<Found>, EngineError> {
        let question = PositionQuestion::new(game.position(), kind).literal();
        let hit = match self.readings.hits {
            HitsUsed::Top => None,
            HitsUsed::Legal => self.memory.first_that(&question, &|hit: &Hit| {
                self.playable(game, &hit.turn).is_some()
            })?,
        };
        let hit = match hit {
            None => self.memory.first(&question)?,
            found => found,
        };
        Ok(hit.map(|hit| Found {
            playable: self.playable(game, &hit.turn),
            turn: hit.turn,
            from: Source::of(&hit),
        }))
    }

    /// The area round the trap nearest the last moved piece.
    fn area(&self, game: &Game, last: Square) -> Result<AreaAnswer, EngineError> {
        let position = game.position();
        let trap = nearest_trap(last);
        let Some(found) = self.ask(game, Kind::Area { trap })? else {
            return Ok(AreaAnswer {
                answer: None,
                piece: recall::strongest_in_area(&position, trap),
            });
        };
        let piece = recall::moved_piece(&position, &found.turn);
        let out = recall::carried_out(&position, &found.turn, trap);
        let mut answer = found.playable.map(|turn| (found.from, turn));
        if let Some(out) = out
            && nearest_trap(out) != trap
        {
            let trap = nearest_trap(out);
            let again = self.ask(game, Kind::Area { trap })?;
            if let Some((from, turn)) = again.and_then(|again| Some((again.from, again.playable?)))
            {
                answer = Some((from, turn));
            }
        }
        Ok(AreaAnswer { answer, piece })
    }

    /// The area seen from the strength of one piece, round the trap or round
    /// that piece.
    fn by_piece(
        &self,
        game: &Game,
        last: Square,
        (piece, square): (Role, Square),
    ) -> Result<Option<(Source, Turn)>, EngineError> {
        let found = match self.readings.window {
            WindowRound::Trap => {
                let trap = nearest_trap(last);
                self.ask(game, Kind::AreaByPiece { trap, piece })?
            }
            WindowRound::Piece => self.round_the_piece(game, piece, square)?,
        };
        Ok(found.and_then(|found| Some((found.from, found.playable?))))
    }

    /// Windows round any square are in no index: all boards are compared.
    fn round_the_piece(
        &self,
        game: &Game,
        piece: Role,
        square: Square,
    ) -> Result<Option<Found>, EngineError> {
        let Ok(pattern) = Pattern::parse(&window_round(&game.position(), piece, square)) else {
            return Ok(None);
        };
        let answer = self.memory.search(&PatternQuestion {
            matching: Matching::Literal,
            limit: match self.readings.hits {
                HitsUsed::Top => 1,
                HitsUsed::Legal => MOST_TRIED,
            },
            ..PatternQuestion::new(pattern)
        })?;
        let found = answer.best.iter().map(|hit| Found {
            from: Source {
                game: hit.game,
                turns_before: hit.ply.turns(),
                won: hit.won,
                rating: hit.rating,
                turns_left: None,
            },
            turn: hit.turn,
            playable: self.playable(game, &hit.turn),
        });
        Ok(found.into_iter().find(|found| found.playable.is_some()))
    }

    /// Figures 4 to 7: level by level, until one has an answer or the time is
    /// up.
    fn remembered(
        &self,
        game: &Game,
        limits: &Limits,
    ) -> Result<Option<(Level, Source, Turn)>, EngineError> {
        for (level, kind) in [(Level::Full, Kind::Full), (Level::Half, Kind::Half)] {
            if limits.is_over() {
                return Ok(None);
            }
            if let Some(found) = self.ask(game, kind)?
                && let Some(turn) = found.playable
            {
                return Ok(Some((level, found.from, turn)));
            }
        }
        let Some(last) = recall::last_moved(game).filter(|_| !limits.is_over()) else {
            return Ok(None);
        };
        let area = self.area(game, last)?;
        if let Some((from, turn)) = area.answer {
            return Ok(Some((Level::Area, from, turn)));
        }
        let Some(piece) = area.piece.filter(|_| !limits.is_over()) else {
            return Ok(None);
        };
        let found = self.by_piece(game, last, piece)?;
        Ok(found.map(|(from, turn)| (Level::AreaByPiece, from, turn)))
    }

    /// Section 3.7: any turn, or what a search finds while there is time.
    fn fall_back(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        let in_time = !limits.is_over();
        if let Some(search) = self.search.as_mut().filter(|_| in_time) {
            let decision = search.decide(game, limits, listener)?;
            return Ok(Decision {
                level: Some(Level::Search),
                ..decision
            });
        }
        let turn = random_turn(game, &mut self.turns, &mut self.random)?;
        let why = if in_time {
            "nothing like this is remembered: any turn, by chance"
        } else {
            "the time is up: any turn, by chance"
        };
        Ok(Decision {
            level: Some(Level::Chance),
            ..Decision::because(Choice::Play(turn), why)
        })
    }
}

/// What an area has to say.
struct AreaAnswer {
    /// The turn to play, and where it is from.
    answer: Option<(Source, Turn)>,
    /// The piece to look through if there is none, and where it stands.
    piece: Option<(Role, Square)>,
}

/// The turn with its removals, if the game allows it.
fn playable(game: &Game, turn: &Turn) -> Option<Turn> {
    let bare = Turn::from_steps(turn.steps().iter().map(|step| step.bare())).ok()?;
    Some(game.check_turn(&bare).ok()?.0)
}

/// The same squares and directions with the pieces that stand here.
fn by_square(position: &Position, turn: &Turn) -> Option<Turn> {
    let mut position = *position;
    let mut here = Turn::EMPTY;
    for step in turn.steps() {
        let piece = position.board().piece_at(step.from())?;
        let wanted = Step::new(piece, step.from(), step.direction());
        let steps = position.legal_steps();
        let legal = steps.iter().find(|legal| legal.bare() == wanted)?;
        position.apply(*legal);
        here.push(*legal).ok()?;
    }
    Some(here)
}

/// The 5x5 squares round a square as a pattern: friends are friends, enemies
/// weaker, equal or stronger than the piece.
fn window_round(position: &Position, piece: Role, square: Square) -> String {
    let own = position.side_to_move();
    let letter = |side: Side| match side {
        Side::Gold => 'G',
        Side::Silver => 'S',
    };
    let mut text = String::new();
    for square in area(square) {
        let _ = match position.board().piece_at(square) {
            None => write!(text, "_{square} "),
            Some(there) if there.side() == own => write!(text, "{}{square} ", letter(own)),
            Some(there) => {
                let compared = match there.role().cmp(&piece) {
                    std::cmp::Ordering::Less => '<',
                    std::cmp::Ordering::Equal => '=',
                    std::cmp::Ordering::Greater => '>',
                };
                let strength = hathi_rules::Piece::new(Side::Gold, piece);
                write!(
                    text,
                    "{}{compared}{strength}{square} ",
                    letter(there.side())
                )
            }
        };
    }
    let _ = write!(text, "{} to move", own.to_char());
    text
}

/// What the memory says is played, with the game it is from.
fn decision(
    memory: &dyn Memory,
    level: Level,
    turn: Turn,
    from: &Source,
) -> Result<Decision, EngineError> {
    let game = recall::game_name(memory, from.game)?;
    let won = if from.won { "won" } else { "lost" };
    let rating = from
        .rating
        .map_or_else(|| "unrated".to_owned(), |rating| format!("rated {rating}"));
    let later = from
        .turns_left
        .map_or_else(String::new, |turns| format!(" {turns} turns later"));
    Ok(Decision {
        level: Some(level),
        ..Decision::because(
            Choice::Play(turn),
            format!(
                "{}: follows game {game} after {} turns, whose player ({rating}) {won}{later}",
                level.name(),
                from.turns_before,
            ),
        )
    })
}

impl Engine for Mimic2014 {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        if let Some(search) = &mut self.search {
            search.new_game(seed);
        }
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if game.outcome().is_some() {
            return Err(EngineError::GameOver);
        }
        self.memory.catch_up()?;
        if let Some(side) = game.must_set_up() {
            if self.readings.setups == SetupsFrom::Drawn
                && let Some(drawn) = setups::sound(game, &mut self.random)?
            {
                return Ok(drawn);
            }
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
        match self.remembered(game, limits)? {
            Some((level, from, turn)) => decision(self.memory.as_ref(), level, turn, &from),
            None => self.fall_back(game, limits, listener),
        }
    }
}
