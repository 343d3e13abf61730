//! Footers and entries of versions that no available real pak has, as their tables spell them out.

use crate::support::containers::{open, unpack_all, verify_all};
use sha1::{Digest, Sha1};
use uncask::id::Guid;
use uncask::pak::{Footer, PakEncryption};

/// The bytes that every footer has: magic, version, then an index of 32 bytes at 16.
fn middle(version: u8) -> Vec<u8> {
    let mut bytes = b"\xE1\x12\x6F\x5A\0\0\0\0\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0".to_vec();
    bytes[4] = version;
    bytes.extend([0x5A; 20]);
    bytes
}

/// Versions, what comes before the magic, what comes after the hash, and how long all is.
type Form = (std::ops::RangeInclusive<u8>, Vec<u8>, Vec<u8>, usize);

#[test]
fn every_form_of_the_footer() {
    let (guid, names) = ([7; 16], [&b"Zlib"[..], &[0; 28], b"Oodle", &[0; 27]].concat());
    let four = [&names[..], &[0; 2 * 32]].concat();
    let five = [&names[..], &[0; 3 * 32]].concat();
    let forms: [Form; 8] = [
        (1..=3, vec![], vec![], 44),
        (4..=6, vec![1], vec![], 45),
        (7..=7, [&guid[..], &[1]].concat(), vec![], 61),
        (8..=8, [&guid[..], &[1]].concat(), four, 189),
        (8..=8, [&guid[..], &[1]].concat(), five.clone(), 221),
        (9..=9, [&guid[..], &[1]].concat(), [&[1][..], &five].concat(), 222),
        (10..=13, [&guid[..], &[1]].concat(), five.clone(), 221),
        (14..=14, [&guid[..], &[1]].concat(), [&five[..], b"\x03\0\0\0"].concat(), 225),
    ];
    for (versions, before, after, len) in forms {
        for version in versions {
            let footer = [&[9; 80][..], &before, &middle(version), &after].concat();
            assert_eq!(footer.len(), 80 + len, "version {version}");
            let footer = Footer::parse(&footer, footer.len() as u64).unwrap();
            assert_eq!(footer.version.to_wire(), u32::from(version));
            assert_eq!((footer.index.offset, footer.index.len, footer.index.hash), (16, 32, [0x5A; 20]));
            assert_eq!((footer.is_index_encrypted, footer.is_frozen), (version >= 4, version == 9));
            assert_eq!(footer.key_guid, if version >= 7 { Guid(guid) } else { Guid::ZERO });
            assert_eq!(footer.pakchunk, (version == 14).then_some(3));
            assert_eq!(footer.encryption, Ok(PakEncryption::Ecb));
            let count = if version < 8 {
                0
            } else if len == 189 {
                4
            } else {
                5
            };
            assert_eq!(footer.methods.len(), count, "version {version}");
            assert!(count == 0 || footer.methods[..3] == ["Zlib", "Oodle", ""]);
        }
    }
    let ivs = [[0xA1; 12], [0xA2; 12], [0xA3; 12]];
    for (method, expected) in [
        (0, Ok(PakEncryption::Ecb)),
        (1, Ok(PakEncryption::Ecb)),
        (2, Ok(PakEncryption::Ctr(ivs))),
        (3, Err(3)),
    ] {
        let after = [&five[..], b"\xFF\xFF\xFF\xFF", &[method], ivs.as_flattened()].concat();
        let footer = [&guid[..], &[0], &middle(15), &after].concat();
        assert_eq!(footer.len(), 262);
        let footer = Footer::parse(&[&[0; 80][..], &footer].concat(), 342).unwrap();
        assert_eq!((footer.encryption, footer.pakchunk), (expected, Some(-1)));
    }
}

/// Version 1 has a time in its entries, and neither blocks nor flags; 8A has methods of one byte.
#[test]
fn entries_with_a_time_and_with_a_short_method() {
    for version in [1, 8] {
        let sizes = b"\x05\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0";
        let hash: [u8; 20] = Sha1::digest(b"hello").into();
        let rest: &[&[u8]] = if version == 1 {
            // Method, time, hash.
            &[b"\0\0\0\0", b"\x80\x3E\xD5\xDE\xB1\x9D\x01\0", &hash]
        } else {
            // Method, hash, flags, block size.
            &[b"\0", &hash, b"\0", b"\0\0\0\0"]
        };
        let entry = [&[&[0; 8][..], sizes], rest].concat().concat();
        assert_eq!(entry.len(), if version == 1 { 56 } else { 50 });
        let mut file = [&entry[..], b"hello"].concat();
        let index = [b"\x0A\0\0\0../../../\0\x01\0\0\0\x06\0\0\0a.txt\0", &entry[..]].concat();
        let place = [file.len() as u64, index.len() as u64].map(u64::to_le_bytes);
        file.extend(&index);
        if version == 8 {
            file.extend([0; 17]);
        }
        file.extend(b"\xE1\x12\x6F\x5A");
        file.extend([version, 0, 0, 0]);
        file.extend(place.as_flattened());
        file.extend(Sha1::digest(&index));
        if version == 8 {
            file.extend([0; 4 * 32]);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.pak");
        std::fs::write(&path, file).unwrap();
        let store = open(&path, &[]);
        let outcome = verify_all(&store);
        assert!(outcome.is_ok() && outcome.unhashed == 0 && outcome.count == 1, "{version}: {outcome:?}");
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        assert!(unpack_all(&store, &out).is_ok());
        assert_eq!(std::fs::read(out.join("a.txt")).unwrap(), b"hello");
    }
}
