//! Damaged paks give an error or an index, never a panic.

use super::{KEYS, paks};
use crate::support::hostile::Rng;
use crate::support::{block_on, context, corpus};
use uncask::crypto::KeyRing;
use uncask::error::ErrorKind;
use uncask::extract::{Filter, verify};
use uncask::pak::{Footer, Index, Primary};
use uncask::store::{Store, StoreOptions};
use uncask::wire::Fault;

/// Reads everything that does not need a key.
fn read(bytes: &[u8]) -> Result<usize, Fault> {
    let part = |offset: u64, len: u64| {
        let start = usize::try_from(offset).unwrap();
        &bytes[start..start + usize::try_from(len).unwrap()]
    };
    let tail = &bytes[bytes.len().saturating_sub(Footer::MAX_LEN)..];
    let footer = Footer::parse(tail, bytes.len() as u64)?;
    let primary = Primary::parse(part(footer.index.offset, footer.index.len), &footer, bytes.len() as u64)?;
    let region = primary.directory_index.or(primary.path_hash_index);
    let index = Index::new(footer, primary, region.map(|region| part(region.offset, region.len)))?;
    Ok(index.files().flat_map(|file| index.file(file)).count())
}

#[test]
fn damage_is_an_error_or_another_index() {
    let Some(corpus) = corpus::find() else { return };
    let mut rng = Rng::new(7);
    let (mut cases, mut read_on) = (0, 0);
    for path in paks(&corpus.join("pak")) {
        let whole = std::fs::read(&path).unwrap();
        if read(&whole).is_err() {
            continue;
        }
        // Indices lie at the end; what is in front of them is data.
        let from = whole.len().saturating_sub(20_000);
        for _ in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..=rng.below(3) {
                let at = from + rng.below(bytes.len() - from);
                bytes[at] = [0, 0xFF, 0x80, bytes[at] ^ 1, 0x7F][rng.below(5)];
            }
            if rng.below(8) == 0 {
                bytes.truncate(from + rng.below(bytes.len() - from));
            }
            cases += 1;
            read_on += usize::from(read(&bytes).is_ok());
        }
    }
    assert!(cases > 4000 && read_on > 0 && read_on < cases, "{cases} cases, {read_on} read");
}

#[test]
fn damaged_paks_are_listed_and_checked_without_harm() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.pak");
    let mut rng = Rng::new(11);
    let (mut cases, mut opened, mut unhurt) = (0, 0, 0);
    for path in paks(&corpus.join("pak")) {
        let whole = std::fs::read(&path).unwrap();
        for _ in 0..25 {
            let mut bytes = whole.clone();
            // Index, entry headers and data alike.
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] = [0, 0xFF, 0x80, bytes[at] ^ 1, 0x7F][rng.below(5)];
            }
            std::fs::write(&damaged, &bytes).unwrap();
            cases += 1;
            let Ok(store) = Store::open(std::slice::from_ref(&damaged), &[], &options()) else { continue };
            let entries = Filter::default().select(&store, true);
            opened += usize::from(!entries.is_empty());
            let outcome = block_on(verify(&store, &entries, &context(), false));
            assert!(
                !outcome.problems().any(|failure| failure.error.kind() == ErrorKind::Internal),
                "{outcome:?}"
            );
            unhurt += usize::from(outcome.is_ok());
        }
    }
    assert!(
        cases > 800 && opened > cases / 2 && unhurt < opened,
        "{cases}, {opened} opened, {unhurt} unhurt"
    );
}

fn options() -> StoreOptions {
    let mut keys = KeyRing::default();
    for key in KEYS {
        keys.add_argument(key).unwrap();
    }
    StoreOptions { keys, ..StoreOptions::default() }
}
