//! Files that are there already, in the jobs that write some.

use crate::support::cli::uncask;
use crate::support::containers::write_tree;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use uncask::Game;
use uncask::error::Result;
use uncask::export::ExportOptions;
use uncask::extract::legacy::{LegacyOptions, LoosePackages, RebuiltAssets};
use uncask::job::Outcome;
use uncask::sink::{DirectorySink, Existing, MemorySink, OutputPath, Overwrite, PutOutcome, Sink, Staged};
use uncask::values::ValueOptions;

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo")
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// All files below a folder, by their paths there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::<_, _>::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let name = |path: &Path| text(path.strip_prefix(folder).unwrap()).replace('\\', "/");
    files.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// The numbers of files that a report of `export` has: all, those that were the same, those that were skipped; and the same
/// numbers summed over its assets.
fn counts(report: &Value) -> [[u64; 3]; 2] {
    let number = |value: &Value| value.as_u64().unwrap();
    let assets = report["exported"].as_array().unwrap();
    let sum = |of: &dyn Fn(&Value) -> u64| assets.iter().map(of).sum();
    [
        ["files", "files_unchanged", "files_kept"].map(|name| number(&report[name])),
        [
            sum(&|asset| asset["files"].as_array().unwrap().len() as u64),
            sum(&|asset| number(&asset["unchanged"])),
            sum(&|asset| number(&asset["kept"])),
        ],
    ]
}

/// Assets, chunks that are copied, and loose files: what is kept unseen counts as skipped, what is the same as already
/// there, and only the rest was written.
#[test]
fn export_counts_what_it_wrote_what_was_there_and_what_it_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let [tree, toc] = ["tree", "made.utoc"].map(|name| folder.path().join(name));
    let film = ("Game/Content/Intro.mp4", b"film".to_vec());
    write_tree(&tree, [film, ("Game/Content/1.wem", b"wwise".to_vec())]);
    uncask(["pack", text(&tree), "-o", text(&toc)]).expect(0);
    for (at, (input, all)) in [(demo(), 4), (toc, 2), (tree, 2)].into_iter().enumerate() {
        let out = folder.path().join(format!("out{at}"));
        let run = |overwrite: &str, json: &[&str]| {
            let args = ["export", text(&input), "-o", text(&out), "--overwrite", overwrite];
            uncask([&args[..], json].concat()).expect(0)
        };
        let both = |overwrite: &str| {
            let report: Value = serde_json::from_str(&run(overwrite, &["--json"]).stdout).unwrap();
            let [files, assets] = counts(&report);
            assert_eq!(files, assets, "{report:#}");
            files
        };
        assert_eq!(both("never"), [all, 0, 0], "{input:?}");
        let mut expected = files(&out);
        assert_eq!(expected.len() as u64, all);
        assert_eq!(both("different"), [all, all, 0], "{input:?}");
        assert_eq!(both("always"), [all, 0, 0], "{input:?}");
        let (name, bytes) =
            expected.first_entry().map(|first| (first.key().clone(), first.remove())).unwrap();
        fs::write(out.join(&name), "mine").unwrap();
        expected.insert(name.clone(), b"mine".to_vec());
        assert_eq!(both("never"), [all, 0, all], "{input:?}");
        assert!(files(&out) == expected, "{name} was replaced");
        let said = run("never", &[]).stderr;
        assert!(said.contains(&format!("wrote 0 files, {all} skipped: ")), "{said}");
        let said = run("different", &[]).stderr;
        assert!(said.contains(&format!("wrote 1 file, {} already there: ", all - 1)), "{said}");
        assert_eq!(fs::read(out.join(&name)).unwrap(), bytes);
    }
}

