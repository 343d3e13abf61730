//! Packages with a kept header, which no rule restores.

use super::body::Body;
use super::check;
use super::error::ToZenError;
use super::source::Source;
use super::zen_package::ZenPackage;
use crate::id::{ObjectRef, PackageId, PackageObjectIndex};
use crate::package::zen::{Header, PublicId};
use crate::wire::{Fault, FaultKind};

/// Builds the package from its kept header, after checking that both fit.
pub(super) fn package(source: &Source<'_>, bytes: &[u8]) -> Result<ZenPackage, ToZenError> {
    let generation = check::generation(source)?;
    check::is_cooked(source.package, generation)?;
    let header = Header::parse(bytes).map_err(ToZenError::Remainder)?;
    let expect = |field, found: u64, expected: u64| {
        let kind = FaultKind::Unexpected { found, expected };
        let fits = found == expected;
        if fits { Ok(()) } else { Err(ToZenError::Remainder(Fault { offset: 0, field, kind })) }
    };
    let exports = source.package.exports.len();
    // A header of another package, or of another version of this one, must not be used.
    expect("exports of the zen package", header.exports.len() as u64, exports as u64)?;
    expect("header length of the zen package", header.header_len, bytes.len() as u64)?;
    expect("id of the zen package", header.id().0, PackageId::from_name(source.name).0)?;
    // The form must be the one asked for, as the header is copied byte for byte.
    if header.generation != generation {
        let (found, release) = (header.generation, source.release);
        return Err(ToZenError::OtherForm { found, release });
    }
    let Body { parts } = Body::new(source, &header)?;
    let recorded = source.remainder.and_then(|remainder| remainder.imported_packages.as_ref());
    let imported_packages = recorded.map_or_else(|| header.imported_packages(), |ids| ids.0.clone());
    Ok(ZenPackage {
        id: PackageId::from_name(source.name),
        imported_objects: objects(&header, &imported_packages),
        bytes: bytes.to_vec(),
        body: parts,
        imported_packages,
        header,
    })
}

/// Returns the imported objects of other packages, in import order. UE4 does not record their packages.
fn objects(header: &Header, packages: &[PackageId]) -> Vec<(PackageId, PublicId)> {
    let object = |index: &PackageObjectIndex| {
        let ObjectRef::Package(import) = index.decode() else { return None };
        let package = packages.get(import.package() as usize)?;
        let hash = header.imported_public_export_hashes.get(import.hash() as usize)?;
        Some((*package, PublicId::Hash(*hash)))
    };
    header.imports.iter().filter_map(object).collect()
}
