//! Data that outlives the program: the opened games, and keys that the user asked to keep.
//!
//! ```json
//! {"games": [{"path": "/games/MyGame", "keys": []}]}
//! ```
//!
//! It is a file in the user's settings folder that only the user may read. It is read again before each change, because
//! another instance may have changed it.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the file.
const FILE: &str = "browse.json";

/// Number of games remembered.
const GAMES: usize = 10;

/// The longest file accepted, in bytes.
const MOST: u64 = 1 << 20;

/// The list of opened games.
#[derive(Debug)]
pub(super) struct Remembered {
    /// The file; without it, games are forgotten when the program ends.
    file: Option<PathBuf>,
    games: std::sync::Mutex<Games>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Games {
    games: Vec<Remembrance>,
}

/// An opened game.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Remembrance {
    path: String,
    #[serde(default)]
    keys: Vec<String>,
}

/// An opened game, for the page.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub(super) struct Recent {
    path: String,
    /// True if its keys are stored, too. The page never sees them.
    has_keys: bool,
}

impl Remembered {
    /// A list in this folder; without one, it is kept only until the program ends.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join(FILE));
        Self { file, games: std::sync::Mutex::default() }
    }

    /// The file, if any.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The opened games, newest first.
    pub(super) fn recent(&self) -> Vec<Recent> {
        let recent = |game: Remembrance| Recent { path: game.path, has_keys: !game.keys.is_empty() };
        self.change(|_| {}).0.games.into_iter().map(recent).collect()
    }

    /// The stored keys of a game.
    pub(super) fn keys(&self, path: &str) -> Vec<String> {
        let games = self.change(|_| {}).0.games;
        games.into_iter().find(|game| game.path == path).map(|game| game.keys).unwrap_or_default()
    }

    /// Adds a game with its keys; without keys, stored ones are kept.
    pub(super) fn add(&self, path: &str, keys: Vec<String>) -> io::Result<()> {
        self.change(|games| {
            // Move the game to the front, where the newest is.
            let before = games.iter().position(|game| game.path == path).map(|at| games.remove(at).keys);
            let keys = if keys.is_empty() { before.unwrap_or_default() } else { keys };
            games.insert(0, Remembrance { path: path.to_owned(), keys });
            games.truncate(GAMES);
        })
        .1
    }

    /// Removes a game and its keys; without a path, all games.
    pub(super) fn forget(&self, path: Option<&str>) -> io::Result<()> {
        self.change(|games| games.retain(|game| path.is_some_and(|path| game.path != path))).1
    }

    /// Changes the list. If it cannot be written, the change lasts until the program ends.
    fn change(&self, change: impl FnOnce(&mut Vec<Remembrance>)) -> (Games, io::Result<()>) {
        let mut games = self.games.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = self.file().and_then(read) {
            *games = known;
        }
        let before = serde_json::to_vec(&*games).unwrap_or_default();
        change(&mut games.games);
        let after = serde_json::to_vec(&*games).unwrap_or_default();
        let written = match self.file() {
            // Merely reading must not touch the file.
            Some(file) if before != after => write(file, &after),
            _ => Ok(()),
        };
        (games.clone(), written)
    }
}

/// Reads the file; `None` if it does not exist. An invalid file counts as empty.
fn read(file: &Path) -> Option<Games> {
    let mut text = Vec::new();
    fs::File::open(file).ok()?.take(MOST).read_to_end(&mut text).ok()?;
    let mut games: Games = serde_json::from_slice(&text).unwrap_or_default();
    games.games.truncate(GAMES);
    Some(games)
}

/// Writes a temporary file and renames it, so that nobody reads half of it.
fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // The process id keeps two instances from writing the same temporary file.
    let new = file.with_extension(format!("{}.new", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    // Keys are secret, so the file is never readable by others, not even for a moment.
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&new).and_then(|mut out| out.write_all(text));
    let written = written.and_then(|()| fs::rename(&new, file));
    if written.is_err() {
        // Leave no temporary file after an error.
        drop(fs::remove_file(&new));
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(remembered: &Remembered) -> Vec<(String, bool)> {
        remembered.recent().into_iter().map(|game| (game.path, game.has_keys)).collect()
    }

    #[test]
    fn games_outlive_the_program_and_keys_only_if_asked() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        let first = Remembered::new(Some(&below));
        first.add("/one", Vec::new()).unwrap();
        first.add("/two", vec!["k2".to_owned()]).unwrap();
        // Another instance changes it at the same time.
        let second = Remembered::new(Some(&below));
        second.add("/one", Vec::new()).unwrap();
        assert_eq!(paths(&first), [("/one".to_owned(), false), ("/two".to_owned(), true)]);
        second.add("/two", Vec::new()).unwrap();
        assert_eq!((first.keys("/two"), first.keys("/one")), (vec!["k2".to_owned()], Vec::new()));
        assert_eq!(fs::read_dir(&below).unwrap().count(), 1, "nothing is left beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(below.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
        }
        first.forget(Some("/two")).unwrap();
        assert_eq!(paths(&second), [("/one".to_owned(), false)]);
        assert!(!fs::read_to_string(below.join(FILE)).unwrap().contains("k2"));
        second.forget(None).unwrap();
        assert!(first.recent().is_empty());
    }

    #[test]
    fn without_a_folder_nothing_outlives_it() {
        let remembered = Remembered::new(None);
        for at in 0..20 {
            remembered.add(&format!("/{at}"), vec!["key".to_owned()]).unwrap();
        }
        assert_eq!((paths(&remembered).len(), paths(&remembered)[0].0.as_str()), (GAMES, "/19"));
        assert!(Remembered::new(None).recent().is_empty());
    }

    #[test]
    fn a_file_that_makes_no_sense_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "[]", "{\"games\": 7}", "{\"games\": [{\"path\": 1}]}", "\u{0}"] {
            fs::write(folder.path().join(FILE), text).unwrap();
            assert!(Remembered::new(Some(folder.path())).recent().is_empty(), "{text:?}");
        }
        fs::write(folder.path().join(FILE), "x".repeat(2 << 20)).unwrap();
        let remembered = Remembered::new(Some(folder.path()));
        remembered.add("/one", Vec::new()).unwrap();
        assert_eq!(paths(&remembered).len(), 1);
        // The folder cannot be created: the game is remembered until the program ends.
        let remembered = Remembered::new(Some(&folder.path().join(FILE).join("below")));
        assert!(remembered.add("/one", Vec::new()).is_err());
        assert_eq!(paths(&remembered).len(), 1);
    }
}
