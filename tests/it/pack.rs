//! Packing and unpacking gives the same files: every version, method, encryption and partitioning, on
//! random folders.

mod header;
#[cfg(feature = "cli")]
mod input;
mod like;
#[cfg(feature = "cli")]
mod refused;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod replaced;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod together;

use crate::support::containers::{noise, open, prose, unpack_all, verify_all, write_tree};
use crate::support::cpu;
use crate::support::packing::pack;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use std::collections::BTreeMap;
use std::path::Path;
use uncask::codec::Method;
use uncask::container::toc::{ChunkMeta, NewChunk, Notice, TocBuilder, raw};
use uncask::container::{BlockIndex, Toc};
use uncask::crypto::{AesKey, EncryptionMethod};
use uncask::error::Error;
use uncask::id::{ChunkHash, ChunkKind, ContainerId, Guid, PackageId, RawChunkId};
use uncask::pack::PackOptions;
use uncask::store::Store;
use uncask::version::TocVersion;

const VERSIONS: [u8; 5] = [3, 5, 6, 8, 10];
const KEY: [u8; 32] = *b"0123456789abcdef~~~~~~~~~~~~~~~~";

/// A fixed seed, so that every run has the same cases; nothing is written next to the sources.
fn config(cases: u32, seed: u64) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}

/// A random test case.
#[derive(Debug, Clone)]
struct Case {
    /// Content by path below `Game/Content`.
    files: BTreeMap<String, Content>,
    block_size: u32,
    /// Partition size in multiples of the least that holds a block, if the container is to be split.
    partition_blocks: u64,
    /// Number of folders of `Game/Content` in the mount point.
    mounted: usize,
}

#[derive(Debug, Clone)]
enum Content {
    Prose(usize),
    Noise(usize, u64),
}

impl Content {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Prose(len) => prose(*len),
            Self::Noise(len, seed) => noise(*len, *seed),
        }
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let len = || prop_oneof![Just(0), 1..40_usize, 1000..1050_usize, 4090..4100_usize, 30_000..90_000_usize];
    let content = prop_oneof![
        len().prop_map(Content::Prose),
        (len(), any::<u64>()).prop_map(|(n, seed)| Content::Noise(n, seed))
    ];
    let folder = prop::sample::select(vec!["", "Maps/", "Maps/Deep/er/", "Ünï cödé/", "UI/"]);
    let extension =
        prop::sample::select(vec!["uasset", "umap", "ubulk", "uptnl", "m.ubulk", "o.uasset", "ini"]);
    let files = prop::collection::vec((folder, extension, content), 0..8);
    let block_size = prop::sample::select(vec![512_u32, 1000, 4096, 65_536, 0xFF_FFFF]);
    (files, block_size, 1..4_u64, 0..3_usize).prop_map(|(files, block_size, partition_blocks, mounted)| {
        let named = files
            .into_iter()
            .enumerate()
            .map(|(n, (folder, ext, content))| (format!("{folder}f{n}.{ext}"), content));
        Case { files: named.collect(), block_size, partition_blocks, mounted }
    })
}

/// A setting that is combined with all others.
#[derive(Debug, Clone, Copy)]
struct Setting {
    version: TocVersion,
    method: Method,
    encrypted: bool,
    split: bool,
}

fn settings() -> impl Iterator<Item = Setting> {
    let versions = VERSIONS.into_iter().map(|raw| TocVersion::from_wire(raw).unwrap());
    let methods = Method::ALL.into_iter().filter(|method| *method != Method::Zstd || cfg!(feature = "zstd"));
    let flags = [(false, false), (false, true), (true, false), (true, true)];
    versions.flat_map(move |version| {
        methods.clone().flat_map(move |method| {
            flags.map(move |(encrypted, split)| Setting { version, method, encrypted, split })
        })
    })
}

impl Setting {
    fn options(self, case: &Case) -> PackOptions {
        let folders: String = ["Game/", "Content/"].into_iter().take(case.mounted).collect();
        let least = u64::from(case.block_size).next_multiple_of(16);
        PackOptions {
            version: Some(self.version),
            method: self.method,
            level: None,
            block_size: case.block_size,
            partition_size: self.split.then_some(least * case.partition_blocks),
            key: self.encrypted.then(|| (Guid([3; 16]), AesKey::new(KEY))),
            mount_point: format!("../../../{folders}"),
            directory_index: true,
            // No content here is a package.
            force: true,
            ..PackOptions::default()
        }
    }
}

#[test]
fn every_combination_comes_back_and_packs_to_the_same_bytes() {
    let mut tried = 0;
    for setting in settings() {
        let mut runner = TestRunner::new(config(1, tried));
        let result = runner.run(&cases(), |case| round_trip(setting, &case));
        assert!(result.is_ok(), "{setting:?}: {}", result.unwrap_err());
        tried += 1;
    }
    assert_eq!(tried, if cfg!(feature = "zstd") { 120 } else { 100 });
}

