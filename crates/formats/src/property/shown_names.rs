//! Display names for numbers that the file does not name.

use super::value::Record;
use std::borrow::Cow;

const INTERPOLATION: [&str; 4] = ["RCIM_Linear", "RCIM_Constant", "RCIM_Cubic", "RCIM_None"];
const TANGENTS: [&str; 4] = ["RCTM_Auto", "RCTM_User", "RCTM_Break", "RCTM_None"];
const WEIGHTS: [&str; 4] =
    ["RCTWM_WeightedNone", "RCTWM_WeightedArrive", "RCTWM_WeightedLeave", "RCTWM_WeightedBoth"];
/// `ECurveTableMode`: the kind of curves in a table.
const TABLE_MODES: [&str; 3] = ["Empty", "SimpleCurves", "RichCurves"];
/// `UEnum::ECppForm`: the declaration of an enum in C++.
const ENUM_FORMS: [&str; 3] = ["Regular", "Namespaced", "EnumClass"];
/// Types of text arguments.
pub(super) const ARGUMENTS: [&str; 6] = ["Int", "UInt", "Float", "Double", "Text", "Gender"];

/// `EClassFlags`, by bit, without the prefix `CLASS_`.
const CLASS_FLAGS: [&str; 32] = [
    "Abstract",
    "DefaultConfig",
    "Config",
    "Transient",
    "Optional",
    "MatchedSerializers",
    "ProjectUserConfig",
    "Native",
    "NoExport",
    "NotPlaceable",
    "PerObjectConfig",
    "ReplicationDataIsSetUp",
    "EditInlineNew",
    "CollapseCategories",
    "Interface",
    "CustomConstructor",
    "Const",
    "LayoutChanging",
    "CompiledFromBlueprint",
    "MinimalAPI",
    "RequiredAPI",
    "DefaultToInstanced",
    "TokenStreamAssembled",
    "HasInstancedReference",
    "Hidden",
    "Deprecated",
    "HideDropDown",
    "GlobalUserConfig",
    "Intrinsic",
    "Constructed",
    "ConfigDoNotCheckDefaults",
    "NewerVersionExists",
];

/// Names for the values 0, 1, … of a field of a native struct.
pub(super) fn of_field(owner: &str, field: &str) -> Option<&'static [&'static str]> {
    if !owner.eq_ignore_ascii_case("RichCurveKey") {
        return None;
    }
    match field {
        "InterpMode" => Some(&INTERPOLATION),
        "TangentMode" => Some(&TANGENTS),
        "TangentWeightMode" => Some(&WEIGHTS),
        _ => None,
    }
}

/// Names for the values of a field in a tail.
pub(super) fn of_tail(field: &str) -> Option<&'static [&'static str]> {
    match field {
        "CurveTableMode" => Some(&TABLE_MODES),
        "CppForm" => Some(&ENUM_FORMS),
        _ => None,
    }
}

/// The names of a class's flags, in bit order.
pub(super) fn class_flags(flags: u32) -> String {
    let names = (0..).zip(CLASS_FLAGS).filter(|(bit, _)| flags >> bit & 1 == 1);
    let names: Vec<String> = names.map(|(_, name)| format!("CLASS_{name}")).collect();
    if names.is_empty() { "CLASS_None".to_owned() } else { names.join(" | ") }
}

/// The flags with these names; `None` if one is no class flag.
fn class_flags_named(names: &str) -> Option<u32> {
    names.split('|').map(str::trim).try_fold(0, |flags, name| {
        let name = name.strip_prefix("CLASS_").unwrap_or(name);
        let bit = CLASS_FLAGS.iter().position(|flag| flag.eq_ignore_ascii_case(name));
        let none = name.eq_ignore_ascii_case("None").then_some(0);
        Some(flags | bit.map(|bit| 1 << bit).or(none)?)
    })
}

/// The number that a shown value of a tail's field stands for; any other text as it is.
pub(super) fn tail_number<'g>(field: &str, shown: &'g str) -> Cow<'g, str> {
    if field == "ClassFlags" {
        return class_flags_named(shown).map_or(shown.into(), |flags| flags.to_string().into());
    }
    number(of_tail(field), shown)
}

/// The place of a name among those of a field; any other text as it is.
pub(super) fn number<'g>(names: Option<&[&str]>, shown: &'g str) -> Cow<'g, str> {
    let place = names.and_then(|names| names.iter().position(|name| name.eq_ignore_ascii_case(shown.trim())));
    place.map_or(shown.into(), |place| place.to_string().into())
}

/// The source of a field that is only computed for display.
pub(super) fn computed(owner: &str, record: &Record, field: &str) -> Option<&'static str> {
    let is = |name: &str| field.eq_ignore_ascii_case(name);
    match owner {
        // A field of that name in the record is real.
        _ if record.fields.iter().any(|(known, _)| is(known)) => None,
        "Color" | "LinearColor" if is("Hex") => Some("R, G, B and A"),
        "Quat" | "Quat4f" | "Quat4d" if ["IsNormalized", "Size", "SizeSquared"].into_iter().any(is) => {
            Some("X, Y, Z and W")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_flags_go_by_their_names_and_back() {
        assert_eq!(class_flags(0x0080_0004), "CLASS_Config | CLASS_HasInstancedReference");
        assert_eq!(tail_number("ClassFlags", "CLASS_Config | HasInstancedReference"), "8388612");
        assert_eq!(tail_number("ClassFlags", "CLASS_None"), "0");
        assert_eq!(tail_number("ClassFlags", "CLASS_Confi"), "CLASS_Confi");
    }
}
