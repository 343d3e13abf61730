//! Every job of the command, about containers and files of the shapes that are worst for it.
#![cfg(all(feature = "cli", target_os = "linux"))]

use super::assets;
use super::formats::keys as many_keys;
use super::levels;
use super::{Allowance, Cost, Meter, Scale, count};
use crate::fuzz::draw::{self, Chunk, Classic, Toc, Zen};
use crate::usage::{Usage, measure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use uncask::id::PackageId;
use uncask::wire::Writer;

/// Memory for data in flight.
const MEMORY: &str = "32M";

/// A file or container of some size in a folder, and its path.
type Make = fn(usize, &Path) -> PathBuf;

/// The arguments of a command. `IN` stands for the input, `OUT` for a file or folder, `ADDRESS` for the
/// address of a value.
type Ask = &'static [&'static str];

const LISTINGS: [Ask; 9] = [
    &["list", "IN"],
    &["list", "--tree", "IN"],
    &["list", "-l", "IN"],
    &["list", "--conflicts", "IN"],
    &["info", "IN"],
    &["du", "--depth", "9", "IN"],
    &["diff", "IN", "IN"],
    &["report", "IN", "-o", "OUT"],
    &["get", "IN", "070000000000000000000002", "-o", "OUT"],
];
const LIST: [Ask; 1] = [&["list", "IN"]];
const VERIFY: [Ask; 1] = [&["verify", "IN"]];
const CHECKS: [Ask; 5] = [
    &["verify", "IN"],
    &["check", "IN"],
    &["check", "IN", "--game", "IN"],
    &["unpack", "--dry-run", "IN", "-o", "OUT"],
    &["to-legacy", "--dry-run", "IN", "-o", "OUT"],
];
const UNPACK: [Ask; 2] =
    [&["unpack", "IN", "-o", "OUT"], &["unpack", "IN", "-o", "OUT", "--manifest", "OUT.list"]];
#[cfg(feature = "catalog")]
const CATALOG: [Ask; 1] = [&["catalog", "IN", "-o", "OUT"]];
#[cfg(not(feature = "catalog"))]
const CATALOG: [Ask; 0] = [];
const PACKAGES: [Ask; 10] = [
    &["to-legacy", "IN", "-o", "OUT"],
    &["deps", "IN", "/Game/A"],
    &["deps", "--reverse", "IN", "/Game/A"],
    &["du", "--by", "class", "IN"],
    &["scripts", "IN"],
    &["check", "IN"],
    &["json", "IN", "-o", "OUT"],
    &["json", "--form", "tree", "IN", "-o", "OUT"],
    &["export", "IN", "-o", "OUT"],
    &["history", "IN", "IN"],
];
const EXPORT: [Ask; 2] =
    [&["export", "IN", "-o", "OUT"], &["export", "IN", "-o", "OUT", "--as", "png,dds,raw", "--all-mips"]];
const SCENE: [Ask; 2] = [
    &["export", "IN", "A", "L0", "--engine", "4.27", "-o", "OUT", "--as", "scene", "--classes", "*"],
    &["export", "IN", "A", "L0", "--engine", "4.27", "-o", "OUT", "--as", "usd", "--classes", "*"],
];
const INSPECT: [Ask; 2] = [&["inspect", "IN"], &["inspect", "--json", "IN"]];
const THUMBNAILS: [Ask; 1] = [&["thumbnails", "IN", "-o", "OUT"]];
const INSTALL: [Ask; 2] =
    [&["install", "IN/mod/M_P.utoc", "IN/Game", "--force", "--overwrite"], &["uninstall", "M_P", "IN/Game"]];
