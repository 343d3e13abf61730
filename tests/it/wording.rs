//! What people read is plain English: phrases that are not are found wherever they stand, in code, comments and pages.

use regex::Regex;
use std::path::Path;

/// What is searched.
const PLACES: [&str; 10] = [
    "benches",
    "crates",
    "docs",
    "examples",
    "src",
    "tests",
    "CHANGELOG.md",
    "README.md",
    "SECURITY.md",
    "Cargo.toml",
];

/// Phrases, and what says the same in plain words.
const PHRASES: [(&str, &str); 12] = [
    (r"\bbehind (the|an?|its?|them)\b", "after"),
    (r"\b(is|are|was|were|be) told\b", "recorded, reported"),
    (r"\bat hand\b", "available"),
    (r"\bdearer\b", "costlier"),
    (r"\bhere and now\b", "now"),
    (r"\b(keeps?|keeping) the books\b", "counts"),
    (r"\bof the user's\b", "user-supplied"),
    (r"\bnothing that is known\b", "unrecognised"),
    (r"\bneither \S+ nor \S+ nor\b", "expected A, B or C"),
    (r"\bwhichever lies higher\b", "the one that wins"),
    (r"\bhad back\b", "restored"),
    (r"\bsay for sure\b", "know"),
];

/// Where such words mean what they say.
const RIGHT: [&str; 3] = ["behind the feature", "left behind", "told apart"];

#[test]
fn no_text_has_phrases_that_nobody_says() {
    let phrases = PHRASES.map(|(phrase, instead)| (Regex::new(&format!("(?i){phrase}")).unwrap(), instead));
    let mut searched = 0;
    for (name, text) in texts() {
        searched += 1;
        let joined = RIGHT.iter().fold(joined(&text), |text, right| text.replace(right, ""));
        for (phrase, instead) in &phrases {
            let found = phrase.find(&joined).map(|found| found.as_str());
            assert_eq!(found, None, "{name}: better: {instead}");
        }
    }
    assert!(searched > 500, "only {searched} files were searched");
}

/// A comment that refers to the one above it says nothing where it is read alone, as documentation shows it.
#[test]
fn no_doc_comment_is_only_the_same() {
    for (name, text) in texts().filter(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "rs"))
    {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let is_doc = |line: &str| line.starts_with("/// ") || line == "///";
        for window in [&[""], lines.as_slice()].concat().windows(3) {
            let [before, line, after] = window else { continue };
            let alone = !is_doc(before) && !is_doc(after);
            assert!(!(alone && line.starts_with("/// The same")), "{name}: {line}");
        }
    }
}

#[test]
fn the_search_reads_over_the_ends_of_lines() {
    assert_eq!(joined("/// all of it is\n    /// told\n"), " all of it is told");
    assert_eq!(joined("//! lies behind\n//! the header"), " lies behind the header");
}

/// All texts of the repository but this one, by name.
fn texts() -> impl Iterator<Item = (String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = PLACES.into_iter().flat_map(move |place| walkdir::WalkDir::new(root.join(place)));
    let paths = files.map(|entry| entry.unwrap().into_path());
    let is_text = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        ["rs", "md", "toml", "snap"].iter().any(|text| extension == *text)
    };
    let wanted = paths.filter(move |path| is_text(path) && !path.ends_with("it/wording.rs"));
    let shown = move |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    wanted
        .filter(|path| !path.components().any(|part| part.as_os_str() == "target"))
        .map(move |path| (shown(&path), std::fs::read_to_string(&path).unwrap()))
}

/// A text with its lines joined, without the marks of comments, so that phrases are found that two lines share.
fn joined(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim_start();
        let mark = line.trim_start_matches('/').trim_start_matches('!');
        format!(" {}", if line.starts_with("//") { mark.trim() } else { line })
    };
    text.lines().map(line).collect()
}
