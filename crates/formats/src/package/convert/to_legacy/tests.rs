use super::*;
use crate::names::NameMap;
use crate::package::convert::note::{self, NOTE_LEN};
use crate::package::legacy::{END_TAG, Package, PackageIndex};
use crate::package::zen::{Dependencies, ExportFilter, Graph, Header, tests::package};
use crate::version::{ContainerHeaderVersion, Release, Releases, TocVersion, ZenGeneration};
use crate::wire::{Reader, Writer};

fn input<'a>(header: &'a Header, chunk: &'a [u8]) -> Input<'a> {
    Input { header, chunk, file_stem: None, evidence: Evidence::default() }
}

#[test]
fn packages_of_every_generation_read_back() {
    for generation in ZenGeneration::ALL.into_iter().filter(|generation| !generation.is_ue4()) {
        for versioned in [false, true] {
            let chunk = package(generation, versioned);
            let header = Header::parse(&chunk).unwrap();
            let converted = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
            let asset = converted.clone().write().unwrap();
            check(&asset, &header, &chunk).unwrap();
            let release = converted.release;
            assert!(converted.body.ends_with(&END_TAG), "{generation}");
            assert_eq!(converted.body.len(), 2 * 8 + END_TAG.len(), "{generation}");
            assert_eq!(release.zen, Some(generation));
            let read = Package::parse_as(&asset.header, release).unwrap();
            assert_eq!(read, asset.converted.package, "{generation}");
            let unhashed = converted.package.clone().write_header().unwrap();
            assert_eq!(Package::parse_as(&unhashed, release).unwrap(), converted.package, "{generation}");
            assert_eq!(read.summary.file_versions.is_unversioned(), !versioned);
            let mut bytes = read.clone().write_header().unwrap();
            assert_eq!(note::cooked_header_len(&asset.header), Some(500), "it is longer than the cooker's");
            note::put(&mut bytes, 500);
            assert!(bytes == asset.header, "{generation}: what is read is what was written");
            assert_eq!(read.exports[1].preload.unwrap().first >= 0, !read.preload_dependencies.is_empty());
        }
    }
}

#[test]
fn a_release_that_writes_another_form_is_refused() {
    let chunk = package(ZenGeneration::Cells, false);
    let header = Header::parse(&chunk).unwrap();
    let target = Target { release: Release::from_name("5.3") };
    let error = convert(&input(&header, &chunk), &(), &target).unwrap_err();
    assert_eq!(error.to_string(), "the package is from UE 5.6–6.0, expected UE 5.3");
    let target = Target { release: Release::from_name("5.6") };
    assert_eq!(convert(&input(&header, &chunk), &(), &target).unwrap().how, How::Given);
}

#[test]
fn the_container_narrows_the_releases_that_fit() {
    let chosen = |generation, clues: &[Clue]| {
        let chunk = package(generation, false);
        let header = Header::parse(&chunk).unwrap();
        let evidence = Evidence { clues };
        let converted =
            convert(&Input { evidence, ..input(&header, &chunk) }, &(), &Target::default()).unwrap();
        let fitting = if converted.is_open { converted.left.to_string() } else { String::new() };
        (converted.release.name, converted.how, fitting)
    };
    let certain = |name, how| (name, how, String::new());
    let of = |toc, header, len| {
        Clue::of_container(How::Container, TocVersion::from_wire(toc).unwrap(), header, len)
    };
    let toc = |raw| of(raw, None, None);
    assert_eq!(chosen(ZenGeneration::DataResources, &[toc(5)]), certain("5.2", How::Form));
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, &[toc(6)]), certain("5.4", How::Container));
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, &[toc(8)]), certain("5.5", How::Container));
    let open = |name, fitting: &str| (name, How::Newest, fitting.to_owned());
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, &[]), open("5.5", "UE 5.4 or 5.5"));
    assert_eq!(chosen(ZenGeneration::Cells, &[toc(10)]), certain("6.0", How::Container));
    assert_eq!(chosen(ZenGeneration::Cells, &[toc(8)]), open("5.8", "UE 5.6, 5.7 or 5.8"));
    assert_eq!(chosen(ZenGeneration::Cells, &[of(8, None, Some(20))]), open("5.7", "UE 5.6 or 5.7"));
    assert_eq!(chosen(ZenGeneration::Cells, &[of(8, None, Some(8))]), certain("5.8", How::Container));
    let first = of(5, Some(ContainerHeaderVersion::LocalizedPackages), None);
    assert_eq!(chosen(ZenGeneration::Initial, &[first]), certain("5.0", How::Container));
    let impossible = chosen(ZenGeneration::Cells, &[toc(3)]);
    assert_eq!(impossible, open("6.0", "UE 5.6, 5.7, 5.8 or 6.0"), "a container that cannot be right");
}

#[test]
fn better_clues_count_first_and_more_clues_narrow() {
    let chunk = package(ZenGeneration::Cells, false);
    let header = Header::parse(&chunk).unwrap();
    let chosen = |clues: &[(How, &str, &str)]| {
        let clue = |(how, first, last): &(How, &str, &str)| Clue {
            how: *how,
            releases: Releases::between(first, last),
        };
        let clues: Vec<Clue> = clues.iter().map(clue).collect();
        let evidence = Evidence { clues: &clues };
        let converted =
            convert(&Input { evidence, ..input(&header, &chunk) }, &(), &Target::default()).unwrap();
        (converted.release.name, converted.how)
    };
    let container = (How::Container, "5.6", "5.8");
    assert_eq!(chosen(&[container, (How::Registry, "5.8", "6.0")]), ("5.8", How::Registry));
    assert_eq!(
        chosen(&[container, (How::Registry, "5.5", "5.7"), (How::Executable, "5.6", "5.6")]),
        ("5.6", How::Executable)
    );
    assert_eq!(
        chosen(&[(How::Neighbour, "5.7", "5.7"), container, (How::Project, "5.6", "5.6")]),
        ("5.7", How::Neighbour)
    );
    assert_eq!(
        chosen(&[(How::Executable, "5.3", "5.3")]),
        ("6.0", How::Newest),
        "a version of the game, not of the engine"
    );
}

