//! The floors of the house: a room imports only from lower floors. The lower ones are the crate `uncask-formats`. Text of
//! comments and unit tests does not count.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Rooms and their floors.
const FLOORS: [(&str, u8); 34] = [
    ("wire", 0),
    ("version", 1),
    ("id", 1),
    ("codec", 2),
    ("crypto", 2),
    ("asset_registry", 3),
    ("container", 3),
    ("image", 3),
    ("localization", 3),
    ("mappings", 3),
    ("package", 3),
    ("pak", 3),
    ("asset", 4),
    ("bytecode", 4),
    ("identify", 4),
    ("property", 4),
    ("error", 5),
    ("report", 5),
    ("source", 5),
    ("sink", 5),
    ("table", 5),
    ("job", 6),
    ("pipeline", 7),
    ("release", 8),
    ("store", 8),
    ("compare", 9),
    ("extract", 9),
    ("pack", 9),
    ("texts", 10),
    ("values", 10),
    ("export", 11),
    ("replace", 11),
    ("game", 12),
    ("browse", 13),
];

/// Neighbours that may be asked: who, whom.
const SIDEWAYS: [(&str, &str); 11] = [
    ("id", "version"),
    ("asset_registry", "package"),
    ("container", "package"),
    ("mappings", "package"),
    ("asset", "property"),
    ("bytecode", "property"),
    ("identify", "asset"),
    ("report", "error"),
    ("source", "error"),
    ("sink", "error"),
    ("sink", "source"),
];

/// The last floor of pure functions from bytes to facts.
const PURE: u8 = 4;

/// Source files of both crates without comments and unit tests, by their path below `src`.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let mut sources = sources_below("crates/formats/src");
    assert!(sources.remove("lib.rs").is_some());
    sources.extend(sources_below("src"));
    sources
}

/// Source files of one crate without comments and unit tests, by their path below its root.
fn sources_below(root: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let files = walkdir::WalkDir::new(&root).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = files.map(|path| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        (name, code(&std::fs::read_to_string(path).unwrap()))
    });
    named.filter(|(name, _)| !name.ends_with("tests.rs")).collect()
}

/// The lines that the compiler sees outside tests.
fn code(text: &str) -> String {
    let tests = Regex::new(r"#\[cfg\(test\)\]\n(pub(\([^)]*\))? )?mod tests \{").unwrap();
    let text = tests.split(text).next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The room of a file: the first part of its path.
fn room(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap()
}

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The rooms that code names: `crate::room::…` and `crate::{room::…, room}`.
fn imports(code: &str) -> BTreeSet<String> {
    let single = Regex::new(r"\bcrate::(\w+)").unwrap();
    let group = Regex::new(r"\bcrate::\{").unwrap();
    let mut rooms: BTreeSet<String> = single.captures_iter(code).map(|found| found[1].to_owned()).collect();
    for found in group.find_iter(code) {
        rooms.extend(heads(&code[found.end()..]));
    }
    rooms
}

/// First names of the members of an import group that `text` starts inside of.
fn heads(text: &str) -> Vec<String> {
    let (mut depth, mut members) = (1, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => members.push(String::new()),
            c => members.last_mut().unwrap().push(c),
        }
    }
    let head = |member: &String| member.trim().split("::").next().unwrap().trim().to_owned();
    members.iter().map(head).filter(|head| !head.is_empty()).collect()
}

fn allowed(from: &str, to: &str) -> bool {
    let below = floor(from).zip(floor(to)).is_some_and(|(from, to)| to < from);
    from == to || below || SIDEWAYS.contains(&(from, to))
}

#[test]
fn rooms_import_from_lower_floors_only() {
    let mut edges = 0;
    for (file, code) in sources().iter().filter(|(file, _)| !file.starts_with("bin/") && *file != "lib.rs") {
        let from = room(file);
        assert!(floor(from).is_some(), "{file}: {from} has no floor");
        for to in imports(code) {
            assert!(allowed(from, &to), "{file}: {from} must not import {to}");
            edges += 1;
        }
    }
    assert!(edges > 100, "only {edges} imports found: the search is broken");
}

#[test]
fn the_library_does_not_know_the_command_and_declares_its_rooms_in_floor_order() {
    let (formats, sources) = (sources_below("crates/formats/src"), sources());
    let declared = Regex::new(r"pub mod (\w+);").unwrap();
    let declarations = [&formats["lib.rs"], &sources["lib.rs"]].map(|code| declared.captures_iter(code));
    let rooms: Vec<&str> =
        declarations.into_iter().flatten().map(|found| found.extract::<1>().1[0]).collect();
    let floors: Vec<u8> = rooms.iter().map(|room| floor(room).unwrap()).collect();
    assert!(floors.is_sorted(), "{rooms:?}");
    assert_eq!(rooms.len(), FLOORS.len());
    let stranger = Regex::new(r"\b(clap|anyhow|indicatif|csv)::").unwrap();
    for (file, code) in sources.iter().filter(|(file, _)| !file.starts_with("bin/")) {
        assert_eq!(stranger.find(code).map(|found| found.as_str()), None, "{file}");
    }
}

