//! What a database can compare by itself: a pattern as a condition in SQL over
//! columns `plane_0`, `plane_1`, `plane_2` and `enemies`.

use hathi_rules::Side;

use super::{Compiled, Count, Frame, Node, Tally, Tests};
use crate::Matching;

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

impl Compiled {
    /// True for exactly the boards that match, with the mover that the last bit
    /// of the column `place` tells; none if that asks for more than the board.
    pub(crate) fn to_exact_sql(&self) -> Option<String> {
        let mut ways: Vec<String> = Vec::new();
        for way in &self.ways {
            let mut sql = way.node.to_exact_sql()?;
            if self.matching == Matching::Literal {
                if way.symmetry.mirror {
                    continue;
                }
                // The mover plays Gold in its own view.
                let parity = u8::from(way.symmetry.flip);
                sql = format!("(place & 1 = {parity} AND {sql})");
            }
            if !ways.contains(&sql) {
                ways.push(sql);
            }
        }
        Some(match ways.as_slice() {
            [] => "FALSE".to_owned(),
            ways => format!("({})", ways.join(" OR ")),
        })
    }
}

impl Node {
    /// The whole of it; none if it asks for a fact.
    fn to_exact_sql(&self) -> Option<String> {
        let each = |nodes: &[Node], between: &str| {
            let all: Option<Vec<String>> = nodes.iter().map(Node::to_exact_sql).collect();
            all.map(|all| format!("({})", all.join(between)))
        };
        match self {
            Node::Tests(tests) => Some(tests.to_exact_sql()),
            Node::All(nodes) => each(nodes, " AND "),
            Node::Any(nodes) => each(nodes, " OR "),
            Node::Not(node) => node.to_exact_sql().map(|sql| format!("(NOT {sql})")),
            Node::Always(true) => Some("TRUE".to_owned()),
            Node::Always(false) => Some("FALSE".to_owned()),
            Node::Fact(_) => None,
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
