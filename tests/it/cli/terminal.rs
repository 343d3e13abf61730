//! Names that control terminals, through every command: nothing of them reaches one.

use super::demo;
use crate::support::cli::{Run, command};
#[cfg(unix)]
use crate::support::containers::Packed;
use crate::support::corpus;
use std::ffi::OsString;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
#[cfg(unix)]
use uncask::pack::PackOptions;

/// Fails on everything that moves a cursor, ends or hides a line, or turns text around.
#[track_caller]
fn is_tame(args: &[OsString], run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let wild = text.chars().find(|c| {
            matches!(c, '\0'..='\x09' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}')
                || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
                || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
        });
        assert_eq!(wild, None, "{args:?}: {:?}", run.shown());
        assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{args:?}: {}", run.shown());
    }
}

/// Runs `uncask`; in every argument, `@` stands for the folder and `%` for the input.
fn run(folder: &Path, input: &Path, args: &[&str]) -> Run {
    let filled = |arg: &&str| -> OsString {
        let mut whole = OsString::new();
        for (at, part) in arg.split('%').enumerate() {
            if at > 0 {
                whole.push(input);
            }
            whole.push(part.replace('@', &folder.display().to_string()));
        }
        whole
    };
    let args: Vec<OsString> = args.iter().map(filled).collect();
    let run = crate::support::cli::run(command().args(&args));
    is_tame(&args, &run);
    run
}

/// Every command that may show what a container holds; `get` gives the chunk itself.
const COMMANDS: &[&[&str]] = &[
    &["info", "%"],
    &["info", "%", "-v"],
    &["info", "%", "@/other.utoc"],
    &["info", "%", "--json"],
    &["list", "%"],
    &["list", "%", "-l", "--all"],
    &["list", "%", "--show-class"],
    &["list", "%", "--tree"],
    &["list", "%", "--csv"],
    &["list", "%", "--json"],
    &["list", "%", "--jsonl"],
    &["list", "%", "-i", "%", "--conflicts"],
    &["list", "%", "naem", "--exclude", "nmae"],
    &["verify", "%", "-v"],
    &["verify", "%", "--json"],
    &["unpack", "%", "-o", "@/out", "-v"],
    &["unpack", "%", "-o", "@/out", "--dry-run"],
    &["unpack", "%", "-o", "@/out", "--with-deps", "--json"],
    &["to-legacy", "%", "-o", "@/legacy", "-v", "--check"],
    &["to-legacy", "%", "-o", "@/legacy", "--dry-run"],
    &["inspect", "%"],
    &["inspect", "%", "--json"],
    &["inspect", "%:*.uasset"],
    &["inspect", "%:*.bin"],
    &["get", "%", "*", "-o", "@/got"],
    &["get", "%", "naem"],
    &["deps", "%", "*.uasset"],
    &["deps", "%", "naem", "--dot"],
    &["scripts", "%"],
    &["diff", "%", "@/other.utoc"],
    &["diff", "@/other.utoc", "%", "--csv"],
    &["diff", "@/other.utoc", "%", "--json"],
    &["du", "%", "--depth", "9"],
    &["du", "%", "--by", "class"],
    &["du", "%", "--by", "container"],
    &["du", "%", "--by", "method"],
    &["report", "%", "-o", "@/report.html"],
    #[cfg(feature = "catalog")]
    &["catalog", "%", "-o", "@/catalog"],
    &["bench", "%", "--rounds", "1", "-j", "1", "--folder", "@", "--size", "1M"],
    &["thumbnails", "%", "-o", "@/pictures"],
];

#[test]
fn names_in_containers_control_nothing() {
    let Some(corpus) = corpus::with("hostile/ansi") else { return };
    let other = demo();
    let folder = other.folder.path();
    std::fs::rename(&other.toc, folder.join("other.utoc")).unwrap();
    std::fs::rename(other.data(), folder.join("other.ucas")).unwrap();
    let mut escaped = 0;
    for name in ["a.utoc", "k.utoc", "m.utoc", "p.pak"] {
        let input = corpus.join("hostile/ansi").join(name);
        for args in COMMANDS {
            let run = run(folder, &input, args);
            escaped += run.shown().matches(r"\u{1b}").count();
        }
    }
    assert!(escaped > 100, "the names were shown {escaped} times");
    let package = corpus.join("hostile/ansi/n.utx");
    for args in [&["inspect", "%"][..], &["inspect", "%", "--json"], &["thumbnails", "%", "-o", "@/n"]] {
        run(folder, &package, args);
    }
}

