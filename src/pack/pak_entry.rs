//! What a pak stores of a file: its entry header, then its blocks.

use super::blocks::encrypt;
use super::input::{Input, Make};
use super::options::PackOptions;
use super::pak_building::{Building, Stored, header_of, is_smaller};
use super::parts::{self, Part, Piece, read_piece, read_whole};
use super::scratches::{Lent, Spare, Work};
use super::walk::LooseFile;
use crate::codec::{self, Method};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::ChunkHash;
use crate::pak::Entry;
use crate::pipeline::Cpu;
use crate::source::Buffer;
use crate::version::ChunkHashKind;
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

impl Input for PakFile {
    fn source(&self) -> &Path {
        &self.source
    }

    fn raw_len(&self) -> u64 {
        self.len
    }

    fn made(&self) -> Option<&dyn Make> {
        self.made.as_deref()
    }
}

/// Makes entries.
pub(super) struct EntryMaker<'a> {
    options: &'a PackOptions,
    cipher: Option<Cipher>,
    work: Spare<Work>,
    made: Spare<Made>,
}

/// All that is stored of small files, or of a piece of a large one.
#[derive(Default)]
pub(super) struct Made {
    /// Headers and blocks, unless the blocks are the content itself.
    bytes: Vec<u8>,
    /// Of small files. Positions in them count from the start of the bytes.
    pub entries: Vec<Entry>,
    /// Of a piece.
    pub blocks: Vec<Stored>,
    /// The content of a piece that goes to disk as it is.
    content: Buffer,
    is_stored: bool,
    /// The hash of a large file, with its last piece.
    pub hash: Option<ChunkHash>,
}

