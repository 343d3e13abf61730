//! The commands that the README shows, run on the demo.

use super::testdata;
use crate::support::cli::command;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// The lines `uncask …` of the README's list of commands.
fn commands() -> Vec<String> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let list = readme.split("## What it does").nth(1).unwrap().split("```").nth(1).unwrap();
    let lines = list.lines().filter(|line| line.starts_with("uncask "));
    lines.map(|line| line.split(" # ").next().unwrap().trim_end().to_owned()).collect()
}

/// A folder in which the names that the README uses stand for parts of `testdata`.
fn stage(folder: &Path, encrypted: bool) {
    let link = |target: &str, name: &str| {
        let place = folder.join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(testdata().join(target), place).unwrap();
    };
    for file in std::fs::read_dir(testdata().join("demo")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        link(&format!("demo/{name}"), &format!("MyGame/{name}"));
        if name.starts_with("pakchunk0-Demo.") {
            link(&format!("demo/{name}"), &format!("MyGame-1.0/{name}"));
        }
        if name.starts_with("pakchunk0-Demo") {
            link(&format!("demo/{name}"), &format!("MyGame-1.1/{name}"));
        }
    }
    for end in ["utoc", "ucas"].iter().filter(|_| encrypted) {
        link(&format!("encrypted/secret-Demo.{end}"), &format!("MyGame/secret-Demo.{end}"));
    }
    link("classic", "MyProject/Content");
}

/// Runs a line of shell in a folder, where `uncask` is the built command.
fn shell(line: &str, folder: &Path) -> Output {
    let built = command();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(folder);
    let bin = Path::new(built.get_program()).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{bin}:{path}")).env_remove("UNCASK_AES_KEY").output().unwrap()
}

#[test]
fn every_command_of_the_readme_works_on_the_demo() {
    let commands = commands();
    assert!(commands.len() >= 15, "{commands:?}");
    for line in commands {
        let folder = tempfile::tempdir().unwrap();
        stage(folder.path(), line.contains("--aes-key"));
        if line.starts_with("uncask pack out ") {
            let unpacked = shell("uncask unpack MyGame-1.0/ -o out", folder.path());
            assert!(unpacked.status.success(), "{unpacked:?}");
        }
        let line = line.replace("0x1234…", super::KEY_TEXT);
        let ran = shell(&line, folder.path());
        // Two builds that differ are no failure, but the exit code tells.
        let expected = i32::from(line.starts_with("uncask diff "));
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(expected), "{line}\n{said}");
        // What was unpacked brings the header of its own container along.
        let mut told = said.lines().filter(|line| line.starts_with("warning") || line.starts_with("error"));
        let expected = "warning: container header of another container";
        let is_pack = line.starts_with("uncask pack ");
        assert!(told.all(|told| is_pack && told.starts_with(expected)), "{line}\n{said}");
        let quiet = line.contains(" -o ") || line.contains(" > ") || line.starts_with("uncask verify");
        assert!(quiet || !ran.stdout.is_empty(), "{line}");
    }
}
