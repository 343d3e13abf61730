//! `uncask pack`: packs a folder into a container or pak.

use crate::args::PackArgs;
use crate::exit::{Exit, UsageError};
use crate::inputs::expand;
use crate::keys;
use crate::objections::{FindingReport, sentence};
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::original;
use crate::shared::packed::{Evidence, note_place, note_release, refused, warn};
use serde::Serialize;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{JoinError, Original, PackOptions, Packed, SameChunk};
use uncask::id::Guid;
use uncask::version::TocVersion;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    /// The target release, if it was deduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    chunks: u64,
    raw_bytes: u64,
    stored_bytes: u64,
    partitions: u32,
    skipped: Vec<(String, String)>,
    warnings: Vec<String>,
    findings: Vec<FindingReport>,
}

pub(crate) fn run(args: &PackArgs, session: &Session) -> anyhow::Result<Exit> {
    // Checked before anything is opened.
    check_usage(args)?;
    let original = match &args.like {
        None => None,
        Some(path) => match original::open(path, args.aes_key.as_slice(), session)? {
            Some(original) => Some(original),
            None => return Ok(Exit::Input),
        },
    };
    let options = options(args, original.as_ref(), session)?;
    // Looked up before packing, which would create it.
    let has_companion = !is_pak(args) && args.output.with_extension("pak").exists();
    let inputs = expand(&args.inputs);
    let (making, progress) = session.making("files");
    let packed = match inputs.as_slice() {
        [folder] if folder.is_dir() => session.make(|| {
            if is_pak(args) {
                making.pack_pak(folder, &args.output, &options)
            } else {
                making.pack(folder, &args.output, &options)
            }
        }),
        several => {
            let making = making.keys(keys::collect(args.aes_key.as_slice(), &session.printer)?);
            match session.make(|| making.join(several, &args.output, &options, SameChunk::Refuse)) {
                Ok(packed) => Ok(packed),
                Err(JoinError::Io(error)) => Err(error),
                Err(error) => return Ok(not_joined(&error, session)),
            }
        }
    };
    progress.finish();
    // Objections are not an error of the program: they are explained one by one.
    let packed = match packed {
        Err(Error::Refused { reasons }) => return Ok(refused(&reasons, session)),
        packed => packed?,
    };
    warn(&packed.warnings, 0, session);
    if has_companion && !args.no_companion {
        session.printer.detail("the existing .pak beside it was left as it is");
    }
    if session.printer.json {
        printer::print_json(&report(&packed))?;
    }
    note_release(packed.verdict.as_ref(), session);
    for (path, reason) in &packed.skipped {
        session.printer.error(&format!("left out: {reason}: {}", path.display()));
    }
    let what =
        if is_pak(args) { counted(packed.chunks, "file", "files") } else { printer::chunks(packed.chunks) };
    session.printer.note(&format!(
        "packed {what}, {} raw, {} stored in {}, {:.2} s",
        size(packed.raw_bytes),
        size(packed.stored_bytes),
        counted(packed.partitions.into(), "file", "files"),
        progress.elapsed().as_secs_f64(),
    ));
    note_place(&args.output, session);
    Ok(if packed.skipped.is_empty() { Exit::Ok } else { Exit::Failed })
}

/// Reports why inputs were not packed into one.
fn not_joined(error: &JoinError, session: &Session) -> Exit {
    session.printer.error(&error.to_string());
    if let JoinError::Conflict { paths } = error {
        // The first is in the message.
        for path in paths.iter().skip(1).take(SHOWN) {
            session.printer.note(path);
        }
        session
            .printer
            .hint(Some("pack only one of them, or change the packages of one by the values of the other"));
    }
    Exit::Failed
}

/// Number of conflicts that are listed.
const SHOWN: usize = 20;

/// True if a pak is requested, not a container.
fn is_pak(args: &PackArgs) -> bool {
    args.output.extension().is_some_and(|extension| extension == "pak")
}

fn check_usage(args: &PackArgs) -> anyhow::Result<()> {
    if !is_pak(args) && args.output.extension().is_none_or(|extension| extension != "utoc") {
        return Err(
            UsageError(format!("--output must end in .utoc or .pak: {}", args.output.display())).into()
        );
    }
    if is_pak(args) && (args.partition_size.is_some() || args.no_directory_index) {
        let problem = "a .pak has no partitions, and always a directory index";
        return Err(UsageError(problem.to_owned()).into());
    }
    if is_pak(args) && args.like.is_some() {
        return Err(UsageError("--like is for containers: a .pak has no order to keep".to_owned()).into());
    }
    Ok(())
}

fn options(
    args: &PackArgs,
    original: Option<&Arc<Original>>,
    session: &Session,
) -> anyhow::Result<PackOptions> {
    let usual = original.map_or_else(PackOptions::default, PackOptions::like);
    let too_large = |_| UsageError("--block-size must be below 16M".to_owned());
    let block_size = args.block_size.map(|size| u32::try_from(size.0).map_err(too_large)).transpose()?;
    let key = match &args.aes_key {
        // With `--like`, the key is needed to read the original, and the result has the same.
        _ if usual.key.is_some() => usual.key.clone(),
        None => None,
        Some(argument) => {
            let ring = keys::parse(argument, &session.printer)?;
            // A container has a single key, so the first one of a file counts.
            let first = ring.iter().next().map(|(guid, key)| (guid.unwrap_or(Guid::ZERO), key.clone()));
            Some(first.ok_or_else(|| UsageError("--aes-key has no key".to_owned()))?)
        }
    };
    let of_engine = args.engine.map(|release| {
        let none = || UsageError(format!("{release} has no containers; 4.26 is the oldest release that has"));
        TocVersion::of_release(release).ok_or_else(none)
    });
    let of_engine = of_engine.transpose()?;
    let version = args.toc_version.or(of_engine).or(usual.version);
    // Contradicting options are refused rather than one of them ignored.
    if let Some(((release, right), version)) =
        args.engine.zip(of_engine).zip(version).filter(|((_, right), version)| right != version)
    {
        let problem = format!("{release} reads toc version {right}, not {version}; leave out --toc-version");
        return Err(UsageError(problem).into());
    }
    Ok(PackOptions {
        version,
        method: args.method.unwrap_or(usual.method),
        level: args.level,
        block_size: block_size.unwrap_or(usual.block_size),
        partition_size: args.partition_size.map_or(usual.partition_size, |size| Some(size.0)),
        key,
        mount_point: args.mount_point.clone(),
        directory_index: usual.directory_index && !args.no_directory_index,
        engine: args.engine,
        companion: !args.no_companion,
        pak_table: args.engine.filter(|_| !args.no_companion).and_then(PackOptions::pak_table_of),
        replace: args.overwrite,
        force: args.force,
        ..usual
    })
}

fn report(packed: &Packed) -> Report {
    Report {
        schema: "uncask.pack/1",
        engine: packed.verdict.as_ref().map(|verdict| verdict.release.name),
        evidence: packed.verdict.as_ref().map(Evidence::from),
        chunks: packed.chunks,
        raw_bytes: packed.raw_bytes,
        stored_bytes: packed.stored_bytes,
        partitions: packed.partitions,
        skipped: packed
            .skipped
            .iter()
            .map(|(path, reason)| (path.display().to_string(), reason.to_string()))
            .collect(),
        warnings: packed.warnings.iter().map(sentence).collect(),
        findings: packed.warnings.iter().map(FindingReport::from).collect(),
    }
}
