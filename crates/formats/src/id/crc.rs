//! Checksums of legacy packages: two per name, and one of the package's file name.
//!
//! All except a plain CRC-32 use a table of polynomial 0x04C11DB7, most significant bit first.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0u32;
    // `for` loops are not allowed in constants.
    while byte < 256 {
        let mut crc = byte << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000_0000 == 0 { crc << 1 } else { crc << 1 ^ 0x04C1_1DB7 };
            bit += 1;
        }
        #[expect(clippy::indexing_slicing, reason = "the index counts to the length of the table")]
        {
            table[byte as usize] = crc;
        }
        byte += 1;
    }
    table
};

fn entry(byte: u8) -> u32 {
    TABLE.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Returns the bytes of a unit, low byte first.
fn bytes(unit: u16) -> [u8; 2] {
    unit.to_le_bytes()
}

fn upper(unit: u16) -> u16 {
    u8::try_from(unit).map_or(unit, |byte| byte.to_ascii_uppercase().into())
}

/// Returns the checksum of a name without regard to case.
#[must_use]
pub(crate) fn name_without_case(name: &str) -> u16 {
    // The table is built most significant bit first but used in the reflected direction, as the engine does;
    // no standard CRC gives these numbers.
    let step = |crc: u32, byte: u8| {
        let [low, ..] = crc.to_le_bytes();
        crc >> 8 ^ entry(low ^ byte)
    };
    // Nearly all names are ASCII, whose high bytes do not enter the checksum.
    let crc = if name.is_ascii() {
        name.bytes().map(|byte| byte.to_ascii_uppercase()).fold(0, step)
    } else {
        name.encode_utf16().map(upper).flat_map(bytes).fold(0, step)
    };
    low_half(crc)
}

/// Returns the checksum of a name with regard to case: CRC-32 of its units, each widened to four bytes.
#[must_use]
pub(crate) fn name_with_case(name: &str) -> u16 {
    let mut crc = crc32fast::Hasher::new();
    // Widened in pieces on the stack: a tool computes this for every name of every package.
    let mut wide = [[0; 4]; 32];
    if name.is_ascii() {
        for piece in name.as_bytes().chunks(wide.len()) {
            wide.iter_mut().zip(piece).for_each(|([slot, ..], byte)| *slot = *byte);
            crc.update(wide.get(..piece.len()).unwrap_or_default().as_flattened());
        }
    } else {
        let mut units = name.encode_utf16().peekable();
        while units.peek().is_some() {
            let filled = wide.iter_mut().zip(&mut units);
            let len = filled.map(|(slot, unit)| *slot = u32::from(unit).to_le_bytes()).count();
            crc.update(wide.get(..len).unwrap_or_default().as_flattened());
        }
    }
    low_half(crc.finalize())
}

/// Returns the checksum of a package's base file name (`PackageSource`).
#[must_use]
pub fn package_source(base_name: &str) -> u32 {
    let bytes = base_name.encode_utf16().map(upper).flat_map(bytes);
    !bytes.fold(u32::MAX, |crc, byte| {
        let [.., high] = crc.to_le_bytes();
        // The ordinary direction of this table, unlike the checksum of names.
        crc << 8 ^ entry(high ^ byte)
    })
}

fn low_half(crc: u32) -> u16 {
    let [a, b, ..] = crc.to_le_bytes();
    u16::from_le_bytes([a, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        for (name, without, with) in [
            ("None", 0x03F4, 0x0DC5),
            ("/Script/CoreUObject", 0x49F8, 0x3E2D),
            ("Set_日本語", 0x0C36, 0x45E7),
            ("📘 Temperature", 0x7224, 0x352C),
        ] {
            assert_eq!((name_without_case(name), name_with_case(name)), (without, with), "{name}");
        }
        assert_eq!(package_source("T_Streaming"), 0x3125_3BB4);
        assert_eq!(package_source("DA_ALLPROPERTIES"), 0x78EF_0130);
        assert_eq!(package_source("empty"), 0x37B6_72FC);
    }
}
