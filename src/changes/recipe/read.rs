//! Reads recipes.

use super::model::{
    CodeChangeOf, RECIPE_FILE, Recipe, RecipeChange, RecipeCode, RecipePicture, RecipePlace, RecipeText,
};
use super::patch;
use super::toml_value::{set_text, to_json};
use crate::error::Error;
use crate::identify::has_extension;
use crate::source::read_file;
use crate::values::edit::{AddressPattern, AddressPatternError, Condition, ConditionError, RuleChange};
use crate::wire::decode_text;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::{Spanned, Value as Toml};

/// Length of the largest recipe, in bytes.
const MAX_LEN: u64 = 64 << 20;
/// The most recipes that one may consist of.
const MAX_FILES: usize = 1000;

/// An error in a recipe.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct RecipeError {
    /// Its place.
    pub place: RecipePlace,
    /// The problem.
    #[source]
    pub problem: Box<RecipeProblem>,
}

impl RecipePlace {
    /// An error at this place.
    pub(crate) fn error(&self, problem: impl Into<RecipeProblem>) -> RecipeError {
        RecipeError { place: self.clone(), problem: Box::new(problem.into()) }
    }
}

/// A problem of a recipe.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeProblem {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// It is no text, or no TOML, or has a key that recipes do not have.
    #[error("{0}")]
    Syntax(String),
    /// A change has none or several of the keys of which it needs one.
    #[error("found {found}, expected one of {}", expected.join(", "))]
    OneOf {
        /// The keys that are there.
        found: String,
        /// The keys of which one is needed.
        expected: &'static [&'static str],
    },
    /// A value is of a kind that nothing in a game has.
    #[error(
        "found a date or a number without value, expected a number, a text, true, false, a list or a table"
    )]
    Value,
    /// An address is none.
    #[error(transparent)]
    Address(#[from] AddressPatternError),
    /// A condition is none.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Recipes include each other, or there are too many.
    #[error("includes itself, or more than {MAX_FILES} recipes")]
    Include,
    /// A path leads out of the folder of the recipe.
    #[error("found a path that leads out of the folder of the recipe: {0}")]
    Outside(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    #[serde(default)]
    include: Vec<Spanned<String>>,
    #[serde(default)]
    files: Vec<Spanned<String>>,
    #[serde(default)]
    change: Vec<ChangeRow>,
    #[serde(default)]
    picture: Vec<PictureRow>,
    #[serde(default)]
    text: Vec<TextRow>,
    #[serde(default)]
    code: Vec<CodeRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRow {
    packages: OneOrMore,
    property: Spanned<String>,
    class: Option<String>,
    #[serde(default, rename = "where")]
    conditions: BTreeMap<String, Spanned<Toml>>,
    from: Option<Toml>,
    set: Option<Toml>,
    multiply: Option<f64>,
    add: Option<f64>,
    append: Option<Toml>,
    remove: Option<Toml>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PictureRow {
    package: Spanned<String>,
    object: Option<String>,
    file: Spanned<String>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextRow {
    file: Spanned<String>,
    #[serde(default)]
    culture: String,
    #[serde(default)]
    namespace: String,
    key: String,
    from: Option<String>,
    set: String,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeRow {
    listing: Option<Spanned<String>>,
    package: Option<Spanned<String>>,
    at: Option<Spanned<String>>,
    from: Option<Toml>,
    set: Option<Toml>,
    #[serde(default)]
    remove: bool,
    #[serde(default)]
    optional: bool,
}

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
        let mut conditions = Vec::new();
        for (path, wanted) in row.conditions {
            let texts = match to_json(wanted.get_ref()) {
                Some(Json::Array(any)) => any.iter().map(set_text).collect(),
                Some(one) => vec![set_text(&one)],
                None => return Err(self.error(wanted.span(), RecipeProblem::Value)),
            };
            Condition::new(&path, &texts).map_err(|error| self.error(wanted.span(), error))?;
            conditions.push((path, texts));
        }
        Ok(RecipeChange {
            place: self.place(span.clone()),
            packages: match row.packages {
                OneOrMore::One(package) => vec![package],
                OneOrMore::More(packages) => packages,
            },
            property: row.property.into_inner(),
            class: row.class,
            conditions,
            from: row.from.as_ref().map(json).transpose()?,
            change,
            is_optional: row.optional,
        })
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

/// What is removed: the value at the address, or elements that are like these.
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
