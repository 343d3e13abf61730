//! Legacy packages of the corpus: from 4.10 to 5.8, of the editor and of the cooker.

use super::support::{self, hostile::abuse};
use std::{collections::BTreeMap, fmt::Write as _, path::Path};
use uncask::{
    package::{
        bulk::BulkPlace,
        legacy::{self, Package, PackageIndex, PictureKind, Trailer, VersionEvidence},
    },
    version::Release,
};

/// Every legacy package of the corpus, by name.
fn packages(corpus: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = support::files(corpus, "uncooked", &["uasset", "umap"]);
    all.extend(support::files(corpus, "packages", &["uasset", "umap"]));
    all.retain(|(_, bytes)| bytes.starts_with(&legacy::END_TAG));
    assert_eq!(all.len(), 43 + 5 + 10);
    all
}

fn cooked(corpus: &Path) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let mut all = packages(corpus);
    all.retain(|(name, _)| name.starts_with("packages"));
    let exports = |name: &str| std::fs::read(corpus.join(name).with_extension("uexp")).unwrap();
    all.into_iter().map(|(name, bytes)| (name.clone(), bytes, exports(&name))).collect()
}

fn parse(name: &str, bytes: &[u8]) -> Package {
    Package::parse(bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

#[test]
fn every_table_is_read_to_its_end_and_written_back() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    for (name, bytes) in packages(&corpus) {
        let mut package = parse(&name, &bytes);
        let header = &bytes[..usize::try_from(package.summary.total_header_len).unwrap()];
        for gap in package.unaccounted() {
            assert!(!package.form.cooked || name.contains("ue5.4"), "{name}: {gap:?}");
            let gap = usize::try_from(gap.start).unwrap()..usize::try_from(gap.end).unwrap();
            assert!(gap.len() <= 32 && header[gap.clone()].iter().all(|byte| *byte == 0), "{name}: {gap:?}");
        }
        let ends = package.sections.iter().zip(package.sections.iter().skip(1));
        assert!(
            ends.into_iter().all(|(a, b)| a.range.end <= b.range.start),
            "{name}: no two tables share bytes"
        );
        row(&mut table, &name, &package);
        assert!(
            package.names.iter().all(legacy::NameEntry::is_hashed_right) || name.contains("ue5.4"),
            "{name}"
        );
        let written = package.write_header().unwrap();
        assert!(
            written == header,
            "{name}: differs at {:?}",
            written.iter().zip(header).position(|(a, b)| a != b)
        );
    }
    insta::assert_snapshot!("legacy_packages", table);
}

fn row(table: &mut String, name: &str, package: &Package) {
    let classes: BTreeMap<String, usize> =
        package.exports.iter().fold(BTreeMap::new(), |mut classes, export| {
            *classes.entry(package.class_path(export)).or_default() += 1;
            classes
        });
    let whole = |class: &String| class.starts_with('/') || package.name().is_empty() && class.ends_with("_C");
    assert!(classes.keys().all(whole), "{name}: {classes:?}");
    let assets: Vec<String> =
        package.assets("").map(|(_, export)| package.text(export.name).to_string()).collect();
    writeln!(
        table,
        "{name}: {} ({:?}), {} names, {} imports, {} exports of {} classes, {} depends, {} soft paths, {} soft \
         packages, {} texts, {} searchable, {} registry assets, {} thumbnails, {} preload, {} resources, {} custom, \
         assets {}",
        package.form.versions,
        package.evidence,
        package.names.len(),
        package.imports.len(),
        package.exports.len(),
        classes.len(),
        package.depends.iter().map(Vec::len).sum::<usize>(),
        package.soft_object_paths.len(),
        package.soft_package_references.len(),
        package.gatherable_text.len(),
        package.searchable_names.as_ref().map_or(0, Vec::len),
        package.asset_registry.as_ref().map_or(0, |registry| registry.assets.len()),
        package.thumbnails.as_ref().map_or(0, Vec::len),
        package.preload_dependencies.len(),
        package.data_resources.as_ref().map_or(0, |resources| resources.entries.len()),
        package.summary.custom_versions.len(),
        assets.join(" "),
    )
    .unwrap();
}

#[test]
fn export_data_is_where_the_header_says() {
    let Some(corpus) = support::corpus() else { return };
    for (name, bytes) in packages(&corpus) {
        let package = parse(&name, &bytes);
        let mut at = i64::from(package.summary.total_header_len);
        for export in &package.exports {
            assert_eq!(export.serial_offset, at, "{name}");
            at += export.serial_len;
        }
        assert_eq!(package.summary.bulk_data_start, Some(at), "{name}");
        for record in package.bulk_records() {
            assert!(
                matches!(record.place, BulkPlace::Inline | BulkPlace::Separate | BulkPlace::Nowhere),
                "{name}"
            );
        }
        let trailer = Trailer::parse(&bytes, &package).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let expected = !package.form.cooked && package.form.versions.has_data_resources();
        assert_eq!(trailer.is_some(), expected, "{name}");
    }
    for (name, bytes, exports) in cooked(&corpus) {
        let package = parse(&name, &bytes);
        let len: i64 = package.exports.iter().map(|export| export.serial_len).sum();
        assert_eq!(
            (bytes.len(), exports.len()),
            (usize::try_from(package.summary.total_header_len).unwrap(), usize::try_from(len).unwrap() + 4),
            "{name}"
        );
        assert!(exports.ends_with(&legacy::END_TAG), "{name}");
        for record in package.bulk_records().filter(|record| record.place == BulkPlace::Separate) {
            let extension = record.place.extension(record.cooked_index).unwrap();
            let file = std::fs::metadata(corpus.join(&name).with_extension(extension)).unwrap().len();
            assert!(u64::try_from(record.offset).unwrap() + record.len <= file, "{name}");
        }
    }
}

#[test]
fn cooked_headers_are_laid_out_as_the_cooker_does() {
    let Some(corpus) = support::corpus() else { return };
    for (name, bytes, exports) in cooked(&corpus) {
        let mut package = parse(&name, &bytes);
        for export in &mut package.exports {
            export.serial_offset = 0;
        }
        // The files of 5.4 were made by a tool: it pads the header and leaves out the checksum of the name.
        let tool = name.contains("ue5.4");
        package.lay_out_cooked(if tool { u32::try_from(bytes.len()).unwrap() } else { 0 }).unwrap();
        let versions = package.form.versions;
        let source = Path::new(&name).file_stem().unwrap().to_str().unwrap();
        let expected = uncask::id::crc::package_source(source);
        assert!(package.summary.package_source == expected || tool, "{name}");
        let written = package.write_header().unwrap();
        assert!(
            written == bytes,
            "{name}: differs at {:?}",
            written.iter().zip(&bytes).position(|(a, b)| a != b)
        );
        if versions.has_saved_hash() {
            let hash = legacy::saved_hash(&bytes, &exports[..exports.len() - 4]);
            assert_eq!(hash, bytes[24..44], "{name}");
        }
    }
}

#[test]
fn unversioned_packages_are_probed() {
    let Some(corpus) = support::corpus() else { return };
    let mut unversioned = 0;
    for (name, bytes) in packages(&corpus) {
        let package = parse(&name, &bytes);
        if !package.summary.file_versions.is_unversioned() {
            assert_eq!(package.evidence, VersionEvidence::File, "{name}");
            continue;
        }
        unversioned += 1;
        let VersionEvidence::Probed(release) = package.evidence else { panic!("{name}") };
        let (folder, expected) = (name.split('/').nth(1).unwrap(), release);
        let resources = package.data_resources.as_ref().map(|resources| resources.version.0);
        let newest = match (folder.starts_with("ue5.8"), resources) {
            (true, _) => "6.0",
            (false, Some(1)) => "5.4",
            (false, _) => "5.5",
        };
        assert_eq!(expected, newest, "{name}");
        let given = Package::parse_as(&bytes, Release::from_name(release).unwrap()).unwrap();
        assert_eq!((given.exports, given.imports), (package.exports, package.imports), "{name}");
    }
    assert!(unversioned >= 5, "{unversioned}");
}

#[test]
fn thumbnails_are_pictures() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    for (name, bytes) in packages(&corpus) {
        let package = parse(&name, &bytes);
        for thumbnail in package.thumbnails.iter().flatten() {
            let picture = &thumbnail.picture;
            if picture.is_empty() {
                continue;
            }
            let (width, height) = picture.size();
            writeln!(
                table,
                "{name}: {} {width}x{height} {:?} {}",
                thumbnail.path,
                picture.kind(),
                picture.bytes.len()
            )
            .unwrap();
            match picture.kind() {
                PictureKind::Png => {
                    let mut reader =
                        png::Decoder::new(std::io::Cursor::new(&picture.bytes)).read_info().unwrap();
                    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                    let info = reader.next_frame(&mut pixels).unwrap();
                    assert_eq!((info.width, info.height), (width, height));
                }
                PictureKind::Jpeg => assert!(picture.bytes.ends_with(&[0xFF, 0xD9])),
                PictureKind::Unknown => panic!("{name}"),
            }
        }
    }
    insta::assert_snapshot!("thumbnails", table);
}

