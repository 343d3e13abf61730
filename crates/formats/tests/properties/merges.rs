//! Versions of real assets, merged: what only one of them changes is in the result, whose graphs are whole.

use crate::graphs::{packages, projects};
use crate::reviews::check_links;
use crate::sets::say;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use uncask_formats::graph::graphs_of;
use uncask_formats::merge::{MergeRefusal, MergeSide, MergeVersions, VersionMerge, merge, merge_files};
use uncask_formats::package::legacy::Package;
use uncask_formats::package::rebuild::{Changes, LegacyFiles, rebuild_legacy};
use uncask_formats::property::{List, Object, Property, Scope, Value};
use uncask_formats::review::{Review, ReviewOptions};
use uncask_formats::wire::Writer;

/// A version of an asset.
struct Version {
    bytes: Vec<u8>,
    package: Package,
}

impl Version {
    fn new(bytes: Vec<u8>) -> Self {
        let package = Package::parse(&bytes).unwrap();
        Self { bytes, package }
    }

    fn read(path: &Path) -> Self {
        Self::new(std::fs::read(path).unwrap())
    }

    fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.bytes, 0, None)
    }

    /// Checks that each link of its graphs has two ends.
    fn is_whole(&self, what: &str) -> bool {
        let scope = self.scope();
        let objects: Vec<Object> =
            self.package.exports.iter().map(|export| Object::read(&scope, export)).collect();
        check_links(what, &graphs_of(&scope, &objects));
        objects.iter().all(|object| object.problem.is_none())
    }

    fn text(&self, all: bool) -> String {
        let scope = self.scope();
        let objects: Vec<Object> =
            self.package.exports.iter().map(|export| Object::read(&scope, export)).collect();
        let text = Review::new(&scope, &objects, ReviewOptions { all }, None).to_string();
        // Bytecode is shown by its bytes, in which names are indices.
        text.lines().filter(|line| !line.contains("ScriptBytecode = ")).collect::<Vec<_>>().join("\n")
    }
}

fn merged(
    base: Option<&Version>,
    ours: &Version,
    theirs: &Version,
    prefer: Option<MergeSide>,
) -> Result<(VersionMerge, Option<Version>), MergeRefusal> {
    let base = base.map(Version::scope);
    let (our_scope, their_scope) = (ours.scope(), theirs.scope());
    let versions = MergeVersions { base: base.as_ref(), ours: &our_scope, theirs: &their_scope };
    let merge = merge(&versions, prefer)?;
    if !merge.conflicts.is_empty() {
        return Ok((merge, None));
    }
    let files = LegacyFiles { header: Cow::Borrowed(&ours.bytes), exports: None };
    let files = rebuild_legacy(&ours.package, &files, &merge.changes)?;
    Ok((merge, Some(Version::new(files.header.into_owned()))))
}

/// Versions of each asset, oldest first.
fn histories() -> Option<Vec<(String, Vec<PathBuf>)>> {
    let folder = projects()?.join("history");
    let sorted = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let named = sorted(&folder).into_iter().filter(|path| path.is_dir());
    Some(
        named.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), sorted(&path))).collect(),
    )
}

#[test]
fn what_only_theirs_changes_is_taken() {
    let Some(histories) = histories() else { return };
    let mut count = 0;
    for (name, paths) in histories {
        for pair in paths.windows(2) {
            let [base, theirs] = [&pair[0], &pair[1]].map(|path| Version::read(path));
            let found = match merged(Some(&base), &base, &theirs, None) {
                Err(MergeRefusal::OtherRelease) => continue,
                found => found.unwrap_or_else(|error| panic!("{name}: {}: {error}", pair[1].display())),
            };
            let (merge, after) = found;
            assert_eq!(merge.conflicts.listed, [], "{name}: {}", pair[1].display());
            let (found, wanted) = (after.unwrap().text(true), theirs.text(true));
            if found != wanted {
                let diff = similar::TextDiff::from_lines(&wanted, &found);
                let lines = diff.unified_diff().context_radius(1).to_string();
                panic!(
                    "{name}: taken {} exports {:?} {}:\n{}",
                    merge.taken,
                    merge.changes.exports.keys(),
                    pair[1].display(),
                    lines.chars().take(3000).collect::<String>()
                );
            }
            // Nothing to take.
            let (merge, after) = merged(Some(&base), &theirs, &base, None).unwrap();
            assert!(after.is_some_and(|after| after.bytes == theirs.bytes), "{name}: {:?}", merge.conflicts);
            count += 1;
        }
    }
    say(&format!("{count} pairs of versions: what theirs changes is taken"));
}

