//! One thing is not many: no line that a command prints says `1 chunks` or `1 package are`.

use super::run;
use crate::support::containers::{Packed, write_tree};
use crate::support::texts::locres;
use regex::Regex;
use std::path::Path;
use uncask::pack::PackOptions;

/// A number that is exactly one, then a word that ends in `s`, or a noun and a verb for many.
const MANY: &str = r"(?:^|[^\w.,])1 (?:(?P<word>\w+s)\b|\w+ (?:are|have|were)\b)";
/// Words that end in `s` and do not count: verbs, and nouns that have no other form.
const ONE_IN_S: [&str; 6] = ["fits", "has", "is", "needs", "this", "was"];

/// The first phrase of a text that has the wrong number.
fn wrong(text: &str) -> Option<String> {
    let many = Regex::new(MANY).unwrap();
    let found = text.lines().flat_map(|line| many.captures_iter(line));
    let mut wrong =
        found.filter(|found| found.name("word").is_none_or(|word| !ONE_IN_S.contains(&word.as_str())));
    wrong.next().map(|found| found[0].to_owned())
}

/// A container with one chunk of one byte; beside it a folder `tree` with that file, and `cut`, a file of one byte.
fn one() -> Packed {
    let packed = Packed::new([("Demo/Config/Game.ini", b"x".to_vec())], &PackOptions::default());
    std::fs::write(packed.beside("cut.utoc"), "x").unwrap();
    std::fs::write(packed.beside("cut.usmap"), b"\xC4\x30\x00\x00").unwrap();
    write_tree(&packed.beside("loose"), [("note.txt", b"x".to_vec())]);
    write_tree(&packed.beside("texts"), [("de/Game.locres", locres(3, &[("Menu", &[("play", 1, "Los")])]))]);
    packed
}

/// Command lines: `@` is the folder of [`one`], `%` is `testdata`.
const COMMANDS: [&str; 64] = [
    "info @/demo.utoc",
    "info @/demo.utoc -v",
    "info @ -v",
    "list @/demo.utoc",
    "list @/demo.utoc -l",
    "list @/demo.utoc --tree",
    "list @/demo.utoc --csv",
    "list %/demo --conflicts",
    "verify @/demo.utoc",
    "verify %/demo Start",
    "unpack @/demo.utoc -o @/out --dry-run",
    "unpack @/demo.utoc -o @/out --manifest @/manifest",
    "verify @/out --manifest @/manifest",
    "unpack @/demo.utoc -o @/out --resume",
    "unpack @/demo.utoc -o @/out --overwrite never",
    "unpack @/demo.utoc -o @/out --max-output 0",
    "unpack %/demo -o @/deps /Game/Maps/Start --with-deps --dry-run",
    "unpack %/demo/pakchunk0-Demo_0_P.utoc -o @/alone --with-deps",
    "get @/demo.utoc Game.ini",
    "get %/demo Nothing",
    "get %/demo *.uasset",
    "du @/demo.utoc",
    "du @/demo.utoc -n 1",
    "du @/demo.utoc --by method",
    "diff @/demo.utoc @/demo.utoc",
    "diff %/demo/pakchunk0-Demo.utoc %/demo/pakchunk0-Demo_0_P.utoc",
    "report @/demo.utoc -o @/report.html",
    "scripts %/demo",
    "deps %/demo /Game/Maps/Start --depth 1",
    "deps %/demo/pakchunk0-Demo_0_P.utoc /Game/Maps/Start",
    "to-legacy %/demo -o @/cooked /Game/Maps/Start --dry-run",
    "to-legacy %/demo -o @/cooked Start.umap",
    "to-legacy @/loose -o @/cooked",
    "thumbnails %/classic -o @/pictures",
    "thumbnails @/loose -o @/pictures",
    "pack @/tree -o @/new_P.utoc",
    "pack @/tree -o @/new.pak",
    "pack @/out -o @/again_P.utoc -j 1",
    "info @/cut.utoc",
    "list @/demo.utoc --aes-key 0xA",
    "list @/demo.utoc --aes-key x",
    "list %/encrypted",
    "verify %/encrypted --aes-key 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
    "inspect @/demo.utoc",
    "inspect @/demo.utoc:Game.ini",
    "inspect %/classic/texture.utx",
    "inspect %/demo:/Game/Maps/Start",
    "inspect -p %/demo:/Game/Maps/Start",
    "json %/demo /Game/Maps/Start --form tree -o @/json",
    "find %/demo/pakchunk0-Demo_0_P.utoc --property Count --value 1",
    "find %/demo /Game/Maps/Start --property Nothing",
    "set %/demo:/Game/Maps/Start Start.Count 5 --dry-run",
    "set %/demo:/Game/Maps/Start Start.Count 5 -o @/Set_1_P.utoc",
    "set %/demo:/Game/Maps/Start Start.Count[7] 5 --dry-run",
    "set %/demo:/Game/Maps/Start #9.Count 5 --dry-run",
    "from-json @/json/Demo/Content/Maps/Start.json --onto %/demo -o @/Json_P.utoc",
    "diff --properties %/demo @/Set_1_P.utoc /Game/Maps/Start",
    "export %/demo /Game/Textures/T_Rock -o @/one",
    "replace %/demo:/Game/Textures/T_Rock @/one/Demo/Content/Textures/T_Rock.png -o @/Rock_P.utoc",
    "replace %/demo --from @/one -o @/Rocks_P.utoc",
    "texts export @/texts -o @/texts.csv",
    "texts import @/texts.csv --onto @/texts -o @/same",
    "texts export %/demo -o @/none.csv",
    "bench --synthetic none --size 1K --rounds 1 -j 1 --folder @",
];

/// Texts that must occur in the output; otherwise the fixtures have changed.
const SINGULARS: [&str; 11] = [
    "1 byte left",
    "1 chunk,",
    "1 changed value",
    "1 export of 1 package",
    "1 text in 1 language",
    "1 chunk is in more than one container",
    "1 container,",
    "1 file,",
    "1 hex digit,",
    "1 package ",
    "1 picture,",
];

#[test]
fn no_count_of_one_has_a_plural() {
    let packed = one();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").display().to_string();
    let mut all = String::new();
    for line in COMMANDS {
        let line = line.replace('%', &testdata);
        let shown = run(&packed, &line.split(' ').collect::<Vec<_>>()).shown();
        assert!(!shown.starts_with("exit 2\n") || shown.contains("error: "), "{line}\n{shown}");
        assert_eq!(wrong(&shown), None, "{line}\n{shown}");
        all += &shown;
    }
    for phrase in SINGULARS {
        assert!(all.contains(phrase), "nothing says {phrase:?}\n{all}");
    }
}

#[test]
fn the_check_sees_what_it_looks_for() {
    for text in ["packed 1 chunks", "1 bytes are left", "a\n1 package are", "(1 files)", "1 files"] {
        assert!(wrong(text).is_some(), "{text}");
    }
    for text in [
        "1 chunk",
        "21 chunks",
        "1.1 chunks",
        "1,001 files",
        "1 package is",
        "0.1 seconds",
        "UE 5.1 packages",
    ] {
        assert_eq!(wrong(text), None, "{text}");
    }
}
