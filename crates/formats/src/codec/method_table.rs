use super::block::NamedCodec;
use super::contract::Scratch;
use super::custom::Codecs;
use super::error::{DecodeError, EncodeError};
use super::method::Method;
use std::fmt;

/// The method names of a table of contents, which give the method index of a block its meaning.
///
/// ```text
/// index  0     1         2          3
///        None  "Oodle"   ""         "LZO"
///        None  Oodle     (no name)  (unknown: fails only for the blocks that use it)
/// ```
#[derive(Debug, Clone, Default)]
pub struct MethodTable {
    /// Names from index 1 on, as spelled in the file.
    entries: Vec<(String, Option<Method>)>,
    /// The user-supplied codecs.
    codecs: Codecs,
}

impl MethodTable {
    /// Creates a table from the names at index 1 and up. Empty names keep their place, so that later
    /// indices stay right.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let entry = |name: String| (Method::from_name(&name), name);
        let entries = names.into_iter().map(|name| entry(name.into())).map(|(method, name)| (name, method));
        Self { entries: entries.collect(), codecs: Codecs::default() }
    }

    /// Adds user-supplied codecs to the table.
    #[must_use]
    pub fn with_codecs(mut self, codecs: &Codecs) -> Self {
        for (name, method) in &mut self.entries {
            // A codec that the user brings goes before the built-in one of the same name.
            *method = codecs.method(name).or(*method);
        }
        self.codecs = codecs.clone();
        self
    }

    /// Decodes one block into exactly `dst`, with a user-supplied or built-in codec.
    pub fn decode(
        &self,
        method: Method,
        src: &[u8],
        dst: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), DecodeError> {
        self.named(method).decode(src, dst, scratch)
    }

    /// Compresses `src` into one block, which replaces the contents of `out`, with a user-supplied or
    /// built-in codec.
    pub fn compress(
        &self,
        method: Method,
        src: &[u8],
        level: Option<i32>,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeError> {
        self.named(method).compress(src, level, out, scratch)
    }

    /// Memory in bytes for decoding blocks of a method, without the blocks themselves; the longest decodes
    /// to `raw_len` bytes.
    #[must_use]
    pub fn scratch_len(&self, method: Method, raw_len: usize) -> usize {
        self.named(method).codec.map_or(0, |codec| codec.scratch_len(raw_len))
    }

    fn named(&self, method: Method) -> NamedCodec<'_> {
        // A number from another table finds nothing here, and then fails as a method without a codec.
        let supplied = if let Method::Custom(number) = method { self.codecs.get(number) } else { None };
        supplied.map_or(NamedCodec::built_in(method), |(name, codec)| NamedCodec { name, codec: Some(codec) })
    }

    /// Looks up a block's method index.
    pub fn lookup(&self, index: u8) -> Result<Method, UnknownMethod> {
        // Index 0 is `None` in every table and is not stored.
        let Some(slot) = usize::from(index).checked_sub(1) else {
            return Ok(Method::None);
        };
        match self.entries.get(slot) {
            Some((_, Some(method))) => Ok(*method),
            // An unknown name fails only for the blocks that use it: many tables list methods that no block
            // has.
            Some((name, None)) => Err(UnknownMethod { index, name: Some(name.clone()) }),
            None => Err(UnknownMethod { index, name: None }),
        }
    }

    /// The name at a method index, as spelled in the file.
    #[must_use]
    pub fn name(&self, index: u8) -> Option<&str> {
        match usize::from(index).checked_sub(1) {
            Some(slot) => self.entries.get(slot).map(|(name, _)| name.as_str()),
            None => Some(Method::None.name()),
        }
    }

    /// The names from index 1 on, as spelled in the file, including empty ones.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }
}

/// A method index without a known method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMethod {
    /// The index.
    pub index: u8,
    /// The name at that index; `None` past the end of the table.
    pub name: Option<String>,
}

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = self.index;
        match self.name.as_deref() {
            None => write!(f, "compression method {index} is not in the table of method names"),
            Some("") => write!(f, "compression method {index} has an empty name"),
            Some(name) => {
                write!(f, "compression method {name:?} is not supported (known:")?;
                let separators = std::iter::once(" ").chain(std::iter::repeat(", "));
                for (separator, method) in separators.zip(Method::ALL) {
                    write!(f, "{separator}{method}")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl std::error::Error for UnknownMethod {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_every_slot() {
        let table = MethodTable::new(["oodle", "", "LZO", "Zlib"]);
        assert_eq!(table.lookup(0), Ok(Method::None));
        assert_eq!(table.lookup(1), Ok(Method::Oodle));
        assert_eq!(table.lookup(4), Ok(Method::Zlib));
        assert_eq!((table.name(0), table.name(1), table.name(5)), (Some("None"), Some("oodle"), None));
        assert_eq!(table.names().collect::<Vec<_>>(), ["oodle", "", "LZO", "Zlib"]);
    }

    #[test]
    fn what_cannot_be_decoded_is_named() {
        let table = MethodTable::new(["Oodle", "", "LZO"]);
        for (index, text) in [
            (2, "compression method 2 has an empty name"),
            (3, "compression method \"LZO\" is not supported (known: None, Zlib, Gzip, LZ4, Zstd, Oodle)"),
            (4, "compression method 4 is not in the table of method names"),
            (255, "compression method 255 is not in the table of method names"),
        ] {
            assert_eq!(table.lookup(index).unwrap_err().to_string(), text);
        }
    }
}
