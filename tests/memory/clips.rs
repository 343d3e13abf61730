//! Damaged clips of the Animation Compression Library. Their hashes are right: damage is to be found by what is looked at after that.

use super::fuzz::{self, clips::mend};
use super::mutate::mutate;
use super::{Meter, corpus};
use std::path::Path;
use uncask::wire::Writer;

/// Bytes at the front of a clip that are all damaged.
const FRONT: usize = 260;

/// A clip, as the sheet spells it out, whose tracks have translations of 8 bits a number, and nothing else.
pub(super) fn clip(tracks: usize, segments: usize, keys_of_each: usize) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap();
    let (words, many) = (tracks.div_ceil(16), segments > 1);
    let heads = 52 + if many { 4 * (segments + 1) } else { 0 };
    let kinds = heads + 16 * segments;
    let ranges = kinds + 8 * words;
    let mut data = ranges + 24 * tracks;
    let (formats, own) = (tracks.next_multiple_of(2), if many { 6 * tracks } else { 0 });
    let len = (formats + own).next_multiple_of(4) + (3 * tracks * keys_of_each).next_multiple_of(4);
    let mut w = Writer::new();
    w.u32(0)
        .u32(0)
        .u32(0xAC11_AC11)
        .u32(0x0C00_000A)
        .u32(number(tracks))
        .u32(number(segments * keys_of_each));
    w.bytes(&30.0_f32.to_le_bytes()).u32(0x23E);
    for word in [segments, tracks, 0, tracks, 0, 0, 0, 0] {
        w.u32(number(word));
    }
    w.u32(u32::MAX).u32(number(heads)).u32(number(kinds)).u32(u32::MAX).u32(number(ranges));
    if many {
        for at in 0..segments {
            w.u32(number(at * keys_of_each));
        }
        w.u32(u32::MAX);
    }
    for _ in 0..segments {
        let bits = number(24 * tracks);
        w.u32(bits).u32(0).u32(bits).u32(number(data));
        data = (data + len).next_multiple_of(4);
    }
    w.bytes(&vec![0; 4 * words]);
    for word in 0..words {
        let kind = |at: usize| if word * 16 + at < tracks { 2 << (30 - 2 * at) } else { 0 };
        w.u32((0..16).map(kind).sum());
    }
    for _ in 0..tracks {
        w.bytes([1.0, 2.0, 3.0, 10.0, 20.0, 30.0].map(f32::to_le_bytes).as_flattened());
    }
    for _ in 0..segments {
        w.bytes(&vec![8; tracks]);
        w.bytes(&vec![0x40; len - tracks]);
    }
    w.bytes(&[0; 15]);
    let mut bytes = w.into_bytes();
    let len = number(bytes.len());
    bytes[..4].copy_from_slice(&len.to_le_bytes());
    mend(&mut bytes);
    bytes
}

fn with_len(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

/// Clips with what follows them in an input: a database, and its tiers.
fn clips() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let none = vec![0; 8];
    let spelled = |name: &str, clip| (name.to_owned(), clip, none.clone());
    let mut clips = vec![spelled("one segment", clip(3, 1, 9)), spelled("three segments", clip(20, 3, 16))];
    let Some(corpus) = corpus() else { return clips };
    let read = |path: &Path| std::fs::read(path).unwrap();
    for folder in ["transform", "scalar", "v1"] {
        let files = walkdir::WalkDir::new(corpus.join("acl").join(folder)).sort_by_file_name();
        let files = files.into_iter().map(|file| file.unwrap().into_path());
        let is_clip =
            |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "acl" || end == "acl1");
        // Most of them are like one another.
        for path in files.filter(is_clip).step_by(3) {
            clips.push((path.display().to_string(), read(&path), none.clone()));
        }
    }
    let database = corpus.join("acl/database");
    let parts = ["split.acldb", "split.medium"]
        .map(|part| with_len(&read(&database.join(format!("db-2.1.0.{part}")))));
    let parts = [&parts.concat(), &*read(&database.join("db-2.1.0.split.low"))].concat();
    clips.push(("database".to_owned(), read(&database.join("db-2.1.0_0.acl")), parts));
    clips
}

#[test]
fn damaged_clips_cost_little() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    let mut run = |name: String, clip: &[u8], rest: &[u8]| {
        let input = [&with_len(clip), rest].concat();
        meter.run(|| name.clone(), input.len(), || fuzz::run("asset_acl", &input));
    };
    for (name, clip, rest) in clips() {
        run(name.clone(), &clip, &rest);
        for at in 0..clip.len().min(FRONT) {
            for word in [u32::MAX, i32::MAX as u32, 1 << 16, 0] {
                let mut damaged = clip.clone();
                let end = clip.len().min(at + 4);
                damaged[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
                run(format!("{name}, {word:#x} at {at}"), &damaged, &rest);
            }
        }
        for seed in 0..200 {
            run(format!("{name}, mutation {seed}"), &mutate(&clip, seed), &rest);
            if rest.len() > 8 {
                run(format!("{name}, mutation {seed} of its database"), &clip, &mutate(&rest, seed));
            }
        }
        for len in (0..clip.len()).step_by(clip.len() / 50 + 1) {
            run(format!("{name}, cut to {len}"), &clip[..len], &rest);
        }
    }
    meter.say("damaged clips");
    assert!(meter.cases > 2000, "{} cases", meter.cases);
}
