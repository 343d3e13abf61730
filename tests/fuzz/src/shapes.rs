//! Inputs that are drawn: well-formed, but made to hurt. Long names, the same thing a thousand times, deep chains, targets that
//! all refer to, blocks that grow. Mutation of small files never gets there.

use super::bounds::bounded;
use super::draw::{self, Chunk, Classic, Toc, Zen};
use super::{containers, loose, packages, whole};
use arbitrary::{Arbitrary, Unstructured};
use std::convert::Infallible;
use uncask::id::Guid;
use uncask::pak::{Entry, PakBuilder};
use uncask::wire::Writer;

/// Rows of a table that are drawn at most.
const MOST: usize = 30_000;

/// Upper bound on memory per byte of input.
const PER_BYTE: usize = 16;

/// Upper bound on memory per byte of a converted package: an import of eight bytes becomes a row and names.
const PER_BYTE_CONVERTED: usize = 128;

/// A text of some letters.
#[derive(Debug, Clone, Copy, Arbitrary)]
struct Text {
    len: u16,
    letter: u8,
}

impl Text {
    /// Names have at most 1,023 characters; some are longer.
    fn get(self) -> String {
        char::from(b'a' + self.letter % 26).to_string().repeat(1 + usize::from(self.len) % 1100)
    }
}

/// One thing, repeated.
#[derive(Debug, Arbitrary)]
struct Run<T> {
    count: u16,
    item: T,
}

/// All that some runs say, with numbers.
fn all<T: Copy>(runs: &[Run<T>]) -> impl Iterator<Item = (usize, T)> {
    runs.iter().flat_map(|run| std::iter::repeat_n(run.item, run.count.into())).take(MOST).enumerate()
}

/// A number that follows from that of its row.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Number {
    Same(u32),
    Counted(u32),
    Scattered(u32),
    Before,
}

impl Number {
    fn of(self, row: usize) -> u64 {
        let row = row as u64;
        match self {
            Self::Same(number) => number.into(),
            Self::Counted(start) => u64::from(start) + row,
            Self::Scattered(seed) => (row + u64::from(seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 2,
            Self::Before => row.wrapping_sub(1),
        }
    }

    /// The number as a place in a table.
    fn within(self, row: usize, len: usize) -> u32 {
        u32::try_from(self.of(row) % (len as u64).max(1)).unwrap_or_default()
    }
}

fn drawn<'a, T: Arbitrary<'a>>(data: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(data)).ok()
}

#[derive(Debug, Arbitrary)]
struct ZenShape {
    names: Vec<Run<Text>>,
    hashes: Vec<Run<Number>>,
    /// Kind of object and its number.
    imports: Vec<Run<(u8, Number, Number)>>,
    exports: Vec<Run<ExportShape>>,
    packages: Vec<Run<Text>>,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
struct ExportShape {
    name: Number,
    outer: Option<Number>,
    public: Number,
}

impl ExportShape {
    fn bytes(self, row: usize, names: usize) -> Vec<u8> {
        let outer = self.outer.map(|outer| outer.of(row) & 0xFFFF_FFFF);
        draw::export(self.name.within(row, names), outer, self.public.of(row))
    }
}

impl ZenShape {
    fn exports(&self, names: usize) -> Vec<Vec<u8>> {
        // An export has 72 bytes and more.
        all(&self.exports).take(MOST / 4).map(|(row, export)| export.bytes(row, names)).collect()
    }

