//! `pack` over a container, killed at any time: what has a table of contents is one whole container, old or new.

use crate::support::cli::{command, uncask};
use crate::support::containers::{noise, write_tree};
use crate::support::hostile::Rng;
use crate::support::say;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

const KILLS: u32 = 60;

/// Two trees with the same files, so that only content tells their containers apart.
fn trees(folder: &Path) {
    for (tree, seed) in [("old", 1), ("new", 1000)] {
        let files: Vec<(String, Vec<u8>)> =
            (0..40).map(|n| (format!("G/f{n}.ini"), noise(100_000, seed + n))).collect();
        write_tree(&folder.join(tree), files.iter().map(|(path, content)| (path.as_str(), content.clone())));
    }
}

#[test]
fn sixty_kills_leave_no_mixture() {
    let folder = tempfile::tempdir().unwrap();
    trees(folder.path());
    let output = folder.path().join("a.utoc");
    let pack = |tree: &str| {
        let mut command = command();
        command.args(["-q", "pack", "--force", "--overwrite", "--partition-size", "1M", "-o"]).arg(&output);
        command.arg(folder.path().join(tree)).stderr(Stdio::null());
        command
    };
    let start = Instant::now();
    assert!(pack("old").status().unwrap().success());
    let mut usual = start.elapsed();
    let (mut rng, mut gone, mut killed) = (Rng::new(3), 0, 0_u32);
    for kill in 0..KILLS {
        let mut child = pack(if kill % 2 == 0 { "new" } else { "old" }).spawn().unwrap();
        std::thread::sleep(usual * u32::try_from(rng.below(1200)).unwrap() / 1000);
        child.kill().unwrap();
        // What else the machine does changes how long a run takes.
        if child.wait().unwrap().success() {
            usual = usual * 4 / 5;
        } else {
            usual = usual * 21 / 20;
            killed += 1;
        }
        if output.exists() {
            uncask(["verify", output.to_str().unwrap()]).expect(0);
        } else {
            gone += 1;
        }
    }
    say(&format!(
        "{KILLS} runs of about {usual:.0?}, {killed} killed midway; {gone} times the container was gone"
    ));
    assert!(killed >= KILLS / 5, "{killed} of {KILLS} kills were midway");
    assert!(pack("new").status().unwrap().success());
    let is_ours = |name: &str| name.starts_with("a.") || name.starts_with("a_s");
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| is_ours(name))
        .collect();
    names.sort_unstable();
    let expected = ["a.pak", "a.ucas", "a.utoc", "a_s1.ucas", "a_s2.ucas", "a_s3.ucas"];
    assert_eq!(names, expected, "nothing unfinished is left");
}

/// A run that was killed after it had moved the old files aside leaves the only ones there are. The next one replaces these.
#[test]
fn what_a_killed_run_moved_aside_goes_with_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    write_tree(&folder.path().join("tree"), [("G/a.ini", b"text".to_vec())]);
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    for name in ["a.utoc", "a.ucas", "a_s4.ucas", "a.pak", "b.utoc"] {
        std::fs::write(out.join(format!("{name}.0123456789abcdef.old")), "old").unwrap();
    }
    let (output, tree) = (out.join("a.utoc"), folder.path().join("tree"));
    uncask(["pack".as_ref(), "-o".as_ref(), output.as_os_str(), tree.as_os_str()]).expect(0);
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a.pak", "a.ucas", "a.utoc", "b.utoc.0123456789abcdef.old"]);
}
