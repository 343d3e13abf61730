//! AES-256 keys: their text forms, the order of trying them, and the ciphers of containers.
//!
//! ```text
//! 0x43554534…          hex, with or without 0x          ┐
//! Q1VFNFBhcnNl…=       base64 of 32 bytes               │  parse.rs
//! GUID=KEY             for containers with that GUID    │
//! CUE4Parse…6789       32 characters, taken as bytes    ┘
//! a key file           Crypto.json, {"GUID": "KEY"}, …     key_file.rs
//!                            │
//!                         KeyRing ── candidates(GUID) ──► AesKey ──► Cipher
//! ```
//!
//! Encrypted parts of a container, by version:
//!
//! ```text
//! table of contents │ header, ids, blocks, names: plain │ directory index: encrypted │ metas: plain
//! .ucas             │ every block, padded to a multiple of 16 bytes: encrypted
//!
//! ECB  up to version 9; version 10 with method 1   each 16 bytes on their own, no IV
//! CTR  version 10 with method 2                    counter block = IV (12 bytes) ‖ u32 BE, from 0 in each block
//! ```
//!
//! This module cannot tell if a key is right; callers test it against known plain bytes. No text produced
//! here contains key material: not errors, not `Debug`. Keys and key schedules are wiped when dropped.
//!
//! Sources: the container sheet, sections 3.2–3.4 and the vectors of 13.5; `Crypto.json` as UnrealPak writes
//! it (the tests of `repak` contain a sample); the key lists that FModel reads.

mod cipher;
mod key;
mod key_file;
mod key_ring;
mod parse;

pub use cipher::{BLOCK_LEN, Cipher, CipherError, EncryptionMethod, IV_LEN};
pub use key::{AesKey, KeyError};
pub use key_file::MAX_KEY_FILE_LEN;
pub use key_ring::KeyRing;
