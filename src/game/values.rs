//! The values of objects.

use super::{Game, GameError};
use crate::error::{Error, Result};
use crate::extract::ChunkContent;
use crate::job::Outcome;
use crate::scene::{self, SceneRow, World};
use crate::sink::{Overwrite, Sink};
use crate::store::{Chunk, Entry};
use crate::texts::Sheet;
use crate::values::edit::Editing;
use crate::values::{
    self, AssetFacts, HistoryRow, Hits, IgnoredValues, JsonForm, Objects, PackageDifference, PackageInputs,
    Query, StringTable, ValueOptions, ValueRow, ValuesRead, read_objects,
};
use std::io;
use std::sync::Arc;

impl Game {
    /// Options for reading the values of this game.
    pub(super) fn value_options(&self) -> ValueOptions {
        ValueOptions {
            mappings: self.mappings.clone(),
            release: self.release,
            verify: true,
            ..ValueOptions::default()
        }
    }

    /// The objects of a package with the values of their properties. Most games since 4.25 need
    /// [mappings](super::GameOptions::mappings) for these.
    pub fn objects(&self, name: &str) -> Result<Objects, GameError> {
        self.objects_of(self.chunk(name)?)
    }

    /// The objects of a package that is a chunk of this game.
    pub fn objects_of(&self, chunk: Chunk<'_>) -> Result<Objects, GameError> {
        let inputs = PackageInputs::of_store(&self.store, &[chunk.entry()]);
        let options = self.value_options();
        let objects = read_objects(Arc::clone(&self.packages), inputs, options, self.cancel_token())?;
        let mut objects = objects.ok_or_else(|| GameError::NoPackage { path: chunk.display_path() })?;
        objects.take_mismatch().map_or(Ok(objects), |error| Err(error.into()))
    }

    /// The objects of the first of some packages; `None` if there is none.
    pub fn objects_in(&self, inputs: PackageInputs, options: ValueOptions) -> Result<Option<Objects>> {
        read_objects(Arc::clone(&self.packages), inputs, options, self.cancel_token())
    }

    /// The assets in the first of some packages; no other objects are read.
    pub fn assets_in(&self, inputs: PackageInputs, options: ValueOptions) -> Result<Vec<AssetFacts>> {
        values::read_assets(Arc::clone(&self.packages), inputs, options)
    }

    /// Content of a chunk with all that is needed to show it.
    pub fn content(&self, entry: Entry) -> Result<ChunkContent> {
        ChunkContent::read(&self.packages, entry, self.cancel_token())
    }

