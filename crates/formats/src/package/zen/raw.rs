//! Records of zen headers in file order: one overlay per layout.

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{I32, I64, U32, U64},
};

/// Summary of 4.26 and 4.27.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct SummaryUe4 {
    pub(super) name: RawName,
    pub(super) source_name: RawName,
    pub(super) package_flags: U32,
    pub(super) cooked_header_len: U32,
    pub(super) names_offset: I32,
    pub(super) names_len: I32,
    pub(super) hashes_offset: I32,
    pub(super) hashes_len: I32,
    pub(super) imports: I32,
    pub(super) exports: I32,
    pub(super) bundles: I32,
    pub(super) graph: I32,
    pub(super) graph_len: I32,
    pub(super) padding: I32,
}

/// The part of the summary that all UE5 releases share.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Summary {
    pub(super) has_versioning: U32,
    pub(super) header_len: U32,
    pub(super) name: RawName,
    pub(super) package_flags: U32,
    pub(super) cooked_header_len: U32,
    pub(super) public_export_hashes: I32,
    pub(super) imports: I32,
    pub(super) exports: I32,
    pub(super) bundle_entries: I32,
    /// Up to 5.2: graph data. From 5.3: dependency bundle headers.
    pub(super) graph: I32,
}

/// Fields that 5.3 added to the summary.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct SummaryTail {
    pub(super) dependency_entries: I32,
    pub(super) imported_package_names: I32,
}

/// A mapped name (`FMappedName`).
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, Clone, Copy)]
#[repr(C)]
pub(super) struct RawName {
    pub(super) index: U32,
    pub(super) number: U32,
}

/// An export map entry (`FExportMapEntry`), all generations.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Export {
    pub(super) serial_offset: U64,
    pub(super) serial_len: U64,
    pub(super) name: RawName,
    pub(super) outer: U64,
    pub(super) class: U64,
    pub(super) super_index: U64,
    pub(super) template: U64,
    /// UE4: global import index. UE5: public export hash.
    pub(super) public: U64,
    pub(super) object_flags: U32,
    pub(super) filter: u8,
    pub(super) padding: [u8; 3],
}

/// A cell export map entry (`FCellExportMapEntry`), from 5.6.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct CellExport {
    pub(super) serial_offset: U64,
    pub(super) layout_len: U64,
    pub(super) serial_len: U64,
    pub(super) class_info: RawName,
    pub(super) public_hash: U64,
}

/// A bulk data map entry (`FBulkDataMapEntry`), from 5.2.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BulkEntry {
    pub(super) offset: I64,
    pub(super) duplicate_offset: I64,
    pub(super) len: I64,
    pub(super) flags: U32,
    pub(super) cooked_index: u8,
    pub(super) padding: [u8; 3],
}

/// A bundle entry (`FExportBundleEntry`).
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BundleEntry {
    pub(super) export: U32,
    pub(super) command: U32,
}

/// A bundle header (`FExportBundleHeader`) of 4.26 and 4.27.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BundleHeaderUe4 {
    pub(super) first: U32,
    pub(super) count: U32,
}

/// A bundle header (`FExportBundleHeader`) of 5.0 to 5.2.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BundleHeader {
    pub(super) serial_offset: U64,
    pub(super) first: U32,
    pub(super) count: U32,
}

/// A dependency bundle header (`FDependencyBundleHeader`), from 5.3.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct DependencyHeader {
    pub(super) first: I32,
    /// Create before create, serialize before create, create before serialize, serialize before serialize.
    pub(super) counts: [U32; 4],
}

/// An arc from an import, 5.0 to 5.2.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct ImportArc {
    pub(super) from_import: I32,
    pub(super) from_command: u8,
    pub(super) to_bundle: I32,
}

/// A package index (`FPackageIndex`).
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub(super) struct Index(pub(super) I32);

/// An arc between two bundles.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BundleArc {
    pub(super) from: I32,
    pub(super) to: I32,
}

// A wrong field type would shift every later field without a compile error.
const _: () = {
    assert!(size_of::<SummaryUe4>() == 64);
    assert!(size_of::<Summary>() == 44);
    assert!(size_of::<Summary>() + size_of::<SummaryTail>() == 52);
    assert!(size_of::<Export>() == 72);
    assert!(size_of::<CellExport>() == 40);
    assert!(size_of::<BulkEntry>() == 32);
    assert!(size_of::<BundleEntry>() == 8);
    assert!(size_of::<BundleHeaderUe4>() == 8);
    assert!(size_of::<BundleHeader>() == 16);
    assert!(size_of::<DependencyHeader>() == 20);
    assert!(size_of::<ImportArc>() == 9);
    assert!(size_of::<BundleArc>() == 8);
};
