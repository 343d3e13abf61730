//! Bulk data (`FByteBulkData`) of packages: the files and chunks beside them.

use super::inputs::{PackageInput, PackagePlace};
use super::library::Library;
use super::loaded::Loaded;
use crate::asset::Bulk;
use crate::asset::texture::FileKey;
use crate::error::{Bound, Error, Result, UnsupportedFeature};
use crate::id::{ChunkKind, RawChunkId};
use crate::package::bulk::{BulkCompression, BulkPlace, BulkRecord};
use crate::source::{open_file, read_exact_at, read_file, refuse_lfs_pointer};
use crate::store::{Entry, Store};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Kinds of bulk data that are stored in their own file or chunk.
const KINDS: [(BulkPlace, ChunkKind); 3] = [
    (BulkPlace::Separate, ChunkKind::BulkData),
    (BulkPlace::Optional, ChunkKind::OptionalBulkData),
    (BulkPlace::MemoryMapped, ChunkKind::MemoryMappedBulkData),
];

/// Amount of data read for one piece of bulk data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// The whole file or chunk, read once for all its pieces.
    Read,
    /// Only the piece itself.
    Left,
}

/// The kind of chunk that stores bulk data of a place.
pub(super) fn chunk_kind(place: BulkPlace) -> Option<ChunkKind> {
    KINDS.iter().find(|(known, _)| *known == place).map(|(_, kind)| *kind)
}

impl Library {
    /// Total bytes of bulk data beside a package.
    pub(crate) fn bulk_len(&self, item: &PackageInput) -> u64 {
        KINDS.iter().filter_map(|(place, _)| self.len_of_bulk(item, *place)).sum()
    }

    /// Bytes of one kind of bulk data; `None` if it does not exist.
    fn len_of_bulk(&self, item: &PackageInput, place: BulkPlace) -> Option<u64> {
        match &item.place {
            PackagePlace::Files(header, _) => {
                let path = header.with_extension(place.extension(0)?);
                path.metadata().ok().map(|data| data.len())
            }
            _ => self.bulk_entry(item, place, 0).map(|entry| self.packages().store().chunk(entry).len()),
        }
    }

    /// Reads a piece of bulk data of a package; `None` if its file or chunk does not exist.
    pub(crate) fn bulk<'a>(
        &self,
        item: &PackageInput,
        loaded: &'a Loaded,
        bulk: &Bulk<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        self.bulk_with(item, loaded, bulk, Around::Read)
    }

    /// Reads a piece of bulk data of a package, and nothing else of its file or chunk. The recorded hash covers the
    /// whole chunk, so it is not checked.
    pub(crate) fn bulk_alone<'a>(
        &self,
        item: &PackageInput,
        loaded: &'a Loaded,
        bulk: &Bulk<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        self.bulk_with(item, loaded, bulk, Around::Left)
    }

    fn bulk_with<'a>(
        &self,
        item: &PackageInput,
        loaded: &'a Loaded,
        bulk: &Bulk<'a>,
        around: Around,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        let record = &bulk.record;
        // This compression is that of the record itself. Blocks of the container are decompressed before.
        if record.compression != BulkCompression::None {
            let what = UnsupportedFeature::BulkCompression(record.compression);
            return Err(Error::Unsupported { what, path: loaded.path.clone() });
        }
        match record.place {
            // A payload of length zero has no place.
            BulkPlace::Nowhere => Ok(Some(Cow::Borrowed(&[]))),
            BulkPlace::Inline => Ok(bulk.inline.map(Cow::Borrowed)),
            // Offsets at the end of a file count from the start of the header file, as `Loaded::at` does.
            BulkPlace::EndOfFile if !matches!(item.place, PackagePlace::Zen(..)) => {
                let bytes = u64::try_from(record.offset).ok().and_then(|at| loaded.at(at, record.len));
                let cut_off = || cut_off(record, loaded.len(), &loaded.path);
                bytes.map(|bytes| Some(Cow::Borrowed(bytes))).ok_or_else(cut_off)
            }
            // The packager moves the data after the exports of a legacy file into a chunk.
            BulkPlace::EndOfFile => self.piece(item, loaded, (BulkPlace::Separate, record), around),
            place => self.piece(item, loaded, (place, record), around),
        }
    }

    fn piece<'a>(
        &self,
        item: &PackageInput,
        loaded: &'a Loaded,
        (place, record): (BulkPlace, &BulkRecord),
        around: Around,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        // Pieces with a cooked index lie in files of their own, which are rarely asked for twice: no need to keep them.
        let is_whole = around == Around::Read
            && record.cooked_index == 0
            && self.len_of_bulk(item, place).is_some_and(|len| len <= self.packages().limit());
        if is_whole {
            let Some(whole) = self.whole(item, loaded, place)? else { return Ok(None) };
            let cut_off = || cut_off(record, whole.len() as u64, self.path_of_bulk(item, place));
            let range = range(record, whole.len() as u64).ok_or_else(cut_off)?;
            let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            return whole.get(start..end).map(|bytes| Some(Cow::Borrowed(bytes))).ok_or_else(cut_off);
        }
        // Too large for memory, or only a part is wanted: without the whole there is no hash to check.
        let bytes = match &item.place {
            PackagePlace::Files(header, _) => {
                let extension = place.extension(record.cooked_index).unwrap_or_default();
                read_part(&header.with_extension(extension), record, self.packages().limit())?
            }
            _ => self.read_part(item, place, record)?,
        };
        Ok(bytes.map(Cow::Owned))
    }

    /// Reads a whole file or chunk of bulk data, once.
    fn whole<'a>(
        &self,
        item: &PackageInput,
        loaded: &'a Loaded,
        place: BulkPlace,
    ) -> Result<Option<&'a [u8]>> {
        let Some(slot) = loaded.bulk.slot(place) else { return Ok(None) };
        if let Some(known) = slot.get() {
            return Ok(known.as_deref());
        }
        let bytes = self.bulk_file(item, FileKey { place, cooked_index: 0 })?.map(|(bytes, mismatch)| {
            if let Some(mismatch) = mismatch {
                // One mismatch is enough to report the package as damaged.
                let _ = loaded.bulk.mismatch.set(mismatch);
            }
            bytes
        });
        Ok(slot.get_or_init(|| bytes).as_deref())
    }

    /// Reads a file or chunk of bulk data of a package, with its hash mismatch if any; `None` if it does not exist.
    pub(crate) fn bulk_file(
        &self,
        item: &PackageInput,
        key: FileKey,
    ) -> Result<Option<(Vec<u8>, Option<Error>)>> {
        if let PackagePlace::Files(header, _) = &item.place {
            let path = header.with_extension(key.extension());
            if !path.is_file() {
                return Ok(None);
            }
            let bytes = read_file(&path, self.packages().limit())?;
            refuse_lfs_pointer(&path, bytes.len() as u64)?;
            return Ok(Some((bytes, None)));
        }
        let entry = self.bulk_entry(item, key.place, key.cooked_index);
        entry.map(|entry| self.read_chunk(entry)).transpose()
    }

    fn read_part(
        &self,
        item: &PackageInput,
        place: BulkPlace,
        record: &BulkRecord,
    ) -> Result<Option<Vec<u8>>> {
        let Some(entry) = self.bulk_entry(item, place, record.cooked_index) else { return Ok(None) };
        let store = self.packages().store();
        let Some(container) = store.container(entry) else { return Ok(None) };
        let len = store.chunk(entry).len();
        let range = range(record, len).ok_or_else(|| cut_off(record, len, self.place(entry)))?;
        container.read(entry.chunk, range, self.packages().limit()).map(Some)
    }

    /// The file or chunk that stores bulk data of a package, for messages.
    fn path_of_bulk(&self, item: &PackageInput, place: BulkPlace) -> PathBuf {
        match &item.place {
            PackagePlace::Files(header, _) => header.with_extension(place.extension(0).unwrap_or_default()),
            _ => self.bulk_entry(item, place, 0).map(|entry| self.place(entry)).unwrap_or_default(),
        }
    }

    /// The chunk that stores bulk data of a package.
    fn bulk_entry(&self, item: &PackageInput, place: BulkPlace, cooked_index: u8) -> Option<Entry> {
        let store = self.packages().store();
        match &item.place {
            PackagePlace::Zen(package, _) => beside(store, *package, chunk_kind(place)?, cooked_index),
            PackagePlace::Pak(header, _) => {
                let path =
                    format!("{}.{}", store.chunk(*header).cooked_stem()?, place.extension(cooked_index)?);
                store.find_cooked(&path)
            }
            PackagePlace::Files(..) => None,
        }
    }
}

