//! The packages of a store, by the library.

use super::made::{Chunk, linked, pack, stored};
use super::run::{corpus, fixture, uncask};
use std::path::Path;
use uncask::id::{PackageId, RawChunkId};
use uncask::job::CancelToken;
use uncask::package::zen::{Evidence, Neighbours, Resolved, Resolver};
use uncask::store::packages::{Direction, Packages, Presence};
use uncask::store::{Store, StoreOptions};
use uncask::version::{ChunkKindNumbering, TocVersion};

const MEMORY: u64 = 256 << 20;

fn open(inputs: &[&str], base: &[&str]) -> Store {
    let paths = |list: &[&str]| list.iter().map(Into::into).collect::<Vec<_>>();
    Store::open(&paths(inputs), &paths(base), &StoreOptions::default()).unwrap()
}

#[test]
fn every_import_of_the_fixture_is_resolved_through_the_store() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let [container, global] = fixture(&corpus, mode);
        // The global container lends its names as an input and as a base.
        for store in [open(&[&container, &global], &[]), open(&[&container], &[&global])] {
            let packages = Packages::new(&store, MEMORY);
            let mut counts = [0; 4];
            for id in packages.ids() {
                let header = packages.package(id).unwrap();
                let resolver = Resolver::new(&header, &packages);
                for import in resolver.imports() {
                    counts[match import {
                        Resolved::Null => 0,
                        Resolved::Object { evidence: Evidence::Script, .. } => 1,
                        Resolved::Object { evidence: Evidence::Package, .. } => 2,
                        Resolved::Object { evidence: Evidence::Guess, .. } => 3,
                        other => panic!("{}: {other:?}", header.name()),
                    }] += 1;
                }
            }
            assert_eq!(counts, [59, 605, 50, 13], "{mode}");
            assert!(packages.take_problems().is_empty());
        }
    }
}

#[test]
fn container_headers_agree_with_the_packages_themselves() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let [container, _] = fixture(&corpus, mode);
        let store = open(&[&container], &[]);
        let packages = Packages::new(&store, MEMORY);
        let ids = packages.ids();
        assert_eq!(ids.len(), 97, "{mode}");
        for id in ids {
            let header = packages.package(id).unwrap();
            let own = header.imported_packages();
            assert_eq!(packages.imports_of(id).unwrap(), own, "{}", header.name());
            assert_eq!(packages.name(id).unwrap(), header.name().to_string());
            let walk =
                packages.walk([id], Direction::Dependencies, Some(1), &CancelToken::default()).unwrap();
            let reached: Vec<PackageId> = walk.nodes.iter().skip(1).map(|node| node.id).collect();
            assert_eq!(reached, own, "{}", header.name());
            for import in own {
                let back =
                    packages.walk([import], Direction::Dependants, Some(1), &CancelToken::default()).unwrap();
                assert!(back.get(id).is_some(), "{}", header.name());
            }
        }
    }
}

#[test]
fn packages_speak_for_themselves_where_there_is_no_container_header() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    let [container, _] = fixture(&corpus, "tagged");
    uncask(&["unpack", &container, "-o", content.to_str().unwrap(), "--type", "package"]).ok();
    let bare = pack(&content, "bare", "8");
    let (listed, bare) = (open(&[&container], &[]), open(&[bare.to_str().unwrap()], &[]));
    let (listed, bare) = (Packages::new(&listed, MEMORY), Packages::new(&bare, MEMORY));
    for id in listed.ids() {
        assert_eq!(listed.imports_of(id), bare.imports_of(id));
        assert_eq!(listed.name(id), bare.name(id));
    }
}

