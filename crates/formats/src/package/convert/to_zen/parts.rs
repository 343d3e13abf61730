//! Parts common to all zen packages, before bundles are known.

use super::error::ToZenError;
use super::imports::Imports;
use super::names::Names;
use super::preload::Preload;
use super::source::Source;
use super::{check, exports, order};
use crate::package::zen::{Header, Neighbours};

/// Tables, and a header with exports and loading steps.
pub(super) struct Parts<'a> {
    pub header: Header,
    pub names: Names<'a>,
    pub imports: Imports,
    pub preload: Preload<'a>,
}

impl<'a> Parts<'a> {
    pub(super) fn new<N: Neighbours>(source: &Source<'a>, neighbours: &N) -> Result<Self, ToZenError> {
        let package = source.package;
        let generation = check::generation(source)?;
        check::is_cooked(package, generation)?;
        let names = Names::new(package, generation, source.name)?;
        let imports = Imports::new(source, generation, neighbours)?;
        let preload = Preload::new(package)?;
        let mut header = Header::new(generation);
        header.exports = exports::rows(source, generation, &names, &imports)?;
        header.bundle_entries = order::steps(&header.exports, &preload, generation)?;
        Ok(Self { header, names, imports, preload })
    }
}
