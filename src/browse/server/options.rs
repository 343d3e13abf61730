use crate::crypto::KeyRing;
use crate::version::Release;
use std::path::PathBuf;

/// Options for serving a game.
#[derive(Debug, Clone)]
pub struct BrowseOptions {
    /// The game to open at the start.
    pub game: Option<PathBuf>,
    /// Containers that only lend names, such as the game that a mod belongs to.
    pub base: Vec<PathBuf>,
    /// Its mappings, if they are not beside it.
    pub mappings: Option<PathBuf>,
    /// The release that wrote its packages, if they do not name it and another one would be taken.
    pub engine: Option<&'static Release>,
    /// Keys for encrypted containers.
    pub keys: KeyRing,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The only folder that the server saves files to; `None` to save nothing.
    pub save_to: Option<PathBuf>,
    /// The folder for the list of opened games, and for keys if the page asks to keep them; `None` to forget all when
    /// the program ends.
    pub remember_in: Option<PathBuf>,
    /// Memory budget for all requests together, in bytes.
    pub memory: u64,
    /// Worker threads; 0 for one per core.
    pub threads: usize,
}
