//! Small packages of every release, written and read again, for forms without available files.

use super::*;
use crate::{
    id::Guid,
    package::CustomVersion,
    version::{CustomVersionForm, LegacyFileVersion, PackageFileVersion, Release},
    wire::{FaultKind, Reader, Tracer},
};

fn name(index: u32) -> Name {
    Name { index, number: 0 }
}

/// Builds two imports, one export, and bulk data if the version has a table for it, laid out like the
/// cooker's.
fn package(release: &Release, cooked: bool, versioned: bool) -> Package {
    let flags = if cooked { FILTER_EDITOR_ONLY } else { 0 };
    let mut custom = CustomVersion { key: Guid([7; 16]), number: 3, name: None };
    match release.legacy.custom_version_form() {
        CustomVersionForm::Enum => custom.key = Guid([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0]),
        CustomVersionForm::Guids => custom.name = Some("Part".into()),
        CustomVersionForm::Optimized => {}
    }
    let summary = Summary {
        legacy: release.legacy,
        file_versions: if versioned { release.objects } else { PackageFileVersion::default() },
        custom_versions: if versioned { vec![custom] } else { Vec::new() },
        package_name: "/Game/A".into(),
        package_flags: flags,
        package_source: 9,
        names_referenced: release.objects.has_names_referenced_count().then_some(1),
        payload_toc_offset: release.objects.has_payload_toc().then_some(-1),
        ..Summary::default()
    };
    let mut form = Form::new(release.legacy, release.objects, flags, &summary.custom_versions);
    form.cooked_import_names = cooked && release.cooked_import_package_name;
    let import =
        |object, outer| Import { name: name(object), outer: PackageIndex(outer), ..Import::default() };
    let export = Export {
        class: PackageIndex(-2),
        name: name(2),
        serial_len: 12,
        is_asset: Some(true),
        preload: Some(PreloadSlice { first: 0, serialize_before_create: 1, ..PreloadSlice::default() }),
        ..Export::default()
    };
    let resource = DataResource {
        serial_offset: 4,
        duplicate_offset: -1,
        serial_len: 8,
        raw_len: 8,
        ..Default::default()
    };
    let version = crate::version::DataResourceVersion::of(release.objects);
    let mut package = Package {
        summary,
        form,
        names: ["/Script/Engine", "Actor", "A"].map(NameEntry::new).into(),
        imports: vec![import(0, 0), import(1, -1)],
        exports: vec![export],
        preload_dependencies: if release.objects.has_preload_dependencies() {
            vec![PackageIndex(-2)]
        } else {
            Vec::new()
        },
        data_resources: release
            .objects
            .has_data_resources()
            .then(|| DataResources { version, entries: vec![resource] }),
        world_tile: cooked.then(WorldTile::default),
        ..Package::default()
    };
    package.lay_out_cooked(0).unwrap();
    package
}

