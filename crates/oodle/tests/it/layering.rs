//! The files of the crate form floors: no file needs one that needs it in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The modules of the crate by their paths (`lz::kraken::fast`; the root is empty), each with its code: no comments, no
/// unit tests.
fn modules() -> BTreeMap<String, String> {
    let mut modules = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut modules);
    modules
}

fn collect(folder: &Path, module: &str, modules: &mut BTreeMap<String, String>) {
    for file in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = file.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let own = if matches!(&*name, "lib" | "mod") { module.to_owned() } else { join(module, &name) };
        if path.is_dir() {
            collect(&path, &own, modules);
        } else {
            modules.insert(own, code(&std::fs::read_to_string(&path).expect("a source file")));
        }
    }
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

/// The code that the compiler sees outside tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"]).collect()
}

/// The modules that a module needs: those it declares, and those whose items it names from `crate` or `super` on (from
/// `crate` alone in modules that are not files).
fn needs(module: &str, code: &str, modules: &BTreeMap<String, String>) -> BTreeSet<String> {
    let words: String = code.split_whitespace().flat_map(|word| [word, " "]).collect();
    let declared = words.split(';').filter_map(|item| item.trim().rsplit_once("mod "));
    let mut found: BTreeSet<String> =
        declared.map(|(_, name)| join(module, name)).filter(|name| modules.contains_key(name)).collect();
    for start in ["crate::", "super::"] {
        for (at, _) in words.match_indices(start) {
            // Not the middle of a path, and not the reach of a visibility.
            let is_start = !words[..at].ends_with("::") && !words[..at].ends_with("(in ");
            paths(&words[at..], &mut String::new(), &mut |path| {
                found.extend(is_start.then(|| resolve(module, path, modules)).flatten());
            });
        }
    }
    found.remove(module);
    found
}

/// Calls `each` for the paths that `text` starts with: one, or all of a group. Returns what follows them.
fn paths<'t>(text: &'t str, prefix: &mut String, each: &mut impl FnMut(&str)) -> &'t str {
    let len = prefix.len();
    let mut text = text.trim_start();
    loop {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        prefix.push_str(&text[..end]);
        let Some(rest) = text[end..].strip_prefix("::") else {
            each(prefix);
            prefix.truncate(len);
            return &text[end..];
        };
        prefix.push_str("::");
        let Some(mut rest) = rest.strip_prefix('{') else {
            text = rest;
            continue;
        };
        loop {
            rest = paths(rest, prefix, each);
            rest = rest.split_once([',', '}']).map_or("", |(alias, _)| &rest[alias.len()..]);
            let Some(next) = rest.strip_prefix(',') else { break };
            rest = next;
        }
        prefix.truncate(len);
        return rest.strip_prefix('}').unwrap_or_default();
    }
}

/// The module that the item of a path lies in: the longest start of the path that is one.
fn resolve(module: &str, path: &str, modules: &BTreeMap<String, String>) -> Option<String> {
    let mut at: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    let mut names = path.split("::").peekable();
    if names.next_if_eq(&"crate").is_some() {
        at.clear();
    }
    while names.next_if_eq(&"super").is_some() {
        at.pop();
    }
    let mut found = at.join("::");
    for name in names {
        let next = join(&found, name);
        if !modules.contains_key(&next) {
            break;
        }
        found = next;
    }
    // The root only declares and exports.
    Some(found).filter(|found| !found.is_empty())
}

/// A way from a module back to itself, if there is one.
fn circle(needs: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut left = needs.clone();
    // What needs nothing that is left is on no circle.
    while let Some(free) = left.iter().find(|(_, needs)| needs.is_empty()).map(|(name, _)| name.clone()) {
        left.remove(&free);
        for needs in left.values_mut() {
            needs.remove(&free);
        }
    }
    let mut way = vec![left.keys().next()?.clone()];
    loop {
        let next = left[way.last()?].first()?.clone();
        if let Some(at) = way.iter().position(|name| *name == next) {
            return Some(way.split_off(at));
        }
        way.push(next);
    }
}

#[test]
fn no_file_needs_one_that_needs_it() {
    let modules = modules();
    let needs: BTreeMap<_, _> =
        modules.iter().map(|(name, code)| (name.clone(), needs(name, code, &modules))).collect();
    assert_eq!(circle(&needs), None);
    let arrows: usize = needs.values().map(BTreeSet::len).sum();
    assert!(arrows > 80, "only {arrows} arrows found: the search is broken");
    let of = |name: &str| needs[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(
        of("lz::kraken::fast"),
        [
            "backend",
            "copy",
            "lz::chunk",
            "lz::kraken::near",
            "lz::kraken::step",
            "lz::kraken::streams",
            "lz::recent"
        ],
        "what its first lines say"
    );
    assert_eq!(of("entropy::tans"), ["backend", "bits", "entropy::tans::weights", "error", "views"]);
}

#[test]
fn circles_are_seen() {
    let modules: BTreeMap<_, _> =
        [("a", ""), ("a::b", ""), ("c", "")].map(|(name, code)| (name.into(), code.into())).into();
    let found = |module: &str, code: &str| needs(module, code, &modules).into_iter().collect::<Vec<_>>();
    assert_eq!(found("a", "#[cfg(x)]\nmod b;\nuse crate::{a::b::{X, Y}, c as d};"), ["a::b", "c"]);
    assert_eq!(found("a::b", "use super::X; fn f(x: super::super::c::Z) {}"), ["a", "c"]);
    assert_eq!(found("c", "pub(crate) fn f() {}"), [""; 0]);
    let needs = |pairs: &[(&str, &str)]| {
        let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in pairs {
            needs.entry((*to).to_owned()).or_default();
            needs.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        needs
    };
    assert_eq!(circle(&needs(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    assert_eq!(circle(&needs(&[("x", "a"), ("a", "b"), ("b", "a")])), Some(vec!["a".into(), "b".into()]));
}
