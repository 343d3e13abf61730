//! Containers that claim to be large: what they claim is not what they cost.

#[path = "../it/support/sketch.rs"]
#[expect(dead_code, reason = "the integration tests use all of it")]
mod sketch;

use super::texts::locres;
use super::types::Types;
use super::{Meter, block_on, cpu};
use sketch::Sketch;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::codec::{Method, Scratch, compress};
use uncask::container::script_objects::ScriptObjects;
use uncask::container::toc::raw::Block;
use uncask::container::{ChunkIndex, DirectoryIndex, DirectoryIndexBuilder, Toc};
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack};
use uncask::id::Guid;
use uncask::job::{Budget, Context};
use uncask::localization::LocalizationResource;
use uncask::mappings::Mappings;
use uncask::package::name_map::{HASH_ALGORITHM, NameMap};
use uncask::pak::{Entry, PakBuilder};
use uncask::pipeline::{Plan, Selection};
use uncask::sink::NullSink;
use uncask::store::{Store, StoreOptions};
use uncask::table::Table;
use uncask::wire::{FaultKind, Reader, Writer};

/// Unpacks a container to nowhere, with little memory. Returns how many chunks came through.
fn unpacked(sketch: &Sketch) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    unpacked_file(sketch.write(folder.path()))
}

fn unpacked_file(container: PathBuf) -> u64 {
    let store = Store::open(&[container], &[], &StoreOptions::default()).unwrap();
    let outputs = Outputs::new(&store, &Filter::default().select(&store, true), None);
    let context = Context::new(cpu().clone(), Budget::new(8 << 20), true);
    let options = UnpackOptions { verify: true, ..UnpackOptions::default() };
    block_on(unpack(&store, outputs, Arc::new(NullSink), &context, options)).count
}

#[test]
fn a_chunk_that_claims_two_to_the_forty_bytes_costs_nothing() {
    let _turn = Meter::turn();
    let mut sketch = Sketch::new(1 << 16);
    sketch.add(b"sound");
    sketch.add(b"not so sound");
    sketch.toc.chunks[1].len = (1 << 40) - 1;
    // As many blocks as it takes would be a table of 200 MB; a block can also be said to be large.
    sketch.toc.blocks[1] = Block::new(5, 12, 0xFF_FFFF, 0);
    let mut meter = Meter::default();
    let came_through = meter.run(|| "2^40 bytes".to_owned(), sketch.bytes().len(), || unpacked(&sketch));
    assert_eq!(came_through, 1);
    assert!(meter.dearest.0 < 8 << 20, "{} bytes", meter.dearest.0);
}

#[test]
fn a_million_blocks_in_a_kilobyte_cost_nothing() {
    let _turn = Meter::turn();
    let mut sketch = Sketch::new(1000);
    sketch.add(b"sound");
    sketch.paths.push("x".to_owned());
    let sound = sketch.bytes();
    let mut meter = Meter::default();
    // Chunks, blocks, methods, the directory index.
    for field in [24, 28, 36, 48] {
        for count in [1_000_000_u32, u32::MAX] {
            let mut bytes = sound.clone();
            bytes[field..field + 4].copy_from_slice(&count.to_le_bytes());
            let name = || format!("{count} at {field}");
            assert!(meter.run(name, sound.len(), || Toc::parse(bytes.into())).is_err(), "{}", name());
        }
    }
    assert!(meter.dearest.0 < 1 << 20, "{} bytes", meter.dearest.0);
}

