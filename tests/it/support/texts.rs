//! Writes `.locres` and `.locmeta` files, byte by byte as the page about them says, without help from the reader.

use uncask::localization::key_hash;
use uncask::version::KeyHash;

/// A namespace and its entries: key, hash of the source, text.
pub(crate) type Space<'a> = (&'a str, &'a [(&'a str, u32, &'a str)]);

/// Two namespaces, one of them without a name; texts that are shared, empty, wide, and of several lines.
pub(crate) const SPACES: [Space<'_>; 2] = [
    ("", &[("greeting", 0x1234_5678, "Привіт"), ("nothing", 7, ""), ("lines", 8, "one\ntwo \"three\"")]),
    ("UI", &[("play", 0x9ABC_DEF0, "Spielen"), ("again", 9, "Spielen"), ("ключ", 10, "日本語")]),
];

/// A `.locres` file of a version.
pub(crate) fn locres(version: u8, spaces: &[Space<'_>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut table: Vec<(&str, i32)> = Vec::new();
    if version >= 1 {
        file.extend(
            [0x7574_140E_u32, 0xFC03_4A67, 0x9D90_154A, 0x1B7F_37C3].map(u32::to_le_bytes).as_flattened(),
        );
        file.push(version);
        file.extend([0; 8]);
    }
    if version >= 2 {
        word(&mut file, spaces.iter().map(|(_, entries)| entries.len()).sum());
    }
    word(&mut file, spaces.len());
    for (name, entries) in spaces {
        hashed(&mut file, version, name);
        word(&mut file, entries.len());
        for (key, source_hash, text) in *entries {
            hashed(&mut file, version, key);
            file.extend(source_hash.to_le_bytes());
            if version == 0 {
                string(&mut file, text);
                continue;
            }
            let known = table.iter().position(|(known, _)| known == text);
            let at = known.unwrap_or_else(|| {
                table.push((text, 0));
                table.len() - 1
            });
            table[at].1 += 1;
            word(&mut file, at);
        }
    }
    if version >= 1 {
        let offset = file.len() as u64;
        file[17..25].copy_from_slice(&offset.to_le_bytes());
        word(&mut file, table.len());
        for (text, uses) in table {
            string(&mut file, text);
            if version >= 2 {
                file.extend(uses.to_le_bytes());
            }
        }
    }
    file
}

/// A `.locmeta` file of a version.
pub(crate) fn locmeta(version: u8) -> Vec<u8> {
    let mut file = [0xA14C_EE4F_u32, 0x8355_4868, 0xBD46_4C6C, 0x7C50_DA70].map(u32::to_le_bytes).concat();
    file.push(version);
    string(&mut file, "en");
    string(&mut file, "en/Game.locres");
    if version >= 1 {
        word(&mut file, 3);
        for culture in ["de", "en", "uk"] {
            string(&mut file, culture);
        }
    }
    if version >= 2 {
        word(&mut file, 1);
    }
    file
}

fn word(file: &mut Vec<u8>, value: usize) {
    file.extend(u32::try_from(value).expect("small").to_le_bytes());
}

/// A name, with the hash in front of it that the version has.
fn hashed(file: &mut Vec<u8>, version: u8, name: &str) {
    match version {
        2 => file.extend(crc32(name).to_le_bytes()),
        3 => file.extend(key_hash(KeyHash::CityHash64, name).to_le_bytes()),
        _ => {}
    }
    string(file, name);
}

/// The CRC-32 of everybody, bit by bit, over UTF-16 units as four bytes.
fn crc32(text: &str) -> u32 {
    let bytes = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes());
    !bytes.fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// An `FString`.
fn string(file: &mut Vec<u8>, text: &str) {
    if text.is_empty() {
        word(file, 0);
    } else if text.is_ascii() {
        word(file, text.len() + 1);
        file.extend(text.bytes().chain([0]));
    } else {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        file.extend((-i32::try_from(units.len()).expect("small")).to_le_bytes());
        file.extend(units.into_iter().flat_map(u16::to_le_bytes));
    }
}
