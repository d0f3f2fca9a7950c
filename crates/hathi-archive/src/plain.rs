//! Plain move lists: what the page and `hathi games` write for people, and
//! what people paste. Who played, when and how it ended stands above the moves,
//! as comments.
//!
//! ```text
//! # game       15
//! # date       2002-11-21 20:31:06
//! # Gold       omar (1702)
//! # Silver     clauchau
//! # result     Gold wins by goal
//! 1g Ra1 Rb1 ...
//! 1s ra8 rb8 ...
//! 2g Ed2n Ed3n
//! ```

use std::fmt::Write as _;

use hathi_rules::{BySide, Game, GameRecord, Label, Outcome, Setup, Side, Termination};

use crate::text::decode;
use crate::{ArchivedGame, GameId, GameSource, Player, Replayer, dates};

/// A game as a plain move list. `fault` says why it was shortened, if it was.
pub fn notation(about: &ArchivedGame, game: &Game, fault: Option<&str>) -> String {
    let mut text = String::new();
    let mut line = |label: &str, words: &str| {
        if !words.is_empty() {
            // A line end in a name would make a move of what follows it.
            let words = words.replace(char::is_control, " ");
            let _ = writeln!(text, "# {label:<9}  {}", words.trim());
        }
    };
    if about.id.is_some() {
        line("game", &about.id.to_string());
    }
    let start = about.start.and_then(dates::moment).unwrap_or_default();
    line("date", &start);
    for side in Side::ALL {
        line(side.name(), &named(&about.players[side]));
    }
    if !about.event.is_empty() {
        let rated = if about.rated { "rated" } else { "unrated" };
        line("event", &format!("{}, {rated}", about.event));
    }
    line("time", &about.time_control);
    if let Some(outcome) = about.recorded().or(game.outcome()) {
        line("result", &outcome.to_string());
    }
    line("shortened", fault.unwrap_or_default());
    let _ = write!(text, "{}", GameRecord::of_game(game));
    text
}

/// `omar (1702)`.
fn named(player: &Player) -> String {
    match player.rating {
        Some(rating) => format!("{} ({rating})", player.name),
        None => player.name.clone(),
    }
}

/// The other way round.
fn player(text: &str) -> Player {
    let rated = text.strip_suffix(')').and_then(|text| {
        let (name, rating) = text.rsplit_once(" (")?;
        Some((name, rating.parse::<i32>().ok()?))
    });
    let (name, rating) = match rated {
        Some((name, rating)) => (name, Some(rating)),
        None => (text, None),
    };
    Player {
        name: name.to_owned(),
        rating,
        ..Player::default()
    }
}

/// The games of a plain text, in the form of an archive's rows; none if it is
/// something else. Labels may be missing altogether, and so may line ends
/// between labelled moves.
pub fn games(text: &[u8]) -> Vec<ArchivedGame> {
    let text = decode(text).replace("\\n", "\n");
    let mut reading = Reading::default();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            reading.comment(comment.trim());
        } else if !reading.line(line) {
            return Vec::new();
        }
    }
    reading.finish_game();
    reading.games
}

/// A text while it is read.
#[derive(Default)]
struct Reading {
    games: Vec<ArchivedGame>,
    about: ArchivedGame,
    /// Moves of the game being read, each with its label.
    moves: Vec<String>,
    /// No move has a label: they take turns.
    unlabelled: bool,
}

impl Reading {
    /// A comment may say something about the game; before the next one's moves
    /// it is about that.
    fn comment(&mut self, text: &str) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        if key == "game"
            && let Ok(id) = value.parse()
        {
            self.finish_game();
            self.about.id = id;
            return;
        }
        let about = &mut self.about;
        match key {
            "date" => about.start = dates::read_moment(value),
            "Gold" => about.players.gold = player(value),
            "Silver" => about.players.silver = player(value),
            "event" => {
                let (event, rated) = match value.rsplit_once(", ") {
                    Some((event, "rated")) => (event, true),
                    Some((event, "unrated")) => (event, false),
                    _ => (value, false),
                };
                (about.event, about.rated) = (event.to_owned(), rated);
            }
            "time" => value.clone_into(&mut about.time_control),
            "result" => {
                let outcome = outcome(value);
                about.result = outcome.and_then(|outcome| outcome.winner);
                about.termination = outcome.map(|outcome| outcome.termination);
            }
            _ => {}
        }
    }

    /// A line with a move, part of one or several. False if it cannot be one of
    /// a move list.
    fn line(&mut self, line: &str) -> bool {
        for (number, word) in line.split_whitespace().enumerate() {
            if let Some(label) = label(word) {
                let begins = label.number == 1 && label.side == Side::Gold;
                if begins && !self.moves.is_empty() {
                    self.finish_game();
                }
                self.unlabelled = false;
                self.moves.push(word.to_owned());
                continue;
            }
            if self.moves.is_empty() || (self.unlabelled && number == 0) {
                // Without labels a list must begin with a setup, or anything is one.
                if self.moves.is_empty() && line.parse::<Setup>().is_err() {
                    return false;
                }
                self.unlabelled = true;
                self.moves
                    .push(Label::at_index(self.moves.len()).to_string());
            }
            // What begins with a label may still be anything: `1g` and no setup.
            if self.moves.len() == 1 && !is_placement(word) {
                return false;
            }
            if let Some(last) = self.moves.last_mut() {
                last.push(' ');
                last.push_str(word);
            }
        }
        true
    }

    fn finish_game(&mut self) {
        let moves = std::mem::take(&mut self.moves);
        let mut game = std::mem::take(&mut self.about);
        self.unlabelled = false;
        // A label alone is no beginning.
        if moves.first().is_none_or(|first| !first.contains(' ')) {
            return;
        }
        game.movelist = moves.join("\\n").into_bytes();
        if game.recorded().is_none() && game.result.is_none() {
            let outcome = Replayer::new().replay_game(&game).outcome;
            game.result = outcome.and_then(|outcome| outcome.winner);
            game.termination = outcome.map(|outcome| outcome.termination);
        }
        if !game.id.is_some() {
            game.id = number_of(&game.players, &game.movelist);
        }
        self.games.push(game);
    }
}

