//! `uncask to-zen`: real cooked assets, compared with what the engine's own packager made of them.

use super::run::{corpus, corpus_with, fixture, uncask};
use crate::support::containers::{open, verify_all, write_tree};
use crate::support::types::{Property, Struct, Type, Types};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use uncask::id::RawChunkId;
use uncask::package::legacy::Package;
use uncask::store::Store;

/// Content hash and length of each chunk of a container.
fn chunks(store: &Store) -> BTreeMap<RawChunkId, (String, u64)> {
    let entries = store.entries().map(|entry| {
        let table = store.container(entry).unwrap().table();
        let meta = table.meta(entry.chunk).unwrap();
        (store.chunk_id(entry).unwrap(), (meta.hash.to_string(), table.chunk_len(entry.chunk)))
    });
    entries.collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The cooked assets of the fixture in the folders that they were cooked in.
fn cooked(corpus: &Path, mode: &str, to: &Path) {
    for (name, folder) in [
        ("DA_AllProperties", "Properties"),
        ("DT_AllProperties", "DataTables"),
        ("Empty", "Maps"),
        ("T_BC6H", "Textures"),
        ("T_Streaming", "Textures"),
    ] {
        for extension in ["uasset", "umap", "uexp", "ubulk"] {
            let from = corpus.join(format!("packages/ue5.8-{mode}/{name}.{extension}"));
            if let Ok(bytes) = fs::read(from) {
                let path = format!("Fixture/Content/Fixtures/{folder}/{name}.{extension}");
                write_tree(to, [(path.as_str(), bytes)]);
            }
        }
    }
}

#[test]
fn cooked_assets_become_the_chunks_of_the_game() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let (tree, out) = (folder.path().join("cooked"), folder.path().join("Mod_P.utoc"));
        cooked(&corpus, mode, &tree);
        write_tree(&tree, [("Fixture/Content/Mod.ini", b"[Mod]".to_vec())]);
        let game = corpus.join(format!("iostore/ue5.8/{mode}"));
        let ran =
            uncask(&["to-zen", text(&tree), "-o", text(&out), "--game", text(&game), "--method", "none"])
                .ok();
        assert!(ran.err.contains("packed 5 packages for UE 5.8"), "{}", ran.err);
        assert!(ran.err.contains("1 loose file in the .pak"), "{}", ran.err);
        let (made, [container, _]) = (open(&out, &[]), fixture(&corpus, mode));
        let (made, expected) = (chunks(&made), chunks(&open(Path::new(&container), &[])));
        // Five packages, streamed mips, and a container header of its own.
        assert_eq!(made.len(), 7, "{mode}");
        let differing = made.iter().filter(|(id, found)| expected.get(id) != Some(found));
        let kinds: Vec<u8> = differing.map(|(id, _)| id.raw_kind()).collect();
        assert_eq!(kinds, [6], "{mode}: all but the container header");
        let listed = uncask(&["list", text(&out.with_extension("pak"))]).ok();
        assert_eq!(listed.out.trim(), "Fixture/Content/Mod.ini");
    }
}

#[test]
fn what_is_rebuilt_packed_and_rebuilt_again_is_equal() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let [container, global] = fixture(&corpus, "unversioned");
    let first = uncask(&["to-legacy", &container, "-o", text(&place("first")), "--base", &global]);
    first.ok();
    let mods = place("Mod_P.utoc");
    let ran = uncask(&[
        "to-zen",
        text(&place("first")),
        "-o",
        text(&mods),
        "--engine",
        "5.8",
        "--force",
        "--overwrite",
    ])
    .ok();
    assert!(ran.err.contains("packed 97 packages"), "{}", ran.err);
    assert!(verify_all(&open(&mods, &[])).is_ok());
    uncask(&["to-legacy", text(&mods), "-o", text(&place("second")), "--base", &global]).ok();
    let (first, second) = (files(&place("first")), files(&place("second")));
    let packages =
        |name: &&String| [".uasset", ".umap", ".uexp", "bulk"].iter().any(|end| name.ends_with(end));
    let mut differing = Vec::new();
    for name in first.keys().filter(packages) {
        if first.get(name) != second.get(name) {
            differing.push(name);
        }
    }
    assert!(differing.is_empty(), "{} of {}: {differing:?}", differing.len(), first.len());
}

