//! The C library, by its safe wrapper.

use crate::codec::{DecodeError, EncodeError, Method};
use ::zstd::zstd_safe::{self, CCtx, DCtx, ErrorCode};

/// Reusable contexts.
#[derive(Default)]
pub(in crate::codec) struct Scratch {
    decompress: Option<DCtx<'static>>,
    compress: Option<CCtx<'static>>,
}

/// Decodes a frame that is all of `src` and gives all of `dst`.
///
/// The library itself would take several frames one after the other, and skip frames of other magic.
pub(in crate::codec) fn decompress(
    src: &[u8],
    dst: &mut [u8],
    scratch: &mut Scratch,
) -> Result<(), DecodeError> {
    let method = Method::Zstd;
    let malformed = |code| DecodeError::Malformed { method, reason: reason(code) };
    let frame_len = zstd_safe::find_frame_compressed_size(src).map_err(malformed)?;
    DecodeError::check_end(method, src.len().saturating_sub(frame_len))?;
    if let Ok(Some(len)) = zstd_safe::get_frame_content_size(src) {
        DecodeError::check_len(method, usize::try_from(len).unwrap_or(usize::MAX), dst.len())?;
    }
    let context = scratch.decompress.get_or_insert_with(DCtx::create);
    let found = context.decompress(dst, src).map_err(malformed)?;
    DecodeError::check_len(method, found, dst.len())
}

/// Appends `src` as one frame to `out`, which is empty.
pub(in crate::codec) fn compress(
    src: &[u8],
    level: i32,
    out: &mut Vec<u8>,
    scratch: &mut Scratch,
) -> Result<(), EncodeError> {
    out.reserve(zstd_safe::compress_bound(src.len()));
    let context = scratch.compress.get_or_insert_with(CCtx::create);
    context
        .compress(out, src, level)
        .map_err(|code| EncodeError::Failed { method: Method::Zstd, reason: reason(code) })?;
    Ok(())
}

fn reason(code: ErrorCode) -> String {
    zstd_safe::get_error_name(code).to_owned()
}
