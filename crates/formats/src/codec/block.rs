//! Decodes and compresses one block, with the codec that its method names.

use super::contract::{Codec, LevelRange, Scratch};
use super::error::{DecodeError, DecodeProblem, EncodeError, EncodeProblem};
use super::method::Method;

/// Upper bound, in bytes, on the memory of a [`Scratch`] that has decoded blocks of every built-in method.
#[must_use]
pub fn max_scratch_len() -> usize {
    // Length 0: memory that grows with the block is not kept after it.
    Method::ALL.iter().filter_map(|method| method.codec()).map(|codec| codec.scratch_len(0)).sum()
}

/// Upper bound, in bytes, on the memory an encoder of a built-in method takes at this level (`None`: the
/// usual one), not counting the blocks themselves.
#[must_use]
pub fn encoder_len(method: Method, level: Option<i32>) -> usize {
    let len_of = |codec: &dyn Codec| {
        let usual = codec.levels().map_or(0, |levels| levels.usual);
        codec.encoder_len(level.unwrap_or(usual))
    };
    method.codec().map_or(0, len_of)
}

/// Decodes one block into exactly `dst` with a built-in codec.
/// [`MethodTable::decode`](super::MethodTable::decode) also finds user-supplied ones.
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
    NamedCodec::built_in(method).decode(src, dst, scratch)
}

/// Compresses `src` into one block, which replaces the contents of `out`. Each codec has its own levels:
/// see [`Method`].
pub fn compress(
    method: Method,
    src: &[u8],
    level: Option<i32>,
    out: &mut Vec<u8>,
    scratch: &mut Scratch,
) -> Result<(), EncodeError> {
    NamedCodec::built_in(method).compress(src, level, out, scratch)
}

/// A codec and its name for messages; `codec` is `None` if a user-supplied one was not registered.
#[derive(Clone, Copy)]
pub(super) struct NamedCodec<'a> {
    pub(super) name: &'a str,
    pub(super) codec: Option<&'a dyn Codec>,
}

impl NamedCodec<'_> {
    pub(super) fn built_in(method: Method) -> Self {
        Self { name: method.name(), codec: method.codec() }
    }

    pub(super) fn decode(self, src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeError> {
        let decoded = match self.codec {
            Some(codec) => codec.decode(src, dst, scratch),
            None => Err(DecodeProblem::NoCodec),
        };
        // Codecs do not know the name they were registered for, so it is added here.
        decoded.map_err(|problem| DecodeError { method: self.name.to_owned(), problem })
    }

    pub(super) fn compress(
        self,
        src: &[u8],
        level: Option<i32>,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeError> {
        // `Codec::encode` appends to an empty buffer; a caller reuses one from block to block.
        out.clear();
        let encoded = self.codec.ok_or(EncodeProblem::NoCodec).and_then(|codec| {
            // Checked here, so that no codec has to check the range again.
            let level = LevelRange::choose(codec.levels(), level)?;
            codec.encode(src, level, out, scratch)
        });
        encoded.map_err(|problem| EncodeError { method: self.name.to_owned(), problem })
    }
}
