//! Small packages of every generation, built from the sheet; real files exist of only three of them.

use super::detect::assumed_versions;
use super::*;
use crate::{
    id::{PackageId, PackageObjectIndex},
    names::{HASH_ALGORITHM, name_hash},
    package::bulk::BulkPlace,
    version::ZenGeneration,
    wire::{FaultKind, Writer},
};
use std::sync::Arc;

const NAMES: [&str; 2] = ["/Game/A", "A"];

fn batch(w: &mut Writer, names: &[&str]) {
    w.u32(u32::try_from(names.len()).unwrap());
    if names.is_empty() {
        return;
    }
    w.u32(u32::try_from(names.concat().len()).unwrap()).u64(HASH_ALGORITHM);
    for name in names {
        w.u64(name_hash(name, false));
    }
    for name in names {
        w.bytes(&u16::try_from(name.len()).unwrap().to_be_bytes());
    }
    w.bytes(names.concat().as_bytes());
}

fn export(w: &mut Writer, offset: u64, name: u32) {
    w.u64(offset).u64(8).u32(name).u32(0);
    w.u64(u64::MAX).u64(PackageObjectIndex::script("/Script/Engine.Texture2D").0).u64(u64::MAX).u64(u64::MAX);
    w.u64(crate::id::public_export_hash("A")).u32(1).u8(1).bytes(&[0; 3]);
}

/// Builds two imports, two exports, one imported package, and one payload if the generation has a bulk map.
pub(crate) fn package(generation: ZenGeneration, versioned: bool) -> Vec<u8> {
    let mut offsets = Vec::new();
    let mut w = Writer::new();
    let bulk = generation.has_bulk_map();
    if versioned {
        w.u32(3).bytes(&assumed_versions(generation).ue4.to_le_bytes());
        w.i32(assumed_versions(generation).ue5).i32(0).u32(1).bytes(&[7; 16]).i32(9);
    }
    let cells_at = w.len();
    if generation.has_cells() {
        w.u64(0);
    }
    batch(&mut w, &NAMES);
    if generation.has_bulk_map_padding() {
        // The size field lies on a multiple of eight.
        let padding = (generation.summary_len() as usize + w.len()).wrapping_neg() % 8;
        w.u64(padding as u64).bytes(&vec![0; padding]);
    }
    if bulk {
        w.i64(32).i64(16).i64(-1).i64(100).u32(0x10501).u32(0);
    }
    offsets.push(w.len());
    w.u64(0x1111);
    offsets.push(w.len());
    w.u64(u64::MAX).u64(PackageObjectIndex::package_import(0, 0).0);
    offsets.push(w.len());
    export(&mut w, 0, 1);
    export(&mut w, 8, 1);
    offsets.push(w.len());
    w.u32(0).u32(0).u32(1).u32(0).u32(1).u32(1).u32(0).u32(1);
    offsets.push(w.len());
    if generation.has_dependency_bundles() {
        w.i32(0).u32(1).u32(0).u32(0).u32(0).i32(1).u32(0).u32(0).u32(0).u32(1);
        offsets.push(w.len());
        w.i32(-2).i32(1);
        offsets.push(w.len());
        batch(&mut w, &["/Game/B"]);
        w.u32(5);
    } else {
        w.u64(0).u32(0).u32(3).u64(8).u32(3).u32(1);
        w.u32(1).i32(0).i32(1).u32(1).i32(1).u8(1).i32(0);
    }
    let mut body = w.into_bytes();
    let summary_len = generation.summary_len() as usize;
    if generation.has_cells() {
        let end = u32::try_from(offsets[3] + summary_len).unwrap().to_le_bytes();
        body[cells_at..cells_at + 4].copy_from_slice(&end);
        body[cells_at + 4..cells_at + 8].copy_from_slice(&end);
    }
    let mut w = Writer::new();
    w.u32(versioned.into())
        .u32(u32::try_from(summary_len + body.len()).unwrap())
        .u64(0)
        .u32(0x8000_0200)
        .u32(500);
    for offset in offsets {
        w.u32(u32::try_from(summary_len + offset).unwrap());
    }
    w.bytes(&body).bytes(&[1; 8]).bytes(&[2; 8]);
    w.into_bytes()
}

