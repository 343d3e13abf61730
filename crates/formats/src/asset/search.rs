//! Search for the start of payloads.
//!
//! A payload follows the properties if these can be decoded. Otherwise every position is tried: payloads are
//! so redundant that hardly any but the right one can be read to the last byte of the export.

use super::error::{AssetError, Reason};
use super::payload::Payload;
use super::{Asset, ReadPayload};
use crate::package::legacy::{Export, VersionEvidence};
use crate::property::{Object, Scope};
use crate::version::{AssetVersions, CustomVersionKey, Release};
use crate::wire::{Fault, Reader, Writer};
use std::sync::Arc;

/// Asset with the circumstances of reading it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAsset<'a> {
    /// The asset.
    pub asset: Asset<'a>,
    /// Name of its class.
    pub class: Arc<str>,
    /// Start of the payload in the export, in bytes.
    pub payload_at: usize,
    /// True if the properties could not be decoded and the payload was searched for: facts that only
    /// properties hold are then unknown.
    pub searched: bool,
    /// Versions by which it was read.
    pub versions: AssetVersions,
}

impl FoundAsset<'_> {
    /// Returns a cursor over bulk data of the asset; `scope`, `export` and `object` are those that it was
    /// read with.
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

/// Limit of positions that are tried: longer properties are not skipped.
const MAX_PROPERTIES: usize = 8192;

/// Limit of bytes that failed attempts read, per byte of the export and plus a constant: hostile payloads
/// fail late.
const MAX_WORK: (usize, usize) = (64, 1 << 20);

/// Reads an export of a class, whose assets may be values alone.
pub(super) fn read<'a>(
    scope: &Scope<'a>,
    export: &Export,
    object: &Object,
    class: &Arc<str>,
    (read, is_of_values): (ReadPayload, bool),
) -> Result<FoundAsset<'a>, AssetError> {
    let candidates = candidates(scope);
    let release = candidates.first().map_or(Release::newest(), |versions| versions.release);
    let error = |reason| AssetError { class: Arc::clone(class), release, reason };
    let bytes = scope.bytes(export).ok_or_else(|| error(Reason::NoData))?;
    let found = |asset, at, versions, searched| FoundAsset {
        asset,
        class: Arc::clone(class),
        payload_at: at,
        searched,
        versions,
    };
    let mut attempt = Attempt { scope, export, class, read, bytes, work: work(bytes.len()) };
    if is_of_values {
        // No payload has to be found, whether the properties could be read or not.
        let versions = candidates.first().copied().ok_or_else(|| error(Reason::NotFound))?;
        let at = bytes.len() - object.rest.len();
        let asset = attempt.at(at, object, versions).map_err(|fault| error(Reason::Fault(fault)))?;
        return Ok(found(asset, at, versions, object.properties.is_none()));
    }
    // Half-decoded properties end at an unknown place, so they are searched past like unknown ones.
    let is_decoded = object.properties.is_some() && object.problem.is_none();
    if is_decoded {
        let at = bytes.len() - object.rest.len() - len_of_tail(object);
        // The first candidate is the most likely one, so its fault explains a failure best.
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

/// Returns the bytes of the payload that were already read as values: those after the GUID, for classes whose
/// payload has a schema.
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
    /// Bytes that may still be read by failed attempts.
    work: usize,
}

impl<'a> Attempt<'_, 'a> {
    /// Reads a payload at one position.
    fn at(&mut self, at: usize, object: &Object, versions: AssetVersions) -> Result<Asset<'a>, Fault> {
        let r = Reader::at(self.bytes, at as u64, "payload")?;
        let mut payload =
            Payload { scope: self.scope, export: self.export, object, class: self.class, versions, r };
        let asset = (self.read)(&mut payload).and_then(|asset| {
            // A reader that leaves bytes read another layout.
            payload.r.finish("payload")?;
            Ok(asset)
        });
        self.work = self.work.saturating_sub(payload.r.position() + 1);
        asset
    }

    /// Finds the last position with a readable payload, for the first versions that have one.
    fn anywhere(&mut self, candidates: &[AssetVersions]) -> Option<(usize, Asset<'a>, AssetVersions)> {
        candidates.iter().find_map(|versions| {
            let (at, asset) = self.anywhere_as(*versions)?;
            Some((at, asset, *versions))
        })
    }

    fn anywhere_as(&mut self, versions: AssetVersions) -> Option<(usize, Asset<'a>)> {
        // Without properties, readers use the engine's defaults.
        let unknown = Object::default();
        let mut found = None;
        for at in 0..self.bytes.len().min(MAX_PROPERTIES) {
            // The flag before a payload says that no GUID follows: four zeros.
            if self.bytes.get(at..at + 4) != Some(&[0; 4]) {
                continue;
            }
            if self.work == 0 {
                break;
            }
            if let Ok(asset) = self.at(at + 4, &unknown, versions) {
                // The last hit counts: earlier ones are chance matches inside the properties.
                found = Some((at + 4, asset));
            }
        }
        found
    }
}

pub(super) fn candidates(scope: &Scope<'_>) -> Vec<AssetVersions> {
    let package = scope.package;
    // A version missing from the list is the release's own: cookers record only the versions that a
    // serialiser declared.
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