/// Chunk *i* claims all blocks from *i* on: 200 million blocks, claimed by a table of a megabyte.
#[test]
fn twenty_thousand_chunks_that_share_their_blocks_are_planned_at_once() {
    const CHUNKS: u32 = 20_000;
    let _turn = Meter::turn();
    let mut sketch = Sketch::new(16);
    sketch.data = vec![0; 16];
    sketch.toc.blocks = vec![Block::new(0, 16, 16, 0); CHUNKS as usize];
    for first in 0..CHUNKS {
        sketch.add_entry(first, &[]);
        sketch.toc.chunks[first as usize].len = u64::from(CHUNKS - first) * 16;
    }
    let (bytes, source) = (sketch.bytes(), sketch.source());
    let mut meter = Meter::default();
    let planned = meter.run(
        || "shared blocks".to_owned(),
        bytes.len(),
        || {
            let toc = Table::from(Toc::parse(bytes.clone().into()).unwrap());
            let stored: u64 =
                toc.chunks().filter_map(|chunk| toc.storage(chunk)).map(|it| it.stored_len).sum();
            let wanted = toc.chunks().map(Selection::whole);
            let plan = Plan::new(&toc, Path::new("(memory)"), &*source, wanted);
            // And the first of the work, without all of it.
            let first = plan.batches(&toc, 1 << 16).take(3).map(|batch| batch.raw_len).sum::<usize>();
            assert!(first >= 1 << 16);
            (plan.chunks.len(), plan.raw_len, stored)
        },
    );
    let all = u64::from(CHUNKS) * u64::from(CHUNKS + 1) / 2 * 16;
    assert_eq!(planned, (CHUNKS as usize, all, all));
    assert!(meter.slowest.0 < std::time::Duration::from_secs(2), "{:?}", meter.slowest.0);
}

/// A path of sixteen thousand folders has as many prefixes, which together are 256 MiB.
#[test]
fn folders_in_one_another_cost_as_much_as_their_names() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for chunks in [1, 50] {
        let mut sketch = Sketch::new(16);
        for chunk in 0..chunks {
            sketch.add(b"x");
            sketch.paths.push(format!("{chunk}{}x", "/a".repeat(16_000)));
        }
        let len = sketch.bytes().len();
        assert_eq!(meter.run(|| format!("{chunks} deep paths"), len, || unpacked(&sketch)), chunks);
        assert!(meter.dearest.0 < (1 << 20) + 16 * len, "{} bytes for {len}", meter.dearest.0);
    }
}

/// The path of a folder is recorded once, and is part of the path of each of its files: what is longer than a name can be is no
/// path.
#[test]
fn many_files_below_a_long_path_cost_as_much_as_their_tables() {
    const CHUNKS: usize = 20_000;
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for folder in [990, 2_000, 30_000] {
        let mut sketch = Sketch::new(16);
        sketch.data = vec![0; 16];
        sketch.toc.blocks = vec![Block::new(0, 16, 16, 0)];
        for chunk in 0..CHUNKS {
            sketch.add_entry(0, &[0; 16]);
            sketch.paths.push(format!("{}/{chunk}", "a".repeat(folder)));
        }
        let len = sketch.bytes().len();
        let came_through = meter.run(|| format!("a folder of {folder}"), len, || unpacked(&sketch));
        assert_eq!(came_through, CHUNKS as u64);
        assert!(meter.dearest.0 < (8 << 20) + 16 * len, "{} bytes for {len}", meter.dearest.0);
    }
}

/// A pak records its files in far fewer bytes, so the paths of the output are what costs memory.
#[test]
fn many_files_below_a_long_path_of_a_pak_cost_as_much_as_their_index() {
    const FILES: usize = 5000;
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    let folder = tempfile::tempdir().unwrap();
    let pak = folder.path().join("x.pak");
    for name in [1000, 1100] {
        let entry = Entry { stored_len: 16, raw_len: 16, ..Entry::default() };
        let mut data = Writer::new();
        entry.write(&mut data);
        let mut bytes = data.into_bytes();
        bytes.extend([0; 16]);
        let path = |file: usize| (format!("{}/{file}", "folder/".repeat(name / 7)), entry.clone());
        let (mount_point, files) = ("../../../".to_owned(), (0..FILES).map(path).collect());
        let builder = PakBuilder { mount_point, files, method: None, key_guid: Guid::default() };
        let index: Result<_, Infallible> = builder.finish(bytes.len() as u64, None);
        bytes.extend(index.unwrap());
        std::fs::write(&pak, &bytes).unwrap();
        let len = bytes.len();
        if name < 1023 {
            let came_through = meter.run(|| "a pak".to_owned(), len, || unpacked_file(pak.clone()));
            assert_eq!(came_through, FILES as u64);
        } else {
            let open = || Store::open(std::slice::from_ref(&pak), &[], &StoreOptions::default());
            let store = meter.run(|| "a pak".to_owned(), len, open).unwrap();
            let refused = store.failed()[0].to_string();
            assert!(refused.contains("longer than 1,023 bytes"), "{refused}");
        }
        assert!(meter.dearest.0 < (2 << 20) + 16 * len + FILES * name, "{} bytes for {len}", meter.dearest.0);
    }
}