const MODS: [Ask; 6] = [
    &["mods", "IN/Game"],
    &["conflicts", "IN/mod/M_P.utoc", "IN/mod/M_P.utoc", "--game", "IN/Game"],
    &["merge", "IN/mod/M_P.utoc", "IN/mod/M_P.utoc", "--game", "IN/Game", "-o", "OUT_P.utoc", "--force"],
    &["port", "IN/mod/M_P.utoc", "--from", "IN/Game", "--to", "IN/Game", "-o", "OUT_P.utoc", "--force"],
    &["recipe", "IN/mod/N_P.utoc", "--game", "IN/Game", "-o", "OUT"],
    &["build", "IN/recipe.toml", "--game", "IN/Game", "-o", "OUT_P.utoc", "--force"],
];
const PACK: [Ask; 2] = [&["pack", "IN", "-o", "OUT.utoc"], &["pack", "IN", "-o", "OUT.pak"]];
const COOKED: [Ask; 3] = [
    &["to-zen", "IN", "-o", "OUT_P.utoc", "--engine", "5.4", "--force", "--overwrite"],
    &["json", "IN", "-o", "OUT"],
    &["du", "--with-deps", "IN"],
];

const VALUES: [Ask; 10] = [
    &["lint", "IN", "--budget", "1G"],
    &["check-mappings", "IN"],
    &["find", "IN", "--value-regex", "."],
    &["json", "IN", "--csv"],
    &["text", "IN"],
    &["git", "textconv", "IN/Project/Content/A.uasset"],
    &["json", "IN", "--jsonl"],
    &["diff", "--properties", "IN", "IN"],
    &["set", "IN/Project/Content/A.uasset", "ADDRESS", "7", "-o", "OUT"],
    &["from-json", "IN/A.json", "--onto", "IN/Project/Content/A.uasset", "-o", "OUT"],
];
const VERSIONS: [Ask; 2] = [
    &["git", "merge", "IN/base.uasset", "IN/ours.uasset", "IN/theirs.uasset", "-o", "OUT"],
    &[
        "git",
        "merge",
        "IN/base.uasset",
        "IN/ours.uasset",
        "IN/theirs.uasset",
        "--prefer",
        "theirs",
        "-o",
        "OUT",
    ],
];
const SHOWN: [Ask; 1] = [&["from-json", "IN/F.json", "--onto", "IN/Project/Content/A.uasset", "-o", "OUT"]];
const CODE: [Ask; 8] = [
    &["code", "IN", "--engine", "5.4", "-o", "OUT"],
    &["code", "IN", "--engine", "5.4", "--form", "listing", "-o", "OUT"],
    &["code", "IN", "--engine", "5.4", "--form", "json", "-o", "OUT"],
    &["text", "IN", "--engine", "5.4", "-o", "OUT"],
    &["diff", "--text", "--engine", "5.4", "IN", "IN"],
    &["find", "IN", "--engine", "5.4", "--code", "Called"],
    &["diff", "--code", "--engine", "5.4", "IN", "IN"],
    &["asm", "IN/A.txt", "--onto", "IN/Project/Content/A.uasset", "--engine", "5.4", "-o", "OUT"],
];
const REPLACE: [Ask; 1] = [&["replace", "IN/T_Rock.uasset", "IN/picture.png", "-o", "OUT"]];
const TEXTS: [Ask; 2] = [
    &["texts", "export", "IN", "-o", "OUT.csv"],
    &["texts", "import", "IN/texts.csv", "--onto", "IN", "-o", "OUT"],
];

/// Memory of any job, however small. It takes 5 to 13 MiB more than `--version`. Most of that is no
/// memory of the job but pages of the program, which the system counts with it and which vary by a MiB from run to run:
/// `pack` of 1,600 small files has 25 MiB resident, 21 of them in the program's file, and `--version` 12.
const ANY: usize = 16 << 20;

/// Tables of contents and what is listed of them.
const TABLES: Allowance = Allowance { floor: ANY, per_byte: 16 };
/// Paths of a thousand bytes, one for each chunk of 57 bytes: what sorts or writes them has them all.
const LONG_PATHS: Allowance = Allowance { floor: ANY, per_byte: 16 + 1000 / 57 };
/// An import has eight bytes, and becomes rows and names. The built-in schemas of the engine's classes take 6 MiB, of whatever
/// is read by them.
const CONVERTED: Allowance = Allowance { floor: ANY + (6 << 20), per_byte: 128 };
/// Data in flight, which `--memory` bounds.
const IN_FLIGHT: Allowance = Allowance { floor: 40 << 20, per_byte: 16 };

