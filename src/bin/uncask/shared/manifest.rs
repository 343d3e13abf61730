//! `--manifest`.

use crate::output_file;
use std::collections::HashSet;
use std::path::Path;
use uncask::game::{Manifest, Outcome};

/// Writes a manifest of the successful files, completely or not at all.
pub(crate) fn write<T>(mut manifest: Manifest, outcome: &Outcome<T>, path: &Path) -> anyhow::Result<()> {
    let failed: HashSet<String> =
        outcome.failures.iter().filter_map(|failure| Some(failure.subject.chunk()?.to_string())).collect();
    // A file with the name of a failed chunk is left from an earlier run.
    manifest.retain(|file| !failed.contains(&file.id));
    output_file::write_with(path, |out| manifest.write(out))
}
