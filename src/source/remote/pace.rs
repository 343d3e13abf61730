//! Limits for slow servers.
//!
//! A server that sends a byte now and then is never silent, and never done. So the amount that arrives within
//! a window of time counts: a new window starts as soon as its share of bytes has arrived. An answer of *n*
//! bytes is complete after *n* / rate seconds and one window, or it is an error.

use super::fault;
use crate::wire::counted;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use std::io;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// Limits for a slow server before it is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Longest time until an answer starts, including repeated requests.
    pub start: Duration,
    /// Longest time in which it may send less than required.
    pub window: Duration,
    /// Bytes required in a window.
    pub least: u64,
}

impl Default for Pace {
    /// Two minutes to start, then 4 KiB a second over each half minute: a tenth of a bad telephone line.
    fn default() -> Self {
        Self { start: Duration::from_secs(120), window: Duration::from_secs(30), least: 30 * 4096 }
    }
}

impl Pace {
    /// Waits for an answer to start.
    pub(super) async fn begin<T>(
        self,
        answer: impl Future<Output = object_store::Result<T>>,
    ) -> io::Result<T> {
        match timeout(self.start, answer).await {
            Ok(answer) => answer.map_err(fault::describe),
            Err(_) => {
                let message = format!("the server has not answered within {:?}", self.start);
                Err(io::Error::new(io::ErrorKind::TimedOut, message))
            }
        }
    }

    /// Follows the content of an answer.
    pub(super) fn follow<S>(self, content: S) -> Paced<S> {
        Paced { pace: self, content, since: Instant::now(), received: 0 }
    }
}

/// Content of an answer, as long as it arrives fast enough.
pub(super) struct Paced<S> {
    pace: Pace,
    content: S,
    /// Start of the window, and the number of bytes since.
    since: Instant,
    received: u64,
}

impl<S: Stream<Item = object_store::Result<Bytes>> + Unpin> Paced<S> {
    /// Returns the next bytes; `None` at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let end = self.since + self.pace.window;
        let Ok(next) = timeout_at(end, self.content.next()).await else { return Err(self.too_slow()) };
        let Some(bytes) = next else { return Ok(None) };
        let bytes = bytes.map_err(fault::describe)?;
        self.received += bytes.len() as u64;
        let now = Instant::now();
        // The window only restarts with its full share: a trickle of bytes does not extend it.
        if self.received >= self.pace.least {
            (self.since, self.received) = (now, 0);
        } else if now > end {
            return Err(self.too_slow());
        }
        Ok(Some(bytes))
    }

    fn too_slow(&self) -> io::Error {
        let Pace { window, least, .. } = self.pace;
        let message = format!(
            "the server is too slow: {} in {window:?}, expected {least}",
            counted(self.received, "byte", "bytes")
        );
        io::Error::new(io::ErrorKind::TimedOut, message)
    }
}
