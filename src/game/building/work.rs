//! Changes of one package, in their order.

use super::outcome::{BuildFault, BuildProblem};
use crate::changes::{CodeChangeOf, Recipe, RecipePlace};
use crate::code::ListingDocument;
use crate::error::Result;
use crate::replace::read_picture;
use crate::source::read_file;
use crate::values::PackageInput;
use crate::values::edit::{CodeEdit, Edited, Editing, RuleOutcome, RuleSet, TextureWish, Wanted};
use crate::wire::decode_text;
use std::sync::Arc;

/// Changes of a package; numbers are positions in the recipe.
#[derive(Default)]
pub(super) struct PackageWork {
    pub rules: Vec<Arc<RuleSet>>,
    pub code: Vec<(usize, Vec<CodeEdit>)>,
    pub pictures: Vec<usize>,
}

/// A package after all changes.
pub(super) struct BuiltPackage {
    pub edited: Option<Edited>,
    pub rules: Vec<RuleOutcome>,
    pub problems: Vec<BuildProblem>,
    pub name: String,
    /// Number of objects that cannot be read.
    pub unread: usize,
}

impl PackageWork {
    /// Makes all changes of a package: values, then functions, then pictures.
    pub(super) fn edit(
        &self,
        editing: &Editing,
        at: usize,
        (recipe, limit): (&Recipe, u64),
    ) -> Result<BuiltPackage> {
        let name = editing.inputs().get(at).map(PackageInput::package_name).unwrap_or_default();
        let mut built =
            BuiltPackage { edited: None, rules: Vec::new(), problems: Vec::new(), name, unread: 0 };
        if !self.rules.is_empty() {
            let mut edited = editing.edit(at, &Wanted::Rules(self.rules.clone()))?;
            built.rules = std::mem::take(&mut edited.rules);
            built.unread = edited.unread;
            if built.rules.iter().any(|rule| rule.is_refused) {
                return Ok(built);
            }
            built.edited = Some(edited).filter(|edited| edited.exports > 0);
        }
        for (number, edits) in &self.code {
            let wanted = Wanted::Code(edits.clone());
            let edited = match built.edited.take() {
                Some(before) => editing.edit_again(before, &wanted),
                None => editing.edit(at, &wanted),
            };
            built.take(edited, recipe.code.get(*number).map(|code| &code.place));
        }
        if self.pictures.is_empty() {
            return Ok(built);
        }
        let pictures: Vec<_> =
            self.pictures.iter().filter_map(|number| recipe.pictures.get(*number)).collect();
        let place = pictures.first().map(|picture| &picture.place);
        let read = pictures.iter().map(|picture| Ok((picture, read_picture(&picture.file, limit)?)));
        let files = match read.collect::<Result<Vec<_>>>() {
            Ok(files) => files,
            Err(error) => {
                built.take(Err(error), place);
                return Ok(built);
            }
        };
        let wishes: Vec<TextureWish<'_>> = files
            .iter()
            .filter_map(|(picture, file)| {
                let (object, is_optional) = (picture.object.clone(), picture.is_optional);
                Some(TextureWish { object, picture: file.picture()?, is_optional })
            })
            .collect();
        let edited = match built.edited.take() {
            Some(before) => editing.replace_textures_again(before, &wishes),
            None => editing.replace_textures(at, &wishes),
        };
        built.take(edited, place);
        Ok(built)
    }
}

impl BuiltPackage {
    /// Takes the package after a further change, or the reason that it could not be made.
    fn take(&mut self, edited: Result<Edited>, place: Option<&RecipePlace>) {
        match edited {
            Ok(edited) => self.edited = Some(edited),
            Err(error) => {
                let place = place.cloned().unwrap_or_default();
                self.problems.push(BuildProblem { place, fault: error.into() });
            }
        }
    }
}

/// The package and the edits of a change of functions.
pub(super) fn code_edits(change: &CodeChangeOf) -> std::result::Result<(String, Vec<CodeEdit>), BuildFault> {
    /// Length of the largest listing, in bytes.
    const MAX_LISTING: u64 = 256 << 20;
    let bad = |problem: &dyn std::fmt::Display| BuildFault::Listing(problem.to_string());
    Ok(match change {
        CodeChangeOf::Listing(path) => {
            let bytes = read_file(path, MAX_LISTING)?;
            let text = decode_text(&bytes).map_err(|error| bad(&error))?;
            let ListingDocument { package, functions } =
                ListingDocument::parse(&text).map_err(|error| bad(&error))?;
            let edit = |(function, listing)| CodeEdit::Assemble { function, listing };
            (package, functions.into_iter().map(edit).collect())
        }
        CodeChangeOf::Constant { package, at, from, set } => {
            let place = at.parse().map_err(|error: crate::bytecode::CodePlaceError| bad(&error))?;
            let edit = CodeEdit::Set { place, value: set.clone(), was: from.clone() };
            (package.clone(), vec![edit])
        }
        CodeChangeOf::NoOp { package, at } => {
            let place = at.parse().map_err(|error: crate::bytecode::CodePlaceError| bad(&error))?;
            (package.clone(), vec![CodeEdit::Remove(place)])
        }
    })
}
