//! A server of its own for a test, and a client that looks at everything.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use hathi_store::Place;
use hathi_web::{Config, Ending, Server};
use serde_json::Value;
use tempfile::TempDir;

pub(crate) const START: &str =
    "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
pub(crate) const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
pub(crate) const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// A server with the sample games.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    ending: Ending,
    thread: Option<JoinHandle<()>>,
    folder: Option<TempDir>,
    /// The client's cookie.
    cookie: Option<String>,
}

pub(crate) fn site() -> Site {
    site_with(|_| {})
}

pub(crate) fn site_with(change: impl FnOnce(&mut Config)) -> Site {
    site_in(tempfile::tempdir().expect("a folder"), change)
}

pub(crate) fn site_in(folder: TempDir, change: impl FnOnce(&mut Config)) -> Site {
    let place = Place::File(folder.path().join("games.db"));
    let mut config = Config::local(0, place, folder.path().join("web"));
    config.samples = true;
    change(&mut config);
    let server = Server::bind(config).expect("a server");
    let (address, ending) = (server.address(), server.ending());
    Site {
        address,
        ending,
        thread: Some(std::thread::spawn(move || server.run())),
        folder: Some(folder),
        cookie: None,
    }
}

impl Site {
    /// Ends the server as SIGTERM would, and gives its folder back.
    pub(crate) fn end(mut self) -> TempDir {
        self.ending.now();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a clean end");
        }
        self.folder.take().expect("its folder")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.as_ref().expect("its folder").path()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        self.send("POST", path, &headers, &body.to_string())
    }

    /// As if from this address, through a proxy.
    pub(crate) fn send_from(&self, address: &str, method: &str, path: &str, body: &str) -> Answer {
        let headers = [
            ("Content-Type", "application/json"),
            ("X-Forwarded-For", address),
        ];
        self.send(method, path, &headers, body)
    }

    /// Sends a request and leaves the answer for later.
    pub(crate) fn begin(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = self.connect();
        let path = encoded(path);
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"
        )
        .expect("a request");
        stream
    }

    /// The answer's JSON; it must be fine.
    pub(crate) fn json(&self, path: &str) -> Value {
        self.get(path).fine()
    }

    /// A request by hand: nothing is added that is not said.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = format!("{method} {} HTTP/1.1\r\n", encoded(path));
        let mut all = vec![("Connection", "close".to_owned())];
        all.extend(
            headers
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned())),
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            all.push(("Host", self.address.to_string()));
        }
        if let Some(cookie) = &self.cookie {
            all.push(("Cookie", cookie.clone()));
        }
        if !body.is_empty() {
            all.push(("Content-Length", body.len().to_string()));
        }
        let lines = all.iter().map(|(name, value)| [*name, ": ", value, "\r\n"]);
        request.extend(lines.flatten());
        request += "\r\n";
        request += body;
        let mut stream = self.connect();
        // Who refuses a body need not read it to its end.
        match stream.write_all(request.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("a request: {error}"),
            _ => Answer::read(stream),
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a timeout");
        stream
    }

    /// From now on the client has the cookie it was given.
    pub(crate) fn keep_cookie(&mut self, answer: &Answer) {
        let cookie = answer.header("set-cookie").expect("a cookie");
        let cookie = cookie.split(';').next().unwrap_or_default();
        self.cookie = Some(cookie.to_owned());
    }

    pub(crate) fn forget_cookie(&mut self) {
        self.cookie = None;
    }

    /// The events of a stream, up to and with the last.
    pub(crate) fn events(&self, path: &str) -> Vec<(String, Value)> {
        self.get(path).events()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.ending.now();
    }
}

/// Spaces and brackets as an address has them.
fn encoded(path: &str) -> String {
    path.replace(' ', "%20")
        .replace('[', "%5B")
        .replace(']', "%5D")
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn read(stream: TcpStream) -> Answer {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status line");
        let status = line.split(' ').nth(1).and_then(|s| s.parse().ok());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        let mut answer = Answer {
            status: status.unwrap_or_else(|| panic!("no status in {line:?}")),
            headers,
            body: Vec::new(),
        };
        let _ = reader.read_to_end(&mut answer.body);
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = unchunked(&answer.body);
        }
        answer
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    pub(crate) fn fine(&self) -> Value {
        assert!(
            (200..300).contains(&self.status),
            "{} {}",
            self.status,
            self.text()
        );
        self.value()
    }

    /// The code of an error with this status.
    pub(crate) fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let error = self.value();
        assert!(
            error["error"]["message"]
                .as_str()
                .is_some_and(|m| m.len() > 5)
        );
        error["error"]["code"].as_str().expect("a code").to_owned()
    }

    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("text/event-stream"));
        let text = self.text();
        let field = |block: &str, name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.trim_start().to_owned())
        };
        text.split("\n\n")
            .filter_map(|block| Some((field(block, "event:")?, field(block, "data:")?)))
            .map(|(name, data)| (name, serde_json::from_str(&data).expect("JSON")))
            .collect()
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|pair| pair == b"\r\n") {
        let size = std::str::from_utf8(&body[..end]).ok();
        let size = size.and_then(|size| usize::from_str_radix(size, 16).ok());
        match size {
            Some(size) if size > 0 && body.len() >= end + 2 + size => {
                whole.extend_from_slice(&body[end + 2..end + 2 + size]);
                body = &body[(end + 4 + size).min(body.len())..];
            }
            _ => break,
        }
    }
    whole
}

/// Asks until the answer is as wanted.
pub(crate) fn until(mut look: impl FnMut() -> Option<Value>) -> Value {
    for _ in 0..600 {
        if let Some(value) = look() {
            return value;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it did not come to pass within half a minute");
}
