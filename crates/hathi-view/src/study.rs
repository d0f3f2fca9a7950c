//! Studies: a game or a position with comments and variations, and the same as
//! text that can be read again.

use hathi_rules::{Game, Ply, Turn};
use hathi_store::KeptStudy;
use serde::{Deserialize, Serialize};

/// Something said at one point of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyNote {
    /// Turns of the game that come before.
    pub ply: usize,
    /// Turns of a variation from there; none for the game itself.
    #[serde(default)]
    pub then: Vec<String>,
    /// The comment; it may be empty where there is a variation.
    #[serde(default)]
    pub text: String,
}

/// A study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyView {
    /// What it is known by.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// When it was last changed: seconds since 1970.
    pub changed: i64,
    /// The game or the position it is about, in notation.
    pub text: String,
    /// Comments and variations, in the order of the game.
    pub notes: Vec<StudyNote>,
}

/// What the store keeps as text.
#[derive(Serialize, Deserialize)]
struct Body {
    text: String,
    notes: Vec<StudyNote>,
}

/// Notes of a study at most.
pub const MOST_NOTES: usize = 500;

/// Turns of a variation at most.
const LONGEST_VARIATION: usize = 100;

/// Characters of a comment, and of a title, at most.
const LONGEST_COMMENT: usize = 4_000;
const LONGEST_TITLE: usize = 200;

/// Why a study cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// It needs a name.
    #[error("a study needs a title, of up to {LONGEST_TITLE} characters")]
    Title,
    /// Too much of it.
    #[error(
        "a study has at most {MOST_NOTES} notes, a variation at most {LONGEST_VARIATION} turns, a comment at most {LONGEST_COMMENT} characters"
    )]
    TooLong,
    /// After the end.
    #[error("a note stands after {ply} turns, but the game has {turns}")]
    Ply {
        /// Where the note stands.
        ply: usize,
        /// Where the game ends.
        turns: usize,
    },
    /// There are fewer.
    #[error("the study has {count} variations, there is no number {number}")]
    NoVariation {
        /// The one asked for, from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A variation breaks off.
    #[error("the variation after {ply} turns: {turn}: {why}")]
    Turn {
        /// Where it begins.
        ply: usize,
        /// The turn that cannot be played.
        turn: String,
        /// Why not.
        why: String,
    },
}

impl StudyNote {
    /// The variation as a game of its own, from where it begins.
    pub fn variation(&self, game: &Game) -> Result<Game, StudyError> {
        if self.then.len() > LONGEST_VARIATION {
            return Err(StudyError::TooLong);
        }
        let (ply, turns) = (self.ply, game.turns().len());
        let Some(position) = game.positions().get(ply) else {
            return Err(StudyError::Ply { ply, turns });
        };
        let mut at = Game::from_position(game.rules(), *position);
        for turn in &self.then {
            let broken = |why: String| StudyError::Turn {
                ply,
                turn: turn.chars().take(60).collect(),
                why,
            };
            let read: Turn = turn.parse().map_err(|error| broken(format!("{error}")))?;
            let (whole, _) = at
                .check_turn(&read)
                .map_err(|error| broken(error.to_string()))?;
            at.play(&whole).map_err(|error| broken(error.to_string()))?;
        }
        Ok(at)
    }
}

impl StudyView {
    /// A study of this game, checked: every note has its place, every variation
    /// can be played. Notes that say nothing are left out.
    pub fn new(
        id: String,
        title: &str,
        changed: i64,
        text: String,
        game: &Game,
        notes: Vec<StudyNote>,
    ) -> Result<StudyView, StudyError> {
        let title = title.trim();
        if title.is_empty() || title.chars().count() > LONGEST_TITLE {
            return Err(StudyError::Title);
        }
        if notes.len() > MOST_NOTES {
            return Err(StudyError::TooLong);
        }
        let mut checked = Vec::with_capacity(notes.len());
        for note in notes {
            let note = check(game, &note)?;
            if !(note.then.is_empty() && note.text.is_empty()) {
                checked.push(note);
            }
        }
        checked.sort_by(|a, b| (a.ply, &a.then).cmp(&(b.ply, &b.then)));
        Ok(StudyView {
            id,
            title: title.replace(char::is_control, " "),
            changed,
            text,
            notes: checked,
        })
    }

    /// The game that a picture shows: its own, or a variation by its number, from 1.
    pub fn shown(&self, game: &Game, variation: Option<usize>) -> Result<Game, StudyError> {
        let Some(number) = variation else {
            return Ok(game.clone());
        };
        let mut variations = self.notes.iter().filter(|note| !note.then.is_empty());
        let count = variations.clone().count();
        let note = number
            .checked_sub(1)
            .and_then(|index| variations.nth(index));
        note.ok_or(StudyError::NoVariation { number, count })?
            .variation(game)
    }

    /// As a store keeps it.
    pub fn kept(&self) -> KeptStudy {
        let body = Body {
            text: self.text.clone(),
            notes: self.notes.clone(),
        };
        KeptStudy {
            id: self.id.clone(),
            title: self.title.clone(),
            changed: self.changed,
            body: serde_json::to_string(&body).unwrap_or_default(),
        }
    }

