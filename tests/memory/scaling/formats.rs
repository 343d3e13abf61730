//! Every format that can be shown: identified, read, and written as `inspect` does.

use super::{Allowance, Meter, Scale, count, in_process};
use crate::fuzz::draw::{self, Chunk, Classic, Toc, Zen};
use crate::registry::{Asset, Quirks, Registry, plain};
use crate::texts::locres;
use crate::types::{Property, Struct, Type, Types};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use uncask::identify::{FORMATS, File, Input, ViewPart, identify};
use uncask::package::convert::{Converted, Evidence, Input as Source, Target, convert};
use uncask::package::zen;
use uncask::wire::Writer;

/// A file of a format: a name, a first size, and how it is made.
type Shape = (&'static str, usize, fn(usize) -> Vec<u8>);

const SHAPES: [Shape; 23] = [
    ("one id.utoc", 2000, one_id),
    ("long paths.utoc", 1000, long_path),
    ("one long text.locres", 1000, texts),
    ("many long keys.locres", 100, keys),
    ("many cultures.locmeta", 2000, cultures),
    ("long cultures.locmeta", 100, long_cultures),
    ("one name.usmap", 500, mappings),
    ("long names.usmap", 100, long_mappings),
    ("static arrays.usmap", 500, static_arrays),
    ("a chain of bases.usmap", 500, chain_of_bases),
    ("long names of exports.uasset", 200, zen_exports),
    ("one long import.uasset", 200, zen_imports),
    ("converted exports.uasset", 200, legacy_exports),
    ("groups.utx", 1000, classic_groups),
    ("big-endian.uasset", 1000, swapped),
    ("AssetRegistry.bin", 20, registry),
    ("long tags, AssetRegistry.bin", 200, registry_of_long_tags),
    ("ScriptObjects", 2000, script_objects),
    ("LoaderInitialLoadMeta", 2000, load_meta),
    ("ContainerHeader", 2000, container_header),
    ("in a container.ushaderbytecode", 1000, shaders_in_container),
    ("in a file.ushaderbytecode", 1000, shaders_in_file),
    ("one map.ushaderbytecode", 1000, shaders_of_one_map),
];

/// Rows are made one by one, or have all that the file has as text.
const ALLOWED: Allowance = Allowance { floor: 1 << 20, per_byte: 64 };

#[test]
fn every_format_is_measured() {
    let _turn = Meter::turn();
    let place = |(name, size, make): Shape| {
        let bytes = make(size);
        let file = File { name: Path::new(name), start: &bytes };
        let found = identify(&file).unwrap_or_else(|| panic!("{name} is of no format"));
        let finding = found.format.read(&Input::new(&bytes));
        let is_whole = finding.fault.is_none() || finding.view.is_none();
        assert!(is_whole, "{name}: {:?}", finding.fault);
        let is_it = |format: &&dyn uncask::identify::Format| {
            format.detect(&file).or_else(|| format.guess(&file)).as_ref() == Some(&found.detected)
        };
        FORMATS.iter().position(is_it).expect("one of all formats")
    };
    let measured: BTreeSet<usize> = SHAPES.into_iter().map(place).collect();
    let missing: Vec<usize> = (0..FORMATS.len()).filter(|format| !measured.contains(format)).collect();
    assert!(missing.is_empty(), "no shape is of these rows of `FORMATS`: {missing:?}");
}

#[test]
fn formats_cost_as_much_as_their_input_is_long() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20);
    for (name, size, make) in SHAPES {
        scale.measure(&format!("inspect, {name}"), size, ALLOWED, |n| {
            let bytes = make(n);
            in_process(bytes.len(), || show(name, &bytes))
        });
    }
    scale.finish();
}

/// Runs everything that shows a file, as text and as JSON.
fn show(name: &str, bytes: &[u8]) {
    let found = identify(&File { name: Path::new(name), start: bytes }).unwrap();
    let finding = found.format.read(&Input::new(bytes));
    let Some(view) = finding.view else { return };
    serde_json::to_writer(std::io::sink(), &view).unwrap();
    for part in view.parts() {
        match part {
            ViewPart::Fact { value, .. } => drop(value),
            ViewPart::List { rows, .. } => rows.for_each(drop),
        }
    }
}

