//! Checks files against manifests, and manifests against each other.

use super::{Manifest, ManifestFile, digest, hash};
use crate::job::Cpu;
use crate::sink::{OutputPath, Sink};
use crate::wire::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Deviations from manifests.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    /// A file is missing.
    #[error("file is missing: {path}")]
    Missing {
        /// Its path.
        path: String,
    },
    /// A file cannot be read.
    #[error("cannot read: {source}: {path}")]
    Unreadable {
        /// Its path.
        path: String,
        /// Error of the system.
        source: io::Error,
    },
    /// A file has another length.
    #[error("file has {}, expected {expected}: {path}", counted(*found, "byte", "bytes"))]
    WrongSize {
        /// Its path.
        path: String,
        /// Length in bytes.
        found: u64,
        /// Length in the manifest.
        expected: u64,
    },
    /// A file of the right length has other content.
    #[error("content hash is {found}, expected {expected}: {path}")]
    WrongHash {
        /// Its path.
        path: String,
        /// BLAKE3 of the file.
        found: String,
        /// BLAKE3 in the manifest.
        expected: String,
    },
    /// A path that no job would write.
    #[error("manifest has a path that no job writes: {path}")]
    BadPath {
        /// The path.
        path: String,
    },
    /// A file is listed twice, in two manifests or in one.
    #[error("file is in the manifests twice: {path}")]
    Twice {
        /// Its path.
        path: String,
    },
    /// The manifest of a shard is missing.
    #[error("the manifest of shard {shard} is missing")]
    MissingShard {
        /// The shard, as `I/N`.
        shard: String,
    },
    /// A shard has two manifests.
    #[error("shard {shard} has two manifests")]
    ShardTwice {
        /// The shard, as `I/N`.
        shard: String,
    },
    /// The manifests are of different selections, or of different numbers of shards.
    #[error("the manifests are from different jobs")]
    DifferentJobs,
    /// All shards are present, but some files of the job are in none of them.
    #[error("the manifests list {}, the job had {expected}: some chunks failed", counted(*found, unit, &format!("{unit}s")))]
    Incomplete {
        /// Number of files, or of chunks with any number of files, in the manifests.
        found: u64,
        /// Number of them in the job.
        expected: u64,
        /// Noun for what is counted.
        unit: &'static str,
    },
}

/// Compares the files in a sink with one or several manifests of the same job, on all threads, and checks that the
/// manifests are all shards of the job and list each of its files once.
#[must_use]
pub fn check_manifests(manifests: &[Manifest], sink: &dyn Sink, cpu: &Cpu) -> Vec<ManifestProblem> {
    let mut problems = check_shards(manifests);
    let files = manifests.iter().flat_map(|manifest| &manifest.files);
    problems.extend(cpu.map(files, |file| check_file(file, sink)).into_iter().flatten());
    problems
}

fn check_file(file: &ManifestFile, sink: &dyn Sink) -> Option<ManifestProblem> {
    let path = file.path.clone();
    // A manifest is input from outside: a path such as `../x` must not lead out of the folder.
    let safe = OutputPath::sanitize(&path);
    if safe.as_str() != path {
        return Some(ManifestProblem::BadPath { path });
    }
    match sink.existing(&safe).map(|existing| existing.len) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Some(ManifestProblem::Missing { path });
        }
        Err(source) => return Some(ManifestProblem::Unreadable { path, source }),
        Ok(found) if found != file.size => {
            return Some(ManifestProblem::WrongSize { path, found, expected: file.size });
        }
        Ok(_) => {}
    }
    // Only files of the right length are hashed.
    match hash(sink, &safe) {
        Err(source) => Some(ManifestProblem::Unreadable { path, source }),
        Ok((_, found)) if found == file.blake3 => None,
        Ok((_, found)) => Some(ManifestProblem::WrongHash { path, found, expected: file.blake3.clone() }),
    }
}

fn check_shards(manifests: &[Manifest]) -> Vec<ManifestProblem> {
    let Some(first) = manifests.first() else { return Vec::new() };
    let mut problems = Vec::new();
    let (mut shards, mut counts) = (BTreeSet::new(), BTreeSet::new());
    for shard in manifests.iter().filter_map(|manifest| manifest.head.shard().ok()) {
        counts.insert(shard.count());
        if !shards.insert(shard.index()) {
            problems.push(ManifestProblem::ShardTwice { shard: shard.to_string() });
        }
    }
    let same = |manifest: &Manifest| {
        (&manifest.head.job, manifest.head.job_files) == (&first.head.job, first.head.job_files)
    };
    // With manifests of different jobs the checks below would only add noise.
    if counts.len() != 1 || !manifests.iter().all(same) {
        problems.push(ManifestProblem::DifferentJobs);
        return problems;
    }
    let count = counts.first().copied().unwrap_or(1);
    // A manifest may claim any number of shards, so only the first missing ones are listed.
    let missing = (1..=count).filter(|index| !shards.contains(index)).take(16);
    let missing: Vec<_> =
        missing.map(|index| ManifestProblem::MissingShard { shard: format!("{index}/{count}") }).collect();
    let complete = missing.is_empty();
    problems.extend(missing);
    let (mut files, mut seen) = (BTreeMap::new(), BTreeMap::new());
    for file in manifests.iter().flat_map(|manifest| &manifest.files) {
        // A file needed by several chunks, such as a texture of two meshes, is written by each shard.
        let is_shared = |other: &ManifestFile| {
            other.beside.is_some() && file.beside.is_some() && other.blake3 == file.blake3
        };
        if seen.insert(&file.path, file).is_some_and(|other| !is_shared(other)) {
            problems.push(ManifestProblem::Twice { path: file.path.clone() });
        // Additional files do not count: the job's hash covers main files only.
        } else if file.beside.is_none() {
            files.insert(file.path.clone(), file.id.clone());
        }
    }
    for source in manifests.iter().flat_map(|manifest| &manifest.sources) {
        if files.insert(source.source.clone(), source.id.clone()).is_some() {
            problems.push(ManifestProblem::Twice { path: source.source.clone() });
        }
    }
    let (found, expected) = (files.len() as u64, first.head.job_files);
    // With shards missing, incomplete is already reported in another way.
    if complete && digest(files) != first.head.job {
        let has_sources = manifests.iter().any(|manifest| !manifest.sources.is_empty());
        let unit = if has_sources { "package" } else { "file" };
        problems.push(ManifestProblem::Incomplete { found, expected, unit });
    }
    problems
}
