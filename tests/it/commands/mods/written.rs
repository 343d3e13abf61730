//! Mods that commands write: under names that win, with what games need beside them, and without what is not theirs.

use super::{Game, corpus, text, uncask, write_tree};
use std::fs;
use std::path::Path;
use uncask::container::Toc;
use uncask::id::ContainerId;

const SAYS: &str =
    "error: 1 package stays that of the game, so the mod changes nothing; end its name in _P, such as ";

#[test]
fn a_name_that_changes_nothing_is_refused() {
    let game = Game::new();
    for name in ["Door.utoc", "Gate.pak"] {
        let to = game.place(name);
        let ran = game.set("120", &to, &[]);
        let expected = format!("{SAYS}{}", name.replace('.', "_P."));
        assert!(ran.code == 1 && ran.err.contains(&expected) && !to.exists(), "{}", ran.err);
        let ran = game.set("120", &to, &["--force", "--overwrite"]).ok();
        assert!(ran.err.contains(&expected.replace("error", "warning")) && to.exists(), "{}", ran.err);
        let right = to.with_file_name(name.replace('.', "_P."));
        let ran = game.set("120", &right, &[]).ok();
        assert!(!ran.err.contains("stays that"), "{}", ran.err);
        // What a command has written, another checks.
        for path in ["utoc", "pak"].map(|extension| right.with_extension(extension)) {
            fs::remove_file(path).ok();
        }
    }
}

#[test]
fn a_mod_has_to_win_over_patches_of_the_game() {
    let game = Game::new();
    // The game's patch has this package; between equals the alphabetically first container wins.
    let target = format!("{}:/Game/Maps/Start", game.root().display());
    let set = |to: &Path| uncask(&["set", &target, "Start.Count", "9", "-o", text(to)]);
    let ran = set(&game.place("Start_P.utoc"));
    assert!(ran.code == 1 && ran.err.contains(&format!("{SAYS}Start_1_P.utoc")), "{}", ran.err);
    set(&game.place("Start_1_P.utoc")).ok();
    set(&game.place("A_P.utoc")).ok();
}

#[test]
fn pictures_and_texts_are_refused_too() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = super::super::run::fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let base = ["--base", &global];
    uncask(&[&["texts", "export", &container, "-o", &place("t.csv")], &base[..]].concat()).ok();
    let table = fs::read_to_string(place("t.csv")).unwrap();
    fs::write(place("t.csv"), table.replace("Hello from Frankfurt", "Hello")).unwrap();
    let import = |name: &str, more: &[&str]| {
        let (csv, to) = (place("t.csv"), place(name));
        let args = ["texts", "import", &csv, "--onto", &container, "--onto", &global, "--changed", "-o", &to];
        uncask(&[&args[..], more].concat())
    };
    for name in ["Texts.utoc", "Words.pak"] {
        let ran = import(name, &[]);
        assert!(
            ran.code == 1 && ran.err.contains(&format!("such as {}", name.replace('.', "_P."))),
            "{}",
            ran.err
        );
        assert!(!Path::new(&place(name)).exists());
        import(name, &["--force"]).ok();
        // What is there is replaced, as ever.
        import(&name.replace('.', "_P."), &[]).ok();
        import(&name.replace('.', "_P."), &[]).ok();
    }
    uncask(&[&["export", &container, "T_BC1", "-o", &place("dds"), "--as", "dds"], &base[..]].concat()).ok();
    let picture = place("dds/CUE4ParseFixtures/Content/Fixtures/Textures/T_BC1.dds");
    let mut pixels = fs::read(&picture).unwrap();
    *pixels.last_mut().unwrap() ^= 1;
    fs::write(&picture, pixels).unwrap();
    let target = format!("{container}:/Game/Fixtures/Textures/T_BC1");
    let ran = uncask(&["replace", &target, &picture, "-o", &place("Rock.utoc"), "--base", &global]);
    assert!(ran.code == 1 && ran.err.contains(&format!("{SAYS}Rock_P.utoc")), "{}", ran.err);
}

