//! Reasons why an export cannot be read.

use super::kind::StructName;

/// The reason why the data of an export cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReadCause {
    /// The bytes of the export are missing.
    NoData,
    /// No schema for this struct or class.
    NoSchema(StructName),
    /// The data does not match the schema of this struct or class.
    WrongSchema(StructName),
    /// This struct or class has its own, unsupported form.
    OwnForm(StructName),
    /// The data is damaged, or in an unsupported form.
    #[default]
    Other,
}
