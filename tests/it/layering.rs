//! The floors of the house: a room imports only from lower floors. The lower ones are the crate `uncask-formats`. Text of
//! comments and unit tests does not count.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

/// Rooms and their floors, from the table in the documentation of the crate.
fn floors() -> &'static BTreeMap<String, u8> {
    static FLOORS: OnceLock<BTreeMap<String, u8>> = OnceLock::new();
    FLOORS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        floors_of(&std::fs::read_to_string(root.join("src/lib.rs")).unwrap())
    })
}

/// The rows of a table: ``//! | 3 | [`room`], [`other`] | what they know |``. What is no link is no module.
fn floors_of(text: &str) -> BTreeMap<String, u8> {
    let row = Regex::new(r"(?m)^//! \| (\d+) \| ([^|]+) \|").unwrap();
    let room = Regex::new(r"\[`(\w+)`\]").unwrap();
    let mut floors = BTreeMap::new();
    for found in row.captures_iter(text) {
        for name in room.captures_iter(&found[2]) {
            let earlier = floors.insert(name[1].to_owned(), found[1].parse().unwrap());
            assert_eq!(earlier, None, "{} has two floors", &name[1]);
        }
    }
    floors
}

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
    let tests = Regex::new(r"#\[cfg\((all\()?test\b.*\n(pub(\([^)]*\))? )?mod tests \{").unwrap();
    let text = tests.split(text).next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The rooms that a crate declares, in its order.
fn rooms_of(root: &str) -> Vec<String> {
    let declared = Regex::new(r"pub mod (\w+);").unwrap();
    let code = &sources_below(root)["lib.rs"];
    declared.captures_iter(code).map(|found| found[1].to_owned()).collect()
}

/// The room of a file: the first part of its path.
fn room(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap()
}