/// The lines of a text, without the numbers of objects: one that both versions add gets another.
fn lines(text: &str) -> BTreeSet<String> {
    let plain = |line: &str| line.chars().filter(|c| !c.is_ascii_digit()).collect();
    text.lines().map(plain).collect()
}

#[test]
fn versions_that_both_changed_are_merged() {
    let Some(histories) = histories() else { return };
    let (mut clean, mut with_conflicts, mut settled, mut kinds) = (0, 0, 0, BTreeMap::<String, usize>::new());
    for (name, paths) in histories {
        for triple in paths.windows(3) {
            let versions = [&triple[0], &triple[1], &triple[2]].map(|path| Version::read(path));
            // As they came, and as two branches of the one in the middle.
            for order in [[0, 1, 2], [1, 0, 2]] {
                let [base, ours, theirs] = order.map(|at| &versions[at]);
                let both = [(ours, theirs), (theirs, ours)].map(|(a, b)| merged(Some(base), a, b, None));
                let [Ok((merge, found)), Ok((other, back))] = both else {
                    assert!(both.into_iter().all(|found| found.err() == Some(MergeRefusal::OtherRelease)));
                    continue;
                };
                let what = format!("{name}, {order:?} of {}", triple[0].display());
                assert_eq!(merge.conflicts.is_empty(), other.conflicts.is_empty(), "{what}");
                for conflict in &merge.conflicts.listed {
                    *kinds.entry(format!("{:?}", conflict.kind)).or_default() += 1;
                }
                let (Some(found), Some(back)) = (found, back) else {
                    with_conflicts += 1;
                    // The preferred version decides, and then the result is whole.
                    for side in [MergeSide::Ours, MergeSide::Theirs] {
                        let (merge, after) = merged(Some(base), ours, theirs, Some(side)).unwrap();
                        assert!(after.is_some() || !merge.conflicts.is_empty(), "{what}");
                        settled += usize::from(after.is_some_and(|after| after.is_whole(&what)));
                    }
                    continue;
                };
                clean += usize::from(found.is_whole(&what));
                // Merged once more, it stays.
                let (again, same) = merged(Some(base), &found, theirs, None).unwrap();
                assert!(same.is_some_and(|same| same.bytes == found.bytes), "{what}: {:?}", again.conflicts);
                let [ours, theirs, found, back] =
                    [ours, theirs, &found, &back].map(|of| lines(&of.text(false)));
                // From either side, the result is the same.
                assert_eq!(found.difference(&back).collect::<Vec<_>>(), Vec::<&String>::new(), "{what}");
                assert_eq!(back.difference(&found).collect::<Vec<_>>(), Vec::<&String>::new(), "{what}");
                // Nothing is made up.
                let known = ours.union(&theirs).cloned().collect();
                assert_eq!(found.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new(), "{what}");
            }
        }
    }
    assert!(clean > 40 && settled > 70, "{clean}, {settled}");
    say(&format!(
        "{clean} merged, {with_conflicts} with conflicts: {kinds:?}, of which {settled} were settled"
    ));
}

/// Two properties of a package with numbers in them, which nothing decides by itself: the export, and the place in its list.
fn numbers(version: &Version) -> Option<[(usize, usize); 2]> {
    let scope = version.scope();
    let mut found = Vec::new();
    for (at, export) in version.package.exports.iter().enumerate() {
        let object = Object::read(&scope, export);
        let Some(List::Tagged(list)) = object.properties.as_ref().filter(|_| object.problem.is_none()) else {
            continue;
        };
        let is_number = |property: &Property| {
            let name = version.package.text(property.tag.name).to_string();
            let is_layout = ["Node", "Editor", "Material", "Comment"].iter().any(|part| name.contains(part));
            matches!(property.value, Value::Int(_) | Value::Float(_) | Value::Double(_)) && !is_layout
        };
        let numbers = list.properties.iter().enumerate().filter(|(_, property)| is_number(property));
        found.extend(numbers.map(|(property, _)| (at, property)));
        if let [first, .., last] = found.as_slice() {
            return Some([*first, *last]);
        }
    }
    None
}

