//! Zen packages of 5.3 and later, and script objects, put together from the description of the formats.

use uncask::id::{PackageId, PackageObjectIndex, public_export_hash};
use uncask::package::name_map::{MappedName, NameMap, split_number};
use uncask::version::ZenGeneration;
use uncask::wire::Writer;

/// Cooked, without editor data.
pub(crate) const COOKED: u32 = 0x8000_0200;
/// Other packages may refer to it, and it stays loaded with them: what assets have.
pub(crate) const ASSET: u32 = 0x3;

/// The target of an import.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Import<'a> {
    /// A package as such, of which a zen package keeps no more than the place.
    Hole,
    /// A native object, such as `/Script/Engine.Texture2D`.
    Script(&'a str),
    /// An object of another package: the package, and the path in it.
    Object(&'a str, &'a str),
}

/// A reference of an export.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ref {
    /// Nothing.
    Null,
    /// An import, by its place.
    Import(usize),
    /// An export, by its place.
    Export(usize),
}

/// An object.
#[derive(Debug, Clone)]
pub(crate) struct Export<'a> {
    pub(crate) name: &'a str,
    pub(crate) outer: Ref,
    pub(crate) class: Ref,
    pub(crate) super_class: Ref,
    pub(crate) template: Ref,
    pub(crate) flags: u32,
    pub(crate) data: Vec<u8>,
}

/// A package.
#[derive(Debug, Clone)]
pub(crate) struct Package<'a> {
    pub(crate) generation: ZenGeneration,
    pub(crate) name: &'a str,
    pub(crate) flags: u32,
    /// Bytes of the header that a cooker would have written.
    pub(crate) cooked_header_len: u32,
    /// Names that the data of exports refers to, by their places.
    pub(crate) names: Vec<&'a str>,
    pub(crate) imports: Vec<Import<'a>>,
    pub(crate) exports: Vec<Export<'a>>,
    /// Bulk data: offset, length and flags.
    pub(crate) bulk: Vec<(i64, i64, u32)>,
}

