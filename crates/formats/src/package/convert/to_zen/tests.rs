//! Small packages, and rejected ones; real packages are compared elsewhere.

use super::*;
use crate::id::PackageObjectIndex;
use crate::package::convert::Remainder;
use crate::package::legacy::{
    Export, FILTER_EDITOR_ONLY, Import, Name, NameEntry, Package, PackageIndex, PreloadSlice, Summary,
};
use crate::package::zen::{BundleArc, BundleEntry, Command, Graph, Loading, PackageArcs, PublicId};
use crate::version::Release;

const NAMES: [&str; 7] = ["None", "A", "/Game/B", "Package", "Other", "/Script/Engine", "B"];

fn name(text: &str) -> Name {
    let index = NAMES.iter().position(|name| *name == text).unwrap();
    Name { index: u32::try_from(index).unwrap(), number: 0 }
}

fn import(outer: i32, text: &str) -> Import {
    let class_name = if outer == 0 { name("Package") } else { name("Other") };
    Import { class_name, outer: PackageIndex(outer), name: name(text), ..Import::default() }
}

fn export(text: &str, outer: i32, offset: i64, preload: [i32; 5]) -> Export {
    let [first, sbs, cbs, sbc, cbc] = preload;
    Export {
        outer: PackageIndex(outer),
        class: PackageIndex(-4),
        name: name(text),
        object_flags: u32::from(outer == 0),
        serial_len: 10,
        serial_offset: 1000 + offset,
        preload: Some(PreloadSlice {
            first,
            serialize_before_serialize: sbs,
            create_before_serialize: cbs,
            serialize_before_create: sbc,
            create_before_create: cbc,
        }),
        ..Export::default()
    }
}

/// Builds an asset `A` with a private part `B`, which has to be serialized before it; both wait for an object
/// of `/Game/B`.
fn legacy(release: &Release) -> Package {
    let mut package = Package {
        summary: Summary {
            package_flags: FILTER_EDITOR_ONLY | 0x200,
            total_header_len: 1000,
            names_referenced: Some(1),
            ..Summary::default()
        },
        names: NAMES.iter().map(|text| NameEntry::new(text)).collect(),
        imports: vec![
            import(0, "/Game/B"),
            import(-1, "Other"),
            import(0, "/Script/Engine"),
            import(-3, "Other"),
        ],
        exports: vec![export("A", 0, 0, [0, 1, 0, 1, 0]), export("B", 1, 10, [2, 0, 0, 0, 2])],
        preload_dependencies: [2, -2, 1, -2].map(PackageIndex).to_vec(),
        ..Package::default()
    };
    package.form.versions = release.objects;
    package
}

fn convert(name: &str, change: impl Fn(&mut Package)) -> Result<ZenPackage, ToZenError> {
    let release = Release::from_name(name).unwrap();
    let mut package = legacy(release);
    change(&mut package);
    let source = Source {
        package: &package,
        name: "/Game/A_1",
        exports_len: 24,
        release,
        bundles: None,
        remainder: None,
    };
    to_zen(&source, &())
}

#[test]
fn every_release_takes_its_own_form_of_the_same_package() {
    let (create, serialize) = (Command::Create, Command::Serialize);
    for release in Release::all().filter(|release| release.zen.is_some()) {
        let zen = convert(release.name, |_| ()).unwrap();
        if zen.header.generation.is_ue4() {
            continue;
        }
        let read = Header::parse(&zen.bytes).unwrap();
        assert_eq!(Some(read.generation), release.zen, "{release}");
        assert_eq!(read.name().to_string(), "/Game/A_1");
        let names: Vec<&str> = read.names.iter().collect();
        assert_eq!(names, ["None", "A", "B", "/Game/A"], "{release}");
        assert_eq!(zen.imported_packages, [PackageId::from_name("/Game/B")]);
        assert_eq!(read.imports[0], PackageObjectIndex::NULL);
        assert_eq!(read.imports[1], PackageObjectIndex::package_import(0, 0));
        assert_eq!(read.imports[3], PackageObjectIndex::script("/Script/Engine.Other"));
        let steps: Vec<(u32, Command)> =
            read.bundle_entries.iter().map(|step| (step.export, step.command)).collect();
        assert_eq!(steps, [(0, create), (1, create), (1, serialize), (0, serialize)], "{release}");
    }
}

#[test]
fn data_comes_in_the_order_of_loading_up_to_5_2() {
    let parts = |release| {
        let zen = convert(release, |_| ()).unwrap();
        zen.body.iter().map(|part| (part.start, part.end)).collect::<Vec<_>>()
    };
    assert_eq!((parts("5.2"), parts("5.3")), (vec![(10, 20), (0, 10)], vec![(0, 24)]));
    let offsets = |release| {
        let zen = convert(release, |_| ()).unwrap();
        zen.header.exports.iter().map(|export| export.serial_offset).collect::<Vec<_>>()
    };
    assert_eq!((offsets("5.2"), offsets("5.3")), (vec![1000, 1010], vec![0, 10]));
}

#[test]
fn what_waits_for_imports_is_an_arc_or_an_entry() {
    let Graph::Packages(packages) = convert("4.27", |_| ()).unwrap().header.graph else { panic!() };
    let arcs = vec![BundleArc { from: 0, to: 0 }];
    assert_eq!(packages, [PackageArcs { package: PackageId::from_name("/Game/B"), arcs }]);
    let Graph::Arcs { internal, external } = convert("5.1", |_| ()).unwrap().header.graph else { panic!() };
    let external: Vec<_> =
        external.concat().iter().map(|arc| (arc.from_import, arc.from_command, arc.to_bundle)).collect();
    assert_eq!((internal.len(), external), (0, vec![(1, Command::Create, 0), (1, Command::Serialize, 0)]));
    let Graph::Dependencies(lists) = convert("5.4", |_| ()).unwrap().header.graph else { panic!() };
    assert_eq!(
        (&lists[0].serialize_before_serialize, &lists[0].serialize_before_create),
        (&vec![2], &vec![-2])
    );
    assert_eq!(lists[1].create_before_create, [1, -2]);
}

