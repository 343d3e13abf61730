//! Registries of versions 0 and 1, byte by byte.

/// Two assets, of which the second needs the first.
pub(crate) fn early(version: u32) -> Vec<u8> {
    let mut file = Vec::new();
    if version > 0 {
        file.extend(b"\xE7\x9E\x7F\x71\x3A\x49\xB0\xE9\x32\x91\xB3\x88\x07\x81\x38\x1B");
        file.extend(version.to_le_bytes());
    }
    file.extend(b"\x02\0\0\0");
    file.extend(b"\x0A\0\0\0/Game/A.A\0\x06\0\0\0/Game\0\x0A\0\0\0Texture2D\0\x05\0\0\0None\0");
    file.extend(b"\x08\0\0\0/Game/A\0\x02\0\0\0A\0");
    // One tag, whose value is the two UTF-16 units of a crab; one chunk.
    file.extend(b"\x01\0\0\0\x05\0\0\0Icon\0\xFD\xFF\xFF\xFF\x3E\xD8\x80\xDD\0\0\x01\0\0\0\x07\0\0\0");
    if version > 0 {
        file.extend(b"\0\0\0\x20");
    }
    file.extend(b"\x0A\0\0\0/Game/B.B\0\x06\0\0\0/Game\0\x06\0\0\0World\0\x05\0\0\0None\0");
    file.extend(b"\x08\0\0\0/Game/B\0\x02\0\0\0B\0\0\0\0\0\0\0\0\0");
    if version > 0 {
        file.extend(b"\0\0\x02\0");
        // Hard, soft, referencers: none, none, the second; then the first, none, none.
        file.extend(b"\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0");
        file.extend(b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    }
    file
}