#[test]
fn what_cannot_be_named_gets_a_stable_name() {
    let chunk = package(ZenGeneration::Cells, false);
    let header = Header::parse(&chunk).unwrap();
    let converted = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
    let read = &converted.package;
    let path = |at| read.import_path(at).unwrap_or_default();
    assert_eq!(path(0), "/Game/B_4");
    let hash = header.imported_public_export_hashes[0];
    assert_eq!(path(1), format!("/Game/B_4.UnknownExport_x{hash:016x}"));
    let kinds: Vec<&str> = converted.losses.iter().map(Loss::kind).collect();
    assert!(kinds.contains(&"imported package not available"), "{kinds:?}");
}

#[test]
fn a_header_that_is_too_long_loses_entries_that_only_order_exports() {
    let chunk = package(ZenGeneration::Initial, false);
    let mut header = Header::parse(&chunk).unwrap();
    let target = Target { release: Release::from_name("5.1") };
    let mut convert_to = |cooked| {
        header.cooked_header_len = cooked;
        let converted = convert(&input(&header, &chunk), &(), &target).unwrap();
        let too_long = converted.losses.iter().any(|loss| matches!(loss, Loss::HeaderTooLong { .. }));
        let asset = converted.write().unwrap();
        (asset.header.len(), asset.converted.package.preload_dependencies.len(), too_long)
    };
    let (noted, entries, _) = convert_to(1);
    let natural = noted - NOTE_LEN;
    assert!(entries >= 2, "{entries}");
    let len = |len: usize| u32::try_from(len).unwrap();
    assert_eq!(convert_to(len(natural)), (natural, entries, false));
    assert_eq!(convert_to(len(natural - 8)), (natural - 8, entries - 2, false));
    assert_eq!(convert_to(len(natural - 6)), (noted, entries, true), "no number of entries has six bytes");
    assert_eq!(convert_to(len(natural + 40)), (natural + 40, entries, false));
}

#[test]
fn preload_lists_name_nothing_that_is_not_native_and_not_in_the_zen_lists() {
    for generation in [ZenGeneration::DependencyBundles, ZenGeneration::PaddedBulkMap, ZenGeneration::Cells] {
        let chunk = package(generation, false);
        let mut header = Header::parse(&chunk).unwrap();
        header.exports[0].class = header.imports[1];
        header.graph = Graph::Dependencies(vec![Dependencies::default(); 2]);
        let converted = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
        let read = &converted.package;
        assert_eq!(read.exports[0].class, PackageIndex(-2));
        assert_eq!(read.preload_dependencies, [], "{generation}");
    }
}

#[test]
fn flags_without_a_place_in_a_zen_package_are_losses() {
    let chunk = package(ZenGeneration::Cells, false);
    let mut header = Header::parse(&chunk).unwrap();
    header.exports[1].object_flags |= 0x4_0000;
    header.exports[1].filter = ExportFilter::None;
    let converted = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
    let read = &converted.package;
    // Clients do not load the first export.
    assert!(read.exports[0].not_for_client && read.exports[0].not_for_server);
    assert!(!read.exports[1].not_for_server);
    let losses: Vec<String> = converted.losses.iter().map(ToString::to_string).collect();
    assert!(losses.contains(&"exports for servers guessed: 1".to_owned()), "{losses:?}");
    assert!(losses.contains(&"inherited instances guessed: 1".to_owned()), "{losses:?}");
}

#[test]
fn properties_end_behind_their_last_none() {
    let mut w = Writer::new();
    w.u32(3).u32(16).u64(0xC164_0000);
    for name in ["None", "Count", "IntProperty"] {
        w.u64(crate::names::name_hash(name, false));
    }
    for len in [4_u16, 5, 11] {
        w.bytes(&len.to_be_bytes());
    }
    w.bytes(b"NoneCountIntProperty");
    let mut batch = w.into_bytes();
    batch[4] = 20;
    let names = NameMap::parse_batch(&mut Reader::new(&batch)).unwrap();
    let versions = Release::from_name("5.4").unwrap().objects;
    let mut w = Writer::new();
    w.u8(0).u32(1).u32(0).u32(2).u32(0).i32(0).i32(4).u8(1).i32(7).u32(99);
    w.u32(0).u32(0).bytes(b"native data");
    let data = w.into_bytes();
    assert_eq!(properties::end(&data, &names, versions), Some(data.len() - 11));
    for cut in 0..data.len() - 11 {
        assert_eq!(properties::end(&data[..cut], &names, versions), None, "{cut}");
    }
    assert_eq!(properties::end(&data, &names, Release::from_name("5.3").unwrap().objects), None);
}

#[test]
fn exports_that_lie_outside_the_package_are_an_error() {
    let chunk = package(ZenGeneration::Cells, false);
    let header = Header::parse(&chunk).unwrap();
    let short = &chunk[..chunk.len() - 8];
    let error = convert(&input(&header, short), &(), &Target::default()).unwrap_err();
    assert!(error.to_string().starts_with("export data"), "{error}");
}

#[test]
fn every_loss_says_what_it_is() {
    let loss = Loss::PreloadEntries { missing: 3 };
    assert_eq!(loss.to_string(), "preload dependencies not known: 3");
    assert_eq!(serde_json::to_string(&loss).unwrap(), r#"{"kind":"preload_entries","missing":3}"#);
}
