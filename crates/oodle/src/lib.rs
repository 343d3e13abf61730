//! A decoder and an encoder for Oodle-compatible streams: Kraken, Mermaid, Selkie, and (decoder only)
//! Leviathan, the codecs of nearly every shipped Unreal Engine game. Pure Rust without dependencies; `no_std`
//! with `alloc`. It contains no code of RAD Game Tools or Epic Games, and needs no library of theirs.
//!
//! # Use
//!
//! A stream does not record its raw size: the decoder fills the given slice exactly, or fails. Keep a
//! [`Scratch`] and a [`Matcher`] per thread, so that no stream costs an allocation of tables.
//!
//! ```
//! use uncask_oodle::{Compressor, Error, Matcher, Scratch, StreamPart, compress, decompress};
//!
//! let text = b"to be, or not to be, ".repeat(40);
//! let (mut matcher, mut scratch) = (Matcher::default(), Scratch::default());
//!
//! let mut stored = Vec::new();
//! compress(Compressor::Kraken, &text, &mut stored, &mut matcher);
//! assert!(stored.len() < 100);
//!
//! let mut raw = vec![0; text.len()];
//! decompress(&stored, &mut raw, &mut scratch)?;
//! assert_eq!(raw, text);
//!
//! // Whatever the input, the result is an error or exactly the bytes that were asked for.
//! let cut_off = decompress(&stored[..1], &mut raw, &mut scratch);
//! assert_eq!(cut_off, Err(Error::Truncated(StreamPart::BlockHeader)));
//! # Ok::<(), Error>(())
//! ```
//!
//! # The format
//!
//! ```text
//!   stream   = block …                      one per 256 KiB of output
//!   block    = header (2 bytes), quantum    or raw bytes
//!   quantum  = size (3 bytes), chunk …      or raw bytes, or one byte repeated
//!   chunk    = size and mode (3 bytes), LZ  one per 128 KiB of output; or raw bytes, or one entropy-coded array
//!   LZ       = arrays: literals, commands, offsets, lengths; each entropy-coded on its own
//! ```
//!
//! The shortest stream, five times `a`:
//!
//! ```text
//!   8C       block header: 0C in the low bits, 80 the history starts here (40 would be: raw bytes follow)
//!   06       codec 6 (80 would be: a checksum follows the size)
//!   07 FF FF quantum header, size 3FFFF and type 1: one byte repeated
//!   61       that byte
//! ```
//!
//! Decoder ids: 6 **Kraken** (Huffman throughout), 10 **Mermaid** and **Selkie** (bytewise commands; Selkie
//! leaves all arrays raw), 12 **Leviathan** (several literal models). "Hydra" is an encoder setting that
//! picks among them. LZNA (5), BitKnit (11), LZB16 (2) and older codecs are rejected:
//! [`Error::UnsupportedCodec`].
//!
//! The modules follow the format, each with a picture of its part: `header`, `stream`, `entropy` (arrays:
//! Huffman, tANS, run lengths, concatenations, multi-arrays), `lz` (the three codecs), `compress`.
//!
//! # Tests
//!
//! | feature | by |
//! |---|---|
//! | memset and stored quanta, stored blocks, entropy-only and raw chunks | vectors, encoder, real containers |
//! | Huffman: new, sparse, one symbol; RLE; concatenation; tANS; multi-arrays | vectors, real containers and streams |
//! | Huffman: dense; Mermaid, Selkie and Leviathan with all their modes | real and synthetic streams, `oozextract` |
//! | Kraken: delta and raw literals, legacy and scaled offsets | real containers, synthetic streams, `oozextract` |
//! | restarts, changes of codec between blocks | synthetic streams |
//! | checksums (skipped), excess framing, far offsets beyond 12 MiB | **nothing but the description of the format** |
//!
//! All kernel sets ([`Backend`]) must give the same bytes; the plain one has no `unsafe` and is the oracle.
//! The feature `safe-only` leaves out all others. `examples/oodle_fuzz` compares them and `oozextract` over
//! mutated streams:
//!
//! | | differences |
//! |---|---|
//! | stricter here | bytes after the stream; quanta longer than what they decode to; |
//! | | list entries, literals or lists that are left over or missing; |
//! | | distances below 8 (Leviathan: if the match overlaps itself, or literals are relative); |
//! | | a payload after a one-symbol table; a multi-array beyond its bits |
//! | laxer here | the checksum flag; excess framing; quanta stored raw; tANS arrays of a few bytes; |
//! | | Leviathan commands in the last 16 bytes of a chunk: encoders have none there, the format allows them |
//!
//! The streams of Unreal Engine contain no checksum; containers hash whole chunks.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

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
mod views;

pub use backend::Backend;
pub use compress::{Compressor, Effort, Matcher, compress};
pub use error::{Error, StreamPart};
pub use scratch::Scratch;
pub use stream::decompress;
