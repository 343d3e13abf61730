//! Choosing chunks and packages, and listing what is known about them without decoding any.

use super::{Game, GameError};
use crate::compare::{self, By, Conflict, Diff, Overview, UsageRow};
use crate::container::script_objects::ScriptObjects;
use crate::error::Result;
use crate::export::{ExportInputs, ExportOptions, media_files};
use crate::extract::legacy::{LegacyOutputs, LegacySelection};
use crate::extract::{self, Filter, FindError, ManifestHead, Outputs, Shard, WithDependencies};
use crate::id::PackageId;
use crate::store::packages::{Direction, Walk};
use crate::store::{Chunk, Entry};
use crate::values::PackageInputs;
use std::collections::BTreeMap;

/// Class of the package that a chunk belongs to, if it is known.
pub type ClassOf<'a> = &'a dyn Fn(Entry) -> Option<String>;

impl Game {
    /// Entries of the chunks that match a filter: of those that win, or also of those that another container overrides.
    #[must_use]
    pub fn select(&self, filter: &Filter, with_overridden: bool) -> Vec<Entry> {
        filter.select(&self.store, with_overridden)
    }

    /// Positions of the filter's patterns that match nothing here.
    #[must_use]
    pub fn idle_patterns(&self, filter: &Filter) -> Vec<usize> {
        filter.idle_patterns(&self.store)
    }

    /// Positions of the filter's exclusions that match nothing here.
    #[must_use]
    pub fn idle_exclusions(&self, filter: &Filter) -> Vec<usize> {
        filter.idle_exclusions(&self.store)
    }

    /// Positions of the filter's listed files that name nothing here.
    #[must_use]
    pub fn idle_files(&self, filter: &Filter) -> Vec<usize> {
        filter.idle_files(&self.store)
    }

