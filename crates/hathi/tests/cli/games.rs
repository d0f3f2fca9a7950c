//! `hathi games`.

use snapbox::str;

use crate::common::{hathi, refused};
use crate::fixture::fixture;

#[test]
fn games() {
    let fixture = fixture("store-games");
    fixture
        .assert(&["games", "--limit", "2"])
        .success()
        .stdout_eq(str![[r#"
  game  date        gold          silver     won  by  turns  event
     1  2011-11-01  Anna 1800     Bert 1900  s    r       2  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500  g    t       3  Casual game

There are more; --limit shows as many as you like.

"#]]);
    assert_eq!(
        fixture.stdout(&["games", "--limit", "0"]).lines().count(),
        6
    );
    let game = fixture.stdout(&["games", "3"]);
    snapbox::assert_data_eq!(
        &game,
        str![[r#"
# game       3
# date       2012-05-03 12:00:00
# Gold       Bert (1700)
# Silver     Anna (1750)
# event      Casual game, rated
# time       2/2/100/10/8
# result     Gold wins by resignation
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8
2g Ha2n Ee2n Ee3n Ee4n
2s ed7s
3g Ha3n

"#]]
    );
    hathi(&["replay", "-"]).stdin(game).assert().success();
    assert_eq!(fixture.json(&["games", "5"])["moves"][2], "2g Md2n");
    fixture
        .assert(&["games", "99"])
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: there is no game 99 in the store\n");
    refused(&fixture.args(&["games", "x"]), &["not a game id"]);
    refused(&fixture.args(&["games", "1", "--humans"]), &["--humans"]);
    refused(&fixture.args(&["games", "1", "--limit", "3"]), &["--limit"]);
}
