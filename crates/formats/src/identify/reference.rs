//! A reference of a package to an object.

use serde::Serialize;

/// A reference of a package to an object.
#[derive(Serialize)]
pub(super) struct Reference {
    /// Full path, if known; absent for packages in import lists without names.
    pub path: Option<String>,
    /// Evidence for the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'static str>,
    /// Reason for a missing path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Package that should contain the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Index, as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

impl Reference {
    /// Creates a reference to a path that needs no evidence.
    pub(super) const fn plain(path: Option<String>) -> Self {
        Self { path, evidence: None, problem: None, package: None, index: None }
    }

    /// Formats the path for people, or the reason why there is none.
    pub(super) fn shown(&self) -> String {
        match (&self.path, &self.problem) {
            (Some(path), _) => path.clone(),
            (None, Some(problem)) => {
                let index = self.index.as_deref().unwrap_or_default();
                let place = self.package.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
                format!("unresolved {index}{place}: {problem}")
            }
            (None, None) => "a package".to_owned(),
        }
    }
}
