//! Writes the index and the footer of a pak: the inverse of the other modules, for version 11 (UE 4.26 to
//! 5.7; later releases read it, too).

use super::Entry;
use crate::id::Guid;
use crate::id::hash::{FNV_BASIS, FNV_PRIME};
use crate::wire::Writer;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// Version to write.
const VERSION: u32 = 11;
const MAGIC: u32 = 0x5A6F_12E1;
/// Number of method names in the footer.
const NAMES: usize = 5;
/// Length of a method name in bytes.
const NAME_LEN: usize = 32;
/// Largest number of blocks that fits in a packed entry.
const MAX_PACKED_BLOCKS: usize = 0xFFFF;
/// Unit of the block size in a packed entry, in bytes.
const BLOCK_SIZE_UNIT: u32 = 1 << 11;
/// Value of that field if the size does not fit and follows in full.
const OTHER_BLOCK_SIZE: u32 = 0x3F;

/// The part of a pak after its data.
#[derive(Debug, Clone)]
pub struct PakBuilder {
    /// Base of all paths, such as `../../../`.
    pub mount_point: String,
    /// Files, with their paths below the mount point.
    pub files: Vec<(String, Entry)>,
    /// Name of compression method 1, if any entry uses it.
    pub method: Option<String>,
    /// Id of the encryption key; zero is the main key.
    pub key_guid: Guid,
}

/// Encrypts a region of an index; its length is a multiple of 16.
pub type Encrypt<'a, E> = dyn Fn(&[u8]) -> Result<Vec<u8>, E> + 'a;

/// A region of an index, before it is written.
struct Region {
    offset: u64,
    len: u64,
    hash: [u8; 20],
}

impl PakBuilder {
    /// Returns the index and the footer, for data that ends at `position`. To encrypt the index, `encrypt` is
    /// called with each region, padded to 16 bytes.
    pub fn finish<E>(&self, position: u64, encrypt: Option<&Encrypt<'_, E>>) -> Result<Vec<u8>, E> {
        let (packed, long, locations) = self.entries();
        let seal = |mut bytes: Vec<u8>, offset: u64| {
            let plain_len = bytes.len();
            if encrypt.is_some() {
                bytes.resize(plain_len.next_multiple_of(16), 0);
            }
            // The hash covers the plain bytes with their padding.
            let region = Region { offset, len: bytes.len() as u64, hash: Sha1::digest(&bytes).into() };
            let stored = match encrypt {
                Some(encrypt) => encrypt(&bytes)?,
                None => bytes,
            };
            Ok((region, stored))
        };
        // The primary index comes first but contains the places of the others; its length does not depend on
        // them.
        let primary = |hashes: &Region, directories: &Region| {
            let mut w = Writer::new();
            w.string(&self.mount_point).u32(count(self.files.len())).u64(0);
            for region in [hashes, directories] {
                w.u32(1).u64(region.offset).u64(region.len).bytes(&region.hash);
            }
            w.u32(count(packed.len())).bytes(&packed).u32(count(long.len()));
            for entry in &long {
                entry.write(&mut w);
            }
            w.into_bytes()
        };
        let nowhere = || Region { offset: 0, len: 0, hash: [0; 20] };
        // Sealed once with empty places, only to learn its length.
        let (first, _) = seal(primary(&nowhere(), &nowhere()), position)?;
        let (hashes, hash_bytes) = seal(self.path_hashes(&locations), position + first.len)?;
        let (directories, directory_bytes) = seal(self.directories(&locations), hashes.offset + hashes.len)?;
        let (index, mut bytes) = seal(primary(&hashes, &directories), position)?;
        bytes.extend(hash_bytes);
        bytes.extend(directory_bytes);
        bytes.extend(self.footer(&index, encrypt.is_some()));
        Ok(bytes)
    }

