//! Zen packages: those of the corpus, and what the packager makes of cooked ones.

use crate::corpus::{corpus, packages, say, shown};
use crate::legacy::{import_for_all, new_import};
use std::collections::BTreeMap;
use std::path::Path;
use uncask_formats::id::{ObjectRef, PackageId, PackageObjectIndex};
use uncask_formats::package::PackageKind;
use uncask_formats::package::convert::to_zen::{Source, ZenPackage, to_zen};
use uncask_formats::package::legacy::Package;
use uncask_formats::package::rebuild::{Changes, LegacyFiles, rebuild_legacy, rebuild_zen};
use uncask_formats::package::zen::{Graph, Header};
use uncask_formats::version::Release;

struct Chunk {
    shown: String,
    bytes: Vec<u8>,
    header: Header,
}

impl Chunk {
    fn new(shown: String, bytes: Vec<u8>) -> Self {
        let header = Header::parse(&bytes).unwrap_or_else(|e| panic!("{shown}: {e}"));
        Self { shown, bytes, header }
    }

    fn all(&self) -> BTreeMap<usize, Vec<u8>> {
        let ranges = self.header.export_ranges().unwrap().into_iter().enumerate();
        let filled = ranges.filter(|(_, range)| !range.is_empty());
        filled
            .map(|(at, range)| (at, self.bytes[range.start as usize..range.end as usize].to_vec()))
            .collect()
    }

    fn rebuild(&self, changes: &Changes) -> Self {
        let bytes = rebuild_zen(&self.header, &self.bytes, changes);
        Self::new(self.shown.clone(), bytes.unwrap_or_else(|e| panic!("{}: {e}", self.shown)))
    }
}

/// Zen packages as they are, and cooked ones of four releases after conversion.
fn all() -> Vec<Chunk> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut chunks = Vec::new();
    for path in packages(&corpus.join("packages")) {
        let bytes = std::fs::read(&path).unwrap();
        if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Zen(_))) {
            chunks.push(Chunk::new(shown(&path, &corpus), bytes));
        }
    }
    for release in ["5.0", "5.1", "5.2", "5.4"] {
        let folder = corpus.join(format!("to-zen/ue{release}"));
        for path in packages(&folder) {
            chunks.push(Chunk::new(shown(&path, &corpus), converted(&path, release)));
        }
    }
    chunks
}

fn converted(path: &Path, release: &'static str) -> Vec<u8> {
    let (zen, exports) = convert(path, release, &Changes::default());
    chunk(zen, &exports)
}

fn chunk(zen: ZenPackage, exports: &[u8]) -> Vec<u8> {
    let mut chunk = zen.bytes;
    for part in zen.body {
        chunk.extend_from_slice(&exports[part.start as usize..part.end as usize]);
    }
    chunk
}

/// A cooked package with changes, converted, and its `.uexp`.
fn convert(path: &Path, release: &'static str, changes: &Changes) -> (ZenPackage, Vec<u8>) {
    converted_as(path, release, changes).unwrap()
}

/// The same; `None` if the package cannot be of that release.
fn converted_as(path: &Path, release: &'static str, changes: &Changes) -> Option<(ZenPackage, Vec<u8>)> {
    let release = Release::from_name(release).unwrap();
    let (header, exports) =
        (std::fs::read(path).unwrap(), std::fs::read(path.with_extension("uexp")).unwrap());
    let package = Package::parse_as(&header, release).ok()?;
    let files = LegacyFiles { header: header.into(), exports: Some(exports.into()) };
    let files = rebuild_legacy(&package, &files, changes).ok()?;
    let (package, exports) =
        (Package::parse_as(&files.header, release).ok()?, files.exports.unwrap().into_owned());
    let exports_len = exports.len() as u64;
    let source =
        Source { package: &package, name: "/Game/X", exports_len, release, bundles: None, remainder: None };
    Some((to_zen(&source, &()).ok()?, exports))
}

#[test]
fn unchanged_packages_come_back_byte_for_byte() {
    let chunks = all();
    let mut by_generation = BTreeMap::<String, usize>::new();
    for chunk in &chunks {
        let same = chunk.rebuild(&Changes { exports: chunk.all(), ..Changes::default() });
        assert!(same.bytes == chunk.bytes, "{}", chunk.shown);
        *by_generation.entry(chunk.header.generation.to_string()).or_default() += 1;
    }
    say(&format!("{by_generation:?}"));
    assert!(chunks.is_empty() || chunks.len() >= 220, "{}", chunks.len());
}

#[test]
fn what_grows_and_shrinks_again_is_as_it_was() {
    for chunk in all() {
        let mut grown = chunk.all();
        for (at, data) in &mut grown {
            data.splice(0..0, vec![0xA5; at % 5 + 1]);
        }
        let larger = chunk.rebuild(&Changes { exports: grown.clone(), ..Changes::default() });
        let found = larger.all();
        for (at, data) in &grown {
            let skip = at % 5 + 1;
            assert_eq!(found[at].len(), data.len(), "{}", chunk.shown);
            assert_eq!(found[at][..skip], data[..skip], "{}", chunk.shown);
        }
        let again = larger.rebuild(&Changes { exports: restored(&found, &chunk), ..Changes::default() });
        assert!(again.bytes == chunk.bytes, "{}", chunk.shown);
    }
}

