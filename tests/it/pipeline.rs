//! Reads of the pipeline. No schedule, budget or bad sector changes a byte of anything else.

use crate::support::containers::{Packed, noise, prose};
use crate::support::drain::{Delivered, drain, everything, input};
use crate::support::sketch::Sketch;
use crate::support::sources::{FlakySource, RecordingSource};
use crate::support::{block_on, context, cpu};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use uncask::codec::{Codec, Codecs, DecodeProblem, Method, Scratch};
use uncask::container::{BlockIndex, ChunkIndex, Toc};
use uncask::crypto::{AesKey, Cipher};
use uncask::error::{Error, ErrorKind};
use uncask::id::Guid;
use uncask::job::{Budget, Context, Cpu};
use uncask::pack::PackOptions;
use uncask::pipeline::{Check, Selection, run};
use uncask::table::Table;

/// Reads chunks of a sketch and returns the reads that it took.
fn trace(sketch: &Sketch, wanted: &[u32]) -> String {
    let (toc, source) = (sketch.parse(), RecordingSource::new(sketch.data.clone()));
    let wanted = wanted.iter().map(|chunk| Selection::whole(ChunkIndex(*chunk)));
    let chunks = block_on(drain(input(&toc, &source, None, wanted), &context()));
    assert!(chunks.values().all(Delivered::is_good), "{chunks:?}");
    source.trace()
}

/// Ten chunks of 1000 bytes, each `gap` bytes after the last.
fn ten_chunks(gap: usize) -> Sketch {
    let mut sketch = Sketch::new(1024);
    for seed in 0..10 {
        sketch.add(&noise(1000, seed));
        sketch.skip(gap);
    }
    sketch
}

#[test]
fn neighbours_are_read_at_once() {
    insta::assert_snapshot!(trace(&ten_chunks(24), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), @"  10216 bytes at 0x00000");
}

