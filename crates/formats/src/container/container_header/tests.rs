use super::*;
use crate::wire::Writer;

/// Builds two packages; the first imports one package and needs one shader map of `hash_len` bytes.
fn store(layout: Layout) -> Vec<u8> {
    let mut w = Writer::new();
    let entries = 2 * layout.entry_len;
    for entry in 0..2 {
        let start = w.len();
        let long = layout.entry_len >= 32;
        if layout.version.has_export_counts() {
            if long {
                w.u64(1000);
            }
            w.u32(3).u32(1);
            if long {
                w.u32(7).u32(0);
            }
        }
        let count = u32::from(entry == 0);
        let to =
            |w: &Writer, target: usize| if entry == 0 { u32::try_from(target - w.len()).unwrap() } else { 0 };
        let offset = to(&w, entries);
        w.u32(count).u32(offset);
        if layout.version != ContainerHeaderVersion::Ue4 {
            let offset = to(&w, entries + 8);
            w.u32(count).u32(offset);
        }
        w.bytes(&vec![0; start + layout.entry_len - w.len()]);
    }
    w.u64(0x77);
    if layout.version != ContainerHeaderVersion::Ue4 {
        w.bytes(&vec![0xAB; layout.shader_hash_len]);
    }
    w.into_bytes()
}

fn sized_bytes(w: &mut Writer, bytes: &[u8]) {
    w.u32(u32::try_from(bytes.len()).unwrap()).bytes(bytes);
}

fn header(number: u32, layout: Layout) -> Vec<u8> {
    let mut w = Writer::new();
    let version = layout.version;
    if version == ContainerHeaderVersion::Ue4 {
        w.u64(0x1234).u32(2).u32(0).u32(0);
    } else {
        w.bytes(&ContainerHeaderVersion::MAGIC).u32(number).u64(0x1234);
        if version.has_package_count() {
            w.u32(2);
        }
    }
    w.u32(2).u64(5).u64(3);
    sized_bytes(&mut w, &store(layout));
    if version == ContainerHeaderVersion::Ue4 {
        w.u32(1).string("de").u32(1).u64(5).u64(6).u32(1).u64(8).u64(9);
        return w.into_bytes();
    }
    if version.has_optional_segments() {
        w.u32(0).u32(0);
    }
    w.u32(0).u32(1).u64(5).u64(0).u32(1).u64(8).u64(9).u64(0);
    if version.has_soft_references_offset() {
        w.i64(i64::try_from(w.len()).unwrap() + 16).i64(4 + 4 + 8 + 4 + 16 + 4);
    }
    if version.has_soft_references() {
        w.u32(1).u32(1).u64(0x99).u32(20).u32(0).u32(0).u32(1).u32(8).u32(0);
    }
    w.into_bytes()
}

#[test]
fn every_layout_is_told_from_the_others() {
    use ContainerHeaderVersion as V;
    for (number, version, entry_len, hash_lens) in [
        (0, V::Ue4, 32, &[20][..]),
        (0, V::Ue4, 16, &[20]),
        (0, V::Ue4, 40, &[20]),
        (0, V::Initial, 24, &[20, 8]),
        (1, V::LocalizedPackages, 24, &[20, 8]),
        (2, V::OptionalSegmentPackages, 24, &[20, 8]),
        (3, V::NoExportInfo, 16, &[20, 8]),
        (4, V::SoftPackageReferences, 16, &[20, 8]),
        (5, V::SoftPackageReferencesOffset, 16, &[20, 8]),
    ] {
        for &shader_hash_len in hash_lens {
            let layout = Layout { version, entry_len, shader_hash_len };
            let bytes = header(number, layout);
            let parsed = ContainerHeader::parse(&bytes).unwrap_or_else(|fault| panic!("{layout:?}: {fault}"));
            assert_eq!((parsed.layout, parsed.padding), (layout, 0));
            let entry = parsed.packages.find(PackageId(5)).unwrap();
            assert_eq!(entry.imports, [PackageId(0x77)], "{layout:?}");
            assert_eq!(entry.counts.map(|counts| counts.exports), version.has_export_counts().then_some(3));
            assert_eq!(parsed.packages.find(PackageId(3)).unwrap().imports, []);
            assert_eq!(parsed.redirected(PackageId(8)), PackageId(9));
            assert_eq!(parsed.soft_references.is_some(), version.has_soft_references());
            if let Some(soft) = &parsed.soft_references {
                assert_eq!(soft.of(1).collect::<Vec<_>>(), [PackageId(0x99)]);
                assert_eq!(soft.of(0).count(), 0);
            }
            let written = ContainerHeader::parse(&parsed.write()).unwrap();
            assert!(written == parsed, "{layout:?}");
            // The engine writes a hash algorithm even without names; the UE4 header here has none.
            if !version.is_ue4() {
                assert!(parsed.write() == bytes, "{layout:?}");
            }
            for len in 0..bytes.len() {
                drop(ContainerHeader::parse(&bytes[..len]));
            }
        }
    }
}

