//! All integration tests, in one binary.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod commands;
mod package;
