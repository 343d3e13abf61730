//! Positional arguments: containers are inputs in any position.

use super::inputs::{holds_containers, is_input};
use super::sort::Positional;
use super::{
    AsmArgs, BenchArgs, BrowseArgs, BuildArgs, CatalogArgs, CheckArgs, CheckMappingsArgs, CodeArgs,
    CompletionsArgs, ConflictsArgs, DepsArgs, DiffArgs, DuArgs, ExportArgs, FindArgs, FromJsonArgs, GetArgs,
    GitArgs, HistoryArgs, InfoArgs, InspectArgs, InstallArgs, JsonArgs, LintArgs, ListArgs, ManArgs,
    MergeArgs, ModsArgs, PackArgs, PortArgs, RecipeArgs, ReplaceArgs, ReportArgs, ReviewArgs, ScriptsArgs,
    SelectArgs, SetArgs, StoreArgs, TextArgs, TextsArgs, ThumbnailsArgs, ToLegacyArgs, ToZenArgs,
    UninstallArgs, UnpackArgs, VerifyArgs,
};
use crate::exit::UsageError;
use crate::target::Target;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Commands that take inputs and patterns: a shell may make several inputs of `Paks/*.utoc`.
macro_rules! inputs_and_patterns {
    ($($args:ty),+) => {
        $(impl Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, UsageError> {
                Ok(sort(&mut self.store, &mut self.select))
            }
        })+
    };
}

/// Commands that take inputs only.
macro_rules! inputs_only {
    ($($args:ty),+) => {
        $(impl Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, UsageError> {
                self.store.more_inputs.splice(0..0, self.inputs.drain(..)).for_each(drop);
                Ok(Vec::new())
            }
        })+
    };
}

/// Commands whose arguments have one order.
macro_rules! in_order {
    ($($args:ty),+) => {
        $(impl Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, UsageError> {
                Ok(Vec::new())
            }
        })+
    };
}

inputs_and_patterns!(
    ListArgs,
    UnpackArgs,
    ToLegacyArgs,
    JsonArgs,
    CodeArgs,
    TextArgs,
    ExportArgs,
    CheckMappingsArgs,
    FindArgs,
    LintArgs,
    DuArgs,
    ReportArgs,
    CatalogArgs
);
inputs_only!(InfoArgs, ScriptsArgs);
in_order!(
    AsmArgs,
    BuildArgs,
    RecipeArgs,
    FromJsonArgs,
    TextsArgs,
    GitArgs,
    HistoryArgs,
    ReviewArgs,
    BrowseArgs,
    ThumbnailsArgs,
    PackArgs,
    ToZenArgs,
    CheckArgs,
    ConflictsArgs,
    MergeArgs,
    ModsArgs,
    PortArgs,
    InstallArgs,
    UninstallArgs,
    BenchArgs,
    CompletionsArgs,
    ManArgs
);

impl Positional for VerifyArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        // With manifests, the input is a folder of unpacked files.
        let takes_patterns = self.manifest.is_empty();
        Ok(if takes_patterns { sort(&mut self.store, &mut self.select) } else { Vec::new() })
    }
}

impl Positional for GetArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        one_chunk(&mut self.store.input, &mut self.chunk);
        Ok(Vec::new())
    }
}

impl Positional for DepsArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        one_chunk(&mut self.store.input, &mut self.package);
        Ok(Vec::new())
    }
}

impl Positional for InspectArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        if let Some(chunk) = self.chunk.take() {
            join(&mut self.store.input, chunk.as_ref());
        }
        Ok(Vec::new())
    }
}

impl Positional for SetArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        // Addresses and values come in pairs, so an odd one is the package.
        if self.values.len() % 2 == 1 && holds_packages(&self.target) {
            join(&mut self.target, self.values.remove(0).as_ref());
        }
        Ok(Vec::new())
    }
}

impl Positional for ReplaceArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        if self.rest.len() == 2 {
            join(&mut self.target, self.rest.remove(0).as_os_str());
        }
        Ok(Vec::new())
    }
}

impl Positional for DiffArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        two(&self.select.patterns)?;
        Ok(Vec::new())
    }
}

