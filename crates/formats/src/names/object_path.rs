use crate::wire::MAX_PATH_LEN;
use std::fmt;
use std::sync::Arc;

/// Full path of an object: a package and the names from its outermost object inwards. A package that does not know
/// its own name has an empty one.
///
/// A clone shares the texts: thousands of imports may name one package, however long its name is.
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
    /// From its parts.
    #[must_use]
    pub fn new<T: Into<Arc<str>>>(package: impl Into<Arc<str>>, names: impl IntoIterator<Item = T>) -> Self {
        Self { package: package.into(), names: names.into_iter().map(Into::into).collect() }
    }

    /// The path of a package itself.
    #[must_use]
    pub fn of_package(package: impl Into<Arc<str>>) -> Self {
        Self { package: package.into(), names: Arc::default() }
    }

    /// Takes a text apart at its dots and colons.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut parts = text.split(['.', ':']);
        let package = parts.next().unwrap_or_default();
        Self::new(package, parts)
    }

    /// The package.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    /// The package, to be shared.
    pub(crate) fn shared_package(&self) -> Arc<str> {
        Arc::clone(&self.package)
    }

    /// The path of its package.
    pub(crate) fn package_path(&self) -> Self {
        Self::of_package(self.shared_package())
    }

    /// The names inside the package, outermost first; none for the package itself.
    #[must_use]
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// Name of the object; of a package, its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.last().unwrap_or(&self.package)
    }

    /// Package and name of the object, to be shared; `None` for a package.
    #[must_use]
    pub(crate) fn ends(&self) -> Option<(Arc<str>, Arc<str>)> {
        Some((Arc::clone(&self.package), Arc::clone(self.names.last()?)))
    }

    /// The path of the object around this one; a package lies in nothing.
    #[must_use]
    pub fn outer(&self) -> Option<Self> {
        let (_, outer) = self.names.split_last()?;
        Some(Self { package: Arc::clone(&self.package), names: outer.into() })
    }

    /// The path with these names in another package.
    #[must_use]
    pub fn in_package(self, package: impl Into<Arc<str>>) -> Self {
        Self { package: package.into(), ..self }
    }

    /// Its text, as it is shown, made in one piece.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.text_len());
        self.parts().for_each(|part| text.push_str(part));
        text
    }

    /// The package, and each name after what separates it from the one before.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let names = (1..).zip(&*self.names).flat_map(|(depth, name)| {
            let nothing_before = depth == 1 && self.package.is_empty();
            [if nothing_before { "" } else { separator(depth) }, name]
        });
        std::iter::once(&*self.package).chain(names)
    }

    /// Bytes of its text.
    #[must_use]
    pub(crate) fn text_len(&self) -> usize {
        self.names.iter().fold(self.package.len(), |len, name| len.saturating_add(name.len() + 1))
    }

    /// The path, unless it is longer than any in the engine.
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

/// What stands in front of a name in a path, by its depth below the package: `Package.Object:Part.Part`.
#[must_use]
pub(crate) const fn separator(depth: usize) -> &'static str {
    match depth {
        0 => "",
        2 => ":",
        _ => ".",
    }
}
