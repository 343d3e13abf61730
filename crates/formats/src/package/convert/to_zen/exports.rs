//! The export map.

use super::error::ToZenError;
use super::imports::Imports;
use super::names::Names;
use super::source::Source;
use crate::id::{PackageObjectIndex, public_export_hash};
use crate::package::convert::common::PUBLIC;
use crate::package::legacy::{self, PackageIndex};
use crate::package::zen::{Export, ExportFilter, PublicId};
use crate::version::ZenGeneration;

/// Builds the rows, with the offsets of their generation.
pub(super) fn rows(
    source: &Source<'_>,
    generation: ZenGeneration,
    names: &Names<'_>,
    imports: &Imports,
) -> Result<Vec<Export>, ToZenError> {
    // A localized package is imported under the name of its original.
    let localized = generation.is_ue4().then(|| source.localized_name()).flatten();
    let owner = localized.as_deref().unwrap_or(source.name);
    let header_len = i64::from(source.package.summary.total_header_len);
    // Before 5.3, positions count from the start of the cooker's file.
    let base = if generation.has_trailing_tag() { header_len } else { -source.lost_header_len() };
    let row = |(at, export): (usize, &legacy::Export)| {
        let number = |number: i64| u64::try_from(number).map_err(|_| ToZenError::Overlap { export: at });
        Ok(Export {
            serial_offset: number(export.serial_offset.saturating_sub(base))?,
            serial_len: number(export.serial_len)?,
            name: names.mapped(export.name),
            outer: imports.reference(export.outer),
            class: imports.reference(export.class),
            super_index: imports.reference(export.super_index),
            template: imports.reference(export.template.unwrap_or_default()),
            public: public(source, generation, owner, at, export)?,
            object_flags: export.object_flags,
            filter: filter(export),
        })
    };
    source.package.exports.iter().enumerate().map(row).collect()
}

fn public(
    source: &Source<'_>,
    generation: ZenGeneration,
    owner: &str,
    at: usize,
    export: &legacy::Export,
) -> Result<PublicId, ToZenError> {
    let index = u32::try_from(at).ok().and_then(PackageIndex::export);
    let path = index.and_then(|index| source.package.path(index, owner));
    let path = path.ok_or(ToZenError::ExportOuter { export: at })?;
    let is_public = export.object_flags & PUBLIC != 0;
    let is_asked_for = export.generate_public_hash.unwrap_or_default();
    Ok(match generation.is_ue4() {
        true if is_public => PublicId::GlobalImport(PackageObjectIndex::global_import(&path.to_string())),
        // A private export has no hash, and 0 marks it in the file.
        false if is_public || is_asked_for => PublicId::Hash(public_export_hash(&path.names().join("/"))),
        _ => PublicId::Private,
    })
}

/// Returns the filter. If neither clients nor servers load the export, only clients are recorded, as the
/// engine's packager does.
const fn filter(export: &legacy::Export) -> ExportFilter {
    if export.not_for_client {
        ExportFilter::NotForClient
    } else if export.not_for_server {
        ExportFilter::NotForServer
    } else {
        ExportFilter::None
    }
}
