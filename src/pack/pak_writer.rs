//! Writer of paks: entry after entry, then the index.

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

/// Removes files that killed runs have left of a pak.
pub(super) fn remove_leftovers(pak: &Path) {
    staging::remove_leftovers(pak, |name| name.file_name() == pak.file_name());
}

/// Pak in progress, under a temporary name. Dropping it without [`finish`](Self::finish) removes it.
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
        // After a cancellation, no more parts arrive, and the loop ends with files missing.
        context.cancel_token().check()
    }

    fn add_small(&mut self, files: &[PakFile], made: &mut MadeEntries) -> Result<()> {
        for (file, mut entry) in files.iter().zip(made.entries.drain(..)) {
            // The maker did not know where its bytes would go.
            entry.offset += self.position;
            entry.blocks.iter_mut().for_each(|block| block.offset += self.position);
            self.entries.push((file.path.clone(), entry));
        }
        self.write(made.bytes())
    }

    /// Adds a piece of a large file. A file that did not get smaller is written again, uncompressed.
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
        // Only the last piece has the hash.
        let Some(hash) = hash else {
            *large = Some(building);
            return Ok(());
        };
        let mut entry = building.finish(hash);
        if self.maker.method() == Method::None || is_smaller(&entry) {
            self.write_header(&entry)?;
        } else {
            // The attempt is overwritten, by this thread: the workers are busy with the next files.
            self.position = entry.offset;
            entry = self.store(file)?;
        }
        self.entries.push((file.path.clone(), entry));
        Ok(())
    }

    /// Writes a large file uncompressed, from the current position on, with its header.
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

    /// Starts the entry of a large file, and leaves room for its header.
    fn begin(&mut self, file: &PakFile, maker: &EntryMaker) -> Result<Building> {
        let building = maker.start(file.input.len, self.position);
        self.position += building.header_len();
        self.seek(self.position)?;
        Ok(building)
    }

    /// Writes the header of an entry, which is only known after its data.
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
        // Paths are appended to the mount point directly.
        if !mount_point.ends_with('/') {
            mount_point.push('/');
        }
        // The footer only names methods that some file uses.
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
        // The last file may have been written twice, so the file's own position may be further on.
        self.seek(self.position)?;
        self.file.write_all(&end).map_err(Error::io("write", self.path))?;
        // A file whose compressed form was larger may have left bytes after the end.
        let len = self.position + end.len() as u64;
        self.file.flush().map_err(Error::io("write", self.path))?;
        let staged = finish(self.file)?;
        staged.file().set_len(len).map_err(Error::io("write", self.path))?;
        Ok((len, staged))
    }
}
