//! Metadata of containers.

use bytes::Bytes;
use std::collections::BTreeMap;
use uncask::codec::Scratch;
use uncask::container::container_header::ContainerHeader;
use uncask::container::script_objects::ScriptObjects;
use uncask::container::shader_library::{LooseShaderLibrary, ShaderLibrary, decompress_group};
use uncask::container::{BlockIndex, DirectoryIndex, Toc};
use uncask::pak::{Footer, Index, Primary, Table};
use uncask::wire::{Fault, Reader};

/// A `.utoc`, and its directory index if it is not encrypted.
pub(super) fn toc(data: &[u8]) {
    let Ok(toc) = Toc::parse(Bytes::copy_from_slice(data)) else { return };
    for chunk in toc.chunks() {
        let id = toc.chunk_id(chunk).expect("an id for every chunk");
        for found in [toc.find(id), toc.find_by_perfect_hash(id)].into_iter().flatten() {
            assert_eq!(toc.chunk_id(found), Some(id), "a lookup finds what it was asked for");
        }
        let (blocks, storage) = (toc.blocks_of(chunk), toc.storage(chunk));
        assert!(blocks.is_ok() || storage.is_none());
        assert!(blocks.is_ok_and(|blocks| blocks.end <= toc.block_count()) || storage.is_none());
        assert!(toc.meta(chunk).is_some());
    }
    assert!(toc.block(BlockIndex(toc.block_count())).is_none());
    assert!(toc.misplaced_chunks().len() <= toc.chunk_count() as usize);
    let _ = (toc.partitions_needed(), toc.notices().len(), toc.encryption_method());
    if let Ok(index) = DirectoryIndex::parse(toc.directory_index_bytes(), toc.chunk_count()) {
        ask_index(&index, toc.chunk_count());
    }
}

/// The number of chunks, then a directory index.
pub(super) fn directory_index(mut data: &[u8]) {
    let chunks = super::number(&mut data) % 100_000;
    let _ = DirectoryIndex::looks_plausible(data);
    if let Ok(index) = DirectoryIndex::parse(Bytes::copy_from_slice(data), chunks) {
        ask_index(&index, chunks);
        if index.problems().is_empty() {
            // All links are sound, so there is one way to read them.
            let links = Links::parse(data).expect("a sound index");
            for (chunk, file) in links.files_by_chunk() {
                let path = links.path(file);
                let found = index.path(uncask::container::ChunkIndex(chunk));
                assert!(found.is_none_or(|found| path.ends_with(&found)), "chunk {chunk}: {path:?}");
            }
        }
    }
}

/// A sound directory index, read by following its links one by one.
struct Links {
    mount_point: String,
    directories: Vec<Vec<u32>>,
    files: Vec<Vec<u32>>,
    names: Vec<String>,
    /// For each directory the one above it; for each file, the one that it is in. None for those that no link leads to.
    above: Vec<Option<u32>>,
    folders: Vec<Option<u32>>,
}

impl Links {
    const NONE: u32 = u32::MAX;

    fn parse(data: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(data);
        let mut mount_point = r.string("mount point")?;
        if !mount_point.is_empty() && !mount_point.ends_with('/') {
            mount_point.push('/');
        }
        let rows = |r: &mut Reader<'_>, columns: usize| -> Result<Vec<Vec<u32>>, Fault> {
            (0..r.u32("count")?).map(|_| (0..columns).map(|_| r.u32("link")).collect()).collect()
        };
        let (directories, files) = (rows(&mut r, 4)?, rows(&mut r, 3)?);
        let names = (0..r.u32("count")?).map(|_| r.string("name")).collect::<Result<_, _>>()?;
        let (above, folders) = (vec![None; directories.len()], vec![None; files.len()]);
        let mut this = Self { mount_point, directories, files, names, above, folders };
        this.walk();
        Ok(this)
    }

    fn walk(&mut self) {
        let mut stack = if self.directories.is_empty() { Vec::new() } else { vec![0_u32] };
        while let Some(at) = stack.pop() {
            let [_, first_child, _, first_file] = self.directories[at as usize][..] else { continue };
            let mut file = first_file;
            while file != Self::NONE {
                self.folders[file as usize] = Some(at);
                file = self.files[file as usize][1];
            }
            let mut child = first_child;
            while child != Self::NONE {
                self.above[child as usize] = Some(at);
                stack.push(child);
                child = self.directories[child as usize][2];
            }
        }
    }

    /// For each chunk the file that comes first in the table.
    fn files_by_chunk(&self) -> BTreeMap<u32, usize> {
        let mut found = BTreeMap::new();
        for file in (0..self.files.len()).filter(|file| self.folders[*file].is_some()) {
            found.entry(self.files[file][2]).or_insert(file);
        }
        found
    }

    fn path(&self, file: usize) -> String {
        let mut names = vec![&self.names[self.files[file][0] as usize]];
        let mut directory = self.folders[file];
        while let Some(at) = directory.filter(|at| *at != 0) {
            names.push(&self.names[self.directories[at as usize][0] as usize]);
            directory = self.above[at as usize];
        }
        let names: Vec<&str> = names.into_iter().rev().map(String::as_str).collect();
        format!("{}{}", self.mount_point, names.join("/"))
    }
}

