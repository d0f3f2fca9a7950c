//! Parts of the board by name: `d7`, `a5-c8`, `near(c6)`, `{d7 e7}`, `home`.

use std::fmt;

use hathi_rules::{Bitboard, Square};

/// A set of squares and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) squares: Bitboard,
    text: String,
}

/// Named parts.
const NAMED: [(&str, Bitboard); 7] = [
    ("home", Bitboard(0x0000_0000_ffff_ffff)),
    ("far", Bitboard(0xffff_ffff_0000_0000)),
    ("west", Bitboard(0x0f0f_0f0f_0f0f_0f0f)),
    ("east", Bitboard(0xf0f0_f0f0_f0f0_f0f0)),
    ("centre", Bitboard(0x0000_183c_3c18_0000)),
    ("traps", Bitboard::TRAPS),
    ("board", Bitboard::ALL),
];

impl Area {
    pub(crate) fn parse(text: &str) -> Option<Area> {
        let squares = if let Some((_, squares)) = NAMED.iter().find(|(name, _)| *name == text) {
            *squares
        } else if let Some(inner) = enclosed(text, "near(", ")") {
            inner.parse::<Square>().ok()?.neighbours()
        } else if let Some(inner) = enclosed(text, "{", "}") {
            inner
                .split([',', ' '])
                .filter(|word| !word.is_empty())
                .try_fold(Bitboard::EMPTY, |set, word| {
                    Some(set | word.parse::<Square>().ok()?.bit())
                })?
        } else if let Some((from, to)) = text.split_once('-') {
            rectangle(from.parse().ok()?, to.parse().ok()?)
        } else {
            text.parse::<Square>().ok()?.bit()
        };
        squares.any().then(|| Area {
            squares,
            text: text.to_owned(),
        })
    }

    /// As a player says it, the same on either wing.
    pub(crate) fn words(&self) -> String {
        let named = match self.text.as_str() {
            "home" => "the own half",
            "far" => "the other half",
            "west" | "east" => "its wing",
            "centre" => "the centre",
            "traps" => "a trap",
            "board" => "any square",
            _ => "",
        };
        if !named.is_empty() {
            return named.to_owned();
        }
        if let Some(inner) = enclosed(&self.text, "near(", ")") {
            return format!("a square next to {inner}");
        }
        if let Some(inner) = enclosed(&self.text, "{", "}") {
            let squares = inner.split([',', ' ']).filter(|word| !word.is_empty());
            return squares.collect::<Vec<_>>().join(" or ");
        }
        self.text.clone()
    }

    /// On this wing or the other.
    pub(crate) fn on(&self, mirrored: bool) -> Bitboard {
        if mirrored {
            self.squares.mirror()
        } else {
            self.squares
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn enclosed<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

fn rectangle(one: Square, other: Square) -> Bitboard {
    let between = |square: Square, of: fn(Square) -> usize| {
        let (a, b) = (of(one), of(other));
        (a.min(b)..=a.max(b)).contains(&of(square))
    };
    Square::all()
        .filter(|&square| {
            between(square, |square| square.index() % 8)
                && between(square, |square| square.index() / 8)
        })
        .fold(Bitboard::EMPTY, |set, square| set | square.bit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_said_in_words() {
        for (text, words) in [
            ("d7", "d7"),
            ("{b3,b4}", "b3 or b4"),
            ("near(c6)", "a square next to c6"),
            ("a5-c8", "a5-c8"),
            ("centre", "the centre"),
        ] {
            assert_eq!(Area::parse(text).expect(text).words(), words);
        }
    }

    #[test]
    fn areas_are_read() {
        let count = |text: &str| Area::parse(text).map(|area| area.squares.len());
        assert_eq!(count("d7"), Some(1));
        assert_eq!(count("a5-c8"), Some(12));
        assert_eq!(count("c8-a5"), Some(12));
        assert_eq!(count("near(c6)"), Some(4));
        assert_eq!(count("{d7,e7}"), Some(2));
        assert_eq!(count("far"), Some(32));
        for text in ["", "i9", "near(x)", "{}", "a5-", "nowhere"] {
            assert_eq!(count(text), None, "{text}");
        }
    }
}
