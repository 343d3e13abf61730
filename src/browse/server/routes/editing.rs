//! Edits values, pictures and texts: every change is tried, and comes into the draft.
//!
//! | address | answer |
//! |---|---|
//! | `POST /api/edit/fields` | the values inside an object or a value |
//! | `POST /api/edit/json` | a value with all inside, as JSON |
//! | `POST /api/edit/packages` | names of packages, for references |
//! | `POST /api/edit/check` | whether a value can be changed so |
//! | `POST /api/edit/value` | changes a value |
//! | `POST /api/edit/text` | changes a text |
//! | `POST /api/edit/picture` | replaces the picture of a texture |
//!
//! Requests that change something wait for each other.

use super::state::{State, lock};
use crate::browse::drafting::{
    DraftListing, Fields, TextEdit, ValueEdit, fields, preview, try_picture, try_value, value_json,
};
use crate::browse::games::GamePlace;
use crate::browse::parameters::Parameters;
use crate::browse::row_id::RowId;
use crate::browse::search::Search;
use crate::browse::server::reply::{self, Refusal, Reply};
use crate::browse::server::request;
use crate::browse::session::Opened;
use crate::game::{Entry, OutputPath, Recipe, RecipePicture};
use crate::job::{Context, block_on};
use crate::sink::{DirectorySink, Overwrite, put};
use hyper::body::Incoming;
use serde::Deserialize;
use std::sync::Arc;

/// Values that are shown at a time.
const SHOWN: usize = 500;

/// Objects that are offered for a reference.
const OFFERED: usize = 20;

/// The longest picture, in bytes; less if there is less memory.
const MAX_PICTURE: u64 = 256 << 20;

/// Bytes of memory for each byte of a package that is read.
const PACKAGE_PRICE: u64 = 8;

/// Share of the memory that a picture may take as it is sent, as its inverse.
const PICTURE_SHARE: u64 = 16;

/// A request for values.
#[derive(Deserialize)]
struct Wanted {
    row: RowId,
    /// Address of the object or value; empty for the objects.
    #[serde(default)]
    at: String,
    /// Position of the first one.
    #[serde(default)]
    from: usize,
}

/// Answers with the values inside an object or a value, with the changes so far.
pub(super) async fn values(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let Wanted { row, at, from } = request::body(body).await?;
    let Asked { opened, package, price } = Asked::new(state, row)?;
    let recipe = Arc::clone(state.draft.lock().await.recipe());
    let cpu = opened.game.cpu().clone();
    let work = move |context: &Context| -> Result<Fields, Refusal> {
        let game = opened.base().within(context);
        let range = from..from.saturating_add(SHOWN);
        // Trying the changes pays for itself, and is over by then.
        let preview = preview(&game, &recipe, &package, opened.values())?;
        let _paid = block_on(context.budget().lease(price));
        fields(&preview, (&at, range))
    };
    reply::json(&state.workshop.run(&cpu, work).await?)
}

/// Answers with a value and all inside as JSON, by which another one can be set.
pub(super) async fn json(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let Wanted { row, at, .. } = request::body(body).await?;
    let Asked { opened, package, price } = Asked::new(state, row)?;
    let recipe = Arc::clone(state.draft.lock().await.recipe());
    let cpu = opened.game.cpu().clone();
    let work = move |context: &Context| {
        let preview = preview(&opened.base().within(context), &recipe, &package, opened.values())?;
        let _paid = block_on(context.budget().lease(price));
        value_json(&preview, &at)
    };
    reply::json(&state.workshop.run(&cpu, work).await?)
}

/// A search for packages.
#[derive(Deserialize)]
struct Searched {
    text: String,
}

/// Answers with objects that references can lead to: those that are called like their packages.
pub(super) async fn packages(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let Searched { text } = request::body(body).await?;
    let opened = state.opened()?;
    let cpu = opened.game.cpu().clone();
    let work = move |context: &Context| {
        let search = Search { text: format!("{text} .uasset"), ..Search::default() };
        let rows = opened.search(&search, context)?;
        let entries: Vec<Entry> =
            rows.iter().take(OFFERED).filter_map(|row| opened.index.entry(*row as usize)).collect();
        let inputs = opened.game.package_inputs(&entries);
        let names = inputs.items().iter().map(|item| {
            let name = item.package_name();
            format!("{name}.{}", name.rsplit('/').next().unwrap_or_default())
        });
        Ok(names.collect::<Vec<_>>())
    };
    reply::json(&state.workshop.run(&cpu, work).await?)
}

