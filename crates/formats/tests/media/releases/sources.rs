//! What uncooked textures and sounds were made from, spelled out as the sheet has it.

use super::made::Payload;
use super::tags::Tags;
use uncask_formats::asset::source_data::{
    EditorBulk, SourceData, SourceError, SourceKind, SourcePlace, inflate, unwrap,
};
use uncask_formats::asset::{Asset, Summary};
use uncask_formats::id::Guid;
use uncask_formats::package::bulk::{BulkCompression, BulkPlace};
use uncask_formats::package::legacy::{Package, Trailer};
use uncask_formats::wire::FaultKind;

const HELLO: &[u8] = b"hello";
/// Zlib: a block that is stored, and a checksum.
const ZLIB: &[u8] = b"\x78\x01\x01\x05\0\xFA\xFFhello\x06\x2C\x02\x15";
const PAGE: u64 = 0x9E2A_83C1;

/// A compressed buffer of "hello".
fn buffer(method: u8, blocks: &[&[u8]], raw: &[u8]) -> Vec<u8> {
    let stored: usize = blocks.iter().map(|block| block.len()).sum();
    let mut bytes = b"\xB7\x75\x63\x62\0\0\0\0".to_vec();
    bytes.extend([method, 2, 4, 18]);
    bytes.extend(u32::try_from(blocks.len()).unwrap().to_be_bytes());
    bytes.extend((raw.len() as u64).to_be_bytes());
    bytes.extend(((64 + 4 * blocks.len() + stored) as u64).to_be_bytes());
    bytes.extend(blake3::hash(raw).as_bytes());
    if method != 0 {
        bytes.extend(blocks.iter().flat_map(|block| u32::try_from(block.len()).unwrap().to_be_bytes()));
    }
    bytes.extend(blocks.concat());
    bytes
}

#[test]
fn compressed_buffers_are_what_they_hold() {
    let limit = 1 << 20;
    assert_eq!(unwrap(&buffer(0, &[HELLO], HELLO), limit).unwrap(), HELLO);
    // LZ4: five literals; a block that did not get smaller stays as it is.
    assert_eq!(unwrap(&buffer(4, &[b"\x50hello"], HELLO), limit).unwrap(), HELLO);
    assert_eq!(unwrap(&buffer(3, &[HELLO], HELLO), limit).unwrap(), HELLO);
    let kind = |bytes: &[u8], limit| unwrap(bytes, limit).unwrap_err().kind;
    assert_eq!(kind(&buffer(0, &[HELLO], HELLO), 4), FaultKind::TooLarge { found: 5, limit: 4 });
    assert_eq!(kind(&buffer(4, &[b"\x50hel"], HELLO), limit), FaultKind::BadStream { expected: 5 });
    assert_eq!(
        kind(&buffer(4, &[b"\x50", HELLO], HELLO), limit),
        FaultKind::Unexpected { found: 2, expected: 1 }
    );
    // Another hash, and blocks that cannot hold all of it.
    let mut other = buffer(0, &[HELLO], HELLO);
    other[40] ^= 1;
    assert_eq!(kind(&other, limit), FaultKind::BadStream { expected: 5 });
    let mut many = buffer(4, &[b"\x50hello"], HELLO);
    many[16..24].copy_from_slice(&(1_u64 << 19).to_be_bytes());
    assert_eq!(kind(&many, limit), FaultKind::TooLarge { found: 1 << 19, limit: 1 << 18 });
    let whole = buffer(4, &[b"\x50hello"], HELLO);
    assert!((0..whole.len()).all(|len| unwrap(&whole[..len], limit).is_err()));
}

#[test]
fn streams_of_blocks_are_what_they_hold() {
    let len = ZLIB.len() as u64;
    let stream = |numbers: &[u64], blocks: &[u8]| {
        [numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>(), blocks.to_vec()].concat()
    };
    // The tag in the place of the size of a block stands for the usual one.
    for block in [PAGE, 5, 100] {
        assert_eq!(inflate(&stream(&[PAGE, block, len, 5, len, 5], ZLIB), 100).unwrap(), HELLO);
    }
    let two = stream(&[PAGE, 5, 2 * len, 10, len, 5, len, 5], &ZLIB.repeat(2));
    assert_eq!(inflate(&two, 100).unwrap(), b"hellohello");
    assert!((0..two.len()).all(|len| inflate(&two[..len], 100).is_err()));
    let kind = |bytes: &[u8], limit| inflate(bytes, limit).unwrap_err().kind;
    assert_eq!(kind(&two, 9), FaultKind::TooLarge { found: 10, limit: 9 });
    assert_eq!(kind(&stream(&[PAGE, 0, len, 5, len, 5], ZLIB), 100), FaultKind::Unsupported { found: 0 });
    assert_eq!(
        kind(&stream(&[PAGE, 5, len, 5, len, 4], ZLIB), 100),
        FaultKind::Unexpected { found: 4, expected: 5 }
    );
    assert_eq!(kind(&stream(&[PAGE + 1, 5, len, 5, len, 5], ZLIB), 100), FaultKind::BadMagic);
}

