//! Selects the chunks of a job.

mod candidate;
mod glob;
mod name;
mod pattern;

pub use pattern::PatternError;

use crate::id::{ChunkKind, RawChunkId};
use crate::store::{Entry, Store};
use candidate::{Candidate, normal};
use pattern::Pattern;
use regex::{Regex, RegexBuilder};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A selection in text form. An empty spec matches everything.
#[derive(Debug, Clone, Default)]
pub struct FilterSpec {
    /// Patterns of which at least one must match, if there are any. Each is a chunk id, a package or folder of packages
    /// such as `/Game/Maps`, a path, a file name, the name of a folder anywhere, or a glob with `*`, `?`, `[…]` or
    /// `{…}`: of paths, or of packages, such as `/Game/Maps/*`.
    pub patterns: Vec<String>,
    /// Match names of chunks only, not names of folders around them.
    pub names_only: bool,
    /// Patterns of which none may match.
    pub exclude: Vec<String>,
    /// Regular expression that must match somewhere in the path.
    pub regex: Option<String>,
    /// Chunk kinds to select; empty for all.
    pub kinds: Vec<ChunkKind>,
    /// Exact paths or chunk ids, as lines of a file; if given, at least one must match.
    pub files: Option<Vec<String>>,
}

/// A compiled [`FilterSpec`]. Matching ignores letter case, as Unreal does.
#[derive(Debug, Default)]
pub struct Filter {
    patterns: Vec<Pattern>,
    exclude: Vec<Pattern>,
    regex: Option<Regex>,
    kinds: Vec<ChunkKind>,
    files: Option<FileList>,
}

/// The lines of a file that lists chunks.
#[derive(Debug)]
struct FileList {
    /// Position of the first line that names each path.
    paths: HashMap<String, usize>,
    /// Position of the first line that names each id.
    ids: HashMap<RawChunkId, usize>,
    /// Number of lines.
    len: usize,
}

impl FileList {
    fn new(lines: &[String]) -> Self {
        let (mut paths, mut ids) = (HashMap::new(), HashMap::new());
        for (at, line) in lines.iter().map(|line| line.trim()).enumerate() {
            // A repeated line counts as its first occurrence, so it is not reported as unused.
            paths.entry(normal(line)).or_insert(at);
            if let Ok(id) = line.parse() {
                ids.entry(id).or_insert(at);
            }
        }
        Self { paths, ids, len: lines.len() }
    }

    /// The lines that match a chunk.
    fn lines(&self, candidate: &Candidate<'_>) -> impl Iterator<Item = usize> {
        let by_id = self.ids.get(&candidate.id).copied();
        by_id.into_iter().chain(self.paths.get(&candidate.path.to_lowercase()).copied())
    }
}

/// Chunks per unit of parallel work.
const PART: usize = 4096;

/// The most patterns checked for matches one by one: a list of thousands must not take a thousand times as long.
const CHECKED: usize = 64;

impl Filter {
    /// Compiles patterns.
    pub fn new(spec: &FilterSpec) -> Result<Self, PatternError> {
        let compile = |patterns: &[String]| -> Result<Vec<Pattern>, PatternError> {
            patterns.iter().map(|text| Pattern::new(text, spec.names_only)).collect()
        };
        let regex = spec.regex.as_deref().map(|text| {
            let error = |error: regex::Error| PatternError {
                what: "regular expression",
                text: text.to_owned(),
                // The last line is the message; those before it point an arrow at the position.
                reason: error.to_string().lines().next_back().unwrap_or_default().replace("error: ", ""),
            };
            RegexBuilder::new(text).case_insensitive(true).build().map_err(error)
        });
        Ok(Self {
            patterns: compile(&spec.patterns)?,
            exclude: compile(&spec.exclude)?,
            regex: regex.transpose()?,
            kinds: spec.kinds.clone(),
            files: spec.files.as_deref().map(FileList::new),
        })
    }

