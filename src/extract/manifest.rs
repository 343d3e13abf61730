//! Manifests: records of the files written by a job, to verify them later.
//!
//! ```text
//! {"schema":"uncask.manifest/1","tool":"0.1.0","shard":"1/3","job":"<hash>","job_files":7}    the first line
//! {"path":"Game/A.umap","size":12,"blake3":"<hash>","id":"<chunk id>","container":"pakchunk0"}   one for each file
//! {"source":"Game/A.uasset","files":2,"id":"<chunk id>","container":"pakchunk0"}   where a chunk becomes any number of files
//! {"files":3}                                                                                  the last line
//! ```
//!
//! `job` is a hash over the paths and chunk ids of the whole selection, the same in every shard. So a set of manifests
//! shows by itself if they belong together and cover the whole job.

mod check;

pub use check::{ManifestProblem, check_manifests};

use super::legacy::{AssetReport, LegacyFiles, LegacyOutputs};
use super::{Outputs, Shard};
use crate::error::{Error, Result};
use crate::sink::{OutputPath, Sink};
use crate::store::{Entry, Store};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

const SCHEMA: &str = "uncask.manifest/1";

/// Read buffer for hashing, in bytes.
const PIECE: usize = 256 << 10;

/// The first line of a manifest, which identifies the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestHead {
    schema: String,
    tool: String,
    shard: Option<String>,
    job: String,
    job_files: u64,
}

/// A line of a manifest: one written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Path relative to the output folder, with `/`.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
    /// BLAKE3 of the content, 64 hex digits.
    pub blake3: String,
    /// Id of the source chunk, 24 hex digits.
    pub id: String,
    /// Name of the container of the chunk.
    pub container: String,
    /// The main file of the chunk, if this is an additional one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
}

/// A line of a manifest: a chunk that became any number of files, all of them present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestSource {
    /// Its path.
    pub source: String,
    /// Number of its files, which have lines of their own.
    pub files: u64,
    /// Id of the chunk, 24 hex digits.
    pub id: String,
    /// Name of its container.
    pub container: String,
}

/// A chunk and the files made from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFiles {
    /// The chunk.
    pub entry: Entry,
    /// Its path.
    pub path: String,
    /// The files.
    pub files: Vec<OutputPath>,
}

/// The last line; a manifest without it is cut off.
#[derive(Debug, Serialize, Deserialize)]
struct Tail {
    files: u64,
}

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    head: ManifestHead,
    files: Vec<ManifestFile>,
    sources: Vec<ManifestSource>,
}

impl ManifestHead {
    /// The head for a job that writes `all`, or one shard of it.
    #[must_use]
    pub fn new(store: &Store, all: &Outputs, shard: Option<Shard>) -> Self {
        Self::of(store, all.iter().map(|output| (output.entry, &output.path)), shard)
    }

    /// The head of a job that converts packages. The exports file represents a package, since the header's extension is
    /// unknown before reading it.
    #[must_use]
    pub fn legacy(store: &Store, all: &LegacyOutputs, shard: Option<Shard>) -> Self {
        let files: Vec<_> = all.files().collect();
        Self::of(store, files.iter().map(|files| (files.entry, &files.main)), shard)
    }

    /// The head of a job that makes any number of files from each chunk.
    pub fn of_sources(
        store: &Store,
        sources: impl Iterator<Item = (Entry, String)>,
        shard: Option<Shard>,
    ) -> Self {
        Self::of(store, sources, shard)
    }

    fn of(store: &Store, files: impl Iterator<Item = (Entry, impl ToString)>, shard: Option<Shard>) -> Self {
        let id = |entry| store.chunk_id(entry).unwrap_or_default().to_string();
        // A map sorted by path: the hash must not depend on the order of selection.
        let lines: BTreeMap<String, String> =
            files.map(|(entry, path)| (path.to_string(), id(entry))).collect();
        Self {
            schema: SCHEMA.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            shard: shard.map(|shard| shard.to_string()),
            job_files: lines.len() as u64,
            job: digest(lines),
        }
    }

    /// The shard of the manifest; `1/1` if the job is not sharded.
    fn shard(&self) -> Result<Shard, super::ShardError> {
        self.shard.as_deref().unwrap_or("1/1").parse()
    }
}

