//! Tables of a recipe, as they stand in its file.

use serde::Deserialize;
use toml::{Spanned, Value as Toml};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<String>,
    #[serde(default)]
    pub include: Vec<Spanned<String>>,
    #[serde(default)]
    pub files: Vec<Spanned<String>>,
    #[serde(default)]
    pub change: Vec<ChangeRow>,
    #[serde(default)]
    pub picture: Vec<PictureRow>,
    #[serde(default)]
    pub text: Vec<TextRow>,
    #[serde(default)]
    pub code: Vec<CodeRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeRow {
    pub packages: OneOrMore,
    pub property: Spanned<String>,
    pub class: Option<String>,
    #[serde(rename = "where")]
    pub conditions: Option<Spanned<Toml>>,
    pub from: Option<Toml>,
    pub set: Option<Toml>,
    pub multiply: Option<f64>,
    pub add: Option<f64>,
    pub append: Option<Toml>,
    pub remove: Option<Toml>,
    #[serde(default)]
    pub optional: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PictureRow {
    pub package: Spanned<String>,
    pub object: Option<String>,
    pub file: Spanned<String>,
    #[serde(default)]
    pub optional: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextRow {
    pub file: Spanned<String>,
    #[serde(default)]
    pub culture: String,
    #[serde(default)]
    pub namespace: String,
    pub key: String,
    pub from: Option<String>,
    pub set: String,
    #[serde(default)]
    pub optional: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeRow {
    pub listing: Option<Spanned<String>>,
    pub package: Option<Spanned<String>>,
    pub at: Option<Spanned<String>>,
    pub from: Option<Toml>,
    pub set: Option<Toml>,
    #[serde(default)]
    pub remove: bool,
    #[serde(default)]
    pub optional: bool,
}
