//! Patterns: ids, globs and names.

use super::candidate::{Candidate, normal};
use super::glob::{GlobPattern, WILDCARDS};
use super::name::NamePattern;
use crate::id::RawChunkId;

/// Error of an invalid pattern.
#[derive(Debug, thiserror::Error)]
#[error("{what} {text:?} is not valid: {reason}")]
pub struct PatternError {
    pub(crate) what: &'static str,
    pub(crate) text: String,
    pub(crate) reason: String,
}

/// A pattern for chunks.
#[derive(Debug)]
pub(super) enum Pattern {
    Id(RawChunkId),
    Glob(GlobPattern),
    Name(NamePattern),
}

impl Pattern {
    pub(super) fn new(text: &str, names_only: bool) -> Result<Self, PatternError> {
        // 24 hex digits are an id. A file of such a name can still be matched by its full path.
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        if !text.contains(WILDCARDS) {
            return Ok(Self::Name(NamePattern::new(text, names_only)));
        }
        let error = |error: globset::Error| PatternError {
            what: "pattern",
            text: normal(text),
            reason: error.kind().to_string(),
        };
        GlobPattern::new(text).map(Self::Glob).map_err(error)
    }

    pub(super) fn matches(&self, candidate: &Candidate<'_>) -> bool {
        match self {
            Self::Id(id) => candidate.id == *id,
            Self::Glob(glob) => glob.matches(candidate.path),
            Self::Name(name) => name.matches(candidate),
        }
    }
}