/// `12g`, and nothing else.
fn label(word: &str) -> Option<Label> {
    word.starts_with(|c: char| c.is_ascii_digit())
        .then(|| word.parse().ok())
        .flatten()
}

/// `Ra1`: a letter of a piece and a square.
fn is_placement(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [piece, b'a'..=b'h', b'1'..=b'8'] if b"RCDHMErcdhme".contains(piece)
    )
}

/// The words of an outcome, read again.
fn outcome(text: &str) -> Option<Outcome> {
    let winners = [Some(Side::Gold), Some(Side::Silver), None];
    winners
        .into_iter()
        .flat_map(|winner| {
            Termination::ALL.map(|termination| Outcome {
                winner,
                termination,
            })
        })
        .find(|outcome| outcome.to_string() == text)
}

/// A number for a game that has none, by what it is: the same list has the same
/// number each time. (FNV-1a, twelve digits of it.)
fn number_of(players: &BySide<Player>, movelist: &[u8]) -> GameId {
    let names = [&players.gold.name, &players.silver.name];
    let bytes = names
        .into_iter()
        .flat_map(|name| name.bytes().chain([0]))
        .chain(movelist.iter().copied());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    GameId::of(GameSource::File, 1 + hash % 999_999_999_999).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn turns(game: &ArchivedGame) -> usize {
        Replayer::new().replay_game(game).game.turns().len()
    }

    #[test]
    fn what_is_written_is_read() {
        let text = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s resigns");
        let mut about = games(text.as_bytes()).remove(0);
        assert_eq!(about.id.source(), GameSource::File);
        assert_eq!(about.result, Some(Side::Gold));
        about.id = "sample:15~2".parse().unwrap();
        about.players.gold = player("omar (1702)");
        about.players.silver.name = "two (words)".to_owned();
        about.start = Some(1_037_900_001);
        about.event = "Cup, final".to_owned();
        about.rated = true;
        about.time_control = "2/2/100/10/8".to_owned();
        let mut replayer = Replayer::new();
        let written = notation(&about, replayer.replay_game(&about).game, None);
        assert!(written.contains("# Gold       omar (1702)\n"), "{written}");
        let read = games(written.as_bytes()).remove(0);
        let moves = |game: &ArchivedGame| turns(game);
        assert_eq!(moves(&read), moves(&about));
        let without_moves = |mut game: ArchivedGame| {
            game.movelist = Vec::new();
            game
        };
        assert_eq!(without_moves(read), without_moves(about));
    }

    #[test]
    fn lists_of_people_are_read() {
        let one_line = format!("1g {GOLD} 1s {SILVER} 2g Ee2n Ee3n 2s ed7s 3g");
        let plain = format!("{GOLD}\n{SILVER}\n\nEe2n Ee3n\ned7s\n");
        let escaped = format!("1w {GOLD}\\n1b {SILVER}\\n2w Ee2n Ee3n\\n2b ed7s\\n3w");
        for text in [one_line, plain, escaped] {
            let found = games(text.as_bytes());
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(turns(&found[0]), 2, "{text}");
            // The same list is the same game.
            assert_eq!(found[0].id, games(text.as_bytes())[0].id);
        }
        // A broken one is kept as it is: replaying keeps the legal part.
        let broken = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s oops\n3g Ee3n");
        let found = games(broken.as_bytes());
        assert_eq!(turns(&found[0]), 1);
        let two = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n1g {GOLD}\n1s {SILVER}\n2g Md2n\n");
        assert_eq!(games(two.as_bytes()).len(), 2);
    }

    #[test]
    fn other_texts_are_no_games() {
        for text in [
            "",
            "# a comment",
            "Dear all,\n1 apple and 2 pears",
            "1g hello",
            "1g 1g 1g",
            "1g\n1s\n2g",
            "id\tmovelist\n1\t1g",
            "hello world",
            "\0\u{1}\u{2}",
        ] {
            assert!(games(text.as_bytes()).is_empty(), "{text:?}");
        }
    }
}
