//! Patterns of a command line: ids, globs, names.

use super::candidate::{Candidate, normal};
use super::name::NamePattern;
use crate::id::RawChunkId;
use globset::{GlobBuilder, GlobMatcher};

/// A pattern that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error("{what} {text:?} is not valid: {reason}")]
pub struct PatternError {
    pub(crate) what: &'static str,
    pub(crate) text: String,
    pub(crate) reason: String,
}

/// What chunks are chosen by.
#[derive(Debug)]
pub(super) enum Pattern {
    Id(RawChunkId),
    Glob(GlobMatcher),
    Name(NamePattern),
}

impl Pattern {
    pub(super) fn new(text: &str, names_only: bool) -> Result<Self, PatternError> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        if !text.contains(['*', '?', '[', '{']) {
            return Ok(Self::Name(NamePattern::new(text, names_only)));
        }
        let text = normal(text);
        let error = |error: globset::Error| PatternError {
            what: "pattern",
            text: text.clone(),
            reason: error.kind().to_string(),
        };
        let glob =
            GlobBuilder::new(&text).case_insensitive(true).literal_separator(false).build().map_err(error)?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    pub(super) fn matches(&self, candidate: &Candidate<'_>) -> bool {
        match self {
            Self::Id(id) => candidate.id == *id,
            Self::Glob(glob) => glob.is_match(candidate.path),
            Self::Name(name) => name.matches(candidate),
        }
    }
}