/// Builds a header of 5.8 byte by byte from the format description: two packages, one import, one shader map.
const OF_5_8: &[u8] = b"\x6E\x43\x6F\x49\x05\0\0\0\
    \x88\x77\x66\x55\x44\x33\x22\x11\
    \x02\0\0\0\x03\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\
    \x30\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x01\0\0\0\x10\0\0\0\x01\0\0\0\x10\0\0\0\
    \x77\0\0\0\0\0\0\0\xA1\xA2\xA3\xA4\xA5\xA6\xA7\xA8\
    \0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\
    \x7C\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\
    \0\0\0\0";

/// Builds a header of 4.27: one package of 1,000 bytes with three exports in one bundle, the eighth to load,
/// and one import.
const OF_4_27: &[u8] = b"\x88\x77\x66\x55\x44\x33\x22\x11\x01\0\0\0\
    \0\0\0\0\x08\0\0\0\0\0\x64\xC1\0\0\0\0\
    \x01\0\0\0\x05\0\0\0\0\0\0\0\
    \x28\0\0\0\
    \xE8\x03\0\0\0\0\0\0\x03\0\0\0\x01\0\0\0\x07\0\0\0\0\0\0\0\x01\0\0\0\x08\0\0\0\
    \x77\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0";

#[test]
fn headers_by_the_description_of_the_format() {
    let header = ContainerHeader::parse(OF_5_8).unwrap();
    let layout = Layout {
        version: ContainerHeaderVersion::SoftPackageReferencesOffset,
        entry_len: 16,
        shader_hash_len: 8,
    };
    assert_eq!(header.layout, layout);
    assert_eq!(header.packages.find(PackageId(5)).unwrap().imports, [PackageId(0x77)]);
    assert_eq!(header.write(), OF_5_8);
    let entries: Vec<Entry<'_>> = header.packages.iter().collect();
    assert_eq!(PackageStore::from_entries(entries), header.packages);

    let header = ContainerHeader::parse(OF_4_27).unwrap();
    let counts = ExportCounts { package_len: Some(1000), exports: 3, bundles: 1, load_order: Some(7) };
    assert_eq!(header.packages.get(0).unwrap().counts, Some(counts));
    assert_eq!(header.write(), OF_4_27);
}

#[test]
fn what_was_read_before_a_fault_is_kept() {
    let layout =
        Layout { version: ContainerHeaderVersion::SoftPackageReferences, entry_len: 16, shader_hash_len: 20 };
    let bytes = header(4, layout);
    assert_eq!(bytes.len(), 200);
    for (len, id, packages, imports, redirects) in [
        (0, 0, 0, 0, 0),
        (7, 0, 0, 0, 0),
        (16, 0x1234, 0, 0, 0),
        (40, 0x1234, 2, 0, 0),
        (90, 0x1234, 2, 1, 0),
        (110, 0x1234, 2, 1, 0),
        (158, 0x1234, 2, 1, 0),
    ] {
        let Partial { value, fault } = ContainerHeader::parse_partial(&bytes[..len]);
        assert_eq!(ContainerHeader::parse(&bytes[..len]).err(), fault, "{len}");
        assert!(fault.is_some_and(|fault| fault.offset <= len as u64), "{len}");
        let listed = value.packages.iter().map(|entry| entry.imports.len()).sum::<usize>();
        let found = (value.container_id.0, value.packages.len(), listed, value.redirects.len());
        assert_eq!(found, (id, packages, imports, redirects), "{len}");
    }
}

#[test]
fn a_version_that_lies_is_found_out() {
    let layout = Layout { version: ContainerHeaderVersion::NoExportInfo, entry_len: 16, shader_hash_len: 20 };
    assert_eq!(ContainerHeader::parse(&header(5, layout)).unwrap().layout, layout);
}

#[test]
fn views_cannot_share_bytes() {
    let layout = Layout { version: ContainerHeaderVersion::NoExportInfo, entry_len: 16, shader_hash_len: 20 };
    let ids: Vec<PackageId> = (0..100).map(PackageId).collect();
    let mut w = Writer::new();
    for entry in 0..100u32 {
        w.u32(50).u32((100 - entry) * 16).u32(0).u32(0);
    }
    w.bytes(&[0; 400]);
    let bytes = w.into_bytes();
    let fault = PackageStore::of(ids).fill(Reader::new(&bytes), layout).unwrap_err();
    assert_eq!((fault.field, fault.offset), ("imported packages", 16));
}
