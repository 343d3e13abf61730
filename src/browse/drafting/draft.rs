//! The draft: a recipe with the ones before it.

use crate::error::Result;
use crate::game::{Recipe, RecipePlace};
use crate::sink::ScratchFolder;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changes of the recipes that are kept for undoing, all together.
const MAX_KEPT: usize = 1 << 17;

/// Changes that are not saved yet.
#[derive(Default)]
pub(in crate::browse) struct Draft {
    now: Arc<Recipe>,
    past: VecDeque<Arc<Recipe>>,
    undone: Vec<Arc<Recipe>>,
    /// Number of the last change, for its place.
    last: usize,
    pictures: Option<ScratchFolder>,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Draft").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Draft {
    /// The changes as they are now.
    pub(in crate::browse) fn recipe(&self) -> &Arc<Recipe> {
        &self.now
    }

    /// A place that no other change has, by which problems are told apart.
    pub(in crate::browse) fn place(&mut self) -> RecipePlace {
        self.last += 1;
        RecipePlace { path: Path::new("").into(), at: Some((self.last, 1)) }
    }

    /// Goes on with another recipe.
    pub(in crate::browse) fn set(&mut self, recipe: Recipe) {
        if recipe == *self.now {
            return;
        }
        self.past.push_back(std::mem::replace(&mut self.now, Arc::new(recipe)));
        self.undone.clear();
        let mut kept: usize = self.past.iter().map(|recipe| len(recipe)).sum();
        while kept > MAX_KEPT {
            let Some(oldest) = self.past.pop_front() else { break };
            kept -= len(&oldest);
        }
    }

    /// Goes on with a recipe from elsewhere, whose changes get places of their own.
    pub(in crate::browse) fn open(&mut self, mut recipe: Recipe) {
        for change in &mut recipe.changes {
            change.place = self.place();
        }
        for picture in &mut recipe.pictures {
            picture.place = self.place();
        }
        for text in &mut recipe.texts {
            text.place = self.place();
        }
        for code in &mut recipe.code {
            code.place = self.place();
        }
        self.set(recipe);
    }

    /// Takes the last step back; false if there is none.
    pub(in crate::browse) fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop_back() else { return false };
        self.undone.push(std::mem::replace(&mut self.now, before));
        true
    }

    /// Takes the last step again that was taken back; false if there is none.
    pub(in crate::browse) fn redo(&mut self) -> bool {
        let Some(after) = self.undone.pop() else { return false };
        self.past.push_back(std::mem::replace(&mut self.now, after));
        true
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// A folder for pictures, which is gone when the program ends.
    pub(in crate::browse) fn pictures(&mut self) -> Result<PathBuf> {
        let folder = match self.pictures.take() {
            Some(folder) => folder,
            None => ScratchFolder::for_output(&std::env::temp_dir().join("draft"))?,
        };
        self.pictures.insert(folder).inner("pictures")
    }
}

/// Number of changes of a recipe; at least 1, so that empty ones are not kept for ever.
fn len(recipe: &Recipe) -> usize {
    1 + recipe.changes.len() + recipe.pictures.len() + recipe.texts.len() + recipe.code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Recipe {
        Recipe { name: Some(name.to_owned()), ..Recipe::default() }
    }

    #[test]
    fn steps_are_taken_back_and_again() {
        let mut draft = Draft::default();
        assert!(!draft.undo() && !draft.redo());
        for name in ["a", "b", "b"] {
            draft.set(named(name));
        }
        let now = |draft: &Draft| draft.recipe().name.clone().unwrap_or_default();
        assert!(draft.undo());
        assert_eq!(now(&draft), "a", "the same recipe again is no step");
        assert!(draft.redo() && !draft.redo());
        assert_eq!(now(&draft), "b");
        assert!(draft.undo());
        draft.set(named("c"));
        assert!(!draft.redo(), "a step after going back ends what was ahead");
        assert!(draft.undo() && draft.undo() && !draft.undo());
        assert_eq!(now(&draft), "");
    }
}
