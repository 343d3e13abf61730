//! `uncask report`, and the page in a browser.

use super::run::{corpus, fixture};
use crate::support::cli;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use uncask::compare::overview;
use uncask::store::{Store, StoreOptions};

/// Keeps what goes wrong, from the first script on.
const RECORDER: &str = "window.seenErrors = [];
addEventListener('error', (event) => seenErrors.push(event.message));
addEventListener('unhandledrejection', (event) => seenErrors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', (event) => seenErrors.push(event.violatedDirective));
console.error = console.warn = (...all) => seenErrors.push(all.join(' '));
window.alert = () => seenErrors.push('an alert');";
const PERSON: &str = include_str!("report_in_browser.js");

fn page(input: &Path, folder: &Path, more: &[&str]) -> String {
    let output = folder.join("report.html");
    let mut command = cli::command();
    command.arg("report").arg(input).arg("-o").arg(&output).args(more);
    cli::run(&mut command).expect(0);
    std::fs::read_to_string(output).unwrap()
}

/// The data that a page carries.
pub(super) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("type=\"application/octet-stream\">").unwrap();
    let bytes = BASE64_STANDARD.decode(rest.split_once("</script>").unwrap().0).unwrap();
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn what_a_page_shows() {
    let store = Store::open(&["testdata/demo".into()], &[], &StoreOptions::default()).unwrap();
    let mut entries: Vec<_> = store.entries().collect();
    store.retain_winners(&mut entries);
    let report = overview(&store, &entries, None);
    insta::assert_snapshot!("report", serde_json::to_string_pretty(&report).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let carried = data(&page(Path::new("testdata/demo"), folder.path(), &[]));
    assert_eq!(carried["total"], serde_json::to_value(report.total).unwrap());
    assert_eq!(carried["entries"]["name"], serde_json::to_value(&report.entries.name).unwrap());
    assert_eq!(carried["names"].as_array().unwrap().len(), report.names.len());
}

#[test]
fn files_of_one_content_are_duplicates() {
    let folder = tempfile::tempdir().unwrap();
    let tree = [("A/one.bin", "same"), ("B/two.bin", "same"), ("B/three.bin", "another")];
    let page = page(&packed(folder.path(), &tree), folder.path(), &[]);
    let data = data(&page);
    let [found] = data["duplicates"].as_array().unwrap().as_slice() else { panic!("{data}") };
    assert_eq!((&found["copies"], found["entries"].as_array().unwrap().len()), (&2.into(), 2));
    assert!(found["wasted"].as_u64().unwrap() > 0);
}

/// An object without a class is not of a class named `-`.
#[test]
fn no_class_is_called_dash() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let page = page(Path::new(&container), folder.path(), &["--show-class", "--base", &global]);
    let carried = data(&page).to_string();
    assert!(carried.contains("\"(no class)\"") && !carried.contains("\"-\""), "{carried}");
    let Some(seen) = in_browser(&page, folder.path()) else { return };
    let classes = seen["classes"].as_array().unwrap();
    assert!(classes.contains(&"(no class)".into()) && !classes.contains(&"-".into()), "{seen:#}");
}

#[test]
fn a_page_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let Some(seen) = in_browser(&page(Path::new("testdata/demo"), folder.path(), &[]), folder.path()) else {
        return;
    };
    assert_eq!(seen["errors"], serde_json::json!([]), "{seen:#}");
    assert_eq!(seen["opened"], true);
    let apart = seen["apart"].as_array().unwrap();
    assert!(apart.len() >= 6 && apart.iter().all(|apart| apart.as_f64().unwrap() < 1.0), "{apart:?}");
    assert_ne!(seen["searched"], seen["all"], "{seen:#}");
    assert!(!seen["searched"].as_str().unwrap().starts_with("0 "), "{seen:#}");
    assert_eq!(seen["sort"], "descending");
    assert_ne!(seen["largest"], seen["smallest"], "{seen:#}");
    let ordered = seen["ordered"].as_array().unwrap();
    let (first, second, last) = (&ordered[0], &ordered[1], ordered.last().unwrap());
    let moved = serde_json::json!([null, first, second, first, last, last, first, first]);
    assert_eq!((&seen["current"], &seen["pointed"]), (&moved, &"cursor".into()), "{seen:#}");
    assert!(seen["tile"].as_str().unwrap().starts_with("Folder "), "{seen:#}");
    assert_ne!(seen["zoomed"][0], "All", "{seen:#}");
    assert_eq!((&seen["back"][0], &seen["back"][1]), (&"All".into(), &seen["all"]), "{seen:#}");
    assert_eq!(seen["entered"], seen["zoomed"][0], "{seen:#}");
    assert_ne!(seen["filtered"], seen["all"], "{seen:#}");
    assert_eq!(seen["unfiltered"], seen["all"], "{seen:#}");
    assert_ne!(seen["before"][0], seen["after"][0], "{seen:#}");
    assert_ne!(seen["before"][1], seen["after"][1], "{seen:#}");
}

