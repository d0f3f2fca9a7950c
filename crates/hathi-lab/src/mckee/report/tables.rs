//! The tables of the report.

use hathi_rules::Termination;
use hathi_view::numbers::{grouped, time_text};

use super::super::bins::{BINS, Bin, NAMES};
use super::super::matches::{Match, Times};
use super::super::setups::Popular;
use super::super::summary::Summary;
use super::super::thesis;
use crate::document::Table;
use crate::eighths::Eighth;
use crate::mckee::waited;
use crate::rate::Rate;

/// The four levels as the thesis names them.
pub(super) const LEVEL_NAMES: [&str; 4] = [
    "full board",
    "half board",
    "area of concentration",
    "area of concentration by piece",
];

const NOTHING: &str = "–";

/// A share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn count(number: u64) -> String {
    grouped(number as usize)
}

fn with_interval(played: u64, rate: Rate) -> String {
    if played == 0 {
        return NOTHING.to_owned();
    }
    format!(
        "{} ({:.1} to {:.1})",
        percent(rate.value),
        100.0 * rate.low,
        100.0 * rate.high
    )
}

/// All in all.
pub(super) fn glance(summary: &Summary) -> Table {
    let mut headings = vec!["", "McKee 2014"];
    let names: Vec<String> = summary.matches.iter().map(|m| m.player.clone()).collect();
    headings.extend(names.iter().map(String::as_str));
    let mut table = Table::new("At a glance", &headings, 1);
    let experiment = &summary.experiment;
    let mut line = |what: &str, his: String, ours: &dyn Fn(&Match) -> String| {
        let cells = summary.matches.iter().map(ours);
        table.row([what.to_owned(), his].into_iter().chain(cells));
    };
    line("games in memory", count(thesis::GAMES), &|_| {
        count(experiment.store_games)
    });
    line("positions in memory", count(waited::POSITIONS[7]), &|_| {
        count(experiment.store_positions)
    });
    line("games played", count(thesis::PLAYED), &|m| {
        if m.games < m.planned {
            format!("{} of {}", count(m.games), count(m.planned))
        } else {
            count(m.games)
        }
    });
    line("won against the fallback", "about 65 %".to_owned(), &|m| {
        with_interval(m.games, m.rate)
    });
    line(
        "average hit rate, as he computes it",
        format!("{} %", thesis::AVERAGE_HIT_RATE),
        &|m| percent(average(m, |bin, row| bin.rates().as_printed(row))),
    );
    let his_unions = thesis::HITS.iter().map(|row| row.rates().union());
    line(
        "average hit rate, union if independent",
        percent(his_unions.sum::<f64>() / BINS as f64),
        &|m| percent(average(m, |bin, _| bin.rates().union())),
    );
    line("average hit rate, measured", NOTHING.to_owned(), &|m| {
        percent(average(m, |bin, _| bin.share(bin.any)))
    });
    line("of all moves, measured", NOTHING.to_owned(), &|m| {
        percent(m.bins.all.share(m.bins.all.any))
    });
    line(
        "moves from the table of wins in two",
        "0".to_owned(),
        &|m| {
            let level = hathi_engine::Level::Puzzle.name();
            count(m.levels.get(level).copied().unwrap_or(0))
        },
    );
    line("time of a turn, median", NOTHING.to_owned(), &|m| {
        time_text(m.time.median / 1000.0)
    });
    table
}

