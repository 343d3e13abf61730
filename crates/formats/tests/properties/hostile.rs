//! Damaged data: whatever it is, reading ends, nothing panics, and what was read is written back as it was.

use crate::sets::{Loaded, Others, all, corpus, say};
use uncask_formats::property::Object;
use uncask_formats::property::edit::{Editor, Names};
use uncask_formats::property::json::{Tree, from_tree};
use uncask_formats::wire::Writer;

/// Damaged forms of each file, unless `UNCASK_ROUNDS` says how many.
const ROUNDS: u64 = 6;
/// Of so many forms, one is also taken through a document, and changed: that takes long.
const EDITED: u64 = 6;
/// Files of each set, and bytes of the largest that are damaged: the test is about forms, not about size.
const FILES: usize = 12;
const LARGEST: usize = 100_000;

#[test]
fn damaged_exports_come_back_as_they_were() {
    let Some(corpus) = corpus() else { return };
    let rounds = std::env::var("UNCASK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let (mut exports, mut edited) = (0, 0);
    for set in all(&corpus) {
        let others = Others::new(&set);
        let files = set.files.iter().map(|file| set.load(file)).filter(|loaded| loaded.data.len() < LARGEST);
        for loaded in files.take(FILES) {
            for round in 0..rounds {
                let data = damaged(&loaded, round);
                exports += check(&loaded, &data, &others);
                if round % EDITED == 1 {
                    edited += edit(&loaded, &data, &others);
                }
            }
        }
    }
    say(&format!("{exports} damaged exports, {edited} changed values in them"));
    assert!(exports > 10_000 && edited > 500, "{exports} {edited}");
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

/// Takes damaged objects through a document, and changes a value of each; returns how many could be changed.
fn edit(loaded: &Loaded, data: &[u8], others: &Others<'_>) -> usize {
    let scope = loaded.scope_of(data, others);
    let names = || Names::new(loaded.package.names.iter().map(|name| name.text.as_str()), usize::MAX);
    let bytes = |object: &Object| {
        let mut w = Writer::new();
        object.write(&mut w).map(|()| w.into_bytes())
    };
    let document = serde_json::to_value(Tree::new(&scope)).unwrap();
    if let Ok(found) = from_tree(&scope, names(), &document) {
        for (at, object) in &found.objects {
            let before = Object::read(&scope, &loaded.package.exports[*at]);
            if before.is_complete() && found.names.added().is_empty() {
                assert_eq!(bytes(object), bytes(&before), "export {at}");
            }
        }
    }
    let mut changed = 0;
    for (at, export) in loaded.package.exports.iter().enumerate() {
        let mut object = Object::read(&scope, export);
        let member = object.properties.as_ref().and_then(|list| list.members(&loaded.package).last());
        let Some(name) = member.map(|member| member.name.into_owned()) else { continue };
        let mut editor = Editor::new(&scope, names());
        let name = name.as_str();
        for (name, value) in [(name, "1"), (name, "{\"X\": 1}"), (name, "[1, 2]"), ("bHidden", "true")] {
            let Ok(address) = format!("#{at}.\"{name}\"").parse() else { continue };
            if editor.set(&mut object, &address, value).is_ok() {
                bytes(&object).unwrap();
                changed += 1;
            }
        }
    }
    changed
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
