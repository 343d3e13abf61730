//! Answers of servers, kept so that another process need not ask for them again.
//!
//! ```text
//! one process     opens s3://build/Paks ─► keeps: list, tables, headers ─► sends them
//! any other       given these ─► opens the same build without a request ─► asks for data
//! ```
//!
//! An answer is found by the address and what was asked, word for word. What is not found is asked of the server, so wrong or
//! missing answers cost requests, not results: data still have to fit the tables, and the entity tag of a file is kept with it.

use bytes::Bytes;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Most bytes that are kept; the tables of the largest games have a few hundred MiB.
const MAX_KEPT: usize = 1 << 30;

/// Answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Address.
    pub url: String,
    /// Request: `whole`, `length`, `containers`, or `bytes=0-15`.
    pub request: String,
    /// Entity tag of the file.
    pub tag: Option<String>,
    /// Content: bytes of the file, its length as eight bytes, or addresses, a line each.
    pub bytes: Bytes,
}

/// Answers of servers: none, those of this process, or those of another.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    kept: Option<Arc<Mutex<Kept>>>,
}

#[derive(Debug)]
struct Kept {
    answers: BTreeMap<(String, String), (Option<String>, Bytes)>,
    /// Bytes that may still be kept.
    room: usize,
}

impl Answers {
    /// Keeps what servers answer until it is [listed](Self::list).
    #[must_use]
    pub fn keeping() -> Self {
        Self::new(BTreeMap::new(), MAX_KEPT)
    }

    /// Answers that another process has kept.
    #[must_use]
    pub fn given(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers = answers.into_iter();
        Self::new(
            answers.map(|Answer { url, request, tag, bytes }| ((url, request), (tag, bytes))).collect(),
            0,
        )
    }

    fn new(answers: BTreeMap<(String, String), (Option<String>, Bytes)>, room: usize) -> Self {
        Self { kept: Some(Arc::new(Mutex::new(Kept { answers, room }))) }
    }

    /// Lists the kept answers. Nothing is kept from then on: later answers are data.
    #[must_use]
    pub fn list(&self) -> Vec<Answer> {
        let Some(kept) = &self.kept else { return Vec::new() };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.room = 0;
        let answer = |((url, request), (tag, bytes)): (&(String, String), &(Option<String>, Bytes))| {
            let [url, request] = [url, request].map(String::clone);
            Answer { url, request, tag: tag.clone(), bytes: bytes.clone() }
        };
        kept.answers.iter().map(answer).collect()
    }

    /// Bytes of what was kept.
    #[must_use]
    pub fn size(&self) -> usize {
        let kept = self.kept.as_ref().map(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner));
        kept.map_or(0, |kept| kept.answers.values().map(|(_, bytes)| bytes.len()).sum())
    }

    /// Finds what a server has answered before: the entity tag and the content.
    pub(super) fn find(
        &self,
        url: &str,
        request: impl FnOnce() -> String,
    ) -> Option<(Option<String>, Bytes)> {
        let kept = self.kept.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.answers.is_empty() {
            return None;
        }
        kept.answers.get(&(url.to_owned(), request())).cloned()
    }

    /// Keeps an answer, if there is room.
    pub(super) fn keep(
        &self,
        url: &str,
        request: impl FnOnce() -> String,
        tag: Option<String>,
        bytes: &[u8],
    ) {
        let Some(kept) = &self.kept else { return };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(room) = kept.room.checked_sub(bytes.len()).filter(|_| kept.room > 0) else { return };
        kept.room = room;
        kept.answers.insert((url.to_owned(), request()), (tag, Bytes::copy_from_slice(bytes)));
    }
}

/// The request for a whole file.
pub(super) fn whole() -> String {
    "whole".to_owned()
}

/// The request for the length of a file.
pub(super) fn length() -> String {
    "length".to_owned()
}

/// The request for the containers below a folder.
pub(super) fn containers() -> String {
    "containers".to_owned()
}

/// The request for bytes of a file.
pub(super) fn range(Range { start, end }: Range<u64>) -> String {
    format!("bytes={start}-{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_elsewhere() {
        let here = Answers::keeping();
        here.keep("s3://b/x.utoc", whole, None, b"table");
        here.keep("s3://b/x.ucas", || range(0..4), Some("\"1\"".to_owned()), b"head");
        let answers = here.list();
        here.keep("s3://b/y.utoc", whole, None, b"late");
        assert_eq!(here.list(), answers);
        let there = Answers::given(answers);
        assert_eq!(there.find("s3://b/x.utoc", whole), Some((None, Bytes::from_static(b"table"))));
        let head = there.find("s3://b/x.ucas", || range(0..4));
        assert_eq!(head, Some((Some("\"1\"".to_owned()), Bytes::from_static(b"head"))));
        assert_eq!(there.find("s3://b/x.ucas", || range(0..5)), None);
        there.keep("s3://b/y.utoc", whole, None, b"not kept");
        assert_eq!(there.list().len(), 2);
        assert_eq!(Answers::default().find("s3://b/x.utoc", whole), None);
    }
}
