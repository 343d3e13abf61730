//! One package whose places are spelled out: `T_Streaming` of the 5.8 fixtures, in which a name of five letters is added and the
//! data of the only export gets four more bytes in front.

use crate::corpus::corpus;
use crate::legacy::Loaded;
use uncask_formats::package::convert::to_zen::{Source, to_zen};
use uncask_formats::package::rebuild::{Changes, rebuild_legacy, rebuild_zen};
use uncask_formats::package::zen::Header;
use uncask_formats::version::Release;

fn loaded() -> Option<(Loaded, Changes)> {
    let loaded = Loaded::read(&corpus()?.join("packages/ue5.8-unversioned/T_Streaming.uasset")).unwrap();
    let data = [&[1, 2, 3, 4], loaded.export(0)].concat();
    let changes = Changes {
        names: vec!["Zebra".to_owned()],
        names_used: 0,
        exports: [(0, data)].into(),
        ..Changes::default()
    };
    Some((loaded, changes))
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(*bytes[at..].first_chunk().unwrap())
}

fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(*bytes[at..].first_chunk().unwrap())
}

#[test]
fn places_in_a_legacy_header() {
    let Some((loaded, changes)) = loaded() else { return };
    let old = &loaded.files.header;
    let files = rebuild_legacy(&loaded.package, &loaded.files, &changes).unwrap();
    let new = &files.header;
    // Length 4, text 5, terminator 1, hashes 4.
    assert_eq!((old.len(), new.len()), (1193, 1193 + 14));
    // Tag and five versions, a hash of 20 bytes: the size of the header is at 44, the number of names at 96.
    assert_eq!((i32_at(old, 44), i32_at(new, 44)), (1193, 1207));
    assert_eq!((i32_at(old, 96), i32_at(new, 96)), (10, 11));
    let names = i32_at(old, 100) as usize;
    assert_eq!(i32_at(new, 100) as usize, names, "the table stays where it is");
    // The end of the summary: bulk data start 8, world tile 4, chunk ids 4, preload 8, names used 4, trailer 8, resources 4.
    assert_eq!((i64_at(old, names - 40), i64_at(new, names - 40)), (1193 + 3022, 1207 + 3026));
    assert_eq!(i32_at(new, names - 32), i32_at(old, names - 32));
    assert_eq!(i32_at(new, names - 20), i32_at(old, names - 20) + 14);
    assert_eq!((i32_at(old, names - 16), i32_at(new, names - 16)), (2, 11));
    assert_eq!(i64_at(new, names - 12), -1);
    let resources = i32_at(old, names - 4);
    assert_eq!(i32_at(new, names - 4), resources + 14);
    // The table: version 2, ten entries of 45 bytes; an inline one has its offset after five bytes.
    for entry in 0..10 {
        let at = resources as usize + 8 + 45 * entry + 5;
        let flags = i32_at(old, at + 36);
        let moved = if flags & 0x40 == 0 { 0 } else { 4 };
        assert_eq!(i64_at(new, at + 14), i64_at(old, at) + moved, "{entry}");
        if moved == 4 {
            let exports = files.exports.as_ref().unwrap();
            assert_eq!(i32_at(exports, i64_at(new, at + 14) as usize - 4), entry as i32);
        }
    }
    // After the names: soft paths, gatherable text, exports. In an export the size follows 28 bytes, the offset 36.
    let export = i32_at(old, 124) as usize;
    assert_eq!(i32_at(new, 124) as usize, export + 14);
    assert_eq!((i64_at(old, export + 28), i64_at(new, export + 42)), (3022, 3026));
    assert_eq!((i64_at(old, export + 36), i64_at(new, export + 50)), (1193, 1207));
    let before = loaded.files.exports.as_ref().unwrap();
    assert_eq!(files.exports.as_ref().unwrap()[4..], before[..]);
}

#[test]
fn places_in_a_zen_header() {
    let Some((loaded, changes)) = loaded() else { return };
    let release = Release::from_name("5.8").unwrap();
    let exports = loaded.files.exports.as_ref().unwrap();
    let name = "/Game/Fixtures/Textures/T_Streaming";
    let exports_len = exports.len() as u64;
    let source =
        Source { package: &loaded.package, name, exports_len, release, bundles: None, remainder: None };
    let old = [to_zen(&source, &()).unwrap().bytes.as_slice(), exports].concat();
    assert_eq!(old.len(), 3674);
    let new = rebuild_zen(&Header::parse(&old).unwrap(), &old, &changes).unwrap();
    // Hash 8, length 2, text 5; the padding after the names grows from three to four bytes, so that the size after it lies on
    // a multiple of eight.
    assert_eq!(new.len(), 3674 + 16 + 4);
    assert_eq!((i32_at(&old, 4), i32_at(&new, 4)), (648, 664));
    assert_eq!(i32_at(&new, 20), i32_at(&old, 20), "the size of the cooked header is what it was");
    for (at, before, after) in
        [(24, 512, 528), (28, 512, 528), (32, 536, 552), (36, 608, 624), (40, 624, 640), (44, 644, 660)]
    {
        assert_eq!((i32_at(&old, at), i32_at(&new, at)), (before, after), "{at}");
    }
    assert_eq!((i32_at(&old, 60), i32_at(&new, 60)), (4, 5));
    assert_eq!((i64_at(&old, 173), i64_at(&new, 188)), (3, 4));
    assert_eq!((i64_at(&old, 184), i64_at(&new, 200)), (320, 320));
    for entry in 0..10 {
        let (at, now) = (192 + 32 * entry, 208 + 32 * entry);
        let moved = if i32_at(&old, at + 24) & 0x40 == 0 { 0 } else { 4 };
        assert_eq!(i64_at(&new, now), i64_at(&old, at) + moved, "{entry}");
    }
    assert_eq!((i64_at(&new, 552), i64_at(&new, 560)), (0, 3026));
    assert_eq!(new[664..668], [1, 2, 3, 4]);
    assert_eq!(new[668..], old[648..]);
}