    /// What a store has kept; nothing if it was written in other words.
    pub fn read(kept: KeptStudy) -> Option<StudyView> {
        let Body { text, notes } = serde_json::from_str(&kept.body).ok()?;
        Some(StudyView {
            id: kept.id,
            title: kept.title,
            changed: kept.changed,
            text,
            notes,
        })
    }

    /// The moves with what is said about them as comments; reading it again
    /// gives the game.
    pub fn annotated(&self, game: &Game) -> String {
        let mut lines = vec![format!("# study      {}", self.title)];
        let mut ply = 0;
        // Setups, and what stands above them, come before the first turn.
        for line in self.text.lines() {
            let label = line.split(' ').next().unwrap_or_default();
            if ply < game.turns().len() && label == game.label_of(Ply::after(ply)).to_string() {
                self.comments(game, ply, &mut lines);
                ply += 1;
            }
            lines.push(line.to_owned());
        }
        for rest in ply..=game.turns().len() {
            self.comments(game, rest, &mut lines);
        }
        lines.join("\n") + "\n"
    }

    /// What is said after so many turns.
    fn comments(&self, game: &Game, ply: usize, lines: &mut Vec<String>) {
        for note in self.notes.iter().filter(|note| note.ply == ply) {
            if !note.then.is_empty() {
                let turns = (ply..).zip(&note.then);
                let turns: Vec<String> = turns
                    .map(|(ply, turn)| format!("{} {turn}", game.label_of(Ply::after(ply))))
                    .collect();
                lines.push(format!("# - variation: {}", turns.join(", ")));
            }
            let comment = note.text.lines().filter(|line| !line.trim().is_empty());
            lines.extend(comment.map(|line| format!("# - {}", line.trim())));
        }
    }
}

fn check(game: &Game, note: &StudyNote) -> Result<StudyNote, StudyError> {
    let text = note.text.trim().replace('\r', "");
    if text.chars().count() > LONGEST_COMMENT {
        return Err(StudyError::TooLong);
    }
    let played = note.variation(game)?;
    Ok(StudyNote {
        ply: note.ply,
        then: played.turns().iter().map(ToString::to_string).collect(),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_archive::{Replayer, plain};
    use hathi_rules::GameRecord;

    const TEXT: &str = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2g Ee2n Ee3n Ee4n Ee5n
2s ed7s ed6s ha7s hh7s
";

    fn game() -> Game {
        let record: GameRecord = TEXT.parse().expect("a record");
        record
            .replay(hathi_rules::RuleSet::Modern)
            .expect("legal")
            .game
    }

    fn note(ply: usize, then: &[&str], text: &str) -> StudyNote {
        StudyNote {
            ply,
            then: then.iter().map(|&turn| turn.to_owned()).collect(),
            text: text.to_owned(),
        }
    }

    fn study(notes: Vec<StudyNote>) -> Result<StudyView, StudyError> {
        StudyView::new(
            "x".to_owned(),
            " A study ",
            7,
            TEXT.to_owned(),
            &game(),
            notes,
        )
    }

    #[test]
    fn comments_stand_where_they_belong_and_the_game_is_read_again() {
        let study = study(vec![
            note(2, &[], "The end."),
            note(1, &["ed7s", "Ha2n"], "Quieter.\nAnd safe."),
            note(0, &[], "Both set up alike."),
            note(1, &[], ""),
        ])
        .expect("a study");
        assert_eq!(StudyView::read(study.kept()), Some(study.clone()));
        let variation = study.shown(&game(), Some(1)).expect("the only one");
        assert_eq!(variation.turns().len(), 2);
        assert_eq!(variation.positions()[0], game().positions()[1]);
        assert_eq!(
            study.shown(&game(), None).expect("the game").turns().len(),
            2
        );
        for number in [0, 2] {
            let refused = study.shown(&game(), Some(number));
            assert_eq!(
                refused.err(),
                Some(StudyError::NoVariation { number, count: 1 })
            );
        }
        let text = study.annotated(&game());
        let expected = "\
# study      A study
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
# - Both set up alike.
2g Ee2n Ee3n Ee4n Ee5n
# - variation: 2s ed7s, 3g Ha2n
# - Quieter.
# - And safe.
2s ed7s ed6s ha7s hh7s
# - The end.
";
        assert_eq!(text, expected);
        let read = plain::games(text.as_bytes());
        assert_eq!(read.len(), 1);
        let mut replayer = Replayer::new();
        let replayed = replayer.replay_game(&read[0]);
        assert_eq!(replayed.game.turns(), game().turns());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(matches!(
            study(vec![note(3, &[], "after the end")]),
            Err(StudyError::Ply { ply: 3, turns: 2 })
        ));
        for turn in ["nonsense", "Ra1s", "ed7s"] {
            let refused = study(vec![note(0, &[turn], "")]).expect_err(turn);
            assert!(
                matches!(refused, StudyError::Turn { ply: 0, .. }),
                "{refused}"
            );
        }
        let empty = StudyView::new("x".to_owned(), " ", 7, TEXT.to_owned(), &game(), Vec::new());
        assert_eq!(empty, Err(StudyError::Title));
        let many = vec![note(0, &[], "x"); MOST_NOTES + 1];
        assert_eq!(study(many), Err(StudyError::TooLong));
    }
}
