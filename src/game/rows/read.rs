use super::{GameRow, RowColumns, RowKind, RowPlan};
use crate::error::Result;
use crate::export::ExportOptions;
use crate::game::{ChunkJob, Game, GameError};
use crate::job::{CancelToken, Failure};
use crate::sink::{MemorySink, Overwrite};
use crate::store::Entry;
use crate::values::{JsonForm, PackageInput, PackageInputs};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Share of the memory for data in flight that a group's content may take.
const GROUP_SHARE: u64 = 8;

/// Most chunks or packages of a group.
const GROUP: usize = 1024;

impl Game {
    /// Calls a function with the rows of a range of a plan, a group at a time and in order, in memory bounded by the game's. What
    /// cannot be read is a row that says why. An error of the function ends the reading.
    pub fn read_rows(
        &self,
        plan: &RowPlan,
        range: Range<usize>,
        columns: RowColumns,
        cancel: &CancelToken,
        mut each: impl FnMut(Vec<GameRow>) -> Result<()>,
    ) -> Result<(), GameError> {
        let game = self.clone().with_cancel_token(cancel.clone());
        let mut rest = plan.entries(range);
        while !rest.is_empty() {
            cancel.check()?;
            let (group, after) = rest.split_at(game.group_len(plan.kind(), columns, rest));
            let rows = if columns.content {
                game.made_rows(plan.kind(), group, columns)?
            } else {
                game.listed_rows(group, columns)
            };
            cancel.check()?;
            each(rows)?;
            rest = after;
        }
        Ok(())
    }

    /// Number of entries of the next group, at least one.
    fn group_len(&self, kind: RowKind, columns: RowColumns, entries: &[Entry]) -> usize {
        let room = match kind {
            // Pictures and texts are larger than what they are made of.
            RowKind::Values | RowKind::Export => self.memory() / GROUP_SHARE / 4,
            _ => self.memory() / GROUP_SHARE,
        };
        let mut taken = 0_u64;
        let fits = |entry: &&Entry| {
            taken = taken.saturating_add(self.at(**entry).len());
            taken <= room || !columns.content
        };
        entries.iter().take(GROUP).take_while(fits).count().max(1)
    }

    fn made_rows(
        &self,
        kind: RowKind,
        group: &[Entry],
        columns: RowColumns,
    ) -> Result<Vec<GameRow>, GameError> {
        match kind {
            RowKind::Chunks | RowKind::Packages => self.chunk_rows(group, columns),
            RowKind::Values => self.value_documents(group, columns),
            RowKind::Files => self.cooked_files(group, columns),
            RowKind::Export => self.exported_files(group, columns),
        }
    }

    /// Rows of chunks without their content.
    fn listed_rows(&self, group: &[Entry], columns: RowColumns) -> Vec<GameRow> {
        self.cpu().map(group, |entry| self.row_of(*entry, columns))
    }

    fn row_of(&self, entry: Entry, columns: RowColumns) -> GameRow {
        let chunk = self.at(entry);
        let is_package = chunk.is_package() || chunk.is_cooked_header();
        GameRow {
            path: chunk.display_path(),
            package: chunk.package_id().and_then(|id| self.packages().name(id)),
            id: Some(chunk.id().to_string()),
            class: (columns.class && is_package).then(|| self.class_of(entry)).flatten(),
            size: chunk.len(),
            hash: chunk.hash().map(|hash| hash.to_string()),
            content: None,
            error: None,
        }
    }

    fn chunk_rows(&self, group: &[Entry], columns: RowColumns) -> Result<Vec<GameRow>, GameError> {
        let sink = Arc::new(MemorySink::default());
        let fits = |entry: &Entry| self.at(*entry).len() <= self.memory();
        let fitting: Vec<Entry> = group.iter().copied().filter(fits).collect();
        let outputs = self.outputs(&fitting, None);
        let paths: HashMap<Entry, String> =
            outputs.iter().map(|output| (output.entry, output.path.to_string())).collect();
        let outcome = ChunkJob::new(self, fitting).strict().unpack_into(Arc::clone(&sink) as _)?;
        let (mut files, errors) = (sink.take_files(), errors_of(&outcome.failures));
        let fill = |(mut row, entry): (GameRow, &Entry)| {
            row.content = paths.get(entry).and_then(|path| files.remove(path));
            if row.content.is_none() {
                let known = errors.get(&row.path).cloned();
                row.error = Some(known.unwrap_or_else(|| self.too_large(&row)));
            }
            row
        };
        Ok(self.listed_rows(group, columns).into_iter().zip(group).map(fill).collect())
    }

