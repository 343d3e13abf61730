//! Zlib streams, and the deflate engine that gzip members share: `flate2` on zlib-rs.

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
    let used = inflater.run(Method::Zlib, Wrapper::Zlib, src, dst)?;
    DecodeError::check_end(Method::Zlib, src.len().saturating_sub(used))
}

/// A reusable inflate window.
#[derive(Default)]
pub(super) struct Inflater(Option<Decompress>);

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
        let stream = self.0.get_or_insert_with(|| Decompress::new(zlib_header));
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
pub(super) struct Deflater(Option<(i32, Compress)>);

impl Deflater {
    /// Appends `src` as one stream to `out`.
    pub(super) fn run(
        &mut self,
        wrapper: Wrapper,
        level: i32,
        src: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
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
        if self.0.as_ref().is_none_or(|(own, _)| *own != level) {
            self.0 = None;
        }
        let (_, stream) = self.0.get_or_insert_with(|| {
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
