//! Chunks that are generated while they are written.

use super::game::BaseGame;
use super::origin::CookedFile;
use super::world::{Circles, World};
use crate::error::{Error, Result};
use crate::id::PackageId;
use crate::pack::input::Make;
use crate::package::convert::Remainder;
use crate::package::convert::note;
use crate::package::convert::sidecar::Kept;
use crate::package::convert::to_zen::circles::Loading;
use crate::package::convert::to_zen::{Source, ToZenError, ZenPackage, to_zen};
use crate::package::legacy::Package;
use crate::package::zen::{BundleEntry, Header};
use crate::version::Release;
use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// Settings for the conversion of all packages.
#[derive(Debug)]
pub(super) struct Converter {
    pub release: &'static Release,
    pub game: Option<Arc<BaseGame>>,
    /// Facts that a conversion from zen packages has kept, by the paths of the headers.
    pub sidecars: Arc<HashMap<String, Kept>>,
    /// Packages that need several bundles.
    pub circles: Circles,
    /// Limit for a header, in bytes.
    pub limit: u64,
}

/// Package that is converted when it is written. Until then, only the facts that other packages and the
/// container header need are kept.
#[derive(Debug)]
pub(super) struct MadePackage {
    pub converter: Arc<Converter>,
    pub header: CookedFile,
    pub exports: CookedFile,
    pub name: String,
    /// Length of the chunk in bytes, as planned.
    pub len: u64,
}

/// Package whose header was read.
pub(super) struct Cooked {
    pub package: Package,
    /// True if facts were kept, but for another header.
    pub is_stale: bool,
    /// Kept facts that the package itself lacks.
    remainder: Option<Remainder>,
}

impl Converter {
    /// Reads the header of a package.
    pub(super) fn read(&self, header: &CookedFile) -> Result<Cooked> {
        let bytes = header.read(self.limit)?;
        let package = Package::parse_as(&bytes, self.release);
        let package = package.map_err(Error::malformed("cooked package", &header.shown))?;
        let kept = self.sidecars.get(&header.path);
        let found = kept.and_then(|kept| kept.for_header(&bytes)).cloned();
        let is_stale = kept.is_some() && found.is_none();
        // Without kept facts, a note in the header may still hold the length that the cooker's header had.
        let noted = || {
            let header = bytes.get(..usize::try_from(package.header_len()).ok()?)?;
            let cooked_header_len = Some(note::cooked_header_len(header)?);
            Some(Remainder { cooked_header_len, ..Remainder::default() })
        };
        let remainder = found.or_else(noted);
        Ok(Cooked { package, is_stale, remainder })
    }

    /// Converts a package with a `.uexp` of `exports_len` bytes.
    pub(super) fn convert(
        &self,
        cooked: &Cooked,
        name: &str,
        exports_len: u64,
    ) -> Result<ZenPackage, ToZenError> {
        let bundles = self.circles.bundles(PackageId::from_name(name));
        to_zen(&Source { bundles, ..self.source(cooked, name, exports_len) }, &self.world())
    }

    fn source<'a>(&self, cooked: &'a Cooked, name: &'a str, exports_len: u64) -> Source<'a> {
        Source {
            package: &cooked.package,
            name,
            exports_len,
            release: self.release,
            bundles: None,
            remainder: cooked.remainder.as_ref(),
        }
    }

    fn world(&self) -> World<'_> {
        World { game: self.game.as_deref(), circles: &self.circles }
    }
}

impl MadePackage {
    /// Returns the steps that it waits for while it is loaded.
    pub(super) fn loading(&self) -> Option<Loading> {
        let cooked = self.converter.read(&self.header).ok()?;
        let source = self.converter.source(&cooked, &self.name, self.exports.len);
        Loading::of_source(&source, &self.converter.world()).ok()
    }

    /// Returns its header for these bundles.
    pub(super) fn header_with(&self, bundles: &[Vec<BundleEntry>]) -> Option<Header> {
        let cooked = self.converter.read(&self.header).ok()?;
        let source = self.converter.source(&cooked, &self.name, self.exports.len);
        let zen = to_zen(&Source { bundles: Some(bundles), ..source }, &self.converter.world());
        Some(zen.ok()?.header)
    }
}

impl Make for MadePackage {
    fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        let cooked = self.converter.read(&self.header)?;
        let zen = self.converter.convert(&cooked, &self.name, self.exports.len).ok();
        // The same conversion succeeded before, so any other result means that the files have changed.
        let zen = zen.filter(|zen| zen.chunk_len() == self.len).ok_or_else(|| {
            let changed = io::Error::other("it changed while it was read");
            Error::io("read", &self.header.shown)(changed)
        })?;
        let body = Parts { exports: &self.exports, current: None, left: zen.body.into_iter() };
        // Only the header was converted in memory; the export data is copied from its file.
        Ok(Box::new(io::Cursor::new(zen.bytes).chain(body)))
    }
}

/// Reader of several parts of a file, one after the other.
struct Parts<'a> {
    exports: &'a CookedFile,
    current: Option<Box<dyn Read + Send>>,
    left: std::vec::IntoIter<Range<u64>>,
}

impl Read for Parts<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(current) = &mut self.current {
                let read = current.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
            }
            // The current part is at its end: the next one, or the end of all.
            let Some(part) = self.left.next() else { return Ok(0) };
            self.current = Some(self.exports.open(part).map_err(io::Error::other)?);
        }
    }
}
