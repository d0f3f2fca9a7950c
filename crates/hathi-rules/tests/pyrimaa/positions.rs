//! Random positions to ask about, odd ones on purpose.

use std::fmt;

use hathi_rules::{
    Bitboard, Board, Outcome, Piece, Position, PushPull, Role, RuleSet, Setup, Side, Square, Step,
    Termination,
};

use crate::answers::list;

/// A position to ask about: a start of turn and the steps taken since.
pub(crate) struct Case {
    pub(crate) start: Position,
    pub(crate) taken: Vec<Step>,
}

impl Case {
    pub(crate) fn draw(kind: Kind, random: &mut Random) -> Case {
        let mut case = Case {
            start: kind.draw(random),
            taken: Vec::new(),
        };
        // Half of them inside a turn. Any step would do, but pushes half done
        // and pulls pending are what we are after.
        if random.one_in(2) {
            let mut position = case.start;
            for _ in 0..=random.below(3) {
                let all = position.legal_steps();
                let mut steps = all.clone();
                match random.below(3) {
                    0 => steps.retain(|step| step.side() != position.side_to_move()),
                    1 => steps.retain(|&step| pull_pending(&position.after(step))),
                    _ => {}
                }
                let Some(&step) = random.choose(&steps).or_else(|| random.choose(&all)) else {
                    break;
                };
                position.apply(step);
                case.taken.push(step);
            }
        }
        case
    }

    pub(crate) fn position(&self) -> Position {
        self.taken
            .iter()
            .fold(self.start, |position, &step| position.after(step))
    }

    /// Can pyrimaa list the whole turns in a fraction of a second?
    pub(crate) fn is_cheap(&self) -> bool {
        let position = self.position();
        position
            .legal_steps()
            .len()
            .pow(position.steps_left().into())
            < 4000
    }

    /// The case without one piece, if the steps taken are still legal.
    pub(crate) fn without(&self, square: Square) -> Option<Case> {
        let mut board = *self.start.board();
        board.remove(square);
        let start = Position::new(board, self.start.side_to_move()).ok()?;
        let mut position = start;
        let mut taken = Vec::new();
        for step in &self.taken {
            let step = position.check_step(step.bare()).ok()?;
            position.apply(step);
            taken.push(step);
        }
        Some(Case { start, taken })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.start.long_form(), self.start.short_form())?;
        if !self.taken.is_empty() {
            writeln!(f, "after {}", list(self.taken.iter()))?;
        }
        Ok(())
    }
}

/// Could the next step complete a pull?
fn pull_pending(position: &Position) -> bool {
    let PushPull::MayPull { into, .. } = position.push_pull() else {
        return false;
    };
    let enemy = position.side_to_move().opponent();
    let mut steps = position.legal_steps().into_iter();
    steps.any(|step| step.side() == enemy && step.to() == Some(into))
}

/// How a position is made up. Random play alone would hardly ever show what
/// most of these are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    FewPieces,
    ManyPieces,
    ManyRabbits,
    RoundTraps,
    Edges,
    FrozenPairs,
    NearGoal,
    OneSideOnly,
    WithoutRabbits,
    HemmedIn,
    Composed,
    Playout,
}

impl Kind {
    pub(crate) const ALL: [Kind; 12] = [
        Kind::FewPieces,
        Kind::ManyPieces,
        Kind::ManyRabbits,
        Kind::RoundTraps,
        Kind::Edges,
        Kind::FrozenPairs,
        Kind::NearGoal,
        Kind::OneSideOnly,
        Kind::WithoutRabbits,
        Kind::HemmedIn,
        Kind::Composed,
        Kind::Playout,
    ];

