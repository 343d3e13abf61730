//! Zlib streams, and the deflate engine that gzip members share: `flate2` on zlib-rs.
//!
//! With the feature `libdeflate`, that library makes and decodes zlib streams: it needs all of a block at once, which is what
//! there is, and is faster for it. It only says that a stream is bad; what is bad about it, zlib-rs finds out.

use super::{DecodeError, EncodeError, Method};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Window of every deflate stream: 32 KiB.
const WINDOW_BITS: u8 = 15;

/// What is around a deflate stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// Nothing.
    Raw,
    /// Two bytes before, Adler-32 after.
    Zlib,
    /// Ten bytes before, CRC-32 and length after.
    Gzip,
}

/// Decodes a zlib stream that is all of `src` and gives all of `dst`.
pub(super) fn decompress(src: &[u8], dst: &mut [u8], inflater: &mut Inflater) -> Result<(), DecodeError> {
    #[cfg(feature = "libdeflate")]
    if inflater.whole.decompress(src, dst) {
        return Ok(());
    }
    let used = inflater.run(Method::Zlib, Wrapper::Zlib, src, dst)?;
    DecodeError::check_end(Method::Zlib, src.len().saturating_sub(used))
}

/// A reusable inflate window.
#[derive(Default)]
pub(super) struct Inflater {
    stream: Option<Decompress>,
    #[cfg(feature = "libdeflate")]
    whole: Whole,
}

/// Decodes whole blocks.
#[cfg(feature = "libdeflate")]
#[derive(Default)]
struct Whole(Option<libdeflater::Decompressor>);

#[cfg(feature = "libdeflate")]
impl Whole {
    /// Whether `src` is a zlib stream that gives exactly `dst`.
    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> bool {
        let decompressor = self.0.get_or_insert_with(libdeflater::Decompressor::new);
        if decompressor.zlib_decompress(src, dst) != Ok(dst.len()) {
            return false;
        }
        // It does not report where the stream ended, but a stream ends with the Adler-32 of its content.
        src.last_chunk() == Some(&libdeflater::adler32(dst).to_be_bytes())
    }
}