/// Moves containers from the patterns to the inputs. A first argument that is no input is a pattern, or
/// `INPUT:PATTERN`.
fn sort(store: &mut StoreArgs, select: &mut SelectArgs) -> Vec<String> {
    if let Some(pattern) = split(&mut store.input) {
        select.patterns.insert(0, pattern);
    }
    // What is surely an input is taken out of the patterns; doubtful arguments stay, with a note.
    let patterns = std::mem::take(&mut select.patterns);
    let (inputs, patterns): (Vec<String>, Vec<String>) =
        patterns.into_iter().partition(|text| is_input(Path::new(text)));
    let mut inputs: Vec<PathBuf> = inputs.into_iter().map(PathBuf::from).collect();
    select.patterns = patterns;
    // `uncask list "*.umap" Paks/a.utoc`: the first argument is no file, but a later one is.
    let misplaced = !is_input(&store.input) && !store.input.exists() && !inputs.is_empty();
    if let Some(pattern) = store.input.to_str().filter(|_| misplaced) {
        select.patterns.insert(0, pattern.to_owned());
        store.input = inputs.remove(0);
    }
    // Positional inputs come before those of `-i`, as on the command line.
    store.more_inputs.splice(0..0, inputs);
    select.patterns.iter().filter(|text| holds_containers(Path::new(text))).map(|text| note(text)).collect()
}

fn note(pattern: &str) -> String {
    format!("{pattern:?} is used as a pattern; -i {pattern:?} opens the folder")
}

/// Swaps chunk and container if they are in the wrong order, or splits them at a colon.
fn one_chunk(input: &mut PathBuf, chunk: &mut Option<String>) {
    let Some(chunk) = chunk else {
        *chunk = split(input);
        return;
    };
    let misplaced = is_input(Path::new(chunk)) && !is_input(input) && !input.exists();
    if let Some(name) = input.to_str().filter(|_| misplaced).map(str::to_owned) {
        *input = PathBuf::from(std::mem::replace(chunk, name));
    }
}

/// Splits the chunk off an `INPUT:CHUNK`; `None` if the input stands alone.
fn split(input: &mut PathBuf) -> Option<String> {
    let Ok(Target::Chunk { input: container, chunk }) = Target::parse(input) else { return None };
    *input = container;
    Some(chunk)
}

/// Appends a colon and a chunk to an input.
fn join(input: &mut PathBuf, chunk: &OsStr) {
    let mut joined = std::mem::take(input).into_os_string();
    joined.push(":");
    joined.push(chunk);
    *input = joined.into();
}

/// True for inputs with several packages, false for a package file.
fn holds_packages(input: &Path) -> bool {
    input.is_dir() || is_input(input)
}

