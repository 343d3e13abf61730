//! Finds and proves the key of an encrypted container: by the directory index, or else by the content of a chunk.

use super::chunk_reader::{ChunkReader, MAX_PROBE};
use super::place::ContainerPlace;
use crate::container::toc::raw;
use crate::container::{ChunkIndex, DirectoryIndex, Toc};
use crate::crypto::{AesKey, Cipher, EncryptionMethod, KeyRing};
use crate::error::{Error, Result, UnsupportedFeature};
use crate::id::ChunkHash;
use crate::table::Table;
use crate::version::{ChunkHashKind, ContainerHeaderVersion};
use crate::wire::Fault;
use bytes::Bytes;
use std::cell::OnceCell;
use std::path::Path;

/// The directory index as stored in a table of contents, encrypted or not.
pub(super) struct StoredIndex {
    bytes: Bytes,
    iv: Option<raw::Iv>,
    chunk_count: u32,
    /// Its encryption method; `Err` holds an unknown method byte.
    encryption: Result<Option<EncryptionMethod>, u8>,
}

impl StoredIndex {
    pub(super) fn of(toc: &Toc) -> Self {
        Self {
            bytes: toc.directory_index_bytes(),
            iv: toc.directory_index_iv(),
            chunk_count: toc.chunk_count(),
            encryption: toc.encryption_method(),
        }
    }

    fn parse(&self, bytes: Bytes) -> Result<DirectoryIndex, Fault> {
        if bytes.is_empty() {
            Ok(DirectoryIndex::default())
        } else {
            DirectoryIndex::parse(bytes, self.chunk_count)
        }
    }

    /// Decrypts the index; `None` if the result is not a valid one.
    fn decrypt(&self, cipher: &Cipher) -> Option<DirectoryIndex> {
        let mut plain = vec![0; self.bytes.len()];
        cipher.decrypt_block(self.iv, &self.bytes, &mut plain).ok()?;
        // A wrong key gives noise; the cheap check of the first fields rejects nearly all of it before a full parse.
        DirectoryIndex::looks_plausible(&plain).then(|| self.parse(plain.into()).ok())?
    }
}

/// The result of opening a container's index.
pub(super) struct Unlocked {
    pub cipher: Option<Cipher>,
    pub index: Result<DirectoryIndex, Fault>,
}

/// Opens the directory index of a container, with the key that fits if it is encrypted.
pub(super) fn unlock(
    path: &Path,
    table: &Table,
    index: &StoredIndex,
    place: &ContainerPlace,
    keys: &KeyRing,
) -> Result<Unlocked> {
    let method = index.encryption.map_err(|method| Error::Unsupported {
        what: UnsupportedFeature::Encryption(method),
        path: path.to_owned(),
    })?;
    let Some(method) = method else {
        return Ok(Unlocked { cipher: None, index: index.parse(index.bytes.clone()) });
    };
    let guid = table.encryption_key_guid();
    let mut tried = 0;
    // The probe chunk is found once, and only if the index cannot decide: on a server it costs requests.
    let probe = OnceCell::new();
    for key in keys.candidates(guid) {
        tried += 1;
        let smallest = || smallest_chunk(path, table, place);
        let probe = || probe.get_or_init(smallest).as_ref();
        if let Some((cipher, index)) = try_key(table, index, key, method, probe) {
            return Ok(Unlocked { cipher: Some(cipher), index: Ok(index) });
        }
    }
    let path = path.to_owned();
    Err(if tried == 0 { Error::MissingKey { guid, path } } else { Error::WrongKey { guid, tried, path } })
}

fn try_key<'a>(
    table: &Table,
    index: &StoredIndex,
    key: &AesKey,
    method: EncryptionMethod,
    probe: impl FnOnce() -> Option<&'a Probe<'a>>,
) -> Option<(Cipher, DirectoryIndex)> {
    let cipher = Cipher::new(key, method);
    // A container without an index needs a chunk as proof; with one, the index itself is the proof.
    if index.bytes.is_empty() {
        return proves(probe()?, table, &cipher).then(|| (cipher, DirectoryIndex::default()));
    }
    let index = index.decrypt(&cipher)?;
    Some((cipher, index))
}

/// A chunk for trying keys.
type Probe<'a> = (ChunkReader<'a>, ChunkIndex);

fn smallest_chunk<'a>(path: &'a Path, table: &'a Table, place: &ContainerPlace) -> Option<Probe<'a>> {
    let reader = ChunkReader::new(path, table, place.data(path, table));
    let chunk = reader.smallest()?;
    Some((reader, chunk))
}

/// True if a chunk decrypts correctly with this cipher, by its hash or else by its magic.
fn proves((reader, chunk): &Probe<'_>, table: &Table, cipher: &Cipher) -> bool {
    let Ok(content) = reader.read(*chunk, 0..u64::MAX, MAX_PROBE.into(), Some(cipher)) else { return false };
    let expected = table.meta(*chunk).map(|meta| meta.hash).filter(|hash| !hash.is_zero());
    match expected {
        // Packers use either hash function with either version, so both are tried.
        Some(hash) => [ChunkHashKind::Blake3, ChunkHashKind::Sha1]
            .into_iter()
            .any(|kind| ChunkHash::of(kind, &content) == hash),
        // Writers that record no hashes still have a container header, which begins with `nCoI` since UE 5.0.
        None => content.starts_with(&ContainerHeaderVersion::MAGIC),
    }
}
