//! Small containers, every way to damage them, and every question to ask of the result.

use bytes::Bytes;
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::codec::Method;
use uncask::container::{BlockIndex, DirectoryIndex, Toc};
use uncask::crypto::{AesKey, Cipher};
use uncask::error::Error;
use uncask::id::Guid;
use uncask::job::Context;
use uncask::job::block_on;
use uncask::pack::{PackOptions, pack};
use uncask::pipeline::{Input, Plan, Selection, run};
use uncask::source::MemorySource;
use uncask::table::Table;
use uncask::version::TocVersion;

/// Byte offsets of the counts and sizes in the header.
const HEADER_FIELDS: [usize; 12] = [24, 28, 32, 36, 40, 44, 48, 52, 84, 88, 96, 104];

/// SplitMix64: the same numbers on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("below a usize")
    }
}

/// A sound container to start from.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) toc: Vec<u8>,
    pub(crate) data: Bytes,
    pub(crate) cipher: Option<Cipher>,
}

/// One container of every version that can be packed, plain and encrypted, and some tables of the corpus.
pub(crate) fn fixtures(context: &Context, corpus: Option<&Path>) -> Vec<Fixture> {
    let versions = [3, 5, 6, 8, 10].map(|raw| TocVersion::from_wire(raw).expect("a known version"));
    let packed =
        versions.into_iter().flat_map(|version| [false, true].map(|secret| packed(context, version, secret)));
    let real = corpus.into_iter().flat_map(|corpus| {
        ["ue5.8/tagged/global", "ue5.8/patch/CUE4ParseFixtures-PatchBase", "games/dserver/global"].map(
            |name| {
                let toc = corpus.join("iostore").join(name).with_extension("utoc");
                let read = |path: &Path| std::fs::read(path).expect("a corpus file");
                let data = read(&toc.with_extension("ucas")).into();
                Fixture { name: name.to_owned(), toc: read(&toc), data, cipher: None }
            },
        )
    });
    packed.chain(real).collect()
}

fn packed(context: &Context, version: TocVersion, secret: bool) -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = folder.path().join("Game/Content");
    std::fs::create_dir_all(&tree).expect("a folder");
    for (name, len) in [("a.uasset", 0), ("b.umap", 100), ("b.ubulk", 5000), ("c.uasset", 1024)] {
        let bytes: Vec<u8> =
            (0..len).map(|at: u32| at.to_le_bytes()[usize::from(at.is_multiple_of(7))]).collect();
        std::fs::write(tree.join(name), bytes).expect("a file");
    }
    let key = secret.then(|| (Guid::ZERO, AesKey::new([7; 32])));
    // Nothing here that is named like a package is one.
    let options = PackOptions {
        version: Some(version),
        method: Method::Zlib,
        block_size: 1024,
        key,
        force: true,
        ..PackOptions::default()
    };
    let toc = folder.path().join("hostile.utoc");
    block_on(pack(folder.path(), &toc, &options, context)).expect("it runs").expect("it packs");
    let bytes = std::fs::read(&toc).expect("a table");
    let method =
        Toc::parse(bytes.clone().into()).expect("it parses").encryption_method().expect("a known method");
    Fixture {
        name: format!("version {}{}", version.to_wire(), if secret { ", encrypted" } else { "" }),
        data: std::fs::read(toc.with_extension("ucas")).expect("data").into(),
        cipher: method.map(|method| Cipher::new(&AesKey::new([7; 32]), method)),
        toc: bytes,
    }
}

/// Every truncation of a table, and `count` seeded mutations of it, each with its name.
pub(crate) fn damaged(fixture: &Fixture, count: u64) -> impl Iterator<Item = (String, Vec<u8>)> {
    let toc = &fixture.toc;
    let cut = (0..toc.len()).map(move |len| (format!("{}, cut to {len}", fixture.name), toc[..len].to_vec()));
    let mutated =
        (0..count).map(move |seed| (format!("{}, mutation {seed}", fixture.name), mutate(toc, seed)));
    cut.chain(mutated)
}

fn mutate(toc: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = toc.to_vec();
    for _ in 0..=rng.below(3) {
        match rng.below(5) {
            0 => flip_bit(&mut bytes, &mut rng),
            1 => inflate(&mut bytes, &mut rng),
            2 => swap(&mut bytes, &mut rng),
            3 => splice(&mut bytes, &mut rng),
            _ => saturate(&mut bytes, &mut rng),
        }
    }
    bytes
}