fn round_trip(setting: Setting, case: &Case) -> Result<(), TestCaseError> {
    let temporary = tempfile::tempdir().unwrap();
    let folder = |name: &str| temporary.path().join(name);
    let options = setting.options(case);
    let mount = options.mount_point.trim_start_matches("../../../").to_owned();
    let files: BTreeMap<String, Vec<u8>> =
        case.files.iter().map(|(path, content)| (format!("Game/Content/{path}"), content.bytes())).collect();
    let in_tree = files.iter().map(|(path, content)| (path.strip_prefix(&mount).unwrap(), content.clone()));
    std::fs::create_dir_all(folder("tree")).unwrap();
    write_tree(&folder("tree"), in_tree);

    let toc_path = folder("it.utoc");
    let packed = pack(&folder("tree"), &toc_path, &options, cpu());
    let is_external = |path: &str| Path::new(path).extension().is_some_and(|extension| extension == "ini");
    let expected: BTreeMap<&String, &Vec<u8>> =
        files.iter().filter(|(path, _)| has_external_files(setting.version) || !is_external(path)).collect();
    if expected.is_empty() {
        prop_assert!(matches!(packed, Err(Error::NothingToPack { .. })), "{:?}", packed);
        return Ok(());
    }
    let packed = packed.unwrap();
    prop_assert_eq!(packed.skipped.len(), files.len() - expected.len(), "{:?}", packed.skipped);

    let store = open(&toc_path, &[std::str::from_utf8(&KEY).unwrap()]);
    check_facts(&store, &expected)?;
    let verified = verify_all(&store);
    prop_assert!(verified.is_ok() && verified.unhashed == 0, "{:?}", verified);
    prop_assert_eq!(verified.count, expected.len() as u64);

    let unpacked = unpack_all(&store, &folder("out"));
    prop_assert!(unpacked.is_ok(), "{:?}", unpacked);
    for (path, content) in &expected {
        prop_assert!(std::fs::read(folder("out").join(path)).unwrap() == **content, "{}", path);
    }
    let again = folder("again").join("it.utoc");
    std::fs::create_dir_all(folder("again")).unwrap();
    std::fs::create_dir_all(folder("out").join(&mount)).unwrap();
    pack(&folder("out").join(&mount), &again, &options, cpu()).unwrap();
    prop_assert_eq!(container_files(&again), container_files(&toc_path));
    Ok(())
}

fn has_external_files(version: TocVersion) -> bool {
    ChunkKind::ExternalFile.to_wire(version.chunk_kind_numbering()).is_some()
}

/// Digests of a container's files by their names.
fn container_files(toc: &Path) -> BTreeMap<String, blake3::Hash> {
    let files = std::fs::read_dir(toc.parent().unwrap()).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let digest = |path: &Path| blake3::hash(&std::fs::read(path).unwrap());
    files.map(|entry| (entry.file_name().into_string().unwrap(), digest(&entry.path()))).collect()
}

/// Ids, lengths, hashes and paths are those of the files.
fn check_facts(store: &Store, expected: &BTreeMap<&String, &Vec<u8>>) -> Result<(), TestCaseError> {
    let mut found = Vec::new();
    for entry in store.entries() {
        let (toc, path) = (store.container(entry).unwrap().table(), store.path(entry).unwrap());
        let content = expected.get(&path).copied();
        prop_assert!(content.is_some(), "{} was never packed", path);
        let content = content.unwrap();
        let (id, meta) = (toc.chunk_id(entry.chunk).unwrap(), toc.meta(entry.chunk).unwrap());
        prop_assert_eq!(toc.chunk_len(entry.chunk), content.len() as u64);
        prop_assert_eq!(meta.hash, ChunkHash::of(toc.chunk_hash_kind(), content));
        let compressed = toc.storage(entry.chunk).is_some_and(|storage| storage.methods() != [0]);
        prop_assert_eq!(meta.flags & ChunkMeta::COMPRESSED != 0, compressed);
        if toc.chunk_kind(entry.chunk).belongs_to_package() {
            let stem = path.strip_prefix("Game/Content/").unwrap().split('.').next().unwrap();
            prop_assert_eq!(id.package(), PackageId::from_name(&format!("/Game/{stem}")), "{}", path);
            prop_assert_eq!(id.index(), u16::from(path.ends_with(".o.uasset")));
        }
        prop_assert_eq!(store.find(id), Some(entry));
        found.push(path);
    }
    found.sort_unstable();
    prop_assert!(found.iter().eq(expected.keys().copied()), "{:?}", found);
    Ok(())
}

