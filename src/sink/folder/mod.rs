//! A folder that stays the same while it is in use, even if its path changes.
//!
//! | system | method |
//! |---|---|
//! | Linux, macOS, … | every access starts from a handle of the folder; links that stay inside are followed |
//! | Windows | the folder is open, so that no part of its path can change; no link in it is followed |
//! | a browser | no folders exist |
//!
//! All names here are single components, and none of them leads out of the folder.

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

    #[cfg(unix)]
    #[test]
    fn links_are_followed_as_far_as_they_stay_inside() {
        use std::os::unix::fs::symlink;
        let temporary = tempfile::tempdir().unwrap();
        let (inside, outside) = (temporary.path().join("in"), temporary.path().join("out"));
        std::fs::create_dir_all(inside.join("a/b")).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        for (file, text) in [(inside.join("a/b/file"), "inside"), (outside.join("file"), "outside")] {
            std::fs::write(file, text).unwrap();
        }
        let link = |target: &str, name: &str| symlink(target, inside.join(name)).unwrap();
        let root = Folder::open(&inside).unwrap();
        let read = |name: &str| {
            let (mut file, _) = root.open_file(name.as_ref()).map_err(|error| error.kind())?;
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            Ok(text)
        };
        link("a/b/file", "below");
        link("./a/../a/./b/../b/file", "there-and-back");
        link("below", "twice");
        link("a/through", "through");
        symlink("../a/b", inside.join("a/through")).unwrap();
        for name in ["below", "there-and-back", "twice"] {
            assert_eq!(read(name), Ok("inside".to_owned()), "{name}");
        }
        assert!(root.open_folder("through".as_ref()).unwrap().has("file".as_ref()), "a link to a folder");
        link("a/..", "self");
        assert!(root.open_folder("self".as_ref()).unwrap().has("below".as_ref()));
        assert!(root.open_file("self".as_ref()).is_err(), "a folder is no file");
        link("../out/file", "up");
        link("a/../../out/file", "down-and-up");
        link("../in/a/b/file", "out-and-in");
        symlink(outside.join("file"), inside.join("absolute")).unwrap();
        symlink(inside.join("a/b/file"), inside.join("absolute-inside")).unwrap();
        for name in ["up", "down-and-up", "out-and-in", "absolute", "absolute-inside"] {
            assert_eq!(read(name), Err(ErrorKind::PermissionDenied), "{name}");
            assert!(root.open_folder(name.as_ref()).is_err(), "{name}");
        }
        link("nowhere", "dangling");
        assert_eq!(read("dangling"), Err(ErrorKind::NotFound));
        link("below/file", "through-a-file");
        assert_eq!(read("through-a-file"), Err(ErrorKind::NotADirectory));
        link("round", "round");
        assert!(read("round").is_err() && root.open_folder("round".as_ref()).is_err());
        let names: Vec<_> = (0..41).map(|number| format!("chain{number}")).collect();
        for pair in names.windows(2) {
            link(&pair[1], &pair[0]);
        }
        link("a/b/file", "chain40");
        assert!(read("chain0").is_err(), "41 links are too many");
        assert_eq!(read("chain1"), Ok("inside".to_owned()));
        for name in ["below", "through", "up", "dangling"] {
            assert!(root.has(name.as_ref()), "{name}: a link is no folder");
            assert!(root.open_lock(name.as_ref()).is_err() && root.create(name.as_ref()).is_err(), "{name}");
        }
        // Names are components: the system would follow the link in the middle of a path.
        link("../out", "outside");
        for name in ["outside/file", "a/b/file", "/", ".."] {
            assert!(
                root.open_file(name.as_ref()).is_err() && root.open_folder(name.as_ref()).is_err(),
                "{name}"
            );
            assert!(
                root.create(name.as_ref()).is_err() && root.make_folder(name.as_ref()).is_err(),
                "{name}"
            );
            assert!(root.remove_file(name.as_ref()).is_err(), "{name}");
            assert!(root.rename("below".as_ref(), name.as_ref()).is_err(), "{name}");
        }
        assert_eq!(std::fs::read(outside.join("file")).unwrap(), b"outside");
        let kinds: Vec<_> = root.entries().unwrap().map(Result::unwrap).map(|entry| entry.kind).collect();
        assert!(
            kinds.contains(&Kind::Other) && kinds.iter().filter(|kind| **kind == Kind::Folder).count() == 1
        );
    }
}
