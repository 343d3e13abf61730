//! A container made like another: what did not change comes out byte for byte.

use crate::support::containers::{noise, open, prose, unpack_all, verify_all, write_tree};
use crate::support::corpus::{self, KEY};
use crate::support::packing::pack;
use crate::support::{cpu, say};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::codec::Method;
use uncask::container::toc::{NewChunk, TocBuilder};
use uncask::container::{ChunkIndex, DirectoryIndexBuilder, Toc};
use uncask::crypto::AesKey;
use uncask::id::{ContainerId, Guid, RawChunkId};
use uncask::pack::{Original, PackOptions};
use uncask::version::TocVersion;

/// Every table of contents of the engine's own packager in the corpus.
fn tocs(corpus: &Path) -> Vec<PathBuf> {
    let folders = ["iostore", "found/container", "to-zen/toc"].map(|folder| corpus.join(folder));
    let files = folders.iter().flat_map(|folder| walkdir::WalkDir::new(folder).sort_by_file_name());
    let paths = files.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "utoc")).collect()
}

/// The name of a container in the tables below.
fn name(corpus: &Path, toc: &Path) -> String {
    toc.strip_prefix(corpus).unwrap().with_extension("").display().to_string().replace('\\', "/")
}

fn original(toc: &Path) -> Arc<Original> {
    let store = open(toc, &[KEY]);
    let [container] = store.containers() else { panic!("one container") };
    Arc::new(Original::new(Arc::clone(container)).unwrap())
}

/// The `.utoc` and the `.ucas` files of a container, by their names.
fn files(toc: &Path) -> BTreeMap<String, Vec<u8>> {
    let stem = toc.file_stem().unwrap().to_str().unwrap().to_owned();
    let is_part = |name: &String| {
        let rest = name.strip_prefix(&stem).unwrap_or("?");
        rest == ".utoc"
            || rest == ".ucas"
            || rest.strip_suffix(".ucas").is_some_and(|rest| rest.starts_with("_s"))
    };
    let entries = std::fs::read_dir(toc.parent().unwrap()).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    named.filter(|(name, _)| is_part(name)).map(|(name, path)| (name, std::fs::read(path).unwrap())).collect()
}

/// Unpacks a container and packs it like another; returns the result for the tables below.
fn rebuilt(toc: &Path, like: &Path) -> &'static str {
    rebuilt_with(toc, like, &PackOptions { force: true, replace: true, ..PackOptions::like(&original(like)) })
}

/// Unpacks a container and packs it with these options, under the name of another.
fn rebuilt_with(toc: &Path, like: &Path, options: &PackOptions) -> &'static str {
    let store = open(toc, &[KEY]);
    let folder = tempfile::tempdir().unwrap();
    let (tree, again) = (folder.path().join("tree"), folder.path().join(like.file_name().unwrap()));
    let outcome = unpack_all(&store, &tree);
    if !outcome.is_ok() {
        return "no data";
    }
    pack(&tree, &again, options, cpu()).unwrap();
    let (made, there) = (files(&again), files(toc));
    if made == there {
        return "equal";
    }
    let again = open(&again, &[KEY]);
    assert!(verify_all(&again).is_ok());
    let chunks = |store: &uncask::store::Store| -> BTreeMap<RawChunkId, (String, u64)> {
        let entry = |entry: uncask::store::Entry| {
            let table = store.container(entry).unwrap().table();
            let hash = table.meta(entry.chunk).unwrap().hash.to_string();
            (store.chunk_id(entry).unwrap(), (hash, table.chunk_len(entry.chunk)))
        };
        store.entries().map(entry).collect()
    };
    if chunks(&again) == chunks(&store) { "same chunks" } else { "other chunks" }
}

#[test]
fn containers_of_the_corpus_are_rebuilt_byte_for_byte() {
    let Some(corpus) = corpus::with("found/container/dup.utoc") else { return };
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for toc in tocs(&corpus) {
        found.entry(rebuilt(&toc, &toc)).or_default().push(name(&corpus, &toc));
    }
    let counts: Vec<(&str, usize)> = found.iter().map(|(how, all)| (*how, all.len())).collect();
    say(&format!("{found:#?}"));
    assert_eq!(counts, [("equal", 16), ("no data", 11), ("other chunks", 1)], "{found:#?}");
    // Another packer gave one id to four packages, so that only one of them is unpacked.
    assert_eq!(found["other chunks"], ["found/container/dup"]);
}

