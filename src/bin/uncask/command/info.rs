//! `uncask info`: what a container is, or what many are.

mod describe;
mod overview;

use crate::args::InfoArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, Out, count, counted, size};
use crate::program::Program;
use crate::session::Session;
pub(super) use describe::Description;
use describe::Share;
use serde::Serialize;
use uncask::store::Role;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    containers: Vec<Description>,
    failed: Vec<String>,
    program: Program,
}

pub(crate) fn run(args: &InfoArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open(&args.store)?;
    session.warn_of_locks(&store);
    let content = store.containers().iter().filter(|container| container.role() == Role::Content);
    let containers: Vec<Description> = content.map(|container| Description::new(container)).collect();
    if session.printer.json {
        let failed = store.failed().iter().map(ToString::to_string).collect();
        let program = Program::this();
        printer::print_json(&Report { schema: "uncask.info/1", containers, failed, program })?;
        return Ok(exit::of_store(&store));
    }
    let mut out = printer::out();
    if containers.len() > 1 && !session.printer.is_verbose() {
        overview::print(&containers, &mut out)?;
    } else {
        for (at, container) in containers.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            print(container, &mut out)?;
        }
    }
    out.flush()?;
    Ok(exit::of_store(&store))
}

/// Prints the figures of a container.
pub(super) fn print(this: &Description, out: &mut Out) -> anyhow::Result<()> {
    writeln!(out, "{}", this.path)?;
    let mut line = |name: &str, value: &str| writeln!(out, "  {name:<13} {value}");
    match (this.pak_version, &this.toc_version_name) {
        (Some(version), _) => line("pak version", &version.to_string())?,
        (None, name) => {
            line("toc version", name.as_deref().unwrap_or("unknown"))?;
            line("engine", this.engine.as_deref().unwrap_or("unknown"))?;
            line("container id", this.container_id.as_deref().unwrap_or("none"))?;
            line("flags", &if this.flags.is_empty() { "none".to_owned() } else { this.flags.join(", ") })?;
        }
    }
    line("encryption", &encryption(this))?;
    line("mount order", &this.mount_order.to_string())?;
    line("mount point", this.mount_point.as_deref().unwrap_or("none"))?;
    line("paths", &format!("{} of {}", count(this.paths), printer::chunks(this.chunks)))?;
    if let Some(block_size) = this.block_size {
        line("partitions", &partitions(this))?;
        line("block size", &size(block_size.into()))?;
    }
    let ratio = this.ratio.map_or_else(String::new, |ratio| format!(", ratio {ratio:.2}"));
    line("data", &format!("{} raw, {} stored{ratio}", size(this.raw_bytes), size(this.stored_bytes)))?;
    if this.has_perfect_hash {
        line(
            "perfect hash",
            &format!("{}, {} overflow", counted(this.seeds, "seed", "seeds"), count(this.overflow)),
        )?;
    }
    for notice in &this.notices {
        line("note", notice)?;
    }
    shares("chunks", &this.chunk_types, out)?;
    shares("blocks", &this.block_methods, out)
}

fn encryption(this: &Description) -> String {
    match (&this.encryption, &this.encryption_key_guid) {
        (Some(method), Some(guid)) => {
            format!(
                "{method}, key GUID {guid}, {}",
                if this.unlocked { "key matches" } else { "no matching key" }
            )
        }
        _ => "none".to_owned(),
    }
}

fn partitions(this: &Description) -> String {
    let size = this.partition_size.map_or_else(String::new, |bytes| format!(" of at most {}", size(bytes)));
    format!("{}{size}", this.partitions)
}

fn shares(title: &str, shares: &[Share], out: &mut Out) -> anyhow::Result<()> {
    for (at, share) in shares.iter().enumerate() {
        let title = if at == 0 { title } else { "" };
        let (number, raw, stored) = (count(share.count), size(share.raw_bytes), size(share.stored_bytes));
        writeln!(out, "  {title:<13} {:<18} {number:>11} {raw:>12} raw {stored:>12} stored", share.name)?;
    }
    Ok(())
}
