//! `uncask set` and `uncask from-json`.

use super::run::{Ran, corpus, fixture, uncask};
use std::path::Path;

const PACKAGE: &str = "/Game/Fixtures/Properties/DA_AllProperties";
const TABLE: &str = "/Game/Fixtures/DataTables/DT_AllProperties";

fn usmap(corpus: &Path) -> String {
    let files = std::fs::read_dir(corpus.join("properties/ue5.8/mappings")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path().display().to_string());
    paths.into_iter().find(|path| path.contains("Uncompressed")).unwrap()
}

/// A cook of the fixtures, and what names it to commands.
struct Cook {
    container: String,
    more: Vec<String>,
}

fn cooks(corpus: &Path) -> [Cook; 2] {
    ["tagged", "unversioned"].map(|mode| {
        let [container, global] = fixture(corpus, mode);
        Cook { container, more: vec!["--base".to_owned(), global, "--mappings".to_owned(), usmap(corpus)] }
    })
}

impl Cook {
    fn run(&self, args: &[&str]) -> Ran {
        let more: Vec<&str> = self.more.iter().map(String::as_str).collect();
        uncask(&[args, &more].concat())
    }

    fn set(&self, package: &str, args: &[&str]) -> Ran {
        let target = format!("{}:{package}", self.container);
        self.run(&[&["set", &target], args].concat())
    }

    /// The document of a package in some container, which may have exports that are stored in forms of their own.
    fn json(&self, container: &str, package: &str, form: &str) -> serde_json::Value {
        let around = if container == self.container { Vec::new() } else { vec!["--base", &self.container] };
        let ran = self.run(&[&["json", container, package, "--form", form], &around[..]].concat());
        let is_unread = ran.code == 1 && ran.err.lines().all(|line| line.contains("in a form of its own"));
        if is_unread { ran.json() } else { ran.ok().json() }
    }
}

/// The places where two documents differ.
fn differences(a: &serde_json::Value, b: &serde_json::Value, at: &str, found: &mut Vec<String>) {
    use serde_json::Value;
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys().filter(|key| !one.contains_key(*key))) {
                differences(&a[key], &b[key], &format!("{at}/{key}"), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                differences(one, other, &format!("{at}/{place}"), found);
            }
        }
        _ if a == b => {}
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn a_value_is_set_in_a_mod_a_pak_and_in_files() {
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let before = cook.json(&cook.container, PACKAGE, "fmodel");
        let args = ["DA_AllProperties.Integer", "-7", "DA_AllProperties.Name", "Brand_New_3"];
        for output in ["Sword_P.utoc", "Loose_P.pak", "files"] {
            let output = path(output);
            let ran = cook.set(PACKAGE, &[&args[..], &["-o", &output]].concat()).ok();
            assert!(ran.err.contains("DA_AllProperties.Integer: 305419896 -> -7\n"), "{}", ran.err);
            assert!(ran.err.contains("changed 1 export of 1 package"), "{}", ran.err);
            // Paks and folders know paths, but no names of packages.
            let name = if Path::new(&output).extension().is_some_and(|end| end == "utoc") {
                PACKAGE
            } else {
                "DA_AllProperties.uasset"
            };
            let after = cook.json(&output, name, "fmodel");
            let mut found = Vec::new();
            differences(&before, &after, "", &mut found);
            assert_eq!(found, ["/1/Properties/Integer", "/1/Properties/Name"], "{output}");
            assert_eq!(after.pointer("/1/Properties/Name").unwrap(), "Brand_New_3");
            let again = cook.set(PACKAGE, &[&args[..], &["-o", &output]].concat());
            assert_eq!(again.code, 1, "what exists stays: {}", again.err);
            cook.set(PACKAGE, &[&args[..], &["-o", &output, "--force", "--overwrite"]].concat()).ok();
        }
        assert_eq!(uncask(&["verify", &path("Sword_P.utoc")]).code, 0);
        assert!(folder.path().join("Sword_P.pak").exists());
    }
}

