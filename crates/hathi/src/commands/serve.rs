//! `hathi serve`, and `hathi` without a command: the page.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use hathi_store::Place;
use hathi_web::{Access, AnalysisEngine, Config, Limits, Password, ServeError, Server};

use crate::Answer;
use crate::args::store::{self, StoreArgs};
use crate::failure::BadInput;
#[cfg(feature = "lab")]
use crate::laboratory::Papers;
use crate::terminal::output;

/// The first port that is tried, and how many after it if none is asked for.
const PORT: u16 = 8765;
const PORTS: u16 = 10;

/// Open Hathi in the browser: learn, explore, play, review, search, puzzles, watch
///
/// Serves the page and its API on this machine, until Ctrl-C. Everything is in the program: no
/// network is used. A store that is not there yet is made and gets some hundred games between
/// Hathi's own engines, so that there is something to look at; `hathi import` adds real ones.
///
/// Only this machine can reach it. --public opens it to others: everybody may read and let engines
/// think a little, and who has the password for writing may play and start tournaments. Without
/// TLS anybody on the way can read the password, so put a proxy before it (docs/public.md).
/// Addressed by name, it answers to localhost and to every --name.
///
/// Running games and tournaments are kept beside the store, in a folder of its name with .web at
/// the end, and go on after a restart.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The port; 0 for any that is free [default: 8765, or the next one free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// The address to listen on; any but this machine's own needs --public
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// Open to others: a password for writing, less for each address, no paths in answers
    #[arg(long)]
    public: bool,

    /// The file with the password for writing [default: password in the .web folder, made if need be]
    #[arg(long, value_name = "FILE", requires = "public")]
    password_file: Option<PathBuf>,

    /// Requests come through a proxy, which says for whom in X-Forwarded-For
    #[arg(long, requires = "public")]
    proxy: bool,

    /// A name under which the server may be addressed, besides localhost
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,

    /// A folder with reports of `hathi paper`, for the page's Lab
    ///
    /// Looked at by default: lab in the .web folder of the store, and paper-* where you are.
    #[arg(long, value_name = "FOLDER")]
    lab: Vec<PathBuf>,

    /// An AEI engine of this machine that can look at positions on the page, beside Hathi
    ///
    /// It is started when somebody chooses it in the engine's settings. Only for who uses this
    /// machine: not with --public or --name.
    #[arg(long, value_name = "NAME=COMMAND", conflicts_with_all = ["public", "name"])]
    analysis_engine: Vec<AnalysisEngine>,

    /// Do not put sample games into a new store
    #[arg(long)]
    no_samples: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi serve
  hathi serve --port 8080 --store games.db
  hathi serve --analysis-engine 'sharp=sharp2015 aei'
  hathi serve --public --proxy --name hathi.example.org
  hathi serve --public --host 0.0.0.0 --name hathi.local";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if !args.public && !args.host.is_loopback() {
        return Err(BadInput::error(format!(
            "--host {} opens Hathi to others: say --public, too, which asks for a password for \
             writing",
            args.host
        )));
    }
    let place = args.store.prepared_place()?;
    if place.file().is_some_and(std::path::Path::exists) {
        // An index that has to be built takes a while with many games: with a
        // bar, before anybody is told to look.
        drop(args.store.open()?);
    }
    let data = data_folder(&place)?;
    let mut config = Config::local(0, place.clone(), data.clone());
    let mut password_file = None;
    if args.public {
        let file = args.password_file.clone();
        let (password, file) = password(file, &data)?;
        config.access = Access::Public(password);
        config.limits = Limits::public();
        config.behind_proxy = args.proxy;
        password_file = Some(file);
    }
    config.names.clone_from(&args.name);
    config.samples = !args.no_samples;
    config.analysis_engines = analysis_engines(&args.analysis_engine)?;
    #[cfg(feature = "lab")]
    {
        config.laboratory = Some(std::sync::Arc::new(Papers));
    }
    if args.lab.is_empty() {
        config.lab.push(PathBuf::from("."));
    } else {
        config.lab.clone_from(&args.lab);
    }
    let host = args.host;
    let server = bind(&config, host, args.port)?;
    let mut out = output::plain();
    writeln!(out, "Hathi is at {}", url(server.address()))?;
    writeln!(
        out,
        "with the games of {place}. Ctrl-C ends it; `hathi help` lists the other commands."
    )?;
    if let Some(file) = password_file {
        writeln!(
            out,
            "Others may read. The password for writing is in {}.",
            file.display()
        )?;
    }
    out.flush()?;
    drop(out);
    server.run();
    Ok(Answer::Yes)
}

