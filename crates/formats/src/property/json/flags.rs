//! Names of object and property flags.

/// `EObjectFlags`, by bit.
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

// The loader of FModel sets both on every object, so they are in its output.
const WAS_LOADED: u8 = 19;
const LOAD_COMPLETED: u8 = 21;

/// The names of an object's flags, in bit order, including those that loading always adds.
pub(super) fn flags(found: u32) -> String {
    flag_names(found | 1 << WAS_LOADED | 1 << LOAD_COMPLETED)
}

/// The names of flags, in bit order; `0` if there are none.
pub(super) fn flag_names(found: u32) -> String {
    if found == 0 {
        return "0".to_owned();
    }
    let names = FLAGS.iter().filter(|(bit, _)| found >> bit & 1 == 1).map(|(_, name)| *name);
    names.collect::<Vec<_>>().join(" | ")
}

/// `EPropertyFlags`, by bit, without the prefix `CPF_`.
const PROPERTY_FLAGS: [(u8, &str); 54] = [
    (0, "Edit"),
    (1, "ConstParm"),
    (2, "BlueprintVisible"),
    (3, "ExportObject"),
    (4, "BlueprintReadOnly"),
    (5, "Net"),
    (6, "EditFixedSize"),
    (7, "Parm"),
    (8, "OutParm"),
    (9, "ZeroConstructor"),
    (10, "ReturnParm"),
    (11, "DisableEditOnTemplate"),
    (12, "NonNullable"),
    (13, "Transient"),
    (14, "Config"),
    (15, "RequiredParm"),
    (16, "DisableEditOnInstance"),
    (17, "EditConst"),
    (18, "GlobalConfig"),
    (19, "InstancedReference"),
    (21, "DuplicateTransient"),
    (22, "SubobjectReference"),
    (24, "SaveGame"),
    (25, "NoClear"),
    (26, "Virtual"),
    (27, "ReferenceParm"),
    (28, "BlueprintAssignable"),
    (29, "Deprecated"),
    (30, "IsPlainOldData"),
    (31, "RepSkip"),
    (32, "RepNotify"),
    (33, "Interp"),
    (34, "NonTransactional"),
    (35, "EditorOnly"),
    (36, "NoDestructor"),
    (38, "AutoWeak"),
    (39, "ContainsInstancedReference"),
    (40, "AssetRegistrySearchable"),
    (41, "SimpleDisplay"),
    (42, "AdvancedDisplay"),
    (43, "Protected"),
    (44, "BlueprintCallable"),
    (45, "BlueprintAuthorityOnly"),
    (46, "TextExportTransient"),
    (47, "NonPIEDuplicateTransient"),
    (48, "ExposeOnSpawn"),
    (49, "PersistentInstance"),
    (50, "UObjectWrapper"),
    (51, "HasGetValueTypeHash"),
    (52, "NativeAccessSpecifierPublic"),
    (53, "NativeAccessSpecifierProtected"),
    (54, "NativeAccessSpecifierPrivate"),
    (55, "SkipSerialization"),
    (56, "TObjectPtr"),
];

/// The names of a property's flags, in bit order; `None` if there are none.
pub(super) fn property_flags(flags: u64) -> String {
    let names = PROPERTY_FLAGS.iter().filter(|(bit, _)| flags >> bit & 1 == 1).map(|(_, name)| *name);
    let names = names.collect::<Vec<_>>().join(" | ");
    if names.is_empty() { "None".to_owned() } else { names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_public_asset() {
        let expected = "RF_Public | RF_Standalone | RF_Transactional | RF_WasLoaded | RF_LoadCompleted";
        assert_eq!(flags(0xB), expected);
    }
}
