//! Recipes with the files that they name.

use super::item::{FILES, look_for_recipe};
use super::{CODE, PICTURES};
use crate::changes::{CodeChangeOf, Recipe};
use crate::error::{Error, Result};
use crate::sink::{DirectorySink, OutputPath, Overwrite, copy_file};
use crate::source::{Links, files_below, open_file};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

impl Recipe {
    /// Writes the recipe and its schema into a folder, with copies of the pictures, listings and other files that it names. One that
    /// is there is replaced only if that is asked for.
    pub fn save(&self, folder: &Path, replace: bool) -> Result<()> {
        look_for_recipe(folder, replace)?;
        let mut copying = Copying { sink: DirectorySink::open(folder)?, folder, taken: HashSet::new() };
        let mut recipe = self.clone();
        for picture in &mut recipe.pictures {
            picture.file = copying.part(&picture.file, PICTURES)?;
        }
        for code in &mut recipe.code {
            if let CodeChangeOf::Listing(path) = &mut code.change {
                *path = copying.part(path, CODE)?;
            }
        }
        for path in &mut recipe.files {
            *path = copying.whole(path)?;
        }
        recipe.files.dedup();
        recipe.write_into(&copying.sink)
    }
}

struct Copying<'c> {
    sink: DirectorySink,
    folder: &'c Path,
    /// Paths of copies, in lower case.
    taken: HashSet<String>,
}

impl Copying<'_> {
    /// The path of a file in the folder of the recipe, where it is copied to unless it is there.
    fn part(&mut self, file: &Path, into: &str) -> Result<PathBuf> {
        if let Some(inside) = self.inside(file) {
            return Ok(inside);
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names = std::iter::once(name.clone()).chain((2_u32..).map(|number| format!("{number}-{name}")));
        let mut paths = names.map(|name| format!("{into}/{name}"));
        let path = paths.find(|path| self.taken.insert(path.to_lowercase())).unwrap_or_default();
        let output = OutputPath::sanitize(&path);
        self.copy(file, &output)?;
        Ok(output.to_string().into())
    }

    /// The path of a folder in that of the recipe, where its files are copied to unless it is there.
    fn whole(&self, files: &Path) -> Result<PathBuf> {
        if let Some(inside) = self.inside(files) {
            return Ok(inside);
        }
        let found = files_below(files, Links::Ignore, |_| true);
        if let Some(problem) = found.problems.into_iter().next() {
            return Err(problem);
        }
        for path in found.files {
            let relative = path.strip_prefix(files).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            self.copy(&path, &OutputPath::sanitize(&format!("{FILES}/{relative}")))?;
        }
        Ok(FILES.into())
    }

    fn inside(&self, path: &Path) -> Option<PathBuf> {
        Some(path.strip_prefix(self.folder).ok()?.to_owned())
    }

    fn copy(&self, from: &Path, to: &OutputPath) -> Result<()> {
        let file = open_file(from).map_err(Error::io("open", from))?;
        let len = file.metadata().map_err(Error::io("read", from))?.len();
        copy_file(&self.sink, to, &file, len, from, Overwrite::Different)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::{RecipeCode, RecipePicture, RecipePlace};

    #[test]
    fn files_of_a_recipe_go_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("a/T.png", "one"), ("b/t.PNG", "two"), ("A.txt", "code"), ("more/x/y.bin", "y")]
        {
            std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            std::fs::write(path(name), text).unwrap();
        }
        let place = RecipePlace::default;
        let picture = |name| RecipePicture {
            place: place(),
            package: "/Game/T".to_owned(),
            object: None,
            file: path(name),
            is_optional: false,
        };
        let listing = CodeChangeOf::Listing(path("A.txt"));
        let recipe = Recipe {
            pictures: vec![picture("a/T.png"), picture("b/t.PNG")],
            code: vec![RecipeCode { place: place(), change: listing, is_optional: false }],
            files: vec![path("more")],
            ..Recipe::default()
        };
        let saved = path("saved");
        recipe.save(&saved, false).unwrap();
        for (name, text) in [
            ("pictures/T.png", "one"),
            ("pictures/2-t.PNG", "two"),
            ("code/A.txt", "code"),
            ("files/x/y.bin", "y"),
        ] {
            assert_eq!(std::fs::read_to_string(saved.join(name)).unwrap(), text, "{name}");
        }
        let read = Recipe::open(&saved).unwrap();
        assert_eq!(read.pictures[1].file, saved.join("pictures/2-t.PNG"));
        // Once more, over itself: all files are there already.
        read.save(&saved, true).unwrap();
        assert_eq!(Recipe::open(&saved).unwrap(), read);
        assert!(read.save(&saved, false).is_err());
    }
}
