//! Opens paks: finds the key of an encrypted index, and puts the parts of the index together.

use super::chunk_reader::{ChunkReader, MAX_PROBE};
use crate::codec::Codecs;
use crate::container::BlockIndex;
use crate::crypto::{Cipher, EncryptionMethod, IV_LEN, KeyRing};
use crate::error::{Error, Result};
use crate::pak::{self, Footer, Index, PakEncryption, Primary, Region};
use crate::source::{Blocking as _, SingleFile};
use crate::table::Table;
use crate::wire::Fault;
use sha1::{Digest, Sha1};
use std::path::Path;
use std::sync::Arc;

/// The largest part of an index that is read; those of the largest games have some dozens of MiB.
const MAX_INDEX_LEN: u64 = 1 << 30;

/// What a pak opens to.
pub(super) struct OpenedPak {
    pub table: Table,
    pub cipher: Option<Cipher>,
    /// Why what is encrypted in it cannot be read, if it cannot.
    pub locked: Option<Error>,
    pub source: Arc<SingleFile>,
}

/// Which of the regions of an index, in the order of their IVs.
#[derive(Clone, Copy)]
enum Part {
    Primary,
    PathHashes,
    Directory,
}

/// Opens a pak with whichever key fits.
pub(super) fn open_pak(path: &Path, keys: &KeyRing, codecs: &Codecs) -> Result<OpenedPak> {
    let source = Arc::new(SingleFile::open(path)?);
    let tail_len = source.len().min(Footer::MAX_LEN as u64);
    let tail = read(&source, path, source.len() - tail_len, tail_len)?;
    let footer = Footer::parse(&tail, source.len()).map_err(Error::malformed("pak footer", path))?;
    let opener = Opener { path, source: &source, footer, codecs };
    let (table, cipher, locked) = opener.open(keys)?;
    Ok(OpenedPak { table, cipher, locked, source })
}

struct Opener<'a> {
    path: &'a Path,
    source: &'a Arc<SingleFile>,
    footer: Footer,
    codecs: &'a Codecs,
}

impl Opener<'_> {
    fn open(&self, keys: &KeyRing) -> Result<(Table, Option<Cipher>, Option<Error>)> {
        let guid = self.footer.key_guid;
        let method = match self.footer.encryption {
            Ok(PakEncryption::Ecb) => EncryptionMethod::Ecb,
            Ok(PakEncryption::Ctr(_)) => EncryptionMethod::Ctr,
            Err(method) => {
                let what = format!("encryption method {method}");
                return Err(Error::Unsupported { what, path: self.path.to_owned() });
            }
        };
        let candidates: Vec<Cipher> = keys.candidates(guid).map(|key| Cipher::new(key, method)).collect();
        let path = || self.path.to_owned();
        let tried = candidates.len();
        let problem = || match tried {
            0 => Error::MissingKey { guid, path: path() },
            tried => Error::WrongKey { guid, tried, path: path() },
        };
        if self.footer.is_index_encrypted {
            let secret = self.region(self.footer.index)?;
            let fits = |cipher: &Cipher| {
                let plain = self.decrypt(cipher, Part::Primary, &secret)?;
                (<[u8; 20]>::from(Sha1::digest(&plain)) == self.footer.index.hash).then_some(plain)
            };
            let found = candidates.iter().find_map(|cipher| Some((cipher, fits(cipher)?)));
            let Some((cipher, primary)) = found else {
                let empty = Index::empty(self.footer.clone());
                return Ok((pak::Table::new(empty, self.source.len()).into(), None, Some(problem())));
            };
            let table = self.table(&primary, Some(cipher))?;
            return Ok((table.into(), Some(cipher.clone()), None));
        }
        let table = self.table(&self.region(self.footer.index)?, None)?;
        if !table.has_encrypted_files() {
            return Ok((table.into(), None, None));
        }
        // A plain index does not tell which key its files need, and hashes are of what is encrypted. What decompresses to
        // its length does; where nothing is compressed, the first key has to do.
        let table = Table::from(table);
        let reader = ChunkReader::new(self.path, &table, Arc::clone(self.source) as _);
        let probe = reader.smallest_of(|chunk| {
            let first = table.block(chunk, BlockIndex(0));
            first.is_some_and(|block| block.is_encrypted && block.method != 0)
        });
        let decodes =
            |cipher: &Cipher, chunk| reader.read(chunk, 0..u64::MAX, MAX_PROBE, Some(cipher)).is_ok();
        let cipher = match probe {
            Some(chunk) => candidates.into_iter().find(|cipher| decodes(cipher, chunk)),
            None => candidates.into_iter().next(),
        };
        let locked = cipher.is_none().then(problem);
        Ok((table, cipher, locked))
    }

    /// Reads the rest of the index and joins it.
    fn table(&self, primary: &[u8], cipher: Option<&Cipher>) -> Result<pak::Table> {
        let malformed = |fault: Fault| Error::malformed("pak index", self.path)(fault);
        let primary = Primary::parse(primary, &self.footer, self.source.len()).map_err(malformed)?;
        let names = match (primary.directory_index, primary.path_hash_index) {
            (Some(region), _) => Some((Part::Directory, region)),
            (None, Some(region)) => Some((Part::PathHashes, region)),
            (None, None) => None,
        };
        let names = names.map(|(part, region)| self.plain(part, region, cipher)).transpose()?;
        let index = Index::new(self.footer.clone(), primary, names.as_deref()).map_err(malformed)?;
        Ok(pak::Table::new(index, self.source.len()).with_codecs(self.codecs))
    }

    fn plain(&self, part: Part, region: Region, cipher: Option<&Cipher>) -> Result<Vec<u8>> {
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

    fn decrypt(&self, cipher: &Cipher, part: Part, secret: &[u8]) -> Option<Vec<u8>> {
        let iv: Option<[u8; IV_LEN]> = match self.footer.encryption {
            Ok(PakEncryption::Ctr(ivs)) => ivs.get(part as usize).copied(),
            _ => None,
        };
        let mut plain = vec![0; secret.len()];
        cipher.decrypt_block(iv, secret, &mut plain).ok()?;
        Some(plain)
    }

    fn region(&self, region: Region) -> Result<Vec<u8>> {
        if region.len > MAX_INDEX_LEN {
            let (what, found, limit) = ("size of a pak index", region.len, MAX_INDEX_LEN);
            return Err(Error::Limit {
                what,
                found,
                limit,
                flag: "no real pak has more",
                path: self.path.to_owned(),
            });
        }
        read(self.source, self.path, region.offset, region.len)
    }
}

/// Reads bytes whose place was compared with the length of the file.
fn read(source: &SingleFile, path: &Path, offset: u64, len: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
    source.read_now(offset, &mut bytes).map_err(Error::io("read", path))?;
    Ok(bytes)
}