/// Every chunk of a package is that of the original, byte for byte, and no sidecar is needed; one that is there counts for the header
/// that it was written with.
#[test]
fn every_package_comes_back_and_sidecars_count_for_their_headers() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let [container, global] = fixture(&corpus, mode);
        let legacy = place("legacy");
        uncask(&["to-legacy", &container, "-o", text(&legacy), "--base", &global, "--sidecar"]).ok();
        let mods = place("Mod_P.utoc");
        let pack = || {
            uncask(&["to-zen", text(&legacy), "-o", text(&mods), "--engine", "5.8", "--force", "--overwrite"])
                .ok()
        };
        let said = pack().err;
        assert!(!said.contains(".uncask.json") && !said.contains("does not count"), "{said}");
        let packages = |path: &Path| {
            let mut all = chunks(&open(path, &[]));
            all.retain(|id, _| id.raw_kind() == 1);
            all
        };
        let expected = packages(Path::new(&container));
        let differing = |found: &BTreeMap<RawChunkId, (String, u64)>| {
            expected.iter().filter(|(id, chunk)| found.get(id) != Some(chunk)).count()
        };
        assert_eq!((expected.len(), differing(&packages(&mods))), (97, 0), "{mode}");
        assert!(!files(&legacy).keys().any(|path| path.ends_with(".uncask.json")), "{mode}");
        // One for a package of the folder, with another length of its header.
        let header = legacy.join("CUE4ParseFixtures/Content/Fixtures/Textures/T_BC6H.uasset");
        let sidecar = header.with_file_name(".uncask.json");
        let write = |hash: &str| {
            let kept = serde_json::json!({ "blake3": hash, "cooked_header_len": 1234 });
            let json =
                serde_json::json!({ "schema": "uncask.sidecar/1", "packages": { "T_BC6H.uasset": kept } });
            fs::write(&sidecar, json.to_string()).unwrap();
        };
        write(blake3::hash(&fs::read(&header).unwrap()).to_hex().as_str());
        pack();
        assert_eq!(differing(&packages(&mods)), 1, "{mode}: it is used");
        // The sidecars go into no pak as loose files.
        assert_eq!(uncask(&["list", text(&mods.with_extension("pak")), "*.uncask.json"]).out, "");
        write("00");
        assert!(pack().err.contains("1 package header was edited since the .uncask.json was written"));
        assert_eq!(differing(&packages(&mods)), 0, "{mode}: that of another header is not");
        fs::write(&sidecar, "{}").unwrap();
        assert!(pack().err.contains("1 .uncask.json is of no use (not a sidecar: missing field `schema`"));
    }
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = found.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    files.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// For 5.0 the folders give the names, for the others the packages do. The hashes that real builds recorded are what the
/// chunks are compared with.
#[test]
fn folders_of_real_builds_hash_to_what_their_containers_recorded() {
    let Some(corpus) = corpus_with("to-zen/ue5.0/expected.tsv") else { return };
    for (release, right, all) in [("5.0", 70, 70), ("5.1", 52, 58), ("5.2", 39, 39), ("5.4", 50, 50)] {
        let folder = corpus.join(format!("to-zen/ue{release}"));
        let out = tempfile::tempdir().unwrap();
        let mods = out.path().join("Mod_P.utoc");
        // Their bulk data is not part of the corpus.
        uncask(&["to-zen", text(&folder), "-o", text(&mods), "--engine", release, "--force", "--overwrite"])
            .ok();
        let made = chunks(&open(&mods, &[]));
        let expected = fs::read_to_string(folder.join("expected.tsv")).unwrap();
        let rows: Vec<Vec<&str>> = expected.lines().skip(1).map(|row| row.split('\t').collect()).collect();
        let is_right = |row: &&Vec<&str>| {
            let (hash, len) = &made[&row[2].parse().unwrap()];
            hash == row[4] && len.to_string() == row[3]
        };
        // Six of 5.1 wait for packages that are not part of the corpus, and have several bundles.
        assert_eq!((rows.iter().filter(is_right).count(), rows.len()), (right, all), "{release}");
    }
}

#[test]
fn a_pak_is_as_good_as_its_folder() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    cooked(&corpus, "unversioned", &place("cooked"));
    write_tree(&place("cooked"), [("Fixture/Content/Mod.ini", b"[Mod]".repeat(100))]);
    uncask(&["pack", text(&place("cooked")), "-o", text(&place("in.pak")), "--method", "zlib"]).ok();
    for (input, out) in [("cooked", "a/Mod_P.utoc"), ("in.pak", "b/Mod_P.utoc")] {
        uncask(&["to-zen", text(&place(input)), "-o", text(&place(out)), "--engine", "5.8"]).ok();
    }
    let (a, b) = (files(&place("a")), files(&place("b")));
    assert_eq!(a.keys().collect::<Vec<_>>(), ["Mod_P.pak", "Mod_P.ucas", "Mod_P.utoc"]);
    assert!(a == b);
}

