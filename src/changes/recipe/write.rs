//! Writes recipes.

use super::model::{CodeChangeOf, Recipe, RecipeChange, RecipeCode, RecipePicture, RecipeText};
use super::toml_value::from_json;
use crate::values::edit::RuleChange;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::path::Path;
use toml::Value as Toml;

/// First line of every recipe: editors check it by the schema of that name.
const HEAD: &str = "#:schema ./recipe.schema.json\n";

impl Recipe {
    /// The recipe as TOML. Paths are written as they are.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = Table(HEAD.to_owned());
        if let Some(name) = &self.name {
            out.text("name", name);
        }
        if !self.files.is_empty() {
            let files = self.files.iter().map(|path| Toml::String(slashes(path))).collect();
            out.value("files", &Toml::Array(files));
        }
        self.changes.iter().for_each(|change| out.change(change));
        self.pictures.iter().for_each(|picture| out.picture(picture));
        self.code.iter().for_each(|code| out.code(code));
        self.texts.iter().for_each(|text| out.localized(text));
        out.0
    }
}

struct Table(String);

impl Table {
    fn value(&mut self, key: &str, value: &Toml) {
        // Writing into a text cannot fail.
        let _ = writeln!(self.0, "{key} = {value}");
    }

    fn text(&mut self, key: &str, text: &str) {
        self.value(key, &Toml::String(text.to_owned()));
    }

    fn begin(&mut self, name: &str) {
        let _ = write!(self.0, "\n[[{name}]]\n");
    }

    fn end(&mut self, is_optional: bool) {
        if is_optional {
            self.value("optional", &Toml::Boolean(true));
        }
    }

    fn change(&mut self, change: &RecipeChange) {
        self.begin("change");
        match change.packages.as_slice() {
            [one] => self.text("packages", one),
            more => self.value("packages", &Toml::Array(more.iter().cloned().map(Toml::String).collect())),
        }
        self.text("property", &change.property);
        if let Some(class) = &change.class {
            self.text("class", class);
        }
        if !change.conditions.is_empty() {
            self.value("where", &conditions(&change.conditions));
        }
        if let Some(from) = &change.from {
            self.value("from", &from_json(from));
        }
        match &change.change {
            RuleChange::Set(text) => self.value("set", &from_json(&json_of(text))),
            RuleChange::Multiply(factor) => self.value("multiply", &Toml::Float(*factor)),
            RuleChange::Add(summand) => self.value("add", &Toml::Float(*summand)),
            RuleChange::Append(items) => self.value("append", &appended(items)),
            RuleChange::Remove => self.value("remove", &Toml::Boolean(true)),
            RuleChange::RemoveValues(values) => {
                self.value("remove", &Toml::Array(values.iter().map(from_json).collect()));
            }
        }
        self.end(change.is_optional);
    }

    fn picture(&mut self, picture: &RecipePicture) {
        self.begin("picture");
        self.text("package", &picture.package);
        if let Some(object) = &picture.object {
            self.text("object", object);
        }
        self.text("file", &slashes(&picture.file));
        self.end(picture.is_optional);
    }

    fn code(&mut self, code: &RecipeCode) {
        self.begin("code");
        match &code.change {
            CodeChangeOf::Listing(listing) => self.text("listing", &slashes(listing)),
            CodeChangeOf::Constant { package, at, from, set } => {
                self.text("package", package);
                self.text("at", at);
                if let Some(from) = from {
                    self.text("from", from);
                }
                self.text("set", set);
            }
            CodeChangeOf::NoOp { package, at } => {
                self.text("package", package);
                self.text("at", at);
                self.value("remove", &Toml::Boolean(true));
            }
        }
        self.end(code.is_optional);
    }

    fn localized(&mut self, text: &RecipeText) {
        self.begin("text");
        self.text("file", &text.file);
        for (key, value) in [("culture", &text.culture), ("namespace", &text.namespace)] {
            if !value.is_empty() {
                self.text(key, value);
            }
        }
        self.text("key", &text.key);
        if let Some(from) = &text.from {
            self.text("from", from);
        }
        self.text("set", &text.set);
        self.end(text.is_optional);
    }
}

