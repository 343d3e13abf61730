//! Inputs of material expressions: links to other expressions, or constants.

use super::context::ReviewContext;
use crate::graph::{field, field_text};
use crate::package::legacy::PackageIndex;
use crate::property::{FromValue, Value};

/// An input of an expression.
pub(super) enum Input<'v> {
    /// Neither a link nor a constant.
    Unset,
    /// A constant.
    Constant(&'v Value),
    /// The text after its name: `<- TextureSample[1].R`.
    Link(String),
}

/// Reads an input of an expression (`FExpressionInput`); `None` for any other value.
pub(super) fn read<'v>(of: &'v ReviewContext<'_, '_>, value: &'v Value) -> Option<Input<'v>> {
    let scope = of.scope;
    field(scope, value, "OutputIndex")?;
    let expression = PackageIndex::from_value(field(scope, value, "Expression")?)?;
    let number = |name: &str| field(scope, value, name).and_then(i32::from_value).unwrap_or(0);
    if expression == PackageIndex::NONE {
        let is_constant = field(scope, value, "UseConstant").and_then(bool::from_value) == Some(true);
        let constant = field(scope, value, "Constant").filter(|_| is_constant);
        return Some(constant.map_or(Input::Unset, Input::Constant));
    }
    let output = match number("OutputIndex") {
        0 => String::new(),
        output => format!("[{output}]"),
    };
    let channels = [("MaskR", 'R'), ("MaskG", 'G'), ("MaskB", 'B'), ("MaskA", 'A')];
    let channels = channels.into_iter().filter(|(name, _)| number("Mask") != 0 && number(name) != 0);
    let mask: String = channels.map(|(_, channel)| channel).collect();
    let mask = if mask.is_empty() { mask } else { format!(".{mask}") };
    let label = of.expressions.label(expression);
    let label = label.map_or_else(|| of.reference(expression), str::to_owned);
    let name = if of.options.all { field_text(scope, value, "InputName") } else { String::new() };
    let name = if name.is_empty() { name } else { format!(" ({name})") };
    Some(Input::Link(format!("<- {label}{output}{mask}{name}")))
}
