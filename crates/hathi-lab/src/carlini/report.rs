//! What he drew, wrote and claimed, and what came out here, side by side.

use hathi_rules::Bitboard;
use hathi_view::numbers::grouped;

use super::Summary;
use super::drawings::DRAWINGS;
use super::pictures;
use crate::branching::{Branching, MoveNumber};
use crate::document::{Document, Table};

/// His "middle game" in possible turns.
const MIDDLE_GAME: [f64; 2] = [5_000.0, 40_000.0];

/// The mean that he assumes.
const ASSUMED: f64 = 20_000.0;

const SECONDS_OF_A_YEAR: f64 = 31_556_952.0;

pub(super) fn document(summary: &Summary) -> anyhow::Result<Document> {
    let mut document = Document::new("Carlini 2008: from rules to bitboards, again");
    document.text(
        "\"Arimaa: from rules to bitboard analysis\" writes the rules of steps as operations on sets of squares and says \
         why the game is hard for computers. Its functions are run here by the letter beside ours, its drawings stand \
         beside what the rules say, and what it claims about numbers, bytes and speed beside what is counted and measured.",
    );
    document.text(format!("The games: {}.", summary.games));
    if !summary.complete {
        document.text("Not finished: the same command goes on from here.");
    }
    document.text(format!(
        "This run took {:.0} s, what was done before aside.",
        summary.seconds
    ));
    drawings(&mut document)?;
    functions(&mut document, summary);
    slips(&mut document);
    claims(&mut document, summary);
    size(&mut document, summary);
    speed(&mut document, summary);
    Ok(document)
}

fn drawings(document: &mut Document) -> anyhow::Result<()> {
    document.heading("His drawings");
    document.text(
        "The boards and sets of his chapter 3. The text at hand has lost some columns of its drawings: how many marks a \
         rank has can be told, on which files they stand not always. Where it cannot, they are drawn where the rules put \
         them, so that only what is wrong beyond doubt is called a slip.",
    );
    document.drawing(
        "drawings.svg",
        "Letters are the pieces of his board, capitals Gold's; grey squares are traps",
        pictures::svg()?,
    );
    let mut table = Table::new(
        "The sets that he draws",
        &[
            "set",
            "in his drawing",
            "by his code",
            "by the rules",
            "slip",
        ],
        5,
    );
    for drawing in DRAWINGS {
        let beside = drawing.beside()?;
        table.row([
            format!("`{}`", drawing.name),
            squares(beside.drawn),
            squares(beside.his),
            squares(beside.rules),
            drawing.slip.to_owned(),
        ]);
    }
    document.table(table);
    Ok(())
}

/// `a1 h6`, or how many.
fn squares(set: Bitboard) -> String {
    match set.len() {
        0 => "none".to_owned(),
        1..=8 => {
            let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
            names.join(" ")
        }
        many => format!("{many} squares"),
    }
}

fn functions(document: &mut Document, summary: &Summary) {
    document.heading("His functions by the letter");
    let mut table = Table::new(
        &format!(
            "Where his function and the rules differ: every kind of piece in {} positions of games, rabbits aside",
            grouped(summary.positions)
        ),
        &["his function", "cases", "differ", "share"],
        1,
    );
    for compared in &summary.compared {
        let share = 100.0 * compared.differ as f64 / compared.cases.max(1) as f64;
        table.row([
            format!("`{}`", compared.function),
            grouped(compared.cases),
            grouped(compared.differ),
            format!("{share:.1} %"),
        ]);
    }
    document.table(table);
    document.text(
        "`pull` is wrong as it is printed: `not_frozen(bitboard) & pullFull(bitboard)` intersects own pieces with enemies \
         and is always empty, so it differs wherever something can be pulled. \"Mended\" is \
         `near(not_frozen(bitboard) & near(WEAK_SILVER)) & EMPTY`, which is what the rules say. `pullFull` differs where the \
         puller has no empty square to go to: \"every weaker piece can be pulled away\" forgets that the puller moves first. \
         His code is written out for a cat and for a horse; here it is run for every kind by the same scheme. Rabbits \
         are left out, as he says that `near` is another function for them and does not give it.",
    );
}

