//! References: to assets by their paths, to functions and to fields.

use crate::package::legacy::{Name, PackageIndex};
use crate::wire::WireString;

/// `FSoftObjectPath`, in each of its forms.
#[derive(Debug, Clone, PartialEq)]
pub enum SoftPath {
    /// One string: before 4.18.
    Text(WireString),
    /// Path of the asset, and what follows the colon: before 5.1.
    Asset(Name, WireString),
    /// Package, asset, and what follows the colon: before 5.6.
    TopLevel(Name, Name, WireString),
    /// Package, asset, and what follows the colon, in UTF-8: since 5.6.
    Utf8(Name, Name, Box<str>),
    /// An index into the list of the package, which is not cooked.
    Listed(i32),
}

/// A function of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegate {
    /// The object.
    pub object: PackageIndex,
    /// The function.
    pub function: Name,
}

/// `FFieldPath`: a field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPath {
    /// Names, the innermost first.
    pub path: Vec<Name>,
    /// The struct, where the version says it.
    pub owner: Option<PackageIndex>,
}