/// Expects a refusal of a folder after a change that makes one thing wrong.
#[track_caller]
fn refused(change: impl Fn(&Path), more: &[&str], reason: &str) {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (tree, out) = (folder.path().join("cooked"), folder.path().join("Mod_P.utoc"));
    cooked(&corpus, "tagged", &tree);
    change(&tree.join("Fixture/Content/Fixtures"));
    let args = [&["to-zen", text(&tree), "-o", text(&out)], more].concat();
    let ran = uncask(&args);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains(reason), "{}", ran.err);
    assert!(ran.err.contains("nothing was written; --force"), "{}", ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
    // A mod without one of its packages is an error, and not even --quiet hides which.
    let ran = uncask(&[&args[..], &["--force", "--quiet"]].concat());
    assert!(out.exists(), "{}", ran.err);
    let is_short = ran.err.contains(" left out");
    assert_eq!((ran.code == 1, ran.err.contains(reason)), (is_short, is_short), "{}", ran.err);
    let ran = uncask(&[&args[..], &["--force", "--overwrite"]].concat());
    assert!(ran.err.contains(if is_short { "error: " } else { "warning: " }), "{}", ran.err);
    assert!(ran.err.contains(reason), "{}", ran.err);
    // Who writes a faulty mod anyway has not said that it may take the place of another.
    let ran = uncask(&[&args[..], &["--force"]].concat());
    assert!(ran.code == 1 && ran.err.contains("nothing was written; --overwrite"), "{}", ran.err);
}

#[test]
fn what_a_game_would_crash_on_is_refused() {
    let release = ["--engine", "5.8"];
    let remove = |name: &'static str| move |tree: &Path| fs::remove_file(tree.join(name)).unwrap();
    refused(remove("Properties/DA_AllProperties.uexp"), &release, "1 package has no .uexp beside it");
    refused(
        remove("Textures/T_Streaming.ubulk"),
        &release,
        "1 package has bulk data in a .ubulk of at least",
    );
    let cut = |tree: &Path| fs::write(tree.join("Textures/T_Streaming.ubulk"), b"short").unwrap();
    refused(cut, &release, "of a .ubulk that has 5: the file comes from another cook");
    let uncooked = |tree: &Path| {
        let path = tree.join("Properties/DA_AllProperties.uasset");
        let mut bytes = fs::read(&path).unwrap();
        let flags = Package::parse(&bytes).unwrap().summary.package_flags.to_le_bytes();
        let flags = bytes.windows(4).position(|bytes| bytes == flags).unwrap();
        bytes[flags + 1] &= !2;
        fs::write(path, bytes).unwrap();
    };
    refused(uncooked, &release, "it is not cooked (package flag Cooked is not set)");
    let damaged = |tree: &Path| {
        let path = tree.join("Maps/Empty.umap");
        let bytes = fs::read(&path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    };
    refused(
        damaged,
        &release,
        "1 package cannot become a zen package (cooked package: summary: total header size",
    );
    refused(
        |tree| fs::write(tree.join("Maps/Text.uasset"), b"text").unwrap(),
        &release,
        "1 file is named like a cooked package, but is not one",
    );
    let twice = |tree: &Path| {
        for extension in ["uasset", "uexp"] {
            let of = |name: &str| tree.join(format!("Textures/{name}.{extension}"));
            fs::copy(of("T_BC6H"), of("Copy")).unwrap();
        }
    };
    refused(twice, &release, "1 package has the name of another");
    refused(|_| (), &["--engine", "5.4"], "which UE 5.4 does not write");
}

#[test]
fn what_does_not_fit_the_game_is_refused() {
    let Some(corpus) = corpus() else { return };
    let game = corpus.join("iostore/ue5.8/unversioned");
    refused(
        |_| (),
        &["--game", text(&game)],
        "5 packages have versioned properties, unlike those of the game",
    );
    let folder = tempfile::tempdir().unwrap();
    cooked(&corpus, "unversioned", &folder.path().join("cooked"));
    let out = folder.path().join("Mod.utoc");
    let ran =
        uncask(&["to-zen", text(&folder.path().join("cooked")), "-o", text(&out), "--game", text(&game)]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("end its name in _P"), "{}", ran.err);
}

#[test]
fn a_mod_is_checked_by_itself_and_against_the_game() {
    let Some(corpus) = corpus() else { return };
    let game = corpus.join("iostore/ue5.8/unversioned");
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    cooked(&corpus, "unversioned", &place("cooked"));
    uncask(&["to-zen", text(&place("cooked")), "-o", text(&place("Mod_P.utoc")), "--game", text(&game)]).ok();
    let check = |name: &str| uncask(&["check", text(&place(name)), "--game", text(&game)]);
    let ran = check("Mod_P.utoc").ok();
    assert!(
        ran.err.contains(
            "checked 5 packages (5 in containers, 0 in paks, 5 of them in the game, too): 0 problems"
        ),
        "{}",
        ran.err
    );
    // Renamed, without its pak, and no longer of a name that wins.
    for extension in ["utoc", "ucas"] {
        let of = |name: &str| place(name).with_extension(extension);
        fs::rename(of("Mod_P.utoc"), of("Other.utoc")).unwrap();
    }
    let ran = check("Other.utoc");
    assert_eq!(ran.code, 1);
    for problem in ["no .pak beside the container", "was renamed after it was packed", "end its name in _P"] {
        assert!(ran.err.contains(problem), "{problem}: {}", ran.err);
    }
    // A mod of another cook.
    cooked(&corpus, "tagged", &place("tagged"));
    uncask(&["to-zen", text(&place("tagged")), "-o", text(&place("Tagged_P.utoc")), "--engine", "5.8"]).ok();
    let ran = check("Tagged_P.utoc");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("5 packages have versioned properties, unlike those of the game"),
        "{}",
        ran.err
    );
}

