//! Stored form of files in a pak: an entry header, then blocks.

use super::blocks::{BlockScratch, encrypt};
use super::input::Input;
use super::options::PackOptions;
use super::pak_building::{Building, Stored, header_of, is_smaller};
use super::parts::{FilePiece, Maker, read_whole};
use super::walk::LooseFile;
use crate::codec::{self, Method};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::ChunkHash;
use crate::job::Context;
use crate::pak::Entry;
use crate::source::Buffer;
use crate::version::ChunkHashKind;
use std::path::Path;
use std::sync::Arc;

/// Length of a block of uncompressed files, in bytes: a multiple of the 16 bytes that AES takes.
const PIECE_LEN: usize = 64 << 10;

/// File that goes into a pak.
#[derive(Debug, Clone)]
pub(super) struct PakFile {
    pub input: Input,
    /// Path below the mount point.
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
pub(super) struct EntryMaker {
    options: Arc<PackOptions>,
    /// Compression of large files.
    method: Method,
    cipher: Option<Cipher>,
}

/// Content, its compression, and the file that it comes from.
#[derive(Clone, Copy)]
struct RawContent<'a> {
    bytes: &'a [u8],
    method: Method,
    source: &'a Path,
}

/// Stored form of small files, or of a piece of a large one.
#[derive(Default)]
pub(super) struct MadeEntries {
    /// Headers and blocks, unless the blocks are the content itself.
    bytes: Buffer,
    /// Entries of small files. Their positions count from the start of the bytes.
    pub entries: Vec<Entry>,
    /// Blocks of a piece.
    pub blocks: Vec<Stored>,
    /// Content of a piece that is stored unchanged.
    content: Buffer,
    is_stored: bool,
    /// True if the blocks are compressed.
    is_compressed: bool,
}

