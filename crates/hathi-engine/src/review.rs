//! Was a turn a mistake? The turn played and the best one are valued by one
//! search to the same depth, and what counts is the chance to win that was
//! given away, not the score.

use hathi_model::network::{Network, hash_of};
use hathi_rules::{Game, Position, Turn};

use crate::search::SURE;
use crate::{AnalysisRequest, CHANCE_SCALE, Engine, EngineError, Limits, Thought, winning_chance};

/// Positions to look at for a turn if nothing else is said.
pub const REVIEW_NODES: u64 = 100_000;

/// No turn is marked by less: its own four steps, and eight after it, for the
/// turn played and for the best one.
pub const LEAST_DEPTH: u32 = 12;

/// A turn that seems to give away so much is looked at again.
const SUSPECT: f64 = 0.06;

/// What a piece for nothing costs at least, in hundredths of a rabbit, and what a
/// look of [`FULL_LOOK`] positions may be wrong by: one that went in the game, and
/// one that the search expects to go.
const LOST_PIECE: (f64, f64) = (20.0, 20.0);
const EXPECTED_LOSS: (f64, f64) = (60.0, 40.0);

/// The same for the chance to win that makes a mistake.
const MISTAKE: (f64, f64) = (0.08, 0.04);

/// The chance to win that makes a blunder of a mistake.
const BLUNDER: f64 = 0.30;

/// Positions of both looks together, if nothing else is said.
const FULL_LOOK: u64 = REVIEW_NODES * (1 + SECOND_LOOK as u64);

/// The game is not decided: a side has such a chance.
const OPEN: std::ops::RangeInclusive<f64> = 0.05..=0.95;

/// How much longer the second look is than the first.
const SECOND_LOOK: u32 = 4;

/// Positions that the engine looks at where `hathi bench engine` searches to a
/// fixed depth. A test compares: whoever changes the search or the network writes
/// the new number here, and reviews made before are known to be older.
pub const PINNED_POSITIONS: u64 = 8_930;

/// The engine that judges: the program, its network by name and by contents, how
/// it searches and how it judges. What was judged by another one may be judged
/// otherwise.
pub fn engine_version() -> String {
    let network = Network::shipped();
    let name = network.map_or("none", |network| network.about.name.as_str());
    let judging = format!(
        "{MISTAKE:?} {BLUNDER} {SUSPECT} {LOST_PIECE:?} {EXPECTED_LOSS:?} {OPEN:?} {SECOND_LOOK} {LEAST_DEPTH} {CHANCE_SCALE}"
    );
    format!(
        "{}, network {name} {:08x}, search {PINNED_POSITIONS}, marks {:08x}",
        env!("CARGO_PKG_VERSION"),
        Network::shipped_hash(),
        hash_of(judging.as_bytes())
    )
}

/// How bad a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It made a difference.
    Mistake,
    /// It gave away much of the game.
    Blunder,
}

/// The least that is believed after so many positions: the doubt is half of it
/// after four times as many. So a deeper look, which has less of it, takes few
/// marks back.
fn beyond((least, doubt): (f64, f64), nodes: u64) -> f64 {
    let left = (FULL_LOOK as f64 / nodes.max(1) as f64).sqrt();
    least + doubt * left.min(3.0)
}

impl Mark {
    /// The mark for so much chance lost, seen by so many positions.
    pub fn of(loss: f64, nodes: u64) -> Option<Mark> {
        if loss < beyond(MISTAKE, nodes) {
            None
        } else if loss < BLUNDER {
            Some(Mark::Mistake)
        } else {
            Some(Mark::Blunder)
        }
    }

    /// "mistake" or "blunder".
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// One search of the turn played beside the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The chance to win that the turn gave away.
    pub loss: f64,
    /// Steps looked ahead.
    pub depth: u32,
}

/// What a search makes of a turn that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The best turn and what is expected after it.
    pub best: Thought,
    /// The same for the turn played, from the same search.
    pub played: Thought,
    /// The chance to win that the turn gave away, 0 to 1.
    pub loss: f64,
    /// What that is called, if the search was deep enough to say.
    pub mark: Option<Mark>,
    /// Positions looked at, by all looks together.
    pub nodes: u64,
    /// Every look that was taken, in order.
    pub looks: Vec<Look>,
}