/// Since 5.6 games mount a `.pak` only with a `.utoc` of its name beside it: one without chunks will do.
#[test]
fn an_empty_table_goes_beside_a_pak_for_games_that_want_one() {
    let game = Game::new();
    let pack = |release: &str, name: &str| {
        let pak = game.place(name);
        uncask(&["pack", text(&game.cooked()), "-o", text(&pak), "--engine", release]).ok();
        pak
    };
    assert!(!pack("5.5", "Old_P.pak").with_extension("utoc").exists());
    let made = pack("5.6", "New_P.pak");
    let toc = fs::read(made.with_extension("utoc")).unwrap();
    assert_eq!(&toc[..16], b"-==--==--==--==-");
    let toc = Toc::parse(toc.into()).unwrap();
    assert_eq!((toc.chunk_count(), toc.version().to_wire()), (0, 8));
    assert_eq!(toc.container_id(), Some(ContainerId::from_name("New_P")));
    assert_eq!(fs::read(made.with_extension("ucas")).unwrap().len(), 0);
    uncask(&["info", text(&made.with_extension("utoc"))]).ok();
    let Some(corpus) = corpus() else { return };
    let [container, global] = super::super::run::fixture(&corpus, "tagged");
    let target = format!("{container}:/Game/Fixtures/Properties/DA_AllProperties");
    let to = game.place("Set_P.pak");
    uncask(&["set", &target, "DA_AllProperties.Integer", "1", "-o", text(&to), "--base", &global]).ok();
    assert!(to.with_extension("utoc").exists() && to.with_extension("ucas").exists());
}

#[test]
fn files_of_the_whole_project_are_left_out_of_a_mod() {
    let game = Game::new();
    let files = [
        ("Demo/AssetRegistry.bin", "asset-registry"),
        ("Demo/Config/DefaultGame.ini", "config"),
        ("Demo/Content/Paks/Old_P.pak", "container"),
        ("Demo/Content/ShaderArchive-Demo-PCD3D_SM6-PCD3D_SM6.ushaderbytecode", "shader-library"),
        ("Demo/Demo.uproject", "descriptor"),
        ("Demo/Metadata/Crypto.json", "keys"),
        ("Demo/Metadata/DevelopmentAssetRegistry.bin", "cook-metadata"),
        ("Engine/Content/Slate/Fonts/Roboto-Bold.ttf", "engine-file"),
        ("Engine/GlobalShaderCache-PCD3D_SM6.bin", "global-shader-cache"),
    ];
    let own = ["Demo/Content/Movies/Intro.mp4", "Demo/Content/ShaderArchive-Mod-PCD3D_SM6.ushaderbytecode"];
    for name in files.iter().map(|(name, _)| *name).chain(own) {
        write_tree(&game.cooked(), [(name, b"text".to_vec())]);
    }
    let made = game.place("X_9_P.utoc");
    let pack = |more: &[&str]| {
        let cooked = game.cooked();
        let args = [
            "to-zen",
            text(&cooked),
            "-o",
            text(&made),
            "--engine",
            "5.5",
            "--force",
            "--overwrite",
            "--json",
        ];
        uncask(&[&args[..], more].concat()).ok().json()
    };
    let listed = || {
        let listed = uncask(&["list", text(&made.with_extension("pak"))]).ok().out;
        let mut names: Vec<String> = listed.lines().map(str::to_owned).collect();
        names.sort();
        names
    };
    let report = pack(&[]);
    assert_eq!(listed(), own, "{report}");
    let left_out = report["left_out"].as_array().unwrap();
    assert_eq!(left_out.len(), files.len(), "{report}");
    for ((name, kind), found) in files.iter().zip(left_out) {
        let path = found["path"].as_str().unwrap().replace('\\', "/");
        assert!(path.ends_with(name) && found["kind"] == *kind, "{name}: {found}");
    }
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("1 file of the whole project is left out: keys of the mod's project"),
        "{warnings}"
    );
    assert!(warnings.contains("left out"), "{warnings}");
    let all = pack(&["--project-files"]);
    assert_eq!((listed().len(), all["left_out"].as_array().unwrap().len()), (11, 0), "{all}");
    assert!(!all["warnings"].to_string().contains("whole project"), "{all}");
    // `check` finds them, and `pack` warns.
    let found = uncask(&["check", text(&made.with_extension("pak")), "--json"]).ok().json();
    let kinds: Vec<String> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["kind"].as_str().unwrap().to_owned())
        .collect();
    let expected = files.map(|(_, kind)| format!("project-{kind}"));
    assert!(expected.iter().all(|kind| kinds.contains(kind)) && kinds.len() == 9, "{kinds:?}");
    let all = game.place("Y_P.pak");
    let ran = uncask(&["pack", text(&game.cooked()), "-o", text(&all)]).ok();
    assert_eq!(
        ran.err.matches("of the whole project is in the mod, and better left out").count(),
        9,
        "{}",
        ran.err
    );
    // The engine's packager puts them into the first pakchunk.
    let first = game.place("pakchunk0-Demo.pak");
    let ran = uncask(&["pack", text(&game.cooked()), "-o", text(&first)]).ok();
    assert!(!ran.err.contains("whole project"), "{}", ran.err);
}