#[test]
fn nothing_but_the_place_changes_in_the_chunk() {
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        cook.set(PACKAGE, &["DA_AllProperties.Integer", "1", "-o", &path("A_P.utoc")]).ok();
        let chunk = |container: &str, name: &str| {
            uncask(&["get", container, PACKAGE, "-o", &path(name)]).ok();
            std::fs::read(path(name)).unwrap()
        };
        let (old, new) = (chunk(&cook.container, "old"), chunk(&path("A_P.utoc"), "new"));
        let differing: Vec<usize> = (0..old.len()).filter(|at| old[*at] != new[*at]).collect();
        assert_eq!(old.len(), new.len());
        // 78 56 34 12 becomes 01 00 00 00.
        assert_eq!(differing.len(), 4);
        assert_eq!(old[differing[0]..differing[0] + 4], 305_419_896_i32.to_le_bytes());
        assert_eq!(new[differing[0]..differing[0] + 4], [1, 0, 0, 0]);
    }
}

#[test]
fn dry_runs_show_what_would_change() {
    let Some(corpus) = corpus() else { return };
    let [cook, _] = cooks(&corpus);
    let ran = cook.set(PACKAGE, &["DA_AllProperties.Enum", "Alpha", "--dry-run", "--json"]).ok();
    let report = ran.json();
    assert_eq!(report["schema"], "uncask.set/1");
    assert_eq!(report["dry_run"], true);
    let change = &report["packages"][0]["changes"][0];
    assert_eq!(change["from"], "\"EFixtureEnum::Beta\"");
    assert_eq!(change["to"], "Alpha");
    assert!(ran.err.ends_with("would change 1 export of 1 package\n"), "{}", ran.err);
}

/// All documents of a cook; what only goes back is no change.
#[test]
fn documents_without_changes_make_no_mod() {
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        // Some exports have forms that are not known: their bytes are in the documents.
        let ran = cook.run(&["json", &cook.container, "--form", "tree", "-o", &path("trees")]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.err.contains("0 failed, values of "), "{}", ran.err);
        let documents: Vec<String> = walkdir::WalkDir::new(path("trees"))
            .into_iter()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .map(|path| path.to_str().unwrap().to_owned())
            .collect();
        assert_eq!(documents.len(), 97);
        let from_json = |output: &str| {
            let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
            let args = [&["from-json"], &documents[..], &["--onto", &cook.container, "-o", output]];
            cook.run(&args.concat())
        };
        let output = path("Same_P.utoc");
        let ran = from_json(&output);
        assert_eq!((ran.code, ran.err.as_str()), (5, "nothing changed\n"));
        assert!(!Path::new(&output).exists());
        // Of all packages, the one that changed.
        let changed = documents.iter().find(|path| path.ends_with("DA_AllProperties.json")).unwrap();
        let mut tree: serde_json::Value = serde_json::from_slice(&std::fs::read(changed).unwrap()).unwrap();
        assert!(set_first_int(&mut tree, 4321));
        std::fs::write(changed, tree.to_string()).unwrap();
        let ran = from_json(&output).ok();
        assert!(ran.err.contains("changed 1 export of 1 package"), "{}", ran.err);
        assert!(ran.err.contains("96 packages are left out: nothing changed"), "{}", ran.err);
        let report = uncask(&["list", &output, "--json", "--type", "package"]).ok().json();
        assert_eq!(report["chunks"].as_array().unwrap().len(), 1, "{report}");
    }
}

/// A mod of packages as they are would only hide what other mods change in them.
#[test]
fn values_that_are_there_already_make_no_mod() {
    let Some(corpus) = corpus() else { return };
    let [cook, _] = cooks(&corpus);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("A_P.utoc").to_str().unwrap().to_owned();
    let args = ["DA_AllProperties.Integer", "305419896", "-o", &out];
    let ran = cook.set(PACKAGE, &args);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.err.ends_with("nothing changed\n"), "{}", ran.err);
    assert!(!Path::new(&out).exists());
    let report = cook.set(PACKAGE, &[&args[..], &["--json"]].concat()).json();
    assert_eq!(report["packages"], serde_json::json!([]));
    assert_eq!(report["unchanged"].as_array().unwrap().len(), 1, "{report}");
}

/// Entries of a skeletal mesh's payload: its layout depends on `bHasVertexColors`, so they go where that is wrong.
const PAYLOAD: [&str; 4] = ["ImportedBounds", "LODModels", "Materials", "Problem"];

