//! Assets that still refer to packages that a range of versions removes.

use super::changed::new_version;
use crate::shared::repository::{found_by_grep, git, root};
use std::collections::BTreeMap;
use uncask::game::ProjectPackages;
use uncask::package::legacy::Package;

/// Returns the paths of assets in the new version that refer to removed ones, by the path of the removed one; each comes
/// with the path that it was moved to, if it was.
pub(super) fn referrers<'a>(
    range: &str,
    removed: &[(&'a str, Option<&'a str>)],
) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let named = |(path, moved): &(&'a str, Option<&'a str>)| {
        Some((ProjectPackages::package_name(path)?, (*path, *moved)))
    };
    let removed: BTreeMap<String, (&str, Option<&str>)> = removed.iter().filter_map(named).collect();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if removed.is_empty() {
        return Ok(found);
    }
    // Git is fast at finding files that may, as far as their names are ASCII; each is then read.
    let version = new_version(range);
    for path in found_by_grep(removed.keys(), version, &[":/*.uasset", ":/*.umap"])? {
        let bytes = match version {
            Some(version) => git(&["cat-file", "blob", &format!("{version}:{path}")])?,
            None => std::fs::read(root()?.join(&path)).unwrap_or_default(),
        };
        for name in referred(&bytes) {
            // An asset may go on to call itself what it was called before it was moved.
            let gone = removed.get(&name.to_ascii_lowercase());
            if let Some((gone, _)) = gone.filter(|(_, moved)| *moved != Some(path.as_str())) {
                found.entry((*gone).to_owned()).or_default().push(path.clone());
            }
        }
    }
    Ok(found)
}

/// Packages that a package refers to; none if it cannot be read.
fn referred(bytes: &[u8]) -> Vec<String> {
    let Ok(package) = Package::parse(bytes) else { return Vec::new() };
    let mut names: Vec<String> = package.imported_packages().chain(package.soft_packages()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