#[test]
fn script_objects_and_headers_of_ue4_are_found() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let id = PackageId::from_name("/Engine/Engine_MI_Shaders/T_Emissive");
    let read = |name: &str| std::fs::read(corpus.join(name)).unwrap();
    let package: Chunk = (
        RawChunkId::new(id.0, 0, 2),
        Some("Engine/Content/Engine_MI_Shaders/T_Emissive.uasset".to_owned()),
        read("packages/ue4.27/T_Emissive.uasset"),
    );
    let others = [
        ("LoaderInitialLoadMeta", "000000000000000000000007"),
        ("LoaderGlobalNames", "000000000000000000000008"),
        ("LoaderGlobalNameHashes", "000000000000000000000009"),
        ("ContainerHeader", "99582a5f6aca03940000000a"),
    ];
    let others =
        others.map(|(name, id)| (id.parse().unwrap(), None, read(&format!("headers/ue4.27/{name}_1.bin"))));
    let chunks = [package].into_iter().chain(others);
    let utoc = stored(folder.path(), "global", TocVersion::PartitionSize, chunks);
    let store = open(&[utoc.to_str().unwrap()], &[]);
    let packages = Packages::new(&store, MEMORY);
    let scripts = packages.scripts().unwrap();
    assert_eq!((scripts.generation, scripts.len()), (ChunkKindNumbering::Ue4, 23_393));
    let entry = packages.find(id).unwrap();
    assert_eq!(packages.main_class(entry).as_deref(), Some("/Script/Engine.Texture2D"));
    assert!(packages.container_header(0).unwrap().packages.len() > 50_000);
    let user = packages.ids().into_iter().find(|id| !packages.imports_of(*id).unwrap().is_empty()).unwrap();
    let walk = packages.walk([user], Direction::Dependencies, Some(1), &CancelToken::default()).unwrap();
    assert!(walk.nodes.iter().all(|node| node.presence == Presence::Missing || node.id == id));
    assert!(packages.take_problems().is_empty());
}

#[test]
fn circles_and_redirects_are_walked_once() {
    let folder = tempfile::tempdir().unwrap();
    let imports: [(&str, &[&str]); 3] =
        [("/Game/A", &["/Game/B", "/Game/Old"]), ("/Game/B", &["/Game/A"]), ("/Game/New", &["/Game/New"])];
    let utoc = linked(folder.path(), &imports, Some(("/Game/Old", "/Game/New")));
    let store = open(&[utoc.to_str().unwrap()], &[]);
    let packages = Packages::new(&store, MEMORY);
    let id = PackageId::from_name;
    let walk = |start, direction| -> Vec<_> {
        packages
            .walk([id(start)], direction, None, &CancelToken::default())
            .unwrap()
            .nodes
            .iter()
            .map(|node| (node.id, node.depth))
            .collect()
    };
    let down = [(id("/Game/A"), 0), (id("/Game/B"), 1), (id("/Game/New"), 1)];
    assert_eq!(walk("/Game/A", Direction::Dependencies), down);
    let up = [(id("/Game/New"), 0), (id("/Game/New"), 0), (id("/Game/A"), 1), (id("/Game/B"), 2)];
    assert_eq!(walk("/Game/New", Direction::Dependants), up[1..]);
}

#[test]
fn content_goes_before_base() {
    let folder = tempfile::tempdir().unwrap();
    let [content, base] = ["content", "base"].map(|name| {
        let place = folder.path().join(name);
        std::fs::create_dir(&place).unwrap();
        let imported: &[&str] = if name == "base" { &["/Game/Base"] } else { &["/Game/Content"] };
        linked(&place, &[("/Game/A", imported)], None)
    });
    let [content, base] = [&content, &base].map(|path: &std::path::PathBuf| path.to_str().unwrap());
    let store = open(&[content], &[base]);
    let packages = Packages::new(&store, MEMORY);
    let imports = packages.imports_of(PackageId::from_name("/Game/A")).unwrap();
    assert_eq!(imports, [PackageId::from_name("/Game/Content")]);
    let entry = packages.find(PackageId::from_name("/Game/A")).unwrap();
    assert_eq!(store.container(entry).unwrap().path(), Path::new(content));
}

#[test]
fn damaged_packages_are_noted_once() {
    let folder = tempfile::tempdir().unwrap();
    let utoc = linked(folder.path(), &[("/Game/A", &[])], None);
    let store = open(&[utoc.to_str().unwrap()], &[]);
    let packages = Packages::new(&store, MEMORY);
    let entry = packages.find(PackageId::from_name("/Game/A")).unwrap();
    assert!(packages.header(entry).is_none() && packages.header(entry).is_none());
    let problems: Vec<String> = packages.take_problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("malformed zen package: zen "), "{}", problems[0]);
    assert!(problems[0].ends_with("linked.utoc:G/Content/A.uasset"), "{}", problems[0]);
}
