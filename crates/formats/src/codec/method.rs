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
}
