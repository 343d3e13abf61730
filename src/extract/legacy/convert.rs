//! One package: parse, convert, check, write.

use super::LegacyOptions;
use super::names::AssetName;
use super::report::AssetReport;
use super::world::World;
use crate::error::{Error, Result};
use crate::extract::Overwrite;
use crate::package::convert::{self, Evidence, Input, Target};
use crate::package::zen::Header;
use crate::pipeline::Context;
use crate::sink::{DirectorySink, OutputPath, Sink};
use crate::store::Entry;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How packages are converted.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConvertOptions {
    /// What they are converted for.
    pub target: Target,
    /// Read every asset again and compare its exports with those of the package.
    pub check: bool,
}

/// Converts packages, on any thread.
pub(super) struct Converter {
    pub world: World,
    pub sink: Arc<DirectorySink>,
    pub options: ConvertOptions,
    pub overwrite: Overwrite,
    /// Largest package, in bytes.
    pub limit: u64,
    pub reports: Mutex<Vec<AssetReport>>,
}

/// A package that is to be converted.
pub(super) struct Source<'a> {
    /// The file it comes from, for messages.
    pub path: PathBuf,
    pub header: &'a Header,
    /// All of it.
    pub chunk: &'a [u8],
    pub evidence: Evidence,
}

impl Converter {
    pub(super) fn new(
        world: World,
        sink: Arc<DirectorySink>,
        options: LegacyOptions,
        context: &Context,
    ) -> Self {
        Self {
            world,
            sink,
            options: options.convert,
            overwrite: options.unpack.overwrite,
            limit: context.budget().total(),
            reports: Mutex::default(),
        }
    }

    /// What was converted so far, by path.
    pub(super) fn take_reports(&self) -> Vec<AssetReport> {
        let mut reports = std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner));
        reports.sort_by(|a, b| a.header.cmp(&b.header));
        reports
    }

    /// Converts the package in a chunk and writes its files.
    pub(super) fn convert(&self, entry: Entry, name: &AssetName, chunk: &[u8]) -> Result<()> {
        let packages = &self.world.packages;
        let path = || packages.store().container(entry).map_or_else(PathBuf::new, |c| c.path().to_owned());
        let header = match packages.known(entry) {
            Some(header) => header,
            None => packages
                .remember(entry, Header::parse(chunk).map_err(Error::malformed("zen package", path()))?),
        };
        let source =
            Source { path: path(), header: &header, chunk, evidence: self.world.evidence(entry.container) };
        self.write(&source, name)
    }

    /// Converts a package and writes its files.
    pub(super) fn write(&self, source: &Source<'_>, name: &AssetName) -> Result<()> {
        let problem = |source_error| Error::Convert { source: source_error, path: source.path.clone() };
        let input = Input {
            header: source.header,
            chunk: source.chunk,
            file_stem: Some(name.file_stem()),
            evidence: source.evidence,
        };
        let asset = convert::convert(&input, &self.world, &self.options.target).map_err(problem)?;
        if self.options.check {
            convert::check(&asset, source.header, source.chunk)
                .map_err(|fault| Error::Check { source: fault, path: source.path.clone() })?;
        }
        let (header, exports) = (name.header(asset.is_map), name.exports());
        self.put(&header, &asset.header, &exports, &asset.exports)?;
        self.report(AssetReport::new(source.header, &asset, &header, &exports));
        Ok(())
    }

    /// Writes both files, or neither.
    fn put(
        &self,
        header: &OutputPath,
        header_bytes: &[u8],
        exports: &OutputPath,
        bytes: &[u8],
    ) -> Result<()> {
        if self.overwrite == Overwrite::Different
            && !self.sink.was_empty()
            && self.is_same(header, header_bytes)
            && self.is_same(exports, bytes)
        {
            return Ok(());
        }
        let staged_exports = self.sink.create(exports, bytes.len() as u64)?;
        staged_exports.write_at(0, bytes)?;
        let staged_header = self.sink.create(header, header_bytes.len() as u64)?;
        staged_header.write_at(0, header_bytes)?;
        staged_exports.commit()?;
        staged_header.commit()
    }

    /// Whether a file has this content already.
    fn is_same(&self, path: &OutputPath, bytes: &[u8]) -> bool {
        let Ok(mut file) = self.sink.open_existing(path) else { return false };
        if !file.metadata().is_ok_and(|data| data.len() == bytes.len() as u64) {
            return false;
        }
        let mut buffer = vec![0; bytes.len().clamp(1, 256 << 10)];
        bytes.chunks(buffer.len()).all(|expected| {
            buffer
                .get_mut(..expected.len())
                .is_some_and(|found| file.read_exact(found).is_ok() && found == expected)
        })
    }

    fn report(&self, report: AssetReport) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Length of a chunk that has to be held as a whole.
    pub(super) fn chunk_len(&self, entry: Entry) -> Result<usize> {
        let container = self.world.packages.store().container(entry);
        let found = container.map_or(0, |container| container.toc().chunk_len(entry.chunk));
        let limit = self.limit;
        usize::try_from(found).ok().filter(|_| found <= limit).ok_or_else(|| Error::Limit {
            what: "size of a package that has to be converted at once",
            found,
            limit,
            flag: "--memory",
            path: container.map_or_else(PathBuf::new, |container| container.path().to_owned()),
        })
    }
}
