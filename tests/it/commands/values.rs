//! `uncask find`, `inspect -p`, `diff --properties`, and what `json` makes of damage.

use super::run::{Ran, corpus, corpus_with, fixture, uncask};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "/Game/Fixtures/Properties/DA_AllProperties";

fn find(args: &[&str]) -> Ran {
    uncask(&[&["find"], args].concat())
}

fn usmap(corpus: &Path) -> String {
    let files = std::fs::read_dir(corpus.join("properties/ue5.8/mappings")).unwrap();
    let mut paths = files.map(|entry| entry.unwrap().path().display().to_string());
    paths.find(|path| path.contains("Zstandard")).unwrap()
}

/// A copy of one package of the corpus, with its data changed.
fn copy(folder: &Path, from: &Path, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let header = folder.join(from.file_name().unwrap());
    std::fs::write(&header, std::fs::read(from).unwrap()).unwrap();
    let mut data = std::fs::read(from.with_extension("uexp")).unwrap();
    change(&mut data);
    std::fs::write(header.with_extension("uexp"), data).unwrap();
    header
}

fn position(data: &[u8], part: &[u8]) -> usize {
    data.windows(part.len()).position(|window| window == part).unwrap()
}

#[test]
fn values_are_found_in_every_form_of_package() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let line = format!("{PACKAGE}  DA_AllProperties.Integer = 305419896\n");
    let wanted = ["--property", "integer", "--value", "305419896"];
    let mappings = usmap(&corpus);
    for cook in ["tagged", "unversioned"] {
        let [content, global] = fixture(&corpus, cook);
        let ran =
            find(&[&[&*content, "--base", &global, "--mappings", &mappings], &wanted[..]].concat()).ok();
        assert_eq!(ran.out, line, "{cook}: {}", ran.err);
        assert!(ran.err.contains("found 1 value in 1 package of 97"), "{}", ran.err);
    }
    let loose = corpus.join("properties/ue5.8/tagged");
    assert_eq!(find(&[&[loose.to_str().unwrap()], &wanted[..]].concat()).ok().out, line);
    let paks = corpus.join("pak/ue5.8/legacy/Tagged");
    let ran = find(&[&[paks.to_str().unwrap()], &wanted[..]].concat());
    assert!(ran.out.contains("DA_AllProperties.Integer = 305419896"), "{} {}", ran.out, ran.err);
    let editor = corpus.join("properties/games/Editor57");
    let ran = find(&[editor.to_str().unwrap(), "--property", "PinCategory", "--value", "exec"]);
    assert!(ran.code == 0 || ran.code == 5, "{}", ran.err);
}

