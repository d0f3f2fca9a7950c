//! What was played from the shapes of boards that come up most often, kept
//! added up.
//!
//! | file | holds |
//! |---|---|
//! | `shape.rs` | the parts of boards that are told apart |
//! | `sums.rs` | adding up |
//! | `packed.rs` | sums as bytes |
//! | `choose.rs` | which shapes are worth it, and their first sums |
//! | `remove.rs` | games that go |
//! | `check.rs` | comparing sums with the games |
//!
//! Who adds games adds rows of their sums in the same transaction, so nobody
//! waits for another; whoever asks puts the rows together. Who takes games out
//! takes their part out of the sums. Where many go at once all sums go, and
//! everything is counted until the next shapes are chosen.

mod check;
mod choose;
mod packed;
mod remove;
mod shape;
mod sums;

use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};
use postgres::{GenericClient, Transaction};

pub(super) use check::CheckedShapes;
pub(super) use choose::{COLUMNS, LEAST_HITS, load_game};
pub(super) use remove::take_out;
pub(super) use sums::{KeptShapes, PlayedPosition, Sums};

use super::PostgresStore;
use super::ask::{AddedUp, first_of, first_steps};
use super::rows::{FIRST_STEP, of_place};
use crate::answer::{Group, Tally};
use crate::error::StoreError;
use crate::filter::{Filter, Sources};
use crate::index::IndexError;
use crate::model::GameRow;
use crate::question::{Matching, PositionQuestion};
use crate::seen::Seen;
use hathi_rules::Ply;
use packed::{pack_games, pack_turn, unpack_games, unpack_turn};
use shape::{KeptShape, ShapeKind, Standing};
use sums::{ALL_PARTS, GamesSum, Part, TurnKey, TurnSum};

/// All shapes, also those whose sums are not complete: who adds games adds
/// them to these.
pub(super) fn shapes(client: &mut impl GenericClient) -> Result<KeptShapes, postgres::Error> {
    let rows = client.query(
        "SELECT shape, kind, plane_0, plane_1, plane_2, enemies FROM kept_shapes",
        &[],
    )?;
    let mut shapes = Vec::with_capacity(rows.len());
    for row in &rows {
        let plane = |column: usize| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
        let planes = Seen([plane(2)?, plane(3)?, plane(4)?, plane(5)?]);
        // A kind of a newer version would have another schema.
        if let Some(kind) = ShapeKind::from_number(row.try_get(1)?) {
            shapes.push((row.try_get(0)?, KeptShape { kind, planes }));
        }
    }
    Ok(KeptShapes::new(shapes))
}

/// Adds the sums of new games to those that are there.
pub(super) fn add(
    transaction: &mut Transaction<'_>,
    shapes: &KeptShapes,
    sums: &Sums,
) -> Result<(), postgres::Error> {
    if sums.turns.is_empty() && sums.games.is_empty() {
        return Ok(());
    }
    let mut turns: Vec<(&TurnKey, &TurnSum)> = sums.turns.iter().collect();
    // What stands together in a row comes together.
    turns.sort_unstable_by_key(|(key, _)| (key.shape, first_step(key.turn), **key));
    let sql = "COPY kept_turns (shape, first_step, turns) FROM STDIN (FORMAT binary)";
    let types = [Type::INT8, Type::INT8, Type::BYTEA];
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(sql)?, &types);
    let place = |key: &TurnKey| (key.shape, first_step(key.turn));
    for together in turns.chunk_by(|(one, _), (other, _)| place(one) == place(other)) {
        let mut packed = Vec::new();
        for (key, sum) in together {
            pack_turn(&mut packed, key.turn, key.part, sum);
        }
        if let Some((key, _)) = together.first() {
            writer.write(&[&shapes.row(key.shape), &first_step(key.turn), &packed])?;
        }
    }
    writer.finish()?;
    let sql = "COPY kept_games (shape, sample, part, hits, games, named)
        FROM STDIN (FORMAT binary)";
    let types = [
        Type::INT8,
        Type::BOOL,
        Type::INT4,
        Type::INT8,
        Type::INT8,
        Type::BYTEA,
    ];
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(sql)?, &types);
    for (key, sum) in &sums.games {
        let named = pack_games(&sum.strongest, &sum.newest);
        writer.write(&[
            &shapes.row(key.shape),
            &key.sample,
            &key.part,
            &sum.hits.cast_signed(),
            &sum.games.cast_signed(),
            &named,
        ])?;
    }
    writer.finish()?;
    Ok(())
}

/// The first step of a turn, as [`first_steps`] has them.
fn first_step(turn: i64) -> i64 {
    turn & FIRST_STEP
}

/// Takes out all sums.
fn forget_all(transaction: &mut Transaction<'_>) -> Result<(), postgres::Error> {
    for table in ["kept_shapes", "kept_turns", "kept_games"] {
        transaction.execute(&format!("DELETE FROM {table}"), &[])?;
    }
    transaction.execute("UPDATE hathi_meta SET kept_games = 0", &[])?;
    Ok(())
}

