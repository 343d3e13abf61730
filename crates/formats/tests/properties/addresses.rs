//! Addresses as documents show them: each of their values is found by its address, and given what is shown there it stays.

use crate::sets::{Others, all, corpus, say};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use uncask_formats::property::edit::{Address, EditError, Editor, Names};
use uncask_formats::property::json::{FModel, Tree};
use uncask_formats::property::{Object, Scope};
use uncask_formats::wire::Writer;

/// Elements of long arrays that are tried at either end.
const ENDS: usize = 4;

/// Keys of exports that say what the export is, and those of classes whose fields are no values of objects.
const NO_VALUES: [&str; 11] = [
    "Type",
    "Name",
    "Flags",
    "Class",
    "Package",
    "Outer",
    "Super",
    "Template",
    "Properties",
    "Problem",
    "ChildProperties",
];

/// A value that holds no others, and its address in the export.
struct Leaf {
    address: String,
    shown: Json,
}

impl Leaf {
    fn parsed(&self, at: usize) -> Result<Address, EditError> {
        format!("#{at}{}", self.address).parse()
    }

    /// The value as it is typed.
    fn text(&self) -> String {
        self.shown.as_str().map_or_else(|| self.shown.to_string(), str::to_owned)
    }
}

/// A step by name: in quotation marks where it could be more than one step.
fn named(name: &str) -> String {
    let (name, element) = match name.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, element)) if element.parse::<u32>().is_ok() => (name, format!("[{element}]")),
        _ => (name, String::new()),
    };
    if name.contains(['.', '[', ']']) || name.is_empty() {
        format!(".\"{name}\"{element}")
    } else {
        format!(".{name}{element}")
    }
}

