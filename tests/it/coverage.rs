//! Every byte of a table of contents belongs to something.

use crate::support::containers::{Packed, prose};
use crate::support::corpus;
use std::sync::{Arc, Mutex};
use uncask::codec::Method;
use uncask::container::toc::{ContainerFlags, Notice, raw};
use uncask::container::{BlockIndex, Toc};
use uncask::crypto::AesKey;
use uncask::id::{Guid, RawChunkId};
use uncask::pack::PackOptions;
use uncask::report::{Event, Observer};
use uncask::store::{Store, StoreOptions};
use uncask::version::TocVersion;

/// The length that a table should have, by what it says of its sections.
fn accounted_for(toc: &Toc) -> usize {
    let version = toc.version();
    let (seeds, overflow) = toc.perfect_hash_counts();
    let ivs = (0..=toc.block_count()).filter(|at| toc.block_iv(BlockIndex(*at)).is_some()).count();
    let meta =
        if version.has_short_metas() { size_of::<raw::ShortMeta>() } else { size_of::<raw::LongMeta>() };
    assert!(
        !toc.flags().has(ContainerFlags::SIGNED),
        "the sections of signed containers have no question of theirs"
    );
    size_of::<raw::Header>()
        + size_of_val(toc.chunk_ids())
        + toc.chunks().filter(|chunk| toc.offset_length(*chunk).is_some()).count()
            * size_of::<raw::OffsetLength>()
        + (seeds + overflow) * size_of::<i32>()
        + size_of_val(toc.blocks())
        + ivs * size_of::<raw::Iv>()
        + toc.methods().names().count() * toc.header().method_name_len.get() as usize
        + toc.directory_index_bytes().len()
        + toc.chunks().filter(|chunk| toc.meta(*chunk).is_some()).count() * meta
}

#[test]
fn corpus_tables_have_no_byte_to_spare() {
    let Some(corpus) = corpus::find() else { return };
    let tocs = corpus::tocs(&corpus);
    for path in &tocs {
        let toc = Toc::parse(std::fs::read(path).unwrap().into()).unwrap();
        assert_eq!(accounted_for(&toc) as u64, toc.file_len(), "{}", path.display());
        assert_eq!(toc.notices(), [], "{}", path.display());
    }
    assert!(tocs.len() >= 20, "{} tables", tocs.len());
}

/// A small container of a version, encrypted so that version 10 has initialisation vectors.
fn packed(version: TocVersion) -> Packed {
    let options = PackOptions {
        version: Some(version),
        method: Method::Zlib,
        block_size: 4096,
        key: Some((Guid::ZERO, AesKey::new([1; 32]))),
        ..PackOptions::default()
    };
    Packed::new([("Game/Content/A.uasset", prose(10_000)), ("Game/Content/B.ubulk", prose(10))], &options)
}

#[test]
fn packed_tables_have_no_byte_to_spare_in_any_version() {
    // Version 4 was never released, and is not written.
    for version in TocVersion::ALL.into_iter().filter(|version| *version != TocVersion::PerfectHash) {
        let bytes = std::fs::read(packed(version).toc).unwrap();
        let toc = Toc::parse(bytes.clone().into()).unwrap();
        assert_eq!(accounted_for(&toc), bytes.len(), "version {version}");
        assert_eq!(toc.notices(), [], "version {version}");

        let mut longer = bytes.clone();
        longer.extend_from_slice(b"abc");
        let notices = Toc::parse(longer.into()).unwrap().notices().to_vec();
        assert_eq!(notices, [Notice::TrailingBytes { count: 3 }], "version {version}");

        let shorter = bytes[..bytes.len() - 1].to_vec();
        assert_eq!(Toc::parse(shorter.into()).unwrap_err().field, "metas", "version {version}");
    }
}

/// Keeps warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn on(&self, event: &Event<'_>) {
        if let Event::Warning { message, .. } = event {
            self.0.lock().unwrap().push((*message).to_owned());
        }
    }
}

#[test]
fn a_newer_version_is_read_as_the_newest_known_with_a_warning() {
    const VERSION_BYTE: usize = 16;
    let packed = Packed::new(
        [("Game/Content/A.uasset", prose(100))],
        &PackOptions { version: Some(TocVersion::NEWEST), ..PackOptions::default() },
    );
    let mut bytes = std::fs::read(&packed.toc).unwrap();
    let ids: Vec<RawChunkId> = Toc::parse(bytes.clone().into()).unwrap().chunk_ids().to_vec();
    bytes[VERSION_BYTE] = 11;
    let toc = Toc::parse(bytes.clone().into()).unwrap();
    assert_eq!(toc.notices(), [Notice::NewerVersion { found: 11, read_as: 10 }]);
    assert_eq!(toc.chunk_ids(), ids);

    std::fs::write(&packed.toc, bytes).unwrap();
    let warnings = Arc::new(Warnings::default());
    let options =
        StoreOptions { observer: Arc::clone(&warnings) as Arc<dyn Observer>, ..StoreOptions::default() };
    let store = Store::open(std::slice::from_ref(&packed.toc), &[], &options).unwrap();
    assert_eq!(store.entries().count(), 1);
    assert_eq!(
        *warnings.0.lock().unwrap(),
        ["toc version 11 is newer than any known one; read as version 10"]
    );
}

#[test]
fn versions_that_cannot_be_are_refused() {
    let mut bytes = std::fs::read(packed(TocVersion::NEWEST).toc).unwrap();
    bytes[16] = 0;
    assert_eq!(Toc::parse(bytes.into()).unwrap_err().field, "version");
    assert_eq!(Toc::parse(vec![b'-'; 200].into()).unwrap_err().field, "magic");
}
