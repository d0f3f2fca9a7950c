//! Facts as conditions in SQL, over the columns of [`PackedFacts`] and those
//! of the board. No condition is ever NULL, so that `NOT` can stand before it.
//!
//! [`PackedFacts`]: crate::pattern::packed::PackedFacts

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Side, Square};

use super::super::block::{CountWords, GameWords};
use super::super::condition::{Content, Count};
use super::super::fact::Span;
use super::super::listed::Wanted;
use super::super::packed::{OfTurn, OnBoard};
use super::{FactTest, List};

const VICTIMS: [&str; 4] = ["victims_0", "victims_1", "victims_2", "victims_3"];

impl FactTest {
    /// True for exactly the positions that pass.
    pub(in crate::pattern) fn to_sql(&self) -> String {
        match self {
            FactTest::Always => "TRUE".to_owned(),
            FactTest::Never => "FALSE".to_owned(),
            FactTest::List {
                list,
                wanted,
                count,
            } => match list {
                List::Frozen => listed(&["frozen"], wanted, *count),
                List::Hostages => listed(&["hostages"], wanted, *count),
                List::Framed => listed(&["framed"], wanted, *count),
                List::Victims => listed(&VICTIMS, wanted, *count),
                List::VictimsIn(trap) => listed(&VICTIMS[*trap..=*trap], wanted, *count),
                List::Arrivals => counted(&arrivals(wanted), *count),
                List::Fallen => counted(&fallen(wanted), *count),
            },
            FactTest::Goal { opponent, steps } => {
                let place = usize::from(*opponent) * 4 + usize::from(*steps) - 1;
                any_bit("on_board", 1 << (OnBoard::GOALS + place))
            }
            FactTest::Fork { opponent } => {
                any_bit("on_board", 1 << (OnBoard::FORKS + usize::from(*opponent)))
            }
            FactTest::Blockade { mover, opponent } => {
                let sides = u64::from(*mover) | u64::from(*opponent) << 1;
                any_bit("on_board", sides << OnBoard::BLOCKADES)
            }
            FactTest::Strongest { trap, content } => {
                let strength = CountWords::strongest(*trap);
                let least = content.weakest.max(1).into();
                let fits = within(
                    "on_board",
                    OnBoard::COUNTS + strength.start..OnBoard::COUNTS + strength.end,
                    least,
                    content.strongest.into(),
                );
                match content.side {
                    None => fits,
                    Some(side) => {
                        let whose = CountWords::strongest_are_of(*trap, side == Side::Silver);
                        let whose = any_bit("on_board", 1 << (OnBoard::COUNTS + whose));
                        format!("({whose} AND {fits})")
                    }
                }
            }
            FactTest::Material(Span { least, most }) => {
                let placed = |number: i32| i64::from(number) + CountWords::EVEN;
                let range = CountWords::MATERIAL;
                within(
                    "on_board",
                    OnBoard::COUNTS + range.start..OnBoard::COUNTS + range.end,
                    placed(*least),
                    placed(*most),
                )
            }
            FactTest::Phase(phase) => phase_is(*phase),
            FactTest::MoveNumber(span) => known(GameWords::MOVE_NUMBER, *span),
            FactTest::Rating {
                mover,
                opponent,
                span,
            } => {
                let mut fits: Vec<String> = Vec::new();
                for (asked, opponent) in [(*mover, false), (*opponent, true)] {
                    if asked {
                        fits.push(known(GameWords::rating(opponent), *span));
                    }
                }
                match fits.as_slice() {
                    [] => "TRUE".to_owned(),
                    fits => format!("({})", fits.join(" AND ")),
                }
            }
            FactTest::Won { opponent } => any_bit("of_game", 1 << GameWords::won(*opponent)),
        }
    }
}