/// Names as only the author of a file system or a container would think of them.
#[cfg(unix)]
const NAMES: [&str; 6] = [
    "x\nerror: forged.uasset",
    "\u{1b}]0;owned\u{7}\u{1b}[2K.bin",
    "\u{9b}31m\u{85}\u{7f}.ubulk",
    "gpj.\u{202e}exe\u{2066}\u{200f}\u{61c}.umap",
    "a\u{2028}b\u{2029}c\u{200b}.ini",
    "=cmd|' /C calc'!A0.bin",
];

#[cfg(unix)]
#[test]
fn names_of_files_control_nothing() {
    let paths: Vec<String> = NAMES.iter().map(|name| format!("Demo/Content/\u{1b}[31m\n/{name}")).collect();
    let files = paths.iter().map(|path| (path.as_str(), b"a text".to_vec()));
    let packed = Packed::new(files, &PackOptions::default());
    let folder = packed.folder.path();
    // The container itself has such a name, too.
    let hostile: PathBuf = folder.join("pak\u{1b}[2J\nerror: forged\u{202e}.utoc");
    std::fs::copy(&packed.toc, &hostile).unwrap();
    std::fs::copy(packed.data(), hostile.with_extension("ucas")).unwrap();
    std::fs::rename(&packed.toc, folder.join("other.utoc")).unwrap();
    std::fs::rename(packed.data(), folder.join("other.ucas")).unwrap();
    for args in COMMANDS {
        run(folder, &hostile, args);
    }
    for args in [
        &["inspect", "@/out/Demo/Content"][..],
        &["thumbnails", "@/tree", "-o", "@/pictures"],
        &["pack", "@/tree", "-o", "@/new.utoc", "--toc-version", "3", "-v", "--force", "--overwrite"],
        &["pack", "@/tree", "-o", "@/new.pak", "--force", "--overwrite"],
        &["to-legacy", "@/tree", "-o", "@/loose"],
        &["unpack", "%", "-o", "@/m", "--manifest", "@/m.jsonl"],
    ] {
        run(folder, &hostile, args);
    }
    std::fs::remove_dir_all(folder.join("m/Demo")).unwrap();
    run(folder, &hostile, &["verify", "@/m", "--manifest", "@/m.jsonl"]).expect(1);
    std::fs::remove_file(hostile.with_extension("ucas")).unwrap();
    run(folder, &hostile, &["verify", "%"]).expect(3);
}

/// Cells that a spreadsheet would compute are text; JSON is exact.
#[cfg(unix)]
#[test]
fn csv_is_harmless_and_json_is_exact() {
    let files = NAMES.map(|name| (name, b"a text".to_vec()));
    let packed = Packed::new(files, &PackOptions::default());
    let folder = packed.folder.path();
    let csv = run(folder, &packed.toc, &["list", "%", "--csv"]).expect(0).stdout;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let paths: Vec<String> = rows.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(paths.len(), NAMES.len(), "{csv}");
    assert!(paths.contains(&"'=cmd|' /C calc'!A0.bin".to_owned()), "{csv}");
    assert!(paths.contains(&r"x\nerror: forged.uasset".to_owned()), "{csv}");
    let json = run(folder, &packed.toc, &["list", "%", "--json"]).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut paths: Vec<&str> =
        json["chunks"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect();
    let mut expected = NAMES.to_vec();
    paths.sort_unstable();
    expected.sort_unstable();
    assert_eq!(paths, expected);
}

/// The error for arguments that make no sense repeats them.
#[test]
fn what_is_said_about_arguments_controls_no_terminal() {
    const WILD: &str = "\u{1b}[2Jx\nerror: forged\u{202e}";
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &[WILD][..],
        &["list", &format!("--{WILD}"), "%"],
        &["list", "--sort", WILD, "%"],
        &["list", "--type", WILD, "%"],
        &["unpack", "%", "--memory", WILD, "-o", "@/out"],
        &["completions", WILD],
    ] {
        let run = run(folder.path(), Path::new("x.utoc"), args);
        assert_ne!(run.code, 0, "{args:?}");
        assert!(run.stderr.contains("[2Jx"), "{args:?}: {}", run.stderr);
    }
}