/// Inputs of a shape, and what is asked about them.
struct Shape {
    name: &'static str,
    /// The first size.
    size: usize,
    make: Make,
    asks: &'static [&'static [Ask]],
    allowed: Allowance,
}

const fn shape(
    name: &'static str,
    size: usize,
    make: Make,
    asks: &'static [&'static [Ask]],
    allowed: Allowance,
) -> Shape {
    Shape { name, size, make, asks, allowed }
}

/// A statement is a few bytes in the file; it becomes an expression, a node of a graph, and a line.
const WRITTEN: Allowance = Allowance { floor: ANY, per_byte: 512 };

const SHAPES: [Shape; 34] = [
    shape("one id and path", 2000, one_id, &[&LISTINGS, &CHECKS, &CATALOG], TABLES),
    shape("one long path", 2000, one_path, &[&LISTINGS, &CHECKS, &CATALOG], LONG_PATHS),
    shape("a mod and a game of one id", 2000, installable, &[&INSTALL], TABLES),
    shape("a mod and a game of one id", 2000, installable, &[&MODS], CONVERTED),
    shape("one long path", 50, one_path, &[&UNPACK], LONG_PATHS),
    shape("a chain of folders", 2000, deep_paths, &[&LISTINGS, &CHECKS, &CATALOG], TABLES),
    shape("no perfect hash", 2000, overflow, &[&LIST, &CHECKS], TABLES),
    shape("large blocks", 12, large_blocks, &[&VERIFY, &UNPACK], IN_FLIGHT),
    shape("imports of one long name", 200, long_imports, &[&PACKAGES], CONVERTED),
    shape("exports below long names", 200, outer_chain, &[&PACKAGES, &CATALOG], CONVERTED),
    shape("imports by many packages", 200, ue4_imports, &[&PACKAGES], CONVERTED),
    shape("packages that import many", 100, linked, &[&PACKAGES, &CATALOG], CONVERTED),
    shape("packages that import ever more", 25, linked_more, &[&PACKAGES, &CATALOG], CONVERTED),
    shape("zen, exports below long names", 200, outer_chain_file, &[&INSPECT], CONVERTED),
    shape("classic, groups", 2000, classic_groups, &[&INSPECT], TABLES),
    shape("classic, one texture", 40, classic_texture, &[&THUMBNAILS], IN_FLIGHT),
    shape("classic, one list of properties", 40, classic_properties, &[&THUMBNAILS], IN_FLIGHT),
    shape("files of one folder", 100, folder_of_files, &[&PACK], TABLES),
    shape("assets with imports of one long name", 200, assets::long_imports, &[&COOKED], CONVERTED),
    shape("assets that import one another", 50, assets::linked, &[&COOKED], CONVERTED),
    shape("assets of many exports", 200, assets::exports, &[&COOKED, &EXPORT], CONVERTED),
    shape("assets with many properties", 1000, assets::properties, &[&COOKED, &EXPORT], CONVERTED),
    shape("an asset with many properties, and its document", 1000, assets::document, &[&VALUES], CONVERTED),
    shape("an asset of many objects, and what is shown of it", 100, assets::shown, &[&SHOWN], CONVERTED),
    shape("versions of many objects", 100, assets::versions, &[&VERSIONS], CONVERTED),
    shape("assets of values with many properties", 1000, assets::values, &[&EXPORT], CONVERTED),
    shape("sequences in one another", 200, assets::sequences, &[&EXPORT], CONVERTED),
    shape("components attached in a circle", 100, levels::attached, &[&SCENE], CONVERTED),
    shape("levels that load the next one twice", 20, levels::doubling, &[&SCENE], CONVERTED),
    shape("instances of a mesh", 1000, levels::instances, &[&SCENE], CONVERTED),
    shape("a long function", 1000, assets::function, &[&CODE], WRITTEN),
    shape("many functions", 200, assets::functions, &[&CODE], WRITTEN),
    shape("many long keys of texts", 100, texts, &[&TEXTS], CONVERTED),
    shape("a picture", 32, picture, &[&REPLACE], IN_FLIGHT),
];

