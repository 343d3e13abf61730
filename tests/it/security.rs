//! `SECURITY.md` and the source agree about `unsafe`.

use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;

/// For each file that has any, how often it says `unsafe` and means it.
fn in_source(root: &Path) -> BTreeMap<String, usize> {
    let keyword = Regex::new(r"\bunsafe (\{|fn|impl|trait|extern)").unwrap();
    let files = walkdir::WalkDir::new(root.join("src")).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let counted = files.map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let uses = code.map(|line| keyword.find_iter(line).count()).sum();
        (path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"), uses)
    });
    counted.filter(|(_, uses)| *uses > 0).collect()
}

/// The same as the page has it.
fn in_page(root: &Path) -> BTreeMap<String, usize> {
    let row = Regex::new(r"(?m)^\| `(src/[^`]+)` \| (\d+) \| .{20,} \|$").unwrap();
    let page = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    row.captures_iter(&page).map(|found| (found[1].to_owned(), found[2].parse().unwrap())).collect()
}

#[test]
fn every_use_of_unsafe_is_listed_with_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = in_source(root);
    assert!(found.keys().all(|file| file.starts_with("src/codec/oodle/")), "{found:?}");
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