    fn too_large(&self, row: &GameRow) -> String {
        format!("it has {} bytes, and the memory for data in flight is {}", row.size, self.memory())
    }

    fn value_documents(&self, group: &[Entry], columns: RowColumns) -> Result<Vec<GameRow>, GameError> {
        let sink = Arc::new(MemorySink::default());
        let inputs = PackageInputs::of_store(&self.store, group);
        let items = inputs.items().to_vec();
        let form = (JsonForm::FModel, Overwrite::Always);
        let outcome = self.to_json(inputs, Arc::clone(&sink) as _, form, self.value_options())?;
        let (mut files, errors) = (sink.take_files(), errors_of(&outcome.failures));
        let row = |(mut row, item): (GameRow, PackageInput)| {
            row.package = Some(item.package_name());
            row.content = files.remove(item.output.as_str());
            if row.content.is_none() {
                row.error = Some(errors.get(&item.name).cloned().unwrap_or_default());
            }
            row
        };
        let entries: Vec<Entry> = items.iter().filter_map(PackageInput::entry).collect();
        Ok(self.listed_rows(&entries, columns).into_iter().zip(items).map(row).collect())
    }

    fn cooked_files(&self, group: &[Entry], columns: RowColumns) -> Result<Vec<GameRow>, GameError> {
        let sink = Arc::new(MemorySink::default());
        let outcome = ChunkJob::new(self, group.to_vec()).to_legacy_into(Arc::clone(&sink) as _)?;
        let assets = outcome.done.assets.iter();
        let packages: HashMap<&str, &str> =
            assets.map(|asset| (stem(&asset.header), asset.package.as_str())).collect();
        let classes = self.classes_by_package(group, columns);
        let row = |(path, content): (String, Vec<u8>)| {
            let package = packages.get(stem(&path)).map(|name| (*name).to_owned());
            let class = package.as_ref().and_then(|name| classes.get(name).cloned());
            GameRow { package, class, ..made(path, content) }
        };
        let rows = sink.take_files().into_iter().map(row);
        Ok(rows.chain(outcome.failures.iter().map(failed)).collect())
    }

    fn exported_files(&self, group: &[Entry], columns: RowColumns) -> Result<Vec<GameRow>, GameError> {
        let sink = Arc::new(MemorySink::default());
        let job = ChunkJob::new(self, group.to_vec());
        let outcome = job.export_into(Arc::clone(&sink) as _, ExportOptions::default())?;
        let mut packages: BTreeMap<&str, &str> = BTreeMap::new();
        for (package, asset) in &outcome.done.exported {
            packages.extend(asset.files.iter().map(|file| (file.path.as_str(), package.as_str())));
        }
        let classes = self.classes_by_package(group, columns);
        let row = |(path, content): (String, Vec<u8>)| {
            let package = packages.get(path.as_str()).map(|name| (*name).to_owned());
            let class = package.as_ref().and_then(|name| classes.get(name).cloned());
            GameRow { package, class, ..made(path, content) }
        };
        let rows = sink.take_files().into_iter().map(row);
        Ok(rows.chain(outcome.failures.iter().map(failed)).collect())
    }

    fn classes_by_package(&self, group: &[Entry], columns: RowColumns) -> HashMap<String, String> {
        if !columns.class {
            return HashMap::new();
        }
        let class = |entry: &Entry| {
            let name = self.at(*entry).package_id().and_then(|id| self.packages().name(id))?;
            Some((name, self.class_of(*entry)?))
        };
        self.cpu().map(group, class).into_iter().flatten().collect()
    }
}

fn made(path: String, content: Vec<u8>) -> GameRow {
    let hash = Some(blake3::hash(&content).to_hex().to_string());
    let size = content.len() as u64;
    GameRow { path, package: None, id: None, class: None, size, hash, content: Some(content), error: None }
}

fn failed(failure: &Failure) -> GameRow {
    let id = failure.subject.chunk().map(|id| id.to_string());
    let (path, error) = (failure.path.clone(), Some(failure.error.to_string()));
    GameRow { path, package: None, id, class: None, size: 0, hash: None, content: None, error }
}

fn errors_of(failures: &[Failure]) -> HashMap<String, String> {
    failures.iter().map(|failure| (failure.path.clone(), failure.error.to_string())).collect()
}

/// A path without its extensions.
fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path.get(name..).and_then(|name| name.find('.'));
    dot.and_then(|dot| path.get(..name + dot)).unwrap_or(path)
}
