//! Attributes of the elements of a mesh description.
//!
//! ```text
//! set        i32 elements │ i32 n │ n attributes
//! attribute  name │ u32 type │ (5.0) u32 extent │ i32 elements │ i32 channels │ channels │ default │ u32 flags
//! channel    (5.0) u32 extent │ i32 bytes of a value │ i32 n │ n values; names: i32 n │ n strings
//! type       0: 4 × f32, 1: 3 × f32, 2: 2 × f32, 3: f32, 4: i32, 5: bool, 6: name, 7: transform of 10 × f64
//!            names and transforms: no i32 bytes of a value
//! extent 0   i32 chunks, each up to 256 elements: (i32 bytes of a value) │ i32 n, n values
//!            │ i32 m │ m × i32 start, m × i32 length, m × i32 capacity │ i32 elements │ default
//! ```
//!
//! An extent is the number of values of an element; 0 stands for any number. Attributes of extent 0 were in no
//! real file, and open readers differ on whether their values have a length: either is read.

use crate::wire::{Fault, FaultKind, Reader};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Attributes of the elements of one kind.
#[derive(Debug, Default)]
pub(super) struct Attributes<'a>(Vec<Attribute<'a>>);

#[derive(Debug)]
struct Attribute<'a> {
    name: String,
    kind: u32,
    channels: Vec<&'a [u8]>,
    names: Vec<String>,
    /// Elements of the first channel, where each has any number of values.
    chunks: Vec<Chunk<'a>>,
}

/// Elements with any number of values each.
#[derive(Debug)]
struct Chunk<'a> {
    values: &'a [u8],
    starts: &'a [U32],
    lens: &'a [U32],
}

/// Lengths of values by type, in bytes; that of names is in each.
const LENGTHS: [Option<usize>; 8] =
    [Some(16), Some(12), Some(8), Some(4), Some(4), Some(1), None, Some(TRANSFORM_LEN)];
const TRANSFORM_LEN: usize = 80;
const BOOL: u32 = 5;
/// Type of names, whose values are strings.
const NAME: u32 = 6;
const TRANSFORM: u32 = 7;
/// Bytes of the shortest attribute: an empty name, six numbers.
const MIN_LEN: usize = 28;

impl<'a> Attributes<'a> {
    /// Reads a set; `has_extents` since 5.0.
    pub(super) fn read(r: &mut Reader<'a>, has_extents: bool) -> Result<Self, Fault> {
        r.size("elements with attributes")?;
        let read = |r: &mut Reader<'a>| Attribute::read(r, has_extents);
        r.list("attributes", MIN_LEN, read).map(Self)
    }

    /// Returns the values of a channel of an attribute; empty if there is none of that type.
    pub(super) fn values<T>(&self, name: &str, channel: usize) -> &'a [T]
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let bytes = self.find(name).filter(|found| found.len() == Some(size_of::<T>()));
        let bytes = bytes.and_then(|found| found.channels.get(channel).copied()).unwrap_or_default();
        <[T]>::ref_from_bytes(bytes).unwrap_or_default()
    }

    /// Iterates over the values of each element of an attribute that has any number of them.
    pub(super) fn lists(&self, name: &str) -> impl Iterator<Item = &'a [U32]> {
        let found = self.find(name).filter(|found| found.len() == Some(size_of::<U32>()));
        found.into_iter().flat_map(|found| &found.chunks).flat_map(Chunk::lists)
    }

    /// Returns the number of channels of an attribute.
    pub(super) fn channels(&self, name: &str) -> usize {
        self.find(name).map_or(0, |found| found.channels.len())
    }

    /// Takes the values of an attribute that are names.
    pub(super) fn take_names(&mut self, name: &str) -> Vec<String> {
        let found = self.0.iter_mut().find(|attribute| attribute.name == name);
        found.map(|found| std::mem::take(&mut found.names)).unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<&Attribute<'a>> {
        self.0.iter().find(|attribute| attribute.name == name)
    }
}

impl<'a> Attribute<'a> {
    fn read(r: &mut Reader<'a>, has_extents: bool) -> Result<Self, Fault> {
        // Positions have a space after their name.
        let name = r.string("name of an attribute")?.trim_end().to_owned();
        let at = r.clone();
        let kind = r.u32("type of an attribute")?;
        if kind > TRANSFORM {
            return Err(at.fault("type of an attribute", FaultKind::Unsupported { found: kind.into() }));
        }
        let extent = r.when(has_extents, |r| r.u32("extent of an attribute"))?;
        r.size("elements of an attribute")?;
        let mut attribute = Self { name, kind, channels: Vec::new(), names: Vec::new(), chunks: Vec::new() };
        // A channel has a count at least.
        for _ in 0..r.count("channels of an attribute", 4)? {
            if extent == Some(0) {
                let start = r.clone();
                let found = attribute.chunks(r, true).or_else(|_| {
                    *r = start;
                    attribute.chunks(r, false)
                })?;
                if attribute.chunks.is_empty() {
                    attribute.chunks = found;
                }
                continue;
            }
            r.when(has_extents, |r| r.u32("extent of a channel"))?;
            attribute.values(r)?;
        }
        attribute.default(r)?;
        r.u32("flags of an attribute")?;
        Ok(attribute)
    }

