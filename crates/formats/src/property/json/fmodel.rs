//! A package as FModel's "save properties" writes it: an array of exports, in their order.

use super::class::Tail;
use super::reference::{Reference, class_text};
use super::values::Members;
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{Object, Scope};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// All exports of a package in FModel's form. Each is read when its turn comes, so that only one is in memory.
///
/// ```no_run
/// use uncask_formats::package::legacy::Package;
/// use uncask_formats::property::{Scope, json::FModel};
///
/// let (header, data) = (std::fs::read("Sword.uasset")?, std::fs::read("Sword.uexp")?);
/// let package = Package::parse(&header)?;
/// let scope = Scope::new(&package, &data, header.len() as u64, None);
/// println!("{}", serde_json::to_string_pretty(&FModel::new(&scope))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FModel<'s, 'a> {
    scope: &'s Scope<'a>,
}

impl<'s, 'a> FModel<'s, 'a> {
    /// The exports of a package.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>) -> Self {
        Self { scope }
    }
}

impl Serialize for FModel<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exports = &self.scope.package.exports;
        let mut list = serializer.serialize_seq(Some(exports.len()))?;
        for export in exports {
            let object = Object::read(self.scope, export);
            list.serialize_element(&One { scope: self.scope, export, object: &object })?;
        }
        list.end()
    }
}

/// One export.
struct One<'s, 'a> {
    scope: &'s Scope<'a>,
    export: &'s Export,
    object: &'s Object,
}

impl Serialize for One<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (scope, export) = (self.scope, self.export);
        let reference = |index| Reference { scope, index };
        let class = scope.class_name(export).unwrap_or_else(|| "Class".into());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Type", &*class)?;
        map.serialize_entry("Name", &scope.package.text(export.name).to_string())?;
        map.serialize_entry("Flags", &flags(export.object_flags))?;
        map.serialize_entry("Class", &class_text(scope, export.class))?;
        if export.outer == PackageIndex::NONE {
            map.serialize_entry("Package", scope.name())?;
        } else {
            map.serialize_entry("Outer", &reference(export.outer))?;
        }
        if export.super_index != PackageIndex::NONE {
            map.serialize_entry("Super", &reference(export.super_index))?;
        }
        if let Some(template) = export.template.filter(|template| *template != PackageIndex::NONE) {
            map.serialize_entry("Template", &reference(template))?;
        }
        if let Some(list) = self.object.properties.as_ref().filter(|list| !list.is_empty()) {
            map.serialize_entry("Properties", &Members { scope, list })?;
        }
        Tail { scope, export, tail: &self.object.tail }.serialize(&mut map)?;
        // Not FModel's: it leaves out what it cannot read without a word.
        if let Some(problem) = self.object.problem.as_ref().filter(|_| self.object.tail.fields.is_empty()) {
            map.serialize_entry("Problem", &problem.to_string())?;
        }
        map.end()
    }
}

/// `EObjectFlags`, by their bits.
const FLAGS: [(u8, &str); 32] = [
    (0, "RF_Public"),
    (1, "RF_Standalone"),
    (2, "RF_MarkAsNative"),
    (3, "RF_Transactional"),
    (4, "RF_ClassDefaultObject"),
    (5, "RF_ArchetypeObject"),
    (6, "RF_Transient"),
    (7, "RF_MarkAsRootSet"),
    (8, "RF_TagGarbageTemp"),
    (9, "RF_NeedInitialization"),
    (10, "RF_NeedLoad"),
    (11, "RF_KeepForCooker"),
    (12, "RF_NeedPostLoad"),
    (13, "RF_NeedPostLoadSubobjects"),
    (14, "RF_NewerVersionExists"),
    (15, "RF_BeginDestroyed"),
    (16, "RF_FinishDestroyed"),
    (17, "RF_BeingRegenerated"),
    (18, "RF_DefaultSubObject"),
    (WAS_LOADED, "RF_WasLoaded"),
    (20, "RF_TextExportTransient"),
    (LOAD_COMPLETED, "RF_LoadCompleted"),
    (22, "RF_InheritableComponentTemplate"),
    (23, "RF_DuplicateTransient"),
    (24, "RF_StrongRefOnFrame"),
    (25, "RF_NonPIEDuplicateTransient"),
    (26, "RF_Dynamic"),
    (27, "RF_WillBeLoaded"),
    (28, "RF_HasExternalPackage"),
    (29, "RF_PendingKill"),
    (30, "RF_Garbage"),
    (31, "RF_AllocatedInSharedPage"),
];

const WAS_LOADED: u8 = 19;
const LOAD_COMPLETED: u8 = 21;

/// The names of flags; those of a loaded object always among them.
fn flags(found: u32) -> String {
    flag_names(found | 1 << WAS_LOADED | 1 << LOAD_COMPLETED)
}

/// The names of flags.
pub(super) fn flag_names(found: u32) -> String {
    if found == 0 {
        return "0".to_owned();
    }
    let names = FLAGS.iter().filter(|(bit, _)| found >> bit & 1 == 1).map(|(_, name)| *name);
    names.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::flags;

    #[test]
    fn flags_of_a_public_asset() {
        let expected = "RF_Public | RF_Standalone | RF_Transactional | RF_WasLoaded | RF_LoadCompleted";
        assert_eq!(flags(0xB), expected);
    }
}
