//! What a pak stores of a file: its entry header, then its blocks.

use super::blocks::encrypt;
use super::chunks::read_whole;
use super::files::{Make, open};
use super::options::PackOptions;
use super::scratches::{Lent, Scratches};
use super::walk::LooseFile;
use crate::codec::{self, Method};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::pak::{Block, Entry};
use crate::pipeline::Cpu;
use crate::wire::Writer;
use sha1::{Digest, Sha1};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a block where nothing is compressed: a multiple of what AES takes.
const PIECE_LEN: usize = 64 << 10;

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

impl PakFile {
    /// Its content.
    pub(super) fn open(&self) -> Result<Box<dyn Read + '_>> {
        open(&self.source, self.made.as_deref())
    }
}

/// Makes entries.
pub(super) struct EntryMaker<'a> {
    options: &'a PackOptions,
    cipher: Option<Cipher>,
    scratches: Scratches,
}

/// All that is stored of a file.
pub(super) struct Made {
    /// Positions in it count from the start of its own header.
    pub entry: Entry,
    /// Its header and its blocks.
    pub bytes: Vec<u8>,
}

/// A block as it goes to disk.
pub(super) struct Stored {
    /// Bytes without padding.
    pub len: u64,
    /// With padding; `None` where they are those of the content.
    pub bytes: Option<Vec<u8>>,
}

impl<'a> EntryMaker<'a> {
    pub(super) fn new(options: &'a PackOptions) -> Self {
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, EncryptionMethod::Ecb));
        Self { options, cipher, scratches: Scratches::default() }
    }

    pub(super) const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
    }

    /// What codecs need, for a thread that is going to make entries.
    pub(super) fn scratch(&self) -> Lent<'_> {
        self.scratches.take()
    }

    /// Uncompressed bytes of a block.
    pub(super) const fn block_size(&self, method: Method) -> usize {
        match method {
            Method::None => PIECE_LEN,
            _ => self.options.block_size as usize,
        }
    }

    /// Reads a small file, and makes all that is stored of it: compressed, if that makes it smaller.
    pub(super) fn whole(&self, file: &PakFile, scratch: &mut codec::Scratch) -> Result<Made> {
        let content = read_whole(&mut *file.open()?, file.len).map_err(Error::io("read", &file.source))?;
        check_len(file, content.len() as u64)?;
        if self.options.method != Method::None {
            let made = self.made(&content, self.options.method, &file.source, scratch)?;
            if is_smaller(&made.entry) {
                return Ok(made);
            }
        }
        self.made(&content, Method::None, &file.source, scratch)
    }

    fn made(
        &self,
        content: &[u8],
        method: Method,
        source: &Path,
        scratch: &mut codec::Scratch,
    ) -> Result<Made> {
        let mut building = self.start(content.len() as u64, method, 0);
        let header_len = usize::try_from(building.header_len()).unwrap_or(usize::MAX);
        let mut bytes = Vec::with_capacity(header_len.saturating_add(content.len()));
        bytes.resize(header_len, 0);
        for raw in content.chunks(self.block_size(method)) {
            let stored = self.block(raw, method, source, scratch)?;
            building.add(raw, &stored);
            bytes.extend_from_slice(stored.bytes_or(raw));
        }
        let entry = building.finish();
        let header = header_of(&entry);
        if let Some(place) = bytes.get_mut(..header.len()) {
            place.copy_from_slice(&header);
        }
        Ok(Made { entry, bytes })
    }

    /// Starts the entry of a file whose header is at `offset`.
    pub(super) fn start(&self, raw_len: u64, method: Method, offset: u64) -> Building {
        let block_size = self.block_size(method) as u64;
        let count = if method == Method::None { 0 } else { raw_len.div_ceil(block_size) };
        let header_len = Entry::header_len(usize::try_from(count).unwrap_or(usize::MAX));
        let entry = Entry {
            offset,
            raw_len,
            method: u32::from(method != Method::None),
            block_size: match count {
                0 => 0,
                1 => u32::try_from(raw_len).unwrap_or(u32::MAX),
                _ => self.options.block_size,
            },
            is_encrypted: self.cipher.is_some(),
            ..Entry::default()
        };
        Building { entry, hasher: Sha1::new(), end: offset + header_len }
    }

    /// Compresses and encrypts the blocks of consecutive content on all threads.
    pub(super) fn blocks(
        &self,
        content: &[u8],
        method: Method,
        source: &Path,
        cpu: &Cpu,
    ) -> Result<Vec<Stored>> {
        let one = |scratch: &mut Lent<'_>, raw: &[u8]| self.block(raw, method, source, scratch);
        let blocks = content.chunks(self.block_size(method));
        cpu.map_init(blocks, || self.scratches.take(), one).into_iter().collect()
    }

    fn block(
        &self,
        raw: &[u8],
        method: Method,
        source: &Path,
        scratch: &mut codec::Scratch,
    ) -> Result<Stored> {
        let mut bytes = None;
        if method != Method::None {
            let compressed = bytes.insert(Vec::new());
            codec::compress(method, raw, self.options.level, compressed, scratch)
                .map_err(|error| Error::CannotPack { reason: error.to_string(), path: source.to_owned() })?;
        }
        let plain = bytes.as_deref().unwrap_or(raw);
        let len = plain.len() as u64;
        if let Some(cipher) = &self.cipher {
            bytes = Some(encrypt(cipher, None, plain, source)?.1);
        }
        Ok(Stored { len, bytes })
    }
}

