//! Move lists: read, printed, read again, and replayed by both rule sets.
#![no_main]

use hathi_rules::{GameRecord, Replay, RuleSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(record) = GameRecord::parse(bytes) {
        let again: GameRecord = record.to_string().parse().expect("what was printed");
        assert_eq!(again, record);
    }
    for rules in [RuleSet::Modern, RuleSet::Before2008] {
        let mut replay = Replay::new(rules);
        if let Err(error) = replay.read(bytes, rules) {
            let _ = error.to_string();
        }
        // Wherever it stopped, what was played until then was legal.
        let record = GameRecord::of_game(&replay.game);
        let again = record.replay(rules).expect("a legal game");
        assert_eq!(again.game.position(), replay.game.position());
        assert_eq!(again.game.outcome(), replay.game.outcome());
    }
});