/// Sixteen MiB of zeros in sixteen KiB, a hundred times over.
#[test]
fn blocks_that_grow_a_thousandfold_stay_within_the_budget() {
    let _turn = Meter::turn();
    let zeros = vec![0; 0xFF_FFFF];
    let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
    compress(Method::Zlib, &zeros, None, &mut stored, &mut scratch).unwrap();
    assert!(stored.len() < 20 << 10);
    let mut sketch = Sketch::new(0xFF_FFFF);
    sketch.toc.methods = vec!["Zlib".to_owned()];
    sketch.toc.compressed = true;
    sketch.data = stored;
    let len = u32::try_from(sketch.data.len()).unwrap();
    sketch.toc.blocks = vec![Block::new(0, len, 0xFF_FFFF, 1)];
    (0..20).for_each(|_| sketch.add_entry(0, &zeros));
    drop((zeros, scratch));
    let mut meter = Meter::default();
    let len = sketch.bytes().len() + sketch.data.len();
    assert_eq!(meter.run(|| "zeros".to_owned(), len, || unpacked(&sketch)), 20);
}

/// Each of them is a fault that says where its entry lies.
#[test]
fn objects_that_all_lie_in_missing_ones_are_told_at_once() {
    const OBJECTS: u32 = 100_000;
    let _turn = Meter::turn();
    let mut w = Writer::new();
    w.u32(1).u32(1).u64(HASH_ALGORITHM).u64(0).bytes(&[0, 1]).bytes(b"A").u32(OBJECTS);
    for object in 0..OBJECTS {
        w.u32(2 << 30).u32(0).u64(u64::from(object) + 1).u64(1 << 40).u64(u64::MAX);
    }
    let bytes = w.into_bytes();
    let mut meter = Meter::default();
    let wrong = || ScriptObjects::parse(&bytes).unwrap().wrong_hashes().count();
    assert_eq!(meter.run(|| "missing outers".to_owned(), bytes.len(), wrong), OBJECTS as usize);
}

#[test]
fn names_of_two_gigabytes_are_refused() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for len in [i32::MAX, i32::MIN, i32::MIN + 1, 1 << 30, -(1 << 30)] {
        let mut index = len.to_le_bytes().to_vec();
        index.extend([b'x'; 1000]);
        let name = || format!("a name of {len}");
        let parsed = meter.run(name, index.len(), || DirectoryIndex::parse(index.clone().into(), 1));
        assert!(parsed.is_err(), "{}", name());
        // One name whose header says so, and a batch that claims as much text.
        for batch in [&[1_u32, 4, 0, 0][..], &[u32::MAX, u32::MAX, 0, 0], &[1 << 20, 1 << 31, 0, 0]] {
            let mut bytes: Vec<u8> = batch.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.extend(len.to_be_bytes());
            bytes.extend([b'x'; 100]);
            let parsed = meter.run(name, bytes.len(), || NameMap::parse_batch(&mut Reader::new(&bytes)));
            assert!(parsed.is_err(), "{}", name());
        }
    }
    assert!(meter.dearest.0 < 1 << 20, "{} bytes", meter.dearest.0);
}

/// Every link of a directory index, led to every entry: circles of folders, of siblings, of files.
#[test]
fn directory_cycles_end() {
    let _turn = Meter::turn();
    let mut builder = DirectoryIndexBuilder::new("../../../Game/");
    for (chunk, path) in (0..).zip(["a/b/c/x", "a/b/y", "a/z", "d/e/u", "d/v", "w"]) {
        builder.add(path, chunk);
    }
    let sound = builder.finish();
    let mut meter = Meter::default();
    for at in (0..sound.len() - 4).step_by(4).chain((3..sound.len() - 4).step_by(4)) {
        for target in (0..8).chain([u32::MAX - 1]) {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&target.to_le_bytes());
            let name = || format!("{target} at {at}");
            meter.run(name, bytes.len(), || {
                let Ok(index) = DirectoryIndex::parse(bytes.into(), 6) else { return };
                for chunk in (0..6).map(ChunkIndex) {
                    assert!(index.path(chunk).is_none_or(|path| path.len() < 100), "{}", name());
                }
            });
        }
    }
    assert!(meter.cases > 500, "{} cases", meter.cases);
}

