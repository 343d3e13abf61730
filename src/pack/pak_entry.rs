//! What a pak stores of a file: its entry header, then its blocks.

use super::blocks::encrypt;
use super::input::Input;
use super::options::PackOptions;
use super::pak_building::{Building, Stored, header_of, is_smaller};
use super::parts::{self, Maker, Part, Piece, read_piece};
use super::scratches::{Clear, Lent, Spares, Work};
use super::walk::LooseFile;
use crate::codec::{self, Method};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::ChunkHash;
use crate::job::Cpu;
use crate::pak::Entry;
use crate::source::Buffer;
use crate::version::ChunkHashKind;
use std::path::Path;

/// Bytes of a block where nothing is compressed: a multiple of what AES takes.
const PIECE_LEN: usize = 64 << 10;

/// A file that goes into a pak.
pub(super) struct PakFile {
    pub input: Input,
    /// Its path below the mount point.
    pub path: String,
}

impl From<LooseFile> for PakFile {
    fn from(file: LooseFile) -> Self {
        Self { input: Input::file(file.source, file.len), path: file.path }
    }
}

impl AsRef<Input> for PakFile {
    fn as_ref(&self) -> &Input {
        &self.input
    }
}

/// Makes entries.
pub(super) struct EntryMaker<'a> {
    options: &'a PackOptions,
    cipher: Option<Cipher>,
    spares: Spares<Made>,
}

/// Content, what it is compressed with, and the file that it is of.
#[derive(Clone, Copy)]
pub(super) struct Raw<'a> {
    pub bytes: &'a [u8],
    pub method: Method,
    pub source: &'a Path,
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
        Self { options, cipher, spares: Spares::default() }
    }

    pub(super) const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
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

    /// Appends a file: compressed, if that makes it smaller.
    fn smallest(&self, raw: Raw<'_>, work: &mut Work, out: &mut Vec<u8>) -> Result<Entry> {
        let start = out.len();
        if raw.method != Method::None {
            let entry = self.append(raw, work, out)?;
            if is_smaller(&entry) {
                return Ok(entry);
            }
            out.truncate(start);
        }
        self.append(Raw { method: Method::None, ..raw }, work, out)
    }

    /// Appends a file with its header.
    fn append(&self, raw: Raw<'_>, work: &mut Work, out: &mut Vec<u8>) -> Result<Entry> {
        let start = out.len();
        let mut building = self.start(raw.bytes.len() as u64, raw.method, start as u64);
        let header_len = usize::try_from(building.header_len()).unwrap_or(usize::MAX);
        out.resize(start.saturating_add(header_len), 0);
        for stored in self.blocks(raw, work, out)? {
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
    pub(super) fn blocks_by(&self, raw: Raw<'_>, cpu: &Cpu) -> Result<Vec<Made>> {
        let one = |work: &mut Lent<'_, Work>, bytes: &[u8]| {
            let mut made = self.spares.made();
            made.blocks = self.blocks(Raw { bytes, ..raw }, work, &mut made.bytes)?;
            Ok(made)
        };
        let blocks = raw.bytes.chunks(self.block_size(raw.method));
        cpu.map_init(blocks, || self.spares.work(), one).into_iter().collect()
    }

    /// Appends the blocks of consecutive content.
    fn blocks(&self, raw: Raw<'_>, work: &mut Work, out: &mut Vec<u8>) -> Result<Vec<Stored>> {
        let blocks = raw.bytes.chunks(self.block_size(raw.method));
        blocks.map(|bytes| self.block(Raw { bytes, ..raw }, work, out)).collect()
    }

    fn block(&self, raw: Raw<'_>, work: &mut Work, out: &mut Vec<u8>) -> Result<Stored> {
        let Raw { bytes: mut plain, method, source } = raw;
        if method != Method::None {
            codec::compress(method, plain, self.options.level, &mut work.packed, &mut work.codec)
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

impl Maker<PakFile> for EntryMaker<'_> {
    type Made = Made;

    fn spares(&self) -> &Spares<Made> {
        &self.spares
    }

    fn add_file(&self, file: &PakFile, content: &[u8], work: &mut Work, made: &mut Made) -> Result<()> {
        let raw = Raw { bytes: content, method: self.options.method, source: &file.input.source };
        made.entries.push(self.smallest(raw, work, &mut made.bytes)?);
        Ok(())
    }

    /// Makes the blocks of a piece: compressed ones, even if that makes them no smaller.
    fn fill(&self, piece: &Piece<'_, PakFile>, work: &mut Work, made: &mut Made) -> Result<()> {
        let turn = piece.turn();
        let mut content = std::mem::take(&mut work.content);
        read_piece(piece, &mut content)?;
        let (method, source) = (self.options.method, piece.file.input.source.as_path());
        made.is_stored = method == Method::None && self.cipher.is_none();
        if made.is_stored {
            let whole = |raw: &[u8]| Stored { len: raw.len() as u64, padded_len: raw.len() as u64 };
            made.blocks.extend(content.chunks(self.block_size(method)).map(whole));
            work.content = std::mem::replace(&mut made.content, content);
        } else {
            made.blocks = self.blocks(Raw { bytes: &content, method, source }, work, &mut made.bytes)?;
            work.content = content;
        }
        if let Some(turn) = turn {
            turn.update([made.counted(method)]);
            made.hash = piece.is_last.then(|| turn.hash());
        }
        Ok(())
    }
}

impl Clear for Made {
    fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
        self.blocks.clear();
        (self.is_stored, self.hash) = (false, None);
    }
}

impl Made {
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
