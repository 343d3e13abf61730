//! `uncask to-zen`: makes a container from cooked assets.

use crate::args::ToZenArgs;
use crate::exit::{Exit, UsageError};
use crate::inputs::has_extension;
use crate::objections::{FindingReport, consequence, sentence};
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::packed::{Evidence, note_place, note_release, refused, warn};
use crate::shared::values::mappings;
use crate::shared::{base_game, original};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{BaseGame, Lend, Original, PackOptions, ToZenInput, Zenned};
use uncask::objection::ProjectFile;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    engine: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    packages: u64,
    /// Packages that could not be converted.
    packages_left_out: u64,
    chunks: u64,
    loose_files: u64,
    raw_bytes: u64,
    stored_bytes: u64,
    partitions: u32,
    skipped: Vec<(String, String)>,
    left_out: Vec<LeftOut>,
    warnings: Vec<String>,
    findings: Vec<FindingReport>,
}

/// A project-wide file that was left out.
#[derive(Serialize)]
struct LeftOut {
    path: String,
    kind: &'static str,
    reason: &'static str,
}

impl From<&(PathBuf, ProjectFile)> for LeftOut {
    fn from((path, file): &(PathBuf, ProjectFile)) -> Self {
        Self { path: path.display().to_string(), kind: file.name(), reason: consequence(*file) }
    }
}

pub(crate) fn run(args: &ToZenArgs, session: &Session) -> anyhow::Result<Exit> {
    if args.output.extension().is_none_or(|extension| extension != "utoc") {
        return Err(UsageError(format!("--output must end in .utoc: {}", args.output.display())).into());
    }
    let inputs = inputs(args, session)?;
    let game = args.game.as_ref().map(|path| base_game::open(&args.store(path), session)).transpose()?;
    let schemas = args.mappings.as_ref().map(|path| mappings::open(path, session)).transpose()?;
    // Mappings are used only together with the game they describe.
    let game = match (game, schemas) {
        (Some(game), Some(schemas)) => Some(game.with_schemas(schemas)),
        (game, _) => game,
    };
    let game = game.map(Arc::new);
    let original = match &args.like {
        None => None,
        Some(path) => match original::open(path, &args.aes_key, session)? {
            Some(original) => Some(original),
            None => return Ok(Exit::Input),
        },
    };
    let options = options(args, original.as_ref(), game.as_deref())?;
    let (making, progress) = session.making("files");
    let made = session.make(|| making.to_zen(&inputs, &args.output, &options, game));
    progress.finish();
    let made = match made {
        Err(Error::Refused { reasons }) => return Ok(refused(&reasons, session)),
        made => made?,
    };
    let complete = warn(&made.packed.warnings, made.left_out, session);
    if !made.packed.project_files.is_empty() {
        session.printer.hint(Some("--project-files packs the files of the whole project, too"));
    }
    if session.printer.json {
        printer::print_json(&report(&made))?;
    }
    for (path, reason) in &made.packed.skipped {
        session.printer.error(&format!("left out: {reason}: {}", path.display()));
    }
    let packed = &made.packed;
    note_release(made.verdict.as_ref(), session);
    session.printer.note(&format!(
        "packed {} for {} in {}, {} raw, {} stored in {}, {} in the .pak, {:.2} s",
        counted(made.packages, "package", "packages"),
        made.release,
        counted(packed.chunks, "chunk", "chunks"),
        size(packed.raw_bytes),
        size(packed.stored_bytes),
        counted(packed.partitions.into(), "file", "files"),
        counted(made.loose, "loose file", "loose files"),
        progress.elapsed().as_secs_f64(),
    ));
    note_place(&args.output, session);
    Ok(if packed.skipped.is_empty() { complete } else { Exit::Failed })
}

/// Inputs: folders as they are, and paks opened as stores.
fn inputs(args: &ToZenArgs, session: &Session) -> anyhow::Result<Vec<ToZenInput>> {
    let input = |path: &PathBuf| {
        if !has_extension(path, "pak") {
            return Ok(ToZenInput::Folder(path.clone()));
        }
        let mut paks = args.store(path);
        // A container beside the pak is not part of this input.
        paks.only = Some(crate::args::OnlyKind::Pak);
        let game = session.open(&paks, Lend::Never)?;
        session.warn_of_locks(&game);
        Ok(game.to_zen_input())
    };
    args.inputs.iter().map(input).collect()
}

/// Packing options: from the arguments, else from the original, else from the game.
fn options(
    args: &ToZenArgs,
    original: Option<&Arc<Original>>,
    game: Option<&BaseGame>,
) -> anyhow::Result<PackOptions> {
    let usual = match original {
        Some(original) => PackOptions::like(original),
        None => of_game(game),
    };
    let too_large = |_| UsageError("--block-size must be below 16M".to_owned());
    let block_size = args.block_size.map(|size| u32::try_from(size.0).map_err(too_large)).transpose()?;
    Ok(PackOptions {
        method: args.method.unwrap_or(usual.method),
        level: args.level,
        block_size: block_size.unwrap_or(usual.block_size),
        partition_size: args.partition_size.map_or(usual.partition_size, |size| Some(size.0)),
        key: if args.no_encrypt { None } else { usual.key.clone() },
        engine: args.engine,
        project_files: args.project_files,
        replace: args.overwrite,
        force: args.force,
        ..usual
    })
}

fn of_game(game: Option<&BaseGame>) -> PackOptions {
    let usual = PackOptions::default();
    let Some(game) = game else { return usual };
    PackOptions {
        method: game.method().unwrap_or(usual.method),
        block_size: game.block_size().unwrap_or(usual.block_size),
        partition_size: game.partition_size(),
        key: game.key(),
        ..usual
    }
}

fn report(made: &Zenned) -> Report {
    let packed = &made.packed;
    Report {
        schema: "uncask.to-zen/1",
        engine: made.release.name,
        evidence: made.verdict.as_ref().map(Evidence::from),
        packages: made.packages,
        packages_left_out: made.left_out,
        chunks: packed.chunks,
        loose_files: made.loose,
        raw_bytes: packed.raw_bytes,
        stored_bytes: packed.stored_bytes,
        partitions: packed.partitions,
        skipped: packed
            .skipped
            .iter()
            .map(|(path, reason)| (path.display().to_string(), reason.to_string()))
            .collect(),
        left_out: packed.project_files.iter().map(LeftOut::from).collect(),
        warnings: packed.warnings.iter().map(sentence).collect(),
        findings: packed.warnings.iter().map(FindingReport::from).collect(),
    }
}
