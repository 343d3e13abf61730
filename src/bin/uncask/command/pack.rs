//! `uncask pack`: a container from a folder.

use crate::args::PackArgs;
use crate::exit::{Exit, UsageError};
use crate::keys;
use crate::printer::{self, count, size};
use crate::progress::Progress;
use crate::session::Session;
use serde::Serialize;
use uncask::id::Guid;
use uncask::pack::{PackOptions, Packed, pack};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    chunks: u64,
    raw_bytes: u64,
    stored_bytes: u64,
    partitions: u32,
    skipped: Vec<(String, &'a str)>,
}

pub(crate) fn run(args: &PackArgs, session: &Session) -> anyhow::Result<Exit> {
    let options = options(args, session)?;
    let context = session.context(false)?;
    let progress = Progress::new(&session.printer);
    let packed = pack(&args.dir, &args.output, &options, context.cpu(), &progress);
    progress.finish();
    let packed = packed?;
    if session.printer.json {
        printer::print_json(&report(&packed))?;
    }
    for (path, reason) in &packed.skipped {
        session.printer.error(&format!("left out: {reason}: {}", path.display()));
    }
    session.printer.note(&format!(
        "packed {} chunks, {} raw, {} stored in {} {}, {:.2} s",
        count(packed.chunks),
        size(packed.raw_bytes),
        size(packed.stored_bytes),
        packed.partitions,
        if packed.partitions == 1 { "file" } else { "files" },
        progress.elapsed().as_secs_f64(),
    ));
    Ok(if packed.skipped.is_empty() { Exit::Ok } else { Exit::Failed })
}

fn options(args: &PackArgs, session: &Session) -> anyhow::Result<PackOptions> {
    if args.output.extension().is_none_or(|extension| extension != "utoc") {
        return Err(UsageError(format!("--output must end in .utoc: {}", args.output.display())).into());
    }
    let too_large = |_| UsageError("--block-size must be below 16M".to_owned());
    let key = match &args.aes_key {
        None => None,
        Some(argument) => {
            let ring = keys::parse(argument, &session.printer)?;
            let first = ring.iter().next().map(|(guid, key)| (guid.unwrap_or(Guid::ZERO), key.clone()));
            Some(first.ok_or_else(|| UsageError("--aes-key holds no key".to_owned()))?)
        }
    };
    Ok(PackOptions {
        version: args.toc_version,
        method: args.method,
        level: args.level,
        block_size: u32::try_from(args.block_size.0).map_err(too_large)?,
        partition_size: args.partition_size.map(|size| size.0),
        key,
        mount_point: args.mount_point.clone(),
        directory_index: !args.no_directory_index,
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
    }
}