    fn draw(self, random: &mut Random) -> Position {
        let mut board = Board::EMPTY;
        let mut side = random.side();
        let mut pieces = random.shuffled(all_pieces());
        let is_rabbit = |piece: &Piece| piece.role() == Role::Rabbit;
        match self {
            Kind::FewPieces => {
                pieces.truncate(1 + random.below(6));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::ManyPieces => {
                pieces.truncate(7 + random.below(26));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::ManyRabbits => {
                pieces.sort_by_key(|piece| !is_rabbit(piece));
                pieces.truncate(12 + random.below(10));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::RoundTraps => {
                let rest = pieces.split_off(6 + random.below(12));
                let round_traps = Bitboard::TRAPS | Bitboard::TRAPS.near();
                random.scatter(pieces, round_traps, &mut board);
                let rest = rest.into_iter().take(random.below(6)).collect();
                random.scatter(rest, Bitboard::ALL, &mut board);
            }
            Kind::Edges => {
                let files = Bitboard::FILE_A | Bitboard::FILE_H;
                let edges = files | Bitboard::RANK_1 | Bitboard::RANK_8;
                pieces.truncate(4 + random.below(24));
                random.scatter(pieces, edges, &mut board);
            }
            Kind::FrozenPairs => {
                // A weak piece with a stronger enemy beside it, several times.
                while let (Some(piece), Some(other)) = (pieces.pop(), pieces.pop()) {
                    let square = random.square(Bitboard::ALL);
                    let beside = random.square(square.neighbours());
                    let taken = board.occupied();
                    let is_pair = piece.side() != other.side() && piece.role() != other.role();
                    if is_pair && !taken.contains(square) && !taken.contains(beside) {
                        board.place(square, piece);
                        board.place(beside, other);
                    }
                }
            }
            Kind::NearGoal => {
                let (rabbits, mut others): (Vec<_>, Vec<_>) =
                    pieces.into_iter().partition(is_rabbit);
                // Far ahead more often than arrived: a game ends there.
                let arrived = random.one_in(3);
                for side in Side::ALL {
                    let mut ahead = side.opponent().home();
                    if !arrived {
                        ahead = ahead - side.goal();
                    }
                    let mut own = rabbits.clone();
                    own.retain(|rabbit| rabbit.side() == side);
                    own.truncate(1 + random.below(5));
                    random.scatter(own, ahead, &mut board);
                }
                others.truncate(random.below(12));
                random.scatter(others, Bitboard::ALL, &mut board);
            }
            Kind::OneSideOnly => {
                let owner = random.side();
                pieces.retain(|piece| piece.side() == owner);
                pieces.truncate(random.below(17));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::WithoutRabbits => {
                let robbed = random.side();
                let both = random.one_in(3);
                pieces.retain(|piece| !is_rabbit(piece) || (piece.side() != robbed && !both));
                pieces.truncate(2 + random.below(15));
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::HemmedIn => {
                // A few pieces of the side to move, enemies on most squares
                // beside them: often nothing can move.
                let (mut own, enemies): (Vec<_>, Vec<_>) =
                    pieces.into_iter().partition(|piece| piece.side() == side);
                own.sort_by_key(|piece| piece.role());
                own.truncate(1 + random.below(3));
                random.scatter(own, Bitboard::ALL, &mut board);
                let mut beside = board.occupied().near();
                if random.one_in(3) {
                    beside = beside - random.square(Bitboard::ALL).bit();
                }
                random.scatter(enemies, beside, &mut board);
            }
            Kind::Composed => {
                // Three dogs, two elephants: no game, but the rules hold.
                let number = 2 + random.below(30);
                let pieces = (0..number).map(|_| Piece::ALL[random.below(12)]).collect();
                random.scatter(pieces, Bitboard::ALL, &mut board);
            }
            Kind::Playout => {
                let start = random.play_out();
                board = *start.board();
                side = start.side_to_move();
            }
        }
        for square in board.unsupported_on_traps() {
            board.remove(square);
        }
        Position::new(board, side).expect("nothing stands on a trap alone")
    }
}

/// What both sides start with.
fn all_pieces() -> Vec<Piece> {
    Piece::ALL
        .into_iter()
        .flat_map(|piece| (0..piece.role().count_at_start()).map(move |_| piece))
        .collect()
}

/// Steele, Lea and Flood's `SplitMix64`: small, good enough, and the same on
/// every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }

    fn side(&mut self) -> Side {
        Side::ALL[self.below(2)]
    }

    /// One of a set that is not empty.
    fn square(&mut self, squares: Bitboard) -> Square {
        let squares: Vec<Square> = squares.into_iter().collect();
        squares[self.below(squares.len())]
    }

    /// Puts the pieces on free squares of the set, as long as there are any.
    fn scatter(&mut self, pieces: Vec<Piece>, squares: Bitboard, board: &mut Board) {
        let free = (squares & board.empty()).into_iter().collect();
        for (piece, square) in pieces.into_iter().zip(self.shuffled(free)) {
            board.place(square, piece);
        }
    }

    /// The position after some random turns of a game from random setups.
    fn play_out(&mut self) -> Position {
        let mut board = Board::EMPTY;
        for side in Side::ALL {
            let mut roles: Vec<Role> = all_pieces().iter().map(|piece| piece.role()).collect();
            roles.truncate(16);
            let roles = <[Role; 16]>::try_from(self.shuffled(roles)).expect("sixteen pieces");
            let setup = Setup::new(side, roles).expect("the right pieces");
            setup.place_on(&mut board);
        }
        let mut position = Position::new(board, Side::Gold).expect("a legal start");
        for _ in 0..self.below(80) {
            let mut next = position;
            let wanted = 1 + self.below(4);
            for taken in 0.. {
                if taken >= wanted && next.can_end_turn() {
                    break;
                }
                let steps = next.legal_steps();
                let Some(&step) = self.choose(&steps) else {
                    break;
                };
                next.apply(step);
            }
            // Random turns end games early; these go on to the next question.
            if Outcome::on_board(next.board(), position.side_to_move(), RuleSet::Modern).is_some() {
                break;
            }
            position = next.end_turn();
        }
        position
    }
}

/// What the random positions have shown, so that a change of the generator
/// cannot quietly make the comparison a dull one.
#[derive(Default)]
pub(crate) struct Seen {
    inside_turn: usize,
    inside_push: usize,
    can_pull: usize,
    captures: usize,
    frozen: usize,
    goals: usize,
    both_goals: usize,
    eliminations: usize,
    both_eliminated: usize,
    immobilised: usize,
    whole_turns: usize,
}

impl Seen {
    pub(crate) fn note(&mut self, case: &Case, whole_turns: bool) {
        let position = case.position();
        let board = position.board();
        let steps = position.legal_steps();
        let enemy = position.side_to_move().opponent();
        let count = |number: &mut usize, seen: bool| *number += usize::from(seen);
        count(&mut self.inside_turn, !case.taken.is_empty());
        let inside_push = matches!(position.push_pull(), PushPull::MustPush { .. });
        count(&mut self.inside_push, inside_push);
        count(&mut self.can_pull, pull_pending(&position));
        count(&mut self.captures, steps.iter().any(|step| step.captures()));
        let frozen = board.frozen(Side::Gold) | board.frozen(Side::Silver);
        count(&mut self.frozen, frozen.any());
        count(&mut self.whole_turns, whole_turns);
        if !case.taken.is_empty() {
            return;
        }
        let goals = board.on_goal();
        count(&mut self.both_goals, goals.gold && goals.silver);
        let rabbits = board.role(Role::Rabbit);
        let goal = goals.gold || goals.silver;
        count(&mut self.both_eliminated, rabbits.is_empty());
        let outcome = Outcome::on_board(board, enemy, RuleSet::Modern);
        match outcome.map(|outcome| outcome.termination) {
            Some(Termination::Goal) => count(&mut self.goals, goal),
            Some(Termination::Elimination) => self.eliminations += 1,
            Some(Termination::Immobilised) => self.immobilised += 1,
            _ => {}
        }
    }

    fn numbers(&self) -> [(&'static str, usize); 11] {
        [
            ("inside a turn", self.inside_turn),
            ("inside a push", self.inside_push),
            ("with a pull pending", self.can_pull),
            ("with a step that captures", self.captures),
            ("with frozen pieces", self.frozen),
            ("won by goal", self.goals),
            ("both sides on goal", self.both_goals),
            ("won by elimination", self.eliminations),
            ("no rabbits at all", self.both_eliminated),
            ("won by immobilisation", self.immobilised),
            ("with whole turns", self.whole_turns),
        ]
    }

    pub(crate) fn assert_variety(&self) {
        for (what, number) in self.numbers() {
            assert!(
                number >= 10,
                "only {number} positions {what}: the generator has gone dull"
            );
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.numbers();
        let words: Vec<String> = numbers
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        f.write_str(&words.join(", "))
    }
}
