//! Zen packages with long names and many references to them: what they cost grows with their size, and with nothing else.
//!
//! The layouts are spelled out from the package sheet (1.2 to 1.14).

use super::{COUNTING, Meter, block_on, corpus, cpu};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uncask::extract::Filter;
use uncask::extract::legacy::{LegacyOptions, LegacyOutputs, LegacySelection, to_legacy};
use uncask::id::{ChunkKind, PackageId, PackageObjectIndex, public_export_hash};
use uncask::job::{Budget, Context};
use uncask::package::ObjectPath;
use uncask::package::convert::{Converted, Evidence, Input, Target, convert};
use uncask::package::name_map::name_hash;
use uncask::package::zen::{Header, Neighbours, Resolver};
use uncask::sink::MemorySink;
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};

/// Twice the input may cost this many times as much.
const GROWTH: f64 = 2.5;

/// Memory that jobs may use.
const MEMORY: u64 = 64 << 20;

/// The magic of name batches.
const ALGORITHM: u64 = 0xC164_0000;

fn u32_of(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

fn u16_of(name: &str) -> u16 {
    u16::try_from(name.len()).unwrap()
}

fn batch(names: &[String]) -> Vec<u8> {
    let mut bytes = u32_of(names.len()).to_le_bytes().to_vec();
    if names.is_empty() {
        return bytes;
    }
    bytes.extend(u32_of(names.iter().map(String::len).sum()).to_le_bytes());
    bytes.extend(ALGORITHM.to_le_bytes());
    for name in names {
        bytes.extend(name_hash(name, false).to_le_bytes());
    }
    for name in names {
        bytes.extend(u16_of(name).to_be_bytes());
    }
    for name in names {
        bytes.extend(name.as_bytes());
    }
    bytes
}

/// An object of 72 bytes: name, outer, class, template, what others refer to it by.
fn export(name: u32, outer: u64, class: u64, public: u64) -> Vec<u8> {
    let mut bytes = vec![0; 16];
    bytes.extend(name.to_le_bytes());
    bytes.extend([0; 4]);
    for index in [outer, class, u64::MAX, u64::MAX, public] {
        bytes.extend(index.to_le_bytes());
    }
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes.len(), 72);
    bytes
}

/// Everything in a package of 5.4 that is of interest here.
#[derive(Default)]
struct Package {
    /// The first is the package's own.
    names: Vec<String>,
    hashes: Vec<u64>,
    imports: Vec<u64>,
    exports: Vec<Vec<u8>>,
    packages: Vec<String>,
}

impl Package {
    /// A package of 5.4.
    fn bytes(&self) -> Vec<u8> {
        let names = batch(&self.names);
        let pad = (8 - (52 + names.len() + 8) % 8) % 8;
        let hashes_at = 52 + names.len() + 16 + pad;
        let imports_at = hashes_at + 8 * self.hashes.len();
        let exports_at = imports_at + 8 * self.imports.len();
        let entries_at = exports_at + 72 * self.exports.len();
        let headers_at = entries_at + 16 * self.exports.len();
        let packages_at = headers_at + 20 * self.exports.len();
        let mut packages = batch(&self.packages);
        packages.resize(packages.len() + 4 * self.packages.len(), 0);
        let header_len = packages_at + packages.len();
        let mut bytes = Vec::new();
        let places = [hashes_at, imports_at, exports_at, entries_at, headers_at, packages_at, packages_at];
        let summary = [0, header_len, 0, 0, 0x8000_2200, 0];
        summary.iter().chain(&places).for_each(|number| bytes.extend(u32_of(*number).to_le_bytes()));
        bytes.extend(names);
        bytes.extend((pad as u64).to_le_bytes());
        bytes.resize(bytes.len() + pad + 8, 0);
        self.hashes.iter().chain(&self.imports).for_each(|number| bytes.extend(number.to_le_bytes()));
        self.exports.iter().for_each(|export| bytes.extend(export));
        for command in [0_u32, 1] {
            for export in 0..u32_of(self.exports.len()) {
                bytes.extend(export.to_le_bytes().iter().chain(&command.to_le_bytes()));
            }
        }
        for _ in &self.exports {
            bytes.extend([0xFF; 4].iter().chain(&[0; 16]));
        }
        bytes.extend(packages);
        assert_eq!(bytes.len(), header_len);
        // The tag that export data ends with.
        bytes.extend([0xC1, 0x83, 0x2A, 0x9E]);
        bytes
    }
}

