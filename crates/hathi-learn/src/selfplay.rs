//! Games of an engine against itself, written down position by position with
//! what the search thought of each: what an evaluation network learns from.
//! Boards from elsewhere can be searched and written down in the same way.
//!
//! Games differ by their beginnings: sound setups, sound ones with a few pieces
//! exchanged, any setups at all; some random first turns; and now and then a
//! random turn in the middle of the game. The same seed gives the same game
//! wherever it is played. A file holds whole games; what a killed process left
//! behind is cut off when it is opened again, and the games missing are played.

mod file;

pub use file::{Games, OpenError, PlayedGame, PlayedPosition, Record};

use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use hathi_engine::{
    AnalysisRequest, Choice, Engine, EngineError, EngineSpec, Limits, Stop, Visited,
};
use hathi_rules::{
    Bitboard, Board, Game, Outcome, PackedBoard, Position, Role, RuleSet, Setup, Side, Step,
    Symmetric, Symmetry, Turn, TurnGenerator,
};
use serde::{Deserialize, Serialize};

/// How games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The engine, as on a command line.
    pub engine: String,
    /// Positions a turn may look at.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
    /// Chance of a random turn in the middle of a game, in thousandths.
    pub random_turns: u32,
    /// After so many turns a game ends without a winner.
    pub longest: u32,
    /// The setups that meet each other; none where every game draws its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<String>,
    /// Of positions from elsewhere: so many are searched that a search of each looks at, drawn by
    /// chance, instead of itself.
    #[serde(default, skip_serializing_if = "is_none")]
    pub visited: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_none(number: &u32) -> bool {
    *number == 0
}

/// Where self-play stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games in the file.
    pub games: u64,
    /// Positions in it.
    pub positions: u64,
}

/// Why self-play ended early.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The engine does not exist.
    #[error(transparent)]
    Spec(#[from] hathi_engine::SpecError),
    /// The engine does not work.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The file does not.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Beyond this many hundredths of a rabbit, seen so many turns in a row by
/// both sides, nobody need play on.
const DECIDED: i32 = 2_500;
const DECIDED_FOR: u32 = 6;

/// A win seen by the search: beyond every evaluation.
const PROVEN: i32 = 90_000;

/// A search that has not looked through so many steps says nothing.
const LEAST_DEPTH: u32 = 4;

/// Plays until the file holds `games` games, or until stopped.
pub fn play(
    path: &Path,
    settings: &Settings,
    games: u64,
    threads: usize,
    stop: &Stop,
    listener: &(dyn Fn(Standing) + Sync),
) -> Result<Standing, SelfPlayError> {
    let one = |engine: &mut dyn Engine, number| play_one(engine, settings, number, stop);
    fill(path, settings, games, threads, stop, listener, &one)
}

/// Boards some random turns later: `copies` of each, one to `turns` turns away, each again with
/// Gold on move. Games that end on the way give none.
pub fn away(boards: &[Board], turns: u32, copies: u32, seed: u64) -> Vec<Begun> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut found = Vec::with_capacity(boards.len() * copies as usize);
    for board in boards {
        for _ in 0..copies {
            let mut side = Side::Gold;
            let (mut before, mut reached) = (*board, Some(*board));
            for _ in 0..random.u32(1..=turns.max(1)) {
                before = reached.unwrap_or(before);
                reached = reached.and_then(|board| random_steps(&board, side, &mut random));
                side = side.opponent();
            }
            let begun = reached.and_then(|board| {
                let changed = before.differing(&board);
                Some(Begun {
                    changed: if side == Side::Gold {
                        changed
                    } else {
                        changed.under(Symmetry::FLIP)
                    },
                    ..Begun::from(seen_by(&board, side)?)
                })
            });
            found.extend(begun);
        }
    }
    found
}

/// A board with Gold on move, and the steps of the turn that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The board at the start of the turn.
    pub board: Board,
    /// What has been done since.
    pub turn: Turn,
    /// Squares the opponent's last turn has changed, as far as is known.
    pub changed: Bitboard,
}

impl From<Board> for Begun {
    fn from(board: Board) -> Begun {
        Begun {
            board,
            turn: Turn::EMPTY,
            changed: Bitboard::EMPTY,
        }
    }
}

/// The same boards in the middle of a turn: one to three random steps are taken, and no push is
/// left half done. Boards where that cannot be give none.
pub fn within(boards: &[Begun], seed: u64) -> Vec<Begun> {
    let mut random = fastrand::Rng::with_seed(seed ^ 0x7769_7468_696e);
    let begin = |begun: &Begun| {
        let board = &begun.board;
        let mut position = Position::new(*board, Side::Gold).ok()?;
        let mut steps = Vec::new();
        let wanted = random.u8(1..=3);
        while position.is_mid_push() || 4 - position.steps_left() < wanted {
            let step = random.choice(position.legal_steps())?;
            position.apply(step);
            steps.push(step);
        }
        let some_left = position.steps_left() > 0 && position.board() != board;
        let turn = Turn::from_steps(steps).ok().filter(|_| some_left)?;
        Some(Begun { turn, ..*begun })
    };
    boards.iter().filter_map(begin).collect()
}

