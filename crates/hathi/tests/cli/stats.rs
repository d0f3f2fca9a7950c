//! `hathi stats`.

use serde_json::{Value, json as value};
use snapbox::str;

use crate::fixture::fixture;

#[test]
fn stats() {
    let fixture = fixture("store-stats");
    let stats = fixture.json(&["stats"]);
    assert_eq!(stats["games"], 5);
    assert_eq!(stats["positions"], 11);
    assert_eq!(stats["players"], 3);
    assert_eq!(stats["puzzles"], 0);
    assert_eq!(stats["results"]["gold"], 3);
    assert_eq!(
        stats["results"]["terminations"]["t"],
        value!({"gold": 1, "silver": 1, "nobody": 0})
    );
    assert_eq!(stats["index"]["games"], 5);
    assert_eq!(stats["index"]["trouble"], Value::Null);
    fixture.assert(&["stats"]).success().stdout_eq(str![[r#"
store       [..]hathi.db
games       5
positions   11
players     3
puzzles     0
sources     arimaa  5
database    [..]
index       5 games, 11 positions, [..]

  end                Gold won  Silver won  nobody
  r  by resignation         2           1       0
  t  on time                1           1       0
  all                       3           2       0

"#]]);
}