#[test]
fn chunks_without_paths_keep_their_ids() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = |name: &str| temporary.path().join(name);
    let options =
        PackOptions { directory_index: false, method: Method::Lz4, force: true, ..PackOptions::default() };
    write_tree(
        &folder("tree"),
        [("Game/Content/A.uasset", prose(9000)), ("Game/Content/A.ubulk", noise(70_000, 1))],
    );
    let mut tree = folder("tree");
    let mut generations: Vec<Vec<(RawChunkId, Vec<u8>)>> = Vec::new();
    for generation in ["first", "second"] {
        let toc = folder(generation).join("it.utoc");
        std::fs::create_dir_all(folder(generation)).unwrap();
        pack(&tree, &toc, &options, cpu()).unwrap();
        let store = open(&toc, &[]);
        tree = folder(generation).join("out");
        assert!(unpack_all(&store, &tree).is_ok());
        let content = |id: RawChunkId| {
            let path = store.display_path(store.find(id).unwrap());
            assert!(path.starts_with(&format!("chunks/{id}.")), "{path}");
            std::fs::read(tree.join(path)).unwrap()
        };
        let mut ids: Vec<RawChunkId> = store.entries().map(|entry| store.chunk_id(entry).unwrap()).collect();
        ids.sort_unstable();
        generations.push(ids.into_iter().map(|id| (id, content(id))).collect());
    }
    assert_eq!(generations[0].len(), 2);
    assert_eq!(generations[0], generations[1]);
}

/// Any chunks and blocks that the format can express, whether they make sense or not.
fn tables() -> impl Strategy<Value = TocBuilder> {
    let chunk = (any::<u64>(), 0..1_u32 << 12, 0..1_u64 << 40, any::<[u8; 20]>(), 0..4_u8);
    let chunks = prop::collection::vec(chunk, 0..60);
    let block = (0..=raw::Block::MAX_OFFSET, 0..=raw::Block::MAX_LEN, 0..=raw::Block::MAX_LEN, any::<u8>());
    let blocks = prop::collection::vec(block, 0..60);
    let rest = (
        prop::sample::select(&TocVersion::ALL[..]),
        any::<(u64, [u8; 16], bool, bool)>(),
        1..u64::MAX,
        0..3_usize,
    );
    (chunks, blocks, rest).prop_map(
        |(chunks, blocks, (version, (id, guid, secret, compressed), partition_size, methods))| {
            let encryption = secret.then_some(EncryptionMethod::Ecb);
            let numbered = chunks.into_iter().zip(0_u16..);
            let chunk = |((id, first_block, len, hash, flags), n)| NewChunk {
                id: RawChunkId::new(id, n, 1),
                first_block,
                len,
                meta: ChunkMeta { hash: ChunkHash(hash), flags },
            };
            TocBuilder {
                version,
                container_id: ContainerId(id),
                encryption_key_guid: Guid(guid),
                encryption,
                block_size: 1 << 16,
                partition_size,
                partition_count: 1,
                methods: ["Oodle", "Zlib", "Überlang"].into_iter().take(methods).map(str::to_owned).collect(),
                chunks: numbered.map(chunk).collect(),
                blocks: blocks
                    .into_iter()
                    .map(|(offset, stored, raw, method)| raw::Block::new(offset, stored, raw, method))
                    .collect(),
                ivs: Vec::new(),
                compressed,
            }
        },
    )
}

#[test]
fn a_table_parses_to_what_was_written() {
    let mut runner = TestRunner::new(config(200, 1));
    runner
        .run(&tables(), |table| {
            let order = table.order();
            let toc = Toc::parse(table.finish(&order, &[]).into()).unwrap();
            // Version 4 has no place for chunks that its perfect hash cannot take.
            let broken =
                toc.notices() == [Notice::BrokenPerfectHash] && !table.version.has_perfect_hash_overflow();
            prop_assert!(toc.notices().is_empty() || broken, "{:?}", toc.notices());
            prop_assert_eq!(toc.blocks(), table.blocks.as_slice());
            prop_assert!(toc.methods().names().eq(table.methods.iter().map(String::as_str)));
            prop_assert_eq!(toc.block(BlockIndex(toc.block_count())), None);
            if table.version.has_directory_index() {
                prop_assert_eq!(toc.container_id(), Some(table.container_id));
                prop_assert_eq!(toc.is_encrypted(), table.encryption.is_some());
                prop_assert_eq!(toc.encryption_key_guid(), table.encryption_key_guid);
            }
            if table.version.has_partitions() {
                prop_assert_eq!(toc.partition_size(), table.partition_size);
            }
            prop_assert_eq!(toc.chunk_count() as usize, table.chunks.len());
            for (chunk, position) in toc.chunks().zip(&order.slots) {
                let written = &table.chunks[*position as usize];
                let place = toc.offset_length(chunk).unwrap();
                prop_assert_eq!(toc.chunk_id(chunk), Some(written.id));
                prop_assert_eq!(place.offset(), u64::from(written.first_block) << 16);
                prop_assert_eq!(place.length(), written.len);
                prop_assert_eq!(toc.meta(chunk), Some(written.meta));
                prop_assert_eq!(toc.find(written.id), Some(chunk));
            }
            Ok(())
        })
        .unwrap();
}
