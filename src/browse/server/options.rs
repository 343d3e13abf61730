use crate::crypto::KeyRing;
use std::path::PathBuf;

/// How a game is served.
#[derive(Debug, Clone)]
pub struct BrowseOptions {
    /// What is open at the start, if anything is.
    pub game: Option<PathBuf>,
    /// Containers that only lend their names, such as the game that a mod belongs to.
    pub base: Vec<PathBuf>,
    /// Its mappings, if they are not beside it.
    pub mappings: Option<PathBuf>,
    /// Keys.
    pub keys: KeyRing,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The only folder that anything is saved to by the server itself; without it, nothing is.
    pub save_to: Option<PathBuf>,
    /// The folder in which games that were opened are remembered, and keys if the page asks for that; without it, nothing is
    /// remembered when the program ends.
    pub remember_in: Option<PathBuf>,
    /// Memory for all requests together, in bytes.
    pub memory: u64,
    /// Worker threads; 0 for one per core.
    pub threads: usize,
}
