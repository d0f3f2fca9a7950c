//! Listening, connections, and ending without losing anything.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;

use crate::api;
use crate::asker::Asker;
use crate::config::Config;
use crate::queue::{Place, Places, Queue};
use crate::slow::Patient;
use crate::state::App;

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port.
    #[error("cannot listen on {address}: {error}{hint}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
        /// What to do.
        hint: &'static str,
    },
    /// Its folder.
    #[error("cannot use the folder {folder}: {error}")]
    Data {
        /// Which.
        folder: String,
        /// Why not.
        error: io::Error,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] hathi_store::StoreError),
    /// Threads.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// How long answers that are under way may take when the server is to end.
const GRACE: Duration = Duration::from_secs(3);

/// A server that listens already, so that its address is known.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    stop: watch::Sender<bool>,
    runtime: tokio::runtime::Runtime,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

/// Ends a server from elsewhere.
#[derive(Clone, Debug)]
pub struct Ending(watch::Sender<bool>);

impl Ending {
    /// Asks the server to end.
    pub fn now(&self) {
        let _ = self.0.send(true);
    }
}

impl Server {
    /// Opens the store and the port.
    pub fn bind(config: Config) -> Result<Server, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            // Blocking work is bounded by semaphores; arenas and engines of
            // games have threads beyond them.
            .max_blocking_threads(256)
            // Threads of a busy moment do not stay.
            .thread_keep_alive(Duration::from_secs(2))
            .build()
            .map_err(ServeError::Runtime)?;
        std::fs::create_dir_all(&config.data).map_err(|error| ServeError::Data {
            folder: config.data.display().to_string(),
            error,
        })?;
        let address = config.address;
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|error| ServeError::Listen {
                hint: match error.kind() {
                    io::ErrorKind::AddrInUse => "; is it running already? --port takes another",
                    io::ErrorKind::PermissionDenied => "; a port above 1023 needs no rights",
                    _ => "",
                },
                address,
                error,
            })?;
        let address = listener.local_addr().unwrap_or(address);
        let (stop, stopped) = watch::channel(false);
        let app = {
            let _inside = runtime.enter();
            crate::state::Shared::new(config, stopped)?
        };
        Ok(Server {
            listener,
            address,
            app,
            stop,
            runtime,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// To end it from another thread.
    pub fn ending(&self) -> Ending {
        Ending(self.stop.clone())
    }

    /// Answers until it is told to end, by Ctrl-C, SIGTERM or
    /// [`Ending::now`]; then everything that runs is stopped and kept.
    pub fn run(self) {
        let Server {
            listener,
            app,
            stop,
            runtime,
            ..
        } = self;
        runtime.block_on(async {
            let signals = stop.clone();
            tokio::spawn(async move {
                asked_to_end().await;
                let _ = signals.send(true);
            });
            let connections = accept(&listener, &app, stop.subscribe()).await;
            drop(listener);
            app.end();
            // Whoever still reads gets a moment; streams have ended by now.
            let _ = tokio::time::timeout(GRACE, connections.shutdown()).await;
        });
        app.join();
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut term = signal(SignalKind::terminate()).ok();
        let terminated = async {
            match &mut term {
                Some(term) => {
                    term.recv().await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            () = terminated => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}

async fn accept(
    listener: &TcpListener,
    app: &App,
    mut stopped: watch::Receiver<bool>,
) -> GracefulShutdown {
    let connections = GracefulShutdown::new();
    let limits = &app.config.limits;
    let mut places = Places::of(limits.connections, 0);
    // All connections of a proxy have its address.
    if !app.config.behind_proxy {
        places = places.for_one(limits.connections_for_one, 0);
    }
    let places = Queue::new(places);
    let router = api::router(app.clone());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => return connections,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors, most likely: some will be free soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match places.try_place(Asker::of(peer.ip(), false)) {
            Ok(place) => connect(stream, peer, place, app, &router, &connections),
            Err(_) => {
                tokio::spawn(turn_away(stream));
            }
        }
    }
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
    app: &App,
    router: &Router,
    connections: &GracefulShutdown,
) {
    let limits = &app.config.limits;
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Peer(peer));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // Also ends connections that wait for nothing.
        .header_read_timeout(limits.idle)
        .max_headers(64)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(Patient::new(stream, limits.write)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        // What goes wrong here is the client's business.
        let _ = connection.await;
        drop(place);
    });
}

/// Who asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Too many are here already.
async fn turn_away(mut stream: TcpStream) {
    const BODY: &str = "{\"error\":{\"code\":\"busy\",\"message\":\"too many connections; try again in a moment\"}}";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n{BODY}",
        BODY.len()
    );
    let sent = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), sent).await;
}
