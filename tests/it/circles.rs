//! No circles: a file never uses, however indirectly, one that uses it. What a `mod.rs` passes on with `pub use`, and does
//! not use itself, counts as used from the file that has it.

use crate::layering::sources;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// A module: names from the root of its crate on; those of the command begin with `bin` and `uncask`.
type Module = Vec<String>;

#[test]
fn files_do_not_use_each_other_in_circles() {
    let files = Files::new(&sources());
    let uses = files.uses();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 500, "the search is broken");
    let circles = circles(&uses);
    assert!(circles.is_empty(), "files that use each other: {circles:#?}");
}

#[test]
fn the_search_sees_circles_and_follows_what_is_passed_on() {
    let text = |files: &[(&str, &str)]| -> Vec<String> {
        let sources = files.iter().map(|(name, code)| ((*name).to_owned(), (*code).to_owned())).collect();
        circles(&Files::new(&sources).uses()).iter().map(|circle| circle.join(" ")).collect()
    };
    let passed_on = ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\n");
    assert!(text(&[passed_on, ("a/b.rs", ""), ("a/c.rs", "use super::B;")]).is_empty());
    let used = ("a/mod.rs", "mod b;\npub use b::B;\npub struct A(B);\n");
    assert_eq!(text(&[used, ("a/b.rs", "use super::A;")]), ["a/b.rs a/mod.rs"]);
    let both = text(&[passed_on, ("a/b.rs", "use crate::a::c::{self, C};"), ("a/c.rs", "use super::B;")]);
    assert_eq!(both, ["a/b.rs a/c.rs"]);
    let called = ("a/mod.rs", "mod b;\npub struct A;\nfn f() { b::g() }\n");
    assert_eq!(text(&[called, ("a/b.rs", "fn g() -> super::A {}")]), ["a/b.rs a/mod.rs"]);
    assert!(text(&[called, ("a/b.rs", "use std::fmt; use crate::d::D;"), ("d.rs", "")]).is_empty());
}

/// All files as modules.
struct Files {
    files: BTreeMap<Module, File>,
}

struct File {
    name: String,
    /// Paths in its code, with the module that each starts from.
    paths: Vec<Module>,
    /// Modules and items imported by `use`, by local name.
    names: BTreeMap<String, Module>,
}

impl Files {
    fn new(sources: &BTreeMap<String, String>) -> Self {
        let modules: BTreeSet<Module> = sources.keys().map(|file| module(file)).collect();
        let read = |(name, code): (&String, &String)| {
            let module = module(name);
            let file = File::new(name, code, &module, &modules);
            (module, file)
        };
        Self { files: sources.iter().map(read).collect() }
    }

    /// The files that each file uses.
    fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let of = |file: &File| {
            let found = file.paths.iter().filter_map(|path| self.find(path, 0));
            found.map(|found| self.files[&found].name.as_str()).filter(|used| *used != file.name).collect()
        };
        let named = self.files.values().filter(|file| file.name != "lib.rs");
        named.map(|file| (file.name.as_str(), of(file))).collect()
    }

    /// The module that has what a path names.
    fn find(&self, path: &[String], depth: usize) -> Option<Module> {
        let known = (1..=path.len()).rev().find(|len| self.files.contains_key(&path[..*len]))?;
        let (module, rest) = path.split_at(known);
        let passed_on = rest.first().and_then(|name| self.files[module].names.get(name));
        match passed_on.filter(|_| depth < 8) {
            Some(target) => {
                let path = [target, &rest[1..]].concat();
                self.find(&path, depth + 1).or_else(|| Some(module.to_vec()))
            }
            None => Some(module.to_vec()),
        }
    }
}

impl File {
    fn new(name: &str, code: &str, module: &Module, modules: &BTreeSet<Module>) -> Self {
        let absolute = |path: &[String]| absolute(path, module, modules);
        let mut this = Self { name: name.to_owned(), paths: Vec::new(), names: BTreeMap::new() };
        let item = Regex::new(r"(?s)(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);").unwrap();
        let rest = item.replace_all(code, "");
        for found in item.captures_iter(code) {
            for (path, name) in tree(&found[2]) {
                let Some(path) = absolute(&path) else { continue };
                if found.get(1).is_none() || names_type(&rest, &name) {
                    this.paths.push(path.clone());
                }
                this.names.insert(name, path);
            }
        }
        let inline = Regex::new(r"\b[a-z]\w*(?:::\w+)+").unwrap();
        for found in inline.find_iter(&rest) {
            let path: Vec<String> = found.as_str().split("::").map(str::to_owned).collect();
            this.paths.extend(absolute(&path));
        }
        this
    }
}

/// True if code names a type. Functions are not searched: methods and modules share such names.
fn names_type(code: &str, name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
        && Regex::new(&format!(r"\b{name}\b")).unwrap().is_match(code)
}

/// `pipeline/run.rs` is `pipeline::run`, `pipeline/mod.rs` is `pipeline`.
fn module(file: &str) -> Module {
    let path = file.strip_suffix(".rs").unwrap();
    let path = path.strip_suffix("/mod").or(path.strip_suffix("/main")).unwrap_or(path);
    path.split('/').map(str::to_owned).collect()
}

/// A path from the root of the crate on; `None` for those of other crates and of the prelude.
fn absolute(path: &[String], module: &Module, modules: &BTreeSet<Module>) -> Option<Module> {
    let of_command = module.starts_with(&["bin".to_owned(), "uncask".to_owned()]);
    let root = if of_command { &module[..2] } else { &[] };
    let supers = path.iter().take_while(|part| *part == "super").count();
    match path.first()?.as_str() {
        "crate" => Some([root, &path[1..]].concat()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => Some([&module[..module.len().checked_sub(supers)?], &path[supers..]].concat()),
        first => {
            let child = [&module[..], &[first.to_owned()]].concat();
            modules.contains(&child).then(|| [module, path].concat())
        }
    }
}

/// The paths of a `use` item, each with the name that it gives: `a::{b, c::d as e}` is `a::b` and `a::c::d`.
fn tree(text: &str) -> Vec<(Vec<String>, String)> {
    let text = text.trim();
    let Some((before, group)) = text.split_once('{') else {
        let (path, name) = text.split_once(" as ").unwrap_or((text, text));
        let mut path: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
        path.pop_if(|last| last == "self");
        let name = name.rsplit("::").find(|part| part.trim() != "self").unwrap_or_default();
        return vec![(path, name.trim().to_owned())];
    };
    let inside = group.trim().trim_end_matches([',', ' ']).strip_suffix('}').unwrap_or(group);
    let before: Vec<String> =
        before.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    let member = |member: &String| {
        let members = tree(member).into_iter();
        members.map(|(path, name)| {
            let path = [&before[..], &path].concat();
            let name = if name.is_empty() { path.last().cloned().unwrap_or_default() } else { name };
            (path, name)
        })
    };
    members(inside).iter().flat_map(member).collect::<Vec<_>>()
}

/// The members of an import group.
fn members(text: &str) -> Vec<String> {
    let (mut depth, mut members) = (0, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => members.push(String::new()),
            c => members.last_mut().unwrap().push(c),
        }
    }
    members.retain(|member| !member.trim().is_empty());
    members
}

/// Files that use each other, however indirectly: each group once.
fn circles<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let reach = |from: &'a str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(file) = next.pop() {
            let needed = uses.get(file).into_iter().flatten();
            next.extend(needed.filter(|file| seen.insert(**file)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reach(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, others) in &reached {
        let circle: Vec<&str> =
            others.iter().copied().filter(|other| reached[other].contains(file)).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}
