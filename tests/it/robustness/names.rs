//! Paths that want out, or that want the same place.

use crate::support::containers::{noise, open, unpack_all};
use crate::support::sketch::Sketch;
use std::collections::BTreeMap;
use std::path::Path;

/// A container with one chunk for each path, whose content says which one it is.
fn container(paths: &[&str]) -> Sketch {
    let mut sketch = Sketch::new(1 << 16);
    for (number, path) in (0_u64..).zip(paths) {
        sketch.add(&noise(100, number));
        sketch.paths.push((*path).to_owned());
    }
    sketch
}

/// Unpacks into a folder of its own and says which path each chunk went to.
fn unpacked(paths: &[&str]) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b/out");
    let outcome = unpack_all(&open(&container(paths).write(folder.path()), &[]), &out);
    assert!(outcome.failures.is_empty() && outcome.mismatches.is_empty(), "{outcome:?}");
    let outside = files(folder.path()).into_iter().filter(|path| !path.starts_with("a/b/out/"));
    assert_eq!(
        outside.collect::<Vec<_>>(),
        ["sketch.ucas", "sketch.utoc"],
        "nothing leaves the output folder"
    );
    let number = |path: &String| {
        let content = std::fs::read(out.join(path)).unwrap();
        (0..paths.len()).find(|number| noise(100, *number as u64) == content).unwrap()
    };
    files(&out).into_iter().map(|path| (path.clone(), number(&path))).collect()
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let name = |path: &Path| {
        path.strip_prefix(folder).unwrap().to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/")
    };
    let mut names: Vec<String> = files.map(|entry| name(entry.path())).collect();
    names.sort_unstable();
    names
}

#[test]
fn no_path_leaves_the_output_folder() {
    let paths = [
        "../../../../etc/x",
        "../../../../../../../../../../../../tmp/x",
        "/absolute/x",
        r"C:\Windows\x",
        r"\\server\share\x",
        r"..\..\..\x",
        "a/../../../../x",
        "stream:x",
        "nul",
        "COM1.txt",
        "dots...",
        "space ",
        "zero\0byte",
        "line\nbreak",
        ".",
        "..",
    ];
    let unpacked = unpacked(&paths);
    assert_eq!(unpacked.len(), paths.len(), "every chunk has a file of its own");
    let shown: Vec<String> =
        unpacked.iter().map(|(path, number)| format!("{path} <- {:?}", paths[*number])).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    %2E <- "."
    %2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/%2E%2E/tmp/x <- "../../../../../../../../../../../../tmp/x"
    %2E%2E/%2E%2E/%2E%2E/%2E%2E/etc/x <- "../../../../etc/x"
    %2E%2E/%2E%2E/%2E%2E/x <- "..\\..\\..\\x"
    %2E%2E~100000000000000000000002 <- ".."
    %43OM1.txt <- "COM1.txt"
    %6Eul <- "nul"
    C%3A/Windows/x <- "C:\\Windows\\x"
    a/%2E%2E/%2E%2E/%2E%2E/%2E%2E/x <- "a/../../../../x"
    absolute/x <- "/absolute/x"
    dots..%2E <- "dots..."
    line%0Abreak <- "line\nbreak"
    server/share/x <- "\\\\server\\share\\x"
    space%20 <- "space "
    stream%3Ax <- "stream:x"
    zero%00byte <- "zero\0byte"
    "#);
}

#[test]
fn names_that_differ_by_case_get_files_of_their_own() {
    let paths = ["G/A.uasset", "G/a.uasset", "g/A.uasset", "G/a.uasset/inner", "G/B", "g/b"];
    let once = unpacked(&paths);
    assert_eq!(once.len(), paths.len());
    assert_eq!(once, unpacked(&paths), "the same way each time");
    let lower: std::collections::BTreeSet<String> = once.keys().map(|path| path.to_lowercase()).collect();
    assert_eq!(lower.len(), paths.len(), "apart on any file system: {once:?}");
    insta::assert_snapshot!(once.into_keys().collect::<Vec<_>>().join("\n"), @r"
    G/A~010000000000000000000002.uasset
    G/B
    G/a.uasset/inner
    G/a~020000000000000000000002.uasset
    g/A~030000000000000000000002.uasset
    g/b~060000000000000000000002
    ");
}

/// Windows folds case by its own table, macOS folds accents, too; and a FAT or NTFS file has a short name besides.
#[test]
fn names_that_some_file_system_takes_for_one_get_files_of_their_own() {
    let paths = ["G/σ.x", "G/ς.x", "G/é.x", "G/e\u{301}.x", "ſ/x", "S/X", "LONGNA~1.UAS", "LongName.uasset"];
    let once = unpacked(&paths);
    assert_eq!(once, unpacked(&paths), "the same way each time");
    let expected = [
        "G/e\u{301}~040000000000000000000002.x",
        "G/é.x",
        "G/ς~020000000000000000000002.x",
        "G/σ.x",
        "LONGNA%7E1.UAS",
        "LongName.uasset",
        "S/X~060000000000000000000002",
        "ſ/x",
    ];
    assert!(once.keys().eq(expected), "{once:?}");
}

/// The name of the second leaves no room for its tag.
#[test]
fn the_longest_names_get_files_of_their_own() {
    let (lower, upper) = (format!("{}.uasset", "n".repeat(248)), format!("{}.uasset", "N".repeat(248)));
    let umlauts = ["ü".repeat(127), "Ü".repeat(127)];
    let unpacked = unpacked(&[&lower, &upper, &umlauts[0], &umlauts[1]]);
    let lengths: Vec<usize> = unpacked.keys().map(String::len).collect();
    assert_eq!(unpacked.len(), 4);
    assert!(lengths.iter().all(|len| (230..=255).contains(len)), "{lengths:?}");
    assert!(unpacked.keys().all(|name| !name.is_ascii() || name.ends_with(".uasset")), "{unpacked:?}");
}

#[test]
fn long_and_deep_paths_work() {
    let long = format!("{}.uasset", "n".repeat(300));
    let deep = "folder/".repeat(120) + "x.uasset";
    let unpacked = unpacked(&[&long, &deep]);
    assert_eq!(unpacked.get(&deep), Some(&1), "848 characters deep");
    let (name, _) = unpacked.iter().find(|(_, number)| **number == 0).unwrap();
    assert!(name.len() <= 255 && name.starts_with("nnn"), "{name}");
}

#[cfg(all(feature = "cli", unix))]
#[test]
fn five_hundred_folders_in_one_another_are_listed_on_a_small_stack() {
    use crate::support::cli::run;
    let folder = tempfile::tempdir().unwrap();
    let mut sketch = container(&["x.uasset"]);
    sketch.mount_point = "../../../".to_owned() + &"d/".repeat(500);
    let toc = sketch.write(folder.path());
    // Windows gives a MiB. Reading the command line takes less than 300 KiB of it in a build for tests: what is left is a
    // few hundred bytes for each folder.
    let script = "ulimit -s 384 && exec \"$0\" list \"$@\"";
    let list = |options: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        run(shell.args(["-c", script, env!("CARGO_BIN_EXE_uncask")]).arg(&toc).args(options)).expect(0).stdout
    };
    assert_eq!(list(&[]).trim_end().len(), 1_008);
    let tree = list(&["--tree"]);
    assert!(tree.trim_end().ends_with("x.uasset  100 B"));
    assert!(tree.len() < 20 << 10, "{} bytes: the tree grows with the square of its depth", tree.len());
}
