use super::check::{self, Table};
use super::hashes::{HASH_LENS, Hashes};
use super::range::IndexRange;
use crate::{
    version::ShaderLibraryForm,
    wire::{Archive, Fault, FaultKind, Partial, Reader, Writer},
};

/// The header of a `.ushaderbytecode` file (`FSerializedShaderArchive`).
#[doc(alias = "FSerializedShaderArchive")]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct LooseShaderLibrary {
    /// Hashes by which packages refer to shader maps.
    pub shader_map_hashes: Hashes,
    /// Hashes by which shader maps refer to shaders.
    pub shader_hashes: Hashes,
    /// The shader maps.
    pub shader_maps: Vec<LooseShaderMap>,
    /// The shaders.
    pub shaders: Vec<LooseShader>,
    /// Ranges of code read at once for a shader map.
    pub preload: Vec<PreloadEntry>,
    /// Shader numbers.
    pub indices: Vec<u32>,
}

/// The shaders of a material (`FShaderMapEntry`).
#[doc(alias = "FShaderMapEntry")]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct LooseShaderMap {
    /// Range of its shader numbers in [`LooseShaderLibrary::indices`].
    pub shaders: IndexRange,
    /// Range of its preload entries in [`LooseShaderLibrary::preload`].
    pub preload: IndexRange,
}

/// One shader (`FShaderCodeEntry`).
#[doc(alias = "FShaderCodeEntry")]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct LooseShader {
    /// Start of its code, in bytes after the header.
    pub offset: u64,
    /// Stored length of its code in bytes.
    pub stored_len: u32,
    /// Decompressed length in bytes; equal to `stored_len` if the code is not compressed.
    pub raw_len: u32,
    /// Stage; see [`frequency_name`](super::frequency_name).
    pub frequency: u8,
}

/// A range of code (`FFileCachePreloadEntry`).
#[doc(alias = "FFileCachePreloadEntry")]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PreloadEntry {
    /// Start, in bytes after the header.
    pub offset: u64,
    /// Length in bytes.
    pub len: u64,
}

impl LooseShaderLibrary {
    /// Reads the header of a file; the code after it may be missing.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::container::shader_library::LooseShaderLibrary;
    ///
    /// let mut empty = vec![2, 0, 0, 0];
    /// empty.resize(28, 0);
    /// let library = LooseShaderLibrary::parse(&empty)?;
    /// assert_eq!((library.shaders.len(), library.header_len(), library.code_len()), (0, 28, 0));
    /// # Ok::<(), uncask::wire::Fault>(())
    /// ```
    pub fn parse(file: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(file).complete()
    }

    /// Reads as much of the header of a file as is sound. Values read before a fault are unchecked:
    /// references may lead nowhere.
    #[must_use]
    pub fn parse_partial(file: &[u8]) -> Partial<Self> {
        Partial::furthest(HASH_LENS.into_iter().map(|hash_len| {
            let hashes = Hashes::new(hash_len);
            let mut library =
                Self { shader_map_hashes: hashes.clone(), shader_hashes: hashes, ..Self::default() };
            let mut r = Reader::new(file);
            // References are checked only if all tables were read.
            let fault = library.archive(&mut r).and_then(|()| library.check()).err();
            Partial { value: library, fault }
        }))
    }

    /// Writes the header, which precedes the code. Fails only if a table has more than 2³¹ entries.
    pub fn header(&self) -> Result<Vec<u8>, Fault> {
        let mut w = Writer::new();
        // An archive takes its records mutably, even to write them.
        self.clone().archive(&mut w)?;
        Ok(w.into_bytes())
    }

    /// Returns the length of the header in bytes.
    #[must_use]
    pub const fn header_len(&self) -> u64 {
        let [.., indices] = self.tables();
        indices.at + self.indices.len() as u64 * indices.entry_len
    }

    /// Returns the length of the code after the header, in bytes.
    #[must_use]
    pub fn code_len(&self) -> u64 {
        // Shaders may share code, so the sum of the lengths would be too large.
        let end = |shader: &LooseShader| shader.offset.saturating_add(shader.stored_len.into());
        self.shaders.iter().map(end).max().unwrap_or(0)
    }

    /// Archives the header, field by field.
    fn archive<A: Archive>(&mut self, a: &mut A) -> Result<(), Fault> {
        check::form(a, ShaderLibraryForm::Loose)?;
        self.shader_map_hashes.archive(a, "shader map hashes")?;
        self.shader_hashes.archive(a, "shader hashes")?;
        a.list("shader maps", &mut self.shader_maps, 16, |a, map| {
            range(a, "shader map", &mut map.shaders)?;
            range(a, "preload of a shader map", &mut map.preload)
        })?;
        a.list("shaders", &mut self.shaders, 17, |a, shader| {
            a.u64("shader offset", &mut shader.offset)?;
            a.u32("shader size", &mut shader.stored_len)?;
            a.u32("shader uncompressed size", &mut shader.raw_len)?;
            a.u8("shader frequency", &mut shader.frequency)
        })?;
        a.list("preload entries", &mut self.preload, 16, |a, entry| {
            a.u64("preload offset", &mut entry.offset)?;
            a.u64("preload size", &mut entry.len)
        })?;
        a.list("shader indices", &mut self.indices, 4, |a, index| a.u32("shader index", index))
    }

    /// Returns the places of shader maps, shaders, preload entries and indices.
    const fn tables(&self) -> [Table; 4] {
        let hashes = self.shader_map_hashes.byte_len() + self.shader_hashes.byte_len();
        // The form and three counts precede the shader maps.
        let maps = Table { at: 16 + hashes, entry_len: 16 };
        let shaders = maps.next(self.shader_maps.len(), 17);
        let preload = shaders.next(self.shaders.len(), 16);
        [maps, shaders, preload, preload.next(self.preload.len(), 4)]
    }

    /// Checks that every reference is in range.
    fn check(&self) -> Result<(), Fault> {
        let [maps, shaders, preload, indices] = self.tables();
        maps.same_count("shader maps", self.shader_maps.len(), self.shader_map_hashes.len())?;
        shaders.same_count("shaders", self.shaders.len(), self.shader_hashes.len())?;
        indices.check_indices(&self.indices, self.shaders.len())?;
        let ranges = self.shader_maps.iter().map(|map| map.shaders);
        maps.check_ranges("shader map", ranges, self.indices.len())?;
        let ranges = self.shader_maps.iter().map(|map| map.preload);
        maps.check_ranges("preload of a shader map", ranges, self.preload.len())?;
        let places = self.shaders.iter().map(|shader| (shader.offset, shader.stored_len.into()));
        check_places(shaders, "shader offset", places)?;
        check_places(preload, "preload offset", self.preload.iter().map(|entry| (entry.offset, entry.len)))
    }
}

/// Checks that ranges end at or before `i64::MAX`, the last byte that the engine can seek to.
fn check_places(
    table: Table,
    field: &'static str,
    places: impl Iterator<Item = (u64, u64)>,
) -> Result<(), Fault> {
    const LIMIT: u64 = i64::MAX as u64;
    for (number, (offset, len)) in places.enumerate() {
        let found = offset.saturating_add(len);
        if found > LIMIT {
            return Err(table.fault(field, number, FaultKind::TooLarge { found, limit: LIMIT }));
        }
    }
    Ok(())
}

fn range<A: Archive>(a: &mut A, field: &'static str, range: &mut IndexRange) -> Result<(), Fault> {
    a.u32(field, &mut range.first)?;
    a.u32(field, &mut range.count)
}
