//! Packages by patterns of names, and by `INPUT:PACKAGE`.

use super::run::{Ran, corpus, fixture, uncask};

const DEMO: &str = "testdata/demo";

fn lines(ran: &Ran) -> Vec<&str> {
    ran.out.lines().collect()
}

#[test]
fn globs_match_names_of_packages_and_of_files() {
    let all = uncask(&["list", DEMO, "/Game/Maps"]).ok();
    assert!(all.out.contains("Demo/Content/Maps/Start.umap"), "{}", all.out);
    for pattern in ["/Game/Maps/*", "Game/Maps/*", "/game/maps/s*", "{/Game/Maps,/Engine/Maps}/*"] {
        let ran = uncask(&["list", DEMO, pattern]).ok();
        assert!(ran.out.contains("Demo/Content/Maps/Start.umap"), "{pattern}: {}", ran.out);
        assert!(lines(&ran).iter().all(|path| lines(&all).contains(path)), "{pattern}: {}", ran.out);
    }
    let rock = "Demo/Content/Textures/T_Rock.uasset";
    for pattern in ["T_*", "T_R?ck", "t_rock.u*", "/Game/*/T_*"] {
        let ran = uncask(&["list", DEMO, pattern]).ok();
        assert!(lines(&ran).contains(&rock), "{pattern}: {}", ran.out);
        assert!(lines(&ran).iter().all(|path| path.contains("/T_")), "{pattern}: {}", ran.out);
    }
    assert_eq!(uncask(&["list", DEMO, "/Engine/Maps/*"]).code, 5);
    assert_eq!(uncask(&["list", DEMO, "Rock*"]).code, 5);
}

/// However shells of Windows pass the name of a package on.
#[test]
fn names_of_packages_survive_shells() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Start.umap").to_str().unwrap().to_owned();
    for name in
        ["/Game/Maps/Start", "Game/Maps/Start", "//Game/Maps/Start", r"\Game\Maps\Start", "game/maps/start"]
    {
        assert_eq!(uncask(&["list", DEMO, name]).ok().out, "Demo/Content/Maps/Start.umap\n", "{name}");
        let values = uncask(&["json", DEMO, name]).ok().json();
        assert_eq!(values[0]["Name"], "Start", "{name}");
        let target = format!("{DEMO}:{name}");
        for args in [
            &["set", &target, "Start.Count", "9", "--dry-run"][..],
            &["get", &target, "-o", &out],
            &["deps", DEMO, name],
        ] {
            uncask(args).ok();
        }
    }
    let lost = uncask(&["list", DEMO, "C:/Program Files/Git/Game/Maps/Start"]);
    assert!(lost.code == 5 && lost.err.contains("Git Bash"), "{}", lost.err);
    let target = format!("{DEMO}:/Game/Maps/Start");
    let bare = uncask(&["set", &target, "Start.Count", "{Damage: 7}", "--dry-run"]);
    assert!(bare.code == 1 && bare.err.contains("hint: PowerShell"), "{}", bare.err);
    let split = uncask(&["set", &target, "Start.Count", "'{\"Damage\":", "7}'", "--dry-run"]);
    assert!(split.code == 2 && split.err.contains("cmd.exe does not remove single quotes"), "{}", split.err);
}

