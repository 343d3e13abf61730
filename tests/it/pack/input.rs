//! Anything in a folder besides files is reported, never silently omitted, and nothing waits for it.
#![cfg(unix)]

use crate::support::cli::uncask;
use crate::support::containers::{open, write_tree};
use crate::support::say;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

#[test]
fn links_pipes_and_closed_folders_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    write_tree(&tree, [("G/a.ini", b"text".to_vec()), ("G/closed/b.ini", b"text".to_vec())]);
    std::fs::write(folder.path().join("secret"), "of the user").unwrap();
    let link = |target: &str, name: &str| symlink(target, tree.join("G").join(name)).unwrap();
    link("a.ini", "inside.ini");
    link("../../secret", "outside.ini");
    link("nowhere", "broken.ini");
    std::fs::write(tree.join("G/.uncask-00112233445566778899aabbccddeeff-0.part"), "half").unwrap();
    link(".", "folder");
    // The package of a file of bulk data is looked for, too.
    let pipe = Command::new("mkfifo").arg(tree.join("G/pipe.uasset")).status().unwrap();
    assert!(pipe.success());
    std::fs::write(tree.join("G/pipe.ubulk"), "bulk").unwrap();
    let closed = tree.join("G/closed");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    let is_closed = std::fs::read_dir(&closed).is_err();
    for name in ["new.utoc", "new.pak"] {
        let output = folder.path().join(name);
        let run = uncask(["pack", tree.to_str().unwrap(), "-o", output.to_str().unwrap(), "--no-companion"]);
        let reported = |reason: &str, name: &str| {
            let (start, end) = (format!("error: left out: {reason}"), format!("G/{name}"));
            let is_told = |said: &str| said.starts_with(&start) && said.ends_with(&end);
            assert!(run.stderr.lines().any(is_told), "nothing about {name}: {}", run.stderr);
        };
        reported("symbolic link out of the folder, to ", "outside.ini");
        reported("broken symbolic link (", "broken.ini");
        reported("unfinished file of another run", ".uncask-00112233445566778899aabbccddeeff-0.part");
        reported("symbolic link to a folder", "folder");
        reported("not a file or folder", "pipe.uasset");
        if is_closed {
            reported("cannot be read: ", "closed");
        } else {
            say("not tried, permissions do not hold for this user: a folder that cannot be read");
        }
        assert_eq!(run.code, 1, "{}", run.stderr);
        let store = open(&output, &[]);
        let mut paths: Vec<String> = store.entries().filter_map(|entry| store.path(entry)).collect();
        paths.retain(|path| !path.contains("closed"));
        paths.sort_unstable();
        assert_eq!(paths, ["G/a.ini", "G/inside.ini", "G/pipe.ubulk"]);
    }
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn nothing_is_written_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    write_tree(&tree, [("a.ini", b"text".to_vec())]);
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let output = folder.path().join("new.utoc");
    for name in ["new.utoc", "new.ucas"] {
        symlink(&victim, folder.path().join(name)).unwrap();
    }
    let args = ["pack", tree.to_str().unwrap(), "-o", output.to_str().unwrap(), "--no-companion"];
    uncask(args).expect(1);
    uncask([&args[..], &["--force", "--overwrite"]].concat()).expect(0);
    assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    assert!(output.symlink_metadata().unwrap().is_file());
    uncask(["verify", output.to_str().unwrap()]).expect(0);
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort_unstable();
    assert_eq!(names, ["new.ucas", "new.utoc", "tree", "victim"]);
}
