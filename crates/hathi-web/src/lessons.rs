//! The lessons of Learn: read from `lessons/`, one file each, and the judge of
//! what somebody tries. A file says what is asked; the rules say what is right.
//!
//! Files are in the order of their numbers. `lessons/README.md` says how one
//! is written.

mod condition;
mod file;
mod question;

use std::sync::OnceLock;

use hathi_rules::{Bitboard, Board, Game, IllegalTurn, Outcome, Position, Setup, Side, Turn};
use rust_embed::RustEmbed;

pub(crate) use condition::{BoardCondition, Condition, Played};
pub(crate) use question::Question;

#[derive(RustEmbed)]
#[folder = "lessons"]
struct Files;

/// A file that is no lesson.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the lesson in {file} cannot be read: {reason}")]
pub(crate) struct BadLesson {
    file: String,
    reason: String,
}

/// Rules before strategy.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize, utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// How the game goes.
    Basics,
    /// How it is played well.
    Strategy,
}

/// One lesson.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// Its name in addresses.
    pub(crate) id: String,
    pub(crate) title: String,
    /// In a sentence.
    pub(crate) about: String,
    pub(crate) part: Part,
    pub(crate) tasks: Vec<Task>,
}

/// Something to do.
#[derive(Debug)]
pub(crate) struct Task {
    /// What is to be done, and what one must know for it.
    pub(crate) text: String,
    /// What is said when it is done.
    pub(crate) done: String,
    /// The position, and how it came about where that matters.
    game: Game,
    pub(crate) ask: Ask,
    /// One way to do it.
    answer: Try,
    /// Tries that fail, each with the words that must be the answer; for the
    /// test of the lessons.
    #[cfg_attr(not(test), allow(dead_code))]
    wrong: Vec<(Try, String)>,
}

/// What is asked for.
#[derive(Debug)]
pub(crate) enum Ask {
    /// A turn that meets every goal.
    Turn(Vec<Goal<Condition>>),
    /// An arrangement that meets every goal.
    Setup(Side, Vec<Goal<BoardCondition>>),
    /// Squares that answer a question about the position.
    Squares(Question),
    /// One of several answers.
    Choice(Choice),
}

/// A condition, and what is said to a try that does not meet it.
#[derive(Debug)]
pub(crate) struct Goal<C> {
    pub(crate) condition: C,
    pub(crate) or_else: String,
}

/// A question with answers to pick from; the rules know the right one.
#[derive(Debug)]
pub(crate) struct Choice {
    asks: Fact,
    pub(crate) options: Vec<Choosable>,
}

/// What the rules are asked.
#[derive(Debug)]
enum Fact {
    /// Who has won here, if anybody.
    Outcome,
    /// Is this turn legal here?
    Legal(Turn),
    /// Which turn leads to this board?
    LeadsTo(Board),
}

/// An answer to pick.
#[derive(Debug)]
pub(crate) struct Choosable {
    pub(crate) text: String,
    claim: Claim,
    /// Why it is right or wrong.
    because: String,
}

/// What an answer claims.
#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// This side has won; or nobody has.
    Winner(Option<Side>),
    /// The turn is legal, or not.
    Legal(bool),
    /// This turn leads there.
    Turn(Turn),
}

/// What somebody tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Try {
    /// A turn.
    Turn(Turn),
    /// An arrangement of the pieces.
    Setup(Setup),
    /// Squares.
    Squares(Bitboard),
    /// The number of an answer, from 0.
    Choice(usize),
}

/// What the judge says to a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) right: bool,
    /// Why.
    pub(crate) words: String,
}

impl Verdict {
    fn wrong(words: impl Into<String>) -> Verdict {
        Verdict {
            right: false,
            words: words.into(),
        }
    }
}

