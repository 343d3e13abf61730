//! Graphs of packages of the editor: nodes, pins and links, as many as an independent reader counted.

use crate::sets::{corpus, say};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use uncask_formats::id::Guid;
use uncask_formats::package::legacy::{Package, PackageIndex};
use uncask_formats::property::{Body, Object, Record, Scope, Value};
use uncask_formats::wire::Writer;

/// Counts of a package: nodes, pins, and links from one pin to another.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    nodes: usize,
    pins: usize,
    links: usize,
}

fn record(value: &Value) -> &Record {
    match value {
        Value::Struct(found) => match &found.body {
            Body::Native(record) => record,
            _ => panic!("{found:?}"),
        },
        _ => panic!("{value:?}"),
    }
}

/// A reference to a pin: its node and id.
fn reference(value: &Value) -> Option<(PackageIndex, Guid)> {
    let of = record(value);
    match (of.get("OwningNode"), of.get("PinId")) {
        (Some(Value::Object(node)), Some(Value::Guid(id))) => Some((*node, *id)),
        _ => None,
    }
}

/// Reads the graphs of a package, and checks that each link leads back.
fn graphs(path: &str, bytes: &[u8]) -> Option<Counts> {
    let package = Package::parse(bytes).ok()?;
    let scope = Scope::new(&package, bytes, 0, None);
    let (mut counts, mut links) = (Counts::default(), HashMap::new());
    for (at, export) in package.exports.iter().enumerate() {
        let object = Object::read(&scope, export);
        let Some(pins) = object.tail.get("Pins").and_then(Value::items) else { continue };
        assert!(object.is_complete(), "{path}: {}: {:?}", package.text(export.name), object.problem);
        let mut written = Writer::new();
        object.write(&mut written).unwrap();
        assert!(Some(&*written.into_bytes()) == scope.bytes(export), "{path}: {}", package.text(export.name));
        counts.nodes += 1;
        counts.pins += pins.len();
        let own = u32::try_from(at).ok().and_then(PackageIndex::export).unwrap();
        for pin in pins {
            let id = reference(pin).unwrap();
            let again = (record(pin).get("OwnNode").unwrap(), record(pin).get("OwnId").unwrap());
            assert_eq!(again, (&Value::Object(id.0), &Value::Guid(id.1)), "{path}");
            assert_eq!(id.0, own, "{path}");
            let linked = record(pin).get("LinkedTo").and_then(Value::items).unwrap();
            counts.links += linked.len();
            links.insert(id, linked.iter().filter_map(reference).collect::<Vec<_>>());
        }
    }
    for (from, to) in &links {
        for other in to.iter().filter_map(|to| links.get(to)) {
            assert!(other.contains(from), "{path}: a link leads one way only");
        }
    }
    Some(counts)
}

#[test]
fn nodes_pins_and_links_are_all_there() {
    let Some(folder) = projects() else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let (mut all, mut by_release) = (Counts::default(), BTreeMap::<String, usize>::new());
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [nodes, pins, links] = [5, 6, 7].map(|at| cells[at].parse::<usize>().unwrap());
        // Before 4.14 pins are objects.
        if nodes == 0 || ["4.10", "4.11", "4.12", "4.13"].contains(&cells[3]) {
            continue;
        }
        let bytes = std::fs::read(folder.join(cells[0])).unwrap();
        let found = graphs(cells[0], &bytes).unwrap();
        assert_eq!(found, Counts { nodes, pins, links }, "{row}");
        all = Counts { nodes: all.nodes + nodes, pins: all.pins + pins, links: all.links + links };
        *by_release.entry(cells[3].to_owned()).or_default() += nodes;
    }
    say(&format!("{all:?}, nodes by release: {by_release:?}"));
    assert!(all.nodes >= 1000, "{all:?}");
}

/// The folder of packages of projects.
pub(crate) fn projects() -> Option<PathBuf> {
    Some(corpus()?.parent()?.join("uncooked-projects"))
}

/// All packages below a folder.
pub(crate) fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(packages(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "uasset") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// Up to ten versions of nine blueprints.
#[test]
fn graphs_of_a_history_are_read_to_their_ends() {
    let Some(folder) = projects() else { return };
    let (mut all, mut files) = (Counts::default(), 0);
    for path in packages(&folder.join("history")) {
        let bytes = std::fs::read(&path).unwrap();
        if let Some(found) = graphs(&path.display().to_string(), &bytes) {
            files += 1;
            all.nodes += found.nodes;
            all.pins += found.pins;
            all.links += found.links;
        }
    }
    say(&format!("{files} versions: {all:?}"));
    assert!(files >= 50 && all.nodes > 1000, "{files}: {all:?}");
}
