//! Encrypted connections: a server of our own with a CA of its own, right and
//! wrong names, certificates that are expired or of somebody else.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hathi_store::{Games, PostgresStore, ServerError, ServerUrl, StoreError};

/// The name the server's certificate is for; it is found at 127.0.0.1.
const NAME: &str = "db.hathi.test";

/// A PostgreSQL server that listens on a port, gone with the test.
struct TlsServer {
    folder: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
}

/// The folder of the newest server programs.
fn server_programs() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop()
}

/// The server refuses to run as root.
fn as_postgres(program: &Path) -> Command {
    let root = Command::new("id").arg("-u").output().expect("id runs");
    let mut command = if root.stdout.starts_with(b"0\n") {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdout(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command.stderr(Stdio::piped()).output().expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {message}");
}

fn openssl(folder: &Path, args: &[&str]) {
    run(Command::new("openssl")
        .current_dir(folder)
        .args(args)
        .stdout(Stdio::null()));
}

/// Keys and certificates: two CAs, servers of both, an expired one, a client.
fn certificates(folder: &Path) {
    let config = "[ca]\ndefault_ca = one\n[one]\ndatabase = index\nserial = serial\nnew_certs_dir = .\n\
        default_md = sha256\npolicy = any\nunique_subject = no\n[any]\ncommonName = supplied\n\
        [req]\ndistinguished_name = dn\n[dn]\n\
        [server]\nsubjectAltName = DNS:db.hathi.test\n[client]\nbasicConstraints = CA:FALSE\n";
    for (name, text) in [("openssl.cnf", config), ("index", ""), ("serial", "01\n")] {
        fs::write(folder.join(name), text).expect("written");
    }
    let key = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ];
    for ca in ["ca", "other-ca"] {
        let (own, out, subject) = (
            format!("{ca}.key"),
            format!("{ca}.crt"),
            format!("/CN={ca}"),
        );
        let mut args = vec![
            "req",
            "-x509",
            "-days",
            "3650",
            "-addext",
            "basicConstraints=critical,CA:TRUE",
        ];
        args.extend(["-subj", &subject, "-keyout", &own, "-out", &out]);
        args.extend(key);
        openssl(folder, &args);
    }
    for (name, ca, subject, extensions, end) in [
        ("server", "ca", NAME, "server", "20990101000000Z"),
        ("expired", "ca", NAME, "server", "20210101000000Z"),
        ("foreign", "other-ca", NAME, "server", "20990101000000Z"),
        ("client", "ca", "hathi", "client", "20990101000000Z"),
    ] {
        let (own, request, out) = (
            format!("{name}.key"),
            format!("{name}.csr"),
            format!("{name}.crt"),
        );
        let subject = format!("/CN={subject}");
        let mut args = vec!["req", "-new", "-config", "openssl.cnf", "-subj", &subject];
        args.extend(["-keyout", &own, "-out", &request]);
        args.extend(key);
        openssl(folder, &args);
        let (issuer, issuer_key) = (format!("{ca}.crt"), format!("{ca}.key"));
        openssl(
            folder,
            &[
                "ca",
                "-batch",
                "-notext",
                "-config",
                "openssl.cnf",
                "-extensions",
                extensions,
                "-startdate",
                "20200101000000Z",
                "-enddate",
                end,
                "-cert",
                &issuer,
                "-keyfile",
                &issuer_key,
                "-in",
                &request,
                "-out",
                &out,
            ],
        );
    }
}

impl TlsServer {
    fn new() -> Option<TlsServer> {
        let Some(bin) = server_programs() else {
            assert!(
                std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
                "CI needs PostgreSQL's server programs"
            );
            eprintln!("skipped: PostgreSQL's server programs are not installed");
            return None;
        };
        // A socket's path must be short.
        let folder = tempfile::Builder::new()
            .prefix("hathi-tls.")
            .tempdir_in("/tmp")
            .expect("a folder");
        certificates(folder.path());
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        let server = TlsServer { folder, bin, port };
        let path = server.folder.path();
        for key in ["server", "expired", "foreign", "client"] {
            run(Command::new("chmod")
                .arg("600")
                .arg(path.join(format!("{key}.key"))));
        }
        // Of the client's key the test needs one that it may read itself.
        fs::copy(path.join("client.key"), path.join("mine.key")).expect("copied");
        let root = Command::new("id").arg("-u").output().expect("id runs");
        if root.stdout.starts_with(b"0\n") {
            run(Command::new("chown").args(["-R", "postgres"]).arg(path));
            run(Command::new("chown").arg("root").arg(path.join("mine.key")));
        }
        let data = path.join("data");
        run(as_postgres(&server.bin.join("initdb"))
            .arg("--pgdata")
            .arg(&data)
            .args([
                "--username=hathi",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
            ]));
        let file = |name: &str| path.join(name).display().to_string();
        let options = format!(
            "-k {} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c ssl=on -c ssl_ca_file={} \
             -c password_encryption=scram-sha-256",
            path.display(),
            file("ca.crt"),
        );
        server.hba("local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
        server.settings("server");
        run(as_postgres(&server.bin.join("pg_ctl"))
            .arg("--pgdata")
            .arg(&data)
            .args(["--wait", "--silent", "--log"])
            .arg(path.join("log"))
            .args(["--options", &options, "start"]));
        Some(server)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::write(&path, text).expect("written");
        run(Command::new("chmod").arg("644").arg(&path));
    }

    /// Who may come in how.
    fn hba(&self, text: &str) {
        self.write("data/pg_hba.conf", text);
    }

    /// Which certificate it shows.
    fn settings(&self, certificate: &str) {
        let file = |end: &str| self.file(&format!("{certificate}.{end}"));
        let text = format!(
            "ssl_cert_file = '{}'\nssl_key_file = '{}'\n",
            file("crt"),
            file("key")
        );
        self.write("data/postgresql.auto.conf", &text);
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn reload(&self) {
        run(as_postgres(&self.bin.join("pg_ctl"))
            .arg("--pgdata")
            .arg(self.folder.path().join("data"))
            .args(["--silent", "reload"]));
        // It takes notice when it next looks.
        std::thread::sleep(std::time::Duration::from_millis(700));
    }

    fn admin(&self, sql: &str) {
        let url = format!(
            "postgres:///postgres?host={}&port={}&user=hathi",
            self.folder.path().display(),
            self.port
        );
        let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("its socket");
        client.batch_execute(sql).expect("done");
    }

    /// Opens the store by the name of the certificate, or another.
    fn open_at(&self, host: &str, options: &str) -> Result<PostgresStore, StoreError> {
        let port = self.port;
        let url = format!("postgres://hathi@{host}:{port}/postgres?hostaddr=127.0.0.1&{options}");
        PostgresStore::open(&url.parse::<ServerUrl>()?)
    }

    fn open(&self, options: &str) -> Result<PostgresStore, StoreError> {
        self.open_at(NAME, options)
    }

    /// Why it cannot be opened.
    fn refusal(&self, host: &str, options: &str) -> String {
        match self.open_at(host, options) {
            Err(StoreError::Server(error @ ServerError::Tls { .. })) => error.to_string(),
            Err(other) => panic!("{options}: {other}"),
            Ok(_) => panic!("{options}: it was opened"),
        }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = as_postgres(&self.bin.join("pg_ctl"))
            .arg("--pgdata")
            .arg(self.folder.path().join("data"))
            .args(["--mode=immediate", "--silent", "stop"])
            .status();
    }
}

#[test]
fn every_mode_and_every_wrong_certificate() {
    let Some(server) = TlsServer::new() else {
        return;
    };
    let root = format!("sslrootcert={}", server.file("ca.crt"));
    let foreign = format!("sslrootcert={}", server.file("other-ca.crt"));
    for options in [
        // The server insists; a certificate is looked at only if that is asked for.
        "sslmode=allow",
        "sslmode=prefer",
        "",
        "sslmode=require",
        &format!("sslmode=verify-ca&{root}"),
        &format!("sslmode=verify-full&{root}"),
        &format!("sslmode=require&{root}"),
    ] {
        let store = server
            .open(options)
            .unwrap_or_else(|error| panic!("{options}: {error}"));
        assert_eq!(store.totals().expect("totals").games, 0);
    }
    match server.open("sslmode=disable").err() {
        Some(StoreError::Server(ServerError::Denied { .. })) => {}
        other => panic!("{other:?}"),
    }
    // Another name: only verify-full looks at it.
    server
        .open_at("elsewhere.test", &format!("sslmode=verify-ca&{root}"))
        .expect("opened");
    let message = server.refusal("elsewhere.test", &format!("sslmode=verify-full&{root}"));
    assert!(message.contains("name"), "{message}");
    // Another CA.
    for mode in ["require", "verify-ca", "verify-full"] {
        let message = server.refusal(NAME, &format!("sslmode={mode}&{foreign}"));
        assert!(message.to_lowercase().contains("issuer"), "{message}");
    }
    // Nothing to compare with, and files that are none.
    let message = server.refusal(NAME, "sslmode=verify-full&sslrootcert=/nowhere");
    assert!(message.contains("/nowhere"), "{message}");
    server.write("empty", "");
    server.write(
        "broken",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    );
    let binary = server.file("binary");
    fs::write(&binary, [0xff, 0xfe, 0, b'\n', 0x80]).expect("written");
    for name in ["empty", "broken", "binary", "server.key", "."] {
        let file = server.file(name);
        let message = server.refusal(NAME, &format!("sslmode=verify-full&sslrootcert={file}"));
        assert!(message.contains(&file), "{message}");
        let key = server.file("mine.key");
        let own = format!("sslmode=verify-full&{root}&sslcert={file}&sslkey={key}");
        let message = server.refusal(NAME, &own);
        assert!(message.contains(&file), "{message}");
    }
    // An address beside a socket's folder leads to the port, and that is checked.
    let port = server.port;
    let folder = server.file("");
    let url = format!(
        "postgres:///postgres?host={folder}&hostaddr=127.0.0.1&port={port}&user=hathi&sslmode=verify-full&{root}"
    );
    match PostgresStore::open(&url.parse::<ServerUrl>().expect("a URL")).err() {
        Some(StoreError::Server(ServerError::Tls { .. })) => {}
        other => panic!("{other:?}"),
    }
    // A number is a name too.
    let message = server.refusal("127.0.0.1", &format!("sslmode=verify-full&{root}"));
    assert!(message.contains("name"), "{message}");

    server.settings("expired");
    server.reload();
    server.open("sslmode=require").expect("nobody looks");
    for mode in ["require", "verify-ca", "verify-full"] {
        let message = server.refusal(NAME, &format!("sslmode={mode}&{root}"));
        assert!(message.to_lowercase().contains("expired"), "{message}");
    }
    server.settings("foreign");
    server.reload();
    let message = server.refusal(NAME, &format!("sslmode=verify-full&{root}"));
    assert!(message.to_lowercase().contains("issuer"), "{message}");
    server
        .open(&format!("sslmode=verify-full&{foreign}"))
        .expect("its own CA");

    // A server that wants nobody encrypted.
    server.hba("local all all trust\nhostnossl all all 127.0.0.1/32 trust\n");
    server.reload();
    for options in ["", "sslmode=prefer", "sslmode=allow", "sslmode=disable"] {
        server
            .open(options)
            .unwrap_or_else(|error| panic!("{options}: {error}"));
    }
    for options in ["sslmode=require", &format!("sslmode=verify-full&{foreign}")] {
        match server.open(options).err() {
            Some(StoreError::Server(ServerError::Denied { .. })) => {}
            other => panic!("{options}: {other:?}"),
        }
    }
}

#[test]
fn passwords_bindings_and_certificates_of_clients() {
    let Some(server) = TlsServer::new() else {
        return;
    };
    let root = format!("sslmode=verify-full&sslrootcert={}", server.file("ca.crt"));
    server.admin("ALTER ROLE hathi PASSWORD 'sec:ret'");
    server.hba("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n");
    server.reload();
    assert!(server.open(&root).is_err(), "it wants a password");
    let passwords = server.file("passwords");
    let line = format!("{NAME}:{}:postgres:hathi:sec\\:ret\n", server.port);
    fs::write(&passwords, line).expect("written");
    let with_file = format!("{root}&passfile={passwords}");
    // Others can read it: left alone.
    run(Command::new("chmod").args(["644", &passwords]));
    let error = server.open(&with_file).err().expect("no password");
    assert!(!error.to_string().contains("sec"), "{error}");
    run(Command::new("chmod").args(["600", &passwords]));
    server.open(&with_file).expect("the password is right");
    for binding in ["disable", "prefer", "require"] {
        let options = format!("{with_file}&channel_binding={binding}");
        server
            .open(&options)
            .unwrap_or_else(|error| panic!("{binding}: {error}"));
    }
    server.hba("local all all trust\nhostssl all all 127.0.0.1/32 cert\n");
    server.reload();
    assert!(server.open(&root).is_err(), "it wants a certificate");
    let own = format!(
        "{root}&sslcert={}&sslkey={}",
        server.file("client.crt"),
        server.file("mine.key")
    );
    server.open(&own).expect("it knows us");
    run(Command::new("chmod").args(["644", &server.file("mine.key")]));
    let message = server.refusal(NAME, &own);
    assert!(message.contains("chmod 600"), "{message}");
}
