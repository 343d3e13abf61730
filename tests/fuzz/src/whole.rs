//! Whole jobs: a table and its data, planned and read; and a container that is packed and opened again.

use super::{number, part};
use bytes::Bytes;
use futures_util::StreamExt;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use uncask::codec::{Method, max_scratch_len};
use uncask::container::Toc;
use uncask::crypto::AesKey;
use uncask::error::Error;
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack};
use uncask::id::Guid;
use uncask::job::{Budget, Context, Cpu};
use uncask::pack::{PackOptions, pack};
use uncask::pipeline::{Input, Plan, Selection, run};
use uncask::sink::MemorySink;
use uncask::source::MemorySource;
use uncask::store::{Store, StoreOptions};
use uncask::table::Table;
use uncask::version::TocVersion;

/// Bytes of the data that a plan is made for.
const DATA_LEN: usize = 1 << 16;

/// Raw bytes of a batch.
const BATCH_LEN: u64 = 1 << 12;

/// More pieces and blocks than this are not looked at: chunks may share their blocks.
const ENOUGH: usize = 20_000;

/// A `.utoc`, planned for some data that is not read.
pub(super) fn plan(data: &[u8]) {
    let Ok(toc) = Toc::parse(Bytes::copy_from_slice(data)).map(Table::from) else { return };
    let source = MemorySource::new(vec![0; DATA_LEN].into());
    let wanted = toc.chunks().map(Selection::whole);
    let plan = Plan::new(&toc, Path::new("(memory)"), &source, wanted);
    assert_eq!(plan.chunks.len() + plan.rejected.len(), toc.chunk_count() as usize);
    let blocks = toc.iostore().map(Toc::blocks).unwrap_or_default();
    let largest = blocks.iter().map(|block| u64::from(block.raw_len()) + u64::from(block.stored_len()));
    let largest = largest.max().unwrap_or(0);
    let (mut delivered, mut looked_at) = (0, 0);
    for batch in plan.batches(&toc, BATCH_LEN) {
        let allowed = 8 * BATCH_LEN + 2 * largest + 64 + max_scratch_len() as u64;
        assert!(batch.price() <= allowed, "a batch costs {}", batch.price());
        for extent in &batch.extents {
            assert!(extent.range.end <= DATA_LEN as u64, "{extent:?}");
        }
        for block in &batch.blocks {
            let extent = &batch.extents[block.extent].range;
            assert!(block.stored.end as u64 <= extent.end - extent.start, "{block:?}");
        }
        delivered += batch.pieces.iter().map(|piece| piece.len as u64).sum::<u64>();
        looked_at += batch.pieces.len() + batch.blocks.len();
        if looked_at > ENOUGH {
            return;
        }
    }
    assert_eq!(delivered, plan.raw_len, "batches deliver what the plan promises");
}

/// A `.utoc`, and the data that it is about: everything is read and decoded.
pub(super) fn pipeline(mut data: &[u8]) {
    let toc = part(&mut data);
    let Ok(toc) = Toc::parse(Bytes::copy_from_slice(toc)).map(Table::from) else { return };
    let toc = Arc::new(toc);
    let source = Arc::new(MemorySource::new(Bytes::copy_from_slice(data)));
    let wanted = toc.chunks().map(Selection::whole);
    let plan = Plan::new(&toc, Path::new("(memory)"), &*source, wanted);
    if plan.raw_len > 4 << 20 {
        return;
    }
    let hash_kind = toc.chunk_hash_kind();
    let input = Input { path: PathBuf::from("(memory)"), table: toc, source, cipher: None, hash_kind, plan };
    block_on(async {
        let context = Context::new(cpu(), Budget::new(1 << 20), true);
        let mut decoded = Box::pin(run(Arc::from([input]), &context, None));
        while let Some(batch) = decoded.next().await {
            for piece in &batch.pieces {
                assert!(!matches!(piece.result, Err(Error::Internal { .. })), "{:?}", piece.result);
                assert!(piece.result.is_err() || batch.bytes(piece).len() == piece.piece.len);
            }
        }
    });
}

