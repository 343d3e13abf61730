//! Evidence from the files around a game, or around cooked packages.
//!
//! ```text
//! <Root>/<Project>/Content/Paks/…               the containers
//! <Root>/<Project>/<Project>.uproject           "EngineAssociation": "5.6"
//! <Root>/Engine/Build/Build.version             "MajorVersion": 5, "MinorVersion": 6
//! <Root>/<Project>/Binaries/Win64/….exe         file version 5.6.1.0
//! ```

use super::executable::{HEAD_LEN, Resources};
use crate::container::toc::raw::MAGIC;
use crate::package::convert::{Clue, How};
use crate::source::{is_url, real_path};
use crate::version::{AssetRegistryVersion, Release, Releases, TocVersion};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The most projects searched: a game has one, next to the engine.
const MAX_PROJECTS: usize = 4;

/// The most files of one kind searched per folder.
const MAX_FILES: usize = 16;

/// The longest file read as evidence, in bytes.
pub(crate) const MAX_EVIDENCE: u64 = 1 << 20;

/// Folders with the executables of a game.
const BINARIES: [&str; 4] = ["Win64", "WinGDK", "WindowsNoEditor", "Win32"];

/// Clues from the files around some containers or cooked files, best first.
pub(crate) fn around<'a>(containers: impl Iterator<Item = &'a Path>) -> Vec<Clue> {
    // Links are resolved: a linked `Paks` folder has its project elsewhere.
    let full = containers.filter(|path| !is_url(path)).filter_map(|path| real_path(path).ok());
    let projects: BTreeSet<PathBuf> = full.flat_map(|path| projects_of(&path)).collect();
    let projects = || projects.iter().take(MAX_PROJECTS);
    let of_project = projects().flat_map(|project| files(project, "uproject"));
    // Best first: the project names its engine, the build file belongs to the folder, an executable may be patched.
    let of_project =
        of_project.filter_map(|file| of_uproject(&text(&file)?)).map(|release| (How::Project, release));
    let of_build = projects()
        .filter_map(|project| of_build(&text(&project.parent()?.join("Engine/Build/Build.version"))?));
    let of_build = of_build.map(|release| (How::Build, release));
    let binaries =
        projects().flat_map(|project| BINARIES.map(|folder| project.join("Binaries").join(folder)));
    let of_executable =
        binaries.flat_map(|folder| files(&folder, "exe")).filter_map(|file| of_executable(&file));
    let of_executable = of_executable.map(|release| (How::Executable, release));
    let all = of_project.chain(of_build).chain(of_executable);
    let only = |(how, release): (How, &Release)| Clue {
        how,
        releases: Releases::between(release.name, release.name),
    };
    let registries = projects().map(|project| project.join("AssetRegistry.bin"));
    registries.filter_map(|file| of_registry(&start(&file, REGISTRY_LEN)?)).chain(all.map(only)).collect()
}

/// Clues from the containers beside a new one: a mod is often written into the folder of its game.
pub(crate) fn beside(container: &Path) -> Vec<Clue> {
    let folder = container.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The new container itself may exist from an earlier run, perhaps with another version.
    let others = files(folder, "utoc").into_iter().filter(|other| other.file_name() != container.file_name());
    let of_container = |file: PathBuf| {
        let start = start(&file, MAGIC.len() as u64 + 1)?;
        let version = TocVersion::from_wire(*start.strip_prefix(&MAGIC)?.first()?).ok()?;
        Some(Clue::of_container(How::Containers, version, None, None))
    };
    others.filter_map(of_container).collect()
}

/// The project folders of a file: cooked files are in a copy of the project's layout, below its `Saved` folder.
fn projects_of(file: &Path) -> Vec<PathBuf> {
    let above = |name: &str| {
        let is_it = |folder: &&Path| folder.file_name().is_some_and(|found| found.eq_ignore_ascii_case(name));
        Some(file.ancestors().find(is_it)?.parent()?.to_owned())
    };
    [above("Content"), above("Saved")].into_iter().flatten().collect()
}

/// The files of a folder with this extension, sorted, those of a shipping build first.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let has_extension =
        |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(extension));
    let mut files: Vec<PathBuf> = entries.filter(has_extension).filter(|path| path.is_file()).collect();
    let is_shipping = |path: &Path| path.to_string_lossy().contains("-Shipping");
    files.sort_by_key(|path| (!is_shipping(path), path.clone()));
    files.truncate(MAX_FILES);
    files
}

