//! Opens paks: finds the key of an encrypted index, and joins the parts of the index.

use super::chunk_reader::{ChunkReader, MAX_PROBE};
use super::place::ContainerPlace;
use crate::codec::Codecs;
use crate::container::BlockIndex;
use crate::crypto::{Cipher, EncryptionMethod, IV_LEN, KeyRing};
use crate::error::{Bound, Error, Result, UnsupportedFeature};
use crate::pak::{self, Footer, Index, IndexMismatch, IndexPart, PakEncryption, Primary, Region};
use crate::source::{Buffer, Files, Source, read_blocking};
use crate::table::Table;
use crate::wire::Fault;
use sha1::{Digest, Sha1};
use std::path::Path;
use std::sync::Arc;

/// The longest index part accepted, in bytes; those of the largest games take dozens of MiB.
const MAX_INDEX_LEN: u64 = 1 << 30;

/// An opened pak.
pub(super) struct OpenedPak {
    pub table: Table,
    pub cipher: Option<Cipher>,
    /// The error that keeps its encrypted parts from being read.
    pub locked: Option<Error>,
    pub source: Arc<dyn Source>,
    /// Parts of the index that do not match their recorded hashes.
    pub index_mismatches: Vec<IndexMismatch>,
}

/// Opens a pak with the first key that fits.
pub(super) fn open_pak(files: &Files, path: &Path, keys: &KeyRing, codecs: &Codecs) -> Result<OpenedPak> {
    let (source, len) = ContainerPlace::single(path, files)?;
    // The footer is at the end, and its length differs by version: read the longest and let the parser look for the
    // magic.
    let tail_len = len.min(Footer::MAX_LEN as u64);
    let tail = read(&*source, path, len - tail_len, tail_len)?;
    let footer = Footer::parse(&tail, len).map_err(Error::malformed("pak footer", path))?;
    Opener { path, source: &source, len, footer, codecs }.open(keys)
}

struct Opener<'a> {
    path: &'a Path,
    source: &'a Arc<dyn Source>,
    /// Length of the pak in bytes.
    len: u64,
    footer: Footer,
    codecs: &'a Codecs,
}

