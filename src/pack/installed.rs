//! Mods in a game: the files of one, the folder for them, and what is there.
//!
//! ```text
//! <Project>/Content/Paks/
//!   global.utoc, pakchunk0-Windows.utoc, …      the game
//!   ~mods/
//!     Doors_P.utoc, Doors_P.ucas, Doors_P.pak   a mod: mounted after the game, as its name ends in _P
//! ```
//!
//! Games mount every `.pak` below `Paks`, in folders of any name, and the container of the same name with it. The folder
//! `~mods` is a convention of players: it keeps mods apart from the files of the game.

use super::staging::{self, Staged};
use crate::error::{Error, Result};
use crate::sink::OutputPath;
use crate::source::{Links, files_below, open_file};
use crate::store::discover;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder for mods, below `Paks`.
const FOLDER: &str = "~mods";

/// Extensions of the files of a mod, besides further partitions. What games find it by comes first.
const EXTENSIONS: [&str; 4] = ["pak", "utoc", "ucas", "sig"];

/// A reason not to install or remove a mod.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The file is none of a mod.
    #[error("not a .utoc or .pak: {}", .0.display())]
    NotAMod(PathBuf),
    /// Of the files that belong together, one is missing.
    #[error("the mod has no .{missing} beside it: {}", path.display())]
    Incomplete {
        /// Extension of the missing file.
        missing: &'static str,
        /// The file that exists.
        path: PathBuf,
    },
    /// No folder of containers was found in the game.
    #[error("no Paks folder in this game: {}", .0.display())]
    NoPaks(PathBuf),
    /// A file of this name exists.
    #[error("installed already: {}", .0.display())]
    Exists(PathBuf),
    /// No mod of this name is installed.
    #[error("no mod of the name {name} in {}", folder.display())]
    NotInstalled {
        /// The name.
        name: String,
        /// The folder of mods.
        folder: PathBuf,
        /// Names of the mods that are there.
        others: Vec<String>,
    },
    /// A file cannot be read, written or removed.
    #[error(transparent)]
    Io(#[from] Error),
}

/// Files of a mod, in a folder of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledMod {
    /// Folder of mods in the game.
    pub folder: PathBuf,
    /// Name of the mod: that of its files, without extension.
    pub name: String,
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Total length of the files, in bytes.
    pub bytes: u64,
}

/// Finds the `Paks` folder of a game: of its root folder, its project's folder, or the folder itself.
pub fn paks_folder(game: &Path) -> Result<PathBuf, InstallError> {
    let none = || InstallError::NoPaks(game.to_owned());
    let absolute = std::path::absolute(game).map_err(|_| none())?;
    let paths = discover(&absolute).map_err(|_| none())?.paths;
    let is_paks = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("Paks"));
    // The outermost one: mods may bring folders of this name themselves.
    let paks = paths.iter().find_map(|path| path.ancestors().filter(is_paks).last());
    // A folder that holds containers itself is taken for one, whatever its name.
    let itself = || paths.iter().any(|path| path.parent() == Some(&absolute)).then_some(&*absolute);
    paks.or_else(itself).map(Path::to_owned).ok_or_else(none)
}

/// The files of a mod, by one of them. What games find it by comes first.
pub fn mod_files(path: &Path) -> Result<Vec<PathBuf>, InstallError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let extension = extension.filter(|extension| EXTENSIONS.contains(&&**extension));
    let extension = extension.ok_or_else(|| InstallError::NotAMod(path.to_owned()))?;
    let beside = |extension: &str| path.with_extension(extension);
    let has = |extension: &str| beside(extension).is_file();
    // Without its other half, a container is not mounted, and without a .pak it is not found.
    let missing = match &*extension {
        "utoc" | "ucas" => ["utoc", "ucas", "pak"].into_iter().find(|needed| !has(needed)),
        _ if has("utoc") => ["ucas"].into_iter().find(|needed| !has(needed)),
        _ => ["pak"].into_iter().find(|needed| !has(needed)),
    };
    if let Some(missing) = missing {
        let missing = EXTENSIONS.into_iter().find(|known| *known == missing).unwrap_or_default();
        return Err(InstallError::Incomplete { missing, path: path.to_owned() });
    }
    let mut files: Vec<PathBuf> = EXTENSIONS.iter().filter(|of| has(of)).map(|of| beside(of)).collect();
    let stem = stem(path);
    let partition = |number: u32| path.with_file_name(format!("{stem}_s{number}.ucas"));
    files.extend((1..).map(partition).take_while(|path| path.is_file()));
    Ok(files)
}

