//! Replacement of the mips of a texture: the payload, and the files next to the package.
//!
//! ```text
//! old   ubulk 0, 1, 2 │ inline 3 … 9        a mip goes where the old one at the same distance from the
//! smallest was,
//! new   ubulk 0, 1    │ inline 2 … 8        and larger ones go where the largest one was
//! ```
//!
//! Data of unchanged length keep their place in their file. Otherwise a file that holds nothing else is
//! rewritten; in any other file the mips are appended, since nothing records what else uses it.

use super::Texture;
use super::error::ReplaceError;
use super::payload::{Body, PlatformData, StoredMip};
use super::picture::NewMip;
use super::shape::Shape;
use crate::asset::bulk::{BulkHeader, Written};
use crate::package::bulk::{BulkCompression, BulkPlace};
use crate::package::rebuild::{NewBulk, NewHeader};
use crate::wire::Writer;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// File with bulk data next to a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    /// Kind of file.
    pub place: BulkPlace,
    /// Number of the cooked variant.
    pub cooked_index: u8,
}

/// Result of replacing mips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// New payload.
    pub payload: Vec<u8>,
    /// Locations of its mips. Offsets in the export count from the start of the payload.
    pub bulk: Vec<NewBulk>,
    /// Number of entries of the bulk data table.
    pub entries: usize,
    /// New contents of files next to the package.
    pub files: BTreeMap<FileKey, Vec<u8>>,
}

impl FileKey {
    /// Returns the extension of the file.
    #[must_use]
    pub fn extension(self) -> String {
        self.place.extension(self.cooked_index).unwrap_or_default()
    }
}