/// A file with a trailer of one payload, after some bytes of something else.
fn with_trailer(access: u8, offset: i64) -> (Vec<u8>, Trailer) {
    let payload = buffer(0, &[HELLO], HELLO);
    let mut file = vec![7; 100];
    file.extend(0xD1C4_3B2E_80A5_F697_u64.to_le_bytes());
    file.extend([2, 28 + 49].map(u32::to_le_bytes).concat());
    file.extend((payload.len() as u64).to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend([9; 20]);
    file.extend(offset.to_le_bytes());
    file.extend([payload.len() as u64, 5].map(u64::to_le_bytes).concat());
    file.extend([0, 0, 0, 0, access]);
    file.extend(&payload);
    file.extend(0x29BF_CA04_5138_DE76_u64.to_le_bytes());
    file.extend((28 + 49 + payload.len() as u64 + 20).to_le_bytes());
    file.extend(0x9E2A_83C1_u32.to_le_bytes());
    let mut package = Package::default();
    package.summary.payload_toc_offset = Some(100);
    let trailer = Trailer::parse(&file, &package).unwrap().unwrap();
    (file, trailer)
}

#[test]
fn editor_bulk_data_is_in_the_trailer_or_at_an_offset() {
    let bulk = EditorBulk { flags: 0x200, id: Guid([1; 16]), hash: [9; 20], raw_len: 5, offset: None };
    let (file, trailer) = with_trailer(0, 0);
    assert_eq!(bulk.bytes(&file, Some(&trailer), 100).unwrap(), HELLO);
    let at = trailer.payloads_offset;
    let own = EditorBulk { flags: 0, offset: Some(at), ..bulk };
    assert_eq!(own.bytes(&file, None, 100).unwrap(), HELLO);
    let why = |bulk: EditorBulk, trailer: Option<&Trailer>| {
        bulk.bytes(&file, trailer, 100).unwrap_err().to_string()
    };
    assert!(why(bulk, None).contains("not in the trailer"));
    assert!(why(EditorBulk { hash: [8; 20], ..bulk }, Some(&trailer)).contains("not in the trailer"));
    assert!(why(EditorBulk { flags: 0x201, ..bulk }, Some(&trailer)).contains("on a server"));
    assert!(why(EditorBulk { flags: 0x202, ..bulk }, Some(&trailer)).contains(".upayload"));
    assert!(why(EditorBulk { raw_len: 0, ..bulk }, Some(&trailer)).contains("no source"));
    assert!(why(EditorBulk { raw_len: 6, ..bulk }, Some(&trailer)).contains("found 5, expected 6"));
    assert!(why(EditorBulk { raw_len: 101, ..bulk }, Some(&trailer)).contains("expected at most 100"));
    for (access, words) in [(1, "another package"), (2, "on a server")] {
        let (file, trailer) = with_trailer(access, -1);
        let error = bulk.bytes(&file, Some(&trailer), 100).unwrap_err();
        assert!(matches!(error, SourceError::Obstacle(why) if why.contains(words)), "{error}");
    }
    for offset in [-1, 1, i64::MAX] {
        let (file, trailer) = with_trailer(0, offset);
        assert!(matches!(bulk.bytes(&file, Some(&trailer), 100), Err(SourceError::Fault(_))), "{offset}");
    }
}

const NAMES: [&str; 11] = [
    "Source",
    "StructProperty",
    "TextureSource",
    "SizeX",
    "SizeY",
    "NumSlices",
    "NumMips",
    "IntProperty",
    "Format",
    "ByteProperty",
    "TSF_BGRA8",
];

/// The property that says what the source of a texture is: 3 by 2 pixels.
fn properties() -> Vec<u8> {
    let mut inner = Tags::new(&NAMES);
    for (field, value) in [("SizeX", 3), ("SizeY", 2), ("NumSlices", 1), ("NumMips", 1)] {
        inner.int(field, value);
    }
    inner.byte_enum("Format", "TextureSource", "TSF_BGRA8");
    Tags::new(&NAMES).structure(("Source", 0), "TextureSource", &inner.list()).list()
}

fn is_picture(source: &SourceData<'_>) {
    let SourceKind::Picture(picture) = &source.kind else { panic!("{source:?}") };
    assert_eq!((picture.width, picture.height, picture.slices, picture.mips), (3, 2, 1, 1));
    assert_eq!(picture.pixel_format().unwrap().name(), "PF_B8G8R8A8");
}

#[test]
fn a_texture_of_ue4_has_its_source_in_bulk_data() {
    let mut p = Payload::uncooked((4, 27), &NAMES, properties());
    p.bytes.extend([0, 0]);
    // At the end of the file, compressed by Zlib: 24 bytes of 20, where the package says.
    p.u32s(&[0x3, 24, 20, 500, 0]);
    p.bytes.extend([0, 0]);
    p.u32(0);
    p.read_with("Texture2D", |scope, _, object, found| {
        let found = found.unwrap();
        let Asset::Source(source) = &found.asset else { panic!("{found:?}") };
        is_picture(source);
        let SourcePlace::Bulk(bulk) = source.place else { panic!() };
        assert_eq!(
            (bulk.record.place, bulk.record.compression),
            (BulkPlace::EndOfFile, BulkCompression::Zlib)
        );
        assert_eq!((bulk.record.offset, bulk.record.len, bulk.record.raw_len), (500, 20, 24));
        let said = Summary::new(&found.asset, scope, object).to_string();
        assert_eq!(said, "source: TSF_BGRA8 3 x 2, 24 bytes");
    });
}

/// Flags, an id, a hash, a size, and an offset unless the trailer has it.
fn editor_bulk(p: &mut Payload, flags: u32) {
    p.u32(flags);
    p.bytes.extend([1; 16]);
    p.bytes.extend([9; 20]);
    p.bytes.extend(5_u64.to_le_bytes());
    if flags & 0x200 == 0 {
        p.bytes.extend(77_u64.to_le_bytes());
    }
}

#[test]
fn a_texture_of_ue5_has_its_source_in_editor_bulk_data() {
    for (release, flags, offset) in [((5, 0), 0x200, None), ((5, 3), 0, Some(77))] {
        let mut p = Payload::uncooked(release, &NAMES, properties());
        p.bytes.extend([0, 0]);
        editor_bulk(&mut p, flags);
        p.bytes.extend([0, 0]);
        p.u32(0);
        p.read("Texture2D", |found| {
            let found = found.unwrap();
            let Asset::Source(source) = &found.asset else { panic!("{found:?}") };
            is_picture(source);
            let SourcePlace::Editor(bulk) = source.place else { panic!() };
            let expected = EditorBulk { flags, id: Guid([1; 16]), hash: [9; 20], raw_len: 5, offset };
            assert_eq!(bulk, expected);
        });
        // Something is missing, or too much.
        p.bytes.pop();
        p.read("Texture2D", |found| assert!(found.is_err()));
        p.bytes.extend([0; 2]);
        p.read("Texture2D", |found| assert!(found.is_err()));
    }
}

#[test]
fn sounds_have_their_source_in_either_form() {
    let sound = |p: &Payload| {
        p.read("SoundWave", |found| match found.unwrap().asset {
            Asset::Source(source) if source.kind == SourceKind::Sound => match source.place {
                SourcePlace::Bulk(bulk) => bulk.inline.map(<[u8]>::to_vec),
                SourcePlace::Editor(bulk) => Some(bulk.hash.to_vec()),
            },
            other => panic!("{other:?}"),
        })
    };
    for release in [(4, 27), (5, 1)] {
        let mut p = Payload::uncooked(release, &[], vec![0; 8]);
        p.u32(0);
        // Bytes that follow at once, in a package without a table.
        p.u32s(&[0, 5, 5, 0, 0]);
        p.bytes.extend(HELLO);
        p.bytes.extend([3; 16]);
        assert_eq!(sound(&p).as_deref(), Some(HELLO), "{release:?}");
    }
    let mut p = Payload::uncooked((5, 3), &[], vec![0; 8]);
    p.u32(0);
    editor_bulk(&mut p, 0x200);
    p.bytes.extend([3; 16]);
    assert_eq!(sound(&p).as_deref(), Some(&[9; 20][..]));
}