/// Commands without a possibly large input, with the reason.
const NO_INPUT: [(&str, &str); 6] = [
    ("review", "reads what git has; the comparison is that of `diff --text`"),
    ("bench", "makes what it measures"),
    ("browse", "answers a page, whose requests have tests of their own"),
    ("completions", "prints what the command line is"),
    ("man", "prints what the command line is"),
    ("help", "prints what the command line is"),
];

#[test]
fn every_subcommand_is_measured() {
    let _turn = Meter::turn();
    let help = Command::new(env!("CARGO_BIN_EXE_uncask")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Descriptions that are too long go on in lines that are indented further.
    let names: Vec<&str> = listed
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"unpack") && names.len() > 15, "{help}");
    let asked: Vec<&str> =
        SHAPES.iter().flat_map(|shape| shape.asks.iter().copied().flatten()).map(|ask| ask[0]).collect();
    for name in names {
        let is_exempt = NO_INPUT.iter().any(|(exempt, _)| *exempt == name);
        assert!(asked.contains(&name) != is_exempt, "`{name}` has no shape that is measured, or needs none");
    }
}

#[test]
fn jobs_cost_as_much_as_their_input_is_long() {
    let _turn = Meter::turn();
    let idle = run(&["--version"], Path::new(""), 0);
    let mut scale = Scale::new(Duration::from_millis(40), Duration::from_millis(50), 512 << 10);
    for shape in &SHAPES {
        measure_shape(&mut scale, shape, idle);
    }
    scale.finish();
}

fn measure_shape(scale: &mut Scale, shape: &Shape, idle: Cost) {
    let mut made: BTreeMap<usize, (tempfile::TempDir, PathBuf, usize)> = BTreeMap::new();
    for ask in shape.asks.iter().copied().flatten() {
        let is_shown = |word: &&str| !word.starts_with("OUT") && !["IN", "-o"].contains(word);
        let shown: Vec<&str> = ask.iter().copied().filter(is_shown).collect();
        scale.measure(&format!("{}, {}", shown.join(" "), shape.name), shape.size, shape.allowed, |n| {
            let (_, input, len) = made.entry(n).or_insert_with(|| {
                let folder = tempfile::tempdir().unwrap();
                let input = (shape.make)(n, folder.path());
                let len = input_len(folder.path());
                (folder, input, len)
            });
            let cost = run(ask, input, *len);
            Cost {
                memory: cost.memory.saturating_sub(idle.memory),
                time: cost.time.saturating_sub(idle.time),
                ..cost
            }
        });
    }
}

/// Bytes of all files below a folder.
fn input_len(folder: &Path) -> usize {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let len = |entry: walkdir::DirEntry| entry.metadata().unwrap().len();
    files.filter(|entry| entry.file_type().is_file()).map(|entry| usize::try_from(len(entry)).unwrap()).sum()
}

/// Runs the command on one thread.
fn run(ask: &[&str], input: &Path, len: usize) -> Cost {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    command.args(["-q", "-j1", "--memory", MEMORY]);
    for word in ask {
        match *word {
            "IN" => command.arg(input),
            "ADDRESS" => command.arg(assets::address()),
            word if word.starts_with("IN/") => command.arg(input.join(&word[3..])),
            word if word.starts_with("OUT") => command.arg(out.path().join(word)),
            word => command.arg(word),
        };
    }
    let Usage { status, memory, user_time: time, system_time } = measure(&command, Stdio::null());
    let code = status.code().expect("an exit code");
    // An id of many chunks is wrong usage.
    assert!(code < 100 && (code != 2 || ask[0] == "get"), "{ask:?}: {status}");
    Cost { input: len, memory: usize::try_from(memory).unwrap(), time, system_time }
}

/// A game with a `.locres`, and the table of its texts.
fn texts(n: usize, folder: &Path) -> PathBuf {
    let place = folder.join("game/Content/Localization/Game/en");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("Game.locres"), many_keys(n)).unwrap();
    let game = folder.join("game");
    let mut export = Command::new(env!("CARGO_BIN_EXE_uncask"));
    export.args(["-q", "texts", "export"]).arg(&game).arg("-o").arg(game.join("texts.csv"));
    assert!(export.status().unwrap().success());
    game
}

