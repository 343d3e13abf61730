//! Tables of contents: parsing, looking chunks up, making paths, planning. The reference is one BLAKE3 pass over the same bytes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::ops::Range;
use std::path::{Path, PathBuf};
use uncask::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use uncask::container::{ChunkIndex, DirectoryIndex, DirectoryIndexBuilder, Toc};
use uncask::id::{ChunkHash, ContainerId, Guid, PackageId, RawChunkId};
use uncask::pipeline::{Plan, Selection};
use uncask::source::{BoxFuture, Buffer, Source};
use uncask::version::TocVersion;

const CHUNKS: u32 = 100_000;

/// A table of packages with two blocks each, in folders of a hundred.
fn table() -> bytes::Bytes {
    let name = |n: u32| format!("Folder{}/Package{n}", n / 100);
    let chunks = (0..CHUNKS).map(|n| NewChunk {
        id: RawChunkId::new(PackageId::from_name(&name(n)).0, 0, 1),
        first_block: n * 2,
        len: 100_000,
        meta: ChunkMeta { hash: ChunkHash([1; 20]), flags: 0 },
    });
    let blocks = (0..CHUNKS * 2).map(|n| raw::Block::new(u64::from(n) * 65_536, 65_536, 65_536, 0));
    let builder = TocBuilder {
        version: TocVersion::ReplaceIoChunkHashWithIoHash,
        container_id: ContainerId(1),
        encryption_key_guid: Guid::ZERO,
        encryption: None,
        block_size: 65_536,
        partition_size: u64::MAX,
        partition_count: 1,
        methods: Vec::new(),
        chunks: chunks.collect(),
        blocks: blocks.collect(),
        ivs: Vec::new(),
        compressed: false,
    };
    let order = builder.order();
    let mut index = DirectoryIndexBuilder::new("../../../Game/Content/");
    for (slot, position) in (0u32..).zip(&order.slots) {
        index.add(&format!("{}.uasset", name(*position)), slot);
    }
    builder.finish(&order, &index.finish()).into()
}

/// Data of any length, of which a plan needs no more than that.
#[derive(Debug)]
struct Endless;

impl Source for Endless {
    fn check(&self, _range: &Range<u64>) -> uncask::error::Result<()> {
        Ok(())
    }

    fn read_at(&self, _offset: u64, buffer: Buffer) -> BoxFuture<'_, std::io::Result<Buffer>> {
        Box::pin(std::future::ready(Ok(buffer)))
    }

    fn describe(&self, _offset: u64) -> PathBuf {
        PathBuf::from("(endless)")
    }
}

fn toc(c: &mut Criterion) {
    let bytes = table();
    let mut group = c.benchmark_group("toc");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("reference: blake3 of the file", |b| b.iter(|| blake3::hash(black_box(&bytes))));
    group.bench_function("parse", |b| {
        b.iter(|| {
            let toc = Toc::parse(bytes.clone()).expect("valid");
            let index = DirectoryIndex::parse(toc.directory_index_bytes(), CHUNKS).expect("valid");
            (toc, index)
        });
    });
    let toc = Toc::parse(bytes).expect("valid");
    let index = DirectoryIndex::parse(toc.directory_index_bytes(), CHUNKS).expect("valid");
    group.throughput(Throughput::Elements(CHUNKS.into()));
    group.bench_function("find every chunk", |b| {
        b.iter(|| toc.chunk_ids().iter().filter_map(|id| toc.find(*id)).count());
    });
    group.bench_function("make every path", |b| {
        let mut path = String::new();
        b.iter(|| (0..CHUNKS).filter(|chunk| index.path_into(ChunkIndex(*chunk), &mut path)).count());
    });
    group.bench_function("plan every chunk", |b| {
        let path = Path::new("bench.utoc");
        b.iter(|| {
            let plan = Plan::new(&toc, path, &Endless, toc.chunks().map(Selection::whole));
            assert!(plan.rejected.is_empty());
            plan
        });
    });
    group.finish();
}

criterion_group!(benches, toc);
criterion_main!(benches);
