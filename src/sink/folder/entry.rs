use std::ffi::OsString;

/// Entry of a folder.
#[derive(Debug)]
pub(in crate::sink) struct Entry {
    pub(in crate::sink) name: OsString,
    pub(in crate::sink) kind: Kind,
}

/// Kind of an entry. A link has its own kind, not that of its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "there are no folders"))]
pub(in crate::sink) enum Kind {
    Folder,
    /// A regular file.
    File,
    /// A link, or something that only exists on systems other than Windows.
    Other,
}