/// A try that does not fit the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this task asks for {0}")]
pub(crate) struct OtherKind(&'static str);

impl Ask {
    fn wants(&self) -> OtherKind {
        OtherKind(match self {
            Ask::Turn(_) => "a turn",
            Ask::Setup(..) => "a setup",
            Ask::Squares(_) => "squares",
            Ask::Choice(_) => "one of its answers",
        })
    }
}

impl Task {
    /// The position it starts from.
    pub(crate) fn position(&self) -> Position {
        self.game.position()
    }

    /// Turns that were played before, if they matter.
    pub(crate) fn played(&self) -> &[Turn] {
        self.game.turns()
    }

    /// One way to do it.
    pub(crate) fn answer(&self) -> &Try {
        &self.answer
    }

    /// Is it right, and if not, why not?
    pub(crate) fn judge(&self, attempt: &Try) -> Result<Verdict, OtherKind> {
        match (&self.ask, attempt) {
            (Ask::Turn(goals), Try::Turn(turn)) => Ok(self.judge_turn(goals, turn)),
            (Ask::Setup(side, goals), Try::Setup(setup)) if setup.side() == *side => {
                let mut board = *self.position().board();
                setup.place_on(&mut board);
                Ok(self.first_unmet(goals, |goal| goal.holds(&board)))
            }
            (Ask::Squares(question), Try::Squares(squares)) => {
                Ok(self.judge_squares(*question, *squares))
            }
            (Ask::Choice(choice), Try::Choice(number)) => {
                let Some(option) = choice.options.get(*number) else {
                    return Err(self.ask.wants());
                };
                Ok(Verdict {
                    right: self.is_true(&choice.asks, &option.claim),
                    words: option.because.clone(),
                })
            }
            _ => Err(self.ask.wants()),
        }
    }

    fn judge_turn(&self, goals: &[Goal<Condition>], turn: &Turn) -> Verdict {
        let mut game = self.game.clone();
        let before = game.position();
        match game.play(turn) {
            Err(IllegalTurn::ThirdRepetition) => Verdict::wrong(
                "Not allowed: the position would stand there for the third time. Do something else.",
            ),
            Err(reason) => Verdict::wrong(format!("This turn is not legal: {reason}.")),
            Ok(outcome) => {
                let turn = game.turns().last().copied().unwrap_or(*turn);
                let played = Played {
                    before,
                    turn,
                    after: game.position(),
                    outcome,
                };
                self.first_unmet(goals, |goal| goal.holds(&played))
            }
        }
    }

    fn first_unmet<C>(&self, goals: &[Goal<C>], holds: impl Fn(&C) -> bool) -> Verdict {
        match goals.iter().find(|goal| !holds(&goal.condition)) {
            Some(goal) => Verdict::wrong(&goal.or_else),
            None => Verdict {
                right: true,
                words: self.done.clone(),
            },
        }
    }

    fn judge_squares(&self, question: Question, tried: Bitboard) -> Verdict {
        let position = self.position();
        let right = question.answer(&position);
        if let Some(square) = (tried & !right).first() {
            return Verdict::wrong(question.why_not(&position, square));
        }
        match (right & !tried).len() {
            0 => Verdict {
                right: true,
                words: self.done.clone(),
            },
            _ if tried.is_empty() => {
                Verdict::wrong("Choose at least one square, then check.".to_owned())
            }
            1 => Verdict::wrong("So far that is right, but one is missing."),
            missing => Verdict::wrong(format!("So far that is right, but {missing} are missing.")),
        }
    }

    /// Do the rules agree with what an answer claims?
    fn is_true(&self, fact: &Fact, claim: &Claim) -> bool {
        match (fact, claim) {
            (Fact::Outcome, Claim::Winner(winner)) => {
                self.outcome().and_then(|outcome| outcome.winner) == *winner
            }
            (Fact::Legal(turn), Claim::Legal(legal)) => {
                self.game.clone().play(turn).is_ok() == *legal
            }
            (Fact::LeadsTo(board), Claim::Turn(turn)) => {
                let mut game = self.game.clone();
                game.play(turn).is_ok() && game.position().board() == board
            }
            _ => false,
        }
    }

    /// The end of the game, if it has come here.
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }
}

/// All lessons, in order.
pub(crate) fn all() -> Result<&'static [Lesson], BadLesson> {
    static ALL: OnceLock<Result<Vec<Lesson>, BadLesson>> = OnceLock::new();
    match ALL.get_or_init(read) {
        Ok(lessons) => Ok(lessons),
        Err(error) => Err(error.clone()),
    }
}

fn read() -> Result<Vec<Lesson>, BadLesson> {
    let mut names: Vec<_> = Files::iter()
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    let read = |name: &str| {
        let data = Files::get(name).map(|file| file.data).unwrap_or_default();
        file::lesson(name, &data).map_err(|reason| BadLesson {
            file: name.to_owned(),
            reason,
        })
    };
    names.iter().map(|name| read(name)).collect()
}

#[cfg(test)]
mod tests;
