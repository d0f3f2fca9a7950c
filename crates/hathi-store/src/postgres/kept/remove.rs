//! Taking games out of the sums, while they are still in the tables.
//!
//! Numbers are subtracted. Of the first few games that a sum names a next one
//! may be missing then: it is looked for where it must be, among the hits of
//! that one turn or in the order of the games.

use std::collections::{HashMap, HashSet};

use postgres::Transaction;

use super::choose::{COLUMNS, load_game};
use super::packed::{unpack_games, unpack_turn};
use super::shape::{self, KeptShape, ShapeKind};
use super::sums::{ALL_PARTS, GamesKey, GamesSum, KeptShapes, LeftOfTurn, Part, Sums, TurnKey};
use super::sums::{FirstGames, TurnSum};
use super::{add, first_step, forget_all};
use crate::index::{PostingKind, posting_hash};
use crate::model::GameRow;
use crate::notable::NAMED;
use crate::postgres::connect::Layout;
use crate::postgres::rows::{
    HIT, LoadGame, for_each_position, key_column, of_place, played_position, posting_table,
    traps_of,
};
use crate::seen::{Seen, SeenTrap};

/// More games than this are not worth it: the sums are made anew when the index
/// is next looked after.
const FEW: usize = 500;

/// Takes the part of these games, which have these numbers in their archives,
/// out of the sums.
pub(in crate::postgres) fn take_out(
    transaction: &mut Transaction<'_>,
    layout: Layout,
    rows: &[i64],
    numbers: &[i64],
) -> Result<(), postgres::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    forget_unready(transaction)?;
    let shapes = super::shapes(transaction)?;
    if shapes.is_empty() {
        return Ok(());
    }
    if rows.len() > FEW {
        return forget_all(transaction);
    }
    let going = Going::read(transaction, &shapes, rows, numbers)?;
    match going.left(transaction, layout, &shapes)? {
        Some(left) => add(transaction, &shapes, &left),
        // They were not what they should have been.
        None => forget_shapes(transaction, &going.shapes(&shapes)),
    }
}

/// Whoever adds up the games for these shapes has perhaps seen those that go,
/// perhaps not, and finds out that the shapes are no longer there.
fn forget_unready(transaction: &mut Transaction<'_>) -> Result<(), postgres::Error> {
    let rows = transaction.query("SELECT shape FROM kept_shapes WHERE NOT ready", &[])?;
    let shapes: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    if shapes.is_empty() {
        return Ok(());
    }
    forget_shapes(transaction, &shapes)
}

fn forget_shapes(transaction: &mut Transaction<'_>, shapes: &[i64]) -> Result<(), postgres::Error> {
    for table in ["kept_shapes", "kept_turns", "kept_games"] {
        let sql = format!("DELETE FROM {table} WHERE shape = ANY($1)");
        transaction.execute(&sql, &[&shapes])?;
    }
    transaction.execute("UPDATE hathi_meta SET kept_games = 0", &[])?;
    Ok(())
}

/// Games that go, and what they have added to the sums.
struct Going {
    games: HashSet<GameRow>,
    sums: Sums,
    /// A board on which each of the turns was played.
    boards: HashMap<TurnKey, Seen>,
}

impl Going {
    fn read(
        transaction: &mut Transaction<'_>,
        shapes: &KeptShapes,
        rows: &[i64],
        numbers: &[i64],
    ) -> Result<Going, postgres::Error> {
        let sql =
            format!("SELECT {COLUMNS} FROM games WHERE archive_id = ANY($1) AND id = ANY($2)");
        let games: Vec<LoadGame> = transaction
            .query(&sql, &[&numbers, &rows])?
            .iter()
            .map(load_game)
            .collect::<Result<_, _>>()?;
        let mut going = Going {
            games: games.iter().map(|game| game.game.row).collect(),
            sums: Sums::default(),
            boards: HashMap::new(),
        };
        for_each_position(&games, |played| {
            going.sums.add(shapes, played);
            shape::for_each(played.board, |standing| {
                if let Some(shape) = shapes.find(&standing.shape) {
                    let part = Part {
                        mover: played.mover,
                        turned: standing.turned,
                        sample: played.sample,
                    };
                    let turn = played.turn;
                    going
                        .boards
                        .insert(TurnKey { shape, turn, part }, played.board);
                }
            });
        });
        Ok(going)
    }

