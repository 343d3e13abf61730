//! Mods as they are found: installed, renamed, damaged, two of one package, in paks; what `check` and the commands that write mods
//! say about them.

mod paks;
mod written;

use super::run::{Ran, corpus, uncask};
use crate::support::containers::write_tree;
use std::fs;
use std::path::{Path, PathBuf};
use uncask::id::PackageObjectIndex;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A game with the containers of the demo, a folder for its mods, and the cooked files of its first container.
struct Game {
    folder: tempfile::TempDir,
}

/// A path as the command shows it: parts that were joined with slashes have the separator of the system.
fn shown(path: &Path) -> String {
    path.components().collect::<PathBuf>().display().to_string()
}

impl Game {
    fn new() -> Self {
        let game = Self { folder: tempfile::tempdir().unwrap() };
        for entry in fs::read_dir(DEMO).unwrap() {
            let entry = entry.unwrap();
            let name = format!("game/Demo/Content/Paks/{}", entry.file_name().to_str().unwrap());
            write_tree(game.folder.path(), [(name.as_str(), fs::read(entry.path()).unwrap())]);
        }
        let container = format!("{DEMO}/pakchunk0-Demo.utoc");
        uncask(&["to-legacy", &container, "-o", text(&game.cooked()), "--base", DEMO]).ok();
        game
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn root(&self) -> PathBuf {
        self.place("game")
    }

    fn cooked(&self) -> PathBuf {
        self.place("cooked")
    }

    fn mods(&self) -> PathBuf {
        self.place("game/Demo/Content/Paks/~mods")
    }

    /// Makes a mod of the cooked files for the game.
    fn pack(&self, to: &Path) -> Ran {
        uncask(&["to-zen", text(&self.cooked()), "-o", text(to), "--game", text(&self.root())])
    }

    /// Changes a value of a package of the game.
    fn set(&self, angle: &str, to: &Path, more: &[&str]) -> Ran {
        let target = format!("{}:/Game/Blueprints/BP_Door", self.root().display());
        let args = ["set", &target, "Default__BP_Door_C.OpenAngle", angle, "-o", text(to)];
        uncask(&[&args[..], more].concat())
    }

    fn check(&self, input: &Path) -> Ran {
        uncask(&["check", text(input), "--game", text(&self.root())])
    }
}

/// Copies the files of a mod to another name.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    for extension in ["utoc", "ucas", "pak"] {
        fs::copy(from.with_extension(extension), to.with_extension(extension)).unwrap();
    }
}

#[test]
fn a_mod_that_is_installed_is_not_compared_with_itself() {
    let game = Game::new();
    let installed = game.mods().join("X_9_P.utoc");
    game.pack(&installed).ok();
    let right = "checked 6 packages (6 in containers, 0 in paks, 6 of them in the game, too): 0 problems";
    let ran = game.check(&installed).ok();
    assert!(ran.err.contains(right) && !ran.err.contains("wins"), "{}", ran.err);
    // A copy elsewhere is the mod itself, under whatever name.
    for name in ["copy/X_9_P.utoc", "copy/Y_9_P.utoc"] {
        copy(&installed, &game.place(name));
        let ran = game.check(&game.place(name)).ok();
        assert!(ran.err.contains(right) && !ran.err.contains("crash on two"), "{}", ran.err);
        let is_renamed = ran.err.contains("warning: the container was renamed after it was packed");
        assert_eq!(is_renamed, name.contains('Y'), "{}", ran.err);
    }
    // Both in one folder would both be mounted.
    let ran = game.check(&game.place("copy"));
    assert!(ran.code == 1 && ran.err.contains("games crash on two of one id"), "{}", ran.err);
}

#[test]
fn a_mod_that_is_installed_is_built_again_elsewhere() {
    let game = Game::new();
    let (installed, new) = (game.mods().join("X_9_P.utoc"), game.place("new/X_9_P.utoc"));
    game.pack(&installed).ok();
    let expected = format!("put the new files in the place of {}", shown(&installed));
    let ran = game.pack(&new).ok();
    assert!(ran.err.contains(&expected), "{}", ran.err);
    assert_eq!(fs::read(&new).unwrap(), fs::read(&installed).unwrap());
    // A later build of it is no other mod either.
    fs::remove_file(game.cooked().join("Demo/Content/Maps/Start.umap")).unwrap();
    fs::remove_file(game.cooked().join("Demo/Content/Maps/Start.uexp")).unwrap();
    let later = game.place("later/X_9_P.utoc");
    game.pack(&later).ok();
    let ran = game.check(&later).ok();
    assert!(ran.err.contains(&expected) && ran.err.contains("0 problems"), "{}", ran.err);
    // Containers of the game are not taken for one.
    let ran = game.pack(&game.place("new/pakchunk0-Demo_0_P.utoc"));
    assert!(ran.code == 1 && ran.err.contains("gives the container the id of another"), "{}", ran.err);
}