/// Every bool of every package of the cook with tags gets its opposite, and nothing else changes.
#[test]
fn bools_are_set_to_their_opposites_in_packages_with_tags() {
    let Some(corpus) = corpus() else { return };
    let [cook, _] = cooks(&corpus);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Three exports of other packages have forms of their own.
    let ran = cook.run(&["json", &cook.container, "--form", "fmodel", "-o", &path("before")]);
    assert!(ran.err.contains("97 of 97 packages"), "{}", ran.err);
    let (mut packages, mut bools) = (0, 0);
    for entry in walkdir::WalkDir::new(path("before")) {
        let entry = entry.unwrap();
        if entry.path().extension().is_none_or(|end| end != "json") {
            continue;
        }
        let before: serde_json::Value =
            serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
        let mut values = Vec::new();
        for (at, export) in before.as_array().unwrap().iter().enumerate() {
            for (name, value) in export["Properties"].as_object().into_iter().flatten() {
                if let Some(value) = value.as_bool() {
                    values.push((format!("/{at}/Properties/{name}"), format!("#{at}.{name}"), !value));
                }
            }
        }
        if values.is_empty() {
            continue;
        }
        let name = entry.path().strip_prefix(path("before")).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/").replace("CUE4ParseFixtures/Content/", "/Game/");
        let output = path(&format!("{packages}_P.utoc"));
        let mut args = vec!["-o".to_owned(), output.clone()];
        for (_, address, value) in &values {
            args.extend([address.clone(), value.to_string()]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        cook.set(&name, &args).ok();
        let after = cook.json(&output, &name, "fmodel");
        let mut found = Vec::new();
        differences(&before, &after, "", &mut found);
        let mut expected: Vec<&str> = values.iter().map(|(place, ..)| place.as_str()).collect();
        // A changed flag may say how the payload is to be read, whose entries lie beside the properties.
        found.retain(|place| !PAYLOAD.iter().any(|key| place.split('/').nth(2) == Some(key)));
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{name}");
        for (place, _, value) in &values {
            assert_eq!(after.pointer(place).unwrap(), *value, "{name} {place}");
        }
        packages += 1;
        bools += values.len();
    }
    assert!(packages >= 10 && bools >= 50, "{packages} {bools}");
}

#[test]
fn a_changed_document_changes_the_package() {
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let document = cook.run(&["json", &cook.container, TABLE, "--form", "tree"]).ok().out;
        let before = cook.json(&cook.container, TABLE, "fmodel");
        let mut tree: serde_json::Value = serde_json::from_str(&document).unwrap();
        let changed = change_first_string(&mut tree).expect("a string");
        std::fs::write(path("table.json"), tree.to_string()).unwrap();
        let args = ["from-json", &path("table.json"), "--onto", &cook.container, "-o", &path("T_P.utoc")];
        cook.run(&args).ok();
        let after = cook.json(&path("T_P.utoc"), TABLE, "fmodel");
        let mut found = Vec::new();
        differences(&before, &after, "", &mut found);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(after.pointer(&found[0]).unwrap(), &changed, "{found:?}");
    }
}

/// Cooked packages in a folder: names of packages stand for files, wherever the folder is.
#[test]
fn documents_of_loose_packages_find_them_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
    uncask(&["to-legacy", demo, "-o", &path("cooked")]).ok();
    let cooked = path("cooked");
    uncask(&["json", &cooked, "--form", "tree", "-o", &path("trees")]).ok();
    let names = ["Textures/T_Rock", "Data/DA_Doors", "Maps/Start"];
    let mut documents = Vec::new();
    for name in names {
        let file = path(&format!("trees/Demo/Content/{name}.json"));
        let mut tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert!(set_first_int(&mut tree, 4321), "{name}");
        std::fs::write(&file, tree.to_string()).unwrap();
        documents.push(file);
    }
    let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
    let run = |onto: &str, out: &str| {
        let args = [&["from-json"], &documents[..], &["--onto", onto, "--engine", "5.5", "-o", out]].concat();
        let ran = uncask(&args).ok();
        assert!(ran.err.contains("changed 3 exports of 3 packages"), "{}", ran.err);
    };
    let found = |input: &str| -> Vec<String> {
        let ran = uncask(&["find", input, "--value", "4321"]).ok();
        ran.out.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    run(&cooked, &path("Both_P.utoc"));
    uncask(&["verify", &path("Both_P.utoc")]).ok();
    let ids = uncask(&["list", &path("Both_P.utoc"), "--type", "package", "--json"]).ok().json();
    assert_eq!(ids["chunks"].as_array().unwrap().len(), 3, "{ids}");
    assert_eq!(found(&path("Both_P.utoc")).len(), 3);
    // A folder in the game is named as the game is.
    run(&path("cooked/Demo/Content"), &path("again"));
    let mut changed = found(&path("again"));
    changed.sort();
    assert_eq!(changed, ["/Game/Data/DA_Doors", "/Game/Maps/Start", "/Game/Textures/T_Rock"]);
    let target = format!("{cooked}:/Game/Maps/Start");
    let set = uncask(&["set", &target, "Start.Count", "9", "--dry-run"]).ok();
    assert_eq!(set.out, "Start.Count: 1 -> 9\n");
    let twice = uncask(&["from-json", documents[0], documents[0], "--onto", &cooked, "-o", &path("no")]);
    assert_eq!(
        (twice.code, twice.err.as_str()),
        (2, "error: two documents are of /Game/Textures/T_Rock, expected one\n")
    );
    // A file is the target whatever the document is of, but nobody should mix them up unseen.
    let map = format!("{cooked}/Demo/Content/Maps/Start.umap");
    let of_another = uncask(&["from-json", documents[0], "--onto", &map, "--dry-run"]);
    let warning = "warning: the document is of /Game/Textures/T_Rock, the file of /Game/Maps/Start: ";
    assert!(of_another.err.contains(warning) && of_another.err.contains("Start.umap"), "{}", of_another.err);
    let texture = format!("{cooked}/Demo/Content/Textures/T_Rock.uasset");
    let right = uncask(&["from-json", documents[0], "--onto", &texture, "--dry-run"]);
    assert!(!right.err.contains("the document is of"), "{}", right.err);
    // Of two values of one key, the first would be lost.
    let text = std::fs::read_to_string(documents[0]).unwrap();
    std::fs::write(path("twice.json"), text.replacen('{', "{\"package\": \"/Game/X\",", 1)).unwrap();
    let twice = uncask(&["from-json", &path("twice.json"), "--onto", &cooked, "--dry-run"]);
    assert!(twice.code == 2 && twice.err.contains("an object has \"package\" twice"), "{}", twice.err);
}

/// A document shows what it changes, says which build it is of, and survives only as it was written.
#[test]
fn a_document_shows_its_changes_and_knows_its_build() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
    std::fs::create_dir(path("documents")).unwrap();
    let document = path("documents/Start.json");
    uncask(&["json", demo, "/Game/Maps/Start", "--form", "tree", "-o", &document]).ok();
    uncask(&["to-legacy", demo, "-o", &path("cooked")]).ok();
    let of_file = uncask(&["json", &path("cooked"), "/Game/Maps/Start", "--form", "tree"]).ok().json();
    let mut tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&document).unwrap()).unwrap();
    assert_eq!(tree["build"], of_file["build"], "a container and a file have the same content");

    assert!(set_first_int(&mut tree, 4321));
    std::fs::write(&document, tree.to_string()).unwrap();
    let onto = |onto: &str, more: &[&str]| {
        uncask(&[&["from-json", &path("documents"), "--onto", onto], more].concat())
    };
    let ran = onto(demo, &["--dry-run"]).ok();
    assert_eq!(ran.out, "Start.Count: 1 -> 4321\n");
    assert!(!ran.err.contains("another build"), "{}", ran.err);
    // The next build has changed something else, which the document would take back.
    uncask(&[
        "set",
        &format!("{demo}:/Game/Maps/Start"),
        "PersistentLevel.Count",
        "8",
        "-o",
        &path("next_P.utoc"),
    ])
    .ok();
    let ran = onto(&path("next_P.utoc"), &["--dry-run"]).ok();
    assert_eq!(ran.out, "Start.Count: 1 -> 4321\nStart:PersistentLevel.Count: 8 -> 2\n");
    assert!(ran.err.contains("warning: 1 document is of another build: "), "{}", ran.err);

    // "Ω" in UTF-8, as a shell shows it that takes it for code page 437.
    let spoiled = tree.to_string().replace('Ω', "╬⌐");
    std::fs::write(&document, spoiled).unwrap();
    let ran = onto(demo, &["--dry-run"]);
    assert!(ran.code == 1 && ran.err.contains("the document went through another code page"), "{}", ran.err);
    let none = uncask(&["from-json", &path("cooked/Demo/Content/Maps"), "--onto", demo, "--dry-run"]);
    assert!(none.code == 2 && none.err.contains("folder has no .json files"), "{}", none.err);
}

