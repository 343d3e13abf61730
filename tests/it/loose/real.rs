//! Texts and type mappings of real games and projects: as files, and in every pak and container of the corpus.

use crate::support::containers::open;
use crate::support::corpus;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use uncask::asset_registry::AssetRegistry;
use uncask::codec::Scratch;
use uncask::localization::{LocalizationMeta, LocalizationResource, Namespace, source_hash};
use uncask::mappings::Mappings;

/// Files below a folder with one of these extensions.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    let is_one = |path: &PathBuf| {
        extensions.iter().any(|wanted| path.extension().is_some_and(|found| found == *wanted))
    };
    files.filter(is_one).collect()
}

/// All that a resource says, as text, and the parts that are worth a line.
fn texts(bytes: &[u8]) -> String {
    let resource = LocalizationResource::parse(bytes).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(resource.write() == bytes, "written otherwise than it was read");
    let mut all = String::new();
    for space in resource.namespaces() {
        writeln!(all, "{:?} {:?}", space.name(), space.hash()).unwrap();
        for entry in space.entries() {
            writeln!(all, "{entry:?}").unwrap();
        }
    }
    // Version 1 and later count the uses of each string themselves.
    let mut uses: BTreeMap<&str, i32> = BTreeMap::new();
    for entry in resource.namespaces().flat_map(Namespace::entries) {
        *uses.entry(entry.text.unwrap_or_default()).or_default() += 1;
    }
    for (text, recorded) in resource.strings() {
        assert!(recorded.is_none_or(|recorded| recorded == -1 || recorded == uses[text]), "{text:?}");
    }
    assert!(resource.declared_entries().is_none_or(|count| count as usize == resource.entry_count()));
    format!(
        "version {}, {} namespaces, {} entries, {} strings, {} missing, {} wrong hashes ({:?}), {}",
        resource.version().to_wire(),
        resource.namespaces().len(),
        resource.entry_count(),
        resource.strings().len(),
        resource.missing_texts(),
        resource.wrong_hashes(),
        resource.key_hash(),
        digest(&all),
    )
}

fn digest(all: &str) -> String {
    blake3::hash(all.as_bytes()).to_hex()[..16].to_owned()
}

fn types(bytes: &[u8]) -> String {
    let mappings = Mappings::parse(bytes, &mut Scratch::default()).unwrap_or_else(|fault| panic!("{fault}"));
    let (mut all, mut properties) = (String::new(), 0);
    for row in mappings.enums() {
        writeln!(all, "{} {:?}", row.name(), row.values().collect::<Vec<_>>()).unwrap();
    }
    for row in mappings.structs() {
        writeln!(all, "{} {:?} {}", row.name(), row.super_name(), row.element_count()).unwrap();
        for property in row.properties() {
            writeln!(all, "{property:?}").unwrap();
            properties += 1;
        }
    }
    let extensions: Vec<_> =
        mappings.extensions().map(|row| format!("{} {}", row.id.escape_ascii(), row.bytes.len())).collect();
    format!(
        "version {}, {:?}, {} bytes, {} missing; {} names, {} enums, {} structs, {properties} properties, {extensions:?}, {}",
        mappings.header.version.to_wire(),
        mappings.header.method,
        mappings.data_len(),
        mappings.missing_len(),
        mappings.names().len(),
        mappings.enums().len(),
        mappings.structs().len(),
        digest(&all),
    )
}

#[test]
fn every_text_of_the_corpus_is_read_to_its_end() {
    let Some(corpus) = corpus::find() else { return };
    let mut lines = String::new();
    for file in files(&corpus.join("found/locres"), &["locres", "locmeta"]) {
        let (bytes, name) = (std::fs::read(&file).unwrap(), file.file_name().unwrap().display().to_string());
        if name.ends_with(".locmeta") {
            writeln!(lines, "{name}: {:?}", LocalizationMeta::parse(&bytes).unwrap()).unwrap();
        } else {
            writeln!(lines, "{name}: {}", texts(&bytes)).unwrap();
        }
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn every_mapping_of_the_corpus_is_read_to_its_end() {
    let Some(corpus) = corpus::find() else { return };
    let mut lines = String::new();
    for folder in ["found/usmap", "properties", "payloads"] {
        for file in files(&corpus.join(folder), &["usmap"]) {
            let name = file.strip_prefix(&corpus).unwrap().display().to_string().replace('\\', "/");
            let bytes = std::fs::read(&file).unwrap();
            if cfg!(feature = "brotli") || bytes[3] != 2 {
                writeln!(lines, "{name}: {}", types(&bytes)).unwrap();
            }
        }
    }
    insta::assert_snapshot!(lines);
}

/// In the language that a game is written in, texts are their own source, unless a translator changed them.
#[test]
fn hashes_of_sources_are_those_of_the_native_texts() {
    let Some(corpus) = corpus::find() else { return };
    let mut lines = String::new();
    for name in [
        "v3-cue58-Content_Localization_CUE4ParseFixtures_en_CUE4ParseFixtures",
        "v3-readyplayerme-Content_Localization_Game_en_Game",
    ] {
        let bytes = std::fs::read(corpus.join("found/locres").join(name).with_extension("locres")).unwrap();
        let resource = LocalizationResource::parse(&bytes).unwrap();
        let entries = || resource.namespaces().flat_map(Namespace::entries);
        let own = entries().filter(|entry| entry.text.map(source_hash) == Some(entry.source_hash)).count();
        writeln!(lines, "{own} of {}", entries().count()).unwrap();
    }
    insta::assert_snapshot!(lines, @r"
    5 of 5
    698 of 698
    ");
}

/// Four cooks of one project: whatever the method, the types are the same.
#[test]
fn a_mapping_is_the_same_by_every_method() {
    let Some(corpus) = corpus::find() else { return };
    let folder = corpus.join("properties/ue5.8/mappings");
    let read = |name: &str| {
        let found = types(&std::fs::read(folder.join(name)).unwrap());
        found.split_once("missing; ").unwrap().1.to_owned()
    };
    let plain = read("Uncompressed.usmap");
    for name in ["Oodle.usmap", "Zstandard.usmap", "Brotli.usmap"] {
        if cfg!(feature = "brotli") || name != "Brotli.usmap" {
            assert_eq!(read(name), plain, "{name}");
        }
    }
}

/// Texts and registries that lie in paks and containers.
#[test]
fn texts_and_registries_in_paks_are_read_to_their_end() {
    let Some(corpus) = corpus::find() else { return };
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files(&corpus, &["pak", "utoc"]) {
        if path.starts_with(corpus.join("hostile")) {
            continue;
        }
        let store = open(&path, &crate::pak::KEYS);
        for entry in store.entries() {
            let name = store.display_path(entry);
            let kinds = [".locres", ".locmeta", ".usmap", "AssetRegistry.bin"];
            let Some(kind) = kinds.into_iter().find(|kind| name.ends_with(kind)) else { continue };
            let container = store.container(entry).unwrap();
            let Ok(bytes) = container.read(entry.chunk, 0..u64::MAX, 64 << 20) else { continue };
            match kind {
                ".locres" => assert!(texts(&bytes).contains(" 0 missing, 0 wrong hashes"), "{name}"),
                ".locmeta" => drop(LocalizationMeta::parse(&bytes).unwrap()),
                ".usmap" => drop(types(&bytes)),
                _ => drop(AssetRegistry::parse(&bytes).unwrap()),
            }
            *found.entry(kind).or_default() += 1;
        }
    }
    insta::assert_snapshot!(format!("{found:?}"));
}
