//! Reaching the server, and saying what is wrong when that fails. No message
//! holds the password.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::{ChannelBinding, Host, SslMode};
use postgres::error::SqlState;
use postgres::{Client, Config, GenericClient, NoTls};

use super::conventions::{Options, Surroundings, split_url};
use super::tls::{TlsMode, TlsOptions};

/// What can go wrong with a server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The URL cannot be read.
    #[error(
        "this is no URL of a PostgreSQL database: {0}; it should look like \
         postgres://user:password@host:5432/database"
    )]
    BadUrl(String),
    /// The connection cannot be made safe, as it was asked to be.
    #[error("no safe connection to {server}: {reason}")]
    Tls {
        /// The server.
        server: ServerUrl,
        /// What is wrong, and with which file.
        reason: String,
    },
    /// Nobody answers there.
    #[error("cannot reach {server}: {reason}")]
    Unreachable {
        /// The server.
        server: ServerUrl,
        /// What the system says.
        reason: String,
    },
    /// Name or password are wrong, or may not do this.
    #[error("{server} does not let us in: {reason}")]
    Denied {
        /// The server.
        server: ServerUrl,
        /// What it says.
        reason: String,
    },
    /// There is no such database.
    #[error("{server}: {reason}; `createdb` makes one")]
    NoDatabase {
        /// The server.
        server: ServerUrl,
        /// What it says.
        reason: String,
    },
    /// The database is there but nothing was stored in it yet.
    #[error("there is no store in {0} yet; `hathi import` makes one")]
    Empty(ServerUrl),
    /// Somebody else's tables are there.
    #[error(
        "{0} holds tables of another program and was left as it is; give Hathi a database, or with \
         ?options=-csearch_path%3DNAME a schema, of its own"
    )]
    Foreign(ServerUrl),
    /// It was made by a newer version.
    #[error("{server} was made by a newer version of Hathi (schema {found}, known {known})")]
    Newer {
        /// The server.
        server: ServerUrl,
        /// Its schema.
        found: i64,
        /// The newest that we know.
        known: i64,
    },
    /// Its text is not Unicode.
    #[error("{server} keeps text as {encoding}; Hathi needs a database with encoding UTF8")]
    Encoding {
        /// The server.
        server: ServerUrl,
        /// Its encoding.
        encoding: String,
    },
    /// Another process is writing.
    #[error("another process is writing to {0}; try again when it has finished")]
    Busy(ServerUrl),
    /// Another process has written the same at the same time.
    #[error("another process has just written the same to {0}; try again")]
    Conflict(ServerUrl),
    /// The connection broke.
    #[error("the connection to {0} is lost; all that was stored before is safe")]
    Lost(ServerUrl),
    /// The server says no.
    #[error("{server}: {reason}")]
    Said {
        /// The server.
        server: ServerUrl,
        /// What it says.
        reason: String,
    },
}

/// The URL of a database. Printed without its password.
#[derive(Clone)]
pub struct ServerUrl(Box<Reach>);

/// How a database is reached.
#[derive(Clone)]
struct Reach {
    config: Config,
    tls: TlsOptions,
    /// As somebody wrote it, the password included: not for messages.
    written: String,
}

impl ServerUrl {
    /// As somebody wrote it, the password included: not for messages.
    pub(crate) fn written(&self) -> &str {
        &self.0.written
    }

    /// A connection with sane limits, and whether it leads to a cluster.
    pub(super) fn connect(&self) -> Result<(Client, Layout), ServerError> {
        let mut config = self.0.config.clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        config.keepalives_idle(Duration::from_secs(60));
        if config.get_application_name().is_none() {
            config.application_name("hathi");
        }
        let mut client = self.client(&mut config)?;
        let failed = |error: postgres::Error| self.error(&error);
        let layout = Layout::of(&mut client).map_err(failed)?;
        client.batch_execute(SESSION).map_err(failed)?;
        if layout == Layout::OneServer {
            client.batch_execute(ONE_SERVER_SESSION).map_err(failed)?;
        }
        Ok((client, layout))
    }