/// The engine's packager lists all packages of a chunk in the container header of a patch, and stores those that changed.
#[test]
fn a_patch_lists_packages_that_it_does_not_have() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("mods/patch-5.1");
    let patch = folder.join("pakchunk0-Windows_0_P.utoc");
    let check = |more: &[&str]| uncask(&[&["check", text(&patch)], more].concat());
    let alone = check(&["--json"]).ok().json();
    assert_eq!(alone["problems"].as_array().unwrap().len(), 0, "{alone}");
    assert_eq!(alone["findings"][0]["kind"], "listed-elsewhere", "{alone}");
    assert!(alone["warnings"][0].as_str().unwrap().contains("lists 409 packages that are not in"), "{alone}");
    let base = folder.join("pakchunk0-Windows.utoc");
    for more in [["--game", text(&base)], ["--game", text(&folder)], ["--base", text(&base)]] {
        let ran = check(&more).ok();
        assert!(ran.err.contains("checked 3 packages (3 in containers, 0 in paks"), "{}", ran.err);
        assert!(!ran.err.contains("container header") && !ran.err.contains("imported object"), "{}", ran.err);
    }
    // Another game has none of them.
    let ran = check(&["--game", DEMO]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("lists 409 packages that neither the container nor the game has"),
        "{}",
        ran.err
    );
}

#[test]
fn data_that_is_not_there_is_called_so() {
    let game = Game::new();
    let made = game.place("mod/X_9_P.utoc");
    game.pack(&made).ok();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123456\n";
    let data = made.with_extension("ucas");
    let cases: [(&dyn Fn(), &str); 2] = [
        (&|| fs::remove_file(&data).unwrap(), "8 chunks cannot be read (data file is missing"),
        (
            &|| fs::write(&data, pointer).unwrap(),
            "8 chunks cannot be read (file is a Git LFS pointer, the data of 123,456 bytes",
        ),
    ];
    for (damage, expected) in cases {
        damage();
        let ran = game.check(&made);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(expected) && ran.err.contains("1 problem"), "{expected}: {}", ran.err);
        assert!(!ran.err.contains("named like") && !ran.err.contains("container header"), "{}", ran.err);
    }
}

#[test]
fn content_is_compared_with_its_hashes() {
    let game = Game::new();
    let made = game.place("mod/X_9_P.utoc");
    uncask(&["to-zen", text(&game.cooked()), "-o", text(&made), "--engine", "5.5", "--method", "none"]).ok();
    assert!(!game.check(&made).ok().err.contains("hash"));
    let data = made.with_extension("ucas");
    let mut bytes = fs::read(&data).unwrap();
    // Bulk data, which the checks of packages do not read.
    let bulk = fs::read(game.cooked().join("Demo/Content/Textures/T_Rock.ubulk")).unwrap();
    let at = bytes.windows(64).position(|window| window == &bulk[..64]).unwrap();
    bytes[at] ^= 1;
    fs::write(&data, bytes).unwrap();
    let ran = game.check(&made);
    let expected = "1 chunk does not have the hash recorded for it";
    assert!(ran.code == 1 && ran.err.contains(expected) && ran.err.contains("T_Rock.ubulk"), "{}", ran.err);
    let ran = uncask(&["check", text(&made), "--no-verify"]).ok();
    assert!(!ran.err.contains("hash"), "{}", ran.err);
}

