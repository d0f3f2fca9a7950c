//! Positions as rows of the tables, in PostgreSQL's binary format, and back.

use postgres::Row;

use super::connect::Layout;
use super::kept::PlayedPosition;
use crate::index::{
    BuildGame, Gathered, IndexedGame, IndexedMove, PostingKind, packed_facts, posting_hash,
};
use crate::model::GameRow;
use crate::pattern::PackedFacts;
use crate::seen::{Seen, SeenTrap};
use bytemuck::Zeroable;
use hathi_rules::{Ply, Side};

/// What questions want to know of a position; every table of them has it.
pub(super) const HIT: &str = "place, plane_0, plane_1, plane_2, enemies, turn, archive_id, \
    game_id, started, ply, turns_left, rating, other_rating, won, sample";
const HIT_COLUMNS: i16 = 15;

/// Ten keys, and what stands beside four of them.
const KEY_COLUMNS: i16 = 14;

/// What a pattern is compared with.
const BOARD: &str = "place, plane_0, plane_1, plane_2, enemies";
const BOARD_COLUMNS: i16 = 5;

/// What is known of a position beyond its board.
pub(super) const FACTS: &str = "on_board, of_game, of_turn, frozen, hostages, framed, \
    victims_0, victims_1, victims_2, victims_3";
const FACT_COLUMNS: i16 = 10;

/// The game of a place, as [`of_place`] has it.
pub(super) const GAME_OF_PLACE: &str = "place >> 1 & 17179869183";

/// A table of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionTable {
    /// All positions, with the columns of their keys, each of which has an
    /// index.
    WithKeys,
    /// All positions, for scans; the keys lead to other tables. With their
    /// facts, if these are written.
    ForScans(FactsWritten),
    /// A row for each posting of one kind, shared out by its key.
    Postings(PostingKind),
    /// The boards alone, for scans on one server.
    Boards,
    /// Boards and facts, likewise.
    Facts,
}

/// Are facts written with positions? Not where those that are there mean
/// something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactsWritten {
    Yes,
    No,
}

impl PositionTable {
    /// The tables that hold positions.
    pub(super) fn all(layout: Layout, facts: FactsWritten) -> Vec<PositionTable> {
        match (layout, facts) {
            (Layout::OneServer, FactsWritten::No) => {
                vec![PositionTable::WithKeys, PositionTable::Boards]
            }
            (Layout::OneServer, FactsWritten::Yes) => vec![
                PositionTable::WithKeys,
                PositionTable::Boards,
                PositionTable::Facts,
            ],
            (Layout::Citus, facts) => {
                let postings = PostingKind::ALL.into_iter().map(PositionTable::Postings);
                [PositionTable::ForScans(facts)]
                    .into_iter()
                    .chain(postings)
                    .collect()
            }
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            PositionTable::WithKeys | PositionTable::ForScans(_) => "positions",
            PositionTable::Postings(kind) => posting_table(kind),
            PositionTable::Boards => "boards",
            PositionTable::Facts => "facts",
        }
    }

    /// The table whose rows have the facts.
    pub(super) fn of_facts(layout: Layout) -> PositionTable {
        match layout {
            Layout::OneServer => PositionTable::Facts,
            Layout::Citus => PositionTable::ForScans(FactsWritten::Yes),
        }
    }

    /// Do its rows have facts?
    pub(super) fn has_facts(self) -> bool {
        matches!(
            self,
            PositionTable::Facts | PositionTable::ForScans(FactsWritten::Yes)
        )
    }

    /// Into the table, in this order.
    pub(super) fn columns(self) -> String {
        match self {
            PositionTable::WithKeys => {
                let keys: Vec<String> = key_columns()
                    .chain(SeenTrap::ALL.map(pieces_column))
                    .collect();
                format!("{HIT}, {}", keys.join(", "))
            }
            PositionTable::ForScans(FactsWritten::No) => HIT.to_owned(),
            PositionTable::ForScans(FactsWritten::Yes) => format!("{HIT}, {FACTS}"),
            PositionTable::Postings(_) => format!("{HIT}, key, trap"),
            PositionTable::Boards => BOARD.to_owned(),
            PositionTable::Facts => format!("{BOARD}, {FACTS}"),
        }
    }
}

/// The table of the postings of a kind, where there are several servers.
pub(super) fn posting_table(kind: PostingKind) -> &'static str {
    match kind {
        PostingKind::Full => "postings_full",
        PostingKind::Half => "postings_half",
        PostingKind::Area => "postings_area",
        PostingKind::Sides => "postings_sides",
    }
}

