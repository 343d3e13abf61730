//! Codecs that users of the library bring along, for games with compression of their own.

use super::{DecodeError, Method};
use std::fmt;
use std::sync::Arc;

/// A decoder for the blocks of a method.
pub trait Codec: fmt::Debug + Send + Sync {
    /// Decodes one block into all of `out`, whose length is that of the decoded block. It says what is wrong with a block
    /// that gives fewer or more bytes, or is damaged. Blocks come from files: nothing in them can be relied on.
    ///
    /// Workers call it at the same time.
    fn decode(&self, block: &[u8], out: &mut [u8]) -> Result<(), String>;
}

/// Codecs by the method names that tables of contents use. A clone is another handle of the same codecs.
#[derive(Debug, Clone, Default)]
pub struct Codecs {
    entries: Vec<(String, Arc<dyn Codec>)>,
}

impl Codecs {
    /// Adds a codec for the blocks of a method; letter case does not matter. It goes before a built-in one of that name, and
    /// before those that were added earlier.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, codec: impl Codec + 'static) -> Self {
        self.entries.push((name.into(), Arc::new(codec)));
        self
    }

    /// What the blocks of a method are decoded by, if it is one of these codecs.
    pub(super) fn method(&self, name: &str) -> Option<Method> {
        let found = self.entries.iter().rposition(|(known, _)| known.eq_ignore_ascii_case(name))?;
        u8::try_from(found).ok().map(Method::Custom)
    }

    pub(super) fn decode(&self, number: u8, block: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
        let Some((name, codec)) = self.entries.get(usize::from(number)) else {
            return Err(DecodeError::NoCodec);
        };
        codec.decode(block, out).map_err(|reason| DecodeError::Custom { name: name.clone(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{MethodTable, Scratch, decode};

    /// Fills its output with a byte.
    #[derive(Debug)]
    struct Fill(u8);

    impl Codec for Fill {
        fn decode(&self, block: &[u8], out: &mut [u8]) -> Result<(), String> {
            if !block.is_empty() {
                return Err(format!("has {} bytes", block.len()));
            }
            out.fill(self.0);
            Ok(())
        }
    }

    #[test]
    fn codecs_go_before_built_in_ones_and_later_ones_before_earlier_ones() {
        let codecs = Codecs::default().with("MyGame", Fill(1)).with("oodle", Fill(2)).with("MYGAME", Fill(3));
        let table = MethodTable::new(["mygame", "Oodle", "Zlib", "LZO"]).with_codecs(&codecs);
        let fill = |index: u8| {
            let mut out = [0; 2];
            let method = table.lookup(index).unwrap();
            table.decode(method, &[], &mut out, &mut Scratch::default()).map(|()| out)
        };
        assert_eq!((fill(1), fill(2)), (Ok([3; 2]), Ok([2; 2])));
        assert_eq!(table.lookup(3), Ok(Method::Zlib));
        assert!(table.lookup(4).is_err());
        assert_eq!(table.name(1), Some("mygame"));
    }

    #[test]
    fn errors_name_the_codec() {
        let table = MethodTable::new(["MyGame"]).with_codecs(&Codecs::default().with("MyGame", Fill(1)));
        let (method, mut scratch) = (table.lookup(1).unwrap(), Scratch::default());
        let error = table.decode(method, &[0; 3], &mut [0; 2], &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "MyGame block is malformed: has 3 bytes");
        let error = decode(method, &[], &mut [], &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "no codec is registered for the block");
    }
}