#[test]
fn what_is_written_is_read_for_every_release() {
    let mut cases = 0;
    for release in Release::all() {
        for cooked in [false, true] {
            for versioned in [false, true] {
                let mut made = package(release, cooked, versioned);
                let bytes = made.write_header().unwrap();
                assert_eq!(bytes.len(), usize::try_from(made.summary.total_header_len).unwrap());
                let mut read =
                    Package::parse_as(&bytes, release).unwrap_or_else(|fault| panic!("{release}: {fault}"));
                assert_eq!(read.unaccounted(), [], "{release}");
                assert_eq!((&read.summary, &read.sections), (&made.summary, &made.sections), "{release}");
                assert_eq!((read.form.versions, read.form.cooked), (release.objects, cooked));
                assert_eq!(read.class_path(&read.exports[0]), "/Script/Engine.Actor", "{release}");
                assert_eq!(read.export_path(0).unwrap(), "/Game/A.A");
                assert_eq!(read.imports.len(), 2);
                assert_eq!(read.summary.custom_versions, made.summary.custom_versions, "{release}");
                assert_eq!(read.bulk_records().count(), usize::from(release.objects.has_data_resources()));
                assert_eq!(read.write_header().unwrap(), bytes, "{release}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 4 * Release::all().count());
}

#[test]
fn paths_are_no_longer_than_the_engine_takes() {
    let mut package = package(Release::newest(), true, false);
    let name = |len: usize| NameEntry::new(&"x".repeat(len));
    let at = package.exports[0].name.index as usize;
    let room = 1023 - package.name().len() - 1;
    package.names[at] = name(room);
    assert_eq!(package.export_path(0).unwrap().len(), 1023);
    package.names[at] = name(room + 1);
    assert_eq!(package.export_path(0), None);
}

#[test]
fn entry_sizes_are_those_of_real_files() {
    for (release, cooked, import, export) in [
        ("4.10", true, 28, 68),
        ("4.11", true, 28, 72),
        ("4.14", true, 28, 96),
        ("4.27", true, 28, 104),
        ("4.27", false, 36, 104),
        ("5.0", true, 32, 108),
        ("5.0", false, 40, 108),
        ("5.1", true, 32, 96),
        ("5.4", true, 32, 112),
        ("5.7", true, 32, 112),
        ("5.8", true, 40, 112),
        ("5.8", false, 40, 112),
    ] {
        let summary = package(Release::from_name(release).unwrap(), cooked, true).summary;
        assert_eq!(summary.exports.offset - summary.imports.offset, 2 * import, "{release} {cooked}");
        assert_eq!(summary.depends_offset - summary.exports.offset, export, "{release} {cooked}");
    }
}

#[test]
fn unversioned_packages_give_away_their_release_as_far_as_they_can() {
    for (release, found) in [
        ("4.14", "4.14"),
        ("4.15", "4.15"),
        // Its world tile has two coordinates.
        ("4.16", "4.20"),
        ("4.27", "4.27"),
        ("5.0", "5.0"),
        ("5.1", "5.1"),
        ("5.2", "5.3"),
        ("5.4", "5.4"),
        ("5.5", "5.5"),
        ("5.6", "5.6"),
        ("5.7", "5.7"),
        ("5.8", "6.0"),
    ] {
        let bytes = package(Release::from_name(release).unwrap(), true, false).write_header().unwrap();
        assert_eq!(Package::parse(&bytes).unwrap().evidence, VersionEvidence::Probed(found), "{release}");
    }
}

#[test]
fn versions_that_we_do_not_know_are_refused() {
    let bytes = package(Release::from_name("5.8").unwrap(), true, true).write_header().unwrap();
    let with = |at: usize, number: i32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        Package::parse(&bytes).unwrap_err().to_string()
    };
    insta::assert_snapshot!(
        [with(0, 7), with(4, -10), with(12, 30000), with(16, 1019), with(44, -1), with(44, 5000)].join("\n")
    );
    assert!(!LegacyFileVersion(5).is_supported());
}

#[test]
fn a_tracer_sees_every_byte_of_a_summary() {
    for release in Release::all() {
        let made = package(release, true, true);
        let bytes = made.clone().write_header().unwrap();
        let mut tracer = Tracer::new(Reader::new(&bytes));
        let mut read = Summary::default();
        super::summary::summary(&mut tracer, &mut read, None).unwrap();
        let (reader, spans) = tracer.finish();
        assert_eq!(reader.offset(), u64::try_from(made.summary.names.offset).unwrap(), "{release}");
        let end = spans.iter().fold(0, |at, span| {
            assert_eq!(span.offset, at, "{}", span.field);
            at + span.len
        });
        assert_eq!(end, reader.offset(), "{release}");
    }
}

#[test]
fn pictures_cannot_multiply_the_file() {
    let mut bytes = package(Release::from_name("4.27").unwrap(), false, true).write_header().unwrap();
    let (at, picture) = (bytes.len(), 1000);
    bytes.extend([1, 0, 0, 0, 1, 0, 0, 0]);
    bytes.extend(u32::try_from(picture).unwrap().to_le_bytes());
    bytes.resize(at + 12 + picture, 0xFF);
    let table = i32::try_from(bytes.len()).unwrap();
    bytes.extend(100u32.to_le_bytes());
    for _ in 0..100 {
        bytes.extend([0; 8]);
        bytes.extend(u32::try_from(at).unwrap().to_le_bytes());
    }
    let mut summary = Package::parse(&bytes).unwrap().summary;
    summary.thumbnail_table_offset = table;
    summary.total_header_len = i32::try_from(bytes.len()).unwrap();
    let mut w = crate::wire::Writer::new();
    super::summary::summary(&mut w, &mut summary, None).unwrap();
    let front = w.into_bytes();
    bytes[..front.len()].copy_from_slice(&front);
    let fault = Package::parse(&bytes).unwrap_err();
    assert_eq!(fault.field, "thumbnail: length");
    assert!(matches!(fault.kind, FaultKind::TooLarge { found: 1000, .. }));
}
