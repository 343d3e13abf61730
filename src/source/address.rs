//! Addresses of files on servers: recognition and checks.
//!
//! ```text
//! https://host/Paks/pakchunk0-Windows.utoc     s3://bucket/Paks/pakchunk0-Windows.utoc
//! └─────────────── stem ────────────┘          its data: stem.ucas, stem_s1.ucas, …
//! ```

use std::path::Path;

/// Schemes that mean a server.
const SCHEMES: [&str; 3] = ["http://", "https://", "s3://"];

/// True if a path is the address of something on a server: `http://…`, `https://…` or `s3://…`.
#[must_use]
pub fn is_url(path: &Path) -> bool {
    // The case of a scheme has no meaning.
    let starts_with = |text: &str, scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    path.to_str().is_some_and(|text| SCHEMES.iter().any(|scheme| starts_with(text, scheme)))
}

/// Reason that an address cannot be an input. [`without_secrets`] returns the part that may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressProblem {
    /// An address that names no container, of a server that has no lists of its files.
    #[error(
        "the address does not end in .utoc or .pak; only a bucket (s3://) has folders that can be listed"
    )]
    NotContainer,
    /// A user, password, query or fragment. These would not fit the data files, and do not belong in
    /// messages.
    #[error("an address must not have a user, a password, a query or a fragment")]
    Extras,
    /// An address that is not in a bucket, for output.
    #[error("only a bucket (s3://bucket/folder) can be written to")]
    NotWritable,
    /// An address for something that is only written to a disk.
    #[error("this is written to a disk, not to an address; name a file or folder")]
    NotOnDisk,
    /// A build without the feature `remote`.
    #[error("this build cannot read addresses: it lacks the feature `remote`")]
    NoNetwork,
}

/// Checks that an address names a container, or a folder that can be listed, as far as its text shows.
pub fn check_url(path: &Path) -> Result<(), AddressProblem> {
    let text = path.to_str().unwrap_or_default();
    // Checked first, so that no later message can repeat a secret.
    if without_secrets(text) != text {
        return Err(AddressProblem::Extras);
    }
    if !is_url(path) || !(is_container(text) || is_listed(text)) {
        return Err(AddressProblem::NotContainer);
    }
    if cfg!(feature = "remote") { Ok(()) } else { Err(AddressProblem::NoNetwork) }
}

/// Returns the address without parts that may be secret: user, password, query and fragment.
#[must_use]
pub fn without_secrets(text: &str) -> String {
    // The query first: it may itself contain slashes and `@`.
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    // Up to the last `@`: a password may contain one as well.
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// True if an address is that of a `.utoc` or a `.pak`.
#[must_use]
pub fn is_container(url: &str) -> bool {
    stem(url).is_some() || without_extension(url, ".pak").is_some()
}

/// True for an address in a bucket, whose server lists what is in a folder.
#[must_use]
pub fn is_listed(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    scheme.eq_ignore_ascii_case("s3") && rest.starts_with(|first| first != '/')
}

/// Returns the common start of the names of a container's files: the address of its `.utoc` without the
/// extension.
pub(super) fn stem(toc: &str) -> Option<&str> {
    without_extension(toc, ".utoc")
}

fn without_extension<'a>(url: &'a str, wanted: &str) -> Option<&'a str> {
    let (stem, extension) = url.split_at_checked(url.len().checked_sub(wanted.len())?)?;
    // `/.utoc` has no name, so it has no data files either.
    let named = !stem.is_empty() && !stem.ends_with('/');
    (named && extension.eq_ignore_ascii_case(wanted)).then_some(stem)
}

/// Returns the end of a partition's name, after the common start.
pub(super) fn partition_suffix(index: u64) -> String {
    if index == 0 { ".ucas".to_owned() } else { format!("_s{index}.ucas") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_paths() {
        for url in ["http://h/a.utoc", "HTTPS://h/a.utoc", "s3://bucket/a.utoc"] {
            assert!(is_url(Path::new(url)), "{url}");
        }
        for path in ["a.utoc", "/http://h/a.utoc", "C:\\a.utoc", "http:/h", "ftp://h/a.utoc", "äöü"] {
            assert!(!is_url(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn secrets_are_refused_and_never_shown() {
        for (url, shown) in [
            ("https://me:word@h:1/a/b.utoc", "https://h:1/a/b.utoc"),
            ("https://h/b.utoc?sig=word", "https://h/b.utoc"),
            ("https://h/b.utoc#word", "https://h/b.utoc"),
            ("https://h?x=word@y", "https://h"),
        ] {
            assert_eq!(without_secrets(url), shown);
            assert_eq!(check_url(Path::new(url)), Err(AddressProblem::Extras), "{url}");
        }
        assert_eq!(without_secrets("https://h/~mods/a@2.utoc"), "https://h/~mods/a@2.utoc");
    }

    #[test]
    fn containers_and_folders_of_buckets_are_inputs() {
        for url in [
            "https://h/a.ucas",
            "https://h/",
            "https://h/.utoc",
            "https://h/.pak",
            "s3://",
            "s3:///a",
            "a.utoc",
        ] {
            assert_eq!(check_url(Path::new(url)), Err(AddressProblem::NotContainer), "{url}");
        }
        let expected = if cfg!(feature = "remote") { Ok(()) } else { Err(AddressProblem::NoNetwork) };
        for url in ["s3://bucket/a.UTOC", "https://h/a.pak", "s3://bucket", "S3://bucket/Paks/"] {
            assert_eq!(check_url(Path::new(url)), expected, "{url}");
        }
    }

    #[test]
    fn partitions_are_named_after_the_table() {
        assert_eq!(stem("https://h/a.b.utoc"), Some("https://h/a.b"));
        assert_eq!(partition_suffix(0), ".ucas");
        assert_eq!(partition_suffix(12), "_s12.ucas");
    }
}