/// Without an original: ids follow from names, whatever release wrote the container.
#[test]
fn what_was_unpacked_packs_to_the_chunks_that_it_was() {
    let Some(corpus) = corpus::find() else { return };
    let mut differing = Vec::new();
    let mut same = 0;
    for path in tocs(&corpus).into_iter().filter(|path| !path.ends_with("dup.utoc")) {
        let toc = Toc::parse(std::fs::read(&path).unwrap().into()).unwrap();
        let options = PackOptions {
            version: Some(toc.version()),
            force: true,
            replace: true,
            ..PackOptions::default()
        };
        match rebuilt_with(&path, &path, &options) {
            "no data" => {}
            "other chunks" => differing.push(name(&corpus, &path)),
            _ => same += 1,
        }
    }
    // Its container header lists the packages of the container that it patches, and its name is not the one that its id is of.
    assert_eq!((same, differing), (15, vec!["found/container/ue5.1-patch_0_P".to_owned()]));
}

/// Without the data of the original, blocks are compressed anew, and everything else still is as it was.
#[test]
fn a_table_of_contents_alone_is_enough_where_nothing_is_compressed() {
    let Some(corpus) = corpus::find() else { return };
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for toc in tocs(&corpus).into_iter().filter(|toc| !toc.ends_with("dup.utoc")) {
        let folder = tempfile::tempdir().unwrap();
        let alone = folder.path().join(toc.file_name().unwrap());
        std::fs::copy(&toc, &alone).unwrap();
        let is_compressed =
            Toc::parse(std::fs::read(&toc).unwrap().into()).unwrap().methods().names().len() > 0;
        let how = rebuilt(&toc, &alone);
        if how != "no data" {
            *counts.entry((how, is_compressed)).or_default() += 1;
        }
    }
    assert_eq!(counts, BTreeMap::from([(("equal", false), 10), (("same chunks", true), 6)]));
}

/// All tables, also those whose data nobody has: slots, seeds, places, flags, paths.
#[test]
fn tables_of_the_corpus_are_rebuilt_byte_for_byte() {
    let Some(corpus) = corpus::find() else { return };
    let mut rebuilt = 0;
    for path in tocs(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let toc = Toc::parse(bytes.clone().into()).unwrap();
        let store = open(&path, &[KEY]);
        let container = &store.containers()[0];
        let order = toc.chunks_by_offset();
        let chunk = |chunk: &ChunkIndex| NewChunk {
            id: toc.chunk_id(*chunk).unwrap(),
            first_block: u32::try_from(
                toc.offset_length(*chunk).unwrap().offset() / u64::from(toc.block_size()),
            )
            .unwrap(),
            len: toc.chunk_len(*chunk),
            meta: toc.meta(*chunk).unwrap(),
        };
        let methods: Vec<String> = toc.methods().names().map(str::to_owned).collect();
        let builder = TocBuilder {
            version: toc.version(),
            container_id: toc.container_id().unwrap(),
            encryption_key_guid: toc.encryption_key_guid(),
            encryption: toc.encryption_method().unwrap(),
            block_size: toc.block_size(),
            partition_size: toc.partition_size(),
            partition_count: toc.header().partition_count.get(),
            compressed: !methods.is_empty(),
            methods,
            chunks: order.iter().map(chunk).collect(),
            blocks: toc.blocks().to_vec(),
            ivs: Vec::new(),
        };
        let Some(order) = builder.order_of(&toc) else {
            assert_eq!(name(&corpus, &path), "found/container/dup", "chunks of one id");
            continue;
        };
        let mut index = toc.directory_index_bytes().to_vec();
        if !toc.is_encrypted() && !index.is_empty() {
            let mount = container.mount_point();
            let mut paths = DirectoryIndexBuilder::new(mount);
            for chunk in toc.chunks() {
                if let Some(path) = container.index().path(chunk) {
                    let below = mount.trim_start_matches("../../../");
                    paths.add(path.strip_prefix(below).unwrap(), chunk.0);
                }
            }
            index = paths.finish();
        }
        assert!(builder.finish(&order, &index) == bytes, "{}", path.display());
        assert_eq!(toc.alignment(), Some(2048), "{}", path.display());
        rebuilt += 1;
    }
    assert_eq!(rebuilt, 27);
}

