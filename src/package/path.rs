use std::fmt;

/// Full path of an object: a package and the names from its outermost object inwards. A package that does not know
/// its own name has an empty one.
///
/// ```
/// use uncask::package::ObjectPath;
///
/// let path = ObjectPath::from_text("/Script/Engine.Actor:K2_DestroyActor");
/// assert_eq!((path.package(), path.names()), ("/Script/Engine", &["Actor".to_owned(), "K2_DestroyActor".into()][..]));
/// assert_eq!(path.to_string(), "/Script/Engine.Actor:K2_DestroyActor");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectPath {
    package: String,
    names: Vec<String>,
}

impl ObjectPath {
    /// From its parts.
    #[must_use]
    pub fn new(package: &str, names: impl IntoIterator<Item = String>) -> Self {
        Self { package: package.to_owned(), names: names.into_iter().collect() }
    }

    /// Takes a text apart at its dots and colons.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut parts = text.split(['.', ':']);
        let package = parts.next().unwrap_or_default();
        Self::new(package, parts.map(str::to_owned))
    }

    /// The package.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    /// The names inside the package, outermost first; none for the package itself.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same names in another package.
    #[must_use]
    pub fn in_package(self, package: &str) -> Self {
        Self { package: package.to_owned(), ..self }
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.package)?;
        for (depth, name) in (1..).zip(&self.names) {
            let nothing_before = depth == 1 && self.package.is_empty();
            write!(f, "{}{name}", if nothing_before { "" } else { separator(depth) })?;
        }
        Ok(())
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
