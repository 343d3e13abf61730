//! Zlib streams, and the deflate engine that gzip members share: `flate2` on zlib-rs.
//!
//! With the feature `libdeflate`, that library is tried first for zlib streams: it takes whole blocks only,
//! which is all we have, and is faster for it. It reports only that a stream is bad; zlib-rs then finds the
//! reason.

use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Window of every deflate stream: 32 KiB.
const WINDOW_BITS: u8 = 15;

/// Level by default. With libdeflate, 1 is about twice as fast as 6, which the engine's packager uses, for blocks that are a tenth
/// larger; without it, 3 makes blocks of that size.
const USUAL: i32 = if cfg!(feature = "libdeflate") { 1 } else { 3 };

/// The wrapper around a deflate stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// Nothing.
    Raw,
    /// Two bytes before, Adler-32 after.
    Zlib,
    /// Ten bytes before, CRC-32 and length after.
    Gzip,
}

/// Zlib streams: one stream per block.
#[derive(Debug)]
pub(super) struct Zlib;

impl Codec for Zlib {
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        #[cfg(feature = "libdeflate")]
        if whole::decompress(block, out, scratch) {
            return Ok(());
        }
        // Reached without libdeflate, or after it failed: this decoder says why and where a stream is bad.
        let used = inflate(Wrapper::Zlib, block, out, scratch)?;
        DecodeProblem::check_end(block.len().saturating_sub(used))
    }

    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        #[cfg(feature = "libdeflate")]
        if whole::compress(level, bytes, out, scratch) {
            return Ok(());
        }
        deflate(Wrapper::Zlib, level, bytes, out, scratch)
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LevelRange { lowest: 0, highest: 9, usual: USUAL })
    }

    /// The window, and tables of codes.
    fn scratch_len(&self, _: usize) -> usize {
        64 << 10
    }

    /// The window, hash chains, and pending symbols.
    fn encoder_len(&self, _: i32) -> usize {
        512 << 10
    }
}

/// A reusable inflate window.
#[derive(Default)]
struct Inflater(Option<Decompress>);

/// Decodes a raw or zlib stream into exactly `dst`. Returns the number of bytes of `src` it used.
///
/// Not for gzip: a reset window forgets that wrapper, so `gzip.rs` removes it first.
pub(super) fn inflate(
    wrapper: Wrapper,
    src: &[u8],
    dst: &mut [u8],
    scratch: &mut Scratch,
) -> Result<usize, DecodeProblem> {
    let zlib_header = wrapper == Wrapper::Zlib;
    scratch.with(|Inflater(stream)| {
        let stream = stream.get_or_insert_with(|| Decompress::new(zlib_header));
        // A kept window still holds the state and header mode of the block before, which may have had
        // another wrapper.
        stream.reset(zlib_header);
        let status = stream
            .decompress(src, dst, FlushDecompress::Finish)
            .map_err(|error| DecodeProblem::malformed(error.message().unwrap_or("bad data")))?;
        let used = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
        let found = usize::try_from(stream.total_out()).unwrap_or(usize::MAX);
        match status {
            Status::StreamEnd => DecodeProblem::check_len(found, dst.len()).map(|()| used),
            // It stopped with input left, so the output is full and the stream goes on.
            _ if used < src.len() => Err(DecodeProblem::Long { expected: dst.len() }),
            // All input is used and the stream has not ended.
            _ => Err(DecodeProblem::Truncated { len: src.len() }),
        }
    })
}

/// A reusable deflate window, for one wrapper and level at a time: all blocks of a job use the same.
#[derive(Default)]
struct Deflater(Option<((Wrapper, i32), Compress)>);

impl Deflater {
    fn at_level(&mut self, wrapper: Wrapper, level: i32) -> &mut Compress {
        self.0.take_if(|(made_for, _)| *made_for != (wrapper, level));
        // The level is in 0 to 9 here: `LevelRange::choose` has checked it.
        let compression = Compression::new(level.unsigned_abs());
        let make = || match wrapper {
            Wrapper::Raw => Compress::new(compression, false),
            Wrapper::Zlib => Compress::new(compression, true),
            Wrapper::Gzip => Compress::new_gzip(compression, WINDOW_BITS),
        };
        &mut self.0.get_or_insert_with(|| ((wrapper, level), make())).1
    }
}

