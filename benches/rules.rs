//! Recipes with many rules on many packages, by the command itself: what `build` costs in time and memory. The reference is
//! `json` of the same packages, which reads all their values, too.
//!
//! ```text
//! cargo bench --bench rules               10,000 rules on 20,000 packages of UE 5.8
//! cargo bench --bench rules -- --test     a few, to see that it works
//! ```

mod measured;

use measured::{mb, run, say};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Most time that rules may take, as a multiple of reading the values.
const MOST: f64 = 1.5;
const ROUNDS: usize = 3;

fn main() {
    let smoke = std::env::args().any(|arg| arg == "--test");
    let corpus = std::env::var_os("UNCASK_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from);
    let cook = corpus.join("iostore/ue5.8/tagged");
    if !cook.is_dir() {
        say("skipped: there is no corpus");
        return;
    }
    let (packages, rules) = if smoke { (100, 50) } else { (20_000, 10_000) };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (game, recipe) = (place("Paks"), place("mod.toml"));
    make_game(&cook, folder.path(), packages);
    std::fs::write(&recipe, rules_for(rules)).expect("writes");
    let mappings =
        corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap").display().to_string();
    say(&format!("{rules} rules on {packages} packages"));
    let (read, _) = run(&["json", &game, "--jsonl", "--mappings", &mappings], ROUNDS, || ());
    say(&format!("  json  {read:>9.2?}   (reference)"));
    let args = ["build", &recipe, "--game", &game, "--dry-run", "-o", "x.pak", "--mappings", &mappings];
    let (built, peak) = run(&args, ROUNDS, || ());
    let ratio = built.as_secs_f64() / read.as_secs_f64();
    say(&format!("  build {built:>9.2?}   {ratio:.2} × json, expected at most {MOST}; {:.0} MB", mb(peak)));
}

/// A pak with copies of a package that has every type of property, each in a folder of its own.
fn make_game(cook: &Path, folder: &Path, packages: u32) {
    let [content, global, out] = [cook.join("Uncompressed"), cook.join("global.utoc"), folder.join("legacy")]
        .map(|path| path.display().to_string());
    let uncask = |args: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_uncask")).args(args).arg("--quiet").status();
        assert!(ran.expect("uncask runs").success(), "{args:?}");
    };
    uncask(&[
        "to-legacy",
        &content,
        "/Game/Fixtures/Properties/DA_AllProperties",
        "-o",
        &out,
        "--base",
        &global,
    ]);
    let from = Path::new(&out).join("CUE4ParseFixtures/Content/Fixtures/Properties/DA_AllProperties");
    let loose = folder.join("loose");
    for number in 0..packages {
        let to = loose.join(format!("Game/Content/Area{}/DA_{number}", number % 100));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("makes a folder");
        for extension in ["uasset", "uexp"] {
            std::fs::copy(from.with_extension(extension), to.with_extension(extension)).expect("copies");
        }
    }
    std::fs::create_dir(folder.join("Paks")).expect("makes a folder");
    let pak = folder.join("Paks/pakchunk0-Game.pak").display().to_string();
    uncask(&["pack", &loose.display().to_string(), "-o", &pak]);
}

/// Rules of every kind: for all packages, for one, for values under conditions, and for values that are nowhere.
fn rules_for(count: u32) -> String {
    let mut toml = String::new();
    for at in 0..count {
        let rule = match at % 4 {
            0 => format!("packages = \"*/DA_{at}\"\nproperty = \"*.**.Marker\"\nadd = 1\noptional = true\n"),
            1 => format!("packages = \"*\"\nproperty = \"*.**.Value{at}\"\nmultiply = 2\noptional = true\n"),
            2 => format!(
                "packages = \"*/DA_{at}?\"\nproperty = \"*.IntegerMap\"\nappend = {{ K{at} = 5 }}\noptional = true\n"
            ),
            _ => format!(
                "packages = \"*/DA_{at}\"\nproperty = \"*.**.Marker\"\nwhere = {{ Label = \"Map*\" }}\nmultiply = 1.5\noptional = true\n"
            ),
        };
        let _ = write!(toml, "[[change]]\n{rule}");
    }
    toml
}