impl Inflater {
    /// Decodes a raw or zlib stream into exactly `dst`, and says how many bytes of `src` it took.
    ///
    /// It is not for gzip: a reset window forgets that wrapper, so `gzip.rs` takes it off itself.
    pub(super) fn run(
        &mut self,
        method: Method,
        wrapper: Wrapper,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<usize, DecodeError> {
        let zlib_header = wrapper == Wrapper::Zlib;
        let stream = self.stream.get_or_insert_with(|| Decompress::new(zlib_header));
        stream.reset(zlib_header);
        let status = stream.decompress(src, dst, FlushDecompress::Finish).map_err(|error| {
            DecodeError::Malformed { method, reason: error.message().unwrap_or("bad data").to_owned() }
        })?;
        let used = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
        let found = usize::try_from(stream.total_out()).unwrap_or(usize::MAX);
        match status {
            Status::StreamEnd => DecodeError::check_len(method, found, dst.len()).map(|()| used),
            _ if used < src.len() => Err(DecodeError::Long { method, expected: dst.len() }),
            _ => Err(DecodeError::Truncated { method, len: src.len() }),
        }
    }
}

/// A reusable deflate window, for one wrapper.
#[derive(Default)]
pub(super) struct Deflater {
    stream: Option<(i32, Compress)>,
    #[cfg(feature = "libdeflate")]
    whole: WholeCompressor,
}

/// Compresses whole blocks, at a level.
#[cfg(feature = "libdeflate")]
#[derive(Default)]
struct WholeCompressor(Option<(i32, libdeflater::Compressor)>);

#[cfg(feature = "libdeflate")]
impl WholeCompressor {
    /// Appends `src` as one zlib stream to `out`, if it can.
    fn compress(&mut self, level: i32, src: &[u8], out: &mut Vec<u8>) -> bool {
        if self.0.as_ref().is_none_or(|(own, _)| *own != level) {
            let level_of = libdeflater::CompressionLvl::new(level);
            self.0 = level_of.ok().map(|lvl| (level, libdeflater::Compressor::new(lvl)));
        }
        let Some((_, compressor)) = &mut self.0 else { return false };
        let start = out.len();
        out.resize(start + compressor.zlib_compress_bound(src.len()), 0);
        let written = out.get_mut(start..).and_then(|to| compressor.zlib_compress(src, to).ok());
        out.truncate(start + written.unwrap_or(0));
        written.is_some()
    }
}

impl Deflater {
    /// Appends `src` as one stream to `out`.
    pub(super) fn run(
        &mut self,
        wrapper: Wrapper,
        level: i32,
        src: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        #[cfg(feature = "libdeflate")]
        if wrapper == Wrapper::Zlib && self.whole.compress(level, src, out) {
            return Ok(());
        }
        let method = if wrapper == Wrapper::Gzip { Method::Gzip } else { Method::Zlib };
        let stream = self.at_level(wrapper, level);
        stream.reset();
        let mut rest = src;
        loop {
            // Enough for one call: deflate adds five bytes for each 16 KiB that it cannot compress.
            out.reserve(rest.len() + rest.len() / 1024 + 64);
            let before = stream.total_in();
            let status = stream
                .compress_vec(rest, out, FlushCompress::Finish)
                .map_err(|error| EncodeError::Failed { method, reason: error.to_string() })?;
            if status == Status::StreamEnd {
                return Ok(());
            }
            let taken = usize::try_from(stream.total_in() - before).unwrap_or(usize::MAX);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    fn at_level(&mut self, wrapper: Wrapper, level: i32) -> &mut Compress {
        if self.stream.as_ref().is_none_or(|(own, _)| *own != level) {
            self.stream = None;
        }
        let (_, stream) = self.stream.get_or_insert_with(|| {
            let compression = Compression::new(level.unsigned_abs());
            (
                level,
                match wrapper {
                    Wrapper::Raw => Compress::new(compression, false),
                    Wrapper::Zlib => Compress::new(compression, true),
                    Wrapper::Gzip => Compress::new_gzip(compression, WINDOW_BITS),
                },
            )
        });
        stream
    }
}

#[cfg(all(test, feature = "libdeflate"))]
mod tests {
    use super::*;

    /// Whether each of the two decoders takes `src` for exactly `len` bytes; where both do, they agree.
    fn both(src: &[u8], len: usize) -> (bool, bool) {
        let (mut inflater, mut fast, mut slow) = (Inflater::default(), vec![0; len], vec![0; len]);
        let by_whole = inflater.whole.decompress(src, &mut fast);
        let used = inflater.run(Method::Zlib, Wrapper::Zlib, src, &mut slow);
        let by_stream = used == Ok(src.len());
        assert!(!(by_whole && by_stream) || fast == slow);
        (by_whole, by_stream)
    }

    #[test]
    fn both_decoders_take_the_same_streams() {
        for len in [0_usize, 1, 100, 65_536, 200_000] {
            let content: Vec<u8> = (0..len).map(|n| u8::try_from(n * n / 97 % 253).unwrap()).collect();
            for level in [0, 1, 6, 9] {
                let mut src = Vec::new();
                Deflater::default().run(Wrapper::Zlib, level, &content, &mut src).unwrap();
                assert_eq!(both(&src, len), (true, true), "{len} bytes, level {level}");
                assert_eq!(both(&src, len + 1), (false, false), "too short");
                if len > 0 {
                    assert_eq!(both(&src, len - 1), (false, false), "too long");
                }
                src.push(0);
                assert_eq!(both(&src, len), (false, false), "something after the end");
                src.truncate(src.len() - 3);
                assert_eq!(both(&src, len), (false, false), "cut off");
            }
        }
    }

    #[test]
    fn both_decoders_find_flipped_bits() {
        let content: Vec<u8> = (0..5000_usize).map(|n| u8::try_from(n * n / 97 % 253).unwrap()).collect();
        let mut src = Vec::new();
        Deflater::default().run(Wrapper::Zlib, 6, &content, &mut src).unwrap();
        for at in 0..src.len() {
            src[at] ^= 1 << (at % 8);
            let (by_whole, by_stream) = both(&src, content.len());
            assert_eq!(by_whole, by_stream, "byte {at}");
            src[at] ^= 1 << (at % 8);
        }
    }
}
