//! The report on the dose: what 65 % takes, and which reading comes nearest.

use hathi_view::numbers::{counted, grouped};
use hathi_view::plot::{Axis, Line, Plot};

use super::super::matches::Match;
use super::super::thesis;
use super::{CHANCES, Crossing, DoseSummary, HIS_CHANCE, LADDER, ORACLES, Oracle, Reading};
use crate::document::{Document, Table};
use crate::rate::Rate;

const NOTHING: &str = "–";

/// Readings shown in the table of the nearest.
const SHOWN: usize = 12;

/// Differences of so many points, the root of the mean of their squares, would be
/// as near as 1,000 games and another memory can be expected to come.
const FITS: f64 = 5.0;

pub(super) fn document(summary: &DoseSummary) -> Document {
    let mut document = Document::new("McKee 2014: what it takes to win 65 %");
    document.text(format!(
        "McKee's memory bot won about 65 % of 1,000 games against \"the current fall back two move search \
         bot\"; `mimic-2014`, which follows his thesis by the letter, wins no game against ours. Either his \
         opponent was weaker than a search, or his bot was not what the thesis says. This report asks both: \
         how often must somebody play well, and otherwise anything, to win 65 % against whom; and what do \
         the readings of his words that are possible come to? Memory: {} with {}; up to {} games a cell, fewer \
         against opponents that take long, as each row says; seed {}; every engine thinks to a fixed depth or a fixed number of positions, so the games are the \
         same on every machine. Intervals are Wilson's, 95 %.",
        counted(summary.store_games as usize, "game"),
        counted(summary.store_positions as usize, "position"),
        summary.games,
        summary.seed
    ));
    if !summary.complete {
        document.text(
            "This experiment was interrupted: the figures below are those so far, and the same \
             command goes on with it.",
        );
    }
    verdict(&mut document, summary);
    oracles(&mut document, summary);
    readings(&mut document, summary);
    memories(&mut document, summary);
    document
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn with_interval(games: u64, rate: Rate) -> String {
    if games == 0 {
        return NOTHING.to_owned();
    }
    format!(
        "{:.0} % ({:.0} to {:.0})",
        100.0 * rate.value,
        100.0 * rate.low,
        100.0 * rate.high
    )
}

fn verdict(document: &mut Document, summary: &DoseSummary) {
    let mut findings = Vec::new();
    let his = |oracle: &&Oracle| oracle.cells.iter().any(|c| c.chance == CHANCES[HIS_CHANCE]);
    for (name, _) in ORACLES {
        let mine = summary.oracles.iter().filter(|o| o.name == name);
        let (mut can, mut cannot) = (Vec::new(), Vec::new());
        for oracle in mine.filter(his) {
            let cell = oracle
                .cells
                .iter()
                .find(|c| c.chance == CHANCES[HIS_CHANCE]);
            let Some(cell) = cell else { continue };
            if cell.rate.low >= super::HIS_RATE {
                can.push(oracle.opponent);
            } else if cell.rate.high < super::HIS_RATE {
                cannot.push(oracle.opponent);
            }
        }
        let list = |names: &[&str]| {
            if names.is_empty() {
                "nobody".to_owned()
            } else {
                names.join(", ")
            }
        };
        findings.push(format!(
            "`{name}` in {} of its turns and any turn else: more than 65 % beyond chance against {}; less \
             beyond chance against {}.",
            percent(CHANCES[HIS_CHANCE]),
            list(&can),
            list(&cannot)
        ));
    }
    if let Some(best) = summary.nearest().first() {
        findings.push(format!(
            "The reading that fits all his figures best: {} (replay, window, hits, setups, otherwise), against {}: \
             {} won, his hit rates missed by {:+.1}, {:+.1}, {:+.1} and {:+.1} points (full, half, area, by piece), \
             {:.1} points in all. {}",
            best.readings.words(),
            best.opponent,
            with_interval(best.result.games, best.result.rate),
            best.fit.hits[0],
            best.fit.hits[1],
            best.fit.hits[2],
            best.fit.hits[3],
            best.fit.distance,
            if best.fit.distance <= FITS {
                "It gives his figures."
            } else {
                "So no reading gives all his figures with this memory."
            }
        ));
    }
    findings.extend(nearest_by_wins(summary));
    document.heading("What it comes to");
    document.list(findings);
}

/// Of the readings whose win rate may be his 65 %: how often their memory knew
/// something.
fn nearest_by_wins(summary: &DoseSummary) -> Option<String> {
    let nearest = summary.nearest();
    let all = nearest.len();
    let won: Vec<&Reading> = nearest
        .into_iter()
        .filter(|reading| {
            let rate = reading.result.rate;
            rate.low <= super::HIS_RATE && super::HIS_RATE <= rate.high
        })
        .collect();
    if all == 0 {
        return None;
    }
    let by_search = won
        .iter()
        .filter(|reading| reading.readings.otherwise == hathi_engine::Otherwise::Search);
    Some(format!(
        "His win rate alone, 65 %, is within the interval of {} of {all} matches of readings, {} of them with a \
         search where the memory knows nothing{}.",
        won.len(),
        by_search.count(),
        if won.is_empty() {
            String::new()
        } else {
            let mut against: Vec<&str> = won.iter().map(|reading| reading.opponent).collect();
            against.sort_unstable();
            against.dedup();
            format!("; against {}", against.join(", "))
        }
    ))
}

fn oracles(document: &mut Document, summary: &DoseSummary) {
    document.heading("How often one must play well");
    document.text(
        "`mix:p=P,a=ORACLE,b=random` plays as the oracle with chance p and any turn else. By his own \
         figures some level of his memory answers 52 to 64 % of all moves, so p = 0.57 is his bot if every \
         answer were as good as the oracle's turn. The oracles: `greedy` (one turn ahead, 4 steps), `fairy` \
         and `hathi` (2,000 positions a turn). The ladder: `random`; `step`; `fallback` at 4 steps in a \
         quarter and in half of its turns, else `random`; `fallback` at 2, 3, 4 (which is `greedy`), 6 and \
         8 steps, reached in every turn as depth is its only limit. Chances are tried until 65 % lies \
         between two of them.",
    );
    document.figure(
        "contour.svg",
        "The 65 % contour: the chance p at which an oracle wins 65 %, by opponent, with the range that the \
         95 % intervals allow; dashed his own hit rate. Where a line ends not even p = 1 was enough, or all \
         chances were.",
        &contour(summary),
    );
    let mut table = Table::new(
        "Games won by p; the chance at which it is 65 %; length of games at p = 0.57",
        &[
            "opponent",
            "oracle",
            "p: games won (95 %)",
            "65 % at p",
            "depth reached",
            "moves, median",
            "to move 46",
        ],
        3,
    );
    for oracle in &summary.oracles {
        let cells: Vec<String> = oracle
            .cells
            .iter()
            .map(|cell| {
                format!(
                    "{}: {} of {}, {}",
                    cell.chance,
                    cell.wins,
                    cell.games,
                    with_interval(cell.games, cell.rate)
                )
            })
            .collect();
        let at = oracle.contour(|rate| rate.value).to_string();
        let his = oracle
            .cells
            .iter()
            .find(|c| c.chance == CHANCES[HIS_CHANCE]);
        let [depth, moves, long] = his.map_or([NOTHING; 3].map(str::to_owned), |cell| {
            [
                format!("{}", cell.depth.median),
                format!("{}", cell.lengths.median),
                percent(cell.lengths.to_46),
            ]
        });
        table.row([
            oracle.opponent.to_owned(),
            format!("`{}`", oracle.name),
            cells.join("; "),
            at,
            depth,
            moves,
            long,
        ]);
    }
    document.table(table);
    document.text(
        "His games: rows to move 46 and later are filled, and \"most games do not reach this point in move \
         totals\", so fewer than half of them came to move 46.",
    );
}

fn contour(summary: &DoseSummary) -> Plot {
    let place = |rung: usize| rung as f64;
    let mut lines: Vec<Line> = ORACLES
        .iter()
        .enumerate()
        .map(|(colour, (name, _))| {
            let mut line = Line {
                name: (*name).to_owned(),
                colour,
                ..Line::default()
            };
            for oracle in summary.oracles.iter().filter(|o| o.name == *name) {
                let known = |crossing| match crossing {
                    Crossing::At(chance) => Some(chance),
                    Crossing::Below(_) | Crossing::Above(_) | Crossing::Never => None,
                };
                let Some(middle) = known(oracle.contour(|rate| rate.value)) else {
                    continue;
                };
                let x = place(oracle.rung);
                // A rate that may be higher crosses earlier.
                let from = known(oracle.contour(|rate| rate.high)).unwrap_or(0.0);
                let to = known(oracle.contour(|rate| rate.low)).unwrap_or(1.0);
                line.points.push((x, middle));
                line.band.push((x, from.min(middle), to.max(middle)));
            }
            line
        })
        .collect();
    let last = place(LADDER.len() - 1);
    lines.push(Line {
        name: "his hit rate (union)".to_owned(),
        colour: 3,
        dashed: true,
        smooth: true,
        points: vec![(0.0, CHANCES[HIS_CHANCE]), (last, CHANCES[HIS_CHANCE])],
        ..Line::default()
    });
    let ticks = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|p| (p, format!("{p}")));
    Plot {
        title: "How often one must play well to win 65 %".to_owned(),
        x: Axis {
            label: "opponent".to_owned(),
            low: -0.4,
            high: last + 0.4,
            logarithmic: false,
            ticks: LADDER
                .iter()
                .enumerate()
                .map(|(rung, opponent)| (place(rung), opponent.name.to_owned()))
                .collect(),
        },
        y: Axis {
            label: "chance p".to_owned(),
            low: 0.0,
            high: 1.0,
            logarithmic: false,
            ticks: ticks.to_vec(),
        },
        lines,
    }
}

