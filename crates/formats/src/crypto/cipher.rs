use super::AesKey;
use crate::wire::counted;
use aes::{Aes256, Block};
use ctr::{
    Ctr32BE, CtrCore,
    cipher::{
        BlockCipherDecrypt as _, BlockCipherEncrypt as _, InnerIvInit as _, KeyInit as _, StreamCipher as _,
        consts::U16, inout::InOutBuf,
    },
};
use std::{fmt, sync::Arc};

/// Length of an AES block in bytes: the granule of ECB.
pub const BLOCK_LEN: usize = 16;

/// Length of an initialisation vector in bytes, as stored in the table of contents.
pub const IV_LEN: usize = 12;

/// Use of AES-256 on the blocks of a container (`EIoEncryptionMethod`).
#[doc(alias = "EIoEncryptionMethod")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EncryptionMethod {
    /// Every 16 bytes are encrypted separately; no IV.
    Ecb,
    /// A key stream from the block's IV and a counter; works on any number of bytes.
    Ctr,
}

impl fmt::Display for EncryptionMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ecb => "AES-256-ECB",
            Self::Ctr => "AES-256-CTR",
        })
    }
}

/// Cipher of a container: an expanded key and a method. Clones share the key schedule.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::crypto::{AesKey, Cipher, EncryptionMethod};
///
/// let cipher = Cipher::new(&AesKey::new([7; 32]), EncryptionMethod::Ecb);
/// let (mut secret, mut plain) = ([0; 16], [0; 16]);
/// cipher.encrypt_block(None, b"sixteen bytes...", &mut secret)?;
/// cipher.decrypt_block(None, &secret, &mut plain)?;
/// assert_eq!(&plain, b"sixteen bytes...");
/// # Ok::<(), uncask::crypto::CipherError>(())
/// ```
#[derive(Clone)]
pub struct Cipher {
    // Kept, because the schedule does not expose it.
    key: Arc<AesKey>,
    schedule: Arc<Aes256>,
    method: EncryptionMethod,
}

impl Cipher {
    /// Expands a key.
    #[must_use]
    pub fn new(key: &AesKey, method: EncryptionMethod) -> Self {
        let schedule = Arc::new(Aes256::new(key.bytes().into()));
        // The schedule is shared by all clones, so that a container with many readers expands its key once.
        Self { key: Arc::new(key.clone()), schedule, method }
    }

    /// Returns the expanded key: a mod is encrypted with the key of its game.
    #[must_use]
    pub fn key(&self) -> &AesKey {
        &self.key
    }

    /// Returns the method.
    #[must_use]
    pub const fn method(&self) -> EncryptionMethod {
        self.method
    }

    /// Decrypts a block of a container, or its directory index, from `src` into `dst` of the same length.
    ///
    /// ECB takes no IV, and multiples of [`BLOCK_LEN`]; CTR takes an IV, and any length. On error, `dst` is
    /// unchanged.
    pub fn decrypt_block(
        &self,
        iv: Option<[u8; IV_LEN]>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), CipherError> {
        // Each block of a container has its own counter, which starts at 0.
        self.transform(iv, 0, src, dst, Aes256::decrypt_blocks_inout)
    }

    /// Decrypts a part of something longer with one IV; the part starts `counter` × [`BLOCK_LEN`] bytes into
    /// it. Otherwise like [`decrypt_block`](Self::decrypt_block).
    pub fn decrypt_part(
        &self,
        iv: Option<([u8; IV_LEN], u32)>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), CipherError> {
        // ECB has neither IV nor counter: its blocks are independent.
        let (iv, counter) = iv.map_or((None, 0), |(iv, counter)| (Some(iv), counter));
        self.transform(iv, counter, src, dst, Aes256::decrypt_blocks_inout)
    }

    /// Encrypts a block: the inverse of [`decrypt_block`](Self::decrypt_block), with the same rules.
    pub fn encrypt_block(
        &self,
        iv: Option<[u8; IV_LEN]>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), CipherError> {
        self.transform(iv, 0, src, dst, Aes256::encrypt_blocks_inout)
    }

