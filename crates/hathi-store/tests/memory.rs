//! The index, the delta and a plain scan of all games must give the same
//! answers, for every kind of question.

mod common;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use common::{TempSchema, TempStore, playout_games};
use hathi_rules::{Ply, Position, Role, Side, Square, Symmetry, Turn};
use hathi_store::{
    Answer, Filter, GameRow, Kind, Matching, Memory, NewGame, PatternHit, PatternQuestion,
    PositionQuestion, SeenTrap, Store, Upkeep,
};

/// A stored position for the plain scan.
struct Played {
    game: usize,
    ply: usize,
    position: Position,
    turn: Turn,
}

fn all_positions(games: &[NewGame]) -> Vec<Played> {
    let mut all = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        for (ply, turn) in replayed.turns().iter().enumerate() {
            all.push(Played {
                game: number,
                ply,
                position: replayed.positions()[ply],
                turn: *turn,
            });
        }
    }
    all
}

/// Does the stored position match, seen through this symmetry? Written over
/// boards and squares, without the tricks of the index.
fn matches(asked: &Position, stored: &Position, kind: Kind, symmetry: Symmetry) -> bool {
    let image = symmetry.apply(*stored);
    if image.side_to_move() != asked.side_to_move() {
        return false;
    }
    let side = asked.side_to_move();
    let in_window = |square: Square, trap: Square| {
        let (files, ranks) = (
            square.file().index().abs_diff(trap.file().index()),
            square.rank().index().abs_diff(trap.rank().index()),
        );
        files <= 2 && ranks <= 2
    };
    Square::all().all(|square| {
        let (here, there) = (
            asked.board().piece_at(square),
            image.board().piece_at(square),
        );
        match kind {
            Kind::Full => here == there,
            Kind::Half => !(2..=5).contains(&square.rank().index()) || here == there,
            Kind::Area { trap } => !in_window(square, trap) || here == there,
            Kind::AreaByPiece { trap, piece } => {
                let abstracted = |found: Option<hathi_rules::Piece>| {
                    found.map(|found| {
                        let enemy = found.side() != side;
                        (enemy, enemy.then(|| found.role().cmp(&piece)))
                    })
                };
                !in_window(square, trap) || abstracted(here) == abstracted(there)
            }
        }
    })
}

/// What the scan finds: (game, ply) of every match, and the legal turns with
/// their counts and wins by resulting position.
type Found = (Vec<(usize, usize)>, BTreeMap<String, (u64, u64)>);

fn scan(
    games: &[NewGame],
    all: &[Played],
    asked: &Position,
    kind: Kind,
    matching: Matching,
) -> Found {
    let mut hits = Vec::new();
    let mut turns: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for played in all {
        let symmetries: &[Symmetry] = match matching {
            Matching::Literal => &[Symmetry::IDENTITY],
            Matching::Symmetric => &Symmetry::ALL,
        };
        // A window may match on both wings: those are two matches.
        let mut found: Vec<Symmetry> = symmetries
            .iter()
            .copied()
            .filter(|&symmetry| matches(asked, &played.position, kind, symmetry))
            .collect();
        if matches!(kind, Kind::Full | Kind::Half) {
            found.truncate(1);
        }
        for symmetry in found {
            hits.push((played.game, played.ply));
            let turn = symmetry.apply(played.turn);
            let turn = Turn::from_steps(turn.iter().map(|step| step.bare())).expect("four steps");
            if let Ok((_, after)) = asked.check_turn(&turn) {
                let mover = played.position.side_to_move();
                let won = games[played.game].game.result == Some(mover);
                let sum = turns.entry(after.short_form()).or_default();
                sum.0 += 1;
                sum.1 += u64::from(won);
            }
        }
    }
    (hits, turns)
}

fn kinds(seed: usize) -> [Kind; 4] {
    let trap = Square::TRAPS[seed % 4];
    let piece = Role::ALL[seed % 6];
    [
        Kind::Full,
        Kind::Half,
        Kind::Area { trap },
        Kind::AreaByPiece { trap, piece },
    ]
}

