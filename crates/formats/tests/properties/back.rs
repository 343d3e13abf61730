//! Documents back to objects, and values changed by their addresses, on real packages.

use crate::sets::{Loaded, Others, Set, all, corpus, say};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use uncask_formats::package::legacy::Package;
use uncask_formats::package::rebuild::{Changes, LegacyFiles, rebuild_legacy};
use uncask_formats::property::edit::{Address, EditError, Editor, Names, check_again};
use uncask_formats::property::json::{FModel, Tree, from_tree};
use uncask_formats::property::{List, Object, Property, Scope, TagKind, TaggedList, Value};
use uncask_formats::wire::Writer;

/// The names of a package, for an editor.
pub(crate) fn names(package: &Package) -> Names {
    Names::new(package.names.iter().map(|name| name.text.as_str()), usize::MAX)
}

fn bytes(object: &Object) -> Vec<u8> {
    let mut w = Writer::new();
    object.write(&mut w).unwrap();
    w.into_bytes()
}

#[test]
fn documents_of_all_packages_come_back_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let (mut packages, mut exports, mut different) = (0, 0, Vec::new());
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let text = serde_json::to_string(&Tree::new(&scope)).unwrap();
            let document: Json = serde_json::from_str(&text).unwrap();
            let found = from_tree(&scope, names(&loaded.package), &document);
            let found = found.unwrap_or_else(|error| panic!("{} {}: {error}", set.name, file.path));
            assert!(found.names.added().is_empty(), "{}: {:?}", file.path, found.names.added());
            packages += 1;
            for (at, object) in &found.objects {
                let export = &loaded.package.exports[*at];
                let Some(expected) = scope.bytes(export) else { continue };
                exports += 1;
                if bytes(object) != expected {
                    different.push(format!("{} {} {at}", set.name, file.path));
                }
            }
        }
    }
    say(&format!("{packages} documents, {exports} exports, {} different", different.len()));
    assert!(different.is_empty(), "{different:#?}");
    assert!(packages >= 351 && exports >= 7_449, "{packages} {exports}");
}

/// A package of the fixtures, in one of the two cooks.
pub(crate) fn fixture(sets: &[Set], cook: usize, name: &str) -> (Loaded, Vec<u8>) {
    let set = &sets[cook];
    let file = set.files.iter().find(|file| file.path.ends_with(name)).unwrap();
    (set.load(file), std::fs::read(set.folder.join(&file.path)).unwrap())
}

/// What a run of changes made of a package.
struct Run {
    before: Json,
    after: Json,
    from: Vec<Option<String>>,
}

/// Changes values of a package, rebuilds it and reads it again.
fn set_values(loaded: &Loaded, header: &[u8], values: &[(&str, &str)]) -> Result<Run, EditError> {
    let scope = loaded.scope(&());
    let mut editor = Editor::new(&scope, names(&loaded.package));
    let (mut objects, mut from) = (BTreeMap::<usize, Object>::new(), Vec::new());
    for (address, value) in values {
        let address: Address = address.parse()?;
        let at = editor.export(&address.export)?;
        let object = objects.entry(at).or_insert_with(|| Object::read(&scope, &loaded.package.exports[at]));
        from.push(editor.set(object, &address, value)?.from);
    }
    let names = editor.into_names();
    let exports = objects.iter().map(|(at, object)| (*at, bytes(object))).collect();
    let changes =
        Changes { names: names.added().to_vec(), names_used: names.used(), exports, ..Changes::default() };
    let data = Cow::Borrowed(loaded.data.as_slice());
    let files = LegacyFiles { header: Cow::Borrowed(header), exports: Some(data) };
    let files = rebuild_legacy(&loaded.package, &files, &changes).unwrap();
    let new = loaded.with(&files.header, files.exports.unwrap().into_owned());
    let new_scope = new.scope(&());
    for at in objects.keys() {
        let before = Object::read(&scope, &loaded.package.exports[*at]);
        let after = Object::read(&new_scope, &new.package.exports[*at]);
        assert_eq!(check_again(&before, &after), Ok(()));
        assert_eq!(bytes(&after), changes.exports[at]);
        let tree = Tree::new(&new_scope);
        assert_eq!(
            tree.export_text(*at, &after),
            tree.export_text(*at, &objects[at]),
            "as documents have it"
        );
        if let Some([_, end]) = new.package.exports[*at].script {
            // Where the package says that properties end, they do.
            let mut w = Writer::new();
            after.head.write(&mut w).unwrap();
            after.properties.as_ref().unwrap().write(&mut w).unwrap();
            assert_eq!(u64::try_from(end), Ok(w.len() as u64));
        }
    }
    let document = |scope: &Scope<'_>| serde_json::to_value(FModel::new(scope)).unwrap();
    Ok(Run { before: document(&scope), after: document(&new_scope), from })
}

