//! A folder that stays the same while it is in use, whatever becomes of its path.
//!
//! | system | how |
//! |---|---|
//! | Linux, macOS, … | every access starts from a handle of the folder; a link in it is followed as far as it stays inside |
//! | Windows | the folder is open, so that no part of its path can be renamed or removed; no link in it is followed |
//! | a browser | there are none |
//!
//! All names here are single components. None of them leads out of the folder.

mod entry;
#[cfg_attr(windows, path = "by_path.rs")]
#[cfg_attr(target_family = "wasm", path = "nowhere.rs")]
#[cfg_attr(not(any(windows, target_family = "wasm")), path = "by_handle.rs")]
mod system;

pub(super) use entry::{Entry, Kind};
pub(super) use system::{Entries, Folder};

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{ErrorKind, Read as _, Write as _};

    #[test]
    fn a_folder_and_what_is_in_it() {
        let temporary = tempfile::tempdir().unwrap();
        let root = Folder::open(temporary.path()).unwrap();
        let inner =
            root.make_folder("inner".as_ref()).and_then(|()| root.open_folder("inner".as_ref())).unwrap();
        inner.create("a".as_ref()).unwrap().write_all(b"text").unwrap();
        assert_eq!(inner.create("a".as_ref()).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(root.make_folder("inner".as_ref()).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(root.open_folder("none".as_ref()).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(inner.open_folder("a".as_ref()).is_err(), "a file is no folder");
        inner.rename("a".as_ref(), "b".as_ref()).unwrap();
        assert!(inner.has("b".as_ref()) && !inner.has("a".as_ref()) && !root.has("inner".as_ref()));
        let (mut file, len) = inner.open_file("b".as_ref()).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), len), ("text", 4));
        drop(file);
        let entries = |folder: &Folder| -> Vec<(String, Kind)> {
            let all = folder.entries().unwrap().map(Result::unwrap);
            all.map(|entry| (entry.name.into_string().unwrap(), entry.kind)).collect()
        };
        assert_eq!(entries(&root.try_clone().unwrap()), [("inner".to_owned(), Kind::Folder)]);
        assert_eq!(entries(&inner), [("b".to_owned(), Kind::File)]);
        inner.remove_file("b".as_ref()).unwrap();
        assert_eq!(entries(&inner), []);
    }
}