/// The old data at the places where the larger package has it, offsets inside it as they are there.
fn restored(found: &BTreeMap<usize, Vec<u8>>, chunk: &Chunk) -> BTreeMap<usize, Vec<u8>> {
    let old = chunk.all();
    found.iter().map(|(at, data)| (*at, data[data.len() - old[at].len()..].to_vec())).collect()
}

#[test]
fn names_are_added_at_the_end_and_everything_else_stays() {
    for chunk in all() {
        let names = vec!["Uncask_Added".to_owned(), "Größe".to_owned()];
        let new = chunk.rebuild(&Changes { names, ..Changes::default() });
        let (old, header, shown) = (&chunk.header, &new.header, &chunk.shown);
        let texts: Vec<&str> = old.names.iter().chain(["Uncask_Added", "Größe"]).collect();
        assert_eq!(header.names.iter().collect::<Vec<_>>(), texts, "{shown}");
        assert_eq!(header.names.wrong_hashes().count(), old.names.wrong_hashes().count(), "{shown}");
        assert_eq!((&header.exports, &header.imports), (&old.exports, &old.imports), "{shown}");
        assert_eq!((&header.graph, &header.bundles), (&old.graph, &old.bundles), "{shown}");
        assert_eq!((&header.bulk, header.cooked_header_len), (&old.bulk, old.cooked_header_len), "{shown}");
        let body = |chunk: &Chunk| chunk.bytes[chunk.header.header_len as usize..].to_vec();
        assert!(body(&new) == body(&chunk), "{shown}");
    }
}

/// Imports as package and hash, which do not depend on the order in which packages are listed.
fn imports(header: &Header, listed: &[PackageId]) -> Vec<(Option<PackageId>, u64)> {
    let import = |index: &PackageObjectIndex| match index.decode() {
        ObjectRef::Package(import) => (
            Some(listed[import.package() as usize]),
            header.imported_public_export_hashes[import.hash() as usize],
        ),
        _ => (None, index.0),
    };
    header.imports.iter().map(import).collect()
}

/// Arcs from imports, by package.
fn arcs(header: &Header, listed: &[PackageId]) -> BTreeMap<PackageId, Vec<String>> {
    let Graph::Arcs { external, .. } = &header.graph else { return BTreeMap::new() };
    let texts = |arcs: &Vec<_>| arcs.iter().map(|arc| format!("{arc:?}")).collect();
    listed.iter().copied().zip(external.iter().map(texts)).collect()
}

/// An import added to a zen package is what the packager makes of a cooked package with that import.
#[test]
fn added_imports_are_those_of_the_packager() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for release in ["5.0", "5.1", "5.2", "5.4"] {
        for path in packages(&corpus.join(format!("to-zen/ue{release}"))) {
            let shown = shown(&path, &corpus);
            let (before, exports) = convert(&path, release, &Changes::default());
            let header = before.header.clone();
            let mut listed = before.imported_packages.clone();
            let changes = import_for_all(header.exports.len(), header.imports.len() + 1);
            let (wanted, _) = convert(&path, release, &changes);
            listed.push(PackageId::from_name(&new_import().package));
            let changes = Changes { imported_packages: listed.clone(), ..changes };
            let found = Chunk::new(shown.clone(), chunk(before, &exports)).rebuild(&changes).header;
            let others = &wanted.imported_packages;
            assert_eq!(imports(&found, &listed), imports(&wanted.header, others), "{shown}");
            assert_eq!(arcs(&found, &listed), arcs(&wanted.header, others), "{shown}");
            if let (Graph::Dependencies(found), Graph::Dependencies(wanted)) =
                (&found.graph, &wanted.header.graph)
            {
                assert_eq!(found, wanted, "{shown}");
            }
            count += 1;
        }
    }
    assert!(count >= 200, "{count}");
}

/// The same for UE4, whose packages wait for bundles of others.
#[test]
fn added_imports_of_ue4_are_those_of_the_packager() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for path in packages(&corpus).into_iter().filter(|path| path.with_extension("uexp").is_file()) {
        for release in ["4.26", "4.27"] {
            let Some((before, exports)) = converted_as(&path, release, &Changes::default()) else { continue };
            let header = before.header.clone();
            let changes = import_for_all(header.exports.len(), header.imports.len() + 1);
            let Some((wanted, _)) = converted_as(&path, release, &changes) else { continue };
            let package = PackageId::from_name(&new_import().package);
            let created_by = [(header.imports.len() as u32 + 1, (package, 0))].into();
            let changes = Changes { created_by, ..changes };
            let found = Chunk::new(shown(&path, &corpus), chunk(before, &exports)).rebuild(&changes).header;
            assert_eq!(found.imports, wanted.header.imports, "{}", path.display());
            assert_eq!(found.graph, wanted.header.graph, "{}", path.display());
            count += 1;
        }
    }
    say(&format!("{count} packages of UE4 with one import more"));
    assert!(count >= 20, "{count}");
}
