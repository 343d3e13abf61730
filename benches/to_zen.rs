//! Targets for `to-zen` and `to-legacy`: packages and bytes per second, next to each other, to `unpack` of
//! the same packages and to a copy of the same files, in one run; and the memory of `to-legacy`.
//!
//! `cargo bench --bench to_zen` makes 4,000 packages of its own, as large as those of games are, in memory where `/dev/shm` exists;
//! `-- --test` makes 40 and only shows that it runs. `-- --packages N` and `-- --rounds N` are in between. With the corpus, the
//! packages of the 5.8 fixture follow. A figure that misses its target is marked, and fails nothing.

#[path = "../src/bin/uncask/bench/meter.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses all of it, and tests it")]
mod meter;
#[path = "../tests/it/support/zen.rs"]
#[expect(
    clippy::indexing_slicing,
    reason = "it belongs to the tests, where that is a failure like any other"
)]
mod zen;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use uncask::job::{Budget, Context, Cpu, block_on};
use uncask::pack::{PackOptions, ToZenInput, pack, to_zen};
use uncask::version::{Release, TocVersion, ZenGeneration};
use uncask::{Game, GameOptions};
use zen::{ASSET, COOKED, Export, Import, Package, Ref, script_objects};

/// Time of `to-zen` over that of copying the same files.
const OF_COPY: f64 = 2.0;
/// Time of `to-zen` over that of `to-legacy`.
const OF_TO_LEGACY: f64 = 1.0;
/// Time of `to-legacy` over that of `unpack`.
const OF_UNPACK: f64 = 1.5;
/// Memory for data in flight while packages are rebuilt and unpacked, and what the process may take beside it, in bytes.
const MEMORY: u64 = 64 << 20;
const BESIDE: u64 = 64 << 20;
/// Memory that may be used for one header.
const LIMIT: u64 = 256 << 20;
/// Bytes of export data: most packages of a game are small, some hold a mesh or a sound.
const SIZES: [usize; 8] = [600, 900, 1_500, 2_500, 6_000, 14_000, 60_000, 400_000];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let smoke = args.iter().any(|arg| arg == "--test");
    let number = |flag: &str, default: usize| {
        let at = args.iter().position(|arg| arg == flag);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let packages = number("--packages", if smoke { 40 } else { 4000 });
    let rounds = number("--rounds", if smoke { 1 } else { 5 });
    let parent = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    let folder = parent.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder");
    synthesize(folder.path(), packages);
    let game = GameOptions::default().memory(MEMORY).open(folder.path().join("game")).expect("opens");
    measure("packages of its own", &game, "5.5", folder.path(), rounds);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/iostore/ue5.8/tagged");
    if fixture.is_dir() {
        let options = GameOptions::default().memory(MEMORY).base(fixture.join("global.utoc"));
        let game = options.open(fixture.join("Uncompressed")).expect("opens");
        measure("the 5.8 fixture", &game, "5.8", folder.path(), rounds);
    }
}

/// A container of packages that import their neighbours, and the script objects that they need.
fn synthesize(folder: &Path, packages: usize) {
    let cpu = Cpu::new(0).expect("threads");
    let context = Context::new(cpu.clone(), Budget::new(256 << 20), true);
    let write = |tree: &Path, path: &str, bytes: &[u8]| {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("makes a folder");
        std::fs::write(path, bytes).expect("writes");
    };
    let options = PackOptions {
        version: Some(TocVersion::ReplaceIoChunkHashWithIoHash),
        engine: Release::from_name("5.5"),
        ..PackOptions::default()
    };
    let make = |tree: &str, name: &str, options: &PackOptions| {
        let toc = folder.join("game").join(name);
        block_on(pack(&folder.join(tree), &toc, options, &context)).flatten().expect("packs");
    };
    let name = |n: usize| format!("/Game/Set{}/Asset{n}", n / 100);
    let pixels = vec![7; 100_000];
    for (n, len) in (0..packages).zip(SIZES.into_iter().cycle()) {
        let (own, before) = (name(n), name(n.saturating_sub(1)));
        let path = format!("Bench/Content/Set{}/Asset{n}", n / 100);
        let bytes = package(&own, (n % 100 > 0).then_some(&before), len);
        write(&folder.join("tree"), &format!("{path}.uasset"), &bytes);
        if n.is_multiple_of(10) {
            write(&folder.join("tree"), &format!("{path}.ubulk"), &pixels);
        }
    }
    make("tree", "pakchunk0-Bench.utoc", &options);
    let classes = ["/Script/CoreUObject.Class", "/Script/CoreUObject.Package", CLASS];
    write(
        &folder.join("global"),
        "chunks/000000000000000000000005.script_objects",
        &script_objects(&classes),
    );
    make("global", "global.utoc", &PackOptions { directory_index: false, engine: None, ..options });
}

const CLASS: &str = "/Script/Engine.PrimaryDataAsset";