    /// Transforms in either direction; `ecb` is the only difference between them.
    fn transform(
        &self,
        iv: Option<[u8; IV_LEN]>,
        counter: u32,
        src: &[u8],
        dst: &mut [u8],
        ecb: impl FnOnce(&Aes256, InOutBuf<'_, '_, Block>),
    ) -> Result<(), CipherError> {
        let buffers = same_len(src, dst)?;
        match (self.method, iv) {
            (EncryptionMethod::Ecb, None) => {
                // Both buffers are split alike; the tail is what does not fill an AES block.
                let (blocks, tail) = buffers.into_chunks::<U16>();
                whole_blocks(src.len(), tail.len())?;
                ecb(&self.schedule, blocks);
                Ok(())
            }
            (EncryptionMethod::Ctr, Some(iv)) => self.apply_key_stream(iv, counter, buffers),
            // Decrypting without the IV would give wrong bytes without an error.
            (method, iv) => Err(CipherError::Iv { method, given: iv.is_some() }),
        }
    }

    /// Applies the key stream. The counter block is the IV, then a big-endian u32.
    fn apply_key_stream(
        &self,
        iv: [u8; IV_LEN],
        counter: u32,
        buffers: InOutBuf<'_, '_, u8>,
    ) -> Result<(), CipherError> {
        // 12 and 4 bytes fill the counter block exactly.
        let mut start = [0; BLOCK_LEN];
        for (to, from) in start.iter_mut().zip(iv.into_iter().chain(counter.to_be_bytes())) {
            *to = from;
        }
        let len = buffers.len();
        Ctr32BE::from_core(CtrCore::inner_iv_init(&*self.schedule, &start.into()))
            // Fails before writing anything if the counter would overflow.
            .try_apply_keystream_inout(buffers)
            .map_err(|_| CipherError::TooLong { len })
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither key nor schedule may reach a log.
        write!(f, "Cipher({}, ..)", self.method)
    }
}

fn same_len<'s, 'd>(src: &'s [u8], dst: &'d mut [u8]) -> Result<InOutBuf<'s, 'd, u8>, CipherError> {
    let (found, expected) = (dst.len(), src.len());
    InOutBuf::new(src, dst).map_err(|_| CipherError::Output { found, expected })
}

const fn whole_blocks(len: usize, tail: usize) -> Result<(), CipherError> {
    if tail == 0 { Ok(()) } else { Err(CipherError::PartialBlock { len }) }
}

