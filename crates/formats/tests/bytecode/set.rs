//! Files of the corpus, and what is expected of each of their functions.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use uncask_formats::package::legacy::Package;
use uncask_formats::property::Scope;
use uncask_formats::version::Release;

/// What an independent reader found in a function.
pub(crate) struct Row {
    /// Place among the exports.
    pub(crate) export: u32,
    pub(crate) path: String,
    pub(crate) stored_len: usize,
    pub(crate) memory_len: u32,
    pub(crate) tokens: usize,
    pub(crate) digest: String,
}

/// A file, and its functions.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) rows: Vec<Row>,
    package: Package,
    data: Vec<u8>,
    data_at: u64,
    release: Option<&'static Release>,
}

/// Says something that is shown with `--nocapture`, and also without where the test fails.
pub(crate) fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// All files; `None` without a corpus.
pub(crate) fn files() -> Option<Vec<File>> {
    let corpus = corpus()?;
    let text = std::fs::read_to_string(corpus.join("bytecode/expected.tsv")).unwrap();
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let row = Row {
            export: cells[1].parse::<u32>().unwrap() - 1,
            path: cells[2].to_owned(),
            stored_len: cells[3].parse().unwrap(),
            memory_len: cells[4].parse().unwrap(),
            tokens: cells[5].parse().unwrap(),
            digest: cells[6].to_owned(),
        };
        rows.entry(cells[0].to_owned()).or_default().push(row);
    }
    Some(rows.into_iter().map(|(path, rows)| File::load(&corpus, path, rows)).collect())
}

/// The corpus, if it has what an independent reader found; `tests/corpus/fetch` cannot fetch that.
fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    if folder.join("bytecode/expected.tsv").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "no corpus at {}", folder.display());
    say(&format!(
        "skipped, no corpus with expected values: {}",
        std::thread::current().name().unwrap_or("a test")
    ));
    None
}

impl File {
    fn load(corpus: &Path, path: String, rows: Vec<Row>) -> Self {
        let place = match path.strip_prefix("github:").and_then(|path| path.split_once(':')) {
            Some((project, below)) => corpus.join("bytecode").join(project.replace('/', "+")).join(below),
            None => corpus.join(&path),
        };
        let header = std::fs::read(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        // Packages of the set to-zen do not say their version; its folders do.
        let release = path.strip_prefix("to-zen/ue").and_then(|path| path.split_once('/'));
        let release = release.and_then(|(release, _)| Release::from_name(release));
        let release =
            release.or_else(|| path.starts_with("packages/ue5.5").then(|| Release::from_name("5.5"))?);
        let release = release.or_else(|| of_index(corpus, &path));
        let package = Package::parse_partial(&header, release).unwrap().value;
        let (data, data_at) = match std::fs::read(place.with_extension("uexp")) {
            Ok(data) => (data, header.len() as u64),
            Err(_) => (header, 0),
        };
        Self { path, rows, package, data, data_at, release }
    }

    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.data, self.data_at, self.release)
    }
}

/// The release of a game's file, as the index of the set says.
fn of_index(corpus: &Path, path: &str) -> Option<&'static Release> {
    let (game, below) = path.strip_prefix("properties/games/")?.split_once('/')?;
    let index = std::fs::read_to_string(corpus.join("properties/games/index.tsv")).unwrap();
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let mut rows = index.lines().skip(1).map(cells);
    let row = rows.find(|cells| cells[0] == game && cells[1] == below)?;
    Release::from_name(&row[2])
}
