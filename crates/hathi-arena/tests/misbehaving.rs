//! Engines that do everything wrong, one after the other. None of them may
//! hang, crash or outlive a tournament.
#![cfg(unix)]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use hathi_arena::{
    Controller, ControllerError, Event, Patience, PlayerKind, PlayerSpec, Standings, Thinking,
    Tournament,
};
use hathi_engine::Stop;

/// An engine in shell: what it does at `go`, and at other moments.
fn engine(on_go: &str) -> String {
    script(&format!(
        r#"while read -r line; do case "$line" in
            aei) echo "protocol-version 1"; echo "id name mock"; echo aeiok;;
            isready) echo readyok;;
            go*) {on_go};;
            quit) exit 0;;
        esac; done"#
    ))
}

fn script(text: &str) -> String {
    shlex_quote(&["sh", "-c", text])
}

fn shlex_quote(words: &[&str]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
        .collect();
    quoted.join(" ")
}

fn program(command: &str) -> PlayerSpec {
    PlayerSpec {
        name: "mock".to_owned(),
        kind: PlayerKind::Program(command.to_owned()),
    }
}

/// A pair of games against an engine that plays at once.
fn against(command: &str) -> Standings {
    let mut tournament = Tournament::new(vec![program(command), "step".parse().expect("known")]);
    tournament.games = 2;
    tournament.thinking = Thinking {
        time: Some(Duration::from_millis(200)),
        margin: Duration::from_millis(100),
        ..Thinking::default()
    };
    let started = Instant::now();
    let standings = tournament
        .run(None, &Stop::default(), &|_| {})
        .expect("a tournament");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(standings.games, 2);
    assert_eq!(standings.players[0].losses, 2, "{standings:?}");
    standings
}

fn faults(standings: &Standings) -> [u64; 3] {
    let mock = &standings.players[0];
    [mock.crashes, mock.illegal, mock.timeouts]
}

#[test]
fn one_that_crashes_in_its_turn_forfeits() {
    let standings = against(&engine("echo out of cheese >&2; exit 3"));
    assert_eq!(faults(&standings), [2, 0, 0]);
    assert_eq!(standings.terminations[&'f'], 2);
    let fault = standings.players[0]
        .last_fault
        .as_deref()
        .expect("a reason");
    assert!(fault.contains("exit status: 3"), "{fault}");
    assert!(fault.contains("out of cheese"), "{fault}");
}

#[test]
fn one_that_reports_an_error_is_quoted() {
    let standings = against(&engine("echo log Error: no licence; exit 1"));
    assert_eq!(faults(&standings), [2, 0, 0]);
    let fault = standings.players[0]
        .last_fault
        .as_deref()
        .expect("a reason");
    assert!(fault.contains("no licence"), "{fault}");
}

#[test]
fn illegal_moves_lose() {
    for answer in ["Ra1s", "Ra1n Ra2n Ra3n Ra4n Ra5n", "@@@@", "", "ra7s"] {
        let standings = against(&engine(&format!("echo bestmove '{answer}'")));
        assert_eq!(faults(&standings), [0, 2, 0], "{answer}");
        assert_eq!(standings.terminations[&'i'], 2);
    }
}

#[test]
fn silence_loses_on_time() {
    assert_eq!(faults(&against(&engine(":"))), [0, 0, 2]);
}

#[test]
fn a_late_move_loses_on_time() {
    let standings = against(&engine("sleep 0.4; echo bestmove Ra1n"));
    assert_eq!(faults(&standings), [0, 0, 2]);
    assert_eq!(standings.terminations[&'t'], 2);
}

#[test]
fn a_flood_does_not_drown_us() {
    let flood = engine("while :; do echo info depth 1; done");
    assert_eq!(faults(&against(&flood)), [0, 0, 2]);
    let flood = engine(r"while :; do printf 'aaaaaaaa\377\000'; done");
    assert_eq!(faults(&against(&flood)), [0, 0, 2]);
}

#[test]
fn resigning_is_allowed() {
    let standings = against(&engine("echo bestmove resign"));
    assert_eq!(faults(&standings), [0, 0, 0]);
    assert_eq!(standings.terminations[&'r'], 2);
}

#[test]
fn nonsense_beside_the_protocol_is_passed_over() {
    let standings = against(&engine(
        r"echo hello; printf '\377\376\n'; echo >&2 noise; echo; echo bestmove resign",
    ));
    assert_eq!(standings.terminations[&'r'], 2);
}

