//! `SECURITY.md` and the source agree about `unsafe`.

use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;

/// For each file that has any, how often it says `unsafe` and means it.
fn in_source(root: &Path) -> BTreeMap<String, usize> {
    let keyword = Regex::new(r"\bunsafe (\{|fn|impl|trait|extern)").unwrap();
    let folders = ["src", "crates"].into_iter().flat_map(|folder| walkdir::WalkDir::new(root.join(folder)));
    let files = folders.map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let counted = files.map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let uses = code.map(|line| keyword.find_iter(line).count()).sum();
        (path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"), uses)
    });
    counted.filter(|(_, uses)| *uses > 0).collect()
}

/// Uses of `unsafe` by file, as `SECURITY.md` counts them.
fn in_page(root: &Path) -> BTreeMap<String, usize> {
    let row = Regex::new(r"(?m)^\| `((?:src|crates)/[^`]+)` \| (\d+) \| .{20,} \|$").unwrap();
    let page = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    row.captures_iter(&page).map(|found| (found[1].to_owned(), found[2].parse().unwrap())).collect()
}

#[test]
fn every_use_of_unsafe_is_listed_with_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = in_source(root);
    assert!(found.keys().all(|file| file.starts_with("crates/oodle/src/")), "{found:?}");
    assert_eq!(in_page(root), found);
}

/// Every block says why it is sound.
#[test]
fn every_block_has_its_proof() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in in_source(root).keys() {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let (blocks, proofs) = (text.matches("unsafe {").count(), text.matches("// SAFETY:").count());
        assert_eq!(blocks, proofs, "{file}");
    }
}

/// Licences that ask for no more than to be named.
#[cfg(target_os = "linux")]
const FREE: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// True if a free licence can be chosen: `MIT OR (A AND B)`, or `MIT/A` in old packages.
#[cfg(target_os = "linux")]
fn is_free(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    let all = |choice: &str| choice.split(" AND ").all(|licence| FREE.contains(&licence.trim()));
    // Only `(A OR B) AND C` binds otherwise; all of its parts have to be free then.
    let mut choices = expression.split(" OR ");
    if expression.contains(" AND ") { choices.all(all) } else { choices.any(all) }
}

/// The program is built from registry packages under free licences, nearly all in one version.
#[cfg(target_os = "linux")]
#[test]
fn dependencies_are_free_and_of_the_registry() {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let tree = ["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}|{l}", "--locked"];
    let output = cargo.args(tree).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let packages: std::collections::BTreeSet<&str> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        // A tree for each member of the workspace, with empty lines between them.
        .filter(|line| !line.is_empty() && !line.starts_with("uncask"))
        .collect();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &packages {
        let (name, licence) = package.split_once('|').unwrap();
        assert!(is_free(licence), "{name}: {licence}");
        assert!(!name.contains("git+") && !name.contains('/'), "{name} is not from the registry");
        let (name, version) = name.split_once(' ').unwrap();
        versions.entry(name).or_default().push(version);
    }
    assert!(packages.len() > 50, "{} packages", packages.len());
    versions.retain(|_, versions| versions.len() > 1);
    // Each waits for another package to move on.
    assert!(versions.keys().eq(["miniz_oxide", "syn"].iter()), "{versions:?}");
}