impl<'a> EntryMaker<'a> {
    pub(super) fn new(options: &'a PackOptions) -> Self {
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, EncryptionMethod::Ecb));
        Self { options, cipher, work: Spare::default(), made: Spare::default() }
    }

    pub(super) const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
    }

    /// What a thread works with that is going to make entries.
    pub(super) fn work(&self) -> Lent<'_, Work> {
        self.work.lend()
    }

    /// Takes back what was made once it is written.
    pub(super) fn reuse(&self, made: Made) {
        self.made.put(made);
    }

    /// Uncompressed bytes of a block.
    pub(super) const fn block_size(&self, method: Method) -> usize {
        match method {
            Method::None => PIECE_LEN,
            _ => self.options.block_size as usize,
        }
    }

    /// Cuts files into the work of one thread each.
    pub(super) fn cut<'f>(&self, files: &'f [PakFile]) -> Vec<Part<'f, PakFile>> {
        let piece_len = parts::piece_len(self.block_size(self.options.method) as u64);
        parts::cut(files, piece_len, Some(ChunkHashKind::Sha1))
    }

    /// Reads a part and makes what is stored of it. Small files are compressed, if that makes them smaller.
    pub(super) fn make(&self, part: &Part<'_, PakFile>, work: &mut Work) -> Result<Made> {
        let mut made = self.made.take();
        made.clear();
        match part {
            Part::Files(files) => {
                files.iter().try_for_each(|file| self.add_file(file, work, &mut made))?;
            }
            Part::Piece(piece) => self.fill(piece, work, &mut made)?,
        }
        Ok(made)
    }

    fn add_file(&self, file: &PakFile, work: &mut Work, made: &mut Made) -> Result<()> {
        let mut content = std::mem::take(&mut work.content);
        let read = read_whole(file, &mut content);
        let added = read.and_then(|()| self.smallest(&content, &file.source, work, &mut made.bytes));
        work.content = content;
        made.entries.push(added?);
        Ok(())
    }

    fn smallest(&self, content: &[u8], source: &Path, work: &mut Work, out: &mut Vec<u8>) -> Result<Entry> {
        let start = out.len();
        if self.options.method != Method::None {
            let entry = self.append(content, self.options.method, source, work, out)?;
            if is_smaller(&entry) {
                return Ok(entry);
            }
            out.truncate(start);
        }
        self.append(content, Method::None, source, work, out)
    }

    /// Appends a file with its header.
    fn append(
        &self,
        content: &[u8],
        method: Method,
        source: &Path,
        work: &mut Work,
        out: &mut Vec<u8>,
    ) -> Result<Entry> {
        let start = out.len();
        let mut building = self.start(content.len() as u64, method, start as u64);
        let header_len = usize::try_from(building.header_len()).unwrap_or(usize::MAX);
        out.resize(start.saturating_add(header_len), 0);
        for stored in self.blocks(content, method, source, work, out)? {
            building.add(stored);
        }
        let hashed = usize::try_from(building.stored_len()).unwrap_or(usize::MAX);
        let data = out.get(start + header_len..).and_then(|data| data.get(..hashed)).unwrap_or_default();
        let entry = building.finish(ChunkHash::of(ChunkHashKind::Sha1, data));
        let header = header_of(&entry);
        if let Some(place) = out.get_mut(start..start + header.len()) {
            place.copy_from_slice(&header);
        }
        Ok(entry)
    }

    /// Makes the blocks of a piece: compressed ones, even if that makes them no smaller.
    fn fill(&self, piece: &Piece<'_, PakFile>, work: &mut Work, made: &mut Made) -> Result<()> {
        let turn = piece.hasher.as_ref().map(|hasher| hasher.turn(piece.offset..piece.offset + piece.len));
        let mut content = std::mem::take(&mut work.content);
        read_piece(piece, &mut content)?;
        let (method, source) = (self.options.method, &piece.file.source);
        made.is_stored = method == Method::None && self.cipher.is_none();
        if made.is_stored {
            let whole = |raw: &[u8]| Stored { len: raw.len() as u64, padded_len: raw.len() as u64 };
            made.blocks.extend(content.chunks(self.block_size(method)).map(whole));
            work.content = std::mem::replace(&mut made.content, content);
        } else {
            made.blocks = self.blocks(&content, method, source, work, &mut made.bytes)?;
            work.content = content;
        }
        if let Some(turn) = turn {
            turn.update([made.counted(method)]);
            made.hash = piece.is_last.then(|| turn.hash());
        }
        Ok(())
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
        Building::new(entry, header_len)
    }

    /// Compresses and encrypts the blocks of consecutive content on all threads.
    pub(super) fn blocks_by(
        &self,
        content: &[u8],
        method: Method,
        source: &Path,
        cpu: &Cpu,
    ) -> Result<Vec<Made>> {
        let one = |work: &mut Lent<'_, Work>, raw: &[u8]| {
            let mut made = self.made.take();
            made.clear();
            made.blocks = self.blocks(raw, method, source, work, &mut made.bytes)?;
            Ok(made)
        };
        let blocks = content.chunks(self.block_size(method));
        cpu.map_init(blocks, || self.work.lend(), one).into_iter().collect()
    }

    /// Appends the blocks of consecutive content.
    fn blocks(
        &self,
        content: &[u8],
        method: Method,
        source: &Path,
        work: &mut Work,
        out: &mut Vec<u8>,
    ) -> Result<Vec<Stored>> {
        let blocks = content.chunks(self.block_size(method));
        blocks.map(|raw| self.block(raw, method, source, work, out)).collect()
    }

    fn block(
        &self,
        raw: &[u8],
        method: Method,
        source: &Path,
        work: &mut Work,
        out: &mut Vec<u8>,
    ) -> Result<Stored> {
        let mut plain = raw;
        if method != Method::None {
            codec::compress(method, raw, self.options.level, &mut work.packed, &mut work.codec)
                .map_err(|error| Error::CannotPack { reason: error.to_string(), path: source.to_owned() })?;
            plain = &work.packed;
        }
        let (start, len) = (out.len(), plain.len() as u64);
        match &self.cipher {
            Some(cipher) => out.extend_from_slice(&encrypt(cipher, None, plain, source)?.1),
            None => out.extend_from_slice(plain),
        }
        Ok(Stored { len, padded_len: (out.len() - start) as u64 })
    }
}

impl Made {
    fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
        self.blocks.clear();
        (self.is_stored, self.hash) = (false, None);
    }

    /// Of the bytes of a piece, those that count as stored.
    pub(super) fn counted(&self, method: Method) -> &[u8] {
        let len = self.blocks.iter().map(|stored| stored.counted(method != Method::None)).sum();
        let len: Option<usize> = u64::try_into(len).ok();
        len.and_then(|len| self.bytes().get(..len)).unwrap_or_default()
    }

    /// What goes to disk.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_stored { &self.content } else { &self.bytes }
    }
}
