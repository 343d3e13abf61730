//! Key files. Pure functions of bytes.
//!
//! ```text
//! { "EncryptionKey": { "Name": …, "Guid": "0…0", "Key": "base64" }, "SecondaryEncryptionKeys": [ … ], … }
//! { "GUID": "hex or base64", … }
//! { "mainKey": "0x…", "dynamicKeys": [ { "name" | "pakFilename": …, "guid" | "pakGuid": …, "key": … }, … ] }
//! # lines: KEY or GUID=KEY
//! ```
//!
//! The top-level names of a JSON object determine its form. Other members, such as `$type`, are skipped; an
//! empty key counts as absent. Texts are borrowed from the file, so that no copies of keys are left behind; a
//! file in UTF-16 has to be copied, and that copy is wiped.

use super::{AesKey, KeyError, parse};
use crate::id::Guid;
use crate::wire::decode_text;
use serde::{
    Deserialize,
    de::{Deserializer, IgnoredAny, MapAccess, Visitor},
};
use std::{borrow::Cow, fmt, marker::PhantomData};
use zeroize::Zeroizing;

/// Largest accepted key file: 1 MiB.
pub const MAX_KEY_FILE_LEN: usize = 1 << 20;

type Entry = (Option<Guid>, AesKey);

/// Reads all keys of a file, in order.
pub(super) fn parse(content: &[u8]) -> Result<Vec<Entry>, KeyError> {
    if content.len() > MAX_KEY_FILE_LEN {
        return Err(KeyError::FileTooLarge { len: content.len(), limit: MAX_KEY_FILE_LEN });
    }
    match decode_text(content).map_err(KeyError::FileNotText)? {
        Cow::Borrowed(text) => keys(text),
        // The decoded copy contains the keys.
        Cow::Owned(text) => keys(&Zeroizing::new(text)),
    }
}

fn keys(text: &str) -> Result<Vec<Entry>, KeyError> {
    if is_json(text) { json(text) } else { lines(text) }
}

/// Distinguishes a JSON object from a GUID in braces at the start of a list.
fn is_json(text: &str) -> bool {
    // A GUID in braces continues with a hex digit; a JSON object with a name or its end.
    let after_brace = text.trim_start().strip_prefix('{');
    after_brace.is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
}

fn lines(text: &str) -> Result<Vec<Entry>, KeyError> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Hex, base64 and GUIDs contain no `#`.
        let line = line.split_once('#').map_or(line, |(before, _)| before).trim();
        if !line.is_empty() {
            entries.push(parse::argument(line).map_err(|e| e.at(format!("line {number}")))?);
        }
    }
    Ok(entries)
}

fn json(text: &str) -> Result<Vec<Entry>, KeyError> {
    // Values are skipped in this first pass: only the names are needed to tell the form.
    let members: Members<'_, IgnoredAny> = read(text)?;
    let has = |names: [&str; 2]| members.0.iter().any(|(name, _)| names.contains(&name.as_str()));
    if has(["EncryptionKey", "SecondaryEncryptionKeys"]) {
        read::<CryptoJson<'_>>(text)?.entries()
    } else if has(["mainKey", "dynamicKeys"]) {
        read::<KeyList<'_>>(text)?.entries()
    } else {
        map(read(text)?)
    }
}

/// Parses JSON. Error messages of `serde_json` may quote values, so only the position is kept.
fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, KeyError> {
    serde_json::from_str(text).map_err(|e| KeyError::Json { line: e.line(), column: e.column() })
}

/// `Crypto.json`, as read and written by UnrealPak.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CryptoJson<'a> {
    #[serde(borrow)]
    encryption_key: Option<NamedKey<'a>>,
    #[serde(borrow)]
    secondary_encryption_keys: Option<Vec<NamedKey<'a>>>,
}

