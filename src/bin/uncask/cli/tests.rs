//! Arguments of the commands, as clap reads them and as they are meant.

use super::{Cli, Command, command_line, read};
use crate::target::Target;
use std::ffi::OsString;
use std::path::PathBuf;

/// Reads a command line.
fn parse(args: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Cli, clap::Error> {
    read::parse(&args.into_iter().map(|arg| arg.as_ref().into()).collect::<Vec<OsString>>())
}

#[test]
fn the_command_line_is_consistent() {
    command_line(None).debug_assert();
}

#[test]
fn a_value_that_is_the_name_of_a_command_is_a_value() {
    for (args, threads) in
        [(&["uncask", "-j", "2", "list", "a.utoc"][..], 2), (&["uncask", "list", "list"], 0)]
    {
        let cli = parse(args).unwrap();
        assert_eq!(cli.global.threads, threads);
        assert!(matches!(cli.command, Command::List(_)), "{args:?}");
    }
    // The first word is a value here, and a command only by its name.
    let cli = parse(["uncask", "--color", "never", "--memory", "64M", "ls", "a.utoc"]).unwrap();
    assert!(matches!(cli.command, Command::List(_)));
    let error = parse(["uncask", "--color", "info", "list", "a.utoc"]).unwrap_err();
    assert!(error.to_string().contains("invalid value 'info'"), "{error}");
}

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
    assert_eq!((inputs, patterns), (vec![input.clone()], vec!["/Game/Items".to_owned(), "Maps".to_owned()]));
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
