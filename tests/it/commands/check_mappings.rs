//! `uncask check-mappings`, and mappings that are dumps.

use super::run::{corpus_with, uncask};
use serde_json::Value;
use std::path::{Path, PathBuf};
use uncask::codec::Scratch;
use uncask::game::read_mappings;
use uncask::mappings::Mappings;

const LIMIT: u64 = 1 << 30;

fn games() -> Option<PathBuf> {
    corpus_with("properties/games/mappings").map(|corpus| corpus.join("properties/games"))
}

fn dump(games: &Path) -> PathBuf {
    games.join("../../found/Clay.jmap.gz")
}

/// Runs the command on a game with these mappings: its exit code, stdout and the last line of stderr.
fn check(game: &Path, mappings: Option<&Path>) -> (i32, String, String) {
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mut args = vec!["check-mappings".to_owned(), text(game)];
    args.extend(mappings.into_iter().flat_map(|path| ["--mappings".to_owned(), text(path)]));
    let ran = uncask(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let said = ran.err.lines().last().unwrap_or_default().to_owned();
    (ran.code, ran.out, said)
}

#[test]
fn mappings_of_the_build_fit_and_those_of_another_do_not() {
    let Some(games) = games() else { return };
    let map = |name: &str| games.join("mappings").join(name);
    for (game, mappings) in [("Clay", map("Clay.usmap")), ("Clay", dump(&games))] {
        let (code, out, said) = check(&games.join(game), Some(&mappings));
        assert_eq!((code, out.as_str()), (0, ""), "{said}");
        assert!(said.ends_with(", of UE 5.1, fit: 1,091 of 1,091 objects can be read by them"), "{said}");
    }
    let (code, out, said) = check(&games.join("Bellwright56"), Some(&map("Bellwright-5.4.usmap")));
    assert_eq!(code, 1);
    assert!(said.ends_with(", of UE 5.4, do not fit: 2 of 4 objects can be read by them"), "{said}");
    let row = out.lines().nth(1).unwrap();
    let expected = "has another form in the game, as Default__BronzeIngot_C of BronzeIngot.uasset shows";
    assert!(row.starts_with("BronzeIngot_C") && row.ends_with(expected), "{row}");
    // Without any, the built-in classes are what is checked.
    let (code, out, said) = check(&games.join("Clay"), None);
    assert!(
        said.ends_with("the built-in classes do not fit: 1,047 of 1,091 objects can be read by them"),
        "{said}"
    );
    assert!(code == 1 && out.contains("(of the game)       44       12  is not in the mappings"), "{out}");
    let (code, out, said) = check(&games.join("TestMaterials"), None);
    assert_eq!((code, out.as_str(), said.as_str()), (0, "", "2 packages have tags: no mappings are needed"));
}

/// Headers of four releases are alike; the classes of these are not.
#[test]
fn the_release_is_that_of_the_mappings_where_nothing_else_tells() {
    let Some(games) = games() else { return };
    let (game, map) = (games.join("Bellwright54"), games.join("mappings/Bellwright-5.4.usmap"));
    let out = tempfile::tempdir().unwrap();
    let [game, map, out] = [&game, &map, out.path()].map(|path| path.to_str().unwrap());
    let args = ["json", game, "-o", out];
    let alike = "25 headers fit UE 5.2, 5.3, 5.4 or 5.5";
    let (without, with) = (uncask(&args), uncask(&[&args[..], &["--mappings", map]].concat()));
    assert!(without.err.contains(&format!("taken for UE 5.5: {alike};")), "{}", without.err);
    let expected = format!("taken for UE 5.4: {alike}; UE 5.4 by the classes in the mappings;");
    assert!(with.err.contains(&expected), "{}", with.err);
}

#[test]
fn the_report_has_every_class() {
    let Some(games) = games() else { return };
    let args = ["check-mappings", "--json", "--mappings"].map(str::to_owned);
    let paths =
        [games.join("mappings/Clay.usmap"), games.join("Billiards")].map(|path| path.display().to_string());
    let args: Vec<String> = args.into_iter().chain(paths).collect();
    let ran = uncask(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["schema"], "uncask.check-mappings/1");
    assert_eq!((&report["objects"], &report["objects_not_read"]), (&9.into(), &1.into()));
    assert_eq!(report["release"], "5.1");
    let row = &report["classes"][0];
    assert_eq!((&row["class"], &row["why"]), (&"StaticMeshComponent".into(), &"differs".into()));
}

/// The dump and the mappings file are from the same build of a game, by different programs.
#[test]
fn a_dump_has_the_schemas_of_the_mappings_file() {
    let Some(games) = games() else { return };
    let path = games.join("mappings/Clay.usmap");
    let (usmap, fault) = read_mappings(&path, LIMIT).unwrap();
    assert!(fault.is_none());
    let (jmap, _) = read_mappings(&dump(&games), LIMIT).unwrap();
    let mappings = Mappings::parse(&std::fs::read(&path).unwrap(), &mut Scratch::default()).unwrap();
    let (mut structs, mut differing) = (0, Vec::new());
    for found in mappings.structs() {
        let name = found.name();
        let [own, dumped] = [&usmap, &jmap].map(|of| of.schema(&name));
        structs += 1;
        // The mappings do not tell apart delegates by where they are kept, nor classes from other objects.
        let shown = |of: Option<&std::sync::Arc<uncask::property::Schema>>| {
            let pairs = [
                ("MulticastInline", "Multicast"),
                ("MulticastSparse", "Multicast"),
                ("Plain(Class)", "Plain(Object)"),
                ("SoftClass", "SoftObject"),
            ];
            pairs.iter().fold(format!("{of:?}"), |text, (from, to)| text.replace(from, to))
        };
        if shown(own) != shown(dumped) {
            differing.push((name, shown(own), shown(dumped)));
        }
    }
    assert_eq!(differing.len(), 0, "of {structs}: {:?}", differing.iter().take(3).collect::<Vec<_>>());
    let (mut enums, mut aliases) = (0, 0);
    for found in mappings.enums() {
        let [own, dumped] = [&usmap, &jmap].map(|of| of.enumeration(&found.name()));
        let names = |of: &uncask::property::Enumeration| -> Vec<String> {
            of.values().map(|(_, name)| name.to_owned()).collect()
        };
        let (own, dumped) = (names(own.unwrap()), dumped.unwrap());
        // The mappings have one name for each number, the last one; the dump has all.
        let (kept, left): (Vec<_>, Vec<_>) =
            dumped.values().partition(|(_, name)| own.iter().any(|own| own == name));
        assert!(own.iter().eq(kept.iter().map(|(_, name)| name)), "{}: {own:?} {dumped:?}", found.name());
        let is_alias = |number: i64| kept.iter().any(|(known, _)| *known == number);
        assert!(left.iter().all(|(number, _)| is_alias(*number)), "{}: {left:?}", found.name());
        aliases += usize::from(!left.is_empty());
        enums += 1;
    }
    assert!(structs > 5000 && enums > 1000 && aliases < enums / 20, "{structs} {enums} {aliases}");
}

#[test]
fn what_is_no_dump_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in
        [("a.jmap", &b"{ \"objects\": 1 }"[..]), ("b.jmap", b"{"), ("c.jmap.gz", b"\x1f\x8b\x08")]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let error = read_mappings(&path, LIMIT).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}