fn readings(document: &mut Document, summary: &DoseSummary) {
    document.heading("Readings of the thesis");
    document.text(
        "`mimic-2014` with its options: `replay=letter` moves the same kind of piece, `square` whatever \
         stands there (\"all friendly pieces shrunk to rabbits\"); `window=trap` looks round the trap in the \
         last level, as his pseudocode, `piece` round the piece to move, as his text; `hits=top` tries the \
         top answer only, `legal` the best that can be played (his wish in 5.3); `setups=own` or `drawn`; \
         `otherwise=random` (3.7) or `search`, `fallback` at 4 steps. The distance is the root mean square of \
         five differences in points: the win rate to 65 %, and the four hit rates (any result) to his, each \
         averaged over his ten rows.",
    );
    let mut table = Table::new(
        "The readings nearest to his figures",
        &[
            "replay, window, hits, setups, otherwise",
            "against",
            "games",
            "won (95 %)",
            "known, %: full, half, area, by piece",
            "turns from memory",
            "moves (to 46)",
            "distance",
        ],
        2,
    );
    let mean = |level: usize| {
        let rows = thesis::HITS.iter().map(|row| row.levels[level]);
        format!("{:.1}", rows.sum::<f64>() / thesis::HITS.len() as f64)
    };
    table.row([
        "McKee 2014 (mean of his rows)".to_owned(),
        "his fallback".to_owned(),
        "1,000".to_owned(),
        "about 65 %".to_owned(),
        [0, 1, 2, 3].map(mean).join(", "),
        NOTHING.to_owned(),
        "(< 50 %)".to_owned(),
        "0".to_owned(),
    ]);
    for reading in summary.nearest().into_iter().take(SHOWN) {
        table.row(reading_row(reading));
    }
    document.table(table);
    document.text(
        "All readings by one word at a time: the games of the 16 readings with it, against each opponent.",
    );
    document.table(by_word(summary));
}

