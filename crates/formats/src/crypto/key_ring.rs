use super::{AesKey, KeyError, key_file, parse};
use crate::id::Guid;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The user's keys in order, each with its GUID, if one was given.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::{crypto::KeyRing, id::Guid};
///
/// let mut ring = KeyRing::default();
/// ring.add_argument("0x435545345061727365466978747572654145534B657930313233343536373839")?;
/// ring.add_argument("000000010000000200000003DEADBEEF=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")?;
/// assert_eq!(ring.candidates(Guid::ZERO).count(), 2);
/// # Ok::<(), uncask::crypto::KeyError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct KeyRing {
    keys: Vec<(Option<Guid>, AesKey)>,
    /// Indices of keys by a keyed hash, which hostile key files cannot make collide.
    places: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
}

impl KeyRing {
    /// Returns the number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns true if there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds a key, unless it is present already for the same GUID.
    pub fn add(&mut self, guid: Option<Guid>, key: AesKey) {
        let entry = (guid, key);
        // Only a hash of the key is stored, and only for this process.
        let hash = self.hasher.hash_one((guid.map(|guid| guid.0), entry.1.bytes()));
        let places = self.places.entry(hash).or_default();
        // Hashes may collide, so the entries themselves are compared.
        if !places.iter().any(|at| self.keys.get(*at) == Some(&entry)) {
            places.push(self.keys.len());
            self.keys.push(entry);
        }
    }

    /// Adds a key in command line form: `KEY` or `GUID=KEY`.
    ///
    /// `KEY` is 64 hex digits with or without `0x`, base64 of 32 bytes, or 32 characters used as bytes.
    pub fn add_argument(&mut self, text: &str) -> Result<(), KeyError> {
        let (guid, key) = parse::argument(text)?;
        self.add(guid, key);
        Ok(())
    }

    /// Adds all keys of a key file, or none if one is invalid, and returns their number.
    ///
    /// Reads Unreal's `Crypto.json`, a JSON map from GUID to key, FModel's key list, and lines as
    /// [`add_argument`] takes them, with `#` before comments.
    ///
    /// [`add_argument`]: Self::add_argument
    pub fn add_file(&mut self, content: &[u8]) -> Result<usize, KeyError> {
        // Parsed completely before the first key is added.
        let found = key_file::parse(content)?;
        let count = found.len();
        for (guid, key) in found {
            self.add(guid, key);
        }
        Ok(count)
    }

    /// Iterates over the keys in the order they were given, each with its GUID.
    pub fn iter(&self) -> impl Iterator<Item = (Option<Guid>, &AesKey)> {
        self.keys.iter().map(|(guid, key)| (*guid, key))
    }

    /// Iterates over the keys in the order to try them on a container: first those for its GUID, then all
    /// others, because mods and re-keyed files often carry a meaningless GUID.
    pub fn candidates(&self, guid: Guid) -> impl Iterator<Item = &AesKey> {
        let with_guid = move |wanted: bool| {
            // A key without a GUID counts as one for another GUID: it is tried as well, but later.
            self.keys.iter().filter(move |(own, _)| (*own == Some(guid)) == wanted).map(|(_, key)| key)
        };
        with_guid(true).chain(with_guid(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring() -> KeyRing {
        let mut ring = KeyRing::default();
        ring.add(None, AesKey::new([1; 32]));
        ring.add(Some(Guid([2; 16])), AesKey::new([2; 32]));
        ring.add(Some(Guid([3; 16])), AesKey::new([3; 32]));
        ring
    }

    fn order(ring: &KeyRing, guid: Guid) -> Vec<u8> {
        ring.candidates(guid).map(|key| key.bytes()[0]).collect()
    }

    #[test]
    fn keys_with_the_guid_come_first_and_the_rest_keeps_its_order() {
        assert_eq!(order(&ring(), Guid([3; 16])), [3, 1, 2]);
        assert_eq!(order(&ring(), Guid::ZERO), [1, 2, 3]);
        assert!(order(&KeyRing::default(), Guid::ZERO).is_empty());
    }

    #[test]
    fn a_key_given_twice_is_tried_once() {
        let mut ring = ring();
        ring.add(None, AesKey::new([1; 32]));
        ring.add(Some(Guid::ZERO), AesKey::new([1; 32]));
        assert_eq!(ring.len(), 4, "the same key for another GUID is another entry");
    }

    #[test]
    fn a_file_with_a_mistake_adds_nothing() {
        let mut ring = KeyRing::default();
        let file = format!("{}\nnonsense\n", "00".repeat(32));
        assert_eq!(
            ring.add_file(file.as_bytes()).unwrap_err().to_string().split(": ").last(),
            Some("line 2")
        );
        assert!(ring.is_empty());
    }

    #[test]
    fn nothing_of_a_key_is_printed() {
        let text = format!("{:?}", ring());
        assert!(!text.contains("[1,") && !text.contains("1, 1"), "{text}");
    }
}