impl Opener<'_> {
    fn open(&self, keys: &KeyRing) -> Result<OpenedPak> {
        let guid = self.footer.key_guid;
        let method = match self.footer.encryption {
            Ok(PakEncryption::Ecb) => EncryptionMethod::Ecb,
            Ok(PakEncryption::Ctr(_)) => EncryptionMethod::Ctr,
            Err(method) => {
                let what = UnsupportedFeature::Encryption(method);
                return Err(Error::Unsupported { what, path: self.path.to_owned() });
            }
        };
        // Keys of the recorded GUID come first, then all others: mods often carry a GUID that means nothing.
        let candidates: Vec<Cipher> = keys.candidates(guid).map(|key| Cipher::new(key, method)).collect();
        let path = || self.path.to_owned();
        let tried = candidates.len();
        let problem = || match tried {
            0 => Error::MissingKey { guid, path: path() },
            tried => Error::WrongKey { guid, tried, path: path() },
        };
        // An encrypted index is proven by its SHA-1 in the footer, so a wrong key is never taken for a right one.
        if self.footer.is_index_encrypted {
            let secret = self.region(self.footer.index)?;
            let fits = |cipher: &Cipher| {
                let plain = self.decrypt(cipher, IndexPart::Primary, &secret)?;
                (<[u8; 20]>::from(Sha1::digest(&plain)) == self.footer.index.hash).then_some(plain)
            };
            let found = candidates.iter().find_map(|cipher| Some((cipher, fits(cipher)?)));
            let Some((cipher, primary)) = found else {
                // Without the index no file is known; an empty table still reports the pak, its version and its key
                // GUID.
                let empty = pak::Table::new(Index::empty(self.footer.clone()), self.len);
                return Ok(OpenedPak { locked: Some(problem()), ..self.opened(empty, Vec::new()) });
            };
            let (table, mismatches) = self.table(&primary, Some(cipher))?;
            return Ok(OpenedPak { cipher: Some(cipher.clone()), ..self.opened(table, mismatches) });
        }
        let (table, mismatches) = self.table(&self.region(self.footer.index)?, None)?;
        // Encryption of the index and of each file are separate flags, so a plain index may list encrypted files.
        let is_plain = !table.has_encrypted_files();
        let opened = self.opened(table, mismatches);
        if is_plain {
            return Ok(opened);
        }
        let cipher = self.cipher_of_files(&opened.table, candidates);
        let locked = cipher.is_none().then(problem);
        Ok(OpenedPak { cipher, locked, ..opened })
    }

    fn opened(&self, table: pak::Table, index_mismatches: Vec<IndexMismatch>) -> OpenedPak {
        let (table, source) = (table.into(), Arc::clone(self.source));
        OpenedPak { table, cipher: None, locked: None, source, index_mismatches }
    }

    /// Finds the cipher of encrypted files under a plain index. It records no key for them, and hashes are of the
    /// encrypted bytes, so decompression to the right length is the only proof. If nothing is compressed, the first key
    /// is taken.
    fn cipher_of_files(&self, table: &Table, candidates: Vec<Cipher>) -> Option<Cipher> {
        let reader = ChunkReader::new(self.path, table, Arc::clone(self.source));
        // Only a block that is encrypted and compressed can prove a key.
        let probe = reader.smallest_of(|chunk| {
            let first = table.block(chunk, BlockIndex(0));
            first.is_some_and(|block| block.is_encrypted && block.method != 0)
        });
        let decodes =
            |cipher: &Cipher, chunk| reader.read(chunk, 0..u64::MAX, MAX_PROBE.into(), Some(cipher)).is_ok();
        match probe {
            Some(chunk) => candidates.into_iter().find(|cipher| decodes(cipher, chunk)),
            None => candidates.into_iter().next(),
        }
    }

    /// Reads the other parts of the index and joins them. Parts with a wrong hash are reported, but read all the same.
    fn table(&self, primary: &[u8], cipher: Option<&Cipher>) -> Result<(pak::Table, Vec<IndexMismatch>)> {
        let malformed = |fault: Fault| Error::malformed("pak index", self.path)(fault);
        let mut mismatches = Vec::new();
        mismatches.extend(self.footer.index.check(IndexPart::Primary, primary));
        let primary = Primary::parse(primary, &self.footer, self.len).map_err(malformed)?;
        let mut part = |part, region: Option<Region>| -> Result<Option<Vec<u8>>> {
            let Some(region) = region else { return Ok(None) };
            let plain = self.plain(part, region, cipher)?;
            mismatches.extend(region.check(part, &plain));
            Ok(Some(plain))
        };
        let mut names = part(IndexPart::PathHashes, primary.path_hash_index)?;
        if primary.directory_index.is_some() {
            // The directory index has real paths, so the path hashes were read only to be checked; free them now.
            drop(names.take());
            names = part(IndexPart::Directory, primary.directory_index)?;
        }
        let index = Index::new(self.footer.clone(), primary, names.as_deref()).map_err(malformed)?;
        Ok((pak::Table::new(index, self.len).with_codecs(self.codecs), mismatches))
    }

    fn plain(&self, part: IndexPart, region: Region, cipher: Option<&Cipher>) -> Result<Vec<u8>> {
        let bytes = self.region(region)?;
        match cipher {
            None => Ok(bytes),
            Some(cipher) => self.decrypt(cipher, part, &bytes).ok_or_else(|| Error::WrongKey {
                guid: self.footer.key_guid,
                tried: 1,
                path: self.path.to_owned(),
            }),
        }
    }

    fn decrypt(&self, cipher: &Cipher, part: IndexPart, secret: &[u8]) -> Option<Vec<u8>> {
        let iv: Option<[u8; IV_LEN]> = match self.footer.encryption {
            // Version 15 records one initialisation vector per index part, in the order of `IndexPart`.
            Ok(PakEncryption::Ctr(ivs)) => ivs.get(part as usize).copied(),
            _ => None,
        };
        let mut plain = vec![0; secret.len()];
        cipher.decrypt_block(iv, secret, &mut plain).ok()?;
        Some(plain)
    }

    fn region(&self, region: Region) -> Result<Vec<u8>> {
        // The offset and length were checked against the file; a crafted file may still be sparse and huge.
        if region.len > MAX_INDEX_LEN {
            let (what, found, limit) = ("size of a pak index", region.len, MAX_INDEX_LEN);
            return Err(Error::Limit { what, found, limit, bound: Bound::Fixed, path: self.path.to_owned() });
        }
        read(&**self.source, self.path, region.offset, region.len)
    }
}

/// Reads a range already checked against the file's length.
fn read(source: &dyn Source, path: &Path, offset: u64, len: u64) -> Result<Vec<u8>> {
    let buffer = Buffer::new(usize::try_from(len).unwrap_or(usize::MAX));
    let read = read_blocking(source, offset, buffer).map_err(Error::io("read", path))?;
    Ok(read.into_bytes())
}
