//! `.uncask.json` sidecars: package data that legacy files cannot hold.

use crate::error::{Bound, Error, Result, UnsupportedFeature};
use crate::package::convert::sidecar::{Kept, SIDECAR_NAME, Sidecar};
use crate::sink::{OutputPath, Overwrite, Sink, put};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Divisor of the memory budget: the share that may be filled before files are written.
const SHARE: u64 = 16;

/// Sidecar data collected so far, by folder. Nearly all packages since 5.3 need none; older ones need a few hundred
/// bytes each.
#[derive(Debug)]
pub(super) struct Sidecars {
    waiting: Mutex<Waiting>,
    /// Bytes that may wait in memory, and the longest file that is read.
    most: u64,
    limit: u64,
}

/// Data not yet written.
#[derive(Debug, Default)]
struct Waiting {
    folders: BTreeMap<String, Sidecar>,
    /// Approximate memory used, in bytes.
    len: u64,
    /// Errors of files that could not be written.
    failed: Vec<(String, Error)>,
}

impl Sidecars {
    /// Uses no more than a part of `budget` bytes, except while a file is written.
    pub(super) fn new(budget: u64) -> Self {
        Self { waiting: Mutex::default(), most: budget / SHARE, limit: budget }
    }

    /// Adds the data of the package with this header path. Writes to disk when too much is waiting.
    pub(super) fn add(&self, header: &OutputPath, kept: Kept, sink: &dyn Sink) {
        let mut waiting = self.lock();
        let folder = waiting.folders.entry(header.directory().to_owned()).or_default();
        let len = header.file_name().len() + kept.memory_len();
        folder.packages.insert(header.file_name().to_owned(), kept);
        waiting.len += len as u64;
        if waiting.len > self.most {
            waiting.write(sink, self.limit);
        }
    }

    /// Writes the files, keeping entries of other packages from earlier runs. Returns the errors.
    pub(super) fn finish(&self, sink: &dyn Sink) -> Vec<(String, Error)> {
        let mut waiting = self.lock();
        waiting.write(sink, self.limit);
        std::mem::take(&mut waiting.failed)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn write(&mut self, sink: &dyn Sink, limit: u64) {
        self.len = 0;
        for (folder, sidecar) in std::mem::take(&mut self.folders) {
            let path = OutputPath::sanitize(&format!("{folder}/{SIDECAR_NAME}"));
            if let Err(error) = write(sink, &path, sidecar, limit) {
                self.failed.push((path.to_string(), error));
            }
        }
    }
}

fn write(sink: &dyn Sink, path: &OutputPath, sidecar: Sidecar, limit: u64) -> Result<()> {
    // Merge with the file on disk: this run may cover only a part of the folder.
    let mut all = existing(sink, path, limit)?.unwrap_or_default();
    all.packages.extend(sidecar.packages);
    let bytes = all.write().map_err(|error| Error::Unsupported {
        what: UnsupportedFeature::Sidecar(error),
        path: PathBuf::from(path.as_str()),
    })?;
    put(sink, path, &bytes, Overwrite::Always).map(drop)
}

/// Reads the existing sidecar. An invalid one is replaced.
fn existing(sink: &dyn Sink, path: &OutputPath, limit: u64) -> Result<Option<Sidecar>> {
    let Ok(found) = sink.existing(path) else { return Ok(None) };
    let len = found.len;
    if len > limit {
        let path = PathBuf::from(path.as_str());
        let what = "size of the existing .uncask.json";
        return Err(Error::Limit { what, found: len, limit, bound: Bound::Memory, path });
    }
    let mut bytes = Vec::new();
    found.content.take(limit).read_to_end(&mut bytes).map_err(Error::io("read", path.as_str()))?;
    Ok(Sidecar::parse(&bytes).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::MemorySink;

    const ENTRY: &str = r#"{"blake3": "00", "loading": {"steps": "AAEC", "graph": ""}}"#;

    fn kept() -> Kept {
        let text = format!(r#"{{"schema": "uncask.sidecar/1", "packages": {{"A": {ENTRY}}}}}"#);
        let mut packages = Sidecar::parse(text.as_bytes()).unwrap().packages;
        packages.pop_first().unwrap().1
    }

    /// Writes the data of many packages in two folders, with a given amount of memory.
    fn written(budget: u64) -> (MemorySink, u64) {
        let (sink, sidecars) = (MemorySink::default(), Sidecars::new(budget));
        let mut most = 0;
        for at in 0..200 {
            let header = OutputPath::sanitize(&format!("Game/{}/Level{at}.umap", at % 2));
            sidecars.add(&header, kept(), &sink);
            most = most.max(sidecars.lock().len);
        }
        assert!(sidecars.finish(&sink).is_empty());
        (sink, most)
    }

    #[test]
    fn what_waits_takes_no_more_than_its_share_of_the_memory() {
        let ((much, waited), (little, most)) = (written(64 << 20), written(64 << 10));
        assert!(waited > 16 << 10 && most <= (64 << 10) / SHARE, "{waited} {most}");
        assert_eq!(much.files(), little.files());
        assert_eq!(much.files().len(), 2);
    }

    #[test]
    fn a_file_that_does_not_fit_into_memory_is_an_error_and_stays() {
        let (sink, _) = written(64 << 20);
        let before = sink.files();
        let sidecars = Sidecars::new(4 << 10);
        sidecars.add(&OutputPath::sanitize("Game/0/New.umap"), kept(), &sink);
        let failed = sidecars.finish(&sink);
        let [(path, error)] = &failed[..] else { panic!("{failed:?}") };
        assert_eq!(path, "Game/0/.uncask.json");
        assert!(error.to_string().contains("size of the existing .uncask.json"), "{error}");
        assert_eq!(sink.files(), before);
    }
}