/// The board after one to four random steps of a side; none if that ends the game.
fn random_steps(board: &Board, side: Side, random: &mut fastrand::Rng) -> Option<Board> {
    let mut position = Position::new(*board, side).ok()?;
    let wanted = random.u8(1..=4);
    while position.is_mid_push() || 4 - position.steps_left() < wanted {
        let step = random.choice(position.legal_steps())?;
        position.apply(step);
    }
    let after = position.board();
    let over = Outcome::on_board(after, side, RuleSet::default()).is_some();
    (!over && after != board).then_some(*after)
}

/// The board as the side on move sees it: that side is Gold.
fn seen_by(board: &Board, side: Side) -> Option<Board> {
    let lesson = crate::network::Lesson::new(board, side, 0.5, 0);
    Board::try_from(lesson.board).ok()
}

impl PlayedPosition {
    /// The board as the side on move sees it: that side is Gold. None in the middle of a turn.
    pub fn seen(&self) -> Option<Board> {
        let board = Board::try_from(self.board)
            .ok()
            .filter(|_| self.taken == 0)?;
        seen_by(&board, self.side)
    }
}

/// Positions scored together, as one game nobody won.
const TOGETHER: usize = 64;

/// Searches boards with Gold on move, all of them or until stopped, and writes
/// down what the engine makes of each: games that nobody played, of
/// neighbouring boards each. Boards are as deep as the engine's own `depth`
/// looks, within the positions the settings allow; what it did not look four
/// steps deep into is left out.
pub fn score(
    path: &Path,
    boards: &[Begun],
    settings: &Settings,
    threads: usize,
    stop: &Stop,
    listener: &(dyn Fn(Standing) + Sync),
) -> Result<Standing, SelfPlayError> {
    let together = TOGETHER / (settings.visited as usize).clamp(1, TOGETHER);
    let groups: Vec<&[Begun]> = boards.chunks(together).collect();
    let one = |engine: &mut dyn Engine, number: u64| {
        let group = groups.get(number as usize).copied().unwrap_or_default();
        if settings.visited == 0 {
            return score_some(engine, settings, number, group, stop);
        }
        let visited = visited_from(engine, settings, number, group, stop)?;
        score_some(engine, settings, number, &visited, stop)
    };
    let games = groups.len() as u64;
    fill(path, settings, games, threads, stop, listener, &one)
}

/// Some of the positions that searches of these boards look at, each again with Gold on move.
fn visited_from(
    engine: &mut dyn Engine,
    settings: &Settings,
    number: u64,
    boards: &[Begun],
    stop: &Stop,
) -> Result<Vec<Begun>, EngineError> {
    let mut random = chance_of(settings, number);
    let mut found = Vec::with_capacity(TOGETHER);
    for begun in boards {
        let Ok(position) = Position::new(begun.board, Side::Gold) else {
            continue;
        };
        let game = Game::from_position(RuleSet::default(), position);
        if game.outcome().is_some() {
            continue;
        }
        engine.new_game(0);
        let limits = Limits::nodes(settings.nodes).with_stop(stop.clone());
        let wanted = settings.visited as usize;
        let visited = engine.visited(&game, &limits, wanted, random.u64(..))?;
        found.extend(visited.iter().filter_map(begun_at));
    }
    Ok(found)
}

/// A position a search has looked at, with Gold on move, and the steps that lead to it.
fn begun_at(visited: &Visited) -> Option<Begun> {
    let side = visited.position.side_to_move();
    let board = seen_by(&visited.start, side)?;
    let reached = seen_by(visited.position.board(), side)?;
    let start = Position::new(board, Side::Gold).ok()?;
    let taken = 4 - visited.position.steps_left().min(4);
    let mut steps = Vec::new();
    if !leads_to(&start, &reached, taken, &mut steps) {
        return None;
    }
    Some(Begun {
        board,
        turn: Turn::from_steps(steps).ok()?,
        changed: if side == Side::Gold {
            visited.changed
        } else {
            visited.changed.under(Symmetry::FLIP)
        },
    })
}

/// Finds so many steps that lead to a board, no push left half done.
fn leads_to(position: &Position, board: &Board, steps_left: u8, steps: &mut Vec<Step>) -> bool {
    if steps_left == 0 {
        return position.board() == board && !position.is_mid_push();
    }
    // A step changes two squares, and a third where a piece is removed.
    if position.board().differing(board).len() > 3 * u32::from(steps_left) {
        return false;
    }
    for step in position.legal_steps() {
        steps.push(step);
        if leads_to(&position.after(step), board, steps_left - 1, steps) {
            return true;
        }
        steps.pop();
    }
    false
}