/// A package in which some numbers are one greater.
fn with_greater(version: &Version, places: &[(usize, usize)]) -> Version {
    let scope = version.scope();
    let mut objects: BTreeMap<usize, Object> = BTreeMap::new();
    for (export, property) in places {
        let object =
            objects.entry(*export).or_insert_with(|| Object::read(&scope, &version.package.exports[*export]));
        let Some(List::Tagged(list)) = &mut object.properties else { unreachable!("a list with tags") };
        match &mut list.properties[*property].value {
            Value::Int(number) => *number ^= 1,
            Value::Float(number) => *number += 1.0,
            Value::Double(number) => *number += 1.0,
            _ => unreachable!("a number"),
        }
    }
    let bytes = |object: &Object| {
        let mut w = Writer::new();
        object.write(&mut w).unwrap();
        w.into_bytes()
    };
    let exports = objects.iter().map(|(at, object)| (*at, bytes(object))).collect();
    let files = LegacyFiles { header: Cow::Borrowed(&version.bytes), exports: None };
    let changes = Changes { exports, ..Changes::default() };
    Version::new(rebuild_legacy(&version.package, &files, &changes).unwrap().header.into_owned())
}

#[test]
fn numbers_that_each_version_changes_come_together_in_every_release() {
    let Some(folder) = projects() else { return };
    let (mut count, mut releases) = (0, BTreeSet::new());
    for path in packages(&folder).into_iter().chain(packages(&folder.with_file_name("uncooked"))) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(package) = Package::parse(&bytes) else { continue };
        if package.form.cooked {
            continue;
        }
        let base = Version { bytes, package };
        let Some([one, other]) = numbers(&base) else { continue };
        let [ours, theirs, both] =
            [&[one][..], &[other], &[one, other]].map(|places| with_greater(&base, places));
        let (found, merged) = merged(Some(&base), &ours, &theirs, None).unwrap();
        let merged = merged.unwrap_or_else(|| panic!("{}: {:?}", path.display(), found.conflicts));
        assert!(merged.bytes == both.bytes, "{}", path.display());
        releases.insert(format!("{:?}", base.package.form.versions));
        count += 1;
    }
    assert!(count > 80 && releases.len() > 3, "{count}");
    say(&format!("{count} packages of {} object versions", releases.len()));
}

/// Damage in any version gives an error or a result, never a panic.
#[test]
fn damaged_versions_are_merged_or_refused() {
    let Some(histories) = histories() else { return };
    let (_, paths) = histories.into_iter().find(|(name, _)| name == "BP_ToonTanksGameMode").unwrap();
    let versions: Vec<Vec<u8>> = paths.iter().take(3).map(|path| std::fs::read(path).unwrap()).collect();
    let (mut seed, mut merged, mut refused) = (0x2545_F491_4F6C_DD1D_u64, 0, 0);
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).unwrap()
    };
    for round in 0..600 {
        let mut damaged = versions.clone();
        for _ in 0..=random(3) {
            let version = &mut damaged[random(3)];
            let at = random(version.len());
            match random(4) {
                // Most damage hits data; some hits the tables in front of it.
                0 => version.truncate(at),
                1 => version[at] = 0xFF,
                _ => version[at] ^= 1 << random(8),
            }
        }
        let prefer = [None, Some(MergeSide::Ours), Some(MergeSide::Theirs)][round % 3];
        match merge_files(Some(&damaged[1]), &damaged[0], &damaged[2], prefer) {
            Ok(found) => {
                assert_eq!(found.bytes.is_some(), found.conflicts.is_empty(), "round {round}");
                merged += usize::from(found.bytes.is_some());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(merged > 50 && refused > 50, "{merged} merged, {refused} refused");
}
