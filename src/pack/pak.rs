//! Makes paks, of version 11: what mods and round trips need.
//!
//! ```text
//! per file   entry header │ blocks, encrypted ones padded to 16 bytes
//! end        index, path hashes, directories, footer          (pak::PakBuilder)
//! ```
//!
//! A file that compression does not make smaller is stored as it is, as the engine's own tool does.

use super::ahead::{self, Groups, ahead, stop_if_cancelled};
use super::blocks::encrypt;
use super::data::{create, finish};
use super::objections::Objections;
use super::options::PackOptions;
use super::packages::object_to_zen;
use super::packed::Packed;
use super::pak_entry::{EntryMaker, Made, PakFile, Stored, check_len, header_of, is_smaller};
use super::scratches::Lent;
use super::staging::{self, Staged};
use super::target::{make_folder, object_to_existing};
use super::walk::{all_files, leave_out_sidecars};
use crate::codec::Method;
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::Guid;
use crate::pak::{Entry, PakBuilder};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer, Silent};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a large file that are worked on at a time, by all threads together.
const GROUP_LEN: usize = 4 << 20;

/// Packs the files of a folder into a pak. It appears whole, at the end. Of the options, those count that a pak can have.
pub fn pack_pak(
    folder: &Path,
    pak: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    let mut objections = Objections::default();
    let (mut files, skipped) = all_files(folder, &options.mount_point)?;
    leave_out_sidecars(&mut files, &mut objections);
    if files.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    object_to_existing(&existing(pak), &mut objections)?;
    object_to_zen(files.iter().map(|file| file.source.as_path()), &mut objections);
    let warnings = objections.settle(options.force)?;
    make_folder(pak)?;
    let raw_bytes = files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let chunks = files.len() as u64;
    let mut writer = PakWriter::new(pak, options, cpu)?;
    let files: Vec<PakFile> = files.into_iter().map(PakFile::from).collect();
    writer.add_all(&files, observer)?;
    let (stored_bytes, staged) = writer.finish()?;
    staging::publish(&[staged], &if options.force { existing(pak) } else { Vec::new() })?;
    remove_leftovers(pak);
    Ok(Packed { chunks, raw_bytes, stored_bytes, partitions: 1, skipped, warnings })
}

/// Removes what runs that were killed have left of a pak.
pub(super) fn remove_leftovers(pak: &Path) {
    staging::remove_leftovers(pak, |name| name.file_name() == pak.file_name());
}

/// Writes a pak with some files, or with none, beside the one that it is going to be. The engine mounts no container without one.
pub(super) fn write_pak(
    pak: &Path,
    files: &[PakFile],
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Staged> {
    let mut writer = PakWriter::new(pak, options, cpu)?;
    writer.add_all(files, observer)?;
    writer.finish().map(|(_, staged)| staged)
}

/// A pak on its way to its final name. Dropping it without [`finish`](Self::finish) removes it.
struct PakWriter<'a> {
    path: &'a Path,
    file: BufWriter<Staged>,
    position: u64,
    options: &'a PackOptions,
    cpu: &'a Cpu,
    maker: EntryMaker<'a>,
    groups: Groups,
    entries: Vec<(String, Entry)>,
}

impl<'a> PakWriter<'a> {
    fn new(path: &'a Path, options: &'a PackOptions, cpu: &'a Cpu) -> Result<Self> {
        remove_leftovers(path);
        Ok(Self {
            path,
            file: create(path)?,
            position: 0,
            options,
            cpu,
            maker: EntryMaker::new(options),
            groups: Groups::default(),
            entries: Vec::new(),
        })
    }

    /// Adds files until somebody wants it to end: small ones many at a time, a thread for each, large ones by themselves.
    fn add_all(&mut self, mut files: &[PakFile], observer: &dyn Observer) -> Result<()> {
        let len = |file: &PakFile| file.len;
        while let [first, rest @ ..] = files {
            let count = ahead::count_small(files, len);
            if count > 0 {
                let (small, rest) = files.split_at(count);
                self.add_small(small, observer)?;
                files = rest;
            } else {
                stop_if_cancelled(observer)?;
                self.add_large(first)?;
                observer.on(&Event::Advanced { chunks: 1, raw_bytes: first.len });
                files = rest;
            }
        }
        Ok(())
    }

    fn add_small(&mut self, files: &[PakFile], observer: &dyn Observer) -> Result<()> {
        let Self { maker, file: out, position, path, entries, .. } = self;
        let take = |file: &PakFile, made: Result<Made>| {
            stop_if_cancelled(observer)?;
            let Made { mut entry, bytes } = made?;
            out.write_all(&bytes).map_err(Error::io("write", *path))?;
            entry.offset = *position;
            entry.blocks.iter_mut().for_each(|block| block.offset += *position);
            *position += bytes.len() as u64;
            entries.push((file.path.clone(), entry));
            observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
            Ok(())
        };
        let make = |scratch: &mut Lent<'_>, file| maker.whole(file, scratch);
        ahead(self.cpu, ahead::batches(files, |file| file.len), || maker.scratch(), make, take)
    }

