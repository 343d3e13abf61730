//! The sets of the corpus, and their packages in memory.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask_formats::codec::Scratch;
use uncask_formats::mappings::Mappings;
use uncask_formats::package::legacy::Package;
use uncask_formats::property::{Schema, Schemas, Scope, World};
use uncask_formats::version::Release;

/// The folder of the corpus for properties, if it has what an independent reader found; `tests/corpus/fetch` cannot fetch that.
pub(crate) fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from).join("properties");
    if cfg!(not(feature = "brotli")) {
        let test = std::thread::current();
        say(&format!(
            "skipped, mappings in Brotli and no feature `brotli`: {}",
            test.name().unwrap_or("a test")
        ));
        return None;
    }
    if folder.join("games/index.tsv").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "no corpus at {}", folder.display());
    say(&format!(
        "skipped, no corpus with expected values: {}",
        std::thread::current().name().unwrap_or("a test")
    ));
    None
}

/// Says something that is shown with `--nocapture`, and also without where the test fails.
pub(crate) fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Packages that belong together, and what the independent reader found in each of their exports.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) files: Vec<File>,
    pub(crate) folder: PathBuf,
    pub(crate) expected: PathBuf,
    rows: Vec<Row>,
}

/// A package, and how it is to be read.
#[derive(Clone)]
pub(crate) struct File {
    /// Below the folder of the set.
    pub(crate) path: String,
    release: &'static Release,
    pub(crate) mappings: Option<Arc<Schemas>>,
}

/// What the independent reader found in an export.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) file: String,
    pub(crate) export: usize,
    pub(crate) class: String,
    /// Where its properties end.
    pub(crate) end: Option<u64>,
}

/// A package in memory.
pub(crate) struct Loaded {
    pub(crate) package: Package,
    pub(crate) data: Vec<u8>,
    pub(crate) data_at: u64,
    name: String,
    file: File,
}

/// All sets: both cooks of the 5.8 fixtures, then the games.
pub(crate) fn all(corpus: &Path) -> Vec<Set> {
    let fixtures = mappings(&first_usmap(&corpus.join("ue5.8/mappings"), "Uncompressed"));
    let release = Release::from_name("5.8").unwrap();
    let mut sets: Vec<Set> = ["tagged", "unversioned"]
        .into_iter()
        .map(|cook| {
            let rows = rows(&corpus.join(format!("ue5.8/expected/{cook}.tsv")));
            let file =
                |path: &String| File { path: path.clone(), release, mappings: Some(Arc::clone(&fixtures)) };
            Set {
                name: format!("5.8 {cook}"),
                files: paths(&rows).iter().map(file).collect(),
                folder: corpus.join("ue5.8").join(cook),
                expected: corpus.join("ue5.8/expected").join(cook),
                rows,
            }
        })
        .collect();
    sets.extend(games(corpus));
    sets
}

fn games(corpus: &Path) -> Vec<Set> {
    let mut loaded: HashMap<String, Arc<Schemas>> = HashMap::new();
    let mut by_set: BTreeMap<String, Vec<File>> = BTreeMap::new();
    for line in std::fs::read_to_string(corpus.join("games/index.tsv")).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let usmap = cells.get(7).copied().unwrap_or_default();
        let mappings = (!usmap.is_empty()).then(|| {
            let found = loaded.entry(usmap.to_owned());
            Arc::clone(found.or_insert_with(|| mappings(&corpus.join("games/mappings").join(usmap))))
        });
        let file =
            File { path: cells[1].to_owned(), release: Release::from_name(cells[2]).unwrap(), mappings };
        by_set.entry(cells[0].to_owned()).or_default().push(file);
    }
    let set = |(name, files): (String, Vec<File>)| Set {
        rows: rows(&corpus.join(format!("games/expected/{name}.tsv"))),
        folder: corpus.join("games").join(&name),
        expected: corpus.join("games/expected").join(&name),
        files,
        name,
    };
    by_set.into_iter().map(set).collect()
}

