//! Which chunks a job is about.

use crate::container::ChunkIndex;
use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::store::{Container, Entry, Store};
use globset::{GlobBuilder, GlobMatcher};
use rayon::prelude::*;
use regex::{Regex, RegexBuilder};
use std::collections::HashSet;

/// What the user asked for, as text. An empty spec matches everything.
#[derive(Debug, Clone, Default)]
pub struct FilterSpec {
    /// At least one of these must match, if there are any. Each is a chunk id, a package name such as `/Game/Maps/L`,
    /// a glob with `*`, `?`, `[…]` or `{…}`, a path, a folder, or a file name.
    pub patterns: Vec<String>,
    /// None of these may match.
    pub exclude: Vec<String>,
    /// Must match somewhere in the path.
    pub regex: Option<String>,
    /// Kinds of chunks, if there are any.
    pub kinds: Vec<ChunkKind>,
    /// Exact paths or chunk ids, as lines of a file; at least one must match, if it is given.
    pub files: Option<Vec<String>>,
}

/// A pattern that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error("{what} {text:?} is not valid: {reason}")]
pub struct PatternError {
    what: &'static str,
    text: String,
    reason: String,
}

/// A compiled [`FilterSpec`]. Letter case does not matter anywhere, as in Unreal itself.
#[derive(Debug, Default)]
pub struct Filter {
    patterns: Vec<Pattern>,
    exclude: Vec<Pattern>,
    regex: Option<Regex>,
    kinds: Vec<ChunkKind>,
    files: Option<(HashSet<String>, HashSet<RawChunkId>)>,
}

#[derive(Debug)]
enum Pattern {
    Id(RawChunkId),
    Package(PackageId),
    Glob(GlobMatcher),
    /// Lower-cased; matches a path, everything below a folder, or, without a slash, a file name.
    Path(String),
}

/// Chunks that a thread looks at in a row.
const PART: usize = 4096;

/// A chunk as patterns see it.
struct Candidate<'a> {
    id: RawChunkId,
    kind: ChunkKind,
    path: &'a str,
}

impl Filter {
    /// Compiles patterns.
    pub fn new(spec: &FilterSpec) -> Result<Self, PatternError> {
        let compile = |patterns: &[String]| -> Result<Vec<Pattern>, PatternError> {
            patterns.iter().map(|text| Pattern::new(text)).collect()
        };
        let regex = spec.regex.as_deref().map(|text| {
            let error = |error: regex::Error| PatternError {
                what: "regular expression",
                text: text.to_owned(),
                reason: error.to_string(),
            };
            RegexBuilder::new(text).case_insensitive(true).build().map_err(error)
        });
        let files = spec.files.as_ref().map(|lines| {
            let ids = lines.iter().filter_map(|line| line.trim().parse().ok()).collect();
            (lines.iter().map(|line| normal(line.trim())).collect(), ids)
        });
        Ok(Self {
            patterns: compile(&spec.patterns)?,
            exclude: compile(&spec.exclude)?,
            regex: regex.transpose()?,
            kinds: spec.kinds.clone(),
            files,
        })
    }

    /// The chunks of a store that match: all of them with `losers`, otherwise those that win.
    #[must_use]
    pub fn select(&self, store: &Store, losers: bool) -> Vec<Entry> {
        let all: Vec<Entry> = store.entries().collect();
        let mut entries: Vec<Entry> = if self.ignores_paths() && self.kinds.is_empty() {
            all
        } else {
            // Paths are made for all of them, so all threads help.
            let parts = all.par_chunks(PART).map(|part| {
                let mut path = String::new();
                part.iter()
                    .copied()
                    .filter(|entry| self.matches(store, *entry, &mut path))
                    .collect::<Vec<_>>()
            });
            parts.collect::<Vec<_>>().concat()
        };
        if !losers {
            store.retain_winners(&mut entries);
        }
        entries
    }