fn slips(document: &mut Document) {
    document.heading("His slips");
    document.list(
        [
            "`pull` intersects own pieces with enemies; `pullFull` forgets that the puller needs room (both above).",
            "`pushed` lacks its `return`; `not_frozen` is called as a function in `push` and `pull` but is only ever written as a \
             variable of `move`; `pushFull()` takes no piece, so `WEAK_SILVER` would have to change between calls.",
            "East and west are exchanged in the comments of `near`: with h1 as the lowest bit, as `FILE_H` has it, `<< 1` goes \
             west. The set is the same.",
            "`EMPTY`, `pullFull(GH)` and `pushed(GH)` are drawn wrongly (above); in `~friendNear(GC)` rank 1 has a gap and eight \
             marks; the elephant's layer (3.1), \"8 rows of 8 bits\", has nine rows; boards are labelled `a b c d e d g h`.",
            "The example game has `Rc4s`, but Gold's rabbits do not go south; what the text calls move `3w` is its `3g`.",
            "`~`, `|` and `&` are introduced as bitwise, with a warning not to take them for the logical ones, and then called logical.",
            "A push or pull needs two steps of the turn: his functions do not know how many are left, nor that a step changes what the \
             next one may do.",
        ]
        .map(str::to_owned)
        .to_vec(),
    );
}

/// A mean with its error.
fn mean_text(mean: f64, error: f64) -> String {
    format!("{} ± {}", whole(mean), whole(error))
}

#[allow(clippy::cast_sign_loss)] // counts
fn whole(value: f64) -> String {
    grouped(value.round() as usize)
}

fn claims(document: &mut Document, summary: &Summary) {
    document.heading("How many turns there are");
    let mut table = Table::new(
        "His claims; ± is the 95 % interval, by game",
        &["", "Carlini 2008", "here"],
        3,
    );
    if let Some(branching) = &summary.branching {
        document.figure(
            "turns-possible.svg",
            &format!(
                "{} positions of {} games; dashed: the bounds he gives for the middle game",
                grouped(branching.positions),
                grouped(branching.games)
            ),
            &branching.plot_beside(
                "Turns possible, by move of the game",
                &[
                    ("his 5,000", MIDDLE_GAME[0]),
                    ("his 40,000", MIDDLE_GAME[1]),
                ],
            ),
        );
        counted(&mut table, branching);
    }
    table.row([
        "setups of a side".to_owned(),
        "64 million".to_owned(),
        format!("{} (16! / (8! 2! 2! 2!))", grouped(64_864_800)),
    ]);
    document.table(table);
    let Some(branching) = &summary.branching else {
        return;
    };
    let mut table = Table::new(
        "Turns possible, by move",
        &[
            "move",
            "positions",
            "mean (95 %)",
            "median",
            "80 % of games",
            "within 5,000 to 40,000",
        ],
        1,
    );
    for of in shown_moves(branching) {
        table.row([
            of.number.to_string(),
            grouped(of.positions),
            mean_text(of.mean, of.error),
            whole(of.median),
            format!("{} to {}", whole(of.low), whole(of.high)),
            format!("{:.0} %", 100.0 * of.middle_game),
        ]);
    }
    document.table(table);
    document.text(
        "Turns are counted by the position they lead to, as he must: counted as sequences of steps there are many times as many. \
         Moves are numbered as games are written, so the first turn after the setups is move 2.",
    );
}

/// Close together where games begin, then further apart.
fn shown_moves(branching: &Branching) -> impl Iterator<Item = &MoveNumber> {
    branching.moves.iter().filter(|of| {
        let shown = matches!(of.number, 2..=6 | 8 | 10 | 12 | 15) || of.number.is_multiple_of(10);
        shown && of.positions >= branching.least()
    })
}

