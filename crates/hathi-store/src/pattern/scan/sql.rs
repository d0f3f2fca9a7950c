//! What a database can compare by itself: a pattern as a condition in SQL over
//! columns `plane_0`, `plane_1`, `plane_2` and `enemies`, and for facts over
//! those of `packed.rs`.

use hathi_rules::Side;

use super::{Compiled, Count, FoundWays, Frame, Node, Tally, Tests, way_number};
use crate::Matching;
use crate::pattern::facts;

const PLANES: [&str; 4] = ["plane_0", "plane_1", "plane_2", "enemies"];

impl Compiled {
    /// True for every board that matches for one mover or the other, and for
    /// others: counts of more than one square are not counted, and facts are
    /// not known.
    pub(crate) fn to_sql(&self) -> String {
        let mut ways: Vec<String> = Vec::new();
        for way in &self.ways {
            let sql = way.node.to_sql().unwrap_or_else(|| "TRUE".to_owned());
            if !ways.contains(&sql) {
                ways.push(sql);
            }
        }
        match ways.as_slice() {
            [] => "FALSE".to_owned(),
            ways => format!("({})", ways.join(" OR ")),
        }
    }
}

/// What the columns of a table tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The board.
    Boards,
    /// The board and the facts.
    Facts,
}

/// The ways of turning boards in which a formula is asked, one for all that ask
/// the same.
pub(crate) struct AskedWays {
    /// The condition of each.
    pub(crate) conditions: Vec<String>,
    /// For each way by its number which of the conditions it is; none if nothing
    /// is found that way.
    numbers: [Option<usize>; 4],
}

impl AskedWays {
    /// The boards of sixty-four positions that match, from those for which each of
    /// the conditions holds.
    pub(crate) fn found(&self, holding: impl Fn(usize) -> u64) -> FoundWays {
        FoundWays(self.numbers.map(|number| number.map_or(0, &holding)))
    }

    /// True where any of them holds.
    pub(crate) fn any(&self) -> String {
        match self.conditions.as_slice() {
            [] => "FALSE".to_owned(),
            conditions => format!("({})", conditions.join(" OR ")),
        }
    }

    /// Which of them hold, as a number with a bit for each.
    pub(crate) fn bits(&self) -> String {
        let bits = self.conditions.iter().enumerate();
        let bits: Vec<String> = bits
            .map(|(i, condition)| format!("CASE WHEN {condition} THEN {} ELSE 0 END", 1 << i))
            .collect();
        match bits.as_slice() {
            [] => "0".to_owned(),
            bits => format!("({})", bits.join(" + ")),
        }
    }
}

impl Compiled {
    /// True for exactly the boards that match, with the mover that the last bit
    /// of the column `place` tells; none if that asks for more than is told.
    pub(crate) fn to_exact_sql(&self, told: Told) -> Option<String> {
        let mut ways: Vec<String> = Vec::new();
        let mut together = Together::default();
        for way in &self.ways {
            let mut sql = way.node.to_exact_sql(told)?;
            if self.matching == Matching::Literal {
                if way.symmetry.mirror {
                    continue;
                }
                // The mover plays Gold in its own view.
                let parity = u8::from(way.symmetry.flip);
                sql = format!("(place & 1 = {parity} AND {sql})");
            }
            if !ways.contains(&sql) {
                together.add(way.node.first_tally(), sql.clone());
                ways.push(sql);
            }
        }
        Some(together.to_sql())
    }

    /// The same way by way, whoever moves, where facts are told.
    pub(crate) fn asked_ways(&self) -> AskedWays {
        let mut asked = AskedWays {
            conditions: Vec::new(),
            numbers: [None; 4],
        };
        for way in &self.ways {
            let Some(sql) = way.node.to_exact_sql(Told::Facts) else {
                continue;
            };
            let known = asked.conditions.iter().position(|other| *other == sql);
            let number = known.unwrap_or_else(|| {
                asked.conditions.push(sql);
                asked.conditions.len() - 1
            });
            asked.numbers[way_number(way.symmetry)] = Some(number);
        }
        asked
    }
}

/// Ways that begin with the same question about other squares: asked about all
/// those squares at once, it spares most boards the rest.
#[derive(Default)]
struct Together(Vec<(Option<Tally>, Vec<String>)>);

impl Together {
    fn add(&mut self, first: Option<Tally>, way: String) {
        if let Some(first) = first {
            for (known, ways) in &mut self.0 {
                if let Some(known) = known
                    && known.content == first.content
                    && known.inverted == first.inverted
                {
                    known.area |= first.area;
                    ways.push(way);
                    return;
                }
            }
        }
        self.0.push((first, vec![way]));
    }

    fn to_sql(&self) -> String {
        let each = self.0.iter().map(|(first, ways)| match (first, &ways[..]) {
            (Some(first), [_, _, ..]) => {
                let (first, ways) = (first.to_exact_sql(), ways.join(" OR "));
                format!("({first} AND ({ways}))")
            }
            _ => ways.join(" OR "),
        });
        match each.collect::<Vec<_>>().as_slice() {
            [] => "FALSE".to_owned(),
            each => format!("({})", each.join(" OR ")),
        }
    }
}

/// The number of a move in its game, where facts are told.
pub(crate) fn move_number_sql() -> String {
    facts::sql::move_number()
}

