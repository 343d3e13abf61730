//! Serves the page to browsers on this machine.
//!
//! ```text
//! browser ──► connections ──► guard ──► routes ──► answers
//!             hyper           token     work: jobs of the library, in bounded memory
//!                             Host
//!                             Origin
//! ```
//!
//! It only listens on `127.0.0.1`, and answers only browsers it let in. It changes nothing but the folder for saving
//! and the list of opened games. Work is cancelled when the page no longer waits for it.

mod guard;
mod options;
mod page;
mod remembered;
mod reply;
mod request;
mod routes;
mod stream;
mod visitors;
mod work;

pub use options::BrowseOptions;

use crate::game::DirectorySink;
use futures_util::future::{self, Either};
use guard::{Guard, MAX_HEAD};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use reply::Reply;
use request::PATIENCE;
use routes::State;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use visitors::{STRANGERS, Visit, Visitors};

/// The most connections of those who are let in; a browser opens six.
const CONNECTIONS: usize = 64;

/// The most header lines of a request.
const MAX_HEADERS: usize = 64;

/// A listening server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

impl Server {
    /// Starts to listen, on this machine only. Must be called in a Tokio runtime.
    pub async fn bind(options: BrowseOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        // Each job opens the folder itself; opening it here reports a bad folder at once.
        options.save_to.as_deref().map(DirectorySink::open).transpose().map_err(io::Error::other)?;
        Ok(Self { listener, state: Arc::new(State::new(guard, options)) })
    }

    /// The address that lets in the next browser, once. Its user has access to everything the server has.
    #[must_use]
    pub fn url(&self) -> String {
        self.state.guard.url()
    }

    /// Serves requests until the page asks to end. After a browser was let in, `on_used` gets the address for the next
    /// one.
    pub async fn run(self, mut on_used: impl FnMut(&str)) -> io::Result<()> {
        let turns = Arc::new(Semaphore::new(CONNECTIONS + STRANGERS));
        let visitors = Visitors::default();
        loop {
            // `acquire_owned` fails only for a closed semaphore, and this one is never closed.
            let turn = Arc::clone(&turns).acquire_owned().await.map_err(io::Error::other)?;
            // Whatever happens first: a connection, the request to end, or the use of the start address.
            let (accepted, ended) = (pin!(self.listener.accept()), pin!(self.state.ended()));
            let used = pin!(self.state.guard.used());
            match future::select(accepted, future::select(ended, used)).await {
                Either::Left((Ok((stream, _)), _)) => {
                    let (state, visit) = (Arc::clone(&self.state), Visit::default());
                    let visitor = visit.clone();
                    let connection = tokio::spawn(async move {
                        let answer = move |request| {
                            let (state, visit) = (Arc::clone(&state), visit.clone());
                            async move { routes::answer(&state, &visit, request).await }
                        };
                        serve(stream, answer).await;
                        // The turn lives as long as the connection.
                        drop(turn);
                    });
                    visitors.add(visitor, connection.abort_handle());
                }
                // Too many open files, or a client that hung up at once: wait a little and go on.
                Either::Left((Err(_), _)) => tokio::time::sleep(Duration::from_millis(50)).await,
                Either::Right((Either::Left(_), _)) => return Ok(()),
                Either::Right((Either::Right(_), _)) => on_used(&self.url()),
            }
        }
    }
}

/// Answers the requests of a connection. If it ends, an unfinished answer is dropped.
async fn serve<A: Future<Output = Reply>>(stream: TcpStream, answer: impl Fn(Request<Incoming>) -> A) {
    let service = service_fn(|request| {
        let answered = answer(request);
        async { Ok::<_, Infallible>(answered.await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    // Connection errors are visible in the browser.
    drop(served.await);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Cpu;
    use std::io::Write;
    use tokio::sync::mpsc;
    use work::Workshop;

    #[tokio::test]
    async fn work_ends_when_the_browser_hangs_up() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut browser = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let (tell, mut told) = mpsc::unbounded_channel();
        let answer = move |_| {
            let tell = tell.clone();
            let work = move |context: &crate::job::Context| {
                tell.send("begun").unwrap();
                while !context.cancel_token().is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                tell.send("ended").unwrap();
                Ok(())
            };
            async move {
                let done = Workshop::new(1 << 20).run(&Cpu::default(), work).await;
                done.and_then(|()| reply::json(&())).unwrap_or_else(|refusal| refusal.reply())
            }
        };
        let served = tokio::spawn(serve(stream, answer));
        let mut next = async || tokio::time::timeout(Duration::from_secs(10), told.recv()).await.unwrap();
        browser.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
        assert_eq!(next().await, Some("begun"));
        drop(browser);
        assert_eq!(next().await, Some("ended"));
        served.await.unwrap();
    }
}
