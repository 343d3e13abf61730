//! One package: parse, convert, check, write.

use super::names::AssetName;
use super::options::{ConvertOptions, LegacyOptions};
use super::report::AssetReport;
use super::sidecars::Sidecars;
use super::world::World;
use crate::error::{Bound, Error, Result};
use crate::extract::Overwrite;
use crate::job::Context;
use crate::package::convert::sidecar::Kept;
use crate::package::convert::{self, Asset, Converted, Evidence, Input};
use crate::package::zen::Header;
use crate::sink::{OutputPath, Sink};
use crate::store::Entry;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Converts packages, on any thread.
pub(super) struct Converter {
    pub world: World,
    pub sink: Arc<dyn Sink>,
    pub options: ConvertOptions,
    pub overwrite: Overwrite,
    /// Files may be there already.
    pub may_exist: bool,
    /// Largest package, in bytes.
    pub limit: u64,
    pub reports: Mutex<Vec<AssetReport>>,
    pub sidecars: Sidecars,
    /// Packages whose files were there already, byte for byte, and how long these packages are.
    unchanged: (AtomicU64, AtomicU64),
}

/// A package that is to be converted.
pub(super) struct Source<'a> {
    /// The file it comes from, for messages.
    pub path: PathBuf,
    pub header: &'a Header,
    /// All of it.
    pub chunk: &'a [u8],
    /// The container that it comes from, by its position in the store.
    pub container: Option<usize>,
}

impl Converter {
    pub(super) fn new(world: World, sink: Arc<dyn Sink>, options: LegacyOptions, context: &Context) -> Self {
        Self {
            world,
            may_exist: !sink.is_empty(),
            sink,
            options: options.convert,
            overwrite: options.unpack.overwrite,
            limit: context.budget().total(),
            reports: Mutex::default(),
            sidecars: Sidecars::new(context.budget().total()),
            unchanged: Default::default(),
        }
    }

    /// Number and bytes of the packages whose files did not have to be written again.
    pub(super) fn unchanged(&self) -> (u64, u64) {
        (self.unchanged.0.load(Ordering::Relaxed), self.unchanged.1.load(Ordering::Relaxed))
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
        let source = Source { path: path(), header: &header, chunk, container: Some(entry.container) };
        self.write(&source, name)
    }

    /// Converts a package and writes its files.
    pub(super) fn write(&self, source: &Source<'_>, name: &AssetName) -> Result<()> {
        let problem = |source_error| Error::Convert { source: source_error, path: source.path.clone() };
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
        if self.options.check {
            convert::check(&asset, source.header, source.chunk)
                .map_err(|fault| Error::Check { source: fault, path: source.path.clone() })?;
        }
        let Asset { header: header_bytes, converted } = &asset;
        let (header, exports) = (name.header(converted.is_map), name.exports());
        if !self.put(&header, header_bytes, &exports, &converted.body)? {
            self.note_unchanged(source.chunk.len() as u64);
        }
        if self.options.sidecar
            && let Some(kept) = Kept::of(source.header, source.chunk, &asset, &self.world)
        {
            self.sidecars.add(&header, kept, &*self.sink);
        }
        self.report(AssetReport::new(source.header, converted, &header, &exports));
        Ok(())
    }

    /// Writes both files, or neither; says whether they had to be written.
    fn put(
        &self,
        header: &OutputPath,
        header_bytes: &[u8],
        exports: &OutputPath,
        bytes: &[u8],
    ) -> Result<bool> {
        if self.has_file(header, header_bytes.len() as u64, &mut &*header_bytes)
            && self.has_file(exports, bytes.len() as u64, &mut &*bytes)
        {
            return Ok(false);
        }
        let staged_exports = self.sink.create(exports, bytes.len() as u64)?;
        staged_exports.write_at(0, bytes)?;
        let staged_header = self.sink.create(header, header_bytes.len() as u64)?;
        staged_header.write_at(0, header_bytes)?;
        staged_exports.commit()?;
        staged_header.commit()?;
        Ok(true)
    }

    /// Notes that the files of a package, or of bulk data, of this length did not have to be written again.
    pub(super) fn note_unchanged(&self, len: u64) {
        self.unchanged.0.fetch_add(1, Ordering::Relaxed);
        self.unchanged.1.fetch_add(len, Ordering::Relaxed);
    }

    /// Whether a file has this content already, and may stay.
    pub(super) fn has_file(&self, path: &OutputPath, len: u64, expected: &mut dyn Read) -> bool {
        if self.overwrite != Overwrite::Different || !self.may_exist {
            return false;
        }
        let existing = self.sink.existing(path);
        existing.is_ok_and(|mut file| file.len == len && is_same(&mut *file.content, expected, len))
    }

    fn report(&self, report: AssetReport) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Length of a chunk that has to be held as a whole.
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

/// Whether two streams give the same `len` bytes.
fn is_same(a: &mut dyn Read, b: &mut dyn Read, len: u64) -> bool {
    const PIECE: usize = 128 << 10;
    let (mut left, piece) = (len, usize::try_from(len).unwrap_or(PIECE).clamp(1, PIECE));
    let (mut from_a, mut from_b) = (vec![0; piece], vec![0; piece]);
    while left > 0 {
        let wanted = piece.min(usize::try_from(left).unwrap_or(piece));
        let (Some(a_bytes), Some(b_bytes)) = (from_a.get_mut(..wanted), from_b.get_mut(..wanted)) else {
            return false;
        };
        if a.read_exact(a_bytes).is_err() || b.read_exact(b_bytes).is_err() || a_bytes != b_bytes {
            return false;
        }
        left -= wanted as u64;
    }
    true
}