    /// Returns the packed entries, the entries that do not fit the packed form, and the location of each
    /// file's entry.
    fn entries(&self) -> (Vec<u8>, Vec<&Entry>, Vec<i32>) {
        let (mut packed, mut long, mut locations) = (Writer::new(), Vec::new(), Vec::new());
        for (_, entry) in &self.files {
            // Locations are 31-bit positions in the packed entries.
            let at = i32::try_from(packed.len()).ok();
            match at.filter(|_| entry.write_packed(&mut packed)) {
                Some(at) => locations.push(at),
                None => {
                    // −1 − n marks the long entry n.
                    locations.push(-1 - i32::try_from(long.len()).unwrap_or(i32::MAX - 1));
                    long.push(entry);
                }
            }
        }
        (packed.into_bytes(), long, locations)
    }

    fn path_hashes(&self, locations: &[i32]) -> Vec<u8> {
        let mut w = Writer::new();
        w.u32(count(self.files.len()));
        for ((path, _), location) in self.files.iter().zip(locations) {
            w.u64(path_hash(path)).i32(*location);
        }
        // No directories here: the full index has them.
        w.u32(0);
        w.into_bytes()
    }

    /// Writes every folder on the way to a file, and the files in each.
    fn directories(&self, locations: &[i32]) -> Vec<u8> {
        let mut folders: BTreeMap<&str, Vec<(&str, i32)>> = BTreeMap::new();
        for ((path, _), location) in self.files.iter().zip(locations) {
            let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |split| split);
            folders.entry(folder).or_default().push((name, *location));
            let mut above = folder;
            // Folders that contain only folders are listed, too, without files.
            while let Some((parent, _)) = above.rsplit_once('/') {
                folders.entry(parent).or_default();
                above = parent;
            }
            folders.entry("").or_default();
        }
        let mut w = Writer::new();
        w.u32(count(folders.len()));
        for (folder, files) in folders {
            w.string(&format!("{folder}/")).u32(count(files.len()));
            for (name, location) in files {
                w.string(name).i32(location);
            }
        }
        w.into_bytes()
    }

    fn footer(&self, index: &Region, encrypted: bool) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.key_guid.0).u8(u8::from(encrypted)).u32(MAGIC).u32(VERSION);
        w.u64(index.offset).u64(index.len).bytes(&index.hash);
        let mut names = [0; NAMES * NAME_LEN];
        // The last byte of a name stays NUL.
        let name = self.method.iter().flat_map(|name| name.bytes()).take(NAME_LEN - 1);
        names.iter_mut().zip(name).for_each(|(to, from)| *to = from);
        w.bytes(&names);
        w.into_bytes()
    }
}

impl Entry {
    /// Returns the length of the entry header before the data of a file with this many compressed blocks; 0
    /// if it is uncompressed.
    #[must_use]
    pub const fn header_len(blocks: usize) -> u64 {
        53 + if blocks > 0 { 4 + 16 * blocks as u64 } else { 0 }
    }

    /// Appends the long form, which also precedes the data, there with offset 0.
    pub fn write(&self, w: &mut Writer) {
        w.u64(self.offset).u64(self.stored_len).u64(self.raw_len).u32(self.method);
        w.bytes(&self.hash.unwrap_or_default());
        if self.method != 0 {
            w.u32(count(self.blocks.len()));
            for block in &self.blocks {
                // Since version 5, block offsets count from the start of the entry.
                let start = block.offset.saturating_sub(self.offset);
                w.u64(start).u64(start.saturating_add(block.len));
            }
        }
        w.u8(u8::from(self.is_encrypted)).u32(self.block_size);
    }

    /// Appends the packed form; returns false, without appending anything, if the entry does not fit.
    fn write_packed(&self, w: &mut Writer) -> bool {
        let lens: Option<Vec<u32>> = self.blocks.iter().map(|block| u32::try_from(block.len).ok()).collect();
        let Some(lens) = lens.filter(|lens| lens.len() <= MAX_PACKED_BLOCKS && self.method < 0x40) else {
            return false;
        };
        let units = self.block_size / BLOCK_SIZE_UNIT;
        // Other block sizes get the value that announces a full field.
        let fits = self.block_size.is_multiple_of(BLOCK_SIZE_UNIT) && units < OTHER_BLOCK_SIZE;
        let size_bits = if fits { units } else { OTHER_BLOCK_SIZE };
        let short = |value: u64| u32::from(u32::try_from(value).is_ok());
        let bits = size_bits
            | count(lens.len()) << 6
            | u32::from(self.is_encrypted) << 22
            | self.method << 23
            | short(self.stored_len) << 29
            | short(self.raw_len) << 30
            | short(self.offset) << 31;
        w.u32(bits);
        if !fits {
            w.u32(self.block_size);
        }
        let sizes = [Some(self.offset), Some(self.raw_len), (self.method != 0).then_some(self.stored_len)];
        for value in sizes.into_iter().flatten() {
            match u32::try_from(value) {
                Ok(value) => w.u32(value),
                Err(_) => w.u64(value),
            };
        }
        // A single plain block is as long as the entry, so its length is omitted.
        if self.method != 0 && (lens.len() != 1 || self.is_encrypted) {
            for len in lens {
                w.u32(len);
            }
        }
        true
    }
}