/// Appends `src` as one stream to `out`.
pub(super) fn deflate(
    wrapper: Wrapper,
    level: i32,
    src: &[u8],
    out: &mut Vec<u8>,
    scratch: &mut Scratch,
) -> Result<(), EncodeProblem> {
    scratch.with(|deflater: &mut Deflater| {
        let stream = deflater.at_level(wrapper, level);
        stream.reset();
        let mut rest = src;
        loop {
            // Enough for one call: deflate adds five bytes for each 16 KiB that it cannot compress.
            out.reserve(rest.len() + rest.len() / 1024 + 64);
            let before = stream.total_in();
            let status =
                stream.compress_vec(rest, out, FlushCompress::Finish).map_err(EncodeProblem::failed)?;
            if status == Status::StreamEnd {
                return Ok(());
            }
            // The buffer was full. Continue with what the encoder has not taken.
            let taken = usize::try_from(stream.total_in() - before).unwrap_or(usize::MAX);
            rest = rest.get(taken..).unwrap_or_default();
        }
    })
}

/// Whole blocks, by libdeflate.
#[cfg(feature = "libdeflate")]
mod whole {
    use crate::codec::Scratch;
    use libdeflater::{CompressionLvl, Compressor, Decompressor, adler32};

    /// True if `src` is a zlib stream that gives exactly `dst`.
    pub(super) fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> bool {
        scratch.with(|decompressor: &mut Option<Decompressor>| {
            let decompressor = decompressor.get_or_insert_with(Decompressor::new);
            // The library does not report the end of the stream; it must be the Adler-32 of the content.
            decompressor.zlib_decompress(src, dst) == Ok(dst.len())
                && src.last_chunk() == Some(&adler32(dst).to_be_bytes())
        })
    }

    /// Appends `src` as one zlib stream to `out`; false if the library cannot.
    pub(super) fn compress(level: i32, src: &[u8], out: &mut Vec<u8>, scratch: &mut Scratch) -> bool {
        scratch.with(|kept: &mut Option<(i32, Compressor)>| {
            kept.take_if(|(made_for, _)| *made_for != level);
            // A compressor has a fixed level, so one of another level is replaced.
            let Ok(of_level) = CompressionLvl::new(level) else { return false };
            let (_, compressor) = kept.get_or_insert_with(|| (level, Compressor::new(of_level)));
            let start = out.len();
            out.resize(start + compressor.zlib_compress_bound(src.len()), 0);
            let written = out.get_mut(start..).and_then(|to| compressor.zlib_compress(src, to).ok());
            out.truncate(start + written.unwrap_or(0));
            written.is_some()
        })
    }
}

#[cfg(all(test, feature = "libdeflate"))]
mod tests {
    use super::*;

    /// True for each of the two decoders that takes `src` for exactly `len` bytes; where both do, they
    /// agree.
    fn both(src: &[u8], len: usize) -> (bool, bool) {
        let (mut scratch, mut fast, mut slow) = (Scratch::default(), vec![0; len], vec![0; len]);
        let by_whole = whole::decompress(src, &mut fast, &mut scratch);
        let used = inflate(Wrapper::Zlib, src, &mut slow, &mut scratch);
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
                Zlib.encode(&content, level, &mut src, &mut Scratch::default()).unwrap();
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
        Zlib.encode(&content, 6, &mut src, &mut Scratch::default()).unwrap();
        for at in 0..src.len() {
            src[at] ^= 1 << (at % 8);
            let (by_whole, by_stream) = both(&src, content.len());
            assert_eq!(by_whole, by_stream, "byte {at}");
            src[at] ^= 1 << (at % 8);
        }
    }
}