/// Files that somebody has changed stay, and are named; those that nobody has changed are replaced.
#[test]
fn edited_files_are_kept_by_all_that_write_packages() {
    let folder = tempfile::tempdir().unwrap();
    let demo = demo();
    let other = folder.path().join("other_P.utoc");
    let target = format!("{}:/Game/Maps/Start", text(&demo));
    uncask(["set", &target, "Start.Count", "9", "-o", text(&other)]).expect(0);
    for (command, edited, untouched) in [
        (&["export"][..], "Textures/T_Rock.png", "Meshes"),
        (&["json"], "Maps/Cave.json", "Maps/Start.json"),
        (&["json", "--form", "tree"], "Maps/Cave.json", "Maps/Start.json"),
        (&["to-legacy"], "Maps/Cave.uexp", "Maps/Start.uexp"),
    ] {
        let out = folder.path().join(command.join(""));
        let run = |input: &Path, more: &[&str]| {
            uncask([command, &[text(input), "-o", text(&out)], more].concat()).expect(0)
        };
        run(&demo, &[]);
        let [edited, untouched] = [edited, untouched].map(|name| out.join("Demo/Content").join(name));
        let before = fs::read(&edited).unwrap();
        fs::write(&edited, "mine").unwrap();
        let ran = run(&demo, &[]);
        let says = format!("changed since it was written: {}", text(edited.strip_prefix(&out).unwrap()));
        assert!(
            ran.stderr.replace('\\', "/").contains(&says.replace('\\', "/")),
            "{command:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains("--overwrite always"), "{}", ran.stderr);
        assert_eq!(fs::read(&edited).unwrap(), b"mine", "{command:?}");
        if untouched.is_file() {
            // Another build: the file is not the same, but nobody has changed it.
            let old = fs::read(&untouched).unwrap();
            run(&other, &[]);
            assert!(fs::read(&untouched).unwrap() != old, "{command:?}");
        }
        run(&demo, &["--overwrite", "all"]);
        assert!(fs::read(&edited).unwrap() == before, "{command:?}");
    }
}

/// One of the files of a package is worth nothing beside the user's other one.
#[test]
fn to_legacy_keeps_a_package_of_which_one_file_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let loose = folder.path().join("loose");
    uncask(["unpack", text(&demo()), "-o", text(&loose)]).expect(0);
    for (at, input) in [demo(), loose].into_iter().enumerate() {
        for removed in [".uexp", ".uasset"] {
            let out = folder.path().join(format!("out{at}{removed}"));
            let run = |more: &[&str]| {
                let args = ["to-legacy", text(&input), "-o", text(&out), "--json"];
                let run = uncask([&args[..], more].concat()).expect(0);
                serde_json::from_str::<Value>(&run.stdout).unwrap()
            };
            let all = &run(&[])["count"];
            let mut expected = files(&out);
            let gone: Vec<String> = expected.keys().filter(|name| name.ends_with(removed)).cloned().collect();
            assert!(gone.len() > 2, "{gone:?}");
            for name in gone {
                fs::remove_file(out.join(&name)).unwrap();
                expected.remove(&name);
            }
            for (name, bytes) in expected.iter_mut().filter(|(name, _)| !has_extension(name, "json")) {
                *bytes = b"mine".to_vec();
                fs::write(out.join(name), "mine").unwrap();
            }
            let report = run(&["--overwrite", "never"]);
            assert!(files(&out) == expected, "{input:?} without {removed}");
            assert_eq!((&report["kept"], &report["unchanged"]), (all, &0.into()), "{report:#}");
        }
    }
}

/// A header is never replaced where the rest of its package cannot be: here something else has the name of the exports.
#[test]
fn an_edit_that_cannot_replace_a_package_as_a_whole_leaves_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let (out, target) = (folder.path().join("out"), format!("{}:/Game/Maps/Start", text(&demo())));
    let set = |value: &str| {
        uncask([
            "set",
            target.as_str(),
            "Start.Count",
            value,
            "-o",
            &format!("{}/", text(&out)),
            "--force",
            "--overwrite",
        ])
    };
    set("9").expect(0);
    let [header, exports] =
        ["umap", "uexp"].map(|end| out.join("Demo/Content/Maps/Start").with_extension(end));
    fs::write(&header, "mine").unwrap();
    fs::remove_file(&exports).unwrap();
    write_tree(&exports, [("in the way", Vec::new())]);
    assert!(set("10").expect(1).stderr.contains("Start.uexp"));
    assert_eq!(fs::read(&header).unwrap(), b"mine");
    assert_eq!(files(&out).len(), 2, "nothing else is left");
}