/// Changes a value, or only answers whether that can be done.
pub(super) async fn value(state: &State, body: Incoming, is_check: bool) -> Result<Reply, Refusal> {
    let edit: ValueEdit = request::body(body).await?;
    let Asked { opened, package, .. } = Asked::new(state, edit.row)?;
    let mut draft = state.draft.lock().await;
    let (recipe, place, cpu) = (Recipe::clone(draft.recipe()), draft.place(), opened.game.cpu().clone());
    let work = move |context: &Context| {
        let game = opened.base().within(context);
        try_value(&game, recipe, (&edit, &package), place, opened.values())
    };
    let recipe = state.workshop.run(&cpu, work).await?;
    if !is_check {
        draft.set(recipe);
    }
    reply::json(&DraftListing::new(&draft))
}

/// Changes a text.
pub(super) async fn text(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let edit: TextEdit = request::body(body).await?;
    let mut draft = state.draft.lock().await;
    let (mut recipe, place) = (Recipe::clone(draft.recipe()), draft.place());
    edit.add_to(&mut recipe, place);
    draft.set(recipe);
    reply::json(&DraftListing::new(&draft))
}

/// Replaces the picture of a texture.
pub(super) async fn picture(
    state: &State,
    parameters: &Parameters,
    body: Incoming,
) -> Result<Reply, Refusal> {
    let Asked { opened, package, .. } = Asked::new(state, parameters.needed("row")?)?;
    let limit = MAX_PICTURE.min(state.options.memory / PICTURE_SHARE);
    let bytes = request::at_most(body, usize::try_from(limit).unwrap_or(usize::MAX)).await?;
    let kind = kind_of(&bytes).ok_or_else(|| Refusal::unprocessable("expected a PNG, EXR or DDS file"))?;
    let mut draft = state.draft.lock().await;
    let (place, folder) = (draft.place(), draft.pictures()?);
    let number = place.at.map_or(0, |(number, _)| number);
    // A folder of its own, so that the file keeps the name of its texture.
    let name =
        OutputPath::sanitize(&format!("{number}/{}.{kind}", package.rsplit('/').next().unwrap_or_default()));
    put(&DirectorySink::open(&folder)?, &name, &bytes, Overwrite::Always)?;
    let object = Some(parameters.text("object").to_owned()).filter(|object| !object.is_empty());
    let file = folder.join(name.to_string());
    let picture = RecipePicture { place, package, object, file, is_optional: false };
    let (recipe, cpu) = (Recipe::clone(draft.recipe()), opened.game.cpu().clone());
    drop(bytes);
    let work = move |context: &Context| {
        try_picture(&opened.base().within(context), recipe, picture, opened.values())
    };
    let recipe = state.workshop.run(&cpu, work).await?;
    draft.set(recipe);
    reply::json(&DraftListing::new(&draft))
}

/// The kind of picture that some bytes are.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 3] =
        [(b"\x89PNG\r\n\x1a\n", "png"), (&[0x76, 0x2f, 0x31, 0x01], "exr"), (b"DDS ", "dds")];
    kinds.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| kind)
}

/// A package that is edited.
struct Asked {
    opened: Arc<Opened>,
    package: String,
    /// Bytes of memory for reading it.
    price: u64,
}

impl Asked {
    /// The package in a row.
    fn new(state: &State, row: RowId) -> Result<Self, Refusal> {
        let GamePlace { opened, entry, .. } = lock(&state.games).place(row)?;
        let inputs = opened.game.package_inputs(&[entry]);
        let item = inputs.items().first().ok_or_else(|| Refusal::not_found("not a package"))?;
        let (package, price) = (item.package_name(), item.len.saturating_mul(PACKAGE_PRICE));
        Ok(Self { opened, package, price })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_by_their_bytes() {
        assert_eq!(kind_of(b"\x89PNG\r\n\x1a\n..."), Some("png"));
        assert_eq!(kind_of(b"DDS |"), Some("dds"));
        assert_eq!(kind_of(b"MZ"), None);
    }
}