/// The places where two documents differ, as JSON pointers.
fn differences(a: &Json, b: &Json, at: &str, found: &mut Vec<String>) {
    match (a, b) {
        (Json::Object(a_members), Json::Object(b_members)) => {
            let keys = a_members.keys().chain(b_members.keys().filter(|key| !a_members.contains_key(*key)));
            for key in keys {
                differences(&a[key], &b[key], &format!("{at}/{key}"), found);
            }
        }
        (Json::Array(a_items), Json::Array(b_items)) if a_items.len() == b_items.len() => {
            for (place, (a, b)) in a_items.iter().zip(b_items).enumerate() {
                differences(a, b, &format!("{at}/{place}"), found);
            }
        }
        _ if a == b => {}
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn values_of_every_kind_are_set_in_both_cooks() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let values = [
        ("DA_AllProperties.bBoolean", "false", "bBoolean", json!(false)),
        ("DA_AllProperties.Byte", "7", "Byte", json!(7)),
        ("DA_AllProperties.Integer8", "-128", "Integer8", json!(-128)),
        ("DA_AllProperties.Integer", "-5", "Integer", json!(-5)),
        ("DA_AllProperties.UnsignedInteger64", "18446744073709551615", "UnsignedInteger64", json!(u64::MAX)),
        ("DA_AllProperties.Double", "1e300", "Double", json!(1e300)),
        ("DA_AllProperties.String", "plain", "String", json!("plain")),
        ("DA_AllProperties.Utf8String", "Größe", "Utf8String", json!("Größe")),
        ("DA_AllProperties.Name", "A_Name_That_Is_New_7", "Name", json!("A_Name_That_Is_New_7")),
        ("DA_AllProperties.Text", "Neu", "Text/SourceString", json!("Neu")),
        ("DA_AllProperties.Vector.Y", "99.5", "Vector/Y", json!(99.5)),
        ("DA_AllProperties.Vector2D", r#"{"X": 1}"#, "Vector2D/X", json!(1.0)),
        (
            "DA_AllProperties.Guid",
            "00000001-00000002-00000003-00000004",
            "Guid",
            json!("00000001-00000002-00000003-00000004"),
        ),
        ("DA_AllProperties.FixedIntegerArray[2]", "3", "FixedIntegerArray[2]", json!(3)),
        ("DA_AllProperties.PresentOptional", "null", "PresentOptional", json!(null)),
        ("DA_AllProperties.Enum", "Alpha", "Enum", json!("EFixtureEnum::Alpha")),
        ("DA_AllProperties.Nested.Label", "x", "Nested/Label", json!("x")),
        ("DA_AllProperties.Nested.Samples", "[1, 2]", "Nested/Samples", json!([1.0, 2.0])),
        ("DA_AllProperties.IntegerArray[3]", "45", "IntegerArray/3", json!(45)),
        ("DA_AllProperties.StructArray[1].Marker", "20", "StructArray/1/Marker", json!(20)),
        ("DA_AllProperties.IntegerMap[Answer]", "43", "IntegerMap/1/Value", json!(43)),
        ("DA_AllProperties.StructMap[Right].Label", "r", "StructMap/1/Value/Label", json!("r")),
        ("DA_AllProperties.ScalarInstancedStruct.Value", "1", "ScalarInstancedStruct/Value", json!(1)),
        ("DA_AllProperties.HardObjectReference", "None", "HardObjectReference", json!(null)),
        (
            "DA_AllProperties.SoftTextureReference",
            "/Game/New/T.T",
            "SoftTextureReference/AssetPathName",
            json!("/Game/New/T.T"),
        ),
        ("InlineFixture.Nested.Position.X", "-6", "../0/Nested/Position/X", json!(-6.0)),
    ];
    let pairs: Vec<(&str, &str)> = values.iter().map(|(address, value, ..)| (*address, *value)).collect();
    for cook in [0, 1] {
        let (loaded, header) = fixture(&sets, cook, "DA_AllProperties.uasset");
        let run = set_values(&loaded, &header, &pairs).unwrap_or_else(|error| panic!("{cook}: {error}"));
        let mut found = Vec::new();
        differences(&run.before, &run.after, "", &mut found);
        let mut expected: Vec<String> = values
            .iter()
            .map(|(_, _, place, _)| match place.strip_prefix("../") {
                Some(place) => format!("/{}", place.replacen('/', "/Properties/", 1)),
                None => format!("/1/Properties/{place}"),
            })
            .collect();
        for (place, (.., value)) in expected.iter().zip(&values) {
            assert_eq!(run.after.pointer(place), Some(value), "{cook} {place}");
        }
        // FModel shows a localized text beside its source.
        expected.push("/1/Properties/Text/LocalizedString".to_owned());
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{cook}: nothing else changes");
        assert_eq!(run.from[3].as_deref(), Some("305419896"));
    }
}

#[test]
fn what_an_unversioned_list_left_out_gets_its_place() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let (loaded, header) = fixture(&sets, 1, "DA_AllProperties.uasset");
    // The header of the real list leaves out 32, 35 and 43, the second element of the static array among them.
    let values = [("DA_AllProperties.FixedIntegerArray[1]", "17")];
    let run = set_values(&loaded, &header, &values).unwrap();
    assert_eq!(run.from, [None]);
    assert_eq!(run.after.pointer("/1/Properties/FixedIntegerArray[1]"), Some(&json!(17)));
    let mut found = Vec::new();
    differences(&run.before, &run.after, "", &mut found);
    assert_eq!(found, ["/1/Properties/FixedIntegerArray[1]"]);
}

#[test]
fn rows_of_tables_go_by_their_names() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    for cook in [0, 1] {
        let (loaded, header) = fixture(&sets, cook, "DT_AllProperties.uasset");
        let rows = serde_json::to_value(FModel::new(&loaded.scope(&()))).unwrap();
        let rows = rows.pointer("/0/Rows").unwrap().as_object().unwrap().clone();
        let (row, fields) = rows.iter().next().unwrap();
        let (field, _) = fields.as_object().unwrap().iter().find(|(_, value)| value.is_i64()).unwrap();
        let address = format!("DT_AllProperties.{row}.{field}");
        let run = set_values(&loaded, &header, &[(&address, "4711")]).unwrap();
        let mut found = Vec::new();
        differences(&run.before, &run.after, "", &mut found);
        assert_eq!(found, [format!("/0/Rows/{row}/{field}")], "{cook}");
        let whole = format!("DT_AllProperties.Rows[{row}].{field}");
        assert!(set_values(&loaded, &header, &[(&whole, "1")]).is_ok());
    }
}