/// The leaves of what FModel shows.
fn leaves(json: &Json, at: String, found: &mut Vec<Leaf>) {
    match json {
        // Bytes that could not be read, and why: what is typed for them is refused.
        Json::Object(members) if members.len() == 1 && members.contains_key("Problem") => {
            found.push(Leaf { address: at, shown: members["Problem"].clone() });
        }
        Json::Object(members) if !members.is_empty() => {
            for (name, json) in members {
                leaves(json, format!("{at}{}", named(name)), found);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for (place, json) in items.iter().enumerate() {
                if place < ENDS || place + ENDS >= items.len() {
                    leaves(json, format!("{at}[{place}]"), found);
                }
            }
        }
        json => found.push(Leaf { address: at, shown: json.clone() }),
    }
}

/// The leaves of a list of the form that keeps everything.
fn tree_list(list: &Json, at: &str, found: &mut Vec<Leaf>) {
    for property in list["tagged"].as_array().into_iter().flatten() {
        let name = property["name"].as_str().or_else(|| property["name"]["text"].as_str()).unwrap();
        let element = property["element"].as_u64().map(|element| format!("[{element}]")).unwrap_or_default();
        tree_value(&property["value"], format!("{at}{}{element}", named(name)), found);
    }
    for member in list["unversioned"].as_array().into_iter().flatten() {
        tree_value(&member[1], format!("{at}{}", named(member[0].as_str().unwrap())), found);
    }
}

fn tree_value(json: &Json, at: String, found: &mut Vec<Leaf>) {
    let Some((kind, held)) = json.as_object().and_then(|value| value.iter().next()) else { return };
    let items = |items: &Json, found: &mut Vec<Leaf>| {
        let items = items.as_array().unwrap();
        for (place, item) in items.iter().enumerate() {
            if place < ENDS || place + ENDS >= items.len() {
                tree_value(item, format!("{at}[{place}]"), found);
            }
        }
    };
    match kind.as_str() {
        "Struct" => tree_list(&held[1], &at, found),
        "Native" => tree_record(&held[1], &at, found),
        "Text" => tree_record(&held["fields"], &at, found),
        "Array" => items(held, found),
        "TaggedArray" | "Set" => items(&held[1], found),
        "Map" => {
            for (place, entry) in held[1].as_array().unwrap().iter().enumerate().take(ENDS) {
                tree_value(&entry[1], format!("{at}[{place}].Value"), found);
            }
        }
        "Optional" | "Sized" => tree_value(held, at, found),
        "Enumerator" => found.push(Leaf { address: at, shown: held[2].clone() }),
        "Bool" | "Bool32" | "Int8" | "Int16" | "Int" | "Int64" | "Byte" | "UInt16" | "UInt32" | "UInt64"
        | "Float" | "Double" | "Name" | "Enum" | "Str" | "Utf8" | "Guid"
            // What JSON has no number for is shown as bits, and some texts with their bytes.
            if !(held.is_object() || held.is_string() && ["Float", "Double"].contains(&kind.as_str())) =>
        {
            found.push(Leaf { address: at, shown: held.clone() });
        }
        _ => {}
    }
}

fn tree_record(record: &Json, at: &str, found: &mut Vec<Leaf>) {
    // Rows of curve tables are all called so: they go by their names.
    for field in record.as_array().unwrap().iter().filter(|field| field[0] != "Row") {
        tree_value(&field[1], format!("{at}.{}", field[0].as_str().unwrap()), found);
    }
}

fn bytes(object: &Object) -> Vec<u8> {
    let mut w = Writer::new();
    object.write(&mut w).unwrap();
    w.into_bytes()
}

/// What became of addresses.
#[derive(Default)]
struct Tried {
    accepted: usize,
    computed: usize,
    raw: usize,
    cut: usize,
    wrong: Vec<String>,
    by_kind: BTreeMap<String, usize>,
}

impl Tried {
    fn fault(&mut self, kind: &str, text: &str) {
        let count = self.by_kind.entry(kind.to_owned()).or_default();
        *count += 1;
        if *count <= 12 {
            self.wrong.push(format!("{kind}: {text}"));
        }
    }

    /// Gives each value what it is shown as: then all is as it was.
    fn set(&mut self, scope: &Scope<'_>, at: usize, file: &str, leaves: &[Leaf]) {
        let names = scope.package.names.iter().map(|name| name.text.as_str());
        let mut editor = Editor::new(scope, Names::new(names, usize::MAX));
        let before = Object::read(scope, &scope.package.exports[at]);
        let expected = bytes(&before);
        let mut object = before.clone();
        for leaf in leaves {
            self.one(&mut editor, &mut object, at, file, leaf);
        }
        if bytes(&object) != expected {
            for leaf in leaves {
                let mut object = before.clone();
                let _ = editor.set(&mut object, &leaf.parsed(at).unwrap(), &leaf.text());
                // The bits of what is no number are not shown.
                if bytes(&object) != expected && leaf.text() != "NaN" {
                    self.fault("changed", &format!("{file}: #{at}{} = {:.80}", leaf.address, leaf.text()));
                }
            }
        }
        // `None` is made before it is found that zero has no bytes.
        let names = editor.into_names();
        assert!(names.added().iter().all(|name| name == "None"), "{file}: {:?} added", names.added());
    }

    fn one(&mut self, editor: &mut Editor<'_, '_>, object: &mut Object, at: usize, file: &str, leaf: &Leaf) {
        let set = leaf.parsed(at).and_then(|address| editor.set(object, &address, &leaf.text()));
        let Err(error) = set else {
            self.accepted += 1;
            return;
        };
        match &error {
            EditError::Computed { .. } => self.computed += 1,
            EditError::Value { expected, .. } if expected.contains("kept as bytes") => self.raw += 1,
            // Keys are shown without what follows a parenthesis.
            EditError::Value { .. } if leaf.address.ends_with(".Key") => self.cut += 1,
            error => {
                let kind = format!("{error:?}");
                let kind = kind.split(' ').next().unwrap_or_default();
                self.fault(
                    kind,
                    &format!("{file}: #{at}{} = {:.80}: {error:.200}", leaf.address, leaf.text()),
                );
            }
        }
    }
}

impl Tried {
    fn check(&self, least: usize) {
        let Self { accepted, computed, raw, cut, wrong, by_kind } = self;
        say(&format!(
            "{accepted} values accepted, {computed} computed, {raw} kept as bytes, {cut} keys cut off, {by_kind:?}"
        ));
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(
            *accepted >= least && cut * 100 < *accepted && raw * 100 < *accepted,
            "{accepted} {raw} {cut}"
        );
    }
}

#[test]
fn every_value_that_json_shows_is_found_by_its_address() {
    let Some(corpus) = corpus() else { return };
    let mut tried = Tried::default();
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let document = serde_json::to_value(FModel::new(&scope)).unwrap();
            for (at, export) in document.as_array().unwrap().iter().enumerate() {
                let mut found = Vec::new();
                if let Some(list) = export.get("Properties") {
                    leaves(list, String::new(), &mut found);
                }
                for (name, json) in export.as_object().unwrap() {
                    if !NO_VALUES.contains(&name.as_str()) {
                        leaves(json, named(name), &mut found);
                    }
                }
                tried.set(&scope, at, &file.path, &found);
            }
        }
    }
    tried.check(60_000);
}

#[test]
fn every_value_of_trees_is_found_by_its_address() {
    let Some(corpus) = corpus() else { return };
    let mut tried = Tried::default();
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let document = serde_json::to_value(Tree::new(&scope)).unwrap();
            for (at, export) in document["exports"].as_array().unwrap().iter().enumerate() {
                let mut found = Vec::new();
                tree_list(&export["properties"], "", &mut found);
                tree_record(&export["tail"], "", &mut found);
                tried.set(&scope, at, &file.path, &found);
            }
        }
    }
    tried.check(60_000);
}