fn phase_is(phase: Phase) -> String {
    let threat = 1u64 << (OnBoard::GOALS + 3) | 1 << (OnBoard::GOALS + 7);
    let opening = 1u64 << (OnBoard::COUNTS + CountWords::OPENING);
    let middle = 1u64 << (OnBoard::COUNTS + CountWords::MIDDLE);
    let only = |wanted: u64| format!("(on_board & {} = {wanted})", wanted | threat);
    match phase {
        Phase::Opening => only(opening),
        Phase::Middle => only(middle),
        Phase::End => format!(
            "(on_board & {threat} <> 0 OR on_board & {} = 0)",
            opening | middle
        ),
    }
}

/// The number of a move in its game, as the column `of_game` has it.
pub(in crate::pattern) fn move_number() -> String {
    number("of_game", GameWords::MOVE_NUMBER)
}

fn any_bit(column: &str, bits: u64) -> String {
    format!("({column} & {bits} <> 0)")
}

/// A number that stands in some bits of a column.
fn number(column: &str, bits: std::ops::Range<usize>) -> String {
    format!(
        "({column} >> {} & {})",
        bits.start,
        (1u64 << bits.len()) - 1
    )
}

fn within(column: &str, bits: std::ops::Range<usize>, least: i64, most: i64) -> String {
    let (least, most) = (least.max(0), most.min((1i64 << bits.len()) - 1));
    if least > most {
        return "FALSE".to_owned();
    }
    format!("({} BETWEEN {least} AND {most})", number(column, bits))
}

/// What the game says, where it is known: 0 is nothing.
fn known(bits: std::ops::Range<usize>, span: Span) -> String {
    within(
        "of_game",
        bits,
        i64::from(span.least).max(1),
        span.most.into(),
    )
}

/// So many squares of these sets, each of which is NULL where it is empty.
fn listed(columns: &[&str], wanted: &Wanted, count: Count) -> String {
    let sure: Vec<String> = columns
        .iter()
        .map(|column| format!("coalesce({column}, 0)"))
        .collect();
    // Most are empty, and there is nothing more to look at then.
    let (guard, set) = match columns {
        [only] if !count.contains(0) => (format!("{only} IS NOT NULL AND "), (*only).to_owned()),
        _ => (String::new(), format!("({})", sure.join(" | "))),
    };
    let mut found = match wanted.by {
        None => match pieces(wanted.content) {
            None => set,
            Some(pieces) => format!("({set} & {pieces})"),
        },
        Some(by) => held(&set, wanted.content, by),
    };
    if wanted.area != u64::MAX {
        found = format!("({found} & ({}))", wanted.area.cast_signed());
    }
    let fits = match count {
        Count::NONE => format!("{found} = 0"),
        Count::SOME => format!("{found} <> 0"),
        Count { least, most } => {
            format!("bit_count({found}::bit(64)) BETWEEN {least} AND {most}")
        }
    };
    format!("({guard}{fits})")
}

/// So many of some conditions.
fn counted(conditions: &[String], count: Count) -> String {
    let any = || match conditions {
        [] => "FALSE".to_owned(),
        some => format!("({})", some.join(" OR ")),
    };
    match count {
        Count::SOME => any(),
        Count::NONE => format!("(NOT {})", any()),
        Count { least, most } => {
            let mut numbers = vec!["0".to_owned()];
            let one = |condition: &String| format!("CASE WHEN {condition} THEN 1 ELSE 0 END");
            numbers.extend(conditions.iter().map(one));
            format!("({} BETWEEN {least} AND {most})", numbers.join(" + "))
        }
    }
}

/// For each piece that the turn played moves: is it one of these?
fn arrivals(wanted: &Wanted) -> Vec<String> {
    let (area, codes) = (wanted.area.cast_signed(), wanted.pieces());
    let entry = |number: usize| {
        let place = OfTurn::arrival(number);
        let code = format!("(of_turn >> {} & 15)::integer", place + 6);
        let piece = format!("{codes} >> {code} & 1 = 1");
        if wanted.area == u64::MAX {
            return format!("({piece})");
        }
        // The one square is compared, several are looked up.
        let square = format!("(of_turn >> {place} & 63)");
        if wanted.area.is_power_of_two() {
            let at = wanted.area.trailing_zeros();
            return format!("({square} = {at} AND {piece})");
        }
        format!("({piece} AND ({area})::bigint >> {square}::integer & 1 = 1)")
    };
    (0..OfTurn::MOST).map(entry).collect()
}

