//! The container header that `pack` writes: the engine's own for the engine's own packages.

use crate::support::containers::{open, unpack_all, write_tree};
use crate::support::packing::pack;
use crate::support::zen::{ASSET, COOKED, Export, Import, Package, Ref};
use crate::support::{corpus, cpu};
use std::path::{Path, PathBuf};
use uncask::container::container_header::{ContainerHeader, Entry, ExportCounts};
use uncask::error::Error;
use uncask::id::{ContainerId, PackageId};
use uncask::pack::{Finding, Objection, ObjectionKind, PackOptions, Packed};
use uncask::store::packages::Packages;
use uncask::version::{ContainerHeaderVersion, Release, TocVersion, ZenGeneration};

/// The only container header below a folder of unpacked files.
fn header_file(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder.join("chunks")).unwrap().map(|entry| entry.unwrap().path());
    let is_header = |path: &PathBuf| path.extension().is_some_and(|end| end == "container_header");
    let [file] = files.filter(is_header).collect::<Vec<_>>().try_into().unwrap();
    file
}

/// Packs a folder, and returns the container's header as the store reads it.
fn packed(folder: &Path, toc: &Path, options: &PackOptions) -> (Packed, ContainerHeader) {
    let packed = pack(folder, toc, options, cpu()).unwrap_or_else(|error| panic!("{error}"));
    let packages = Packages::new(&open(toc, &[]), 64 << 20);
    (packed, packages.container_header(0).expect("a container header").clone())
}

fn of_engine(release: &str) -> PackOptions {
    let release = Release::from_name(release).unwrap();
    let version = TocVersion::of_release(release).unwrap();
    PackOptions { version: Some(version), engine: Some(release), ..PackOptions::default() }
}

#[test]
fn what_was_unpacked_gets_the_header_of_the_engine() {
    let Some(corpus) = corpus::find() else { return };
    for container in [
        "tagged/Zlib/CUE4ParseFixtures-Minimal-Zlib-Windows.utoc",
        "unversioned/Oodle/CUE4ParseFixtures-Minimal-Oodle-Windows.utoc",
        "patch/CUE4ParseFixtures-PatchBase.utoc",
        "patch/CUE4ParseFixtures-PatchBase_0_P.utoc",
    ] {
        let (folder, original) = (tempfile::tempdir().unwrap(), corpus.join("iostore/ue5.8").join(container));
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        assert!(unpack_all(&open(&original, &[]), &first).is_ok());
        let toc = folder.path().join(original.file_name().unwrap());
        // Whether the old header is there or not: since 5.3 packages say what they import.
        for keeps_header in [true, false] {
            let header = std::fs::read(header_file(&first)).unwrap();
            if !keeps_header {
                std::fs::remove_file(header_file(&first)).unwrap();
            }
            let options = PackOptions { force: true, replace: true, ..PackOptions::default() };
            let packed = pack(&first, &toc, &options, cpu()).unwrap();
            assert!(packed.warnings.is_empty(), "{container}: {:?}", packed.warnings);
            assert!(unpack_all(&open(&toc, &[]), &second).is_ok());
            assert!(std::fs::read(header_file(&second)).unwrap() == header, "{container}, {keeps_header}");
            std::fs::write(header_file(&second), &header).unwrap();
        }
    }
}