/// Copies a mod into the folder of mods of a game: all of its files, or none. A mod of the same name is in the way
/// unless it may be replaced.
pub fn install(
    mod_path: &Path,
    game: &Path,
    replace: bool,
    is_dry_run: bool,
) -> Result<InstalledMod, InstallError> {
    let from = mod_files(mod_path)?;
    let folder = paks_folder(game)?.join(FOLDER);
    let names = from.iter().filter_map(|path| path.file_name()?.to_str());
    let outputs: Vec<OutputPath> = names.map(OutputPath::sanitize).collect();
    let files: Vec<PathBuf> = outputs.iter().map(|output| folder.join(output.as_str())).collect();
    if let Some(existing) = files.iter().find(|path| !replace && path.exists()) {
        return Err(InstallError::Exists(existing.clone()));
    }
    let len = |path: &PathBuf| fs::metadata(path).map_err(Error::io("read", path)).map(|data| data.len());
    let lens = from.iter().map(len).collect::<Result<Vec<u64>>>()?;
    let installed = InstalledMod { folder, name: stem(mod_path), files, bytes: lens.iter().sum() };
    if is_dry_run {
        return Ok(installed);
    }
    fs::create_dir_all(&installed.folder).map_err(Error::io("create folder", &installed.folder))?;
    let mut staged = Vec::with_capacity(from.len());
    for (path, target) in from.iter().zip(&installed.files) {
        let mut file = open_file(path).map_err(Error::io("open", path))?;
        let copy = Staged::create(target)?;
        std::io::copy(&mut file, &mut copy.file()).map_err(Error::io("copy to", target))?;
        staged.push(copy);
    }
    // A part of the old mod that the new one lacks, such as the container beside a .pak, would be loaded with it.
    let old = of_name(&installed.name, files_beside(&installed.folder));
    staging::publish(&staged, &old)?;
    for target in &installed.files {
        staging::remove_leftovers(target, |name| name == target);
    }
    Ok(installed)
}

/// Removes a mod from the folder of mods of a game. `name` is that of its files, with or without extension.
pub fn uninstall(name: &str, game: &Path, is_dry_run: bool) -> Result<InstalledMod, InstallError> {
    let folder = paks_folder(game)?.join(FOLDER);
    let wanted =
        Path::new(name).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let has_extension = Path::new(&wanted).extension().and_then(|of| of.to_str());
    let has_extension =
        has_extension.is_some_and(|of| EXTENSIONS.iter().any(|known| of.eq_ignore_ascii_case(known)));
    let wanted = if has_extension { stem(Path::new(&wanted)) } else { wanted };
    let found = files_below(&folder, Links::Ignore, |path| is_of_mod(path).is_some()).files;
    let files = of_name(&wanted, found.clone());
    if files.is_empty() {
        let mut others: Vec<String> = found.iter().filter_map(|path| is_of_mod(path)).collect();
        others.sort();
        others.dedup();
        return Err(InstallError::NotInstalled { name: wanted, folder, others });
    }
    let mut bytes = 0;
    for path in &files {
        bytes += fs::metadata(path).map_or(0, |data| data.len());
        if !is_dry_run {
            fs::remove_file(path).map_err(Error::io("remove", path))?;
        }
    }
    Ok(InstalledMod { folder, name: wanted, files, bytes })
}