/// Each has a name of its own.
fn analysis_engines(given: &[AnalysisEngine]) -> anyhow::Result<Vec<AnalysisEngine>> {
    for (index, engine) in given.iter().enumerate() {
        if given[..index].iter().any(|other| other.name == engine.name) {
            return Err(BadInput::error(format!(
                "two engines are called {}",
                engine.name
            )));
        }
    }
    Ok(given.to_vec())
}

/// The password of a file, which is made if it is our own and not there.
fn password(file: Option<PathBuf>, data: &Path) -> anyhow::Result<(Password, PathBuf)> {
    let made = file.is_none();
    let file = file.unwrap_or_else(|| data.join("password"));
    let bad = |why: &dyn std::fmt::Display| BadInput::error(format!("{}: {why}", file.display()));
    match fs::read_to_string(&file) {
        Ok(text) => {
            let password = Password::new(&text).map_err(|error| bad(&error))?;
            Ok((password, file))
        }
        Err(error) if made && error.kind() == io::ErrorKind::NotFound => {
            let password = Password::random().map_err(|error| bad(&error))?;
            fs::create_dir_all(data).map_err(|error| bad(&error))?;
            let mut options = fs::File::options();
            options.write(true).create_new(true);
            // For nobody else on this machine.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let written = options
                .open(&file)
                .and_then(|mut file| writeln!(file, "{}", password.reveal()));
            written.map_err(|error| bad(&error))?;
            Ok((password, file))
        }
        Err(error) => Err(bad(&error)),
    }
}

/// The port asked for, or the first that is free.
fn bind(config: &Config, host: IpAddr, port: Option<u16>) -> anyhow::Result<Server> {
    let ports = match port {
        Some(port) => port..=port,
        None => PORT..=PORT + PORTS - 1,
    };
    let last = *ports.end();
    for port in ports {
        let config = Config {
            address: SocketAddr::new(host, port),
            ..config.clone()
        };
        match Server::bind(config) {
            Err(ServeError::Listen { error, .. })
                if error.kind() == std::io::ErrorKind::AddrInUse && port < last => {}
            Err(error @ ServeError::Listen { .. }) => {
                return Err(BadInput::error(error.to_string()));
            }
            Err(ServeError::Store(error)) => return Err(store::explain(error)),
            server => return Ok(server?),
        }
    }
    anyhow::bail!("no port is free from {PORT} on: give one with --port")
}

/// As a browser wants it.
fn url(address: SocketAddr) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    format!("http://{host}:{}/", address.port())
}

/// Beside the store's file, or in the user's data directory.
fn data_folder(place: &Place) -> anyhow::Result<PathBuf> {
    let with_end = |file: &Path| {
        let mut name = file.as_os_str().to_owned();
        name.push(".web");
        PathBuf::from(name)
    };
    if let Some(file) = place.file() {
        return Ok(with_end(file));
    }
    let usual = Place::usual();
    let file = usual.as_ref().and_then(Place::file);
    file.map(|file| with_end(&file.with_file_name("server")))
        .ok_or_else(|| BadInput::error("there is no data directory: set HOME or XDG_DATA_HOME"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_as_a_browser_wants_them() {
        let url = |text: &str| url(text.parse().expect("an address"));
        assert_eq!(url("127.0.0.1:80"), "http://127.0.0.1:80/");
        assert_eq!(url("[::1]:8080"), "http://[::1]:8080/");
        assert_eq!(url("0.0.0.0:1"), "http://localhost:1/");
    }
}