/// The demo's texture as a cooked file, and a picture for it that cannot be compressed.
fn picture(n: usize, folder: &Path) -> PathBuf {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_uncask"));
    convert.args(["-q", "to-legacy"]).arg(demo).args(["*/T_Rock.*", "-o"]).arg(folder);
    assert!(convert.status().unwrap().success());
    let textures = folder.join("Demo/Content/Textures");
    let (width, height) = (256, count(n));
    let file = std::fs::File::create(textures.join("picture.png")).unwrap();
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut rng = crate::hostile::Rng::new(7);
    let pixels: Vec<u8> = (0..1024 * n).map(|_| u8::try_from(rng.below(256)).unwrap()).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    textures
}

fn one_id(n: usize, folder: &Path) -> PathBuf {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|_| Chunk::new(7, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.index = draw::one_name(&format!("{}.bin", "x".repeat(200)), count(n));
    toc.write(folder, b"hello")
}

fn one_path(n: usize, folder: &Path) -> PathBuf {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 1, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.index = draw::one_name(&format!("{}.bin", "x".repeat(990)), count(n));
    toc.write(folder, b"hello")
}

/// A game, and a mod for it.
fn installable(n: usize, folder: &Path) -> PathBuf {
    let [paks, of_mod] = ["Game/Content/Paks", "mod"].map(|name| folder.join(name));
    for place in [&paks, &of_mod] {
        std::fs::create_dir_all(place).unwrap();
        let table = one_id(n, place);
        if place == &of_mod {
            for extension in ["utoc", "ucas"] {
                let name = of_mod.join("M_P").with_extension(extension);
                std::fs::copy(table.with_extension(extension), of_mod.join("N_P").with_extension(extension))
                    .unwrap();
                std::fs::rename(table.with_extension(extension), name).unwrap();
            }
        }
    }
    std::fs::write(of_mod.join("M_P.pak"), "").unwrap();
    // Rules for values of their own, half of them for packages of their own.
    let packages = |at: usize| if at.is_multiple_of(2) { "*".to_owned() } else { format!("*{at}/*") };
    let rules = (0..n).map(|at| {
        format!("[[change]]\npackages = \"{}\"\nproperty = \"*.**.V{at}\"\nmultiply = {at}\n", packages(at))
    });
    std::fs::write(folder.join("recipe.toml"), rules.collect::<String>()).unwrap();
    folder.to_owned()
}

/// Folders in one another, each with a file.
fn deep_paths(n: usize, folder: &Path) -> PathBuf {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 7, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.index = draw::chain("a.bin", count(n));
    toc.write(folder, b"hello")
}

fn overflow(n: usize, folder: &Path) -> PathBuf {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 1, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.seeds = vec![-1 - i32::try_from(n).unwrap(); n.div_ceil(2)];
    toc.overflow = (0..i32::try_from(n).unwrap()).rev().collect();
    toc.write(folder, b"hello")
}

fn large_blocks(n: usize, folder: &Path) -> PathBuf {
    let (block, mut stored) = (0xFF_FFF0_u32, Vec::new());
    let zeros = vec![0; block as usize];
    let scratch = &mut uncask::codec::Scratch::default();
    uncask::codec::compress(uncask::codec::Method::Zlib, &zeros, None, &mut stored, scratch).unwrap();
    let mut toc = Toc::new(8);
    toc.block_size = block;
    toc.method = Some("Zlib");
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 1, 2, block.into(), count(at))).collect();
    toc.blocks = vec![(0, count(stored.len()), block, 1); n];
    toc.write(folder, &stored)
}

fn long_imports(n: usize, folder: &Path) -> PathBuf {
    let package = Zen {
        names: vec!["/Game/A".to_owned(), "Obj".to_owned()],
        hashes: vec![1],
        imports: vec![2 << 62; n],
        exports: vec![draw::export(1, None, 0)],
        packages: vec![format!("/Game/{}", "x".repeat(1000))],
    };
    draw::packages(folder, 6, &[("/Game/A".to_owned(), package.bytes())])
}

