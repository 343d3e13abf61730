use super::ShaderGroup;
use crate::codec::{DecodeError, Method, Scratch, decode};
use std::borrow::Cow;

/// The code of a group, from the content of its chunk.
///
/// The chunk may be compressed once more than the blocks that it lies in, by a method that is nowhere named: it is
/// told from the first bytes. LZ4 leaves no mark, so it is what is tried when nothing else is likely, or works. The
/// caller checks that `raw_len` bytes may be allocated.
pub fn decompress_group<'a>(
    group: &ShaderGroup,
    content: &'a [u8],
    scratch: &mut Scratch,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    if group.raw_len == group.stored_len {
        // Checks the length.
        let len = group.raw_len as usize;
        return match content.len() == len {
            true => Ok(Cow::Borrowed(content)),
            false => Err(DecodeError::Short { method: Method::None, found: content.len(), expected: len }),
        };
    }
    let mut code = vec![0; group.raw_len as usize];
    let likely = Method::sniff(content).unwrap_or(Method::Lz4);
    match decode(likely, content, &mut code, scratch) {
        Err(error) if decode(Method::Lz4, content, &mut code, scratch).is_err() => Err(error),
        _ => Ok(Cow::Owned(code)),
    }
}