#[test]
fn two_mods_of_one_package_are_told() {
    let game = Game::new();
    let mods = game.place("mods");
    for name in ["A_P.utoc", "B_P.utoc"] {
        game.set("120", &mods.join(name), &[]).ok();
    }
    let ran = game.check(&mods).ok();
    assert!(ran.err.contains("checked 2 packages") && !ran.err.contains("wins"), "equal ones: {}", ran.err);
    game.set("45", &mods.join("B_P.utoc"), &["--force", "--overwrite"]).ok();
    let ran = game.check(&mods).ok();
    // Between equals, the engine takes the alphabetically first container.
    let expected = format!(
        "warning: 1 package is in another mod, too, and a game takes that of only one: {} wins (Demo/Content/Blueprints/BP_Door): {}",
        mods.join("A_P.utoc").display(),
        mods.join("B_P.utoc").display()
    );
    assert!(ran.err.contains(&expected), "{expected}\n{}", ran.err);
    game.set("45", &mods.join("C_1_P.utoc"), &[]).ok();
    let ran = game.check(&mods).ok();
    assert!(ran.err.contains("C_1_P.utoc wins (Demo/Content/Blueprints/BP_Door)"), "{}", ran.err);
}

#[test]
fn signed_games_and_keys_are_told() {
    let game = Game::new();
    let made = game.place("mod/X_9_P.utoc");
    game.pack(&made).ok();
    assert!(!game.check(&made).ok().err.contains("signed"));
    let signature = game.root().join("Demo/Content/Paks/pakchunk0-Demo.sig");
    fs::write(&signature, "signature").unwrap();
    let expected =
        format!("no .sig beside the mod, but the game's containers are signed ({})", shown(&signature));
    assert!(game.check(&made).ok().err.contains(&expected), "{}", game.check(&made).err);
    fs::write(made.with_extension("sig"), "signature").unwrap();
    assert!(!game.check(&made).ok().err.contains("signed"));
    // Keys of mods are not those of games that are not encrypted.
    let key = "0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let tree = game.place("tree");
    uncask(&["unpack", text(&made), "-o", text(&tree)]).ok();
    let secret = game.place("secret/X_9_P.utoc");
    uncask(&["pack", text(&tree), "-o", text(&secret), "--aes-key", key, "--engine", "5.5"]).ok();
    let args = ["check", text(&secret), "--aes-key", key];
    let alone = uncask(&args).ok();
    assert!(
        alone.err.contains("warning: encrypted, so that only games that have its key read it"),
        "{}",
        alone.err
    );
    let ran = uncask(&[&args[..], &["--game", text(&game.root())]].concat());
    assert!(
        ran.code == 1 && ran.err.contains("encrypted with a key that the game does not have"),
        "{}",
        ran.err
    );
}

/// Other packers hash the names that stand for unknown objects as if these were their own.
#[test]
fn names_that_only_stand_for_others_are_found_without_the_game() {
    let game = Game::new();
    let mods = game.place("Door_P.utoc");
    game.pack(&mods).ok();
    let tree = game.place("tree");
    uncask(&["unpack", text(&mods), "-o", text(&tree)]).ok();
    assert!(!uncask(&["check", text(&mods)]).err.contains("placeholder"));
    let door = tree.join("Demo/Content/Blueprints/BP_Door.uasset");
    let mut bytes = fs::read(&door).unwrap();
    let [engine, unknown] = ["/Script/Engine", "/Script/UnknownPackage"]
        .map(|package| PackageObjectIndex::script(package).0.to_le_bytes());
    let at = bytes.windows(8).position(|found| found == engine).unwrap();
    bytes[at..at + 8].copy_from_slice(&unknown);
    fs::write(&door, bytes).unwrap();
    let wrong = game.place("Wrong_P.utoc");
    uncask(&["pack", text(&tree), "-o", text(&wrong)]).ok();
    let ran = uncask(&["check", text(&wrong)]);
    let expected = "1 package has imports that were made of the names of placeholders, which no game has \
                    (/Game/Blueprints/BP_Door)";
    assert!(ran.code == 1 && ran.err.contains(expected), "{}", ran.err);
    // Packages with imports that nothing has a name for, in a pak.
    let (alone, pak) = (game.place("alone"), game.place("Alone_P.pak"));
    uncask(&["to-legacy", text(&wrong), "-o", text(&alone)]);
    uncask(&["pack", text(&alone), "-o", text(&pak)]).ok();
    let ran = uncask(&["check", text(&pak)]);
    assert!(
        ran.code == 1 && ran.err.contains("whose names are placeholders, which no game has"),
        "{}",
        ran.err
    );
}
