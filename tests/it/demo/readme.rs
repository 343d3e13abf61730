//! The commands that README and `docs/` show, run on the demo; their links, and the example of the library.

use super::testdata;
use crate::support::cli::command;
use regex::Regex;
use std::fs::read_to_string;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README and the pages below `docs/`.
fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

/// The blocks of shell commands of a page, each with its lines `uncask …`.
fn sessions(page: &Path) -> Vec<Vec<String>> {
    let text = read_to_string(page).unwrap();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands = |block: &str| {
        let lines = block.lines().filter(|line| line.starts_with("uncask "));
        lines.map(|line| line.split(" # ").next().unwrap().trim_end().to_owned()).collect()
    };
    blocks.map(commands).filter(|session: &Vec<String>| !session.is_empty()).collect()
}

/// A folder in which the names that the pages use stand for parts of `testdata`.
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

/// A line of shell in a folder, where `uncask` is the built command.
fn shell(line: &str, folder: &Path) -> Command {
    let built = command();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(folder);
    let bin = Path::new(built.get_program()).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{bin}:{path}")).env_remove("UNCASK_AES_KEY");
    shell
}

/// Starts the page that a line serves, and ends it once its address is known; no browser opens it.
fn serves(line: &str, folder: &Path) {
    let line = format!("exec {} --no-open", line.replace(" --no-open", ""));
    let mut server = shell(&line, folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    server.kill().unwrap();
    let said = String::from_utf8(server.wait_with_output().unwrap().stderr).unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{line}\n{said}");
}

/// Runs the commands of one block in one folder, one after the other, as a reader would.
fn run(session: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path(), session.iter().any(|line| line.contains("--aes-key")));
    for line in session {
        // All containers of the demo are of no one game: what goes into a container comes from one of them.
        if line.starts_with("uncask pack out ") && !session[0].starts_with("uncask unpack ") {
            let unpacked =
                shell("rm -rf out && uncask unpack MyGame-1.0/ -o out", folder.path()).output().unwrap();
            assert!(unpacked.status.success(), "{unpacked:?}");
        }
        let line = line.replace("0x1234…", super::KEY_TEXT);
        // A document without a change changes nothing.
        if let Some(document) = line.strip_prefix("uncask from-json ").and_then(|rest| rest.split(' ').next())
        {
            let document = folder.path().join(document);
            let text = read_to_string(&document).unwrap();
            std::fs::write(&document, text.replace("\"Int\": 90", "\"Int\": 120")).unwrap();
        }
        if line.starts_with("uncask browse ") {
            serves(&line, folder.path());
            continue;
        }
        let ran = shell(&line, folder.path()).output().unwrap();
        // Two builds that differ are no failure, but the exit code says so.
        let expected = i32::from(line.starts_with("uncask diff "));
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(expected), "{line}\n{said}");
        // The unpacked chunks include the header of their own container.
        let mut problems =
            said.lines().filter(|line| line.starts_with("warning") || line.starts_with("error"));
        let expected = "warning: container header of another container";
        let is_pack = line.starts_with("uncask pack ");
        // The demo is small, and `bench` says so.
        let is_bench = line.starts_with("uncask bench ");
        let is_expected = |problem: &str| {
            is_pack && problem.starts_with(expected) || is_bench && problem.starts_with("warning: only ")
        };
        assert!(problems.all(is_expected), "{line}\n{said}");
        let quiet = line.contains(" -o ")
            || line.contains(" > ")
            || ["uncask verify", "uncask check"].iter().any(|job| line.starts_with(job));
        assert!(quiet || !ran.stdout.is_empty(), "{line}");
    }
}

/// Runs every block of the pages that are chosen. Returns how many commands that were.
fn run_all(of: impl Fn(&Path) -> bool) -> usize {
    let sessions: Vec<_> = pages().iter().filter(|page| of(page)).flat_map(|page| sessions(page)).collect();
    let is_there = |line: &String| {
        (cfg!(feature = "catalog") || !line.starts_with("uncask catalog "))
            && (cfg!(feature = "browse") || !line.starts_with("uncask browse "))
    };
    let has_feature = |session: &&Vec<String>| session.iter().all(is_there);
    sessions.iter().filter(has_feature).map(|session| run(session)).for_each(drop);
    sessions.iter().map(Vec::len).sum()
}

