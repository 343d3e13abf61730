//! Attributes of the elements of a mesh description.
//!
//! ```text
//! set        i32 elements │ i32 n │ n attributes
//! attribute  name │ u32 type │ (5.0) u32 extent │ i32 elements │ i32 channels │ channels │ default │ u32 flags
//! channel    (5.0) u32 extent │ i32 bytes of a value │ i32 n │ n values; names: i32 n │ n strings
//! type       0: 4 × f32, 1: 3 × f32, 2: 2 × f32, 3: f32, 4: i32, 5: bool, 6: name
//! extent 0   i32 chunks, each: values │ i32 n │ n × i32 start, n × i32 length, n × i32 capacity │ i32 elements │ default
//! ```
//!
//! An extent is the number of values of an element; 0 stands for any number. Attributes of extent 0 were in no
//! real file: they are skipped by what other readers know.

use crate::wire::{Fault, FaultKind, Reader};
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
}

/// Lengths of values by type, in bytes.
const LENGTHS: [usize; 6] = [16, 12, 8, 4, 4, 1];
/// Type of names, whose values are strings.
const NAME: u32 = 6;
const BOOL: u32 = 5;
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
        if kind > NAME {
            return Err(at.fault("type of an attribute", FaultKind::Unsupported { found: kind.into() }));
        }
        let extent = r.when(has_extents, |r| r.u32("extent of an attribute"))?;
        r.size("elements of an attribute")?;
        let mut attribute = Self { name, kind, channels: Vec::new(), names: Vec::new() };
        // A channel has a count at least.
        for _ in 0..r.count("channels of an attribute", 4)? {
            if extent == Some(0) {
                attribute.skip_lists(r)?;
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

    /// Skips a channel whose elements have any number of values.
    fn skip_lists(&self, r: &mut Reader<'a>) -> Result<(), Fault> {
        // Two counts at least.
        for _ in 0..r.count("chunks of an attribute", 8)? {
            let mut skipped =
                Self { name: String::new(), kind: self.kind, channels: Vec::new(), names: Vec::new() };
            skipped.values(r)?;
            let count = r.count("lists of values", 12)?;
            r.bytes("lists of values", count.saturating_mul(12))?;
        }
        r.size("elements of an attribute")?;
        self.default(r)
    }

    /// Reads the values of a channel.
    fn values(&mut self, r: &mut Reader<'a>) -> Result<(), Fault> {
        let Some(len) = self.len() else {
            let mut names = r.list("values of an attribute", 4, |r| r.string("value of an attribute"))?;
            self.names.append(&mut names);
            return Ok(());
        };
        let at = r.clone();
        let found = r.size("length of a value")?;
        if found as usize != len {
            let kind = FaultKind::Unexpected { found: found.into(), expected: len as u64 };
            return Err(at.fault("length of a value", kind));
        }
        let count = r.count("values of an attribute", len)?;
        self.channels.push(r.bytes("values of an attribute", count.saturating_mul(len))?);
        Ok(())
    }

    /// Length of a value in bytes; `None` for names.
    fn len(&self) -> Option<usize> {
        LENGTHS.get(self.kind as usize).copied()
    }
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
