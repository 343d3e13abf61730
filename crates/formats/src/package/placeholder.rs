//! Names that stand for objects and packages whose own names are not known.
//!
//! A zen package imports by hashes. Where nothing available has the name of a hash, the legacy package gets a name that
//! holds it, so that packing gives back the number that was there:
//!
//! ```text
//! native object             /Script/UnknownPackage.UnknownExport_x<object index>
//! object of a known package /Game/Maps/Level.UnknownExport_x<public export hash>
//! object of an unknown one  /Engine/UnknownPackage_x<package id>.UnknownExport_x<public export hash>
//! UE4                       /Engine/UnknownPackage.UnknownExport_x<global import index>
//! package without an id     /Engine/UnknownPackage_<place of the import>
//! ```
//!
//! Numbers have 16 hexadecimal digits. Other tools write `/Engine/UnknownPackage.UnknownExport`, from which nothing comes back.

use super::ObjectPath;
use super::legacy::{Import, Package, PackageIndex};
use crate::id::{ObjectRef, PackageId, PackageObjectIndex};

/// The package of native objects that are not known.
const SCRIPT: &str = "/Script/UnknownPackage";
/// Starts the names of packages that are not known.
const PACKAGE: &str = "/Engine/UnknownPackage";
/// Starts the names of objects that are not known. A letter in front keeps the digits that follow from being taken for the
/// number of a name.
const OBJECT: &str = "UnknownExport";

/// The number that a placeholder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// A package: an import of it has no number.
    Package,
    /// A native object.
    Script(PackageObjectIndex),
    /// An object of another package.
    Object {
        /// The package; `None` if it is not known (UE4).
        owner: Option<PackageId>,
        /// UE5: hash of its path in the package; UE4: its global import index.
        hash: u64,
    },
    /// It stands for something, but does not say for what.
    Lost,
}

/// The path of a native object.
pub(crate) fn of_script(index: PackageObjectIndex) -> ObjectPath {
    ObjectPath::new(SCRIPT, [object(index.0)])
}

/// The name of an object of another package, by its hash.
pub(crate) fn object(hash: u64) -> String {
    format!("{OBJECT}_x{hash:016x}")
}

/// The name of a package; of one without an id, by the place of its import, if it has one.
pub(crate) fn package(id: Option<PackageId>, place: Option<usize>) -> String {
    match (id, place) {
        (Some(id), _) => format!("{PACKAGE}_x{:016x}", id.0),
        (None, Some(place)) => format!("{PACKAGE}_{place}"),
        (None, None) => PACKAGE.to_owned(),
    }
}

/// Recognises the name of an object that is not known.
pub(crate) fn is_object(name: &str) -> bool {
    number(name, OBJECT).is_some()
}

/// The object index in the name of a native object.
pub(crate) fn script_index(name: &str) -> Option<PackageObjectIndex> {
    number(name, OBJECT).map(PackageObjectIndex)
}

/// Recognises the package of native objects that are not known: no zen package imports it.
fn is_script_package(name: &str) -> bool {
    name.eq_ignore_ascii_case(SCRIPT)
}

/// Reads the number in the path of an import; `None` if it is a name like any other.
#[must_use]
pub fn read(path: &ObjectPath, is_ue4: bool) -> Option<Placeholder> {
    let package = path.package();
    let is_native = is_script_package(package);
    let is_unknown = is_native || is_unknown_package(package);
    let [outermost, inner @ ..] = path.names() else { return is_unknown.then_some(Placeholder::Package) };
    let hash = number(outermost, OBJECT);
    if !is_unknown && hash.is_none() {
        return None;
    }
    let known = if is_unknown {
        number(package, PACKAGE).map(PackageId)
    } else {
        Some(PackageId::from_name(package))
    };
    let found = hash.filter(|_| inner.is_empty()).and_then(|hash| {
        let kind = PackageObjectIndex(hash).decode();
        match kind {
            _ if is_native => {
                matches!(kind, ObjectRef::Script(_)).then_some(Placeholder::Script(PackageObjectIndex(hash)))
            }
            ObjectRef::Package(_) if is_ue4 => Some(Placeholder::Object { owner: known, hash }),
            // An object index in place of a hash, from before hashes were written: the tables it counts in are gone.
            ObjectRef::Package(import) if import.package() < MANY && import.hash() < MANY => None,
            _ if is_ue4 => None,
            _ => known.map(|owner| Placeholder::Object { owner: Some(owner), hash }),
        }
    });
    Some(found.unwrap_or(Placeholder::Lost))
}

/// Imports at the end of a package that only hold placeholders of native objects, and that were not in its zen form.
pub(crate) fn added_imports(package: &Package) -> usize {
    let is_added = |import: &&Import| {
        import.outer == PackageIndex::NONE && is_script_package(&package.text(import.name).to_string())
    };
    package.imports.iter().rev().take_while(is_added).count()
}

/// More imports than packages have.
const MANY: u32 = 1 << 16;