fn counted(table: &mut Table, branching: &Branching) {
    if let Some(first) = branching.first() {
        table.row([
            "turns possible, the first".to_owned(),
            "2,000 to 3,000".to_owned(),
            format!(
                "{}; 80 % of games {} to {}",
                mean_text(first.mean, first.error),
                whole(first.low),
                whole(first.high)
            ),
        ]);
    }
    table.row([
        "turns possible, middle game".to_owned(),
        "5,000 to 40,000".to_owned(),
        format!(
            "{:.0} % of positions from move 6 on are within; {} at the most",
            100.0 * branching.within_from(6),
            grouped(branching.most)
        ),
    ]);
    table.row([
        "turns possible, mean".to_owned(),
        "20,000 (assumed)".to_owned(),
        mean_text(branching.mean, branching.error),
    ]);
    let years = |mean: f64| mean.powi(4) / 1e9 / SECONDS_OF_A_YEAR;
    let [low, high] = [-1.0, 1.0].map(|sign| years(branching.mean + sign * branching.error));
    table.row([
        "two turns of each side, at a thousand million positions a second".to_owned(),
        "more than 5 years".to_owned(),
        format!(
            "{:.1} years of his 20,000; {:.1} ({low:.1} to {high:.1}) of the mean here",
            years(ASSUMED),
            years(branching.mean),
        ),
    ]);
}

fn size(document: &mut Document, summary: &Summary) {
    document.heading("Bytes of a board");
    let bytes = summary.bytes;
    let mut table = Table::new(
        "A board",
        &["as", "bytes", "against his", "a million boards"],
        1,
    );
    for (what, size) in [
        ("`int[64]`, the array of his section 2.2", bytes.array),
        ("twelve bitboards: his", bytes.his),
        ("a byte a square", bytes.mailbox),
        ("four planes and a hash: ours in a search", bytes.ours),
        ("four planes: ours on disk", bytes.packed),
    ] {
        table.row([
            what.to_owned(),
            size.to_string(),
            format!("{:.2}", size as f64 / bytes.his as f64),
            format!("{size} MB"),
        ]);
    }
    document.table(table);
    document.text(
        "\"Only a very small amount of memory is required\", he says of his 96 bytes. A plain array with a byte a square needs 64. \
         Twelve bitboards are mostly empty: a square holds one of thirteen things, which four bits can say, so four planes of 64 bits \
         are enough, and still sets of squares.",
    );
}

fn speed(document: &mut Document, summary: &Summary) {
    document.heading("Mailbox and bitboards, in one run");
    document.text(
        "He gives no figures: bitboards are \"even more efficient for Arimaa\". The mailbox is a plain one (a byte a square, a table \
         of neighbours, loops and conditions) written for this comparison; a test holds it to the rules step by step. The ways \
         take turns, and their answers must be the same. Times are the processor's, of one thread (by the clock where the \
         system does not tell them).",
    );
    for speed in &summary.speed {
        let mut table = Table::new(
            &format!(
                "{}: {} {} a round, {} rounds",
                capitalised(speed.work),
                grouped(usize::try_from(speed.count).unwrap_or(usize::MAX)),
                speed.unit,
                speed.rounds
            ),
            &[
                "",
                "millions a second (95 %)",
                "our planes are faster by (95 %)",
            ],
            1,
        );
        for (place, way) in speed.ways.iter().enumerate() {
            let millions = way.millions;
            let behind = way.behind;
            table.row([
                way.name.to_owned(),
                format!(
                    "{:.2} ({:.2} to {:.2})",
                    millions.median, millions.low, millions.high
                ),
                if place == 0 {
                    String::new()
                } else {
                    format!(
                        "{:.2} ({:.2} to {:.2})",
                        behind.median, behind.low, behind.high
                    )
                },
            ]);
        }
        document.table(table);
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