    /// The rows of the shapes that the games had.
    fn shapes(&self, shapes: &KeptShapes) -> Vec<i64> {
        let numbers: HashSet<u32> = self.sums.games.keys().map(|key| key.shape).collect();
        numbers.into_iter().map(|n| shapes.row(n)).collect()
    }

    /// Takes the sums that change out of the tables and gives back what is left
    /// of them; none if they cannot be right.
    fn left(
        &self,
        transaction: &mut Transaction<'_>,
        layout: Layout,
        shapes: &KeptShapes,
    ) -> Result<Option<Sums>, postgres::Error> {
        let mut left = Sums::default();
        let places: HashSet<(u32, i64)> = self
            .sums
            .turns
            .keys()
            .map(|key| (key.shape, first_step(key.turn)))
            .collect();
        for (shape, step) in places {
            let Some(turns) = take_turns(transaction, shapes, shape, step)? else {
                return Ok(None);
            };
            for (key, sum) in turns {
                let Some(gone) = self.sums.turns.get(&key) else {
                    left.turns.insert(key, sum);
                    continue;
                };
                match sum.without(gone) {
                    None => return Ok(None),
                    Some(LeftOfTurn::Nothing) => {}
                    Some(LeftOfTurn::Sum(sum)) => {
                        left.turns.insert(key, sum);
                    }
                    Some(LeftOfTurn::Undated(mut sum)) => {
                        sum.last_played = last_played(transaction, &sum)?;
                        left.turns.insert(key, sum);
                    }
                    Some(LeftOfTurn::Unknown) => {
                        let sum = self.count_turn(transaction, layout, shapes, key)?;
                        left.turns.extend(sum.map(|sum| (key, sum)));
                    }
                }
            }
        }
        let Some(games) = take_games(transaction, shapes, &self.shapes(shapes))? else {
            return Ok(None);
        };
        left.games = games;
        let mut behind = Behind::default();
        for (key, gone) in &self.sums.games {
            let Some(sum) = left.games.get_mut(key) else {
                return Ok(None);
            };
            let Some(lost) = sum.subtract(gone) else {
                return Ok(None);
            };
            if sum.hits == 0 {
                left.games.remove(key);
                continue;
            }
            if lost.strongest {
                behind.strongest.insert(*key);
            }
            if lost.newest {
                behind.newest.insert(*key);
            }
        }
        for (key, found) in self.first_games(transaction, shapes, STRONGEST, &behind.strongest)? {
            left.games.entry(key).or_default().strongest = found.strongest;
        }
        for (key, found) in self.first_games(transaction, shapes, NEWEST, &behind.newest)? {
            left.games.entry(key).or_default().newest = found.newest;
        }
        Ok(Some(left))
    }

    /// Adds a turn up from its hits.
    fn count_turn(
        &self,
        transaction: &mut Transaction<'_>,
        layout: Layout,
        shapes: &KeptShapes,
        key: TurnKey,
    ) -> Result<Option<TurnSum>, postgres::Error> {
        let (Some(shape), Some(&board)) = (shapes.shape(key.shape), self.boards.get(&key)) else {
            return Ok(None);
        };
        let Some((kind, hash)) = posting_of(shape, board) else {
            return Ok(None);
        };
        let froms: Vec<String> = match layout {
            Layout::OneServer => traps_of(kind)
                .map(|trap| format!("positions WHERE {} = $1", key_column(kind, trap)))
                .collect(),
            Layout::Citus => vec![format!("{} WHERE key = $1", posting_table(kind))],
        };
        let alone = KeptShapes::new(vec![(0, *shape)]);
        let (mut sums, mut seen) = (Sums::default(), HashSet::new());
        for from in froms {
            let sql = format!("SELECT {HIT} FROM {from} AND turn = $2");
            for row in transaction.query(&sql, &[&hash, &key.turn])? {
                let played = played_position(&row)?;
                // It can be there by two of its traps.
                if !self.games.contains(&played.game) && seen.insert(played.place) {
                    sums.add(&alone, &played);
                }
            }
        }
        Ok(sums.turns.remove(&TurnKey { shape: 0, ..key }))
    }

