//! Makes paks, of version 11: what mods and round trips need.
//!
//! ```text
//! per file   entry header │ blocks, encrypted ones padded to 16 bytes
//! end        index, path hashes, directories, footer          (pak::PakBuilder)
//! ```
//!
//! A file that compression does not make smaller is stored as it is, as the engine's own tool does.

use super::blocks::{encrypt, read_full};
use super::data::{create, finish};
use super::files::{Make, open};
use super::objections::Objections;
use super::options::PackOptions;
use super::packages::object_to_zen;
use super::packed::Packed;
use super::scratches::{Lent, Scratches};
use super::staging::{self, Staged};
use super::target::{make_folder, object_to_existing};
use super::walk::{LooseFile, all_files, leave_out_sidecars};
use crate::codec::{self, Method};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::Guid;
use crate::pak::{Block, Entry, PakBuilder};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer, Silent};
use crate::wire::Writer;
use sha1::{Digest, Sha1};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a block where nothing is compressed: a multiple of what AES takes.
const PIECE_LEN: usize = 64 << 10;
/// Bytes of a file that are compressed at a time, by all threads together.
const GROUP_LEN: usize = 8 << 20;

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
    Ok(Packed { chunks, raw_bytes, stored_bytes, partitions: 1, skipped, warnings })
}

/// A file that goes into a pak.
pub(super) struct PakFile {
    /// Where it lies.
    pub source: PathBuf,
    /// Its path below the mount point.
    pub path: String,
    /// Length in bytes when it was found.
    pub len: u64,
    /// What holds its content, if that is no file of its own.
    pub made: Option<Arc<dyn Make>>,
}

impl From<LooseFile> for PakFile {
    fn from(file: LooseFile) -> Self {
        Self { source: file.source, path: file.path, len: file.len, made: None }
    }
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
    cipher: Option<Cipher>,
    scratches: Scratches,
    entries: Vec<(String, Entry)>,
}

impl<'a> PakWriter<'a> {
    fn new(path: &'a Path, options: &'a PackOptions, cpu: &'a Cpu) -> Result<Self> {
        staging::remove_leftovers(path, |name| name.file_name() == path.file_name());
        let file = create(path)?;
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, EncryptionMethod::Ecb));
        Ok(Self {
            path,
            file,
            position: 0,
            options,
            cpu,
            cipher,
            scratches: Scratches::default(),
            entries: Vec::new(),
        })
    }

    /// Adds files until somebody wants it to end.
    fn add_all(&mut self, files: &[PakFile], observer: &dyn Observer) -> Result<()> {
        for file in files {
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.add(file)?;
            observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
        }
        Ok(())
    }

    /// Adds a file: compressed, if that makes it smaller.
    fn add(&mut self, file: &PakFile) -> Result<()> {
        let start = self.position;
        let mut entry = None;
        if self.options.method != Method::None {
            let packed = self.store(file, self.options.method)?;
            entry = Some(packed).filter(|entry| entry.raw_len > 0 && entry.stored_len < entry.raw_len);
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

    /// Writes header and data of a file from the current position on.
    fn store(&mut self, file: &PakFile, method: Method) -> Result<Entry> {
        let (source, raw_len) = (file.source.as_path(), file.len);
        let mut input = open(source, file.made.as_deref())?;
        let block_size = if method == Method::None { PIECE_LEN } else { self.options.block_size as usize };
        let count = if method == Method::None { 0 } else { raw_len.div_ceil(block_size as u64) };
        let mut entry = Entry {
            offset: self.position,
            method: u32::from(method != Method::None),
            block_size: match count {
                0 => 0,
                1 => u32::try_from(raw_len).unwrap_or(u32::MAX),
                _ => self.options.block_size,
            },
            is_encrypted: self.cipher.is_some(),
            ..Entry::default()
        };
        let header_len = Entry::header_len(usize::try_from(count).unwrap_or(usize::MAX));
        self.position += header_len;
        self.seek(self.position)?;
        let mut hasher = Sha1::new();
        let group_len = (GROUP_LEN / block_size).max(1) * block_size;
        let mut group = vec![0; group_len.min(usize::try_from(raw_len).unwrap_or(usize::MAX)).max(1)];
        loop {
            let filled = read_full(&mut input, &mut group).map_err(Error::io("read", source))?;
            let content = group.get(..filled).unwrap_or_default();
            if content.is_empty() {
                break;
            }
            entry.raw_len += filled as u64;
            let last = entry.raw_len == raw_len;
            for (len, stored) in self.blocks(content, block_size, method, source)? {
                if method != Method::None {
                    entry.blocks.push(Block { offset: self.position, len });
                }
                // Padding counts as stored where something is compressed; a file as it is has its own length.
                let counted = if method == Method::None { len } else { stored.len() as u64 };
                entry.stored_len += counted;
                hasher
                    .update(stored.get(..usize::try_from(counted).unwrap_or(usize::MAX)).unwrap_or(&stored));
                self.file.write_all(&stored).map_err(Error::io("write", self.path))?;
                self.position += stored.len() as u64;
            }
            if last {
                break;
            }
        }
        if entry.raw_len != raw_len {
            let changed = std::io::Error::other("the file changed while it was read");
            return Err(Error::io("read", source)(changed));
        }
        entry.hash = Some(hasher.finalize().into());
        self.write_header(&entry)?;
        Ok(entry)
    }

    /// The header stands in front of the data, with offset 0, and can only be written when that is known.
    fn write_header(&mut self, entry: &Entry) -> Result<()> {
        let mut w = Writer::new();
        let relative = |block: &Block| Block { offset: block.offset - entry.offset, ..*block };
        Entry { offset: 0, blocks: entry.blocks.iter().map(relative).collect(), ..entry.clone() }
            .write(&mut w);
        self.seek(entry.offset)?;
        self.file.write_all(&w.into_bytes()).map_err(Error::io("write", self.path))?;
        self.seek(self.position)
    }

    /// Compresses and encrypts consecutive blocks on all threads; their lengths without padding, and their bytes with it.
    fn blocks(
        &self,
        content: &[u8],
        block_size: usize,
        method: Method,
        source: &Path,
    ) -> Result<Vec<(u64, Vec<u8>)>> {
        let one = |scratch: &mut Lent<'_>, raw: &[u8]| {
            let mut bytes = Vec::new();
            if method == Method::None {
                bytes.extend_from_slice(raw);
            } else {
                codec::compress(method, raw, self.options.level, &mut bytes, scratch).map_err(|error| {
                    Error::CannotPack { reason: error.to_string(), path: source.to_owned() }
                })?;
            }
            let len = bytes.len() as u64;
            if let Some(cipher) = &self.cipher {
                bytes = encrypt(cipher, None, &bytes, source)?.1;
            }
            Ok((len, bytes))
        };
        let blocks = content.chunks(block_size);
        let stored = self.cpu.map_init(blocks, || self.scratches.take(), one);
        stored.into_iter().collect()
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
        let end = match &self.cipher {
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
