//! The hits of a question in SQL: which rows its key leads to, and which of
//! them match on the board.

use hathi_rules::Side;

use super::connect::Layout;
use super::rows::{HIT, key_column, posting_table};
use crate::filter::Value;
use crate::hits::{Shape, Wanted};

/// Where the rows of a question stand. Whether a row matches is decided by the
/// server, so that no other row crosses the wire. What the board holds are
/// values: the same statement serves for every board.
pub(super) struct Rows {
    branches: Vec<Branch>,
}

/// A shape, and the number of the parameter before its four planes.
struct Numbered {
    shape: Shape,
    before: usize,
}

/// The values of a question without a filter: its key, then the planes of the
/// shapes it looks for. Those of a filter come after them.
pub(super) fn values(wanted: &Wanted) -> Vec<Value> {
    let mut values = vec![Value::Integer(wanted.hash.cast_signed())];
    for shape in wanted.shapes() {
        values.extend(
            shape
                .planes
                .0
                .map(|plane| Value::Integer(plane.cast_signed())),
        );
    }
    values
}

struct Branch {
    /// A table and a condition, up to `AND`.
    from: String,
    /// The number of the window.
    trap: String,
    /// 1 for a mirror image.
    mirrored: String,
}

impl Branch {
    /// The order of the index, so that nothing is sorted.
    fn order(&self) -> &'static str {
        if self.trap == "trap" {
            "ORDER BY place, trap"
        } else {
            "ORDER BY place"
        }
    }
}

impl Rows {
    /// `condition` goes on from ` AND`.
    pub(super) fn new(layout: Layout, wanted: &Wanted, condition: &str) -> Rows {
        let shapes: Vec<Numbered> = wanted
            .shapes()
            .into_iter()
            .zip((1..).step_by(4))
            .map(|(shape, before)| Numbered { shape, before })
            .collect();
        let traps = wanted.traps();
        let branches = match layout {
            // An index for each window.
            Layout::OneServer => traps
                .into_iter()
                .map(|trap| {
                    let own: Vec<&Numbered> =
                        shapes.iter().filter(|s| s.shape.trap == trap).collect();
                    let key = key_column(wanted.kind, trap);
                    Branch {
                        from: format!("positions WHERE {key} = $1 AND {}{condition}", any(&own)),
                        trap: trap.index().to_string(),
                        mirrored: mirrored(&own),
                    }
                })
                .collect(),
            // One shard.
            Layout::Citus => {
                let table = posting_table(wanted.kind);
                let all: Vec<&Numbered> = shapes.iter().collect();
                let each: Vec<String> = traps
                    .into_iter()
                    .map(|trap| {
                        let own: Vec<&Numbered> =
                            shapes.iter().filter(|s| s.shape.trap == trap).collect();
                        format!("trap = {} AND {}", trap.index(), any(&own))
                    })
                    .collect();
                vec![Branch {
                    from: format!(
                        "{table} WHERE key = $1 AND ({}){condition}",
                        each.join(" OR ")
                    ),
                    trap: "trap".to_owned(),
                    mirrored: mirrored(&all),
                }]
            }
        };
        Rows { branches }
    }

    /// The first of them, best first, that come after a place and a window
    /// there, and that meet a condition; `place` and the one after it are the
    /// numbers of their parameters.
    pub(super) fn first(&self, place: usize, condition: &str, limit: usize) -> String {
        let trap = place + 1;
        let branches: Vec<String> = self
            .branches
            .iter()
            .map(|branch| {
                let Branch {
                    from, trap: own, ..
                } = branch;
                format!(
                    "(SELECT {HIT}, {own} AS trap FROM {from}
                      AND place >= ${place} AND (place > ${place} OR {own} > ${trap}){condition}
                      {} LIMIT {limit})",
                    branch.order()
                )
            })
            .collect();
        match branches.as_slice() {
            [only] => only.clone(),
            several => format!(
                "{} ORDER BY place, trap LIMIT {limit}",
                several.join(" UNION ALL ")
            ),
        }
    }

    /// What [`all`](Rows::all) gives, best first.
    pub(super) fn in_order(&self, most: Option<usize>) -> String {
        let all = self.all(most);
        match self.branches.as_slice() {
            [only] => match most {
                None => format!("{all} {}", only.order()),
                Some(_) => all,
            },
            _ if most.is_some() => all,
            _ => format!("{all} ORDER BY place, trap"),
        }
    }

    /// All of them, or the best so many, with window and mirror image.
    pub(super) fn all(&self, most: Option<usize>) -> String {
        let branches: Vec<String> = self
            .branches
            .iter()
            .map(|branch| {
                let Branch {
                    from,
                    trap,
                    mirrored,
                } = branch;
                let all =
                    format!("SELECT {HIT}, {trap} AS trap, {mirrored} AS mirrored FROM {from}");
                match most {
                    None => all,
                    Some(most) => format!("({all} {} LIMIT {most})", branch.order()),
                }
            })
            .collect();
        let all = branches.join(" UNION ALL ");
        match most {
            Some(most) if branches.len() > 1 => format!("{all} ORDER BY place, trap LIMIT {most}"),
            _ => all,
        }
    }
}

