//! Names under which numbers are shown that the file has no names for.

use super::value::Record;

const INTERPOLATION: [&str; 4] = ["RCIM_Linear", "RCIM_Constant", "RCIM_Cubic", "RCIM_None"];
const TANGENTS: [&str; 4] = ["RCTM_Auto", "RCTM_User", "RCTM_Break", "RCTM_None"];
const WEIGHTS: [&str; 4] =
    ["RCTWM_WeightedNone", "RCTWM_WeightedArrive", "RCTWM_WeightedLeave", "RCTWM_WeightedBoth"];
/// How the keys of a curve table are written.
const TABLE_MODES: [&str; 3] = ["Empty", "SimpleCurves", "RichCurves"];
/// How an enum is declared in C++.
const ENUM_FORMS: [&str; 3] = ["Regular", "Namespaced", "EnumClass"];
/// Types of what is put into a text.
pub(super) const ARGUMENTS: [&str; 6] = ["Int", "UInt", "Float", "Double", "Text", "Gender"];

/// The names of the numbers 0, 1, … of a field of a struct with its own serializer.
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

/// Those of a field of a tail.
pub(super) fn of_tail(field: &str) -> Option<&'static [&'static str]> {
    match field {
        "CurveTableMode" => Some(&TABLE_MODES),
        "CppForm" => Some(&ENUM_FORMS),
        _ => None,
    }
}

/// Fields that are shown, but only computed, and what they are computed from.
pub(super) fn computed(owner: &str, record: &Record, field: &str) -> Option<&'static str> {
    let is = |name: &str| field.eq_ignore_ascii_case(name);
    match owner {
        _ if record.fields.iter().any(|(known, _)| is(known)) => None,
        "Color" | "LinearColor" if is("Hex") => Some("R, G, B and A"),
        "Quat" | "Quat4f" | "Quat4d" if ["IsNormalized", "Size", "SizeSquared"].into_iter().any(is) => {
            Some("X, Y, Z and W")
        }
        _ => None,
    }
}