fn compare(store: &dyn Memory, games: &[NewGame], rows: &[GameRow], what: &str) {
    let all = all_positions(games);
    for (seed, played) in all.iter().enumerate().step_by(37) {
        for symmetry in [Symmetry::IDENTITY, Symmetry::ALL[seed % 4]] {
            let asked = symmetry.apply(played.position);
            for kind in kinds(seed) {
                for matching in [Matching::Literal, Matching::Symmetric] {
                    let (hits, turns) = scan(games, &all, &asked, kind, matching);
                    let answer = store
                        .find(&PositionQuestion::new(asked, kind).matching(matching))
                        .expect("an answer");
                    let context = format!("{what} {kind:?} {matching:?}\n{asked:?}");
                    assert_eq!(answer.hits, hits.len() as u64, "{context}");
                    let found: BTreeMap<String, (u64, u64)> = answer
                        .turns
                        .iter()
                        .map(|t| (t.after.short_form(), (t.count, t.wins)))
                        .collect();
                    assert_eq!(found, turns, "{context}");
                    let legal: u64 = turns.values().map(|(count, _)| count).sum();
                    assert_eq!(answer.illegal, answer.hits - legal, "{context}");
                    games_are_exact(&answer, games, rows, &hits, &context);
                    best_is_first(store, games, rows, &asked, kind, matching, &context);
                }
            }
        }
    }
}

/// How many games, the strongest and the newest: from all hits, each game once.
fn games_are_exact(
    answer: &Answer,
    games: &[NewGame],
    rows: &[GameRow],
    hits: &[(usize, usize)],
    context: &str,
) {
    let hit: BTreeSet<usize> = hits.iter().map(|&(game, _)| game).collect();
    assert_eq!(answer.games, hit.len() as u64, "{context}");
    let first = |key: &dyn Fn(&NewGame) -> i64| {
        let mut keyed: Vec<_> = hit
            .iter()
            .map(|&game| (Reverse(key(&games[game])), rows[game]))
            .collect();
        keyed.sort_unstable();
        let rows = keyed.into_iter().map(|(_, row)| row);
        rows.take(5).collect::<Vec<GameRow>>()
    };
    let ratings = |game: &NewGame| {
        let ratings = Side::ALL.map(|side| game.game.players[side].rating.unwrap_or(0));
        i64::from(ratings[0] + ratings[1])
    };
    assert_eq!(answer.top_rated, first(&ratings), "{context}");
    let started = |game: &NewGame| game.game.start.unwrap_or(0);
    assert_eq!(answer.most_recent, first(&started), "{context}");
}

/// The best hit: mover won, then rating, then turns left, among legal ones.
fn best_is_first(
    store: &dyn Memory,
    games: &[NewGame],
    rows: &[GameRow],
    asked: &Position,
    kind: Kind,
    matching: Matching,
    context: &str,
) {
    let question = PositionQuestion::new(*asked, kind).matching(matching);
    let best = store.best(&question).expect("an answer");
    let answer = store.find(&question).expect("an answer");
    let rank = |hit: &hathi_store::Hit| {
        (
            !hit.won,
            std::cmp::Reverse(hit.rating.unwrap_or(0)),
            hit.turns_left,
        )
    };
    assert_eq!(
        best.as_ref().map(rank),
        answer.best.as_ref().map(rank),
        "{context}"
    );
    let Some(best) = best else {
        assert!(answer.turns.is_empty(), "{context}");
        return;
    };
    let game = &games[rows
        .iter()
        .position(|&row| row == best.game)
        .expect("a game")];
    let replayed = game.moves.replay(game.game.rules()).expect("legal");
    let stored = replayed.positions()[best.ply.turns()];
    assert!(matches(asked, &stored, kind, best.symmetry), "{context}");
    let mover = stored.side_to_move();
    assert_eq!(best.won, game.game.result == Some(mover), "{context}");
    assert!(asked.check_turn(&best.turn).is_ok(), "{context}");
}

#[test]
fn delta_index_and_scan_agree() {
    let games = playout_games(40, 7);
    let mut temp = TempStore::new();
    let rows = temp.insert(&games);
    compare(&temp.store, &games, &rows, "delta");
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    assert_eq!(temp.store.index_state().recent_games, 0);
    compare(&temp.store, &games, &rows, "index");
}

#[test]
fn postgres_and_scan_agree() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(40, 7);
    let mut store = schema.store();
    // As an import does it: without indexes first.
    let rows = store.insert_for_index(&games).expect("inserted");
    let rows: Vec<GameRow> = rows.into_iter().map(|row| row.expect("new").row).collect();
    assert!(store.is_ready() && store.index_is_behind().expect("an answer"));
    compare(&store, &games, &rows, "without indexes");
    store.build_index(0, &mut |_, _| {}).expect("built");
    assert!(!store.index_is_behind().expect("an answer"));
    store.check_index().expect("right");
    compare(&store, &games, &rows, "indexes");
}

