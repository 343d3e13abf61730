//! State shared by the passes of one conversion.

use super::class::{Class, class_in};
use super::converted::Input;
use super::engine::Engine;
use super::import_table::Imports;
use super::loss::Loss;
use super::preload_lists::Lists;
use crate::package::legacy::{DataResources, Export};
use crate::package::zen::{self, Header, Neighbours, Resolver};

/// A conversion: its input and the results of its passes.
pub(super) struct ConvertJob<'a, N> {
    pub input: &'a Input<'a>,
    pub header: &'a Header,
    pub world: World<'a, N>,
    pub engine: Engine,
    /// `.uexp` data.
    pub body: &'a [u8],
    pub imports: Imports,
    /// Rows of the export table, without names and offsets.
    pub exports: Vec<Export>,
    pub preload: Lists,
    pub resources: Option<DataResources>,
    /// Facts that cannot be restored.
    pub losses: Vec<Loss>,
}

/// Access to everything outside the package.
pub(super) struct World<'a, N> {
    pub neighbours: &'a N,
    pub resolver: Resolver<'a, N>,
}

impl<N: Neighbours> World<'_, N> {
    /// Returns the class of an export of the package.
    pub(super) fn class_of(&self, export: &zen::Export) -> Option<Class> {
        class_in(self.resolver.class_of(export))
    }
}

impl<'a, N: Neighbours> ConvertJob<'a, N> {
    pub(super) fn new(input: &'a Input<'a>, engine: Engine, body: &'a [u8], neighbours: &'a N) -> Self {
        let header = input.header;
        Self {
            input,
            header,
            world: World { neighbours, resolver: Resolver::new(header, neighbours) },
            engine,
            body,
            imports: Imports::default(),
            exports: Vec::new(),
            preload: Lists::default(),
            resources: None,
            losses: Vec::new(),
        }
    }
}
