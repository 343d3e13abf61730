//! Oodle LZ streams, behind one function.
//!
//! ```text
//! 8C 06 │ quantum: u24 BE, low 18 bits = length - 1 │ …        one block header per 256 KiB of output
//! ││ └─ 06 Kraken, 0A Mermaid or Selkie, 0C Leviathan, 0B BitKnit, 05 LZNA; + 80: checksums present
//! │└─── always C
//! └──── 8: restart, 4: stored
//! ```
//!
//! The decoder is the crate `oozextract`, or with the feature `oodle-sdk` the vendor's own shared library for those
//! who have it. Neither says how much of its input it took, so bytes after the end of a stream go unnoticed; a
//! stream that is cut off does not.
//!
//! Oodle streams come in IoStore blocks since UE 4.27. Sources: the container sheet, section 3.5; `oozextract`.

mod guard;
#[cfg(not(feature = "oodle-sdk"))]
mod oozextract;
#[cfg(feature = "oodle-sdk")]
mod sdk;

pub use guard::in_guarded_call;

#[cfg(not(feature = "oodle-sdk"))]
use self::oozextract as decoder;
#[cfg(feature = "oodle-sdk")]
use self::sdk as decoder;

/// What the decoder reuses between streams.
#[derive(Default)]
pub struct Scratch(decoder::Scratch);

/// Why a stream gives no bytes: the end of a sentence that begins with "an Oodle block".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OodleError {
    /// The first two bytes are those of no Oodle stream.
    #[error("does not start like one")]
    BadHeader,
    /// The decoder found an error, or gave up on the stream in the middle.
    #[error("is malformed")]
    Malformed,
    /// The stream gives fewer bytes than it should.
    #[error("gives {found} bytes, expected {expected}")]
    Short {
        /// Bytes decoded.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The stream should give no bytes, but it is not empty itself.
    #[error("has {len} bytes, expected none for an empty output")]
    NotEmpty {
        /// Length of the stream.
        len: usize,
    },
}

/// Decodes one stream into exactly `dst`. `src` must end where the stream does: without padding.
///
/// ```
/// use uncask::codec::oodle::{Scratch, decompress};
///
/// # if cfg!(feature = "oodle-sdk") { return Ok(()) }
/// let mut bytes = [0; 6];
/// decompress(b"\xCC\x06uncask", &mut bytes, &mut Scratch::default())?;
/// assert_eq!(&bytes, b"uncask");
/// # Ok::<(), uncask::codec::oodle::OodleError>(())
/// ```
pub fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<(), OodleError> {
    if dst.is_empty() {
        return if src.is_empty() { Ok(()) } else { Err(OodleError::NotEmpty { len: src.len() }) };
    }
    match src {
        [first, _, ..] if first & 0x0F == 0x0C => {}
        _ => return Err(OodleError::BadHeader),
    }
    let found = decoder::decompress(src, dst, &mut scratch.0)?;
    if found == dst.len() { Ok(()) } else { Err(OodleError::Short { found, expected: dst.len() }) }
}

#[cfg(test)]
#[cfg(not(feature = "oodle-sdk"))]
mod tests;
