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