fn ask_index(index: &DirectoryIndex, chunks: u32) {
    let (mut path, mut found) = (String::new(), 0);
    for chunk in (0..chunks).map(uncask::container::ChunkIndex) {
        path.clear();
        if index.path_into(chunk, &mut path) {
            found += 1;
            assert!(!path.starts_with('/'), "{path:?}");
        }
        // A file may have no path: an empty one, or one that is too long.
        assert!(index.file_of(chunk).is_some() || index.path(chunk).is_none());
        // Paths of a chain of folders grow with the square of its length.
        if found > 2000 {
            break;
        }
    }
    assert!(found <= index.file_count());
}

/// A container header chunk.
pub(super) fn container_header(data: &[u8]) {
    let partial = ContainerHeader::parse_partial(data);
    let header = partial.value;
    if partial.fault.is_none() {
        let written = header.write();
        let again = ContainerHeader::parse(&written).expect("what was written reads");
        assert!(again.write() == written, "what was read is written as it was");
        assert!(again.packages == header.packages && again.redirects == header.redirects);
    }
    for entry in header.packages.iter().take(300) {
        assert!(header.packages.find(entry.id).is_some());
        let _ = header.redirected(entry.id);
    }
    for package in 0..header.packages.ids().len().min(300) {
        let _ = header.soft_references.as_ref().map(|soft| soft.of(package).count());
    }
}

/// A script objects chunk, or the three parts that UE4 has.
pub(super) fn script_objects(data: &[u8]) {
    let mut rest = data;
    let parts = [(); 3].map(|()| super::part(&mut rest));
    for objects in [
        ScriptObjects::parse_partial(data).value,
        ScriptObjects::parse_ue4_partial(data, None).value,
        ScriptObjects::parse_ue4_partial(parts[0], Some((parts[1], parts[2]))).value,
    ] {
        for object in objects.iter().take(500) {
            let path = objects.path(object);
            assert!(path.is_err() || objects.chain(object).is_ok());
            let _ = (objects.path_of(object.index), objects.is_class(object.index));
        }
        let _ = objects.wrong_hashes().count();
    }
    if let Ok(objects) = ScriptObjects::parse(data) {
        let written = objects.write();
        let again = ScriptObjects::parse(&written).expect("what was written reads");
        assert!(again.write() == written && again.len() == objects.len());
    }
}

/// A shader library chunk, or a loose one; then the content of a group.
pub(super) fn shader_library(data: &[u8]) {
    let partial = ShaderLibrary::parse_partial(data);
    let _ = (partial.value.raw_len(), partial.value.stored_len(), partial.value.shaders_of_group(1).len());
    if let Ok(library) = partial.complete() {
        let loose = LooseShaderLibrary::lay_out(&library, |shader| library.shaders[shader].len);
        assert!(loose.code_len() <= library.raw_len());
        let header = loose.header().expect("a header that is smaller than the chunk");
        assert_eq!(LooseShaderLibrary::parse(&header).expect("what was written reads"), loose);
        for group in library.groups.iter().filter(|group| group.raw_len < 1 << 20).take(4) {
            let code = decompress_group(group, data, &mut Scratch::default());
            assert!(code.is_err() || code.is_ok_and(|code| code.len() == group.raw_len as usize));
        }
    }
    if let Ok(library) = LooseShaderLibrary::parse_partial(data).complete() {
        assert!(data.starts_with(&library.header().expect("a header")), "what is read is written back");
    }
}

/// A whole pak, of which everything is read that needs no key.
pub(super) fn pak(data: &[u8]) {
    let tail = &data[data.len().saturating_sub(Footer::MAX_LEN)..];
    let file_len = data.len() as u64;
    let Ok(footer) = Footer::parse(tail, file_len) else { return };
    let part = |offset: u64, len: u64| {
        let (start, len) =
            (usize::try_from(offset).expect("checked"), usize::try_from(len).expect("checked"));
        &data[start..][..len]
    };
    let primary = part(footer.index.offset, footer.index.len);
    let Ok(primary) = Primary::parse(primary, &footer, file_len) else { return };
    let region = primary.directory_index.or(primary.path_hash_index);
    let Ok(index) = Index::new(footer, primary, region.map(|region| part(region.offset, region.len))) else {
        return;
    };
    let mut path = String::new();
    for file in index.files().take(2000) {
        path.clear();
        index.path_into(file, &mut path);
        if let Ok(entry) = index.entry(file) {
            let _ = entry.data_offset(index.footer());
        }
        let _ = index.file(file);
    }
    let table = Table::new(index, file_len);
    for file in table.index().files().take(2000) {
        let count = table.block_count(file);
        for number in [0, count / 2, count.saturating_sub(1), count] {
            let Some(block) = table.block(file, number) else { continue };
            assert!(number < count && block.offset + u64::from(block.stored_len) <= file_len, "{block:?}");
            let _ = table.block_iv(file, number);
        }
        let blocks = (0..count.min(64)).filter_map(|number| table.block(file, number));
        assert!(blocks.map(|block| u64::from(block.raw_len)).sum::<u64>() <= table.raw_len(file));
        let found = table.id(file).and_then(|id| table.find(id));
        assert!(
            found.and_then(|found| table.id(found)) == table.id(file),
            "an id leads to a file that has it"
        );
    }
}
