//! Converts one package: parse, convert, check, write.

use super::names::AssetName;
use super::options::{ConvertOptions, LegacyOptions};
use super::report::AssetReport;
use super::sidecars::Sidecars;
use super::world::World;
use crate::error::{Bound, Error, Result};
use crate::job::{Context, Outcome};
use crate::package::convert::sidecar::Kept;
use crate::package::convert::{self, Asset, Converted, Evidence, Input};
use crate::package::zen::Header;
use crate::sink::{Overwrite, PutOutcome, Sink, put_together};
use crate::store::Entry;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Converter of packages, shared by all threads.
pub(super) struct Converter {
    pub world: World,
    pub sink: Arc<dyn Sink>,
    pub options: ConvertOptions,
    pub overwrite: Overwrite,
    /// The largest package accepted, in bytes.
    pub limit: u64,
    pub reports: Mutex<Vec<AssetReport>>,
    pub sidecars: Sidecars,
    /// Packages and bulk data whose existing files stayed, with their lengths.
    stayed: Mutex<Outcome>,
}

/// A package to be converted.
pub(super) struct Source<'a> {
    /// Its file, for messages.
    pub path: PathBuf,
    pub header: &'a Header,
    /// The whole chunk.
    pub chunk: &'a [u8],
    /// Position in the store of its container.
    pub container: Option<usize>,
}

impl Converter {
    pub(super) fn new(world: World, sink: Arc<dyn Sink>, options: LegacyOptions, context: &Context) -> Self {
        Self {
            world,
            sink,
            options: options.convert,
            overwrite: options.unpack.overwrite,
            limit: context.budget().total(),
            reports: Mutex::default(),
            sidecars: Sidecars::new(context.budget().total()),
            stayed: Mutex::default(),
        }
    }

    /// Takes the counts of chunks that were read but did not have to be written.
    pub(super) fn take_stayed(&self) -> Outcome {
        std::mem::take(&mut *self.stayed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the reports so far, sorted by path.
    pub(super) fn take_reports(&self) -> Vec<AssetReport> {
        let mut reports = std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner));
        // Workers finish in any order; sorting makes the report reproducible.
        reports.sort_by(|a, b| a.header.cmp(&b.header));
        reports
    }

    /// Converts the package of a chunk and writes its files.
    pub(super) fn convert(&self, entry: Entry, name: &AssetName, chunk: &[u8]) -> Result<()> {
        let packages = &self.world.packages;
        let path = || packages.store().container(entry).map_or_else(PathBuf::new, |c| c.path().to_owned());
        // A neighbour may have caused the header to be parsed already.
        let header = match packages.known(entry) {
            Some(header) => header,
            None => packages
                .remember(entry, Header::parse(chunk).map_err(Error::malformed("zen package", path()))?),
        };
        let source = Source { path: path(), header: &header, chunk, container: Some(entry.container) };
        self.write(&source, name)
    }

    /// Converts a package and writes its files.
    pub(super) fn write(&self, source: &Source<'_>, name: &AssetName) -> Result<()> {
        let problem = |source_error| Error::Convert { source: source_error, path: source.path.clone() };
        // With a given release no clues are needed; gathering them reads other packages.
        let clues = match self.options.target.release {
            Some(_) => Vec::new(),
            None => self.world.clues(source.header, source.container),
        };
        let input = Input {
            header: source.header,
            chunk: source.chunk,
            file_stem: Some(name.file_stem()),
            evidence: Evidence { clues: &clues },
        };
        let converted = convert::convert(&input, &self.world, &self.options.target);
        let asset = converted.and_then(Converted::write).map_err(problem)?;
        // The check reads the result back, before anything is on disk.
        if self.options.check {
            convert::check(&asset, source.header, source.chunk)
                .map_err(|fault| Error::Check { source: fault, path: source.path.clone() })?;
        }
        let Asset { header: header_bytes, converted } = &asset;
        let (header, exports) = (name.header(converted.is_map), name.exports());
        let files = [(&header, &**header_bytes), (&exports, &*converted.body)];
        // Header and exports only load together, so they replace existing files together.
        let put = put_together(&*self.sink, &files, self.overwrite)?;
        self.note(put, source.chunk.len() as u64);
        if self.options.sidecar
            && let Some(kept) = Kept::of(source.header, source.chunk, &asset, &self.world)
        {
            self.sidecars.add(&header, kept, &*self.sink);
        }
        self.report(AssetReport::new(source.header, converted, &header, &exports));
        Ok(())
    }

    /// Counts a package or bulk data of this length if its existing files stayed.
    pub(super) fn note(&self, put: PutOutcome, len: u64) {
        if put != PutOutcome::Written {
            let mut stayed = self.stayed.lock().unwrap_or_else(PoisonError::into_inner);
            stayed.count_left(put);
            stayed.raw_bytes += len;
        }
    }

    fn report(&self, report: AssetReport) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Length of a chunk that must fit in memory as a whole.
    pub(super) fn chunk_len(&self, entry: Entry) -> Result<usize> {
        let container = self.world.packages.store().container(entry);
        let found = container.map_or(0, |container| container.table().chunk_len(entry.chunk));
        let limit = self.limit;
        usize::try_from(found).ok().filter(|_| found <= limit).ok_or_else(|| Error::Limit {
            what: "size of a package that has to be converted at once",
            found,
            limit,
            bound: Bound::Memory,
            path: container.map_or_else(PathBuf::new, |container| container.path().to_owned()),
        })
    }
}
