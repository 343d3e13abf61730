//! Objections with the affected files.

use super::Objection;
use std::path::{Path, PathBuf};

/// An objection to one or more files, represented by the first.
#[derive(Debug, thiserror::Error)]
#[error("{objection}: {}{}", first.display(), if *count > 1 { format!(" and {} more", count - 1) } else { String::new() })]
pub struct Finding {
    /// The fault. If faults of one kind differ, that of the first file.
    #[source]
    pub objection: Objection,
    /// Number of affected files, chunks or packages.
    pub count: u64,
    /// The first affected file.
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