    /// A client, encrypted as was asked for. Nobody listens on a socket of the
    /// machine but its server; with an address beside it the socket is not used.
    fn client(&self, config: &mut Config) -> Result<Client, ServerError> {
        let failed = |error: postgres::Error| self.connect_error(&error);
        let plain = |config: &mut Config| config.ssl_mode(SslMode::Disable).connect(NoTls);
        #[cfg(unix)]
        let sockets = config.get_hostaddrs().is_empty()
            && (config.get_hosts().iter()).all(|host| matches!(host, Host::Unix(_)));
        #[cfg(not(unix))]
        let sockets = false;
        let mode = if sockets {
            TlsMode::Disable
        } else {
            self.0.tls.mode
        };
        let connector = || {
            let folder = surroundings().folder();
            let connector = self.0.tls.connector(folder.as_deref());
            connector.map_err(|reason| ServerError::Tls {
                server: self.clone(),
                reason,
            })
        };
        let safe = |config: &mut Config| {
            let connected = config.ssl_mode(SslMode::Require).connect(connector()?);
            connected.map_err(failed)
        };
        match mode {
            TlsMode::Disable => plain(config).map_err(failed),
            // The server may insist on what was not our first choice.
            TlsMode::Allow => match plain(config) {
                Err(error) if is_unwelcome(&error) => safe(config),
                connected => connected.map_err(failed),
            },
            // Whoever did not ask for encryption is not kept out by it, nor by a file
            // of ours that is no good.
            TlsMode::Prefer => match connector() {
                Err(error) => plain(config).map_err(|_| error),
                Ok(connector) => match config.ssl_mode(SslMode::Prefer).connect(connector) {
                    Err(error) if is_tls(&error) || is_unwelcome(&error) => {
                        plain(config).map_err(|_| failed(error))
                    }
                    connected => connected.map_err(failed),
                },
            },
            TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => safe(config),
        }
    }

    fn connect_error(&self, error: &postgres::Error) -> ServerError {
        let (server, reason) = (self.clone(), reason(error));
        match error.code() {
            None if is_tls(error) => ServerError::Tls { server, reason },
            None
            | Some(
                &SqlState::CANNOT_CONNECT_NOW
                | &SqlState::ADMIN_SHUTDOWN
                | &SqlState::TOO_MANY_CONNECTIONS,
            ) => ServerError::Unreachable { server, reason },
            Some(&SqlState::INVALID_CATALOG_NAME) => ServerError::NoDatabase { server, reason },
            Some(
                &SqlState::INVALID_PASSWORD
                | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION
                | &SqlState::INSUFFICIENT_PRIVILEGE,
            ) => ServerError::Denied { server, reason },
            Some(_) => ServerError::Said { server, reason },
        }
    }

    /// An error of a statement as one of ours.
    pub(super) fn error(&self, error: &postgres::Error) -> ServerError {
        let server = self.clone();
        let gone = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
        ];
        match error.code() {
            None if error.is_closed() || has_io_source(error) => ServerError::Lost(server),
            Some(code) if gone.contains(code) => ServerError::Lost(server),
            // Of a worker, where there are several.
            Some(code) if code.code().starts_with("08") => ServerError::Unreachable {
                server,
                reason: reason(error),
            },
            Some(&SqlState::LOCK_NOT_AVAILABLE) => ServerError::Busy(server),
            Some(
                &SqlState::UNIQUE_VIOLATION
                | &SqlState::T_R_DEADLOCK_DETECTED
                | &SqlState::T_R_SERIALIZATION_FAILURE,
            ) => ServerError::Conflict(server),
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => ServerError::Denied {
                server,
                reason: reason(error),
            },
            _ => ServerError::Said {
                server,
                reason: reason(error),
            },
        }
    }
}

/// Who keeps the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One PostgreSQL server.
    OneServer,
    /// A coordinator of Citus and its workers.
    Citus,
}

impl Layout {
    pub(super) fn of(client: &mut impl GenericClient) -> Result<Layout, postgres::Error> {
        let sql = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
        Ok(match client.query_opt(sql, &[])? {
            Some(_) => Layout::Citus,
            None => Layout::OneServer,
        })
    }
}

/// What went wrong in a transaction.
pub(super) enum Trouble {
    Server(postgres::Error),
    /// A COPY broke off.
    Copy(std::io::Error),
}

impl From<postgres::Error> for Trouble {
    fn from(error: postgres::Error) -> Trouble {
        Trouble::Server(error)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::Copy(error)
    }
}

impl Trouble {
    pub(super) fn of(self, server: &ServerUrl) -> ServerError {
        let error = match self {
            Trouble::Server(error) => return server.error(&error),
            Trouble::Copy(error) => error,
        };
        // The library wraps its own errors.
        match error.downcast::<postgres::Error>() {
            Ok(error) => server.error(&error),
            Err(_) => ServerError::Lost(server.clone()),
        }
    }
}

/// A generic plan is the right one for our statements, which all walk an
/// index, and saves planning. Citus has to see the values to choose the shard
/// and refuses.
const ONE_SERVER_SESSION: &str = "SET plan_cache_mode = force_generic_plan";