/// True for boards of any of these shapes.
fn any(shapes: &[&Numbered]) -> String {
    let each: Vec<String> = shapes.iter().map(|shape| fits(shape)).collect();
    match each.as_slice() {
        [] => "FALSE".to_owned(),
        each => format!("({})", each.join(" OR ")),
    }
}

/// Which of the shapes it is: as it was asked for comes before its image.
fn mirrored(shapes: &[&Numbered]) -> String {
    let straight: Vec<&Numbered> = shapes
        .iter()
        .copied()
        .filter(|s| !s.shape.mirrored)
        .collect();
    if straight.is_empty() {
        return "1".to_owned();
    }
    if straight.len() == shapes.len() {
        return "0".to_owned();
    }
    let windows = shapes.iter().any(|s| s.shape.trap != shapes[0].shape.trap);
    let straight: Vec<String> = straight
        .iter()
        .map(|numbered| {
            let fits = fits(numbered);
            if windows {
                format!("trap = {} AND {fits}", numbered.shape.trap.index())
            } else {
                fits
            }
        })
        .collect();
    format!("CASE WHEN {} THEN 0 ELSE 1 END", straight.join(" OR "))
}

fn fits(&Numbered { ref shape, before }: &Numbered) -> String {
    let mask = shape.squares.cast_signed();
    let planes = match shape.strength {
        None => ["plane_0", "plane_1", "plane_2", "enemies"].map(str::to_owned),
        Some(strength) => relative(strength),
    };
    let mut tests: Vec<String> = planes
        .iter()
        .zip(before + 1..)
        .map(|(plane, value)| match shape.squares {
            u64::MAX => format!("{plane} = ${value}"),
            _ => format!("{plane} & ({mask}) = ${value}"),
        })
        .collect();
    match shape.mover {
        Some(Side::Gold) => tests.push("ply % 2 = 0".to_owned()),
        Some(Side::Silver) => tests.push("ply % 2 = 1".to_owned()),
        None => {}
    }
    format!("({})", tests.join(" AND "))
}

/// The planes of [`Seen::relative_to`](crate::seen::Seen::relative_to): who is
/// there, enemies as strong, enemies stronger, enemies.
fn relative(strength: u8) -> [String; 4] {
    let same: Vec<String> = (0..3)
        .map(|i| match strength >> i & 1 {
            0 => format!("~plane_{i}"),
            _ => format!("plane_{i}"),
        })
        .collect();
    // Stronger: a bit more, and above it the same.
    let mut stronger = Vec::new();
    for i in (0..3).filter(|i| strength >> i & 1 == 0) {
        let mut bits = vec![format!("plane_{i}")];
        bits.extend(same[i + 1..].iter().cloned());
        // Bit operators bind alike, so each has its parentheses.
        stronger.push(format!("({})", bits.join(" & ")));
    }
    let stronger = match stronger.as_slice() {
        [] => "0::bigint".to_owned(),
        some => format!("(({}) & enemies)", some.join(" | ")),
    };
    [
        "(plane_0 | plane_1 | plane_2)".to_owned(),
        format!("({} & enemies)", same.join(" & ")),
        stronger,
        "enemies".to_owned(),
    ]
}
