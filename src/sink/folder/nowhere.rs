//! Folders on platforms without any, such as browsers: none can be opened.

use super::entry::Entry;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// Folder, which never exists.
#[derive(Debug)]
pub(in crate::sink) enum Folder {}

impl Folder {
    /// Always fails.
    pub(in crate::sink) fn open(_path: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(in crate::sink) fn try_clone(&self) -> io::Result<Self> {
        match *self {}
    }

    pub(in crate::sink) fn open_folder(&self, _name: &OsStr) -> io::Result<Self> {
        match *self {}
    }

    pub(in crate::sink) fn make_folder(&self, _name: &OsStr) -> io::Result<()> {
        match *self {}
    }

    pub(in crate::sink) fn entries(&self) -> io::Result<Entries> {
        match *self {}
    }

    pub(in crate::sink) fn has(&self, _name: &OsStr) -> bool {
        match *self {}
    }

    pub(in crate::sink) fn create(&self, _name: &OsStr) -> io::Result<File> {
        match *self {}
    }

    pub(in crate::sink) fn open_file(&self, _name: &OsStr) -> io::Result<(File, u64)> {
        match *self {}
    }

    pub(in crate::sink) fn open_lock(&self, _name: &OsStr) -> io::Result<File> {
        match *self {}
    }

    pub(in crate::sink) fn rename(&self, _from: &OsStr, _to: &OsStr) -> io::Result<()> {
        match *self {}
    }

    pub(in crate::sink) fn remove_file(&self, _name: &OsStr) -> io::Result<()> {
        match *self {}
    }
}

/// Entries of a folder.
pub(in crate::sink) type Entries = std::iter::Empty<io::Result<Entry>>;