/// The chunk of a kind that belongs to a zen package.
fn beside(store: &Store, package: Entry, kind: ChunkKind, index: u8) -> Option<Entry> {
    let own = store.chunk(package);
    let kind = kind.to_wire(store.container(package)?.table().chunk_kind_numbering())?;
    // Bulk data may be in another container than its package: a patch overrides each chunk on its own.
    store.find_anywhere(RawChunkId::new(own.id().package().0, index.into(), kind))
}

/// The bulk data chunks of a zen package.
pub(super) fn all_beside(store: &Store, package: Entry) -> impl Iterator<Item = Entry> {
    KINDS.iter().filter_map(move |(_, kind)| beside(store, package, *kind, 0))
}

/// The range of a piece in a file of this length; `None` if it does not fit.
fn range(record: &BulkRecord, len: u64) -> Option<Range<u64>> {
    // Some cookers record offsets from another base; a piece as long as its file is the whole file.
    let start = if record.len == len { 0 } else { u64::try_from(record.offset).ok()? };
    let end = start.checked_add(record.len).filter(|end| *end <= len)?;
    Some(start..end)
}

fn cut_off(record: &BulkRecord, found: u64, path: impl Into<PathBuf>) -> Error {
    let needed = u64::try_from(record.offset).unwrap_or(0).saturating_add(record.len);
    Error::ShortBulkData { path: path.into(), found, needed }
}

fn read_part(path: &Path, record: &BulkRecord, limit: u64) -> Result<Option<Vec<u8>>> {
    let file = match open_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(Error::io("open", path))?,
    };
    let len = file.metadata().map_err(Error::io("read", path))?.len();
    refuse_lfs_pointer(path, len)?;
    let range = range(record, len).ok_or_else(|| cut_off(record, len, path))?;
    // The limit holds for the piece: the file around it may be larger than memory.
    if record.len > limit {
        let what = "size of bulk data that has to be read at once";
        let path = path.to_owned();
        return Err(Error::Limit { what, found: record.len, limit, bound: Bound::Memory, path });
    }
    let mut bytes = vec![0; usize::try_from(record.len).unwrap_or_default()];
    read_exact_at(&file, &mut bytes, range.start).map_err(Error::io("read", path))?;
    Ok(Some(bytes))
}