fn start(file: &Path, len: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(file).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    file.take(len).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn text(file: &Path) -> Option<Vec<u8>> {
    let bytes = start(file, MAX_EVIDENCE)?;
    // Some editors begin UTF-8 files with a byte order mark, which the JSON parser rejects.
    Some(bytes.strip_prefix(b"\xEF\xBB\xBF").map(<[u8]>::to_vec).unwrap_or(bytes))
}

/// The clue in a file on disk, if it is of a known kind.
pub(crate) fn of_path(file: &Path) -> Option<Clue> {
    of_file(&file.file_name()?.to_string_lossy(), || start(file, MAX_EVIDENCE))
}

/// The clue in a project, build or asset registry file, by its path and content. The content of other files is not
/// requested.
pub(crate) fn of_file<T: AsRef<[u8]>>(path: &str, content: impl FnOnce() -> Option<T>) -> Option<Clue> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let only = |how, release: &Release| Clue { how, releases: Releases::between(release.name, release.name) };
    match name {
        "AssetRegistry.bin" | "DevelopmentAssetRegistry.bin" => of_registry(content()?.as_ref()),
        "Build.version" => of_build(content()?.as_ref()).map(|release| only(How::Build, release)),
        _ if name.ends_with(".uproject") => {
            of_uproject(content()?.as_ref()).map(|release| only(How::Project, release))
        }
        _ => None,
    }
}

/// Length of the start of an asset registry that contains its version, in bytes.
const REGISTRY_LEN: u64 = 20;

fn of_registry(start: &[u8]) -> Option<Clue> {
    let version = start.strip_prefix(&AssetRegistryVersion::GUID)?.first_chunk()?;
    let releases = Releases::of_registry(u32::from_le_bytes(*version));
    Some(Clue { how: How::Registry, releases })
}

/// Release named in a project file. For an engine built from source the file has a GUID instead.
fn of_uproject(text: &[u8]) -> Option<&'static Release> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let project: serde_json::Value = serde_json::from_slice(text).ok()?;
    Release::from_name(project.get("EngineAssociation")?.as_str()?)
}

fn of_build(text: &[u8]) -> Option<&'static Release> {
    let build: serde_json::Value = serde_json::from_slice(text).ok()?;
    let number = |name| build.get(name).and_then(serde_json::Value::as_u64);
    Release::from_name(&format!("{}.{}", number("MajorVersion")?, number("MinorVersion")?))
}

fn of_executable(path: &Path) -> Option<&'static Release> {
    let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    let mut head = Vec::new();
    file.by_ref().take(HEAD_LEN).read_to_end(&mut head).ok()?;
    let resources = Resources::find(&head)?;
    file.seek(SeekFrom::Start(resources.range.start)).ok()?;
    let mut bytes = Vec::new();
    file.take(resources.range.end - resources.range.start).read_to_end(&mut bytes).ok()?;
    let (major, minor) = resources.version(&bytes)?;
    Release::from_name(&format!("{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::super::executable::tests::executable;
    use super::*;

    #[test]
    fn containers_beside_one_are_clues() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
        write("pakchunk0.utoc", b"-==--==--==--==-\x06\0\0\0");
        write("new_P.utoc", b"-==--==--==--==-\x02");
        write("damaged.utoc", b"-==--==");
        let clues = beside(&folder.path().join("new_P.utoc"));
        let expected = Clue { how: How::Containers, releases: Releases::between("5.4", "5.4") };
        assert_eq!(clues, [expected]);
    }

    #[test]
    fn every_file_of_a_game_is_a_clue() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, content: &[u8]| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        };
        write("Shooter/Content/Paks/mods/a.utoc", b"");
        let container = root.path().join("Shooter/Content/Paks/mods/a.utoc");
        let found = || {
            let clues = around([container.as_path()].into_iter());
            clues.iter().map(|clue| format!("{} {}", clue.releases, clue.how)).collect::<Vec<_>>()
        };
        assert_eq!(found(), [] as [&str; 0]);
        write("Shooter/Binaries/Win64/Shooter-Win64-Shipping.exe", &executable(5, 6));
        // The version of the game itself says nothing about the engine.
        write("Shooter/Binaries/Win64/Launcher.exe", &executable(1, 0));
        assert_eq!(found(), ["UE 5.6 by the version of the executable"]);
        write(
            "Engine/Build/Build.version",
            br#"{ "MajorVersion": 5, "MinorVersion": 7, "PatchVersion": 1 }"#,
        );
        write("Shooter/Shooter.uproject", b"\xEF\xBB\xBF{ \"EngineAssociation\": \"5.4\" }");
        assert_eq!(
            found(),
            [
                "UE 5.4 by the .uproject file",
                "UE 5.7 by Build.version",
                "UE 5.6 by the version of the executable"
            ]
        );
        write(
            "Shooter/Shooter.uproject",
            br#"{ "EngineAssociation": "{0C6F24D4-4E7D-49A1-A5E0-3E5A1A8B9C3D}" }"#,
        );
        assert_eq!(found().len(), 2);
    }
}
