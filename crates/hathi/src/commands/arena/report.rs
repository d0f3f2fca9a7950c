//! What a tournament has shown, for the eye and for programs.

use std::io::{self, Write};
use std::time::Duration;

use hathi_arena::{Pairing, PlayerStats, SprtState, Standings};
use hathi_rules::Termination;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers;
use hathi_view::numbers::{counted, grouped, ratio, signed};
use serde::Serialize;

use crate::terminal::output::{self, printable};
use crate::terminal::standings::elo;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    standings: &'a Standings,
    seconds: f64,
}

pub(super) fn write(standings: &Standings, took: Duration, json: bool) -> io::Result<()> {
    if json {
        let mut out = output::plain();
        let seconds = numbers::rounded(took.as_secs_f64(), 3);
        output::json(&mut out, &Report { standings, seconds })?;
        return out.flush();
    }
    let mut out = output::styled();
    let games = counted(standings.games as usize, "game");
    write!(out, "{games}")?;
    if standings.games < standings.planned {
        write!(out, " of {}", grouped(standings.planned as usize))?;
    }
    writeln!(out, " in {:.1} s.", took.as_secs_f64())?;
    if let ([pairing], [first, second]) = (&standings.pairings[..], &standings.players[..]) {
        match_lines(&mut out, pairing, [&first.name, &second.name])?;
    } else if !standings.pairings.is_empty() {
        writeln!(out)?;
        table(standings).write(&mut out)?;
        writeln!(out)?;
        crosstable(standings, &mut out)?;
    }
    if let Some(sprt) = &standings.sprt {
        let verdict = match sprt.state {
            SprtState::Running => "not decided yet",
            SprtState::Accepted => "accepted",
            SprtState::Rejected => "rejected",
        };
        writeln!(
            out,
            "LLR: {:.2} ({:.2}, {:.2}) [{:.2}, {:.2}]: {verdict}",
            sprt.llr, sprt.low, sprt.high, sprt.test.elo0, sprt.test.elo1
        )?;
    }
    if standings.games > 0 {
        endings(standings, &mut out)?;
        writeln!(out)?;
        times(&standings.players).write(&mut out)?;
    }
    for player in &standings.players {
        if let Some(fault) = &player.last_fault {
            writeln!(out, "{}: {}", printable(&player.name), printable(fault))?;
        }
    }
    out.flush()
}

fn match_lines(out: &mut impl Write, pairing: &Pairing, names: [&str; 2]) -> io::Result<()> {
    let score = &pairing.score;
    writeln!(
        out,
        "{} against {}: {} - {} ({:.1} %)",
        printable(names[0]),
        printable(names[1]),
        score.wins(),
        score.losses(),
        100.0 * score.mean()
    )?;
    let [none, one, both] = score.pairs;
    writeln!(
        out,
        "Elo: {}, LOS: {:.1} %",
        elo(&pairing.elo),
        100.0 * pairing.los
    )?;
    writeln!(out, "Pairs lost, shared, won: {none}, {one}, {both}")
}

fn table(standings: &Standings) -> Columns {
    let mut table = Columns::new(&[
        ("", Align::Right),
        ("player", Align::Left),
        ("Elo", Align::Right),
        ("±", Align::Right),
        ("games", Align::Right),
        ("won", Align::Right),
        ("score", Align::Right),
    ]);
    let mut players: Vec<&PlayerStats> = standings.players.iter().collect();
    players.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    for (place, player) in players.into_iter().enumerate() {
        let games = player.wins + player.losses;
        table.row([
            format!("{}", place + 1),
            printable(&player.name).into_owned(),
            signed(player.elo.value),
            format!("{:.0}", player.elo.margin()),
            grouped(games as usize),
            grouped(player.wins as usize),
            format!("{:.1} %", 100.0 * ratio(player.wins, games)),
        ]);
    }
    table
}

/// A row a player: games won against each of the others.
fn crosstable(standings: &Standings, out: &mut impl Write) -> io::Result<()> {
    let width = 7;
    let name_width = standings
        .players
        .iter()
        .map(|player| player.name.chars().count())
        .max()
        .unwrap_or(0);
    write!(out, "  {:name_width$}", "")?;
    for number in 1..=standings.players.len() {
        write!(out, " {number:>width$}")?;
    }
    writeln!(out)?;
    for (place, player) in standings.players.iter().enumerate() {
        write!(out, "  {:name_width$}", printable(&player.name))?;
        for other in 0..standings.players.len() {
            let cell = standings.pairings.iter().find_map(|pairing| {
                let score = &pairing.score;
                if (pairing.first, pairing.second) == (place, other) {
                    Some(format!("{}-{}", score.wins(), score.losses()))
                } else if (pairing.second, pairing.first) == (place, other) {
                    Some(format!("{}-{}", score.losses(), score.wins()))
                } else {
                    None
                }
            });
            write!(out, " {:>width$}", cell.unwrap_or_else(|| "·".to_owned()))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn endings(standings: &Standings, out: &mut impl Write) -> io::Result<()> {
    let mut texts: Vec<String> = Vec::new();
    for termination in Termination::ALL {
        if let Some(count) = standings.terminations.get(&termination.to_char()) {
            texts.push(format!("{count} {}", termination.phrase()));
        }
    }
    let gold = 100.0 * ratio(standings.gold_wins, standings.games);
    writeln!(out, "Ends: {}. Gold won {gold:.0} %.", texts.join(", "))
}

fn times(players: &[PlayerStats]) -> Columns {
    let mut table = Columns::new(&[
        ("player", Align::Left),
        ("turns", Align::Right),
        ("median", Align::Right),
        ("99 %", Align::Right),
        ("slowest", Align::Right),
        ("crashes", Align::Right),
        ("illegal", Align::Right),
        ("late", Align::Right),
    ]);
    let time = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    for player in players {
        table.row([
            printable(&player.name).into_owned(),
            grouped(player.time.turns),
            time(player.time.median),
            time(player.time.p99),
            time(player.time.slowest),
            player.crashes.to_string(),
            player.illegal.to_string(),
            player.timeouts.to_string(),
        ]);
    }
    table
}
