//! Every parser, about one large file of the shape that is worst for it.

use super::formats::{shaders_in_container, shaders_in_file};
use super::meshes::{raw_mesh, skinned, tracks};
use super::{Allowance, Meter, Scale, count, in_process};
use crate::clips::clip;
use crate::fuzz;
use crate::fuzz::draw::{self, Chunk, Classic, Toc, Zen};
use crate::registry::{Quirks, Registry};
use crate::texts::locres;
use crate::types::Types;
use std::convert::Infallible;
use std::time::Duration;
use uncask::asset::animation::acl::AclClip;
use uncask::container::script_objects::ScriptObjects;
use uncask::crypto::KeyRing;
use uncask::id::Guid;
use uncask::package::{classic, legacy, zen};
use uncask::pak::{Entry, PakBuilder};
use uncask::wire::Writer;

/// Memory allowed for a parser, and for the questions its tests ask.
const PARSED: Allowance = Allowance { floor: 256 << 10, per_byte: 16 };
/// Packages are converted, too: an import has eight bytes, and becomes a row and names.
const CONVERTED: Allowance = Allowance { floor: 256 << 10, per_byte: 128 };
/// Lists of properties and images of old packages are kept for the exports that share them: 8 MiB of each.
const KEPT: Allowance = Allowance { floor: 9 << 20, per_byte: 16 };

/// Three numbers of 8 bits become floats, and a track has lists.
const DECODED: Allowance = Allowance { floor: 256 << 10, per_byte: 16 };

/// A corner of 52 bytes is read, joined with others, and written as a vertex.
const MESH: Allowance = Allowance { floor: 1 << 20, per_byte: 16 };

/// A shape for a parser.
struct Shape {
    name: &'static str,
    /// The first size.
    size: usize,
    make: fn(usize) -> Vec<u8>,
    parse: fn(&[u8]),
    allowed: Allowance,
}

/// Reads an imported mesh, and writes it as glTF.
fn imported(bytes: &[u8]) {
    fuzz::run("asset_source_mesh", bytes);
}

const fn shape(
    name: &'static str,
    size: usize,
    make: fn(usize) -> Vec<u8>,
    parse: fn(&[u8]),
    allowed: Allowance,
) -> Shape {
    Shape { name, size, make, parse, allowed }
}

const SHAPES: [Shape; 36] = [
    shape("toc, one id", 2000, one_id, toc, PARSED),
    shape("toc, all chunks without a perfect hash", 2000, overflow, toc, PARSED),
    shape("directory index, one name", 5000, one_name, directory_index, PARSED),
    shape("directory index, a chain of folders", 5000, chain, directory_index, PARSED),
    shape("container header, one id", 5000, container_header, |b| fuzz::run("container_header", b), PARSED),
    shape("clip of ACL, many keys", 1000, |n| clip(30, 1, n), acl, DECODED),
    shape("clip of ACL, many tracks", 100, |n| clip(n, 1, 50), acl, DECODED),
    shape("clip of ACL, many segments", 100, |n| clip(30, n, 16), acl, DECODED),
    shape("raw mesh, corners that are alike", 4000, |n| raw_mesh(n, true), imported, MESH),
    shape("raw mesh, corners that differ", 4000, |n| raw_mesh(n, false), imported, MESH),
    shape("mesh description, many bones", 4000, skinned, imported, MESH),
    shape("imported tracks of other bones", 250, |n| vec![0; 512 * n], tracks, MESH),
    shape("script objects, a chain of outers", 5000, script_objects, script_paths, PARSED),
    shape("script objects, written", 5000, script_objects, script_objects_written, PARSED),
    shape("name map, one name", 5000, name_map, |b| fuzz::run("name_map", b), PARSED),
    shape("zen, imports of one long package name", 500, long_imports, zen_header, PARSED),
    shape("zen, imports of one long package name, converted", 500, long_imports, zen_package, CONVERTED),
    shape("zen, a chain of exports with long names", 200, outer_chain, zen_header, PARSED),
    shape("zen, a chain of exports, converted", 200, outer_chain, zen_package, CONVERTED),
    shape("zen, written", 500, long_imports, zen_written, PARSED),
    shape("zen of UE4, imports by many packages", 500, ue4_imports, zen_header, PARSED),
    shape("zen of UE4, imports by many packages, converted", 500, ue4_imports, zen_package, CONVERTED),
    shape("legacy, a chain of outers", 500, legacy_chain, legacy_package, PARSED),
    shape("legacy, imports added for every export", 500, legacy_chain, more_imports, CONVERTED),
    shape("classic, a chain of groups", 2000, classic_chain, classic_package, PARSED),
    shape("classic, exports that share a texture", 20, shared_texture, classic_package, KEPT),
    shape("classic, bool properties", 20_000, bools, classic_package, KEPT),
    shape("classic, exports that share properties", 20, shared_properties, classic_package, KEPT),
    shape("pak, one long name", 500, |n| pak(n, true), |b| fuzz::run("pak", b), PARSED),
    shape("pak, many folders", 500, |n| pak(n, false), |b| fuzz::run("pak", b), PARSED),
    shape("asset registry, random", 40, registry, |b| fuzz::run("asset_registry", b), PARSED),
    shape("texts, one long text", 2000, texts, |b| fuzz::run("localization", b), PARSED),
    shape("mappings, one name", 500, mappings, |b| fuzz::run("mappings", b), PARSED),
    shape(
        "shader library in a container",
        1000,
        shaders_in_container,
        |b| fuzz::run("shader_library", b),
        PARSED,
    ),
    shape("shader library in a file", 1000, shaders_in_file, |b| fuzz::run("shader_library", b), PARSED),
    shape("key file, one GUID", 50, keys, key_file, PARSED),
];

