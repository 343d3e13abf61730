//! Property data: packages a second, and bytes of export data a second on one core, against parsing the same headers alone.
//!
//! ```text
//! cargo bench --bench properties               the corpus, or without one a made-up package
//! cargo bench --bench properties -- tags 500    the sets whose names contain that, with so many rounds
//! cargo bench --bench properties -- --test     once, to see that it works
//! ```

#![expect(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints figures, and may end where something is wrong"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uncask::package::legacy::{
    Export, FILTER_EDITOR_ONLY, Import, Name, NameEntry, Package, PackageIndex, PreloadSlice, Summary,
};
use uncask::property::json::FModel;
use uncask::property::{Object, Schemas, Scope};
use uncask::values::read_mappings;
use uncask::version::Release;

/// Bytes of export data a second, on one core, that lists are to be decoded with.
const TARGET: f64 = 200e6;
/// Least factor by which searching must be faster than writing documents.
const TARGET_OF_FIND: f64 = 2.0;

/// A package in memory.
struct Loaded {
    header: Vec<u8>,
    package: Package,
    data: Vec<u8>,
    data_at: u64,
}

/// Packages that are measured together.
struct Set {
    name: &'static str,
    packages: Vec<Loaded>,
    mappings: Option<Arc<Schemas>>,
    release: &'static Release,
}

fn main() {
    let is_smoke = std::env::args().any(|arg| arg == "--test");
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = words.first().map_or("", String::as_str);
    let rounds = words.get(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(if is_smoke { 1 } else { 15 });
    for set in sets().iter().filter(|set| set.name.contains(wanted)) {
        set.measure(rounds);
    }
}

impl Set {
    fn measure(&self, rounds: u32) {
        let bytes: usize = self.packages.iter().map(|loaded| loaded.data.len()).sum();
        let headers = best(rounds, || self.each(|loaded| drop(black_box(self.parse(&loaded.header)))));
        let decoded = best(rounds, || {
            self.each(|loaded| {
                let scope = self.scope(loaded);
                for export in &loaded.package.exports {
                    black_box(Object::read(&scope, export));
                }
            });
        });
        let walked = best(rounds, || {
            self.each(|loaded| {
                let scope = self.scope(loaded);
                for export in &loaded.package.exports {
                    let mut found = 0;
                    Object::read(&scope, export).walk(&scope, &mut |place, value| {
                        found += u32::from(place.property() == Some("Damage") && value.whole() == Some(1));
                        true
                    });
                    black_box(found);
                }
            });
        });
        let written = best(rounds, || {
            self.each(|loaded| {
                let scope = self.scope(loaded);
                black_box(serde_json::to_vec(&FModel::new(&scope)).unwrap());
            });
        });
        let packages = self.packages.len() as f64;
        println!("{}: {packages} packages, {:.1} MB of export data", self.name, bytes as f64 / 1e6);
        let line = |what: &str, time: Duration| {
            let seconds = time.as_secs_f64();
            let (each, rate) = (packages / seconds, bytes as f64 / seconds);
            let ratio = seconds / headers.as_secs_f64();
            println!("  {what:<18} {each:>9.0} packages/s {:>8.1} MB/s {ratio:>6.1} × headers", rate / 1e6);
            rate
        };
        line("headers alone", headers);
        let decoded = line("decode", decoded);
        let walked = line("decode and search", walked);
        let written = line("decode and write", written);
        println!("  decode: target {:.0} MB/s, {:.2} × of it", TARGET / 1e6, decoded / TARGET);
        println!("  search: target {TARGET_OF_FIND} × of writing, {:.2} ×", walked / written);
    }

    fn each(&self, work: impl Fn(&Loaded)) {
        self.packages.iter().for_each(work);
    }

    fn parse(&self, header: &[u8]) -> Package {
        Package::parse_partial(header, Some(self.release)).unwrap().value
    }

    fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        Scope::new(&loaded.package, &loaded.data, loaded.data_at, Some(self.release))
            .with_mappings(self.mappings.as_deref())
    }

    fn add(&mut self, path: &Path) {
        let Ok(data) = std::fs::read(path.with_extension("uexp")) else { return };
        let header = std::fs::read(path).unwrap();
        let package = self.parse(&header);
        let data_at = package.header_len();
        self.packages.push(Loaded { header, package, data, data_at });
    }
}

