//! Keys as users write them. Pure functions of text.

use super::{AesKey, KeyError};
use crate::id::Guid;
use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use zeroize::Zeroizing;

/// Standard alphabet; the padding `=` is optional, since it is lost when a key is copied out of a URL.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads `KEY` or `GUID=KEY`.
pub(super) fn argument(text: &str) -> Result<(Option<Guid>, AesKey), KeyError> {
    let text = text.trim();
    match text.split_once('=') {
        // Base64 ends in `=` with nothing but `=` after it, and the part before it is not a GUID.
        Some((left, right)) => match guid(left) {
            Ok(guid) => Ok((Some(guid), key(right)?)),
            Err(_) if right.trim_matches('=').is_empty() => Ok((None, key(text)?)),
            Err(error) => Err(error),
        },
        None => Ok((None, key(text)?)),
    }
}

/// Reads a GUID in any form.
pub(super) fn guid(text: &str) -> Result<Guid, KeyError> {
    text.trim().parse().map_err(|_| KeyError::BadGuid)
}

/// Parses a key without a GUID.
///
/// A text of 32 visible characters is used as bytes, unless it consists of hex digits: then it is a GUID, or
/// half a key, and accepting it would turn an obvious mistake into a wrong key.
pub(super) fn key(text: &str) -> Result<AesKey, KeyError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(KeyError::Empty);
    }
    // 32 hex digits would otherwise pass as a key of 32 characters.
    if text.parse::<Guid>().is_ok() {
        return Err(KeyError::LooksLikeGuid);
    }
    // The prefix is optional for hex only; base64 may start with `0x` by chance, and then fails the hex test.
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return from_hex(digits);
    }
    // Before base64: 32 characters of base64 would be 24 bytes, which is no key.
    match <[u8; AesKey::LEN]>::try_from(text.as_bytes()) {
        Ok(bytes) if text.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(AesKey::new(bytes)),
        _ => from_base64(text),
    }
}

fn from_hex(digits: &str) -> Result<AesKey, KeyError> {
    let mut bytes = Zeroizing::new([0; AesKey::LEN]);
    // 43 or 44 characters of base64 may consist of hex digits, if rarely.
    hex::decode_to_slice(digits, bytes.as_mut())
        .map_err(|_| KeyError::HexLength { digits: digits.len() })
        .or_else(|error| from_base64(digits).map(|key| *bytes = *key.bytes()).map_err(|_| error))?;
    Ok(AesKey::new(*bytes))
}

fn from_base64(text: &str) -> Result<AesKey, KeyError> {
    // Decoded copies are wiped when they go out of scope.
    let bytes = Zeroizing::new(
        BASE64.decode(text).map_err(|_| KeyError::NotAKey { characters: text.chars().count() })?,
    );
    let bytes = bytes.as_slice().try_into().map_err(|_| KeyError::Base64Length { bytes: bytes.len() })?;
    Ok(AesKey::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: &str = "CUE4ParseFixtureAESKey0123456789";
    const HEX: &str = "435545345061727365466978747572654145534B657930313233343536373839";
    const BASE64_TEXT: &str = "Q1VFNFBhcnNlRml4dHVyZUFFU0tleTAxMjM0NTY3ODk=";
    const GUID: &str = "000000010000000200000003DEADBEEF";

    fn fixture() -> AesKey {
        AesKey::new(ASCII.as_bytes().try_into().unwrap())
    }

    #[test]
    fn every_form_gives_the_same_key() {
        for text in [
            HEX,
            &HEX.to_lowercase(),
            &format!("0x{HEX}"),
            &format!(" 0X{HEX}\n"),
            BASE64_TEXT,
            BASE64_TEXT.trim_end_matches('='),
            ASCII,
        ] {
            assert_eq!(argument(text), Ok((None, fixture())), "{text}");
        }
    }

    #[test]
    fn a_guid_may_stand_before_the_key() {
        let guid: Guid = GUID.parse().unwrap();
        for name in [GUID, "{00000001-0000-0002-0000-0003DEADBEEF}", "00000001-00000002-00000003-deadbeef"] {
            for key in [HEX, BASE64_TEXT, ASCII] {
                assert_eq!(argument(&format!("{name}={key}")), Ok((Some(guid), fixture())), "{name}");
            }
        }
    }

    #[test]
    fn a_guid_is_not_a_key() {
        for text in [GUID, "{00000001-0000-0002-0000-0003DEADBEEF}", "00000001-0000-0002-0000-0003deadbeef"] {
            assert_eq!(argument(text), Err(KeyError::LooksLikeGuid), "{text}");
        }
        assert_eq!(argument(&format!("{GUID}={GUID}")), Err(KeyError::LooksLikeGuid));
        assert_eq!(
            KeyError::LooksLikeGuid.to_string(),
            "this is a GUID, not a key, expected 64 hex digits or base64 of 32 bytes"
        );
    }

    #[test]
    fn mistakes_are_told_apart() {
        for (text, error) in [
            ("", KeyError::Empty),
            ("  ", KeyError::Empty),
            (&format!("{GUID}="), KeyError::Empty),
            (&HEX[1..], KeyError::HexLength { digits: 63 }),
            (&format!("0x{}", &HEX[..30]), KeyError::HexLength { digits: 30 }),
            ("Q1VFNFBhcnNl", KeyError::Base64Length { bytes: 9 }),
            ("what is this?", KeyError::NotAKey { characters: 13 }),
            (&format!("main={HEX}"), KeyError::BadGuid),
        ] {
            assert_eq!(argument(text), Err(error), "{text}");
        }
    }

    #[test]
    fn errors_do_not_repeat_the_text() {
        let secret = "c0ffee!c0ffee!c0ffee!";
        let text = format!("{:?} {}", argument(secret).unwrap_err(), argument(secret).unwrap_err());
        assert!(!text.contains("c0ffee"), "{text}");
    }

    #[test]
    fn base64_made_of_hex_digits_is_still_base64() {
        let text = "A".repeat(43);
        assert_eq!(argument(&text), Ok((None, AesKey::new([0; 32]))));
    }
}
