use super::ShaderGroup;
use crate::codec::{DecodeError, Method, Scratch, decode};
use std::borrow::Cow;

/// Decompresses the code of a group from the content of its chunk.
///
/// The chunk may be compressed once more, independent of its blocks, by a method that is recorded nowhere:
/// the first bytes reveal it. LZ4 has no magic, so it is tried if no other method is likely, or works. The
/// caller checks that `raw_len` bytes may be allocated.
pub fn decompress_group<'a>(
    group: &ShaderGroup,
    content: &'a [u8],
    scratch: &mut Scratch,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    let stored = group.raw_len == group.stored_len;
    // Equal lengths mean that the code is not compressed.
    if stored && content.len() == group.raw_len as usize {
        return Ok(Cow::Borrowed(content));
    }
    let mut code = vec![0; group.raw_len as usize];
    // Equal lengths with other content lengths are damage; the copy then fails with a precise error.
    let likely = if stored { Method::None } else { Method::sniff(content).unwrap_or(Method::Lz4) };
    match decode(likely, content, &mut code, scratch) {
        // The first error is the better one: LZ4 fails on any data that is not LZ4.
        Err(error) if stored || decode(Method::Lz4, content, &mut code, scratch).is_err() => Err(error),
        _ => Ok(Cow::Owned(code)),
    }
}