#[test]
fn a_header_of_another_container_lends_what_packages_do_not_say() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    let original = corpus.join("found/container/ue5.1-patch_0_P.utoc");
    assert!(unpack_all(&open(&original, &[]), &tree).is_ok());
    let old = ContainerHeader::parse(&std::fs::read(header_file(&tree)).unwrap()).unwrap();
    let toc = folder.path().join("mods/mod_P.utoc");
    let version = TocVersion::PerfectHashWithOverflow;
    let (packed, header) =
        packed(&tree, &toc, &PackOptions { version: Some(version), ..PackOptions::default() });
    let [reported, project_files] = packed.warnings.as_slice() else { panic!("{:?}", packed.warnings) };
    assert_eq!((project_files.objection.kind(), project_files.count), (ObjectionKind::ProjectFile, 2));
    assert_eq!(reported.first, header_file(&tree));
    let Objection::OldHeaderReplaced { found, own } = reported.objection else { panic!("{reported}") };
    assert_eq!((found, own), (ContainerId(0xe466_e8a8_c327_dd19), ContainerId::from_name("mod_P")));
    assert_eq!(header.layout.version, ContainerHeaderVersion::OptionalSegmentPackages);
    assert_eq!(header.container_id, ContainerId::from_name("mod_P"));
    assert_eq!((old.packages.len(), header.packages.len()), (412, 3), "those of the patch only");
    let imports: usize = header.packages.iter().map(|entry| entry.imports.len()).sum();
    assert!(imports > 0);
    for entry in header.packages.iter() {
        assert_eq!(Some(entry), old.packages.find(entry.id));
    }
    std::fs::remove_file(header_file(&tree)).unwrap();
    let options = PackOptions { version: Some(version), ..PackOptions::default() };
    let refused = pack(&tree, &folder.path().join("n.utoc"), &options, cpu()).unwrap_err();
    assert!(refused.to_string().contains("package without a list of imported packages: "), "{refused}");
    let Error::Refused { reasons } = refused else { panic!("{refused}") };
    assert!(reasons.iter().any(|reason| matches!(reason.objection, Objection::ImportsUnknown)));
}

/// A folder with packages of 4.27.
fn of_4_27(corpus: &Path, folder: &Path, names: &[&str]) {
    for name in names {
        let file = format!("{name}.uasset");
        let content = std::fs::read(corpus.join("packages/ue4.27").join(&file)).unwrap();
        write_tree(folder, [(format!("G/Content/{file}").as_str(), content)]);
    }
}

#[test]
fn packages_of_4_27_get_entries_with_their_lengths_and_exports() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    of_4_27(&corpus, &tree, &["T_Emissive", "Table_SignsJanuary"]);
    let (_, made) = packed(&tree, &folder.path().join("a.utoc"), &of_engine("4.27"));
    assert_eq!((made.layout.version, made.layout.entry_len), (ContainerHeaderVersion::Ue4, 32));
    let mut orders: Vec<_> = made.packages.iter().map(|entry| entry.counts.unwrap().load_order).collect();
    orders.sort_unstable();
    assert_eq!(orders, [Some(0), Some(1)]);
    // All the rest is what the engine wrote into the header of the whole game.
    let whole = std::fs::read(corpus.join("headers/ue4.27/ContainerHeader_1.bin")).unwrap();
    let whole = ContainerHeader::parse(&whole).unwrap();
    let emissive = PackageId::from_name("/Engine/Engine_MI_Shaders/T_Emissive");
    let (made, original) = (made.packages.find(emissive).unwrap(), whole.packages.find(emissive).unwrap());
    let load_order = original.counts.unwrap().load_order;
    let counts = ExportCounts { load_order, ..made.counts.unwrap() };
    assert_eq!(Entry { counts: Some(counts), ..made }, original);
}

#[test]
fn packages_of_4_27_import_what_the_header_that_came_along_says() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    of_4_27(&corpus, &tree, &["T_Emissive", "BP_Aphid_Meat_Prop", "BP_SpicyChoppingDamage"]);
    let refused = pack(&tree, &folder.path().join("a.utoc"), &of_engine("4.27"), cpu()).unwrap_err();
    let Error::Refused { reasons } = &refused else { panic!("{refused}") };
    let [Finding { objection: Objection::ImportsUnknown, count: 2, .. }] = &reasons[..] else {
        panic!("{refused}")
    };
    let whole = std::fs::read(corpus.join("headers/ue4.27/ContainerHeader_1.bin")).unwrap();
    write_tree(&tree, [("chunks/99582a5f6aca03940000000a.container_header", whole.clone())]);
    let whole = ContainerHeader::parse(&whole).unwrap();
    let (_, made) = packed(&tree, &folder.path().join("a.utoc"), &of_engine("4.27"));
    assert_eq!(made.packages.len(), 3);
    for entry in made.packages.iter() {
        assert_eq!(Some(entry), whole.packages.find(entry.id));
    }
    assert!(made.packages.iter().any(|entry| !entry.imports.is_empty()));
}

