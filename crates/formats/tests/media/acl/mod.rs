//! Clips of the Animation Compression Library, compared with the samples that the library made of them.

mod assets;
mod samples;

use crate::files::corpus;
use samples::{Moment, NEAR, OLD_NEAR, Samples, Tally, between, turned};
use std::path::{Path, PathBuf};
use uncask_formats::asset::animation::Track;
use uncask_formats::asset::animation::acl::{AclClip, AclCurves, AclDatabase, DefaultPose};

/// Poses of bones of which nothing is stored: rotation, translation, scale.
type Pose = Vec<[f32; 10]>;

fn pose(clip: &AclClip<'_>, path: &Path) -> Pose {
    let scale = if clip.default_pose() == DefaultPose::Additive { 0.0 } else { 1.0 };
    let still = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, scale, scale, scale];
    let Ok(bytes) = std::fs::read(path.with_extension("bind")) else {
        return vec![still; clip.tracks() as usize];
    };
    assert_eq!(clip.default_pose(), DefaultPose::Skeleton, "{}", path.display());
    let floats: Vec<f32> = bytes.as_chunks().0.iter().map(|float| f32::from_le_bytes(*float)).collect();
    let mut pose: Pose = floats.as_chunks().0.to_vec();
    for bone in &mut pose {
        bone[7..].fill(1.0);
    }
    pose
}

/// Compares a clip with its samples.
fn compare(clip: &AclClip<'_>, path: &Path, samples: &Path, near: f32) -> Tally {
    let samples = Samples::read(samples);
    assert_eq!((clip.tracks() as usize, samples.floats), (samples.tracks, 10), "{}", path.display());
    let (tracks, pose) = (clip.decode(), pose(clip, path));
    assert_eq!(tracks.len(), samples.tracks);
    let has_all = |keys: usize| keys <= 1 || keys as u64 == clip.keys();
    let is_whole = |track: &Track| {
        [track.rotation.values.len(), track.translation.values.len(), track.scale.values.len()]
            .into_iter()
            .all(has_all)
    };
    assert!(tracks.iter().all(is_whole), "{}", path.display());
    let mut tally = Tally::default();
    for row in &samples.rows {
        let moment =
            Moment::new(row, samples.keys, clip.keys(), clip.rate()).stored(|key| clip.is_stored(key));
        for (at, (track, expected)) in tracks.iter().zip(row.values.chunks(10)).enumerate() {
            let name =
                || format!("{}, track {at}, time {}, rounding {}", path.display(), row.time, row.rounding);
            let or = |keys: &[[f32; 3]], first: usize| match keys {
                [] => pose[at][first..first + 3].try_into().unwrap(),
                keys => between(keys, &moment),
            };
            let rotation = match &track.rotation.values[..] {
                [] => pose[at][..4].try_into().unwrap(),
                keys => turned(keys, &moment),
            };
            // Some versions of the library normalise rotations that do not change.
            let unlike = tally.unlike;
            tally.add(&rotation, &expected[..4], near, &name);
            if track.rotation.values.len() < 2 {
                tally.unlike = unlike;
            }
            tally.add(&or(&track.translation.values, 4), &expected[4..7], near, &name);
            tally.add(&or(&track.scale.values, 7), &expected[7..], near, &name);
        }
    }
    tally
}

/// Files with an ending, in a folder of the corpus.
fn files(corpus: &Path, folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus.join("acl").join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

/// Compares every file of a folder; says how many, and how exact they are.
fn compare_all(
    folder: &str,
    ending: &str,
    near: f32,
    compare: impl Fn(&Path, &[u8], f32) -> Tally,
) -> Option<(usize, Tally)> {
    let corpus = corpus()?;
    let mut all = Tally::default();
    let files = files(&corpus, folder, ending);
    for path in &files {
        let tally = compare(path, &std::fs::read(path).unwrap(), near);
        assert!(tally.values > 0, "{}", path.display());
        all.values += tally.values;
        all.unlike += tally.unlike;
        all.worst = all.worst.max(tally.worst);
    }
    Some((files.len(), all))
}

fn parsed<'a>(path: &Path, bytes: &'a [u8]) -> AclClip<'a> {
    assert!(AclClip::is_at(bytes), "{}", path.display());
    AclClip::parse(bytes).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

#[test]
fn clips_are_those_of_the_library() {
    let compare = |path: &Path, bytes: &[u8], near| {
        compare(&parsed(path, bytes), path, &path.with_extension("exp"), near)
    };
    let Some((files, all)) = compare_all("transform", "acl", NEAR, compare) else { return };
    assert!(files == 68 && all.values > 100_000, "{files} files, {all:?}");
    assert_eq!(all.unlike, 0, "the same, bit by bit");
}

#[test]
fn clips_of_the_first_version_are_those_of_the_library() {
    let compare = |path: &Path, bytes: &[u8], near| {
        compare(&parsed(path, bytes), path, &path.with_extension("exp"), near)
    };
    let Some((files, _)) = compare_all("v1", "acl1", OLD_NEAR, compare) else { return };
    assert_eq!(files, 7);
}

