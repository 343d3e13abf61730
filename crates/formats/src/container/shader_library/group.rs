use super::ShaderGroup;
use crate::codec::{DecodeError, Method, Scratch, decode};
use std::borrow::Cow;

/// The code of a group, from the content of its chunk.
///
/// The chunk may be compressed again, apart from the blocks that it lies in, by a method that is recorded nowhere: the first
/// bytes show which. LZ4 leaves no mark, so it is tried when no other method is likely, or works. The caller checks that
/// `raw_len` bytes may be allocated.
pub fn decompress_group<'a>(
    group: &ShaderGroup,
    content: &'a [u8],
    scratch: &mut Scratch,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    let stored = group.raw_len == group.stored_len;
    if stored && content.len() == group.raw_len as usize {
        return Ok(Cow::Borrowed(content));
    }
    let mut code = vec![0; group.raw_len as usize];
    let likely = if stored { Method::None } else { Method::sniff(content).unwrap_or(Method::Lz4) };
    match decode(likely, content, &mut code, scratch) {
        Err(error) if stored || decode(Method::Lz4, content, &mut code, scratch).is_err() => Err(error),
        _ => Ok(Cow::Owned(code)),
    }
}