fn flip_bit(bytes: &mut [u8], rng: &mut Rng) {
    let at = rng.below(bytes.len());
    bytes[at] ^= 1 << rng.below(8);
}

/// Makes a count or size of the header a little or a lot larger.
fn inflate(bytes: &mut [u8], rng: &mut Rng) {
    let at = HEADER_FIELDS[rng.below(HEADER_FIELDS.len())];
    let old = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let choices = [old.wrapping_add(1), old.wrapping_sub(1), old.wrapping_mul(2), 1, 1 << 20, u32::MAX];
    bytes[at..at + 4].copy_from_slice(&choices[rng.below(choices.len())].to_le_bytes());
}

/// Exchanges two short runs after the header: ids, offsets, links.
fn swap(bytes: &mut [u8], rng: &mut Rng) {
    let len = 1 + rng.below(12);
    let room = bytes.len() - 144 - len;
    let (a, b) = (144 + rng.below(room), 144 + rng.below(room));
    for at in 0..len {
        bytes.swap(a + at, b + at);
    }
}

/// Copies a run over another place.
fn splice(bytes: &mut [u8], rng: &mut Rng) {
    let len = 1 + rng.below(40);
    let (from, to) = (rng.below(bytes.len() - len), rng.below(bytes.len() - len));
    bytes.copy_within(from..from + len, to);
}

/// Fills a short run with ones or zeros: huge numbers, and links to nowhere or to the root.
fn saturate(bytes: &mut [u8], rng: &mut Rng) {
    let len = 1 + rng.below(8);
    let at = rng.below(bytes.len() - len);
    let value = if rng.below(2) == 0 { 0 } else { 0xFF };
    bytes[at..at + len].fill(value);
}

/// Asks a table everything there is to ask, then reads all of its chunks. Returns whether it parsed.
pub(crate) async fn interrogate(toc: Vec<u8>, fixture: &Fixture, context: &Context) -> bool {
    let Ok(toc) = Toc::parse(toc.into()) else { return false };
    let mut index_bytes = toc.directory_index_bytes();
    if let Some(cipher) = &fixture.cipher {
        let mut plain = vec![0; index_bytes.len()];
        if cipher.decrypt_block(toc.directory_index_iv(), &index_bytes, &mut plain).is_ok() {
            index_bytes = plain.into();
        }
    }
    let index = DirectoryIndex::parse(index_bytes, toc.chunk_count()).unwrap_or_default();
    for chunk in toc.chunks() {
        let id = toc.chunk_id(chunk).expect("an id for every chunk");
        let found = toc.find(id).and_then(|found| toc.chunk_id(found));
        assert!(found.is_none_or(|found| found == id), "a lookup finds what it was asked for");
        let (range, storage) = (toc.blocks_of(chunk), toc.storage(chunk));
        assert!(storage.is_none() || range.is_ok());
        let (path, meta) = (index.path(chunk), toc.meta(chunk));
        assert!(path.is_none_or(|path| !path.starts_with('/')) && meta.is_some());
    }
    assert!(toc.block(BlockIndex(toc.block_count())).is_none());
    let source = Arc::new(MemorySource::new(fixture.data.clone()));
    let wanted = toc.chunks().map(Selection::whole);
    let hash_kind = toc.version().chunk_hash_kind();
    let toc = Arc::new(Table::from(toc));
    let plan = Plan::new(&toc, Path::new("(memory)"), &*source, wanted);
    let planned: u64 =
        plan.batches(&toc, 1 << 16).flat_map(|batch| batch.pieces).map(|piece| piece.len as u64).sum();
    assert_eq!(planned, plan.raw_len, "batches deliver what the plan promises");
    let cipher = fixture.cipher.clone();
    let input = Input { path: PathBuf::from("(memory)"), table: toc, source, cipher, hash_kind, plan };
    let mut decoded = Box::pin(run(Arc::from([input]), context, None));
    while let Some(batch) = decoded.next().await {
        for piece in &batch.pieces {
            assert!(!matches!(piece.result, Err(Error::Internal { .. })), "{:?}", piece.result);
        }
    }
    true
}
