//! References: to assets by their paths, to functions and to fields.

use crate::package::legacy::{Name, PackageIndex};
use crate::wire::WireString;

/// `FSoftObjectPath`: a reference to an asset by path, in each of its forms.
#[doc(alias = "FSoftObjectPath")]
#[derive(Debug, Clone, PartialEq)]
pub enum SoftPath {
    /// Before 4.18: one string.
    Text(WireString),
    /// 4.18 to 5.0: path of the asset, and the sub-path after the colon.
    Asset(Name, WireString),
    /// 5.1 to 5.5: package, asset, and sub-path.
    TopLevel(Name, Name, WireString),
    /// 5.6 and later: package, asset, and sub-path in UTF-8.
    Utf8(Name, Name, Box<str>),
    /// An index into the package's list of soft paths, in uncooked packages.
    Listed(i32),
}

/// `FScriptDelegate`: a function of an object.
#[doc(alias = "FScriptDelegate")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegate {
    /// The object.
    pub object: PackageIndex,
    /// The function.
    pub function: Name,
}

/// `FFieldPath`: a field of a struct.
#[doc(alias = "FFieldPath")]
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPath {
    /// Names, the innermost first.
    pub path: Vec<Name>,
    /// The struct; `None` in versions that do not store it (before 4.25).
    pub owner: Option<PackageIndex>,
}
