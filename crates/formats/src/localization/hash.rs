use crate::{id::hash, version::KeyHash};

/// Returns the hash stored beside a namespace or key.
///
/// CRC-32 uses each UTF-16 unit as four bytes. CityHash64 uses two bytes per unit, and the upper half of its
/// result, times 23, is added to the lower. UE 6.0 mixes all 64 bits like the finalizer of MurmurHash3, and
/// keeps the lower half. The hash of an empty text is 0.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::{localization::key_hash, version::KeyHash};
///
/// assert_eq!(key_hash(KeyHash::CityHash64, "List"), 2_316_514_818);
/// assert_eq!(key_hash(KeyHash::CityHash64Murmur, "List"), 3_511_706_975);
/// assert_eq!(key_hash(KeyHash::Crc32, ""), 0);
/// ```
#[must_use]
pub fn key_hash(kind: KeyHash, text: &str) -> u32 {
    match kind {
        // Not the hash of an empty input, which would differ between the functions.
        _ if text.is_empty() => 0,
        KeyHash::Crc32 => {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes()).collect();
            crc32fast::hash(&bytes)
        }
        KeyHash::CityHash64 => fold(city(text)),
        KeyHash::CityHash64Murmur => low(murmur_finalize(city(text))),
    }
}

/// CityHash64 over UTF-16.
fn city(text: &str) -> u64 {
    hash::city(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
}

/// Finalizer of MurmurHash3 (128 bits, for 64-bit processors).
const fn murmur_finalize(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 33
}

/// Returns the low 32 bits.
const fn low(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Folds 64 bits to 32.
const fn fold(hash: u64) -> u32 {
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    let (low, high) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
    low.wrapping_add(high.wrapping_mul(23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_other_programs_have_them() {
        // CityHash64: values of pylocres. CRC-32: zlib over UTF-32.
        for (text, expected) in [
            ("", 0),
            ("I", 366_061_642),
            ("HI", 4_113_122_066),
            ("List", 2_316_514_818),
            ("Tests Tests", 2_426_432_524),
            ("aaaaaaaaaaaaaaaaa", 3_926_091_141),
            (&"Test".repeat(20), 3_317_857_492),
        ] {
            assert_eq!(key_hash(KeyHash::CityHash64, text), expected, "{text}");
        }
        // Computed by a separate script whose CityHash64 gives the published values.
        for (text, expected) in [
            ("", 0),
            ("I", 0x294E_97F2),
            ("HI", 0xC498_C397),
            ("List", 0xD150_655F),
            ("Tests Tests", 0x1E98_615D),
            ("aaaaaaaaaaaaaaaaa", 0x423F_5934),
            ("Ключ", 0x871C_D51D),
        ] {
            assert_eq!(key_hash(KeyHash::CityHash64Murmur, text), expected, "{text}");
        }
        assert_eq!(key_hash(KeyHash::Crc32, "==== MENU ====="), 0x0EE3_48EA);
        assert_ne!(key_hash(KeyHash::Crc32, "é"), key_hash(KeyHash::Crc32, "e"));
    }
}