/// Imports of a package that only stand for objects whose names are not known, by their paths: a container made of their texts
/// would refer to other objects.
pub fn imports(package: &Package) -> impl Iterator<Item = ObjectPath> {
    let indices = (0..).take(package.imports.len()).filter_map(PackageIndex::import);
    let paths = indices.filter_map(|index| package.path(index, ""));
    // Which engine wrote it makes no difference to whether it is one.
    paths.filter(|path| !path.names().is_empty() && read(path, false).is_some())
}

/// Recognises an import of a zen package that was made of the texts of placeholders by a packer that did not know them: it is the package
/// that holds those of native objects, or that of all others, which no game has.
#[must_use]
pub fn is_import_of_text(index: PackageObjectIndex, packages: &[PackageId]) -> bool {
    index == PackageObjectIndex::script(SCRIPT) || packages.contains(&PackageId::from_name(PACKAGE))
}

/// Recognises a package that is not known, with its id or without.
fn is_unknown_package(name: &str) -> bool {
    starts(name, PACKAGE)
        && name.get(PACKAGE.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn starts(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// The number after `start` and `_x`.
fn number(text: &str, start: &str) -> Option<u64> {
    let digits = text.get(start.len()..).filter(|_| starts(text, start))?;
    let digits = digits.strip_prefix("_x").or_else(|| digits.strip_prefix("_X"))?;
    let is_number = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_ue5(path: &str) -> Option<Placeholder> {
        read(&ObjectPath::from_text(path), false)
    }

    #[test]
    fn numbers_come_back() {
        let texture = PackageObjectIndex::script("/Script/Engine.Texture2D");
        assert_eq!(of_script(texture).to_string(), "/Script/UnknownPackage.UnknownExport_x5b93bca796d1fa6f");
        assert_eq!(read(&of_script(texture), false), Some(Placeholder::Script(texture)));
        assert_eq!(script_index(of_script(texture).name()), Some(texture));
        let id = PackageId(0x00ab_0000_0000_0001);
        let path = ObjectPath::new(package(Some(id), None), [object(7)]);
        assert_eq!(
            path.to_string(),
            "/Engine/UnknownPackage_x00ab000000000001.UnknownExport_x0000000000000007"
        );
        assert_eq!(read(&path, false), Some(Placeholder::Object { owner: Some(id), hash: 7 }));
        let owner = Some(PackageId::from_name("/Game/B"));
        let found = Some(Placeholder::Object { owner, hash: 0xfedc_ba98_7654_3210 });
        assert_eq!(read_ue5("/Game/B.UnknownExport_xfedcba9876543210"), found);
        let global = ObjectPath::from_text("/Engine/UnknownPackage.UnknownExport_xaa96ed733c26babf");
        let found = Placeholder::Object { owner: None, hash: 0xaa96_ed73_3c26_babf };
        assert_eq!(read(&global, true), Some(found));
    }

    #[test]
    fn packages_of_placeholders_are_packages() {
        for path in [SCRIPT, PACKAGE, "/Engine/UnknownPackage_7", "/script/unknownpackage"] {
            assert_eq!(read_ue5(path), Some(Placeholder::Package), "{path}");
        }
    }

    #[test]
    fn names_of_others_are_names() {
        for path in [
            "/Script/Engine.Texture2D",
            "/Game/UnknownPackage.UnknownExport",
            "/Engine/UnknownPackages.A",
            "/Game/B.UnknownExport_x12",
            "/Game/B.UnknownExport_xg000000000000000",
            "/Game/Ü.UnknownExporü",
        ] {
            assert_eq!(read_ue5(path), None, "{path}");
        }
    }

    #[test]
    fn what_says_nothing_is_lost() {
        for path in [
            "/Engine/UnknownPackage.UnknownExport",
            "/Script/UnknownPackage.UnknownExport",
            "/Script/UnknownPackage.UnknownExport_x8000000000000001",
            "/Script/UnknownPackage.UnknownExport_x5b93bca796d1fa6f:Part",
            "/Engine/UnknownPackage.UnknownExport_x0000000000000007",
            "/Engine/UnknownPackage_4.UnknownExport_x0000000000000007",
            // An object index: that of package 3, hash 5.
            "/Game/B.UnknownExport_x8000000300000005",
        ] {
            assert_eq!(read_ue5(path), Some(Placeholder::Lost), "{path}");
        }
        let of_ue5 = ObjectPath::from_text("/Game/B.UnknownExport_x0000000000000007");
        assert_eq!(read(&of_ue5, true), Some(Placeholder::Lost));
    }

    #[test]
    fn texts_that_were_hashed_show() {
        let index = PackageObjectIndex::script("/Script/UnknownPackage");
        assert!(is_import_of_text(index, &[]));
        let other = PackageObjectIndex::script("/Script/Engine");
        assert!(!is_import_of_text(other, &[PackageId::from_name("/Game/B")]));
        assert!(is_import_of_text(other, &[PackageId::from_name("/engine/unknownpackage")]));
    }
}