/// What is kept of a shape: whether it is kept, then hits and games of a part,
/// then turns that begin with one of these steps. In one statement, since sums
/// grow.
const ASK: &str = "
    WITH kept AS (SELECT shape FROM kept_shapes WHERE key = $1 AND kind = $2 AND plane_0 = $3
        AND plane_1 = $4 AND plane_2 = $5 AND enemies = $6 AND ready)
    SELECT 0, 0::bigint, 0::bigint, ''::bytea FROM kept
    UNION ALL
    SELECT 1, hits, games, named FROM kept JOIN kept_games USING (shape)
        WHERE part = $7 AND (NOT sample OR $8)
    UNION ALL
    SELECT 2, 0, 0, turns FROM kept JOIN kept_turns USING (shape) WHERE first_step = ANY($9)";

/// What the server says about a shape that is kept.
#[derive(Default)]
struct Kept {
    /// Hits, games and who is named.
    games: Vec<(u64, u64, Vec<u8>)>,
    turns: Vec<Vec<u8>>,
}

/// Are samples asked for as well? None if the filter asks for something that
/// sums do not tell.
fn with_samples(filter: &Filter) -> Option<bool> {
    let of = |sources| Filter {
        sources,
        ..Filter::default()
    };
    if *filter == of(Some(Sources::WITHOUT_SAMPLES)) {
        return Some(false);
    }
    let all = *filter == of(None) || *filter == of(Some(Sources::ALL));
    all.then_some(true)
}

impl PostgresStore {
    /// The answer to a question about a shape that is kept, but for what only
    /// its best hit knows. None if it is not kept.
    pub(super) fn kept_answer(
        &self,
        question: &PositionQuestion,
        filter: &Filter,
    ) -> Result<Option<AddedUp>, StoreError> {
        let Some(samples) = with_samples(filter).filter(|_| question.best_hits.is_none()) else {
            return Ok(None);
        };
        let Some(Standing { shape, turned }) = shape::asked(question) else {
            return Ok(None);
        };
        let part = match question.matching {
            Matching::Symmetric => ALL_PARTS,
            Matching::Literal => Part {
                mover: question.position.side_to_move(),
                turned,
                sample: false,
            }
            .number(),
        };
        let Some(kept) = self.ask_kept(&shape, part, samples, &first_steps(&question.position))?
        else {
            return Ok(None);
        };
        let damaged = || IndexError::Damaged("the statistics that are kept cannot be read");
        let mut numbers: Vec<(GameRow, i64)> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for turns in &kept.turns {
            let mut bytes = turns.as_slice();
            while !bytes.is_empty() {
                let (turn, of, sum) = unpack_turn(&mut bytes).ok_or_else(damaged)?;
                let counts = samples || !of.sample;
                if counts && (part == ALL_PARTS || part == of.number()) {
                    groups.push(group(turn, of.turned != turned, &sum, &mut numbers));
                }
            }
        }
        let mut sum = GamesSum::default();
        for (hits, games, named) in &kept.games {
            let (strongest, newest) = unpack_games(named).ok_or_else(damaged)?;
            sum.merge(GamesSum::new(*hits, *games, strongest, newest));
        }
        let mut tally = Tally::default();
        groups.sort_by_key(|group| (group.samples.first().copied(), group.first.mirrored));
        for group in groups {
            tally.add_group(group);
        }
        let mut answer = tally.finish(question);
        answer.leave_out(sum.hits);
        answer.games = sum.games;
        let rows = |games: &sums::FirstGames| games.0.iter().map(|(_, row, _)| *row).collect();
        answer.top_rated = rows(&sum.strongest);
        answer.most_recent = rows(&sum.newest);
        let named = sum.strongest.0.iter().chain(&sum.newest.0);
        numbers.extend(named.map(|&(_, row, number)| (row, number)));
        Ok(Some((answer, numbers)))
    }

    fn ask_kept(
        &self,
        shape: &KeptShape,
        part: i32,
        samples: bool,
        steps: &[i64],
    ) -> Result<Option<Kept>, StoreError> {
        let (kind, key) = (shape.kind.number(), shape.key().cast_signed());
        let planes = shape.planes.0.map(u64::cast_signed);
        self.ask(|connection| {
            let statement = connection.prepared(ASK)?;
            let mut values: Vec<&(dyn ToSql + Sync)> = vec![&key, &kind];
            values.extend(planes.iter().map(|plane| -> &(dyn ToSql + Sync) { plane }));
            values.extend([&part as &(dyn ToSql + Sync), &samples, &steps]);
            let mut kept: Option<Kept> = None;
            for row in &connection.client.query(&statement, &values)? {
                let kept = kept.get_or_insert_default();
                let count = |column| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
                match row.try_get::<_, i32>(0)? {
                    0 => {}
                    1 => kept.games.push((count(1)?, count(2)?, row.try_get(3)?)),
                    _ => kept.turns.push(row.try_get(3)?),
                }
            }
            Ok(kept)
        })
    }
}

/// A turn as [`Tally`] takes it; what only its first hit knows is left out.
fn group(turn: i64, mirrored: bool, sum: &TurnSum, numbers: &mut Vec<(GameRow, i64)>) -> Group {
    let mut samples = Vec::with_capacity(sum.samples.len());
    for sample in &sum.samples {
        let (rank, game) = of_place(sample.place);
        numbers.push((game, sample.number));
        samples.push((rank, game, Ply::from(sample.ply)));
    }
    Group {
        first: first_of(turn, mirrored, &samples),
        count: sum.count,
        wins: sum.wins,
        ratings: sum.ratings,
        rated: sum.rated,
        last_played: sum.last_played.unwrap_or(i64::MIN),
        samples,
    }
}