fn package(name: &str, imported: Option<&String>, len: usize) -> Vec<u8> {
    let object = |package: &'static str| Import::Script(package);
    let mut imports = vec![object("/Script/Engine"), object(CLASS)];
    imports.extend(imported.into_iter().flat_map(|package| {
        [Import::Hole, Import::Object(package, package.rsplit('/').next().expect("a name"))]
    }));
    let export = |name, outer, len| Export {
        name,
        outer,
        class: Ref::Import(1),
        super_class: Ref::Null,
        template: Ref::Null,
        flags: ASSET,
        data: vec![3; len],
    };
    let names = vec!["None", "Count", "IntProperty"];
    let own = name.rsplit('/').next().expect("a name");
    let exports = vec![export(own, Ref::Null, len / 2), export("Part", Ref::Export(0), len - len / 2)];
    let bulk = Vec::new();
    let generation = ZenGeneration::PaddedBulkMap;
    Package { generation, name, flags: COOKED, cooked_header_len: 900, names, imports, exports, bulk }.bytes()
}

fn measure(what: &str, game: &Game, release: &str, folder: &Path, rounds: usize) {
    let place = |name: &str| folder.join(what).join(name);
    let cpu = Cpu::new(0).expect("threads");
    let context = Context::new(cpu.clone(), Budget::new(256 << 20), true);
    let options = PackOptions {
        engine: Release::from_name(release),
        replace: true,
        force: true,
        ..PackOptions::default()
    };
    let (mut cooking, mut copying, mut zenning) = (Vec::new(), Vec::new(), Vec::new());
    let mut unpacking = Vec::new();
    let (mut packages, mut bytes, mut peak) = (0, 0, None);
    for round in 0..rounds {
        let cooked = place(&format!("cooked{round}"));
        let before = resident();
        let (run, ()) = meter::run(|| drop(game.all().to_legacy(&cooked).expect("converts")));
        cooking.push(run.seconds);
        peak = peak.max(run.peak.zip(before).map(|(peak, before)| peak.saturating_sub(before)));
        unpacking.push(time(|| drop(game.all().unpack(place(&format!("raw{round}"))).expect("unpacks"))));
        bytes = files(&cooked).iter().map(|path| path.metadata().expect("is there").len()).sum();
        copying.push(time(|| copy(&cooked, &place(&format!("copy{round}")))));
        let out = place(&format!("out{round}/Bench_P.utoc"));
        let inputs = [ToZenInput::Folder(cooked)];
        zenning.push(time(|| {
            let made =
                block_on(to_zen(&inputs, &out, &options, None, LIMIT, &context)).flatten().expect("packs");
            packages = made.packages;
        }));
        std::fs::remove_dir_all(folder.join(what)).expect("removes");
    }
    let [cooking, copying, zenning, unpacking] = [cooking, copying, zenning, unpacking].map(median);
    #[expect(clippy::cast_precision_loss, reason = "figures to look at")]
    let (packages, mib) = (packages as f64, bytes as f64 / f64::from(1 << 20));
    say(&format!("{what}: {packages} packages, {mib:.1} MiB, {} threads", cpu.threads()));
    say(
        "  job                      time   packages/s      MiB/s   to-zen takes       at most   to-legacy takes    at most",
    );
    for (job, seconds, targets) in [
        ("to-zen", zenning, [None, None]),
        ("to-legacy", cooking, [Some(OF_TO_LEGACY), None]),
        ("copy of the files", copying, [Some(OF_COPY), None]),
        ("unpack", unpacking, [None, Some(OF_UNPACK)]),
    ] {
        let judge = |share: f64, target: Option<f64>| {
            target.map_or_else(String::new, |target| {
                let met = if share <= target { "met" } else { "MISSED" };
                format!("{share:>10.2} ×   {target:>6.2} × {met:<6}")
            })
        };
        let [of_zen, of_legacy] = targets;
        let (of_zen, of_legacy) = (judge(zenning / seconds, of_zen), judge(cooking / seconds, of_legacy));
        let (rate, speed) = (packages / seconds, mib / seconds);
        let line =
            format!("  {job:<18} {seconds:>8.3} s   {rate:>10.0}   {speed:>8.1}   {of_zen:<28} {of_legacy}");
        say(line.trim_end());
    }
    if let Some(peak) = peak {
        let (found, limit) = (peak >> 20, (MEMORY + BESIDE) >> 20);
        let met = if found <= limit { "met" } else { "MISSED" };
        say(&format!("  memory that to-legacy took: {found} MiB, at most {limit} MiB   {met}"));
    }
}

/// Memory of this process at the moment, in bytes.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.expect("is readable"));
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// Copies a folder like `cp -r`, on any system.
fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("it lies below"));
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("makes a folder");
        std::fs::copy(file, target).expect("copies");
    }
}

fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn say(text: &str) {
    writeln!(std::io::stdout().lock(), "{text}").expect("prints");
}
