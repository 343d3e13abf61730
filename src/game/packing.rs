//! Making containers and paks, and checking whether a game will load them.

use super::{Game, GameOptions};
use crate::error::Result;
use crate::job::{Failure, block_on};
use crate::pack::{self, BaseGame, Checked, PackOptions, Packed, ToZenInput, Zenned};
use crate::values::edit::{EditOutput, Edited, Editing, SaveOptions, Saved};
use std::path::Path;
use std::sync::Arc;

impl GameOptions {
    /// Packs the files below a folder into a container (`.utoc` and `.ucas`), on the threads and in the memory of these options.
    pub fn pack(&self, folder: &Path, utoc: &Path, options: &PackOptions) -> Result<Packed> {
        block_on(pack::pack(folder, utoc, options, &self.settings.context(false)))?
    }

    /// Packs the files below a folder into a `.pak`.
    pub fn pack_pak(&self, folder: &Path, pak: &Path, options: &PackOptions) -> Result<Packed> {
        block_on(pack::pack_pak(folder, pak, options, &self.settings.context(false)))?
    }

    /// Packs cooked packages into a container as zen packages, which take their imports from the game that they are for.
    pub fn to_zen(
        &self,
        inputs: &[ToZenInput],
        utoc: &Path,
        options: &PackOptions,
        game: Option<Arc<BaseGame>>,
    ) -> Result<Zenned> {
        block_on(pack::to_zen(
            inputs,
            utoc,
            options,
            game,
            self.settings.memory,
            &self.settings.context(false),
        ))?
    }

    /// Writes edited packages into a container, a pak or a folder.
    pub fn save(
        &self,
        editing: &Editing,
        edited: &[Edited],
        output: &EditOutput,
        options: &SaveOptions,
    ) -> Result<Saved> {
        block_on(editing.save(edited, output, options, &self.settings.context(false)))?
    }
}

impl Game {
    /// This game as the one that a mod is for.
    #[must_use]
    pub fn as_base(&self) -> BaseGame {
        BaseGame::new(Arc::clone(&self.packages))
    }

    /// The files of its paks, as packages to convert.
    #[must_use]
    pub fn to_zen_input(&self) -> ToZenInput {
        ToZenInput::Paks(self.store.clone())
    }

    /// Checks the containers and paks of a mod, by themselves and against the game that they are for. `damaged` are the chunks that
    /// failed [`verify`](Self::verify).
    #[must_use]
    pub fn check(&self, game: Option<&BaseGame>, damaged: Vec<Failure>) -> Checked {
        pack::check(&self.packages, game, damaged, self.cpu())
    }
}