#[test]
fn a_small_gap_is_read_and_a_large_one_is_skipped() {
    insta::assert_snapshot!(trace(&ten_chunks(24), &[0, 2, 9]), @"  10216 bytes at 0x00000");
    insta::assert_snapshot!(trace(&ten_chunks(16 << 10), &[0, 1, 3]), @r"
      18384 bytes at 0x00000
       1000 bytes at 0x0cbb8
    ");
}

#[test]
fn order_follows_the_data_and_not_the_request() {
    insta::assert_snapshot!(trace(&ten_chunks(1 << 20), &[7, 0, 3]), @r"
       1000 bytes at 0x00000
       1000 bytes at 0x300bb8
       1000 bytes at 0x701b58
    ");
}

#[test]
fn a_read_never_crosses_a_partition() {
    let mut sketch = Sketch::new(1000);
    sketch.toc.partition_size = 2000;
    for seed in 0..5 {
        sketch.add(&noise(1000, seed));
    }
    insta::assert_snapshot!(trace(&sketch, &[0, 1, 2, 3, 4]), @r"
       2000 bytes at 0x00000
       2000 bytes at 0x007d0
       1000 bytes at 0x00fa0
    ");
}

#[test]
fn a_large_chunk_is_read_batch_by_batch() {
    let mut sketch = Sketch::new(64 << 10);
    sketch.add(&noise((5 << 20) / 2, 1));
    insta::assert_snapshot!(trace(&sketch, &[0]), @r"
    1048576 bytes at 0x00000
    1048576 bytes at 0x100000
     524288 bytes at 0x200000
    ");
}

#[test]
fn a_range_is_widened_to_blocks() {
    let mut sketch = Sketch::new(1000);
    let content = noise(10_000, 1);
    sketch.add(&content);
    let (toc, source) = (sketch.parse(), RecordingSource::new(sketch.data.clone()));
    let wanted = Selection { chunk: ChunkIndex(0), range: 2500..4001 };
    let chunks = block_on(drain(input(&toc, &source, None, [wanted]), &context()));
    insta::assert_snapshot!(source.trace(), @"   3000 bytes at 0x007d0");
    assert_eq!(chunks[&ChunkIndex(0)].bytes, content[2000..5000]);
    assert_eq!(chunks[&ChunkIndex(0)].check, Check::Skipped, "part of a chunk has no hash");
}

#[test]
fn nothing_is_read_for_a_chunk_without_content() {
    let mut sketch = Sketch::new(1000);
    sketch.add(&[]);
    assert_eq!(trace(&sketch, &[0]), "");
}

#[test]
fn encrypted_blocks_are_read_with_their_padding() {
    let key = AesKey::new([9; 32]);
    let options =
        PackOptions { key: Some((Guid::ZERO, key.clone())), block_size: 1000, ..PackOptions::default() };
    let packed = Packed::new([("a.uasset", noise(1500, 1))], &options);
    let toc = Toc::parse(std::fs::read(&packed.toc).unwrap().into()).unwrap();
    let source = RecordingSource::new(std::fs::read(packed.data()).unwrap());
    let cipher = Cipher::new(&key, toc.encryption_method().unwrap().unwrap());
    let toc = Arc::new(Table::from(toc));
    let chunks = block_on(drain(input(&toc, &source, Some(cipher), everything(&toc)), &context()));
    assert!(chunks[&ChunkIndex(0)].is_good());
    insta::assert_snapshot!(source.trace(), @"   1520 bytes at 0x00000");
}

#[test]
fn after_a_failed_read_each_block_is_tried_by_itself() {
    let sketch = ten_chunks(24);
    let bad = 3 * 1024 + 5..3 * 1024 + 6;
    let (toc, source) = (sketch.parse(), FlakySource::new(sketch.data.clone(), [bad]));
    let chunks = block_on(drain(input(&toc, &source, None, everything(&toc)), &context()));
    let failed: Vec<u32> = chunks.iter().filter(|(_, chunk)| !chunk.is_good()).map(|(at, _)| at.0).collect();
    assert_eq!(failed, [3], "one bad sector costs one chunk");
    let error = chunks[&ChunkIndex(3)].error.as_ref().unwrap();
    assert_eq!(error.to_string(), "cannot read: bad sector: (memory)");
    assert_eq!(error.kind(), ErrorKind::Io);
}

/// A container with chunks of all sizes, compressed.
fn mixed() -> (Arc<Table>, Vec<u8>) {
    let names: Vec<String> = (0..60).map(|n| format!("Game/Content/f{n}.uasset")).collect();
    let content = |n: usize| match n % 4 {
        0 => noise(n * 997, n as u64),
        1 => prose(n * 1009),
        2 => prose(n),
        _ => noise(300_000, n as u64),
    };
    let files = names.iter().enumerate().map(|(n, name)| (name.as_str(), content(n)));
    let options = PackOptions { method: Method::Lz4, block_size: 16 << 10, ..PackOptions::default() };
    let packed = Packed::new(files, &options);
    let toc = Toc::parse(std::fs::read(&packed.toc).unwrap().into()).unwrap();
    (Arc::new(toc.into()), std::fs::read(packed.data()).unwrap())
}

#[test]
fn no_schedule_and_no_budget_changes_a_byte() {
    let (toc, data) = mixed();
    let calm = RecordingSource::new(data.clone());
    let expected = block_on(drain(input(&toc, &calm, None, everything(&toc)), &context()));
    assert!(expected.len() == 60 && expected.values().all(Delivered::is_good));
    for (threads, bytes) in [(1, 1), (1, 64 << 10), (1, 64 << 20), (2, 1), (4, 1 << 20)] {
        let budget = Budget::new(bytes);
        let context = Context::new(Cpu::new(threads).unwrap(), budget.clone(), true);
        let source = FlakySource::new(data.clone(), []);
        let found = block_on(drain(input(&toc, &source, None, everything(&toc)), &context));
        assert_eq!(found.len(), expected.len());
        for (chunk, found) in &found {
            let good = found.check == Check::Match && found.error.is_none();
            assert!(
                good && found.bytes == expected[chunk].bytes,
                "{chunk:?}, {threads} threads, {bytes} bytes"
            );
        }
        assert_eq!(budget.available(), budget.total(), "every byte is returned");
    }
}

#[test]
fn a_bad_range_fails_exactly_the_chunks_that_lie_in_it() {
    let (toc, data) = mixed();
    let bad: [Range<u64>; 3] = [0..1, 1_000_000..1_700_000, data.len() as u64 - 20..data.len() as u64];
    let touched = |chunk: ChunkIndex| {
        let blocks = toc.blocks_of(chunk).unwrap().filter_map(|block| toc.block(chunk, BlockIndex(block)));
        let mut ranges = blocks.map(|block| block.offset..block.offset + u64::from(block.stored_len));
        ranges.any(|range| bad.iter().any(|bad| bad.start < range.end && range.start < bad.end))
    };
    for bytes in [1, 1 << 20, 64 << 20] {
        let budget = Budget::new(bytes);
        let context = Context::new(cpu().clone(), budget.clone(), true);
        let source = FlakySource::new(data.clone(), bad.clone());
        let chunks = block_on(drain(input(&toc, &source, None, everything(&toc)), &context));
        let failed: BTreeMap<ChunkIndex, bool> =
            chunks.iter().map(|(at, chunk)| (*at, !chunk.is_good())).collect();
        let expected: BTreeMap<ChunkIndex, bool> =
            toc.chunks().map(|chunk| (chunk, touched(chunk))).collect();
        assert_eq!(failed, expected, "budget of {bytes} bytes");
        assert!((4..30).contains(&failed.values().filter(|failed| **failed).count()));
        assert_eq!(budget.available(), budget.total());
    }
}

/// A chunk of 8 MiB, and its content.
fn large() -> (Sketch, Vec<u8>) {
    let mut sketch = Sketch::new(64 << 10);
    let content = noise(8 << 20, 1);
    sketch.add(&content);
    (sketch, content)
}

#[test]
fn a_chunk_larger_than_the_budget_streams() {
    let ((sketch, whole), budget) = (large(), Budget::new(1 << 20));
    let (toc, source) = (sketch.parse(), RecordingSource::new(sketch.data.clone()));
    let context = Context::new(cpu().clone(), budget.clone(), true);
    let input = input(&toc, &source, None, everything(&toc));
    let dearest = input.plan.batches(&toc, context.batch_len()).map(|batch| batch.price()).max().unwrap();
    assert!(dearest <= budget.total() / 4, "a batch of {dearest} bytes");
    block_on(async {
        let (mut decoded, mut bytes) = (Box::pin(run(Arc::from([input]), &context, None)), Vec::new());
        let mut checks = Vec::new();
        while let Some(batch) = decoded.next().await {
            assert!(budget.available() < budget.total(), "a batch in hand is paid for");
            for piece in &batch.pieces {
                bytes.extend_from_slice(batch.bytes(piece));
                checks.push(piece.check);
            }
        }
        assert!(bytes == whole);
        assert!(checks.len() > 30, "{} pieces", checks.len());
        assert_eq!(checks.pop(), Some(Check::Match), "the last piece knows the hash of the whole");
        assert!(checks.iter().all(|check| *check == Check::Skipped));
    });
    assert_eq!(budget.available(), budget.total());
}

/// Decodes nothing, and would need memory for it.
#[derive(Debug)]
struct Hungry;

impl Codec for Hungry {
    fn decode(&self, _: &[u8], _: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
        Err(DecodeProblem::malformed("not today"))
    }

    fn scratch_len(&self, raw_len: usize) -> usize {
        3 * raw_len
    }
}

#[test]
fn memory_of_user_supplied_codecs_is_paid_for() {
    let options = PackOptions { method: Method::Lz4, block_size: 16 << 10, ..PackOptions::default() };
    let packed = Packed::new([("a.txt", prose(100_000))], &options);
    let price = |codecs: &Codecs| {
        let toc = Toc::parse(std::fs::read(&packed.toc).unwrap().into()).unwrap().with_codecs(codecs);
        let (table, source) =
            (Arc::new(toc.into()), RecordingSource::new(std::fs::read(packed.data()).unwrap()));
        let input = input(&table, &source, None, [Selection::whole(ChunkIndex(0))]);
        input.plan.batches(&input.table, 1 << 20).map(|batch| batch.price()).max().unwrap()
    };
    let hungry = Codecs::default().with("LZ4", Hungry);
    assert_eq!(price(&hungry) - price(&Codecs::default()), 3 * (16 << 10));
}

#[test]
fn a_stream_that_is_dropped_returns_its_memory() {
    let ((sketch, _), budget) = (large(), Budget::new(1 << 20));
    let (toc, source) = (sketch.parse(), FlakySource::new(sketch.data.clone(), []));
    let context = Context::new(cpu().clone(), budget.clone(), true);
    block_on(async {
        let input = input(&toc, &source, None, everything(&toc));
        let mut decoded = Box::pin(run(Arc::from([input]), &context, None));
        assert!(decoded.next().await.is_some());
    });
    assert_eq!(budget.available(), budget.total());
}

#[test]
fn a_cancelled_run_ends_early_and_says_so() {
    let ((sketch, _), budget) = (large(), Budget::new(1 << 20));
    let (toc, source) = (sketch.parse(), RecordingSource::new(sketch.data.clone()));
    let context = Context::new(cpu().clone(), budget.clone(), true);
    let (mut delivered, mut errors) = (0, Vec::new());
    block_on(async {
        let input = input(&toc, &source, None, everything(&toc));
        let mut decoded = Box::pin(run(Arc::from([input]), &context, None));
        while let Some(mut batch) = decoded.next().await {
            context.cancel_token().cancel();
            delivered += batch.pieces.iter().map(|piece| batch.bytes(piece).len()).sum::<usize>();
            errors
                .extend(std::mem::take(&mut batch.pieces).into_iter().filter_map(|piece| piece.result.err()));
        }
    });
    assert!((1..8 << 20).contains(&delivered), "{delivered} bytes");
    assert!(errors.iter().all(|error| matches!(error, Error::Cancelled)), "{errors:?}");
    assert_eq!(budget.available(), budget.total());
}