impl Texture<'_> {
    /// Returns the files next to the package that hold its mips.
    #[must_use]
    pub fn files(&self) -> BTreeSet<FileKey> {
        self.mips
            .iter()
            .filter_map(|mip| slot_file(mip.data.record.place, mip.data.record.cooked_index))
            .collect()
    }

    /// Replaces the mips. `entries` is the length of the bulk data table; `files` holds the contents of
    /// [`files`](Self::files).
    pub fn replace(
        &self,
        mips: &[NewMip],
        entries: usize,
        files: &BTreeMap<FileKey, Vec<u8>>,
    ) -> Result<Replacement, ReplaceError> {
        let data = self.payload.platform().ok_or(ReplaceError::NoMips)?;
        self.check(data)?;
        // Locations first, then the contents of files, and the payload last: it records offsets of both.
        let slots = self.slots(mips.len(), entries);
        let mut offsets = vec![0; mips.len()];
        let mut new_files = BTreeMap::new();
        for key in self.files() {
            let old = files.get(&key).ok_or_else(|| ReplaceError::NoFile(format!(".{}", key.extension())))?;
            let (content, places) = self.file(key, old, &slots, mips);
            for (at, place) in places {
                if let Some(slot) = offsets.get_mut(at) {
                    *slot = place;
                }
            }
            new_files.insert(key, content);
        }
        let mut new = data.clone();
        new.mips = Vec::with_capacity(mips.len());
        for (slot, mip) in slots.iter().zip(mips) {
            new.mips.extend(self.stored(data, slot, mip));
        }
        // The recorded size may differ from the largest mip's, and stays if the size does.
        if let (Some(first), false) = (mips.first(), self.is_as_large(mips)) {
            new.size = [first.width, first.height];
        }
        let (payload, written) = self.written(new)?;
        let bulk = slots.iter().zip(mips).zip(written.iter().zip(offsets));
        let mut bulk: Vec<NewBulk> =
            bulk.map(|((slot, mip), (written, at))| slot.bulk(mip, *written, at)).collect();
        let entries = self.settle_entries(&mut bulk, &slots, entries);
        Ok(Replacement { payload, bulk, entries, files: new_files })
    }

    fn is_as_large(&self, mips: &[NewMip]) -> bool {
        mips.first().is_some_and(|mip| [mip.width, mip.height] == [self.width, self.height])
    }

    /// Rejects textures in which more than the mips would have to change, before anything is written.
    fn check(&self, data: &PlatformData<'_>) -> Result<(), ReplaceError> {
        if data.cpu_copy.is_some() {
            return Err(ReplaceError::Copy);
        }
        if data.mips.len() != self.mips.len() {
            return Err(ReplaceError::NoMips);
        }
        for (mip, found) in self.mips.iter().enumerate() {
            let record = &found.data.record;
            let expected = found.byte_len(self.format);
            // Another size means that the pixels are tiled or padded for a console.
            if record.len != expected {
                return Err(ReplaceError::Console { mip, found: record.len, expected });
            }
            match (record.place, record.compression) {
                (_, compression) if compression != BulkCompression::None => {
                    return Err(ReplaceError::Place("compressed in the package"));
                }
                (BulkPlace::EndOfFile, _) => return Err(ReplaceError::Place("at the end of the package")),
                (BulkPlace::Nowhere, _) => return Err(ReplaceError::Place("nowhere")),
                _ if record.duplicate_offset.is_some() => {
                    return Err(ReplaceError::Place("in two places at once"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Chooses the location of each new mip.
    fn slots(&self, count: usize, entries: usize) -> Vec<Slot> {
        let of = |at: usize| {
            // Counted from the smallest: the tail that is inline stays inline, whatever the new size.
            let from_smallest = count - 1 - at;
            let old = self.mips.len().checked_sub(from_smallest + 1);
            let like = self.mips.get(old.unwrap_or(0))?.data;
            let old_entry = |level: usize| match self.mips.get(level)?.data.header {
                BulkHeader::Entry(entry) => usize::try_from(entry).ok(),
                BulkHeader::Own(_) => None,
            };
            Some(Slot {
                like: like.record.place,
                file: slot_file(like.record.place, like.record.cooked_index),
                header: like.header,
                flags: like.record.flags.0,
                entry: old.and_then(old_entry),
            })
        };
        let mut slots: Vec<Slot> = (0..count).filter_map(of).collect();
        // If the texture's mips are the last entries of the table, their new entries stay in order there.
        let own = self.own_entries();
        let at_end = own.iter().copied().eq(entries.saturating_sub(own.len())..entries) && !own.is_empty();
        let mut next = if at_end { entries - own.len() } else { entries };
        for slot in &mut slots {
            let is_entry = matches!(slot.header, BulkHeader::Entry(_));
            if is_entry && (at_end || slot.entry.is_none()) {
                slot.entry = Some(next);
                next += 1;
            }
        }
        slots
    }

    /// Returns the entries of the bulk data table that are its mips, in their order.
    fn own_entries(&self) -> Vec<usize> {
        let entry = |mip: &super::Mip<'_>| match mip.data.header {
            BulkHeader::Entry(entry) => usize::try_from(entry).ok(),
            BulkHeader::Own(_) => None,
        };
        self.mips.iter().filter_map(entry).collect()
    }

    /// Marks entries that are no longer needed as unused, or drops them at the end of the table. Returns the
    /// new number of entries.
    fn settle_entries(&self, bulk: &mut Vec<NewBulk>, slots: &[Slot], entries: usize) -> usize {
        /// Flag of an entry without data.
        const UNUSED: u32 = 0x20;
        let used: BTreeSet<usize> = slots.iter().filter_map(|slot| slot.entry).collect();
        let own = self.own_entries();
        let is_free = |entry: &usize| own.contains(entry) && !used.contains(entry);
        let mut count = entries.max(used.last().map_or(0, |last| last + 1));
        // Entries in the middle keep their place: others refer to theirs by index.
        while count.checked_sub(1).is_some_and(|last| is_free(&last)) {
            count -= 1;
        }
        let unused = own.iter().copied().filter(|entry| *entry < count && !used.contains(entry));
        bulk.extend(unused.map(|entry| NewBulk {
            header: NewHeader::Entry(entry),
            flags: UNUSED,
            offset: 0,
            len: 0,
            is_inline: false,
        }));
        count
    }

    /// Builds the stored form of a mip.
    fn stored<'n>(&self, data: &PlatformData<'_>, slot: &Slot, mip: &'n NewMip) -> Option<StoredMip<'n>> {
        // A mip of the same size keeps its recorded size, which may be padded.
        let own = self
            .mips
            .iter()
            .zip(&data.mips)
            .find(|(old, _)| (old.width, old.height) == (mip.width, mip.height));
        let depth = match data.mips.first().map(|first| first.size) {
            Some([.., 1]) if self.shape != Shape::Volume => 1,
            _ => mip.slices,
        };
        let [across, down] = self.format.layout().block();
        // UE4 records sides in whole blocks.
        let padded =
            |side: u32, unit: u32| if self.payload.is_ue4() { side.next_multiple_of(unit) } else { side };
        let size =
            own.map_or([padded(mip.width, across), padded(mip.height, down), depth], |(_, own)| own.size);
        let old = self.mips.first()?.data;
        let is_inline = slot.like == BulkPlace::Inline;
        let header = match (slot.header, slot.entry) {
            (BulkHeader::Entry(_), Some(entry)) => BulkHeader::Entry(u32::try_from(entry).ok()?),
            (BulkHeader::Own(own), _) => {
                let len = mip.bytes.len() as u64;
                BulkHeader::Own(crate::asset::bulk::OwnHeader { elements: len, len, ..own })
            }
            (header @ BulkHeader::Entry(_), None) => header,
        };
        let inline = is_inline.then_some(&mip.bytes[..]);
        let data = crate::asset::bulk::Bulk { record: old.record, inline, header };
        Some(StoredMip { data: Some(data), size })
    }

    /// Writes the payload with new platform data.
    fn written(&self, new: PlatformData<'_>) -> Result<(Vec<u8>, Vec<Written>), ReplaceError> {
        let mut old = Writer::new();
        self.payload.write(&mut old)?;
        let mut payload = self.payload.clone();
        let mut new = Some(Box::new(new));
        for block in &mut payload.blocks {
            if let (Body::Platform(data), Some(new)) = (&mut block.body, new.take()) {
                *data = new;
            }
        }
        let mut w = Writer::new();
        let mut written = payload.write(&mut w)?;
        // Absolute ends of blocks depend on everything before them, so they move by the change in length.
        let (old, new) = (old.len() as u64, w.len() as u64);
        if payload.blocks.iter().any(|block| block.skip_offset.is_some()) && old != new {
            let moved = |offset: u64| offset.wrapping_add(new).wrapping_sub(old);
            for block in &mut payload.blocks {
                block.skip_offset = block.skip_offset.map(moved);
            }
            w = Writer::new();
            written = payload.write(&mut w)?;
        }
        Ok((w.into_bytes(), written))
    }

    /// Returns the new content of a file, and the positions of the mips in it.
    fn file(
        &self,
        key: FileKey,
        old: &[u8],
        slots: &[Slot],
        mips: &[NewMip],
    ) -> (Vec<u8>, Vec<(usize, i64)>) {
        let of_file = slots.iter().zip(mips).enumerate().filter(|(_, (slot, _))| slot.file == Some(key));
        let new: Vec<(usize, &[u8])> = of_file.map(|(at, (_, mip))| (at, &mip.bytes[..])).collect();
        let ranges = self.ranges(key, old.len());
        let lens = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).collect::<Vec<_>>();
        let is_as_long = lens(&ranges) == new.iter().map(|(_, bytes)| bytes.len()).collect::<Vec<_>>();
        let is_all = ranges.iter().map(Range::len).sum::<usize>() == old.len();
        // Written in place: whatever else the file holds stays where it is.
        if is_as_long && !overlap(&ranges) {
            let mut content = old.to_vec();
            let mut places = Vec::new();
            for ((at, bytes), range) in new.iter().zip(ranges) {
                places.push((*at, i64::try_from(range.start).unwrap_or(i64::MAX)));
                if let Some(place) = content.get_mut(range) {
                    place.copy_from_slice(bytes);
                }
            }
            return (content, places);
        }
        // A file of these mips alone is rewritten from the start; in a shared one, old mips stay as dead bytes.
        let mut content = if is_all && !overlap(&ranges) { Vec::new() } else { old.to_vec() };
        let mut places = Vec::new();
        for (at, bytes) in new {
            places.push((at, i64::try_from(content.len()).unwrap_or(i64::MAX)));
            content.extend_from_slice(bytes);
        }
        (content, places)
    }

    /// Returns the ranges of mips in a file of length `len`.
    fn ranges(&self, key: FileKey, len: usize) -> Vec<Range<usize>> {
        let range = |mip: &super::Mip<'_>| {
            let record = &mip.data.record;
            let own = usize::try_from(record.len).unwrap_or(usize::MAX);
            // Some cookers record offsets from elsewhere; a mip as long as its file is all of it.
            let start = if own == len { 0 } else { usize::try_from(record.offset).unwrap_or(usize::MAX) };
            start.min(len)..start.saturating_add(own).min(len)
        };
        let in_file = |mip: &&super::Mip<'_>| {
            slot_file(mip.data.record.place, mip.data.record.cooked_index) == Some(key)
        };
        self.mips.iter().filter(in_file).map(range).collect()
    }
}

/// True if some of the ranges have bytes in common.
fn overlap(ranges: &[Range<usize>]) -> bool {
    let mut sorted: Vec<&Range<usize>> = ranges.iter().collect();
    sorted.sort_by_key(|range| range.start);
    sorted.windows(2).any(|pair| matches!(pair, [a, b] if a.end > b.start))
}

/// Location of a new mip, taken from an old one.
struct Slot {
    like: BulkPlace,
    file: Option<FileKey>,
    header: BulkHeader,
    flags: u32,
    entry: Option<usize>,
}

impl Slot {
    fn bulk(&self, mip: &NewMip, written: Written, at: i64) -> NewBulk {
        let is_inline = self.like == BulkPlace::Inline;
        let header = match (self.entry, self.header) {
            (Some(entry), _) => NewHeader::Entry(entry),
            (None, BulkHeader::Own(own)) => {
                // Cookers record offsets in the export from the start of the package, whatever the flags say.
                let is_absolute = is_inline || own.is_absolute();
                NewHeader::Offset { at: written.offset_at.unwrap_or_default(), is_absolute }
            }
            (None, BulkHeader::Entry(entry)) => NewHeader::Entry(entry as usize),
        };
        let offset = if is_inline { i64::try_from(written.bytes_at).unwrap_or(i64::MAX) } else { at };
        NewBulk { header, flags: self.flags, offset, len: mip.bytes.len() as u64, is_inline }
    }
}

fn slot_file(place: BulkPlace, cooked_index: u8) -> Option<FileKey> {
    place.extension(cooked_index).map(|_| FileKey { place, cooked_index })
}