    /// Adds a large file: compressed, if that makes it smaller.
    fn add_large(&mut self, file: &PakFile) -> Result<()> {
        let start = self.position;
        let mut entry = None;
        if self.options.method != Method::None {
            entry = Some(self.store(file, self.options.method)?).filter(is_smaller);
        }
        let entry = match entry {
            Some(entry) => entry,
            None => {
                self.position = start;
                self.store(file, Method::None)?
            }
        };
        self.entries.push((file.path.clone(), entry));
        Ok(())
    }

    /// Writes header and data of a large file from the current position on.
    fn store(&mut self, file: &PakFile, method: Method) -> Result<Entry> {
        let mut building = self.maker.start(file.len, method, self.position);
        self.position += building.header_len();
        self.seek(self.position)?;
        let Self { maker, file: out, position, path, groups, cpu, .. } = self;
        let block_size = maker.block_size(method);
        let make = |content: &[u8]| {
            let blocks = maker.blocks(content, method, &file.source, cpu)?;
            content.chunks(block_size).zip(&blocks).for_each(|(raw, stored)| building.add(raw, stored));
            Ok(blocks)
        };
        let take = |content: &[u8], blocks: Vec<Stored>| {
            for (raw, stored) in content.chunks(block_size).zip(&blocks) {
                let bytes = stored.bytes_or(raw);
                out.write_all(bytes).map_err(Error::io("write", *path))?;
                *position += bytes.len() as u64;
            }
            Ok(())
        };
        let mut input = file.open()?.take(file.len + 1);
        let group_len = (GROUP_LEN / block_size).max(1) * block_size;
        let found = groups.read(cpu, group_len, (&mut input, &file.source), make, take)?;
        check_len(file, found)?;
        let entry = building.finish();
        // The header can only be written when the data is known.
        self.seek(entry.offset)?;
        self.file.write_all(&header_of(&entry)).map_err(Error::io("write", self.path))?;
        self.seek(self.position)?;
        Ok(entry)
    }

    fn seek(&mut self, position: u64) -> Result<()> {
        self.file.seek(SeekFrom::Start(position)).map(drop).map_err(Error::io("write", self.path))
    }

    /// Writes the index. Returns the length of the pak in bytes, and the file.
    fn finish(mut self) -> Result<(u64, Staged)> {
        let mut mount_point = self.options.mount_point.clone();
        if !mount_point.ends_with('/') {
            mount_point.push('/');
        }
        let compressed = self.entries.iter().any(|(_, entry)| entry.method != 0);
        let builder = PakBuilder {
            mount_point,
            files: std::mem::take(&mut self.entries),
            method: compressed.then(|| self.options.method.name().to_owned()),
            key_guid: self.options.key.as_ref().map_or(Guid::ZERO, |(guid, _)| *guid),
        };
        let path = self.path;
        let seal =
            |cipher: &Cipher, plain: &[u8]| encrypt(cipher, None, plain, path).map(|(_, secret)| secret);
        let end = match self.maker.cipher() {
            None => builder.finish(self.position, None)?,
            Some(cipher) => builder.finish(self.position, Some(&|plain: &[u8]| seal(cipher, plain)))?,
        };
        self.seek(self.position)?;
        self.file.write_all(&end).map_err(Error::io("write", self.path))?;
        // A file that was tried compressed first may have left more after it.
        let len = self.position + end.len() as u64;
        self.file.flush().map_err(Error::io("write", self.path))?;
        let staged = finish(self.file)?;
        staged.file().set_len(len).map_err(Error::io("write", self.path))?;
        Ok((len, staged))
    }
}

/// The pak, if it is there.
pub(super) fn existing(pak: &Path) -> Vec<PathBuf> {
    Some(pak.to_owned()).filter(|pak| pak.symlink_metadata().is_ok()).into_iter().collect()
}

/// Writes an empty `.pak` for a container, unless there is one already. Its key is that of the container: the engine decrypts the
/// container with the key that the `.pak` names.
pub(super) fn write_companion(toc: &Path, options: &PackOptions, cpu: &Cpu) -> Result<Option<Staged>> {
    let pak = toc.with_extension("pak");
    let options = PackOptions { key: options.key.clone(), ..PackOptions::default() };
    existing(&pak).is_empty().then(|| write_pak(&pak, &[], &options, cpu, &Silent)).transpose()
}
