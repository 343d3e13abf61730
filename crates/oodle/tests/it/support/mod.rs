//! Test data of the Oodle tests and benchmarks.
#![cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "a corpus that is cut short may stop a benchmark")
)]

pub(crate) mod synthetic;
mod vectors;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use uncask_oodle::{Compressor, Matcher, compress};

pub(crate) use vectors::{VECTORS, unhex};

/// The corpus, if there is one: `UNCASK_CORPUS`, else `../shared/corpus` beside the repository.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("UNCASK_CORPUS").map_or_else(beside, PathBuf::from);
    let found = root.join("oodle").is_dir();
    assert!(found || std::env::var("CI").is_err(), "no corpus at {}", root.display());
    found.then_some(root)
}

/// A stream of the real encoder.
pub(crate) struct Stream {
    pub(crate) name: String,
    pub(crate) stored: Vec<u8>,
    pub(crate) raw_len: usize,
}

/// The streams of corpus `oodle` whose names end so, in the order of their names.
pub(crate) fn streams(corpus: &Path, extension: &str) -> Vec<Stream> {
    let files =
        std::fs::read_dir(corpus.join("oodle")).expect("corpus oodle").map(|file| file.expect("file").path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files.iter().map(|path| read_stream(path)).collect()
}

fn read_stream(path: &Path) -> Stream {
    let bytes = std::fs::read(path).expect("readable stream");
    let (len, stored) = bytes.split_first_chunk().expect("a length");
    // The Leviathan files have a length of eight bytes. No stream starts with a zero.
    let stored = stored.strip_prefix(&[0; 4]).unwrap_or(stored);
    Stream {
        name: path.file_name().expect("a name").to_string_lossy().into_owned(),
        stored: stored.to_vec(),
        raw_len: u32::from_le_bytes(*len) as usize,
    }
}

/// A block of a container.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    pub(crate) stored: Vec<u8>,
    pub(crate) raw_len: usize,
    pub(crate) is_oodle: bool,
}

/// A chunk of a container: its blocks and the hash of its bytes.
pub(crate) struct Chunk {
    pub(crate) blocks: Vec<Block>,
    pub(crate) len: usize,
    pub(crate) hash: [u8; 20],
}

/// The unencrypted Oodle containers of corpus `iostore`.
pub(crate) fn containers(corpus: &Path) -> Vec<Vec<Chunk>> {
    let root = corpus.join("iostore/ue5.8");
    ["tagged/Oodle", "unversioned/Oodle", "tagged/OodlePartitioned"]
        .iter()
        .map(|folder| read_container(&root.join(folder)))
        .collect()
}

/// All different Oodle blocks of those containers.
pub(crate) fn oodle_blocks(corpus: &Path) -> Vec<Block> {
    let mut seen = HashSet::new();
    let blocks = containers(corpus).into_iter().flatten().flat_map(|chunk| chunk.blocks);
    blocks.filter(|block| block.is_oodle && seen.insert(block.clone())).collect()
}

fn read_container(folder: &Path) -> Vec<Chunk> {
    let files =
        || std::fs::read_dir(folder).expect("container folder").map(|file| file.expect("file").path());
    let toc = files().find(|path| path.extension().is_some_and(|found| found == "utoc")).expect("a utoc");
    let mut partitions: Vec<_> =
        files().filter(|path| path.extension().is_some_and(|found| found == "ucas")).collect();
    // NAME.ucas before NAME_s1.ucas.
    partitions.sort_by_key(|path| path.with_extension(""));
    let toc = std::fs::read(toc).expect("readable utoc");
    let partitions: Vec<_> =
        partitions.iter().map(|path| std::fs::read(path).expect("readable ucas")).collect();
    read_chunks(&toc, &partitions)
}

