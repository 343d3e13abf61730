//! Placeholder names for objects and packages with unknown names.
//!
//! A zen package imports by hash. If no available source has a name for a hash, the legacy package gets a
//! name that contains the hash, so that packing restores the original number:
//!
//! ```text
//! native object             /Script/UnknownPackage.UnknownExport_x<object index>
//! object of a known package /Game/Maps/Level.UnknownExport_x<public export hash>
//! object of an unknown one  /Engine/UnknownPackage_x<package id>.UnknownExport_x<public export hash>
//! UE4                       /Engine/UnknownPackage.UnknownExport_x<global import index>
//! package without an id     /Engine/UnknownPackage_<place of the import>
//! ```
//!
//! Numbers have 16 hexadecimal digits. Other tools write `/Engine/UnknownPackage.UnknownExport`, which cannot
//! be restored.

use super::ObjectPath;
use super::legacy::{Import, Package, PackageIndex};
use crate::id::{ObjectRef, PackageId, PackageObjectIndex};

/// Package of unknown native objects.
const SCRIPT: &str = "/Script/UnknownPackage";
/// Prefix of unknown packages.
const PACKAGE: &str = "/Engine/UnknownPackage";
/// Prefix of unknown objects. The letter before the digits keeps them from being split off as the number of a
/// name.
const OBJECT: &str = "UnknownExport";

/// The number inside a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// A package; an import of it has no number.
    Package,
    /// A native object.
    Script(PackageObjectIndex),
    /// An object of another package.
    Object {
        /// Owning package; `None` if unknown (UE4).
        owner: Option<PackageId>,
        /// UE5: public export hash; UE4: global import index.
        hash: u64,
    },
    /// A placeholder without a usable number.
    Lost,
}

/// Returns the placeholder path of a native object.
pub(crate) fn of_script(index: PackageObjectIndex) -> ObjectPath {
    ObjectPath::new(SCRIPT, [object(index.0)])
}

/// Returns the placeholder name of an object of another package.
pub(crate) fn object(hash: u64) -> String {
    format!("{OBJECT}_x{hash:016x}")
}

/// Returns the placeholder name of a package; without an id, the index of its import is used, if any.
pub(crate) fn package(id: Option<PackageId>, place: Option<usize>) -> String {
    match (id, place) {
        (Some(id), _) => format!("{PACKAGE}_x{:016x}", id.0),
        (None, Some(place)) => format!("{PACKAGE}_{place}"),
        (None, None) => PACKAGE.to_owned(),
    }
}

/// Recognises the placeholder name of an object.
pub(crate) fn is_object(name: &str) -> bool {
    number(name, OBJECT).is_some()
}

/// Extracts the object index from the placeholder name of a native object.
pub(crate) fn script_index(name: &str) -> Option<PackageObjectIndex> {
    number(name, OBJECT).map(PackageObjectIndex)
}

/// Recognises the package of unknown native objects: no zen package imports it.
fn is_script_package(name: &str) -> bool {
    name.eq_ignore_ascii_case(SCRIPT)
}

/// Reads the number in the path of an import; `None` for ordinary names.
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
    // An object of a known package keeps the package's real name, so that the id follows from it.
    let known = if is_unknown {
        number(package, PACKAGE).map(PackageId)
    } else {
        Some(PackageId::from_name(package))
    };
    // Only the outermost object carries a hash; what lies inside a placeholder is lost.
    let found = hash.filter(|_| inner.is_empty()).and_then(|hash| {
        let kind = PackageObjectIndex(hash).decode();
        match kind {
            _ if is_native => {
                matches!(kind, ObjectRef::Script(_)).then_some(Placeholder::Script(PackageObjectIndex(hash)))
            }
            ObjectRef::Package(_) if is_ue4 => Some(Placeholder::Object { owner: known, hash }),
            // An object index in place of a hash, written by old versions: the tables it indexes are gone.
            ObjectRef::Package(import) if import.package() < MANY && import.hash() < MANY => None,
            _ if is_ue4 => None,
            _ => known.map(|owner| Placeholder::Object { owner: Some(owner), hash }),
        }
    });
    Some(found.unwrap_or(Placeholder::Lost))
}

/// Counts the trailing imports of a package that only hold placeholders of native objects and were not in its
/// zen form.
pub(crate) fn added_imports(package: &Package) -> usize {
    let is_added = |import: &&Import| {
        import.outer == PackageIndex::NONE && is_script_package(&package.text(import.name).to_string())
    };
    package.imports.iter().rev().take_while(is_added).count()
}

/// Exclusive limit of the import numbers that a package can plausibly have.
const MANY: u32 = 1 << 16;

/// Returns the paths of imports that are placeholders: a container built from their texts would refer to
/// other objects.
pub fn imports(package: &Package) -> impl Iterator<Item = ObjectPath> {
    let indices = (0..).take(package.imports.len()).filter_map(PackageIndex::import);
    let paths = indices.filter_map(|index| package.path(index, ""));
    // The engine that wrote the path does not decide if it is a placeholder, only which one.
    paths.filter(|path| !path.names().is_empty() && read(path, false).is_some())
}

/// Recognises a zen import that a packer unaware of placeholders built from their text: it is the placeholder
/// package of native objects, or that of all others, which no game has.
#[must_use]
pub fn is_import_of_text(index: PackageObjectIndex, packages: &[PackageId]) -> bool {
    index == PackageObjectIndex::script(SCRIPT) || packages.contains(&PackageId::from_name(PACKAGE))
}

/// Recognises a placeholder package, with or without an id.
fn is_unknown_package(name: &str) -> bool {
    starts(name, PACKAGE)
        && name.get(PACKAGE.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn starts(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// Parses the number after `start` and `_x`.
fn number(text: &str, start: &str) -> Option<u64> {
    let digits = text.get(start.len()..).filter(|_| starts(text, start))?;
    let digits = digits.strip_prefix("_x").or_else(|| digits.strip_prefix("_X"))?;
    // A fixed width: anything shorter is an ordinary name that happens to start like this.
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