fn best(rounds: u32, work: impl Fn()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

fn sets() -> Vec<Set> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let corpus = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from).join("properties");
    let release = |name| Release::from_name(name).unwrap();
    let mut sets = Vec::new();
    if corpus.is_dir() {
        let usmap = files(&corpus.join("ue5.8/mappings"), "usmap");
        let usmap = usmap.iter().find(|path| path.to_string_lossy().contains("Uncompressed")).unwrap();
        let mappings = Some(Arc::new(read_mappings(usmap, 1 << 30).unwrap().0));
        for (name, cook) in [("5.8 with tags", "tagged"), ("5.8 without tags", "unversioned")] {
            let mut set =
                Set { name, packages: Vec::new(), mappings: mappings.clone(), release: release("5.8") };
            for path in files(&corpus.join("ue5.8").join(cook), "uasset") {
                set.add(&path);
            }
            sets.push(set);
        }
    }
    sets.push(made());
    sets
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let files = entries.map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// Properties of each made-up object, and objects of the package.
const PROPERTIES: u32 = 500;
const OBJECTS: u32 = 200;

/// A package as a cooker of 4.27 writes it: objects with numbers, strings, vectors and names.
fn made() -> Set {
    let release = Release::from_name("4.27").unwrap();
    let names = [
        "None",
        "Damage",
        "FloatProperty",
        "Title",
        "StrProperty",
        "Place",
        "StructProperty",
        "Vector",
        "Kind",
        "NameProperty",
        "/Script/Made",
        "Made",
        "Object",
    ];
    let name = |text: &str| {
        let index = names.iter().position(|name| *name == text).unwrap();
        Name { index: u32::try_from(index).unwrap(), number: 0 }
    };
    let mut data = Vec::new();
    let put = |name: Name| [name.index, name.number].map(u32::to_le_bytes).concat();
    let mut exports = Vec::new();
    for _ in 0..OBJECTS {
        let start = data.len();
        for property in 0..PROPERTIES {
            let (property, kind, more, value) = match property % 4 {
                0 => ("Damage", "FloatProperty", Vec::new(), 12.5_f32.to_le_bytes().to_vec()),
                1 => ("Title", "StrProperty", Vec::new(), [&[6, 0, 0, 0][..], b"Sword\0"].concat()),
                2 => ("Place", "StructProperty", [put(name("Vector")), vec![0; 16]].concat(), vec![0; 12]),
                _ => ("Kind", "NameProperty", Vec::new(), put(name("Made"))),
            };
            data.extend([put(name(property)), put(name(kind))].concat());
            data.extend(u32::try_from(value.len()).unwrap().to_le_bytes());
            data.extend([0; 4]);
            data.extend(more);
            data.push(0);
            data.extend(value);
        }
        data.extend(put(name("None")));
        data.extend([0; 4]);
        exports.push(Export {
            class: PackageIndex(-2),
            name: name("Object"),
            serial_len: i64::try_from(data.len() - start).unwrap(),
            preload: Some(PreloadSlice::default()),
            ..Export::default()
        });
    }
    let import = |object, outer| Import { name: object, outer: PackageIndex(outer), ..Import::default() };
    let summary = Summary {
        legacy: release.legacy,
        file_versions: release.objects,
        package_flags: FILTER_EDITOR_ONLY,
        ..Summary::default()
    };
    let mut package = Package {
        summary,
        names: names.map(NameEntry::new).into(),
        imports: vec![import(name("/Script/Made"), 0), import(name("Made"), -1)],
        exports,
        ..Package::default()
    };
    package.lay_out_cooked(0).unwrap();
    let header = package.write_header().unwrap();
    let mut set = Set { name: "made up, with tags", packages: Vec::new(), mappings: None, release };
    let package = set.parse(&header);
    let data_at = u64::try_from(package.exports[0].serial_offset).unwrap();
    set.packages.push(Loaded { header, package, data, data_at });
    set
}
