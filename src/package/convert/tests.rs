use super::*;
use crate::package::legacy::END_TAG;
use crate::package::name_map::NameMap;
use crate::package::zen::tests::package;
use crate::version::{ContainerHeaderVersion, TocVersion, ZenGeneration};
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
            let asset = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
            check(&asset, &header, &chunk).unwrap();
            assert!(asset.exports.ends_with(&END_TAG), "{generation}");
            assert_eq!(asset.exports.len(), 2 * 8 + END_TAG.len(), "{generation}");
            assert_eq!(asset.release.zen, Some(generation));
            let read = Package::parse_as(&asset.header, asset.release).unwrap();
            assert_eq!(read.summary.file_versions.is_unversioned(), !versioned);
            let bytes = read.clone().write_header().unwrap();
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
    assert_eq!(error.to_string(), "it is a package of UE 5.6–6.0, which UE 5.3 does not write");
    let target = Target { release: Release::from_name("5.6") };
    assert_eq!(convert(&input(&header, &chunk), &(), &target).unwrap().how, How::Given);
}

#[test]
fn the_container_narrows_the_releases_that_fit() {
    let chosen = |generation, evidence| {
        let chunk = package(generation, false);
        let header = Header::parse(&chunk).unwrap();
        let asset = convert(&Input { evidence, ..input(&header, &chunk) }, &(), &Target::default()).unwrap();
        (asset.release.name, asset.how)
    };
    let toc = |raw| Evidence { toc: TocVersion::from_wire(raw).ok(), ..Evidence::default() };
    assert_eq!(chosen(ZenGeneration::DataResources, toc(5)), ("5.2", How::Form));
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, toc(6)), ("5.4", How::Container));
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, toc(8)), ("5.5", How::Container));
    assert_eq!(chosen(ZenGeneration::PaddedBulkMap, Evidence::default()), ("5.5", How::Newest));
    assert_eq!(chosen(ZenGeneration::Cells, toc(10)), ("6.0", How::Container));
    assert_eq!(chosen(ZenGeneration::Cells, toc(8)), ("5.8", How::Newest));
    let long_hashes = Evidence { shader_hash_len: Some(20), ..toc(8) };
    assert_eq!(chosen(ZenGeneration::Cells, long_hashes), ("5.7", How::Newest));
    let first = Evidence { container_header: Some(ContainerHeaderVersion::LocalizedPackages), ..toc(5) };
    assert_eq!(chosen(ZenGeneration::Initial, first), ("5.0", How::Container));
    assert_eq!(
        chosen(ZenGeneration::Cells, toc(3)),
        ("6.0", How::Newest),
        "a container that cannot be right"
    );
}

#[test]
fn what_cannot_be_named_gets_a_stable_name() {
    let chunk = package(ZenGeneration::Cells, false);
    let header = Header::parse(&chunk).unwrap();
    let asset = convert(&input(&header, &chunk), &(), &Target::default()).unwrap();
    let read = Package::parse_as(&asset.header, asset.release).unwrap();
    let path = |at| read.import_path(at).unwrap_or_default();
    assert_eq!(path(0), "/Game/B_4");
    assert_eq!(path(1), "/Game/B_4.UnknownExport_x8000000000000000");
    let kinds: Vec<&str> = asset.losses.iter().map(Loss::kind).collect();
    assert!(kinds.contains(&"imported package not at hand"), "{kinds:?}");
}

#[test]
fn properties_end_behind_their_last_none() {
    let mut w = Writer::new();
    w.u32(3).u32(16).u64(0xC164_0000);
    for name in ["None", "Count", "IntProperty"] {
        w.u64(crate::package::name_map::name_hash(name, false));
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