fn one_id(n: usize) -> Vec<u8> {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|_| Chunk::new(7, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.bytes()
}

fn long_path(n: usize) -> Vec<u8> {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 1, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.index = draw::one_name(&format!("{}.bin", "x".repeat(990)), count(n));
    toc.bytes()
}

/// One text of many entries, as long as they may share.
fn texts(n: usize) -> Vec<u8> {
    let text = "x".repeat(200);
    let keys: Vec<String> = (0..n).map(|number| format!("{number:x}")).collect();
    let entries: Vec<(&str, u32, &str)> = keys.iter().map(|key| (key.as_str(), 1, text.as_str())).collect();
    locres(1, &[("", &entries)])
}

/// A name space for each text, and each as long as a name may be.
pub(super) fn keys(n: usize) -> Vec<u8> {
    let keys: Vec<String> = (0..n).map(|number| format!("{number:x}{}", "k".repeat(900))).collect();
    let entries: Vec<[(&str, u32, &str); 1]> = keys.iter().map(|key| [(key.as_str(), 1, "text")]).collect();
    let spaces: Vec<_> = keys.iter().zip(&entries).map(|(key, entry)| (key.as_str(), &entry[..])).collect();
    locres(3, &spaces)
}

fn locmeta(cultures: impl ExactSizeIterator<Item = String>) -> Vec<u8> {
    let mut w = Writer::new();
    w.bytes(&[
        0x4F, 0xEE, 0x4C, 0xA1, 0x68, 0x48, 0x55, 0x83, 0x6C, 0x4C, 0x46, 0xBD, 0x70, 0xDA, 0x50, 0x7C,
    ]);
    w.u8(2).string("en").string("en/Game.locres").u32(count(cultures.len()));
    for culture in cultures {
        w.string(&culture);
    }
    w.u32(1);
    w.into_bytes()
}

fn cultures(n: usize) -> Vec<u8> {
    locmeta((0..n).map(|_| "de".to_owned()))
}

fn long_cultures(n: usize) -> Vec<u8> {
    locmeta((0..n).map(|at| format!("{at}{}", "x".repeat(1000))))
}

fn mappings(n: usize) -> Vec<u8> {
    let mut types = Types::demo(3);
    types.structs = types.structs.iter().cloned().cycle().take(n).collect();
    types.file()
}

fn member(index: u16, array_len: u8, name: String) -> Property {
    Property { index, array_len, name, kind: Type::Plain(2), flags: 0 }
}

/// Names of 1,000 characters, each of which many types have.
fn long_mappings(n: usize) -> Vec<u8> {
    let name = |at: usize| format!("{at}{}", "x".repeat(900));
    let properties: Vec<Property> = (0..50).map(|at| member(at, 1, name(at.into()))).collect();
    let of = |at: usize| Struct { name: name(at), base: Some(name(at / 2)), properties: properties.clone() };
    Types { structs: (0..n).map(of).collect(), ..Types::demo(4) }.file()
}

/// Properties of 255 elements.
fn static_arrays(n: usize) -> Vec<u8> {
    let properties = (0..200).map(|at| member(at * 255, 255, format!("P{at}"))).collect();
    let of = Struct { name: "T".to_owned(), base: None, properties };
    Types { structs: vec![of; n / 10], ..Types::demo(4) }.file()
}

fn chain_of_bases(n: usize) -> Vec<u8> {
    let of = |at: usize| Struct {
        name: format!("T{at}"),
        base: Some(format!("T{}", at + 1)),
        properties: vec![member(0, 1, "P".to_owned())],
    };
    Types { structs: (0..n).map(of).collect(), ..Types::demo(4) }.file()
}

/// Chains of exports that have 30 names of 30 letters.
fn zen_exports(n: usize) -> Vec<u8> {
    let chain = (0..30).map(|at: u64| draw::export(1, at.checked_sub(1), 0));
    let below = (0..n as u64).map(|at| draw::export(1, Some(29), at + 1));
    let names = vec!["/Game/A".to_owned(), "n".repeat(30)];
    Zen { names, exports: chain.chain(below).collect(), ..Zen::default() }.bytes()
}

fn zen_imports(n: usize) -> Vec<u8> {
    Zen {
        names: vec!["/Game/A".to_owned(), "A".to_owned()],
        hashes: (1..=n as u64).collect(),
        imports: (0..n as u64).map(|hash| 2 << 62 | hash).collect(),
        exports: vec![draw::export(1, None, 1)],
        packages: vec![format!("/Game/{}", "x".repeat(1000))],
    }
    .bytes()
}

fn legacy_exports(n: usize) -> Vec<u8> {
    let chunk = zen_exports(n);
    let header = zen::Header::parse_partial(&chunk).unwrap().value;
    let input = Source { header: &header, chunk: &chunk, file_stem: None, evidence: Evidence::default() };
    convert(&input, &(), &Target::default()).and_then(Converted::write).unwrap().header
}

fn classic_groups(n: usize) -> Vec<u8> {
    let mut package = Classic::textures();
    package.names.push("n".repeat(60));
    package.exports = (0..i32::try_from(n).unwrap()).map(|at| (-1, at.min(15), 8, 0, 0)).collect();
    package.bytes()
}

fn swapped(n: usize) -> Vec<u8> {
    [&[0x9E, 0x2A, 0x83, 0xC1][..], &vec![0; n]].concat()
}

fn registry(n: usize) -> Vec<u8> {
    let mut registry = Registry::random(17, 1);
    registry.assets =
        registry.assets.iter().cloned().cycle().take(n * registry.assets.len().max(1)).collect();
    registry.write(Quirks::default())
}

/// Assets with one long name, whose tags have one long name.
fn registry_of_long_tags(n: usize) -> Vec<u8> {
    let long = "x".repeat(400);
    let mut registry = Registry::sample(16);
    let class = registry.assets[0].class.clone();
    let mut asset = Asset::of(&format!("/Game/{long}"), &long, class);
    asset.object_path = None;
    asset.group = None;
    let value = |at: usize| crate::registry::Value::Text(format!("{at}"));
    asset.tags = (0..3).map(|at| (plain(&format!("{at}{long}")), value(at))).collect();
    registry.is_filtered = true;
    registry.assets = vec![Asset { outer: None, ..asset }; n];
    registry.write(Quirks::default())
}

/// Objects in one another, sixty at a time, of a long name.
fn script_objects(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    let name = "A".repeat(30);
    w.u32(1)
        .u32(30)
        .u64(0xC164_0000)
        .u64(0)
        .bytes(&30_u16.to_be_bytes())
        .bytes(name.as_bytes())
        .u32(count(n));
    script_rows(&mut w, n);
    w.into_bytes()
}

fn script_rows(w: &mut Writer, n: usize) {
    for at in 0..n as u64 {
        let outer = if at % 32 == 0 { u64::MAX } else { 1 << 62 | (at - 1) };
        w.u32(0).u32(0).u64(1 << 62 | at).u64(outer).u64(u64::MAX);
    }
}

fn load_meta(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(count(n));
    for at in 0..n as u64 {
        let outer = if at % 32 == 0 { u64::MAX } else { 1 << 62 | (at - 1) };
        w.u32(2 << 30).u32(0).u64(1 << 62 | at).u64(outer).u64(u64::MAX);
    }
    w.into_bytes()
}

fn container_header(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.bytes(b"nCoI").u32(3).u64(1).u32(count(n));
    for at in 0..n as u64 {
        w.u64(at / 2);
    }
    // Each package imports one.
    w.u32(count(n * 24));
    for at in 0..n {
        w.u32(1).u32(count((n - at) * 16 + at * 8)).u32(0).u32(0);
    }
    for _ in 0..n {
        w.u64(7);
    }
    // No optional packages, no names, no localized packages; as many redirects.
    w.u32(0).u32(0).u32(0).u32(0).u32(count(n));
    for _ in 0..n {
        w.u64(7).u64(8).u64(0);
    }
    w.into_bytes()
}

fn hashes(w: &mut Writer, n: usize) {
    w.u32(count(n));
    for at in 0..n as u64 {
        w.u64(at).u64(0).u32(0);
    }
}

/// Each shader map has the four shaders of the next ones, too; each shader is a group of its own.
pub(super) fn shaders_in_container(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(1);
    hashes(&mut w, n);
    hashes(&mut w, n);
    w.u32(count(n));
    for at in 0..n as u64 {
        w.u64(at).u32(0);
    }
    w.u32(count(n));
    for at in 0..n {
        w.u32(count(at.min(n - 3))).u32(3);
    }
    w.u32(count(n));
    for at in 0..n as u64 {
        // Frequency, group, and where its code starts in it.
        w.u64(at << 4 | 3);
    }
    w.u32(count(n));
    for at in 0..n {
        w.u32(count(at)).u32(1).u32(100).u32(100);
    }
    w.u32(count(n));
    for at in 0..n {
        w.u32(count(at));
    }
    w.into_bytes()
}

fn loose_shaders(n: usize, map: impl Fn(usize) -> [u32; 4]) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(2);
    hashes(&mut w, n);
    hashes(&mut w, n);
    w.u32(count(n));
    for at in 0..n {
        w.bytes(map(at).map(u32::to_le_bytes).as_flattened());
    }
    w.u32(count(n));
    for at in 0..n as u64 {
        w.u64(at * 10).u32(10).u32(20).u8(3);
    }
    w.u32(count(n));
    for at in 0..n as u64 {
        w.u64(at * 10).u64(10);
    }
    w.u32(count(n));
    for at in 0..n {
        w.u32(count(at));
    }
    w.into_bytes()
}

pub(super) fn shaders_in_file(n: usize) -> Vec<u8> {
    loose_shaders(n, |at| [count(at), 1, count(at), 1])
}

/// The first map has all shaders, and the others none.
fn shaders_of_one_map(n: usize) -> Vec<u8> {
    loose_shaders(n, |at| if at == 0 { [0, count(n), 0, count(n)] } else { [0; 4] })
}
