//! What a controller says.

use hathi_rules::{ParsePositionError, Position};

/// A message from a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Say who you are.
    Aei,
    /// Are you ready?
    IsReady,
    /// A new game begins.
    NewGame,
    /// This is the position.
    SetPosition(Box<Position>),
    /// An option and its value.
    SetOption {
        /// The name.
        name: String,
        /// The value; empty if there is none.
        value: String,
    },
    /// A move was made: a setup or a turn, as written.
    MakeMove(String),
    /// Think; without answering, if pondering.
    Go {
        /// Think on the opponent's time.
        ponder: bool,
    },
    /// Answer now.
    Stop,
    /// The end.
    Quit,
}

/// Why a line is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Nothing the protocol knows.
    #[error("unknown message {0:?}")]
    Unknown(String),
    /// `setoption` in another form.
    #[error("expected `setoption name NAME [value VALUE]`")]
    BadOption,
    /// No position.
    #[error("no position: {0}")]
    BadPosition(#[from] ParsePositionError),
    /// `makemove` without a move.
    #[error("`makemove` without a move")]
    NoMove,
}

impl Message {
    /// Reads a line; a blank one says nothing.
    pub fn read(line: &str) -> Result<Option<Message>, MessageError> {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        Ok(Some(match word {
            "" => return Ok(None),
            "aei" => Message::Aei,
            "isready" => Message::IsReady,
            "newgame" => Message::NewGame,
            "stop" => Message::Stop,
            "quit" => Message::Quit,
            "go" => match rest.trim() {
                "" => Message::Go { ponder: false },
                "ponder" => Message::Go { ponder: true },
                _ => return Err(unknown(line)),
            },
            "makemove" if rest.is_empty() => return Err(MessageError::NoMove),
            "makemove" => Message::MakeMove(rest.to_owned()),
            "setposition" => Message::SetPosition(Box::new(rest.parse()?)),
            "setoption" => option(rest).ok_or(MessageError::BadOption)?,
            _ => return Err(unknown(line)),
        }))
    }
}

fn unknown(line: &str) -> MessageError {
    MessageError::Unknown(line.chars().take(60).collect())
}

/// `name NAME [value VALUE]`; a value may hold spaces.
fn option(text: &str) -> Option<Message> {
    let text = text.strip_prefix("name")?;
    let named = text.trim_start();
    if named.is_empty() || named.len() == text.len() {
        return None;
    }
    let (name, rest) = named.split_once(char::is_whitespace).unwrap_or((named, ""));
    let rest = rest.trim_start();
    let value = if rest.is_empty() {
        ""
    } else {
        rest.strip_prefix("value")?
    };
    Some(Message::SetOption {
        name: name.to_owned(),
        value: value.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Message {
        Message::read(line).expect("a message").expect("not blank")
    }

    #[test]
    fn all_messages() {
        assert_eq!(read("aei"), Message::Aei);
        assert_eq!(read("  isready \r"), Message::IsReady);
        assert_eq!(read("go"), Message::Go { ponder: false });
        assert_eq!(read("go  ponder"), Message::Go { ponder: true });
        assert_eq!(read("makemove Ee2n"), Message::MakeMove("Ee2n".into()));
        let option = |name: &str, value: &str| Message::SetOption {
            name: name.into(),
            value: value.into(),
        };
        assert_eq!(
            read("setoption name tcmove value 15"),
            option("tcmove", "15")
        );
        assert_eq!(read("setoption name rated"), option("rated", ""));
        assert_eq!(
            read("setoption name opponent value Ann  Other"),
            option("opponent", "Ann  Other")
        );
        let board = format!("setposition s [{}]", "rE ".repeat(21) + "x");
        assert!(matches!(
            Message::read(&board),
            Err(MessageError::BadPosition(_))
        ));
        let board = format!("setposition s [{}R]", " ".repeat(63));
        assert!(matches!(read(&board), Message::SetPosition(_)));
        assert_eq!(Message::read("   "), Ok(None));
    }

    #[test]
    fn what_is_none() {
        for line in [
            "uci",
            "go fast",
            "makemove",
            "setoption",
            "setoption nametcmove",
            "setoption name",
            "setoption name x valu 3 y",
            "setposition",
            "setposition g",
            "AEI",
            "\u{1}",
        ] {
            assert!(Message::read(line).is_err(), "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read_without_panic(line in "\\PC{0,200}") {
            let _ = Message::read(&line);
        }

        #[test]
        fn nearly_messages(word in "(aei|go|setoption|setposition|makemove|stop) ?",
                           name in "(name)? ?[a-z]{0,8} ?(value)? ?",
                           rest in "[\\x00-\\x7f]{0,80}") {
            let _ = Message::read(&format!("{word}{name}{rest}"));
        }
    }
}
