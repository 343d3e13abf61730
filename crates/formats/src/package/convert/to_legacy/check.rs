//! Reads a converted asset back and compares it with its zen package.

use super::body;
use super::converted::Asset;
use crate::package::legacy::{END_TAG, Package};
use crate::package::zen::Header;
use crate::wire::Fault;

/// Errors from comparing an asset with its package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckFault {
    /// The header cannot be read.
    #[error("the header cannot be read: {0}")]
    Header(#[from] Fault),
    /// A number differs.
    #[error("{what} is {found}, expected {expected}")]
    Number {
        /// Name of the number, such as "number of exports".
        what: &'static str,
        /// Value in the asset.
        found: i64,
        /// Value in the package.
        expected: i64,
    },
    /// The data of an export differs.
    #[error("the data of export {export} ({name}) differs")]
    Data {
        /// Export index.
        export: usize,
        /// Export name.
        name: String,
    },
}

/// Reads the header of an asset with the reader for legacy packages, and compares its exports with those of
/// the zen package byte by byte.
pub fn check(asset: &Asset<'_>, header: &Header, chunk: &[u8]) -> Result<(), CheckFault> {
    let Asset { header: written, converted } = asset;
    let package = Package::parse_as(written, converted.release)?;
    let len = |len: usize| i64::try_from(len).unwrap_or(i64::MAX);
    same("length of the header", package.summary.total_header_len.into(), len(written.len()))?;
    same("number of exports", len(package.exports.len()), len(header.exports.len()))?;
    let data = converted.body.strip_suffix(&END_TAG).unwrap_or(&converted.body);
    let bulk = package.summary.bulk_data_start.unwrap_or(0);
    let all: i64 = package.exports.iter().map(|export| export.serial_len).sum();
    same("start of bulk data", bulk, len(written.len()) + all)?;
    let ranges = header.export_ranges()?;
    for (at, (export, range)) in package.exports.iter().zip(&ranges).enumerate() {
        let expected = body::part(chunk, range)?;
        same("size of an export", export.serial_len, len(expected.len()))?;
        // Offsets count through both files, and the data starts after the header.
        let start = usize::try_from(export.serial_offset - len(written.len())).ok();
        let found = start.and_then(|start| data.get(start..)?.get(..expected.len()));
        if found != Some(expected) {
            let name = header.exports.get(at).map(|export| header.text(export.name).to_string());
            return Err(CheckFault::Data { export: at, name: name.unwrap_or_default() });
        }
    }
    Ok(())
}

const fn same(what: &'static str, found: i64, expected: i64) -> Result<(), CheckFault> {
    if found == expected { Ok(()) } else { Err(CheckFault::Number { what, found, expected }) }
}
