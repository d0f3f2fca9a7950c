//! The columns of a block of positions, worked out.

use hathi_model::phase::{Phase, PhaseScore, not_advanced};
use hathi_rules::{Bitboard, Board, CaptureThreat, PackedBoard, Position, Side, Square, Step};

use super::{Columns, Family, StoredPositions};
use crate::pattern::block::{CountWords, GameWords, code_on, entry, piece_code};
use crate::pattern::fact::{arrivals, fallen};
use crate::pattern::sliced;

/// Words of a family at most.
const MOST_WORDS: usize = GameWords::COUNT;

const _: () = assert!(CountWords::COUNT <= MOST_WORDS);

impl Columns {
    /// Adds the columns of sixty-four positions, or of the last ones.
    pub(super) fn add_block(&mut self, family: Family, block: StoredPositions<'_>) {
        let mut words = [0u64; MOST_WORDS];
        for (i, planes) in block.boards.iter().enumerate() {
            match family {
                Family::Goals | Family::Captures | Family::Shapes => {
                    // A damaged board has no facts.
                    if let Some(board) = board_of(planes) {
                        self.add_board(family, i, planes, board, &mut words);
                    }
                }
                Family::Counts => add_counts(i, planes, &mut words),
                Family::Games => add_game(i, block, &mut words),
                Family::Turns => self.add_turn(i, block),
            }
        }
        self.words.extend(&words[..family.words()]);
        for list in &mut self.lists {
            list.starts.push(list.entries.len() as u32);
        }
    }

    fn add(&mut self, list: usize, entries: impl Iterator<Item = u16>) {
        if let Some(list) = self.lists.get_mut(list) {
            list.entries.extend(entries);
        }
    }

    /// What the rules say of the board.
    fn add_board(
        &mut self,
        family: Family,
        i: usize,
        planes: &[u64; 4],
        board: Board,
        words: &mut [u64; MOST_WORDS],
    ) {
        let entries = |squares: Bitboard| {
            squares
                .iter()
                .map(move |square| entry(i, square, code_on(planes, square.index() as u32)))
        };
        // The mover plays Gold in its own view.
        for (other, side) in Side::ALL.into_iter().enumerate() {
            let position = Position::composed(board, side);
            match family {
                Family::Goals => {
                    if let Some(turn) = position.can_goal() {
                        for steps in turn.len().max(1)..=4 {
                            words[4 * other + steps - 1] |= 1 << i;
                        }
                    }
                }
                Family::Captures => {
                    let mut all = Bitboard::EMPTY;
                    for (number, trap) in Square::TRAPS.into_iter().enumerate() {
                        let victims = position.victims(trap);
                        self.add(number, entries(victims));
                        all |= victims;
                    }
                    let fork = CaptureThreat::is_fork(all.len() as usize);
                    words[other] |= u64::from(fork) << i;
                }
                Family::Shapes => {
                    words[other] |= u64::from(board.is_blockaded(side)) << i;
                    self.add(0, entries(board.frozen(side)));
                    self.add(1, entries(board.hostages(side)));
                    self.add(2, entries(board.framed(side)));
                }
                Family::Counts | Family::Games | Family::Turns => {}
            }
        }
    }

    /// What the turn played does.
    fn add_turn(&mut self, i: usize, block: StoredPositions<'_>) {
        let Some((steps, count)) = steps_of(i, block) else {
            return;
        };
        let steps = &steps[..count];
        let moved = arrivals(steps, Side::Gold);
        self.add(0, moved.map(|(piece, to)| entry(i, to, piece_code(piece))));
        for side in Side::ALL {
            let gone = fallen(steps, side);
            self.add(
                1,
                gone.map(|removal| entry(i, removal.square, piece_code(removal.piece))),
            );
        }
    }
}

fn board_of(planes: &[u64; 4]) -> Option<Board> {
    let mut bytes = [0; 32];
    for (chunk, plane) in bytes.chunks_exact_mut(8).zip(planes) {
        chunk.copy_from_slice(&plane.to_le_bytes());
    }
    Board::try_from(PackedBoard(bytes)).ok()
}

/// The steps played in a position, and how many they are.
fn steps_of(i: usize, block: StoredPositions<'_>) -> Option<([Step; 4], usize)> {
    let packed = block.moves.get(i)?.turn;
    let mut steps = [Step::from_bits(packed[0])?; 4];
    let mut count = 0;
    for bits in packed.into_iter().take_while(|&bits| bits != 0) {
        steps[count] = Step::from_bits(bits)?;
        count += 1;
    }
    Some((steps, count))
}

/// What can be counted on a board.
fn add_counts(i: usize, planes: &[u64; 4], words: &mut [u64; MOST_WORDS]) {
    let [p0, p1, p2, enemies] = *planes;
    let all = (p0 | p1 | p2).count_ones();
    let material = i64::from(all) - 2 * i64::from(enemies.count_ones()) + CountWords::EVEN;
    let numbers = &mut words[CountWords::MATERIAL];
    sliced::put(numbers, i, material.cast_unsigned());
    match quiet_phase(planes) {
        Phase::Opening => words[CountWords::OPENING] |= 1 << i,
        Phase::Middle => words[CountWords::MIDDLE] |= 1 << i,
        Phase::End => {}
    }
    for (number, trap) in Square::TRAPS.into_iter().enumerate() {
        let beside = trap.neighbours().0;
        let mut top = (p0 | p1 | p2) & beside;
        if top == 0 {
            continue;
        }
        let mut strength = 0;
        for (bit, plane) in [(4, p2), (2, p1), (1, p0)] {
            if top & plane != 0 {
                top &= plane;
                strength |= bit;
            }
        }
        sliced::put(&mut words[CountWords::strongest(number)], i, strength);
        for (opponent, others) in [(false, enemies), (true, !enemies)] {
            let all = u64::from(top & others == 0);
            words[CountWords::strongest_are_of(number, opponent)] |= all << i;
        }
    }
}

/// The phase while nobody threatens to reach goal.
fn quiet_phase(board: &[u64; 4]) -> Phase {
    let [p0, p1, p2, enemies] = *board;
    let all = p0 | p1 | p2;
    let elephants = p2 & p1 & !p0;
    let (own, theirs) = (all & !enemies, enemies);
    let advanced = |set: u64, side: Side| (set & !elephants & !not_advanced(side).0).count_ones();
    let fewer = own.count_ones().min(theirs.count_ones());
    let most = advanced(own, Side::Gold).max(advanced(theirs, Side::Silver));
    PhaseScore::new(fewer, most).phase()
}

/// What the game says of a position.
fn add_game(i: usize, block: StoredPositions<'_>, words: &mut [u64; MOST_WORDS]) {
    let Some(played) = block.moves.get(i) else {
        return;
    };
    let number = played.ply().move_number().into();
    sliced::put(&mut words[GameWords::MOVE_NUMBER], i, number);
    let Some(game) = block.games.get(played.game as usize) else {
        return;
    };
    for opponent in [false, true] {
        let side = if opponent {
            played.mover().opponent()
        } else {
            played.mover()
        };
        let won = u64::from(game.winner == side as u8 + 1);
        words[GameWords::won(opponent)] |= won << i;
        let rating = match side {
            Side::Gold => game.gold_rating,
            Side::Silver => game.silver_rating,
        };
        sliced::put(&mut words[GameWords::rating(opponent)], i, rating.into());
    }
}
