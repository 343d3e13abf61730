use super::*;
use crate::names::{MappedName, NameTable, split_number};
use crate::wire::Writer;

fn batch(names: &[&str]) -> Vec<u8> {
    let mut w = Writer::new();
    let coded: Vec<(bool, Vec<u8>)> = names.iter().map(|name| encode(name)).collect();
    w.u32(u32::try_from(names.len()).unwrap());
    if !names.is_empty() {
        w.u32(u32::try_from(coded.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()).unwrap());
        w.u64(HASH_ALGORITHM);
        for (name, (wide, _)) in names.iter().zip(&coded) {
            w.u64(name_hash(name, *wide));
        }
        for (wide, bytes) in &coded {
            w.bytes(&header(*wide, bytes.len()));
        }
        for (_, bytes) in &coded {
            w.bytes(bytes);
        }
    }
    w.into_bytes()
}

fn encode(name: &str) -> (bool, Vec<u8>) {
    if name.is_ascii() {
        (false, name.as_bytes().to_vec())
    } else {
        (true, name.encode_utf16().flat_map(u16::to_le_bytes).collect())
    }
}

fn header(wide: bool, len: usize) -> [u8; 2] {
    let units = u16::try_from(if wide { len / 2 } else { len }).unwrap();
    (units | if wide { 0x8000 } else { 0 }).to_be_bytes()
}

#[test]
fn published_hashes() {
    for (name, hash) in [
        ("None", 0x7537_0F5B_A635_2DC2),
        ("Guid", 0xD3B8_9BD1_5883_0AFC),
        ("Default__Object", 0x637B_3DB4_A84F_4D7B),
    ] {
        assert_eq!(name_hash(name, false), hash, "{name}");
    }
    assert_eq!(name_hash("Set_日本語", true), 0x5EDA_C32D_26C1_249A);
}

#[test]
fn a_batch_holds_wide_names_at_odd_offsets() {
    let names = ["None", "Odd", "Set_日本語", "", "Tail"];
    let bytes = batch(&names);
    let mut r = Reader::new(&bytes);
    let map = NameMap::parse_batch(&mut r).unwrap();
    r.finish("batch").unwrap();
    assert_eq!(map.iter().collect::<Vec<_>>(), names);
    assert_eq!(map.wrong_hashes().count(), 0);
    assert_eq!(map.position("ODD"), Some(1));
    assert_eq!(map.resolve(MappedName::new(1, 5)).unwrap().to_string(), "Odd_4");
    assert!(map.resolve(MappedName::new(5, 0)).is_none());
    assert_eq!(map.require(MappedName::new(9, 0), "object name", 7).unwrap_err().offset, 7);
}

/// Tests wide names with and without fillers before them.
fn parts(names: &[&str], align: bool) -> Result<NameMap, Fault> {
    let (mut blob, mut hashes) = (Writer::new(), Writer::new());
    hashes.u64(HASH_ALGORITHM);
    for name in names {
        let (wide, bytes) = encode(name);
        blob.bytes(&header(wide, bytes.len()));
        if align && wide && blob.len() % 2 == 1 {
            blob.u8(0);
        }
        blob.bytes(&bytes);
        hashes.u64(name_hash(name, wide));
    }
    let (blob, hashes) = (blob.into_bytes(), hashes.into_bytes());
    NameMap::parse_parts(Reader::new(&blob), Reader::new(&hashes))
}

#[test]
fn parts_align_wide_names_unless_the_hashes_say_otherwise() {
    let names = ["Odd", "Set_日本語", "Tail"];
    for align in [true, false] {
        let map = parts(&names, align).unwrap();
        assert_eq!(map.iter().collect::<Vec<_>>(), names);
        assert_eq!(map.wrong_hashes().count(), 0);
    }
}

#[test]
fn hostile_counts_are_refused() {
    let mut bytes = batch(&["None"]);
    bytes[0..4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(
        NameMap::parse_batch(&mut Reader::new(&bytes)).unwrap_err().kind,
        FaultKind::TooLarge { .. }
    ));
    let mut bytes = batch(&["None"]);
    bytes[8] = 1;
    let fault = NameMap::parse_batch(&mut Reader::new(&bytes)).unwrap_err();
    assert_eq!((fault.field, fault.offset), ("name hash algorithm", 8));
    let mut bytes = batch(&["None"]);
    bytes[4] = 3;
    assert!(NameMap::parse_batch(&mut Reader::new(&bytes)).is_err(), "the strings are longer than they say");
}

#[test]
fn kinds_and_numbers_of_mapped_names() {
    let name = MappedName::new(2 << 30 | 7, 0);
    assert_eq!((name.index(), name.table()), (7, NameTable::Global));
    assert_eq!(MappedName::new(u32::MAX, u32::MAX).table(), NameTable::Unknown);
    assert_eq!(split_number("Rocket_2147483647"), ("Rocket_2147483647", 0));
    assert_eq!(split_number("Rocket_2147483646"), ("Rocket", 2_147_483_647));
    assert_eq!(split_number("a_0"), ("a", 1));
}
