//! References of assets to packages of the project that are not there.

use std::collections::HashSet;

/// The packages of a project, by the paths of its files.
#[derive(Debug, Clone, Default)]
pub struct ProjectPackages {
    /// Names in lower case, such as `/game/maps/start`.
    names: HashSet<String>,
    /// Mount points whose packages are all known, such as `/game/`.
    roots: HashSet<String>,
}

impl ProjectPackages {
    /// The packages in files of a repository.
    #[must_use]
    pub fn of_files(paths: &[String]) -> Self {
        let mut this = Self::default();
        for path in paths {
            let Some((name, root)) = package_of(&path.to_ascii_lowercase()) else { continue };
            this.names.insert(name);
            this.roots.insert(root);
        }
        this
    }

    /// Packages of these names, such as `/Game/Maps/Start`.
    #[must_use]
    pub fn of_names(names: impl IntoIterator<Item = String>) -> Self {
        let mut this = Self::default();
        for name in names {
            let name = name.to_ascii_lowercase();
            this.roots.extend(root_of(&name).map(str::to_owned));
            this.names.insert(name);
        }
        this
    }

    /// Returns the package in a file of a repository, in lower case; `None` for a file that is no package.
    #[must_use]
    pub fn package_name(path: &str) -> Option<String> {
        package_of(&path.to_ascii_lowercase()).map(|(name, _)| name)
    }

    /// Filters the packages that belong to the project by their names, but are not among its files.
    #[must_use]
    pub fn missing(&self, imported: &[String]) -> Vec<String> {
        let is_missing = |name: &&String| {
            let lower = name.to_ascii_lowercase();
            root_of(&lower).is_some_and(|root| self.roots.contains(root)) && !self.names.contains(&lower)
        };
        imported.iter().filter(is_missing).cloned().collect()
    }
}

/// The mount point of a package: `/game/` of `/game/maps/start`.
fn root_of(name: &str) -> Option<&str> {
    let end = name.get(1..)?.find('/')?;
    name.get(..end + 2)
}

/// The name of the package in a file, and its mount point: `Content` is `/Game`, that of a plugin has its name.
fn package_of(path: &str) -> Option<(String, String)> {
    let stem = path.strip_suffix(".uasset").or_else(|| path.strip_suffix(".umap"))?;
    let (before, rest) = match stem.strip_prefix("content/") {
        Some(rest) => ("", rest),
        None => stem.split_once("/content/")?,
    };
    let root = match before.rsplit_once('/') {
        _ if !before.split('/').any(|folder| folder == "plugins") => "/game/".to_owned(),
        Some((_, plugin)) => format!("/{plugin}/"),
        None => return None,
    };
    Some((format!("{root}{rest}"), root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_project_are_known_by_its_files() {
        let paths =
            ["My/Content/Maps/Start.umap", "My/Plugins/Weather/Content/Rain.uasset", "My/Source/x.cpp"];
        let project = ProjectPackages::of_files(&paths.map(str::to_owned));
        let imported =
            ["/Game/Maps/Start", "/Game/Gone", "/Weather/Rain", "/Weather/Snow", "/Engine/X", "/Script/Y"];
        let missing = project.missing(&imported.map(str::to_owned));
        assert_eq!(missing, ["/Game/Gone", "/Weather/Snow"]);
        let named = ProjectPackages::of_names(["/Game/Maps/Start".to_owned(), "/Weather/Rain".to_owned()]);
        assert_eq!(named.missing(&imported.map(str::to_owned)), missing);
        let name = ProjectPackages::package_name("My/Plugins/Weather/Content/Rain.uasset");
        assert_eq!(name.as_deref(), Some("/weather/rain"));
        assert_eq!(ProjectPackages::of_files(&[]).missing(&imported.map(str::to_owned)), [""; 0]);
    }
}