    /// The chunks of a store that match: all of them if `losers`, otherwise only the winning ones.
    #[must_use]
    pub fn select(&self, store: &Store, losers: bool) -> Vec<Entry> {
        let all: Vec<Entry> = store.entries().collect();
        let mut entries: Vec<Entry> = if self.ignores_paths() && self.kinds.is_empty() {
            all
        } else {
            // Making the paths is the slow part, so it runs on all threads, and each thread reuses one buffer.
            let matching = |path: &mut String, part: &[Entry]| {
                part.iter().copied().filter(|entry| self.matches(store, *entry, path)).collect::<Vec<_>>()
            };
            store.cpu().map_init(all.chunks(PART), String::new, matching).concat()
        };
        // Winners are determined after matching: usually few chunks are left, which is cheaper.
        if !losers {
            store.retain_winners(&mut entries);
        }
        entries
    }

    /// Positions of the patterns that match no chunk of a store; only the first 64 are checked.
    #[must_use]
    pub fn idle_patterns(&self, store: &Store) -> Vec<usize> {
        idle(store, &self.patterns, |_| true)
    }

    /// Positions of the exclusions that exclude nothing, given the other conditions; limited as in
    /// [`idle_patterns`](Self::idle_patterns).
    #[must_use]
    pub fn idle_exclusions(&self, store: &Store) -> Vec<usize> {
        idle(store, &self.exclude, |candidate| self.is_kind(candidate.kind) && self.includes(candidate))
    }

    /// Positions of the lines of [`FilterSpec::files`] that match no chunk of a store. Of equal lines only the first is
    /// reported.
    #[must_use]
    pub fn idle_files(&self, store: &Store) -> Vec<usize> {
        let Some(files) = &self.files else { return Vec::new() };
        let all: Vec<Entry> = store.entries().collect();
        let found = store.cpu().map_init(all.chunks(PART), String::new, |path, part| {
            let lines = |entry: &Entry| {
                let named: Option<Vec<usize>> =
                    Candidate::new(store, *entry, path).map(|candidate| files.lines(&candidate).collect());
                named.unwrap_or_default()
            };
            part.iter().flat_map(lines).collect::<Vec<usize>>()
        });
        // Only first occurrences start as unused; then all lines that were found are cleared.
        let mut idle = vec![false; files.len];
        let named = files.paths.values().chain(files.ids.values());
        let set = |idle: &mut Vec<bool>, at: usize, value| {
            if let Some(line) = idle.get_mut(at) {
                *line = value;
            }
        };
        named.for_each(|at| set(&mut idle, *at, true));
        found.into_iter().flatten().for_each(|at| set(&mut idle, at, false));
        idle.iter().enumerate().filter(|(_, idle)| **idle).map(|(at, _)| at).collect()
    }

    fn matches(&self, store: &Store, entry: Entry, path: &mut String) -> bool {
        if !self.is_kind(store.chunk(entry).kind()) {
            return false;
        }
        self.ignores_paths()
            || Candidate::new(store, entry, path).is_some_and(|candidate| self.matches_candidate(&candidate))
    }

