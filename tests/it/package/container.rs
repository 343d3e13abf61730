//! Container headers and script objects of the corpus.

use super::support::{self, container::chunks, hostile::abuse};
use crate::support::containers::{open, unpack_entries};
use crate::support::corpus::KEY;
use std::{collections::BTreeSet, fmt::Write as _, path::Path};
use uncask::{
    container::{container_header::ContainerHeader, script_objects::ScriptObjects},
    extract::{Filter, FilterSpec},
    id::ChunkKind,
    package::zen,
    version::ChunkKindNumbering,
};

const STORED: [&str; 2] = [
    "iostore/ue5.8/tagged/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc",
    "iostore/ue5.8/unversioned/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc",
];

fn headers(corpus: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = support::files(corpus, "headers", &["bin"]);
    all.retain(|(name, _)| name.ends_with("/header.bin") || name.contains("ContainerHeader"));
    for container in STORED {
        let chunks = chunks(&corpus.join(container)).into_iter();
        let header =
            chunks.filter(|chunk| chunk.id.kind(ChunkKindNumbering::Ue5) == ChunkKind::ContainerHeader);
        all.extend(header.map(|chunk| (container.split('/').nth(2).unwrap().to_owned(), chunk.bytes)));
    }
    all
}

#[test]
fn container_headers_parse_to_their_exact_end() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    for (name, bytes) in headers(&corpus) {
        let header = ContainerHeader::parse(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let imports: usize = header.packages.iter().map(|entry| entry.imports.len()).sum();
        let shaders: usize = header.packages.iter().map(|entry| entry.shader_map_hashes.len()).sum();
        let bundles: u32 =
            header.packages.iter().filter_map(|entry| entry.counts).map(|counts| counts.bundles).sum();
        writeln!(
            table,
            "{name}: {:?}, entries of {}, {} packages, {imports} imports, {shaders} shader maps, {bundles} bundles, \
             {} cultures, {} redirects, {} localized, padding {}",
            header.layout.version,
            header.layout.entry_len,
            header.packages.len(),
            header.cultures.len(),
            header.redirects.len(),
            header.localized.len(),
            header.padding,
        )
        .unwrap();
    }
    insta::assert_snapshot!("container_headers", table);
}

/// The container headers of all containers with data, whatever they are compressed or encrypted with.
fn headers_in_containers(corpus: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for folder in ["iostore/ue5.8", "found/container"] {
        let files = walkdir::WalkDir::new(corpus.join(folder)).sort_by_file_name();
        for path in files.into_iter().map(|entry| entry.unwrap().into_path()) {
            let data = path.with_extension("ucas");
            let has_data = data.metadata().is_ok_and(|data| data.len() > 1000);
            if path.extension().is_some_and(|extension| extension == "utoc") && has_data {
                let (store, out) = (open(&path, &[KEY]), tempfile::tempdir().unwrap());
                let kinds = vec![ChunkKind::ContainerHeader];
                let filter = Filter::new(&FilterSpec { kinds, ..FilterSpec::default() }).unwrap();
                assert!(unpack_entries(&store, &filter.select(&store, false), out.path()).is_ok());
                let files = support::files(out.path(), "", &["container_header"]);
                all.extend(
                    files.into_iter().map(|(name, bytes)| (format!("{}: {name}", path.display()), bytes)),
                );
            }
        }
    }
    all
}

#[test]
fn container_headers_are_written_as_they_were_read() {
    let Some(corpus) = support::corpus_with("found/container/dup.utoc") else { return };
    let mut all = headers(&corpus);
    assert_eq!(all.len(), 7);
    all.extend(headers_in_containers(&corpus));
    assert!(all.len() >= 17, "{}", all.len());
    for (name, bytes) in all {
        let header = ContainerHeader::parse(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let written = header.write();
        let first = written.iter().zip(&bytes).position(|(written, read)| written != read);
        assert!(written == bytes, "{name}: {} of {} bytes, from {first:?}", written.len(), bytes.len());
    }
}

#[test]
fn the_store_agrees_with_the_packages() {
    let Some(corpus) = support::corpus() else { return };
    for container in STORED {
        let chunks = chunks(&corpus.join(container));
        let of = |kind| chunks.iter().filter(move |chunk| chunk.id.kind(ChunkKindNumbering::Ue5) == kind);
        let header = ContainerHeader::parse(&of(ChunkKind::ContainerHeader).next().unwrap().bytes).unwrap();
        let packages: BTreeSet<_> = of(ChunkKind::ExportBundleData).map(|chunk| chunk.id.package()).collect();
        assert_eq!(header.packages.ids().iter().copied().collect::<BTreeSet<_>>(), packages);
        assert_eq!(packages.len(), 97);
        for chunk in of(ChunkKind::ExportBundleData) {
            let package = zen::Header::parse(&chunk.bytes).unwrap();
            assert_eq!(package.id().0, chunk.id.id());
            let entry = header.packages.find(package.id()).unwrap();
            assert_eq!(package.imported_packages(), entry.imports, "{}", package.name());
        }
    }
}

#[test]
fn script_objects_parse_to_their_exact_end_and_back_and_hash_to_their_index() {
    let Some(corpus) = support::corpus() else { return };
    let ue4 = |name| support::read(&corpus, &format!("headers/ue4.27/{name}_1.bin"));
    let meta = ue4("LoaderInitialLoadMeta");
    let of_4_27 =
        ScriptObjects::parse_ue4(&meta, &ue4("LoaderGlobalNames"), &ue4("LoaderGlobalNameHashes")).unwrap();
    assert!(of_4_27.write_ue4() == [meta.clone(), ue4("LoaderGlobalNames"), ue4("LoaderGlobalNameHashes")]);
    let bytes = support::read(&corpus, "headers/ue5.3/ScriptObjects.bin");
    let of_5_3 = ScriptObjects::parse(&bytes).unwrap();
    assert!(of_5_3.write() == bytes);
    let global = |folder| {
        let chunks = chunks(&corpus.join(folder).join("global.utoc"));
        let chunk =
            chunks.iter().find(|c| c.id.kind(ChunkKindNumbering::Ue5) == ChunkKind::ScriptObjects).unwrap();
        let objects = ScriptObjects::parse(&chunk.bytes).unwrap();
        assert!(objects.write() == chunk.bytes);
        objects
    };
    for (objects, count) in [
        (of_4_27, 23_393),
        (of_5_3, 30_977),
        (global("iostore/ue5.8/tagged"), 36_979),
        (global("iostore/ue5.8/unversioned"), 36_979),
    ] {
        assert_eq!(objects.len(), count);
        assert_eq!(objects.wrong_hashes().count(), 0, "{count}");
        assert_eq!(objects.names().wrong_hashes().count(), 0, "{count}");
        assert!(
            objects.iter().all(|object| object.default_of.is_null() || objects.is_class(object.default_of))
        );
    }
}

#[test]
fn damaged_container_data_is_an_error_and_nothing_worse() {
    let Some(corpus) = support::corpus() else { return };
    let mut cases = 0;
    for (_, bytes) in headers(&corpus) {
        let mutations = if bytes.len() > 1 << 18 { 40 } else { 400 };
        let short = &bytes[..bytes.len().min(1 << 18)];
        cases += abuse(short, mutations, |bytes| drop(ContainerHeader::parse(bytes)));
    }
    let scripts = support::read(&corpus, "headers/ue5.3/ScriptObjects.bin");
    cases += abuse(&scripts[..1 << 16], 400, |bytes| drop(ScriptObjects::parse(bytes)));
    insta::assert_snapshot!("damaged_container", format!("{cases} cases"));
}
