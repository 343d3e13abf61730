//! Versions without available files.

use super::*;
use crate::{
    package::legacy::TAG,
    wire::{FaultKind, Writer},
};

/// Version 61: names end with a zero byte, and a heritage list takes the place of the GUID.
fn of_1998() -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(TAG).u16(61).u16(0).u32(1).u32(2).u32(44).u32(1).u32(68).u32(1).u32(61).u32(2).u32(82);
    w.bytes(b"None\0").u32(0).bytes(b"Box\0").u32(0x10);
    w.u8(0).u8(1).i32(0).u8(1);
    w.u8(0x81).u8(0).i32(0).u8(1).u32(4);
    w.u8(0);
    w.bytes(&[0; 2]).bytes(&[1; 16]).bytes(&[2; 16]);
    w.into_bytes()
}

#[test]
fn names_and_heritage_of_the_first_version() {
    let bytes = of_1998();
    let package = Package::parse(&bytes).unwrap();
    assert_eq!(package.names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(), ["None", "Box"]);
    assert_eq!((package.summary.heritage.len(), package.summary.guid.0), (2, [2; 16]));
    let export = &package.exports[0];
    assert_eq!((export.serial_len, export.serial_offset), (0, 0), "no size, so no offset");
    assert_eq!(package.class_of(export), "Box");
    for len in 0..bytes.len() {
        assert!(Package::parse(&bytes[..len]).is_err(), "{len}");
    }
}

#[test]
fn groups_in_a_circle_have_no_path() {
    let mut package = Package::parse(&of_1998()).unwrap();
    package.exports[0].outer = ObjectIndex(1);
    assert_eq!(package.path(ObjectIndex(1)), None);
    assert_eq!(package.path(ObjectIndex(i32::MIN)), None);
    assert_eq!(package.path(ObjectIndex(0)), None);
}

#[test]
fn names_and_paths_are_no_longer_than_the_engine_takes() {
    let mut package = Package::parse(&of_1998()).unwrap();
    package.names[1].text = "x".repeat(600);
    package.exports.push(package.exports[0].clone());
    package.exports[1].outer = ObjectIndex(0);
    assert_eq!(package.path(ObjectIndex(2)).unwrap().len(), 600);
    package.exports[0].outer = ObjectIndex(2);
    assert_eq!(package.path(ObjectIndex(1)), None, "1,201 bytes");
    let long = |len: usize| [&of_1998()[..53], &vec![b'x'; len][..], &of_1998()[56..]].concat();
    let fault = Package::parse(&long(1024)).unwrap_err();
    assert_eq!((fault.field, fault.kind), ("name table: name", FaultKind::TooLong { limit: 1023 }));
}

#[test]
fn what_is_no_classic_package_is_refused() {
    let fault = |bytes: &[u8]| Package::parse(bytes).unwrap_err().to_string();
    let mut modern = of_1998();
    modern[4..8].copy_from_slice(&(-8i32).to_le_bytes());
    let mut swapped = of_1998();
    swapped[..4].reverse();
    insta::assert_snapshot!([fault(b"abc"), fault(b"abcdefgh"), fault(&modern), fault(&swapped)].join("\n"));
}

#[test]
fn names_and_paths_are_not_longer_than_a_path_can_be() {
    let mut bytes = of_1998();
    let mut package = Package::parse(&bytes).unwrap();
    package.names[1].text = "n".repeat(600);
    assert_eq!(package.path(ObjectIndex(1)).map(|path| path.len()), Some(600));
    package.exports.push(package.exports[0].clone());
    package.exports[0].outer = ObjectIndex(2);
    assert_eq!(package.path(ObjectIndex(1)), None, "1201 bytes");
    // A name without an end within the file's first bytes is one with an end far after.
    bytes.extend([b'n'; 2000]);
    bytes.push(0);
    bytes.extend([0; 4]);
    let at = bytes.len() - 2005;
    bytes[12..16].copy_from_slice(&1_u32.to_le_bytes());
    bytes[16..20].copy_from_slice(&u32::try_from(at).unwrap().to_le_bytes());
    let fault = Package::parse(&bytes).unwrap_err();
    assert!(matches!(fault.kind, crate::wire::FaultKind::TooLong { limit: 1023 }), "{fault}");
}
