//! Hostile inputs, byte by byte: no writer of ours would make them.

use std::path::{Path, PathBuf};
use uncask::id::PackageId;
use uncask::package::classic::compact;
use uncask::wire::Writer;

const NONE: u32 = u32::MAX;

/// Id, length and first block of a chunk.
pub(crate) struct Chunk {
    pub(crate) id: [u8; 12],
    pub(crate) len: u64,
    pub(crate) first_block: u32,
}

impl Chunk {
    pub(crate) fn new(id: u64, kind: u8, len: u64, first_block: u32) -> Self {
        let [a, b, c, d, e, f, g, h] = id.to_le_bytes();
        Self { id: [a, b, c, d, e, f, g, h, 0, 0, 0, kind], len, first_block }
    }
}

/// A table of contents.
#[derive(Default)]
pub(crate) struct Toc {
    pub(crate) version: u8,
    pub(crate) chunks: Vec<Chunk>,
    /// Offset, stored length, length, method.
    pub(crate) blocks: Vec<(u64, u32, u32, u8)>,
    pub(crate) block_size: u32,
    pub(crate) method: Option<&'static str>,
    pub(crate) seeds: Vec<i32>,
    pub(crate) overflow: Vec<i32>,
    pub(crate) index: Vec<u8>,
}

impl Toc {
    pub(crate) fn new(version: u8) -> Self {
        Self { version, block_size: 1 << 16, ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = |len: usize| u32::try_from(len).unwrap();
        let mut w = Writer::new();
        w.bytes(b"-==--==--==--==-").u8(self.version).bytes(&[0; 3]).u32(144);
        w.u32(count(self.chunks.len())).u32(count(self.blocks.len())).u32(12);
        w.u32(count(self.method.iter().len()))
            .u32(32)
            .u32(self.block_size)
            .u32(count(self.index.len()))
            .u32(1);
        w.u64(0x1234).bytes(&[0; 16]).u8(if self.index.is_empty() { 0 } else { 8 }).bytes(&[0; 3]);
        w.u32(count(self.seeds.len())).u64(u64::MAX).u32(count(self.overflow.len())).bytes(&[0; 44]);
        assert_eq!(w.len(), 144);
        for chunk in &self.chunks {
            w.bytes(&chunk.id);
        }
        for chunk in &self.chunks {
            let offset = u64::from(chunk.first_block) * u64::from(self.block_size);
            w.bytes(&offset.to_be_bytes()[3..]).bytes(&chunk.len.to_be_bytes()[3..]);
        }
        for seed in self.seeds.iter().chain(&self.overflow) {
            w.i32(*seed);
        }
        for (offset, stored, raw, method) in &self.blocks {
            w.bytes(&offset.to_le_bytes()[..5]).bytes(&stored.to_le_bytes()[..3]);
            w.bytes(&raw.to_le_bytes()[..3]).u8(*method);
        }
        if let Some(name) = self.method {
            let mut field = [0; 32];
            field[..name.len()].copy_from_slice(name.as_bytes());
            w.bytes(&field);
        }
        w.bytes(&self.index);
        // No hashes.
        w.bytes(&vec![0; self.chunks.len() * if self.version < 8 { 33 } else { 24 }]);
        w.into_bytes()
    }

    /// Writes the container, and returns its `.utoc`.
    pub(crate) fn write(&self, folder: &Path, data: &[u8]) -> PathBuf {
        let path = folder.join("x.utoc");
        std::fs::write(&path, self.bytes()).unwrap();
        std::fs::write(path.with_extension("ucas"), data).unwrap();
        path
    }
}

/// A directory index with one folder, in which all files have the same name.
pub(crate) fn one_name(name: &str, files: u32) -> Vec<u8> {
    let mut w = Writer::new();
    w.string("../../../").u32(1).u32(NONE).u32(NONE).u32(NONE).u32(if files == 0 { NONE } else { 0 });
    w.u32(files);
    for file in 0..files {
        w.u32(0).u32(if file + 1 < files { file + 1 } else { NONE }).u32(file);
    }
    w.u32(1).string(name);
    w.into_bytes()
}

/// A directory index of one chain of folders, each with a file, all of one name.
pub(crate) fn chain(name: &str, folders: u32) -> Vec<u8> {
    let mut w = Writer::new();
    w.string("../../../").u32(folders + 1).u32(NONE).u32(1).u32(NONE).u32(NONE);
    for folder in 1..=folders {
        w.u32(0).u32(if folder < folders { folder + 1 } else { NONE }).u32(NONE).u32(folder - 1);
    }
    w.u32(folders);
    for file in 0..folders {
        w.u32(0).u32(NONE).u32(file);
    }
    w.u32(1).string(name);
    w.into_bytes()
}

/// Packages in a container without a directory index, by their names.
pub fn packages(folder: &Path, version: u8, packages: &[(String, Vec<u8>)]) -> PathBuf {
    let kind = if version < 4 { 2 } else { 1 };
    let mut toc = Toc::new(version);
    let mut data = Vec::new();
    for (name, package) in packages {
        let first_block = u32::try_from(toc.blocks.len()).unwrap();
        toc.chunks.push(Chunk::new(PackageId::from_name(name).0, kind, package.len() as u64, first_block));
        for block in package.chunks(toc.block_size as usize) {
            let len = u32::try_from(block.len()).unwrap();
            toc.blocks.push((data.len() as u64, len, len, 0));
            data.extend(block);
            data.resize(data.len().next_multiple_of(16), 0);
        }
    }
    toc.write(folder, &data)
}

/// An export of a zen package: name, outer, hash or global index.
pub(crate) fn export(name: u32, outer: Option<u64>, public: u64) -> Vec<u8> {
    let mut w = Writer::new();
    w.u64(0).u64(0).u32(name).u32(0).u64(outer.unwrap_or(u64::MAX));
    w.u64(u64::MAX).u64(u64::MAX).u64(u64::MAX).u64(public).u32(0).u32(0);
    w.into_bytes()
}

/// Names with their lengths, in the form of UE5. Hashes are not looked at.
fn batch(w: &mut Writer, names: &[String]) {
    w.u32(u32::try_from(names.len()).unwrap());
    if names.is_empty() {
        return;
    }
    w.u32(u32::try_from(names.iter().map(String::len).sum::<usize>()).unwrap()).u64(0xC164_0000);
    w.bytes(&vec![0; 8 * names.len()]);
    for name in names {
        w.bytes(&u16::try_from(name.len()).unwrap().to_be_bytes());
    }
    for name in names {
        w.bytes(name.as_bytes());
    }
}

/// A zen package of 5.3 and 5.4.
#[derive(Default)]
pub(crate) struct Zen {
    pub(crate) names: Vec<String>,
    /// Hashes of public exports of other packages.
    pub(crate) hashes: Vec<u64>,
    pub(crate) imports: Vec<u64>,
    pub(crate) exports: Vec<Vec<u8>>,
    pub(crate) packages: Vec<String>,
}

impl Zen {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let at = |w: &Writer| i32::try_from(w.len() + 52).unwrap();
        let mut w = Writer::new();
        batch(&mut w, &self.names);
        let padding = (8 - (w.len() + 52 + 8) % 8) % 8;
        w.u64(padding as u64).bytes(&vec![0; padding]).u64(0);
        let mut places = vec![at(&w)];
        for hash in &self.hashes {
            w.u64(*hash);
        }
        places.push(at(&w));
        for import in &self.imports {
            w.u64(*import);
        }
        places.push(at(&w));
        for export in &self.exports {
            w.bytes(export);
        }
        places.push(at(&w));
        let count = u32::try_from(self.exports.len()).unwrap();
        for command in 0..2 {
            for export in 0..count {
                w.u32(export).u32(command);
            }
        }
        places.push(at(&w));
        for _ in 0..count {
            w.bytes(&[0; 20]);
        }
        places.push(at(&w));
        places.push(at(&w));
        batch(&mut w, &self.packages);
        w.bytes(&vec![0; 4 * self.packages.len()]);
        let len = u32::try_from(at(&w)).unwrap();
        let mut head = Writer::new();
        head.u32(0).u32(len).u32(0).u32(0).u32(0x8000_2200).u32(len);
        for place in &places {
            head.i32(*place);
        }
        assert_eq!(head.len(), 52);
        [head.into_bytes(), w.into_bytes(), b"\xC1\x83\x2A\x9E".to_vec()].concat()
    }
}