#[test]
fn texts_names_and_places_inside_of_values_are_found() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let loose = corpus.join("properties/ue5.8/tagged/Fixtures");
    let loose = loose.to_str().unwrap();
    let ran = find(&[loose, "--property", "IntegerMap", "--value", "42", "*/DA_AllProperties.uasset"]).ok();
    assert!(ran.out.ends_with("DA_AllProperties.IntegerMap[Answer] = 42\n"), "{}", ran.out);
    let ran = find(&[loose, "--property", "FixedIntegerArray", "*/DA_AllProperties.uasset"]).ok();
    assert!(ran.out.contains("DA_AllProperties.FixedIntegerArray[2] = 2147483647\n"), "{}", ran.out);
    let ran = find(&[loose, "--value", "t_bc6h", "--property", "Soft*", "*/DA_AllProperties.uasset"]).ok();
    assert!(ran.out.contains("SoftTextureReference = /Game/Fixtures/Textures/T_BC6H.T_BC6H"), "{}", ran.out);
    let ran = find(&[loose, "--property-regex", "^Scalar.*Struct$", "--json"]);
    // Three exports of other packages cannot be read: there might be more.
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("RigVM is stored in a form of its own"), "{}", ran.err);
    let hits = &ran.json()["hits"];
    assert_eq!(hits[0]["property"], "ScalarInstancedStruct");
    assert!(hits[0]["value"].as_str().unwrap().contains("BaseMarker=1001"), "{hits}");
    assert_eq!(ran.json()["schema"], "uncask.find/1");
    // A property that has another value, a name that no package has, and a number inside of a longer one.
    for args in [["--property", "Integer", "--value", "1"], ["--property", "NoSuchName", "--value", "1"]] {
        let ran = find(&[&[loose], &args[..]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (5, ""), "{}", ran.err);
    }
    let ran = find(&[loose, "--property", "Integer", "--value", "30541989", "--json"]);
    assert_eq!((ran.code, ran.json()["values"].as_u64()), (5, Some(0)));
    let ran = find(&[loose, "--value-regex", "("]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(find(&[loose]).code, 2, "nothing to search for");
}

#[test]
fn inspect_shows_the_properties_of_a_package() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let [content, global] = fixture(&corpus, "unversioned");
    let mappings = usmap(&corpus);
    let chunk = format!("{content}:{PACKAGE}");
    let zen = uncask(&["inspect", "-p", &chunk, "--base", &global, "--mappings", &mappings]).ok();
    let file = corpus.join("properties/ue5.8/tagged/Fixtures/Properties/DA_AllProperties.uasset");
    let loose = uncask(&["inspect", "-p", file.to_str().unwrap()]).ok();
    for ran in [&zen, &loose] {
        for line in [
            "DA_AllProperties (/Script/CUE4ParseFixtures.ParserFixtureData)\n",
            "\n  Integer: 305419896\n",
            "\n  FixedIntegerArray[2]: 2147483647\n",
            "\n  Guid: DEADBEEF-01234567-89ABCDEF-13579BDF\n",
        ] {
            assert!(ran.out.contains(line), "{line:?} is missing: {}", ran.out);
        }
    }
    let without = uncask(&["inspect", "-p", &chunk, "--base", &global]);
    assert_eq!(without.code, 1);
    assert!(without.err.contains("--mappings"), "{}", without.err);
    let json = uncask(&["inspect", "-p", file.to_str().unwrap(), "--json"]).ok().json();
    assert!(json.as_array().unwrap().iter().any(|export| export["Properties"]["Integer"] == 305_419_896));
    let other = corpus.join("properties/ue5.8/expected/tagged.tsv");
    assert_eq!(uncask(&["inspect", "-p", other.to_str().unwrap()]).code, 1);
}

#[test]
fn a_changed_value_is_the_only_difference() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = corpus.join("properties/ue5.8/tagged/Fixtures/Properties/DA_AllProperties.uasset");
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name).join("Game/Content"));
    copy(&old, &original, |_| {});
    copy(&new, &original, |data| {
        let at = position(data, &[0x78, 0x56, 0x34, 0x12]);
        data[at] += 1;
    });
    let [old, new] = [&old, &new].map(|path| path.to_str().unwrap().to_owned());
    let ran = uncask(&["diff", "--properties", &old, &new]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out, "~ /Game/DA_AllProperties\n    ~ DA_AllProperties.Integer: 305419896 → 305419897\n");
    assert!(ran.err.contains("1 changed, with 1 changed value"), "{}", ran.err);
    let json = uncask(&["diff", "--properties", &old, &new, "--json"]).json();
    let value = &json["packages"][0]["values"][0];
    assert_eq!((&value["from"], &value["to"]), (&305_419_896.into(), &305_419_897.into()), "{json}");
    let same = uncask(&["diff", "--properties", &old, &old]).ok();
    assert_eq!(same.out, "");
    std::fs::remove_file(Path::new(&new).join("DA_AllProperties.uasset")).unwrap();
    let other = corpus.join("properties/ue5.8/tagged/Fixtures/Textures/T_BC1.uasset");
    copy(&Path::new(&new).join("More"), &other, |_| {});
    let moved = uncask(&["diff", "--properties", &old, &new]);
    assert_eq!(moved.out, "- /Game/DA_AllProperties\n+ /Game/More/T_BC1\n");
}

