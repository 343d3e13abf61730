//! The files of the corpus, and what is expected of them.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use uncask_formats::asset::{self, FoundAsset};
use uncask_formats::codec::Scratch;
use uncask_formats::container::toc::{BlockIndex, Toc};
use uncask_formats::mappings::Mappings;
use uncask_formats::package::legacy::Package;
use uncask_formats::property::{Object, Schemas, Scope};
use uncask_formats::version::Release;

/// The corpus, if it has what an independent reader found; `tests/corpus/fetch` cannot fetch that.
pub(crate) fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    if folder.join("payloads/expected.json").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "no corpus at {}", folder.display());
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped, no corpus with expected values: {name}");
    None
}

/// A package with its data.
pub(crate) struct File {
    pub(crate) package: Package,
    pub(crate) data: Vec<u8>,
    pub(crate) data_at: u64,
    pub(crate) release: &'static Release,
    pub(crate) mappings: Option<Arc<Schemas>>,
}

/// An export that is expected to be an asset.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) expected: Value,
    pub(crate) cook: &'static str,
    pub(crate) file: File,
}

/// The mappings in a file, which is read once.
fn schemas(path: &Path) -> Arc<Schemas> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Schemas>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let read = || {
        let mappings =
            Mappings::parse_partial(&std::fs::read(path).unwrap(), &mut Scratch::default()).unwrap();
        Arc::new(Schemas::new(&mappings.value))
    };
    Arc::clone(known.entry(path.to_owned()).or_insert_with(read))
}

impl File {
    pub(crate) fn open(path: &Path, release: &str, mappings: Option<&Path>) -> Self {
        let header = std::fs::read(path).unwrap();
        let release = Release::from_name(release).unwrap();
        let package = Package::parse_partial(&header, Some(release)).unwrap().value;
        let data = std::fs::read(path.with_extension("uexp")).unwrap();
        let mappings = mappings.map(schemas);
        Self { package, data, data_at: header.len() as u64, release, mappings }
    }

    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.data, self.data_at, Some(self.release))
            .with_mappings(self.mappings.as_deref())
    }

    /// Reads the asset in the export of a name.
    pub(crate) fn read<'a>(&'a self, scope: &Scope<'a>, name: &str) -> FoundAsset<'a> {
        let exports = self.package.exports.iter();
        let export =
            exports.clone().find(|export| self.package.text(export.name).to_string() == name).unwrap();
        let object = Object::read(scope, export);
        asset::read(scope, export, &object).unwrap().unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Case {
    /// Reads the asset, and checks what is the same for all classes.
    pub(crate) fn read<'a>(&'a self, scope: &Scope<'a>) -> FoundAsset<'a> {
        let found = self.file.read(scope, self.expected["export"].as_str().unwrap());
        if let Some(at) = self.expected["payload_offset"].as_u64() {
            assert_eq!(found.payload_at as u64, at, "{}", self.name);
        }
        assert_eq!(Some(&*found.class), self.expected["class"].as_str(), "{}", self.name);
        found
    }

    pub(crate) fn number(&self, field: &str) -> u64 {
        self.expected[field].as_u64().unwrap_or_else(|| panic!("{}: {field}", self.name))
    }
}

/// All exports of a class in both cooks of 5.8; those without tags with mappings, and once more without.
pub(crate) fn cases(corpus: &Path, class: &str) -> Vec<Case> {
    let expected: Value =
        serde_json::from_slice(&std::fs::read(corpus.join("payloads/expected.json")).unwrap()).unwrap();
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let forms = [("tagged", None), ("unversioned", Some(&*mappings)), ("unversioned", None)];
    let mut cases = Vec::new();
    for (cook, mappings) in forms {
        for (name, expected) in expected[cook].as_object().unwrap() {
            if expected["class"] != class {
                continue;
            }
            let path = expected["package"].as_str().unwrap().split_once("Content/").unwrap().1;
            let path = corpus.join("properties/ue5.8").join(cook).join(path);
            let file = File::open(&path, "5.8", mappings);
            let name = format!("{cook} {name} {}", mappings.map_or("without mappings", |_| "with mappings"));
            cases.push(Case { name, expected: expected.clone(), cook, file });
        }
    }
    assert!(cases.len().is_multiple_of(3) && !cases.is_empty(), "{class}");
    cases
}

/// The exports of a class among the assets of 5.1 and 5.5.
pub(crate) fn other_cases(corpus: &Path, class: &str) -> Vec<Case> {
    let all: Value =
        serde_json::from_slice(&std::fs::read(corpus.join("payloads/expected-other.json")).unwrap()).unwrap();
    let folders = [
        ("ue5.1-cooked", "payloads/ue5.1-cooked", "5.1", Some("payloads/ue5.1-cooked/Clay.usmap")),
        ("packages/ue5.5 (shared corpus)", "packages/ue5.5", "5.5", None),
    ];
    let mut cases = Vec::new();
    for (section, folder, release, mappings) in folders {
        for (name, expected) in all[section].as_object().unwrap() {
            if expected["class"] == class {
                let path = corpus.join(folder).join(expected["file"].as_str().unwrap());
                let mappings = mappings.map(|path| corpus.join(path));
                let file = File::open(&path, release, mappings.as_deref());
                cases.push(Case { name: name.clone(), expected: expected.clone(), cook: "", file });
            }
        }
    }
    cases
}

/// The chunk of a file in a container of 5.8 that is not compressed.
pub(crate) fn chunk(corpus: &Path, cook: &str, path: &str) -> Vec<u8> {
    let folder = corpus.join("iostore/ue5.8").join(cook);
    let list = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let row =
        list.lines().find(|line| line.split('\t').nth(1).is_some_and(|found| found.ends_with(path))).unwrap();
    let id = row.split('\t').next().unwrap().parse().unwrap();
    let container = folder.join("Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows");
    let toc = Toc::parse(std::fs::read(container.with_extension("utoc")).unwrap().into()).unwrap();
    let stored = std::fs::read(container.with_extension("ucas")).unwrap();
    let index = toc.find(id).unwrap();
    let mut bytes = Vec::new();
    for block in toc.blocks_of(index).unwrap() {
        let block = toc.block(BlockIndex(block)).unwrap();
        let start = usize::try_from(block.offset()).unwrap();
        bytes.extend_from_slice(&stored[start..start + block.raw_len() as usize]);
    }
    bytes.truncate(usize::try_from(toc.chunk_len(index)).unwrap());
    bytes
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
