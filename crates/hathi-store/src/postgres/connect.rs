//! Reaching the server, and saying what is wrong when that fails. No message
//! holds the password.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::{Client, Config, GenericClient, NoTls};

/// What can go wrong with a server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The URL cannot be read.
    #[error(
        "this is no URL of a PostgreSQL database: {0}; it should look like \
         postgres://user:password@host:5432/database"
    )]
    BadUrl(String),
    /// It asks for TLS.
    #[error(
        "{0}: this version speaks to PostgreSQL without TLS: leave sslmode=require out, and use a \
         socket, a private network or a tunnel"
    )]
    Tls(ServerUrl),
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
pub struct ServerUrl(Box<Config>);

impl ServerUrl {
    /// A connection with sane limits, and whether it leads to a cluster.
    pub(super) fn connect(&self) -> Result<(Client, Layout), ServerError> {
        if self.0.get_ssl_mode() == SslMode::Require {
            return Err(ServerError::Tls(self.clone()));
        }
        let mut config = (*self.0).clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        config.keepalives_idle(Duration::from_secs(60));
        if config.get_application_name().is_none() {
            config.application_name("hathi");
        }
        let mut client = config
            .connect(NoTls)
            .map_err(|error| self.connect_error(&error))?;
        let failed = |error: postgres::Error| self.error(&error);
        let layout = Layout::of(&mut client).map_err(failed)?;
        client.batch_execute(SESSION).map_err(failed)?;
        if layout == Layout::OneServer {
            client.batch_execute(ONE_SERVER_SESSION).map_err(failed)?;
        }
        Ok((client, layout))
    }

    fn connect_error(&self, error: &postgres::Error) -> ServerError {
        let (server, reason) = (self.clone(), reason(error));
        match error.code() {
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
/// working on for nobody.
const SESSION: &str = "
    SET idle_in_transaction_session_timeout = '10min';
    SET jit = off;
    SELECT set_config(name, '2s', false) FROM pg_settings
        WHERE name = 'client_connection_check_interval'";

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
        let config: Config = text.parse().map_err(|error| {
            let source = std::error::Error::source(&error).map(ToString::to_string);
            ServerError::BadUrl(source.unwrap_or_else(|| "it cannot be read".to_owned()))
        })?;
        if config.get_hosts().is_empty() {
            return Err(bad("it names no host (a socket is ?host=/run/postgresql)"));
        }
        Ok(ServerUrl(Box::new(config)))
    }
}

/// Without the password.
impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.0;
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