#[cfg(unix)]
#[test]
fn hostile_names_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "a<!--<script>alert(1)<",
        "b\"'`${alert(1)}.bin",
        "c\u{2028}\u{202e}\n\u{1b}[2J.bin",
        "<img src=x onerror=alert(1)>.bin",
        "{{data}}&lt;.bin",
    ];
    // Below the first one, a path reads `…</script>…`.
    let inside = format!("{}/script><b>.bin", names[0]);
    let files: Vec<(&str, &str)> =
        [inside.as_str()].into_iter().chain(names[1..].iter().copied()).map(|name| (name, name)).collect();
    let input = packed(folder.path(), &files);
    let title = "</title><script>alert(1)</script>{{data}}";
    let page = page(&input, folder.path(), &["--title", title]);
    assert!(!page.contains("alert(1)<") && !page.contains("onerror="), "{page}");
    let carried = data(&page);
    for name in &names[1..] {
        assert!(carried["names"].as_array().unwrap().contains(&(*name).into()), "{name:?}");
    }
    let Some(seen) = in_browser(&page, folder.path()) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]), "{seen:#}");
    assert_eq!(seen["title"], format!("{title} · uncask"));
    let rows = seen["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row.as_str().unwrap().contains("</script><b>.bin")), "{rows:?}");
    assert!(rows.iter().any(|row| row.as_str().unwrap().contains("c\\u{2028}\\u{202e}\\u{a}")), "{rows:?}");
}

/// A container of these files.
fn packed(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
    let (tree, toc) = (folder.join("tree"), folder.join("made.utoc"));
    for (path, text) in files {
        let file = tree.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    cli::run(cli::command().arg("pack").arg(&tree).arg("-o").arg(&toc)).expect(0);
    toc
}

/// Opens the page as a user sees it. Without Chromium, the test is skipped with a message.
pub(super) fn in_browser(page: &str, folder: &Path) -> Option<Value> {
    let path = folder.join("used.html");
    let script = |text: &str| format!("<script>{text}</script>");
    let allowed =
        [RECORDER, PERSON].map(|text| format!("'sha256-{}' ", BASE64_STANDARD.encode(Sha256::digest(text))));
    let page = page.replacen("script-src ", &format!("script-src {}", allowed.concat()), 1);
    let page = page.replacen("<title>", &format!("{}<title>", script(RECORDER)), 1);
    let (before, after) = page.rsplit_once("</body>").unwrap();
    std::fs::write(&path, format!("{before}{}</body>{after}", script(PERSON))).unwrap();
    let chromium = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success()));
    let Some(chromium) = chromium else {
        let _ = writeln!(std::io::stderr(), "skipped, no Chromium: the page in a browser");
        return None;
    };
    let run = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
        ])
        .args(["--window-size=1400,1400", "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    let console: Vec<&str> = said.lines().filter(|line| line.contains(":CONSOLE")).collect();
    assert!(console.is_empty(), "{console:#?}");
    let dom = String::from_utf8(run.stdout).unwrap();
    let (_, seen) =
        dom.split_once("<pre id=\"seen\">").unwrap_or_else(|| panic!("nothing was seen: {dom}\n{said}"));
    let seen = BASE64_STANDARD.decode(seen.split_once("</pre>").unwrap().0).unwrap();
    Some(serde_json::from_slice(&seen).unwrap())
}