/// The mean over the groups of moves, as he does it; groups without moves
/// left out.
fn average(played: &Match, value: impl Fn(&Bin, usize) -> f64) -> f64 {
    let rows = played.bins.rows.iter().enumerate();
    let values: Vec<f64> = rows
        .filter(|(_, bin)| bin.moves > 0)
        .map(|(row, bin)| value(bin, row))
        .collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Table 5, ours beside his.
pub(super) fn popular_setups(popular: &Popular) -> Table {
    let mut table = Table::new(
        "Table 5: the ten most popular setups of Gold",
        &[
            "rank",
            "McKee 2014",
            "games",
            "share",
            "Hathi",
            "games",
            "share",
        ],
        0,
    );
    for (i, his) in thesis::SETUPS.iter().enumerate() {
        let ours = popular.top.get(i);
        let [setup, games, share] = ours.map_or_else(
            || [NOTHING, NOTHING, NOTHING].map(str::to_owned),
            |row| {
                let share = format!("{:.2} %", 100.0 * row.share);
                [short(&row.setup), count(row.games), share]
            },
        );
        table.row([
            (i + 1).to_string(),
            short(his.setup),
            count(his.games),
            format!("{:.2} %", his.percent),
            setup,
            games,
            share,
        ]);
    }
    table
}

/// A setup as its two rows, the second above the first: `RHDMEDHR/RRRCCRRR`.
fn short(setup: &str) -> String {
    let Ok(setup) = setup.parse::<hathi_rules::Setup>() else {
        return setup.to_owned();
    };
    let mut placed: Vec<_> = setup.placements().collect();
    placed.sort_by_key(|(square, _)| square.index());
    let row = |squares: &[_]| -> String {
        let squares: &[(hathi_rules::Square, hathi_rules::Piece)] = squares;
        squares.iter().map(|(_, piece)| piece.to_string()).collect()
    };
    let (first, second) = placed.split_at(placed.len() / 2);
    format!("`{}` `{}`", row(second), row(first))
}

/// Where his setups stand with us.
pub(super) fn his_setups(popular: &Popular) -> Table {
    let mut table = Table::new(
        "His setups in our memory; the same arrangement in two orders is one row",
        &[
            "setup",
            "McKee 2014, games",
            "share",
            "Hathi, games",
            "share",
            "rank",
        ],
        1,
    );
    for known in &popular.his {
        table.row([
            short(&known.setup),
            count(known.his_games),
            format!(
                "{:.2} %",
                100.0 * known.his_games as f64 / thesis::GAMES as f64
            ),
            count(known.games),
            format!("{:.2} %", 100.0 * known.share),
            known
                .rank
                .map_or(NOTHING.to_owned(), |rank| rank.to_string()),
        ]);
    }
    table
}

/// Tables 6 and 8 to 11 in one.
pub(super) fn queries(eighths: &[Eighth]) -> Table {
    let mut headings = vec![
        "McKee 2014, positions".to_owned(),
        "Hathi, positions".to_owned(),
    ];
    let numbers = [6, 8, 9, 10, 11];
    for (number, measured) in numbers.iter().zip(waited::TABLES) {
        headings.push(format!("{number}: {}, McKee", measured.name));
        headings.push("Hathi".to_owned());
    }
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let caption = "Tables 6 and 8 to 11: time of a question by the number of positions";
    let mut table = Table::new(caption, &headings, 0);
    for (i, (eighth, his_size)) in eighths.iter().zip(waited::POSITIONS).enumerate() {
        let mut cells = vec![count(his_size), count(eighth.positions)];
        for (measured, ours) in waited::TABLES.iter().zip(eighth.seconds) {
            let his = measured.seconds[i];
            cells.push(his.map_or("< 1 s".to_owned(), |seconds| format!("{seconds} s")));
            cells.push(time_text(ours));
        }
        table.row(cells);
    }
    table
}

/// His table 12 with what follows from his own columns.
pub(super) fn his_hits() -> Table {
    let mut table = Table::new(
        "Table 12, McKee 2014, with his formula and the union from his own columns",
        &[
            "moves",
            "full",
            "half",
            "area",
            "by piece",
            "overall, as printed",
            "exactly one (his formula)",
            "only the last",
            "any, if independent",
        ],
        1,
    );
    for (name, row) in NAMES.iter().zip(&thesis::HITS) {
        let rates = row.rates();
        let levels = row.levels.iter().map(|level| format!("{level} %"));
        let formulas = [rates.exactly_one(), rates.only_last(), rates.union()];
        let cells = [format!("{} %", row.overall)];
        table.row(
            [(*name).to_owned()]
                .into_iter()
                .chain(levels)
                .chain(cells)
                .chain(formulas.map(percent)),
        );
    }
    table
}

/// The same from our games.
pub(super) fn our_hits(played: &Match) -> Table {
    let caption = format!(
        "Table 12, Hathi: `{}` against `{}`",
        played.player, played.opponent
    );
    let mut table = Table::new(
        &caption,
        &[
            "moves",
            "asked",
            "full",
            "half",
            "area",
            "by piece",
            "as he printed it",
            "exactly one (his formula)",
            "any, if independent",
            "any, measured",
            "played from memory",
        ],
        1,
    );
    for (row, (name, bin)) in NAMES.iter().zip(&played.bins.rows).enumerate() {
        table.row(hit_row(name, bin, Some(row)));
    }
    table.row(hit_row("all", &played.bins.all, None));
    table
}

/// "results > 0" beside what can be played, over all moves.
pub(super) fn found(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Results and playable ones, of all moves",
        &["", "full", "half", "area", "by piece", "any"],
        1,
    );
    for played in &summary.matches {
        let all = &played.bins.all;
        for (what, levels, any) in [
            ("results > 0", all.found, all.any_found),
            ("playable", all.hits, all.any),
        ] {
            let cells = levels.into_iter().chain([any]);
            let cells = cells.map(|part| percent(all.share(part)));
            table.row(
                [format!("`{}`, {what}", played.player)]
                    .into_iter()
                    .chain(cells),
            );
        }
    }
    table
}