impl Stored {
    /// What goes to disk for a block of this content.
    pub(super) fn bytes_or<'b>(&'b self, raw: &'b [u8]) -> &'b [u8] {
        self.bytes.as_deref().unwrap_or(raw)
    }
}

/// An entry while its blocks are made.
pub(super) struct Building {
    entry: Entry,
    hasher: Sha1,
    /// Where the next block goes.
    end: u64,
}

impl Building {
    /// Bytes of the header: blocks start after it.
    pub(super) const fn header_len(&self) -> u64 {
        self.end - self.entry.offset
    }

    /// Adds a block of some content.
    pub(super) fn add(&mut self, raw: &[u8], stored: &Stored) {
        let bytes = stored.bytes_or(raw);
        let is_compressed = self.entry.method != 0;
        if is_compressed {
            self.entry.blocks.push(Block { offset: self.end, len: stored.len });
        }
        // Padding counts as stored where something is compressed; a file as it is has its own length.
        let counted = if is_compressed { bytes.len() as u64 } else { stored.len };
        self.entry.stored_len += counted;
        self.hasher.update(bytes.get(..usize::try_from(counted).unwrap_or(usize::MAX)).unwrap_or(bytes));
        self.end += bytes.len() as u64;
    }

    pub(super) fn finish(self) -> Entry {
        Entry { hash: Some(self.hasher.finalize().into()), ..self.entry }
    }
}

/// Whether compressing a file was worth it.
pub(super) const fn is_smaller(entry: &Entry) -> bool {
    entry.raw_len > 0 && entry.stored_len < entry.raw_len
}

/// The header that stands in front of the data, with offset 0.
pub(super) fn header_of(entry: &Entry) -> Vec<u8> {
    let mut w = Writer::new();
    let relative = |block: &Block| Block { offset: block.offset - entry.offset, ..*block };
    let blocks = entry.blocks.iter().map(relative).collect();
    Entry { offset: 0, blocks, ..entry.clone() }.write(&mut w);
    w.into_bytes()
}

/// A file has to have the length that was planned with.
pub(super) fn check_len(file: &PakFile, found: u64) -> Result<()> {
    let changed = || std::io::Error::other("the file changed while it was read");
    if found == file.len { Ok(()) } else { Err(Error::io("read", &file.source)(changed())) }
}