/// A `.utoc` without data: every chunk gets a file, and none is written.
pub(super) fn dry_run(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fuzz.utoc");
    std::fs::write(&path, data).expect("a file");
    std::fs::write(path.with_extension("ucas"), []).expect("a file");
    let Ok(store) = Store::open(&[path], &[], &StoreOptions::default()) else { return };
    let entries = Filter::default().select(&store, false);
    let outputs = Outputs::new(&store, &entries, None);
    assert_eq!(outputs.iter().len(), entries.len(), "a file for every chunk");
    let paths: HashSet<&str> = outputs.iter().map(|output| output.path.as_str()).collect();
    assert_eq!(paths.len(), entries.len(), "no two chunks share a file");
}

/// Options and files: what is packed comes back, as it was.
pub(super) fn pack_roundtrip(mut data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let options = options(&mut data);
    let tree = folder.path().join("tree");
    let mut files = files(data);
    for (path, content) in &files {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }
    std::fs::create_dir_all(&tree).expect("a folder");
    let toc = folder.path().join("fuzz.utoc");
    let packing = Context::new(cpu(), Budget::new(1 << 20), true);
    let Ok(packed) = block_on(pack(&tree, &toc, &options, &packing)) else { return };
    for (path, why) in &packed.skipped {
        // Old versions have no chunk type for what is no package.
        assert!(path.extension().is_some_and(|end| end == "ini"), "{}: {why}", path.display());
    }
    if !packed.skipped.is_empty() {
        files.retain(|path, _| Path::new(path).extension().is_none_or(|end| end != "ini"));
    }
    let mut keys = StoreOptions::default();
    if let Some((guid, key)) = &options.key {
        keys.keys.add(Some(*guid), key.clone());
    }
    let store = Store::open(&[toc], &[], &keys).expect("what was packed opens");
    let entries = Filter::default().select(&store, true);
    assert_eq!(entries.len(), files.len(), "every file is a chunk");
    let outputs = Outputs::new(&store, &entries, None);
    let sink = Arc::new(MemorySink::default());
    let context = Context::new(cpu(), Budget::new(1 << 20), true);
    let unpacking = UnpackOptions { verify: true, ..UnpackOptions::default() };
    let outcome = block_on(unpack(&store, outputs, sink.clone(), &context, unpacking));
    assert!(outcome.is_ok(), "{outcome:?}");
    let back = sink.files();
    if options.directory_index && options.version.is_some_and(TocVersion::has_directory_index) {
        for (path, content) in &files {
            assert!(back.get(path) == Some(content), "{path}");
        }
    }
    let (mut raw, mut found): (Vec<_>, Vec<_>) = (files.values().collect(), back.values().collect());
    raw.sort();
    found.sort();
    assert!(raw == found, "the same contents");
}

fn options(data: &mut &[u8]) -> PackOptions {
    let [choice, sizes] = [number(data), number(data)];
    let versions = [3, 5, 6, 7, 8, 10].map(|raw| TocVersion::from_wire(raw).expect("a known version"));
    let block_size = [1, 16, 100, 1024, 4096, 65536, 0xFF_FFFF, sizes & 0xFFFF][choice as usize >> 4 & 7];
    let whole = u64::from(block_size).next_multiple_of(16);
    PackOptions {
        version: Some(versions[choice as usize % versions.len()]),
        method: Method::ALL[(choice as usize >> 8 & 0xFF) % Method::ALL.len()],
        level: None,
        block_size,
        partition_size: (choice & 1 << 20 != 0).then(|| whole * (1 + u64::from(sizes >> 16 & 7))),
        key: (choice & 1 << 21 != 0).then(|| (Guid::ZERO, AesKey::new([7; 32]))),
        directory_index: choice & 1 << 22 == 0,
        force: true,
        ..PackOptions::default()
    }
}

/// Cuts the input into a few files, some of them large.
fn files(mut data: &[u8]) -> std::collections::BTreeMap<String, Vec<u8>> {
    let extensions = ["uasset", "umap", "ubulk", "ini"];
    let mut files = std::collections::BTreeMap::new();
    while !data.is_empty() && files.len() < 12 {
        let choice = number(&mut data);
        let content = part(&mut data);
        let times = if choice & 0xF0 == 0xF0 { (choice >> 8) as usize % 300 } else { 1 };
        let extension = extensions[choice as usize & 3];
        files.insert(format!("Game/Content/f{}.{extension}", files.len()), content.repeat(times));
    }
    files
}

/// One worker, shared by all runs.
fn cpu() -> Cpu {
    static CPU: OnceLock<Cpu> = OnceLock::new();
    CPU.get_or_init(|| Cpu::new(1).expect("a thread")).clone()
}

fn block_on<T>(job: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(job)
}
