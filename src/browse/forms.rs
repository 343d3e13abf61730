//! Forms in which chunks are saved, previewed or zipped, with the same file names as on the command line.

use super::refusal::Refusal;
use super::session::Opened;
use crate::game::{
    Entry, ExportForm, ExportOptions, Forms, JsonForm, LegacyOptions, Levels, Outcome, Overwrite,
    SceneOptions, Sink, UnpackOptions,
};
use crate::job::Context;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most problems listed; beyond that only their number is given.
const LISTED: usize = 100;

/// Output form of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Form {
    /// The bytes as stored in the containers, decompressed.
    #[default]
    Raw,
    /// Packages in the cooker's form.
    Legacy,
    /// Values of all objects.
    Json,
    /// The usual form of each asset.
    Export,
    /// One form for all assets that have it.
    Only(ExportForm),
}

impl TryFrom<String> for Form {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Ok(match name.as_str() {
            "raw" => Self::Raw,
            "legacy" => Self::Legacy,
            "json" => Self::Json,
            "export" => Self::Export,
            // The names above are taken.
            "cues" => Self::Only(ExportForm::Json),
            "data" => Self::Only(ExportForm::Raw),
            other => match ExportForm::from_name(other) {
                Some(form) => Self::Only(form),
                None => return Err(format!("there is no form {other:?}")),
            },
        })
    }
}

/// Options for exporting assets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    pub form: Form,
    /// Export every mip of textures.
    pub all_mips: bool,
    /// Detail of scenes.
    pub detail: Detail,
}

/// Detail of scenes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Detail {
    /// To be there soon: of small meshes, and without pictures.
    Rough,
    /// To be looked at: of meshes that are not too large, and without pictures.
    #[default]
    Sketch,
    /// All that there is.
    Full,
}

impl Detail {
    /// The most triangles of a mesh.
    const fn most(self) -> Option<u64> {
        match self {
            Self::Rough => Some(500),
            Self::Sketch => Some(20_000),
            Self::Full => None,
        }
    }
}

/// Result of making files.
#[derive(Debug, Default, Serialize)]
pub(super) struct MadeFiles {
    pub files: u64,
    /// The first problems.
    pub problems: Vec<String>,
    pub problem_count: u64,
    /// Notes on omissions and assumptions.
    pub notes: Vec<String>,
    /// Exported assets.
    pub assets: Vec<Asset>,
    /// True if mappings would help.
    pub needs_mappings: bool,
    pub cancelled: bool,
}

/// An exported asset with its files.
#[derive(Debug, Serialize)]
pub(super) struct Asset {
    pub object: String,
    pub class: String,
    pub files: Vec<String>,
}

impl Form {
    /// The form with the name used by the page.
    pub(super) fn from_name(name: &str) -> Result<Self, Refusal> {
        Self::try_from(name.to_owned()).map_err(Refusal::bad_request)
    }

    /// The form to export assets in, if one is asked for.
    const fn export(self) -> Option<ExportForm> {
        match self {
            Self::Only(form) => Some(form),
            Self::Raw | Self::Legacy | Self::Json | Self::Export => None,
        }
    }
}

/// Makes files of some chunks.
pub(super) fn make(
    opened: &Opened,
    entries: &[Entry],
    options: Options,
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    match options.form {
        Form::Raw => raw(opened, entries, sink, context),
        Form::Legacy => legacy(opened, entries, sink, context),
        Form::Json => json(opened, entries, sink, context),
        _ => assets(opened, entries, options, sink, context),
    }
}

fn raw(
    opened: &Opened,
    entries: &[Entry],
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    let game = opened.game.within(context);
    let outputs = game.outputs(entries, None);
    // Files of an earlier click on the same button are only rewritten if they differ.
    let options = UnpackOptions { verify: true, overwrite: Overwrite::Different, ..UnpackOptions::default() };
    let outcome = game.unpack(outputs, sink, options)?;
    let mut made = MadeFiles { files: outcome.count, ..MadeFiles::default() };
    made.add(&outcome);
    Ok(made)
}

fn legacy(
    opened: &Opened,
    entries: &[Entry],
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    let game = opened.game.within(context);
    let outputs = game.legacy_outputs(&game.legacy_selection(entries, false));
    let unpack = UnpackOptions { verify: true, overwrite: Overwrite::Different, ..UnpackOptions::default() };
    let options = LegacyOptions { unpack, ..LegacyOptions::default() };
    let outcome = game.to_legacy(outputs, sink, options)?;
    let mut made = MadeFiles { files: outcome.count, ..MadeFiles::default() };
    made.add(&outcome);
    Ok(made)
}

fn json(
    opened: &Opened,
    entries: &[Entry],
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    let game = opened.game.within(context);
    let outcome = game.to_json(
        game.package_inputs(entries),
        sink,
        (JsonForm::FModel, Overwrite::Different),
        opened.values(),
    )?;
    let mut made = MadeFiles {
        files: outcome.count,
        needs_mappings: outcome.done.without_mappings > 0,
        ..MadeFiles::default()
    };
    made.add(&outcome);
    Ok(made)
}

fn assets(
    opened: &Opened,
    entries: &[Entry],
    Options { form, all_mips, detail }: Options,
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    let game = opened.game.within(context);
    let scene = SceneOptions {
        textures: detail == Detail::Full,
        max_triangles: detail.most(),
        ..SceneOptions::default()
    };
    let options = ExportOptions {
        scene,
        // `Form::Export` requests nothing in particular, which means the usual form of each asset.
        forms: Forms::new(form.export().into_iter().collect()),
        mips: if all_mips { Levels::All } else { Levels::Best },
        overwrite: Overwrite::Different,
        ..ExportOptions::default()
    };
    let outcome = game.export(game.package_inputs(entries).into(), sink, options, opened.values())?;
    let mut made = MadeFiles {
        files: outcome.done.files(),
        // Without mappings payloads are found by searching; their properties, and what depends on them, are missing.
        needs_mappings: outcome.done.searched() > 0,
        ..MadeFiles::default()
    };
    made.add(&outcome);
    for (_, asset) in &outcome.done.exported {
        made.notes.extend(asset.note.clone());
        made.assets.push(Asset {
            object: asset.object.clone(),
            class: asset.class.clone(),
            files: asset.files.iter().map(|file| file.path.clone()).collect(),
        });
    }
    made.notes.extend(outcome.done.left.iter().map(|(_, left)| format!("{}: {}", left.object, left.reason)));
    // A selection of a whole game may have a note per package.
    made.notes.truncate(LISTED);
    Ok(made)
}

impl MadeFiles {
    fn add<T>(&mut self, outcome: &Outcome<T>) {
        for problem in outcome.problems() {
            self.problem_count += 1;
            if self.problems.len() < LISTED {
                self.problems.push(problem.error.to_string());
            }
        }
        self.cancelled |= outcome.cancelled;
    }

    /// Adds the result for other chunks.
    pub(super) fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.problem_count += other.problem_count;
        self.problems.extend(other.problems);
        self.problems.truncate(LISTED);
        self.notes.extend(other.notes);
        self.notes.truncate(LISTED);
        self.needs_mappings |= other.needs_mappings;
        self.cancelled |= other.cancelled;
    }
}