fn score_some(
    engine: &mut dyn Engine,
    settings: &Settings,
    number: u64,
    boards: &[Begun],
    stop: &Stop,
) -> Result<Option<PlayedGame>, EngineError> {
    let mut positions = Vec::with_capacity(boards.len());
    for begun in boards {
        let Ok(position) = Position::new(begun.board, Side::Gold) else {
            continue;
        };
        let mut reached = position;
        for &step in begun.turn.steps() {
            reached.apply(step);
        }
        let game = Game::from_position(RuleSet::default(), position);
        if game.outcome().is_some() {
            continue;
        }
        engine.new_game(0);
        let limits = Limits::nodes(settings.nodes).with_stop(stop.clone());
        let request = AnalysisRequest {
            begun: begun.turn,
            ..AnalysisRequest::of(&game)
        };
        let thought = match engine.analyse(&request, &limits, &mut |_| {}) {
            Ok(analysis) => analysis.lines.into_iter().next(),
            Err(EngineError::NoTurn) => None,
            Err(error) => return Err(error),
        };
        if stop.asked() {
            return Ok(None);
        }
        if let Some(thought) = thought
            && (thought.depth >= LEAST_DEPTH || thought.score > PROVEN)
        {
            let taken = begun.turn.steps().len();
            // Lines begin with the whole turn, what was taken before it included.
            let whole = thought.line.first().copied().unwrap_or(Turn::EMPTY);
            let rest = whole.steps().get(taken..).unwrap_or_default();
            positions.push(PlayedPosition {
                board: PackedBoard::from(reached.board()),
                side: Side::Gold,
                score: thought.score,
                depth: thought.depth.min(255) as u8,
                taken: 4 - reached.steps_left().min(4),
                turn: Turn::from_steps(rest.iter().copied()).unwrap_or(Turn::EMPTY),
                changed: begun.changed,
                moved: begun.board.differing(reached.board()),
            });
        }
    }
    Ok(Some(PlayedGame {
        number,
        winner: None,
        positions,
    }))
}

/// What is done for one number: a game, or none if it was stopped.
pub(crate) type One<'a> =
    &'a (dyn Fn(&mut dyn Engine, u64) -> Result<Option<PlayedGame>, EngineError> + Sync);

/// Adds what is missing of the games 0, 1, ... to a file.
pub(crate) fn fill(
    path: &Path,
    settings: &Settings,
    games: u64,
    threads: usize,
    stop: &Stop,
    listener: &(dyn Fn(Standing) + Sync),
    one: One<'_>,
) -> Result<Standing, SelfPlayError> {
    let spec: EngineSpec = settings.engine.parse()?;
    let record = Record::open(path, settings)?;
    let standing = record.standing();
    listener(standing);
    let done: HashSet<u64> = record.numbers().collect();
    let todo: Vec<u64> = (0..)
        .filter(|number| !done.contains(number))
        .take(games.saturating_sub(standing.games) as usize)
        .collect();
    let next = AtomicU64::new(0);
    let record = Mutex::new(record);
    let failed: Mutex<Option<SelfPlayError>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let result = work(&spec, &todo, &next, &record, listener, one);
                if let Err(error) = result {
                    stop.now();
                    if let Ok(mut failed) = failed.lock() {
                        failed.get_or_insert(error);
                    }
                }
            });
        }
    });
    if let Some(error) = failed
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
    {
        return Err(error);
    }
    let record = record
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(record.standing())
}

fn work(
    spec: &EngineSpec,
    todo: &[u64],
    next: &AtomicU64,
    record: &Mutex<Record>,
    listener: &(dyn Fn(Standing) + Sync),
    one: One<'_>,
) -> Result<(), SelfPlayError> {
    let mut engine = spec.build()?;
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed) as usize;
        let Some(&number) = todo.get(index) else {
            return Ok(());
        };
        let Some(game) = one(engine.as_mut(), number)? else {
            return Ok(());
        };
        let mut record = record
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        record.append(&game)?;
        listener(record.standing());
    }
}

/// One game; none if it was stopped.
pub(crate) fn play_one(
    engine: &mut dyn Engine,
    settings: &Settings,
    number: u64,
    stop: &Stop,
) -> Result<Option<PlayedGame>, EngineError> {
    let mut random = chance_of(settings, number);
    engine.new_game(random.u64(..));
    let mut game = Game::new(RuleSet::default());
    set_up(engine, &mut game, &mut random)?;
    let random_first = [0, 0, 1, 2, 2, 3, 4, 6][random.usize(..8)];
    play_on(engine, settings, number, game, random_first, random, stop)
}