#[test]
fn parsers_cost_as_much_as_their_input_is_long() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20);
    for Shape { name, size, make, parse, allowed } in SHAPES {
        scale.measure(name, size, allowed, |n| {
            let bytes = make(n);
            in_process(bytes.len(), || parse(&bytes))
        });
    }
    scale.finish();
}

fn one_name(n: usize) -> Vec<u8> {
    indexed(n, &draw::one_name(&"x".repeat(900), count(n)))
}

fn chain(n: usize) -> Vec<u8> {
    indexed(n, &draw::chain("a", count(n)))
}

fn directory_index(bytes: &[u8]) {
    fuzz::run("directory_index", bytes);
}

fn script_paths(bytes: &[u8]) {
    let objects = ScriptObjects::parse_partial(bytes).value;
    assert!(objects.iter().filter(|object| objects.path(object).is_ok()).count() < objects.iter().count());
    assert!(objects.wrong_hashes().count() > 0);
}

fn script_objects_written(bytes: &[u8]) {
    let objects = ScriptObjects::parse_partial(bytes).complete().unwrap();
    assert_eq!(objects.write(), bytes);
}

fn key_file(bytes: &[u8]) {
    let mut ring = KeyRing::default();
    ring.add_file(bytes).unwrap();
    assert!(ring.candidates(Guid::ZERO).count() > 0);
}

/// The header, what its imports are, and the paths of its exports.
fn zen_header(bytes: &[u8]) {
    let header = zen::Header::parse_partial(bytes).unwrap().value;
    let resolver = zen::Resolver::new(&header, &());
    let imports = resolver.imports().count();
    for (at, export) in header.exports.iter().enumerate() {
        drop((resolver.class_of(export), header.export_path(at), header.expected_hash(at)));
    }
    assert!(imports + header.exports.len() > 0);
}

fn zen_written(bytes: &[u8]) {
    let header = zen::Header::parse(bytes).unwrap();
    let len = usize::try_from(header.header_len).unwrap();
    assert_eq!(header.write().unwrap().len(), len);
}

fn indexed(chunks: usize, index: &[u8]) -> Vec<u8> {
    [&count(chunks).to_le_bytes()[..], index].concat()
}

fn toc(bytes: &[u8]) {
    let toc = uncask::container::Toc::parse(bytes.to_vec().into()).unwrap();
    assert!(toc.chunks().all(|chunk| toc.find(toc.chunk_id(chunk).unwrap()).is_some()));
    assert!(toc.misplaced_chunks().len() <= toc.chunk_count() as usize);
    assert!(toc.chunks().all(|chunk| toc.storage(chunk).is_some()));
}