/// Of some files, those of the mod of this name. What games find it by comes first: a run that is killed while it removes
/// them leaves no mod that a game would load.
fn of_name(name: &str, files: Vec<PathBuf>) -> Vec<PathBuf> {
    let is_wanted = |path: &PathBuf| is_of_mod(path).is_some_and(|of| of.eq_ignore_ascii_case(name));
    let mut files: Vec<PathBuf> = files.into_iter().filter(is_wanted).collect();
    files.sort_by_key(|path| {
        EXTENSIONS.iter().position(|of| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(of)))
    });
    files
}

fn files_beside(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

/// Name of the mod that a file belongs to; `None` for other files.
fn is_of_mod(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    if !EXTENSIONS.contains(&&*extension) {
        return None;
    }
    let name = stem(path);
    // `Mod_P_s1.ucas` is a partition of `Mod_P`.
    let partition =
        name.rsplit_once("_s").filter(|(_, number)| extension == "ucas" && number.parse::<u32>().is_ok());
    Some(partition.map_or_else(|| name.clone(), |(of, _)| of.to_owned()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, content: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[test]
    fn a_mod_goes_into_its_folder_and_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::path::absolute(folder.path()).unwrap();
        let game = root.join("Game");
        let paks = game.join("Proj/Content/Paks");
        write(&paks.join("pakchunk0.utoc"), "");
        write(&paks.join("LogicMods/Paks/Odd.pak"), "");
        let part = |name: &str| root.join("new").join(name);
        write(&part("M_P.utoc"), "table");
        assert!(matches!(
            mod_files(&part("M_P.utoc")),
            Err(InstallError::Incomplete { missing: "ucas", .. })
        ));
        write(&part("M_P.ucas"), "data");
        write(&part("M_P_s1.ucas"), "more");
        assert!(matches!(mod_files(&part("M_P.ucas")), Err(InstallError::Incomplete { missing: "pak", .. })));
        write(&part("M_P.pak"), "");
        let names = ["M_P.pak", "M_P.utoc", "M_P.ucas", "M_P_s1.ucas"];
        for given in ["M_P.utoc", "M_P.pak"] {
            assert_eq!(mod_files(&part(given)).unwrap(), names.map(part), "{given}");
        }
        let mods = paks.join(FOLDER);
        for inside in [&game, &game.join("Proj"), &paks] {
            let planned = install(&part("M_P.utoc"), inside, false, true).unwrap();
            assert_eq!(planned.files, names.map(|name| mods.join(name)));
            assert!(!mods.exists(), "a dry run");
        }
        let installed = install(&part("M_P.utoc"), &game, false, false).unwrap();
        assert_eq!((installed.name.as_str(), installed.bytes), ("M_P", 13));
        assert_eq!(fs::read_to_string(mods.join("M_P_s1.ucas")).unwrap(), "more");
        let again = install(&part("M_P.utoc"), &game, false, false);
        assert!(matches!(again, Err(InstallError::Exists(_))), "{again:?}");
        write(&part("M_P.ucas"), "new data");
        install(&part("M_P.utoc"), &game, true, false).unwrap();
        assert_eq!(fs::read_to_string(mods.join("M_P.ucas")).unwrap(), "new data");

        // Its container would be mounted beside another mod of this name.
        write(&root.join("pak/M_P.pak"), "files");
        install(&root.join("pak/M_P.pak"), &game, true, false).unwrap();
        assert_eq!(files_beside(&mods), [mods.join("M_P.pak")]);
        install(&part("M_P.utoc"), &game, true, false).unwrap();
        write(&mods.join("M_P2.pak"), "");
        let missing = uninstall("m_p3.utoc", &game, false);
        let Err(InstallError::NotInstalled { others, .. }) = missing else { panic!("{missing:?}") };
        assert_eq!(others, ["M_P", "M_P2"]);
        assert!(uninstall("pakchunk0", &game, false).is_err(), "the game's own");
        let gone = uninstall("new/M_P.utoc", &game, false).unwrap();
        assert_eq!((gone.files.len(), gone.bytes), (4, 17));
        let left: Vec<_> = fs::read_dir(&mods).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["M_P2.pak"]);
    }
}