fn first_usmap(folder: &Path, part: &str) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.to_string_lossy().contains(part)).unwrap()
}

fn mappings(path: &Path) -> Arc<Schemas> {
    let bytes = std::fs::read(path).unwrap();
    let found = Mappings::parse_partial(&bytes, &mut Scratch::default()).unwrap();
    Arc::new(Schemas::new(&found.value))
}

fn rows(path: &Path) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let (file, class) = (cells[0].to_owned(), cells[3].to_owned());
        Row { file, export: cells[1].parse().unwrap(), class, end: cells[5].parse().ok() }
    };
    std::fs::read_to_string(path).unwrap().lines().skip(1).map(row).collect()
}

fn paths(rows: &[Row]) -> Vec<String> {
    let mut paths: Vec<String> = rows.iter().map(|row| row.file.clone()).collect();
    paths.dedup();
    paths
}

impl Set {
    /// What the independent reader found in the exports of a file.
    pub(crate) fn rows_of(&self, file: &File) -> Vec<Row> {
        self.rows.iter().filter(|row| row.file == file.path).cloned().collect()
    }

    pub(crate) fn load(&self, file: &File) -> Loaded {
        let path = self.folder.join(&file.path);
        let header = std::fs::read(&path).unwrap();
        let package = Package::parse_partial(&header, Some(file.release)).unwrap().value;
        let stem = file.path.rsplit_once('.').unwrap().0;
        let (data, data_at) = match std::fs::read(path.with_extension("uexp")) {
            Ok(data) => (data, header.len() as u64),
            Err(_) => (header, 0),
        };
        let name = match stem.split_once("Content/") {
            Some((_, below)) => format!("/Game/{below}"),
            None => format!("/Game/{stem}"),
        };
        Loaded { package, data, data_at, name, file: file.clone() }
    }
}

impl Loaded {
    pub(crate) fn scope<'a>(&'a self, world: &'a dyn World) -> Scope<'a> {
        self.scope_of(&self.data, world)
    }

    /// A package after a change.
    pub(crate) fn with(&self, header: &[u8], data: Vec<u8>) -> Self {
        let package = Package::parse_partial(header, Some(self.file.release)).unwrap().value;
        let (name, file) = (self.name.clone(), self.file.clone());
        Self { package, data, data_at: header.len() as u64, name, file }
    }

    /// With other data.
    pub(crate) fn scope_of<'a>(&'a self, data: &'a [u8], world: &'a dyn World) -> Scope<'a> {
        Scope::new(&self.package, data, self.data_at, Some(self.file.release))
            .with_mappings(self.file.mappings.as_deref())
            .with_world(world)
            .with_name(&self.name)
    }
}

/// Schemas by package and class.
type Known = HashMap<(String, String), Option<Arc<Schema>>>;

/// The other packages of a set.
pub(crate) struct Others<'a> {
    set: &'a Set,
    known: RefCell<Known>,
}

impl<'a> Others<'a> {
    pub(crate) fn new(set: &'a Set) -> Self {
        Self { set, known: RefCell::default() }
    }

    fn find(&self, package: &str) -> Option<&File> {
        let wanted = package.strip_prefix("/Game/")?.to_lowercase();
        let stem = |file: &&File| file.path.rsplit_once('.').unwrap().0.to_lowercase();
        // Some sets have lost their folders.
        let file_name = wanted.rsplit('/').next().unwrap_or_default();
        self.set.files.iter().find(|file| {
            let stem = stem(file);
            stem.ends_with(&format!("/{wanted}")) || stem == wanted || stem == file_name
        })
    }
}

impl World for Others<'_> {
    fn schema(&self, package: &str, name: &str) -> Option<Arc<Schema>> {
        let key = (package.to_owned(), name.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find(package).and_then(|file| self.set.load(file).scope(&()).own_schema(name));
        self.known.borrow_mut().insert(key, found.clone());
        found
    }
}