/// Gives the first `int32` of a document another value.
fn set_first_int(json: &mut serde_json::Value, to: i32) -> bool {
    match json {
        serde_json::Value::Object(members) => match members.get_mut("Int") {
            Some(number) => {
                *number = to.into();
                true
            }
            None => members.values_mut().any(|member| set_first_int(member, to)),
        },
        serde_json::Value::Array(items) => items.iter_mut().any(|item| set_first_int(item, to)),
        _ => false,
    }
}

/// T_BC5 records what T_BC1 leaves out: the cooker is the witness of how.
#[test]
fn properties_that_were_left_out_are_added_as_the_cooker_writes_them() {
    let Some(corpus) = corpus() else { return };
    let [tagged, unversioned] = cooks(&corpus);
    let name = |texture: &str| format!("/Game/Fixtures/Textures/{texture}");
    let values = ["T_BC1.CompressionSettings", "TC_Normalmap", "T_BC1.SRGB", "false"];
    for cook in [&tagged, &unversioned] {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("T_P.utoc").to_str().unwrap().to_owned();
        let wanted = cook.json(&cook.container, &name("T_BC5"), "tree");
        let ran = cook.set(&name("T_BC1"), &[&values[..], &["-o", &output]].concat()).ok();
        assert!(ran.err.contains("the default of its class -> TC_Normalmap"), "{}", ran.err);
        let found = cook.json(&output, &name("T_BC1"), "tree");
        let lists = [&wanted, &found].map(|json| {
            let list = json["exports"].as_array().unwrap();
            list.iter().map(|export| export["properties"].clone()).next().unwrap()
        });
        let key = if lists[0].get("tagged").is_some() { "tagged" } else { "unversioned" };
        let [wanted, found] = lists.map(|list| list[key].as_array().unwrap().clone());
        let names = |list: &[serde_json::Value]| -> Vec<String> {
            list.iter().map(|property| property["name"].to_string()).collect()
        };
        assert_eq!(names(&found), names(&wanted), "the order");
        for property in ["CompressionSettings", "SRGB"] {
            let of =
                |list: &[serde_json::Value]| list.iter().find(|found| found["name"] == property).cloned();
            assert_eq!(of(&found), of(&wanted), "{property}");
        }
    }
    // Without mappings nothing says what a texture has.
    let target = format!("{}:{}", tagged.container, name("T_BC1"));
    let ran = uncask(&["set", &target, "T_BC1.SRGB", "false", "--dry-run", "--base", &tagged.more[1]]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.shown(&corpus));
}

