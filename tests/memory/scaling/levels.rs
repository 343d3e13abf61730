//! Levels that are made to hurt.

use std::path::{Path, PathBuf};
use uncask::package::legacy::{
    Export, FILTER_EDITOR_ONLY, Form, Import, Name, NameEntry, Package, PackageIndex, PreloadSlice, Summary,
    VersionEvidence,
};
use uncask::version::Release;
use uncask::wire::Writer;

/// A package of 4.27 under construction: native classes, and objects.
struct Level {
    package: Package,
    body: Writer,
}

impl Level {
    fn new() -> Self {
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

    fn name(&mut self, text: &str) -> Name {
        let names = &mut self.package.names;
        let known = names.iter().position(|entry| entry.text.as_str() == text);
        let at = known.unwrap_or_else(|| {
            names.push(NameEntry::new(text));
            names.len() - 1
        });
        Name { index: u32::try_from(at).unwrap(), number: 0 }
    }

    /// A native object in a package.
    fn import(&mut self, class: &str, outer: i32, name: &str) -> i32 {
        let class_package = self.name("/Script/CoreUObject");
        let (class_name, name) = (self.name(class), self.name(name));
        let outer = PackageIndex(outer);
        self.package.imports.push(Import { class_package, class_name, outer, name, ..Import::default() });
        -i32::try_from(self.package.imports.len()).unwrap()
    }

    /// A tag with an object as its value.
    fn object(&mut self, name: &str, index: i32) {
        for text in [name, "ObjectProperty"] {
            let Name { index, number } = self.name(text);
            self.body.u32(index).u32(number);
        }
        self.body.u32(4).u32(0).u8(0).i32(index);
    }

    /// Adds an object whose bytes come from a function; the end of its properties and the flag of a GUID follow.
    fn export(
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

    fn write(mut self, folder: &Path, name: &str) {
        self.package.lay_out_cooked(0).unwrap();
        let len = i64::try_from(self.package.write_header().unwrap().len()).unwrap();
        self.package.exports.iter_mut().for_each(|export| export.serial_offset += len);
        self.package.lay_out_cooked(0).unwrap();
        let header = self.package.write_header().unwrap();
        assert_eq!(i64::try_from(header.len()), Ok(len));
        std::fs::write(folder.join(format!("{name}.umap")), header).unwrap();
        std::fs::write(folder.join(format!("{name}.uexp")), self.body.as_bytes()).unwrap();
    }
}

/// A level of components, each attached to the next, whose template is the next as well; the last is attached to the first.
pub(super) fn attached(n: usize, folder: &Path) -> PathBuf {
    let content = folder.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    let mut level = Level::new();
    let engine = level.import("Package", 0, "/Script/Engine");
    let [world, of_level, actor, component] = ["World", "Level", "StaticMeshActor", "SceneComponent"]
        .map(|class| level.import("Class", engine, class));
    // A world: its level, and no others. A level without a list has the actors in it.
    level.export((world, 0, 0), "A", |_| {}, &[2, 0, 0]);
    level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
    level.export((actor, 2, 0), "Actor", |_| {}, &[]);
    for at in 0..n {
        let next = i32::try_from(4 + (at + 1) % n).unwrap();
        // No list of properties that a construction script has changed.
        let attach = |level: &mut Level| level.object("AttachParent", next);
        level.export((component, 3, next), &format!("Component{at}"), attach, &[0]);
    }
    level.write(&content, "A");
    folder.to_owned()
}

/// Levels, each of which loads the next twice.
pub(super) fn doubling(n: usize, folder: &Path) -> PathBuf {
    let content = folder.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    for at in 0..n {
        let mut level = Level::new();
        let engine = level.import("Package", 0, "/Script/Engine");
        let [world, of_level, actor, component, streaming] =
            ["World", "Level", "StaticMeshActor", "SceneComponent", "LevelStreamingAlwaysLoaded"]
                .map(|class| level.import("Class", engine, class));
        level.export((world, 0, 0), &format!("L{at}"), |_| {}, &[2, 0, 0]);
        level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
        level.export((actor, 2, 0), "Actor", |_| {}, &[]);
        level.export((component, 3, 0), "Root", |_| {}, &[0]);
        for time in 0..2 {
            let next = format!("/Game/L{0}.L{0}", at + 1);
            let loads = |level: &mut Level| {
                for text in ["WorldAsset", "SoftObjectProperty"] {
                    let Name { index, number } = level.name(text);
                    level.body.u32(index).u32(number);
                }
                let Name { index, number } = level.name(&next);
                level.body.u32(12).u32(0).u8(0).u32(index).u32(number).u32(0);
            };
            level.export((streaming, 1, 0), &format!("Streaming{time}"), loads, &[]);
        }
        level.write(&content, &format!("L{at}"));
    }
    folder.to_owned()
}
