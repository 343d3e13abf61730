//! Damaged data: whatever it is, reading ends, nothing panics, and what was read is written back as it was.

use crate::sets::{Loaded, Others, all, corpus, say};
use uncask_formats::property::Object;
use uncask_formats::wire::Writer;

/// Damaged forms of each file.
const ROUNDS: u64 = 6;
/// Files of each set, and bytes of the largest that are damaged: the test is about forms, not about size.
const FILES: usize = 12;
const LARGEST: usize = 100_000;

#[test]
fn damaged_exports_come_back_as_they_were() {
    let Some(corpus) = corpus() else { return };
    let mut exports = 0;
    for set in all(&corpus) {
        let others = Others::new(&set);
        let files = set.files.iter().map(|file| set.load(file)).filter(|loaded| loaded.data.len() < LARGEST);
        for loaded in files.take(FILES) {
            for round in 0..ROUNDS {
                exports += check(&loaded, &damaged(&loaded, round), &others);
            }
        }
    }
    say(&format!("{exports} damaged exports"));
    assert!(exports > 10_000, "{exports}");
}

fn check(loaded: &Loaded, data: &[u8], others: &Others<'_>) -> usize {
    let scope = loaded.scope_of(data, others);
    for export in &loaded.package.exports {
        let object = Object::read(&scope, export);
        let mut w = Writer::new();
        object.write(&mut w).unwrap();
        if let Some(bytes) = scope.bytes(export) {
            assert!(w.into_bytes() == bytes, "{export:?}");
        }
    }
    loaded.package.exports.len()
}

/// The data with some bytes changed, or with its end missing.
fn damaged(loaded: &Loaded, round: u64) -> Vec<u8> {
    let mut data = loaded.data.clone();
    let mut seed = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ data.len() as u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap()
    };
    if round == 0 {
        data.truncate(next() % (data.len() + 1));
        return data;
    }
    for _ in 0..=data.len() / 64 {
        let (at, kind) = (next() % data.len(), next() % 4);
        data[at] = match kind {
            0 => 0,
            1 => 0xFF,
            2 => data[at] ^ (1 << (next() % 8)),
            _ => u8::try_from(next() % 256).unwrap(),
        };
    }
    data
}