#[test]
fn what_was_not_changed_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let tree = |to: &str, change: &str| {
        let files = [("a", 1), ("b", 2), ("c", 3), ("d", 4)].map(|(name, seed)| {
            let text = if name == change { b"changed".to_vec() } else { prose(200_000 + 1000 * seed) };
            (format!("Game/{name}.ini"), text)
        });
        write_tree(&place(to), files.iter().map(|(path, text)| (path.as_str(), text.clone())));
    };
    tree("first", "");
    let secret = Some((Guid([7; 16]), AesKey::new(*KEY_BYTES)));
    for (version, method, key) in [
        (TocVersion::PartitionSize, Method::Zlib, None),
        (TocVersion::PerfectHashWithOverflow, Method::Oodle, None),
        (TocVersion::ReplaceIoChunkHashWithIoHash, Method::Zlib, secret.clone()),
        (TocVersion::ContainerEncryptionMethod, Method::Oodle, secret),
    ] {
        let is_external = version != TocVersion::PartitionSize;
        let _ = std::fs::remove_dir_all(place("tree"));
        if is_external {
            tree("tree", "");
        } else {
            write_tree(
                &place("tree"),
                [("Game/Content/a.ubulk", prose(70_000)), ("Game/Content/b.ubulk", prose(9))],
            );
        }
        let first = PackOptions {
            version: Some(version),
            method,
            level: (method == Method::Zlib).then_some(9),
            key,
            partition_size: Some(256 << 10),
            force: true,
            replace: true,
            ..PackOptions::default()
        };
        let (toc, again) = (place("in/it.utoc"), place("out/it.utoc"));
        pack(&place("tree"), &toc, &first, cpu()).unwrap();
        // Another level than before, which only what changed can show.
        let like = PackOptions { force: true, replace: true, ..PackOptions::like(&original(&toc)) };
        assert_eq!(
            (like.version, like.method, like.partition_size),
            (Some(version), method, Some(256 << 10))
        );
        pack(&place("tree"), &again, &like, cpu()).unwrap();
        assert!(files(&again) == files(&toc), "{version}, {method:?}");

        if is_external {
            tree("tree", "c");
        }
        write_tree(&place("tree"), [("Game/Content/new.ubulk", noise(3000, 9))]);
        pack(&place("tree"), &again, &like, cpu()).unwrap();
        let (before, after) = (open(&toc, &[KEY]), open(&again, &[KEY]));
        assert!(verify_all(&after).is_ok());
        let mut differing: Vec<String> = Vec::new();
        for entry in after.entries() {
            let id = after.chunk_id(entry).unwrap();
            let stored = |store: &uncask::store::Store| {
                let entry = store.find(id)?;
                let toc = store.container(entry)?.table().iostore().unwrap();
                let blocks = toc.blocks_of(entry.chunk).unwrap();
                let blocks = &toc.blocks()[blocks.start as usize..blocks.end as usize];
                Some(blocks.iter().map(|block| (block.stored_len(), block.method())).collect::<Vec<_>>())
            };
            if stored(&before) != stored(&after) {
                differing.push(after.display_path(entry));
            }
        }
        differing.sort_unstable();
        let expected: &[&str] =
            if is_external { &["Game/Content/new.ubulk", "Game/c.ini"] } else { &["Game/Content/new.ubulk"] };
        assert_eq!(differing, expected, "{version}");
    }
}

const KEY_BYTES: &[u8; 32] = b"CUE4ParseFixtureAESKey0123456789";

#[test]
fn a_container_of_another_name_has_an_id_of_its_own() {
    let Some(corpus) = corpus::find() else { return };
    // The file was renamed after it was packed, so its id is not that of its name.
    let toc = corpus.join("found/container/ue5.1-patch_0_P.utoc");
    let folder = tempfile::tempdir().unwrap();
    assert!(unpack_all(&open(&toc, &[]), &folder.path().join("tree")).is_ok());
    let options = PackOptions { force: true, replace: true, ..PackOptions::like(&original(&toc)) };
    for (name, expected) in [
        ("ue5.1-patch_0_P.utoc", original(&toc).container().table().container_id().unwrap()),
        ("Mod_P.utoc", ContainerId::from_name("Mod_P")),
    ] {
        let made = folder.path().join(name);
        pack(&folder.path().join("tree"), &made, &options, cpu()).unwrap();
        let store = open(&made, &[]);
        assert_eq!(store.containers()[0].table().container_id(), Some(expected), "{name}");
        assert!(verify_all(&store).is_ok());
    }
}
