//! Data that the editor keeps for itself, which no reviewer needs.

/// Properties of nodes of graphs that are layout, state of the editor, or follow from others.
const OF_NODES: &[&str] = &[
    "AdvancedPinDisplay",
    "bCanRenameNode",
    "bCommentBubbleMakeVisible",
    "bCommentBubblePinned",
    "bCommentBubbleVisible",
    "bCommentBubbleVisible_InDetailsPanel",
    "bColorCommentBubble",
    "bDefaultsToPureFunc",
    "bHasCompilerMessage",
    "bInternalEvent",
    "bIsConstFunc",
    "bIsNodeEnabled",
    "bIsPureFunc",
    "bIsPureGet",
    "bMadeAfterOverridePinRemoval",
    "bOverrideFunction",
    "bUserSetEnabledState",
    "bWasPreviouslyPure",
    "CommentColor",
    "CommentDepth",
    "DelegatePropertyDisplayName",
    "DeprecatedPins",
    "EnabledState",
    "ErrorMsg",
    "ErrorType",
    "ExtraFlags",
    "FontSize",
    "FunctionFlags",
    "IndexPinType",
    "InputSinkNode",
    "LocalVariables",
    "MoveMode",
    "NodeComment",
    "NodeDetails",
    "NodeHeight",
    "NodePosX",
    "NodePosY",
    "NodeUpgradeMessage",
    "NodeWidth",
    "NumInputs",
    "NumOptionPins",
    "OldShownPins",
    "OutputSourceNode",
    "PinNames",
    "Pins",
    "ResolvedWildcardType",
    "SelfContextInfo",
    "ShowPinForProperties",
];

/// Properties that place an object in the editor's windows.
const LAYOUT: &[&str] = &[
    "bCommentBubblePinned",
    "bCommentBubbleVisible",
    "bCommentBubbleVisible_InDetailsPanel",
    "CommentDepth",
    "NodeHeight",
    "NodePosX",
    "NodePosY",
    "NodeWidth",
];

/// Properties of materials and their expressions that only say which expressions belong to which material.
const OF_EXPRESSIONS: &[&str] = &[
    "Material",
    "Function",
    "Expressions",
    "FunctionExpressions",
    "ExpressionCollection",
    "FunctionEditorComments",
    "bLastPreviewed",
    "CommentColor",
    "Id",
];

/// Properties that are noise in any object.
const ANYWHERE: &[&str] = &[
    "ActorGuid",
    "bAllowDeletion",
    "bAllowRenaming",
    "bExpandedInDesigner",
    "bHiddenEd",
    "bLegacyGeneratedClassIsAuthoritative",
    "bLegacyNeedToPurgeSkelRefs",
    "BlueprintSystemVersion",
    "Bookmarks",
    "BookMarks",
    "CachedExpressionData",
    "CategorySorting",
    "CompilationId",
    "CrcLastCompiledCDO",
    "CrcLastCompiledSignature",
    "EditorComments",
    "EditorPitch",
    "EditorViewLocation",
    "EditorViewRotation",
    "EditorViewZoom",
    "EditorViews",
    "EditorX",
    "EditorY",
    "EditorYaw",
    "ExpressionGUID",
    "LastEditedDocuments",
    "LastEditedUniqueName",
    "LegacyUberGraph",
    "MaterialExpressionEditorX",
    "MaterialExpressionEditorY",
    "ParentLightingGuid",
    "ReferencedTextureGuids",
    "SearchGuid",
    "StateId",
    "TextureStreamingData",
    "TextureStreamingDataVersion",
    "UberGraphFrame",
    "ThumbnailImage",
    "ThumbnailInfo",
    "UserDefinedStructStatus",
];

/// Classes of objects that are noise.
const CLASSES: &[&str] = &["MetaData", "EdGraphPin_Deprecated", "EdGraphPin", "BookMark"];

/// Ends of names of classes that the editor compiles from the graphs, or that are noise.
const CLASS_ENDS: &[&str] = &["BookmarkBase", "DelegateBinding"];

/// Fields that records of pins and texts have for themselves.
const FIELDS: &[&str] = &["Namespace", "Key", "DevNotes"];

/// True if a property or field is noise.
pub(super) fn is_property(name: &str) -> bool {
    ANYWHERE.contains(&name) || name.ends_with("Guid") || name.ends_with("GUID")
}

/// True if a property is layout or state of the editor's windows, or follows from others: two versions of it need no decision.
pub(crate) fn settles_itself(name: &str) -> bool {
    // Other GUIDs may be data of the game, such as the id of an item.
    LAYOUT.contains(&name) || ANYWHERE.contains(&name) || name == "LightingGuid"
}

/// True if a property of a node is noise.
pub(super) fn is_of_node(name: &str) -> bool {
    OF_NODES.contains(&name)
}

/// True if a field of a text is noise.
pub(crate) fn is_of_text(name: &str) -> bool {
    FIELDS.contains(&name)
}

/// True if all objects of a class are noise.
pub(super) fn is_class(class: &str) -> bool {
    CLASSES.contains(&class)
        || CLASS_ENDS.iter().any(|end| class.ends_with(end))
        || class.contains("ThumbnailInfo")
}

/// True if nobody decides about objects of a class, so that two versions of one need no decision. Pins of before 4.14 are noise in
/// a text, which shows them with their nodes, but not here.
pub(crate) fn is_settled_class(class: &str) -> bool {
    is_class(class) && !class.starts_with("EdGraphPin")
}

/// True if a default of a class is noise, such as one that is compiled from graphs of animations.
pub(super) fn is_of_default(name: &str) -> bool {
    // The name in the world outliner is nothing of a class.
    name == "ActorLabel"
        || ["AnimGraphNode_", "AnimBlueprintExtension_", "__AnimBlueprint"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// True if a property of a material or an expression is noise.
pub(super) fn is_of_expression(class: &str, name: &str) -> bool {
    class.starts_with("Material") && OF_EXPRESSIONS.contains(&name)
}

/// True for a path in the package that leads into a copy which the editor makes of another object when it compiles a class.
pub(super) fn is_copy(path: &[std::sync::Arc<str>]) -> bool {
    matches!(path, [class, tree, ..] if class.ends_with("_C") && &**tree == "WidgetTree")
}

/// True if the editor compiles objects of this class from others.
pub(crate) fn is_compiled(class: &str) -> bool {
    class.ends_with("GeneratedClass")
        || ["Function", "DelegateFunction", "SparseDelegateFunction"].contains(&class)
}

/// True if a property of a node of the tree of components is noise.
pub(super) fn is_of_component(name: &str) -> bool {
    ["CategoryName", "bIsParentComponentNative"].contains(&name)
}
