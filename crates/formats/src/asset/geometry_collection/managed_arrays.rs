//! `FManagedArrayCollection`: groups of arrays of one length each.
//!
//! ```text
//! i32 version │ i32 n │ n × { Name group, i32 4, i32 length }
//!             │ i32 n │ n × { Name array, Name group, i32 4, i32 type, Name group it indexes, u32 1, array }
//! array       u32 1 │ u32 size of an element, unless elements have parts or are bits │ u32 length │ elements
//! ```
//!
//! Arrays of physics objects have no size that could be known without reading them: reading ends at the first of
//! these. All others that a group is made with stand before them. Verified on 5.8; source: those files, and the names
//! of types in CUE4Parse.

use crate::asset::Payload;
use crate::wire::{Fault, FaultKind};
use std::collections::HashMap;
use std::sync::Arc;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Arrays by name and group.
#[derive(Debug, Default)]
pub(super) struct ManagedArrays<'a> {
    lengths: HashMap<Arc<str>, usize>,
    arrays: HashMap<(Arc<str>, Arc<str>), &'a [u8]>,
    texts: HashMap<(Arc<str>, Arc<str>), Vec<String>>,
}

/// `EManagedArrayType` whose elements have texts.
const STRING: u32 = 8;
/// `EManagedArrayType` whose elements have lists of numbers.
const INT_SET: u32 = 14;

/// Size of an element; `None` for types that are not read.
const fn size_of_element(kind: u32, is_large: bool) -> Option<usize> {
    Some(match kind {
        // Vector, IntVector.
        1 | 2 => 12,
        // Vector2D.
        3 => 8,
        // LinearColor, Quat, Guid.
        4 | 10 | 15 => 16,
        // Int32, Float.
        5 | 9 => 4,
        // Bool, Byte.
        6 | 16 => 1,
        // Transform, of doubles where worlds are large.
        7 if is_large => 80,
        // Transform of floats, Transform3f.
        7 | 44 => 40,
        // GeometryCollectionSection.
        12 => 20,
        // Box: two corners, and whether they are valid.
        13 if is_large => 49,
        13 => 25,
        _ => return None,
    })
}

/// Bytes of the smallest group and array.
const GROUP: usize = 16;
const ARRAY: usize = 40;

impl<'a> ManagedArrays<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let mut found = Self::default();
        payload.r.u32("version of a collection")?;
        for _ in 0..payload.r.count("groups of a collection", GROUP)? {
            let name = payload.name_text("name of a group")?;
            payload.r.u32("version of a group")?;
            // A group may be longer than the file: then its arrays are not.
            let length = payload.r.size("length of a group")? as usize;
            found.lengths.insert(name, length);
        }
        for _ in 0..payload.r.count("arrays of a collection", ARRAY)? {
            let key = (payload.name_text("name of an array")?, payload.name_text("group of an array")?);
            payload.r.u32("version of an array")?;
            let kind = payload.r.u32("type of an array")?;
            payload.name("group that an array indexes")?;
            payload.r.bool32("array is saved")?;
            payload.expect("version of elements", 1)?;
            if !found.array(payload, key, kind)? {
                break;
            }
        }
        Ok(found)
    }

    /// Reads the elements of an array; false if their type is not read.
    fn array(
        &mut self,
        payload: &mut Payload<'_, 'a>,
        key: (Arc<str>, Arc<str>),
        kind: u32,
    ) -> Result<bool, Fault> {
        let at = payload.r.clone();
        let length = self.lengths.get(&key.1).copied();
        let missing = || at.fault("group of an array", FaultKind::OutOfRange { index: 0, count: 0 });
        let length = length.ok_or_else(missing)?;
        if kind == STRING {
            let count = counted(payload, length, 4)?;
            let texts = (0..count).map(|_| payload.r.string("text of an array"));
            self.texts.insert(key, texts.collect::<Result<_, Fault>>()?);
        } else if kind == INT_SET {
            for _ in 0..counted(payload, length, 4)? {
                let count = payload.r.count("numbers of an element", 4)?;
                payload.r.bytes("numbers of an element", count * 4)?;
            }
        } else if let Some(size) = size_of_element(kind, payload.versions.objects.has_large_worlds()) {
            // Arrays that are read in one go say the size of their elements.
            let mut ahead = payload.r.clone();
            let start = (ahead.u32("size of an element")?, ahead.u32("length of an array"));
            if matches!(start, (found, Ok(count)) if found as usize == size && count as usize == length) {
                payload.r.u32("size of an element")?;
            }
            let count = counted(payload, length, size)?;
            self.arrays.insert(key, payload.r.bytes("elements of an array", count * size)?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Returns an array; empty if it is missing, or has elements of another size.
    pub(super) fn get<T>(&self, name: &str, group: &str) -> &'a [T]
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let bytes = self.arrays.get(&(Arc::from(name), Arc::from(group)));
        bytes.and_then(|bytes| <[T]>::ref_from_bytes(bytes).ok()).unwrap_or_default()
    }

    /// Returns an array of texts; empty if it is missing.
    pub(super) fn texts(&self, name: &str, group: &str) -> &[String] {
        self.texts.get(&(Arc::from(name), Arc::from(group))).map_or(&[], Vec::as_slice)
    }

    /// Returns the length of a group.
    pub(super) fn len(&self, group: &str) -> usize {
        self.lengths.get(group).copied().unwrap_or_default()
    }
}

/// Reads the length of an array, which is that of its group.
fn counted(payload: &mut Payload<'_, '_>, length: usize, unit: usize) -> Result<usize, Fault> {
    let at = payload.r.clone();
    let count = payload.r.count("length of an array", unit)?;
    if count != length {
        let kind = FaultKind::Unexpected { found: count as u64, expected: length as u64 };
        return Err(at.fault("length of an array", kind));
    }
    Ok(count)
}
