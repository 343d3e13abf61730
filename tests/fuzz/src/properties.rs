//! Property data: read, written back, taken through a document, and changed.

use super::part;
use std::borrow::Cow;
use std::collections::BTreeMap;
use uncask::codec::Scratch;
use uncask::graph::in_order;
use uncask::mappings::Mappings;
use uncask::merge::{MergeSide, merge_files};
use uncask::package::legacy::Package;
use uncask::package::rebuild::{Changes, LegacyFiles, rebuild_legacy};
use uncask::property::edit::{Address, Editor, Names};
use uncask::property::json::{Tree, from_tree};
use uncask::property::{Object, Schemas, Scope};
use uncask::review::{Review, ReviewOptions};
use uncask::wire::Writer;

/// Longest export data that is looked at: documents are many times as long.
const ENOUGH: usize = 1 << 16;

/// A header and the data of its exports: lists with tags.
pub(super) fn tagged(mut data: &[u8]) {
    let header = part(&mut data);
    objects(header, data, None);
}

/// Mappings, a header and the data of its exports: lists without tags.
pub(super) fn unversioned(mut data: &[u8]) {
    let (usmap, header) = (part(&mut data), part(&mut data));
    let Ok(found) = Mappings::parse_partial(usmap, &mut Scratch::default()) else { return };
    objects(header, data, Some(&Schemas::new(&found.value)));
}

/// Every export comes back as it was, by itself and in its package.
fn objects(header: &[u8], data: &[u8], mappings: Option<&Schemas>) {
    with_package(header, data, mappings, |scope, files| {
        let mut exports = BTreeMap::new();
        for (at, export) in scope.package.exports.iter().enumerate() {
            let object = Object::read(scope, export);
            let Some(expected) = scope.bytes(export).filter(|bytes| !bytes.is_empty()) else { continue };
            let written = bytes(&object);
            assert_eq!(written, expected, "export {at}");
            exports.insert(at, written);
        }
        let changes = Changes { exports, ..Changes::default() };
        if let Ok(same) = rebuild_legacy(scope.package, files, &changes) {
            assert!(same == *files, "a package that does not change stays as it is");
        }
    });
}

/// Objects to a document and back: the same bytes wherever the document says all of it.
pub(super) fn reencode(mut data: &[u8]) {
    let header = part(&mut data);
    with_package(header, data, None, |scope, _| {
        let document = serde_json::to_value(Tree::new(scope)).expect("a document");
        let Ok(found) = from_tree(scope, names(scope.package), &document) else { return };
        for (at, object) in &found.objects {
            let export = &scope.package.exports[*at];
            let before = Object::read(scope, export);
            if before.problem.is_none() && before.is_complete() && found.names.added().is_empty() {
                assert_eq!(bytes(object), bytes(&before), "export {at}");
            }
        }
    });
}

/// A header, the data of its exports, and a document, or an address and a value.
pub(super) fn tree(mut data: &[u8]) {
    let (header, exports) = (part(&mut data), part(&mut data));
    let Ok(text) = std::str::from_utf8(data) else { return };
    with_package(header, exports, None, |scope, files| {
        let mut objects = BTreeMap::new();
        let names = if let Ok(document) = serde_json::from_str(text) {
            let Ok(found) = from_tree(scope, names(scope.package), &document) else { return };
            objects = found.objects;
            found.names
        } else {
            let mut editor = Editor::new(scope, names(scope.package));
            for line in text.lines().take(8) {
                let Some((address, value)) = line.split_once(' ') else { continue };
                let Ok(address) = address.parse::<Address>() else { continue };
                let Ok(at) = editor.export(&address.export) else { continue };
                let mut object = Object::read(scope, &scope.package.exports[at]);
                if editor.set(&mut object, &address, value).is_ok() {
                    objects.insert(at, object);
                }
            }
            editor.into_names()
        };
        let mut exports = BTreeMap::new();
        for (at, object) in &objects {
            let mut w = Writer::new();
            if object.write(&mut w).is_ok() {
                exports.insert(*at, w.into_bytes());
            }
        }
        let changes = Changes {
            names: names.added().to_vec(),
            names_used: names.used(),
            exports,
            ..Changes::default()
        };
        if let Ok(new) = rebuild_legacy(scope.package, files, &changes) {
            let package = Package::parse_partial(&new.header, None).expect("a header").value;
            assert_eq!(package.exports.len(), scope.package.exports.len());
        }
    });
}

/// A whole package of the editor: its graphs in order, and its text.
pub(super) fn review(data: &[u8]) {
    let Ok(found) = Package::parse_partial(data, None) else { return };
    let scope = Scope::new(&found.value, data, 0, None);
    let objects: Vec<Object> =
        found.value.exports.iter().map(|export| Object::read(&scope, export)).collect();
    for all in [false, true] {
        let review = Review::new(&scope, &objects, ReviewOptions { all }, None);
        for graph in &review.graphs {
            let mut order = in_order(graph);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..graph.nodes.len()), "each node once: {}", graph.path);
        }
        // Against itself, every node keeps its name.
        let again = Review::new(&scope, &objects, ReviewOptions { all }, Some(&review));
        let has_ids = review.graphs.iter().flat_map(|graph| &graph.nodes).all(|node| node.id.is_some());
        let ids: Vec<_> = review.graphs.iter().flat_map(|graph| &graph.nodes).map(|node| node.id).collect();
        let is_unique = ids.iter().collect::<std::collections::HashSet<_>>().len() == ids.len();
        if has_ids && is_unique {
            assert!(again.sections == review.sections, "the same text");
        }
        let text = review.to_string();
        assert!(text.lines().count() >= review.sections.len());
    }
}

/// Two versions of an asset of the editor, and the one that both come from.
pub(super) fn merge(mut data: &[u8]) {
    let (base, ours) = (part(&mut data), part(&mut data));
    let theirs = data;
    for prefer in [None, Some(MergeSide::Ours), Some(MergeSide::Theirs)] {
        let Ok(found) = merge_files(Some(base), ours, theirs, prefer) else { continue };
        assert_eq!(found.bytes.is_some(), found.conflicts.is_empty(), "merged, or in conflict");
        assert!(prefer.is_some() || found.settled.is_empty(), "nothing decides");
        if let Some(bytes) = found.bytes.filter(|bytes| bytes != ours && bytes != theirs) {
            assert!(Package::parse(&bytes).is_ok(), "a package");
        }
    }
}

fn with_package(
    header: &[u8],
    data: &[u8],
    mappings: Option<&Schemas>,
    run: impl FnOnce(&Scope<'_>, &LegacyFiles<'_>),
) {
    let data = &data[..data.len().min(ENOUGH)];
    let Ok(found) = Package::parse_partial(header, None) else { return };
    if found.fault.is_some() {
        return;
    }
    let package = found.value;
    let scope = Scope::new(&package, data, package.header_len(), None).with_mappings(mappings);
    let files = LegacyFiles { header: Cow::Borrowed(header), exports: Some(Cow::Borrowed(data)) };
    run(&scope, &files);
}

fn names(package: &Package) -> Names {
    Names::new(package.names.iter().map(|name| name.text.as_str()), usize::MAX)
}

fn bytes(object: &Object) -> Vec<u8> {
    let mut w = Writer::new();
    object.write(&mut w).expect("lengths of what was read");
    w.into_bytes()
}