fn one_id(n: usize) -> Vec<u8> {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|_| Chunk::new(7, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.seeds = vec![0; n.div_ceil(2)];
    toc.bytes()
}

/// All seeds lead to the list of chunks that have no perfect hash, which the engine scans for each of them.
fn overflow(n: usize) -> Vec<u8> {
    let mut toc = Toc::new(8);
    toc.chunks = (0..n).map(|at| Chunk::new(at as u64 + 1, 2, 5, 0)).collect();
    toc.blocks = vec![(0, 5, 5, 0)];
    toc.seeds = vec![-1 - i32::try_from(n).unwrap(); n.div_ceil(2)];
    toc.overflow = (0..i32::try_from(n).unwrap()).rev().collect();
    toc.bytes()
}

fn container_header(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.bytes(b"nCoI").u32(3).u64(1).u32(count(n));
    for _ in 0..n {
        w.u64(7);
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

/// Objects in one another: each has a path that is one name longer.
fn script_objects(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(1).u32(8).u64(0xC164_0000).u64(0).bytes(&8_u16.to_be_bytes()).bytes(b"AAAAAAAA").u32(count(n));
    for at in 0..n as u64 {
        let outer = if at == 0 { u64::MAX } else { 1 << 62 | (at - 1) };
        w.u32(0).u32(0).u64(1 << 62 | at).u64(outer).u64(u64::MAX);
    }
    w.into_bytes()
}

fn name_map(n: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(count(n)).u32(count(n)).u64(0xC164_0000).bytes(&vec![0; 8 * n]);
    for _ in 0..n {
        w.bytes(&[0, 1]);
    }
    w.bytes(&vec![b'A'; n]);
    w.into_bytes()
}

fn zen_package(bytes: &[u8]) {
    zen_header(bytes);
    fuzz::run("zen", bytes);
}

fn long_imports(n: usize) -> Vec<u8> {
    let package = format!("/Game/{}", "x".repeat(1000));
    Zen {
        names: vec!["/Game/A".to_owned(), "Obj".to_owned()],
        hashes: vec![1],
        imports: vec![2 << 62; n],
        exports: vec![draw::export(1, None, 0)],
        packages: vec![package],
    }
    .bytes()
}

fn outer_chain(n: usize) -> Vec<u8> {
    let chain = (0..60).map(|at: u64| draw::export(1, at.checked_sub(1), 0));
    let below = (0..n as u64).map(|at| draw::export(1, Some(59), at + 1));
    Zen {
        names: vec!["/Game/A".to_owned(), "n".repeat(1000)],
        exports: chain.chain(below).collect(),
        ..Zen::default()
    }
    .bytes()
}

fn ue4_imports(n: usize) -> Vec<u8> {
    let imports: Vec<u64> = (0..n as u64).map(|at| 2 << 62 | (at * 7919 + 1)).collect();
    let packages: Vec<u64> = (0..n as u64).map(|at| at * 104_729 + 5).collect();
    draw::zen4(&["/Game/A", "Obj"], &imports, &[draw::export(1, None, 0)], &packages)
}

/// The legacy form of the zen packages, which has the same chains.
fn legacy_chain(n: usize) -> Vec<u8> {
    use uncask::package::convert::{Converted, Evidence, Input, Target, convert};
    let exports = (0..n as u64).map(|at| draw::export(1, at.min(40).checked_sub(1), 0)).collect();
    let names = vec!["/Game/A".to_owned(), "n".repeat(60)];
    let chunk = Zen { names, exports, ..Zen::default() }.bytes();
    let header = zen::Header::parse_partial(&chunk).unwrap().value;
    let input = Input { header: &header, chunk: &chunk, file_stem: None, evidence: Evidence::default() };
    convert(&input, &(), &Target::default()).and_then(Converted::write).unwrap().header
}

fn legacy_package(bytes: &[u8]) {
    let package = legacy::Package::parse_partial(bytes, None).unwrap().value;
    let paths = (0..).zip(&package.exports).map(|(at, _)| package.export_path(at));
    assert_eq!(paths.count(), package.exports.len());
    fuzz::run("legacy", bytes);
}

/// An import for each export, which waits for it.
fn more_imports(bytes: &[u8]) {
    use uncask::package::rebuild::{Changes, LegacyFiles, NewImport, NewImportObject, rebuild_legacy};
    let package = legacy::Package::parse(bytes).unwrap();
    let count = package.exports.len();
    let import = |at: usize| NewImport {
        package: format!("/Game/Meshes/Mesh{at}_M"),
        objects: vec![NewImportObject {
            name: format!("Mesh{at}_M"),
            class_package: "/Script/Engine".to_owned(),
            class: "StaticMesh".to_owned(),
        }],
    };
    let first = u32::try_from(package.imports.len()).unwrap();
    let awaited = (0..count).zip((first + 1..).step_by(2)).collect();
    let changes = Changes { imports: (0..count).map(import).collect(), awaited, ..Changes::default() };
    let files = LegacyFiles { header: bytes.into(), exports: Some(Vec::new().into()) };
    let files = rebuild_legacy(&package, &files, &changes).unwrap();
    let new = legacy::Package::parse(&files.header).unwrap();
    assert_eq!(new.imports.len(), package.imports.len() + 2 * count);
    assert_eq!(new.preload_dependencies.len(), package.preload_dependencies.len() + count);
}

fn classic_package(bytes: &[u8]) {
    let package = classic::Package::parse(bytes).unwrap();
    let content = package.content(bytes).unwrap();
    for (at, export) in (1..).zip(&package.exports) {
        drop((package.path(classic::ObjectIndex(at)), package.class_of(export)));
    }
    assert!(package.textures(&content).count() <= package.exports.len());
}

fn classic_chain(n: usize) -> Vec<u8> {
    let mut package = Classic::textures();
    package.names.push("n".repeat(900));
    package.exports = (0..i32::try_from(n).unwrap()).map(|at| (-1, at.min(15), 8, 0, 0)).collect();
    package.bytes()
}

/// A texture that as many exports have as it has kilobytes.
fn shared_texture(n: usize) -> Vec<u8> {
    let mut package = Classic::textures();
    let image = vec![7; n << 10];
    let mut w = Writer::new();
    // Format and Palette, then one mip.
    w.bytes(&[4, 1, 9, 0]).bytes(&[1]);
    let mut len = Writer::new();
    classic::compact::write(&mut len, i32::try_from(image.len()).unwrap());
    let len = len.into_bytes();
    w.u32(count(package.body_at() + w.len() + 4 + len.len() + image.len())).bytes(&len).bytes(&image);
    w.u32(1 << 10).u32(count(n)).u8(0).u8(0);
    package.body = w.into_bytes();
    package.exports = vec![(-1, 0, 6, package.body.len(), 0); n];
    package.bytes()
}

/// Two bytes each in the file.
fn bools(n: usize) -> Vec<u8> {
    let mut package = Classic::textures();
    package.body = [&[7, 0x83].repeat(n)[..], &[0]].concat();
    package.exports = vec![(-1, 0, 6, package.body.len(), 0)];
    package.bytes()
}

fn shared_properties(n: usize) -> Vec<u8> {
    let mut package = Classic::textures();
    package.body = [&[7, 0x83].repeat(n * 100)[..], &[0]].concat();
    package.exports = vec![(-1, 0, 6, package.body.len(), 0); n];
    package.bytes()
}

fn pak(n: usize, flat: bool) -> Vec<u8> {
    let entry = Entry { stored_len: 16, raw_len: 16, ..Entry::default() };
    let mut data = Writer::new();
    entry.write(&mut data);
    let mut bytes = data.into_bytes();
    bytes.extend([0; 16]);
    let path = |file: usize| {
        if flat { "x".repeat(900) } else { format!("{file}/{}x", "a/".repeat(file % 100)) }
    };
    let files = (0..n).map(|file| (path(file), entry.clone())).collect();
    let builder =
        PakBuilder { mount_point: "../../../".to_owned(), files, method: None, key_guid: Guid::default() };
    let index: Result<_, Infallible> = builder.finish(bytes.len() as u64, None);
    bytes.extend(index.unwrap());
    bytes
}

fn registry(n: usize) -> Vec<u8> {
    let mut registry = Registry::random(17, 1);
    registry.assets =
        registry.assets.iter().cloned().cycle().take(n * registry.assets.len().max(1)).collect();
    registry.write(Quirks::default())
}

fn texts(n: usize) -> Vec<u8> {
    let text = "x".repeat(n);
    let keys: Vec<String> = (0..n).map(|number| format!("{number:x}")).collect();
    let entries: Vec<(&str, u32, &str)> = keys.iter().map(|key| (key.as_str(), 1, text.as_str())).collect();
    locres(1, &[("", &entries)])
}

fn mappings(n: usize) -> Vec<u8> {
    let mut types = Types::demo(3);
    types.structs = types.structs.iter().cloned().cycle().take(n).collect();
    types.file()
}

fn keys(n: usize) -> Vec<u8> {
    let line = |at: usize| format!("\"{}\": \"0x{:064x}\"", Guid::ZERO, at + 1);
    let lines: Vec<String> = (0..n).map(line).collect();
    format!("{{{}}}", lines.join(",\n")).into_bytes()
}

fn acl(bytes: &[u8]) {
    let clip = AclClip::parse(bytes).unwrap();
    let tracks = clip.decode();
    assert!(tracks.iter().all(|track| track.translation.values.len() as u64 == clip.keys()));
}