impl Node {
    /// What it asks for first, if that is whether something is anywhere on some
    /// squares.
    fn first_tally(&self) -> Option<Tally> {
        match self {
            Node::Tests(tests) => {
                let (_, pieces) = tests.frame.split_empty();
                let first = *tests.tallies.first()?;
                let somewhere = first.count.least > 0 && !first.negated;
                (pieces.mask == [0; 4] && somewhere).then_some(Tally {
                    count: Count::SOME,
                    ..first
                })
            }
            Node::All(nodes) => nodes.first()?.first_tally(),
            _ => None,
        }
    }

    /// The whole of it; none if it asks for more than is told.
    fn to_exact_sql(&self, told: Told) -> Option<String> {
        let each = |nodes: &[Node], between: &str| {
            let all: Option<Vec<String>> =
                nodes.iter().map(|node| node.to_exact_sql(told)).collect();
            all.map(|all| format!("({})", all.join(between)))
        };
        match self {
            Node::Tests(tests) => Some(tests.to_exact_sql()),
            Node::All(nodes) => each(nodes, " AND "),
            Node::Any(nodes) => each(nodes, " OR "),
            Node::Not(node) => node.to_exact_sql(told).map(|sql| format!("(NOT {sql})")),
            Node::Always(true) => Some("TRUE".to_owned()),
            Node::Always(false) => Some("FALSE".to_owned()),
            Node::Fact(fact) => (told == Told::Facts).then(|| fact.to_sql()),
        }
    }

    /// What a server can tell of it; none if that is nothing.
    fn to_sql(&self) -> Option<String> {
        match self {
            Node::Tests(tests) => Some(tests.to_sql()),
            Node::All(nodes) => {
                let known: Vec<String> = nodes.iter().filter_map(Node::to_sql).collect();
                (!known.is_empty()).then(|| format!("({})", known.join(" AND ")))
            }
            Node::Any(nodes) => {
                let known: Option<Vec<String>> = nodes.iter().map(Node::to_sql).collect();
                known.map(|known| format!("({})", known.join(" OR ")))
            }
            Node::Fact(_) | Node::Not(_) | Node::Always(_) => None,
        }
    }
}

impl Tests {
    /// What few boards have comes first: pieces on their squares, then pieces
    /// somewhere. Most squares are empty on most boards.
    fn to_exact_sql(&self) -> String {
        let (empty, pieces) = self.frame.split_empty();
        let mut tests: Vec<String> = pieces.to_sql().collect();
        tests.extend(self.tallies.iter().copied().map(Tally::to_exact_sql));
        if empty != 0 {
            let any = PLANES.join(" | ");
            tests.push(format!("({any}) & ({}) = 0", empty.cast_signed()));
        }
        match tests.as_slice() {
            [] => "TRUE".to_owned(),
            tests => format!("({})", tests.join(" AND ")),
        }
    }

    fn to_sql(&self) -> String {
        let mut tests: Vec<String> = self.frame.to_sql().collect();
        tests.extend(self.tallies.iter().copied().filter_map(Tally::to_sql));
        match tests.as_slice() {
            [] => "TRUE".to_owned(),
            tests => format!("({})", tests.join(" AND ")),
        }
    }
}

impl Frame {
    /// The squares that have to be empty, and the rest of it.
    fn split_empty(self) -> (u64, Frame) {
        let everywhere = self.mask.into_iter().fold(u64::MAX, |all, mask| all & mask);
        let somewhere = self.value.into_iter().fold(0, |any, value| any | value);
        let empty = everywhere & !somewhere;
        let rest = Frame {
            mask: self.mask.map(|mask| mask & !empty),
            ..self
        };
        (empty, rest)
    }

    fn to_sql(self) -> impl Iterator<Item = String> {
        PLANES
            .iter()
            .zip(self.mask.into_iter().zip(self.value))
            .filter(|(_, (mask, _))| *mask != 0)
            .map(|(plane, (mask, value))| {
                let (mask, value) = (mask.cast_signed(), value.cast_signed());
                format!("{plane} & ({mask}) = ({value})")
            })
    }
}

impl Tally {
    fn to_sql(self) -> Option<String> {
        let found = match (self.count, self.negated) {
            (Count::NONE, false) => "= 0",
            (count, false) if count.least > 0 => "<> 0",
            _ => return None,
        };
        Some(format!("{} {found}", self.found()))
    }

    fn to_exact_sql(self) -> String {
        let found = self.found();
        let fits = match self.count {
            Count::NONE => format!("{found} = 0"),
            Count::SOME => format!("{found} <> 0"),
            Count { least, most } => {
                format!("bit_count({found}::bit(64)) BETWEEN {least} AND {most}")
            }
        };
        if self.negated {
            format!("NOT ({fits})")
        } else {
            fits
        }
    }

    /// The squares that are counted, as bits.
    fn found(&self) -> String {
        let strengths: Vec<String> = (self.content.weakest..=self.content.strongest)
            .map(|strength| {
                let bits: Vec<String> = (0..3)
                    .map(|i| match strength >> i & 1 {
                        0 => format!("~plane_{i}"),
                        _ => format!("plane_{i}"),
                    })
                    .collect();
                format!("({})", bits.join(" & "))
            })
            .collect();
        let side = match self.content.side {
            Some(Side::Gold) => " & ~enemies",
            Some(Side::Silver) => " & enemies",
            None => "",
        };
        let inverted = if self.inverted { "~" } else { "" };
        let area = self.area.cast_signed();
        format!("({inverted}(({}){side}) & ({area}))", strengths.join(" | "))
    }
}
