//! Blocks to bytes and back, each in one call, each of exactly the size that the table of contents says.
//!
//! ```text
//! a file's method index ──MethodTable──▶ Method ──its row, or Codecs──▶ dyn Codec ──decode, encode──▶ bytes, block
//! ```
//!
//! [`Method`] has a row for each built-in codec, which says how its blocks look. A user of the library may bring a [`Codec`]
//! for any other name, in [`Codecs`] that are given when containers are opened.
//!
//! [`decode`] fills its output exactly or fails: output that is short or would be long, and input that goes on after
//! the end of its stream, are errors. What the output holds after an error is not specified. A [`Scratch`] keeps the
//! tables and windows that codecs need; with one per thread, no block costs an allocation.
//!
//! This floor knows nothing of containers: padding and encryption are gone before a block comes here.
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
pub use uncask_oodle::{Error as OodleError, Part as OodlePart};

#[cfg(test)]
mod tests;
