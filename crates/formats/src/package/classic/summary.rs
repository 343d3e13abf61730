//! The header of a classic package.
//!
//! ```text
//! tag │ u16 version │ u16 licensee │ (249) header size │ (269) folder │ flags │ names │ exports │ imports
//! (< 68)  heritage count, offset │ a list of GUIDs there
//! (≥ 68)  (415) depends │ (623) GUID table │ (584) thumbnails │ GUID │ generations │ (245) engine │ (277) cooker
//!         │ (334) compression │ (482) source │ (516) packages │ (767) textures
//! ```
//!
//! A pair is i32 count, i32 offset. Verified on versions 69, 128 and 868; source: Unreal-Library `UnrealPackage.cs`.

use crate::{
    id::Guid,
    package::legacy::{SWAPPED_TAG, TAG},
    version::ClassicVersion,
    wire::{Fault, FaultKind, Reader},
};

/// The header of a classic package. What a version does not have is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Summary {
    /// File version and licensee number.
    pub version: ClassicVersion,
    /// Bytes of the header (249).
    pub header_len: Option<u32>,
    /// Folder in the editor's tree (269).
    pub folder: Option<String>,
    /// 0x1 may be downloaded, 0x2 optional for clients, 0x4 only for servers, 0x8 broken links, 0x8000 needed.
    pub package_flags: u32,
    /// Name table.
    pub names: TableAt,
    /// Export table.
    pub exports: TableAt,
    /// Import table.
    pub imports: TableAt,
    /// GUIDs of this package and its ancestors, newest last (below 68).
    pub heritage: Vec<Guid>,
    /// Depends map (415).
    pub depends_offset: Option<u32>,
    /// Table of the GUIDs of imports and exports (623).
    pub guid_table: Option<GuidTable>,
    /// Offset of the thumbnails (584).
    pub thumbnails_offset: Option<u32>,
    /// GUID of the package.
    pub guid: Guid,
    /// Sizes of the package at each saving; the last entry is the present one.
    pub generations: Vec<Generation>,
    /// Version of the engine that saved it (245).
    pub engine_version: Option<u32>,
    /// Version of the cooker (277).
    pub cooker_version: Option<u32>,
    /// Compression of the whole package (334).
    pub compression_flags: Option<u32>,
    /// Compressed chunks (334): offset and size of the content, offset and size in the file.
    pub compressed_chunks: Vec<[u32; 4]>,
    /// Checksum of the base file name (482).
    pub package_source: Option<u32>,
    /// Additional packages to cook (516).
    pub additional_packages: Vec<String>,
    /// Texture allocations (767).
    pub texture_allocations: Vec<TextureAllocation>,
    /// Length of the header in bytes.
    pub summary_len: u64,
}

/// Count and place of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct TableAt {
    /// Number of entries.
    pub count: u32,
    /// File offset of the first entry; meaningless for an empty table.
    pub offset: u32,
}

/// Place of the GUIDs of imports and exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct GuidTable {
    /// File offset of the table.
    pub offset: u32,
    /// Number of import GUIDs.
    pub imports: u32,
    /// Number of export GUIDs.
    pub exports: u32,
}

/// Size of the package at an earlier saving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Generation {
    /// Number of exports.
    pub exports: u32,
    /// Number of names.
    pub names: u32,
    /// Number of network objects (322).
    pub net_objects: Option<u32>,
}

/// Textures of one kind in a cooked package (767).
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct TextureAllocation {
    /// Width, height, mip count, format, flags.
    pub kind: [i32; 5],
    /// Export indices.
    pub exports: Vec<i32>,
}

