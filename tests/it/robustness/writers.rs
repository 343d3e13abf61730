//! Every command that writes: killed midway, or on a disk that gets full. What lies under a final name is whole, either as it
//! was or as it should be, and the files of a package or of a container are never of two runs.

use crate::support::cli::{Run, command};
use crate::support::containers::noise;
use crate::support::corpus;
use crate::support::hostile::Rng;
use crate::support::mounted::Mounted;
use crate::support::say;
use crate::support::texts::locres;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Kills of each job.
const KILLS: usize = 12;
/// Packages in the game of textures.
const TEXTURES: usize = 6;
const EDGE: u32 = 512;

/// Content by path below a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// A mod that is there before a job changes it.
const OLD_MOD: &[&str] =
    &["set", "DEMO:/Game/Blueprints/BP_Door", "Default__BP_Door_C.OpenAngle", "45", "-o", "OUT/M_P.utoc"];

/// Jobs that need files of the corpus, and the file.
const OF_CORPUS: [(&[&str], &str); 2] = [
    (&["asm", "LISTING", "--onto", "BLUEPRINT", "-o", "OUT"], BLUEPRINT),
    (&["thumbnails", "UNCOOKED", "-o", "OUT"], "uncooked"),
];

/// A blueprint with a function that has a constant.
const BLUEPRINT: &str = "properties/games/BlankGame55/BP_Test.uasset";

/// Jobs by their arguments: DEMO, GAME, PICTURES and so on are inputs, OUT is the folder that is looked at.
const JOBS: [&[&str]; 25] = [
    &["set", "DEMO:/Game/Blueprints/BP_Door", "Default__BP_Door_C.OpenAngle", "120", "-o", "OUT"],
    &["set", "DEMO:/Game/Blueprints/BP_Door", "Default__BP_Door_C.OpenAngle", "120", "-o", "OUT/M_P.utoc"],
    &["set", "DEMO:/Game/Maps/Start", "Start.Count", "77", "--into", "OUT/M_P.utoc"],
    &["install", "M_P.utoc", "OUT"],
    &["from-json", "DOCUMENT", "--onto", "DEMO", "-o", "OUT"],
    &["from-json", "DOCUMENT", "--onto", "DEMO", "-o", "OUT/M_P.utoc"],
    &["replace", "GAME", "--from", "PICTURES", "-o", "OUT"],
    &["replace", "GAME", "--from", "PICTURES", "-o", "OUT/M_P.pak"],
    &["pack", "GAME", "--force", "-o", "OUT/M_P.utoc"],
    &["pack", "GAME", "--force", "-o", "OUT/M_P.pak"],
    &["merge", "M_P.utoc", "N_P.utoc", "--game", "DEMO", "-o", "OUT/M_P.utoc"],
    &["port", "M_P.utoc", "--from", "DEMO", "--to", "DEMO", "-o", "OUT/M_P.utoc"],
    &["recipe", "M_P.utoc", "--game", "DEMO", "-o", "OUT"],
    &["build", "RECIPE.toml", "--game", "DEMO", "-o", "OUT/M_P.utoc"],
    &["to-legacy", "DEMO", "-o", "OUT"],
    &["unpack", "DEMO", "-o", "OUT"],
    &["export", "GAME", "-o", "OUT"],
    &["json", "DEMO", "-o", "OUT"],
    &["code", "DEMO", "-o", "OUT"],
    &["text", "DEMO", "-o", "OUT"],
    &["texts", "import", "TABLE", "--onto", "TEXTS", "-o", "OUT"],
    &["texts", "export", "TEXTS", "-o", "OUT/texts.csv"],
    &["get", "DEMO", "/Game/Maps/Start", "-o", "OUT/Start.umap"],
    &["report", "DEMO", "-o", "OUT/report.html"],
    &["to-zen", "COOKED/Demo/Content/Textures", "--engine", "5.4", "--force", "-o", "OUT/M_P.utoc"],
];

/// Inputs of the jobs.
struct Inputs {
    folder: TempDir,
}

impl Inputs {
    fn new() -> Self {
        let inputs = Self { folder: tempfile::tempdir().unwrap() };
        let ok = |args: &[&str]| {
            let output = inputs.command(args, Path::new("")).output().unwrap();
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        };
        ok(&["to-legacy", "DEMO", "-o", "COOKED"]);
        ok(&["json", "DEMO", "/Game/Blueprints/BP_Door", "--form", "tree", "-o", "DOCUMENT"]);
        ok(&["set", "DEMO:/Game/Maps/Start", "Start.Count", "77", "-o", "M_P.utoc"]);
        ok(&["set", "DEMO:/Game/Maps/Start", "Block.Count", "7", "-o", "N_P.utoc"]);
        let recipe = "[[change]]\npackages = \"*\"\nproperty = \"*.OpenAngle\"\nadd = 3\n";
        std::fs::write(inputs.path("RECIPE.toml"), recipe).unwrap();
        inputs.listing();
        inputs.texts();
        ok(&["texts", "export", "TEXTS", "-o", "TABLE"]);
        let document = inputs.path("DOCUMENT");
        let text = std::fs::read_to_string(&document).unwrap();
        let changed = text
            .replace("\"OpenAngle\":90", "\"OpenAngle\":45")
            .replace(": 90.0", ": 45.0")
            .replace(": 90", ": 45");
        assert_ne!(text, changed);
        std::fs::write(document, changed).unwrap();
        inputs.textures();
        inputs
    }

