//! Display names for numbers that the file does not name.

use super::value::Record;

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