#[test]
fn one_that_is_not_there_is_not_played_against() {
    for (command, why) in [("/nowhere/engine", "cannot be started"), ("true", "ended")] {
        let players = vec![program(command), "step".parse().expect("known")];
        let games = Mutex::new(0);
        let error = Tournament::new(players)
            .run(None, &Stop::default(), &|_| {
                *games.lock().expect("one thread") += 1;
            })
            .expect_err("no match without an opponent");
        let error = error.to_string();
        assert!(
            error.contains("mock cannot play") && error.contains(why),
            "{error}"
        );
        assert_eq!(
            games.into_inner().expect("one thread"),
            0,
            "a game was begun"
        );
    }
}

/// One that starts well and is gone later loses the games, not us the match.
#[test]
fn one_that_vanishes_between_games_forfeits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("started");
    let mock = script(&format!(
        "test -e {0} && exit 1; touch {0}; read -r l; echo aeiok; read -r l; echo readyok; read -r l",
        file.display()
    ));
    assert_eq!(faults(&against(&mock)), [2, 0, 0]);
}

const IMPATIENT: Patience = Patience {
    start: Duration::from_millis(300),
    ready: Duration::from_millis(300),
    quit: Duration::from_millis(100),
};

fn start(command: &str) -> Result<Controller, ControllerError> {
    Controller::start(command, IMPATIENT, &Stop::default())
}

#[test]
fn one_that_never_introduces_itself_is_given_up() {
    for command in ["cat", "sleep 100", &script("while :; do echo aei; done")] {
        let error = start(command).expect_err("no engine");
        assert!(
            matches!(
                error,
                ControllerError::Silent {
                    expected: "aeiok",
                    ..
                }
            ),
            "{command}: {error}"
        );
    }
    let never_ready = script("read -r line; echo aeiok; sleep 100");
    assert!(matches!(
        start(&never_ready),
        Err(ControllerError::Silent {
            expected: "readyok",
            ..
        })
    ));
    assert!(matches!(start("'"), Err(ControllerError::BadCommand(_))));
    assert!(matches!(start(" "), Err(ControllerError::BadCommand(_))));
    assert!(matches!(start("true"), Err(ControllerError::Died { .. })));
}

/// One that ignores `quit` and has a child of its own: both must be gone.
#[test]
fn nobody_is_left_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let stubborn = script(&format!(
        "trap '' TERM; sleep 1000 & echo $! > {}; read -r l; echo aeiok; read -r l; echo readyok; \
         while :; do sleep 1000; done",
        file.display()
    ));
    let engine = start(&stubborn).expect("it starts");
    let pid = std::fs::read_to_string(&file).expect("a number");
    let process = format!("/proc/{}", pid.trim());
    assert!(std::path::Path::new(&process).exists());
    drop(engine);
    // Whoever adopts it may take a moment to bury it.
    let gone = || {
        let stat = std::fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    let started = Instant::now();
    while !gone() && started.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(gone());
}

/// A child that has left the process group, and the session, too.
#[test]
fn nobody_escapes_into_another_group() {
    if !std::path::Path::new("/proc/self/environ").exists() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let slippery = script(&format!(
        "setsid sh -c 'echo $$ > {0}; exec sleep 1000' </dev/null >/dev/null 2>&1 & \
         while ! test -s {0}; do sleep 0.01; done; \
         read -r l; echo aeiok; read -r l; echo readyok; read -r l",
        file.display()
    ));
    let engine = start(&slippery).expect("it starts");
    let pid = std::fs::read_to_string(&file).expect("a number");
    let process = format!("/proc/{}", pid.trim());
    assert!(std::path::Path::new(&process).exists());
    drop(engine);
    let gone = || {
        let stat = std::fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    let started = Instant::now();
    while !gone() && started.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(gone(), "it outlives the match");
}

#[test]
fn a_stop_ends_a_tournament_with_a_silent_engine() {
    let mut tournament =
        Tournament::new(vec![program(&engine(":")), "step".parse().expect("known")]);
    tournament.games = 10;
    let stop = Stop::default();
    let began = Mutex::new(None);
    let standings = tournament
        .run(None, &stop, &|event| {
            if let Event::Started { .. } = event {
                *began.lock().expect("one thread") = Some(Instant::now());
                let stop = stop.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(200));
                    stop.now();
                });
            }
        })
        .expect("a tournament");
    assert_eq!(standings.games, 0);
    let began = began.into_inner().expect("one thread").expect("it began");
    assert!(began.elapsed() < Duration::from_secs(5));
}