/// What he printed depends on the row; there is none for all moves together.
fn hit_row(name: &str, bin: &Bin, row: Option<usize>) -> Vec<String> {
    let mut cells = vec![name.to_owned(), count(bin.moves)];
    if bin.moves == 0 {
        cells.resize(11, NOTHING.to_owned());
        return cells;
    }
    let rates = bin.rates();
    cells.extend(rates.0.map(percent));
    cells.push(row.map_or(NOTHING.to_owned(), |row| percent(rates.as_printed(row))));
    cells.extend([rates.exactly_one(), rates.union()].map(percent));
    cells.extend([bin.any, bin.played].map(|part| percent(bin.share(part))));
    cells
}

/// Where turns came from.
pub(super) fn levels(summary: &Summary) -> Table {
    let mut headings = vec!["turns from".to_owned()];
    headings.extend(summary.matches.iter().map(|m| m.player.clone()));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new("Where the turns came from", &headings, 1);
    let names = hathi_engine::Level::ALL.map(hathi_engine::Level::name);
    for name in names.into_iter().chain(["unknown"]) {
        let counts: Vec<u64> = summary
            .matches
            .iter()
            .map(|played| played.levels.get(name).copied().unwrap_or(0))
            .collect();
        if counts.iter().all(|&count| count == 0) {
            continue;
        }
        let cells = summary.matches.iter().zip(counts).map(|(played, part)| {
            format!("{} ({})", count(part), percent(played.bins.all.share(part)))
        });
        table.row([name.to_owned()].into_iter().chain(cells));
    }
    table
}

/// The matches.
pub(super) fn wins(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Win rate",
        &[
            "",
            "against",
            "games",
            "different",
            "won",
            "win rate",
            "opponent's depth, steps",
            "moves, median",
            "to move 46",
            "how games ended",
        ],
        2,
    );
    let his = [
        "McKee 2014",
        "his fallback",
        "1,000",
        NOTHING,
        NOTHING,
        "about 65 %",
        NOTHING,
        NOTHING,
        "fewer than half",
        NOTHING,
    ];
    table.row(his.map(str::to_owned));
    for played in summary.matches.iter().chain([&summary.against_random]) {
        let endings: Vec<String> = played
            .endings
            .iter()
            .map(|(&letter, &games)| {
                let why = Termination::from_char(letter).map_or("?", Termination::phrase);
                format!("{} {why}", count(games))
            })
            .collect();
        table.row([
            played.player.clone(),
            played.opponent.clone(),
            count(played.games),
            count(played.distinct),
            count(played.wins),
            with_interval(played.games, played.rate),
            format!("{}", played.opponent_depth.median),
            format!("{}", played.lengths.median),
            percent(played.lengths.to_46),
            endings.join(", "),
        ]);
    }
    table
}

/// How long turns took.
pub(super) fn times(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Time of a turn",
        &["", "turns", "median", "99 % within", "slowest"],
        1,
    );
    table.row(["McKee 2014", NOTHING, NOTHING, NOTHING, "below 30 s"].map(str::to_owned));
    let mut line = |name: String, times: &Times| {
        let of = |ms: f64| time_text(ms / 1000.0);
        table.row([
            name,
            grouped(times.turns),
            of(times.median),
            of(times.p99),
            of(times.most),
        ]);
    };
    for played in &summary.matches {
        line(played.player.clone(), &played.time);
        line(
            format!("{} against it", played.opponent),
            &played.opponent_time,
        );
    }
    table
}

/// The matches with other memories, and the one with all of it.
pub(super) fn memories(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Win rate by memory",
        &[
            "memory",
            "bot",
            "games in memory",
            "positions",
            "average rating",
            "games played",
            "win rate",
            "any level, measured",
        ],
        2,
    );
    let line = |what: &str, contents: [String; 3], played: &Match| {
        let all = &played.bins.all;
        let [games, positions, rating] = contents;
        [
            what.to_owned(),
            format!("`{}`", played.player),
            games,
            positions,
            rating,
            count(played.games),
            with_interval(played.games, played.rate),
            percent(all.share(all.any)),
        ]
    };
    for memory in &summary.memories {
        let contents = &memory.contents;
        let rating = contents
            .rating
            .map_or(NOTHING.to_owned(), |r| format!("{r:.0}"));
        let contents = [count(contents.games), count(contents.positions), rating];
        table.row(line(&memory.what, contents, &memory.result));
    }
    let experiment = &summary.experiment;
    for played in &summary.matches {
        let contents = [
            count(experiment.store_games),
            count(experiment.store_positions),
            NOTHING.to_owned(),
        ];
        table.row(line("all games", contents, played));
    }
    table
}
