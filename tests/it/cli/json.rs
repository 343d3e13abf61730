//! `--json`: one document, whatever the command.

use super::{demo, run};
use crate::support::cli::uncask;
use crate::support::corpus;
use serde_json::Value;

/// The output of a run, which must be one JSON document.
#[track_caller]
fn document(args: &[&str], stdout: &str) -> Value {
    let value: Value =
        serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {stdout}"));
    let schema = value["schema"].as_str().unwrap_or_else(|| panic!("{args:?} names no schema: {value}"));
    assert!(schema.starts_with("uncask.") && schema.contains('/'), "{schema}");
    value
}

#[test]
fn every_command_prints_one_document() {
    let packed = demo();
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/m", "--manifest", "@/m.jsonl"]).expect(0);
    let inspected = packed.beside("tree/Demo/Content/Hero.uasset");
    std::fs::create_dir(packed.beside("uncooked")).unwrap();
    std::fs::copy(&inspected, packed.beside("uncooked/Hero.uasset")).unwrap();
    for args in [
        &["info", "@/demo.utoc"][..],
        &["@/demo.utoc"],
        &["list", "@/demo.utoc"],
        &["list", "@/demo.utoc", "--show-class"],
        &["list", "@/demo.utoc", "--conflicts"],
        &["verify", "@/demo.utoc"],
        &["verify", "@/m", "--manifest", "@/m.jsonl"],
        &["unpack", "@/demo.utoc", "-o", "@/out", "--dry-run"],
        &["unpack", "@/demo.utoc", "-o", "@/out"],
        &["to-legacy", "@/demo.utoc", "-o", "@/legacy", "--dry-run"],
        &["to-legacy", "@/demo.utoc", "-o", "@/legacy"],
        &["get", "@/demo.utoc", "Game.ini", "-o", "@/got.ini"],
        &["inspect", "@/demo.utoc"],
        &["inspect", "@/demo.utoc:Game.ini"],
        &["inspect", "@/tree/Demo/Config/Game.ini"],
        &["thumbnails", "@/uncooked", "-o", "@/pictures"],
        &["export", "@/demo.utoc", "-o", "@/assets"],
        &["diff", "@/demo.utoc", "@/demo.utoc"],
        &["du", "@/demo.utoc"],
        &["du", "@/demo.utoc", "--by", "class"],
        &["report", "@/demo.utoc", "-o", "@/report.html"],
        #[cfg(feature = "catalog")]
        &["catalog", "@/demo.utoc", "-o", "@/catalog"],
        &["pack", "@/tree", "-o", "@/new.utoc", "--force", "--overwrite"],
        &["pack", "@/tree", "-o", "@/new.pak", "--force", "--overwrite"],
        &["bench", "@/demo.utoc", "--rounds", "1", "-j", "1", "--folder", "@", "--size", "1M"],
    ] {
        let shown = run(&packed, &[args, &["--json"]].concat());
        document(args, &shown.stdout);
    }
    let planned = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--dry-run", "--json"]).stdout;
    let planned = document(&[], &planned);
    let files = planned["files"].as_array().unwrap();
    let hero = serde_json::json!({ "path": "Demo/Content/Hero.uasset", "bytes": 40_000 });
    assert!(files.len() == 5 && files.contains(&hero), "{planned}");
}

#[test]
fn packages_and_scripts_are_one_document_too() {
    let Some(corpus) = corpus::find() else { return };
    let folder = corpus.join("iostore/ue5.8/tagged");
    let [container, global] = ["Zlib/", "global.utoc"].map(|name| folder.join(name).display().to_string());
    let texture = "/Game/Fixtures/Textures/T_BC1";
    for args in [
        &["deps", &container, "*T_BC1*.uasset", "--base", &global, "--json"][..],
        &["deps", &container, "*T_BC1*.uasset", "--reverse", "--base", &global, "--json"],
        &["scripts", &global, "--json"],
        &["to-legacy", &container, texture, "--base", &global, "-o", "/nowhere", "--dry-run", "--json"],
    ] {
        let shown = uncask(args);
        if !shown.stdout.is_empty() || shown.code == 0 {
            document(args, &shown.stdout);
        }
    }
    document(&["scripts"], &uncask(["scripts", &global, "--json"]).expect(0).stdout);
}

#[test]
fn what_has_no_json_form_says_so() {
    let packed = demo();
    for args in [
        &["get", "@/demo.utoc", "Game.ini", "--json"][..],
        &["completions", "bash", "--json"],
        &["man", "--json"],
        &["list", "@/demo.utoc", "--json", "--csv"],
        &["list", "@/demo.utoc", "--json", "--jsonl"],
        &["list", "@/demo.utoc", "--json", "--tree"],
        &["diff", "@/demo.utoc", "@/demo.utoc", "--json", "--csv"],
        &["deps", "@/demo.utoc", "/Game/Hero", "--json", "--dot"],
    ] {
        let shown = run(&packed, args).expect(2);
        assert!(shown.stdout.is_empty() && !shown.stderr.is_empty(), "{}", shown.shown());
    }
}
