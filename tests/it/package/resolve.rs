//! Import paths of the 5.8 fixture: all of them known.

use super::support::{self, container::chunks};
use std::{collections::HashMap, sync::Arc};
use uncask::{
    container::script_objects::ScriptObjects,
    id::{ChunkKind, PackageId, PackageObjectIndex},
    package::ObjectPath,
    package::zen::{Evidence, Header, Neighbours, PublicId, Resolved, Resolver},
    version::ChunkKindNumbering,
};

struct World {
    scripts: ScriptObjects,
    packages: HashMap<PackageId, Arc<Header>>,
}

impl Neighbours for World {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.scripts.path_of(index).map(|path| ObjectPath::from_text(&path))
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.packages.get(&id).cloned()
    }
}

#[test]
fn every_import_of_the_fixture_has_a_path() {
    let Some(corpus) = support::corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let folder = corpus.join("iostore/ue5.8").join(mode);
        let of = |utoc: &str, kind| {
            let mut found = chunks(&folder.join(utoc));
            found.retain(|chunk| chunk.id.kind(ChunkKindNumbering::Ue5) == kind);
            found
        };
        let scripts = ScriptObjects::parse(&of("global.utoc", ChunkKind::ScriptObjects)[0].bytes).unwrap();
        let utoc = "Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc";
        let headers =
            of(utoc, ChunkKind::ExportBundleData).into_iter().map(|chunk| Header::parse(&chunk.bytes));
        let packages = headers.map(|header| header.map(|h| (h.id(), Arc::new(h))).unwrap()).collect();
        let world = World { scripts, packages };
        let (mut counts, mut public) = ([0; 4], 0);
        for header in world.packages.values() {
            let resolver = Resolver::new(header, &world);
            for import in resolver.imports() {
                counts[match import {
                    Resolved::Null => 0,
                    Resolved::Object { evidence: Evidence::Script, .. } => 1,
                    Resolved::Object { evidence: Evidence::Package, .. } => 2,
                    Resolved::Object { evidence: Evidence::Guess, .. } => 3,
                    other => panic!("{}: {other:?}", header.name()),
                }] += 1;
            }
            for (index, export) in header.exports.iter().enumerate() {
                assert!(matches!(resolver.class_of(export), Resolved::Object { .. }));
                if let PublicId::Hash(hash) = export.public {
                    assert_eq!(header.expected_hash(index), hash);
                    public += 1;
                }
            }
        }
        insta::assert_snapshot!(
            format!("imports_{mode}"),
            format!(
                "{} packages, {} script objects, {} objects of available packages, {} of others; {public} public exports",
                counts[0], counts[1], counts[2], counts[3]
            )
        );
    }
}

#[test]
fn what_cannot_be_found_says_why() {
    let Some(corpus) = support::corpus() else { return };
    let header = Header::parse(&support::read(&corpus, "packages/ue5.4/BP_Table_Lamp.uzenasset")).unwrap();
    let shown = |found| match found {
        Resolved::Null => "null".to_owned(),
        Resolved::Object { path, evidence } => format!("{path} ({evidence:?})"),
        Resolved::Unresolved { reason, package, .. } => format!("{}: {reason}", package.unwrap_or_default()),
    };
    let lines: Vec<String> = Resolver::new(&header, &()).imports().map(shown).collect();
    insta::assert_snapshot!("imports_without_neighbours", lines.join("\n"));
}