/// Makes the first string of a document longer, and returns what it is then.
fn change_first_string(json: &mut serde_json::Value) -> Option<serde_json::Value> {
    match json {
        serde_json::Value::Object(members) => {
            if let Some(serde_json::Value::String(text)) = members.get_mut("Str") {
                text.push_str(", and more");
                return Some(text.clone().into());
            }
            members.values_mut().find_map(change_first_string)
        }
        serde_json::Value::Array(items) => items.iter_mut().find_map(change_first_string),
        _ => None,
    }
}

#[test]
fn what_cannot_be_done_is_told() {
    let Some(corpus) = corpus() else { return };
    let [cook, unversioned] = cooks(&corpus);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("A_P.utoc").to_str().unwrap().to_owned();
    let shown = |ran: Ran| ran.shown(&corpus).lines().map(str::to_owned).collect::<Vec<_>>().join("\n");
    let target = format!("{}:{PACKAGE}", unversioned.container);
    let no_mappings = uncask(&["set", &target, "DA_AllProperties.Byte", "1", "-o", &out]);
    let all = [
        shown(cook.set(PACKAGE, &["DA_AllProperties.Byte", "-o", &out])),
        shown(cook.set(PACKAGE, &["DA_AllProperties.Byte", "1"])),
        shown(cook.set(PACKAGE, &["DA_AllProperties.Bite", "1", "-o", &out])),
        shown(cook.set(PACKAGE, &["DA_AllProperties.Enum", "Alhpa", "-o", &out])),
        shown(cook.set(PACKAGE, &["DA_AllPropertise.Byte", "1", "-o", &out])),
        shown(cook.set("/Game/Nothing", &["A.B", "1", "-o", &out])),
        shown(cook.set("/Game/Fixtures/Textures", &["A.B", "1", "-o", &out])),
        shown(cook.set(PACKAGE, &["DA_AllProperties.Byte", "1", "-o", "x.uasset"])),
        shown(no_mappings),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
    assert!(!Path::new(&out).exists());
}

/// Textures where classes are, and where nothing says what may be there.
#[test]
fn objects_that_do_not_fit_are_refused_or_noted() {
    const TEXTURE: &str = "/Game/Fixtures/Textures/T_BC7.T_BC7";
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let refused = cook.set(PACKAGE, &["DA_AllProperties.ClassReference", TEXTURE, "--dry-run"]);
        assert_eq!(refused.code, 1, "{}", refused.err);
        assert!(refused.err.contains("expected a class, as is there already"), "{}", refused.err);
        let args = ["DA_AllProperties.InterfaceReference", TEXTURE, "--dry-run"];
        let noted = cook.set(PACKAGE, &args).ok();
        let reason = "whether it takes Texture2D: which classes it takes is not known";
        let note = format!("not checked: DA_AllProperties.InterfaceReference: {reason}");
        assert!(noted.err.contains(&note), "{}", noted.err);
        let report = cook.set(PACKAGE, &[&args[..], &["--json"]].concat()).ok().json();
        let unchecked = &report["packages"][0]["unchecked"];
        let expected =
            serde_json::json!([{ "address": "DA_AllProperties.InterfaceReference", "reason": reason }]);
        assert_eq!(*unchecked, expected);
    }
}