/// The value that a text stands for: JSON where it is an object, a list, a number or a truth.
fn json_of(text: &str) -> Json {
    let json = serde_json::from_str::<Json>(text).ok();
    let json = json.filter(|json| match json {
        Json::Null | Json::String(_) => false,
        Json::Object(_) | Json::Array(_) => true,
        // Written back, it has to be the same text: `1e3` and `1.50` may be names.
        Json::Bool(_) | Json::Number(_) => serde_json::to_string(json).is_ok_and(|written| written == text),
    });
    json.unwrap_or_else(|| Json::String(text.to_owned()))
}

/// Conditions as a table; those with one path are in several.
fn conditions(all: &[(String, Vec<String>)]) -> Toml {
    let mut tables = vec![toml::Table::new()];
    for (path, texts) in all {
        let value = match texts.as_slice() {
            [one] => Toml::String(one.clone()),
            more => Toml::Array(more.iter().cloned().map(Toml::String).collect()),
        };
        if tables.last().is_some_and(|table| table.contains_key(path)) {
            tables.push(toml::Table::new());
        }
        if let Some(table) = tables.last_mut() {
            table.insert(path.clone(), value);
        }
    }
    match tables.as_slice() {
        [one] => Toml::Table(one.clone()),
        more => Toml::Array(more.iter().cloned().map(Toml::Table).collect()),
    }
}

