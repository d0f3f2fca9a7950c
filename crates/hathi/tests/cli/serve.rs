//! The page's server, as a user starts and ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use snapbox::cmd::cargo_bin;

use crate::common::{folder, inside, refused};

/// A server, and where it says it is.
pub(crate) fn serve(args: &[&str], data: &str) -> (Child, String) {
    let mut child = Process::new(cargo_bin!("hathi"))
        .args(args)
        .env("XDG_DATA_HOME", data)
        .env_remove("HATHI_STORE")
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the binary runs");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    out.read_line(&mut line).expect("a line");
    let address = line
        .trim_end()
        .strip_prefix("Hathi is at http://")
        .and_then(|rest| rest.strip_suffix('/'))
        .unwrap_or_else(|| panic!("no address in {line:?}"));
    let address = address.to_owned();
    // Keep reading, or it could not write.
    std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
    (child, address)
}

pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[cfg(unix)]
pub(crate) fn end(mut child: Child, signal: &str) {
    let kill = Process::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            assert_eq!(status.code(), Some(0), "{signal}");
            return;
        }
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{signal} is not heard"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn it_says_where_it_is_and_ends_in_peace() {
    let folder = folder("serve");
    let data = inside(&folder, "data");
    // Without a command, too; the store is made, with something to see in it.
    for (args, signal) in [(&[][..], "-TERM"), (&["serve", "--port", "0"][..], "-INT")] {
        let (child, address) = serve(args, &data);
        let page = get(&address, "/");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        let status = get(&address, "/api/v1/status");
        assert!(status.contains("\"ready\":true"), "{status}");
        assert!(!status.contains("\"games\":0"), "{status}");
        end(child, signal);
    }
    let empty = inside(&folder, "empty.db");
    let args = ["serve", "--port", "0", "--no-samples", "--store", &empty];
    let (child, address) = serve(&args, &data);
    assert!(get(&address, "/api/v1/status").contains("\"games\":0"));
    end(child, "-TERM");
}

#[test]
fn a_port_in_use_is_explained() {
    let folder = folder("serve-port");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let store = inside(&folder, "games.db");
    refused(&["serve", "--port", &port, "--store", &store], &["--port"]);
}

#[test]
fn others_are_let_in_only_if_it_is_said() {
    let folder = folder("serve-public");
    let store = inside(&folder, "games.db");
    for host in ["0.0.0.0", "::"] {
        refused(
            &["serve", "--port", "0", "--host", host, "--store", &store],
            &["--public"],
        );
    }
    refused(&["serve", "--proxy", "--store", &store], &["--public"]);
    let weak = crate::common::file("serve-weak-password", "secret");
    refused(
        &[
            "serve",
            "--port",
            "0",
            "--public",
            "--password-file",
            &weak,
            "--store",
            &store,
        ],
        &["at least 16 characters"],
    );
}

#[cfg(unix)]
#[test]
fn a_public_server_has_a_password_of_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("serve-password");
    let (data, store) = (inside(&folder, "data"), inside(&folder, "games.db"));
    let args = [
        "serve",
        "--port",
        "0",
        "--public",
        "--no-samples",
        "--store",
        &store,
    ];
    let file = folder.join("games.db.web/password");
    let mut passwords = Vec::new();
    for _ in 0..2 {
        let (child, address) = serve(&args, &data);
        let status = get(&address, "/api/v1/status");
        assert!(!status.contains("games.db"), "{status}");
        end(child, "-TERM");
        passwords.push(std::fs::read_to_string(&file).expect("a password"));
    }
    assert_eq!(passwords[0], passwords[1]);
    assert_eq!(passwords[0].trim().len(), 32);
    let mode = std::fs::metadata(&file)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Our own program as somebody else's engine.
#[cfg(unix)]
#[test]
fn other_engines_of_this_machine_are_named_on_the_command_line() {
    let folder = folder("serve-analysis");
    let data = inside(&folder, "data");
    let store = inside(&folder, "games.db");
    let own = format!(
        "own engine='{}' aei --engine hathi:depth=6,hash=8",
        cargo_bin!("hathi").display()
    );
    let args = ["serve", "--port", "0", "--no-samples", "--store", &store];
    let args = args.map(str::to_owned);
    let with = |engines: &[&str]| {
        let engines = engines.iter().flat_map(|&text| ["--analysis-engine", text]);
        let engines = engines.map(str::to_owned);
        args.iter().cloned().chain(engines).collect::<Vec<_>>()
    };
    let own = with(&[&own]);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let (child, address) = serve(&own, &data);
    let status = get(&address, "/api/v1/status");
    assert!(
        status.contains(r#""analysis_engines":["own engine"]"#),
        "{status}"
    );
    let position = "g%20[rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let path = format!("/api/v1/analyse-by?name=own%20engine&position={position}&lines=2");
    let path = path.replace('[', "%5B").replace(']', "%5D");
    let events = get(&address, &path);
    assert!(
        events.contains("event: said") && events.contains("event: done"),
        "{events}"
    );
    let done = events.rsplit("event: done").next().expect("an end");
    assert!(done.contains(r#""name":"Hathi hathi""#), "{done}");
    assert!(done.contains(r#""depth":"6""#), "{done}");
    assert_eq!(done.matches(r#""turn":"#).count(), 2, "two lines: {done}");
    end(child, "-TERM");

    for (engines, more, words) in [
        (&["nameless"][..], None, "NAME=COMMAND"),
        (&["=x"], None, "NAME=COMMAND"),
        (&["a=x", "a=y"], None, "two engines are called a"),
        (&["a=x"], Some("--public"), "--public"),
    ] {
        let args = with(engines);
        let args: Vec<&str> = args.iter().map(String::as_str).chain(more).collect();
        refused(&args, &[words]);
    }
}
