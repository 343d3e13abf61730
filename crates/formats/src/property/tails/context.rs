//! What the reader of a tail is given.

use crate::property::decode::Decoder;
use crate::property::value::{List, Record};
use crate::wire::Fault;

/// What a tail depends on.
pub(in crate::property) struct Context<'a> {
    /// The properties of the object.
    pub list: Option<&'a List>,
    /// It is the default object of its class.
    pub is_default: bool,
}

/// Reads what one class adds.
pub(super) type Read = fn(&mut Decoder<'_, '_>, &mut Record, &Context<'_>) -> Result<(), Fault>;
