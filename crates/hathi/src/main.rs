//! scratch
use hathi_rules::*;
fn main() {
    let mut games = vec![];
    for f in std::env::args().skip(1) {
    let bytes = std::fs::read(f).unwrap();
    let mut lines = bytes.split(|&c| c == b'\n');
    let head: Vec<Vec<u8>> = lines.next().unwrap().split(|&c| c == b'\t').map(|c| c.to_vec()).collect();
    let col = |n: &str| head.iter().position(|h| h == n.as_bytes()).unwrap();
    let (m, id, r, t, ts) = (col("movelist"), col("id"), col("result"), col("termination"), col("startts"));
    for l in lines { if l.is_empty() { continue; } let c: Vec<&[u8]> = l.split(|&c| c == b'\t').collect();
        let s = |i: usize| String::from_utf8_lossy(c[i]).to_string();
        games.push((s(id), s(r), s(t), RuleSet::at_unix_time(s(ts).parse().unwrap()), c[m].to_vec())); }
    }
    let mut replay = Replay::new(RuleSet::Modern);
    let (mut bad, mut plies) = (0, 0);
    for (id, r, t, rules, m) in &games {
        if let Err(e) = replay.read(m, *rules) { println!("{id} {e}"); bad += 1; }
        plies += replay.game.turns().len();
        let o = replay.outcome();
        let want = Side::from_char(r.chars().next().unwrap_or(' '));
        let term = Termination::from_char(t.chars().next().unwrap_or(' '));
        if let Some(o) = o { if o.winner != want || Some(o.termination) != term { println!("{id} computed {o} recorded {r} {t}"); } }
        else if term.is_some_and(|t| t.is_on_board()) { println!("{id} computed none, recorded {r} {t} after {}", replay.game.ply_label()); }
    }
    println!("{} games {bad} bad {plies} plies", games.len());
    for _ in 0..3 {
    let t = std::time::Instant::now();
    let n = 30;
    for _ in 0..n { for (_, _, _, rules, m) in &games { let _ = replay.read(m, *rules); std::hint::black_box(&replay); } }
    let s = t.elapsed().as_secs_f64();
    println!("{:.0} games/s {:.2} M turns/s", (games.len() * n) as f64 / s, (plies * n) as f64 / s / 1e6);
    }
}
