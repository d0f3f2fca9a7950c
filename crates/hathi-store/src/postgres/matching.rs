//! The hits of a question in SQL: which rows its key leads to, and which of
//! them match on the board.

use hathi_rules::Side;

use super::connect::Layout;
use super::rows::{FIRST_STEP, FIRST_STEP_SHIFT, HIT, key_column, pieces_column, posting_table};
use crate::filter::Value;
use crate::hits::{Shape, Wanted};

/// Where the rows of a question stand. Whether a row matches is decided by the
/// server, so that no other row crosses the wire. What the board holds are
/// values: the same statement serves for every board.
pub(super) struct Rows {
    branches: Vec<Branch>,
}

/// A shape, the number of the parameter before its four planes, and that of the
/// first of three with the bits of a strength.
struct Numbered {
    shape: Shape,
    before: usize,
    strength: usize,
}

/// The values of a question without a filter: its key, then the planes of the
/// shapes it looks for; by piece the bits of its strength, and what leads past
/// other shapes. Those of a filter come after them.
pub(super) fn values(layout: Layout, wanted: &Wanted) -> Vec<Value> {
    let mut values = vec![Value::Integer(wanted.hash.cast_signed())];
    for shape in wanted.shapes() {
        values.extend(
            shape
                .planes
                .0
                .map(|plane| Value::Integer(plane.cast_signed())),
        );
    }
    let Some((strength, (mask, bits))) = wanted.by_piece() else {
        return values;
    };
    values.extend((0..3).map(|i| Value::Integer(-i64::from(strength >> i & 1))));
    if layout == Layout::OneServer {
        values.extend([mask, bits].map(|bits| Value::Integer(bits.cast_signed())));
    }
    values
}

struct Branch {
    /// A table and its key.
    from: String,
    /// True for boards that match.
    fits: String,
    /// That of the filter, from ` AND` on.
    condition: String,
    /// What leads past rows that cannot match, by the index alone.
    pieces: Option<Pieces>,
    /// The number of the window.
    trap: String,
    /// 1 for a mirror image.
    mirrored: String,
}

/// A column of [`pieces`](super::rows::pieces), and the numbers of the parameters
/// with its bits that count and with what they have to be.
struct Pieces {
    column: String,
    mask: usize,
    bits: usize,
}

impl Pieces {
    /// True for rows that may match. Older ones do not know.
    fn may_match(&self, steps: Option<usize>) -> String {
        let Pieces { column, mask, bits } = self;
        let step = steps.map_or(String::new(), |steps| {
            format!(" AND {column} >> {FIRST_STEP_SHIFT} = ANY(${steps})")
        });
        format!("({column} IS NULL OR {column} & ${mask} = ${bits}{step})")
    }
}

impl Branch {
    /// The order of the index, so that nothing is sorted.
    fn order(&self) -> &'static str {
        if self.trap == "trap" {
            "ORDER BY place, trap"
        } else if self.pieces.is_some() {
            "ORDER BY found_place"
        } else {
            "ORDER BY place"
        }
    }

    /// The table of the hits, and the condition under which they are. `after` is
    /// one on their places, `steps` the parameter of the steps that they may begin
    /// with.
    ///
    /// By piece, an index that knows more than the key is walked by itself, and
    /// only those rows are looked at that are left: under a common key stand
    /// hundreds of thousands of other shapes.
    fn hits(&self, after: &str, steps: Option<usize>) -> String {
        let Branch {
            from,
            fits,
            condition,
            ..
        } = self;
        let step = steps.map_or(String::new(), |steps| {
            format!(" AND turn & {FIRST_STEP} = ANY(${steps})")
        });
        let Some(pieces) = &self.pieces else {
            return format!("{from} AND {fits}{condition}{after}{step}");
        };
        let may_match = pieces.may_match(steps);
        // Without LIMIT the server might put both together again.
        format!(
            "(SELECT place AS found_place FROM {from} AND {may_match}{after}) AS found,
             LATERAL (SELECT {HIT} FROM {from} AND place = found_place AND {fits}{step}
                 LIMIT 1) AS hit
             WHERE TRUE{condition}"
        )
    }
}

