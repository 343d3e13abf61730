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
//! # What is tested, and how
//!
//! | feature | by |
//! |---|---|
//! | memset and stored quanta, stored blocks, entropy-only and raw chunks | vectors, encoder, real containers |
//! | Huffman: new, sparse, one symbol; RLE; concatenation; tANS; multi-arrays | vectors, real containers and streams |
//! | Huffman: dense; Mermaid, Selkie and Leviathan with all their modes | real streams, synthetic streams, `oozextract` |
//! | Kraken: delta and raw literals, legacy and scaled offsets | real containers, synthetic streams, `oozextract` |
//! | restarts, changes of codec between blocks | synthetic streams |
//! | checksums (skipped), excess framing, far offsets beyond 12 MiB | **the format description alone vouches for them** |
//!
//! All sets of kernels ([`Backend`]) must give the same bytes; the plain one has no `unsafe` and is the oracle.
//! `examples/oodle_fuzz` compares them and `oozextract` over mutated streams:
//!
//! | | where the two differ |
//! |---|---|
//! | stricter here | bytes behind the stream; quanta longer than what they decode to; |
//! | | list entries, literals or lists that are left over or missing; |
//! | | distances below 8 (Leviathan: if the match overlaps itself, or literals are relative); |
//! | | a payload behind a one-symbol table; a multi-array beyond its bits |
//! | laxer here | the checksum flag; excess framing; quanta stored raw; tANS arrays of a few bytes; |
//! | | Leviathan commands in the last 16 bytes of a chunk, where encoders have none but the format does not forbid them |
//!
//! A stream does not tell its raw size: [`decompress`] fills the output it is given exactly, or errs. There is no
//! checksum in the streams of Unreal Engine; containers hash whole chunks.

mod backend;
mod bits;
mod compress;
#[cfg(not(feature = "safe-only"))]
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
