//! Levels as scenes, by the command itself, against the exports of their meshes one by one.
//!
//! `cargo bench --bench scene` gives the components of two levels of 5.4 four Nanite meshes, in memory where `/dev/shm` exists, and
//! exports the levels and the meshes in turns; `-- --test` does it once. Without the corpus, it says that it was skipped. A figure
//! that misses its target is marked, and fails nothing.

mod measured;
mod places;

use measured::{mb, median, run, say};
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 15;
/// The most time of the scenes, over that of their meshes.
const MOST: f64 = 1.2;
/// Levels, each with its components and their meshes.
const LEVELS: [(&str, [(&str, &str); 2]); 2] = [
    ("Title", [("#17", "SM_shell"), ("#18", "SM_globe")]),
    ("Win_Basic", [("#19", "SM_Hanger"), ("#20", "SM_coffe_table_3_Plane_014")]),
];
const MAPPINGS: &str = "properties/games/mappings/5.4.3-34507850+++UE5+Release-5.4-DeepSpace7.usmap";

fn main() {
    let smoke = std::env::args().any(|arg| arg == "--test");
    let corpus = places::corpus();
    if !corpus.join("geometry/nanite").is_dir() {
        return say("skipped, no corpus: levels as scenes");
    }
    let folder = places::temporary();
    let mappings = corpus.join(MAPPINGS).display().to_string();
    make(folder.path(), &corpus, &mappings);
    let [project, out] = ["MyProject", "out"].map(|name| folder.path().join(name));
    let [project, target] = [&project, &out].map(|path| path.display().to_string());
    let of = |form: &str, names: Vec<String>| {
        let mut args = vec!["export".to_owned(), project.clone()];
        args.extend(names);
        args.extend(
            ["--as", form, "-o", &target, "--mappings", &mappings, "--engine", "5.4", "-j1", "-q"]
                .map(str::to_owned),
        );
        args
    };
    let scenes = of("scene", LEVELS.map(|(level, _)| format!("/Game/Stages/{level}")).to_vec());
    let meshes = LEVELS.iter().flat_map(|(_, meshes)| meshes);
    let meshes = of("gltf", meshes.map(|(_, mesh)| format!("/Game/Cigar_room/Meshes/{mesh}")).collect());
    let measure = |args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run(&args, 1, || drop(std::fs::remove_dir_all(&out)))
    };
    let (mut times, mut peak) = ([Vec::new(), Vec::new()], 0);
    for _ in 0..=if smoke { 1 } else { ROUNDS } {
        for (times, args) in times.iter_mut().zip([&scenes, &meshes]) {
            let (time, memory) = measure(args);
            times.push(time);
            peak = peak.max(memory);
        }
    }
    let [of_scenes, of_meshes] = times.map(median);
    let ratio = of_scenes.as_secs_f64() / of_meshes.as_secs_f64();
    let verdict = if ratio <= MOST { "met" } else { "MISSED" };
    say(&format!(
        "  two levels {of_scenes:.2?}, their meshes {of_meshes:.2?}: {ratio:.2} ×, at most {MOST} {verdict}; {:.0} MB",
        mb(peak)
    ));
}

/// Makes a project of levels and meshes.
fn make(folder: &Path, corpus: &Path, mappings: &str) {
    let content = folder.join("MyProject/Content");
    for (from, to) in
        [("to-zen/ue5.4/MyProject/Content/Stages", "Stages"), ("geometry/nanite/ue5.4", "Cigar_room/Meshes")]
    {
        let to = content.join(to);
        std::fs::create_dir_all(&to).expect("makes a folder");
        for entry in std::fs::read_dir(corpus.join(from)).expect("is there") {
            let path = entry.expect("is readable").path();
            std::fs::copy(&path, to.join(path.file_name().expect("a file"))).expect("copies");
        }
    }
    for (level, meshes) in LEVELS {
        let file = content.join(format!("Stages/{level}.umap"));
        let mut set = Command::new(env!("CARGO_BIN_EXE_uncask"));
        set.arg("set").arg(file);
        for (component, mesh) in meshes {
            set.arg(format!("{component}.StaticMesh")).arg(format!("/Game/Cigar_room/Meshes/{mesh}.{mesh}"));
        }
        set.args(["--mappings", mappings, "--overwrite", "--quiet", "-o"]).arg(folder);
        let output = set.output().expect("uncask runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
