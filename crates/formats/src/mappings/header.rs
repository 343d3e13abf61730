use crate::{
    id::{CustomVersion, Guid},
    version::{EngineVersion, UsmapVersion},
    wire::{Fault, FaultKind, Reader},
};

/// Magic of a `.usmap` file.
pub const MAGIC: [u8; 2] = 0x30C4_u16.to_le_bytes();

/// Header of a `.usmap` file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Header {
    /// Version of the file.
    pub version: UsmapVersion,
    /// Creator of the file (since version 6).
    pub metadata: Option<Metadata>,
    /// Versions of the game's packages, if recorded.
    pub versions: Option<Versions>,
    /// Compression of the data.
    pub method: Method,
    /// Stored length of the data in bytes.
    pub stored_len: u32,
    /// Decompressed length of the data in bytes.
    pub raw_len: u32,
}

/// Compression method of the data (`EUsmapCompressionMethod`).
#[doc(alias = "EUsmapCompressionMethod")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Method {
    /// Not compressed.
    None = 0,
    /// Oodle.
    Oodle = 1,
    /// Brotli.
    Brotli = 2,
    /// Zstandard.
    Zstd = 3,
}

/// Creator of the file (`FUsmapMetadata`).
#[doc(alias = "FUsmapMetadata")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Metadata {
    /// Name of the tool, such as `Dumper-7`.
    pub tool: String,
    /// Version of the tool; may be empty.
    pub tool_version: String,
    /// Time of creation, in seconds since 1970.
    pub created_at: i64,
    /// Source (`EUsmapSource`): 0 a running game, 1 a memory dump, 2 static analysis, 3 a `.jmap`, 4
    /// something else.
    pub source: u32,
}

/// The versions of a game's packages.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Versions {
    /// Engine version (since version 5 of the format).
    pub engine: Option<EngineVersion>,
    /// UE4 object version.
    pub ue4: i32,
    /// UE5 object version; 0 before UE5.
    pub ue5: i32,
    /// Custom versions of engine parts.
    pub custom: Vec<CustomVersion>,
    /// Network changelist, which all players of a game must share.
    pub net_changelist: u32,
}

/// Possible lengths of the source in the metadata, likelier first.
const SOURCE_LENS: [usize; 2] = [1, 4];

impl Header {
    /// Returns true if a file has a valid header, and the recorded length.
    #[must_use]
    pub fn fits(bytes: &[u8]) -> bool {
        Self::parse(bytes).is_ok_and(|(header, rest)| header.stored_len as usize == rest.remaining())
    }

    /// Parses the header; returns the reader after it.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, Reader<'_>), Fault> {
        let [usual, other] = SOURCE_LENS.map(|source_len| Self::parse_with(bytes, source_len));
        let fits = |header: &Result<(Self, Reader<'_>), Fault>| {
            header.as_ref().is_ok_and(|(header, rest)| header.stored_len as usize == rest.remaining())
        };
        // Both parse: only the recorded length shows which one is right.
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
        // Before version 1 neither the flag nor the versions exist.
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
