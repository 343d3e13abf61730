//! The input of a tail reader.

use crate::property::decode::Decoder;
use crate::property::value::{List, Record};
use crate::wire::Fault;

/// The facts a tail depends on.
pub(in crate::property) struct Context<'a> {
    /// The properties of the object.
    pub list: Option<&'a List>,
    /// True for the default object of a class.
    pub is_default: bool,
}

/// A function that reads the tail of one class.
pub(super) type Read = fn(&mut Decoder<'_, '_>, &mut Record, &Context<'_>) -> Result<(), Fault>;