fn floor(room: &str) -> Option<u8> {
    floors().get(room).copied()
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
    from == to || below
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
    let (rooms, sources) = ([rooms_of("crates/formats/src"), rooms_of("src")].concat(), sources());
    let in_table: Vec<u8> = rooms.iter().map(|room| floor(room).unwrap()).collect();
    assert!(in_table.is_sorted(), "{rooms:?}");
    assert_eq!(rooms.len(), floors().len());
    let stranger = Regex::new(r"\b(clap|anyhow|indicatif|csv)::").unwrap();
    for (file, code) in sources.iter().filter(|(file, _)| !file.starts_with("bin/")) {
        let found: BTreeSet<&str> = stranger.find_iter(code).map(|found| found.as_str()).collect();
        // A form of export; what commands print as CSV is theirs.
        let expected = if file == "export/table.rs" { BTreeSet::from(["csv::"]) } else { BTreeSet::new() };
        assert_eq!(found, expected, "{file}");
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

/// Commands that a command imports: `command/x.rs` and what lies below `command/x` may name `x` alone.
fn commands_imported(file: &str, code: &str) -> Vec<String> {
    let Some(place) = file.strip_prefix("bin/uncask/command/") else { return Vec::new() };
    let own = place.split(['/', '.']).next().unwrap();
    let of_siblings =
        if place.contains('/') { r"\bcrate::command::" } else { r"\b(?:crate::command|super)::" };
    let named = Regex::new(&format!(r"{of_siblings}(?:\{{|(\w+))")).unwrap();
    let name = |found: regex::Captures<'_>| found.get(1).map_or("{", |name| name.as_str()).to_owned();
    named.captures_iter(code).map(name).filter(|name| name != own).collect()
}

#[test]
fn no_command_imports_another() {
    let commands = sources().into_iter().filter(|(file, _)| !file.ends_with("command/mod.rs"));
    for (file, code) in commands {
        assert_eq!(commands_imported(&file, &code), [""; 0], "{file}: shared code is in `shared`");
    }
    let seen = |file, code| commands_imported(&format!("bin/uncask/command/{file}"), code);
    assert_eq!(seen("set.rs", "use super::edit;"), ["edit"]);
    assert_eq!(seen("set.rs", "use super::{a, b};"), ["{"]);
    assert_eq!(seen("info/overview.rs", "crate::command::list::ratio(1)"), ["list"]);
    assert_eq!(seen("info/overview.rs", "use super::Description; use crate::command::info::x;"), [""; 0]);
}

/// Rooms that a program sees only through `game`.
const BEHIND_THE_DOOR: [&str; 13] = [
    "source", "table", "sink", "job", "pipeline", "release", "store", "compare", "extract", "pack", "texts",
    "values", "export",
];

/// Programs that use the library: where they are, how they name it, and the rooms that they see all the same.
const PROGRAMS: [(&str, &str, &[&str]); 6] = [
    ("src/bin", "uncask", &[]),
    // Stages are measured one by one, and whole jobs as the command runs them.
    ("src/bin/uncask/bench", "uncask", &["job", "pipeline", "sink", "source"]),
    ("crates/python/src", "uncask", &[]),
    // Requests are jobs with a budget, files come from a browser and go into one.
    ("src/browse", "crate", &["job", "sink", "source", "store"]),
    ("examples", "uncask", &[]),
    // Shows how the pipeline is used without a store.
    ("examples/custom_source.rs", "uncask", &["job", "pipeline", "source", "table"]),
];

/// Path and code of every source file of a program, without those of programs inside it.
fn program(at: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = walkdir::WalkDir::new(root.join(at)).into_iter().map(|entry| entry.unwrap().into_path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = sources.map(|path| {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        (name, code(&std::fs::read_to_string(path).unwrap()))
    });
    let is_of_another =
        |file: &str| PROGRAMS.iter().any(|(other, ..)| other.len() > at.len() && file.starts_with(other));
    named.filter(|(file, _)| !is_of_another(file)).collect()
}

#[test]
fn programs_go_through_the_door() {
    for (at, library, also) in PROGRAMS {
        let named = Regex::new(&format!(r"\b{library}::(\w+)")).unwrap();
        let (mut doors, files) = (0, program(at));
        assert!(!files.is_empty(), "{at} has no sources");
        for (file, code) in files {
            for found in named.captures_iter(&code) {
                let room = &found[1];
                doors += usize::from(["game", "Game", "GameOptions"].contains(&room));
                let is_seen = also.contains(&room) || !BEHIND_THE_DOOR.contains(&room);
                assert!(is_seen, "{file} uses {room}: what it needs is a method of `Game`");
            }
        }
        assert!(doors > 0 || at.ends_with("source.rs"), "{at} never uses the door");
    }
}

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

/// Subcommands in text: by `uncask NAME`, or alone where the name is no English word.
fn advice() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/uncask/command");
    let files = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let names: BTreeSet<String> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().replace('_', "-")).collect();
    assert!(names.len() > 20 && names.contains("to-zen"), "{names:?}");
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let alone: Vec<&str> = all.iter().copied().filter(|name| name.contains('-')).collect();
    format!(r"\buncask ({})\b|(^|[^.\w-])({})($|[^/\w-])", all.join("|"), alone.join("|"))
}

/// Messages of the library do not say which command helps: those who call it have no commands.
#[test]
fn the_library_recommends_no_commands() {
    forbid(&advice(), |file| !file.starts_with("bin/"));
}

/// A second pool would take threads that nobody asked for, and could not start where threads are few.
#[test]
fn only_the_engine_starts_a_pool() {
    forbid(r"\brayon\b", |file| file != "job/cpu.rs");
}

#[test]
fn the_lower_floors_are_pure() {
    let pure = rooms_of("crates/formats/src");
    forbid(NOT_PURE, |file| pure.iter().any(|name| name == room(file)));
}

/// Crates on the pure floors bring no such dependency, with any features.
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
    let table = "//! | 0 | [`a`] | x |\n//! | 12 | [`b`], [`c`] | [`d`] |\n//! | 13 | `e` | y |\n";
    let rows = [("a", 0), ("b", 12), ("c", 12)].map(|(room, floor)| (room.to_owned(), floor));
    assert_eq!(floors_of(table), BTreeMap::from(rows));
    let finds = |pattern: &str, text: &str| Regex::new(pattern).unwrap().is_match(text);
    for text in ["println!(\"\")", "eprint!(\"\")", "writeln!(io::stderr(), \"\")"] {
        assert!(finds(PRINTS, text), "{text}");
    }
    for text in ["(--aes-key)", "see `--memory`", "\"--force packs it\"", "/// --type"] {
        assert!(finds(FLAG, text), "{text}");
    }
    for text in ["make a container with to-zen: ", "(\"run uncask verify\")", "`to-legacy` keeps it"] {
        assert!(finds(&advice(), text), "{text}");
    }
    for text in ["that uncask printed", "\"uncask.to-zen/1\"", "crate::pack::to_zen", "verify"] {
        assert!(!finds(&advice(), text), "{text}");
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
