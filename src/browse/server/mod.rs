//! The page, served on this machine, to this machine.
//!
//! ```text
//! browser ──► connections ──► guard ──► routes ──► answers
//!             hyper           token     work: jobs of the library, in bounded memory
//!                             Host
//!                             Origin
//! ```
//!
//! It only listens on `127.0.0.1`, and answers nobody whom it did not let in. It changes nothing but the folder that it was
//! given for saving, and the list of games that were opened. Work stops when the page no longer waits for it.

mod guard;
mod options;
mod page;
mod remembered;
mod reply;
mod request;
mod routes;
mod stream;
mod work;

pub use options::BrowseOptions;

use crate::sink::DirectorySink;
use futures_util::future::{self, Either};
use guard::Guard;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use routes::State;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Connections at a time; a browser opens six.
const CONNECTIONS: usize = 64;

/// Longest head of a request, and how many lines it may have.
const MAX_HEAD: usize = 32 << 10;
const MAX_HEADERS: usize = 64;

/// How long the head of a request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

impl Server {
    /// Listens, on this machine only. It has to be called in a Tokio runtime.
    pub async fn bind(options: BrowseOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        // Each job opens the folder for itself; whether it can be is known from the start.
        options.save_to.as_deref().map(DirectorySink::open).transpose().map_err(io::Error::other)?;
        Ok(Self { listener, state: Arc::new(State::new(guard, options)) })
    }

    /// The address that lets the next browser in, once. Who uses it has all that the server has.
    #[must_use]
    pub fn url(&self) -> String {
        self.state.guard.url()
    }

    /// Answers until the page asks it to end. Whenever a browser was let in, `on_used` gets the address for the next one.
    pub async fn run(self, mut on_used: impl FnMut(&str)) -> io::Result<()> {
        let turns = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            // The semaphore is never closed.
            let turn = Arc::clone(&turns).acquire_owned().await.map_err(io::Error::other)?;
            let (accepted, ended) = (pin!(self.listener.accept()), pin!(self.state.ended()));
            let used = pin!(self.state.guard.used());
            match future::select(accepted, future::select(ended, used)).await {
                Either::Left((Ok((stream, _)), _)) => {
                    let state = Arc::clone(&self.state);
                    tokio::spawn(async move {
                        serve(stream, state).await;
                        drop(turn);
                    });
                }
                // Too many files are open, or the other end was quick to hang up.
                Either::Left((Err(_), _)) => tokio::time::sleep(Duration::from_millis(50)).await,
                Either::Right((Either::Left(_), _)) => return Ok(()),
                Either::Right((Either::Right(_), _)) => on_used(&self.url()),
            }
        }
    }
}

async fn serve(stream: TcpStream, state: Arc<State>) {
    let service = service_fn(move |request| {
        let state = Arc::clone(&state);
        async move { Ok::<_, Infallible>(routes::answer(&state, request).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    // What goes wrong with a connection is the browser's to see.
    drop(served.await);
}