#[test]
fn every_generation_of_ue5_is_told_from_the_others() {
    for generation in ZenGeneration::ALL.into_iter().filter(|generation| !generation.is_ue4()) {
        for versioned in [false, true] {
            let bytes = package(generation, versioned);
            assert_eq!(detect(&bytes), Ok(generation));
            assert_eq!(package_name(&bytes).as_deref(), Some("/Game/A"));
            let header = Header::parse(&bytes).unwrap_or_else(|fault| panic!("{generation}: {fault}"));
            assert_eq!(header.header_len + 16, bytes.len() as u64);
            assert_eq!(header.sections.last().unwrap().range.end, header.header_len);
            assert_eq!(header.versioning.is_some(), versioned);
            assert_eq!((header.imports.len(), header.exports.len()), (2, 2));
            assert_eq!(header.exports[0].filter, ExportFilter::NotForClient);
            assert_eq!(
                header.bulk.iter().map(|bulk| bulk.place).collect::<Vec<_>>(),
                vec![BulkPlace::Separate; usize::from(generation.has_bulk_map())]
            );
            let body = |range: &std::ops::Range<u64>| {
                (range.start - header.header_len, range.end - header.header_len)
            };
            let ranges = header.export_ranges().unwrap();
            // Before 5.3 the first bundle serializes the second export, and the second bundle the first.
            let order = if generation.has_trailing_tag() { [(0, 8), (8, 16)] } else { [(8, 16), (0, 8)] };
            assert_eq!(ranges.iter().map(body).collect::<Vec<_>>(), order);
        }
    }
}

#[test]
fn graphs_before_and_after_5_3() {
    let old = Header::parse(&package(ZenGeneration::DataResources, false)).unwrap();
    let arc = BundleArc { from: 0, to: 1 };
    let import = ImportArc { from_import: 1, from_command: Command::Serialize, to_bundle: 0 };
    assert_eq!(old.graph, Graph::Arcs { internal: vec![arc], external: vec![vec![import]] });
    assert_eq!(old.bundles.len(), 2);
    assert_eq!(old.imported_packages(), []);
    let new = Header::parse(&package(ZenGeneration::DependencyBundles, false)).unwrap();
    let Graph::Dependencies(lists) = &new.graph else { panic!() };
    assert_eq!(
        (&lists[0].create_before_create[..], &lists[1].serialize_before_serialize[..]),
        (&[-2][..], &[1][..])
    );
    assert_eq!(new.imported_package_names, [Arc::from("/Game/B_4")]);
    assert_eq!(new.imported_packages(), [PackageId::from_name("/Game/B_4")]);
}

#[test]
fn every_truncation_is_a_fault_and_keeps_what_was_read() {
    for generation in ZenGeneration::ALL.into_iter().filter(|generation| !generation.is_ue4()) {
        let bytes = package(generation, true);
        let whole = Header::parse(&bytes).unwrap();
        let len = usize::try_from(whole.header_len).unwrap();
        let mut partial = 0;
        for end in 0..len {
            match Header::parse_partial(&bytes[..end]) {
                Err(_) => {}
                Ok(found) => {
                    assert!(found.fault.is_some(), "{generation}, {end} bytes");
                    partial += usize::from(found.value.imports == whole.imports);
                }
            }
        }
        assert!(partial > 200, "{generation}: {partial}");
    }
}

#[test]
fn faults_name_the_field_and_the_place() {
    let bytes = package(ZenGeneration::Cells, false);
    let header = Header::parse(&bytes).unwrap();
    let at = header.sections.iter().find(|section| section.name == "export map").unwrap().range.start;
    let mut bad = bytes.clone();
    bad[usize::try_from(at).unwrap() + 16] = 9;
    let fault = Header::parse(&bad).unwrap_err();
    assert_eq!((fault.field, fault.offset), ("export map: object name", at + 16));
    assert_eq!(fault.kind, FaultKind::OutOfRange { index: 9, count: 2 });
    let mut bad = bytes;
    bad[usize::try_from(at).unwrap() + 24..][..8].copy_from_slice(&7u64.to_le_bytes());
    assert_eq!(Header::parse(&bad).unwrap_err().field, "export map: outer");
}

#[test]
fn a_class_that_leads_nowhere_is_reported() {
    let header = Header::parse(&package(ZenGeneration::Cells, false)).unwrap();
    let resolver = Resolver::new(&header, &());
    assert_eq!(resolver.resolve(header.imports[0]), Resolved::Null);
    let Resolved::Unresolved { reason, package, .. } = resolver.resolve(header.imports[1]) else { panic!() };
    assert_eq!((reason, package.as_deref()), (Unresolved::PackageMissing, Some("/Game/B_4")));
    let Resolved::Unresolved { reason, .. } = resolver.class_of(&header.exports[0]) else { panic!() };
    assert_eq!(reason, Unresolved::NoScriptObject);
}

#[test]
fn a_header_that_was_read_is_written_as_it_was() {
    for generation in ZenGeneration::ALL.into_iter().filter(|generation| !generation.is_ue4()) {
        for versioned in [false, true] {
            let bytes = package(generation, versioned);
            let header = Header::parse(&bytes).unwrap();
            let len = usize::try_from(header.header_len).unwrap();
            assert_eq!(header.write().unwrap(), bytes[..len], "{generation}, versioned: {versioned}");
        }
    }
}
