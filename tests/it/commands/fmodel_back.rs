//! Documents in FModel's form, put back: `uncask from-json`.

use super::run::{Ran, corpus_with, uncask, whole_game};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

const FIXTURES: &str = "CUE4ParseFixtures/Content/Fixtures";
const ALL: &str = "Properties/DA_AllProperties";

/// Keys of values that follow from others.
const COMPUTED: [&str; 5] = ["LocalizedString", "Hex", "IsNormalized", "Size", "SizeSquared"];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A cook of the fixtures, its documents, and its mappings.
struct Cook {
    game: String,
    documents: PathBuf,
    mappings: String,
}

impl Cook {
    fn new(corpus: &Path, cook: &str, folder: &Path) -> Self {
        let game = whole_game(corpus, cook, folder);
        let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
        let this = Self {
            game,
            documents: folder.join(format!("{cook}-json")),
            mappings: text(&mappings).to_owned(),
        };
        // Some objects are in forms of their own, which ends with 1.
        uncask(&["json", &this.game, "-o", text(&this.documents), "--mappings", &this.mappings]);
        this
    }

    fn path(&self, package: &str) -> PathBuf {
        self.documents.join(format!("{FIXTURES}/{package}.json"))
    }

    fn document(&self, package: &str) -> Value {
        serde_json::from_slice(&std::fs::read(self.path(package)).unwrap()).unwrap()
    }

    fn put(&self, document: &Path, more: &[&str]) -> Ran {
        uncask(
            &[&["from-json", text(document), "--onto", &self.game, "--mappings", &self.mappings], more]
                .concat(),
        )
    }

    /// Puts a changed document of a package back; the mod and its outcome.
    fn changed(&self, package: &str, change: impl FnOnce(&mut Value)) -> (PathBuf, Ran) {
        let mut document = self.document(package);
        change(&mut document);
        let (path, out) = (self.documents.join("changed.json"), self.documents.join("Mod_P.utoc"));
        std::fs::write(&path, document.to_string()).unwrap();
        let ran = self.put(&path, &["-o", text(&out), "--force", "--overwrite", "--json"]);
        (out, ran)
    }

    /// The document of a package in a mod.
    fn of_mod(&self, container: &Path, package: &str) -> Value {
        let name = format!("/Game/Fixtures/{package}");
        let args = ["json", text(container), &name, "--base", &self.game, "--mappings", &self.mappings];
        serde_json::from_str(&uncask(&args).out).unwrap()
    }
}

fn cooks(corpus: &Path, folder: &Path) -> [Cook; 2] {
    ["tagged", "unversioned"].map(|cook| Cook::new(corpus, cook, folder))
}

/// Changes every number and every bool of a value but those that follow from others.
fn mutate(value: &mut Value, count: &mut usize) {
    match value {
        Value::Bool(is) => *is = !*is,
        Value::Number(number) if number.is_f64() => *value = json!(number.as_f64().unwrap() / 2.0 + 1.0),
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or(7);
            *value = json!(if number > 0 { number - 1 } else { number + 1 });
        }
        Value::Array(elements) => return elements.iter_mut().for_each(|value| mutate(value, count)),
        Value::Object(members) => {
            let stored = members.iter_mut().filter(|(key, _)| !COMPUTED.contains(&&***key));
            return stored.for_each(|(_, value)| mutate(value, count));
        }
        _ => return,
    }
    *count += 1;
}

fn strip_computed(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(strip_computed),
        Value::Object(members) => {
            members.retain(|key, _| !COMPUTED.contains(&&**key));
            members.values_mut().for_each(strip_computed);
        }
        _ => {}
    }
}

#[test]
fn documents_of_every_package_change_nothing_when_put_back() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    for cook in cooks(&corpus, temp.path()) {
        let ran = cook.put(&cook.documents, &["--dry-run", "--json"]);
        assert_eq!(ran.code, 5, "{}", ran.err);
        assert!(ran.json()["unchanged"].as_array().unwrap().len() >= 90, "{}", ran.out);
        assert!(!ran.err.contains("not checked"), "{}", ran.err);
    }
}

#[test]
fn every_number_and_bool_can_be_changed_in_one_document() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    for cook in cooks(&corpus, temp.path()) {
        for (package, part) in [(ALL, "Properties"), ("DataTables/DT_AllProperties", "Rows")] {
            let (mut count, mut wanted) = (0, Value::Null);
            let (out, ran) = cook.changed(package, |document| {
                for export in document.as_array_mut().unwrap() {
                    let members = export[part].as_object_mut().into_iter().flat_map(Map::values_mut);
                    members.for_each(|value| mutate(value, &mut count));
                }
                wanted = document.clone();
            });
            ran.ok();
            assert!(count > 30, "{count}");
            let mut found = cook.of_mod(&out, package);
            strip_computed(&mut found);
            strip_computed(&mut wanted);
            assert!(found == wanted, "{package}: {found:#}");
        }
    }
}