/// A package of 4.27: names, imports, exports, packages that its graph mentions.
fn ue4(names: &[String], imports: &[u64], exports: &[Vec<u8>], graph: &[u64]) -> Vec<u8> {
    let blob: Vec<u8> =
        names.iter().flat_map(|name| u16_of(name).to_be_bytes().into_iter().chain(name.bytes())).collect();
    let hashes_at = (64 + blob.len()).next_multiple_of(8);
    let imports_at = hashes_at + 8 + 8 * names.len();
    let exports_at = imports_at + 8 * imports.len();
    let bundles_at = exports_at + 72 * exports.len();
    let graph_at = bundles_at + 8 + 16 * exports.len();
    let graph_len = 4 + 12 * graph.len();
    let mut bytes = Vec::new();
    let numbers =
        [0, 0, 0, 0, 0x8000_0000, graph_at + graph_len, 64, blob.len(), hashes_at, imports_at - hashes_at];
    let places = [imports_at, exports_at, bundles_at, graph_at, graph_len, 0];
    numbers.iter().chain(&places).for_each(|number| bytes.extend(u32_of(*number).to_le_bytes()));
    bytes.extend(blob);
    bytes.resize(hashes_at, 0);
    bytes.extend(ALGORITHM.to_le_bytes());
    for name in names {
        bytes.extend(name_hash(name, false).to_le_bytes());
    }
    for import in imports {
        bytes.extend(import.to_le_bytes());
    }
    for export in exports {
        bytes.extend(export);
    }
    bytes.extend([[0; 4], u32_of(2 * exports.len()).to_le_bytes()].concat());
    for command in [0_u32, 1] {
        for export in 0..u32_of(exports.len()) {
            bytes.extend(export.to_le_bytes().iter().chain(&command.to_le_bytes()));
        }
    }
    bytes.extend(u32_of(graph.len()).to_le_bytes());
    for package in graph {
        bytes.extend(package.to_le_bytes().iter().chain(&[0; 4]));
    }
    bytes
}

const fn package_import(package: u64, hash: u64) -> u64 {
    2 << 62 | package << 32 | hash
}

/// Other packages, and names of packages of UE4.
#[derive(Default)]
struct World {
    packages: HashMap<PackageId, Arc<Header>>,
    names: HashMap<PackageId, String>,
}

impl World {
    fn of(packages: &[Vec<u8>]) -> Self {
        let headers = packages.iter().map(|bytes| Arc::new(Header::parse(bytes).unwrap()));
        Self { packages: headers.map(|header| (header.id(), header)).collect(), names: HashMap::new() }
    }
}

impl Neighbours for World {
    fn script_path(&self, _index: PackageObjectIndex) -> Option<ObjectPath> {
        None
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.packages.get(&id).cloned()
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        let known = || Some(self.packages.get(&id)?.name().to_string());
        self.names.get(&id).cloned().or_else(known)
    }
}

/// The cost of a package: peak memory in bytes, and the least time of three runs.
fn cost(bytes: &[u8], world: &World) -> (usize, Duration) {
    let mut best = (usize::MAX, Duration::MAX);
    for _ in 0..3 {
        let (before, start) = (COUNTING.restart(), Instant::now());
        let header = Header::parse(bytes).unwrap();
        let resolver = Resolver::new(&header, world);
        let found = resolver.imports().count() + header.exports.iter().filter(|e| !e.class.is_null()).count();
        let paths: usize = (0..header.exports.len()).filter_map(|at| header.export_path(at)).count();
        drop(resolver);
        let target = Target {
            release: uncask::version::Release::all().rev().find(|it| it.zen == Some(header.generation)),
        };
        let input = Input { header: &header, chunk: bytes, file_stem: None, evidence: Evidence::default() };
        let asset = convert(&input, world, &target).and_then(Converted::write).unwrap();
        assert!(found + paths + asset.header.len() > 0);
        let peak = COUNTING.peak().saturating_sub(before);
        best = (best.0.min(peak), best.1.min(start.elapsed()));
    }
    best
}

