//! What a URL leaves out, looked for where PostgreSQL's own clients look:
//! service files, `PG...` variables, `~/.pgpass`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where to look: the environment, or what stands for it in a test.
pub(super) struct Surroundings<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

/// Options by the names that libpq has for them.
pub(super) type Options = BTreeMap<String, String>;

/// Options that are read here and not by the client library, and their
/// variables.
const OURS: [(&str, &str); 7] = [
    ("channel_binding", "PGCHANNELBINDING"),
    ("sslmode", "PGSSLMODE"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("sslcert", "PGSSLCERT"),
    ("sslkey", "PGSSLKEY"),
    ("passfile", "PGPASSFILE"),
    ("service", "PGSERVICE"),
];

/// Takes the options that are ours out of a URL: the rest of it, and they.
pub(super) fn split_url(url: &str) -> (String, Options) {
    // A password may hold a question mark.
    let after = url.find('@').unwrap_or(0);
    let Some(at) = url[after..].find('?') else {
        return (url.to_owned(), Options::new());
    };
    let (start, query) = (&url[..after + at], &url[after + at + 1..]);
    let (mut rest, mut ours) = (Vec::new(), Options::new());
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = decoded(name);
        if OURS.iter().any(|(known, _)| *known == name) {
            ours.insert(name, decoded(value));
        } else if !pair.is_empty() {
            rest.push(pair);
        }
    }
    let mark = if rest.is_empty() { "" } else { "?" };
    (format!("{start}{mark}{}", rest.join("&")), ours)
}

/// %41 is an A.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

impl Surroundings<'_> {
    /// `~/.postgresql`, where certificates are.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.home().map(|home| home.join(".postgresql"))
    }

    fn home(&self) -> Option<PathBuf> {
        (self.variable)("HOME").map(PathBuf::from)
    }

    /// Fills in what the URL does not say: from its service, then from
    /// variables. The error says what is wrong with a service.
    pub(super) fn complete(&self, options: &mut Options) -> Result<(), String> {
        let service = options
            .get("service")
            .cloned()
            .or_else(|| (self.variable)("PGSERVICE"));
        if let Some(service) = service.filter(|name| !name.is_empty()) {
            for (name, value) in self.service(&service)? {
                options.entry(name).or_insert(value);
            }
        }
        for (name, variable) in OURS.into_iter().chain([("password", "PGPASSWORD")]) {
            if let Some(value) = (self.variable)(variable).filter(|value| !value.is_empty()) {
                options.entry(name.to_owned()).or_insert(value);
            }
        }
        Ok(())
    }

    fn service(&self, name: &str) -> Result<Options, String> {
        let own = (self.variable)("PGSERVICEFILE")
            .map(PathBuf::from)
            .or_else(|| self.home().map(|home| home.join(".pg_service.conf")));
        let folder = (self.variable)("PGSYSCONFDIR").unwrap_or_else(|| {
            // Where Debian's library looks.
            "/etc/postgresql-common".to_owned()
        });
        let everybodys = Path::new(&folder).join("pg_service.conf");
        for path in own.into_iter().chain([everybodys]) {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            if let Some(options) = service_in(&text, name) {
                return Ok(options);
            }
        }
        Err(format!(
            "there is no service `{name}` in ~/.pg_service.conf"
        ))
    }

    /// The password for a connection, if the password file has one. A file that
    /// others can read is left alone.
    pub(super) fn password(
        &self,
        file: Option<&str>,
        hosts: &[String],
        [port, database, user]: [&str; 3],
    ) -> Option<String> {
        let path = match file {
            Some(file) => PathBuf::from(file),
            None => self.home()?.join(".pgpass"),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = std::fs::metadata(&path).ok()?;
            if !about.is_file() || about.permissions().mode() & 0o077 != 0 {
                return None;
            }
        }
        let text = std::fs::read_to_string(path).ok()?;
        hosts
            .iter()
            .find_map(|host| password_in(&text, [host, port, database, user]))
    }
}

/// The options of a service in an INI file.
fn service_in(text: &str, wanted: &str) -> Option<Options> {
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            if found.is_some() {
                break;
            }
            if name == wanted {
                found = Some(Options::new());
            }
        } else if let (Some(options), Some((name, value))) = (&mut found, line.split_once('=')) {
            options.insert(name.trim().to_owned(), value.trim().to_owned());
        }
    }
    found
}

/// The last field of the first line whose other four fit; `*` fits anything, a
/// backslash makes the next character ordinary.
fn password_in(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let fields = fields(line);
            let fits = |(field, wanted): (&String, &&str)| field == "*" || field == wanted;
            let same = fields.len() == 5 && fields.iter().zip(&wanted).all(fits);
            same.then(|| fields[4].clone())
        })
}

/// Five at most: colons of the password are its own.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            ':' if last < 4 => fields.push(String::new()),
            '\\' => fields[last].extend(letters.next()),
            other => fields[last].push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_options_are_taken_out_of_urls() {
        let url = "postgres://ann@db/x?sslmode=verify-full&connect_timeout=3&sslrootcert=%2Fa%20b";
        let (rest, ours) = split_url(url);
        assert_eq!(rest, "postgres://ann@db/x?connect_timeout=3");
        assert_eq!(ours["sslmode"], "verify-full");
        assert_eq!(ours["sslrootcert"], "/a b");
        for whole in ["postgres://db/x", "postgres://ann:a?&sslmode=b@db/x"] {
            assert_eq!(split_url(whole), (whole.to_owned(), Options::new()));
        }
    }

    #[test]
    fn password_files() {
        let text = "# mine\ndb:5432:arimaa:ann:se\\:c:ret\n*:*:*:bob:b\\\\d\nshort:line\n";
        let ask = |host: &str, user: &str| password_in(text, [host, "5432", "arimaa", user]);
        assert_eq!(ask("db", "ann").as_deref(), Some("se:c:ret"));
        assert_eq!(ask("other", "ann"), None);
        assert_eq!(ask("other", "bob").as_deref(), Some("b\\d"));
    }

    #[test]
    fn services() {
        let text = "[one]\nhost=a\n\n# two\n[two]\nhost = b\nport=6000\n[three]\nhost=c\n";
        let two = service_in(text, "two").unwrap();
        assert_eq!((two["host"].as_str(), two["port"].as_str()), ("b", "6000"));
        assert_eq!(two.len(), 2);
        assert!(service_in(text, "four").is_none());
    }

    #[test]
    fn the_url_comes_first_then_the_service_then_variables() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("services");
        std::fs::write(&file, "[s]\nsslmode=require\nuser=ann\n").unwrap();
        let file = file.to_str().unwrap().to_owned();
        let variable = |name: &str| match name {
            "PGSERVICEFILE" => Some(file.clone()),
            "PGSERVICE" => Some("s".to_owned()),
            "PGSSLMODE" => Some("disable".to_owned()),
            "PGSSLCERT" => Some("/c".to_owned()),
            _ => None,
        };
        let surroundings = Surroundings {
            variable: &variable,
        };
        let mut options = Options::from([("sslcert".to_owned(), "/mine".to_owned())]);
        surroundings.complete(&mut options).unwrap();
        assert_eq!(options["sslmode"], "require");
        assert_eq!(options["sslcert"], "/mine");
        assert_eq!(options["user"], "ann");
    }
}