/// Builds lie anywhere: what counts is where packages are below the inputs, and then what they say they are called.
#[test]
fn packages_of_two_folders_are_paired_by_path_and_by_name() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = corpus.join("properties/ue5.8/tagged/Fixtures/Properties/DA_AllProperties.uasset");
    let put = |place: &str, add: u8| {
        let change = |data: &mut Vec<u8>| {
            let at = position(data, &[0x78, 0x56, 0x34, 0x12]);
            data[at] += add;
        };
        copy(&folder.path().join(place), &original, change).display().to_string()
    };
    let old_file = put("old/Content", 0);
    let new_file = put("new/Content", 1);
    put("flat", 1);
    put("twice/A/Content", 0);
    put("twice/B/Content", 0);
    put("twice2/A/Content", 0);
    put("twice2/B/Content", 1);
    let of = |place: &str| folder.path().join(place).display().to_string();
    let line = "    ~ DA_AllProperties.Integer: 305419896 → 305419897\n";
    for (old, new, packages) in [
        // The same path; a file and a file; no path in common, but one name; two packages of one name.
        (of("old"), of("new"), 1),
        (old_file, new_file, 1),
        (of("old"), of("flat"), 1),
        (of("twice"), of("twice2"), 1),
    ] {
        let ran = uncask(&["diff", "--properties", &old, &new]);
        let lines = ran.out.lines().filter(|line| !line.starts_with(' ')).count();
        assert_eq!(lines, packages, "{old} {new}: {}{}", ran.out, ran.err);
        assert!(ran.out.starts_with("~ /Game/DA_AllProperties\n"), "{}", ran.out);
        assert!(ran.out.contains(line), "{}", ran.out);
    }
}

/// Paks have no ids of packages: a name stands for the file at its place.
#[test]
fn packages_in_paks_are_named_as_in_containers() {
    let Some(corpus) = corpus() else { return };
    let pak =
        corpus.join("pak/ue5.8/legacy/Tagged/Uncompressed/CUE4ParseFixtures-Legacy-Tagged-Uncompressed.pak");
    let pak = pak.to_str().unwrap();
    for name in [
        PACKAGE,
        "/Game/Fixtures/Properties/DA_AllProperties.DA_AllProperties",
        "CUE4ParseFixtures/Content/Fixtures/Properties/DA_AllProperties.uasset",
        "DA_AllProperties",
    ] {
        let json = uncask(&["json", pak, name]).ok().json();
        assert!(json.as_array().unwrap().iter().any(|export| export["Properties"]["Integer"] == 305_419_896));
        let found = find(&[pak, name, "--property", "Integer", "--value", "305419896"]).ok();
        assert!(found.out.contains("DA_AllProperties.Integer = 305419896"), "{name}: {}", found.out);
        let chunk = format!("{pak}:{name}");
        let inspected = uncask(&["inspect", "-p", &chunk]).ok();
        assert!(inspected.out.contains("Integer: 305419896"), "{name}: {}", inspected.out);
        let set = uncask(&["set", &chunk, "DA_AllProperties.Integer", "7", "--dry-run"]).ok();
        assert!(set.out.contains("DA_AllProperties.Integer: 305419896 -> 7"), "{name}: {}", set.out);
    }
}

/// Both cooks hold the same values: of 1,801 properties three differ, and bytes that only one of them has.
#[test]
fn packages_with_and_without_tags_compare() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let [tagged, unversioned] = ["tagged", "unversioned"]
        .map(|cook| corpus.join("properties/ue5.8").join(cook).to_str().unwrap().to_owned());
    let mappings = usmap(&corpus);
    let args =
        ["diff", "--properties", &tagged, &unversioned, "--mappings", &mappings, "--engine", "5.8", "--json"];
    let ran = uncask(&args);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let json = ran.json();
    let packages = json["packages"].as_array().unwrap();
    assert!(packages.iter().all(|package| package["change"] == "changed"), "{json:#}");
    let values = packages.iter().flat_map(|package| package["values"].as_array().unwrap());
    let changed: Vec<_> = values.filter(|value| value["change"] == "changed").collect();
    let shown = changed.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(changed.len() <= 40, "{} values:\n{shown}", changed.len());
}