fn outer_chain_package(n: usize) -> Vec<u8> {
    let chain = (0..60).map(|at: u64| draw::export(1, at.checked_sub(1), 0));
    let below = (0..n as u64).map(|at| draw::export(1, Some(59), at + 1));
    let names = vec!["/Game/A".to_owned(), "n".repeat(1000)];
    Zen { names, exports: chain.chain(below).collect(), ..Zen::default() }.bytes()
}

fn outer_chain(n: usize, folder: &Path) -> PathBuf {
    draw::packages(folder, 6, &[("/Game/A".to_owned(), outer_chain_package(n))])
}

fn outer_chain_file(n: usize, folder: &Path) -> PathBuf {
    write(folder, "A.uasset", &outer_chain_package(n))
}

fn ue4_imports(n: usize, folder: &Path) -> PathBuf {
    let imports: Vec<u64> = (0..n as u64).map(|at| 2 << 62 | (at * 7919 + 1)).collect();
    let packages: Vec<u64> = (0..n as u64).map(|at| at * 104_729 + 5).collect();
    let package = draw::zen4(&["/Game/A", "Obj"], &imports, &[draw::export(1, None, 0)], &packages);
    draw::packages(folder, 3, &[("/Game/A".to_owned(), package)])
}

/// Each of many packages with long names imports fifty of the others.
fn linked(n: usize, folder: &Path) -> PathBuf {
    importing(n, 50, folder)
}

/// Each of some packages with long names imports many of the others.
fn linked_more(n: usize, folder: &Path) -> PathBuf {
    importing(200, n, folder)
}

/// Packages with long names, each of which imports so many of the others.
fn importing(packages: usize, imports: usize, folder: &Path) -> PathBuf {
    let names: Vec<String> = (0..packages).map(|at| format!("/Game/{at:04}{}", "y".repeat(900))).collect();
    let ids: Vec<u64> = names.iter().map(|name| PackageId::from_name(name).0).collect();
    let package = |(at, name): (usize, &String)| {
        let graph: Vec<u64> = ids.iter().cycle().skip(at + 1).take(imports).copied().collect();
        (name.clone(), draw::zen4(&[name, "Obj"], &[], &[draw::export(1, None, 0)], &graph))
    };
    draw::packages(folder, 3, &names.iter().enumerate().map(package).collect::<Vec<_>>())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn classic_groups(n: usize, folder: &Path) -> PathBuf {
    let mut package = Classic::textures();
    package.names.push("n".repeat(60));
    package.exports = (0..i32::try_from(n).unwrap()).map(|at| (-1, at.min(15), 8, 0, 0)).collect();
    write(folder, "x.utx", &package.bytes())
}

fn classic_texture(n: usize, folder: &Path) -> PathBuf {
    let mut package = Classic::textures();
    let image: Vec<u8> = (0..n << 10).map(|at| ((at * at) >> 8).to_le_bytes()[0]).collect();
    let mut len = Writer::new();
    uncask::package::classic::compact::write(&mut len, i32::try_from(image.len()).unwrap());
    let (len, mut w) = (len.into_bytes(), Writer::new());
    w.bytes(&[4, 1, 9, 0]).bytes(&[1]);
    w.u32(count(package.body_at() + w.len() + 4 + len.len() + image.len())).bytes(&len).bytes(&image);
    w.u32(1 << 10).u32(count(n)).u8(0).u8(0);
    package.body = w.into_bytes();
    package.exports = vec![(-1, 0, 6, package.body.len(), 0); n];
    write(folder, "x.utx", &package.bytes())
}

fn classic_properties(n: usize, folder: &Path) -> PathBuf {
    let mut package = Classic::textures();
    package.body = [&[7, 0x83].repeat(n * 1000)[..], &[0]].concat();
    package.exports = vec![(-1, 0, 6, package.body.len(), 0); n];
    write(folder, "x.utx", &package.bytes())
}

fn folder_of_files(n: usize, folder: &Path) -> PathBuf {
    let tree = folder.join("tree");
    std::fs::create_dir(&tree).unwrap();
    for at in 0..n {
        write(&tree, &format!("{}{at}.ini", "x".repeat(200)), b"[content]");
    }
    tree
}
