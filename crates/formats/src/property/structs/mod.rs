//! Structs with their own serializer, which writes the same bytes in lists with and without tags.
//!
//! All other structs are ordinary lists: Transform, ranges, RichCurve, GameplayTag, every user-defined
//! struct. Games may add native structs; where the bytes do not fit, the value is kept raw.

mod bags;
mod editor;
mod field;
mod native;
mod sequencer;
mod shapes;
mod various;

use super::decode::Decoder;
use super::kind::StructName;
use super::value::Value;
use crate::wire::Fault;
use foldhash::{HashMap, HashMapExt};
use native::Native;
use std::sync::{Arc, LazyLock};

pub(super) use editor::{pin_type, pin_word};
pub(super) use field::{Field, add, record_of, strip_flags};

/// All known native structs, by name in lower case.
static TABLE: LazyLock<HashMap<Box<str>, Native>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    let tables = [shapes::TABLE, various::TABLE, sequencer::TABLE, bags::TABLE, editor::TABLE];
    for (name, native) in tables.into_iter().flatten() {
        table.insert(name.to_ascii_lowercase().into_boxed_str(), *native);
    }
    table
});

/// Upper bound on the length of names in the table.
const MAX_NAME: usize = 64;

/// Reads a struct with its own serializer; `None` if it has none, or none that is known.
pub(super) fn read(d: &mut Decoder<'_, '_>, name: &StructName) -> Result<Option<Value>, Fault> {
    match find(&name.name) {
        None => Ok(None),
        Some(Native::Fields(fields)) => {
            let record = record_of(d, fields)?;
            Ok(Some(Value::native(Some(Arc::clone(&name.name)), record)))
        }
        Some(Native::Code(read)) => Ok(read(d)?.map(|value| named(value, &name.name))),
    }
}

/// True if a struct of this name has a known serializer.
pub(super) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// Finds the reader of a struct, in any letter case. Allocates nothing: this runs for every struct.
fn find(name: &str) -> Option<Native> {
    let mut lower = [0_u8; MAX_NAME];
    // A longer name is not in the table.
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    TABLE.get(std::str::from_utf8(lower).ok()?).copied()
}

/// Names a struct that has no name yet.
fn named(mut value: Value, name: &Arc<str>) -> Value {
    if let Value::Struct(found) = &mut value {
        found.name.get_or_insert_with(|| Arc::clone(name));
    }
    value
}
