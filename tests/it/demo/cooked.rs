//! Packages as a cooker writes them: `.uasset` or `.umap`, and `.uexp`. Properties have tags, and no versions are recorded.

use std::collections::HashSet;
use uncask::id::crc::package_source;
use uncask::package::legacy::{
    self, DataResource, DataResources, END_TAG, Name, NameEntry, PackageIndex, PreloadSlice, Summary,
    saved_hash,
};
use uncask::package::name_map::split_number;
use uncask::version::{DataResourceVersion, Release};

/// Cooked, without editor data.
const COOKED: u32 = 0x8000_0200;
/// Holds a map.
pub(super) const MAP: u32 = 0x2_0000;
/// Object flag: other packages may refer to it.
const PUBLIC: u32 = 1;
/// Object flags of assets: public, and loaded as long as their package is.
pub(super) const ASSET: u32 = 3;
/// Object flag: it holds the defaults of a class.
const CLASS_DEFAULT: u32 = 0x10;
/// Object flags of default objects.
pub(super) const DEFAULT_OBJECT: u32 = 0x21 | CLASS_DEFAULT;

/// A package or an object of another package. References to it are negative: −1 is the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Import {
    /// The import that it lies in; 0 for packages.
    outer: i32,
    name: &'static str,
    /// Package and name of its class.
    class: (&'static str, &'static str),
}

impl Import {
    pub(super) const fn package(name: &'static str) -> Self {
        Self { outer: 0, name, class: ("/Script/CoreUObject", "Package") }
    }

    /// A native class.
    pub(super) const fn class(outer: i32, name: &'static str) -> Self {
        Self { outer, name, class: ("/Script/CoreUObject", "Class") }
    }

    /// An object of a class of the engine.
    pub(super) const fn object(outer: i32, name: &'static str, class: &'static str) -> Self {
        Self { outer, name, class: ("/Script/Engine", class) }
    }
}

/// An object of the package. References are numbers: 0 for nothing, 1 for the first export, −1 for the first import.
#[derive(Debug, Clone, Default)]
pub(super) struct Export {
    pub(super) name: &'static str,
    pub(super) outer: i32,
    pub(super) class: i32,
    pub(super) super_class: i32,
    pub(super) template: i32,
    pub(super) flags: u32,
    /// Objects that its data refers to, which must be created before the data is read.
    pub(super) needs: Vec<i32>,
    pub(super) data: Data,
}

impl Export {
    /// Its row, but for what has to be there before it.
    fn row(&self, name: Name) -> legacy::Export {
        let is_default = self.flags & CLASS_DEFAULT != 0;
        let is_class = self.super_class != 0;
        let number = |len: usize| i64::try_from(len).expect("small");
        legacy::Export {
            class: PackageIndex(self.class),
            super_index: PackageIndex(self.super_class),
            template: Some(PackageIndex(self.template)),
            outer: PackageIndex(self.outer),
            name,
            object_flags: self.flags,
            serial_len: number(self.data.bytes.len()),
            is_inherited: Some(false),
            not_always_loaded: Some(!is_default && !is_class),
            is_asset: Some(self.outer == 0 && self.flags & PUBLIC != 0 && !is_default),
            generate_public_hash: Some(false),
            script: Some([0, number(self.data.properties_len)]),
            ..legacy::Export::default()
        }
    }
}

/// The data of an export: properties, then what its class writes.
#[derive(Debug, Clone, Default)]
pub(super) struct Data {
    pub(super) bytes: Vec<u8>,
    pub(super) properties_len: usize,
}

/// A package.
#[derive(Debug, Clone, Default)]
pub(super) struct Package {
    /// Such as `/Game/Maps/Start`.
    pub(super) name: &'static str,
    pub(super) flags: u32,
    /// Names that the data of exports refers to, by their places.
    pub(super) names: Vec<&'static str>,
    pub(super) imports: Vec<Import>,
    pub(super) exports: Vec<Export>,
    /// Bulk data of the first export: offset, length and flags.
    pub(super) bulk: Vec<(i64, i64, u32)>,
}

