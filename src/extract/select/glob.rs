//! Patterns with wildcards.

use super::candidate::normal;
use super::name::starts_with_game;
use crate::store::package_path::name_with_extensions;
use globset::{Error, GlobBuilder, GlobMatcher};

/// A glob. Letter case does not matter, and `*` also stands for `/`.
///
/// ```text
/// Shooter/Content/Maps/*, */Maps/*, *.umap          whole paths
/// /Shooter/Content/Maps/*                           a leading slash is allowed: paths begin at the root of the tree
/// /Game/Maps/*, Game/Maps/L?, /Plugin/*/T_*         package names, with or without extensions
/// SM_*, T_*_N                                       file names, with or without extensions, in any folder
/// ```
#[derive(Debug)]
pub(super) struct GlobPattern {
    /// The glob for paths.
    path: GlobMatcher,
    /// The glob for package names, if the pattern may be one.
    name: Option<NameGlob>,
    /// True if file names are compared, too, since the pattern has no slash.
    of_files: bool,
}

#[derive(Debug)]
struct NameGlob {
    glob: GlobMatcher,
    /// The first component of the names, if it has no wildcard.
    root: Option<String>,
}

/// Characters that turn a text into a glob.
pub(super) const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

impl GlobPattern {
    pub(super) fn new(text: &str) -> Result<Self, Error> {
        let text = normal(text);
        let compile = |text: &str| -> Result<GlobMatcher, Error> {
            let glob = GlobBuilder::new(text).case_insensitive(true).literal_separator(false).build()?;
            Ok(glob.compile_matcher())
        };
        let path = text.trim_start_matches('/');
        // `{/Game,/Plugin}/…` is rooted as well: the alternatives begin with the slash.
        let is_rooted = text.trim_start_matches('{').starts_with('/') || starts_with_game(&text);
        let name = is_rooted.then(|| {
            // A fixed root allows to test just the name below it; with a wildcard only the likeliest name is tested.
            let root = path.split('/').next().filter(|root| !root.contains(WILDCARDS) && path.contains('/'));
            let glob = if text.starts_with('{') { compile(&text) } else { compile(&format!("/{path}")) };
            glob.map(|glob| NameGlob { glob, root: root.map(str::to_owned) })
        });
        Ok(Self { path: compile(path)?, name: name.transpose()?, of_files: !text.contains('/') })
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        self.path.is_match(path)
            || self.name.as_ref().is_some_and(|name| name.matches(path))
            || (self.of_files && self.matches_file(path))
    }

    fn matches_file(&self, path: &str) -> bool {
        let file = path.rsplit('/').next().unwrap_or_default();
        self.path.is_match(file) || self.path.is_match(without_extensions(file))
    }
}

impl NameGlob {
    fn matches(&self, path: &str) -> bool {
        name_with_extensions(path, self.root.as_deref())
            .is_some_and(|name| self.glob.is_match(&name) || self.glob.is_match(without_extensions(&name)))
    }
}

/// Cuts a path at the first dot of its file name: package names have none.
fn without_extensions(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |at| at + 1);
    let end = path.get(file..).and_then(|name| name.find('.')).map_or(path.len(), |at| file + at);
    path.get(..end).unwrap_or(path)
}