    fn default(&self, r: &mut Reader<'a>) -> Result<(), Fault> {
        match self.kind {
            NAME => drop(r.string("default of an attribute")?),
            // Four bytes, although values take one.
            BOOL => drop(r.u32("default of an attribute")?),
            _ => drop(r.bytes("default of an attribute", self.len().unwrap_or_default())?),
        }
        Ok(())
    }

    /// Reads a channel whose elements have any number of values; `has_len` if the length of a value precedes
    /// them.
    fn chunks(&self, r: &mut Reader<'a>, has_len: bool) -> Result<Vec<Chunk<'a>>, Fault> {
        let at = r.clone();
        let kind = FaultKind::Unsupported { found: self.kind.into() };
        let len = self.len().ok_or_else(|| at.fault("type of an attribute", kind))?;
        let mut chunks = Vec::new();
        // Two counts at least.
        for _ in 0..r.count("chunks of an attribute", 8)? {
            if has_len {
                expect_len(r, len)?;
            }
            let count = r.count("values of an attribute", len)?;
            let values = r.bytes("values of an attribute", count.saturating_mul(len))?;
            let lists = r.count("lists of values", 12)?;
            let starts: &[U32] = r.table("starts of lists", lists)?;
            let lens: &[U32] = r.table("lengths of lists", lists)?;
            r.table::<U32>("capacities of lists", lists)?;
            let mut ends =
                starts.iter().zip(lens).map(|(start, len)| u64::from(start.get()) + u64::from(len.get()));
            if let Some(end) = ends.find(|end| *end > count as u64) {
                let kind = FaultKind::TooLarge { found: end, limit: count as u64 };
                return Err(r.fault("lists of values", kind));
            }
            chunks.push(Chunk { values, starts, lens });
        }
        r.size("elements of an attribute")?;
        // Unlike that of the attribute, this one of a bool is a byte.
        r.bytes("default of a list", len)?;
        Ok(chunks)
    }

    /// Reads the values of a channel.
    fn values(&mut self, r: &mut Reader<'a>) -> Result<(), Fault> {
        let Some(len) = self.len() else {
            let mut names = r.list("values of an attribute", 4, |r| r.string("value of an attribute"))?;
            self.names.append(&mut names);
            return Ok(());
        };
        if self.kind != TRANSFORM {
            expect_len(r, len)?;
        }
        let count = r.count("values of an attribute", len)?;
        self.channels.push(r.bytes("values of an attribute", count.saturating_mul(len))?);
        Ok(())
    }

    /// Length of a value in bytes; `None` for names.
    fn len(&self) -> Option<usize> {
        LENGTHS.get(self.kind as usize).copied().flatten()
    }
}

impl<'a> Chunk<'a> {
    /// Values of each element; none if they are not numbers of 32 bits.
    fn lists(&self) -> impl Iterator<Item = &'a [U32]> + use<'a> {
        let values: &'a [U32] = <[U32]>::ref_from_bytes(self.values).unwrap_or_default();
        let range = |(start, len): (&U32, &U32)| {
            let start = start.get() as usize;
            start..start.saturating_add(len.get() as usize)
        };
        let ranges = self.starts.iter().zip(self.lens).map(range);
        ranges.map(move |range| values.get(range).unwrap_or_default())
    }
}

/// Reads the length of a value, which its type implies.
fn expect_len(r: &mut Reader<'_>, len: usize) -> Result<(), Fault> {
    let at = r.clone();
    let found = r.size("length of a value")?;
    if found as usize == len {
        return Ok(());
    }
    let kind = FaultKind::Unexpected { found: found.into(), expected: len as u64 };
    Err(at.fault("length of a value", kind))
}

/// Numbers of the elements that exist, from a bit for each.
#[derive(Debug, Default)]
pub(super) struct Slots<'a> {
    /// Number of bits.
    pub(super) len: usize,
    bits: &'a [u8],
}

impl<'a> Slots<'a> {
    /// Reads the bits, in words of 32.
    pub(super) fn read(r: &mut Reader<'a>, field: &'static str) -> Result<Self, Fault> {
        let len = r.size(field)? as usize;
        let bits = r.bytes(field, len.div_ceil(32).saturating_mul(4))?;
        Ok(Self { len, bits })
    }

    /// Numbers of the elements.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.len).filter(|at| self.bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0))
    }
}
