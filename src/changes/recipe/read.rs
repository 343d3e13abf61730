//! Reads recipes.

use super::model::{
    CodeChangeOf, RECIPE_FILE, Recipe, RecipeChange, RecipeCode, RecipePicture, RecipePlace, RecipeText,
};
use super::patch;
use super::problem::{MAX_FILES, RecipeError, RecipeProblem};
use super::rows::{ChangeRow, CodeRow, File, OneOrMore};
use super::toml_value::{set_text, to_json};
use crate::identify::has_extension;
use crate::source::read_file;
use crate::values::edit::{AddressPattern, Condition, RuleChange};
use crate::wire::decode_text;
use serde_json::Value as Json;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::{Spanned, Value as Toml};

/// Length of the largest recipe, in bytes.
const MAX_LEN: u64 = 64 << 20;

impl Recipe {
    /// Reads a recipe, and those that it includes: a folder with `mod.toml`, a `.toml`, or the JSON of a loader that changes tables
    /// and blueprints while a game runs.
    pub fn open(path: &Path) -> Result<Self, RecipeError> {
        let file = if path.is_dir() { path.join(RECIPE_FILE) } else { path.to_owned() };
        let mut reading = Reading { recipe: Self::default(), open: Vec::new(), count: 0 };
        reading.file(&file, None)?;
        Ok(reading.recipe)
    }

    /// Reads the text of a recipe, which stands at this path; those that it includes are files.
    pub fn parse(text: &str, path: &Path) -> Result<Self, RecipeError> {
        let mut reading = Reading { recipe: Self::default(), open: Vec::new(), count: 0 };
        reading.text(path, text)?;
        Ok(reading.recipe)
    }
}

struct Reading {
    recipe: Recipe,
    /// Files that include the one that is being read.
    open: Vec<PathBuf>,
    count: usize,
}

/// A file that is being read.
struct Source<'s> {
    path: Arc<Path>,
    text: &'s str,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl Reading {
    fn file(&mut self, path: &Path, from: Option<&RecipePlace>) -> Result<(), RecipeError> {
        let whole = RecipePlace { path: path.into(), at: None };
        let at = |problem: RecipeProblem| RecipeError {
            place: from.unwrap_or(&whole).clone(),
            problem: problem.into(),
        };
        self.count += 1;
        let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.count > MAX_FILES || self.open.contains(&full) {
            return Err(at(RecipeProblem::Include));
        }
        let bytes = read_file(path, MAX_LEN).map_err(|error| at(error.into()))?;
        let bad = |problem: String| RecipeError {
            place: whole.clone(),
            problem: RecipeProblem::Syntax(problem).into(),
        };
        let text = decode_text(&bytes).map_err(|error| bad(format!("not a text: {error}")))?;
        self.open.push(full);
        let read = self.text(path, &text);
        self.open.pop();
        read
    }

    fn text(&mut self, path: &Path, text: &str) -> Result<(), RecipeError> {
        if has_extension(path, &["json"]) {
            let place = RecipePlace { path: path.into(), at: None };
            let changes = patch::read(text, &place);
            self.recipe
                .changes
                .extend(changes.map_err(|problem| place.error(RecipeProblem::Syntax(problem)))?);
            return Ok(());
        }
        self.toml(&Source::new(path, text))
    }

    fn toml(&mut self, source: &Source<'_>) -> Result<(), RecipeError> {
        let file: File = toml::from_str(source.text).map_err(|error| {
            let place = source.place(error.span().unwrap_or_default());
            RecipeError { place, problem: RecipeProblem::Syntax(one_line(error.message())).into() }
        })?;
        for include in file.include {
            let place = source.place(include.span());
            // Other recipes may lie anywhere: nothing but text is read from them.
            let path = source.folder().join(include.get_ref());
            self.file(&path, Some(&place))?;
        }
        let recipe = &mut self.recipe;
        // The name is that of the recipe that includes the others, which is read last.
        recipe.name = file.name.or_else(|| recipe.name.take());
        for folder in &file.files {
            recipe.files.push(source.inside(folder)?);
        }
        for row in file.change {
            recipe.changes.push(source.change(row)?);
        }
        for row in file.picture {
            recipe.pictures.push(RecipePicture {
                place: source.place(row.package.span()),
                file: source.inside(&row.file)?,
                package: row.package.into_inner(),
                object: row.object,
                is_optional: row.optional,
            });
        }
        for row in file.text {
            recipe.texts.push(RecipeText {
                place: source.place(row.file.span()),
                file: row.file.into_inner(),
                culture: row.culture,
                namespace: row.namespace,
                key: row.key,
                from: row.from,
                set: row.set,
                is_optional: row.optional,
            });
        }
        for row in file.code {
            recipe.code.push(source.code(row)?);
        }
        Ok(())
    }
}