fn appended(items: &[(Option<String>, String)]) -> Toml {
    let value = |text: &String| from_json(&json_of(text));
    if items.iter().all(|(key, _)| key.is_some()) {
        let entry = |(key, text): &(Option<String>, String)| (key.clone().unwrap_or_default(), value(text));
        return Toml::Table(items.iter().map(entry).collect());
    }
    Toml::Array(items.iter().map(|(_, text)| value(text)).collect())
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::super::model::RecipePlace;
    use super::*;
    use serde_json::json;

    fn change(change: RuleChange) -> RecipeChange {
        RecipeChange {
            place: RecipePlace::default(),
            packages: vec!["/Game/Sword".to_owned()],
            property: "Sword.\"a.b\"[2].Damage".to_owned(),
            class: None,
            conditions: [("Tier", ">5"), ("Kind", "x*"), ("Tier", "<9")]
                .map(|(path, text)| (path.to_owned(), vec![text.to_owned()]))
                .to_vec(),
            from: Some(json!({"A": 1.5, "B": [true, "x"]})),
            change,
            is_optional: true,
        }
    }

    /// A written recipe is read again.
    #[test]
    fn recipes_survive_the_way_through_a_file() {
        let text = |text: &str| text.to_owned();
        let changes = [
            RuleChange::Set(text("12")),
            RuleChange::Set(text("007")),
            RuleChange::Set(text("a \"b\"\n\u{1}")),
            RuleChange::Set(text(r#"{"A":1,"B":null}"#)),
            RuleChange::Multiply(1.5),
            RuleChange::Add(-2.0),
            RuleChange::Append(vec![(None, text("1")), (None, text(r#"{"A":2}"#))]),
            RuleChange::Append(vec![(Some(text("Gold")), text("3"))]),
            RuleChange::Remove,
            RuleChange::RemoveValues(vec![json!("x"), json!(3)]),
        ];
        let place = RecipePlace::default;
        let recipe = Recipe {
            name: Some(text("Better doors")),
            changes: changes.into_iter().map(change).collect(),
            pictures: vec![RecipePicture {
                place: place(),
                package: text("/Game/T_Logo"),
                object: Some(text("T_Logo_2")),
                file: "pictures/T_Logo.png".into(),
                is_optional: false,
            }],
            texts: vec![RecipeText {
                place: place(),
                file: text("Game/{culture}/Game.locres"),
                culture: text("de"),
                namespace: text(""),
                key: text("Open"),
                from: Some(text("")),
                set: text("Öffnen"),
                is_optional: false,
            }],
            code: vec![
                RecipeCode {
                    place: place(),
                    change: CodeChangeOf::Listing("code/A.txt".into()),
                    is_optional: false,
                },
                RecipeCode {
                    place: place(),
                    change: CodeChangeOf::NoOp { package: text("/Game/A"), at: text("Open@0x10") },
                    is_optional: false,
                },
            ],
            files: vec!["files".into()],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mod.toml");
        std::fs::write(&path, recipe.to_toml()).unwrap();
        let read =
            Recipe::open(folder.path()).unwrap_or_else(|error| panic!("{error}\n{}", recipe.to_toml()));
        let plain = |path: &Path| path.strip_prefix(folder.path()).unwrap_or(path).to_owned();
        let mut read = read;
        for change in &mut read.changes {
            change.place = place();
        }
        for picture in &mut read.pictures {
            (picture.place, picture.file) = (place(), plain(&picture.file));
        }
        read.texts.iter_mut().for_each(|text| text.place = place());
        for code in &mut read.code {
            code.place = place();
            if let CodeChangeOf::Listing(path) = &mut code.change {
                *path = plain(path);
            }
        }
        read.files = read.files.iter().map(|path| plain(path)).collect();
        assert_eq!(read, recipe, "{}", recipe.to_toml());
    }

    /// Damaged recipes and patches are errors, or can be written and read again.
    #[test]
    fn damaged_recipes_are_errors() {
        let toml = "name = \"x\"\n[[change]]\npackages = [\"/Game/A\", \"*/B\"]\nproperty = \"*.**.A[2].C\"\nclass = \"C_*\"\n\
                    where = [{ A = [\">5\", \"x*\"], \".\" = 3 }, { A = 1 }]\nfrom = { X = 1.5 }\nset = { X = 2, Y = [true, \"t\"] }\n\
                    [[change]]\npackages = \"*\"\nproperty = \"A.B\"\nremove = [\"a\", 1]\noptional = true\n\
                    [[change]]\npackages = \"*\"\nproperty = \"A.B\"\nappend = { K = 1 }\n\
                    [[text]]\nfile = \"a\"\nkey = \"b\"\nset = \"c\"\n[[code]]\npackage = \"/Game/B\"\nat = \"O@0x1\"\nset = 2\n";
        let patch = r#"{"DT_A": {"*": {"$Filters": [{"FieldName": "H", "Operation": "<", "Value": 1},
            {"FieldName": "H", "Operation": "Equals", "Values": ["a", 2]}], "P": {"Items": [1]}}, "R": null,
            "S": {"A": 1, "M": [{"Key": 1, "Value": 2}]}}, "BP_C": {"X": 1.5}}"#;
        let mut read = 0;
        for (text, name) in [(toml, "mod.toml"), (patch, "patch.json")] {
            assert!(Recipe::parse(text, Path::new(name)).is_ok(), "{name}");
            let mut state = 7_u64;
            let mut below = |limit: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from(state >> 33).unwrap() % limit
            };
            for round in 0..4000 {
                let mut bytes = text.as_bytes().to_vec();
                if round < bytes.len() {
                    bytes.truncate(round);
                }
                for _ in 0..below(3) {
                    let (at, other) = (below(text.len()), below(text.len()));
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = text.as_bytes()[other];
                    }
                }
                let Ok(damaged) = std::str::from_utf8(&bytes) else { continue };
                let Ok(recipe) = Recipe::parse(damaged, Path::new(name)) else { continue };
                read += 1;
                let written = recipe.to_toml();
                let again = Recipe::parse(&written, Path::new("mod.toml"));
                let again = again.unwrap_or_else(|error| panic!("{error}: {damaged}\n{written}"));
                let changes = |recipe: &Recipe| -> Vec<_> {
                    recipe.changes.iter().map(|of| (of.property.clone(), of.conditions.clone())).collect()
                };
                assert_eq!(changes(&recipe), changes(&again), "{damaged}\n{written}");
            }
        }
        assert!(read > 500, "{read}");
    }
}
