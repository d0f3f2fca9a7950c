//! `hathi setups`.

use snapbox::str;

use crate::common::refused;
use crate::fixture::{GOLD, SILVER, fixture};

#[test]
fn setups() {
    let fixture = fixture("store-setups");
    let literal = ["setups", "--literal"];
    fixture.assert(&literal).success().stdout_eq(str![[r#"
Gold's setups in 5 games: 2 different.

  rank  games   share    won  rating  setup
     1      4  80.00%  75.0%    1775  Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
     2      1  20.00%   0.0%    2100  Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Ed2 Me2 Cf2 Dg2 Hh2

"#]]);
    // A mirror image is the same setup, as a mirrored board is the same position.
    let mirrored = fixture.json(&["setups"]);
    assert_eq!(mirrored["kinds"], 1);
    assert_eq!(fixture.json(&["setups", "--mirror"]), mirrored);
    let humans = fixture.json(&["setups", "--humans"]);
    assert_eq!(humans["setups"][0]["games"], 3);
    let replies = fixture.json(&["setups", "--reply-to", GOLD]);
    assert_eq!(replies["side"], "s");
    assert_eq!(replies["setups"][0]["games"], 5);
    let file = fixture.inside("setup.txt");
    std::fs::write(&file, format!("{GOLD}\n")).expect("a file");
    let replies = fixture.json(&["setups", "--literal", "--reply-to", &file]);
    assert_eq!(replies["games"], 4);
    assert!(
        fixture
            .stdout(&["setups", "--literal", "--draw", "--limit", "1"])
            .contains("     2  H D C M E C D H\n     1  R R R R R R R R\n")
    );
    refused(
        &fixture.args(&["setups", "--reply-to", SILVER]),
        &["a setup of Silver"],
    );
    refused(
        &fixture.args(&["setups", "--reply-to", "Ra1 Rb1"]),
        &["--reply-to", "placed"],
    );
    refused(
        &fixture.args(&["setups", "--reply-to", GOLD, "--side", "g"]),
        &["--side g"],
    );
}
