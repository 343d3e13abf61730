//! Values that cannot be read: counted, with the cause, and never exit code 0.

use super::run::{Ran, corpus, corpus_with, uncask};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A package with everything in it, and its two exports.
const PACKAGE: &str = "Fixtures/Properties/DA_AllProperties";

/// Copies a package of the corpus to a folder, without its `.uexp` if that is to be missing.
fn copy(from: &Path, folder: &Path, with_exports: bool) -> PathBuf {
    let to = folder.join(from.file_name().unwrap());
    std::fs::copy(from, &to).unwrap();
    if with_exports {
        std::fs::copy(from.with_extension("uexp"), to.with_extension("uexp")).unwrap();
    }
    to
}

fn run(args: &[&str], file: &Path) -> Ran {
    uncask(&[&[args[0], file.to_str().unwrap()], &args[1..]].concat())
}

#[test]
fn a_missing_uexp_is_named_and_its_exports_are_counted() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = corpus.join("properties/ue5.8/tagged").join(PACKAGE).with_extension("uasset");
    let file = copy(&original, folder.path(), false);
    let line = format!(
        "error: values of 2 exports of DA_AllProperties.uasset, such as InlineFixture, not read: \
         the .uexp is missing: {}\n",
        file.with_extension("uexp").display()
    );
    let ran = run(&["json"], &file);
    assert_eq!((ran.code, ran.err.clone()), (1, line.clone()));
    let document = ran.json();
    let exports = document.as_array().unwrap();
    assert_eq!(exports.len(), 2);
    assert!(exports.iter().all(|export| export["Problem"].is_string()), "{document:#}");

    let out = folder.path().join("out");
    let ran = run(&["json", "-o", out.to_str().unwrap(), "--json"], &file);
    assert_eq!(ran.code, 1);
    assert!(ran.err.clone().starts_with(&line), "{}", ran.err);
    assert!(ran.err.contains("0 failed, values of 2 exports not read"), "{}", ran.err);
    let report = ran.json();
    assert_eq!(report["unread_exports"], 2);
    let [unread] = report["unread"].as_array().unwrap().as_slice() else { panic!("{report:#}") };
    assert_eq!(
        (&unread["cause"], &unread["exports"], &unread["packages"]),
        (&"no_exports".into(), &2.into(), &1.into())
    );
    assert!(out.join("DA_AllProperties.json").is_file(), "what is known is written");

    // Nothing is found in what was not read: that is a failure, not "nothing matches".
    let ran = run(&["find", "--property", "Integer"], &file);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.clone().contains(&line), "{}", ran.err);
    let ran = run(&["inspect", "-p"], &file);
    assert_eq!((ran.code, ran.err.clone()), (1, line));
    let ran = run(&["set", "DA_AllProperties.Integer", "7", "--dry-run"], &file);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(".uexp is missing"), "{}", ran.err);
    run(&["json"], &original).ok();
}

#[test]
fn mappings_of_another_game_are_named() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let mappings = corpus.join("properties/games/mappings/Clay.usmap");
    let mappings = mappings.to_str().unwrap();
    let file = corpus.join("properties/ue5.8/unversioned").join(PACKAGE).with_extension("uasset");
    let args = ["json", "--mappings", mappings];
    let ran = run(&args, &file);
    assert_eq!(ran.code, 1);
    let expected = format!("not read: the mappings do not have ParserFixtureData: {mappings}\n");
    assert!(ran.err.contains(&expected), "{}", ran.err);
    let asset = ran.json();
    let asset = asset.as_array().unwrap().iter().find(|export| export["Name"] == "DA_AllProperties").unwrap();
    let problem = asset["Problem"].as_str().unwrap();
    assert!(problem.starts_with("no schema for ParserFixtureData: "), "{problem}");
}

#[test]
fn a_parent_class_whose_package_is_not_there_is_named() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = corpus.join("properties/games/Clay/Clay/Content/FirstPerson/Blueprints/Widgets");
    let mappings = corpus.join("properties/games/mappings/Clay.usmap");
    let args = ["json", "--mappings", mappings.to_str().unwrap(), "--engine", "5.1"];
    let child = copy(&game.join("Main_Menu_Widget.uasset"), folder.path(), true);
    let ran = run(&args, &child);
    let expected = "error: values of 1 export of Main_Menu_Widget.uasset, such as Pause_Menu_Widget, not read: \
        Pause_Menu_Widget_C is in /Game/FirstPerson/Blueprints/Widgets/Pause_Menu_Widget, which was not found\n";
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with(expected), "{}", ran.err);
    assert!(ran.err.contains("hint: read it together with that: "), "{}", ran.err);
    // The other package of the class is found where it is read, too.
    let out = folder.path().join("out");
    let whole = corpus.join("properties/games/Clay");
    run(&[&args[..], &["-o", out.to_str().unwrap()]].concat(), &whole).ok();
}

/// The causes of a report, with the numbers of exports.
fn causes(report: &Value) -> Vec<String> {
    let text = |unread: &Value| {
        format!(
            "{} {} {}",
            unread["cause"].as_str().unwrap(),
            unread["schema"].as_str().unwrap(),
            unread["exports"]
        )
    };
    report["unread"].as_array().unwrap().iter().map(text).collect()
}