    /// Writes the values of packages as JSON files, in a form and over existing ones as said.
    pub fn to_json(
        &self,
        inputs: PackageInputs,
        sink: Arc<dyn Sink>,
        form: (JsonForm, Overwrite),
        options: ValueOptions,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| {
            values::to_json(packages, inputs, sink, context, form, options).await
        })?
    }

    /// Writes the values of the first of some packages as JSON.
    pub fn json_of(
        &self,
        inputs: PackageInputs,
        form: JsonForm,
        options: ValueOptions,
        out: impl io::Write,
    ) -> Result<Outcome<ValuesRead>> {
        values::json_of(Arc::clone(&self.packages), inputs, 0, form, options, out)
    }

    /// Calls a function with a line for each package: an object with its name and its values as JSON.
    pub fn json_lines(
        &self,
        inputs: PackageInputs,
        form: JsonForm,
        options: ValueOptions,
        line: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| {
            values::json_lines(packages, inputs, context, form, options, line).await
        })?
    }

    /// Calls a function with the values of each package, as rows of a table.
    pub fn value_rows(
        &self,
        inputs: PackageInputs,
        options: ValueOptions,
        found: impl FnMut(Vec<ValueRow>) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        let query = Query::default();
        let job =
            async |context: &_| values::value_rows(packages, inputs, query, context, options, found).await;
        self.run(false, job)?
    }

    /// Calls a function with what a query finds in each package that has any of it, in their order.
    pub fn find_values(
        &self,
        inputs: PackageInputs,
        query: Query,
        options: ValueOptions,
        found: impl FnMut(Hits) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        let job =
            async |context: &_| values::find_values(packages, inputs, query, context, options, found).await;
        self.run(false, job)?
    }

    /// The string tables of some packages.
    pub fn string_tables(
        &self,
        inputs: PackageInputs,
        options: ValueOptions,
    ) -> Result<(Vec<StringTable>, Outcome<ValuesRead>)> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| values::string_tables(packages, inputs, context, options).await)?
    }

    /// The texts of all languages, of `.locres` files and of string tables, as one table. A damaged file yields its readable texts;
    /// the errors come with the table.
    pub fn texts(&self) -> Result<(Sheet, Vec<Error>)> {
        let found = self.find_texts(&[])?;
        let (mut sheet, mut problems) = Sheet::of_files(&found.files);
        problems.extend(found.problems);
        let (tables, outcome) = self.string_tables(self.all_packages(), self.value_options())?;
        problems.extend(outcome.failures.into_iter().map(|failure| failure.error));
        push_tables(&mut sheet, &tables);
        Ok((sheet, problems))
    }

    /// The level of the first of some packages with all levels that it loads; `None` if it has none.
    pub fn world(&self, inputs: PackageInputs, options: ValueOptions) -> Result<Outcome<Option<World>>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| scene::world(packages, inputs, context, options).await)?
    }

    /// The components of a level and of all levels that it loads, with their places in the world.
    pub fn scene(&self, name: &str) -> Result<Vec<SceneRow>, GameError> {
        self.scene_of(self.chunk(name)?)
    }

    /// The components of a level that is a chunk of this game, as [`scene`](Self::scene) has them.
    pub fn scene_of(&self, chunk: Chunk<'_>) -> Result<Vec<SceneRow>, GameError> {
        let inputs = PackageInputs::of_store(&self.store, &[chunk.entry()]);
        let mut outcome = self.world(inputs, self.value_options())?;
        if let Some(failure) = outcome.failures.pop() {
            return Err(failure.error.into());
        }
        Ok(outcome.done.iter().flat_map(World::rows).collect())
    }

    /// Packages of this game that can be changed.
    #[must_use]
    pub fn edit(&self, inputs: PackageInputs, options: ValueOptions) -> Editing {
        Editing::new(Arc::clone(&self.packages), inputs, options)
    }
}

/// Adds the entries of string tables to a table of texts. They have no language.
pub fn push_tables(sheet: &mut Sheet, tables: &[StringTable]) {
    for table in tables {
        let (file, namespace): (Arc<str>, Arc<str>) =
            (table.id.as_str().into(), table.namespace.as_str().into());
        for entry in &table.entries {
            sheet.push_source(&file, &namespace, &entry.key, &entry.source);
        }
    }
}

impl Game {
    /// Calls a function with the values of this build, or with those that differ from an older one, a package at a time.
    /// Packages that both builds have in the same form are not read. A query's names choose properties; the options are those for the
    /// old build and for this one.
    pub fn history(
        &self,
        old: Option<(&Self, PackageInputs)>,
        inputs: PackageInputs,
        query: Query,
        options: [ValueOptions; 2],
        found: impl FnMut(Vec<HistoryRow>) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let mut inputs = inputs;
        let mut older = None;
        if let Some((game, mut old_inputs)) = old {
            inputs.retain_differing(&mut old_inputs, [&game.store, &self.store], self.cancel_token())?;
            older = Some((Arc::clone(&game.packages), old_inputs));
        }
        let new = (Arc::clone(&self.packages), inputs);
        self.run(false, async |context| {
            values::history([older, Some(new)], query, context, options, found).await
        })?
    }
}

/// Calls a function with every package whose values differ between two builds, in the order of the new one.
pub fn value_differences(
    [old, new]: [&Game; 2],
    inputs: [PackageInputs; 2],
    options: [ValueOptions; 2],
    ignored: IgnoredValues,
    found: impl FnMut(PackageDifference) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let packages = [old, new].map(|game| Arc::clone(&game.packages));
    new.run(false, async |context| {
        values::differences(packages, inputs, options, ignored, context, found).await
    })?
}