/// What happens by chance in a game.
pub(crate) fn chance_of(settings: &Settings, number: u64) -> fastrand::Rng {
    let mut random =
        fastrand::Rng::with_seed(settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
    // Neighbouring seeds begin alike.
    for _ in 0..8 {
        random.u64(..);
    }
    random
}

/// A game from its setups on; the first so many turns are random ones.
pub(crate) fn play_on(
    engine: &mut dyn Engine,
    settings: &Settings,
    number: u64,
    mut game: Game,
    mut random_first: u32,
    mut random: fastrand::Rng,
    stop: &Stop,
) -> Result<Option<PlayedGame>, EngineError> {
    let mut positions = Vec::new();
    let mut decided = 0;
    let mut leader = None;
    let mut winner = None;
    for _ in 0..settings.longest {
        if let Some(outcome) = game.outcome() {
            winner = outcome.winner;
            break;
        }
        if stop.asked() {
            return Ok(None);
        }
        let position = game.position();
        let by_chance = random_first > 0 || random.u32(..1000) < settings.random_turns;
        random_first = random_first.saturating_sub(1);
        let limits = Limits::nodes(settings.nodes).with_stop(stop.clone());
        let turn = if by_chance {
            random_turn(&game, &mut random)
        } else {
            None
        };
        let turn = if let Some(turn) = turn {
            turn
        } else {
            let decision = engine.decide(&game, &limits, &mut |_| {})?;
            if stop.asked() {
                return Ok(None);
            }
            let Choice::Play(turn) = decision.choice else {
                return Err(EngineError::NoTurn);
            };
            if let Some(thought) = decision.thought {
                let side = position.side_to_move();
                let gold_leads = (thought.score > 0) == (side == Side::Gold);
                if thought.depth >= LEAST_DEPTH {
                    positions.push(PlayedPosition {
                        board: PackedBoard::from(position.board()),
                        side,
                        score: thought.score,
                        depth: thought.depth.min(255) as u8,
                        taken: 0,
                        turn,
                        changed: match game.positions() {
                            [.., before, _] => before.board().differing(position.board()),
                            _ => Bitboard::EMPTY,
                        },
                        moved: Bitboard::EMPTY,
                    });
                }
                if thought.score.abs() > DECIDED && leader == Some(gold_leads) {
                    decided += 1;
                } else {
                    decided = 0;
                }
                leader = Some(gold_leads);
                if decided >= DECIDED_FOR || thought.score.abs() > PROVEN {
                    winner = Some(if gold_leads { Side::Gold } else { Side::Silver });
                    break;
                }
            }
            turn
        };
        if game.play(&turn).is_err() {
            return Err(EngineError::NoTurn);
        }
    }
    Ok(Some(PlayedGame {
        number,
        winner,
        positions,
    }))
}

fn set_up(
    engine: &mut dyn Engine,
    game: &mut Game,
    random: &mut fastrand::Rng,
) -> Result<(), EngineError> {
    let way = random.u32(..10);
    while let Some(side) = game.must_set_up() {
        let limits = Limits::nodes(1);
        let Choice::SetUp(sound) = engine.decide(game, &limits, &mut |_| {})?.choice else {
            return Err(EngineError::NoTurn);
        };
        let setup = match way {
            0..=3 => sound,
            4..=7 => exchanged(side, &sound, random),
            _ => shuffled(side, &sound, random),
        };
        game.set_up(&setup).map_err(|_| EngineError::NoTurn)?;
    }
    Ok(())
}

fn roles(setup: &Setup) -> [Role; 16] {
    let mut roles = [Role::Rabbit; 16];
    for (place, (_, piece)) in roles.iter_mut().zip(setup.placements()) {
        *place = piece.role();
    }
    roles
}

/// A sound setup with a few pieces exchanged.
fn exchanged(side: Side, sound: &Setup, random: &mut fastrand::Rng) -> Setup {
    let mut roles = roles(sound);
    for _ in 0..random.u32(1..=3) {
        roles.swap(random.usize(..16), random.usize(..16));
    }
    Setup::new(side, roles).unwrap_or(*sound)
}

/// Any setup.
fn shuffled(side: Side, sound: &Setup, random: &mut fastrand::Rng) -> Setup {
    let mut roles = roles(sound);
    random.shuffle(&mut roles);
    Setup::new(side, roles).unwrap_or(*sound)
}

/// Any legal turn that does not lose at once by the rules of repetition.
fn random_turn(game: &Game, random: &mut fastrand::Rng) -> Option<Turn> {
    let position = game.position();
    let mut generator = TurnGenerator::new();
    let reached: Vec<_> = generator.generate(&position).collect();
    for _ in 0..8 {
        let chosen = reached.get(random.usize(..reached.len().max(1)))?;
        if !game.is_third_repetition(&chosen.position()) {
            return Some(chosen.turn());
        }
    }
    None
}
