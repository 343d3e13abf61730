use super::check::{self, Table};
use super::hashes::{HASH_LENS, Hashes};
use super::range::IndexRange;
use crate::{
    codec::{DecodeError, Method, Scratch, decode},
    id::RawChunkId,
    version::ShaderLibraryForm,
    wire::{Fault, FaultKind, Partial, Reader},
};
use std::borrow::Cow;
use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

/// A shader library inside a container (`FIoStoreShaderCodeArchiveHeader`).
///
/// Every reference in it was checked if it was returned by [`parse`](Self::parse).
#[doc(alias = "FIoStoreShaderCodeArchiveHeader")]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ShaderLibrary {
    /// Hashes by which packages refer to shader maps.
    pub shader_map_hashes: Hashes,
    /// Hashes by which shader maps refer to shaders.
    pub shader_hashes: Hashes,
    /// ShaderCode chunk of each group.
    pub group_ids: Vec<RawChunkId>,
    /// Range of each shader map's shader numbers in [`indices`](Self::indices).
    pub shader_maps: Vec<IndexRange>,
    /// The shaders.
    pub shaders: Vec<Shader>,
    /// The groups.
    pub groups: Vec<ShaderGroup>,
    /// Shader numbers of shader maps and groups.
    pub indices: Vec<u32>,
    /// Shader numbers in code order: by group, then by position.
    by_place: Vec<u32>,
}

/// One shader (`FIoStoreShaderCodeEntry`).
#[doc(alias = "FIoStoreShaderCodeEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shader {
    /// Stage; see [`frequency_name`](super::frequency_name).
    pub frequency: u8,
    /// Index of its group.
    pub group: u32,
    /// Start of its code in the decompressed group, in bytes.
    pub start: u32,
    /// Length of its code in bytes: up to the next shader, or to the end of the group.
    pub len: u32,
}

/// Shaders that are compressed together (`FIoStoreShaderGroupEntry`).
#[doc(alias = "FIoStoreShaderGroupEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShaderGroup {
    /// Range of its shader numbers in [`ShaderLibrary::indices`].
    pub shaders: IndexRange,
    /// Length of its code in bytes.
    pub raw_len: u32,
    /// Length of its chunk in bytes; equal to `raw_len` if the code is not compressed.
    pub stored_len: u32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawRange {
    first: U32,
    count: U32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawGroup {
    shaders: RawRange,
    raw_len: U32,
    stored_len: U32,
}

const _: () = assert!(size_of::<RawRange>() == 8 && size_of::<RawGroup>() == 16);

impl ShaderLibrary {
    /// Reads a ShaderCodeLibrary chunk.
    pub fn parse(chunk: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(chunk).complete()
    }

    /// Reads as much of a ShaderCodeLibrary chunk as is sound. Values read before a fault are unchecked:
    /// references may lead nowhere.
    ///
    /// Of the two possible hash lengths, the first that fits is taken; if neither does, the one that gets
    /// further.
    #[must_use]
    pub fn parse_partial(chunk: &[u8]) -> Partial<Self> {
        Partial::furthest(HASH_LENS.into_iter().map(|hash_len| {
            let hashes = Hashes::new(hash_len);
            let mut library =
                Self { shader_map_hashes: hashes.clone(), shader_hashes: hashes, ..Self::default() };
            let fault = library.fill(Reader::new(chunk)).err();
            Partial { value: library, fault }
        }))
    }

    /// Returns the shaders of a group, in code order.
    #[must_use]
    pub fn shaders_of_group(&self, group: u32) -> &[u32] {
        let group_of = |shader: &u32| self.shaders.get(*shader as usize).map(|shader| shader.group);
        let start = self.by_place.partition_point(|shader| group_of(shader) < Some(group));
        let rest = self.by_place.get(start..).unwrap_or_default();
        rest.get(..rest.partition_point(|shader| group_of(shader) == Some(group))).unwrap_or_default()
    }

    /// Returns the shader numbers in a range of [`indices`](Self::indices).
    #[must_use]
    pub fn numbers(&self, range: IndexRange) -> &[u32] {
        range.bounds().and_then(|range| self.indices.get(range)).unwrap_or_default()
    }

    /// Returns the length of the code of all groups, in bytes.
    #[must_use]
    pub fn raw_len(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.raw_len)).sum()
    }

    /// Returns the length of the chunks of all groups, in bytes.
    #[must_use]
    pub fn stored_len(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.stored_len)).sum()
    }

    fn fill(&mut self, mut r: Reader<'_>) -> Result<(), Fault> {
        check::form(&mut r, ShaderLibraryForm::IoStore)?;
        self.shader_map_hashes.archive(&mut r, "shader map hashes")?;
        self.shader_hashes.archive(&mut r, "shader hashes")?;
        self.group_ids = r.counted_table::<RawChunkId>("shader group ids")?.to_vec();
        let (maps_at, maps) = table::<RawRange>(&mut r, "shader maps")?;
        // Parallel tables: entry i of one belongs to hash i of the other.
        maps_at.same_count("shader maps", maps.len(), self.shader_map_hashes.len())?;
        self.shader_maps = maps.iter().map(RawRange::get).collect();
        let (shaders_at, shaders) = table::<U64>(&mut r, "shaders")?;
        shaders_at.same_count("shaders", shaders.len(), self.shader_hashes.len())?;
        self.shaders = shaders.iter().map(|bits| Shader::unpack(bits.get())).collect();
        let (groups_at, groups) = table::<RawGroup>(&mut r, "shader groups")?;
        groups_at.same_count("shader groups", groups.len(), self.group_ids.len())?;
        self.groups = groups.iter().map(RawGroup::get).collect();
        let (indices_at, indices) = table::<U32>(&mut r, "shader indices")?;
        self.indices = indices.iter().map(|index| index.get()).collect();
        // All sizes are known before references are followed.
        r.finish("shader library")?;
        indices_at.check_indices(&self.indices, self.shaders.len())?;
        maps_at.check_ranges("shader map", self.shader_maps.iter().copied(), self.indices.len())?;
        self.check_groups(groups_at)?;
        self.measure(shaders_at)
    }

    /// Checks that groups and shaders agree on their membership.
    fn check_groups(&self, at: Table) -> Result<(), Fault> {
        let ranges = self.groups.iter().map(|group| group.shaders);
        at.check_ranges("shader group", ranges, self.indices.len())?;
        for (number, group) in self.groups.iter().enumerate() {
            let shaders = self.numbers(group.shaders).iter();
            let mut groups = shaders.filter_map(|shader| Some(self.shaders.get(*shader as usize)?.group));
            if let Some(found) = groups.find(|found| *found as usize != number) {
                let kind = FaultKind::Unexpected { found: found.into(), expected: number as u64 };
                return Err(at.fault("group of a shader in a shader group", number, kind));
            }
        }
        Ok(())
    }

    /// Sorts the shaders by position and derives their lengths, which are not stored.
    fn measure(&mut self, at: Table) -> Result<(), Fault> {
        let place = |shader: &Shader| (shader.group, shader.start);
        let mut by_place: Vec<u32> = (0..).take(self.shaders.len()).collect();
        // Stable: shaders at one position keep the order of their numbers.
        by_place.sort_by_key(|number| self.shaders.get(*number as usize).map(place));
        let mut next = None;
        // From the end backwards, each shader ends where the one after it starts; the last of a group ends
        // with the group.
        for number in by_place.iter().rev() {
            let number = *number as usize;
            let Some(shader) = self.shaders.get_mut(number) else { continue };
            let fault = |kind| at.fault("shader", number, kind);
            // The group index comes from the packed entry and was not checked before.
            let out_of_range = || fault(FaultKind::out_of_range(shader.group, self.groups.len()));
            let group = self.groups.get(shader.group as usize).ok_or_else(out_of_range)?;
            let end = next.filter(|(of, _)| *of == shader.group).map_or(group.raw_len, |(_, start)| start);
            let too_large = FaultKind::TooLarge { found: shader.start.into(), limit: end.into() };
            shader.len = end.checked_sub(shader.start).ok_or_else(|| fault(too_large))?;
            next = Some(place(shader));
        }
        self.by_place = by_place;
        Ok(())
    }
}