#[test]
fn every_command_of_the_readme_works_on_the_demo() {
    assert!(run_all(|page| page.ends_with("README.md")) >= 8);
}

#[test]
fn every_command_of_the_docs_works_on_the_demo() {
    assert!(run_all(|page| !page.ends_with("README.md")) >= 25);
}

/// The guide has every command: those that need no example of their own are named.
#[test]
fn the_guide_names_every_command() {
    let guide = read_to_string(root().join("docs/guide.md")).unwrap();
    let help = String::from_utf8(command().arg("--help").output().unwrap().stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // A description that is too long for its line goes on below, further in.
    let first_lines = commands.lines().filter(|line| !line.starts_with("   "));
    let names: Vec<&str> = first_lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 15, "{names:?}");
    for name in names.iter().filter(|name| **name != "help") {
        assert!(
            guide.contains(&format!("uncask {name} ")) || guide.contains(&format!("uncask {name}`")),
            "{name}"
        );
    }
}

#[test]
fn the_readme_fits_two_screens() {
    let words = read_to_string(root().join("README.md")).unwrap().split_whitespace().count();
    assert!(words < 900, "{words} words: what is not needed on the first day belongs in docs/");
}

#[test]
fn every_link_leads_somewhere_and_every_page_is_linked() {
    let link = Regex::new(r"\]\(([^)]+)\)").unwrap();
    let targets = |page: &Path| -> Vec<(PathBuf, Option<String>)> {
        let text = read_to_string(page).unwrap();
        let links = link.captures_iter(&text).map(|found| found[1].to_owned());
        let local = links.filter(|link| !link.contains("://"));
        let parts = local.map(|link| match link.split_once('#') {
            Some((file, heading)) => (page.parent().unwrap().join(file), Some(heading.to_owned())),
            None => (page.parent().unwrap().join(link), None),
        });
        parts.collect()
    };
    for page in pages() {
        for (file, heading) in targets(&page) {
            assert!(file.is_file(), "{}: {}", page.display(), file.display());
            let is_heading = |name| headings(&read_to_string(&file).unwrap()).contains(&name);
            assert!(heading.is_none_or(is_heading), "{}: {}", page.display(), file.display());
        }
    }
    let linked: Vec<PathBuf> = targets(&root().join("README.md")).into_iter().map(|(file, _)| file).collect();
    for page in pages().iter().skip(1) {
        assert!(linked.contains(page), "README does not link {}", page.display());
    }
}

/// Registries have no page of a crate that is not released yet.
#[test]
fn no_page_of_a_crate_is_linked_before_there_is_one() {
    let crates = ["README.md", "formats/README.md", "oodle/README.md", "python/README.md", "web/README.md"];
    let readmes = crates.iter().map(|name| root().join("crates").join(name)).filter(|page| page.is_file());
    for page in pages().into_iter().chain(readmes) {
        let text = read_to_string(&page).unwrap();
        for dead in ["crates.io/crates/uncask", "docs.rs/uncask", "pypi.org/project/uncask"] {
            assert!(!text.contains(dead), "{}: {dead}", page.display());
        }
    }
}

/// The headings of a page, as links name them.
fn headings(text: &str) -> Vec<String> {
    let titles =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let plain = |title: &str| title.to_lowercase().replace(' ', "-").replace([':', ',', '`', '?'], "");
    titles.map(plain).collect()
}

/// The example of the library in README is part of the one in the crate's documentation, which is compiled and run.
#[test]
fn the_example_of_the_library_compiles() {
    let readme = read_to_string(root().join("README.md")).unwrap();
    let docs = read_to_string(root().join("src/lib.rs")).unwrap();
    let example = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(example.lines().count() > 5);
    for line in example.lines().filter(|line| !line.is_empty()) {
        assert!(docs.contains(&format!("//! {line}\n")), "{line}");
    }
}
