//! Compression of single blocks: each call decodes or encodes one whole block of the size that the table of
//! contents records.
//!
//! ```text
//! a file's method index ──MethodTable──▶ Method ──its row, or Codecs──▶ dyn Codec ──decode, encode──▶ bytes, block
//! ```
//!
//! [`Method`] has a row for each built-in codec, with the layout of its blocks. For any other name, pass
//! your own [`Codec`] in [`Codecs`] when opening containers.
//!
//! [`decode`] fills its output exactly or fails: too few or too many bytes, and input after the end of the
//! stream, are errors. The output is unspecified after an error. A [`Scratch`] keeps the codecs' tables and
//! windows; with one per thread, blocks need no allocation.
//!
//! This module knows nothing of containers: padding and encryption are removed before a block reaches it.
//!
//! Sources: the container sheet, sections 2.5 and 3.5; RFC 1950–1952; the LZ4 block format; RFC 8878.

mod block;
#[cfg(feature = "brotli")]
pub(crate) mod brotli;
mod contract;
mod custom;
mod error;
mod method;
mod method_table;

pub use block::{compress, decode, encoder_len, max_scratch_len};
pub use contract::{Codec, LevelRange, Scratch};
pub use custom::Codecs;
pub use error::{DecodeError, DecodeProblem, EncodeError, EncodeProblem};
pub use method::Method;
pub use method_table::{MethodTable, UnknownMethod};
pub use uncask_oodle::{Error as OodleError, StreamPart as OodlePart};

#[cfg(test)]
mod tests;