impl<'s> Source<'s> {
    fn new(path: &Path, text: &'s str) -> Self {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { path: path.into(), text, lines: std::iter::once(0).chain(after).collect() }
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn place(&self, span: Range<usize>) -> RecipePlace {
        let line = self.lines.partition_point(|start| *start <= span.start);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let column = self.text.get(start..span.start).unwrap_or_default().chars().count() + 1;
        RecipePlace { path: Arc::clone(&self.path), at: Some((line, column)) }
    }

    /// The path of a file of the mod, which has to be below the folder of the recipe.
    fn inside(&self, path: &Spanned<String>) -> Result<PathBuf, RecipeError> {
        let text = path.get_ref();
        let relative = Path::new(text);
        let is_plain = |part: std::path::Component<'_>| {
            matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)
        };
        if !relative.components().all(is_plain) {
            return Err(self.error(path.span(), RecipeProblem::Outside(text.clone())));
        }
        Ok(self.folder().join(relative))
    }

    fn error(&self, span: Range<usize>, problem: impl Into<RecipeProblem>) -> RecipeError {
        RecipeError { place: self.place(span), problem: Box::new(problem.into()) }
    }

    fn change(&self, row: ChangeRow) -> Result<RecipeChange, RecipeError> {
        let span = row.property.span();
        let bad = |problem: RecipeProblem| self.error(span.clone(), problem);
        let json = |value: &Toml| to_json(value).ok_or_else(|| bad(RecipeProblem::Value));
        let mut changes = Vec::new();
        if let Some(value) = &row.set {
            changes.push(("set", RuleChange::Set(set_text(&json(value)?))));
        }
        changes.extend(row.multiply.map(|factor| ("multiply", RuleChange::Multiply(factor))));
        changes.extend(row.add.map(|summand| ("add", RuleChange::Add(summand))));
        if let Some(value) = &row.append {
            changes.push(("append", RuleChange::Append(appended(&json(value)?))));
        }
        if let Some(value) = &row.remove {
            changes.push(("remove", removed(json(value)?)));
        }
        let (1, Some((_, change))) = (changes.len(), changes.last().cloned()) else {
            let found: Vec<&str> = changes.iter().map(|(key, _)| *key).collect();
            let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
            let expected = &["set", "multiply", "add", "append", "remove"];
            return Err(bad(RecipeProblem::OneOf { found, expected }));
        };
        // Read here once, so that an error has its place.
        AddressPattern::new(row.property.get_ref()).map_err(|error| bad(error.into()))?;
        let conditions = row.conditions.map(|given| self.conditions(&given)).transpose()?;
        Ok(RecipeChange {
            place: self.place(span.clone()),
            packages: match row.packages {
                OneOrMore::One(package) => vec![package],
                OneOrMore::More(packages) => packages,
            },
            property: row.property.into_inner(),
            class: row.class,
            conditions: conditions.unwrap_or_default(),
            from: row.from.as_ref().map(json).transpose()?,
            change,
            is_optional: row.optional,
        })
    }

    /// Conditions of a table, or of all tables of a list.
    fn conditions(&self, given: &Spanned<Toml>) -> Result<Vec<(String, Vec<String>)>, RecipeError> {
        let bad = |problem: RecipeProblem| self.error(given.span(), problem);
        let tables = match given.get_ref() {
            Toml::Array(tables) => tables.iter().map(Toml::as_table).collect(),
            one => one.as_table().map(|table| vec![table]),
        };
        let tables: Vec<_> = tables.ok_or_else(|| bad(RecipeProblem::Where))?;
        let mut conditions = Vec::new();
        for (path, wanted) in tables.into_iter().flatten() {
            let texts = match to_json(wanted).ok_or_else(|| bad(RecipeProblem::Value))? {
                Json::Array(any) => any.iter().map(set_text).collect(),
                one => vec![set_text(&one)],
            };
            Condition::new(path, &texts).map_err(|error| bad(error.into()))?;
            conditions.push((path.clone(), texts));
        }
        Ok(conditions)
    }

    fn code(&self, row: CodeRow) -> Result<RecipeCode, RecipeError> {
        let expected = &["listing", "package with at"];
        let one_of =
            |span, found: &str| self.error(span, RecipeProblem::OneOf { found: found.to_owned(), expected });
        let text = |value: &Toml, span: Range<usize>| {
            to_json(value).map(|json| set_text(&json)).ok_or_else(|| self.error(span, RecipeProblem::Value))
        };
        let (span, change) = match (row.listing, row.package, row.at) {
            (Some(listing), None, None) => (listing.span(), CodeChangeOf::Listing(self.inside(&listing)?)),
            (None, Some(package), Some(at)) => {
                let (span, package, at) = (at.span(), package.into_inner(), at.into_inner());
                let change = match (row.set, row.remove) {
                    (Some(set), false) => {
                        let from = row.from.map(|from| text(&from, span.clone())).transpose()?;
                        CodeChangeOf::Constant { package, at, from, set: text(&set, span.clone())? }
                    }
                    (None, true) => CodeChangeOf::NoOp { package, at },
                    (set, _) => {
                        let found = if set.is_some() { "set and remove" } else { "none" };
                        let problem = RecipeProblem::OneOf {
                            found: found.to_owned(),
                            expected: &["set", "remove = true"],
                        };
                        return Err(self.error(span, problem));
                    }
                };
                (span, change)
            }
            (Some(listing), ..) => return Err(one_of(listing.span(), "both")),
            (None, Some(one), None) | (None, None, Some(one)) => {
                return Err(one_of(one.span(), "one of these alone"));
            }
            (None, None, None) => return Err(one_of(0..0, "none")),
        };
        Ok(RecipeCode { place: self.place(span), change, is_optional: row.optional })
    }
}

