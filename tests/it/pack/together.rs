//! `to-zen` over a mod, killed at any time: what a game would find by its `.pak` is one whole mod, old or new.

use crate::support::cli::{command, uncask};
use crate::support::containers::{noise, open, prose, verify_all, write_tree};
use crate::support::hostile::Rng;
use crate::support::say;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;
use uncask::store::Store;

const KILLS: u32 = 40;
const MOVIE: &str = "Demo/Content/Movies/m0.bin";
const TEXTURE: &str = "Demo/Content/Textures/T_Rock.ubulk";

/// Two mods of the same names: cooked packages of the demo with other bulk data, and other loose files.
fn mods(folder: &Path) {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo");
    for (tree, seed) in [("old", 1), ("new", 1000)] {
        let to = folder.join(tree);
        uncask(["to-legacy", demo.to_str().unwrap(), "-o", to.to_str().unwrap()]).expect(0);
        let movie = |n: u64| format!("Demo/Content/Movies/m{n}.bin");
        let loose: Vec<(String, Vec<u8>)> = (0..30).map(|n| (movie(n), noise(100_000, seed + n))).collect();
        write_tree(&to, loose.iter().map(|(path, content)| (path.as_str(), content.clone())));
        assert!(to.join(TEXTURE).exists());
        write_tree(&to, [(TEXTURE, noise(3_000_000, seed))]);
    }
}

/// The content of a file of the mod.
fn content(store: &Store, path: &str) -> Vec<u8> {
    let entry = store.entries().find(|entry| store.path(*entry).as_deref() == Some(path)).expect(path);
    store.container(entry).unwrap().read(entry.chunk, 0..u64::MAX, 8 << 20).unwrap()
}

#[test]
fn forty_kills_leave_no_mixture_of_container_and_pak() {
    let folder = tempfile::tempdir().unwrap();
    mods(folder.path());
    let output = folder.path().join("out/Mod_P.utoc");
    let pak = output.with_extension("pak");
    let to_zen = |tree: &str| {
        let mut command = command();
        command.args([
            "-q",
            "to-zen",
            "--engine",
            "5.5",
            "--force",
            "--overwrite",
            "--partition-size",
            "1M",
            "-o",
        ]);
        command.arg(&output).arg(folder.path().join(tree)).stderr(Stdio::null());
        command
    };
    let start = Instant::now();
    // Two packages of the demo cannot be converted, and are left out, which is exit code 1.
    assert_eq!(to_zen("old").status().unwrap().code(), Some(1));
    let mut usual = start.elapsed();
    let is_of = |tree: &str, path: &str, found: &[u8]| {
        std::fs::read(folder.path().join(tree).join(path)).unwrap() == found
    };
    let (mut rng, mut gone, mut killed) = (Rng::new(5), 0, 0_u32);
    for kill in 0..KILLS {
        let mut child = to_zen(if kill % 2 == 0 { "new" } else { "old" }).spawn().unwrap();
        std::thread::sleep(usual * u32::try_from(rng.below(1200)).unwrap() / 1000);
        child.kill().unwrap();
        // What else the machine does changes how long a run takes.
        if child.wait().unwrap().code() == Some(1) {
            usual = usual * 4 / 5;
        } else {
            usual = usual * 21 / 20;
            killed += 1;
        }
        if pak.exists() {
            let store = open(output.parent().unwrap(), &[]);
            assert_eq!(store.containers().len(), 2, "the container and its pak");
            assert!(verify_all(&store).is_ok());
            let (movie, texture) = (content(&store, MOVIE), content(&store, TEXTURE));
            let which = ["old", "new"].map(|tree| is_of(tree, MOVIE, &movie));
            assert_eq!(which, ["old", "new"].map(|tree| is_of(tree, TEXTURE, &texture)), "one mod");
            assert!(which[0] != which[1]);
        } else {
            gone += 1;
        }
    }
    say(&format!("{KILLS} runs of about {usual:.0?}, {killed} killed midway; {gone} times the mod was gone"));
    assert!(killed >= KILLS / 5, "{killed} of {KILLS} kills were midway");
    assert_eq!(to_zen("new").status().unwrap().code(), Some(1));
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(output.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort_unstable();
    let names: Vec<&str> = names.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let expected =
        ["Mod_P.pak", "Mod_P.ucas", "Mod_P.utoc", "Mod_P_s1.ucas", "Mod_P_s2.ucas", "Mod_P_s3.ucas"];
    assert_eq!(names, expected, "nothing unfinished is left");
}

/// Ctrl-C ends a run, which removes what it began, and keeps what was there.
#[test]
fn an_interrupted_run_leaves_the_mod_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (tree, output) = (folder.path().join("tree"), folder.path().join("out/Mod_P.utoc"));
    write_tree(&tree, [("Game/a.ini", b"text".to_vec())]);
    let pack = || {
        let mut command = command();
        command
            .args(["pack", "--force", "--overwrite", "--method", "oodle", "--level", "4", "-o"])
            .arg(&output)
            .arg(&tree);
        command.stderr(Stdio::piped());
        command
    };
    assert!(pack().status().unwrap().success());
    let files = || {
        let entries = std::fs::read_dir(output.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort_unstable();
        files
    };
    let before = files();
    let more = ["Game/b.ini", "Game/c.ini", "Game/d.ini", "Game/e.ini"];
    write_tree(&tree, more.map(|name| (name, prose(16 << 20))));
    let child = pack().spawn().unwrap();
    let unfinished = || {
        let entries = std::fs::read_dir(output.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|end| end == "part")).count()
    };
    let start = Instant::now();
    while unfinished() == 0 && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ran = child.wait_with_output().unwrap();
    let told = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(130), "{told}");
    assert!(told.contains("interrupted; removing unfinished files"), "{told}");
    assert!(files() == before, "nothing else is there, and nothing changed");
}