#[test]
fn what_does_not_fit_says_what_would() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let (loaded, header) = fixture(&sets, 0, "DA_AllProperties.uasset");
    let refused = |address: &str, value: &str| {
        set_values(&loaded, &header, &[(address, value)]).err().unwrap().to_string()
    };
    let all = [
        refused("DA_Al.Byte", "1"),
        refused("DA_AllProperties", "1"),
        refused("DA_AllProperties.Nested.Lable", "x"),
        refused("DA_AllProperties.IntegerArray[4]", "1"),
        refused("DA_AllProperties.IntegerMap[Question]", "1"),
        refused("DA_AllProperties.Byte.X", "1"),
        refused("DA_AllProperties.Byte", "256"),
        refused("DA_AllProperties.Integer", "1.5"),
        refused("DA_AllProperties.Enum", "Omega"),
        refused("DA_AllProperties.bBoolean", "yes"),
        refused("DA_AllProperties.HardObjectReference", "/Game/Nowhere.Nowhere"),
        refused("DA_AllProperties.SoftTextureReference", "T_BC7"),
        refused("DA_AllProperties.AnsiString", "ä"),
        refused("DA_AllProperties.IntegerArray", "[1, \"two\"]"),
        refused("DA_AllProperties.Vector", "5"),
        refused("DA_AllProperties.Vector", r#"{"U": 5}"#),
        refused("#9.Byte", "1"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn faults_of_documents_say_where_they_are() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let (loaded, _) = fixture(&sets, 0, "DA_AllProperties.uasset");
    let scope = loaded.scope(&());
    let document = serde_json::to_value(Tree::new(&scope)).unwrap();
    let refused = |change: &dyn Fn(&mut Json)| {
        let mut document = document.clone();
        change(&mut document);
        from_tree(&scope, names(&loaded.package), &document).err().unwrap().to_string()
    };
    let at =
        |document: &mut Json, pointer: &str, value: Json| *document.pointer_mut(pointer).unwrap() = value;
    let all = [
        refused(&|document| at(document, "/schema", json!("other"))),
        refused(&|document| at(document, "/exports/0/index", json!(9))),
        refused(&|document| at(document, "/exports/0/name", json!("Other"))),
        refused(&|document| at(document, "/exports/1/properties/tagged/1/value", json!({ "Byte": 256 }))),
        refused(&|document| at(document, "/exports/1/properties/tagged/1/value", json!({ "Byt": 2 }))),
        refused(&|document| at(document, "/exports/1/properties/tagged/1/value", json!(2))),
        refused(&|document| at(document, "/exports/1/properties", json!({}))),
        refused(&|document| *document = json!([])),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// Objects of one class record different properties. What one records is added to another, and looks the same there: the
/// cookers are the witnesses of how.
#[test]
fn properties_that_others_of_the_class_record_are_added() {
    let Some(corpus) = corpus() else { return };
    let (mut added, mut bare, mut refused) = (0, 0, 0);
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let objects: Vec<Object> =
                loaded.package.exports.iter().map(|export| Object::read(&scope, export)).collect();
            let mut last: BTreeMap<i32, usize> = BTreeMap::new();
            for (at, export) in loaded.package.exports.iter().enumerate() {
                let Some(like) = last.insert(export.class.0, at) else { continue };
                let (Some(List::Tagged(like)), Some(List::Tagged(own))) =
                    (&objects[like].properties, &objects[at].properties)
                else {
                    continue;
                };
                let name = |property: &Property| loaded.package.text(property.tag.name).to_string();
                let new = like.properties.iter().find(|property| {
                    let plain = matches!(
                        property.value,
                        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Name(_) | Value::Enum(_)
                    );
                    plain
                        && property.tag.element == 0
                        && own.properties.iter().all(|known| name(known) != name(property))
                });
                let Some(new) = new else { continue };
                let mut editor = Editor::new(&scope, names(&loaded.package));
                let address: Address = format!("#{at}.\"{}\"", name(new)).parse().unwrap();
                let mut object = objects[at].clone();
                let text = new.value.text(&scope).unwrap().into_owned();
                if let Err(error) = editor.set(&mut object, &address, &text) {
                    assert!(matches!(error, EditError::Value { .. }), "{} {address}: {error}", file.path);
                    refused += 1;
                    continue;
                }
                let Some(List::Tagged(changed)) = &object.properties else { unreachable!() };
                let found = changed.properties.iter().find(|property| name(property) == name(new)).unwrap();
                assert_eq!(found.value, new.value, "{} {address}", file.path);
                if let TagKind::Bare(_) = new.tag.kind {
                    bare += 1;
                }
                let write = |property: &Property| {
                    let alone = TaggedList { properties: vec![property.clone()], ..TaggedList::default() };
                    let mut w = Writer::new();
                    List::Tagged(alone).write(&mut w).unwrap();
                    w.into_bytes()
                };
                assert_eq!(write(found), write(new), "{} {address}", file.path);
                added += 1;
            }
        }
    }
    say(&format!("{added} properties added, {bare} of them to lists before 5.4, {refused} refused"));
    assert!(added >= 250 && bare >= 200 && refused * 20 < added, "{added} {bare} {refused}");
}

/// The tag of a bool is its value: a byte before 5.4, a flag since.
#[test]
fn every_bool_of_every_tagged_package_is_set_to_its_opposite() {
    let Some(corpus) = corpus() else { return };
    let (mut bare, mut complete) = (0, 0);
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let mut editor = Editor::new(&scope, names(&loaded.package));
            for (at, export) in loaded.package.exports.iter().enumerate() {
                let before = Object::read(&scope, export);
                let Some(List::Tagged(list)) = &before.properties else { continue };
                let mut object = before.clone();
                let mut places = Vec::new();
                for property in &list.properties {
                    let (Value::Bool(value), 0) = (&property.value, property.tag.element) else { continue };
                    let name = loaded.package.text(property.tag.name);
                    let address: Address = format!("#{at}.\"{name}\"").parse().unwrap();
                    let opposite = (!value).to_string();
                    editor.set(&mut object, &address, &opposite).unwrap();
                    places.push(name.to_string());
                    match property.tag.kind {
                        TagKind::Bare(_) => bare += 1,
                        TagKind::Complete { .. } => complete += 1,
                    }
                }
                if places.is_empty() {
                    continue;
                }
                let (old, new) = (bytes(&before), bytes(&object));
                assert_eq!(old.len(), new.len(), "{}", file.path);
                // A bit each, or the bit and the byte that a whole bool is; nothing else.
                let differing: Vec<u8> =
                    old.iter().zip(&new).map(|(old, new)| old ^ new).filter(|bits| *bits != 0).collect();
                assert_eq!(differing.len(), places.len(), "{} {at}", file.path);
                assert!(differing.iter().all(|bits| [1, 0x10].contains(bits)), "{} {differing:?}", file.path);
                let tree = Tree::new(&scope);
                let wanted: Json = serde_json::from_str(&tree.export_text(at, &object).unwrap()).unwrap();
                let kept: Json = serde_json::from_str(&tree.export_text(at, &before).unwrap()).unwrap();
                let mut found = Vec::new();
                differences(&kept, &wanted, "", &mut found);
                assert_eq!(found.len(), places.len(), "{}: {found:?}", file.path);
                assert!(found.iter().all(|place| place.ends_with("/value/Bool")), "{}: {found:?}", file.path);
            }
        }
    }
    say(&format!("{bare} bools before 5.4, {complete} since"));
    assert!(bare >= 1_400 && complete >= 150, "{bare} {complete}");
}
