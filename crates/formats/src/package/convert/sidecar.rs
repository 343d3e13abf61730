//! The sidecar `.uncask.json`: facts about the packages of a folder that their legacy files cannot express.
//!
//! ```text
//! { "schema": "uncask.sidecar/1",
//!   "packages": { "Level.umap": { "blake3": "…", "cooked_header_len": 1234, "loading": { … } } } }
//! ```
//!
//! The hash is that of the `.uasset` or `.umap`: an entry is valid only for the header it was made with.
//! Export data may change.

use super::remainder::{Bytes, Ids, Remainder};
use super::to_legacy::{Asset, Converted};
use super::to_zen::{Source, to_zen};
use crate::package::zen::{Header, Loading, Neighbours};
use std::collections::BTreeMap;

/// Name of the sidecar file.
pub const SIDECAR_NAME: &str = ".uncask.json";

const SCHEMA: &str = "uncask.sidecar/1";

/// Sidecar of one folder.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sidecar {
    schema: String,
    /// Entries by the file name of the `.uasset` or `.umap`.
    pub packages: BTreeMap<String, Kept>,
}

/// Sidecar entry of one package.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Kept {
    /// BLAKE3 of the header file, in hexadecimal.
    blake3: String,
    /// Facts missing from the legacy package.
    #[serde(flatten)]
    remainder: Remainder,
}

/// Errors from reading a sidecar.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SidecarError {
    /// The file is not a sidecar.
    #[error("not a sidecar: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The schema is another one.
    #[error("sidecar of the form {found:?}, expected {SCHEMA:?}")]
    Schema {
        /// Schema in the file.
        found: String,
    },
}

impl Default for Sidecar {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), packages: BTreeMap::new() }
    }
}

impl Sidecar {
    /// Reads a sidecar.
    pub fn parse(bytes: &[u8]) -> Result<Self, SidecarError> {
        let this: Self = serde_json::from_slice(bytes)?;
        if this.schema == SCHEMA { Ok(this) } else { Err(SidecarError::Schema { found: this.schema }) }
    }

