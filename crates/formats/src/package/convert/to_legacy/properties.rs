//! End of the tagged properties of an export.
//!
//! ```text
//! control u8: 0, or bit 1 set and one byte more                                            once per object
//! name (8) ─┬─ "None": the end
//!           └─ type tree: { name (8), inner i32 } …, size i32, flags u8
//!              [1: array index i32] [2: GUID 16] [4: u8, bit 1: two bytes more], value (size bytes) │ next name
//! ```
//!
//! This is the form of UE 5.4 and later. Earlier releases do not record where properties end.

use crate::names::NameMap;
use crate::version::PackageFileVersion;
use crate::wire::{Fault, Reader};

/// Bit of the control byte and of the extension byte: an operation byte follows.
const HAS_OPERATION: u8 = 2;

/// Largest plausible number of nodes in a type tree.
const MAX_NODES: u32 = 64;

/// Returns the position after the last property of an export; `None` if the data does not start with
/// properties.
pub(super) fn end(data: &[u8], names: &NameMap, versions: PackageFileVersion) -> Option<usize> {
    if !versions.has_complete_type_names() {
        return None;
    }
    let mut r = Reader::new(data);
    // The control byte comes once per object, before the first tag.
    if r.u8("control").ok()? & HAS_OPERATION != 0 {
        r.u8("operation").ok()?;
    }
    while tag(&mut r, names).ok()?? {}
    Some(r.position())
}

/// Skips one property; `false` at the end of the list, `None` if the bytes are not a property.
fn tag(r: &mut Reader<'_>, names: &NameMap) -> Result<Option<bool>, Fault> {
    let Some(text) = name(r, names)? else { return Ok(None) };
    if text.eq_ignore_ascii_case("None") {
        return Ok(Some(false));
    }
    // Counts the announced nodes that are still to come; each node announces its children.
    let mut open: i64 = 1;
    for _ in 0..MAX_NODES {
        if name(r, names)?.is_none() {
            return Ok(None);
        }
        open += i64::from(r.size("inner types")?) - 1;
        if open == 0 {
            return value(r).map(|()| Some(true));
        }
    }
    Ok(None)
}

fn value(r: &mut Reader<'_>) -> Result<(), Fault> {
    let size = r.size("property size")?;
    let flags = r.u8("property flags")?;
    r.when(flags & 1 != 0, |r| r.i32("array index"))?;
    r.when(flags & 2 != 0, |r| r.bytes("property GUID", 16))?;
    if flags & 4 != 0 && r.u8("extension")? & HAS_OPERATION != 0 {
        r.bytes("operation", 2)?;
    }
    r.bytes("property value", size as usize).map(drop)
}

/// Reads a name; `None` if it is not in the table.
fn name<'a>(r: &mut Reader<'_>, names: &'a NameMap) -> Result<Option<&'a str>, Fault> {
    let index = r.u32("name")?;
    r.u32("name number")?;
    Ok(names.get(index))
}