/// The column of the keys of this kind of pattern, on one server.
pub(super) fn key_column(kind: PostingKind, trap: SeenTrap) -> String {
    match kind {
        PostingKind::Full => "full_key".to_owned(),
        PostingKind::Half => "half_key".to_owned(),
        PostingKind::Area => format!("area_{}", trap.index()),
        PostingKind::Sides => format!("sides_{}", trap.index()),
    }
}

/// All keys that a position has.
pub(super) fn keys() -> impl Iterator<Item = (PostingKind, SeenTrap)> {
    PostingKind::ALL
        .into_iter()
        .flat_map(|kind| traps_of(kind).map(move |trap| (kind, trap)))
}

/// All columns that hold keys.
pub(super) fn key_columns() -> impl Iterator<Item = String> {
    keys().map(|(kind, trap)| key_column(kind, trap))
}

/// The traps for which a kind of pattern has keys.
pub(super) fn traps_of(kind: PostingKind) -> impl Iterator<Item = SeenTrap> {
    SeenTrap::ALL.into_iter().take(kind.per_position())
}

/// What stands beside the keys of areas by side, in their indexes: see [`pieces`].
pub(super) fn pieces_column(trap: SeenTrap) -> String {
    format!("pieces_{}", trap.index())
}

/// What tells positions with the same key of sides apart, without a look at
/// their rows: fifty bits for which enemies are stronger than whom, then the first
/// step of the turn. It leads past what cannot match; the board decides.
pub(super) fn pieces(board: Seen, trap: SeenTrap, turn: i64) -> i64 {
    let stronger = board.window(trap).stronger_bits();
    stronger.cast_signed() | (turn & FIRST_STEP) << FIRST_STEP_SHIFT
}

/// Where the step stands in [`pieces`].
pub(super) const FIRST_STEP_SHIFT: u32 = 50;

/// The bits of a turn as it is stored that tell its first step, but not what
/// falls into a trap: that depends on who else is there.
pub(super) const FIRST_STEP: i64 = 4095;

/// The keys of all postings of a kind of a position.
pub(super) fn keys_of(kind: PostingKind, board: Seen) -> impl Iterator<Item = i64> {
    traps_of(kind).map(move |trap| posting_hash(kind, board, trap).cast_signed())
}

/// Rank, game and side in one number: 28, 34 and 1 bits. Within a game only
/// turns of different sides can have the same rank.
pub(super) fn place(rank: u32, game: GameRow, mover: Side) -> i64 {
    let rank = i64::from(rank >> 31 << 27 | rank & 0x07ff_ffff);
    rank << 35 | (game.get() & 0x3_ffff_ffff) << 1 | mover as i64
}

/// Rank and game of a place.
pub(super) fn of_place(place: i64) -> (u32, GameRow) {
    let rank = (place >> 35).cast_unsigned() as u32;
    let game = place >> 1 & 0x3_ffff_ffff;
    (rank >> 27 << 31 | rank & 0x07ff_ffff, GameRow::new(game))
}

/// A game to be played through.
pub(super) struct LoadGame {
    /// Its number in the archive.
    pub(super) number: i64,
    pub(super) sample: bool,
    pub(super) game: BuildGame,
}

/// Plays games through and hands over every position, game by game.
pub(super) fn for_each_position(games: &[LoadGame], mut take: impl FnMut(&PlayedPosition)) {
    visit(games, &gathered(games), |_, played| take(played));
}

/// The same with their facts.
pub(super) fn for_each_with_facts(
    games: &[LoadGame],
    mut take: impl FnMut(&PlayedPosition, &PackedFacts),
) {
    let gathered = gathered(games);
    let facts = packed_facts(gathered.stored());
    visit(games, &gathered, |number, played| {
        take(played, &facts[number]);
    });
}

fn gathered(games: &[LoadGame]) -> Gathered {
    let mut gathered = Gathered::default();
    for game in games {
        gathered.add(&game.game);
    }
    gathered
}

fn visit(games: &[LoadGame], gathered: &Gathered, mut take: impl FnMut(usize, &PlayedPosition)) {
    for (number, (&board, played)) in gathered.boards.iter().zip(&gathered.moves).enumerate() {
        let game = &gathered.games[played.game as usize];
        let load = &games[played.game as usize];
        let mover = played.mover();
        let (rating, other_rating, winner) = match mover {
            Side::Gold => (game.gold_rating, game.silver_rating, 1),
            Side::Silver => (game.silver_rating, game.gold_rating, 2),
        };
        let played = PlayedPosition {
            board: Seen(board),
            place: place(gathered.rank(number), game.row, mover),
            turn: turn_code(played.turn),
            number: load.number,
            game: game.row,
            started: (game.started != i64::MIN).then_some(game.started),
            ply: played.turns_before,
            turns_left: game.turns.saturating_sub(played.turns_before),
            rating,
            other_rating,
            mover,
            won: game.winner == winner,
            sample: load.sample,
        };
        take(number, &played);
    }
}