#[test]
fn paths_do_not_go_in_circles() {
    let Some(corpus) = support::corpus() else { return };
    let bytes = support::read(&corpus, "packages/ue5.4/BP_Table_Lamp.uasset");
    let mut package = Package::parse(&bytes).unwrap();
    assert!(package.imports.len() > 2);
    package.imports[0].outer = PackageIndex::import(1).unwrap();
    package.imports[1].outer = PackageIndex::import(0).unwrap();
    assert_eq!(package.import_path(0), None);
    package.exports[0].outer = PackageIndex::export(0).unwrap();
    assert_eq!(package.export_path(0), None);
    assert_eq!(package.path(PackageIndex(i32::MIN), ""), None);
}

#[test]
fn damaged_headers_are_an_error_and_nothing_worse() {
    let Some(corpus) = support::corpus() else { return };
    let mut cases = 0;
    for (name, bytes) in packages(&corpus) {
        let header = usize::try_from(parse(&name, &bytes).summary.total_header_len).unwrap();
        cases += abuse(&bytes[..header], 300, |bytes| {
            if let Ok(partial) = Package::parse_partial(bytes, None) {
                let mut package = partial.value;
                for (index, export) in (0u32..).zip(&package.exports) {
                    drop((package.class_path(export), package.export_path(index)));
                }
                drop(Trailer::parse(bytes, &package));
                if partial.fault.is_none() {
                    drop(package.write_header());
                }
            }
        });
    }
    insta::assert_snapshot!("damaged_legacy", format!("{cases} cases"));
}