/// Fails for every file, of those that `of` chooses, in which `pattern` is found.
#[track_caller]
fn forbid(pattern: &str, of: impl Fn(&str) -> bool) {
    let pattern = Regex::new(pattern).unwrap();
    let sources = sources();
    let chosen: Vec<_> = sources.iter().filter(|(file, _)| of(file)).collect();
    assert!(!chosen.is_empty(), "nothing to search");
    for (file, code) in chosen {
        assert_eq!(pattern.find(code).map(|found| found.as_str()), None, "{file}");
    }
}

/// A long flag, wherever a word may start.
const FLAG: &str = r#"(?m)(?:^|[\s"'`(\[])--[a-z][a-z-]+"#;
const PRINTS: &str = r"\be?print(ln)?!|\bdbg!|\bio::std(out|err)\b|\bstd(out|err)\(\)\.(lock|write)";
const NOT_PURE: &str = r"\basync\b|\.await\b|\bstd::(fs|io|net|time|thread|process)\b|\btokio\b|\b(Instant|SystemTime)::|\blog::";
/// Any comparison with a version that is named, and any ordering of versions at all.
const COMPARISONS: &str = r"(?x)
    (?: [^=-][<>]=? | [!=]= ) \s* \w*Version::\w
    | Version::\w+ (?: \s+as\s+\w+ )? \s* (?: [<>]=? | [!=]= ) \s
    | \bversion\b (?: \(\) )? \s* (?: as\s+\w+\s* )? [<>]=? \s
    | \.to_wire\(\) \s* (?: [<>]=? | [!=]= ) \s*";

#[test]
fn only_the_printer_prints() {
    forbid(PRINTS, |file| file != "bin/uncask/printer.rs");
}

/// A flag of the command line in a message or a comment of the library is of no use to those who call it. Errors carry
/// facts, and the command adds what to do.
#[test]
fn the_library_knows_no_flags() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let flag = Regex::new(FLAG).unwrap();
    let mut searched = 0;
    for folder in ["src", "crates/formats/src", "crates/oodle/src"] {
        for entry in walkdir::WalkDir::new(root.join(folder)) {
            let path = entry.unwrap().into_path();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if !is_source || path.starts_with(root.join("src/bin")) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(flag.find(&text).map(|found| found.as_str()), None, "{}", path.display());
            searched += 1;
        }
    }
    assert!(searched > 250, "only {searched} files were searched");
}

/// A second pool would take threads that nobody asked for, and could not start where threads are few.
#[test]
fn only_the_engine_starts_a_pool() {
    forbid(r"\brayon\b", |file| file != "job/cpu.rs");
}

#[test]
fn the_lower_floors_are_pure() {
    forbid(NOT_PURE, |file| floor(room(file)).is_some_and(|floor| floor <= PURE));
}

/// What the crates of the pure floors bring with them, whatever features are on.
#[test]
fn the_pure_crates_depend_on_nothing_that_touches_the_world() {
    let tree = |package: &str| {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        // Cargo may have to fetch what was not needed for building.
        cargo.args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--all-features"]);
        let out = cargo.args(["--package", package]).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let lines = String::from_utf8(out.stdout).unwrap();
        lines.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(tree("uncask-oodle").into_iter().collect::<Vec<_>>(), ["uncask-oodle"]);
    let formats = tree("uncask-formats");
    assert!(formats.contains("uncask-oodle") && formats.len() > 20, "{formats:?}");
    for stranger in ["clap", "getrandom", "rayon", "rustix", "tokio", "uncask", "walkdir"] {
        assert!(!formats.contains(stranger), "uncask-formats brings {stranger}");
    }
}

#[test]
fn versions_are_compared_in_one_place() {
    forbid(COMPARISONS, |file| room(file) != "version");
}

#[test]
fn the_checks_see_what_they_look_for() {
    let both = "use crate::error::{Error, Result};\nuse crate::{id::{A, B}, wire};\nfn f(x: crate::store::Store) {}\n";
    assert_eq!(imports(both).into_iter().collect::<Vec<_>>(), ["error", "id", "store", "wire"]);
    assert_eq!(code("a // crate::store\n/// crate::pack\nb\n#[cfg(test)]\nmod tests {\nc"), "a \n\nb\n");
    assert!(allowed("pipeline", "source") && !allowed("source", "pipeline") && !allowed("codec", "crypto"));
    let finds = |pattern: &str, text: &str| Regex::new(pattern).unwrap().is_match(text);
    for text in ["println!(\"\")", "eprint!(\"\")", "writeln!(io::stderr(), \"\")"] {
        assert!(finds(PRINTS, text), "{text}");
    }
    for text in ["(--aes-key)", "see `--memory`", "\"--force packs it\"", "/// --type"] {
        assert!(finds(FLAG, text), "{text}");
    }
    for text in ["// ---- tables ----", "a--b", "i -- j", "--1"] {
        assert!(!finds(FLAG, text), "{text}");
    }
    for text in ["async fn f()", "use std::fs;", "tokio::spawn", "Instant::now()"] {
        assert!(finds(NOT_PURE, text), "{text}");
    }
    for text in ["version >= TocVersion::PerfectHash", "TocVersion::Initial < x", "toc.version() < other"] {
        assert!(finds(COMPARISONS, text), "{text}");
    }
    for text in [
        "Option<TocVersion>",
        "toc.version().has_partitions()",
        "match version { TocVersion::Initial => 1 }",
        "*version != claimed",
    ] {
        assert!(!finds(COMPARISONS, text), "{text}");
    }
}
