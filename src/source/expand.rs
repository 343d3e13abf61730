use super::is_url;
use super::wildcards::{has_wildcards, matches};
use crate::error::Result;
use std::path::{Path, PathBuf};

/// Paths that match one with wildcards, sorted, on disk or in a bucket; the path itself if it has none. A pattern without
/// matches has none.
pub fn expand(path: &Path) -> Result<Vec<PathBuf>> {
    let text = path.to_string_lossy();
    if !has_wildcards(&text) || path.symlink_metadata().is_ok() {
        return Ok(vec![path.to_owned()]);
    }
    if is_url(path) { listed_matches(path) } else { Ok(matches(path)) }
}

#[cfg(feature = "remote")]
fn listed_matches(url: &Path) -> Result<Vec<PathBuf>> {
    super::remote::listed_matches(url)
}

#[cfg(not(feature = "remote"))]
fn listed_matches(url: &Path) -> Result<Vec<PathBuf>> {
    let problem = std::io::Error::new(std::io::ErrorKind::Unsupported, super::AddressProblem::NoNetwork);
    Err(crate::error::Error::io("list", super::without_secrets(&url.to_string_lossy()))(problem))
}
