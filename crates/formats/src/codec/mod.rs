//! Blocks to bytes and back, each in one call, each of exactly the size that the table of contents says.
//!
//! ```text
//! method name in the toc │ Method │ a stored block is                                    │ decoded by
//! (index 0)              │ None   │ the bytes themselves                                 │ a copy
//! Zlib, XB1Zlib, …       │ Zlib   │ one RFC 1950 stream: 78 9C … Adler-32                │ libdeflate, or zlib-rs
//! Gzip                   │ Gzip   │ one RFC 1952 member: 1F 8B 08 … CRC-32, length       │ flate2 on zlib-rs
//! LZ4                    │ Lz4    │ one raw LZ4 block, no frame around it                │ liblz4, or lz4_flex
//! Zstd                   │ Zstd   │ one Zstandard frame: 28 B5 2F FD …                   │ libzstd, or ruzstd
//! Oodle                  │ Oodle  │ one Oodle LZ stream: 8C 06 (Kraken), 8C 0A, 8C 0C, … │ `uncask-oodle`
//! ```
//!
//! A user of the library may bring a [`Codec`] for any other name, in [`Codecs`] that are given when containers are opened.
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
mod custom;
mod error;
mod gzip;
mod lz4;
mod method;
mod method_table;
mod oodle;
#[cfg(feature = "oodle-sdk")]
mod oodle_sdk;
mod zlib;
mod zstd;

pub use block::{Scratch, compress, decode, encoder_len, scratch_len};
pub use custom::{Codec, Codecs};
pub use error::{DecodeError, EncodeError};
pub use method::Method;
pub use method_table::{MethodTable, UnknownMethod};
pub use uncask_oodle::{Error as OodleError, Part as OodlePart};

#[cfg(test)]
mod tests;