/// Two packages of 5.0 that wait for each other: packed alone, and with the other one in the game.
#[test]
fn circles_with_packages_of_the_game_are_found() {
    let Some(corpus) = corpus_with("to-zen/ue5.0/expected.tsv") else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let cooked = corpus.join("to-zen/ue5.0");
    let submix = |name: &str, to: &str| {
        for extension in ["uasset", "uexp"] {
            let path = format!("Engine/Content/EngineSounds/Submixes/{name}.{extension}");
            write_tree(&place(to), [(path.as_str(), fs::read(cooked.join(&path)).unwrap())]);
        }
    };
    submix("MasterSubmixDefault", "mod");
    submix("MasterReverbSubmixDefault", "game");
    let expected = fs::read_to_string(cooked.join("expected.tsv")).unwrap();
    let row: Vec<&str> =
        expected.lines().find(|row| row.contains("MasterSubmixDefault\t")).unwrap().split('\t').collect();
    let pack = |from: &str, to: &str, more: &[&str]| {
        let (from, to) = (place(from), place(to));
        let ran = uncask(&[&["to-zen", text(&from), "-o", text(&to), "--engine", "5.0"], more].concat()).ok();
        (ran.err, chunks(&open(&to, &[])))
    };
    let (told, alone) = pack("mod", "a/Mod_P.utoc", &[]);
    assert!(
        told.contains("1 package waits for others that are not among the inputs (/Engine/EngineSounds/"),
        "{told}"
    );
    assert_ne!(alone[&row[2].parse().unwrap()].0, row[4]);
    pack("game", "Paks/Base.utoc", &[]);
    let (_, with_game) = pack("mod", "b/Mod_P.utoc", &["--game", text(&place("Paks"))]);
    assert_eq!(with_game[&row[2].parse().unwrap()].0, row[4]);
    // Each was packed without the other: neither has a second bundle, and both wait.
    let check = |name: &str| uncask(&["check", text(&place(name)), "--game", text(&place("Paks"))]);
    let expected =
        "1 package waits for others that wait for it, so that the game never leaves its loading screen";
    let ran = check("a/Mod_P.utoc");
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert!(!check("b/Mod_P.utoc").err.contains("never leaves"));
}

