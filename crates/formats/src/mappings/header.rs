use crate::{
    id::{CustomVersion, Guid},
    version::{EngineVersion, UsmapVersion},
    wire::{Fault, FaultKind, Reader},
};

/// The first bytes of a `.usmap`.
pub const MAGIC: [u8; 2] = 0x30C4_u16.to_le_bytes();

/// What a file says in front of its data.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Header {
    /// What the file has.
    pub version: UsmapVersion,
    /// Who made the file (since version 6).
    pub metadata: Option<Metadata>,
    /// Of the game's packages, if the file records them.
    pub versions: Option<Versions>,
    /// What the data is compressed with.
    pub method: Method,
    /// Bytes of the data in the file.
    pub stored_len: u32,
    /// Bytes of the decompressed data.
    pub raw_len: u32,
}

/// `EUsmapCompressionMethod`: what the data is compressed with.
#[doc(alias = "EUsmapCompressionMethod")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Method {
    /// Nothing.
    None = 0,
    /// Oodle.
    Oodle = 1,
    /// Brotli.
    Brotli = 2,
    /// Zstandard.
    Zstd = 3,
}

/// `FUsmapMetadata`: who made the file.
#[doc(alias = "FUsmapMetadata")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Metadata {
    /// Such as `Dumper-7`.
    pub tool: String,
    /// Of the tool; may be empty.
    pub tool_version: String,
    /// When, in seconds since 1970.
    pub created_at: i64,
    /// `EUsmapSource`: 0 a running game, 1 a memory dump, 2 static analysis, 3 a `.jmap`, 4 something else.
    pub source: u32,
}

/// The versions of a game's packages.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Versions {
    /// Of the engine (since version 5).
    pub engine: Option<EngineVersion>,
    /// Object version of UE4.
    pub ue4: i32,
    /// Object version of UE5; 0 before that.
    pub ue5: i32,
    /// Versions of single subsystems.
    pub custom: Vec<CustomVersion>,
    /// Changelist that networked games must agree on.
    pub net_changelist: u32,
}

/// The widths of the source in the metadata, the likelier first.
const SOURCE_LENS: [usize; 2] = [1, 4];

impl Header {
    /// Whether a file starts with such a header, and has the size that it records.
    #[must_use]
    pub fn fits(bytes: &[u8]) -> bool {
        Self::parse(bytes).is_ok_and(|(header, rest)| header.stored_len as usize == rest.remaining())
    }

    /// Reads it; returns what follows.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, Reader<'_>), Fault> {
        let [usual, other] = SOURCE_LENS.map(|source_len| Self::parse_with(bytes, source_len));
        let fits = |header: &Result<(Self, Reader<'_>), Fault>| {
            header.as_ref().is_ok_and(|(header, rest)| header.stored_len as usize == rest.remaining())
        };
        if fits(&other) && !fits(&usual) { other } else { usual }
    }

    fn parse_with(bytes: &[u8], source_len: usize) -> Result<(Self, Reader<'_>), Fault> {
        let mut r = Reader::new(bytes);
        let start = r.clone();
        if r.array("mappings magic")? != MAGIC {
            return Err(start.fault("mappings magic", FaultKind::BadMagic));
        }
        let at = r.clone();
        let found = r.u8("mappings version")?;
        let unsupported = FaultKind::Unsupported { found: found.into() };
        let version =
            UsmapVersion::from_wire(found).ok_or_else(|| at.fault("mappings version", unsupported))?;
        let metadata = r.when(version.has_extended_metadata(), |r| Metadata::read(r, source_len))?;
        let has_versions =
            r.when(version.has_package_versions(), |r| r.bool32("flag of package versions"))?;
        let header = Self {
            version,
            metadata,
            versions: r.when(has_versions == Some(true), |r| Versions::read(r, version))?,
            method: Method::read(&mut r)?,
            stored_len: r.u32("stored size of mappings")?,
            raw_len: r.u32("size of mappings")?,
        };
        Ok((header, r))
    }
}

impl Method {
    fn read(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let at = r.clone();
        match r.u8("compression method")? {
            0 => Ok(Self::None),
            1 => Ok(Self::Oodle),
            2 => Ok(Self::Brotli),
            3 => Ok(Self::Zstd),
            found => Err(at.fault("compression method", FaultKind::Unsupported { found: found.into() })),
        }
    }
}

impl Metadata {
    fn read(r: &mut Reader<'_>, source_len: usize) -> Result<Self, Fault> {
        Ok(Self {
            tool: r.utf8("tool")?,
            tool_version: r.utf8("tool version")?,
            created_at: r.i64("time of making")?,
            source: if source_len == 1 { r.u8("source")?.into() } else { r.u32("source")? },
        })
    }
}

impl Versions {
    fn read(r: &mut Reader<'_>, version: UsmapVersion) -> Result<Self, Fault> {
        Ok(Self {
            engine: r.when(version.has_engine_version(), |r| {
                let mut engine = EngineVersion::default();
                engine.archive(r).map(|()| engine)
            })?,
            ue4: r.i32("UE4 version")?,
            ue5: r.i32("UE5 version")?,
            custom: r.list("custom versions", 20, |r| {
                let key = Guid(r.array("custom version")?);
                Ok(CustomVersion { key, number: r.i32("custom version")?, name: None })
            })?,
            net_changelist: r.u32("net changelist")?,
        })
    }
}