/// Adds the rows of a position in one of the tables, as COPY takes them; facts
/// for those that have them.
pub(super) fn write_rows(
    out: &mut Vec<u8>,
    played: &PlayedPosition,
    facts: &PackedFacts,
    table: PositionTable,
) {
    match table {
        PositionTable::ForScans(FactsWritten::No) => {
            out.extend(HIT_COLUMNS.to_be_bytes());
            write_hit(out, played);
        }
        PositionTable::ForScans(FactsWritten::Yes) => {
            out.extend((HIT_COLUMNS + FACT_COLUMNS).to_be_bytes());
            write_hit(out, played);
            write_facts(out, facts);
        }
        PositionTable::Facts => {
            out.extend((BOARD_COLUMNS + FACT_COLUMNS).to_be_bytes());
            write_board(out, played);
            write_facts(out, facts);
        }
        PositionTable::WithKeys => {
            out.extend((HIT_COLUMNS + KEY_COLUMNS).to_be_bytes());
            write_hit(out, played);
            for kind in PostingKind::ALL {
                keys_of(kind, played.board).for_each(|key| long(out, key));
            }
            for trap in SeenTrap::ALL {
                long(out, pieces(played.board, trap, played.turn));
            }
        }
        PositionTable::Boards => {
            out.extend(BOARD_COLUMNS.to_be_bytes());
            write_board(out, played);
        }
        PositionTable::Postings(kind) => {
            for (key, trap) in keys_of(kind, played.board).zip(0i32..) {
                out.extend((HIT_COLUMNS + 2).to_be_bytes());
                write_hit(out, played);
                long(out, key);
                out.extend(4i32.to_be_bytes());
                out.extend(trap.to_be_bytes());
            }
        }
    }
}

/// The columns of [`BOARD`].
fn write_board(out: &mut Vec<u8>, played: &PlayedPosition) {
    long(out, played.place);
    for plane in played.board.0 {
        long(out, plane.cast_signed());
    }
}

/// The columns of [`FACTS`].
fn write_facts(out: &mut Vec<u8>, facts: &PackedFacts) {
    for number in [facts.on_board, facts.of_game, facts.of_turn] {
        long(out, number.cast_signed());
    }
    for squares in [facts.frozen, facts.hostages, facts.framed]
        .into_iter()
        .chain(facts.victims)
    {
        match squares {
            0 => out.extend((-1i32).to_be_bytes()),
            squares => long(out, squares.cast_signed()),
        }
    }
}

/// The columns of [`FACTS`] from this one on, as they went in; none if they
/// were not written.
pub(super) fn facts_in(row: &Row, from: usize) -> Result<Option<PackedFacts>, postgres::Error> {
    let number = |column: usize| -> Result<Option<u64>, postgres::Error> {
        let number: Option<i64> = row.try_get(from + column)?;
        Ok(number.map(i64::cast_unsigned))
    };
    let squares = |column: usize| number(column).map(Option::unwrap_or_default);
    let (Some(on_board), Some(of_game), Some(of_turn)) = (number(0)?, number(1)?, number(2)?)
    else {
        return Ok(None);
    };
    Ok(Some(PackedFacts {
        on_board,
        of_game,
        of_turn,
        frozen: squares(3)?,
        hostages: squares(4)?,
        framed: squares(5)?,
        victims: [squares(6)?, squares(7)?, squares(8)?, squares(9)?],
    }))
}

/// The columns of [`HIT`].
fn write_hit(out: &mut Vec<u8>, played: &PlayedPosition) {
    write_board(out, played);
    long(out, played.turn);
    long(out, played.number);
    long(out, played.game.get());
    match played.started {
        None => out.extend((-1i32).to_be_bytes()),
        Some(started) => long(out, started),
    }
    for number in [
        played.ply,
        played.turns_left,
        played.rating,
        played.other_rating,
    ] {
        out.extend(4i32.to_be_bytes());
        out.extend(i32::from(number).to_be_bytes());
    }
    for flag in [played.won, played.sample] {
        out.extend(1i32.to_be_bytes());
        out.push(u8::from(flag));
    }
}

fn long(out: &mut Vec<u8>, number: i64) {
    out.extend(8i32.to_be_bytes());
    out.extend(number.to_be_bytes());
}

fn turn_code(turn: [u16; 4]) -> i64 {
    let code = turn
        .iter()
        .rev()
        .fold(0u64, |code, &step| code << 16 | u64::from(step));
    code.cast_signed()
}

/// The four steps of a turn as it is stored.
pub(super) fn steps_of(code: i64) -> [u16; 4] {
    [0, 16, 32, 48].map(|shift| (code.cast_unsigned() >> shift) as u16)
}

