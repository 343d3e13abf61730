use crate::wire::MAX_PATH_LEN;
use std::fmt;
use std::sync::Arc;

/// Full path of an object: a package and the names from its outermost object inwards. The package name is
/// empty if a package does not record its own name.
///
/// Clones share the texts: thousands of imports may refer to one package, no matter how long its name is.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::names::ObjectPath;
///
/// let path = ObjectPath::from_text("/Script/Engine.Actor:K2_DestroyActor");
/// assert_eq!((path.package(), path.name()), ("/Script/Engine", "K2_DestroyActor"));
/// assert_eq!(path.names().len(), 2);
/// assert_eq!(path.to_string(), "/Script/Engine.Actor:K2_DestroyActor");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectPath {
    package: Arc<str>,
    names: Arc<[Arc<str>]>,
}

impl ObjectPath {
    /// Creates a path from its parts.
    #[must_use]
    pub fn new<T: Into<Arc<str>>>(package: impl Into<Arc<str>>, names: impl IntoIterator<Item = T>) -> Self {
        Self { package: package.into(), names: names.into_iter().map(Into::into).collect() }
    }

    /// Creates the path of a package.
    #[must_use]
    pub fn of_package(package: impl Into<Arc<str>>) -> Self {
        Self { package: package.into(), names: Arc::default() }
    }

    /// Parses a text, splitting it at dots and colons.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut parts = text.split(['.', ':']);
        let package = parts.next().unwrap_or_default();
        Self::new(package, parts)
    }

    /// Returns the package name.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Returns the package name as a shared text.
    pub(crate) fn shared_package(&self) -> Arc<str> {
        Arc::clone(&self.package)
    }

    /// Returns the path of its package.
    pub(crate) fn package_path(&self) -> Self {
        Self::of_package(self.shared_package())
    }

    /// Returns the names inside the package, outermost first; empty for a package.
    #[must_use]
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// Returns the object name; for a package, its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.last().unwrap_or(&self.package)
    }

    /// Returns package and object name as shared texts; `None` for a package.
    #[must_use]
    pub(crate) fn ends(&self) -> Option<(Arc<str>, Arc<str>)> {
        Some((Arc::clone(&self.package), Arc::clone(self.names.last()?)))
    }

    /// Returns the path of its outer object; `None` for a package.
    #[must_use]
    pub fn outer(&self) -> Option<Self> {
        let (_, outer) = self.names.split_last()?;
        Some(Self { package: Arc::clone(&self.package), names: outer.into() })
    }

    /// Returns the same names in another package.
    #[must_use]
    pub fn in_package(self, package: impl Into<Arc<str>>) -> Self {
        Self { package: package.into(), ..self }
    }

    /// Returns its text, built in one allocation.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.text_len());
        self.parts().for_each(|part| text.push_str(part));
        text
    }

    /// Iterates over the package and each name, preceded by its separator.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let names = (1..).zip(&*self.names).flat_map(|(depth, name)| {
            // Without a package name, a leading dot would be noise.
            let nothing_before = depth == 1 && self.package.is_empty();
            [if nothing_before { "" } else { separator(depth) }, name]
        });
        std::iter::once(&*self.package).chain(names)
    }

    /// Returns the length of its text in bytes.
    #[must_use]
    pub(crate) fn text_len(&self) -> usize {
        // One byte per separator, whichever it is.
        self.names.iter().fold(self.package.len(), |len, name| len.saturating_add(name.len() + 1))
    }

    /// Returns the path unless it is longer than the engine allows.
    pub(crate) fn bounded(self) -> Option<Self> {
        (self.text_len() <= MAX_PATH_LEN).then_some(self)
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| f.write_str(part))
    }
}

impl serde::Serialize for ObjectPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the separator before a name, by its depth below the package: `Package.Object:Part.Part`.
#[must_use]
pub(crate) const fn separator(depth: usize) -> &'static str {
    match depth {
        0 => "",
        2 => ":",
        _ => ".",
    }
}
