//! Tails: what follows the properties of an object, class by class.
//!
//! Each class adds its own part after that of the class that it extends. A class that is not here adds nothing, or what is
//! not described here, such as pixels: that stays as bytes.

mod classes;
mod context;
mod fields;
mod tables;
mod various;
mod world;

use super::decode::Decoder;
use super::value::Record;
use crate::wire::Fault;

pub(super) use context::Context;

/// Reads what one class adds, if anything is known to be added.
pub(super) fn read(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    class: &str,
    context: &Context<'_>,
) -> Result<(), Fault> {
    let tables = [tables::TABLE, world::TABLE, various::TABLE, classes::TABLE];
    let mut known = tables.into_iter().flatten();
    match known.find(|(name, _)| name.eq_ignore_ascii_case(class)) {
        Some((_, read)) => read(d, tail, context),
        None => fields::read(d, tail, class),
    }
}