    /// Copies of the demo's texture, and a picture for each that cannot be compressed.
    fn textures(&self) {
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, EDGE, EDGE);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&noise(4 * (EDGE * EDGE) as usize, 5)).unwrap();
        let below = |name: &str| self.path(name).join("Demo/Content/Textures");
        for name in ["GAME", "PICTURES"] {
            std::fs::create_dir_all(below(name)).unwrap();
        }
        for at in 0..TEXTURES {
            for extension in ["uasset", "uexp", "ubulk"] {
                let original = below("COOKED").join(format!("T_Rock.{extension}"));
                std::fs::copy(original, below("GAME").join(format!("T_{at}.{extension}"))).unwrap();
            }
            std::fs::write(below("PICTURES").join(format!("T_{at}.png")), &png).unwrap();
        }
    }

    /// A listing with another constant.
    fn listing(&self) {
        let Some(corpus) = corpus::find() else { return };
        let mut code = command();
        let output = code.args(["code", "--form", "listing"]).arg(corpus.join(BLUEPRINT)).output().unwrap();
        let listing = String::from_utf8(output.stdout).unwrap();
        let changed = listing.replace("    IntConst 0", "    IntConst 7");
        assert_ne!(listing, changed);
        std::fs::write(self.path("LISTING"), changed).unwrap();
    }

    /// All jobs for which there is what they need.
    fn jobs() -> Vec<&'static [&'static str]> {
        let of_corpus = OF_CORPUS.into_iter().filter(|(_, file)| corpus::with(file).is_some());
        let mut jobs: Vec<_> = JOBS.into_iter().chain(of_corpus.map(|(job, _)| job)).collect();
        if cfg!(feature = "catalog") {
            jobs.push(&["catalog", "DEMO", "-o", "OUT"]);
            jobs.push(&["history", "DEMO", "-o", "OUT"]);
        }
        jobs
    }

    /// Prepares the folder in which a job runs for the first time.
    fn prepare(&self, job: &[&str], out: &Path) {
        let old_mod = |at: &Path| {
            let run = Run::of(&self.command(OLD_MOD, at).output().unwrap());
            assert_eq!(run.code, 0, "{}", run.shown());
        };
        match job[0] {
            "set" if job.contains(&"--into") => old_mod(out),
            "install" => {
                let mods = out.join("Demo/Content/Paks/~mods");
                std::fs::create_dir_all(&mods).unwrap();
                for entry in std::fs::read_dir("testdata/demo").unwrap() {
                    let file = entry.unwrap().path();
                    std::fs::copy(&file, mods.with_file_name(file.file_name().unwrap())).unwrap();
                }
                old_mod(&mods);
            }
            _ => {}
        }
    }

    /// Texts in two languages.
    fn texts(&self) {
        for language in ["de", "en"] {
            let folder = self.path("TEXTS").join("Demo/Content/Localization/Game").join(language);
            std::fs::create_dir_all(&folder).unwrap();
            let names: Vec<String> = (0..2000).map(|at| format!("Text_{at}")).collect();
            let texts: Vec<_> = names.iter().map(|name| (name.as_str(), 1, language)).collect();
            std::fs::write(folder.join("Game.locres"), locres(3, &[("Menu", &texts)])).unwrap();
        }
    }

    /// Path of an input.
    fn path(&self, name: &str) -> PathBuf {
        match name {
            "DEMO" => "testdata/demo".into(),
            "DOCUMENT" => self.folder.path().join("Door.json"),
            "TABLE" => self.folder.path().join("texts.csv"),
            "UNCOOKED" => corpus::find().unwrap().join("uncooked"),
            "BLUEPRINT" => corpus::find().unwrap().join(BLUEPRINT),
            name => self.folder.path().join(name),
        }
    }

    /// The command of a job that replaces what is there.
    fn command(&self, args: &[&str], out: &Path) -> Command {
        let mut command = command();
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let place = |arg: &str| {
            let (name, rest) = arg.split_at(arg.find([':', '/']).unwrap_or(arg.len()));
            match name {
                "OUT" => out.display().to_string() + rest,
                "DEMO" | "DOCUMENT" | "TABLE" | "TEXTS" | "GAME" | "PICTURES" | "COOKED" | "UNCOOKED"
                | "BLUEPRINT" | "LISTING" | "RECIPE.toml" | "M_P.utoc" | "N_P.utoc" => {
                    self.path(name).display().to_string() + rest
                }
                _ => arg.to_owned(),
            }
        };
        command.args(args.iter().map(|arg| place(arg)));
        match args[0] {
            // A mod that is written into is read first, so it is no output to be overwritten.
            "set" if args.contains(&"--into") => &mut command,
            "set" | "asm" | "from-json" | "replace" | "pack" | "to-zen" | "install" | "merge" | "port"
            | "recipe" | "build" => command.arg("--overwrite"),
            "to-legacy" | "unpack" | "export" | "json" => command.args(["--overwrite", "always"]),
            _ => &mut command,
        };
        command
    }
}