/// Errors from decrypting or encrypting a block. Wrong keys are not errors here: they give wrong bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CipherError {
    /// ECB is defined for whole AES blocks only.
    #[error("input of AES-256-ECB has {}, expected a multiple of {BLOCK_LEN}", counted(*len as u64, "byte", "bytes"))]
    PartialBlock {
        /// Length of the input.
        len: usize,
    },
    /// The output has another length than the input.
    #[error("AES output has room for {}, expected {expected}", counted(*found as u64, "byte", "bytes"))]
    Output {
        /// Length of the output.
        found: usize,
        /// Length of the input.
        expected: usize,
    },
    /// An IV is missing or superfluous.
    #[error("{method} {}", if *.given { "with an IV, expected none" } else { "without an IV, expected one" })]
    Iv {
        /// Method.
        method: EncryptionMethod,
        /// True if an IV was given.
        given: bool,
    },
    /// The input exceeds the 32-bit counter.
    #[error("input of AES-256-CTR has {len} bytes, expected less than 64 GiB")]
    TooLong {
        /// Length of the input.
        len: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN_INDEX: &str = "2d0000002e2e2f2e2e2f2e2e2f43554534506172736546697874757265732f43";
    const PLAIN_BLOCK: &str = "8c060002cb8802c9010000000803000000020b10000000020080720480008002";

    fn cipher(method: EncryptionMethod) -> Cipher {
        Cipher::new(&AesKey::new(*b"CUE4ParseFixtureAESKey0123456789"), method)
    }

    fn check(method: EncryptionMethod, iv: Option<&str>, secret: &str, plain: &str) {
        let iv = iv.map(|iv| hex::decode(iv).unwrap().try_into().unwrap());
        let (secret, plain) = (hex::decode(secret).unwrap(), hex::decode(plain).unwrap());
        let mut out = vec![0; plain.len()];
        cipher(method).decrypt_block(iv, &secret, &mut out).unwrap();
        assert_eq!(out, plain, "decrypt, {method}");
        cipher(method).encrypt_block(iv, &plain, &mut out).unwrap();
        assert_eq!(out, secret, "encrypt, {method}");
    }

    /// UE 5.8, tagged variant: directory index and first block.
    #[test]
    fn published_vectors_of_ecb() {
        let index = "fdab6023c774490ca034d2259a42d9ca6a1f9bb7dfe924a04d1ac8a246d6558b";
        let block = "f7e2a1b32369a8946cc792169d404c439177f4b0b9085c2206cd479327858270";
        check(EncryptionMethod::Ecb, None, index, PLAIN_INDEX);
        check(EncryptionMethod::Ecb, None, block, PLAIN_BLOCK);
    }

    /// UE 6.0, tagged variant: directory index and first block.
    #[test]
    fn published_vectors_of_ctr() {
        let index = "9f483821fb46632fb5bca565bd5c4e5f2b00017a6f42c9d7a3260241b7adce1f";
        let block = "295508248ac850c49248510d8078f26b5cd98971d94bc498778b31ed8eb3d35c";
        check(EncryptionMethod::Ctr, Some("6a90d08da371ae9790a96d83"), index, PLAIN_INDEX);
        check(EncryptionMethod::Ctr, Some("1c131867f1ffcd6fa4ddc5b2"), block, PLAIN_BLOCK);
    }

    /// The wide path processes many AES blocks at a time, and must agree with one at a time for every
    /// remainder.
    #[test]
    fn many_blocks_at_once_are_the_same_as_one_by_one() {
        let secret: Vec<u8> = (0..131 * BLOCK_LEN).map(|i| u8::try_from(i * 7 % 251).unwrap()).collect();
        let ecb = cipher(EncryptionMethod::Ecb);
        let mut single = vec![0; secret.len()];
        for (src, dst) in secret.chunks(BLOCK_LEN).zip(single.chunks_mut(BLOCK_LEN)) {
            ecb.decrypt_block(None, src, dst).unwrap();
        }
        for blocks in 0..=131 {
            let len = blocks * BLOCK_LEN;
            let mut wide = vec![0; len];
            ecb.decrypt_block(None, &secret[..len], &mut wide).unwrap();
            assert_eq!(wide, single[..len], "{blocks} blocks");
        }
    }

    #[test]
    fn the_counter_starts_at_zero_in_big_endian_order() {
        let ctr = cipher(EncryptionMethod::Ctr);
        let ecb = cipher(EncryptionMethod::Ecb);
        let mut key_stream = vec![0; 300 * BLOCK_LEN + 5];
        ctr.decrypt_block(Some([9; 12]), &vec![0; 300 * BLOCK_LEN + 5], &mut key_stream).unwrap();
        for (counter, found) in (0_u32..).zip(key_stream.chunks(BLOCK_LEN)) {
            let mut block = [9; BLOCK_LEN];
            block[IV_LEN..].copy_from_slice(&counter.to_be_bytes());
            let mut expected = [0; BLOCK_LEN];
            ecb.encrypt_block(None, &block, &mut expected).unwrap();
            assert_eq!(found, &expected[..found.len()], "block {counter}");
        }
    }

    #[test]
    fn wrong_lengths_and_ivs_are_errors() {
        let iv = Some([0; IV_LEN]);
        for (method, iv, src, dst, text) in [
            (
                EncryptionMethod::Ecb,
                None,
                17,
                17,
                "input of AES-256-ECB has 17 bytes, expected a multiple of 16",
            ),
            (EncryptionMethod::Ecb, None, 16, 15, "AES output has room for 15 bytes, expected 16"),
            (EncryptionMethod::Ctr, iv, 5, 6, "AES output has room for 6 bytes, expected 5"),
            (EncryptionMethod::Ecb, iv, 16, 16, "AES-256-ECB with an IV, expected none"),
            (EncryptionMethod::Ctr, None, 16, 16, "AES-256-CTR without an IV, expected one"),
        ] {
            let (src, mut dst) = (vec![1; src], vec![2; dst]);
            let error = cipher(method).decrypt_block(iv, &src, &mut dst).unwrap_err();
            assert_eq!(error.to_string(), text);
            assert_eq!(cipher(method).encrypt_block(iv, &src, &mut dst), Err(error));
            assert!(dst.iter().all(|byte| *byte == 2), "untouched: {text}");
        }
    }

    #[test]
    fn a_cipher_is_shared_between_threads_and_does_not_print_its_key() {
        const fn shared<T: Clone + Send + Sync>(_: &T) {}
        let cipher = cipher(EncryptionMethod::Ctr);
        shared(&cipher);
        assert_eq!(format!("{cipher:?}"), "Cipher(AES-256-CTR, ..)");
    }
}
