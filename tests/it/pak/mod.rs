//! The index of `.pak` files, on real ones: every file is found, decodes, and has its hash.

mod commands;
mod forms;
mod hashes;
mod made;
mod mixed;
mod newest;
mod pack;
mod robustness;

pub(crate) use made::with_delete_records;

use crate::support::corpus;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::codec::{Method, Scratch, decode};
use uncask::crypto::{Cipher, EncryptionMethod, KeyRing};
use uncask::pak::{Entry, Footer, Index, Primary, Region};

/// Keys of the paks in the corpus.
pub(crate) const KEYS: [&str; 2] = [
    "lNJbw660IOC+kU7cnVQ1oeqrXyhk4J6UAZrCBbcnp94=",
    "435545345061727365466978747572654145534B657930313233343536373839",
];

/// A pak in memory.
pub(crate) struct Pak {
    bytes: Vec<u8>,
    pub(crate) index: Index,
    cipher: Option<Cipher>,
}

impl Pak {
    pub(crate) fn open(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let tail = &bytes[bytes.len().saturating_sub(Footer::MAX_LEN)..];
        let footer = Footer::parse(tail, bytes.len() as u64).unwrap();
        let ciphers = KEYS.map(|key| {
            let mut ring = KeyRing::default();
            ring.add_argument(key).unwrap();
            let (_, key) = ring.iter().next().unwrap();
            Cipher::new(key, EncryptionMethod::Ecb)
        });
        let mut cipher = None;
        let primary = if footer.is_index_encrypted {
            let fits = |cipher: &Cipher| {
                let plain = decrypt(cipher, slice(&bytes, footer.index));
                (<[u8; 20]>::from(Sha1::digest(&plain)) == footer.index.hash).then_some(plain)
            };
            let (found, plain) = ciphers.iter().find_map(|cipher| Some((cipher, fits(cipher)?))).unwrap();
            cipher = Some(found.clone());
            plain
        } else {
            slice(&bytes, footer.index).to_vec()
        };
        assert_eq!(<[u8; 20]>::from(Sha1::digest(&primary)), footer.index.hash, "{}", path.display());
        let primary = Primary::parse(&primary, &footer, bytes.len() as u64).unwrap();
        let directory = primary.directory_index.map(|region| {
            let plain = match &cipher {
                Some(cipher) => decrypt(cipher, slice(&bytes, region)),
                None => slice(&bytes, region).to_vec(),
            };
            assert_eq!(<[u8; 20]>::from(Sha1::digest(&plain)), region.hash, "{}", path.display());
            plain
        });
        let index = Index::new(footer, primary, directory.as_deref()).unwrap();
        let cipher = cipher.or_else(|| {
            // Where only the data is encrypted, the vendor of the pak tells.
            let at = usize::from(!path.to_string_lossy().contains("repak"));
            Some(ciphers[at].clone())
        });
        Self { bytes, index, cipher }
    }

    /// Every file by its path.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.index.files().map(|file| self.index.file(file).unwrap());
        files.map(|file| (file.path, self.content(&file.entry))).collect()
    }

    fn content(&self, entry: &Entry) -> Vec<u8> {
        let footer = self.index.footer();
        let stored = |offset: u64, len: u64| {
            let padded = if entry.is_encrypted { len.next_multiple_of(16) } else { len };
            let bytes = slice(&self.bytes, Region { offset, len: padded, ..Region::default() });
            let plain = match &self.cipher {
                Some(cipher) if entry.is_encrypted => decrypt(cipher, bytes),
                _ => bytes.to_vec(),
            };
            plain[..usize::try_from(len).unwrap()].to_vec()
        };
        if entry.method == 0 {
            return stored(entry.data_offset(footer), entry.raw_len);
        }
        let method = match footer.methods.get(entry.method as usize - 1) {
            Some(name) => Method::from_name(name).unwrap(),
            None => [Method::Zlib, Method::Gzip][entry.method as usize - 1],
        };
        let mut content = Vec::new();
        let mut scratch = Scratch::default();
        for block in &entry.blocks {
            let left = entry.raw_len - content.len() as u64;
            let mut out = vec![0; usize::try_from(left.min(entry.block_size.into())).unwrap()];
            decode(method, &stored(block.offset, block.len), &mut out, &mut scratch).unwrap();
            content.extend(out);
        }
        content
    }
}

fn slice(bytes: &[u8], region: Region) -> &[u8] {
    let start = usize::try_from(region.offset).unwrap();
    &bytes[start..start + usize::try_from(region.len).unwrap()]
}

fn decrypt(cipher: &Cipher, secret: &[u8]) -> Vec<u8> {
    let mut plain = vec![0; secret.len()];
    cipher.decrypt_block(None, secret, &mut plain).unwrap();
    plain
}

/// All paks below a folder.
fn paks(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|end| end == "pak"))
        .collect()
}

#[test]
fn every_variant_of_a_version_has_the_same_files() {
    let Some(corpus) = corpus::find() else { return };
    let mut reference: BTreeMap<String, (usize, BTreeMap<String, Vec<u8>>)> = BTreeMap::new();
    for path in paks(&corpus.join("pak/repak")) {
        let files = Pak::open(&path).files();
        assert!(!files.is_empty(), "{}", path.display());
        let (count, first) = reference.entry("repak".to_owned()).or_insert_with(|| (0, files.clone()));
        *count += 1;
        assert!(*first == files, "{}", path.display());
    }
    assert_eq!(reference["repak"].0, 24);
    for mode in ["Tagged", "Unversioned"] {
        let paths = paks(&corpus.join("pak/ue5.8/legacy").join(mode));
        assert_eq!(paths.len(), 4);
        let all: Vec<_> = paths.iter().map(|path| Pak::open(path).files()).collect();
        for (files, path) in all.iter().zip(&paths) {
            let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(files), names(&all[0]), "{}", path.display());
            let differing: Vec<&String> = files.keys().filter(|name| files[*name] != all[0][*name]).collect();
            assert!(differing.is_empty(), "{}: {differing:?}", path.display());
        }
    }
}
