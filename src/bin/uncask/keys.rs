//! Keys from the command line, the environment and files.

use crate::exit::UsageError;
use crate::printer::Printer;
use anyhow::Context as _;
use uncask::crypto::{KeyRing, MAX_KEY_FILE_LEN};

/// Environment variable with keys, separated by commas.
pub(crate) const KEY_VARIABLE: &str = "UNCASK_AES_KEY";

/// Collects keys from `--aes-key` and the environment.
pub(crate) fn collect(arguments: &[String], printer: &Printer) -> anyhow::Result<KeyRing> {
    let mut ring = KeyRing::default();
    for argument in arguments {
        add(&mut ring, argument, printer).context("--aes-key")?;
    }
    // Keys in the environment stay out of the history of the shell and the list of processes.
    if let Ok(value) = std::env::var(KEY_VARIABLE) {
        for argument in value.split(',').filter(|argument| !argument.trim().is_empty()) {
            add(&mut ring, argument.trim(), printer).context(KEY_VARIABLE)?;
        }
    }
    Ok(ring)
}

/// The keys in one argument.
pub(crate) fn parse(argument: &str, printer: &Printer) -> anyhow::Result<KeyRing> {
    let mut ring = KeyRing::default();
    add(&mut ring, argument, printer).context("--aes-key")?;
    Ok(ring)
}

fn add(ring: &mut KeyRing, argument: &str, printer: &Printer) -> anyhow::Result<()> {
    // A key never starts with `@`, so this is unambiguous.
    let Some(path) = argument.strip_prefix('@') else {
        return Ok(ring.add_argument(argument)?);
    };
    // A missing key file is a wrong argument, not an unreadable input, so it has the exit code of the former.
    let unreadable = |error| UsageError(format!("cannot read key file: {error}: {path}"));
    let bytes = read_bounded(path).map_err(unreadable)?;
    let found = ring.add_file(&bytes).with_context(|| format!("key file {path}"))?;
    if found == 0 {
        printer.warning(&format!("key file has no keys: {path}"));
    }
    Ok(())
}

/// Reads at most one byte more than a key file may have, so that a device or game file given by mistake does no harm.
fn read_bounded(path: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_KEY_FILE_LEN as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
