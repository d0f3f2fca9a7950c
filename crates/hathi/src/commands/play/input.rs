//! What a person types.

use hathi_rules::{Position, Square, Turn};

/// Something typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Help,
    Board,
    Moves,
    Steps(Option<Square>),
    Hint,
    Undo,
    Save(String),
    Resign,
    Quit,
    /// Anything else: a move, or a mistake.
    Other(String),
}

impl Typed {
    pub(super) fn read(line: &str) -> Typed {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Typed::Nothing,
            ("help" | "h" | "?", _) => Typed::Help,
            ("board" | "b", "") => Typed::Board,
            ("moves", "") => Typed::Moves,
            ("steps", "") => Typed::Steps(None),
            ("steps", square) => match square.parse() {
                Ok(square) => Typed::Steps(Some(square)),
                Err(_) => Typed::Other(line.to_owned()),
            },
            ("hint", "") => Typed::Hint,
            ("undo" | "u", "") => Typed::Undo,
            ("save", _) => Typed::Save(rest.to_owned()),
            ("resign" | "resigns", "") => Typed::Resign,
            ("quit" | "q" | "exit", "") => Typed::Quit,
            _ => Typed::Other(line.to_owned()),
        }
    }
}

/// A turn as people write it: the letter of a piece may be missing.
pub(super) fn turn(text: &str, position: &Position) -> Result<Turn, String> {
    let mut board = *position;
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let word = with_piece(word, &board);
        if let Ok(step) = word.parse()
            && let Ok(step) = board.check_step(step)
        {
            board = board.after(step);
        }
        words.push(word);
    }
    words.join(" ").parse().map_err(|error| format!("{error}"))
}

/// `e2n` with the piece that stands on e2.
fn with_piece(word: &str, position: &Position) -> String {
    let square = word.get(..2).and_then(|square| square.parse().ok());
    match square.and_then(|square: Square| position.board().piece_at(square)) {
        Some(piece) if word.len() == 3 => format!("{piece}{word}"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_in_as_the_turn_goes() {
        let position: Position =
            "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let read = |text| turn(text, &position).expect("a turn").to_string();
        assert_eq!(read("e2n e3n Ee4n"), "Ee2n Ee3n Ee4n");
        assert_eq!(read("Ee2n"), "Ee2n");
        assert!(turn("hello", &position).is_err());
        assert!(turn("e9n", &position).is_err());
        assert!(turn("é2n", &position).is_err());
    }

    #[test]
    fn words() {
        assert_eq!(Typed::read(" HELP "), Typed::Help);
        assert_eq!(
            Typed::read("save my game.txt"),
            Typed::Save("my game.txt".into())
        );
        assert_eq!(Typed::read("steps e2"), Typed::Steps("e2".parse().ok()));
        assert_eq!(Typed::read("Ee2n"), Typed::Other("Ee2n".into()));
        assert_eq!(Typed::read(""), Typed::Nothing);
    }
}
