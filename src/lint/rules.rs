//! The rules.
//!
//! ```toml
//! ignore = ["/Game/Developers/**"]      # packages that no rule is for
//!
//! [names]                               # by class, which names its assets may have
//! Texture2D = "T_*"
//! Blueprint = ["BP_*", "BPI_*"]
//!
//! [textures]
//! max-size = 4096                       # of the longer side, in pixels
//! power-of-two = true
//!
//! [[budget]]
//! path = "/Game/UI/**"
//! file = "4M"                           # of each asset
//! total = "200M"                        # of all together
//! ```

use crate::wire::{Size, SizeError};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// Rules for assets. References to packages that are not there are always looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LintRules {
    /// Patterns of package names that no rule is for.
    pub ignore: Vec<String>,
    /// Patterns of the names of assets, by class.
    pub names: BTreeMap<String, Patterns>,
    /// Rules for textures.
    pub textures: TextureRules,
    /// Limits of sizes.
    pub budget: Vec<SizeBudget>,
}

/// One pattern or several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patterns(pub Vec<String>);

/// Rules for textures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TextureRules {
    /// Greatest length of a side, in pixels.
    pub max_size: Option<u32>,
    /// True if the sides have to be powers of two.
    pub power_of_two: bool,
}

/// A limit of sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SizeBudget {
    /// Pattern of the names of packages; all without one.
    pub path: Option<String>,
    /// Greatest size of each, in bytes.
    #[serde(deserialize_with = "size")]
    pub file: Option<u64>,
    /// Greatest size of all together, in bytes.
    #[serde(deserialize_with = "size")]
    pub total: Option<u64>,
}

/// Errors from reading rules.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LintRulesError {
    /// The text is no TOML, or holds something that is no rule.
    #[error("{0}")]
    Malformed(String),
    /// A pattern cannot be read.
    #[error("wrong pattern {pattern:?}: {problem}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The problem.
        problem: String,
    },
}

impl LintRules {
    /// Reads rules in TOML.
    #[cfg(feature = "recipes")]
    pub fn parse(text: &str) -> Result<Self, LintRulesError> {
        toml::from_str(text).map_err(|error| LintRulesError::Malformed(error.to_string().trim().to_owned()))
    }
}

impl<'de> Deserialize<'de> for Patterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrMore {
            One(String),
            More(Vec<String>),
        }
        Ok(match OneOrMore::deserialize(deserializer)? {
            OneOrMore::One(one) => Self(vec![one]),
            OneOrMore::More(more) => Self(more),
        })
    }
}

/// Reads a size: a number of bytes, or a text such as `4M`.
fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum NumberOrText {
        Number(u64),
        Text(String),
    }
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(bytes) => Ok(Some(bytes)),
        NumberOrText::Text(text) => {
            let parsed = text.parse().map_err(|error: SizeError| format!("{text:?} is no size; {error}"));
            parsed.map(|Size(bytes)| Some(bytes)).map_err(serde::de::Error::custom)
        }
    }
}

/// Patterns of names.
#[derive(Debug, Clone)]
pub(super) struct Globs(GlobSet);

impl Globs {
    /// Patterns of names of packages, in any letter case.
    pub(super) fn of_packages<'p>(
        patterns: impl IntoIterator<Item = &'p String>,
    ) -> Result<Self, LintRulesError> {
        Self::new(patterns, true)
    }

    /// Patterns of names whose letter case counts.
    pub(super) fn exact<'p>(patterns: impl IntoIterator<Item = &'p String>) -> Result<Self, LintRulesError> {
        Self::new(patterns, false)
    }

    fn new<'p>(
        patterns: impl IntoIterator<Item = &'p String>,
        any_case: bool,
    ) -> Result<Self, LintRulesError> {
        let mut set = GlobSetBuilder::new();
        let wrong =
            |pattern: &str, problem: String| LintRulesError::Pattern { pattern: pattern.to_owned(), problem };
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern).case_insensitive(any_case).literal_separator(false).build();
            set.add(glob.map_err(|error| wrong(pattern, error.kind().to_string()))?);
        }
        set.build().map(Self).map_err(|error| wrong("", error.to_string()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

#[cfg(all(test, feature = "recipes"))]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_from_toml() {
        let rules = LintRules::parse(
            r#"
            ignore = ["/Game/Developers/**"]
            [names]
            Texture2D = "T_*"
            Blueprint = ["BP_*", "BPI_*"]
            [textures]
            max-size = 4096
            power-of-two = true
            [[budget]]
            path = "/Game/UI/**"
            file = "4M"
            total = 200
            "#,
        )
        .unwrap();
        assert_eq!(rules.names["Blueprint"].0, ["BP_*", "BPI_*"]);
        assert_eq!(rules.textures, TextureRules { max_size: Some(4096), power_of_two: true });
        let budget =
            SizeBudget { path: Some("/Game/UI/**".to_owned()), file: Some(4 << 20), total: Some(200) };
        assert_eq!((rules.ignore.len(), rules.budget), (1, vec![budget]));
    }

    #[test]
    fn what_is_no_rule_is_told_with_its_place() {
        let error = |text: &str| LintRules::parse(text).unwrap_err().to_string();
        assert!(error("[texture]").contains("unknown field `texture`"), "{}", error("[texture]"));
        let found = error("[[budget]]\nfile = \"4X\"");
        assert!(found.contains("line 2") && found.contains("\"4X\" is no size"), "{found}");
        let pattern = Globs::exact(&["T_[".to_owned()]).unwrap_err().to_string();
        assert!(pattern.starts_with("wrong pattern \"T_[\": "), "{pattern}");
    }
}