fn reading_row(reading: &Reading) -> [String; 8] {
    let Match {
        games,
        rate,
        bins,
        lengths,
        ..
    } = &reading.result;
    let all = &bins.all;
    let found = |level: usize| format!("{:.1}", 100.0 * all.share(all.found[level]));
    [
        reading.readings.words(),
        reading.opponent.to_owned(),
        grouped(*games as usize),
        with_interval(*games, *rate),
        [0, 1, 2, 3].map(found).join(", "),
        percent(all.share(all.played)),
        format!("{} ({:.0} %)", lengths.median, 100.0 * lengths.to_46),
        format!("{:.1}", reading.fit.distance),
    ]
}

fn by_word(summary: &DoseSummary) -> Table {
    let mut opponents: Vec<&str> = Vec::new();
    for reading in &summary.readings {
        if !opponents.contains(&reading.opponent) {
            opponents.push(reading.opponent);
        }
    }
    let mut headings = vec!["option".to_owned()];
    headings.extend(
        opponents
            .iter()
            .map(|name| format!("won against {name} (95 %)")),
    );
    headings.push("turns from memory".to_owned());
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new("Games won by option", &headings, 1);
    let words = [
        "replay=letter",
        "replay=square",
        "window=trap",
        "window=piece",
        "hits=top",
        "hits=legal",
        "setups=own",
        "setups=drawn",
        "otherwise=random",
        "otherwise=search",
    ];
    for word in words {
        let (option, value) = word.split_once('=').unwrap_or((word, ""));
        let has = |reading: &&Reading| {
            let of = reading.readings;
            let now = match option {
                "replay" => of.replay.name(),
                "window" => of.window.name(),
                "hits" => of.hits.name(),
                "setups" => of.setups.name(),
                _ => of.otherwise.name(),
            };
            now == value
        };
        let mut cells = vec![format!("`{word}`")];
        for opponent in &opponents {
            let of = summary.readings.iter().filter(has);
            let of = of.filter(|reading| reading.opponent == *opponent);
            let (mut games, mut wins, mut distinct) = (0, 0, 0);
            for reading in of {
                games += reading.result.games;
                wins += reading.result.wins;
                distinct += reading.result.distinct;
            }
            cells.push(with_interval(games, Rate::of(wins, games, distinct)));
        }
        let (mut moves, mut played) = (0, 0);
        for reading in summary.readings.iter().filter(has) {
            moves += reading.result.bins.all.moves;
            played += reading.result.bins.all.played;
        }
        cells.push(percent(hathi_view::numbers::ratio(played, moves)));
        table.row(cells);
    }
    table
}

fn memories(document: &mut Document, summary: &DoseSummary) {
    document.heading("Memories by size and source");
    document.text("`mimic-2014` as his pseudocode reads, with parts of the memory.");
    let mut table = Table::new(
        "Games won by memory",
        &[
            "memory",
            "games in it",
            "against",
            "games",
            "won (95 %)",
            "any result",
            "played from memory",
            "moves, median",
        ],
        1,
    );
    for memory in &summary.memories {
        let Match {
            games,
            rate,
            bins,
            lengths,
            ..
        } = &memory.result;
        table.row([
            memory.what.clone(),
            grouped(memory.games_in_memory as usize),
            memory.opponent.to_owned(),
            grouped(*games as usize),
            with_interval(*games, *rate),
            percent(bins.all.share(bins.all.any_found)),
            percent(bins.all.share(bins.all.played)),
            format!("{}", lengths.median),
        ]);
    }
    document.table(table);
}