/// For every connection. An idle transaction of ours can only be one whose
/// process hangs; the server should notice when the process is gone instead of
/// working on for nobody. Statistics of some ten thousand hits are added up in
/// memory, not in files.
const SESSION: &str = "
    SET idle_in_transaction_session_timeout = '10min';
    SET jit = off;
    SELECT set_config(name, '32MB', false) FROM pg_settings
        WHERE name = 'work_mem' AND setting::bigint < 32768;
    SELECT set_config(name, '2s', false) FROM pg_settings
        WHERE name = 'client_connection_check_interval'";

/// The library has no question for this but its words.
fn is_tls(error: &postgres::Error) -> bool {
    error
        .to_string()
        .starts_with("error performing TLS handshake")
}

/// The server does not let us in this way, whatever the password: another way
/// may do. After a wrong password nothing more is tried.
fn is_unwelcome(error: &postgres::Error) -> bool {
    error.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION)
}

fn has_io_source(error: &postgres::Error) -> bool {
    matches!(std::error::Error::source(error), Some(source) if source.is::<std::io::Error>())
}

/// What the server or the system says: the library's own words are few.
fn reason(error: &postgres::Error) -> String {
    let words = if let Some(error) = error.as_db_error() {
        let mut words = error.message().to_owned();
        // Which worker it was, where there are several.
        let place = error.where_().and_then(|place| {
            place
                .lines()
                .find(|line| line.contains(" executing command on "))
        });
        for more in [error.detail(), place, error.hint()].into_iter().flatten() {
            words = format!("{words} ({more})");
        }
        words
    } else {
        match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        }
    };
    on_one_line(&words)
}

/// Messages that a server passes on have lines and tabs of their own.
fn on_one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl FromStr for ServerUrl {
    type Err = ServerError;

    fn from_str(text: &str) -> Result<ServerUrl, ServerError> {
        let bad = |reason: &str| ServerError::BadUrl(reason.to_owned());
        if !crate::place::is_url(text) {
            return Err(bad("it does not begin with postgres://"));
        }
        // With a second @ a part of the password would be taken for the host,
        // and printed.
        let rest = text.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?']).next().unwrap_or("");
        if authority.matches('@').count() > 1 || rest.matches('@').count() > 1 {
            return Err(bad("an @ or / in the password is written %40 or %2F"));
        }
        let (rest, mut options) = split_url(text);
        let mut config: Config = rest.parse().map_err(|error| {
            let source = std::error::Error::source(&error).map(ToString::to_string);
            ServerError::BadUrl(source.unwrap_or_else(|| "it cannot be read".to_owned()))
        })?;
        let around = surroundings();
        around.complete(&mut options).map_err(ServerError::BadUrl)?;
        fill_in(&mut config, &options).map_err(ServerError::BadUrl)?;
        if config.get_hosts().is_empty() {
            return Err(bad("it names no host (a socket is ?host=/run/postgresql)"));
        }
        if config.get_password().is_none()
            && let Some(password) = password(&config, &options, &around)
        {
            config.password(password);
        }
        let path = |name: &str| options.get(name).map(PathBuf::from);
        let tls = TlsOptions {
            mode: TlsMode::asked(
                options.get("sslmode").map(String::as_str),
                options.get("sslrootcert").map(String::as_str),
            )
            .map_err(ServerError::BadUrl)?,
            root: path("sslrootcert"),
            certificate: path("sslcert"),
            key: path("sslkey"),
        };
        Ok(ServerUrl(Box::new(Reach {
            config,
            tls,
            written: text.to_owned(),
        })))
    }
}

/// The environment.
fn surroundings() -> Surroundings<'static> {
    Surroundings {
        variable: &|name| std::env::var(name).ok(),
    }
}

/// What a service or a variable says and the URL does not.
fn fill_in(config: &mut Config, options: &Options) -> Result<(), String> {
    let option = |name: &str| options.get(name).map(String::as_str);
    if config.get_hosts().is_empty() {
        for host in option("host")
            .into_iter()
            .flat_map(|hosts| hosts.split(','))
        {
            config.host(host);
        }
    }
    if config.get_hostaddrs().is_empty() {
        for address in option("hostaddr")
            .into_iter()
            .flat_map(|addresses| addresses.split(','))
        {
            let number = address
                .parse()
                .map_err(|_| format!("`{address}` is no address"))?;
            config.hostaddr(number);
        }
    }
    if config.get_ports().is_empty() {
        for port in option("port")
            .into_iter()
            .flat_map(|ports| ports.split(','))
        {
            let number = port.parse().map_err(|_| format!("`{port}` is no port"))?;
            config.port(number);
        }
    }
    if let (None, Some(name)) = (config.get_dbname(), option("dbname")) {
        config.dbname(name);
    }
    if let (None, Some(name)) = (config.get_user(), option("user")) {
        config.user(name);
    }
    if let (None, Some(password)) = (config.get_password(), option("password")) {
        config.password(password);
    }
    if let Some(binding) = option("channel_binding") {
        config.channel_binding(match binding {
            "disable" => ChannelBinding::Disable,
            "prefer" => ChannelBinding::Prefer,
            "require" => ChannelBinding::Require,
            _ => return Err("channel_binding is one of disable, prefer, require".to_owned()),
        });
    }
    if let (None, Some(more)) = (config.get_options(), option("options")) {
        config.options(more);
    }
    Ok(())
}

