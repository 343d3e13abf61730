use super::query::NamePattern;
use crate::extract::PatternError;

/// Names of classes, or globs, in any letter case.
#[derive(Debug, Clone, Default)]
pub struct ClassFilter {
    names: Vec<NamePattern>,
}

impl ClassFilter {
    /// A filter for classes with one of these names, such as `Texture2D`, `*Curve*` or `/Script/Engine.World`.
    pub fn new(names: &[String]) -> Result<Self, PatternError> {
        Ok(Self { names: names.iter().map(|name| NamePattern::new(name)).collect::<Result<_, _>>()? })
    }

    /// True if it lets everything pass.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// True if a class passes; `path` is its full path.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let name = path.rsplit(['.', '/']).next().unwrap_or(path);
        self.names.iter().any(|pattern| pattern.matches(name) || pattern.matches(path))
    }
}