    /// The first games of these sums in an order, of those that stay.
    fn first_games(
        &self,
        transaction: &mut Transaction<'_>,
        shapes: &KeptShapes,
        order: FirstOf,
        wanted: &HashSet<GamesKey>,
    ) -> Result<HashMap<GamesKey, GamesSum>, postgres::Error> {
        let mut found: HashMap<GamesKey, GamesSum> = wanted
            .iter()
            .map(|key| (*key, GamesSum::default()))
            .collect();
        let (mut done, mut together) = (0i64, FIRST_LOOKED_AT);
        while found.values().any(|sum| (order.list)(sum).0.len() < NAMED) {
            let by = order.by;
            let sql = format!(
                "SELECT {COLUMNS} FROM games WHERE {by} IS NOT NULL
                 ORDER BY {by} DESC, id LIMIT $1 OFFSET $2"
            );
            let rows = transaction.query(&sql, &[&together, &done])?;
            let mut games: Vec<LoadGame> = rows.iter().map(load_game).collect::<Result<_, _>>()?;
            games.retain(|game| !self.games.contains(&game.game.row));
            for_each_position(&games, |played| {
                shape::for_each(played.board, |standing| {
                    let Some(shape) = shapes.find(&standing.shape) else {
                        return;
                    };
                    let part = Part {
                        mover: played.mover,
                        turned: standing.turned,
                        sample: played.sample,
                    };
                    for part in [part.number(), ALL_PARTS] {
                        let sample = played.sample;
                        let key = GamesKey {
                            shape,
                            sample,
                            part,
                        };
                        if let Some(sum) = found.get_mut(&key) {
                            sum.add(played);
                        }
                    }
                });
            });
            if (rows.len() as i64) < together {
                break;
            }
            done += together;
            together *= 4;
        }
        Ok(found)
    }
}

/// When the last of the hits that are named was played.
fn last_played(
    transaction: &mut Transaction<'_>,
    sum: &TurnSum,
) -> Result<Option<i64>, postgres::Error> {
    let (rows, numbers): (Vec<i64>, Vec<i64>) = sum
        .samples
        .iter()
        .map(|sample| (of_place(sample.place).1.get(), sample.number))
        .unzip();
    let sql = "SELECT max(started) FROM games WHERE archive_id = ANY($1) AND id = ANY($2)";
    transaction.query_one(sql, &[&numbers, &rows])?.try_get(0)
}

/// Sums whose first games are not all known.
#[derive(Default)]
struct Behind {
    strongest: HashSet<GamesKey>,
    newest: HashSet<GamesKey>,
}

/// An order of games, as SQL, and the list that it gives.
#[derive(Clone, Copy)]
struct FirstOf {
    by: &'static str,
    list: fn(&GamesSum) -> &FirstGames,
}

const NEWEST: FirstOf = FirstOf {
    by: "started",
    list: |sum| &sum.newest,
};

/// As [`GamesSum::add`] has it.
const STRONGEST: FirstOf = FirstOf {
    by: "nullif(CASE
        WHEN coalesce(gold_rating, 0) <= 0 THEN 2 * least(greatest(silver_rating, 0), 65535)
        WHEN coalesce(silver_rating, 0) <= 0 THEN 2 * least(gold_rating, 65535)
        ELSE least(gold_rating, 65535) + least(silver_rating, 65535) END, 0)",
    list: |sum| &sum.strongest,
};

