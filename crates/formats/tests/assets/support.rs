//! The corpus, and its packages in memory.

use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use uncask_formats::codec::Scratch;
use uncask_formats::mappings::Mappings;
use uncask_formats::package::legacy::Package;
use uncask_formats::property::{Schemas, Scope};
use uncask_formats::version::Release;

/// The folder of the corpus, if it has what an independent reader found; `tests/corpus/fetch` cannot fetch that.
pub(crate) fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    if folder.join("payloads/expected.json").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "no corpus at {}", folder.display());
    let thread = std::thread::current();
    let _ = writeln!(
        std::io::stderr(),
        "skipped, no corpus with expected values: {}",
        thread.name().unwrap_or("a test")
    );
    None
}

/// What an independent reader found in the fixtures of 5.8, cooked with tags or without.
pub(crate) fn expected(corpus: &Path, cook: &str) -> serde_json::Map<String, Value> {
    let bytes = std::fs::read(corpus.join("payloads/expected.json")).unwrap();
    let all: Value = serde_json::from_slice(&bytes).unwrap();
    all[cook].as_object().unwrap().clone()
}

/// The mappings of the fixtures.
pub(crate) fn mappings(corpus: &Path) -> Schemas {
    let path = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let bytes = std::fs::read(path).unwrap();
    Schemas::new(&Mappings::parse_partial(&bytes, &mut Scratch::default()).unwrap().value)
}

/// A package of the fixtures in memory.
pub(crate) struct Loaded {
    pub(crate) package: Package,
    pub(crate) data: Vec<u8>,
    data_at: u64,
    release: &'static str,
}

impl Loaded {
    /// By its path as the expectations have it.
    pub(crate) fn open(corpus: &Path, cook: &str, package: &str) -> Self {
        let below = package.split_once("Content/").unwrap().1;
        let path = corpus.join("properties/ue5.8").join(cook).join(below);
        let header = std::fs::read(&path).unwrap();
        let package = Package::parse_partial(&header, Release::from_name("5.8")).unwrap().value;
        let data = std::fs::read(path.with_extension("uexp")).unwrap();
        Self { package, data, data_at: header.len() as u64, release: "5.8" }
    }

    /// A cooked package with its `.uexp`.
    pub(crate) fn cooked(path: &Path, release: &'static str) -> Option<Self> {
        let header = std::fs::read(path).unwrap();
        let package = Package::parse_partial(&header, Release::from_name(release)).ok()?.value;
        let data = std::fs::read(path.with_extension("uexp")).ok()?;
        Some(Self { package, data, data_at: header.len() as u64, release })
    }

    /// With these data instead of its own.
    pub(crate) fn scope<'a>(&'a self, data: &'a [u8], mappings: Option<&'a Schemas>) -> Scope<'a> {
        Scope::new(&self.package, data, self.data_at, Release::from_name(self.release))
            .with_mappings(mappings)
    }
}
