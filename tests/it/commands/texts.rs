//! `uncask texts`.

use super::run::{Ran, corpus, uncask};
use crate::support::containers::write_tree;
use crate::support::texts::{Space, locres};
use std::fs;
use std::path::{Path, PathBuf};

const DE: &str = "Demo/Content/Localization/Game/de/Game.locres";
const EN: &str = "Demo/Content/Localization/Game/en/Game.locres";
const ENGINE: &str = "Engine/Content/Localization/Engine/en/Engine.locres";

/// CRC-32 of "Play" and of "Say \"=\"\r\nnow", four bytes for each character.
const PLAY: u32 = 0x03CC_ED8B;
const SAY: u32 = 0x410B_D48F;

const ENGLISH: [Space<'_>; 2] =
    [("", &[("say", SAY, "Say \"=\"\r\nnow")]), ("Menu", &[("play", PLAY, "Play"), ("=quit", 3, "-1")])];
const GERMAN: [Space<'_>; 1] = [("Menu", &[("play", PLAY, "Spielen"), ("again", 4, "Spielen")])];

/// A pak of a game with texts in two languages, and of the engine; beside it loose ones, of which one is older.
fn game(folder: &Path) -> PathBuf {
    let tree = folder.join("tree");
    write_tree(
        &tree,
        [
            (EN, locres(3, &ENGLISH)),
            (DE, locres(3, &GERMAN)),
            (ENGINE, locres(1, &[("Core", &[("yes", 1, "Yes")])])),
        ],
    );
    let game = folder.join("game");
    let pak = game.join("Demo.pak");
    uncask(&["pack", tree.to_str().unwrap(), "-o", pak.to_str().unwrap()]).ok();
    write_tree(
        &game,
        [
            (DE, locres(2, &[])),
            (
                "Demo/Content/Localization/Game/pl/Game.locres",
                locres(0, &[("Menu", &[("play", PLAY, "Graj")])]),
            ),
        ],
    );
    game
}

fn texts(args: &[&str]) -> Ran {
    uncask(&[&["texts"], args].concat())
}

/// Everything below a folder.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files =
        walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string().replace('\\', "/");
    files.filter(|path| path.is_file()).map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

#[test]
fn a_table_has_every_text_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let (game, csv) = (game(folder.path()), folder.path().join("texts.csv"));
    let ran = texts(&["export", game.to_str().unwrap(), "-o", csv.to_str().unwrap()]).ok();
    assert!(ran.err.contains("exported 5 texts in 3 languages"), "{}", ran.err);
    insta::assert_snapshot!(fs::read_to_string(&csv).unwrap().replace('\r', "␍"));
    texts(&["export", game.to_str().unwrap(), "-o", csv.to_str().unwrap(), "--culture", "PL"]).ok();
    insta::assert_snapshot!(fs::read_to_string(&csv).unwrap().trim_start_matches('\u{FEFF}'), @r"
    file,namespace,key,source_hash,pl
    Demo/Content/Localization/Game/{culture}/Game.locres,Menu,play,0x03cced8b,Graj
    ");
}

#[test]
fn unchanged_texts_become_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let expected = [
        (DE, locres(3, &GERMAN)),
        (EN, locres(3, &ENGLISH)),
        ("Demo/Content/Localization/Game/pl/Game.locres", locres(0, &[("Menu", &[("play", PLAY, "Graj")])])),
        (ENGINE, locres(1, &[("Core", &[("yes", 1, "Yes")])])),
    ];
    let game = game.to_str().unwrap();
    for (form, output) in [(&[][..], "texts.csv"), (&["--po"], "po")] {
        let (path, out) = (folder.path().join(output), folder.path().join(format!("{output}.out")));
        let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
        texts(&[&["export", game, "-o", path], form].concat()).ok();
        let ran = texts(&["import", path, "--onto", game, "-o", out]).ok();
        assert!(ran.err.contains("wrote 4 files"), "{}", ran.err);
        assert!(ran.err.contains("0 texts changed, 0 texts added"), "{}", ran.err);
        let made = tree(Path::new(out));
        let made: Vec<(&str, Vec<u8>)> = made.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
        assert!(made == expected, "{output}: {:?}", made.iter().map(|(name, _)| name).collect::<Vec<_>>());
        let none = texts(&["import", path, "--onto", game, "-o", out, "--changed", "--json"]);
        assert_eq!(none.code, 5, "{}", none.err);
        assert_eq!(none.json()["files"], serde_json::json!([]));
    }
}

/// A namespace without keys is in no row of a table, and stays all the same.
#[test]
fn namespaces_without_keys_stay() {
    const OTHER: &str = "Demo/Content/Localization/Other/en/Other.locres";
    let folder = tempfile::tempdir().unwrap();
    let (game, tree_folder) = (folder.path().join("game"), folder.path().join("tree"));
    let spaces: [Space<'_>; 3] = [("None", &[]), ("Menu", &[("play", PLAY, "Play")]), ("Last", &[])];
    let files =
        [1, 2, 3].map(|version| (format!("Demo/Content/Localization/V{version}/en/A.locres"), version));
    write_tree(&tree_folder, files.iter().map(|(path, version)| (path.as_str(), locres(*version, &spaces))));
    write_tree(&tree_folder, [(OTHER, locres(3, &[("Empty", &[])]))]);
    let pak = game.join("Demo.pak");
    uncask(&["pack", tree_folder.to_str().unwrap(), "-o", pak.to_str().unwrap()]).ok();
    let (game, csv, out) = (game.to_str().unwrap(), folder.path().join("t.csv"), folder.path().join("out"));
    let (path, to) = (csv.to_str().unwrap(), out.to_str().unwrap());
    texts(&["export", game, "-o", path]).ok();
    let ran = texts(&["import", path, "--onto", game, "-o", to]).ok();
    assert!(ran.err.contains("wrote 4 files"), "{}", ran.err);
    assert!(tree(&out) == tree(&tree_folder), "{:?}", tree(&out));
    // An edited file keeps them, too.
    fs::write(&csv, fs::read_to_string(&csv).unwrap().replace("Play", "Start")).unwrap();
    texts(&["import", path, "--onto", game, "-o", to, "--changed"]).ok();
    let edited: [Space<'_>; 3] = [("None", &[]), ("Menu", &[("play", PLAY, "Start")]), ("Last", &[])];
    for (path, version) in &files {
        assert!(fs::read(out.join(path)).unwrap() == locres(*version, &edited), "{path}");
    }
}

/// The other writer makes the files that there should be.
#[test]
fn edited_texts_are_in_the_files_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let game = game.to_str().unwrap();
    let (csv, out) = (folder.path().join("texts.csv"), folder.path().join("out"));
    let (path, to) = (csv.to_str().unwrap(), out.to_str().unwrap());
    let header = "file;namespace;key;source_hash;de;fr;en";
    let rows = [
        // A text that others share; one that the culture does not have yet; a language that the game does not have.
        format!(
            "Demo/Content/Localization/Game/{{culture}}/Game.locres;Menu;play;{PLAY:#x};Los;\"Jouer\n\"\"vite\"\"\";Play"
        ),
        "Demo/Content/Localization/Game/{culture}/Game.locres;Menu;'=quit;0x3;Ende;;'-1".to_owned(),
    ];
    fs::write(&csv, format!("{header}\n{}\n", rows.join("\n"))).unwrap();
    let ran = texts(&["import", path, "--onto", game, "-o", to, "--changed"]).ok();
    insta::assert_snapshot!(ran.err.replace(to, "OUT"), @r"
    Demo/Content/Localization/Game/fr/Game.locres is new; games offer only the languages that their settings and .locmeta list
    wrote 2 files to OUT: 1 text changed, 2 texts added
    ");
    let german: [Space<'_>; 1] =
        [("Menu", &[("play", PLAY, "Los"), ("again", 4, "Spielen"), ("=quit", 3, "Ende")])];
    let french: [Space<'_>; 1] = [("Menu", &[("play", PLAY, "Jouer\n\"vite\"")])];
    let made = tree(&out);
    let expected = [
        (DE.to_owned(), locres(3, &german)),
        ("Demo/Content/Localization/Game/fr/Game.locres".to_owned(), locres(3, &french)),
    ];
    assert!(made == expected, "{:?}", made.iter().map(|(name, _)| name).collect::<Vec<_>>());
}

#[test]
fn portable_objects_are_those_of_the_editor() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let game = game.to_str().unwrap();
    let po = folder.path().join("de.po");
    let path = po.to_str().unwrap();
    texts(&["export", game, "-o", path, "--culture", "de"]).ok();
    insta::assert_snapshot!(fs::read_to_string(&po).unwrap());
    // The editor names no file, and a game with one target needs none.
    let only = folder.path().join("only");
    write_tree(&only, [(DE, locres(3, &GERMAN)), (EN, locres(3, &ENGLISH))]);
    fs::write(
        &po,
        "\u{FEFF}# German\nmsgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: Game\\n\"\n\"Language: de\\n\"\n\n#. Key:\tplay\n\
         #: /Game/Menu.Menu:Play\nmsgctxt \"Menu,play\"\nmsgid \"Play\"\nmsgstr \"\"\n\"Los\\r\\n\"\n\"jetzt\"\n",
    )
    .unwrap();
    let out = folder.path().join("out");
    texts(&["import", path, "--onto", only.to_str().unwrap(), "-o", out.to_str().unwrap()]).ok();
    let german: [Space<'_>; 1] = [("Menu", &[("play", PLAY, "Los\r\njetzt"), ("again", 4, "Spielen")])];
    assert_eq!(tree(&out), [(DE.to_owned(), locres(3, &german))]);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path());
    let (game, csv, out) = (game.to_str().unwrap(), folder.path().join("t.csv"), folder.path().join("out"));
    let (path, out) = (csv.to_str().unwrap(), out.to_str().unwrap());
    let mut shown = String::new();
    let mut fails = |args: &[&str], code| {
        let ran = texts(args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        shown += &ran.err.replace(folder.path().to_str().unwrap(), "DIR").replace(r"DIR\", "DIR/");
    };
    fails(&["export", game, "-o", out], 2);
    fails(&["export", game, "-o", path, "--culture", "xx"], 2);
    fails(&["export", game, "-o", "x.po"], 2);
    fails(
        &[
            "export",
            folder.path().join("tree/Engine/Content/Localization/Engine").to_str().unwrap(),
            "-o",
            path,
        ],
        0,
    );
    fs::write(&csv, "file,namespace,key,source_hash,de\nA/{culture}/B.locres,n,k,0x1,x\n").unwrap();
    fails(&["import", path, "--onto", game, "-o", out], 1);
    let file = "Demo/Content/Localization/Game/{culture}/Game.locres";
    fs::write(&csv, format!("file,namespace,key,source_hash,de\n{file},Menu,plya,0x1,x\n")).unwrap();
    fails(&["import", path, "--onto", game, "-o", out], 1);
    fs::write(&csv, "file,namespace,key\n").unwrap();
    fails(&["import", path, "--onto", game, "-o", out], 2);
    fails(&["import", game, "--onto", game, "-o", out], 2);
    fs::write(&csv, format!("file,namespace,key,source_hash,de\n{file},Menu,play,0x1,x\0y\n")).unwrap();
    fails(&["import", path, "--onto", game, "-o", out], 2);
    assert!(!Path::new(out).exists(), "nothing is written");
    insta::assert_snapshot!(shown);
}

#[test]
fn every_text_of_the_corpus_comes_back_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let found = corpus.join("found/locres");
    let folder = tempfile::tempdir().unwrap();
    for (form, output) in [(&[][..], "texts.csv"), (&["--po"], "po")] {
        let (path, out) = (folder.path().join(output), folder.path().join(format!("{output}.out")));
        let (path, found) = (path.to_str().unwrap(), found.to_str().unwrap());
        texts(&[&["export", found, "-o", path], form].concat()).ok();
        texts(&["import", path, "--onto", found, "-o", out.to_str().unwrap()]).ok();
        let made = tree(&out);
        assert_eq!(made.len(), 28, "the three without texts, too");
        for (name, bytes) in made {
            assert!(fs::read(Path::new(found).join(&name)).unwrap() == bytes, "{name}");
        }
    }
}

const TABLE: &str = "/Game/Fixtures/StringTables/ST_Fixed";

/// String tables are texts, too: only the texts of their packages change, and packages without changes are left out.
#[test]
fn string_tables_go_through_a_table_and_back() {
    let Some(corpus) = corpus() else { return };
    let usmap = fs::read_dir(corpus.join("properties/ue5.8/mappings")).unwrap();
    let usmap = usmap
        .map(|entry| entry.unwrap().path().display().to_string())
        .find(|path| path.contains("Uncompressed"));
    let usmap = usmap.unwrap();
    for cook in ["tagged", "unversioned"] {
        let [container, global] = super::run::fixture(&corpus, cook);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let get = |container: &str, name: &str| {
            uncask(&["get", container, TABLE, "-o", &path(name)]).ok();
            fs::read(path(name)).unwrap()
        };
        let chunk = get(&container, "chunk");
        let with_global = ["--base", &global];
        let csv = path("texts.csv");
        texts(&[&["export", &container, "-o", &csv, "--mappings", &usmap], &with_global[..]].concat()).ok();
        let table = fs::read_to_string(&csv).unwrap();
        assert!(table.contains("file,namespace,key,source_hash,text\n"), "{table}");
        let id = format!("{TABLE}.ST_Fixed,CUE4ParseFixtures.StringTable");
        assert!(table.contains(&format!("{id},Greeting,0x")), "{table}");
        assert!(
            table.contains(",Hello from Frankfurt\n") && table.contains(",Fixture 日本語 Ω äöü\n"),
            "{table}"
        );
        texts(&[&["export", &container, "-o", &path("po"), "--po"], &with_global[..]].concat()).ok();
        for (input, name) in [(csv.clone(), "Csv_P.utoc"), (path("po"), "Po_P.utoc")] {
            let ran = texts(&["import", &input, "--onto", &container, "--onto", &global, "-o", &path(name)]);
            assert_eq!(ran.code, 5, "{}", ran.err);
            assert!(ran.err.ends_with("nothing changed\n"), "{}", ran.err);
            assert!(!Path::new(&path(name)).exists(), "{cook} {name}");
        }
        let import = |out: &str| texts(&["import", &csv, "--onto", &container, "--onto", &global, "-o", out]);
        fs::write(&csv, table.replace("Hello from Frankfurt", "\"Grüße, \"\"Welt\"\"\"")).unwrap();
        let new = path("New_P.utoc");
        let ran = import(&new).ok();
        assert!(ran.err.contains("1 text changed, 0 texts added"), "{}", ran.err);
        import(&path("files")).ok();
        // With the old text the package is byte for byte what it was.
        fs::write(path("old.csv"), &table).unwrap();
        let args =
            ["import", &path("old.csv"), "--onto", &new, "--onto", &global, "-o", &path("Old_1_P.utoc")];
        texts(&args).ok();
        assert!(get(&path("Old_1_P.utoc"), "same") == chunk, "{cook}");
        for input in [path("New_P.utoc"), path("files")] {
            let again = path("again.csv");
            let args = ["export", &input, "-o", &again, "--base", &container, "--base", &global];
            texts(&args).ok();
            let again = fs::read_to_string(&again).unwrap();
            assert!(again.contains(",\"Grüße, \"\"Welt\"\"\"\n") && again.contains("日本語"), "{again}");
        }
        fs::write(&csv, table.replace(",Greeting,", ",Farewell,")).unwrap();
        let ran = import(&path("no"));
        assert_eq!(ran.code, 2, "{}", ran.err);
        let problem = format!("no text has the key \"Farewell\" in the string table {TABLE}.ST_Fixed");
        assert!(ran.err.contains(&problem), "{}", ran.err);
    }
}