/// Zeros of packages without tags: after another value and back, the chunk is the cooker's again.
#[test]
fn a_value_that_was_zero_is_the_cookers_bytes_again() {
    let Some(corpus) = corpus() else { return };
    let [_, cook] = cooks(&corpus);
    for (name, zero) in [
        ("/Game/Fixtures/PoseSearch/PSD_Fixture", "#0.PoseSearchMode"),
        ("/Game/Fixtures/Geometry/GC_Fixture", "#0.RootIndex"),
        ("/Game/Fixtures/Audio/SW_Format_BinkAudio", "#0.SoundAssetCompressionType"),
        ("/Game/Fixtures/WorldPartition/DLA_Runtime", "#0.DataLayerType"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        cook.set(name, &[zero, "1", "-o", &path("One_P.utoc")]).ok();
        let again = format!("{}:{name}", path("One_P.utoc"));
        let args = ["set", &again, zero, "0", "-o", &path("Zero_1_P.utoc"), "--base", &cook.container];
        cook.run(&args).ok();
        let chunk = |container: &str, file: &str| {
            uncask(&["get", container, name, "-o", &path(file)]).ok();
            std::fs::read(path(file)).unwrap()
        };
        let old = chunk(&cook.container, "old");
        assert!(chunk(&path("One_P.utoc"), "one") != old, "{name}");
        assert!(chunk(&path("Zero_1_P.utoc"), "zero") == old, "{name}");
    }
}

/// An address leads through references to objects of the same package, and to templates of components.
#[test]
fn addresses_lead_through_references() {
    let Some(corpus) = corpus() else { return };
    for cook in cooks(&corpus) {
        let set = |values: &[&str]| {
            cook.set("/Game/Fixtures/Blueprints/BP_Components", &[values, &["--dry-run", "--json"]].concat())
        };
        let values = [
            ("Default__BP_Components_C.FixtureMesh.RelativeLocation.X", "5"),
            (
                "Default__BP_Components_C.FixtureMesh",
                r#"{"StaticMesh": "None", "RelativeScale3D": {"Z": 2}}"#,
            ),
            ("SCS_Node_2.ComponentTemplate.RelativeRotation.Yaw", "3"),
        ];
        let ran = set(&values.iter().flat_map(|(address, value)| [*address, value]).collect::<Vec<_>>()).ok();
        let changes = ran.json()["packages"][0]["changes"].clone();
        let found: Vec<&str> =
            changes.as_array().unwrap().iter().map(|change| change["address"].as_str().unwrap()).collect();
        let mesh = |part: &str| format!("FixtureMesh_GEN_VARIABLE.{part}");
        let parts = ["RelativeLocation.X", "RelativeScale3D", "StaticMesh", "RelativeRotation.Yaw"];
        assert_eq!(found, parts.map(mesh));
        // The reference itself can still be told by its parts, and an unknown name is none.
        let reference = "Class'SceneComponent'";
        set(&["SCS_Node_2.ComponentClass.ObjectName", reference]).ok();
        let ran = set(&["Default__BP_Components_C.NoMesh.RelativeLocation.X", "5"]);
        assert!(ran.code == 1 && ran.err.contains("NoMesh"), "{}", ran.err);
    }
}
