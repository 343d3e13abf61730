//! Hash functions of ids and chunk contents.

use crate::version::ChunkHashKind;
use sha1::Digest;
use std::fmt;

/// Offset basis of 64-bit FNV.
pub(crate) const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;
/// Prime of 64-bit FNV.
pub(crate) const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

/// CityHash64 (version 1.1) of bytes.
#[must_use]
pub fn city(bytes: &[u8]) -> u64 {
    cityhasher::hash(bytes)
}

/// CityHash64 of the UTF-16LE bytes of the ASCII-lower-cased text: package, container and script object ids.
#[must_use]
pub fn lower_utf16(text: &str) -> u64 {
    city(&lower_utf16_bytes(text))
}

/// XXH3 (64 bits, seed 0) of the same bytes: ids of shader libraries since UE 5.8.
#[must_use]
pub fn lower_utf16_xxh3(text: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&lower_utf16_bytes(text))
}

fn lower_utf16_bytes(text: &str) -> Vec<u8> {
    // A UTF-8 text has at least one byte per UTF-16 unit, so this is enough.
    let mut bytes = Vec::with_capacity(2 * text.len());
    for unit in text.encode_utf16() {
        bytes.extend_from_slice(&ascii_lower(unit).to_le_bytes());
    }
    bytes
}

/// First eleven bytes of BLAKE3 over the UTF-16LE bytes of the lower-cased path: ids of external files.
#[must_use]
pub fn external_file(path: &str) -> [u8; 11] {
    let bytes: Vec<u8> = path
        .encode_utf16()
        // Both separators lead to one file.
        .map(|unit| if unit == u16::from(b'\\') { u16::from(b'/') } else { ascii_lower(unit) })
        .flat_map(u16::to_le_bytes)
        .collect();
    first(blake3::hash(&bytes).as_bytes())
}

/// Lower-cases A–Z only, like the engine.
fn ascii_lower(unit: u16) -> u16 {
    u8::try_from(unit).map_or(unit, |byte| u16::from(byte.to_ascii_lowercase()))
}

/// Content hash of a chunk (`FIoChunkHash`): the 20 significant bytes that a table of contents records for
/// the uncompressed content.
#[doc(alias = "FIoChunkHash")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChunkHash(
    /// BLAKE3 cut to 20 bytes (UE5), or SHA-1 (UE4).
    pub [u8; 20],
);

impl ChunkHash {
    /// Hashes content.
    #[must_use]
    pub fn of(kind: ChunkHashKind, content: &[u8]) -> Self {
        Self(match kind {
            ChunkHashKind::Sha1 => sha1::Sha1::digest(content).into(),
            ChunkHashKind::Blake3 => first(blake3::hash(content).as_bytes()),
        })
    }

    /// Returns true if no hash was recorded: old mod tools write zeros.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 20]
    }
}

impl fmt::Display for ChunkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 40];
        super::pad_hex(&self.0, &mut text, f)
    }
}

impl fmt::Debug for ChunkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkHash({self})")
    }
}

/// Hasher for content that arrives in pieces, in order.
#[derive(Debug, Clone)]
pub struct ChunkHasher(State);

#[derive(Debug, Clone)]
enum State {
    // Boxed, because both states are large and differ in size.
    Sha1(Box<sha1::Sha1>),
    Blake3(Box<blake3::Hasher>),
}

impl ChunkHasher {
    /// Creates a hasher for empty content.
    #[must_use]
    pub fn new(kind: ChunkHashKind) -> Self {
        Self(match kind {
            ChunkHashKind::Sha1 => State::Sha1(Box::default()),
            ChunkHashKind::Blake3 => State::Blake3(Box::default()),
        })
    }

    /// Appends content.
    pub fn update(&mut self, content: &[u8]) {
        match &mut self.0 {
            State::Sha1(hasher) => hasher.update(content),
            State::Blake3(hasher) => drop(hasher.update(content)),
        }
    }

    /// Returns the hash of everything appended.
    #[must_use]
    pub fn finish(self) -> ChunkHash {
        ChunkHash(match self.0 {
            State::Sha1(hasher) => hasher.finalize().into(),
            State::Blake3(hasher) => first(hasher.finalize().as_bytes()),
        })
    }
}

fn first<const N: usize>(hash: &[u8; 32]) -> [u8; N] {
    hash.first_chunk().copied().unwrap_or([0; N])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn city_hash_vectors() {
        let count: Vec<u8> = (0..200).collect();
        for (input, expected) in [
            (&b""[..], 0x9AE1_6A3B_2F90_404F),
            (b"a", 0xB345_4265_B6DF_75E3),
            (b"none", 0x7537_0F5B_A635_2DC2),
            (b"/script/coreuobject", 0x040D_DB34_4F8A_1052),
            (&[b'x'; 40], 0xF6C8_E2C2_A453_FFE5),
            (&[b'y'; 64], 0x955F_8ADE_2AA9_AE6B),
            (&count[..65], 0xAC58_9C99_0483_DD2E),
            (&count, 0xF4D2_4E8C_7493_C3D8),
        ] {
            assert_eq!(city(input), expected, "{} bytes", input.len());
        }
    }

    #[test]
    fn export_hash_vectors() {
        assert_eq!(lower_utf16("S_Fixture"), 0xBF02_C4D7_8810_B531);
        assert_eq!(lower_utf16("MIDI_Fixture"), 0x5942_4DB5_5453_A4CE);
        assert_ne!(lower_utf16("É"), lower_utf16("é"), "only A–Z are lower-cased");
    }

    #[test]
    fn pieces_hash_like_the_whole() {
        for kind in [ChunkHashKind::Sha1, ChunkHashKind::Blake3] {
            let mut hasher = ChunkHasher::new(kind);
            hasher.update(b"unc");
            hasher.update(b"ask");
            assert_eq!(hasher.finish(), ChunkHash::of(kind, b"uncask"));
        }
        assert_eq!(
            ChunkHash::of(ChunkHashKind::Sha1, b"abc").to_string(),
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        );
    }

    #[test]
    fn external_file_ids_do_not_depend_on_case_or_slashes() {
        assert_eq!(external_file(r"Game\Config\A.ini"), external_file("game/config/a.INI"));
    }
}
