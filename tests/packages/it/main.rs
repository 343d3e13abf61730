//! Tests over the public interface.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod support;

mod classic;
mod container;
mod legacy;
mod resolve;
mod zen;