#[test]
fn index_and_delta_are_merged() {
    let games = playout_games(30, 11);
    let mut temp = TempStore::new();
    let mut rows = temp.insert(&games[..20]);
    temp.store.build_index(1, &mut |_, _| {}).expect("built");
    rows.extend(temp.insert(&games[20..]));
    assert_eq!(temp.store.index_state().indexed_games, 20);
    assert_eq!(temp.store.index_state().recent_games, 10);
    compare(&temp.store, &games, &rows, "both");
    // Another process sees the same.
    let other = Store::open(temp.path()).expect("opened");
    compare(&other, &games, &rows, "reopened");
}

#[test]
fn filters_leave_out_games() {
    let games = playout_games(30, 5);
    let mut temp = TempStore::new();
    temp.insert(&games);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    leaves_out_games(&temp.store, &games);
}

#[test]
fn filters_of_postgres_leave_out_games() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(30, 5);
    let mut store = schema.store();
    store.insert(&games).expect("inserted");
    leaves_out_games(&store, &games);
}

fn leaves_out_games(store: &dyn Memory, games: &[NewGame]) {
    let all = all_positions(games);
    let strong = Filter {
        min_rating_both: Some(1800),
        ..Filter::default()
    };
    let allowed = |game: &NewGame| {
        Side::ALL
            .iter()
            .all(|&side| game.game.players[side].rating >= Some(1800))
    };
    let some: Vec<bool> = games.iter().map(allowed).collect();
    assert!(some.contains(&true) && some.contains(&false));
    for played in all.iter().step_by(41) {
        let asked = played.position;
        let (hits, _) = scan(games, &all, &asked, Kind::Half, Matching::Symmetric);
        let expected = hits.iter().filter(|(game, _)| some[*game]).count();
        let question = PositionQuestion::new(asked, Kind::Half);
        let of_strong = question.clone().of_games(strong.clone());
        let answer = store.find(&of_strong).expect("an answer");
        assert_eq!(answer.hits, expected as u64);
        // The best and the first are of the same games.
        let best = store.best(&of_strong).expect("an answer");
        assert_eq!(best.map(|hit| hit.turn), answer.best.map(|hit| hit.turn));
        let first = store.first(&of_strong).expect("an answer");
        assert_eq!(first.is_some(), expected > 0);
        if let Some(first) = first {
            let stored = store.game(first.game).expect("read").expect("there");
            let players = stored.game.players;
            assert!(
                Side::ALL
                    .iter()
                    .all(|&side| players[side].rating >= Some(1800))
            );
        }
        let some = store
            .find(&of_strong.clone().best_hits(3))
            .expect("an answer");
        assert_eq!(some.hits, expected.min(3) as u64);
        let early = Filter {
            move_numbers: Some(2..=5),
            ..Filter::default()
        };
        let answer = store.find(&question.of_games(early)).expect("an answer");
        let expected = hits.iter().filter(|(_, ply)| ply / 2 + 2 <= 5).count();
        assert_eq!(answer.hits, expected as u64);
    }
}

#[test]
fn windows_of_the_view_are_those_of_the_board() {
    for side in Side::ALL {
        for trap in Square::TRAPS {
            let seen = SeenTrap::of_square(trap, side).expect("a trap");
            assert_eq!(seen.square(side), trap);
        }
    }
}

/// Patterns against asking every position one by one.
#[test]
fn patterns_find_what_they_describe() {
    let games = playout_games(30, 13);
    let mut temp = TempStore::new();
    let mut rows = temp.insert(&games[..20]);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    rows.extend(temp.insert(&games[20..]));
    finds_what_patterns_describe(&temp.store, &games, &rows);
}

#[test]
fn patterns_of_postgres_find_what_they_describe() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(30, 13);
    let mut store = schema.store();
    let rows = store.insert(&games).expect("inserted");
    let rows: Vec<GameRow> = rows.into_iter().map(|row| row.expect("new").row).collect();
    finds_what_patterns_describe(&store, &games, &rows);
}