/// Judges the next turn of a game. The same engine, game, turn and number of
/// positions give the same verdict: nothing is remembered from other turns.
///
/// A first look finds the best turn. A turn that seems to be worse is compared
/// with it by a second look, four times as long, at these two turns alone: so it
/// is deeper, and the mark stands. A turn that loses a piece for nothing is a
/// mistake even if that is less of a chance, and one that lets the opponent reach
/// goal a blunder, unless nothing was left to lose. Whether a piece is lost is seen
/// by what the search expects, and by what was played `after` the turn, if the game
/// went on.
pub fn judge(
    engine: &mut dyn Engine,
    game: &Game,
    turn: &Turn,
    after: &[Turn],
    limits: &Limits,
) -> Result<Judged, EngineError> {
    engine.new_game(1);
    let request = AnalysisRequest {
        also: &[*turn],
        ..AnalysisRequest::of(game)
    };
    let analysis = engine.analyse(&request, limits, &mut |_| {})?;
    let best = analysis.lines.into_iter().next();
    let best = best.ok_or(EngineError::NoTurn)?;
    // Without time for one depth there is nothing to compare.
    let played = analysis.also.into_iter().next();
    let played = played.unwrap_or_else(|| best.clone());
    let first = Judged::new(best, played);
    // However shallow it was: the second look says whether that turn is better.
    let mut record = vec![*turn];
    record.extend(after.iter().take(2));
    let lost = loses_a_piece(game, &record);
    let suspect = lost || first.loss >= SUSPECT || first.expects_a_loss(game, EXPECTED_LOSS.0);
    let other = first.best.line.first() != first.played.line.first();
    let (Some(best), true) = (
        first.best.line.first(),
        suspect && other && !limits.stop.asked(),
    ) else {
        return Ok(first);
    };
    let longer = Limits {
        started: std::time::Instant::now(),
        nodes: limits.nodes.map(|n| n.saturating_mul(SECOND_LOOK.into())),
        aim: limits.aim.map(|time| time * SECOND_LOOK),
        most: limits.most.map(|time| time * SECOND_LOOK),
        ..limits.clone()
    };
    let request = AnalysisRequest {
        lines: 0,
        also: &[*best, *turn],
        ..AnalysisRequest::of(game)
    };
    let analysis = engine.analyse(&request, &longer, &mut |_| {})?;
    let Ok([best, played]) = <[Thought; 2]>::try_from(analysis.also) else {
        return Ok(first);
    };
    let mut second = Judged::new(best, played);
    second.nodes += first.nodes;
    second.looks.splice(0..0, first.looks);
    if second.best.depth >= LEAST_DEPTH || second.is_decided() {
        second.mark = Mark::of(second.loss, second.nodes);
        let went = lost && second.costs(beyond(LOST_PIECE, second.nodes));
        let goes = || second.expects_a_loss(game, beyond(EXPECTED_LOSS, second.nodes));
        if second.mark.is_none() && (went || goes()) {
            second.mark = Some(Mark::Mistake);
        }
    }
    if second.drops_the_game(game) {
        second.mark = Some(Mark::Blunder);
    }
    Ok(second)
}

/// Does a line lose a piece to the reply, and win none back by the turn after it?
fn loses_a_piece(game: &Game, line: &[Turn]) -> bool {
    let before = game.position();
    let (own, enemy) = (before.side_to_move(), before.side_to_move().opponent());
    let mut at = game.clone();
    let mut counts = vec![before];
    for turn in line.iter().take(3) {
        if at.check_turn(turn).is_err() || at.play(turn).is_err() {
            break;
        }
        counts.push(at.position());
    }
    let pieces = |position: &Position, side| position.board().side(side).len();
    let (Some(replied), Some(last)) = (counts.get(2), counts.last()) else {
        return false;
    };
    pieces(replied, own) < pieces(&before, own) && pieces(last, enemy) >= pieces(&before, enemy)
}

impl Judged {
    /// Not marked yet.
    fn new(best: Thought, played: Thought) -> Judged {
        let loss = winning_chance(best.score) - winning_chance(played.score);
        let loss = loss.max(0.0);
        let depth = best.depth;
        Judged {
            nodes: best.nodes,
            best,
            played,
            loss,
            mark: None,
            looks: vec![Look { loss, depth }],
        }
    }