/// From the password file. There can be but one for all hosts: none is told the
/// password of another.
fn password(config: &Config, options: &Options, around: &Surroundings<'_>) -> Option<String> {
    let user = config.get_user()?;
    let database = config.get_dbname().unwrap_or(user);
    let file = options.get("passfile").map(String::as_str);
    let ports = config.get_ports();
    let mut found = config.get_hosts().iter().enumerate().map(|(i, host)| {
        let port = ports.get(i).or_else(|| ports.first()).unwrap_or(&5432);
        let names = match host {
            Host::Tcp(name) => vec![name.clone()],
            #[cfg(unix)]
            Host::Unix(path) => vec![path.display().to_string(), "localhost".to_owned()],
        };
        around.password(file, &names, [&port.to_string(), database, user])
    });
    let first = found.next()??;
    found
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// Without the password.
impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.0.config;
        f.write_str("postgres://")?;
        if let Some(user) = config.get_user() {
            write!(f, "{user}@")?;
        }
        let mut socket = None;
        for (i, host) in config.get_hosts().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}")?,
                #[cfg(unix)]
                Host::Unix(path) => socket = Some(path.display().to_string()),
            }
            if let Some(port) = config.get_ports().get(i).filter(|&&port| port != 5432) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", config.get_dbname().unwrap_or_default())?;
        if let Some(socket) = socket {
            write!(f, "?host={socket}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_printed() {
        for (url, printed) in [
            (
                "postgres://ann:secret@db:6000/arimaa",
                "postgres://ann@db:6000/arimaa",
            ),
            (
                "postgresql://db/arimaa?password=secret",
                "postgres://db/arimaa",
            ),
            (
                "postgres:///arimaa?host=/run/x&user=ann&password=secret",
                "postgres://ann@/arimaa?host=/run/x",
            ),
        ] {
            let parsed: ServerUrl = url.parse().unwrap();
            assert_eq!(parsed.to_string(), printed);
            assert!(!format!("{parsed:?}").contains("secret"));
        }
    }

    #[test]
    fn messages_stand_on_one_line() {
        let words = "connection to the remote node citus@worker-2:5432 failed:\n\tIs it running?";
        let expected = "connection to the remote node citus@worker-2:5432 failed: Is it running?";
        assert_eq!(on_one_line(words), expected);
    }

    #[test]
    fn roots_of_the_machine_are_for_whole_checks() {
        let parse = |options: &str| format!("postgres://db/x?{options}").parse::<ServerUrl>();
        let url = parse("sslrootcert=system").unwrap();
        assert_eq!(url.0.tls.mode, TlsMode::VerifyFull);
        let error = parse("sslrootcert=system&sslmode=require").unwrap_err();
        assert!(error.to_string().contains("verify-full"), "{error}");
        // However it is written.
        let url = parse("ssl%6dode=verify-ca").unwrap();
        assert_eq!(url.0.tls.mode, TlsMode::VerifyCa);
    }

    #[test]
    #[cfg(unix)]
    fn no_host_is_told_the_password_of_another() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("passwords");
        let lines = "a:5432:x:ann:one\nb:5432:x:ann:two\nc:6000:x:ann:one\n";
        std::fs::write(&file, lines).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        let found = |hosts: &str| {
            let url = format!("postgres://ann@{hosts}/x?passfile={}", file.display());
            let url: ServerUrl = url.parse().unwrap();
            let password = url.0.config.get_password().map(<[u8]>::to_vec);
            password.map(|password| String::from_utf8(password).unwrap())
        };
        assert_eq!(found("a").as_deref(), Some("one"));
        assert_eq!(found("a:5432,c:6000").as_deref(), Some("one"));
        assert_eq!(found("a,b"), None);
        assert_eq!(found("a,elsewhere"), None);
    }

    #[test]
    fn bad_urls_do_not_tell_the_password_either() {
        for url in [
            "postgres://ann:secret@wort@db/arimaa",
            "postgres://ann:secret/x@db/arimaa@",
            "postgres://ann:secret@db:notaport/arimaa",
            "postgres://ann:secret@db/arimaa?colour=red",
            "postgres:///arimaa?password=secret",
        ] {
            let error = url.parse::<ServerUrl>().unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
