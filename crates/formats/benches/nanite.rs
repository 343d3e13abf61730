//! Nanite meshes: how many triangles a second are decoded on one core, at full detail.
//!
//! ```text
//! cargo bench -p uncask-formats --bench nanite               every mesh of 5.4 in the corpus
//! cargo bench -p uncask-formats --bench nanite -- 50         so many rounds
//! cargo bench -p uncask-formats --bench nanite -- --test     once, to see that it works
//! ```
//!
//! The triangles are those of the result. Clusters of all levels are decoded for it, since finer ones refer to vertices of coarser ones.

#![expect(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints figures, and may end where something is wrong"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use uncask_formats::asset::mesh::Nanite;
use uncask_formats::asset::{self, Asset};
use uncask_formats::package::legacy::Package;
use uncask_formats::property::{Object, Scope};
use uncask_formats::version::Release;

/// Triangles a second, on one core.
const TARGET: f64 = 20e6;

/// A mesh in memory.
struct Loaded {
    package: Package,
    data: Vec<u8>,
    data_at: u64,
    bulk: Option<Vec<u8>>,
}

impl Loaded {
    fn open(path: &Path) -> Self {
        let header = std::fs::read(path).unwrap();
        let package = Package::parse_partial(&header, Some(release())).unwrap().value;
        let data = std::fs::read(path.with_extension("uexp")).unwrap();
        let bulk = std::fs::read(path.with_extension("ubulk")).ok();
        Self { package, data, data_at: header.len() as u64, bulk }
    }

    fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.data, self.data_at, Some(release()))
    }

    /// The pages of a mesh that are in bulk data.
    fn pages(&self, nanite: &Nanite<'_>) -> Option<&[u8]> {
        let record = nanite.streamed.record;
        let (start, len) = (usize::try_from(record.offset).ok()?, usize::try_from(record.len).ok()?);
        self.bulk.as_deref()?.get(start..start + len)
    }
}

fn main() {
    let is_smoke = std::env::args().any(|arg| arg == "--test");
    let rounds = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let rounds = rounds.unwrap_or(if is_smoke { 1 } else { 30 });
    let Some(folder) = corpus() else {
        println!("skipped: it needs the folder `geometry/nanite` of the corpus");
        return;
    };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "uasset"));
    paths.sort();
    let loaded: Vec<Loaded> = paths.iter().map(|path| Loaded::open(path)).collect();
    let scopes: Vec<Scope<'_>> = loaded.iter().map(Loaded::scope).collect();
    let meshes: Vec<_> = loaded.iter().zip(&scopes).flat_map(|(from, scope)| nanite(from, scope)).collect();
    let triangles_of =
        |(mesh, pages): &(Nanite<'_>, Option<&[u8]>)| black_box(mesh.mesh(*pages).unwrap()).triangles.len();
    let decode = || meshes.iter().map(triangles_of).sum::<usize>();
    let triangles = decode() as f64;
    println!("{} meshes, {triangles} triangles at full detail", meshes.len());
    let rate = triangles / best(rounds, || _ = black_box(decode())).as_secs_f64();
    println!(
        "  decode {:>6.1} M triangles/s  target {:.0}, {:.2} × of it",
        rate / 1e6,
        TARGET / 1e6,
        rate / TARGET
    );
}

/// The Nanite meshes of a package, with their streamed pages.
fn nanite<'a>(from: &'a Loaded, scope: &Scope<'a>) -> Vec<(Nanite<'a>, Option<&'a [u8]>)> {
    let read = |export| {
        let object = Object::read(scope, export);
        let Asset::StaticMesh(mesh) = asset::read(scope, export, &object)?.ok()?.asset else { return None };
        let nanite = mesh.nanite?;
        let pages = from.pages(&nanite);
        Some((nanite, pages))
    };
    from.package.exports.iter().filter_map(read).collect()
}

fn release() -> &'static Release {
    Release::from_name("5.4").unwrap()
}

/// The folder of meshes, if there is a corpus.
fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    Some(corpus.join("geometry/nanite/ue5.4")).filter(|folder| folder.is_dir())
}

/// The shortest time of some rounds.
fn best(rounds: u32, work: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..rounds).map(|_| once()).min().unwrap_or_default()
}