/// The cooked texture under a name of as many letters that the game does not have.
fn renamed(tree: &Path) {
    for extension in ["uasset", "uexp"] {
        let path = tree.join(format!("Fixture/Content/Fixtures/Textures/T_BC6H.{extension}"));
        let mut bytes = fs::read(&path).unwrap();
        let (from, to) = (b"/Game/Fixtures/Textures/T_BC6H", b"/Game/Fixtures/Textures/T_BC6X");
        while let Some(at) = bytes.windows(from.len()).position(|bytes| bytes == from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_package_of_another_name_at_a_path_of_the_game_is_told() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let game = corpus.join("iostore/ue5.8/unversioned");
    cooked(&corpus, "unversioned", &place("cooked"));
    renamed(&place("cooked"));
    let ran =
        uncask(&["to-zen", text(&place("cooked")), "-o", text(&place("Mod_P.utoc")), "--game", text(&game)])
            .ok();
    let expected = "1 package lies where the game has one of another name, and replaces nothing (/Game/Fixtures/Textures/T_BC6X)";
    assert!(ran.err.contains(expected), "{}", ran.err);
}

#[test]
fn a_package_whose_name_is_none_is_told() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    cooked(&corpus, "unversioned", &place("cooked"));
    uncask(&["to-zen", text(&place("cooked")), "-o", text(&place("Mod_P.utoc")), "--engine", "5.8"]).ok();
    assert!(uncask(&["check", text(&place("Mod_P.utoc"))]).ok().err.contains("0 problems"));
    let mut data = fs::read(place("Mod_P.ucas")).unwrap();
    let name = b"/Game/Fixtures/Textures/T_BC6H";
    while let Some(at) = data.windows(name.len()).position(|bytes| bytes == name) {
        data[at] = b'_';
    }
    fs::write(place("Mod_P.ucas"), data).unwrap();
    let ran = uncask(&["check", text(&place("Mod_P.utoc"))]);
    let expected = "1 package has the name \"_Game/Fixtures/Textures/T_BC6H\", which no game asks for";
    assert!(ran.code == 1 && ran.err.contains(expected), "{}", ran.err);
}

#[test]
fn packages_in_a_pak_that_the_game_has_in_containers_are_told() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let game = corpus.join("iostore/ue5.8/unversioned");
    cooked(&corpus, "unversioned", &place("cooked"));
    write_tree(&place("cooked"), [("Fixture/Content/New.uasset", b"new".to_vec())]);
    uncask(&["pack", text(&place("cooked")), "-o", text(&place("Mod_P.pak"))]).ok();
    let ran = uncask(&["check", text(&place("Mod_P.pak")), "--game", text(&game)]);
    let expected = "5 packages are in a pak, but the game has the same in containers, which win";
    assert!(ran.err.contains(expected), "{}", ran.err);
}

/// Properties without names, and classes that have fewer of them.
#[test]
fn properties_that_the_game_has_not_are_told() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let game = corpus.join("iostore/ue5.8/unversioned");
    cooked(&corpus, "unversioned", &place("cooked"));
    let pack = |mappings: &Path| {
        let out = place("Mod_P.utoc");
        let args = ["to-zen", text(&place("cooked")), "-o", text(&out), "--game", text(&game), "--mappings"]
            .map(str::to_owned);
        uncask(&[&args[..], &[text(mappings).to_owned()]].concat())
    };
    let ran = pack(&corpus.join("properties/ue5.8/mappings/Uncompressed.usmap")).ok();
    assert!(!ran.err.contains("do not have"), "{}", ran.err);
    let property =
        Property { index: 0, array_len: 1, name: "Only".to_owned(), kind: Type::Plain(2), flags: 0 };
    let class = Struct { name: "Texture2D".to_owned(), base: None, properties: vec![property] };
    let types = Types { enums: Vec::new(), structs: vec![class], ..Types::demo(3) };
    fs::write(place("Old.usmap"), types.file()).unwrap();
    let ran = pack(&place("Old.usmap"));
    assert_eq!(ran.code, 1, "{}", ran.err);
    let expected =
        "2 packages have properties that the game's classes do not have (/Script/Engine.Texture2D: ";
    assert!(ran.err.contains(expected), "{}", ran.err);
}

/// Packages of 4.27: one imports what nobody has, the other imports nothing from packages.
#[test]
fn imports_of_ue4_that_nothing_has_are_told() {
    let Some(corpus) = corpus() else { return };
    for (name, expected) in [("BP_Aphid_Meat_Prop", true), ("T_Emissive", false)] {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let package = fs::read(corpus.join(format!("packages/ue4.27/{name}.uasset"))).unwrap();
        write_tree(&place("zen"), [(format!("Game/Content/{name}.uasset").as_str(), package)]);
        let mods = place("Mod_P.utoc");
        uncask(&[
            "pack",
            text(&place("zen")),
            "-o",
            text(&mods),
            "--engine",
            "4.27",
            "--force",
            "--overwrite",
        ])
        .ok();
        let ran = uncask(&["check", text(&mods), "--game", text(&mods)]);
        assert_eq!(ran.err.contains("neither in the mod nor in the game"), expected, "{}", ran.err);
    }
}

/// Containers that a widely used packer made, and those of the engine itself.
#[test]
fn containers_of_others_are_checked() {
    let Some(corpus) = corpus() else { return };
    let [container, _] = fixture(&corpus, "tagged");
    let ran = uncask(&["check", &container, "--json"]);
    let problems = ran.json()["problems"].as_array().unwrap().clone();
    // The fixture was packed without paks.
    assert!(problems.iter().all(|problem| problem.as_str().unwrap().contains(".pak")), "{problems:?}");
    assert_eq!(ran.json()["packages"], 97);
}