#[test]
fn rows_elements_and_objects_of_other_packages_are_added() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    for cook in cooks(&corpus, temp.path()) {
        let table = "DataTables/DT_AllProperties";
        let (out, ran) = cook.changed(table, |document| {
            let rows = document[0]["Rows"].as_object_mut().unwrap();
            let mut row = rows["Beta"].clone();
            row["Message"] = json!("new");
            row["Values"] = json!([1, 2, 3, 4, 5]);
            rows.insert("Delta".to_owned(), row);
        });
        ran.ok();
        let found = cook.of_mod(&out, table);
        let row = &found[0]["Rows"]["Delta"];
        assert_eq!((&row["Message"], &row["Values"]), (&json!("new"), &json!([1, 2, 3, 4, 5])));

        let texture =
            json!({ "ObjectName": "Texture2D'T_BC1'", "ObjectPath": format!("{FIXTURES}/Textures/T_BC1.0") });
        let (out, ran) = cook.changed(ALL, |document| {
            document[1]["Properties"]["HardTextureReference"] = texture.clone();
            // More digits than the property has.
            document[1]["Properties"]["Vector"]["X"] = json!(1.234_567_890_123_4);
            document[1]["Properties"]["LinearColor"]["R"] = json!(0.123_456_789_012);
        });
        ran.ok();
        assert_eq!(cook.of_mod(&out, ALL)[1]["Properties"]["LinearColor"]["R"], json!(0.123_456_79));
        assert_eq!(cook.of_mod(&out, ALL)[1]["Properties"]["HardTextureReference"], texture);
    }
}

/// The form does not have all, so what would be lost is refused, and what cannot be compared is told.
#[test]
fn what_would_be_lost_is_refused_or_told() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    let cook = Cook::new(&corpus, "tagged", temp.path());
    let refused = |change: fn(&mut Value), message: &str| {
        let (out, ran) = cook.changed(ALL, change);
        assert_eq!(ran.code, 1, "{message}: {}", ran.err);
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
        assert!(!out.exists());
    };
    refused(
        |document| drop(document[1]["Properties"].as_object_mut().unwrap().remove("Guid")),
        "DA_AllProperties.Guid is in the package, but not in the document",
    );
    refused(
        |document| document[1]["Name"] = json!("Other"),
        "element 1 of the document is ParserFixtureData Other",
    );
    refused(
        |document| document[1]["Properties"]["Color"]["Hex"] = json!("00000000"),
        "Hex is computed from R, G, B and A",
    );
    refused(
        |document| document[1]["Properties"]["LinearColor"]["New"] = json!(1),
        "DA_AllProperties.LinearColor has no New",
    );
    refused(|document| document[0] = json!(7), "element 0 of the document is no export");

    let (_, ran) = cook.changed(ALL, |document| {
        document[1]["Flags"] = json!("RF_Public");
        document[1]["UnknownTail"] = json!(3);
        document[1]["Properties"]["Enum"] = json!("EFixtureEnum::Alpha");
    });
    let unchecked = ran.ok().json()["packages"][0]["unchecked"].clone();
    let told: Vec<&str> =
        unchecked.as_array().unwrap().iter().map(|one| one["address"].as_str().unwrap()).collect();
    assert_eq!(told, ["DA_AllProperties.Flags", "DA_AllProperties.UnknownTail"]);
}

/// Documents of older versions of FModel do not name their file; then the path of the document tells the package.
#[test]
fn the_path_of_a_document_tells_its_package() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    let cook = Cook::new(&corpus, "tagged", temp.path());
    let mut document = cook.document(ALL);
    for export in document.as_array_mut().unwrap() {
        export.as_object_mut().unwrap().remove("Package");
    }
    document[1]["Properties"]["Enum"] = json!("EFixtureEnum::Alpha");
    std::fs::write(cook.path(ALL), document.to_string()).unwrap();
    let ran = cook.put(&cook.path(ALL), &["--dry-run", "--json"]).ok();
    let changes = ran.json()["packages"][0]["changes"].clone();
    assert_eq!(changes[0]["address"], "DA_AllProperties.Enum", "{changes}");
}