/// A row of [`HIT`].
pub(super) struct Stored {
    pub(super) place: i64,
    pub(super) board: Seen,
    pub(super) played: IndexedMove,
    pub(super) game: IndexedGame,
    /// The number of the game in its archive.
    pub(super) number: i64,
}

/// What a hit knows of its mover's game.
struct Told {
    game: GameRow,
    started: Option<i64>,
    ply: u16,
    turns_left: u16,
    rating: u16,
    won: bool,
    turn: i64,
}

impl Told {
    /// As the index file would have it. Only what the mover has to do with is
    /// looked at.
    fn indexed(&self) -> (IndexedMove, IndexedGame) {
        let winner = match (self.won, Ply::from(self.ply).side()) {
            (false, _) => 0,
            (true, Side::Gold) => 1,
            (true, Side::Silver) => 2,
        };
        let played = IndexedMove {
            turns_before: self.ply,
            turn: steps_of(self.turn),
            ..IndexedMove::zeroed()
        };
        let game = IndexedGame {
            row: self.game,
            started: self.started.unwrap_or(i64::MIN),
            gold_rating: self.rating,
            silver_rating: self.rating,
            turns: self.ply.saturating_add(self.turns_left),
            winner,
            ..IndexedGame::zeroed()
        };
        (played, game)
    }
}

/// A number that fits, as it went in.
fn small(row: &Row, column: usize) -> Result<u16, postgres::Error> {
    let number: i32 = row.try_get(column)?;
    Ok(u16::try_from(number).unwrap_or(u16::MAX))
}

impl Stored {
    pub(super) fn of(row: &Row) -> Result<Stored, postgres::Error> {
        let plane = |column: usize| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
        let told = Told {
            turn: row.try_get(5)?,
            game: GameRow::new(row.try_get(7)?),
            started: row.try_get(8)?,
            ply: small(row, 9)?,
            turns_left: small(row, 10)?,
            rating: small(row, 11)?,
            won: row.try_get(13)?,
        };
        let (played, game) = told.indexed();
        Ok(Stored {
            place: row.try_get(0)?,
            board: Seen([plane(1)?, plane(2)?, plane(3)?, plane(4)?]),
            played,
            game,
            number: row.try_get(6)?,
        })
    }
}

/// A row of [`HIT`] as it went in.
pub(super) fn played_position(row: &Row) -> Result<PlayedPosition, postgres::Error> {
    let stored = Stored::of(row)?;
    Ok(PlayedPosition {
        board: stored.board,
        place: stored.place,
        turn: row.try_get(5)?,
        number: stored.number,
        game: stored.game.row,
        started: row.try_get(8)?,
        ply: small(row, 9)?,
        turns_left: small(row, 10)?,
        rating: small(row, 11)?,
        other_rating: small(row, 12)?,
        mover: stored.played.mover(),
        won: row.try_get(13)?,
        sample: row.try_get(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_ranks_then_games_then_sides() {
        let ranks = [0, 5, 1 << 14, 0x07ff_ffff, 1 << 31, 1 << 31 | 0x4d];
        let mut places = Vec::new();
        for rank in ranks {
            for game in [1, 2, 1 << 33] {
                for mover in Side::ALL {
                    let game = GameRow::new(game);
                    places.push(place(rank, game, mover));
                    assert_eq!(of_place(place(rank, game, mover)), (rank, game));
                }
            }
        }
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert!(places[0] > 0);
    }

    #[test]
    fn rows_have_as_many_columns_as_their_table() {
        assert_eq!(key_columns().count(), 10);
        let mut games = Vec::new();
        let synth = hathi_archive::Synth::new(3).with_games(1);
        let mut replayer = hathi_archive::Replayer::new();
        let archived = synth.game(0);
        let moves = crate::moves::Moves::of_game(replayer.replay_game(&archived).game);
        games.push(LoadGame {
            number: 1,
            sample: false,
            game: BuildGame {
                row: GameRow::new(1),
                started: None,
                gold_rating: Some(1500),
                silver_rating: None,
                winner: Some(Side::Gold),
                moves: moves.expect("set up").encode(),
            },
        });
        for layout in [Layout::OneServer, Layout::Citus] {
            for facts in [FactsWritten::Yes, FactsWritten::No] {
                for table in PositionTable::all(layout, facts) {
                    let mut rows = Vec::new();
                    for_each_with_facts(&games, |played, facts| {
                        write_rows(&mut rows, played, facts, table);
                    });
                    let written = i16::from_be_bytes([rows[0], rows[1]]);
                    let columns = table.columns().split(", ").count();
                    assert_eq!(columns, usize::from(written.cast_unsigned()), "{table:?}");
                }
            }
        }
    }
}