    /// Does the turn cost so much in a game that is not decided?
    fn costs(&self, least: f64) -> bool {
        OPEN.contains(&winning_chance(self.best.score))
            && f64::from(self.best.score - self.played.score) >= least
    }

    /// Is the turn expected to lose a piece for nothing that the best one keeps,
    /// at such a cost?
    fn expects_a_loss(&self, game: &Game, least: f64) -> bool {
        self.costs(least)
            && loses_a_piece(game, &self.played.line)
            && !loses_a_piece(game, &self.best.line)
    }

    /// Does the turn let the opponent reach goal at once, by the rules, where the
    /// best one leaves a chance?
    fn drops_the_game(&self, game: &Game) -> bool {
        let lets_in = |thought: &Thought| {
            let turn = thought.line.first();
            let after = turn.and_then(|turn| game.check_turn(turn).ok());
            after.is_some_and(|(_, after)| after.can_goal().is_some())
        };
        winning_chance(self.best.score) >= *OPEN.start()
            && lets_in(&self.played)
            && !lets_in(&self.best)
    }

    /// Has the search an end of the game in sight for both turns?
    fn is_decided(&self) -> bool {
        self.best.score.abs() > SURE && self.played.score.abs() > SURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineSpec;
    use hathi_rules::RuleSet;

    /// Silver threatens to run down the h file; the horse can stop it.
    const THREAT: &str = "
        g
        8| r r r . . r r . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . e . . . . |
        4| . . . . . . . r |
        3| . . x . E x . . |
        2| . . . . . H . . |
        1| R R R . . . . . |";

    fn judged(turn: &str, nodes: u64) -> Judged {
        judged_at(THREAT, turn, nodes)
    }

    fn judged_at(position: &str, turn: &str, nodes: u64) -> Judged {
        let position: Position = position.parse().expect("a position");
        let game = Game::from_position(RuleSet::Modern, position);
        let spec: EngineSpec = "hathi:hash=8".parse().expect("an engine");
        let mut engine = spec.build().expect("ready");
        let turn = turn.parse().expect("a turn");
        judge(&mut *engine, &game, &turn, &[], &Limits::nodes(nodes)).expect("a verdict")
    }

    #[test]
    fn a_turn_that_lets_the_rabbit_run_is_a_blunder() {
        let verdict = judged("Ra1n", 60_000);
        assert_eq!(verdict.mark, Some(Mark::Blunder), "{verdict:?}");
        assert!(verdict.played.score < -SURE);
        assert_eq!(verdict.played.line[0].to_string(), "Ra1n");
        assert!(verdict.loss > 0.25);
    }

    #[test]
    fn a_piece_given_away_is_seen_though_little_is_lost_by_it() {
        let position = "
            g
            8| r r r . . r r . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . e . . . . |
            3| . . x . . x . . |
            2| . . C . M H H . |
            1| R R R R R R R E |";
        let game = Game::from_position(RuleSet::Modern, position.parse().expect("a position"));
        let line = |turns: &[&str]| -> Vec<Turn> {
            let turns = turns.iter().map(|turn| turn.parse().expect("a turn"));
            turns.collect()
        };
        // Onto the trap without a friend.
        let given = line(&["Cc2n Cc3x", "ra8s", "Ra1n"]);
        assert!(loses_a_piece(&game, &given));
        assert!(!loses_a_piece(&game, &given[..1]), "no reply is known");
        assert!(!loses_a_piece(&game, &given[1..]), "no line of this game");
        let thought = |score: i32, line: &[Turn]| Thought {
            score,
            line: line.to_vec(),
            ..Thought::default()
        };
        let kept = line(&["Ra1n", "ra8s", "Ra2n"]);
        let least = beyond(EXPECTED_LOSS, FULL_LOOK);
        let judged = |best: i32, played: i32| {
            Judged::new(thought(best, &kept), thought(played, &given)).expects_a_loss(&game, least)
        };
        assert!(judged(900, 790));
        let loss = winning_chance(900) - winning_chance(790);
        assert_eq!(Mark::of(loss, FULL_LOOK), None);
        assert!(!judged(900, 810), "it costs less than a rabbit");
        assert!(!judged(5000, 4000), "the game is decided");
        let both = Judged::new(thought(900, &given), thought(700, &given));
        assert!(!both.expects_a_loss(&game, least), "so does the best turn");
    }

    #[test]
    fn the_less_is_in_doubt_the_less_must_be_lost() {
        assert_eq!(Mark::of(0.11, FULL_LOOK), None);
        assert_eq!(Mark::of(0.13, FULL_LOOK), Some(Mark::Mistake));
        assert_eq!(Mark::of(0.11, 10 * FULL_LOOK), Some(Mark::Mistake));
        assert_eq!(Mark::of(0.07, u64::MAX), None);
        assert_eq!(Mark::of(0.31, FULL_LOOK), Some(Mark::Blunder));
        assert_eq!(Mark::of(1.0, 0), Some(Mark::Blunder));
    }

    #[test]
    fn a_piece_that_was_taken_in_the_game_is_looked_at_twice() {
        // The cat stands on the trap by the elephant's leave; the reply takes it.
        let position = "
            g
            8| r r r . . r r r |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . e . . . . . |
            3| . . C E . x . . |
            2| . . . . . . . . |
            1| R R R R R R R R |";
        let game = Game::from_position(RuleSet::Modern, position.parse().expect("a position"));
        let turn = |text: &str| text.parse::<Turn>().expect("a turn");
        let spec: EngineSpec = "hathi:hash=8".parse().expect("an engine");
        let mut engine = spec.build().expect("ready");
        let mut looks = |played: &str, after: &[Turn]| {
            let limits = Limits::nodes(20_000);
            let judged = judge(&mut *engine, &game, &turn(played), after, &limits);
            judged.expect("a verdict").looks.len()
        };
        // The elephant steps aside: the cat is gone by that turn itself.
        let after = [turn("ra8s"), turn("Ra1n")];
        assert_eq!(looks("Ed3e Cc3x", &after), 2);
    }

    #[test]
    fn a_goal_let_in_is_a_blunder_though_little_was_left() {
        let game = Game::from_position(RuleSet::Modern, THREAT.parse().expect("a position"));
        let thought = |score: i32, turn: &str| Thought {
            score,
            line: vec![turn.parse().expect("a turn")],
            ..Thought::default()
        };
        let stops = "Hf2e Hg2e Hh2n";
        let after = |score, best| {
            Judged::new(thought(score, best), thought(-99_998, "Ra1n")).drops_the_game(&game)
        };
        assert!(after(-1500, stops), "seven per cent were left");
        assert!(!after(-3000, stops), "nothing was left");
        assert!(!after(-1500, "Rb1n"), "the best turn lets it in, too");
    }

    #[test]
    fn the_best_turn_is_none_and_verdicts_repeat() {
        let first = judged("Ra1n", 60_000);
        let best = first.best.line[0].to_string();
        let again = judged(&best, 60_000);
        assert_eq!(again.mark, None, "{again:?}");
        let repeated = judged("Ra1n", 60_000);
        assert_eq!(repeated.played.line, first.played.line);
        assert_eq!(repeated.best.line, first.best.line);
        assert_eq!(repeated.played.score, first.played.score);
    }

    #[test]
    fn the_version_tells_networks_searches_and_ways_to_judge_apart() {
        let version = engine_version();
        let network = format!(" {:08x},", Network::shipped_hash());
        assert!(version.contains(&network), "{version}");
        let search = format!("search {PINNED_POSITIONS}, marks ");
        assert!(version.contains(&search), "{version}");
        assert_ne!(hash_of(b"one network"), hash_of(b"another one"));
    }

    #[test]
    fn without_depth_there_is_no_mark() {
        // A few positions are one or two steps: the loss is not believed.
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
        let spec: EngineSpec = "hathi:hash=8".parse().expect("an engine");
        let mut engine = spec.build().expect("ready");
        for nodes in [1, 100, 2_000] {
            for turn in ["Ee2n Ee3n Ee4n Ee5n", "Ha2n"] {
                let turn = turn.parse().expect("a turn");
                let verdict = judge(&mut *engine, &game, &turn, &[], &Limits::nodes(nodes))
                    .expect("a verdict");
                assert!(verdict.best.depth < LEAST_DEPTH);
                assert_eq!(verdict.mark, None);
            }
        }
    }
}
