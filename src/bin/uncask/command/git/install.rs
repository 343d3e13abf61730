//! `uncask git install` and `uninstall`: the drivers in git's configuration, and the attributes that name them.

use crate::args::GitScopeArgs;
use crate::exit::Exit;
use crate::output_file;
use crate::printer;
use crate::session::Session;
use crate::shared::repository::{Scope, shell_word};
use anyhow::Context as _;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::Path;

/// Version of the text. Git caches texts by the command that makes them, so this has to change whenever the text does.
const TEXT_VERSION: u32 = 1;

/// Sections of the configuration with the drivers.
const DIFF: &str = "diff.uncask";
const MERGE: &str = "merge.uncask";

/// Lines of the file of attributes.
const ATTRIBUTES: [&str; 3] = [
    "# Diffs and merges of Unreal assets, by `uncask git install`",
    "*.uasset diff=uncask merge=uncask",
    "*.umap diff=uncask merge=uncask",
];

/// Lines of earlier versions.
const OLD_ATTRIBUTES: [&str; 3] = [
    "# Text of Unreal assets in diffs, by `uncask git install`",
    "*.uasset diff=uncask",
    "*.umap diff=uncask",
];

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    installed: bool,
    global: bool,
    attributes: &'a str,
}

pub(super) fn run(args: &GitScopeArgs, session: &Session) -> anyhow::Result<Exit> {
    let scope = Scope { global: args.global };
    let attributes = scope.attributes()?;
    let program = program()?;
    let textconv = format!("{program} git textconv --text-version {TEXT_VERSION}");
    // Git puts the files and the path in the place of these letters, each as one word of a shell.
    let merge = format!("{program} git merge %O %A %B %P");
    for (section, key, value) in [
        (DIFF, "textconv", textconv.as_str()),
        (DIFF, "cachetextconv", "true"),
        // Patches that are to be applied hold the file, not its text.
        (DIFF, "binary", "true"),
        // The heading of a section, which git repeats above each change.
        (DIFF, "xfuncname", "^([A-Za-z].*)$"),
        (MERGE, "name", "Unreal assets, by objects, properties, nodes and links"),
        (MERGE, "driver", merge.as_str()),
        // Several bases are merged first, where nobody can decide about conflicts.
        (MERGE, "recursive", "binary"),
    ] {
        scope.set(&format!("{section}.{key}"), value)?;
    }
    let old = read(&attributes)?;
    write(&attributes, &old, &with_lines(&old))?;
    report(session, &attributes, args.global, true)
}

pub(super) fn remove(args: &GitScopeArgs, session: &Session) -> anyhow::Result<Exit> {
    let scope = Scope { global: args.global };
    let attributes = scope.attributes()?;
    let is_removed = [scope.remove_section(DIFF)?, scope.remove_section(MERGE)?];
    if !is_removed.contains(&true) {
        session.printer.note("git's configuration has no driver of uncask");
    }
    let old = read(&attributes)?;
    write(&attributes, &old, &without_lines(&old))?;
    report(session, &attributes, args.global, false)
}

fn report(session: &Session, attributes: &Path, global: bool, installed: bool) -> anyhow::Result<Exit> {
    let path = attributes.display().to_string();
    if session.printer.json {
        let schema = "uncask.git/1";
        printer::print_json(&Report { schema, installed, global, attributes: &path })?;
    } else if installed {
        session
            .printer
            .note(&format!("git shows .uasset and .umap files as text, and merges them; see {path}"));
        if !global {
            session.printer.note("commit it, and have others run this command in their clones");
        }
    } else {
        session.printer.note(&format!("git treats .uasset and .umap files as before; see {path}"));
    }
    Ok(Exit::Ok)
}

/// The command for this program: its name if that is what a shell finds, or else its path.
fn program() -> anyhow::Result<String> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let name = format!("uncask{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file());
    let is_same = found.is_some_and(|found| found.canonicalize().ok() == own.canonicalize().ok());
    Ok(if is_same { "uncask".to_owned() } else { shell_word(&own) })
}

fn read(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn write(path: &Path, old: &str, new: &str) -> anyhow::Result<()> {
    if old == new {
        return Ok(());
    }
    output_file::write(path, new.as_bytes())
}

/// A file of attributes with the lines, at its end: the last line that fits a file decides.
fn with_lines(old: &str) -> String {
    let has = |line: &&str| old.lines().any(|old| old.trim() == *line);
    if ATTRIBUTES.iter().skip(1).all(has) {
        return old.to_owned();
    }
    let mut new = without_lines(old);
    if !new.is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    for line in ATTRIBUTES {
        new.push_str(line);
        new.push('\n');
    }
    new
}

/// A file of attributes without the lines; all others are kept as they are.
fn without_lines(old: &str) -> String {
    let is_ours = |line: &str| ATTRIBUTES.contains(&line) || OLD_ATTRIBUTES.contains(&line);
    old.split_inclusive('\n').filter(|line| !is_ours(line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_others_stay() {
        let old = "*.uasset filter=lfs diff=lfs merge=lfs -text";
        let new = with_lines(old);
        assert!(new.starts_with("*.uasset filter=lfs diff=lfs merge=lfs -text\n# Diffs"), "{new}");
        assert!(
            new.ends_with("*.uasset diff=uncask merge=uncask\n*.umap diff=uncask merge=uncask\n"),
            "{new}"
        );
        assert_eq!(with_lines(&new), new);
        assert_eq!(without_lines(&new), format!("{old}\n"));
        // Those of an earlier version are replaced.
        let earlier = OLD_ATTRIBUTES.map(|line| format!("{line}\n")).concat();
        assert_eq!(with_lines(&earlier), with_lines(""));
        // Another line after ours: it stays where it is.
        let more = format!("{new}*.png binary\r\n");
        assert_eq!(without_lines(&more), format!("{old}\n*.png binary\r\n"));
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_one_word_of_a_shell() {
        assert_eq!(shell_word(Path::new("/a b/it's")), "'/a b/it'\\''s'");
    }
}
