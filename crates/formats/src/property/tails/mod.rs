//! Tails: the data after an object's properties, class by class.
//!
//! Each class adds its part after that of its base class. A class that is missing here adds nothing, or
//! undescribed data such as pixels, which stays raw.

mod build_data;
mod bulk;
mod classes;
mod components;
mod context;
mod fields;
mod graph;
mod model;
mod tables;
mod various;
mod world;

use super::class::{Class, Tail};
use super::decode::Decoder;
use super::value::Record;
use crate::wire::Fault;
use context::Read;

pub(super) use context::Context;
pub(super) use graph::{is_node, read_node};

/// The classes known to add something.
const TABLES: [&[(&str, Read)]; 7] = [
    tables::TABLE,
    world::TABLE,
    components::TABLE,
    build_data::TABLE,
    model::TABLE,
    various::TABLE,
    classes::TABLE,
];

/// The tails of a class, in the order of the file.
pub(super) fn of(class: &Class) -> &[Tail] {
    class.tails.get_or_init(|| {
        // From the base class down.
        let names = class.names.iter().enumerate().rev();
        names
            .filter_map(|(at, name)| find(name).or(fields::is_field(name).then_some(Tail::Field(at))))
            .collect()
    })
}

fn find(class: &str) -> Option<Tail> {
    // Its index among all tables: `read` finds it again by counting.
    let mut known = TABLES.into_iter().flatten();
    known.position(|(name, _)| name.eq_ignore_ascii_case(class)).map(Tail::Known)
}

/// Reads the tail of one class.
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
