//! Objections with the files that they are about.

use super::Objection;
use std::path::{Path, PathBuf};

/// Objection to some files, of which the first stands for all.
#[derive(Debug, thiserror::Error)]
#[error("{objection}: {}{}", first.display(), if *count > 1 { format!(" and {} more", count - 1) } else { String::new() })]
pub struct Finding {
    /// The fault. Where faults of one kind differ, it is that of the first file.
    #[source]
    pub objection: Objection,
    /// Files, chunks or packages that have it.
    pub count: u64,
    /// The first of them.
    pub first: PathBuf,
}

impl Finding {
    pub(crate) fn new(objection: Objection, first: &Path) -> Self {
        Self { objection, count: 1, first: first.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_the_fact_and_where() {
        let mut finding = Finding::new(Objection::ExportsMissing, Path::new("A.uasset"));
        assert_eq!(finding.to_string(), "package has no .uexp beside it: A.uasset");
        finding.count = 3;
        assert_eq!(finding.to_string(), "package has no .uexp beside it: A.uasset and 2 more");
    }
}
