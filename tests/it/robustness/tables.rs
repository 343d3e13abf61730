//! Tables of contents that lie, each in its own way.

use crate::support::containers::noise;
use crate::support::drain::{Delivered, drain, everything, input};
use crate::support::sketch::Sketch;
use crate::support::sources::RecordingSource;
use crate::support::{block_on, context};
use std::collections::BTreeMap;
use uncask::container::toc::raw::{self, Block};
use uncask::container::{ChunkIndex, Toc};
use uncask::error::ErrorKind;
use uncask::wire::FaultKind;

/// Reads everything; returns what came of each chunk.
fn read(sketch: &Sketch) -> BTreeMap<ChunkIndex, Delivered> {
    let (toc, source) = (sketch.parse(), sketch.source());
    block_on(drain(input(&toc, &source, None, everything(&toc)), &context()))
}

/// For each chunk, what kept it from coming through.
fn problems(sketch: &Sketch) -> Vec<Option<String>> {
    let problem = |chunk: Delivered| match chunk.error {
        Some(error) => Some(error.to_string()),
        None if chunk.is_good() => None,
        None => Some(format!("{:?}", chunk.check)),
    };
    read(sketch).into_values().map(problem).collect()
}

fn sound_and(block_size: u32, chunks: usize) -> Sketch {
    let mut sketch = Sketch::new(block_size);
    for seed in 0..chunks {
        sketch.add(&noise(1000, seed as u64));
    }
    sketch
}

#[test]
fn a_chunk_that_claims_two_to_the_forty_bytes() {
    let mut sketch = sound_and(1000, 2);
    sketch.toc.chunks[0].len = (1 << 40) - 1;
    assert_eq!(
        problems(&sketch),
        [Some("chunk covers blocks 0..1099511628, but the table has 2 blocks: (memory)".to_owned()), None]
    );
}

#[test]
fn a_million_blocks_in_a_kilobyte() {
    const BLOCK_COUNT: usize = 28;
    let mut bytes = sound_and(1000, 20).bytes();
    assert!(bytes.len() < 2048);
    bytes[BLOCK_COUNT..BLOCK_COUNT + 4].copy_from_slice(&1_000_000_u32.to_le_bytes());
    let fault = Toc::parse(bytes.into()).unwrap_err();
    assert_eq!(fault.field, "compression_blocks");
    assert!(matches!(fault.kind, FaultKind::Truncated { needed: 12_000_000, .. }), "{fault}");
}

#[test]
fn chunks_that_share_blocks_all_come_through() {
    let mut sketch = Sketch::new(1000);
    let content = noise(3500, 1);
    sketch.add(&content);
    sketch.add_entry(0, &content);
    sketch.add_entry(3, &content[3000..]);
    assert_eq!(problems(&sketch), [None, None, None]);
}

#[test]
fn blocks_out_of_order_come_through() {
    let (mut sketch, content) = (Sketch::new(1000), noise(10_000, 1));
    sketch.add(&content);
    sketch.toc.blocks.reverse();
    sketch.data = content.chunks(1000).rev().flatten().copied().collect();
    assert_eq!(problems(&sketch), [None]);
}

#[test]
fn blocks_that_jump_between_partitions_come_through() {
    let (mut sketch, content) = (Sketch::new(1000), noise(6000, 1));
    sketch.toc.partition_size = 4096;
    sketch.toc.partition_count = 2;
    sketch.data = vec![0; 8192];
    for (n, block) in content.chunks(1000).enumerate() {
        let at = (n % 2) * 4096 + (n / 2) * 1000;
        sketch.data[at..at + 1000].copy_from_slice(block);
        sketch.toc.blocks.push(Block::new(at as u64, 1000, 1000, 0));
    }
    sketch.add_entry(0, &content);
    assert_eq!(problems(&sketch), [None]);
    let (toc, source) = (sketch.parse(), RecordingSource::new(sketch.data.clone()));
    assert!(
        block_on(drain(input(&toc, &source, None, everything(&toc)), &context()))[&ChunkIndex(0)].is_good()
    );
    assert!(
        source.reads().iter().all(|read| read.start / 4096 == (read.end - 1) / 4096),
        "{}",
        source.trace()
    );
}

#[test]
fn partitions_of_one_byte() {
    let mut sketch = sound_and(1000, 1);
    sketch.add(b"x");
    sketch.toc.partition_size = 1;
    assert_eq!(problems(&sketch), [Some("block 0 at 0x0 spans two partitions: (memory)".to_owned()), None]);
}

