//! `hathi explore`.

use snapbox::str;

use crate::common::START;
use crate::fixture::fixture;

#[test]
fn explore() {
    let fixture = fixture("store-explore");
    fixture
        .assert(&["explore", START, "--limit", "2"])
        .success()
        .stdout_eq(str![[r#"
Reached 5 times in 5 games.

  played  reached    won  rating  last played  turn                 games
       2        2  50.0%    2050  2013-01-04   Ee2n Ee3n Ee4n       2 4
       2        2  50.0%    1750  2012-05-03   Ha2n Ee2n Ee3n Ee4n  3 1

1 more turn; --limit shows as many as you like.

Strong games:
  game  date        gold          silver        won  by  turns  event
     4  2013-01-04  Anna 2100     bot_One 2200  s    t       2  Casual game
     1  2011-11-01  Anna 1800     Bert 1900     s    r       2  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500     g    t       3  Casual game
     3  2012-05-03  Bert 1700     Anna 1750     g    r       3  Casual game
     5  2013-02-05  Bert 1600     Anna 1600     g    r       1  Casual game

Most recent games:
  game  date        gold          silver        won  by  turns  event
     5  2013-02-05  Bert 1600     Anna 1600     g    r       1  Casual game
     4  2013-01-04  Anna 2100     bot_One 2200  s    t       2  Casual game
     3  2012-05-03  Bert 1700     Anna 1750     g    r       3  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500     g    t       3  Casual game
     1  2011-11-01  Anna 1800     Bert 1900     s    r       2  Casual game

"#]]);
    // Step by step through the tree.
    let first = fixture.json(&["explore", START]);
    let after = first["turns"][1]["position_after"].as_str().expect("one");
    let second = fixture.json(&["explore", after]);
    assert_eq!(second["hits"], 2);
    fixture
        .assert(&["explore", &START.replace("DC", "CD")])
        .code(1)
        .stdout_eq("Never reached.\n");
}
