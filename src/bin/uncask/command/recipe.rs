//! `uncask recipe`: writes what a mod changes as a recipe.

use crate::args::RecipeArgs;
use crate::exit::{Exit, UsageError};
use crate::inputs::has_extension;
use crate::keys;
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::packed::refused;
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{
    BuildError, ExtractedRecipe, JoinError, Lend, RECIPE_FILE, RECIPE_SCHEMA, Recipe, RecipeOptions,
};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    output: String,
    changes: usize,
    pictures: usize,
    texts: usize,
    code: usize,
    /// Packages that come out byte for byte, or alike.
    exact: &'r [String],
    alike: &'r [String],
    /// Packages and files that are in it as wholes.
    whole: &'r [String],
    unchanged: &'r [String],
}

pub(crate) fn run(args: &RecipeArgs, session: &Session) -> anyhow::Result<Exit> {
    if args.schema {
        let mut out = printer::out();
        for line in RECIPE_SCHEMA.lines() {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        return Ok(Exit::Ok);
    }
    let (Some(file), Some(output)) = (&args.file, &args.output) else {
        return Err(UsageError("a mod and a folder for its recipe are needed".to_owned()).into());
    };
    if has_extension(file, "json") {
        return of_patch(file, output, args, session);
    }
    let Some(game) = &args.game else {
        return Err(UsageError(
            "--game is needed: the changes of a mod are found by comparing it".to_owned(),
        )
        .into());
    };
    let open = |path: &Path| session.open(&args.store(path), Lend::Always);
    let (own, base) = (open(file)?, open(game)?);
    for opened in [&own, &base] {
        session.warn_of_locks(opened);
    }
    let options =
        RecipeOptions { values: values::options(&args.reading, game, session)?, replace: args.overwrite };
    let (making, progress) = session.making("packages");
    let making = making.keys(keys::collect(&args.aes_key, &session.printer)?);
    let extracted = session.make(|| making.extract_recipe((file, &own), &base, output, &options));
    progress.finish();
    let found = match extracted {
        Ok(found) => found,
        Err(
            BuildError::Io(Error::Refused { reasons })
            | BuildError::Join(JoinError::Io(Error::Refused { reasons })),
        ) => {
            return Ok(refused(&reasons, session));
        }
        Err(BuildError::Io(error) | BuildError::Join(JoinError::Io(error))) => return Err(error.into()),
        Err(error) => return Err(error.into()),
    };
    let read = values::report_outcomes(session, &found.outcomes, &own, (&args.reading, game.as_path()));
    report(&found, output, session)?;
    Ok(read)
}

/// Writes a patch as a recipe.
fn of_patch(file: &Path, output: &Path, args: &RecipeArgs, session: &Session) -> anyhow::Result<Exit> {
    let recipe = Recipe::open(file)?;
    match recipe.save(output, args.overwrite) {
        Err(Error::Refused { reasons }) => return Ok(refused(&reasons, session)),
        saved => saved?,
    }
    report(&ExtractedRecipe { recipe, ..ExtractedRecipe::default() }, output, session)?;
    Ok(Exit::Ok)
}

fn report(found: &ExtractedRecipe, output: &Path, session: &Session) -> anyhow::Result<()> {
    let recipe = &found.recipe;
    if session.printer.json {
        printer::print_json(&Report {
            schema: "uncask.recipe-of/1",
            output: output.display().to_string(),
            changes: recipe.changes.len(),
            pictures: recipe.pictures.len(),
            texts: recipe.texts.len(),
            code: recipe.code.len(),
            exact: &found.exact,
            alike: &found.alike,
            whole: &found.whole,
            unchanged: &found.unchanged,
        })?;
    }
    let parts = [
        counted(recipe.changes.len() as u64, "value", "values"),
        counted(recipe.pictures.len() as u64, "picture", "pictures"),
        counted(recipe.texts.len() as u64, "text", "texts"),
        counted(recipe.code.len() as u64, "listing", "listings"),
    ];
    session.printer.note(&format!("{}: {}", parts.join(", "), output.join(RECIPE_FILE).display()));
    let packages = |count: usize| counted(count as u64, "package or file", "packages and files");
    if !(found.exact.is_empty() && found.alike.is_empty()) {
        let alike = match found.alike.len() {
            0 => String::new(),
            count => format!(", {} with the same content", packages(count)),
        };
        session
            .printer
            .note(&format!("built again, it gives {} byte for byte{alike}", packages(found.exact.len())));
    }
    if !found.whole.is_empty() {
        let whole =
            counted(found.whole.len() as u64, "package or file as a whole", "packages and files as wholes");
        session.printer.note(&format!("{whole}, below files/"));
    }
    if !found.unchanged.is_empty() {
        let same = "package or file is that of the game";
        let unchanged =
            counted(found.unchanged.len() as u64, same, "packages and files are those of the game");
        session.printer.note(&format!("{unchanged}, and left out"));
    }
    Ok(())
}
