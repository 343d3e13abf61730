//! Whole files: three versions in, the merged one out.

use super::conflict::{ConflictList, MergeRefusal, MergeSide};
use super::three_way::merge;
use super::versions::{MergeVersions, VersionMerge};
use crate::package::legacy::Package;
use crate::package::rebuild::{LegacyFiles, rebuild_legacy};
use crate::property::{Object, Scope};
use std::borrow::Cow;

/// The result of merging files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergedFile {
    /// The merged file; `None` if there are conflicts.
    pub bytes: Option<Vec<u8>>,
    /// Parts that both versions change in different ways, and that nothing decides.
    pub conflicts: ConflictList,
    /// Such parts that were taken from the preferred version.
    pub settled: ConflictList,
    /// Number of parts taken from theirs: objects, properties, elements.
    pub taken: usize,
}

/// Merges three versions of a file, and reads the result again. Without a base, both others added it. Conflicts are taken from
/// `prefer`, if given.
pub fn merge_files(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
    prefer: Option<MergeSide>,
) -> Result<MergedFile, MergeRefusal> {
    let known = |bytes| MergedFile { bytes: Some(bytes), ..MergedFile::default() };
    // What only one version changed needs no reading, and may be anything.
    if ours == theirs || base == Some(theirs) {
        return Ok(known(ours.to_vec()));
    }
    if base == Some(ours) {
        return Ok(known(theirs.to_vec()));
    }
    let packages =
        [base.map(Package::parse).transpose()?, Some(Package::parse(ours)?), Some(Package::parse(theirs)?)];
    let files = [base.unwrap_or_default(), ours, theirs];
    let [base, our_scope, their_scope] = [0, 1, 2].map(|at: usize| {
        let package = packages.get(at).and_then(Option::as_ref)?;
        Some(Scope::new(package, files.get(at)?, 0, None))
    });
    let (Some(ours_at), Some(theirs_at)) = (&our_scope, &their_scope) else {
        return Ok(known(ours.to_vec()));
    };
    let found = merge(&MergeVersions { base: base.as_ref(), ours: ours_at, theirs: theirs_at }, prefer)?;
    let VersionMerge { changes, conflicts, settled, taken } = found;
    if !conflicts.is_empty() {
        return Ok(MergedFile { bytes: None, conflicts, settled, taken });
    }
    let files = LegacyFiles { header: Cow::Borrowed(ours), exports: None };
    let bytes = rebuild_legacy(ours_at.package, &files, &changes)?.header.into_owned();
    let count = ours_at.package.exports.len() + changes.rows.added.len() - changes.rows.removed.len();
    check(&bytes, count, [ours_at, theirs_at])?;
    Ok(MergedFile { bytes: Some(bytes), conflicts, settled, taken })
}

/// Reads the merged file: it has the objects that it should have, and no more of them that are not understood than the versions.
fn check(bytes: &[u8], count: usize, versions: [&Scope<'_>; 2]) -> Result<(), MergeRefusal> {
    let package = Package::parse(bytes).map_err(|_| MergeRefusal::ReadBack)?;
    let faults = |scope: &Scope<'_>| {
        let objects = scope.package.exports.iter().map(|export| Object::read(scope, export));
        objects.filter(|object| object.problem.is_some()).count()
    };
    let scope = Scope::new(&package, bytes, 0, None);
    let known: usize = versions.into_iter().map(faults).sum();
    let is_whole = package.exports.len() == count && faults(&scope) <= known;
    if is_whole { Ok(()) } else { Err(MergeRefusal::ReadBack) }
}
