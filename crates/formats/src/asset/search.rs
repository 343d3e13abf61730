//! Where payloads start.
//!
//! After the properties, if these can be decoded. If not, everywhere: payloads are so redundant that hardly any place but the
//! right one can be read to the last byte of the export.

use super::error::{AssetError, Reason};
use super::payload::Payload;
use super::{Asset, ReadPayload};
use crate::package::legacy::{Export, VersionEvidence};
use crate::property::{Object, Scope};
use crate::version::{AssetVersions, CustomVersionKey, Release};
use crate::wire::{Fault, Reader, Writer};
use std::sync::Arc;

/// An asset that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<'a> {
    /// What it is.
    pub asset: Asset<'a>,
    /// Name of its class.
    pub class: Arc<str>,
    /// Where its payload starts in the export.
    pub payload_at: usize,
    /// Its properties could not be decoded: the payload was searched for, and what only properties say is not known.
    pub searched: bool,
    /// The versions by which it was read.
    pub versions: AssetVersions,
}

impl Found<'_> {
    /// A cursor over a piece of bulk data that belongs to the asset: `scope`, `export` and `object` are those that it was read with.
    #[must_use]
    pub const fn bulk_payload<'s, 'b>(
        &'s self,
        scope: &'s Scope<'b>,
        export: &'s Export,
        object: &'s Object,
        bytes: &'b [u8],
    ) -> Payload<'s, 'b> {
        Payload { scope, export, object, class: &self.class, versions: self.versions, r: Reader::new(bytes) }
    }
}

/// Properties that are longer are not skipped.
const MAX_PROPERTIES: usize = 8192;

/// Bytes that failed attempts may read for each byte of the export, and in any case: hostile payloads fail late.
const MAX_WORK: (usize, usize) = (64, 1 << 20);

/// Reads an export of a class.
pub(super) fn read<'a>(
    scope: &Scope<'a>,
    export: &Export,
    object: &Object,
    class: &Arc<str>,
    read: ReadPayload,
) -> Result<Found<'a>, AssetError> {
    let candidates = candidates(scope);
    let release = candidates.first().map_or(Release::newest(), |versions| versions.release);
    let error = |reason| AssetError { class: Arc::clone(class), release, reason };
    let bytes = scope.bytes(export).ok_or_else(|| error(Reason::NoData))?;
    let found = |asset, at, versions, searched| Found {
        asset,
        class: Arc::clone(class),
        payload_at: at,
        searched,
        versions,
    };
    let mut attempt = Attempt { scope, export, class, read, bytes, work: work(bytes.len()) };
    let is_decoded = object.properties.is_some() && object.problem.is_none();
    if is_decoded {
        let at = bytes.len() - object.rest.len() - len_of_tail(object);
        let mut first = None;
        for versions in candidates {
            match attempt.at(at, object, versions) {
                Ok(asset) => return Ok(found(asset, at, versions, false)),
                Err(fault) => drop(first.get_or_insert(fault)),
            }
        }
        return Err(error(first.map_or(Reason::NotFound, Reason::Fault)));
    }
    let (at, asset, versions) = attempt.anywhere(&candidates).ok_or_else(|| error(Reason::NotFound))?;
    Ok(found(asset, at, versions, true))
}

/// Bytes of a payload that were read as values already: what follows the GUID, of classes that are described there, too.
fn len_of_tail(object: &Object) -> usize {
    let mut w = Writer::new();
    let written = object.tail.fields.iter().skip(1).try_for_each(|(_, value)| value.write(&mut w));
    written.map_or(0, |()| w.len())
}

const fn work(len: usize) -> usize {
    len.saturating_mul(MAX_WORK.0).saturating_add(MAX_WORK.1)
}

struct Attempt<'t, 'a> {
    scope: &'t Scope<'a>,
    export: &'t Export,
    class: &'t Arc<str>,
    read: ReadPayload,
    bytes: &'a [u8],
    /// Bytes that may still be read.
    work: usize,
}

impl<'a> Attempt<'_, 'a> {
    /// Reads a payload that starts at a place.
    fn at(&mut self, at: usize, object: &Object, versions: AssetVersions) -> Result<Asset<'a>, Fault> {
        let r = Reader::at(self.bytes, at as u64, "payload")?;
        let mut payload =
            Payload { scope: self.scope, export: self.export, object, class: self.class, versions, r };
        let asset = (self.read)(&mut payload).and_then(|asset| {
            payload.r.finish("payload")?;
            Ok(asset)
        });
        self.work = self.work.saturating_sub(payload.r.position() + 1);
        asset
    }

    /// The last place at which a payload can be read, by the first of some versions by which it can be at all.
    fn anywhere(&mut self, candidates: &[AssetVersions]) -> Option<(usize, Asset<'a>, AssetVersions)> {
        candidates.iter().find_map(|versions| {
            let (at, asset) = self.anywhere_as(*versions)?;
            Some((at, asset, *versions))
        })
    }

    fn anywhere_as(&mut self, versions: AssetVersions) -> Option<(usize, Asset<'a>)> {
        let unknown = Object::default();
        let mut found = None;
        for at in 0..self.bytes.len().min(MAX_PROPERTIES) {
            // No GUID: the flag in front is zero.
            if self.bytes.get(at..at + 4) != Some(&[0; 4]) {
                continue;
            }
            if self.work == 0 {
                break;
            }
            if let Ok(asset) = self.at(at + 4, &unknown, versions) {
                found = Some((at + 4, asset));
            }
        }
        found
    }
}

fn candidates(scope: &Scope<'_>) -> Vec<AssetVersions> {
    let package = scope.package;
    let custom = |key: CustomVersionKey| {
        let versions = &package.summary.custom_versions;
        versions.iter().find(|found| found.key.0 == key.to_bytes()).map(|found| found.number)
    };
    let release = match package.evidence {
        VersionEvidence::File => None,
        VersionEvidence::Given(name) | VersionEvidence::Probed(name) => Release::from_name(name),
    };
    AssetVersions::candidates(package.form.versions, release, custom)
}