fn finds_what_patterns_describe(store: &dyn Memory, games: &[NewGame], rows: &[GameRow]) {
    use hathi_store::Pattern;
    let all = all_positions(games);
    for text in [
        "Ee3",
        "E@trap(c3) g to move",
        "S<H@near(c6) _c6",
        "2+R@rank(3..5)",
        "!_d2 *d7 s to move",
        "m@away !E@home",
    ] {
        let pattern: Pattern = text.parse().expect(text);
        for matching in [Matching::Literal, Matching::Symmetric] {
            let symmetries: &[Symmetry] = match matching {
                Matching::Literal => &[Symmetry::IDENTITY],
                Matching::Symmetric => &Symmetry::ALL,
            };
            let fits = |played: &&Played| {
                symmetries.iter().any(|&symmetry| {
                    let image = symmetry.apply(played.position);
                    pattern.holds(image.board(), image.side_to_move())
                })
            };
            let expected: Vec<&Played> = all.iter().filter(fits).collect();
            let question = PatternQuestion {
                matching,
                ..PatternQuestion::new(pattern.clone())
            };
            let answer = store.search(&question).expect("an answer");
            assert_eq!(answer.hits, expected.len() as u64, "{text} {matching:?}");
            assert_eq!(answer.best.len(), expected.len());
            for hit in &answer.best {
                assert!(pattern.holds(hit.position.board(), hit.position.side_to_move()));
                assert!(hit.position.check_turn(&hit.turn).is_ok());
                let played = expected.iter().find(|played| {
                    (rows[played.game], Ply::after(played.ply)) == (hit.game, hit.ply)
                });
                let of_game = played.map(|played| hit.symmetry.apply(played.position));
                assert_eq!(of_game, Some(hit.position), "{text} {matching:?}");
            }
            let mut found: Vec<(GameRow, Ply)> =
                answer.best.iter().map(|h| (h.game, h.ply)).collect();
            let mut wanted: Vec<(GameRow, Ply)> = expected
                .iter()
                .map(|played| (rows[played.game], Ply::after(played.ply)))
                .collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{text} {matching:?}");
            played_at_is_what_the_hits_say(store, &question, &answer.best);
            let few = PatternQuestion {
                limit: 3,
                one_per_game: true,
                ..question
            };
            let some = store.search(&few).expect("an answer");
            assert_eq!(some.hits, answer.hits);
            assert!(some.best.len() <= 3);
        }
    }
}

/// What was played in all positions is the sum of the hits, one by one.
fn played_at_is_what_the_hits_say(
    store: &dyn Memory,
    question: &PatternQuestion,
    hits: &[PatternHit],
) {
    let played = store
        .played_at(question)
        .expect("an answer")
        .expect("not too many");
    for side in Side::ALL {
        let of_side = || hits.iter().filter(|h| h.position.side_to_move() == side);
        assert_eq!(played.to_move[side].count, of_side().count() as u64);
        let wins = of_side().filter(|hit| hit.won).count() as u64;
        assert_eq!(played.to_move[side].wins, wins);
    }
    let words = |turn: &Turn| -> Vec<String> {
        let mut words: Vec<_> = turn.steps().iter().map(ToString::to_string).collect();
        words.sort_unstable();
        words
    };
    let mut turns: BTreeMap<(bool, Vec<String>), (u64, u64)> = BTreeMap::new();
    let mut steps: BTreeMap<(bool, String), (u64, u64)> = BTreeMap::new();
    for hit in hits {
        let gold = hit.position.side_to_move() == Side::Gold;
        let mut words = words(&hit.turn);
        let sum = turns.entry((gold, words.clone())).or_default();
        *sum = (sum.0 + 1, sum.1 + u64::from(hit.won));
        words.dedup();
        for word in words {
            let sum = steps.entry((gold, word)).or_default();
            *sum = (sum.0 + 1, sum.1 + u64::from(hit.won));
        }
    }
    let counted = played.turns;
    assert_eq!(counted.len(), turns.len());
    for at in &counted {
        let key = (at.side == Side::Gold, words(&at.what));
        let score = (at.score.count, at.score.wins);
        assert_eq!(turns.get(&key), Some(&score), "{}", at.what);
    }
    assert!(counted.is_sorted_by_key(|at| Reverse(at.score.count)));
    assert_eq!(played.steps.len(), steps.len());
    for at in &played.steps {
        let key = (at.side == Side::Gold, at.what.to_string());
        let score = (at.score.count, at.score.wins);
        assert_eq!(steps.get(&key), Some(&score), "{}", at.what);
    }
}
