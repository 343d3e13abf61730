//! Texts for review of packages of the editor: the graphs are those that an independent reader counted, and versions of real
//! assets differ in what was changed.

use crate::graphs::{packages, projects};
use crate::sets::say;
use std::collections::BTreeMap;
use std::path::Path;
use uncask_formats::graph::{Graph, graphs_of, in_order};
use uncask_formats::package::legacy::Package;
use uncask_formats::property::{Object, Scope};
use uncask_formats::review::{Review, ReviewOptions};

/// Reads a package, and passes it on with its objects.
fn with_objects<T>(path: &Path, of: impl FnOnce(&Scope<'_>, &[Object]) -> T) -> T {
    let bytes = std::fs::read(path).unwrap();
    let package = Package::parse(&bytes).unwrap();
    let scope = Scope::new(&package, &bytes, 0, None);
    let objects: Vec<Object> = package.exports.iter().map(|export| Object::read(&scope, export)).collect();
    of(&scope, &objects)
}

fn review(path: &Path, old: Option<&Review>) -> Review {
    with_objects(path, |scope, objects| Review::new(scope, objects, ReviewOptions::default(), old))
}

/// Lines that only one of two texts has, in the order of a merge of both.
fn changes(from: &str, to: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(from, to);
    let changed = diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changed.map(|change| format!("{}{}", change.tag(), change.value().trim_end())).collect()
}

/// Checks that each link leads back, and that the order has each node once.
pub(crate) fn check_links(path: &str, graphs: &[Graph]) -> [usize; 3] {
    let pins = |graph: &Graph| graph.nodes.iter().map(|node| node.pins.len()).sum::<usize>();
    let (mut nodes, mut all_pins, mut links) = (0, 0, 0);
    for graph in graphs {
        nodes += graph.nodes.len();
        all_pins += pins(graph);
        let mut order = in_order(graph);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..graph.nodes.len()), "{path}: {}", graph.path);
        for node in &graph.nodes {
            for (at, pin) in (0_u32..).zip(&node.pins) {
                for link in &pin.links {
                    links += 1;
                    let Some(other) = graph.nodes.iter().find(|other| Some(other.export) == link.node) else {
                        continue;
                    };
                    let Some(other) = link.pin.map(|pin| &other.pins[pin as usize]) else { continue };
                    let back = |link: &uncask_formats::graph::Link| {
                        (link.node, link.pin) == (Some(node.export), Some(at))
                    };
                    assert!(other.links.iter().any(back), "{path}: {}.{}", node.title, pin.name);
                    assert_ne!(other.is_output, pin.is_output, "{path}: {}.{}", node.title, pin.name);
                }
            }
        }
    }
    [nodes, all_pins, links]
}

#[test]
fn graphs_have_the_counts_of_an_independent_reader() {
    let Some(folder) = projects() else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let (mut files, mut all) = (0, [0; 3]);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let expected = [5, 6, 7].map(|at| cells[at].parse::<usize>().unwrap());
        let found = with_objects(&folder.join(cells[0]), |scope, objects| {
            check_links(cells[0], &graphs_of(scope, objects))
        });
        // Of pins that are objects, the table has none.
        if expected[1] > 0 {
            assert_eq!(found, expected, "{row}");
        }
        files += usize::from(found[0] > 0);
        all = [0, 1, 2].map(|at| all[at] + found[at]);
    }
    say(&format!("{files} files with graphs: {} nodes, {} pins, {} links", all[0], all[1], all[2]));
    assert!(files >= 50 && all[0] >= 1500, "{files}: {all:?}");
}

/// A text is the same each time, shows no GUIDs or positions, and names no package by the path of its file.
#[test]
fn texts_are_deterministic_and_free_of_noise() {
    let Some(folder) = projects() else { return };
    let (mut files, mut lines) = (0, 0);
    for path in packages(&folder) {
        let text = review(&path, None).to_string();
        assert!(text == review(&path, None).to_string(), "{}", path.display());
        for word in ["NodePosX", "NodeGuid", "PersistentGuid", "ThumbnailInfo", "GraphGuid"] {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
        files += 1;
        lines += text.lines().count();
    }
    say(&format!("{files} files, {lines} lines"));
    assert!(files >= 200, "{files}");
}

/// The versions of an asset, oldest first.
fn versions(name: &str) -> Option<Vec<std::path::PathBuf>> {
    Some(packages(&projects()?.join("history").join(name)))
}

#[test]
fn versions_of_real_assets_differ_in_what_was_changed() {
    let Some(tank) = versions("BP_PawnTank") else { return };
    let text = |at: usize| review(&tank[at], None).to_string();
    assert_eq!(changes(&text(4), &text(5)), ["-  TurnRate = 45", "+  Speed = 700", "+  TurnRate = 120"]);
    assert_eq!(changes(&text(3), &text(4)), ["+  Health: HealthComponent"]);
    assert_eq!(changes(&text(2), &text(3)), [""; 0], "saved again without a change");
    let mode = versions("BP_ToonTanksGameMode").unwrap();
    let text = |at: usize| review(&mode[at], None).to_string();
    assert_eq!(
        changes(&text(2), &text(3)),
        [
            "+  Event ToonTanksGameMode.GameOver",
            "+    then -> CallFunction KismetSystemLibrary.PrintString",
            "+  CallFunction KismetStringLibrary.Conv_BoolToString",
            "+    InBool: bool <- Event ToonTanksGameMode.GameOver.bWonGame",
            "+  CallFunction KismetSystemLibrary.PrintString",
            "+    InString: string <- CallFunction KismetStringLibrary.Conv_BoolToString.ReturnValue",
        ]
    );
}

/// With the old version at hand, a node keeps its name: nothing differs in numbers alone.
#[test]
fn nodes_are_matched_by_their_ids() {
    let Some(folder) = projects() else { return };
    let mut by_asset: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for path in packages(&folder.join("history")) {
        by_asset.entry(path.parent().unwrap().to_owned()).or_default().push(path);
    }
    let (mut alone, mut matched, mut pairs) = (0, 0, 0);
    for pair in by_asset.values().flat_map(|versions| versions.windows(2)) {
        let old = review(&pair[0], None);
        let old_text = old.to_string();
        alone += changes(&old_text, &review(&pair[1], None).to_string()).len();
        matched += changes(&old_text, &review(&pair[1], Some(&old)).to_string()).len();
        pairs += 1;
    }
    say(&format!("{pairs} pairs: {alone} changed lines, {matched} where nodes are matched"));
    assert!(pairs >= 50 && matched < alone, "{pairs} pairs: {alone}, {matched}");
}