/// A package with one object, which refers to objects of these other packages.
fn package(generation: ZenGeneration, name: &str, imports: &[&str]) -> Vec<u8> {
    let class = Import::Script("/Script/Engine.DataAsset");
    let objects = imports.iter().map(|package| Import::Object(package, package.rsplit('/').next().unwrap()));
    let export = Export {
        name: name.rsplit('/').next().unwrap(),
        outer: Ref::Null,
        class: Ref::Import(0),
        super_class: Ref::Null,
        template: Ref::Null,
        flags: ASSET,
        data: vec![0; 8],
    };
    Package {
        generation,
        name,
        flags: COOKED,
        cooked_header_len: 500,
        names: vec!["None"],
        imports: [class].into_iter().chain(objects).collect(),
        exports: vec![export],
        bulk: Vec::new(),
    }
    .bytes()
}

#[test]
fn the_layout_goes_by_the_packages_and_the_toc_version() {
    use ContainerHeaderVersion as Header;
    use ZenGeneration as Zen;
    for (generation, toc, engine, expected) in [
        (Zen::DependencyBundles, 5, None, Header::NoExportInfo),
        (Zen::PaddedBulkMap, 6, None, Header::NoExportInfo),
        (Zen::PaddedBulkMap, 8, None, Header::SoftPackageReferences),
        (Zen::Cells, 8, Some("5.6"), Header::SoftPackageReferencesOffset),
        (Zen::Cells, 10, None, Header::SoftPackageReferencesOffset),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let tree = [
            ("tree/G/Content/A.uasset", package(generation, "/Game/A", &["/Game/B", "/Game/C_4"])),
            ("tree/G/Content/B.uasset", package(generation, "/Game/B", &[])),
            ("tree/G/Content/L10N/de/B.uasset", package(generation, "/Game/L10N/de/B", &[])),
        ];
        write_tree(folder.path(), tree);
        let engine = engine.and_then(Release::from_name);
        let version = TocVersion::from_wire(toc).unwrap();
        let options = PackOptions { version: Some(version), engine, ..PackOptions::default() };
        let (packed, header) = packed(&folder.path().join("tree"), &folder.path().join("a.utoc"), &options);
        assert_eq!((packed.chunks, packed.warnings.len()), (4, 0), "{:?}", packed.warnings);
        assert_eq!(header.layout.version, expected);
        let ids: Vec<PackageId> = header.packages.ids().to_vec();
        assert!(ids.is_sorted() && ids.len() == 3);
        let mut imports = ["/Game/B", "/Game/C_4"].map(PackageId::from_name);
        imports.sort_unstable();
        assert_eq!(header.packages.find(PackageId::from_name("/Game/A")).unwrap().imports, imports);
        let [localized] = header.localized.as_slice() else { panic!("{:?}", header.localized) };
        assert_eq!(localized.source, PackageId::from_name("/Game/B"));
        assert_eq!(header.names.resolve(localized.name).unwrap().to_string(), "/Game/B");
    }
}

#[test]
fn a_choice_between_layouts_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let Some(corpus) = corpus::find() else { return };
    let tree = folder.path().join("tree");
    assert!(unpack_all(&open(&corpus.join("found/container/ue5.1-patch_0_P.utoc"), &[]), &tree).is_ok());
    std::fs::remove_file(header_file(&tree)).unwrap();
    let options = PackOptions {
        version: Some(TocVersion::PerfectHashWithOverflow),
        force: true,
        replace: true,
        ..PackOptions::default()
    };
    let (packed, header) = packed(&tree, &folder.path().join("a.utoc"), &options);
    assert_eq!(header.layout.version, ContainerHeaderVersion::OptionalSegmentPackages);
    let [uncertain, imports, ..] = packed.warnings.as_slice() else { panic!("{packed:?}") };
    let Objection::ReleaseUncertain { release, others, .. } = &uncertain.objection else {
        panic!("{uncertain}")
    };
    assert_eq!((release.name, others[0].name, others.len()), ("5.1", "5.0", 1));
    assert!(matches!(imports.objection, Objection::ImportsUnknown), "{imports}");
}