/// Checks that no third build is given.
fn two(patterns: &[String]) -> Result<(), UsageError> {
    match patterns.iter().find(|text| is_input(Path::new(text))) {
        Some(third) => {
            let problem = "diff compares two inputs, found a third; give two folders or two containers";
            Err(UsageError(format!("{problem}: {third}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;
    use crate::args::read::parse;

    /// Inputs and patterns of a command line, and the notes.
    fn sorted(args: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut cli = parse(["uncask", "list"].iter().chain(args)).unwrap();
        let notes = cli.command.sort().unwrap();
        let Command::List(list) = cli.command else { panic!("another command") };
        let inputs = std::iter::once(&list.store.input).chain(&list.store.more_inputs);
        (inputs.map(|input| input.display().to_string()).collect(), list.select.patterns, notes)
    }

    #[test]
    fn containers_are_inputs_wherever_they_stand() {
        for (args, inputs, patterns) in [
            (&["a.utoc", "Maps"][..], &["a.utoc"][..], &["Maps"][..]),
            (&["a.utoc", "b.UCAS", "Maps", "c.pak"], &["a.utoc", "b.UCAS", "c.pak"], &["Maps"]),
            (&["a.utoc", "b.utoc", "-i", "c.utoc"], &["a.utoc", "b.utoc", "c.utoc"], &[]),
            (&["*.umap", "a.utoc"], &["a.utoc"], &["*.umap"]),
            (&["Maps", "/Game/A", "b.pak"], &["b.pak"], &["Maps", "/Game/A"]),
            (&["src", "b.pak", "lib"], &["src", "b.pak"], &["lib"]),
            (&["nowhere", "Maps"], &["nowhere"], &["Maps"]),
            (&["a.utoc", "*.pak"], &["a.utoc"], &["*.pak"]),
            (&["a.utoc", "https://host/b.utoc"], &["a.utoc", "https://host/b.utoc"], &[]),
        ] {
            let (found_inputs, found_patterns, notes) = sorted(args);
            assert_eq!(found_inputs, inputs, "{args:?}");
            assert_eq!(found_patterns, patterns, "{args:?}");
            assert!(notes.is_empty(), "{notes:?}");
        }
    }

    #[test]
    fn a_folder_of_containers_that_is_used_as_a_pattern_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.utoc"), "").unwrap();
        let name = folder.path().to_str().unwrap();
        let (inputs, patterns, notes) = sorted(&["a.utoc", name]);
        assert_eq!((inputs, patterns), (vec!["a.utoc".to_owned()], vec![name.to_owned()]));
        assert!(notes[0].contains("is used as a pattern"), "{notes:?}");
    }

    #[test]
    fn what_follows_an_input_and_a_colon_is_a_pattern() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().to_str().unwrap().to_owned();
        let (inputs, patterns, _) = sorted(&[&format!("{input}:/Game/Items"), "Maps"]);
        assert_eq!(
            (inputs, patterns),
            (vec![input.clone()], vec!["/Game/Items".to_owned(), "Maps".to_owned()])
        );
        for command in ["get", "deps", "inspect"] {
            let chunk = |args: &[&str]| {
                let mut cli = parse(["uncask", command].iter().chain(args)).unwrap();
                cli.command.sort().unwrap();
                match cli.command {
                    Command::Get(get) => (get.store.input.clone(), get.chunk().unwrap().to_owned()),
                    Command::Deps(deps) => (deps.store.input.clone(), deps.package().unwrap().to_owned()),
                    Command::Inspect(args) => match Target::parse(&args.store.input).unwrap() {
                        Target::Chunk { input, chunk } => (input, chunk),
                        found @ Target::File(_) => panic!("{found:?}"),
                    },
                    _ => panic!("another command"),
                }
            };
            let expected = (folder.path().to_owned(), "/Game/A.A".to_owned());
            assert_eq!(chunk(&[&format!("{input}:/Game/A.A")]), expected, "{command}");
            assert_eq!(chunk(&[&input, "/Game/A.A"]), expected, "{command}");
        }
    }

    #[test]
    fn a_package_may_stand_after_what_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().to_str().unwrap().to_owned();
        let target = |args: &[&str]| {
            let end = ["-o", "X_P.utoc"];
            let mut cli = parse(["uncask"].iter().chain(args).chain(&end)).unwrap();
            cli.command.sort().unwrap();
            match cli.command {
                Command::Set(set) => (set.target, set.values),
                Command::Replace(args) => {
                    let picture = args.picture().display().to_string();
                    (args.target, vec![picture])
                }
                _ => panic!("another command"),
            }
        };
        let package = PathBuf::from(format!("{input}:/Game/A"));
        let set = vec!["A.B".to_owned(), "1".to_owned()];
        assert_eq!(target(&["set", &input, "/Game/A", "A.B", "1"]), (package.clone(), set.clone()));
        assert_eq!(target(&["set", package.to_str().unwrap(), "A.B", "1"]), (package.clone(), set));
        let picture = vec!["a.png".to_owned()];
        assert_eq!(target(&["replace", &input, "/Game/A", "a.png"]), (package.clone(), picture.clone()));
        assert_eq!(target(&["replace", package.to_str().unwrap(), "a.png"]), (package, picture));
        let half = vec!["A.B".to_owned(), "1".to_owned(), "A.C".to_owned()];
        assert_eq!(target(&["set", "A.uasset", "A.B", "1", "A.C"]), ("A.uasset".into(), half));
    }

    #[test]
    fn a_chunk_may_stand_before_its_container() {
        let mut cli = parse(["uncask", "get", "/Game/Maps/Start", "a.utoc"]).unwrap();
        cli.command.sort().unwrap();
        let Command::Get(get) = cli.command else { panic!("another command") };
        assert_eq!((get.store.input.to_str(), get.chunk().unwrap()), (Some("a.utoc"), "/Game/Maps/Start"));
        let mut cli = parse(["uncask", "diff", "a.utoc", "b.utoc", "c.utoc"]).unwrap();
        assert!(cli.command.sort().is_err());
    }
}
