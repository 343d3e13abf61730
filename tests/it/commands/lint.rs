//! `uncask lint`: the assets of a project by rules.

use super::run::corpus_with;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A project of real assets: a blueprint with what it refers to in part, and a texture of 32 pixels.
fn project() -> Option<tempfile::TempDir> {
    let corpus = corpus_with("uncooked-projects/history")?;
    let folder = tempfile::tempdir().unwrap();
    let put = |from: PathBuf, to: &str| {
        let to = folder.path().join("My/Content").join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, std::fs::read(from).unwrap()).unwrap();
    };
    let history = |name: &str| {
        let folder = corpus.join("uncooked-projects/history").join(name);
        let mut found: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.sort();
        found.remove(0)
    };
    put(history("BP_PawnTank"), "Blueprints/Pawns/BP_PawnTank.uasset");
    put(history("BP_Projectile"), "Blueprints/Actors/Shot.uasset");
    let texture = "mods/drg/editor/Content/_AssemblyStorm/SandboxUtilities/SU_Border.uasset";
    put(corpus.join(texture), "UI/T_Border.uasset");
    Some(folder)
}

fn lint(folder: &Path, rules: Option<&str>, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    command.arg("lint").arg(folder.join("My")).args(more).env("NO_COLOR", "1");
    if let Some(rules) = rules {
        std::fs::write(folder.join("lint.toml"), rules).unwrap();
        command.arg("--rules").arg(folder.join("lint.toml"));
    }
    command.output().unwrap()
}

fn lines(ran: &Output) -> Vec<String> {
    String::from_utf8_lossy(&ran.stdout).lines().map(|line| line.replace('\\', "/")).collect()
}

#[test]
fn references_that_lead_nowhere_are_found() {
    let Some(folder) = project() else { return };
    let ran = lint(folder.path(), None, &[]);
    let found = lines(&ran);
    assert_eq!(ran.status.code(), Some(1), "{found:?}");
    let tank =
        "Content/Blueprints/Pawns/BP_PawnTank.uasset: missing reference: /Game/Assets/Meshes/SM_TankBase";
    assert!(found.iter().any(|line| line == tank), "{found:?}");
    // The engine's own, and the blueprint itself.
    assert!(!found.iter().any(|line| line.contains("/Engine/") || line.contains("/Script/")), "{found:?}");
    assert!(!found.iter().any(|line| line.ends_with("/BP_PawnTank")), "{found:?}");
    // Once it is there, under any name of letters, it is no longer missing.
    let meshes = folder.path().join("My/Content/Assets/Meshes");
    std::fs::create_dir_all(&meshes).unwrap();
    let texture = folder.path().join("My/Content/UI/T_Border.uasset");
    std::fs::copy(texture, meshes.join("sm_tankbase.uasset")).unwrap();
    assert!(!lines(&lint(folder.path(), None, &[])).iter().any(|line| line == tank));
}

#[test]
fn names_textures_and_sizes_are_checked_by_rules() {
    let Some(folder) = project() else { return };
    let rules = "ignore = [\"/Game/Blueprints/Pawns/**\"]\n\
                 [names]\nBlueprint = [\"BP_*\"]\nTexture2D = \"T_*\"\n\
                 [textures]\nmax-size = 16\npower-of-two = true\n\
                 [[budget]]\npath = \"/Game/ui/**\"\nfile = \"1K\"\ntotal = \"1 GiB\"\n";
    let found = lines(&lint(folder.path(), Some(rules), &["--budget", "2K"]));
    let found: Vec<&str> =
        found.iter().map(String::as_str).filter(|line| !line.contains("missing")).collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found[0], "Content/Blueprints/Actors/Shot.uasset: name: Blueprint, expected BP_*");
    assert_eq!(found[1], "Content/UI/T_Border.uasset: texture size: 32x32, expected at most 16");
    assert!(
        found[2].starts_with("Content/UI/T_Border.uasset: file size: ")
            && found[2].ends_with("at most 1.00 KiB")
    );
    assert!(
        found[3].starts_with("**: size of 2 assets: ") && found[3].ends_with("at most 2.00 KiB"),
        "{found:?}"
    );
    // Nothing to find, and JSON.
    let ran = lint(folder.path(), Some(rules), &["/Game/Blueprints/Pawns/BP_PawnTank", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report, serde_json::json!({ "schema": "uncask.lint/1", "packages": 0, "findings": [] }));
    assert_eq!(ran.status.code(), Some(0));
    let ran = lint(folder.path(), Some(rules), &["/Game/UI/**", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let expected = serde_json::json!({
        "package": "/Game/UI/T_Border", "file": "Content/UI/T_Border.uasset", "rule": "texture-size", "size": [32, 32], "limit": 16
    });
    assert_eq!(report["findings"][0], expected);
}

#[test]
fn rules_that_cannot_be_read_are_wrong_usage() {
    let Some(folder) = project() else { return };
    for (rules, expected) in [
        ("[texture]\nmax-size = 1", "unknown field `texture`"),
        ("[names]\nBlueprint = \"BP_[\"", "wrong pattern \"BP_[\""),
        ("[[budget]]\ntotal = \"much\"", "\"much\" is no size; expected a size such as 65536, 64K or 1.5M"),
    ] {
        let ran = lint(folder.path(), Some(rules), &[]);
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(told.contains("cannot read the rules: ") && told.contains(expected), "{told}");
        assert_eq!(ran.status.code(), Some(2), "{told}");
    }
}
