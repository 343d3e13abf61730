//! The changes so far: taken back, saved as a mod or a recipe, and opened from one.
//!
//! | address | answer |
//! |---|---|
//! | `GET /api/draft` | the changes |
//! | `POST /api/draft/undo`, `redo`, `clear` | takes a step back, or again; takes all back |
//! | `POST /api/draft/remove` | takes one change out |
//! | `POST /api/draft/open` | opens a recipe in place of the changes |
//! | `POST /api/draft/save` | writes a mod or a recipe into the folder for saving |

use super::open::as_typed;
use super::state::State;
use crate::browse::drafting::{DraftListing, said};
use crate::browse::server::reply::{self, Refusal, Reply};
use crate::browse::server::request;
use crate::browse::session::Opened;
use crate::game::{BuildOptions, Built, OutputPath, PackOptions, Recipe};
use crate::identify::has_extension;
use crate::job::Context;
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Answers with the changes so far.
pub(super) async fn listing(state: &State) -> Result<Reply, Refusal> {
    reply::json(&DraftListing::new(&*state.draft.lock().await))
}

/// Answers a request that is not about a game.
pub(super) async fn change(state: &State, how: &str, body: Incoming) -> Result<Reply, Refusal> {
    let mut draft = state.draft.lock().await;
    let is_changed = match how {
        "undo" => draft.undo(),
        "redo" => draft.redo(),
        "clear" => {
            draft.set(Recipe::default());
            true
        }
        "remove" => {
            let Removed { kind, at } = request::body(body).await?;
            let mut recipe = Recipe::clone(draft.recipe());
            let is_there = remove(&mut recipe, &kind, at);
            draft.set(recipe);
            is_there
        }
        "open" => {
            let Place { path } = request::body(body).await?;
            let recipe = Recipe::open(&as_typed(&path));
            draft.open(recipe.map_err(|error| Refusal::unprocessable(error.to_string()))?);
            true
        }
        _ => return Err(Refusal::not_found("there is no such address")),
    };
    if is_changed {
        reply::json(&DraftListing::new(&draft))
    } else {
        Err(Refusal::conflict("there is no such change"))
    }
}

#[derive(Deserialize)]
struct Place {
    path: PathBuf,
}

/// A change that is to be taken out.
#[derive(Deserialize)]
struct Removed {
    kind: String,
    at: usize,
}

fn remove(recipe: &mut Recipe, kind: &str, at: usize) -> bool {
    fn take<T>(list: &mut Vec<T>, at: usize) -> bool {
        let is_there = at < list.len();
        if is_there {
            list.remove(at);
        }
        is_there
    }
    match kind {
        "value" => take(&mut recipe.changes, at),
        "picture" => take(&mut recipe.pictures, at),
        "text" => take(&mut recipe.texts, at),
        "code" => take(&mut recipe.code, at),
        "files" => take(&mut recipe.files, at),
        _ => false,
    }
}

/// A request to save the changes.
#[derive(Deserialize)]
struct Saving {
    name: String,
    /// `mod` or `recipe`.
    form: String,
    #[serde(default)]
    overwrite: bool,
}

/// Files that were written.
#[derive(Serialize)]
struct SavedDraft {
    /// Path of the mod's container or pak, or of the recipe's folder.
    path: String,
    packages: usize,
    texts: usize,
    /// Values that were not what the recipe expects.
    doubts: Vec<String>,
    /// Reasons why the game may reject the mod.
    warnings: Vec<String>,
}

/// Writes a mod or a recipe into the folder for saving.
pub(super) async fn save(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let Saving { name, form, overwrite } = request::body(body).await?;
    let closed = || Refusal::forbidden("nothing can be saved: uncask was started without a folder for it");
    let folder = state.options.save_to.clone().ok_or_else(closed)?;
    let name = one_name(&name)?;
    let recipe = Recipe { name: Some(name.clone()), ..Recipe::clone(state.draft.lock().await.recipe()) };
    let opened = state.opened()?;
    let cpu = opened.game.cpu().clone();
    let work = move |context: &Context| match form.as_str() {
        "recipe" => {
            let folder = folder.join(&name);
            recipe.save(&folder, overwrite)?;
            let path = folder.display().to_string();
            Ok(SavedDraft { path, packages: 0, texts: 0, doubts: Vec::new(), warnings: Vec::new() })
        }
        "mod" => save_mod(&opened, &recipe, (&folder, &name, overwrite), context),
        _ => Err(Refusal::bad_request("expected mod or recipe")),
    };
    reply::json(&state.workshop.run(&cpu, work).await?)
}

fn save_mod(
    opened: &Opened,
    recipe: &Recipe,
    (folder, name, overwrite): (&Path, &str, bool),
    context: &Context,
) -> Result<SavedDraft, Refusal> {
    let is_container = |path: &Path| has_extension(path, &["utoc"]);
    let has_containers = opened.base().containers().iter().any(|of| is_container(of.path()));
    // Only names with this end are loaded over the game's own.
    let stem = name.strip_suffix("_P").unwrap_or(name);
    let output = folder.join(format!("{stem}_P.{}", if has_containers { "utoc" } else { "pak" }));
    let packing = PackOptions { companion: true, replace: overwrite, ..PackOptions::default() };
    let options = BuildOptions { values: opened.values(), packing, keep_going: false };
    let built = opened.game.within(context).build(recipe, Some(&output), &options);
    let built = built.map_err(|error| Refusal::unprocessable(error.to_string()))?;
    refuse(&built)?;
    let doubts = built.doubts.iter().map(|doubt| {
        format!("{} was {}, expected {}: {}", doubt.address, doubt.found, doubt.expected, doubt.path)
    });
    let Some(written) = &built.written else {
        return Err(Refusal::unprocessable("nothing changed, so there is no mod to write"));
    };
    Ok(SavedDraft {
        path: output.display().to_string(),
        packages: built.packages.len(),
        texts: built.texts.len(),
        doubts: doubts.collect(),
        warnings: written.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// Refuses a mod that is not whole; nothing of it was written.
fn refuse(built: &Built) -> Result<(), Refusal> {
    if built.outcome.cancelled {
        return Err(Refusal::given_up());
    }
    let failures = built.outcome.failures.iter().map(|failure| failure.error.to_string());
    let mut said: Vec<String> =
        built.problems.iter().map(|problem| said(&problem.fault)).chain(failures).collect();
    let more = said.len().saturating_sub(10);
    said.truncate(10);
    if more > 0 {
        said.push(format!("and {more} more"));
    }
    if said.is_empty() { Ok(()) } else { Err(Refusal::unprocessable(said.join("; "))) }
}

/// A name for a file or folder, without folders in it.
fn one_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let is_one = !name.is_empty() && !name.contains(['/', '\\']);
    let name = Some(OutputPath::sanitize(name).to_string()).filter(|_| is_one);
    name.ok_or_else(|| Refusal::bad_request("expected a name without slashes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(one_name(" My mod ").unwrap(), "My mod");
        for bad in ["", "  ", "a/b", r"..\x"] {
            assert!(one_name(bad).is_err(), "{bad}");
        }
        assert_ne!(one_name("..").unwrap(), "..");
    }
}