/// For each piece that falls with the turn played: is it one of these?
fn fallen(wanted: &Wanted) -> Vec<String> {
    let mut allowed = 0u64;
    for (number, trap) in Square::TRAPS.into_iter().enumerate() {
        for code in 0..16 {
            let fits = wanted.pieces() >> code & 1 != 0 && wanted.area >> trap.index() & 1 != 0;
            allowed |= u64::from(fits) << (number | code << 2);
        }
    }
    let allowed = allowed.cast_signed();
    let entry = |number: usize| {
        let place = OfTurn::fallen(number);
        let entry = format!("(of_turn >> {place} & 63)");
        // Without the first there is none after it.
        format!("({entry} <> 0 AND ({allowed})::bigint >> {entry}::integer & 1 = 1)")
    };
    (0..OfTurn::MOST).map(entry).collect()
}

/// Of the pieces in a set those that are held by one of these: it stands
/// beside them, is stronger and of the other side.
fn held(set: &str, content: Content, by: Content) -> String {
    let mut all: Vec<String> = Vec::new();
    for side in Side::ALL {
        let other = side.opponent();
        if content.side.is_some_and(|wanted| wanted != side)
            || by.side.is_some_and(|wanted| wanted != other)
        {
            continue;
        }
        let mut strength = content.weakest.max(1);
        while strength <= content.strongest.min(5) {
            let weakest = by.weakest.max(strength + 1);
            // Those that are held by the same are asked for together.
            let last = content.strongest.min(5).min(weakest - 1);
            let holders = Content {
                side: Some(other),
                weakest,
                strongest: by.strongest,
            };
            if weakest <= by.strongest
                && let Some(holders) = pieces(holders)
            {
                let kept = Content {
                    side: Some(side),
                    weakest: strength,
                    strongest: last,
                };
                let kept = pieces(kept).unwrap_or_else(|| "(-1)::bigint".to_owned());
                all.push(format!("({set} & {kept} & {})", near(&holders)));
            }
            strength = last + 1;
        }
    }
    match all.as_slice() {
        [] => "0::bigint".to_owned(),
        all => format!("({})", all.join(" | ")),
    }
}

/// The squares with such pieces, where there is a piece at all; none if any
/// piece will do.
fn pieces(content: Content) -> Option<String> {
    let mut tests: Vec<String> = Vec::new();
    if content.weakest > 1 {
        tests.push(at_least(content.weakest));
    }
    if content.strongest < 6 {
        tests.push(format!("(~{})", at_least(content.strongest + 1)));
    }
    match content.side {
        Some(Side::Gold) => tests.push("(~enemies)".to_owned()),
        Some(Side::Silver) => tests.push("enemies".to_owned()),
        None => {}
    }
    (!tests.is_empty()).then(|| format!("({})", tests.join(" & ")))
}

/// The squares with a piece at least that strong.
fn at_least(strength: u8) -> String {
    match strength {
        0 => "(-1)::bigint",
        1 => "(plane_0 | plane_1 | plane_2)",
        2 => "(plane_1 | plane_2)",
        3 => "((plane_0 & plane_1) | plane_2)",
        4 => "plane_2",
        5 => "((plane_0 | plane_1) & plane_2)",
        6 => "(plane_1 & plane_2)",
        _ => "0::bigint",
    }
    .to_owned()
}

/// The neighbours of a set of squares. A shift to the right brings in copies of
/// the last bit, which are masked out.
fn near(set: &str) -> String {
    let (a, h) = (!Bitboard::FILE_A.0, !Bitboard::FILE_H.0);
    let (a, h) = (a.cast_signed(), h.cast_signed());
    format!(
        "(({set} << 8) | ({set} >> 8 & {}) | (({set} & ({h})) << 1) | (({set} & ({a})) >> 1 & {}))",
        u64::MAX >> 8,
        u64::MAX >> 1
    )
}