#[test]
fn one_bad_object_does_not_spoil_the_others() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = corpus.join("properties/ue5.8/tagged/Fixtures/Properties/DA_AllProperties.uasset");
    let whole = uncask(&["json", original.to_str().unwrap()]).ok().json();
    // The type of the first property of the asset is made one that the table of names does not have.
    let damaged = copy(folder.path(), &original, |data| {
        let at = position(data, &[0x78, 0x56, 0x34, 0x12]);
        data[at - 17..at - 13].fill(0x7F);
    });
    let ran = uncask(&["json", damaged.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let line = "error: values of 1 export of DA_AllProperties.uasset, such as DA_AllProperties, not read: ";
    assert!(ran.err.starts_with(line), "{}", ran.err);
    let found = ran.json();
    let [whole, found] = [&whole, &found].map(|document| document.as_array().unwrap());
    assert_eq!(whole.len(), found.len());
    let asset = whole.iter().position(|export| export["Name"] == "DA_AllProperties").unwrap();
    for (at, (whole, found)) in whole.iter().zip(found).enumerate() {
        assert_eq!(whole == found, at != asset, "{found:#}");
    }
    let asset = &found[asset];
    assert!(asset["Problem"].as_str().is_some_and(|problem| problem.contains("offset")), "{asset:#}");
    assert_eq!(asset["Properties"]["bBoolean"], true, "what comes before is there");
}

/// Changes the integer of the package in a stored file, which holds its data uncompressed.
fn damage(stored: &Path, original: &Path) {
    let data = std::fs::read(original.with_extension("uexp")).unwrap();
    let integer = position(&data, &[0x78, 0x56, 0x34, 0x12]);
    let mut bytes = std::fs::read(stored).unwrap();
    let at = position(&bytes, &data[integer - 40..integer + 40]) + 40;
    bytes[at] += 1;
    std::fs::write(stored, bytes).unwrap();
}

#[test]
fn documents_of_wrong_content_are_reported() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = corpus.join("properties/ue5.8/tagged/Fixtures/Properties/DA_AllProperties.uasset");
    let tree = folder.path().join("tree");
    copy(&tree.join("Game/Content"), &original, |_| {});
    let pak = folder.path().join("mod_P.pak");
    uncask(&["pack", tree.to_str().unwrap(), "-o", pak.to_str().unwrap(), "--method", "none"]).ok();
    damage(&pak, &original);
    let [content, global] = fixture(&corpus, "tagged");
    let container = folder.path().join("containers");
    std::fs::create_dir(&container).unwrap();
    for file in std::fs::read_dir(content).unwrap().map(|entry| entry.unwrap().path()) {
        let to = container.join(file.file_name().unwrap());
        std::fs::write(&to, std::fs::read(&file).unwrap()).unwrap();
        if to.extension().is_some_and(|end| end == "ucas") {
            damage(&to, &original);
        }
    }
    for input in [&pak, &container] {
        let name = input.display();
        let args = ["json", input.to_str().unwrap(), "*DA_AllProperties.uasset", "--base", &global];
        let ran = uncask(&args);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(ran.err.contains("hash"), "{name}: {}", ran.err);
        assert!(ran.out.contains("305419897"), "{name}: the document is written all the same");
        uncask(&[&args[..], &["--no-verify"]].concat()).ok();
        let out = folder.path().join("out");
        let ran = uncask(&[&args[..], &["-o", out.to_str().unwrap()]].concat());
        assert!(ran.err.contains("wrote the properties of 1 of 1 package,"), "{name}: {}", ran.err);
        assert!(ran.err.contains("1 failed"), "{name}: {}", ran.err);
    }
}
