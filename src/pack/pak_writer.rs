//! Writes a pak: entry after entry, then the index.

use super::ahead::ahead;
use super::blocks::encrypt;
use super::data::{create, finish};
use super::groups::Groups;
use super::options::PackOptions;
use super::pak_building::{Building, header_of, is_smaller};
use super::pak_entry::{EntryMaker, Made, PakFile, Raw};
use super::parts::{Maker, Part, Piece, has_parts};
use super::staging::{self, Staged};
use crate::codec::Method;
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::Guid;
use crate::id::hash::ChunkHasher;
use crate::job::{Context, Cpu};
use crate::pak::{Entry, PakBuilder};
use crate::report::{Event, Observer};
use crate::version::ChunkHashKind;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a file that are worked on at a time where it comes in order, by all threads together.
const GROUP_LEN: usize = 4 << 20;

/// Removes what runs that were killed have left of a pak.
pub(super) fn remove_leftovers(pak: &Path) {
    staging::remove_leftovers(pak, |name| name.file_name() == pak.file_name());
}

/// A pak on its way to its final name. Dropping it without [`finish`](Self::finish) removes it.
pub(super) struct PakWriter<'a> {
    path: &'a Path,
    file: BufWriter<Staged>,
    position: u64,
    options: &'a PackOptions,
    context: &'a Context,
    maker: Arc<EntryMaker<'a>>,
    groups: Groups,
    entries: Vec<(String, Entry)>,
}

impl<'a> PakWriter<'a> {
    pub(super) fn new(path: &'a Path, options: &'a PackOptions, context: &'a Context) -> Result<Self> {
        remove_leftovers(path);
        Ok(Self {
            path,
            file: create(path)?,
            position: 0,
            options,
            context,
            maker: Arc::new(EntryMaker::new(options)),
            groups: Groups::default(),
            entries: Vec::new(),
        })
    }

    /// Adds files until somebody wants it to end, on all threads.
    pub(super) fn add_all(&mut self, mut files: &[PakFile], observer: &dyn Observer) -> Result<()> {
        while let [first, rest @ ..] = files {
            match files.iter().take_while(|file| has_parts(&file.input)).count() {
                0 => {
                    self.context.cancel_token().check()?;
                    self.add_in_order(first)?;
                    observer.on(&Event::Advanced { chunks: 1, raw_bytes: first.input.len });
                    files = rest;
                }
                count => {
                    let (parted, rest) = files.split_at(count);
                    self.add_parts(parted, observer)?;
                    files = rest;
                }
            }
        }
        Ok(())
    }

    fn add_parts(&mut self, files: &[PakFile], observer: &dyn Observer) -> Result<()> {
        // Other threads make what comes while this one writes.
        let (context, maker) = (self.context, Arc::clone(&self.maker));
        let mut large = None;
        let take = |part: &Part<'_, PakFile>, made: Result<Made>| {
            self.context.cancel_token().check()?;
            let mut made = made?;
            match part {
                Part::Files(files) => {
                    self.add_small(files, &mut made)?;
                    observer.on(&Event::Advanced { chunks: files.len() as u64, raw_bytes: part.raw_len() });
                }
                Part::Piece(piece) => {
                    self.add_piece(piece, &made, &mut large)?;
                    let chunks = u64::from(piece.is_last);
                    observer.on(&Event::Advanced { chunks, raw_bytes: piece.len });
                }
            }
            maker.spares().reuse(made);
            Ok(())
        };
        let parts = maker.cut(files);
        ahead(
            context,
            &parts,
            Part::raw_len,
            || maker.spares().work(),
            |work, part| maker.make(part, work),
            take,
        )
    }

    fn add_small(&mut self, files: &[PakFile], made: &mut Made) -> Result<()> {
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
        piece: &Piece<'_, PakFile>,
        made: &Made,
        large: &mut Option<Building>,
    ) -> Result<()> {
        let (file, method) = (piece.file, self.options.method);
        let mut building = match large.take() {
            Some(building) => building,
            None => self.begin(file, method)?,
        };
        self.write(made.bytes())?;
        made.blocks.iter().for_each(|stored| building.add(*stored));
        // The last piece has the hash.
        let Some(hash) = made.hash else {
            *large = Some(building);
            return Ok(());
        };
        let mut entry = building.finish(hash);
        if method == Method::None || is_smaller(&entry) {
            self.write_header(&entry)?;
        } else {
            // The other threads are at work on what comes after it.
            self.position = entry.offset;
            entry = self.store(file, Method::None, &Cpu::default())?;
        }
        self.entries.push((file.path.clone(), entry));
        Ok(())
    }

    /// Adds a large file that can only be read in order: compressed, if that makes it smaller.
    fn add_in_order(&mut self, file: &PakFile) -> Result<()> {
        let (start, cpu) = (self.position, self.context.cpu());
        let mut entry = None;
        if self.options.method != Method::None {
            entry = Some(self.store(file, self.options.method, cpu)?).filter(is_smaller);
        }
        let entry = match entry {
            Some(entry) => entry,
            None => {
                self.position = start;
                self.store(file, Method::None, cpu)?
            }
        };
        self.entries.push((file.path.clone(), entry));
        Ok(())
    }

    /// Writes header and data of a file from the current position on, until somebody wants it to end.
    fn store(&mut self, file: &PakFile, method: Method, cpu: &Cpu) -> Result<Entry> {
        let (mut building, input) = (self.begin(file, method)?, &file.input);
        let Self { maker, file: out, position, path, groups, context, .. } = self;
        let cancel = context.cancel_token();
        let mut hasher = ChunkHasher::new(ChunkHashKind::Sha1);
        let make = |content: &[u8]| {
            let blocks = maker.blocks_by(Raw { bytes: content, method, source: &input.source }, cpu)?;
            for made in &blocks {
                hasher.update(made.counted(method));
                made.blocks.iter().for_each(|stored| building.add(*stored));
            }
            Ok(blocks)
        };
        let take = |_: &[u8], blocks: Vec<Made>| {
            cancel.check()?;
            for made in blocks {
                out.write_all(made.bytes()).map_err(Error::io("write", *path))?;
                *position += made.bytes().len() as u64;
                maker.spares().reuse(made);
            }
            Ok(())
        };
        let block_size = maker.block_size(method);
        let mut content = input.open()?.take(input.len + 1);
        let group_len = (GROUP_LEN / block_size).max(1) * block_size;
        let found = groups.read(cpu, group_len, (&mut content, &input.source), make, take)?;
        input.check_len(found)?;
        let entry = building.finish(hasher.finish());
        self.write_header(&entry)?;
        Ok(entry)
    }

    /// Begins the entry of a file, with room for its header.
    fn begin(&mut self, file: &PakFile, method: Method) -> Result<Building> {
        let building = self.maker.start(file.input.len, method, self.position);
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
