use super::META_MAGIC;
use crate::{
    version::LocMetaVersion,
    wire::{Fault, FaultKind, Reader},
};

/// Languages of a game's texts (`FTextLocalizationMetaDataResource`).
#[doc(alias = "FTextLocalizationMetaDataResource")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LocalizationMeta {
    /// Version of the file.
    pub version: LocMetaVersion,
    /// Language of the source texts, such as `en`.
    pub native_culture: String,
    /// Its `.locres` file, relative to this one.
    pub native_resource: String,
    /// Available languages.
    pub compiled_cultures: Option<Vec<String>>,
    /// True for user-generated content.
    pub is_ugc: Option<bool>,
}

impl LocalizationMeta {
    /// Reads a `.locmeta` file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let start = r.clone();
        if r.array("localization metadata magic")? != META_MAGIC {
            return Err(start.fault("localization metadata magic", FaultKind::BadMagic));
        }
        let at = r.clone();
        let found = r.u8("localization metadata version")?;
        let unsupported = FaultKind::Unsupported { found: found.into() };
        let version = LocMetaVersion::from_wire(found)
            .ok_or_else(|| at.fault("localization metadata version", unsupported))?;
        let meta = Self {
            version,
            native_culture: r.string("native culture")?,
            native_resource: r.string("native resource")?,
            compiled_cultures: r.when(version.has_compiled_cultures(), |r| {
                r.list("compiled cultures", 4, |r| r.string("compiled culture"))
            })?,
            is_ugc: r.when(version.has_ugc_flag(), |r| r.bool32("flag of players' content"))?,
        };
        r.finish("localization metadata")?;
        Ok(meta)
    }
}