impl EntryMaker {
    pub(super) fn new(options: Arc<PackOptions>) -> Self {
        // Paks only know ECB: their entries have no place for initialisation vectors.
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, EncryptionMethod::Ecb));
        Self { method: options.method, options, cipher }
    }

    /// Returns a maker that stores large files uncompressed.
    pub(super) fn storing(&self) -> Self {
        Self { options: Arc::clone(&self.options), method: Method::None, cipher: self.cipher.clone() }
    }

    /// Returns the compression of large files.
    pub(super) const fn method(&self) -> Method {
        self.method
    }

    pub(super) const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
    }

    /// Returns the uncompressed length of a block, in bytes.
    fn block_size(&self, method: Method) -> usize {
        match method {
            Method::None => PIECE_LEN,
            _ => self.options.block_size as usize,
        }
    }

    /// Appends a file, compressed if that makes it smaller.
    fn smallest(
        &self,
        raw: RawContent<'_>,
        scratch: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Entry> {
        let start = out.len();
        if raw.method != Method::None {
            let entry = self.append(raw, scratch, out)?;
            if is_smaller(&entry) {
                return Ok(entry);
            }
            // Larger than before: the attempt is undone.
            out.truncate(start);
        }
        self.append(RawContent { method: Method::None, ..raw }, scratch, out)
    }

    /// Appends a file with its header.
    fn append(
        &self,
        raw: RawContent<'_>,
        scratch: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Entry> {
        let start = out.len();
        let mut building = self.start_as(raw.bytes.len() as u64, raw.method, start as u64);
        let header_len = usize::try_from(building.header_len()).unwrap_or(usize::MAX);
        // The header holds the hash and the blocks of the data, so it is written after them.
        out.resize(start.saturating_add(header_len), 0);
        for stored in self.blocks(raw, scratch, out)? {
            building.add(stored);
        }
        // The hash covers the data as stored on disk, compressed and encrypted.
        let hashed = usize::try_from(building.stored_len()).unwrap_or(usize::MAX);
        let data = out.get(start + header_len..).and_then(|data| data.get(..hashed)).unwrap_or_default();
        let entry = building.finish(ChunkHash::of(ChunkHashKind::Sha1, data));
        let header = header_of(&entry);
        if let Some(place) = out.get_mut(start..start + header.len()) {
            place.copy_from_slice(&header);
        }
        Ok(entry)
    }

    /// Starts the entry of a large file whose header is at `offset`.
    pub(super) fn start(&self, raw_len: u64, offset: u64) -> Building {
        self.start_as(raw_len, self.method, offset)
    }

    fn start_as(&self, raw_len: u64, method: Method, offset: u64) -> Building {
        let block_size = self.block_size(method) as u64;
        // The length of a header depends on the number of blocks, which follows from the length of the
        // content.
        let count = if method == Method::None { 0 } else { raw_len.div_ceil(block_size) };
        let header_len = Entry::header_len(usize::try_from(count).unwrap_or(usize::MAX));
        let entry = Entry {
            offset,
            raw_len,
            method: u32::from(method != Method::None),
            block_size: match count {
                0 => 0,
                // Readers take the length of the file for the size of its only block.
                1 => u32::try_from(raw_len).unwrap_or(u32::MAX),
                _ => self.options.block_size,
            },
            is_encrypted: self.cipher.is_some(),
            ..Entry::default()
        };
        Building::new(entry, header_len)
    }

    /// Appends the blocks of consecutive content.
    fn blocks(
        &self,
        raw: RawContent<'_>,
        scratch: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Vec<Stored>> {
        let blocks = raw.bytes.chunks(self.block_size(raw.method));
        blocks.map(|bytes| self.block(RawContent { bytes, ..raw }, scratch, out)).collect()
    }

    fn block(
        &self,
        raw: RawContent<'_>,
        scratch: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Stored> {
        let RawContent { bytes: mut plain, method, source } = raw;
        if method != Method::None {
            codec::compress(method, plain, self.options.level, &mut scratch.packed, scratch.codec)
                .map_err(|error| Error::CannotPack { problem: error.into(), path: source.to_owned() })?;
            plain = &scratch.packed;
        }
        let (start, len) = (out.len(), plain.len() as u64);
        // `encrypt` also pads; blocks that are not encrypted have no padding.
        match &self.cipher {
            Some(cipher) => out.extend_from_slice(&encrypt(cipher, None, plain, source)?.1),
            None => out.extend_from_slice(plain),
        }
        Ok(Stored { len, padded_len: (out.len() - start) as u64 })
    }
}

impl Maker for EntryMaker {
    type File = PakFile;
    type Made = MadeEntries;

    fn block_len(&self) -> u64 {
        self.block_size(self.method) as u64
    }

    fn scratch_len(&self) -> u64 {
        codec::encoder_len(self.method, self.options.level) as u64
    }

    fn hash_in_order(&self) -> Option<ChunkHashKind> {
        // SHA-1 over a whole file: hashes of pieces cannot be joined.
        Some(ChunkHashKind::Sha1)
    }

    fn make_files(&self, files: &[PakFile], context: &Context) -> Result<MadeEntries> {
        let lens = || files.iter().map(|file| file.input.len);
        let (raw_len, longest) = (lens().sum::<u64>(), lens().max().unwrap_or_default());
        let room = |len: u64| context.buffer(usize::try_from(len).unwrap_or(usize::MAX));
        // One byte more than the longest file, so that reading shows whether one has grown.
        let (mut plain, mut out) = (room(longest.saturating_add(1)), room(raw_len).into_vec());
        let mut entries = Vec::with_capacity(files.len());
        context.with_scratch(|codec| {
            let mut scratch = BlockScratch::new(codec);
            files.iter().try_for_each(|file| {
                read_whole(&file.input, &mut plain)?;
                let raw =
                    RawContent { bytes: &plain, method: self.options.method, source: &file.input.source };
                entries.push(self.smallest(raw, &mut scratch, &mut out)?);
                Ok::<_, Error>(())
            })
        })?;
        context.recycle(plain);
        Ok(MadeEntries { bytes: Buffer::from_vec(out), entries, ..MadeEntries::default() })
    }

    /// Makes the blocks of a piece. Compression is kept even if it makes them no smaller: that is only
    /// decided for the whole file.
    fn make_piece(
        &self,
        piece: &FilePiece<PakFile>,
        plain: Buffer,
        context: &Context,
    ) -> Result<MadeEntries> {
        let Some(file) = piece.file() else { return Ok(MadeEntries::default()) };
        let method = self.method;
        if method == Method::None && self.cipher.is_none() {
            // Neither compressed nor encrypted: the content is written from the buffer that it was read into.
            let whole = |raw: &[u8]| Stored { len: raw.len() as u64, padded_len: raw.len() as u64 };
            let blocks = plain.chunks(self.block_size(method)).map(whole).collect();
            return Ok(MadeEntries { blocks, content: plain, is_stored: true, ..MadeEntries::default() });
        }
        let mut out = context.buffer(usize::try_from(piece.len).unwrap_or(usize::MAX)).into_vec();
        let raw = RawContent { bytes: &plain, method, source: &file.input.source };
        let blocks =
            context.with_scratch(|codec| self.blocks(raw, &mut BlockScratch::new(codec), &mut out))?;
        context.recycle(plain);
        let is_compressed = method != Method::None;
        Ok(MadeEntries { bytes: Buffer::from_vec(out), blocks, is_compressed, ..MadeEntries::default() })
    }

    /// Returns the bytes of a piece that its file's hash covers.
    fn hashed<'m>(&self, made: &'m MadeEntries) -> &'m [u8] {
        let len = made.blocks.iter().map(|stored| stored.counted(made.is_compressed)).sum();
        let len: Option<usize> = u64::try_into(len).ok();
        len.and_then(|len| made.bytes().get(..len)).unwrap_or_default()
    }
}

impl MadeEntries {
    /// Returns the bytes to write.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_stored { &self.content } else { &self.bytes }
    }

    /// Returns its memory for reuse.
    pub(super) fn recycle(self, context: &Context) {
        context.recycle_all([self.bytes, self.content]);
    }
}