/// Twice as many of something may cost little more than twice as much, and no more than a multiple of the bytes.
fn grows_with_its_size(what: &str, n: usize, make: impl Fn(usize) -> (Vec<u8>, World)) {
    let _turn = Meter::turn();
    let measure = |n| {
        let (bytes, world) = make(n);
        // What lies around it is part of the input.
        let around: u64 = world.packages.values().map(|header| header.header_len).sum();
        let names: usize = world.names.values().map(String::len).sum();
        let len = bytes.len() + usize::try_from(around).unwrap() + names;
        let (memory, time) = cost(&bytes, &world);
        assert!(memory <= Meter::FLOOR + Meter::PER_BYTE * len, "{what}, {n}: {memory} bytes for {len}");
        (len, memory, time)
    };
    // Others may be using the processors.
    for attempt in 1..=4 {
        let (small, large) = (measure(n), measure(2 * n));
        let bytes = |memory| f64::from(u32_of(memory));
        let memory = bytes(large.1) / bytes(small.1);
        let time = large.2.as_secs_f64() / small.2.as_secs_f64();
        let line = format!(
            "{what}: {} KiB cost {} KiB and {:.1?}, {} KiB cost {} KiB and {:.1?}: {memory:.2} and {time:.2} times as much",
            small.0 >> 10,
            small.1 >> 10,
            small.2,
            large.0 >> 10,
            large.1 >> 10,
            large.2
        );
        assert!(memory <= GROWTH, "{line}");
        if time <= GROWTH {
            say(&line);
            return;
        }
        assert!(attempt < 4, "{line}");
    }
}

/// The longest name that the engine takes.
fn long_name(start: &str) -> String {
    format!("{start}{}", "x".repeat(1023 - start.len()))
}

#[test]
fn many_imports_of_one_package_with_a_long_name() {
    grows_with_its_size("imports of one long package name, not found", 2000, |n| {
        let package = Package {
            names: vec!["/Game/A".to_owned()],
            hashes: (0..n as u64).collect(),
            imports: (0..n as u64).map(|hash| package_import(0, hash)).collect(),
            packages: vec![long_name("/Game/")],
            ..Package::default()
        };
        (package.bytes(), World::default())
    });
}

#[test]
fn many_imports_of_one_object_with_a_long_path() {
    grows_with_its_size("imports of one object with a long path", 4000, |n| {
        let (name, object) = ("/Game/Other".to_owned(), "x".repeat(900));
        let other = Package {
            names: vec![name.clone(), object.clone()],
            exports: vec![export(1, u64::MAX, u64::MAX, public_export_hash(&object))],
            ..Package::default()
        };
        let package = Package {
            names: vec!["/Game/A".to_owned()],
            hashes: vec![public_export_hash(&object); n],
            imports: (0..n as u64).map(|hash| package_import(0, hash)).collect(),
            packages: vec![name],
            ..Package::default()
        };
        (package.bytes(), World::of(&[other.bytes()]))
    });
}

#[test]
fn many_imports_of_many_objects() {
    grows_with_its_size("imports of as many objects of one package", 1000, |n| {
        let name = "/Game/Other".to_owned();
        let objects: Vec<String> = (0..n).map(|at| format!("Object{at}x")).collect();
        let public = |at: usize| export(u32_of(at) + 1, u64::MAX, u64::MAX, public_export_hash(&objects[at]));
        let names = std::iter::once(name.clone()).chain(objects.iter().cloned()).collect();
        let other = Package { names, exports: (0..n).map(public).collect(), ..Package::default() };
        let package = Package {
            names: vec!["/Game/A".to_owned(), "B".to_owned()],
            hashes: objects.iter().map(|object| public_export_hash(object)).collect(),
            imports: (0..n as u64).map(|hash| package_import(0, hash)).collect(),
            // As many exports, each with another import as its class.
            exports: (0..n as u64).map(|at| export(1, u64::MAX, package_import(0, at), 0)).collect(),
            packages: vec![name],
        };
        (package.bytes(), World::of(&[other.bytes()]))
    });
}

#[test]
fn many_imports_of_many_packages() {
    grows_with_its_size("imports of as many packages that are not there", 1000, |n| {
        let package = Package {
            names: vec!["/Game/A".to_owned()],
            hashes: vec![7],
            imports: (0..n as u64).map(|package| package_import(package, 0)).collect(),
            packages: (0..n).map(|at| format!("/Game/Package{at}x")).collect(),
            ..Package::default()
        };
        (package.bytes(), World::default())
    });
}

#[test]
fn objects_in_objects_with_long_names() {
    grows_with_its_size("exports in chains of long names", 600, |n| {
        // Chains of 60, each name 1,023 bytes long: their paths are longer than any in the engine.
        let outer = |at: u64| if at.is_multiple_of(60) { u64::MAX } else { at - 1 };
        let package = Package {
            names: vec![long_name("/Game/"), long_name("")],
            exports: (0..n as u64).map(|at| export(1, outer(at), u64::MAX, at + 1)).collect(),
            ..Package::default()
        };
        (package.bytes(), World::default())
    });
}