fn has_end(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

/// Everything in a folder that does not just go away. Files that are not finished are left out, and counted.
fn read(folder: &Path) -> (Files, usize) {
    let (mut files, mut unfinished) = (Files::new(), 0);
    let mut scratch = 0;
    let is_scratch =
        |entry: &walkdir::DirEntry| entry.file_name().to_string_lossy().starts_with(".uncask-scratch-");
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_entry(|entry| {
        let is_scratch = is_scratch(entry);
        scratch += usize::from(is_scratch);
        !is_scratch
    });
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_str().unwrap();
        let is_ours = name.starts_with(".uncask-") || has_end(name, "part") || has_end(name, "old");
        if !entry.file_type().is_file() {
            continue;
        }
        if is_ours {
            unfinished += 1;
            continue;
        }
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        files.extend(std::fs::read(entry.path()).ok().map(|content| (path, content)));
    }
    (files, unfinished + scratch)
}

/// Content by path of what was there before a job.
struct Old(Files);

impl Old {
    /// The files that a job finds, and something else in the place of all others that it writes.
    fn new(mut found: Files, new: &Files) -> Self {
        // A pak beside a container stays as it is, since it may have files of its own.
        let stays = |path: &str| has_end(path, "pak") && new.keys().any(|path| has_end(path, "utoc"));
        let others: Vec<_> = new.keys().filter(|path| !stays(path) && !found.contains_key(*path)).collect();
        found.extend(
            others.into_iter().map(|path| (path.clone(), format!("what was in {path}").into_bytes())),
        );
        Self(found)
    }

    fn put(&self, out: &Path) {
        let _ = std::fs::remove_dir_all(out);
        for (path, content) in &self.0 {
            std::fs::create_dir_all(out.join(path).parent().unwrap()).unwrap();
            std::fs::write(out.join(path), content).unwrap();
        }
    }
}

/// True for a job that changes packages, which are written with all of their files.
fn is_edit(what: &str) -> bool {
    ["set", "asm", "from-json", "replace"].iter().any(|job| what.starts_with(job))
}

/// Number of files that are new. All must be whole, and those of a package or container that can be opened, of one run.
fn examine(what: &str, found: &Files, old: &Old, new: &Files) -> usize {
    let mut groups: BTreeMap<&str, Vec<(&str, bool)>> = BTreeMap::new();
    for (path, content) in found {
        let is_new = new.get(path).is_some_and(|new| new == content);
        assert!(is_new || old.0.get(path) == Some(content), "{what}: {path} is not whole");
        if new.get(path) == old.0.get(path) {
            continue;
        }
        let (stem, extension) = match path.rsplit_once('.').unwrap() {
            // Bulk data is a chunk of its own, which is written when its turn comes.
            (_, "ubulk" | "uptnl" | "m.ubulk") if !is_edit(what) => (path.as_str(), ""),
            _ if what.starts_with("unpack") => (path.as_str(), ""),
            parts => parts,
        };
        groups.entry(stem).or_default().push((extension, is_new));
    }
    for (stem, files) in &groups {
        let opens = |(extension, _): &&(&str, bool)| matches!(*extension, "uasset" | "umap" | "utoc" | "pak");
        if let Some((_, is_new)) = files.iter().find(opens) {
            assert!(files.iter().all(|(_, other)| other == is_new), "{what}: {stem} is a mixture: {files:?}");
            let of_package = new.keys().filter(|path| path.rsplit_once('.').unwrap().0 == *stem);
            // The pak makes a game look for the container, and comes last.
            let counts = |path: &&String| !has_end(path, "pak") && (is_edit(what) || !has_end(path, "ubulk"));
            let needed = of_package.filter(counts).count();
            let there = files.iter().filter(|(extension, _)| *extension != "pak").count();
            assert_eq!(there, needed, "{what}: {stem} can be opened, and is not whole: {files:?}");
        }
    }
    groups.values().flatten().filter(|(_, is_new)| *is_new).count()
}

