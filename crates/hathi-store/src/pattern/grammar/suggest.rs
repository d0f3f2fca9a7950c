//! Words that are nearly right.

/// The words that begin something, for suggestions.
const WORDS: [&str; 32] = [
    "and",
    "blockade",
    "captures",
    "fork",
    "for",
    "framed",
    "frozen",
    "gives",
    "goal",
    "gold",
    "guards",
    "hostage",
    "lost",
    "material",
    "move",
    "mover",
    "never",
    "not",
    "opponent",
    "or",
    "phase",
    "pieces",
    "plays",
    "rating",
    "result",
    "silver",
    "strongest",
    "then",
    "threatens",
    "until",
    "within",
    "won",
];

/// The word that it was meant to be, if one is like it.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    let most = if word.len() < 5 { 1 } else { 2 };
    WORDS
        .into_iter()
        .map(|known| (distance(word, known), known))
        .min()
        .filter(|(distance, _)| *distance <= most)
        .map(|(_, known)| known)
}

/// Letters to change, add or leave out to get from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(30).enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
