//! `uncask pack`: a container from a folder.

use crate::args::PackArgs;
use crate::exit::{Exit, UsageError};
use crate::keys;
use crate::printer::{self, counted, size};
use crate::progress::Progress;
use crate::session::Session;
use serde::Serialize;
use uncask::error::Error;
use uncask::id::Guid;
use uncask::pack::{PackOptions, Packed, pack, pack_pak, write_companion};
use uncask::version::TocVersion;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    chunks: u64,
    raw_bytes: u64,
    stored_bytes: u64,
    partitions: u32,
    skipped: Vec<(String, &'a str)>,
    warnings: &'a [String],
}

pub(crate) fn run(args: &PackArgs, session: &Session) -> anyhow::Result<Exit> {
    let options = options(args, session)?;
    let context = session.context(false);
    let progress = Progress::new(&session.printer, "files");
    let packed = if is_pak(args) {
        pack_pak(&args.dir, &args.output, &options, context.cpu(), &progress)
    } else {
        pack(&args.dir, &args.output, &options, context.cpu(), &progress)
    };
    progress.finish();
    let packed = match packed {
        Err(Error::Refused { reasons }) => return Ok(refused(&reasons, session)),
        packed => packed?,
    };
    for warning in &packed.warnings {
        session.printer.warning(warning);
    }
    if !is_pak(args) && !args.no_companion && !write_companion(&args.output, context.cpu())? {
        session.printer.detail("the existing .pak beside it was left as it is");
    }
    if session.printer.json {
        printer::print_json(&report(&packed))?;
    }
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
    Ok(if packed.skipped.is_empty() { Exit::Ok } else { Exit::Failed })
}

/// Says why nothing was packed.
pub(super) fn refused(reasons: &[String], session: &Session) -> Exit {
    for reason in reasons {
        session.printer.error(reason);
    }
    session.printer.note("nothing was written; --force packs it anyway");
    Exit::Failed
}

/// Whether a pak is wanted, not a container.
fn is_pak(args: &PackArgs) -> bool {
    args.output.extension().is_some_and(|extension| extension == "pak")
}

fn options(args: &PackArgs, session: &Session) -> anyhow::Result<PackOptions> {
    if !is_pak(args) && args.output.extension().is_none_or(|extension| extension != "utoc") {
        return Err(
            UsageError(format!("--output must end in .utoc or .pak: {}", args.output.display())).into()
        );
    }
    if is_pak(args) && (args.partition_size.is_some() || args.no_directory_index) {
        let problem = "a .pak has no partitions, and always a directory index";
        return Err(UsageError(problem.to_owned()).into());
    }
    let too_large = |_| UsageError("--block-size must be below 16M".to_owned());
    let key = match &args.aes_key {
        None => None,
        Some(argument) => {
            let ring = keys::parse(argument, &session.printer)?;
            let first = ring.iter().next().map(|(guid, key)| (guid.unwrap_or(Guid::ZERO), key.clone()));
            Some(first.ok_or_else(|| UsageError("--aes-key has no key".to_owned()))?)
        }
    };
    let of_engine = args.engine.map(|release| {
        let none = || UsageError(format!("{release} has no containers; 4.26 is the oldest release that has"));
        TocVersion::of_release(release).ok_or_else(none)
    });
    let of_engine = of_engine.transpose()?;
    let version = args.toc_version.or(of_engine).unwrap_or(PackOptions::default().version);
    if let Some((release, right)) = args.engine.zip(of_engine).filter(|(_, right)| *right != version) {
        let problem = format!("{release} reads toc version {right}, not {version}; leave out --toc-version");
        return Err(UsageError(problem).into());
    }
    Ok(PackOptions {
        version,
        method: args.method,
        level: args.level,
        block_size: u32::try_from(args.block_size.0).map_err(too_large)?,
        partition_size: args.partition_size.map(|size| size.0),
        key,
        mount_point: args.mount_point.clone(),
        directory_index: !args.no_directory_index,
        engine: args.engine,
        force: args.force,
    })
}

fn report(packed: &Packed) -> Report<'_> {
    Report {
        schema: "uncask.pack/1",
        chunks: packed.chunks,
        raw_bytes: packed.raw_bytes,
        stored_bytes: packed.stored_bytes,
        partitions: packed.partitions,
        skipped: packed
            .skipped
            .iter()
            .map(|(path, reason)| (path.display().to_string(), reason.as_str()))
            .collect(),
        warnings: &packed.warnings,
    }
}
