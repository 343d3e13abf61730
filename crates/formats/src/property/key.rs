//! Case-insensitive keys for names.

use xxhash_rust::xxh3::xxh3_128;

/// A hash of a name in lower case, instead of the name itself: there are many properties with long names.
pub(super) fn name_key(name: &str) -> u128 {
    xxh3_128(name.to_ascii_lowercase().as_bytes())
}

/// A name as a key of a map.
pub(super) fn key(name: &str) -> Box<str> {
    name.to_lowercase().into_boxed_str()
}

/// Longest key, in bytes, that is built without allocating.
const MAX_KEY: usize = 192;

/// Calls `look_up` with the key of some parts: in lower case, joined by spaces. This happens for every
/// struct and enum value, so it allocates only for long or non-ASCII keys.
pub(super) fn with_key<T>(parts: &[&str], look_up: impl FnOnce(&str) -> T) -> T {
    let mut buffer = [0; MAX_KEY];
    match ascii_key(parts, &mut buffer) {
        Some(key) => look_up(key),
        // Unicode lower case, as `key` makes it.
        None => look_up(&parts.join(" ").to_lowercase()),
    }
}

fn ascii_key<'b>(parts: &[&str], buffer: &'b mut [u8; MAX_KEY]) -> Option<&'b str> {
    let mut len = 0;
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            *buffer.get_mut(len)? = b' ';
            len += 1;
        }
        buffer.get_mut(len..len + part.len())?.copy_from_slice(part.as_bytes());
        len += part.len();
    }
    let key = buffer.get_mut(..len)?;
    key.make_ascii_lowercase();
    // Lowering ASCII alone would differ from `key` for other letters.
    std::str::from_utf8(key).ok().filter(|key| key.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_however_they_are_made() {
        let long = "Long".repeat(60);
        for parts in [&["/Script/Engine", "Actor"][..], &["", "Größe"], &["A", &long], &[""]] {
            assert_eq!(with_key(parts, str::to_owned), parts.join(" ").to_lowercase());
        }
    }
}