/// Something that another program does to a file.
type Change = fn(&Path);

/// A sink in memory that changes the source of a file when that is begun, and counts how often it is asked for files.
#[derive(Debug, Default)]
struct Watched {
    files: MemorySink,
    started_empty: bool,
    asked: AtomicU64,
    source: Option<(PathBuf, Change)>,
}

impl Sink for Watched {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        if let Some((source, change)) = self.source.as_ref().filter(|_| has_extension(path.as_str(), "ubulk"))
        {
            change(source);
        }
        self.files.create(path, len)
    }

    fn started_empty(&self) -> bool {
        self.started_empty
    }

    fn existing(&self, path: &OutputPath) -> std::io::Result<Existing> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.files.existing(path)
    }
}

fn grow(path: &Path) {
    fs::File::options().append(true).open(path).unwrap().write_all(b"more").unwrap();
}

fn cut(path: &Path) {
    fs::File::options().write(true).open(path).unwrap().set_len(10).unwrap();
}

/// A file that another program writes meanwhile is copied as it was begun, or is a failure.
#[test]
fn bulk_data_is_copied_up_to_the_length_that_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let demo = demo();
    let game = Game::open(&demo).unwrap();
    let copy = |change: Change| -> (Outcome<RebuiltAssets>, Vec<u8>, Option<Vec<u8>>) {
        let loose = folder.path().join("loose");
        uncask(["unpack", text(&demo), "-o", text(&loose), "--overwrite", "always"]).expect(0);
        let before = files(&loose);
        let (name, bytes) = before.iter().find(|(name, _)| has_extension(name, "ubulk")).unwrap();
        let stem = name.strip_suffix(".ubulk").unwrap();
        let found = LoosePackages::find(&loose, 1 << 20, |path| path.starts_with(stem));
        assert_eq!((found.len(), found.bulk_len()), (1, 1));
        let sink = Arc::new(Watched { source: Some((loose.join(name), change)), ..Watched::default() });
        let outcome = game.loose_to_legacy(found, Arc::clone(&sink) as _, LegacyOptions::default()).unwrap();
        (outcome, bytes.clone(), sink.files.files().remove(name))
    };
    let (outcome, expected, found) = copy(grow);
    assert!(outcome.is_ok() && found == Some(expected), "{outcome:?}");
    let (outcome, _, found) = copy(cut);
    let [failure] = &outcome.failures[..] else { panic!("{outcome:?}") };
    let error = failure.error.to_string();
    assert!(error.starts_with("cannot read: ") && error.contains(".ubulk") && found.is_none(), "{error}");
}

/// All that lies in a folder that was empty is of this very job.
#[test]
fn nothing_is_compared_where_there_was_nothing() {
    let game = Game::open(demo()).unwrap();
    for started_empty in [true, false] {
        let sink = Arc::new(Watched { started_empty, ..Watched::default() });
        let entries: Vec<_> = game.all().chunks().map(|chunk| chunk.entry()).collect();
        let inputs = game.package_inputs(&entries);
        let (options, values) = (ExportOptions::default(), ValueOptions::default());
        let outcome = game.export(inputs.into(), Arc::clone(&sink) as _, options, values).unwrap();
        let asked = sink.asked.load(Ordering::Relaxed);
        assert_eq!((outcome.done.files(), asked), (4, if started_empty { 0 } else { 4 }));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = OutputPath::sanitize("a/b");
    for (at, started_empty) in [true, false].into_iter().enumerate() {
        let sink = DirectorySink::open(folder.path()).unwrap();
        assert_eq!(sink.started_empty(), started_empty);
        for written in [b"old", b"old"] {
            let put = uncask::sink::put(&sink, &path, written, Overwrite::Different).unwrap();
            assert_eq!(put, [PutOutcome::Written, PutOutcome::Unchanged][at]);
        }
        // A file of this job is one that is there, too.
        assert_eq!(uncask::sink::put(&sink, &path, b"new", Overwrite::Never).unwrap(), PutOutcome::Kept);
    }
}
