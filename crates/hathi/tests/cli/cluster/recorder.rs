//! Stands between the program and the server and writes down every statement.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use postgres::config::Host;

type Statements = Arc<Mutex<BTreeSet<String>>>;

/// Listens on loopback and passes everything on.
pub(crate) struct Recorder {
    pub(crate) address: SocketAddr,
    statements: Statements,
    away: Arc<AtomicBool>,
    clients: Arc<Mutex<Vec<TcpStream>>>,
    connections: Arc<AtomicUsize>,
}

impl Recorder {
    /// In front of the server that `config` leads to.
    pub(crate) fn new(config: &postgres::Config) -> Recorder {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let statements = Statements::default();
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let host = config.get_hosts()[0].clone();
        let written = statements.clone();
        let (away, clients) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let (gone, known): (Arc<AtomicBool>, Arc<Mutex<Vec<TcpStream>>>) =
            (Arc::clone(&away), Arc::clone(&clients));
        let connections = Arc::new(AtomicUsize::new(0));
        let made = Arc::clone(&connections);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if gone.load(Ordering::Acquire) {
                    continue;
                }
                made.fetch_add(1, Ordering::AcqRel);
                let own = client.try_clone().expect("the same client");
                known.lock().expect("not broken").push(own);
                let (host, written) = (host.clone(), written.clone());
                thread::spawn(move || {
                    let _ = match host {
                        Host::Unix(folder) => {
                            let path = folder.join(format!(".s.PGSQL.{port}"));
                            let server = UnixStream::connect(path).expect("the server");
                            let back = server.try_clone().expect("the same server");
                            pass_on(client, server, back, &written)
                        }
                        Host::Tcp(name) => {
                            let server = TcpStream::connect((name, port)).expect("the server");
                            let back = server.try_clone().expect("the same server");
                            pass_on(client, server, back, &written)
                        }
                    };
                });
            }
        });
        Recorder {
            address,
            statements,
            away,
            clients,
            connections,
        }
    }

    /// As if the server were gone, or back again.
    pub(crate) fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::Release);
        for client in self.clients.lock().expect("not broken").drain(..) {
            let _ = client.shutdown(Shutdown::Both);
        }
    }

    /// Connections that were made so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Acquire)
    }

    /// All statements so far.
    pub(crate) fn statements(&self) -> BTreeSet<String> {
        self.statements.lock().expect("not broken").clone()
    }
}

fn pass_on(
    mut client: TcpStream,
    mut server: impl Write,
    mut back: impl Read + Send + 'static,
    written: &Statements,
) -> io::Result<()> {
    let mut answers = client.try_clone()?;
    thread::spawn(move || {
        let _ = io::copy(&mut back, &mut answers);
        let _ = answers.shutdown(Shutdown::Both);
    });
    // The first message has no letter in front.
    let mut message = length_and_rest(&mut client)?;
    server.write_all(&message)?;
    loop {
        let mut letter = [0];
        client.read_exact(&mut letter)?;
        message = length_and_rest(&mut client)?;
        let mut texts = message[4..].split(|&byte| byte == 0);
        let statement = match letter[0] {
            b'Q' => texts.next(),
            // The name of the statement comes first.
            b'P' => texts.nth(1),
            _ => None,
        };
        if let Some(statement) = statement {
            let statement = String::from_utf8_lossy(statement).into_owned();
            written.lock().expect("not broken").insert(statement);
        }
        server.write_all(&letter)?;
        server.write_all(&message)?;
    }
}

fn length_and_rest(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let rest = u32::from_be_bytes(length).saturating_sub(4);
    let mut message = length.to_vec();
    message.resize(4 + rest as usize, 0);
    from.read_exact(&mut message[4..])?;
    Ok(message)
}
