//! An object that a package refers to.

use serde::Serialize;

/// An object that a package refers to.
#[derive(Serialize)]
pub(super) struct Reference {
    /// Its full path, if that is known; absent for packages in import lists that do not name them.
    pub path: Option<String>,
    /// How the path is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'static str>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The package it should be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The number in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

impl Reference {
    /// A path that needs no evidence.
    pub(super) const fn plain(path: Option<String>) -> Self {
        Self { path, evidence: None, problem: None, package: None, index: None }
    }

    /// For people: the path, or why there is none.
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