    /// Writes the sidecar as JSON.
    pub fn write(&self) -> Result<Vec<u8>, SidecarError> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl Kept {
    /// Collects the facts that the legacy form of a package lacks; `chunk` is its zen form. `None` if nothing
    /// is missing.
    pub fn of<N: Neighbours>(
        header: &Header,
        chunk: &[u8],
        asset: &Asset<'_>,
        neighbours: &N,
    ) -> Option<Self> {
        let remainder = remainder(header, chunk, asset, neighbours)?;
        (!remainder.is_empty()).then(|| Self { blake3: hash(&asset.header), remainder })
    }

    /// Estimates its memory in bytes.
    #[must_use]
    pub fn memory_len(&self) -> usize {
        size_of::<Self>() + self.blake3.len() + self.remainder.memory_len()
    }

    /// Returns the facts if they belong to this header.
    #[must_use]
    pub fn for_header(&self, header: &[u8]) -> Option<&Remainder> {
        (hash(header) == self.blake3).then_some(&self.remainder)
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Finds the smallest remainder that restores the same header: the parts that differ without it or, if they
/// are not enough, the whole header.
fn remainder<N: Neighbours>(
    header: &Header,
    chunk: &[u8],
    asset: &Asset<'_>,
    neighbours: &N,
) -> Option<Remainder> {
    let Converted { package, body, release, .. } = &asset.converted;
    let original = chunk.get(..usize::try_from(header.header_len).ok()?)?;
    let name = header.name().to_string();
    let again = |remainder: Remainder| {
        let source = Source {
            package,
            name: &name,
            exports_len: body.len() as u64,
            release,
            bundles: None,
            remainder: Some(&remainder),
        };
        to_zen(&source, neighbours).ok()
    };
    // From 5.3 on the header names its imports, so they need no record.
    let is_named = header.generation.has_imported_package_names();
    let ids = if is_named { None } else { neighbours.imported_packages(header.id()) };
    let imported_packages = header.generation.is_ue4().then_some(ids.clone()).flatten().map(Ids);
    let whole = Remainder {
        cooked_header_len: Some(header.cooked_header_len),
        loading: header.loading(),
        imported_packages,
        header: None,
    };
    // Starts from everything and drops each part that a bare conversion gets right.
    let mut remainder = whole.clone();
    if let Some(again) = again(Remainder::default()) {
        let is_same = ids.as_ref().is_none_or(|ids| *ids == again.imported_packages);
        remainder.imported_packages = remainder.imported_packages.filter(|_| !is_same);
        // The arcs of a package that waits for others may depend on which of them are known at packing time.
        let is_alone = again.awaited_packages().is_empty();
        let is_made_again = |loading: &Loading| is_alone && again.header.loading().as_ref() == Some(loading);
        remainder.loading = remainder.loading.filter(|loading| !is_made_again(loading));
        if again.header.cooked_header_len == header.cooked_header_len {
            remainder.cooked_header_len = None;
        }
    }
    let is_again = again(remainder.clone()).is_some_and(|again| again.bytes == original);
    // A package without a recorded name is named by its path, which a kept header could not match; and a kept
    // header is useless if the packages it indexes are unknown.
    if is_again || !name.starts_with('/') || !(is_named || ids.is_some()) {
        return Some(remainder);
    }
    Some(Remainder { imported_packages: ids.map(Ids), header: Some(Bytes(original.to_vec())), ..whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::convert::to_legacy::{Evidence, Input, Target, convert};
    use crate::package::legacy::Package;
    use crate::package::zen::tests::package;
    use crate::version::ZenGeneration;

    #[test]
    fn the_file_is_what_its_description_says() {
        let text = r#"{
  "schema": "uncask.sidecar/1",
  "packages": {
    "Level.umap": {
      "blake3": "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
      "cooked_header_len": 1234,
      "loading": {
        "steps": "AAEC",
        "graph": ""
      }
    }
  }
}
"#;
        let sidecar = Sidecar::parse(text.as_bytes()).unwrap();
        let kept = &sidecar.packages["Level.umap"];
        // The hash of an empty input.
        let remainder = kept.for_header(b"").unwrap();
        let loading = Loading { steps: vec![0, 1, 2], graph: Vec::new() };
        let expected =
            Remainder { cooked_header_len: Some(1234), loading: Some(loading), ..Remainder::default() };
        assert_eq!(*remainder, expected);
        assert_eq!(kept.for_header(b"edited"), None);
        assert_eq!(String::from_utf8(sidecar.write().unwrap()).unwrap(), text);
    }

    /// Converts header and export data to legacy files and back, with only the kept facts as neighbours.
    fn there_and_back(chunk: &[u8]) -> Result<Vec<u8>, crate::package::convert::to_zen::ToZenError> {
        let header = Header::parse(chunk).unwrap();
        let input = Input { header: &header, chunk, file_stem: None, evidence: Evidence::default() };
        let asset = convert(&input, &(), &Target::default()).and_then(Converted::write).unwrap();
        let kept = Kept::of(&header, chunk, &asset, &());
        let release = asset.converted.release;
        let package = Package::parse_as(&asset.header, release).unwrap();
        let name = header.name().to_string();
        let source = Source {
            package: &package,
            name: &name,
            exports_len: asset.converted.body.len() as u64,
            release,
            bundles: None,
            remainder: kept.as_ref().and_then(|kept| kept.for_header(&asset.header)),
        };
        to_zen(&source, &()).map(|zen| zen.bytes)
    }

    #[test]
    fn packages_that_no_packager_makes_come_back_or_are_refused() {
        for generation in ZenGeneration::ALL.into_iter().filter(|generation| !generation.is_ue4()) {
            let chunk = package(generation, false);
            let header_len = chunk.len() - 16;
            match there_and_back(&chunk) {
                // Both exports share a name and a hash, and import something they do not list.
                Ok(bytes) if generation.has_imported_package_names() => {
                    assert!(bytes == chunk[..header_len], "{generation}");
                }
                // Nothing records which package it imports from.
                Err(error) if !generation.has_imported_package_names() => {
                    assert!(error.to_string().starts_with("import 1 stands for an object"), "{error}");
                }
                other => panic!("{generation}: {other:?}"),
            }
        }
    }

    #[test]
    fn other_files_are_told() {
        let refused = |text: &str| Sidecar::parse(text.as_bytes()).unwrap_err().to_string();
        let other = refused(r#"{"schema": "uncask.sidecar/2", "packages": {}}"#);
        assert_eq!(other, r#"sidecar of the form "uncask.sidecar/2", expected "uncask.sidecar/1""#);
        assert!(refused("[]").starts_with("not a sidecar: "));
        let damaged = r#"{"schema": "uncask.sidecar/1", "packages": {"A": {"blake3": "", "loading": {"steps": "?", "graph": ""}}}}"#;
        assert!(refused(damaged).starts_with("not a sidecar: Invalid symbol"), "{}", refused(damaged));
    }
}
