//! A pak of version 15 (UE 6.0) as its tables spell it out: no constant of the reader or of any writer is in it.

use crate::support::cli::uncask;
use crate::support::containers::{open, unpack_all, verify_all};
use sha1::{Digest, Sha1};
use uncask::pak::{Footer, Index, Primary, Region};

const README: &[u8] = b"hello";
const INI: &[u8] = b"[/Script/Engine.GameSession]\nMaxPlayers=4\nMaxPlayers=4\nMaxPlayers=4\n";
/// [`INI`], compressed with zlib.
const DEFLATED: &[u8] = b"\
    \x78\xDA\x8B\xD6\x0F\x4E\x2E\xCA\x2C\x28\xD1\x77\xCD\x4B\xCF\xCC\x4B\xD5\x73\x4F\xCC\x4D\x0D\x4E\x2D\x2E\
    \xCE\xCC\xCF\x8B\xE5\xF2\x4D\xAC\x08\xC8\x49\xAC\x4C\x2D\x2A\xB6\x35\xC1\xC3\x01\x00\x4C\x3C\x17\xFB";

/// Two files: `Game/readme.txt` as it is, `Game/Config/DefaultGame.ini` compressed.
const DATA: [&[u8]; 8] = [
    // Entry header at 0: offset, stored size, raw size, method; after the SHA-1 flags and block size.
    b"\0\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0",
    b"\xAA\xF4\xC6\x1D\xDC\xC5\xE8\xA2\xDA\xBE\xDE\x0F\x3B\x48\x2C\xD9\xAE\xA9\x43\x4D",
    b"\0\0\0\0\0",
    README,
    // Entry header at 58: the same with method 1, and one block from 73 to 124.
    b"\0\0\0\0\0\0\0\0\x33\0\0\0\0\0\0\0\x44\0\0\0\0\0\0\0\x01\0\0\0",
    b"SHA-1 of the deflated",
    b"\x01\0\0\0\x49\0\0\0\0\0\0\0\x7C\0\0\0\0\0\0\0\0\0\0\x01\0",
    DEFLATED,
];

/// The flat directory index: the magic, then 3 directories, 2 files, one restart in 16, 37 and 25 bytes of names, 2 hashes.
const FLAT: [&[u8]; 11] = [
    b"QDFP",
    b"\x03\0\0\0\x02\0\0\0\x10\0\0\0\x25\0\0\0\x19\0\0\0\x02\0\0\0\0\0\0\0",
    // FNV-1a of the lower-cased paths, ascending: of the ini, then of the readme. And where their entries are.
    b"\xBC\xD0\x54\x05\x30\x03\x84\x54\x88\x63\xEF\x23\x1D\xBA\x8D\x7E",
    b"\x0C\0\0\0\0\0\0\0",
    // Anchors: the first directory, and the end.
    b"\0\0\0\0\x25\0\0\0",
    // First file of `/`, `Game/`, `Game/Config/`; and their number.
    b"\0\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0",
    // Where the names of the files start; and the end.
    b"\0\0\0\0\x0A\0\0\0\x19\0\0\0",
    // Their entries: at 0 and at 12.
    b"\0\0\0\0\x0C\0\0\0",
    // Names of directories: bytes shared with the one before, bytes that follow.
    b"\0\0\0\0\x01\0\0\0/\0\0\0\0\x05\0\0\0Game/\x05\0\0\0\x07\0\0\0Config/",
    b"readme.txt",
    b"DefaultGame.ini",
];

/// Packed entries: sizes of 32 bits each, offset, raw size; the second also has one block of 64 KiB, method 1, stored size.
const PACKED: [&[u8]; 2] = [b"\0\0\0\xE0\0\0\0\0\x05\0\0\0", b"\x60\0\x80\xE0\x3A\0\0\0\x44\0\0\0\x33\0\0\0"];

fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// The whole file. Data is 182 bytes, then the primary index, then the flat one, then 262 bytes of footer.
fn pak() -> Vec<u8> {
    let mut data = DATA;
    let of_block = sha1(DEFLATED);
    data[5] = &of_block;
    let (mut file, flat, packed) = (data.concat(), FLAT.concat(), PACKED.concat());
    assert_eq!((file.len(), flat.len(), packed.len()), (182, 162, 28));
    let primary = [
        &b"\x0A\0\0\0../../../\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"[..],
        // No path-hash index; the directory index is at 288, after 106 bytes of this one.
        b"\x01\0\0\0\x20\x01\0\0\0\0\0\0\xA2\0\0\0\0\0\0\0",
        &sha1(&flat),
        b"\x1C\0\0\0",
        &packed,
        b"\0\0\0\0",
    ]
    .concat();
    assert_eq!(primary.len(), 106);
    file.extend(&primary);
    file.extend(flat);
    let footer = [
        // Key GUID, encrypted index; magic, version; offset and size of the index.
        &[0; 16 + 1][..],
        b"\xE1\x12\x6F\x5A\x0F\0\0\0\xB6\0\0\0\0\0\0\0\x6A\0\0\0\0\0\0\0",
        &sha1(&primary),
        // Names of methods; pakchunk; encryption method and three IVs.
        b"Zlib",
        &[0; 5 * 32 - 4],
        b"\xFF\xFF\xFF\xFF",
        &[0; 1 + 3 * 12],
    ]
    .concat();
    assert_eq!(footer.len(), 262);
    file.extend(footer);
    file
}

#[test]
fn a_pak_that_is_spelled_out_opens_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newest.pak");
    std::fs::write(&path, pak()).unwrap();
    let store = open(&path, &[]);
    let outcome = verify_all(&store);
    assert!(outcome.is_ok() && outcome.unhashed == 0, "{outcome:?}");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    assert!(unpack_all(&store, &out).is_ok());
    let files = super::commands::tree(&out);
    let found: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    assert_eq!(found, [("Game/Config/DefaultGame.ini", INI), ("Game/readme.txt", README)]);
    let ran = uncask(["info", path.to_str().unwrap()]).expect(0);
    assert!(ran.stdout.contains("15"), "{}", ran.stdout);
}

#[test]
fn the_flat_index_is_checked() {
    let whole = pak();
    let footer = Footer::parse(&whole, whole.len() as u64).unwrap();
    let part = |region: Region| {
        let start = usize::try_from(region.offset).unwrap();
        start..start + usize::try_from(region.len).unwrap()
    };
    let primary = Primary::parse(&whole[part(footer.index)], &footer, whole.len() as u64).unwrap();
    let flat = &whole[part(primary.directory_index.unwrap())];
    assert!(flat.starts_with(b"QDFP"));
    let with = |at: usize, bytes: &[u8]| {
        let mut flat = flat.to_vec();
        flat[at..at + bytes.len()].copy_from_slice(bytes);
        Index::new(footer.clone(), primary.clone(), Some(&flat)).map(|index| index.len())
    };
    assert_eq!(with(0, b"QDFP"), Ok(2));
    let faults = [
        // Directories, files, bytes of names; the range of the first directory, a name's start, what is shared.
        with(4, b"\xFF\xFF\xFF\xFF"),
        with(8, b"\x03\0\0\0"),
        with(16, b"\xFF\0\0\0"),
        with(72, b"\x09\0\0\0"),
        with(84, b"\xFF\0\0\0"),
        with(100, b"\x01\0\0\0"),
    ]
    .map(|result| result.unwrap_err().to_string());
    insta::assert_snapshot!(faults.join("\n"));
}