impl RawRange {
    const fn get(&self) -> IndexRange {
        IndexRange { first: self.first.get(), count: self.count.get() }
    }
}

impl RawGroup {
    const fn get(&self) -> ShaderGroup {
        let Self { shaders, raw_len, stored_len } = self;
        ShaderGroup { shaders: shaders.get(), raw_len: raw_len.get(), stored_len: stored_len.get() }
    }
}

impl Shader {
    /// Unpacks an entry: 4 bits of frequency, 30 of group, 30 of position.
    fn unpack(bits: u64) -> Self {
        let part = |from: u32, len: u32| u32::try_from((bits >> from) & ((1 << len) - 1)).unwrap_or(u32::MAX);
        let frequency = u8::try_from(part(0, 4)).unwrap_or(u8::MAX);
        Self { frequency, group: part(4, 30), start: part(34, 30), len: 0 }
    }
}

/// Reads a counted table and its place.
fn table<'a, T>(r: &mut Reader<'a>, field: &'static str) -> Result<(Table, &'a [T]), Fault>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    // After the count.
    let at = r.offset() + 4;
    Ok((Table { at, entry_len: size_of::<T>() as u64 }, r.counted_table(field)?))
}

/// Decompresses the code of a group from the content of its chunk.
///
/// The chunk may be compressed once more, independent of its blocks, by a method that is recorded nowhere:
/// the first bytes reveal it. LZ4 has no magic, so it is tried if no other method is likely, or works. The
/// caller checks that `raw_len` bytes may be allocated.
pub fn decompress_group<'a>(
    group: &ShaderGroup,
    content: &'a [u8],
    scratch: &mut Scratch,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    let stored = group.raw_len == group.stored_len;
    // Equal lengths mean that the code is not compressed.
    if stored && content.len() == group.raw_len as usize {
        return Ok(Cow::Borrowed(content));
    }
    let mut code = vec![0; group.raw_len as usize];
    // Equal lengths with other content lengths are damage; the copy then fails with a precise error.
    let likely = if stored { Method::None } else { Method::sniff(content).unwrap_or(Method::Lz4) };
    match decode(likely, content, &mut code, scratch) {
        // The first error is the better one: LZ4 fails on any data that is not LZ4.
        Err(error) if stored || decode(Method::Lz4, content, &mut code, scratch).is_err() => Err(error),
        _ => Ok(Cow::Owned(code)),
    }
}