/// All packages of a set, with mappings that are theirs.
fn report(corpus: &Path, set: &str, release: &str, mappings: Option<&str>) -> (i32, Value) {
    let out = tempfile::tempdir().unwrap();
    let mappings = mappings.map(|path| corpus.join("properties").join(path).display().to_string());
    let mappings = mappings.iter().flat_map(|path| ["--mappings", path]);
    let args: Vec<&str> = ["json", "-o", out.path().to_str().unwrap(), "--engine", release, "--json"]
        .into_iter()
        .chain(mappings)
        .collect();
    let ran = run(&args, &corpus.join("properties").join(set));
    (ran.code, ran.json())
}

#[test]
fn good_data_with_its_own_mappings_is_read() {
    let Some(corpus) = corpus() else { return };
    for (set, release, mappings, packages) in [
        ("games/Bloodstained", "4.18", None, 6),
        ("games/Astroneer", "4.23", None, 5),
        ("games/Clay", "5.1", Some("games/mappings/Clay.usmap"), 24),
        ("games/BlankGame54", "5.4", Some("games/mappings/BlankGame_Dumper-7.usmap"), 4),
        ("games/NanosWorld57", "5.7", Some("games/mappings/NanosWorld.usmap"), 38),
        ("games/Editor57", "5.7", None, 5),
    ] {
        let (code, report) = report(&corpus, set, release, mappings);
        assert_eq!((code, causes(&report)), (0, Vec::new()), "{set}");
        assert_eq!((&report["count"], &report["unread_exports"]), (&packages.into(), &0.into()), "{set}");
    }
}

/// Some classes have forms that nothing describes, and the mappings of the fixtures have no classes of the editor.
#[test]
fn what_the_fixtures_have_that_nobody_can_read_is_named() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let (code, tagged) = report(&corpus, "ue5.8/tagged", "5.8", None);
    assert_eq!((code, &tagged["count"]), (1, &97.into()));
    assert_eq!(causes(&tagged), ["own_form NNEModelData 1", "own_form RigHierarchy 1", "own_form RigVM 1"]);
    let mappings = Some("ue5.8/mappings/Uncompressed.usmap");
    let (code, unversioned) = report(&corpus, "ue5.8/unversioned", "5.8", mappings);
    assert_eq!((code, &unversioned["count"], &unversioned["unread_exports"]), (1, &97.into(), &9.into()));
    assert_eq!(
        causes(&unversioned),
        [
            "no_schema ControlRigEditorAsset 1",
            "no_schema ControlRigGraph 2",
            "no_schema RigVMFunctionLibrary 1",
            "no_schema RigVMGraph 1",
            "own_form MidiEvent 1",
            "own_form NNEModelData 1",
            "own_form RigHierarchy 1",
            "own_form RigVM 1",
        ]
    );
}

/// All problems in a document, at whatever depth.
fn problems<'d>(value: &'d Value, found: &mut Vec<&'d str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("Problem").and_then(Value::as_str));
            fields.values().for_each(|value| problems(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| problems(value, found)),
        _ => {}
    }
}

/// One value that is kept as bytes spoils no other: it says why it is not understood, in its place.
#[test]
fn values_that_are_kept_as_bytes_say_why() {
    let Some(corpus) = corpus() else { return };
    for (set, package, release, kind) in [
        ("UnknownProps", "BP_DetPack_Charge", "4.25", "GarbagePropty"),
        ("CustomProperty", "AlternateStartActor", "4.23", "CoolProperty"),
    ] {
        let file = corpus.join("properties/games").join(set).join(package).with_extension("uasset");
        let document = run(&["json", "--engine", release], &file).ok().json();
        let mut found = Vec::new();
        for export in document.as_array().unwrap() {
            problems(&export["Properties"], &mut found);
        }
        let wanted = ": type of a property: not known, offset ";
        assert!(found.iter().all(|problem| problem.contains(wanted)), "{set}: {found:?}");
        assert!(found.iter().any(|problem| problem.starts_with(kind)), "{set}: {found:?}");
    }
}

/// A job on packages has no chunk to name where it fails.
#[test]
fn a_package_that_cannot_be_read_is_named_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo");
    let [cooked, out] = ["cooked", "out"].map(|name| folder.path().join(name));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    uncask(&["to-legacy", &text(&demo), "-o", &text(&cooked)]).ok();
    let headers = walkdir::WalkDir::new(&cooked)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path());
    let header =
        headers.into_iter().find(|path| path.extension().is_some_and(|end| end == "uasset")).unwrap();
    std::fs::File::options().write(true).open(&header).unwrap().set_len(100).unwrap();
    let ran = run(&["json", "-o", &text(&out), "--json"], &header);
    let report = ran.json();
    let failure = &report["failures"][0];
    assert_eq!((ran.code, &failure["subject"]), (1, &Value::from("package")), "{report:#}");
    assert!(failure.get("id").is_none() && failure["path"].is_string(), "{failure:#}");
    assert_eq!(report["count"], 0);
}