    fn matches(&self, store: &Store, entry: Entry, path: &mut String) -> bool {
        let Some((container, id)) = store.container(entry).zip(store.chunk_id(entry)) else { return false };
        let kind = kind_of(container, entry.chunk);
        if !self.kinds.is_empty() && !self.kinds.contains(&kind) {
            return false;
        }
        if self.ignores_paths() {
            return true;
        }
        if !store.path_into(entry, path) {
            *path = store.fallback_path(entry);
        }
        self.matches_candidate(&Candidate { id, kind, path })
    }

    /// Whether a path matches by itself, with no chunk behind it.
    #[must_use]
    pub fn matches_path(&self, path: &str) -> bool {
        self.matches_candidate(&Candidate { id: RawChunkId::default(), kind: ChunkKind::Invalid, path })
    }

    const fn ignores_paths(&self) -> bool {
        self.patterns.is_empty() && self.exclude.is_empty() && self.regex.is_none() && self.files.is_none()
    }

    fn matches_candidate(&self, candidate: &Candidate<'_>) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(candidate));
        (self.patterns.is_empty() || any(&self.patterns))
            && !any(&self.exclude)
            && self.regex.as_ref().is_none_or(|regex| regex.is_match(candidate.path))
            && self.files.as_ref().is_none_or(|(paths, ids)| {
                ids.contains(&candidate.id) || paths.contains(&candidate.path.to_lowercase())
            })
    }
}

fn kind_of(container: &Container, chunk: ChunkIndex) -> ChunkKind {
    container.toc().chunk_kind(chunk)
}

impl Pattern {
    fn new(text: &str) -> Result<Self, PatternError> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        let is_glob = text.contains(['*', '?', '[', '{']);
        if text.starts_with('/') && !is_glob {
            let name = text.rsplit_once('.').map_or(text, |(name, _)| name);
            return Ok(Self::Package(PackageId::from_name(name)));
        }
        let text = normal(text);
        if !is_glob {
            return Ok(Self::Path(text.trim_end_matches('/').to_owned()));
        }
        let error = |error: globset::Error| PatternError {
            what: "pattern",
            text: text.clone(),
            reason: error.to_string(),
        };
        let glob =
            GlobBuilder::new(&text).case_insensitive(true).literal_separator(false).build().map_err(error)?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    fn matches(&self, candidate: &Candidate<'_>) -> bool {
        match self {
            Self::Id(id) => candidate.id == *id,
            Self::Package(id) => candidate.kind.belongs_to_package() && candidate.id.id() == id.0,
            Self::Glob(glob) => glob.is_match(candidate.path),
            Self::Path(wanted) if candidate.path.is_ascii() => {
                names(candidate.path.as_bytes(), wanted.as_bytes(), <[u8]>::eq_ignore_ascii_case)
            }
            Self::Path(wanted) => {
                names(candidate.path.to_lowercase().as_bytes(), wanted.as_bytes(), |a, b| a == b)
            }
        }
    }
}

/// Whether a path is `wanted`, or lies below the folder `wanted`, or has the file name `wanted`, with or without its
/// extensions.
fn names(path: &[u8], wanted: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let below = || {
        let (front, rest) = path.split_at_checked(wanted.len())?;
        Some(same(front, wanted) && rest.first().is_none_or(|byte| *byte == b'/'))
    };
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    let stem = || name.split(|byte| *byte == b'.').next().unwrap_or(name);
    same(name, wanted) || same(stem(), wanted) || below().unwrap_or(false)
}

/// Lower case, game-relative, `/` as separator.
fn normal(text: &str) -> String {
    let text = text.replace('\\', "/").to_lowercase();
    text.strip_prefix("../../../").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "*.umap",
            "*/maps/*",
            "**/l.{umap,uasset}",
            "/Game/Maps/L",
            "/Game/Maps/L.L",
            "L.umap",
            "l",
            &RawChunkId::new(PackageId::from_name("/Game/Maps/L").0, 0, 1).to_string(),
        ] {
            assert!(matches(&pattern(text), path), "{text}");
        }
        for text in ["Shooter/Con", "*.uasset", "/Game/Maps/M", "umap", "000000000000000000000001"] {
            assert!(!matches(&pattern(text), path), "{text}");
        }
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