/// Hash over sorted paths and chunk ids.
fn digest(files: BTreeMap<String, String>) -> String {
    let mut hasher = blake3::Hasher::new();
    for (path, id) in files {
        // NUL ends the path and a line feed the id, so no two lists give the same bytes.
        hasher.update(format!("{path}\0{id}\n").as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

impl Manifest {
    /// Describes the files of `outputs` found in the sink, on the threads of the store. A file that is missing or has
    /// another length than its chunk failed, and is left out; the head's count still includes it.
    #[must_use]
    pub fn new(head: ManifestHead, store: &Store, outputs: &Outputs, sink: &dyn Sink) -> Self {
        let describe = |output: &super::Output| {
            let len = store.container(output.entry)?.table().chunk_len(output.entry.chunk);
            describe(store, output.entry, &output.path, None, sink).filter(|file| file.size == len)
        };
        let files = store.cpu().map(outputs.iter(), describe).into_iter().flatten().collect();
        Self { head, files, sources: Vec::new() }
    }

    /// The manifest of converted packages; `reports` tells which headers are maps.
    #[must_use]
    pub fn legacy(
        head: ManifestHead,
        store: &Store,
        outputs: &LegacyOutputs,
        reports: &[AssetReport],
        sink: &dyn Sink,
    ) -> Self {
        let headers: HashMap<&str, &str> =
            reports.iter().map(|report| (report.exports.as_str(), report.header.as_str())).collect();
        let describe = |files: LegacyFiles| {
            let main = files.main.to_string();
            let header = headers.get(main.as_str());
            // After a first run with another result both `.uasset` and `.umap` may exist; the report names the right
            // one.
            let beside =
                files.beside.iter().filter(|path| header.is_none_or(|header| path.as_str() == *header));
            let others = beside.filter_map(|path| describe(store, files.entry, path, Some(&main), sink));
            let others: Vec<ManifestFile> = others.take(1).collect();
            // Without its header a package cannot be loaded, so neither file is listed.
            let whole = files.beside.is_empty() || !others.is_empty();
            let main = describe(store, files.entry, &files.main, None, sink).filter(|_| whole);
            main.into_iter().chain(others).collect::<Vec<_>>()
        };
        Self { head, files: store.cpu().map(outputs.files(), describe).concat(), sources: Vec::new() }
    }

    /// The manifest of chunks that became any number of files. A chunk with a missing file is left out.
    #[must_use]
    pub fn of_sources(head: ManifestHead, store: &Store, made: &[SourceFiles], sink: &dyn Sink) -> Self {
        let describe = |made: &SourceFiles| {
            let file = |path| describe(store, made.entry, path, Some(&made.path), sink);
            // Collecting into an `Option` drops the chunk at the first file that is missing.
            let files: Vec<ManifestFile> = made.files.iter().map(file).collect::<Option<_>>()?;
            let source = ManifestSource {
                source: made.path.clone(),
                files: files.len() as u64,
                id: store.chunk_id(made.entry)?.to_string(),
                container: store.container(made.entry)?.name(),
            };
            Some((source, files))
        };
        let found = store.cpu().map(made, describe);
        let (sources, files): (Vec<_>, Vec<_>) = found.into_iter().flatten().unzip();
        Self { head, files: files.concat(), sources }
    }

    /// The files in it.
    #[must_use]
    pub fn files(&self) -> &[ManifestFile] {
        &self.files
    }

    /// Drops files.
    pub fn retain(&mut self, keep: impl FnMut(&ManifestFile) -> bool) {
        self.files.retain(keep);
    }

    /// Writes the manifest as JSON lines.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", serde_json::to_string(&self.head)?)?;
        for file in &self.files {
            writeln!(out, "{}", serde_json::to_string(file)?)?;
        }
        for source in &self.sources {
            writeln!(out, "{}", serde_json::to_string(source)?)?;
        }
        writeln!(out, "{}", serde_json::to_string(&Tail { files: self.files.len() as u64 })?)
    }

    /// Reads a manifest.
    pub fn open(path: &Path) -> Result<Self> {
        let file = std::fs::File::open(path).map_err(Error::io("open", path))?;
        Self::read(io::BufReader::new(file)).map_err(Error::io("read manifest", path))
    }

    fn read(text: impl BufRead) -> io::Result<Self> {
        let bad = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message);
        let mut lines = text.lines();
        let first = lines.next().ok_or_else(|| bad("the manifest is empty"))??;
        let head: ManifestHead = serde_json::from_str(&first)?;
        if head.schema != SCHEMA {
            return Err(bad(&format!("schema is {:?}, expected {SCHEMA:?}", head.schema)));
        }
        head.shard().map_err(|error| bad(&error.to_string()))?;
        let mut found = Self { head, files: Vec::new(), sources: Vec::new() };
        for line in lines {
            let line = line?;
            // Lines have no type tag: each has the fields of only one of the three kinds, files being by far the most.
            let error = match serde_json::from_str(&line) {
                Ok(file) => {
                    found.files.push(file);
                    continue;
                }
                Err(error) => error,
            };
            if let Ok(source) = serde_json::from_str(&line) {
                found.sources.push(source);
                continue;
            }
            // A line of no known kind is reported as a bad file line.
            let tail: Tail = serde_json::from_str(&line).map_err(|_| error)?;
            let sum = found.sources.iter().fold(0, |sum: u64, source| sum.saturating_add(source.files));
            let is_whole =
                tail.files == found.files.len() as u64 && (found.sources.is_empty() || tail.files == sum);
            // Anything after the tail is ignored, and a missing line shows in its counts.
            return if is_whole { Ok(found) } else { Err(bad("the manifest has lines missing")) };
        }
        Err(bad("the manifest is cut off: its last line is missing"))
    }
}

/// The manifest line of a file in the sink; `None` if it cannot be read.
fn describe(
    store: &Store,
    entry: Entry,
    path: &OutputPath,
    beside: Option<&str>,
    sink: &dyn Sink,
) -> Option<ManifestFile> {
    let container = store.container(entry)?;
    let (size, blake3) = hash(sink, path).ok()?;
    Some(ManifestFile {
        path: path.to_string(),
        size,
        blake3,
        id: store.chunk_id(entry).unwrap_or_default().to_string(),
        container: container.name(),
        beside: beside.map(str::to_owned),
    })
}

/// Length in bytes and BLAKE3 of a file.
fn hash(sink: &dyn Sink, path: &OutputPath) -> io::Result<(u64, String)> {
    let mut file = sink.existing(path)?;
    let (mut hasher, mut buffer, mut len) = (blake3::Hasher::new(), vec![0; PIECE], 0);
    loop {
        match file.content.read(&mut buffer) {
            Ok(0) => return Ok((len, hasher.finalize().to_hex().to_string())),
            Ok(read) => {
                hasher.update(buffer.get(..read).unwrap_or_default());
                len += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
