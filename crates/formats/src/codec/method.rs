use super::{Codecs, DecodeError, Scratch};
use std::fmt;

/// How a block is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Stored.
    None,
    /// A zlib stream.
    Zlib,
    /// A gzip member.
    Gzip,
    /// A raw LZ4 block.
    Lz4,
    /// A Zstandard frame.
    Zstd,
    /// An Oodle LZ stream: Kraken, Mermaid, Selkie, Leviathan or older.
    Oodle,
    /// One of the codecs that the user of the library brought along, by its number.
    Custom(u8),
}

impl Method {
    /// All methods that are built in.
    pub const ALL: [Self; 6] = [Self::None, Self::Zlib, Self::Gzip, Self::Lz4, Self::Zstd, Self::Oodle];

    /// The name that Unreal writes into a table of contents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Zlib => "Zlib",
            Self::Gzip => "Gzip",
            Self::Lz4 => "LZ4",
            Self::Zstd => "Zstd",
            Self::Oodle => "Oodle",
            Self::Custom(_) => "custom",
        }
    }

    /// The method of a name; letter case does not matter. The Xbox names mean plain zlib streams.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("XB1Zlib") || is("XboxOneGDKZlib") {
            return Some(Self::Zlib);
        }
        Self::ALL.into_iter().find(|method| is(method.name()))
    }

    /// The method whose mark a block begins with; `None` for LZ4, which has none, and for anything else.
    #[must_use]
    pub fn sniff(block: &[u8]) -> Option<Self> {
        match block {
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            // The history starts here, as it must in the first block; then the number of a codec.
            [0x8C | 0xCC, codec, ..] if matches!(codec & 0x7F, 5..=13) => Some(Self::Oodle),
            // Deflate with a window of at most 32 KiB, and a check that both bytes share.
            [a, b, ..] if a & 0x8F == 8 && u16::from_be_bytes([*a, *b]).is_multiple_of(31) => {
                Some(Self::Zlib)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The method names of a table of contents: what the method index of a block means.
///
/// ```text
/// index  0     1         2          3
///        None  "Oodle"   ""         "LZO"
///        None  Oodle     (no name)  (unknown: fails only for the blocks that use it)
/// ```
#[derive(Debug, Clone, Default)]
pub struct MethodTable {
    /// Names from index 1 on, as they stand in the file.
    entries: Vec<(String, Option<Method>)>,
    /// Those of the user's.
    codecs: Codecs,
}

impl MethodTable {
    /// A table of the names from index 1 on. Empty names keep their place, so that later indices stay right.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let entry = |name: String| (Method::from_name(&name), name);
        let entries = names.into_iter().map(|name| entry(name.into())).map(|(method, name)| (name, method));
        Self { entries: entries.collect(), codecs: Codecs::default() }
    }

    /// The same table with codecs of the user's.
    #[must_use]
    pub fn with_codecs(mut self, codecs: &Codecs) -> Self {
        for (name, method) in &mut self.entries {
            *method = codecs.method(name).or(*method);
        }
        self.codecs = codecs.clone();
        self
    }

    /// Decodes one block into exactly `dst`, by a codec of the user's or a built-in one.
    pub fn decode(
        &self,
        method: Method,
        src: &[u8],
        dst: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), DecodeError> {
        match method {
            Method::Custom(number) => self.codecs.decode(number, src, dst),
            built_in => super::decode(built_in, src, dst, scratch),
        }
    }

    /// The method of a block's method index.
    pub fn lookup(&self, index: u8) -> Result<Method, UnknownMethod> {
        let Some(slot) = usize::from(index).checked_sub(1) else {
            return Ok(Method::None);
        };
        match self.entries.get(slot) {
            Some((_, Some(method))) => Ok(*method),
            Some((name, None)) => Err(UnknownMethod { index, name: Some(name.clone()) }),
            None => Err(UnknownMethod { index, name: None }),
        }
    }

    /// The name at a method index, as it stands in the file.
    #[must_use]
    pub fn name(&self, index: u8) -> Option<&str> {
        match usize::from(index).checked_sub(1) {
            Some(slot) => self.entries.get(slot).map(|(name, _)| name.as_str()),
            None => Some(Method::None.name()),
        }
    }

    /// The names from index 1 on, as they stand in the file, empty ones too.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }
}

/// A method index that stands for nothing this crate can decode.
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
    fn names_are_read_in_any_letter_case() {
        for method in Method::ALL {
            assert_eq!(Method::from_name(method.name()), Some(method));
            assert_eq!(Method::from_name(&method.name().to_uppercase()), Some(method));
        }
        assert_eq!(Method::from_name("xb1zlib"), Some(Method::Zlib));
        assert_eq!(Method::from_name("XboxOneGDKZlib"), Some(Method::Zlib));
        assert_eq!(Method::from_name("Zlib "), None);
    }

    #[test]
    fn blocks_are_told_by_their_first_bytes() {
        let text = b"the same words and the same words and the same words again".repeat(9);
        let (mut block, mut scratch) = (Vec::new(), crate::codec::Scratch::default());
        for method in Method::ALL {
            if crate::codec::compress(method, &text, None, &mut block, &mut scratch).is_err() {
                assert!(cfg!(not(feature = "zstd")) && method == Method::Zstd);
                continue;
            }
            let marked = !matches!(method, Method::None | Method::Lz4);
            assert_eq!(Method::sniff(&block), marked.then_some(method), "{method}");
        }
        for short in [&[][..], &[0x8C], &[0x78]] {
            assert_eq!(Method::sniff(short), None);
        }
    }

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