    fn texts(runs: &[Run<Text>], start: &str) -> Vec<String> {
        all(runs).take(2000).map(|(row, text)| format!("{start}{}{row}", text.get())).collect()
    }
}

pub(super) fn zen(data: &[u8]) {
    let Some(shape) = drawn::<ZenShape>(data) else { return };
    let names = [vec!["/Game/A".to_owned()], ZenShape::texts(&shape.names, "")].concat();
    let import = |(row, (kind, package, hash)): (usize, (u8, Number, Number))| match kind % 3 {
        0 => u64::MAX,
        1 => 1 << 62 | hash.of(row) >> 2,
        _ => 2 << 62 | (package.of(row) & 0xFFFF) << 32 | hash.of(row) & 0xFFFF,
    };
    let bytes = Zen {
        hashes: all(&shape.hashes).map(|(row, hash)| hash.of(row)).collect(),
        imports: all(&shape.imports).map(import).collect(),
        exports: shape.exports(names.len()),
        packages: ZenShape::texts(&shape.packages, "/Game/"),
        names,
    }
    .bytes();
    bounded(bytes.len(), PER_BYTE_CONVERTED, || packages::zen(&bytes));
}

pub(super) fn zen4(data: &[u8]) {
    let Some(shape) = drawn::<ZenShape>(data) else { return };
    let names = [vec!["/Game/A".to_owned()], ZenShape::texts(&shape.names, "")].concat();
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.len() < 1024).collect();
    let import = |(row, (kind, _, hash)): (usize, (u8, Number, Number))| match kind % 3 {
        0 => u64::MAX,
        kind => u64::from(kind) << 62 | hash.of(row) >> 2,
    };
    let imports: Vec<u64> = all(&shape.imports).map(import).collect();
    let graph: Vec<u64> = all(&shape.hashes).map(|(row, hash)| hash.of(row)).collect();
    let bytes = draw::zen4(&names, &imports, &shape.exports(names.len()), &graph);
    bounded(bytes.len(), PER_BYTE_CONVERTED, || packages::zen(&bytes));
}

/// An export of a drawn package, in few bytes.
type DrawnExport = (i8, Number, Number, u8, u8);

#[derive(Debug, Arbitrary)]
struct ClassicShape {
    names: Vec<Run<Text>>,
    /// Class, group, name, and which part of the body it has.
    exports: Vec<Run<DrawnExport>>,
    body: Vec<Run<[u8; 2]>>,
    image: u16,
}

pub(super) fn classic(data: &[u8]) {
    let Some(shape) = drawn::<ClassicShape>(data) else { return };
    let mut package = Classic::textures();
    package.names.extend(all(&shape.names).take(2000).map(|(_, text)| text.get()));
    let names = package.names.len();
    package.body = all(&shape.body).flat_map(|(_, bytes)| bytes).collect();
    let properties = package.body.len();
    package.body.push(0);
    package.body.extend(vec![7; shape.image.into()]);
    let len = package.body.len();
    let export = |(row, (class, group, name, from, to)): (usize, (i8, Number, Number, u8, u8))| {
        let start = if from % 2 == 0 { 0 } else { properties * usize::from(from) / 256 };
        let end = start + (len - start) * (1 + usize::from(to)) / 256;
        let group = i32::try_from(group.within(row, MOST)).unwrap_or_default();
        let name = i32::try_from(name.within(row, names)).unwrap_or_default();
        (-1 - i32::from(class & 1), group, name, end - start, start)
    };
    package.exports = all(&shape.exports).map(export).collect();
    let bytes = package.bytes();
    bounded(bytes.len(), PER_BYTE, || packages::classic_textures(&bytes));
}

#[derive(Debug, Arbitrary)]
struct PakShape {
    names: Vec<Text>,
    /// Folder, how often it lies in itself, and name.
    files: Vec<Run<(Number, u8, Number)>>,
}

pub(super) fn pak(data: &[u8]) {
    let Some(shape) = drawn::<PakShape>(data) else { return };
    let names: Vec<String> = shape.names.iter().map(|text| text.get()).collect();
    let name =
        |number: Number, row| names.get(number.within(row, names.len()) as usize).map_or("x", String::as_str);
    let path = |(row, (folder, depth, file)): (usize, (Number, u8, Number))| {
        format!("{}{}", format!("{}/", name(folder, row)).repeat(depth.into()), name(file, row))
    };
    let entry = Entry { stored_len: 16, raw_len: 16, ..Entry::default() };
    let mut w = Writer::new();
    entry.write(&mut w);
    let mut bytes = w.into_bytes();
    bytes.extend([0; 16]);
    let mut left = 1 << 20;
    let paths = all(&shape.files).take(4000).map(path).take_while(|path| {
        left -= path.len().min(left);
        left > 0
    });
    let files = paths.map(|path| (path, entry.clone())).collect();
    let mount_point = "../../../".to_owned();
    let builder = PakBuilder { mount_point, files, method: None, key_guid: Guid::default() };
    let index: Result<_, Infallible> = builder.finish(bytes.len() as u64, None);
    bytes.extend(index.expect("nothing is encrypted"));
    bounded(bytes.len(), PER_BYTE, || containers::pak(&bytes));
}

#[derive(Debug, Arbitrary)]
struct StoreShape {
    version: u8,
    /// Id, kind, length and first block.
    chunks: Vec<Run<(Number, u8, Number, Number)>>,
    /// Offset and lengths.
    blocks: Vec<Run<(Number, u16, u32)>>,
    block_size: u32,
    zlib: bool,
    seeds: Vec<Run<i32>>,
    overflow: bool,
    name: Text,
    chain: bool,
}

pub(super) fn store(data: &[u8]) {
    let Some(shape) = drawn::<StoreShape>(data) else { return };
    let mut toc = Toc::new([3, 5, 6, 7, 8][usize::from(shape.version) % 5]);
    toc.block_size = 1 + shape.block_size % 0xFF_FFFF;
    toc.method = shape.zlib.then_some("Zlib");
    let blocks: Vec<_> = all(&shape.blocks).collect();
    toc.blocks = blocks
        .iter()
        .map(|(row, (offset, stored, raw))| {
            (offset.of(*row) & 0xFFFF, (*stored).into(), raw % 0xFF_FFFF, u8::from(shape.zlib))
        })
        .collect();
    let chunk = |(row, (id, kind, len, first)): (usize, (Number, u8, Number, Number))| {
        Chunk::new(id.of(row), kind % 14, len.of(row) & 0xFF_FFFF, first.within(row, blocks.len()))
    };
    toc.chunks = all(&shape.chunks).take(8000).map(chunk).collect();
    let count = toc.chunks.len();
    toc.seeds = all(&shape.seeds).take(count).map(|(_, seed)| seed).collect();
    if shape.overflow {
        toc.overflow = (0..i32::try_from(count).unwrap_or_default()).rev().collect();
    }
    let files = u32::try_from(count).unwrap_or_default();
    let name = format!("{}.uasset", shape.name.get());
    toc.index = if shape.chain { draw::chain(&name, files) } else { draw::one_name(&name, files) };
    let bytes = toc.bytes();
    // The paths of the files that are written count, too.
    let paths = count * name.len().min(255);
    bounded(bytes.len() + paths, PER_BYTE, || {
        containers::toc(&bytes);
        whole::plan(&bytes);
        whole::dry_run(&bytes);
    });
}

#[derive(Debug, Arbitrary)]
struct MappingsShape {
    version: u8,
    names: Vec<Run<Text>>,
    /// Name and base of a struct, and how many properties it has.
    structs: Vec<Run<(Number, Number, u8)>>,
    compressed: bool,
}

pub(super) fn mappings(data: &[u8]) {
    let Some(shape) = drawn::<MappingsShape>(data) else { return };
    let names: Vec<String> =
        all(&shape.names).take(2000).map(|(row, text)| format!("{row}{}", text.get())).collect();
    let version = shape.version % 5;
    let mut w = Writer::new();
    w.u32(u32::try_from(names.len()).unwrap_or_default());
    for name in &names {
        let len = name.len().min(if version >= 2 { 1100 } else { 255 });
        if version >= 2 {
            w.u16(u16::try_from(len).unwrap_or_default());
        } else {
            w.u8(u8::try_from(len).unwrap_or_default());
        }
        w.bytes(&name.as_bytes()[..len]);
    }
    // What is not in proportion shows long before there are 4 MiB of properties.
    let mut left = 4_usize << 20;
    let fits = |row: &(usize, (Number, Number, u8))| {
        left = left.saturating_sub(12 + 10 * usize::from(row.1.2));
        left > 0
    };
    let structs: Vec<_> = all(&shape.structs).take_while(fits).collect();
    w.u32(0).u32(u32::try_from(structs.len()).unwrap_or_default());
    for (row, (name, base, properties)) in structs {
        w.u32(name.within(row, names.len())).u32(base.within(row, names.len()));
        w.u16(u16::from(properties)).u16(u16::from(properties));
        for property in 0..u16::from(properties) {
            w.u16(property).u8(1).u32(name.within(row, names.len())).u8(2);
        }
    }
    let data = w.into_bytes();
    let mut stored = data.clone();
    if shape.compressed {
        stored.clear();
        let scratch = &mut uncask::codec::Scratch::default();
        if uncask::codec::compress(uncask::codec::Method::Zstd, &data, None, &mut stored, scratch).is_err() {
            return;
        }
    }
    let mut file = Writer::new();
    file.u16(0x30C4).u8(version);
    if version >= 1 {
        file.i32(0);
    }
    file.u8(if shape.compressed { 3 } else { 0 });
    let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or_default();
    file.u32(len(&stored)).u32(len(&data)).bytes(&stored);
    let file = file.into_bytes();
    // Data may be twelve times as long as what it is compressed to.
    bounded(file.len(), 12 * PER_BYTE, || loose::mappings(&file));
}