impl Package {
    /// The header, and the `.uexp`.
    pub(super) fn files(&self, release: &'static Release) -> (Vec<u8>, Vec<u8>) {
        let names = self.name_table();
        let mapped = |text: &str| {
            let (base, number) = split_number(text);
            let place = names.iter().position(|name| name.eq_ignore_ascii_case(base)).expect("a known name");
            Name { index: u32::try_from(place).expect("few names"), number }
        };
        let import = |import: &Import| legacy::Import {
            class_package: mapped(import.class.0),
            class_name: mapped(import.class.1),
            outer: PackageIndex(import.outer),
            name: mapped(import.name),
            package_name: release.cooked_import_package_name.then(|| mapped(import.name)),
            optional: Some(false),
        };
        let mut package = legacy::Package {
            summary: self.summary(release),
            names: names.iter().map(|name| NameEntry::new(name)).collect(),
            imports: self.imports.iter().map(import).collect(),
            exports: self.exports.iter().map(|export| export.row(mapped(export.name))).collect(),
            data_resources: self.data_resources(release),
            ..legacy::Package::default()
        };
        package.form.versions = release.objects;
        package.form.cooked_import_names = release.cooked_import_package_name;
        for (row, export) in package.exports.iter_mut().zip(&self.exports) {
            row.preload = Some(preload(export, &mut package.preload_dependencies));
        }
        package.lay_out_cooked(0).expect("a small header");
        let mut header = package.write_header().expect("a small header");
        let mut exports: Vec<u8> =
            self.exports.iter().flat_map(|export| export.data.bytes.iter().copied()).collect();
        if release.objects.has_saved_hash() {
            let hash = saved_hash(&header, &exports);
            header[24..44].copy_from_slice(&hash);
        }
        exports.extend(END_TAG);
        (header, exports)
    }

    fn summary(&self, release: &Release) -> Summary {
        let (_, stem) = self.name.rsplit_once('/').expect("a long name");
        Summary {
            legacy: release.legacy,
            ue3_version: Some(0),
            package_name: self.name.to_owned().into(),
            package_flags: COOKED | self.flags,
            package_source: package_source(stem),
            payload_toc_offset: Some(-1),
            names_referenced: Some(i32::try_from(self.names.len()).expect("few names")),
            ..Summary::default()
        }
    }

    /// Names of the data; after them all others, sorted, each once.
    fn name_table(&self) -> Vec<&'static str> {
        let imports = self.imports.iter().flat_map(|import| [import.name, import.class.0, import.class.1]);
        let others = imports.chain(self.exports.iter().map(|export| export.name)).chain([self.name]);
        let mut others: Vec<&str> = others.map(|text| split_number(text).0).collect();
        others.sort_by_key(|text| text.to_ascii_lowercase());
        let mut seen = HashSet::new();
        let all = self.names.iter().copied().chain(others);
        all.filter(|text| seen.insert(text.to_ascii_lowercase())).collect()
    }

    fn data_resources(&self, release: &Release) -> Option<DataResources> {
        let version = DataResourceVersion::of(release.objects);
        let entry = |(offset, len, flags): &(i64, i64, u32)| DataResource {
            cooked_index: Some(0),
            serial_offset: *offset,
            duplicate_offset: -1,
            serial_len: *len,
            raw_len: *len,
            owner: PackageIndex(1),
            bulk_flags: *flags,
            ..DataResource::default()
        };
        let entries: Vec<DataResource> = self.bulk.iter().map(entry).collect();
        (!entries.is_empty()).then_some(DataResources { version, entries })
    }
}

/// Lists what has to be there before an export is: what its data refers to is created, class and template are read, and outer
/// and super class are created.
fn preload(export: &Export, table: &mut Vec<PackageIndex>) -> PreloadSlice {
    let first = i32::try_from(table.len()).expect("few");
    let mut list = |indices: &[i32]| {
        let listed = indices.iter().filter(|index| **index != 0);
        let before = table.len();
        table.extend(listed.map(|index| PackageIndex(*index)));
        i32::try_from(table.len() - before).expect("few")
    };
    PreloadSlice {
        first,
        serialize_before_serialize: 0,
        create_before_serialize: list(&export.needs),
        serialize_before_create: list(&[export.class, export.template]),
        create_before_create: list(&[export.outer, export.super_class]),
    }
}