/// Hashes a path below the mount point: FNV-1a over the UTF-16LE bytes of the lower-cased text.
fn path_hash(path: &str) -> u64 {
    let bytes = path.to_lowercase().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    bytes.iter().fold(FNV_BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// Converts a count; the caller has rejected paks with more files or index bytes.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Footer, Index, Primary};
    use super::*;
    use std::convert::Infallible;

    fn entries() -> Vec<(String, Entry)> {
        let hash = Some([7; 20]);
        let plain = Entry { stored_len: 1000, raw_len: 1000, hash, ..Entry::default() };
        let one = |offset: u64| Block { offset: offset + Entry::header_len(1), len: 300 };
        let single = Entry {
            offset: 1053,
            stored_len: 300,
            raw_len: 900,
            method: 1,
            hash,
            blocks: vec![one(1053)],
            block_size: 900,
            ..Entry::default()
        };
        let far = 1 << 33;
        let blocks = |offset: u64| {
            let start = offset + Entry::header_len(3);
            vec![
                Block { offset: start, len: 100 },
                Block { offset: start + 112, len: 64 },
                Block { offset: start + 176, len: 17 },
            ]
        };
        let several = Entry {
            offset: far,
            stored_len: 208,
            raw_len: 150_000,
            method: 1,
            hash,
            blocks: blocks(far),
            block_size: 65_536,
            is_encrypted: true,
            ..Entry::default()
        };
        let odd = Entry { block_size: 60_001, ..several.clone() };
        let named = [("a.ini", plain), ("B/c.txt", single), ("B/D/e.bin", several), ("ü.bin", odd)];
        named.into_iter().map(|(name, entry)| (name.to_owned(), entry)).collect()
    }

    /// Reads the index back; the data before it is absent.
    fn read(bytes: &[u8], position: u64) -> Index {
        let file_len = position + bytes.len() as u64;
        let footer = Footer::parse(&bytes[bytes.len() - 221..], file_len).unwrap();
        let part = |region: super::super::Region| {
            let start = usize::try_from(region.offset - position).unwrap();
            &bytes[start..start + usize::try_from(region.len).unwrap()]
        };
        assert_eq!(footer.index.hash, <[u8; 20]>::from(Sha1::digest(part(footer.index))));
        let primary = Primary::parse(part(footer.index), &footer, file_len).unwrap();
        let directories = primary.directory_index.unwrap();
        Index::new(footer, primary, Some(part(directories))).unwrap()
    }

    #[test]
    fn what_is_written_reads_back() {
        let builder = PakBuilder {
            mount_point: "../../../Game/".to_owned(),
            files: entries(),
            method: Some("Zlib".to_owned()),
            key_guid: Guid([9; 16]),
        };
        let bytes: Result<_, Infallible> = builder.finish(1 << 34, None);
        let index = read(&bytes.unwrap(), 1 << 34);
        assert_eq!((index.footer().methods[0].as_str(), index.footer().key_guid), ("Zlib", Guid([9; 16])));
        let mut found: Vec<_> = index.files().map(|file| index.file(file).unwrap()).collect();
        found.sort_by(|a, b| a.path.cmp(&b.path));
        let mut expected = entries();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found.len(), expected.len());
        for (file, (path, entry)) in found.iter().zip(expected) {
            assert_eq!(file.path, format!("Game/{path}"));
            assert_eq!(file.entry, Entry { hash: None, ..entry }, "{path}");
        }
    }
}
