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

use super::class::{Class, Tail};
use super::decode::Decoder;
use super::value::Record;
use crate::wire::Fault;
use context::Read;

pub(super) use context::Context;

/// What the classes add that are known to add something.
const TABLES: [&[(&str, Read)]; 4] = [tables::TABLE, world::TABLE, various::TABLE, classes::TABLE];

/// What an object of a class has after its properties, in the order of the file.
pub(super) fn of(class: &Class) -> &[Tail] {
    class.tails.get_or_init(|| {
        let names = class.names.iter().enumerate().rev();
        names
            .filter_map(|(at, name)| find(name).or(fields::is_field(name).then_some(Tail::Field(at))))
            .collect()
    })
}

fn find(class: &str) -> Option<Tail> {
    let mut known = TABLES.into_iter().flatten();
    known.position(|(name, _)| name.eq_ignore_ascii_case(class)).map(Tail::Known)
}

/// Reads what one class adds.
pub(super) fn read(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    (class, of): (&Class, Tail),
    context: &Context<'_>,
) -> Result<(), Fault> {
    match of {
        Tail::Known(place) => {
            let known = TABLES.into_iter().flatten().nth(place);
            known.map_or(Ok(()), |(_, read)| read(d, tail, context))
        }
        Tail::Field(place) => class.names.get(place).map_or(Ok(()), |name| fields::read(d, tail, name)),
    }
}