#[test]
fn ue4_imports_and_packages_of_the_graph() {
    grows_with_its_size("UE4: imports and packages of the graph", 600, |n| {
        let names = ["/Game/A", "B"].map(str::to_owned);
        let packages: Vec<String> = (0..n).map(|at| format!("/Game/Package{at}x")).collect();
        let ids: Vec<PackageId> = packages.iter().map(|name| PackageId::from_name(name)).collect();
        let imports: Vec<u64> = (0..n as u64).map(|at| (2 << 62) | (at * 0x9E37_79B9)).collect();
        let graph: Vec<u64> = ids.iter().map(|id| id.0).collect();
        let world = World { names: ids.into_iter().zip(packages).collect(), ..World::default() };
        (ue4(&names, &imports, &[export(1, u64::MAX, u64::MAX, u64::MAX)], &graph), world)
    });
}

#[test]
fn names_that_the_engine_cannot_hold_are_refused() {
    let _turn = Meter::turn();
    let package =
        |len: usize| Package { names: vec!["/".to_owned() + &"x".repeat(len - 1)], ..Package::default() };
    assert_eq!(Header::parse(&package(1023).bytes()).unwrap().name().base.len(), 1023);
    let fault = Header::parse(&package(1024).bytes()).unwrap_err();
    assert_eq!(fault.to_string(), "name: text: longer than 1,023 bytes, offset 0x4e");
}

/// Files that once took 439 MB to 1.4 GB, or seconds.
#[test]
fn hostile_packages_cost_little() {
    let Some(corpus) = corpus() else { return };
    let _turn = Meter::turn();
    let measure = |path: &Path, len: u64, case: &dyn Fn()| {
        let (before, start) = (COUNTING.restart(), Instant::now());
        case();
        let peak = COUNTING.peak().saturating_sub(before);
        let len = usize::try_from(len).unwrap();
        let line = format!(
            "{}: {} KiB took {} KiB and {:.1?}",
            path.display(),
            len >> 10,
            peak >> 10,
            start.elapsed()
        );
        assert!(peak <= Meter::FLOOR + Meter::PER_BYTE * len, "{line}");
        // Without optimisation, beside other tests: what is not linear takes minutes.
        assert!(start.elapsed() < Duration::from_secs(60), "{line}");
        say(&line);
    };
    let mut cases = 0;
    for folder in ["zen_long_package_name", "zen_export_paths", "zen4_quadratic"] {
        for entry in std::fs::read_dir(corpus.join("hostile").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "uasset") {
                let bytes = std::fs::read(&path).unwrap();
                measure(&path, bytes.len() as u64, &|| examine(&bytes, &()));
                cases += 1;
            } else if path.extension().is_some_and(|end| end == "utoc") {
                let len = std::fs::metadata(path.with_extension("ucas")).unwrap().len();
                measure(&path, len, &|| examine_all(&path));
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 6);
}

/// Resolves and converts every package of a container, and writes what comes of it.
fn examine_all(toc: &Path) {
    let store = Store::open(&[toc.to_owned()], &[], &StoreOptions::default()).unwrap();
    let packages = Packages::new(&store, MEMORY);
    for entry in store.entries() {
        let container = store.container(entry).unwrap();
        if container.table().chunk_kind(entry.chunk) == ChunkKind::ExportBundleData {
            examine(&container.read(entry.chunk, 0..u64::MAX, MEMORY).unwrap(), &packages);
        }
    }
    let entries = Filter::default().select(&store, true);
    let outputs = LegacyOutputs::new(&store, &LegacySelection::new(&store, &entries, true));
    let context = Context::new(cpu().clone(), Budget::new(MEMORY), true);
    let job =
        to_legacy(packages, outputs, Arc::new(MemorySink::default()), &context, LegacyOptions::default());
    block_on(job);
}

fn examine(bytes: &[u8], neighbours: &impl Neighbours) {
    let Ok(partial) = Header::parse_partial(bytes) else { return };
    let header = &partial.value;
    let input = Input { header, chunk: bytes, file_stem: None, evidence: Evidence::default() };
    drop(convert(&input, neighbours, &Target::default()).and_then(Converted::write));
    Resolver::new(header, neighbours).imports().for_each(drop);
    (0..header.exports.len()).for_each(|at| drop(header.export_path(at)));
}

/// Prints how much something cost, past the harness's capture.
fn say(line: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