    fn is_kind(&self, kind: ChunkKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// True if a path matches on its own, without a chunk.
    #[must_use]
    pub fn matches_path(&self, path: &str) -> bool {
        self.matches_candidate(&Candidate { id: RawChunkId::default(), kind: ChunkKind::Invalid, path })
    }

    /// True if a file with several paths matches, such as one relative to a folder and one below the mount point.
    #[must_use]
    pub fn matches_paths(&self, paths: &[&str]) -> bool {
        let candidate = |path| Candidate { id: RawChunkId::default(), kind: ChunkKind::Invalid, path };
        let excludes = |path| self.exclude.iter().any(|pattern| pattern.matches(&candidate(path)));
        // One matching path selects the file, but any excluded path excludes it.
        paths.iter().any(|path| self.includes(&candidate(path))) && !paths.iter().any(|path| excludes(path))
    }

    const fn ignores_paths(&self) -> bool {
        self.patterns.is_empty() && self.exclude.is_empty() && self.regex.is_none() && self.files.is_none()
    }

    fn matches_candidate(&self, candidate: &Candidate<'_>) -> bool {
        self.includes(candidate) && !self.exclude.iter().any(|pattern| pattern.matches(candidate))
    }

    /// True if a chunk of a wanted kind matches, before exclusions.
    fn includes(&self, candidate: &Candidate<'_>) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(candidate));
        (self.patterns.is_empty() || any(&self.patterns))
            && self.regex.as_ref().is_none_or(|regex| regex.is_match(candidate.path))
            && self.files.as_ref().is_none_or(|files| files.lines(candidate).next().is_some())
    }
}

/// Positions of the patterns that match none of the chunks accepted by `counts`.
fn idle(store: &Store, patterns: &[Pattern], counts: impl Fn(&Candidate<'_>) -> bool + Sync) -> Vec<usize> {
    let patterns: Vec<(&Pattern, AtomicBool)> =
        patterns.iter().take(CHECKED).map(|pattern| (pattern, AtomicBool::new(true))).collect();
    if patterns.is_empty() {
        return Vec::new();
    }
    let all: Vec<Entry> = store.entries().collect();
    store.cpu().map_init(all.chunks(PART), String::new, |path, part| {
        for entry in part {
            // A pattern that matched once is done, and when all are, the rest of the game need not be searched.
            let idle = || patterns.iter().filter(|(_, idle)| idle.load(Ordering::Relaxed));
            if idle().next().is_none() {
                return;
            }
            let Some(candidate) = Candidate::new(store, *entry, path) else { continue };
            if counts(&candidate) {
                let found = idle().filter(|(pattern, _)| pattern.matches(&candidate));
                // Relaxed suffices: each flag is independent, and the values are read after all threads have ended.
                found.for_each(|(_, idle)| idle.store(false, Ordering::Relaxed));
            }
        }
    });
    let idle = patterns.into_iter().enumerate().filter(|(_, (_, idle))| idle.load(Ordering::Relaxed));
    idle.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PackageId;

    fn matches(spec: &FilterSpec, path: &str) -> bool {
        let id = RawChunkId::new(PackageId::from_name("/Game/Maps/L").0, 0, 1);
        let candidate = Candidate { id, kind: ChunkKind::ExportBundleData, path };
        Filter::new(spec).unwrap().matches_candidate(&candidate)
    }

    fn pattern(text: &str) -> FilterSpec {
        FilterSpec { patterns: vec![text.to_owned()], ..FilterSpec::default() }
    }

    #[test]
    fn every_way_to_name_a_chunk() {
        let path = "Shooter/Content/Maps/L.umap";
        for text in [
            "Shooter/Content/Maps/L.umap",
            "../../../Shooter/Content/Maps/L.umap",
            r"shooter\content\maps",
            "Shooter/Content/",
            "Maps",
            "maps/",
            "Content/Maps",
            "Maps/L",
            "Maps/L.umap",
            "/Shooter/Content/Maps/",
            "/shooter",
            "Game",
            "/Game",
            "/Game/",
            "/Game/Maps",
            "Game/Maps/",
            "*.umap",
            "*/maps/*",
            "**/l.{umap,uasset}",
            "/Game/*",
            "/Game/Maps/*",
            "/game/maps/?",
            "Game/M*/L",
            r"\Game\Maps\*",
            "/Game/Maps/*.umap",
            "/*/Maps/L",
            "[kl]",
            "?.umap",
            "{l,m}",
            "/{Game,Engine}/Maps/*",
            "{/Game/Maps,/Engine/Maps}/*",
            "/Shooter/Content/*",
            "/Game/Maps/L",
            "/Game/Maps/L.L",
            "L.umap",
            "l",
            &RawChunkId::new(PackageId::from_name("/Game/Maps/L").0, 0, 1).to_string(),
        ] {
            assert!(matches(&pattern(text), path), "{text}");
        }
        for text in [
            "Shooter/Con",
            "*.uasset",
            "/Game/Maps/M*",
            "/Game/Maps/*.uasset",
            "/Engine/*",
            "/Game/Maps/L/*",
            "M?",
            "??.umap",
            "/Maps/*",
            "/Game/Maps/M",
            "/Game/Map",
            "/Maps",
            "/Engine",
            "Map",
            "L/",
            "L.umap/",
            "Game/Content",
            "umap",
            "000000000000000000000001",
        ] {
            assert!(!matches(&pattern(text), path), "{text}");
        }
    }

    #[test]
    fn names_only_are_no_folders() {
        let path = "Shooter/Content/Maps/L.umap";
        let named = |text: &str| FilterSpec { names_only: true, ..pattern(text) };
        for text in ["L", "Maps/L", "L.umap", "/Game/Maps/L", path] {
            assert!(matches(&named(text), path), "{text}");
        }
        for text in ["Maps", "/Game/Maps", "Game", "Shooter/Content", "/Shooter"] {
            assert!(!matches(&named(text), path), "{text}");
        }
    }

    #[test]
    fn packages_in_paks_are_known_by_their_paths() {
        let spec = |text: &str| FilterSpec { names_only: true, ..pattern(text) };
        let matches = |text: &str, path: &str| Filter::new(&spec(text)).unwrap().matches_path(path);
        for path in ["Shooter/Content/Maps/L.umap", "Shooter/Content/Maps/L.uexp", "Content/maps/l.ubulk"] {
            assert!(matches("/Game/Maps/L", path), "{path}");
            assert!(matches("/Game/Maps/L.L", path), "{path}");
        }
        for path in
            ["Shooter/Content/Maps/L2.umap", "Shooter/Content/Maps/L/M.umap", "Engine/Content/Maps/L.umap"]
        {
            assert!(!matches("/Game/Maps/L", path), "{path}");
        }
    }

    #[test]
    fn plugins_are_mounted_under_their_names() {
        let path = "Shooter/Plugins/Fx/Sparks/Content/Big/S.uasset";
        for text in ["/Sparks", "/Sparks/Big", "/Fx/Big/", "Sparks", "Content/Big", "/Sparks/B*", "/Fx/Big/*"]
        {
            assert!(matches(&pattern(text), path), "{text}");
        }
        for text in ["/Game/Big", "/Sparks/Bi", "/Plugins2/Big", "/Engine/Big", "/Game/Big/*", "/Sparks/?"] {
            assert!(!matches(&pattern(text), path), "{text}");
        }
        assert!(matches(&pattern("/Engine/Big"), "Engine/Content/Big/S.uasset"));
        assert!(!matches(&pattern("/Game/Big"), "Engine/Content/Big/S.uasset"));
    }

    #[test]
    fn conditions_add_up() {
        let spec = FilterSpec {
            exclude: vec!["*/Secret/*".to_owned()],
            regex: Some(r"maps/.*\.umap$".to_owned()),
            ..pattern("Shooter")
        };
        assert!(matches(&spec, "Shooter/Maps/L.umap"));
        assert!(!matches(&spec, "Shooter/Maps/Secret/L.umap"));
        assert!(!matches(&spec, "Shooter/Maps/L.uasset"));
        let spec =
            FilterSpec { files: Some(vec!["../../../a/B.uasset".to_owned()]), ..FilterSpec::default() };
        assert!(matches(&spec, "A/b.uasset"));
        assert!(!matches(&spec, "A/b.ubulk"));
    }

    #[test]
    fn bad_patterns_are_named() {
        let error = Filter::new(&pattern("a[")).unwrap_err().to_string();
        assert!(error.starts_with(r#"pattern "a[" is not valid"#), "{error}");
        let spec = FilterSpec { regex: Some("(".to_owned()), ..FilterSpec::default() };
        assert!(
            Filter::new(&spec).unwrap_err().to_string().starts_with("regular expression \"(\" is not valid")
        );
    }
}