/// Errors are in words for people, not for those who write parsers.
#[test]
fn errors_are_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("bad.json"), "{\"schema\": nope}").unwrap();
    for (args, said) in [
        (&["list", DEMO, "-j", "x"][..], "invalid value 'x' for '--threads <N>': expected a whole number\n"),
        (
            &["json", DEMO, "/Game/Maps/Start", "--mappings", "README.md"],
            "error: not a mappings file (.usmap or .jmap): README.md\n",
        ),
        (
            &["from-json", &path("bad.json"), "--onto", DEMO, "--dry-run"],
            "found a word that is no value at line 1",
        ),
    ] {
        let ran = uncask(args);
        assert!(ran.code == 2 && ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    let unknown = uncask(&["list", DEMO, "--no-such-flag"]);
    assert!(unknown.code == 2 && !unknown.err.contains("as a value"), "{}", unknown.err);
}

#[test]
fn a_folder_of_packages_is_an_address() {
    let Some(corpus) = corpus() else { return };
    let [content, global] = fixture(&corpus, "tagged");
    let base = ["--base", &*global];
    let folder = format!("{content}:/Game/Fixtures/Properties");
    let out = tempfile::tempdir().unwrap();
    let [values, files] = ["values", "files"].map(|name| out.path().join(name).to_str().unwrap().to_owned());
    let count = |folder: &str| {
        walkdir::WalkDir::new(folder)
            .into_iter()
            .filter(|entry| entry.as_ref().unwrap().path().is_file())
            .count()
    };
    let listed = uncask(&["list", &content, "/Game/Fixtures/Properties", "--type", "package"]).ok();
    let packages = lines(&listed).len();
    assert!(packages > 1, "{}", listed.out);
    uncask(&[&["json", &*folder, "-o", &values], &base[..]].concat()).ok();
    assert_eq!(count(&values), packages);
    let textures = format!("{content}:/Game/Fixtures/Textures/*");
    uncask(&[&["export", &*textures, "-o", &files], &base[..]].concat()).ok();
    assert!(count(&files) > 1);

    let shown = uncask(&[&["inspect", &*folder], &base[..]].concat()).ok();
    let found = uncask(&[&["inspect", &*folder, "--json"], &base[..]].concat()).ok().json();
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), packages);
    for one in found {
        assert_eq!(one["schema"], "uncask.inspect/1");
        assert!(shown.out.contains(one["path"].as_str().unwrap()), "{}", shown.out);
    }
    let documents = uncask(&[&["inspect", "-p", &*folder, "--json"], &base[..]].concat()).ok().json();
    assert_eq!(documents.as_array().unwrap().len(), packages);

    let set = uncask(&[&["set", &*folder, "X.Y", "1", "--dry-run"], &base[..]].concat());
    assert_eq!(set.code, 2);
    assert!(set.err.contains(&format!("{packages} packages match, expected one: ")), "{}", set.err);
    let several = uncask(&[&["json", &*folder], &base[..]].concat());
    assert_eq!(several.code, 2, "several documents do not go to stdout");
}

/// A package may stand after a colon, or by itself.
#[test]
fn both_ways_to_name_a_package_work_everywhere() {
    let (input, package) = (DEMO, "/Game/Textures/T_Rock");
    let joined = format!("{input}:{package}");
    for command in ["get", "inspect", "json", "deps"] {
        let [apart, together] =
            [vec![command, input, package], vec![command, &joined]].map(|args| uncask_bytes(&args));
        assert_eq!(apart.0, 0, "{command}: {}", String::from_utf8_lossy(&apart.2));
        assert_eq!(apart, together, "{command}");
    }
    let values = ["T_Rock.LODBias", "1", "--dry-run"];
    let [apart, together] = [vec!["set", input, package], vec!["set", &joined]]
        .map(|args| uncask_bytes(&[&args[..], &values[..]].concat()));
    assert_eq!(apart, together);
    assert!(!String::from_utf8_lossy(&apart.2).contains("has no value after it"));
    let picture = ["nowhere.png", "--dry-run"];
    let [apart, together] = [vec!["replace", input, package], vec!["replace", &joined]]
        .map(|args| uncask_bytes(&[&args[..], &picture[..]].concat()));
    assert_eq!(apart, together);
    assert!(String::from_utf8_lossy(&apart.2).contains("nowhere.png"));
    for command in ["get", "deps"] {
        let ran = uncask(&[command, input]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("or INPUT:"), "{}", ran.err);
    }
}

/// Exit code, output and messages, whatever bytes they are.
fn uncask_bytes(args: &[&str]) -> (i32, Vec<u8>, Vec<u8>) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_uncask"))
        .args(args)
        .env_remove("UNCASK_AES_KEY")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (output.status.code().unwrap(), output.stdout, output.stderr)
}