/// Elements, or entries of a map, to append.
fn appended(value: &Json) -> Vec<(Option<String>, String)> {
    match value {
        Json::Array(items) => items.iter().map(|item| (None, set_text(item))).collect(),
        Json::Object(entries) => {
            entries.iter().map(|(key, value)| (Some(key.clone()), set_text(value))).collect()
        }
        one => vec![(None, set_text(one))],
    }
}

/// The removal of the value at the address, or of elements that are like these.
fn removed(value: Json) -> RuleChange {
    match value {
        Json::Bool(true) => RuleChange::Remove,
        Json::Array(values) => RuleChange::RemoveValues(values),
        one => RuleChange::RemoveValues(vec![one]),
    }
}

/// A message without line breaks.
fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::recipe::RECIPE_SCHEMA;
    use std::collections::BTreeSet;

    /// Keys that a table may have, as the error about another one lists them.
    fn keys(table: &str) -> BTreeSet<String> {
        let text = format!("{table}\nno_such_key = 1\n");
        let error = Recipe::parse(&text, Path::new("mod.toml")).unwrap_err().to_string();
        let listed = error.split_once("expected one of ").unwrap_or_else(|| panic!("{error}")).1;
        listed.split(", ").map(|key| key.trim_matches('`').to_owned()).collect()
    }

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema: Json = serde_json::from_str(RECIPE_SCHEMA).unwrap();
        let known = |at: &Json| -> BTreeSet<String> {
            at["properties"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(keys(""), known(&schema));
        for table in ["change", "picture", "text", "code"] {
            assert_eq!(keys(&format!("[[{table}]]")), known(&schema["definitions"][table]), "{table}");
        }
    }

    #[test]
    fn several_conditions_may_be_on_one_value() {
        let toml = "[[change]]\npackages = \"*\"\nproperty = \"*.A\"\nset = 1\nwhere = [{ B = \">1\" }, { B = [\"<9\", 12] }]\n";
        let recipe = Recipe::parse(toml, Path::new("mod.toml")).unwrap();
        let texts: Vec<usize> = recipe.changes[0].conditions.iter().map(|(_, texts)| texts.len()).collect();
        assert_eq!(texts, [1, 2]);
        assert!(Recipe::parse(&toml.replace("[{ B", "[1, { B"), Path::new("mod.toml")).is_err());
    }
}
