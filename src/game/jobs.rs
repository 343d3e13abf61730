//! Whole jobs, in the form that the command line needs: planned, limited, shared and watched by the caller.
//!
//! ```text
//! select ─► outputs ─► (dry run, limit, share) ─► unpack ─► Outcome ─► manifest
//! ```
//!
//! [`ChunkJob`](super::ChunkJob) is the short way to the same jobs.

use super::Game;
use crate::error::Result;
use crate::export::{ExportInputs, ExportOptions, ExportedAssets, GalleryAsset, export, gallery};
use crate::extract::legacy::{
    LegacyOptions, LegacyOutputs, LoosePackages, RebuiltAssets, loose_to_legacy, to_legacy,
};
use crate::extract::{
    ChunkStream, Manifest, ManifestHead, ManifestProblem, Outputs, SourceFiles, UnpackOptions,
};
use crate::extract::{check_manifests, read_chunk, unpack, verify};
use crate::job::{Cpu, Outcome};
use crate::pipeline::Check;
use crate::sink::Sink;
use crate::store::Entry;
use crate::texts::{TextFiles, find_texts};
use crate::values::{PackageInputs, ValueOptions, ValuesRead};
use std::path::PathBuf;
use std::sync::Arc;

impl Game {
    /// Decodes every chunk and compares it with its recorded hash; nothing is written.
    pub fn verify(&self, entries: &[Entry], fail_fast: bool) -> Result<Outcome> {
        self.run(true, async |context| verify(&self.store, entries, context, fail_fast).await)
    }

    /// Decodes every chunk and drops the bytes, without comparing anything: for measuring that.
    pub fn decode(&self, entries: &[Entry]) -> Result<Outcome> {
        self.run(false, async |context| verify(&self.store, entries, context, false).await)
    }

    /// Writes chunks as files.
    pub fn unpack(&self, outputs: Outputs, sink: Arc<dyn Sink>, options: UnpackOptions) -> Result<Outcome> {
        self.run(options.verify, async |context| unpack(&self.store, outputs, sink, context, options).await)
    }

    /// Writes packages as the cooker wrote them: `.uasset` or `.umap`, `.uexp`, and bulk data files.
    pub fn to_legacy(
        &self,
        outputs: LegacyOutputs,
        sink: Arc<dyn Sink>,
        options: LegacyOptions,
    ) -> Result<Outcome<RebuiltAssets>> {
        let packages = Arc::clone(&self.packages);
        let job = async |context: &_| to_legacy(packages, outputs, sink, context, options).await;
        self.run(options.unpack.verify, job)
    }

    /// Writes zen packages that are files on their own as the cooker wrote them, with the names that this game has.
    pub fn loose_to_legacy(
        &self,
        loose: LoosePackages,
        sink: Arc<dyn Sink>,
        options: LegacyOptions,
    ) -> Result<Outcome<RebuiltAssets>> {
        let packages = Arc::clone(&self.packages);
        let job = async |context: &_| loose_to_legacy(packages, loose, sink, context, options).await;
        self.run(options.unpack.verify, job)
    }

    /// Writes assets as files in common formats: pictures, sounds, meshes, animations, fonts, videos.
    pub fn export(
        &self,
        inputs: ExportInputs,
        sink: Arc<dyn Sink>,
        options: ExportOptions,
        values: ValueOptions,
    ) -> Result<Outcome<ExportedAssets>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| export(packages, inputs, sink, context, options, values).await)?
    }

    /// Calls a function with every asset of some packages and its small picture, in their order.
    pub fn gallery(
        &self,
        inputs: PackageInputs,
        values: ValueOptions,
        found: impl FnMut(GalleryAsset) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| gallery(packages, inputs, context, values, found).await)?
    }

    /// Hands the content of a chunk to a function, part by part and in order, in bounded memory; says how it compares with the
    /// recorded hash. An error of the function ends the reading.
    pub fn copy_chunk(&self, entry: Entry, each: impl FnMut(&[u8]) -> Result<()>) -> Result<Check> {
        self.run(true, async |context| read_chunk(&self.store, entry, context, each).await)?
    }

    /// The content of a chunk as a stream, for a program with a runtime of its own. Its hash is compared at the end.
    pub fn stream(&self, entry: Entry) -> Result<ChunkStream> {
        ChunkStream::open(&self.store, entry, &self.context(true))
    }

    /// Every `.locres` in the containers, and below these files and folders.
    pub fn find_texts(&self, roots: &[PathBuf]) -> Result<TextFiles> {
        self.run(true, async |context| find_texts(&self.store, roots, context).await)
    }

    /// A manifest of what [`unpack`](Self::unpack) wrote.
    #[must_use]
    pub fn manifest(&self, head: ManifestHead, outputs: &Outputs, sink: &dyn Sink) -> Manifest {
        Manifest::new(head, &self.store, outputs, sink)
    }

    /// A manifest of what [`to_legacy`](Self::to_legacy) wrote.
    #[must_use]
    pub fn legacy_manifest(
        &self,
        head: ManifestHead,
        outputs: &LegacyOutputs,
        rebuilt: &RebuiltAssets,
        sink: &dyn Sink,
    ) -> Manifest {
        Manifest::legacy(head, &self.store, outputs, &rebuilt.assets, sink)
    }

    /// A manifest of what [`export`](Self::export) wrote.
    #[must_use]
    pub fn export_manifest(&self, head: ManifestHead, complete: &[SourceFiles], sink: &dyn Sink) -> Manifest {
        Manifest::of_sources(head, &self.store, complete, sink)
    }
}

impl Manifest {
    /// Compares the files of a folder with the manifests of the runs that wrote it.
    #[must_use]
    pub fn check_all(manifests: &[Self], sink: &dyn Sink, cpu: &Cpu) -> Vec<ManifestProblem> {
        check_manifests(manifests, sink, cpu)
    }
}
