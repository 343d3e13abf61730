//! Writes paks of forms that `pack` does not, byte by byte: an old one with delete records, and the newest, encrypted as a
//! stream.

use ctr::cipher::{KeyIvInit, StreamCipher};
use sha1::{Digest, Sha1};
use uncask::codec::{Method, Scratch, compress};

/// Bytes that are compressed at once.
const BLOCK: usize = 64 << 10;

/// A pak of version 8 (UE 4.23). A file without content is a delete record.
pub(crate) fn with_delete_records(files: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let (mut pak, mut index) = (Vec::new(), Vec::new());
    string(&mut index, "../../../");
    index.extend(len32(files.len()));
    for (path, content) in files {
        string(&mut index, path);
        let entry = |offset: usize| {
            let len = content.map_or(0, <[u8]>::len) as u64;
            let numbers = [offset as u64, len, len].map(u64::to_le_bytes);
            let flags = if content.is_some() { 0 } else { 2 };
            let hash: [u8; 20] = Sha1::digest(content.unwrap_or_default()).into();
            [numbers.as_flattened(), &[0; 4], &hash, &[flags], &[0; 4]].concat()
        };
        index.extend(entry(pak.len()));
        if let Some(content) = content {
            pak.extend(entry(0));
            pak.extend(*content);
        }
    }
    let at = pak.len();
    pak.extend(&index);
    pak.extend([0; 16 + 1]);
    pak.extend(footer(8, at, &index));
    pak.extend([0; 5 * 32]);
    pak
}

/// A key, and whether the indices are encrypted, too.
pub(super) struct Newest {
    pub(super) key: [u8; 32],
    pub(super) encrypts_index: bool,
}

impl Newest {
    /// A pak of version 15 (UE 6.0): AES-CTR, with an IV for each file and each index. Zlib where `compressed` says so.
    pub(super) fn pak(&self, files: &[(&str, Vec<u8>, bool)]) -> Vec<u8> {
        let (mut pak, mut entries, mut directory) = (Vec::new(), Vec::new(), Vec::new());
        directory.extend(len32(1));
        string(&mut directory, "/");
        directory.extend(len32(files.len()));
        for (number, (path, content, compressed)) in (1..).zip(files) {
            directory.extend(len32(path.len()));
            directory.extend(path.bytes());
            directory.extend(len32(entries.len()));
            let iv = [number; 12];
            self.file(&mut pak, &mut entries, content, *compressed, iv);
        }
        let place = |pak: &[u8], plain: &[u8]| {
            let numbers = [pak.len() as u64, plain.len() as u64].map(u64::to_le_bytes);
            [numbers.as_flattened(), &Sha1::digest(plain)].concat()
        };
        let ivs = [[0xA1; 12], [0xA2; 12], [0xA3; 12]];
        pad(&mut directory);
        let of_directory = place(&pak, &directory);
        pak.extend(self.index(directory, ivs[2]));
        let mut index = Vec::new();
        string(&mut index, "../../../");
        index.extend(len32(files.len()));
        index.extend([0; 8 + 4]);
        index.extend(len32(1));
        index.extend(of_directory);
        index.extend(len32(entries.len()));
        index.extend(entries);
        index.extend(len32(0));
        pad(&mut index);
        let at = pak.len();
        pak.extend(self.index(index.clone(), ivs[0]));
        pak.extend([0; 16]);
        pak.push(self.encrypts_index.into());
        pak.extend(footer(15, at, &index));
        let mut methods = [0; 5 * 32];
        methods[..4].copy_from_slice(b"Zlib");
        pak.extend(methods);
        pak.extend((-1_i32).to_le_bytes());
        pak.push(2);
        pak.extend(ivs.as_flattened());
        pak
    }

    /// Appends a file and its entry in the packed form.
    fn file(&self, pak: &mut Vec<u8>, entries: &mut Vec<u8>, content: &[u8], compressed: bool, iv: [u8; 12]) {
        let (mut data, mut lens) = (Vec::new(), Vec::new());
        if compressed {
            let mut block = Vec::new();
            for raw in content.chunks(BLOCK) {
                compress(Method::Zlib, raw, None, &mut block, &mut Scratch::default()).unwrap();
                lens.push(block.len());
                data.extend(&block);
                pad(&mut data);
            }
        } else {
            data.extend(content);
            pad(&mut data);
        }
        let stored_len = if compressed { data.len() } else { content.len() };
        self.apply(&mut data, iv);
        let (offset, method) = (pak.len(), u32::from(compressed));
        let block_size = if compressed { u32::try_from(BLOCK >> 11).unwrap() } else { 0 };
        let bits = block_size | u32::try_from(lens.len()).unwrap() << 6 | 1 << 22 | method << 23 | 7 << 29;
        entries.extend(bits.to_le_bytes());
        entries.extend(len32(offset));
        entries.extend(len32(content.len()));
        entries.extend(iv);
        if compressed {
            entries.extend(len32(stored_len));
        }
        entries.extend(lens.iter().flat_map(|len| len32(*len)));
        let numbers = [0, stored_len as u64, content.len() as u64].map(u64::to_le_bytes);
        pak.extend(numbers.as_flattened());
        pak.extend(method.to_le_bytes());
        pak.extend(Sha1::digest(&data[..stored_len]));
        if compressed {
            let mut at = 53 + 4 + 16 * lens.len();
            pak.extend(len32(lens.len()));
            for len in &lens {
                pak.extend([at as u64, (at + len) as u64].map(u64::to_le_bytes).as_flattened());
                at += len.next_multiple_of(16);
            }
        }
        pak.push(1);
        pak.extend(len32(if compressed { BLOCK } else { 0 }));
        pak.extend(data);
    }

    fn index(&self, mut plain: Vec<u8>, iv: [u8; 12]) -> Vec<u8> {
        if self.encrypts_index {
            self.apply(&mut plain, iv);
        }
        plain
    }

    /// AES-256-CTR, the last four bytes of the counter block big-endian, from 0.
    fn apply(&self, bytes: &mut [u8], iv: [u8; 12]) {
        let mut block = [0; 16];
        block[..12].copy_from_slice(&iv);
        ctr::Ctr32BE::<aes::Aes256>::new(&self.key.into(), &block.into()).apply_keystream(bytes);
    }
}

/// The middle of a footer, which all versions have.
fn footer(version: u32, index_at: usize, index: &[u8]) -> Vec<u8> {
    let numbers = [index_at as u64, index.len() as u64].map(u64::to_le_bytes);
    let front = [0x5A6F_12E1, version].map(u32::to_le_bytes);
    [front.as_flattened(), numbers.as_flattened(), &Sha1::digest(index)].concat()
}

fn string(out: &mut Vec<u8>, text: &str) {
    out.extend(len32(text.len() + 1));
    out.extend(text.bytes().chain([0]));
}

fn len32(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap().to_le_bytes()
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(16), 0);
}
