//! Whole runs on containers made for it: read, decode and hash every chunk, by method and number of threads, from files
//! and from memory. The reference is one BLAKE3 pass over the same bytes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Runtime;
use uncask::codec::Method;
use uncask::extract::{Filter, verify};
use uncask::job::{Budget, Context, Cpu, block_on};
use uncask::pack::{PackOptions, pack};
use uncask::pipeline::{Input, Plan, Selection, run as run_pipeline};
use uncask::source::{MemorySource, Source};
use uncask::store::{Store, StoreOptions};

/// Numbers of files and their lengths: many small ones and a few large ones.
const FILES: [(usize, usize); 3] = [(500, 20_000), (20, 1 << 20), (2, 16 << 20)];
/// Bytes of all files.
const TOTAL: usize = 500 * 20_000 + (20 << 20) + (32 << 20);

fn make_files(folder: &Path) {
    let line = |n: usize| format!("row {n} {} {};", n * 7919 % 10_007, n % 251);
    let content = |len: usize, seed: usize| -> Vec<u8> {
        let mut text: String = (seed..).take(len / 12).map(line).collect();
        text.truncate(len);
        text.into_bytes()
    };
    for (count, len) in FILES {
        for n in 0..count {
            std::fs::write(folder.join(format!("{len}-{n}.bin")), content(len, n * 1000)).expect("writes");
        }
    }
}

fn run(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = folder.path().join("files");
    std::fs::create_dir(&files).expect("makes a folder");
    make_files(&files);
    let mut group = c.benchmark_group("verify");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(TOTAL as u64));
    let sevens = vec![7; TOTAL];
    group.bench_function("reference: blake3 of as many bytes", |b| b.iter(|| blake3::hash(&sevens)));
    for method in [Method::None, Method::Zlib, Method::Lz4] {
        let path = folder.path().join(format!("{method}.utoc"));
        let options = PackOptions { method, replace: true, force: true, ..PackOptions::default() };
        let context = Context::new(Cpu::new(0).expect("threads"), Budget::new(256 << 20), true);
        block_on(pack(&files, &path, &options, &context)).flatten().expect("packs");
        let data = std::fs::read(path.with_extension("ucas")).expect("reads").into();
        let memory: Arc<dyn Source> = Arc::new(MemorySource::new(data));
        let store = Store::open(&[path], &[], &StoreOptions::default()).expect("opens");
        let entries = Filter::default().select(&store, false);
        for threads in [1, 2] {
            let context = Context::new(Cpu::new(threads).expect("threads"), Budget::new(256 << 20), true);
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            group.bench_function(BenchmarkId::new(format!("{method}, files"), threads), |b| {
                b.iter(|| {
                    let outcome = runtime.block_on(verify(&store, &entries, &context, false));
                    assert!(outcome.is_ok());
                });
            });
            group.bench_function(BenchmarkId::new(format!("{method}, memory"), threads), |b| {
                b.iter(|| assert_eq!(from_memory(&store, &memory, &context, &runtime), TOTAL));
            });
        }
    }
    group.finish();
}

/// Reads, decodes and hashes every chunk of the one container of a store, whose data is in memory; returns its bytes.
fn from_memory(store: &Store, source: &Arc<dyn Source>, context: &Context, runtime: &Runtime) -> usize {
    let container = store.containers().first().expect("one container");
    let (path, toc) = (container.path().to_owned(), Arc::clone(container.table()));
    let plan = Plan::new(&toc, &path, &**source, toc.chunks().map(Selection::whole));
    let hash_kind = toc.chunk_hash_kind();
    let input = Input { path, table: toc, source: Arc::clone(source), cipher: None, hash_kind, plan };
    runtime.block_on(async {
        let mut batches = Box::pin(run_pipeline([input].into(), context, None));
        let mut bytes = 0;
        while let Some(batch) = batches.next().await {
            for piece in &batch.pieces {
                assert!(piece.result.is_ok());
                bytes += batch.bytes(piece).len();
            }
        }
        bytes
    })
}

criterion_group!(benches, run);
criterion_main!(benches);
