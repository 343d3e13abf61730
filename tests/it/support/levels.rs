//! Levels written by hand, as the cooker of 4.27 writes them.

use std::path::Path;
use uncask::package::legacy::{
    Export, FILTER_EDITOR_ONLY, Form, Import, Name, NameEntry, Package, PackageIndex, PreloadSlice, Summary,
    VersionEvidence,
};
use uncask::version::Release;
use uncask::wire::Writer;

/// A package of 4.27 under construction: native classes, and objects.
pub(crate) struct Level {
    pub(crate) package: Package,
    pub(crate) body: Writer,
}

impl Level {
    pub(crate) fn new() -> Self {
        let release = Release::from_name("4.27").unwrap();
        let form =
            Form { versions: release.objects, legacy: release.legacy, cooked: true, ..Form::default() };
        let summary = Summary {
            legacy: release.legacy,
            ue3_version: Some(0),
            package_flags: FILTER_EDITOR_ONLY,
            ..Summary::default()
        };
        let evidence = VersionEvidence::Given(release.name);
        let package = Package { summary, form, evidence, ..Package::default() };
        let mut this = Self { package, body: Writer::new() };
        this.name("None");
        this
    }

    pub(crate) fn name(&mut self, text: &str) -> Name {
        let names = &mut self.package.names;
        let known = names.iter().position(|entry| entry.text.as_str() == text);
        let at = known.unwrap_or_else(|| {
            names.push(NameEntry::new(text));
            names.len() - 1
        });
        Name { index: u32::try_from(at).unwrap(), number: 0 }
    }

    /// A native object in a package.
    pub(crate) fn import(&mut self, class: &str, outer: i32, name: &str) -> i32 {
        let class_package = self.name("/Script/CoreUObject");
        let (class_name, name) = (self.name(class), self.name(name));
        let outer = PackageIndex(outer);
        self.package.imports.push(Import { class_package, class_name, outer, name, ..Import::default() });
        -i32::try_from(self.package.imports.len()).unwrap()
    }

    /// A tag with an object as its value.
    pub(crate) fn object(&mut self, name: &str, index: i32) {
        self.tag(name, "ObjectProperty");
        self.body.u32(4).u32(0).u8(0).i32(index);
    }

    /// Adds an object whose bytes come from a function; the end of its properties and the flag of a GUID follow.
    pub(crate) fn export(
        &mut self,
        (class, outer, template): (i32, i32, i32),
        name: &str,
        fill: impl FnOnce(&mut Self),
        tail: &[u32],
    ) {
        let start = self.body.len();
        fill(self);
        self.body.u64(0).u32(0);
        for word in tail {
            self.body.u32(*word);
        }
        let name = self.name(name);
        let serial_len = i64::try_from(self.body.len() - start).unwrap();
        self.package.exports.push(Export {
            class: PackageIndex(class),
            outer: PackageIndex(outer),
            template: Some(PackageIndex(template)),
            name,
            serial_len,
            serial_offset: i64::try_from(start).unwrap(),
            not_always_loaded: Some(true),
            is_asset: Some(false),
            preload: Some(PreloadSlice::default()),
            ..Export::default()
        });
    }

    /// Begins a tag: a name, and the name of a type.
    pub(crate) fn tag(&mut self, name: &str, kind: &str) {
        for text in [name, kind] {
            let Name { index, number } = self.name(text);
            self.body.u32(index).u32(number);
        }
    }

    pub(crate) fn write(self, folder: &Path, name: &str) {
        self.write_as(folder, name, "umap");
    }

    /// Writes the package, whose header has this extension.
    pub(crate) fn write_as(mut self, folder: &Path, name: &str, extension: &str) {
        self.package.lay_out_cooked(0).unwrap();
        let len = i64::try_from(self.package.write_header().unwrap().len()).unwrap();
        self.package.exports.iter_mut().for_each(|export| export.serial_offset += len);
        self.package.lay_out_cooked(0).unwrap();
        let header = self.package.write_header().unwrap();
        assert_eq!(i64::try_from(header.len()), Ok(len));
        std::fs::write(folder.join(format!("{name}.{extension}")), header).unwrap();
        std::fs::write(folder.join(format!("{name}.uexp")), self.body.as_bytes()).unwrap();
    }
}