impl CryptoJson<'_> {
    fn entries(&self) -> Result<Vec<Entry>, KeyError> {
        // The path of each key goes into its errors, as keys themselves must not.
        let main = self.encryption_key.iter().map(|key| (key, "EncryptionKey".to_owned()));
        let more = self.secondary_encryption_keys.iter().flatten().zip(0..);
        let more = more.map(|(key, i)| (key, format!("SecondaryEncryptionKeys[{i}]")));
        collect(main.chain(more))
    }
}

/// Key list as read by FModel: the main key, and keys published later.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyList<'a> {
    #[serde(borrow)]
    main_key: Option<Text<'a>>,
    #[serde(borrow)]
    dynamic_keys: Option<Vec<NamedKey<'a>>>,
}

impl KeyList<'_> {
    fn entries(&self) -> Result<Vec<Entry>, KeyError> {
        // An empty key counts as absent.
        let main = self.main_key.as_ref().filter(|key| !key.is_empty());
        let main = main.map(|key| parse::key(key.as_str()).map_err(|e| e.at("mainKey"))).transpose()?;
        let more = self.dynamic_keys.iter().flatten().zip(0..);
        let more = collect(more.map(|(key, i)| (key, format!("dynamicKeys[{i}]"))))?;
        // The main key belongs to the zero GUID.
        Ok(main.map(|key| (Some(Guid::ZERO), key)).into_iter().chain(more).collect())
    }
}

/// A key and its GUID, in either spelling.
#[derive(Deserialize)]
struct NamedKey<'a> {
    #[serde(borrow, alias = "Guid", alias = "pakGuid")]
    guid: Option<Text<'a>>,
    #[serde(borrow, alias = "Key")]
    key: Option<Text<'a>>,
}

fn collect<'a>(keys: impl Iterator<Item = (&'a NamedKey<'a>, String)>) -> Result<Vec<Entry>, KeyError> {
    keys.filter_map(|(named, place)| {
        let key = named.key.as_ref().filter(|key| !key.is_empty())?;
        let guid = named.guid.as_ref().filter(|guid| !guid.is_empty());
        let guid = guid.map(|guid| parse::guid(guid.as_str())).transpose();
        let entry = guid.and_then(|guid| Ok((guid, parse::key(key.as_str())?)));
        // The first error ends the collection, so that a file is used entirely or not at all.
        Some(entry.map_err(|e| e.at(place)))
    })
    .collect()
}

/// Reads a map `{"GUID": "KEY", …}`.
fn map(Members(members): Members<'_, Option<Text<'_>>>) -> Result<Vec<Entry>, KeyError> {
    let mut entries = Vec::new();
    for (number, (name, key)) in (1..).zip(&members) {
        // Members that start with `$` are bookkeeping of the writer.
        let Some(key) = key.as_ref().filter(|key| !key.is_empty() && !name.as_str().starts_with('$')) else {
            continue;
        };
        let entry = parse::guid(name.as_str()).and_then(|guid| Ok((Some(guid), parse::key(key.as_str())?)));
        entries.push(entry.map_err(|e| e.at(format!("entry {number}")))?);
    }
    Ok(entries)
}

/// A string, borrowed from the file unless it contains escapes; such a copy is wiped when dropped.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    fn as_str(&self) -> &str {
        &self.0
    }

    fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl Drop for Text<'_> {
    fn drop(&mut self) {
        // Borrowed text belongs to the caller, who wipes the file.
        if let Cow::Owned(text) = &mut self.0 {
            zeroize::Zeroize::zeroize(text);
        }
    }
}

/// Members of a JSON object, in file order.
struct Members<'a, V>(Vec<(Text<'a>, V)>);

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Members<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}

struct MembersVisitor<'a, V>(PhantomData<Members<'a, V>>);

impl<'de: 'a, 'a, V: Deserialize<'de>> Visitor<'de> for MembersVisitor<'a, V> {
    type Value = Members<'a, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            // A vector instead of a map: repeated names and the order of the file are kept.
            members.push(member);
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests;
