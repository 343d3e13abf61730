//! What chunks become when they are saved, previewed or put into a zip: files with the names that the command line gives them.

use super::refusal::Refusal;
use super::session::Opened;
use crate::game::{
    Entry, ExportForm, ExportOptions, Forms, JsonForm, LegacyOptions, Levels, Outcome, Overwrite, Sink,
    UnpackOptions,
};
use crate::job::Context;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Problems that are listed; of more, their number says how many there are.
const LISTED: usize = 100;

/// What chunks become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    /// Bytes as they lie in the containers.
    #[default]
    Raw,
    /// Packages as the cooker wrote them.
    Legacy,
    /// The values of all objects.
    Json,
    /// What suits each asset.
    Export,
    Png,
    Exr,
    Dds,
    Wav,
    Ogg,
    Gltf,
    Ttf,
    /// What is best read as text: sound cues, places in sounds that have names.
    Cues,
    /// The data of assets as they are stored.
    Data,
}

/// How assets are exported.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    pub form: Form,
    /// Every mip of textures.
    pub all_mips: bool,
}

/// What became of chunks.
#[derive(Debug, Default, Serialize)]
pub(super) struct MadeFiles {
    pub files: u64,
    /// What is wrong, the first of many.
    pub problems: Vec<String>,
    pub problem_count: u64,
    /// What was left out or assumed.
    pub notes: Vec<String>,
    /// Assets that became files.
    pub assets: Vec<Asset>,
    /// Whether mappings would help.
    pub needs_mappings: bool,
    pub cancelled: bool,
}

/// An asset and its files.
#[derive(Debug, Serialize)]
pub(super) struct Asset {
    pub object: String,
    pub class: String,
    pub files: Vec<String>,
}

impl Form {
    /// From the name that the page has for it.
    pub(super) fn from_name(name: &str) -> Result<Self, Refusal> {
        let value = serde_json::Value::from(name);
        serde_json::from_value(value).map_err(|_| Refusal::bad_request(format!("there is no form {name:?}")))
    }

    const fn export(self) -> Option<ExportForm> {
        Some(match self {
            Self::Png => ExportForm::Png,
            Self::Exr => ExportForm::Exr,
            Self::Dds => ExportForm::Dds,
            Self::Wav => ExportForm::Wav,
            Self::Ogg => ExportForm::Ogg,
            Self::Gltf => ExportForm::Gltf,
            Self::Ttf => ExportForm::Ttf,
            Self::Cues => ExportForm::Json,
            Self::Data => ExportForm::Raw,
            Self::Raw | Self::Legacy | Self::Json | Self::Export => return None,
        })
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
    let outcome = game.to_json(game.package_inputs(entries), sink, JsonForm::FModel, opened.values())?;
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
    Options { form, all_mips }: Options,
    sink: Arc<dyn Sink>,
    context: &Context,
) -> Result<MadeFiles, Refusal> {
    let game = opened.game.within(context);
    let options = ExportOptions {
        forms: Forms::new(form.export().into_iter().collect()),
        mips: if all_mips { Levels::All } else { Levels::Best },
        overwrite: Overwrite::Different,
        ..ExportOptions::default()
    };
    let outcome = game.export(game.package_inputs(entries).into(), sink, options, opened.values())?;
    let mut made = MadeFiles {
        files: outcome.done.files(),
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

    /// Adds what became of other chunks.
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