impl Package<'_> {
    /// The chunk.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let names = self.name_table();
        let mapped = |name: &str| {
            let (base, number) = split_number(name);
            let place = names.iter().position(|name| name.eq_ignore_ascii_case(base)).expect("a known name");
            MappedName::new(u32::try_from(place).expect("few names"), number)
        };
        let summary_len = self.generation.summary_len() as usize;
        let (mut w, mut offsets) = (Writer::new(), Vec::new());
        let cells = self.generation.has_cells();
        w.bytes(&vec![0; if cells { 8 } else { 0 }]);
        NameMap::from_names(names.iter().copied()).expect("short names").write_batch(&mut w);
        self.bulk_map(&mut w, summary_len);
        let mut mark = |w: &Writer| offsets.push(u32::try_from(summary_len + w.len()).expect("small"));
        mark(&w);
        for (_, path) in self.imported_objects() {
            w.u64(public_export_hash(path));
        }
        mark(&w);
        for index in self.import_map() {
            w.u64(index.0);
        }
        mark(&w);
        let mut offset = 0;
        for export in &self.exports {
            w.u64(offset).u64(export.data.len() as u64);
            offset += export.data.len() as u64;
            mapped(export.name).write(&mut w);
            for reference in [export.outer, export.class, export.super_class, export.template] {
                w.u64(self.index(reference).0);
            }
            let is_public = export.flags & 1 != 0;
            w.u64(if is_public { public_export_hash(&self.path(export)) } else { 0 });
            w.u32(export.flags).u32(0);
        }
        mark(&w);
        for export in 0..u32::try_from(self.exports.len()).expect("few exports") {
            w.u32(export).u32(0).u32(export).u32(1);
        }
        mark(&w);
        let needed: Vec<Vec<i32>> = self.exports.iter().map(|export| needed(export)).collect();
        let mut first = 0;
        for needed in &needed {
            w.i32(first).u32(u32::try_from(needed.len()).expect("few")).u32(0).u32(0).u32(0);
            first += i32::try_from(needed.len()).expect("few");
        }
        mark(&w);
        for index in needed.concat() {
            w.i32(index);
        }
        mark(&w);
        let imported = self.imported_packages();
        let split: Vec<(&str, u32)> = imported.iter().map(|(_, name)| split_number(name)).collect();
        let map = NameMap::from_names(split.iter().map(|(base, _)| *base)).expect("short names");
        map.write_batch(&mut w);
        for (_, number) in split {
            w.u32(number);
        }
        let mut body = w.into_bytes();
        if cells {
            let end = offsets[3].to_le_bytes();
            body[..8].copy_from_slice(&[end, end].concat());
        }
        let mut w = Writer::new();
        w.u32(0).u32(u32::try_from(summary_len + body.len()).expect("small"));
        mapped(self.name).write(&mut w);
        w.u32(self.flags).u32(self.cooked_header_len);
        for offset in offsets {
            w.u32(offset);
        }
        w.bytes(&body);
        for export in &self.exports {
            w.bytes(&export.data);
        }
        w.bytes(b"\xC1\x83\x2A\x9E");
        w.into_bytes()
    }

    /// Names of the data, of exports, of the package; each once.
    fn name_table(&self) -> Vec<&str> {
        let exports = self.exports.iter().map(|export| export.name);
        let all = self.names.iter().copied().chain(exports).chain([self.name]);
        let mut names: Vec<&str> = Vec::new();
        for (base, _) in all.map(split_number) {
            if !names.iter().any(|name| name.eq_ignore_ascii_case(base)) {
                names.push(base);
            }
        }
        names
    }

    fn bulk_map(&self, w: &mut Writer, summary_len: usize) {
        if self.generation.has_bulk_map_padding() {
            // The size after it lies at a multiple of 8.
            let padding = (summary_len + w.len() + 8).next_multiple_of(8) - (summary_len + w.len() + 8);
            w.u64(padding as u64).bytes(&vec![0; padding]);
        }
        w.u64(32 * self.bulk.len() as u64);
        for (offset, len, flags) in &self.bulk {
            w.i64(*offset).i64(-1).i64(*len).u32(*flags).u32(0);
        }
    }

    /// Objects of other packages, in the order of imports.
    fn imported_objects(&self) -> impl Iterator<Item = (&str, &str)> {
        self.imports.iter().filter_map(|import| match import {
            Import::Object(package, path) => Some((*package, *path)),
            _ => None,
        })
    }

    /// Packages with objects that are imported, sorted by id.
    fn imported_packages(&self) -> Vec<(PackageId, &str)> {
        let mut packages: Vec<_> =
            self.imported_objects().map(|(name, _)| (PackageId::from_name(name), name)).collect();
        packages.sort_unstable();
        packages.dedup();
        packages
    }

    fn import_map(&self) -> Vec<PackageObjectIndex> {
        let packages = self.imported_packages();
        let mut objects = 0_u32;
        let index = |import: &Import<'_>| match import {
            Import::Hole => PackageObjectIndex::NULL,
            Import::Script(path) => PackageObjectIndex::script(path),
            Import::Object(package, _) => {
                let place = packages.iter().position(|(id, _)| *id == PackageId::from_name(package));
                objects += 1;
                let place = u32::try_from(place.expect("it is imported")).expect("few packages");
                PackageObjectIndex::package_import(place, objects - 1)
            }
        };
        self.imports.iter().map(index).collect()
    }

    fn index(&self, reference: Ref) -> PackageObjectIndex {
        match reference {
            Ref::Null => PackageObjectIndex::NULL,
            Ref::Import(place) => self.import_map()[place],
            Ref::Export(place) => PackageObjectIndex::export(u32::try_from(place).expect("few exports")),
        }
    }

    /// Path in the package.
    fn path(&self, export: &Export<'_>) -> String {
        match export.outer {
            Ref::Export(outer) => format!("{}/{}", self.path(&self.exports[outer]), export.name),
            _ => export.name.to_owned(),
        }
    }
}

/// Exports that must be created before an export is.
fn needed(export: &Export<'_>) -> Vec<i32> {
    let references = [export.outer, export.class, export.super_class, export.template];
    let exports = references.into_iter().filter_map(|reference| match reference {
        Ref::Export(place) => Some(i32::try_from(place + 1).expect("few exports")),
        _ => None,
    });
    let mut needed: Vec<i32> = exports.collect();
    needed.dedup();
    needed
}

/// The bits of a name that stand for the names of the global container.
const GLOBAL: u32 = 2 << 30;

/// A ScriptObjects chunk with these classes, such as `/Script/Engine.Actor`, their packages and default objects.
pub(crate) fn script_objects(classes: &[&str]) -> Vec<u8> {
    let mut rows: Vec<(String, PackageObjectIndex, PackageObjectIndex, PackageObjectIndex)> = Vec::new();
    for class in classes {
        let (package, name) = class.split_once('.').expect("a class in a package");
        let (package_index, class_index) =
            (PackageObjectIndex::script(package), PackageObjectIndex::script(class));
        if !rows.iter().any(|row| row.1 == package_index) {
            rows.push((
                package.to_owned(),
                package_index,
                PackageObjectIndex::NULL,
                PackageObjectIndex::NULL,
            ));
        }
        rows.push((name.to_owned(), class_index, package_index, PackageObjectIndex::NULL));
        let default = format!("Default__{name}");
        let index = PackageObjectIndex::script(&format!("{package}.{default}"));
        rows.push((default, index, package_index, class_index));
    }
    let mut w = Writer::new();
    NameMap::from_names(rows.iter().map(|row| row.0.as_str())).expect("short names").write_batch(&mut w);
    w.u32(u32::try_from(rows.len()).expect("few objects"));
    for ((_, index, outer, class), place) in rows.iter().zip(0..) {
        w.u32(GLOBAL | place).u32(0).u64(index.0).u64(outer.0).u64(class.0);
    }
    w.into_bytes()
}