#[test]
fn a_chunk_of_no_bytes() {
    let mut sketch = sound_and(1000, 1);
    sketch.add(&[]);
    assert_eq!(problems(&sketch), [None, None]);
    sketch.toc.chunks[1].first_block = 1 << 20;
    assert_eq!(problems(&sketch), [None, None], "where nothing lies does not matter");
}

#[test]
fn a_container_without_chunks() {
    let sketch = Sketch::new(1000);
    assert_eq!(sketch.bytes().len(), size_of::<raw::Header>());
    assert!(problems(&sketch).is_empty());
}

#[test]
fn an_unknown_method_fails_only_its_chunks() {
    let mut sketch = sound_and(1000, 3);
    sketch.toc.methods = vec!["LZO".to_owned()];
    let block = sketch.toc.blocks[1];
    sketch.toc.blocks[1] = Block::new(block.offset(), 1000, 1000, 1);
    let known = r#"block 1 has the unknown compression method "LZO" (index 1): (memory)"#;
    assert_eq!(problems(&sketch), [None, Some(known.to_owned()), None]);
    sketch.toc.blocks[1] = Block::new(block.offset(), 1000, 1000, 7);
    assert!(problems(&sketch)[1].as_deref().unwrap().contains("(index 7)"), "a number that has no name");
}

#[test]
fn blocks_that_contradict_their_chunk() {
    let mut sketch = sound_and(1000, 5);
    let at = |block: Block| block.offset();
    sketch.toc.blocks[0] = Block::new(at(sketch.toc.blocks[0]), 999, 1000, 0);
    sketch.toc.blocks[1] = Block::new(at(sketch.toc.blocks[1]), 1000, 999, 0);
    sketch.toc.blocks[2] = Block::new(Block::MAX_OFFSET, 1000, 1000, 0);
    sketch.toc.blocks[3] = Block::new(at(sketch.toc.blocks[3]), 0, 1000, 1);
    sketch.toc.methods = vec!["Zlib".to_owned()];
    let reported: Vec<String> = problems(&sketch).into_iter().map(Option::unwrap_or_default).collect();
    insta::assert_snapshot!(reported.join("\n"), @r"
    block 0 is stored in 999 bytes, expected 1000: (memory)
    block 1 has 999 bytes, expected 1000: (memory)
    data file is cut off (5,000 bytes long, 1,099,511,628,775 needed): (memory)
    block 3 is stored in 0 bytes, expected 1000: (memory)
    ");
    assert_eq!(reported[4], "", "the last one is sound");
}

/// Sets where a chunk starts in the address space of blocks, to any byte.
fn move_chunk(bytes: &mut [u8], sketch: &Sketch, chunk: usize, offset: u64) {
    let at = size_of::<raw::Header>() + 12 * sketch.toc.chunks.len() + 10 * chunk;
    bytes[at..at + 5].copy_from_slice(&offset.to_be_bytes()[3..]);
}

#[test]
fn a_chunk_that_starts_inside_a_block_is_refused() {
    let mut sketch = Sketch::new(1000);
    sketch.add(&[1, 2]);
    sketch.add(&noise(1000, 1));
    for offset in [1, 500, 999] {
        let mut bytes = sketch.bytes();
        move_chunk(&mut bytes, &sketch, 0, offset);
        let toc = std::sync::Arc::new(Toc::parse(bytes.into()).unwrap().into());
        let chunks = block_on(drain(input(&toc, &sketch.source(), None, everything(&toc)), &context()));
        let error = chunks[&ChunkIndex(0)].error.as_ref().expect("an error");
        assert_eq!(error.kind(), ErrorKind::Malformed, "offset {offset}: {error}");
        assert!(chunks[&ChunkIndex(1)].is_good());
    }
}

#[test]
fn blocks_far_apart_cost_no_more_memory_than_blocks_side_by_side() {
    const BATCH_LEN: u64 = 64 << 10;
    let mut sketch = Sketch::new(4);
    let content = noise(4 * 4000, 1);
    for block in content.chunks(4) {
        sketch.toc.blocks.push(Block::new(sketch.data.len() as u64, 4, 4, 0));
        sketch.data.extend_from_slice(block);
        sketch.skip(8 << 10);
    }
    sketch.add_entry(0, &content);
    let toc = sketch.parse();
    let plan = input(&toc, &sketch.source(), None, everything(&toc)).plan;
    let dearest = plan.batches(&toc, BATCH_LEN).map(|batch| batch.price()).max().unwrap();
    assert!(dearest <= 4 * BATCH_LEN, "a batch of {dearest} bytes, {BATCH_LEN} asked for");
    assert_eq!(problems(&sketch), [None]);
}