/// Games looked at first, to find some that have common shapes.
const FIRST_LOOKED_AT: i64 = 1000;

/// Where the postings of a shape are, which stands on this board.
fn posting_of(shape: &KeptShape, board: Seen) -> Option<(PostingKind, i64)> {
    let (kind, away) = match shape.kind {
        ShapeKind::Full => (PostingKind::Full, None),
        ShapeKind::Half => (PostingKind::Half, None),
        ShapeKind::AreaAtHome => (PostingKind::Area, Some(false)),
        ShapeKind::AreaAway => (PostingKind::Area, Some(true)),
        ShapeKind::PieceAtHome => (PostingKind::Sides, Some(false)),
        ShapeKind::PieceAway => (PostingKind::Sides, Some(true)),
    };
    let mut traps = SeenTrap::ALL.into_iter();
    let trap = match away {
        None => traps.next()?,
        Some(away) => traps.find(|&trap| {
            let area = board.window(trap);
            trap.is_away() == away
                && match kind {
                    PostingKind::Sides => (1..=6).any(|s| area.relative_to(s) == shape.planes),
                    _ => area == shape.planes,
                }
        })?,
    };
    Some((kind, posting_hash(kind, board, trap).cast_signed()))
}

/// Takes out all rows of a shape that begin with a step; none if they cannot be
/// read.
fn take_turns(
    transaction: &mut Transaction<'_>,
    shapes: &KeptShapes,
    shape: u32,
    step: i64,
) -> Result<Option<HashMap<TurnKey, TurnSum>>, postgres::Error> {
    let sql = "DELETE FROM kept_turns WHERE shape = $1 AND first_step = $2 RETURNING turns";
    let mut turns = HashMap::new();
    for row in transaction.query(sql, &[&shapes.row(shape), &step])? {
        if !unpack_turns(&mut turns, shape, row.try_get(0)?) {
            return Ok(None);
        }
    }
    Ok(Some(turns))
}

/// Adds the turns of a row; false if they cannot be read.
pub(super) fn unpack_turns(
    turns: &mut HashMap<TurnKey, TurnSum>,
    shape: u32,
    mut bytes: &[u8],
) -> bool {
    while !bytes.is_empty() {
        let Some((turn, part, sum)) = unpack_turn(&mut bytes) else {
            return false;
        };
        let key = TurnKey { shape, turn, part };
        turns.entry(key).or_default().merge(sum);
    }
    true
}

/// Takes out the games of shapes; none if they cannot be read.
fn take_games(
    transaction: &mut Transaction<'_>,
    shapes: &KeptShapes,
    rows: &[i64],
) -> Result<Option<HashMap<GamesKey, GamesSum>>, postgres::Error> {
    let sql = "DELETE FROM kept_games WHERE shape = ANY($1)
        RETURNING shape, sample, part, hits, games, named";
    let rows = transaction.query(sql, &[&rows])?;
    games_of(&rows, shapes)
}

/// Puts rows of games together; none if they cannot be read.
pub(super) fn games_of(
    rows: &[postgres::Row],
    shapes: &KeptShapes,
) -> Result<Option<HashMap<GamesKey, GamesSum>>, postgres::Error> {
    let mut games: HashMap<GamesKey, GamesSum> = HashMap::new();
    for row in rows {
        let (Some(shape), Some((strongest, newest))) = (
            shapes.number(row.try_get(0)?),
            unpack_games(row.try_get(5)?),
        ) else {
            return Ok(None);
        };
        let key = GamesKey {
            shape,
            sample: row.try_get(1)?,
            part: row.try_get(2)?,
        };
        let count = |column| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
        let sum = GamesSum::new(count(3)?, count(4)?, strongest, newest);
        games.entry(key).or_default().merge(sum);
    }
    Ok(Some(games))
}
