//! The compression methods: one row and one file for each.

mod gzip;
mod lz4;
mod oodle;
mod uncompressed;
mod zlib;
mod zstd;

use super::contract::Codec;
use std::fmt;

/// Makes [`Method`] from its rows: a method, its names in tables of contents, and its codec.
macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident: $name:literal $(or $other:literal)* => $codec:expr,)*) => {
        /// A compression method of blocks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Method {
            $($(#[$doc])* $method,)*
            /// The method of a user-supplied codec, by its number in [`Codecs`](super::Codecs).
            Custom(u8),
        }

        impl Method {
            /// All built-in methods.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$method),*];

            const fn row(self) -> MethodRow {
                match self {
                    $(Self::$method => MethodRow { name: $name, others: &[$($other),*], codec: Some(&$codec) },)*
                    Self::Custom(_) => MethodRow { name: "custom", others: &[], codec: None },
                }
            }
        }
    };
}

/// A method's name for writing, further names for reading, and its codec if built in.
struct MethodRow {
    name: &'static str,
    others: &'static [&'static str],
    codec: Option<&'static dyn Codec>,
}

methods! {
    /// Uncompressed bytes. There are no levels.
    None: "None" => uncompressed::Uncompressed,
    /// One RFC 1950 stream: 78 9C … Adler-32. Levels are 0 to 9, usually 6. libdeflate or zlib-rs decodes it.
    Zlib: "Zlib" or "XB1Zlib" or "XboxOneGDKZlib" => zlib::Zlib,
    /// One RFC 1952 member: 1F 8B 08 … CRC-32, length. Levels are 0 to 9, usually 6. flate2 on zlib-rs decodes it.
    Gzip: "Gzip" => gzip::Gzip,
    /// One raw LZ4 block, no frame around it. There are no levels. liblz4 or lz4_flex decodes it.
    Lz4: "LZ4" => lz4::Lz4,
    /// One Zstandard frame: 28 B5 2F FD …. Levels are 1 to 22, usually 3. libzstd or ruzstd decodes it.
    Zstd: "Zstd" => zstd::Zstd,
    /// One Oodle LZ stream: 8C 06 (Kraken), 8C 0A, 8C 0C, …. Level 0 is Kraken with a fast parse, 1 Selkie,
    /// 2 Mermaid, 3 (the usual one) Kraken, 4 Kraken with an optimal parse. `uncask-oodle` decodes it.
    Oodle: "Oodle" => oodle::Oodle,
}

impl Method {
    /// The name that Unreal writes into a table of contents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Finds the method with a name; letter case does not matter.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_named = |method: &Self| {
            let MethodRow { name: first, others, .. } = method.row();
            others.iter().chain([&first]).any(|known| name.eq_ignore_ascii_case(known))
        };
        Self::ALL.into_iter().find(is_named)
    }

    /// The codec of a built-in method.
    pub(super) const fn codec(self) -> Option<&'static dyn Codec> {
        self.row().codec
    }

    /// Guesses the method from the first bytes of a block; `None` for LZ4, which has no magic, and for
    /// anything else.
    #[must_use]
    pub fn sniff(block: &[u8]) -> Option<Self> {
        match block {
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            // 0xC in the low nibble and bit 7 mark a stream that starts its own history, as a first block
            // must; then the codec number.
            [0x8C | 0xCC, codec, ..] if matches!(codec & 0x7F, 5..=13) => Some(Self::Oodle),
            // Deflate with a window of at most 32 KiB; the two bytes, read as a big-endian number, are a
            // multiple of 31 (RFC 1950).
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