/// A zen package of UE4.
pub(crate) fn zen4(names: &[&str], imports: &[u64], exports: &[Vec<u8>], packages: &[u64]) -> Vec<u8> {
    let size = |len: usize| i32::try_from(len).unwrap();
    let mut w = Writer::new();
    w.bytes(&[0; 64]);
    for name in names {
        w.bytes(&u16::try_from(name.len()).unwrap().to_be_bytes()).bytes(name.as_bytes());
    }
    let names_len = w.len() - 64;
    w.bytes(&vec![0; w.len().next_multiple_of(8) - w.len()]);
    let hashes_at = w.len();
    w.u64(0xC164_0000).bytes(&vec![0; 8 * names.len()]);
    let imports_at = w.len();
    for import in imports {
        w.u64(*import);
    }
    let exports_at = w.len();
    for export in exports {
        w.bytes(export);
    }
    let bundles_at = w.len();
    let count = u32::try_from(exports.len()).unwrap();
    w.u32(0).u32(2 * count);
    for command in 0..2 {
        for export in 0..count {
            w.u32(export).u32(command);
        }
    }
    let graph_at = w.len();
    w.i32(size(packages.len()));
    for package in packages {
        w.u64(*package).i32(0);
    }
    let len = w.len();
    let mut head = Writer::new();
    head.u64(0).u64(0).u32(0x8000_0000).i32(size(len)).i32(64).i32(size(names_len));
    head.i32(size(hashes_at)).i32(size(imports_at - hashes_at)).i32(size(imports_at)).i32(size(exports_at));
    head.i32(size(bundles_at)).i32(size(graph_at)).i32(size(len - graph_at)).i32(0);
    assert_eq!(head.len(), 64);
    let mut bytes = w.into_bytes();
    bytes[..64].copy_from_slice(&head.into_bytes());
    bytes.extend([0; 4]);
    bytes
}

