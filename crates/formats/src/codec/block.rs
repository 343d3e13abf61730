//! One block to bytes and back, by whichever codec its method names.

use super::error::{DecodeError, EncodeError, checked_level};
use super::method::Method;
use super::{gzip, lz4, oodle, zlib, zstd};

/// What codecs reuse between blocks: one per thread.
///
/// It starts empty; each codec makes its part when it is first used.
#[derive(Default)]
pub struct Scratch {
    inflate: zlib::Inflater,
    zlib: zlib::Deflater,
    gzip: zlib::Deflater,
    lz4: lz4::Scratch,
    zstd: zstd::Scratch,
    oodle: oodle::Scratch,
}

impl Scratch {
    /// Bytes of memory that it takes at most, once it has decoded blocks of every method.
    pub const MAX_LEN: usize =
        scratch_len(Method::Zlib, 0) + scratch_len(Method::Zstd, 0) + scratch_len(Method::Oodle, 0);
}

/// Bytes of memory that decoding blocks of a method takes beside the blocks themselves, of which the longest has `raw_len` bytes.
///
/// The length matters only for long Zstd blocks without the feature `zstd`; what they take is given back after each.
#[must_use]
pub const fn scratch_len(method: Method, raw_len: usize) -> usize {
    match method {
        Method::None | Method::Lz4 | Method::Custom(_) => 0,
        Method::Zlib | Method::Gzip => 64 << 10,
        Method::Zstd => zstd::scratch_len(raw_len),
        Method::Oodle => uncask_oodle::Scratch::LEN,
    }
}

/// Bytes of memory that encoding blocks of a method takes at most, at a level or the usual one, beside the blocks themselves.
#[must_use]
pub const fn encoder_len(method: Method, level: Option<i32>) -> usize {
    match method {
        Method::None | Method::Custom(_) => 0,
        Method::Lz4 => 64 << 10,
        Method::Zlib | Method::Gzip => 512 << 10,
        // Of the library in C, for blocks as they usually are.
        Method::Zstd => 2 << 20,
        // The places of a window of a mebibyte, and the lists of a chunk; of the optimal parser, all that it may choose from.
        Method::Oodle => match level {
            Some(4..) => 18 << 20,
            _ => 7 << 20,
        },
    }
}

/// Decodes one block into exactly `dst`, by a built-in codec; [`MethodTable::decode`](super::MethodTable::decode) knows others, too.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::codec::{DecodeError, Method, Scratch, compress, decode};
///
/// let (mut block, mut scratch) = (Vec::new(), Scratch::default());
/// compress(Method::Zlib, b"uncask uncask uncask", None, &mut block, &mut scratch)?;
///
/// let mut bytes = [0; 20];
/// decode(Method::Zlib, &block, &mut bytes, &mut scratch)?;
/// assert_eq!(&bytes, b"uncask uncask uncask");
///
/// let error = decode(Method::Zlib, &block, &mut [0; 21], &mut scratch).unwrap_err();
/// assert_eq!(error.to_string(), "Zlib block decodes to 20 bytes, expected 21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decode(method: Method, src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeError> {
    match method {
        Method::None => copy(src, dst),
        Method::Zlib => zlib::decompress(src, dst, &mut scratch.inflate),
        Method::Gzip => gzip::decompress(src, dst, &mut scratch.inflate),
        Method::Lz4 => lz4::decompress(src, dst),
        Method::Zstd => zstd::decompress(src, dst, &mut scratch.zstd),
        Method::Oodle => oodle::decompress(src, dst, &mut scratch.oodle),
        Method::Custom(_) => Err(DecodeError::NoCodec),
    }
}

/// Compresses `src` into one block, which replaces what `out` holds.
///
/// The level is the codec's own: 0–9 for Zlib and Gzip (6 if none is given), 1–22 for Zstd (3), and for Oodle 0 Kraken by
/// a fast parse, 1 Selkie, 2 Mermaid, 3 Kraken, 4 Kraken by an optimal parse (3). LZ4 has one level and None has none, so
/// they take no level.
pub fn compress(
    method: Method,
    src: &[u8],
    level: Option<i32>,
    out: &mut Vec<u8>,
    scratch: &mut Scratch,
) -> Result<(), EncodeError> {
    out.clear();
    let level = checked_level(method, level)?;
    match method {
        Method::None => out.extend_from_slice(src),
        Method::Zlib => scratch.zlib.run(zlib::Wrapper::Zlib, level, src, out)?,
        Method::Gzip => scratch.gzip.run(zlib::Wrapper::Gzip, level, src, out)?,
        Method::Lz4 => lz4::compress(src, out, &mut scratch.lz4)?,
        #[cfg(feature = "zstd")]
        Method::Zstd => zstd::compress(src, level, out, &mut scratch.zstd)?,
        #[cfg(not(feature = "zstd"))]
        Method::Zstd => return Err(EncodeError::NotBuilt { method, feature: "zstd" }),
        Method::Oodle => oodle::compress(src, level, out, &mut scratch.oodle),
        Method::Custom(_) => return Err(EncodeError::OnlyRead),
    }
    Ok(())
}

fn copy(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
    DecodeError::check_len(Method::None, src.len(), dst.len())?;
    dst.copy_from_slice(src);
    Ok(())
}