fn compare_curves(path: &Path, bytes: &[u8], near: f32) -> Tally {
    assert!(AclCurves::are_at(bytes));
    let curves = AclCurves::parse(bytes).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    let samples = Samples::read(&path.with_extension("exp"));
    assert_eq!((curves.len(), curves.components()), (samples.tracks, samples.floats), "{}", path.display());
    let (tracks, mut tally) = (curves.decode(), Tally::default());
    for row in &samples.rows {
        let moment = Moment::new(row, samples.keys, curves.keys(), curves.rate());
        for (track, expected) in tracks.iter().zip(row.values.chunks(samples.floats)) {
            let name = || format!("{}, time {}", path.display(), row.time);
            let part = |at: usize| {
                let keys: Vec<[f32; 1]> = track.chunks(samples.floats).map(|value| [value[at]]).collect();
                between(&keys, &moment)[0]
            };
            let found: Vec<f32> = (0..samples.floats).map(part).collect();
            tally.add(&found, expected, near, &name);
        }
    }
    tally
}

#[test]
fn curves_are_those_of_the_library() {
    for folder in ["scalar", "v1"] {
        let Some((files, all)) = compare_all(folder, "acl", NEAR, compare_curves) else { return };
        assert_eq!((files, all.unlike), (if folder == "v1" { 2 } else { 7 }, 0), "the same, bit by bit");
    }
}

#[test]
fn clips_get_their_keys_back_from_a_database() {
    let Some(corpus) = corpus() else { return };
    let mut stored = [0; 5];
    for path in files(&corpus, "database", "acl") {
        let bytes = std::fs::read(&path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap().rsplit_once('_').unwrap().0.to_owned();
        let file = |ending: &str| std::fs::read(path.with_file_name(format!("{stem}.{ending}"))).unwrap();
        let alone = parsed(&path, &bytes);
        assert!(alone.is_split());
        compare(&alone, &path, &path.with_extension("exp0"), NEAR);
        let (inside, split) = (file("acldb"), file("split.acldb"));
        let tiers = [file("split.medium"), file("split.low")];
        let [medium, low] = [0, 1].map(|at| Some(&*tiers[at]));
        let count = |clip: &AclClip<'_>| (0..100).filter(|key| clip.is_stored(*key)).count();
        stored[0] += count(&alone);
        let databases = [
            (&split, [None, None]),
            (&split, [medium, None]),
            (&split, [medium, low]),
            (&inside, [None, None]),
        ];
        for ((database, outside), stored) in databases.into_iter().zip(&mut stored[1..]) {
            let mut clip = alone.clone();
            clip.join(&AclDatabase::parse(database, outside).unwrap()).unwrap();
            *stored += count(&clip);
            if outside == [medium, low] || std::ptr::eq(database, &raw const inside) {
                compare(&clip, &path, &path.with_extension("exp2"), NEAR);
            }
        }
        assert!(AclDatabase::parse(&split, [low, None]).is_err(), "tiers have hashes");
    }
    let [alone, without, medium, both, inside] = stored;
    assert!(alone == without && alone < medium && medium < both && both == inside, "{stored:?}");
}

/// Blobs that lie, but for those whose lies nobody needs to look at.
#[test]
fn bad_clips_are_refused() {
    let Some(corpus) = corpus() else { return };
    let (mut refused, mut read) = (0, Vec::new());
    for path in files(&corpus, "bad", "acl") {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_curve = name.starts_with("scalar");
        let outcome = if is_curve {
            AclCurves::parse(&bytes).map(|curves| curves.decode().len())
        } else {
            AclClip::parse(&bytes).map(|clip| clip.decode().len())
        };
        match outcome {
            Ok(_) => read.push(name),
            Err(_) => refused += 1,
        }
        // Neither reader may panic on what the other one is for.
        drop((AclCurves::parse(&bytes), AclClip::parse(&bytes)));
    }
    assert_eq!(
        (refused + read.len(), read.iter().all(|name| name.starts_with("metadata"))),
        (47, true),
        "{read:?}"
    );
}

/// Puts the right hash into a clip.
fn mend(bytes: &mut [u8]) {
    let len = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    if let Some(hashed) = bytes.get(8..len) {
        let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619);
        let hash = hashed.iter().fold(2_166_136_261, hash);
        bytes[4..8].copy_from_slice(&hash.to_le_bytes());
    }
}

#[test]
fn changed_clips_with_a_right_hash_are_read_or_refused() {
    let Some(corpus) = corpus() else { return };
    let mut all = files(&corpus, "transform", "acl");
    all.extend(files(&corpus, "scalar", "acl"));
    all.extend(files(&corpus, "v1", "acl1"));
    all.extend(files(&corpus, "v1", "acl"));
    let (mut read, mut refused) = (0, 0);
    for path in all.iter().step_by(3) {
        let whole = std::fs::read(path).unwrap();
        for at in (0..whole.len().min(400)).filter(|at| !(4..12).contains(at)) {
            for number in [1, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] ^= number;
                mend(&mut bytes);
                let clip = AclClip::parse(&bytes);
                let is_read = clip.is_ok() || AclCurves::parse(&bytes).is_ok();
                drop((
                    clip.map(|clip| clip.decode()),
                    AclCurves::parse(&bytes).map(|curves| curves.decode()),
                ));
                *(if is_read { &mut read } else { &mut refused }) += 1;
            }
        }
    }
    assert!(read > 3000 && refused > 3000, "{read} are read, {refused} refused");
}