#[test]
fn names_of_ue4_stay_where_they_are() {
    let zen = convert("4.27", |_| ()).unwrap();
    let names: Vec<&str> = zen.header.names.iter().collect();
    assert_eq!(names, [&NAMES[..], &["/Game/A"]].concat());
    let steps: Vec<BundleEntry> = zen.header.bundle_entries;
    assert_eq!(steps.iter().map(|step| step.export).collect::<Vec<_>>(), [0, 1, 1, 0]);
}

#[test]
fn what_cannot_be_loaded_is_refused() {
    let refused = |change: &dyn Fn(&mut Package)| convert("5.4", change).unwrap_err().to_string();
    for (change, expected) in [
        (
            &(|package: &mut Package| package.summary.package_flags = 0x200) as &dyn Fn(&mut Package),
            "it is not cooked (package flag FilterEditorOnly is not set)",
        ),
        (
            &|package| package.summary.names_referenced = Some(8),
            "8 names are said to be used by export data, of 7",
        ),
        (
            &|package| package.exports[1].serial_offset = 1011,
            "the data of export 1 begins at 0x3f3, expected 0x3f2",
        ),
        (
            &|package| package.exports[1].serial_len = 11,
            "its .uexp has 24 bytes, expected at least 25 for its exports and the tag at the end",
        ),
        (
            &|package| package.imports[1].outer = PackageIndex(-2),
            "import 1 is in no package: its outer objects lead in a circle or to an object without one",
        ),
        (
            &|package| package.exports[0].outer = PackageIndex(2),
            "the outer objects of export 0 lead in a circle",
        ),
        (
            &|package| package.preload_dependencies.truncate(3),
            "the preload dependencies of export 1 lie outside their table, or are those of another export",
        ),
    ] {
        assert_eq!(refused(change), expected);
    }
    let circle = |package: &mut Package| {
        // A waits for B to be serialized, and B for A.
        package.exports[1].preload =
            Some(PreloadSlice { first: 2, serialize_before_create: 1, ..PreloadSlice::default() });
    };
    assert_eq!(refused(&circle), "exports wait for each other, so that none of them can be loaded: 0, 1");
    let other = convert("5.4", |package| package.form.versions.ue5 = 1009).unwrap_err();
    assert_eq!(other.to_string(), "its object version is 522/1009, which UE 5.4 does not write");
}

#[test]
fn what_is_kept_has_to_fit_the_package() {
    for name in ["4.27", "5.1"] {
        let release = Release::from_name(name).unwrap();
        let package = legacy(release);
        let whole = convert(name, |_| ()).unwrap();
        let loading = whole.header.loading().unwrap();
        let convert = |remainder: &Remainder| {
            let source = Source {
                package: &package,
                name: "/Game/A_1",
                exports_len: 24,
                release,
                bundles: None,
                remainder: Some(remainder),
            };
            to_zen(&source, &())
        };
        let kept =
            |cooked_header_len, loading| Remainder { cooked_header_len, loading, ..Remainder::default() };
        assert_eq!(convert(&kept(None, Some(loading.clone()))).unwrap().bytes, whole.bytes, "{name}");
        let longer = convert(&kept(Some(1004), None)).unwrap();
        assert_eq!(longer.header.cooked_header_len, 1004);
        assert_eq!(longer.header.exports[0].serial_offset, 1004, "{name}: counted in the cooker's file");
        // A repeated step, a missing bundle, and every truncation.
        let mut twice = loading.clone();
        let step = twice.steps.len() - 8;
        twice.steps.copy_within(step - 8..step, step);
        assert!(matches!(convert(&kept(None, Some(twice))), Err(ToZenError::Remainder(_))), "{name}");
        let mut nowhere = loading.clone();
        *nowhere.graph.last_mut().unwrap() = 7;
        assert!(matches!(convert(&kept(None, Some(nowhere))), Err(ToZenError::Remainder(_))), "{name}");
        for len in 0..loading.steps.len() {
            let cut = Loading { steps: loading.steps[..len].to_vec(), ..loading.clone() };
            assert!(convert(&kept(None, Some(cut))).is_err(), "{name}: {len}");
        }
        for len in 0..loading.graph.len() {
            let cut = Loading { graph: loading.graph[..len].to_vec(), ..loading.clone() };
            assert!(convert(&kept(None, Some(cut))).is_err(), "{name}: {len}");
        }
    }
    assert_eq!(convert("5.3", |_| ()).unwrap().header.loading(), None);
}

#[test]
fn objects_that_are_imported_are_named_in_every_generation() {
    let owner = PackageId::from_name("/Game/B");
    let objects = |name| convert(name, |_| ()).unwrap().imported_objects;
    let global = PackageObjectIndex::global_import("/Game/B.Other");
    assert_eq!(objects("4.27"), [(owner, PublicId::GlobalImport(global))]);
    for release in ["5.0", "5.2", "5.4", "5.8"] {
        let hash = crate::id::public_export_hash("Other");
        assert_eq!(objects(release), [(owner, PublicId::Hash(hash))], "{release}");
    }
}