/// A classic package of version 69.
#[derive(Default)]
pub(crate) struct Classic {
    pub(crate) names: Vec<String>,
    /// Package of the class, class, name: numbers of names.
    pub(crate) imports: Vec<[i32; 3]>,
    /// Class, group, name, length and start of the data.
    pub(crate) exports: Vec<(i32, i32, i32, usize, usize)>,
    pub(crate) body: Vec<u8>,
}

impl Classic {
    /// With the names and classes of textures.
    pub(crate) fn textures() -> Self {
        let names = ["None", "Texture", "Palette", "Core", "Format", "Class", "T", "bX"];
        Self {
            names: names.map(str::to_owned).to_vec(),
            imports: vec![[3, 5, 1], [3, 5, 2]],
            ..Self::default()
        }
    }

    /// The offset at which the body will start.
    pub(crate) fn body_at(&self) -> usize {
        64 + self.front().len()
    }

    fn front(&self) -> Vec<u8> {
        let mut w = Writer::new();
        for name in &self.names {
            compact::write(&mut w, i32::try_from(name.len() + 1).unwrap());
            w.bytes(name.as_bytes()).u8(0).u32(0);
        }
        for [package, class, name] in &self.imports {
            compact::write(&mut w, *package);
            compact::write(&mut w, *class);
            w.i32(0);
            compact::write(&mut w, *name);
        }
        w.into_bytes()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = |len: usize| u32::try_from(len).unwrap();
        let imports_len: usize = {
            let names = Self { names: self.names.clone(), ..Self::default() };
            self.front().len() - names.front().len()
        };
        let (body_at, exports_at) = (self.body_at(), self.body_at() + self.body.len());
        let mut w = Writer::new();
        w.u32(0x9E2A_83C1).u16(69).u16(0).u32(1).u32(count(self.names.len())).u32(64);
        w.u32(count(self.exports.len())).u32(count(exports_at));
        w.u32(count(self.imports.len())).u32(count(body_at - imports_len));
        w.bytes(&[9; 16]).u32(1).u32(count(self.exports.len())).u32(count(self.names.len()));
        assert_eq!(w.len(), 64);
        w.bytes(&self.front()).bytes(&self.body);
        for (class, group, name, len, at) in &self.exports {
            compact::write(&mut w, *class);
            compact::write(&mut w, 0);
            w.i32(*group);
            compact::write(&mut w, *name);
            w.u32(0x40004);
            compact::write(&mut w, i32::try_from(*len).unwrap());
            if *len > 0 {
                compact::write(&mut w, i32::try_from(body_at + at).unwrap());
            }
        }
        w.into_bytes()
    }
}