impl Rows {
    /// `condition` goes on from ` AND`.
    pub(super) fn new(layout: Layout, wanted: &Wanted, condition: &str) -> Rows {
        let shapes = wanted.shapes();
        // After the key and the planes of all shapes.
        let strength = 2 + 4 * shapes.len();
        let shapes: Vec<Numbered> = shapes
            .into_iter()
            .zip((1..).step_by(4))
            .map(|(shape, before)| Numbered {
                shape,
                before,
                strength,
            })
            .collect();
        let traps = wanted.traps();
        let mask = strength + 3;
        let branches = match layout {
            // An index for each window.
            Layout::OneServer => traps
                .into_iter()
                .map(|trap| {
                    let own: Vec<&Numbered> =
                        shapes.iter().filter(|s| s.shape.trap == trap).collect();
                    let key = key_column(wanted.kind, trap);
                    Branch {
                        from: format!("positions WHERE {key} = $1"),
                        fits: any(&own),
                        condition: condition.to_owned(),
                        pieces: wanted.by_piece().map(|_| Pieces {
                            column: pieces_column(trap),
                            mask,
                            bits: mask + 1,
                        }),
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
                    from: format!("{table} WHERE key = $1"),
                    fits: format!("({})", each.join(" OR ")),
                    condition: condition.to_owned(),
                    pieces: None,
                    trap: "trap".to_owned(),
                    mirrored: mirrored(&all),
                }]
            }
        };
        Rows { branches }
    }

    /// The first of them, best first, that come after a place and a window
    /// there, and that begin with one of some steps; `place` and the one after it
    /// are the numbers of their parameters, `steps` that of the steps.
    pub(super) fn first(&self, place: usize, steps: Option<usize>, limit: usize) -> String {
        let trap = place + 1;
        let branches: Vec<String> = self
            .branches
            .iter()
            .map(|branch| {
                let own = &branch.trap;
                let after =
                    format!(" AND place >= ${place} AND (place > ${place} OR {own} > ${trap})");
                format!(
                    "(SELECT {HIT}, {own} AS trap FROM {} {} LIMIT {limit})",
                    branch.hits(&after, steps),
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
                let Branch { trap, mirrored, .. } = branch;
                let all = format!(
                    "SELECT {HIT}, {trap} AS trap, {mirrored} AS mirrored FROM {}",
                    branch.hits("", None)
                );
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

fn fits(numbered: &Numbered) -> String {
    let &Numbered {
        ref shape,
        before,
        strength,
    } = numbered;
    let mask = shape.squares.cast_signed();
    let planes = match shape.strength {
        None => ["plane_0", "plane_1", "plane_2", "enemies"].map(str::to_owned),
        Some(_) => relative(strength),
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
/// there, enemies as strong, enemies stronger, enemies. The bits of the strength are
/// three parameters, each 0 or all ones, so that it is one statement for all pieces.
fn relative(strength: usize) -> [String; 4] {
    let bit = |i: usize| strength + i;
    let same = |i: usize| format!("~(plane_{i} # ${})", bit(i));
    let more = |i: usize| format!("plane_{i} & ~${}::bigint", bit(i));
    // Bit operators bind alike, so each has its parentheses.
    let stronger = format!(
        "(({}) | ({} & (({}) | ({} & {}))))",
        more(2),
        same(2),
        more(1),
        same(1),
        more(0)
    );
    [
        "(plane_0 | plane_1 | plane_2)".to_owned(),
        format!("({} & {} & {} & enemies)", same(0), same(1), same(2)),
        format!("({stronger} & enemies)"),
        "enemies".to_owned(),
    ]
}
