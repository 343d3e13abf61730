//! Keys from the command line, the environment and files.

use crate::exit::UsageError;
use crate::printer::Printer;
use anyhow::Context as _;
use uncask::crypto::{KeyRing, MAX_KEY_FILE_LEN};

/// Variable that holds keys, separated by commas.
pub(crate) const KEY_VARIABLE: &str = "UNCASK_AES_KEY";

/// Collects the keys of `--aes-key` and of the environment.
pub(crate) fn collect(arguments: &[String], printer: &Printer) -> anyhow::Result<KeyRing> {
    let mut ring = KeyRing::default();
    for argument in arguments {
        add(&mut ring, argument, printer).context("--aes-key")?;
    }
    if let Ok(value) = std::env::var(KEY_VARIABLE) {
        for argument in value.split(',').filter(|argument| !argument.trim().is_empty()) {
            add(&mut ring, argument.trim(), printer).context(KEY_VARIABLE)?;
        }
    }
    Ok(ring)
}

/// The keys of one argument.
pub(crate) fn parse(argument: &str, printer: &Printer) -> anyhow::Result<KeyRing> {
    let mut ring = KeyRing::default();
    add(&mut ring, argument, printer).context("--aes-key")?;
    Ok(ring)
}

fn add(ring: &mut KeyRing, argument: &str, printer: &Printer) -> anyhow::Result<()> {
    let Some(path) = argument.strip_prefix('@') else {
        return Ok(ring.add_argument(argument)?);
    };
    // A file that is not there is an argument that makes no sense, not an input that cannot be read.
    let unreadable = |error| UsageError(format!("cannot read key file: {error}: {path}"));
    let bytes = read_bounded(path).map_err(unreadable)?;
    let found = ring.add_file(&bytes).with_context(|| format!("key file {path}"))?;
    if found == 0 {
        printer.warning(&format!("key file has no keys: {path}"));
    }
    Ok(())
}

/// Reads a little more than a key file may hold, so that a device or a game file given by mistake does no harm.
fn read_bounded(path: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_KEY_FILE_LEN as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
