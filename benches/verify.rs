//! Whole runs on containers made for it: read, decode and hash every chunk, by method and number of threads.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::path::Path;
use uncask::codec::Method;
use uncask::extract::{Filter, verify};
use uncask::pack::{PackOptions, pack};
use uncask::pipeline::{Budget, Context, Cpu};
use uncask::report::Silent;
use uncask::store::{Store, StoreOptions};

/// Many small files and a few large ones, 64 MiB together.
fn make_files(folder: &Path) {
    let line = |n: usize| format!("row {n} {} {};", n * 7919 % 10_007, n % 251);
    let content = |len: usize, seed: usize| -> Vec<u8> {
        let mut text: String = (seed..).take(len / 12).map(line).collect();
        text.truncate(len);
        text.into_bytes()
    };
    for (count, len) in [(500, 20_000), (20, 1 << 20), (2, 16 << 20)] {
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
    for method in [Method::None, Method::Zlib, Method::Lz4] {
        let toc = folder.path().join(format!("{method}.utoc"));
        let options = PackOptions { method, ..PackOptions::default() };
        pack(&files, &toc, &options, &Cpu::new(0).expect("threads"), &Silent).expect("packs");
        let store = Store::open(&[toc], &[], &StoreOptions::default()).expect("opens");
        let entries = Filter::default().select(&store, false);
        for threads in [1, 2] {
            let context = Context::new(Cpu::new(threads).expect("threads"), Budget::new(256 << 20), true);
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let mut bytes = 0;
            group.bench_function(BenchmarkId::new(method.name(), threads), |b| {
                b.iter(|| {
                    let outcome = runtime.block_on(verify(&store, &entries, &context, false, &Silent));
                    assert!(outcome.is_ok());
                    bytes = outcome.raw_bytes;
                });
            });
            group.throughput(Throughput::Bytes(bytes));
        }
    }
    group.finish();
}

criterion_group!(benches, run);
criterion_main!(benches);