#[test]
fn mappings_that_claim_to_be_large_cost_nothing() {
    let _turn = Meter::turn();
    // More than what is decompressed in any case.
    let (zeros, mut meter) = (vec![0; 1 << 21], Meter::default());
    for (method, number) in [(Method::Oodle, 1), (Method::Zstd, 3)] {
        let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
        if compress(method, &zeros, None, &mut stored, &mut scratch).is_err() {
            continue;
        }
        drop(scratch);
        // What the stream gives, and what the file can say at most.
        for raw_len in [zeros.len(), u32::MAX as usize] {
            let file = Types::demo(3).wrap(number, &stored, raw_len);
            let parse = || Mappings::parse(&file, &mut Scratch::default());
            let parsed = meter.run(|| format!("{method}, {raw_len} bytes"), file.len(), parse);
            assert!(matches!(parsed.unwrap_err().kind, FaultKind::TooLarge { .. }));
        }
    }
    assert!(meter.dearest.0 < 1 << 16, "{} bytes", meter.dearest.0);
    // An extension of Brotli has windows of a GiB.
    let stream = [&[0x11, 30][..], &[0xFF; 100]].concat();
    let file = Types::demo(3).wrap(2, &stream, 4096);
    let parse = || Mappings::parse(&file, &mut Scratch::default());
    assert!(meter.run(|| "a window of a GiB".to_owned(), file.len(), parse).is_err());
    assert!(meter.dearest.0 < 1 << 20, "{} bytes", meter.dearest.0);
}

/// As many empty names as can be, in a stream that is as short as can be: twelve times shorter. Twice the file costs twice
/// as much.
#[test]
fn mappings_that_are_mostly_names_cost_as_much_as_their_data() {
    let _turn = Meter::turn();
    let mut costs = Vec::new();
    for size in [300_000, 600_000] {
        let mut rng = super::hostile::Rng::new(1);
        let noise = std::iter::repeat_with(|| rng.next().to_le_bytes()).flatten().take(size);
        let names = 10 * size;
        let mut data = u32::try_from(names).unwrap().to_le_bytes().to_vec();
        data.resize(4 + names, 0);
        // No enums, no structs, one extension.
        data.extend(b"\0\0\0\0\0\0\0\0CEXT\0\x01\0\0\0NOIS");
        data.extend(u32::try_from(size).unwrap().to_le_bytes());
        data.extend(noise);
        let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
        compress(Method::Oodle, &data, None, &mut stored, &mut scratch).unwrap();
        drop(scratch);
        let file = Types::demo(0).wrap(1, &stored, data.len());
        assert!(data.len() > 10 * file.len(), "{} bytes of {}", data.len(), file.len());
        let parse = || Mappings::parse(&file, &mut Scratch::default()).unwrap().names().len();
        let mut meter = Meter::default();
        assert_eq!(meter.run(|| format!("{size} bytes"), file.len(), parse), names);
        let cost = meter.dearest.0;
        assert!(cost < (8 << 20) + 14 * file.len(), "{cost} bytes for {}", file.len());
        meter.say("mappings of names");
        costs.push(cost);
    }
    assert!(costs[1] * 2 <= costs[0] * 5, "{costs:?}");
}

/// A string that thirty thousand entries share is there once, and not the text of all of them.
#[test]
fn strings_that_are_shared_cost_as_much_as_one() {
    let _turn = Meter::turn();
    let (text, mut meter) = ("x".repeat(100_000), Meter::default());
    let keys: Vec<String> = (0..30_000).map(|number| format!("{number:x}")).collect();
    let entries: Vec<(&str, u32, &str)> = keys.iter().map(|key| (key.as_str(), 1, text.as_str())).collect();
    let file = locres(1, &[("", &entries)]);
    let parsed = meter.run(|| "shared".to_owned(), file.len(), || LocalizationResource::parse_partial(&file));
    assert!(matches!(parsed.fault.unwrap().kind, FaultKind::TooLarge { found: 100_000, .. }));
    let texts =
        parsed.value.namespaces().flat_map(|space| space.entries().map(|entry| entry.text.unwrap().len()));
    let (all, allowed) = (texts.sum::<usize>(), (1 << 20) + 16 * file.len());
    assert!((allowed - text.len()..=allowed).contains(&all), "{all} of {allowed}");
    assert!(meter.dearest.0 < 8 * file.len(), "{} bytes for {}", meter.dearest.0, file.len());
}