impl Summary {
    /// Reads the header; below version 68 also the heritage list, which may lie anywhere.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let mut s = Self { version: version(&mut r)?, ..Self::default() };
        let v = s.version;
        s.header_len = r.when(v.has_header_size(), |r| r.size("classic header: size"))?;
        s.folder = r.when(v.has_folder_name(), |r| r.string("classic header: folder"))?;
        s.package_flags = r.u32("classic header: flags")?;
        s.names = table(&mut r, "classic header: names")?;
        s.exports = table(&mut r, "classic header: exports")?;
        s.imports = table(&mut r, "classic header: imports")?;
        // Version 68 replaced the list of ancestors by one GUID and a history.
        if v.has_generations() {
            s.identity(&mut r)?;
        } else {
            let heritage = table(&mut r, "classic header: heritage")?;
            // The header ends here; the list it points to is not part of it.
            s.summary_len = r.offset();
            s.read_heritage(bytes, heritage)?;
        }
        Ok(s)
    }

    fn identity(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        let v = self.version;
        self.depends_offset = r.when(v.has_depends(), |r| r.size("classic header: depends offset"))?;
        self.guid_table = r.when(v.has_cross_level_guids(), |r| {
            Ok(GuidTable {
                offset: r.size("classic header: GUID table")?,
                imports: r.size("classic header: import GUIDs")?,
                exports: r.size("classic header: export GUIDs")?,
            })
        })?;
        self.thumbnails_offset =
            r.when(v.has_thumbnails(), |r| r.size("classic header: thumbnails offset"))?;
        self.guid = Guid(r.array("classic header: GUID")?);
        // 8 bytes are the smallest generation; later versions add a third number.
        self.generations = r.list("classic header: generations", 8, |r| {
            Ok(Generation {
                exports: r.size("generation: exports")?,
                names: r.size("generation: names")?,
                net_objects: r.when(v.has_net_objects(), |r| r.size("generation: net objects"))?,
            })
        })?;
        self.engine_version = r.when(v.has_engine_version(), |r| r.u32("classic header: engine version"))?;
        self.cooker_version = r.when(v.has_cooker_version(), |r| r.u32("classic header: cooker version"))?;
        if v.has_compressed_chunks() {
            self.compression_flags = Some(r.u32("classic header: compression flags")?);
            self.compressed_chunks = r.list("classic header: compressed chunks", 16, words)?;
        }
        self.package_source = r.when(v.has_package_source(), |r| r.u32("classic header: package source"))?;
        if v.has_additional_packages() {
            self.additional_packages =
                r.list("classic header: additional packages", 4, |r| r.string("additional package"))?;
        }
        if v.has_texture_allocations() {
            self.texture_allocations = r.list("classic header: texture allocations", 24, |r| {
                let mut kind = [0; 5];
                kind.iter_mut()
                    .try_for_each(|number| r.i32("texture allocation").map(|found| *number = found))?;
                Ok(TextureAllocation { kind, exports: r.list("texture allocation", 4, |r| r.i32("export"))? })
            })?;
        }
        self.summary_len = r.offset();
        Ok(())
    }

    fn read_heritage(&mut self, bytes: &[u8], heritage: TableAt) -> Result<(), Fault> {
        if heritage.count == 0 {
            return Ok(());
        }
        let mut r = Reader::at(bytes, heritage.offset.into(), "heritage list")?;
        let guids = r.table::<Guid>("heritage list", heritage.count as usize)?;
        self.heritage = guids.to_vec();
        // The newest entry is the package itself.
        self.guid = self.heritage.last().copied().unwrap_or_default();
        Ok(())
    }
}

/// Returns true if a file starts with the tag and a positive version, as classic packages do.
#[must_use]
pub fn is_classic(start: &[u8]) -> bool {
    let mut r = Reader::new(start);
    version(&mut r).is_ok()
}

fn version(r: &mut Reader<'_>) -> Result<ClassicVersion, Fault> {
    let at = r.clone();
    match r.u32("classic header: tag")? {
        TAG => {}
        // Recognised but not read: an error that says so is worth more than a wrong magic.
        SWAPPED_TAG => {
            return Err(
                at.fault("classic header: byte order", FaultKind::Unsupported { found: SWAPPED_TAG.into() })
            );
        }
        _ => return Err(at.fault("classic header: tag", FaultKind::BadMagic)),
    }
    // Later engines write a negative number here, whose low half is no supported version.
    let at = r.clone();
    let version = ClassicVersion {
        file: r.u16("classic header: version")?,
        licensee: r.u16("classic header: licensee version")?,
    };
    if version.is_supported() {
        return Ok(version);
    }
    Err(at.fault("classic header: version", FaultKind::Unsupported { found: version.file.into() }))
}

fn table(r: &mut Reader<'_>, field: &'static str) -> Result<TableAt, Fault> {
    // The offset may be anything if the table is empty, so only the count is checked here.
    Ok(TableAt { count: r.size(field)?, offset: r.u32(field)? })
}

fn words(r: &mut Reader<'_>) -> Result<[u32; 4], Fault> {
    let mut words = [0; 4];
    words.iter_mut().try_for_each(|word| r.u32("compressed chunk").map(|found| *word = found))?;
    Ok(words)
}
