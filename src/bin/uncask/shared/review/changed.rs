//! Assets that differ between two versions in git.

use crate::shared::repository::{git, root};
use anyhow::Context as _;
use std::path::Path;
use uncask::game::{DirectorySink, OutputPath, Overwrite, put};

/// An asset that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChangedAsset {
    /// Path in the repository, of the new version if there is one.
    pub path: String,
    /// Path of the old version, if it is another.
    pub old_path: Option<String>,
    /// The blobs of the old and the new version.
    blobs: [Blob; 2],
}

/// The contents of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Blob {
    /// There is no such version.
    None,
    /// An object of the repository.
    Object(String),
    /// The file in the work tree.
    File,
}

/// Extensions of assets.
const EXTENSIONS: [&str; 2] = [".uasset", ".umap"];

/// The assets that `git diff` names.
pub(super) fn changed_assets(range: &str, paths: &[String]) -> anyhow::Result<Vec<ChangedAsset>> {
    // By default, half of a file is enough for git; assets of one class have as much in common.
    let mut args = vec!["diff", "--raw", "-z", "--no-abbrev", "--find-renames=90%", range, "--"];
    args.extend(paths.iter().map(String::as_str));
    let raw = git(&args)?;
    Ok(parse(&String::from_utf8_lossy(&raw)))
}

/// Reads records such as `:100644 100644 OLD NEW M␀path␀`; of renames, two paths follow.
fn parse(raw: &str) -> Vec<ChangedAsset> {
    let mut fields = raw.split('\0');
    let mut found = Vec::new();
    while let Some(head) = fields.next().and_then(|head| head.strip_prefix(':')) {
        let [_, _, old, new, status] = *head.split(' ').collect::<Vec<_>>() else { break };
        let Some(first) = fields.next() else { break };
        let is_pair = status.starts_with(['R', 'C']);
        let (old_path, path) =
            if is_pair { (Some(first), fields.next().unwrap_or(first)) } else { (None, first) };
        if !EXTENSIONS.iter().any(|end| path.to_ascii_lowercase().ends_with(end)) {
            continue;
        }
        let object = |id: &str| id.bytes().any(|byte| byte != b'0').then(|| Blob::Object(id.to_owned()));
        let old = if status.starts_with('A') { Blob::None } else { object(old).unwrap_or(Blob::None) };
        let new = if status.starts_with('D') { Blob::None } else { object(new).unwrap_or(Blob::File) };
        found.push(ChangedAsset {
            path: path.to_owned(),
            old_path: old_path.map(str::to_owned),
            blobs: [old, new],
        });
    }
    found
}

impl ChangedAsset {
    /// Writes both versions into folders, under one path.
    pub(super) fn write_to(&self, folders: [&Path; 2]) -> anyhow::Result<()> {
        for (blob, folder) in self.blobs.iter().zip(folders) {
            let bytes = match blob {
                Blob::None => continue,
                // The filters of the path turn pointers of Git LFS into files.
                Blob::Object(id) => git(&["cat-file", "--filters", &format!("--path={}", self.path), id])?,
                Blob::File => {
                    let path = root()?.join(&self.path);
                    std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?
                }
            };
            let sink = DirectorySink::open(folder)?;
            put(&sink, &OutputPath::sanitize(&self.path), &bytes, Overwrite::Always)?;
        }
        Ok(())
    }
}

/// The new version of a range; `None` if it is the work tree.
pub(super) fn new_version(range: &str) -> Option<&str> {
    if !range.contains("..") {
        return None;
    }
    let end = range.rsplit("..").next().unwrap_or_default().trim_start_matches('.');
    Some(if end.is_empty() { "HEAD" } else { end })
}

/// The paths of all files of the new version.
pub(super) fn tree(range: &str) -> anyhow::Result<Vec<String>> {
    let listed = match new_version(range) {
        None => git(&["ls-files", "-z", "--full-name", ":/"])?,
        Some(version) => git(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", version])?,
    };
    let text = String::from_utf8_lossy(&listed);
    Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_git_are_read() {
        let id = "1".repeat(40);
        let none = "0".repeat(40);
        let raw = format!(
            ":100644 100644 {id} {none} M\0A b.uasset\0:100644 000000 {id} {none} D\0B.umap\0:100644 100644 {id} {id} R100\0C.uasset\0D.UASSET\0:000000 100644 {none} {id} A\0x.png\0"
        );
        let found = parse(&raw);
        let paths: Vec<&str> = found.iter().map(|asset| asset.path.as_str()).collect();
        assert_eq!(paths, ["A b.uasset", "B.umap", "D.UASSET"]);
        assert_eq!(found[0].blobs, [Blob::Object(id.clone()), Blob::File]);
        assert_eq!(found[1].blobs, [Blob::Object(id.clone()), Blob::None]);
        assert_eq!(found[2].old_path.as_deref(), Some("C.uasset"));
    }
}
