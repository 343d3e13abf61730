//! Reasons why an export cannot be read.

use super::kind::StructName;

/// Reasons why the data of an export cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReadCause {
    /// The bytes of the export are not there.
    NoData,
    /// Nothing describes this struct or class.
    NoSchema(StructName),
    /// The data is not that of this struct or class, as it is described.
    WrongSchema(StructName),
    /// This struct or class is stored in a form of its own, which is not known.
    OwnForm(StructName),
    /// The data is damaged, or in a form that is not known.
    #[default]
    Other,
}
