//! Data files that are damaged, cut off, missing, or something else entirely.

#[cfg(feature = "cli")]
use crate::support::cli::uncask;
use crate::support::containers::{Packed, noise, open, unpack_all, verify_all};
use std::collections::BTreeSet;
use uncask::container::toc::raw;
use uncask::error::{Error, ErrorKind};
use uncask::id::RawChunkId;
use uncask::job::{Failure, Outcome};
use uncask::pack::PackOptions;
use uncask::store::{Store, StoreOptions};

const BLOCK: u32 = 1024;
const CHUNKS: usize = 8;

/// Eight chunks of four blocks each, which leave no gaps, two chunks to a partition if it is split.
fn packed(split: bool) -> Packed {
    let names: Vec<String> = (0..CHUNKS).map(|n| format!("Game/Content/f{n}.uasset")).collect();
    let files = names.iter().zip(0..).map(|(name, seed)| (name.as_str(), noise(4 * BLOCK as usize, seed)));
    let partition_size = split.then_some(u64::from(BLOCK) * 8);
    Packed::new(files, &PackOptions { block_size: BLOCK, partition_size, ..PackOptions::default() })
}

/// Numbers of the chunks that did not come through.
fn lost(outcome: &Outcome) -> BTreeSet<usize> {
    let number =
        |path: &str| path.trim_start_matches("Game/Content/f").trim_end_matches(".uasset").parse().unwrap();
    outcome.problems().map(|failure| number(&failure.path)).collect()
}

fn assert_all(outcome: &Outcome, kind: ErrorKind) {
    for failure in outcome.problems() {
        assert_eq!(failure.error.kind(), kind, "{}", failure.error);
    }
}

#[test]
fn a_cut_data_file_loses_only_the_chunks_in_the_lost_part() {
    let packed = packed(false);
    let data = std::fs::read(packed.data()).unwrap();
    for kept in [0, 1, 4 * 1024, 4 * 1024 + 1, 10_000, data.len() - 1] {
        std::fs::write(packed.data(), &data[..kept]).unwrap();
        let outcome = verify_all(&open(&packed.toc, &[]));
        assert_eq!(lost(&outcome), (kept / (4 * 1024)..CHUNKS).collect(), "{kept} bytes kept");
        assert_eq!(outcome.count, kept as u64 / (4 * 1024));
        assert_all(&outcome, ErrorKind::Missing);
    }
}

#[test]
fn a_missing_partition_loses_only_its_chunks() {
    let packed = packed(true);
    std::fs::remove_file(packed.beside("demo_s1.ucas")).unwrap();
    let store = open(&packed.toc, &[]);
    let outcome = verify_all(&store);
    assert_eq!(lost(&outcome), BTreeSet::from([2, 3]));
    for failure in &outcome.failures {
        assert!(matches!(&failure.error, Error::MissingPartition { path } if path.ends_with("demo_s1.ucas")));
    }
    let out = packed.beside("out");
    assert_eq!(unpack_all(&store, &out).count, 6);
    assert_eq!(std::fs::read_dir(out.join("Game/Content")).unwrap().count(), 6, "no trace of the others");
}

#[test]
fn a_flipped_bit_is_one_failure() {
    let packed = packed(false);
    let mut data = std::fs::read(packed.data()).unwrap();
    data[9 * 1024 + 77] ^= 0x10;
    std::fs::write(packed.data(), data).unwrap();
    let outcome = verify_all(&open(&packed.toc, &[]));
    assert_eq!((outcome.failures.len(), outcome.mismatches.len(), outcome.count), (0, 1, 7));
    assert_eq!(lost(&outcome), BTreeSet::from([2]));
    assert!(matches!(outcome.mismatches[0].error, Error::HashMismatch { .. }));
    #[cfg(feature = "cli")]
    {
        let run = uncask(["verify".as_ref(), packed.toc.as_os_str()]).expect(1);
        assert_eq!(run.stderr.matches("content hash is").count(), 1, "{}", run.shown());
        assert!(
            run.stderr.contains("verified 7 of 8 chunks") && run.stderr.contains(" 1 failed"),
            "{}",
            run.shown()
        );
    }
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4321\n";

#[test]
fn git_lfs_pointers_are_named() {
    let packed = packed(true);
    std::fs::write(packed.beside("demo_s2.ucas"), POINTER).unwrap();
    let outcome = verify_all(&open(&packed.toc, &[]));
    assert_eq!(lost(&outcome), BTreeSet::from([4, 5]));
    assert!(
        outcome.failures.iter().all(|failure| matches!(failure.error, Error::LfsPointer { size: 4321, .. }))
    );

    std::fs::write(&packed.toc, POINTER).unwrap();
    let store = Store::open(std::slice::from_ref(&packed.toc), &[], &StoreOptions::default()).unwrap();
    assert!(matches!(store.failed(), [Error::LfsPointer { size: 4321, .. }]), "{:?}", store.failed());
}

#[test]
fn files_that_are_no_tables_are_refused_and_the_rest_goes_on() {
    let packed = packed(false);
    let sound = std::fs::read(&packed.toc).unwrap();
    let wrong = packed.beside("wrong.utoc");
    for (content, kind) in
        [(&b""[..], "empty"), (&[0; 500], "zeros"), (&sound[..200], "cut"), (b"MZ", "a program")]
    {
        std::fs::write(&wrong, content).unwrap();
        let store = Store::open(&[packed.folder.path().to_owned()], &[], &StoreOptions::default()).unwrap();
        assert_eq!((store.containers().len(), store.failed().len()), (1, 1), "{kind}");
        assert_eq!(store.failed()[0].kind(), ErrorKind::Malformed, "{kind}");
        assert_eq!(verify_all(&store).count, CHUNKS as u64, "{kind}");
    }
}

#[test]
fn chunks_that_the_engine_would_not_find_come_out_but_do_not_verify() {
    let packed = packed(false);
    let mut bytes = std::fs::read(&packed.toc).unwrap();
    let seeds =
        size_of::<raw::Header>() + CHUNKS * (size_of::<RawChunkId>() + size_of::<raw::OffsetLength>());
    bytes[seeds..seeds + 4 * CHUNKS.div_ceil(2)].fill(0);
    std::fs::write(&packed.toc, bytes).unwrap();
    let store = open(&packed.toc, &[]);
    let outcome = verify_all(&store);
    let is_misplaced = |failure: &Failure| matches!(failure.error, Error::Misplaced { .. });
    assert!(outcome.failures.is_empty() && outcome.mismatches.iter().all(is_misplaced), "{outcome:?}");
    assert_eq!((outcome.mismatches.len(), outcome.count), (CHUNKS, CHUNKS as u64));
    assert_eq!(unpack_all(&store, &packed.beside("out")).count, CHUNKS as u64);
}
