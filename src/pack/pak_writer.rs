//! Writes a pak: entry after entry, then the index.

use super::blocks::encrypt;
use super::data::{create, finish};
use super::options::PackOptions;
use super::pak_building::{Building, header_of, is_smaller};
use super::pak_entry::{EntryMaker, MadeEntries, PakFile};
use super::parts::{self, FilePart, FilePiece, Maker};
use super::staging::{self, Staged};
use crate::codec::Method;
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::hash::ChunkHasher;
use crate::id::{ChunkHash, Guid};
use crate::job::Context;
use crate::pak::{Entry, PakBuilder};
use crate::report::Event;
use crate::version::ChunkHashKind;
use futures_util::StreamExt;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Removes what runs that were killed have left of a pak.
pub(super) fn remove_leftovers(pak: &Path) {
    staging::remove_leftovers(pak, |name| name.file_name() == pak.file_name());
}

/// A pak on its way to its final name. Dropping it without [`finish`](Self::finish) removes it.
pub(super) struct PakWriter<'a> {
    path: &'a Path,
    file: BufWriter<Staged>,
    position: u64,
    options: Arc<PackOptions>,
    context: &'a Context,
    maker: Arc<EntryMaker>,
    entries: Vec<(String, Entry)>,
}

impl<'a> PakWriter<'a> {
    pub(super) fn new(path: &'a Path, options: &PackOptions, context: &'a Context) -> Result<Self> {
        remove_leftovers(path);
        let options = Arc::new(options.clone());
        let maker = Arc::new(EntryMaker::new(Arc::clone(&options)));
        Ok(Self { path, file: create(path)?, position: 0, options, context, maker, entries: Vec::new() })
    }

    /// Adds files, on all workers.
    pub(super) async fn add_all(&mut self, files: &Arc<[PakFile]>) -> Result<()> {
        let (maker, context) = (Arc::clone(&self.maker), self.context);
        let mut parts = std::pin::pin!(parts::make(&maker, files, context));
        let mut large = None;
        while let Some(part) = parts.next().await {
            context.cancel_token().check()?;
            let mut done = part?;
            let (chunks, raw_bytes) = match &done.part {
                FilePart::Files(..) => {
                    let files = done.part.files();
                    self.add_small(files, &mut done.made)?;
                    (files.len() as u64, files.iter().map(|file| file.input.len).sum())
                }
                FilePart::Piece(piece) => {
                    self.add_piece(piece, &done.made, done.hash, &mut large)?;
                    (u64::from(piece.is_last), piece.len)
                }
            };
            context.observer().on(&Event::Advanced { chunks, raw_bytes });
            done.made.recycle(context);
        }
        // Nothing is begun after that, so that the rest is missing.
        context.cancel_token().check()
    }

    fn add_small(&mut self, files: &[PakFile], made: &mut MadeEntries) -> Result<()> {
        for (file, mut entry) in files.iter().zip(made.entries.drain(..)) {
            entry.offset += self.position;
            entry.blocks.iter_mut().for_each(|block| block.offset += self.position);
            self.entries.push((file.path.clone(), entry));
        }
        self.write(made.bytes())
    }

    /// Adds a piece of a large file. What was not worth compressing is written again.
    fn add_piece(
        &mut self,
        piece: &FilePiece<PakFile>,
        made: &MadeEntries,
        hash: Option<ChunkHash>,
        large: &mut Option<Building>,
    ) -> Result<()> {
        let Some(file) = piece.file() else { return Ok(()) };
        let mut building = match large.take() {
            Some(building) => building,
            None => self.begin(file, &Arc::clone(&self.maker))?,
        };
        self.write(made.bytes())?;
        made.blocks.iter().for_each(|stored| building.add(*stored));
        // The last piece has the hash.
        let Some(hash) = hash else {
            *large = Some(building);
            return Ok(());
        };
        let mut entry = building.finish(hash);
        if self.maker.method() == Method::None || is_smaller(&entry) {
            self.write_header(&entry)?;
        } else {
            // The workers are at work on what comes after it.
            self.position = entry.offset;
            entry = self.store(file)?;
        }
        self.entries.push((file.path.clone(), entry));
        Ok(())
    }

    /// Writes header and data of a large file, not compressed, from the current position on.
    fn store(&mut self, file: &PakFile) -> Result<Entry> {
        let (maker, context) = (self.maker.storing(), self.context);
        let mut building = self.begin(file, &maker)?;
        let mut hasher = ChunkHasher::new(ChunkHashKind::Sha1);
        parts::make_again(&maker, file.clone(), context, |made| {
            hasher.update(maker.hashed(&made));
            made.blocks.iter().for_each(|stored| building.add(*stored));
            self.write(made.bytes())?;
            made.recycle(context);
            Ok(())
        })?;
        let entry = building.finish(hasher.finish());
        self.write_header(&entry)?;
        Ok(entry)
    }

    /// Begins the entry of a large file, with room for its header.
    fn begin(&mut self, file: &PakFile, maker: &EntryMaker) -> Result<Building> {
        let building = maker.start(file.input.len, self.position);
        self.position += building.header_len();
        self.seek(self.position)?;
        Ok(building)
    }

    /// Writes the header of an entry, which is only known when its data is.
    fn write_header(&mut self, entry: &Entry) -> Result<()> {
        self.seek(entry.offset)?;
        self.file.write_all(&header_of(entry)).map_err(Error::io("write", self.path))?;
        self.seek(self.position)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io("write", self.path))?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn seek(&mut self, position: u64) -> Result<()> {
        self.file.seek(SeekFrom::Start(position)).map(drop).map_err(Error::io("write", self.path))
    }

    /// Writes the index. Returns the length of the pak in bytes, and the file.
    pub(super) fn finish(mut self) -> Result<(u64, Staged)> {
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