/// Output of a job that nothing disturbs. The demo's own texts and times are the same in each run.
fn undisturbed(inputs: &Inputs, job: &[&str], out: &Path) -> (Old, Files) {
    inputs.prepare(job, out);
    let before = read(out).0;
    let run = Run::of(&inputs.command(job, out).output().unwrap());
    assert_eq!(run.code, 0, "{job:?}: {}", run.shown());
    let (files, unfinished) = read(out);
    assert!(!files.is_empty() && unfinished == 0, "{job:?}: {files:?}");
    (Old::new(before, &files), files)
}

#[test]
fn kills_leave_what_was_there_or_what_should_be() {
    let (inputs, jobs) = (Inputs::new(), Inputs::jobs());
    let (mut rng, mut midway_of_all) = (Rng::new(11), 0);
    for &job in &jobs {
        let out = inputs.path("out");
        let (old, new) = undisturbed(&inputs, job, &out);
        let (mut midway, mut window) = (0, Duration::from_millis(2));
        for _ in 0..KILLS {
            old.put(&out);
            let what = job.join(" ");
            let before = read(&out).0;
            let mut child = inputs.command(job, &out).stderr(Stdio::null()).spawn().unwrap();
            // As soon as anything has changed, and a little later.
            let patience = Instant::now();
            while read(&out) == (before.clone(), 0) && patience.elapsed() < Duration::from_secs(20) {
                if child.try_wait().unwrap().is_some() {
                    break;
                }
            }
            std::thread::sleep(window * u32::try_from(rng.below(1000)).unwrap() / 1000);
            child.kill().unwrap();
            let killed = child.wait().unwrap().code().is_none();
            let (found, _) = read(&out);
            examine(&what, &found, &old, &new);
            midway += usize::from(killed);
            window = if killed { window * 5 / 4 } else { window * 3 / 4 };
        }
        // What is left over does not keep the next run from its work.
        let run = Run::of(&inputs.command(job, &out).output().unwrap());
        assert_eq!(run.code, 0, "{job:?}: {}", run.shown());
        assert!(read(&out).0 == new, "{job:?}: the next run does the rest");
        std::fs::remove_dir_all(&out).unwrap();
        say(&format!("{}: {midway} of {KILLS} kills were midway", job.join(" ")));
        midway_of_all += midway;
    }
    // Some jobs are over before anybody can kill them; most are not.
    assert!(midway_of_all >= KILLS * jobs.len() / 6, "only {midway_of_all} kills were midway");
}

/// Bytes of a page, of which a file in memory takes whole ones.
const PAGE: u64 = 4096;

#[test]
fn a_full_disk_leaves_what_was_there_or_what_should_be() {
    let (inputs, jobs) = (Inputs::new(), Inputs::jobs());
    for &job in &jobs {
        let (at, what) = (inputs.path("disk"), job.join(" "));
        let (old, new) = undisturbed(&inputs, job, &at);
        std::fs::remove_dir_all(&at).unwrap();
        let pages_of = |files: &Files| -> u64 {
            files.values().map(|content| (content.len() as u64).div_ceil(PAGE)).sum()
        };
        let changed = new.iter().filter(|(path, content)| old.0.get(*path) != Some(content));
        let pages = pages_of(&changed.map(|(path, content)| (path.clone(), content.clone())).collect());
        let mut failed = 0;
        for tenth in [0, 3, 6, 9] {
            let size = PAGE * (pages_of(&old.0) + pages * tenth / 10);
            let Some(disk) = Mounted::new(&at, &format!("size={size}")) else {
                return say("skipped: this user may not mount a small disk");
            };
            let out = disk.path().join("out");
            old.put(&out);
            let run = Run::of(&inputs.command(job, &out).output().unwrap());
            let (found, unfinished) = read(&out);
            let fresh = examine(&what, &found, &old, &new);
            assert_eq!(unfinished, 0, "{what}: {}", run.shown());
            let is_all = found == new;
            assert_eq!(run.code, i32::from(!is_all), "{what}: {fresh} new files, {}", run.shown());
            if !is_all {
                failed += 1;
                assert!(run.stderr.contains("No space left on device"), "{what}: {}", run.shown());
                // What could not be replaced is still what it was.
                let stays =
                    |path: &&String| has_end(path, "pak") && out.join(path).with_extension("utoc").exists();
                let lost: Vec<_> =
                    new.keys().filter(|path| !found.contains_key(*path) && !stays(path)).collect();
                assert!(lost.is_empty(), "{what}: {lost:?}: {}", run.shown());
            }
        }
        assert!(failed > 0, "{what}: all disks were large enough");
        say(&format!("{what}: {failed} of 4 disks were too small"));
    }
}
