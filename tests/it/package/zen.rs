//! Zen packages of the corpus: every generation that there is a file of.

use super::support::{self, container::chunks, hostile::abuse};
use std::{fmt::Write as _, path::Path};
use uncask::{
    id::ChunkKind,
    package::zen::{self, Graph, Header},
    version::ChunkKindNumbering,
};

/// Every zen package of the corpus, by name.
pub(crate) fn packages(corpus: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = support::files(corpus, "packages", &["uzenasset"]);
    all.extend(support::files(corpus, "packages/ue4.27", &["uasset"]));
    all.push(("packages/ue5.4/BP_Russian_pool_table.uasset".to_owned(), {
        support::read(corpus, "packages/ue5.4/BP_Russian_pool_table.uasset")
    }));
    for mode in ["tagged", "unversioned"] {
        let folder = format!("iostore/ue5.8/{mode}/Uncompressed");
        let utoc = corpus.join(folder).join("CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc");
        for chunk in chunks(&utoc) {
            if chunk.id.kind(ChunkKindNumbering::Ue5) == ChunkKind::ExportBundleData {
                all.push((format!("5.8 {mode} {}", chunk.id), chunk.bytes));
            }
        }
    }
    all
}

#[test]
fn every_header_is_accounted_for_to_the_last_byte() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    let mut of_5_8 = 0;
    for (name, bytes) in packages(&corpus) {
        let header = Header::parse(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let mut at = 0;
        for section in &header.sections {
            assert_eq!(section.range.start, at, "{name}: {}", section.name);
            at = section.range.end;
        }
        assert_eq!(at, header.header_len, "{name}");
        assert_eq!(zen::header_len(&bytes[..64]), Some(header.header_len));
        assert_eq!(header.names.wrong_hashes().count(), 0, "{name}");
        assert_eq!(
            zen::package_name(&bytes[..usize::try_from(at).unwrap()]),
            Some(header.name().to_string())
        );
        let data: u64 = header.exports.iter().map(|export| export.serial_len).sum();
        let tag = if header.generation.has_trailing_tag() { 4 } else { 0 };
        assert_eq!(header.header_len + data + tag, bytes.len() as u64, "{name}");
        if name.starts_with("5.8") {
            of_5_8 += 1;
        } else {
            row(&mut table, &name, &header);
        }
    }
    assert_eq!(of_5_8, 2 * 97);
    insta::assert_snapshot!("zen_headers", table);
}

#[test]
fn every_header_is_written_as_it_was_read() {
    let Some(corpus) = support::corpus() else { return };
    let all = packages(&corpus);
    for (name, bytes) in &all {
        let header = Header::parse(bytes).unwrap();
        let len = usize::try_from(header.header_len).unwrap();
        assert!(header.write().unwrap() == bytes[..len], "{name}");
    }
    assert!(all.len() > 200, "{}", all.len());
}

fn row(table: &mut String, name: &str, header: &Header) {
    let graph = match &header.graph {
        Graph::Packages(packages) => format!("{} graph packages", packages.len()),
        Graph::Arcs { internal, external } => format!("{} + {} arcs", internal.len(), external.len()),
        Graph::Dependencies(lists) => {
            let of = |list: &zen::Dependencies| {
                list.create_before_create.len()
                    + list.serialize_before_create.len()
                    + list.create_before_serialize.len()
                    + list.serialize_before_serialize.len()
            };
            format!("{} dependencies", lists.iter().map(of).sum::<usize>())
        }
    };
    writeln!(
        table,
        "{name}: {}, {} bytes, {} names, {} imports, {} exports, {} bundles, {} entries, {graph}, {} hashes, {} bulk, \
         {} packages, {}",
        header.generation,
        header.header_len,
        header.names.len(),
        header.imports.len(),
        header.exports.len(),
        header.bundles.len(),
        header.bundle_entries.len(),
        header.imported_public_export_hashes.len(),
        header.bulk.len(),
        header.imported_packages().len(),
        header.name(),
    )
    .unwrap();
}

#[test]
fn what_is_no_zen_package_is_not_taken_for_one() {
    let Some(corpus) = support::corpus() else { return };
    let mut others = support::files(&corpus, "packages", &["umap", "uexp", "ubulk", "ushaderbytecode"]);
    others.extend(support::files(&corpus, "packages/ue5.8-tagged", &["uasset"]));
    others.extend(support::files(&corpus, "headers", &["bin"]));
    others.extend(support::files(&corpus, "classic", &["u"]));
    assert!(others.len() > 25);
    for (name, bytes) in others {
        assert!(zen::detect(&bytes).is_err(), "{name}");
        assert_eq!(zen::package_name(&bytes), None, "{name}");
    }
}

#[test]
fn damaged_packages_are_an_error_and_nothing_worse() {
    let Some(corpus) = support::corpus() else { return };
    let mut cases = 0;
    // The many of 5.8 are all of one form: a few of them will do.
    let few = |(index, (name, _)): &(usize, (String, Vec<u8>))| !name.starts_with("5.8") || index % 8 == 0;
    for (_, (name, bytes)) in packages(&corpus).into_iter().enumerate().filter(few) {
        let header = usize::try_from(Header::parse(&bytes).unwrap().header_len).unwrap();
        let mutations = if name.starts_with("5.8") { 100 } else { 600 };
        cases += abuse(&bytes[..header], mutations, |bytes| {
            drop(Header::parse_partial(bytes));
            drop(zen::package_name(bytes));
        });
    }
    insta::assert_snapshot!("damaged_zen", format!("{cases} cases"));
}