fn read_chunks(toc: &[u8], partitions: &[Vec<u8>]) -> Vec<Chunk> {
    let u32_at = |at: usize| u32::from_le_bytes(toc[at..at + 4].try_into().expect("4 bytes")) as usize;
    let u64_at = |at: usize| u64::from_le_bytes(toc[at..at + 8].try_into().expect("8 bytes"));
    let u40_be = |at: usize| toc[at..at + 5].iter().fold(0, |value, byte| value << 8 | usize::from(*byte));
    let (chunk_count, block_count, block_len) = (u32_at(24), u32_at(28), u32_at(44));
    let partition_len = u64_at(88);
    let spans = 144 + 12 * chunk_count;
    let blocks = spans + 10 * chunk_count + 4 * u32_at(84) + 4 * u32_at(96);
    let metas = blocks + 12 * block_count + 32 * u32_at(36) + u32_at(48);
    let block = |index: usize| {
        let (low, high) = (u64_at(blocks + 12 * index), u32_at(blocks + 12 * index + 8));
        let offset = low & 0xFF_FFFF_FFFF;
        let stored_len = usize::try_from(low >> 40).expect("24 bits");
        let partition = &partitions[usize::try_from(offset / partition_len).expect("a partition")];
        let at = usize::try_from(offset % partition_len).expect("an offset");
        Block {
            stored: partition[at..at + stored_len].to_vec(),
            raw_len: high & 0xFF_FFFF,
            is_oodle: high >> 24 != 0,
        }
    };
    let chunk = |index: usize| {
        let (offset, len) = (u40_be(spans + 10 * index), u40_be(spans + 10 * index + 5));
        let first = offset / block_len;
        let hash = toc[metas + 24 * index..][..20].try_into().expect("20 bytes");
        Chunk { blocks: (first..first + len.div_ceil(block_len)).map(block).collect(), len, hash }
    };
    (0..chunk_count).map(chunk).collect()
}

/// A small, seeded generator of numbers (xorshift64*): tests repeat exactly.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % bound.max(1)
    }
}

/// Good streams to mutate: the vectors, the blocks of the containers, and the first block of each corpus stream.
pub(crate) fn seeds(corpus: Option<&Path>) -> Vec<(Vec<u8>, usize)> {
    let mut seeds: Vec<_> = VECTORS.iter().map(|vector| (unhex(vector.hex), vector.raw_len)).collect();
    let mut random = Random::new(3);
    for features in synthetic::all_features() {
        let (stored, raw) = synthetic::stream(features, &mut random, 1500);
        seeds.push((stored, raw.len()));
    }
    for format in [Compressor::Kraken, Compressor::Mermaid, Compressor::Selkie] {
        for len in [130, 400, 1000, 3000, 9000, 70_000] {
            let mut stored = Vec::new();
            compress(format, &mixed(&mut random, len), &mut stored, &mut Matcher::default());
            seeds.push((stored, len));
        }
    }
    if let Some(corpus) = corpus {
        seeds.extend(oodle_blocks(corpus).into_iter().map(|block| (block.stored, block.raw_len)));
        for extension in ["kraken", "mermaid", "selkie", "leviathan"] {
            seeds.extend(streams(corpus, extension).iter().filter_map(first_block));
        }
    }
    seeds
}

/// The first 256 KiB of a stream, a stream of its own.
fn first_block(stream: &Stream) -> Option<(Vec<u8>, usize)> {
    let [_, _, a, b, c, ..] = stream.stored[..] else { return None };
    let quantum_len = (usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c)) & 0x3_FFFF;
    Some((stream.stored.get(..quantum_len + 6)?.to_vec(), stream.raw_len.min(0x4_0000)))
}

/// Content that uses many features: text-like, repeating, random, constant and slowly changing stretches.
pub(crate) fn mixed(random: &mut Random, len: usize) -> Vec<u8> {
    let mut raw: Vec<u8> = Vec::with_capacity(len);
    while raw.len() < len {
        let stretch = 1 + random.below(400);
        let base = random.below(256);
        match random.below(6) {
            0 => raw.extend((0..stretch).map(|_| random.next().to_le_bytes()[0])),
            1 => raw.extend(
                (0..stretch).map(|_| b'a' + (random.below(30) * random.below(30) / 30).to_le_bytes()[0]),
            ),
            2 => raw.extend(std::iter::repeat_n(base.to_le_bytes()[0], stretch)),
            3 => raw.extend((0..stretch).map(|at| (base + at / 4 * 3 + at % 4 * 50).to_le_bytes()[0])),
            _ if raw.is_empty() => raw.push(0),
            _ => {
                let from = random.below(raw.len());
                for at in from..from + stretch {
                    raw.push(raw[at]);
                }
            }
        }
    }
    raw.truncate(len);
    raw
}
