use std::ffi::OsString;

/// What has a name in a folder.
#[derive(Debug)]
pub(in crate::sink) struct Entry {
    pub(in crate::sink) name: OsString,
    pub(in crate::sink) kind: Kind,
}

/// What something in a folder is. A link is not what it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "there are no folders"))]
pub(in crate::sink) enum Kind {
    Folder,
    /// A regular file.
    File,
    /// A link, or something that only systems other than Windows have.
    Other,
}
