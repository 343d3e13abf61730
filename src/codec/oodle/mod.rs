//! Oodle: the codecs of nearly every shipped Unreal Engine game, decoded without the proprietary library.
//!
//! ```text
//!   stream   = block …                      one per 256 KiB of output
//!   block    = header (2 bytes), quantum    or raw bytes
//!   quantum  = size (3 bytes), chunk …      or raw bytes, or one byte repeated
//!   chunk    = size and mode (3 bytes), LZ  one per 128 KiB of output; or raw bytes, or one entropy-coded array
//!   LZ       = arrays: literals, commands, offsets, lengths; each entropy-coded on its own
//! ```
//!
//! Decoder ids: 6 **Kraken** (Huffman throughout), 10 **Mermaid** and **Selkie** (bytewise commands; Selkie leaves all
//! arrays raw), 12 **Leviathan** (several literal models). "Hydra" is an encoder setting that picks among them.
//!
//! A stream does not tell its raw size: [`decompress`] fills the output it is given exactly, or errs. There is no
//! checksum in the streams of Unreal Engine; containers hash whole chunks.

mod backend;
mod bits;
mod compress;
#[cfg(not(feature = "oodle-safe-only"))]
mod copy;
mod entropy;
mod error;
mod header;
mod lz;
mod scratch;
mod stream;

pub use backend::Backend;
pub use compress::{Format, Matcher, compress};
pub use error::{OodleError, Part};
pub use scratch::Scratch;
pub use stream::decompress;
