//! Functions of blueprints: how many a second on one core are decoded, written back, listed, assembled and written as
//! pseudo-code.
//!
//! ```text
//! cargo bench --bench bytecode               every package of `bytecode` in the corpus
//! cargo bench --bench bytecode -- 50         so many rounds
//! cargo bench --bench bytecode -- --test     once, to see that it works
//! ```

#![expect(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints figures, and may end where something is wrong"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use uncask::bytecode::{Decompiler, Dialect, Function, Listing, Script, Symbols, TableSizes, assemble};
use uncask::package::legacy::Package;
use uncask::property::Scope;

/// Functions a second, on one core, that are to be decoded.
const DECODED: f64 = 100_000.0;
/// Functions a second, on one core, that are to be written as pseudo-code.
const DECOMPILED: f64 = 20_000.0;

/// A package in memory.
struct Loaded {
    package: Package,
    data: Vec<u8>,
    data_at: u64,
}

impl Loaded {
    /// A package of blueprints; `None` for any other file.
    fn open(path: &Path) -> Option<Self> {
        let header = std::fs::read(path).unwrap();
        let package = Package::parse_partial(&header, None).ok()?.value;
        let (data, data_at) = match std::fs::read(path.with_extension("uexp")) {
            Ok(data) => (data, header.len() as u64),
            Err(_) => (header, 0),
        };
        let this = Self { package, data, data_at };
        (!Function::all(&this.scope()).is_empty()).then_some(this)
    }

    fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.data, self.data_at, None)
    }
}

/// The functions of a package in every form.
struct Forms<'a> {
    scope: &'a Scope<'a>,
    symbols: Symbols<'a>,
    dialect: Dialect,
    sizes: TableSizes,
    functions: Vec<Function>,
    stored: Vec<Vec<u8>>,
    listings: Vec<String>,
}

impl<'a> Forms<'a> {
    fn new(scope: &'a Scope<'a>) -> Self {
        let symbols = Symbols::new(scope.package);
        let functions = Function::all(scope);
        Self {
            scope,
            dialect: Dialect::of(scope),
            sizes: TableSizes::of(scope.package),
            stored: functions.iter().map(|function| function.script.to_bytes()).collect(),
            listings: functions
                .iter()
                .map(|function| Listing { script: &function.script, symbols: &symbols }.to_string())
                .collect(),
            symbols,
            functions,
        }
    }

    fn decode(&self) {
        for (function, bytes) in self.functions.iter().zip(&self.stored) {
            black_box(Script::parse(bytes, function.script.memory_len, &self.dialect, &self.sizes));
        }
    }

    fn encode(&self) {
        self.functions.iter().for_each(|function| drop(black_box(function.script.to_bytes())));
    }

    fn list(&self) {
        for function in &self.functions {
            black_box(Listing { script: &function.script, symbols: &self.symbols }.to_string());
        }
    }

    fn assemble(&self) {
        self.listings
            .iter()
            .for_each(|listing| drop(black_box(assemble(listing, &self.symbols, &self.dialect))));
    }

    fn decompile(&self) {
        let decompiler = Decompiler::new(self.scope, &self.symbols, &self.functions);
        self.functions.iter().for_each(|function| drop(black_box(decompiler.decompile(function))));
    }
}

fn main() {
    let is_smoke = std::env::args().any(|arg| arg == "--test");
    let rounds = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let rounds = rounds.unwrap_or(if is_smoke { 1 } else { 15 });
    let Some(folder) = corpus() else {
        println!("skipped: it needs the folder `bytecode` of the corpus");
        return;
    };
    let mut paths = Vec::new();
    packages(&folder, &mut paths);
    paths.sort();
    let loaded: Vec<Loaded> = paths.iter().filter_map(|path| Loaded::open(path)).collect();
    let scopes: Vec<Scope<'_>> = loaded.iter().map(Loaded::scope).collect();
    let forms: Vec<Forms<'_>> = scopes.iter().map(Forms::new).collect();
    let functions = forms.iter().map(|forms| forms.functions.len()).sum::<usize>() as f64;
    let bytes = forms.iter().flat_map(|forms| &forms.stored).map(Vec::len).sum::<usize>() as f64;
    println!("{functions} functions of {} packages, {:.2} MB of scripts", forms.len(), bytes / 1e6);
    let line = |what: &str, target: Option<f64>, work: &dyn Fn()| {
        let seconds = best(rounds, work).as_secs_f64();
        let rate = functions / seconds;
        let share = target
            .map_or_else(String::new, |target| format!("  target {target:.0}, {:.1} × of it", rate / target));
        println!("  {what:<26} {rate:>9.0} functions/s {:>7.1} MB/s{share}", bytes / seconds / 1e6);
    };
    line("decode", Some(DECODED), &|| forms.iter().for_each(Forms::decode));
    line("decode, with their exports", None, &|| {
        for scope in &scopes {
            black_box(Function::all(scope));
        }
    });
    line("encode", None, &|| forms.iter().for_each(Forms::encode));
    line("list", None, &|| forms.iter().for_each(Forms::list));
    line("assemble", None, &|| forms.iter().for_each(Forms::assemble));
    line("decompile", Some(DECOMPILED), &|| forms.iter().for_each(Forms::decompile));
}

/// The folder of packages with functions, if there is a corpus.
fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from).join("bytecode");
    folder.is_dir().then_some(folder)
}

/// The packages below a folder.
fn packages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            packages(&path, found);
        } else if ["uasset", "umap"].contains(&extension) {
            found.push(path);
        }
    }
}

/// The shortest time of some rounds.
fn best(rounds: u32, work: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..rounds).map(|_| once()).min().unwrap()
}