    /// The chunk that a text means: a path, a file name, a package name such as `/Game/Maps/Start`, or a chunk id; `None` if there is
    /// none.
    pub fn find(&self, name: &str) -> Result<Option<Chunk<'_>>, FindError> {
        Ok(extract::find(&self.store, name)?.map(|entry| self.at(entry)))
    }

    /// The chunk that a text means, as [`find`](Self::find) finds it.
    pub fn chunk(&self, name: &str) -> Result<Chunk<'_>, GameError> {
        self.find(name)?.ok_or_else(|| GameError::NoSuchChunk { name: name.to_owned() })
    }

    /// The packages of a folder, or those that match a pattern.
    pub fn packages_below(&self, folder: &str) -> Result<Vec<Entry>, FindError> {
        extract::packages_below(&self.store, folder)
    }

    /// Some chunks, and those of all packages that these depend on.
    pub fn with_dependencies(&self, entries: &[Entry]) -> Result<WithDependencies> {
        extract::with_dependencies(&self.packages, entries, self.cancel_token())
    }

    /// The packages that these depend on, or that depend on them, to a depth.
    pub fn walk(
        &self,
        roots: impl IntoIterator<Item = PackageId>,
        direction: Direction,
        depth: Option<u32>,
    ) -> Result<Walk> {
        self.packages.walk(roots, direction, depth, self.cancel_token())
    }

    /// Of some chunks, those that an older build does not have in this form.
    pub fn changed_since(&self, old: &Self, entries: &[Entry]) -> Result<Vec<Entry>> {
        compare::changed_since(&old.store, &self.store, entries, self.cancel_token())
    }

    /// Keeps the packages of which an older build does not have every chunk in this form; those outside of containers stay.
    pub fn retain_changed_since(&self, old: &Self, inputs: &mut PackageInputs) -> Result<()> {
        inputs.retain_changed_since(&old.store, &self.store, self.cancel_token())
    }

    /// Keeps the entries that no other container overrides.
    pub fn retain_winners(&self, entries: &mut Vec<Entry>) {
        self.store.retain_winners(entries);
    }

    /// One of several shares of a job: of some chunks, those of about an equal part of the bytes.
    #[must_use]
    pub fn share(&self, shard: Shard, entries: &[Entry]) -> Vec<Entry> {
        shard.take(&self.store, entries, |entry| entry)
    }

    /// The packages that these chunks belong to.
    #[must_use]
    pub fn package_inputs(&self, entries: &[Entry]) -> PackageInputs {
        PackageInputs::of_store(&self.store, entries)
    }

    /// All packages.
    #[must_use]
    pub fn all_packages(&self) -> PackageInputs {
        self.package_inputs(self.entries())
    }

    /// Chunks among these that are exported as they are, such as videos.
    #[must_use]
    pub fn media(&self, entries: &[Entry], options: &ExportOptions) -> Vec<Entry> {
        media_files(&self.store, entries, options)
    }

    /// Keeps one of several shares of an export.
    pub fn retain_export_share(&self, shard: Shard, inputs: &mut ExportInputs) {
        inputs.retain_share(&self.store, shard);
    }

    /// The files that [`unpack`](Self::unpack) writes for some chunks, without a leading folder if one is to be stripped.
    #[must_use]
    pub fn outputs(&self, entries: &[Entry], strip_prefix: Option<&str>) -> Outputs {
        Outputs::new(&self.store, entries, strip_prefix)
    }

    /// The packages, cooked files and shader libraries that these chunks belong to.
    #[must_use]
    pub fn legacy_selection(&self, entries: &[Entry], with_overridden: bool) -> LegacySelection {
        LegacySelection::new(&self.store, entries, with_overridden)
    }

    /// Packages of a selection that share a chunk id, so that the engine loads only one of them.
    #[must_use]
    pub fn sharing_ids(&self, selection: &LegacySelection) -> BTreeMap<PackageId, Vec<Entry>> {
        selection.sharing_ids(&self.store)
    }

    /// The files that [`to_legacy`](Self::to_legacy) writes for a selection: all of them, or one of several shares.
    #[must_use]
    pub fn legacy_outputs(&self, selection: &LegacySelection) -> LegacyOutputs {
        LegacyOutputs::new(&self.store, selection)
    }

    /// Keeps one of several shares of the files.
    pub fn retain_legacy_share(
        &self,
        shard: Shard,
        selection: &LegacySelection,
        outputs: &mut LegacyOutputs,
    ) {
        outputs.retain(&self.store, selection, shard);
    }

    /// The head of a manifest of unpacked files.
    #[must_use]
    pub fn manifest_head(&self, outputs: &Outputs, shard: Option<Shard>) -> ManifestHead {
        ManifestHead::new(&self.store, outputs, shard)
    }

    /// The head of a manifest of rebuilt packages.
    #[must_use]
    pub fn legacy_manifest_head(&self, outputs: &LegacyOutputs, shard: Option<Shard>) -> ManifestHead {
        ManifestHead::legacy(&self.store, outputs, shard)
    }

    /// The head of a manifest of exported files.
    #[must_use]
    pub fn export_manifest_head(&self, inputs: &ExportInputs, shard: Option<Shard>) -> ManifestHead {
        inputs.packages.manifest_head(&self.store, &inputs.media, shard)
    }

    /// Chunks that several of the containers have, each with all of them.
    #[must_use]
    pub fn conflicts(&self, entries: &[Entry]) -> Vec<Conflict> {
        compare::conflicts(&self.store, entries)
    }

    /// Bytes of some chunks, summed up by folder, type, class, container or method.
    #[must_use]
    pub fn usage(
        &self,
        entries: &[Entry],
        by: By,
        depth: u32,
        class_of: impl Fn(Entry) -> Option<String>,
    ) -> Vec<UsageRow> {
        compare::usage(&self.store, entries, by, depth, class_of)
    }

    /// Everything that a page about some chunks shows, from tables of contents alone.
    #[must_use]
    pub fn overview(&self, entries: &[Entry], class_of: Option<ClassOf<'_>>) -> Overview {
        compare::overview(&self.store, entries, class_of)
    }

    /// The native objects that packages refer to; `None` if no container has them.
    pub fn script_objects(&self) -> Result<Option<ScriptObjects>> {
        self.store.script_objects(self.memory())
    }
}

/// Chunks that differ between two builds, each with the chunks to compare.
pub fn diff(old: (&Game, &[Entry]), new: (&Game, &[Entry])) -> Result<Diff> {
    let (cancel, [old, new]) =
        (new.0.cancel_token(), [old, new].map(|(game, entries)| (&game.store, entries)));
    compare::diff(old, new, cancel)
}
