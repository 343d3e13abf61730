//! JSON of scripts, in FModel's form.
//!
//! ```text
//! [ { "Inst": "EX_JumpIfNot", "StatementIndex": 14, "CodeOffset": 110, "ObjectPath": "/Game/BP.Open[110]",
//!     "BooleanExpression": { "Inst": "EX_LocalVariable", "Variable": { "Path": [ "IsOpen" ], "ResolvedOwner": … } } }, … ]
//! ```
//!
//! FModel omits the property of `EX_Let`, sizes of structs, and counts; the listing has them. Keys are those
//! of CUE4Parse.

use super::dialect::{CastKind, Dialect};
use super::function::Function;
use super::token::Token;
use super::tree::{Case, Expression, Operand};
use crate::package::legacy::{Export, Name, PackageIndex};
use crate::property::json::{Additions, Reference};
use crate::property::{FieldPath, Object, Scope};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Script of a function in FModel's form.
#[derive(Debug, Clone, Copy)]
pub struct ScriptJson<'s, 'a> {
    scope: &'s Scope<'a>,
    function: &'s Function,
}

/// Scripts as entries of functions in a package's JSON.
#[derive(Debug, Clone, Copy)]
pub struct Scripts<'s, 'a>(&'s Scope<'a>);

impl<'s, 'a> Scripts<'s, 'a> {
    /// The scripts of a package.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>) -> Self {
        Self(scope)
    }
}

impl Additions for Scripts<'_, '_> {
    fn write<M: SerializeMap>(
        &self,
        place: u32,
        export: &Export,
        object: &Object,
        map: &mut M,
    ) -> Result<(), M::Error> {
        if !Function::is_function(self.0, export) {
            return Ok(());
        }
        let function = Function::of_object(self.0, place, export, object);
        map.serialize_entry("ScriptBytecode", &ScriptJson::new(self.0, &function))
    }
}

impl<'s, 'a> ScriptJson<'s, 'a> {
    /// Creates the JSON form of a function's script.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>, function: &'s Function) -> Self {
        Self { scope, function }
    }
}

impl Serialize for ScriptJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let statements = self.function.script.statements.iter();
        serializer.collect_seq(statements.map(|of| JsonPart { of, is_statement: true, script: *self }))
    }
}

/// Part of a script.
struct JsonPart<'s, 'a, T> {
    of: &'s T,
    is_statement: bool,
    script: ScriptJson<'s, 'a>,
}

impl<'s, 'a> ScriptJson<'s, 'a> {
    const fn part<T>(self, of: &'s T) -> JsonPart<'s, 'a, T> {
        JsonPart { of, is_statement: false, script: self }
    }

    const fn object(self, index: PackageIndex) -> Reference<'s, 'a> {
        Reference { scope: self.scope, index }
    }

    fn name(self, name: Name) -> String {
        self.scope.package.text(name).to_string()
    }

    /// Formats an offset in the script, preceded by the path of the function.
    fn path(self, at: u32) -> String {
        format!("{}.{}[{at}]", self.scope.name(), self.name(self.function.name))
    }
}

/// Returns the keys of the operands in file order; operands with an empty key are left out.
fn keys(e: &Expression) -> &'static [&'static str] {
    // The same token may have more operands in some releases.
    let is_long = |len: usize| e.operands.len() == len;
    match e.token {
        Token::LocalVariable
        | Token::InstanceVariable
        | Token::DefaultVariable
        | Token::LocalOutVariable
        | Token::ClassSparseDataVariable => &["Variable"],
        Token::Return => &["Expression"],
        Token::Jump => &["CodeOffset"],
        Token::JumpIfNot => &["CodeOffset", "BooleanExpression"],
        Token::Skip => &["CodeOffset", "SkipExpression"],
        Token::PushExecutionFlow => &["PushingAddress"],
        Token::PopExecutionFlowIfNot => &["BooleanExpression"],
        Token::ComputedJump => &["OffsetExpression"],
        Token::Assert => &["LineNumber", "DebugMode", "AssertExpression"],
        // From 4.9 the property of the destination comes first.
        Token::Let if is_long(3) => &["", "Variable", "Expression"],
        Token::Let
        | Token::LetBool
        | Token::LetObj
        | Token::LetWeakObjPtr
        | Token::LetDelegate
        | Token::LetMulticastDelegate => &["Variable", "Expression"],
        Token::LetValueOnPersistentFrame => &["DestinationProperty", "AssignmentExpression"],
        Token::BitFieldConst => &["InnerProperty", "ConstValue"],
        // To 4.8 a kind byte precedes the context expression.
        Token::Context | Token::ClassContext | Token::ContextFailSilent if is_long(5) => {
            &["ObjectExpression", "Offset", "RValuePointer", "", "ContextExpression"]
        }
        Token::Context | Token::ClassContext | Token::ContextFailSilent => {
            &["ObjectExpression", "Offset", "RValuePointer", "ContextExpression"]
        }
        Token::MetaCast
        | Token::DynamicCast
        | Token::ObjToInterfaceCast
        | Token::CrossInterfaceCast
        | Token::InterfaceToObjCast => &["InterfaceClass", "Target"],
        Token::Cast => &["ConversionType", "Target"],
        Token::VirtualFunction
        | Token::LocalVirtualFunction
        | Token::FinalFunction
        | Token::LocalFinalFunction
        | Token::CallMath => &["Function", "Parameters"],
        Token::CallMulticastDelegate => &["FunctionName", "Delegate", "Parameters"],
        Token::StructConst => &["Struct", "", "Properties"],
        // Since version 303 of UE4 an expression; before, the property of the array.
        Token::SetArray => match e.operands.first() {
            Some(Operand::Expression(_)) => &["AssigningProperty", "Elements"],
            _ => &["ArrayInnerProp", "Elements"],
        },
        Token::SetSet => &["SetProperty", "", "Elements"],
        Token::SetMap => &["MapProperty", "", "Values"],
        Token::SetConst => &["InnerProperty", "", "Elements"],
        Token::MapConst => &["KeyProperty", "ValueProperty", "", "Values"],
        Token::ArrayConst => &["InnerProperty", "", "Values"],
        Token::PropertyConst => &["Property"],
        Token::StructMemberContext => &["Property", "StructExpression"],
        Token::InstanceDelegate => &["FunctionName"],
        Token::InterfaceContext => &["InterfaceValue"],
        Token::AddMulticastDelegate | Token::RemoveMulticastDelegate => &["MulticastDelegate", "Delegate"],
        Token::ClearMulticastDelegate => &["DelegateToClear"],
        Token::BindDelegate => &["FunctionName", "Delegate", "ObjectTerm"],
        Token::SwitchValue => &["", "EndGotoOffset", "IndexTerm", "Cases", "DefaultTerm"],
        Token::InstrumentationEvent => &["", "EventName"],
        Token::ArrayGetByRef => &["ArrayVariable", "ArrayIndex"],
        Token::AutoRtfmTransact => &["Id", "CodeOffset", "Parameters"],
        Token::AutoRtfmStopTransact => &["Id", "Mode"],
        _ => &["Value"],
    }
}

impl Serialize for JsonPart<'_, '_, Expression> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (e, script) = (self.of, self.script);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Inst", &format!("EX_{}", e.token.name()))?;
        // Only statements have offsets in FModel's form.
        if self.is_statement {
            map.serialize_entry("StatementIndex", &e.at)?;
        }
        match e.token {
            // Numbers get names, as the operands themselves have none.
            Token::VectorConst | Token::Vector3fConst => {
                map.serialize_entry("Value", &NumbersJson(&["X", "Y", "Z"], &e.operands, script))?;
            }
            Token::RotationConst => {
                map.serialize_entry("Value", &NumbersJson(&["Pitch", "Yaw", "Roll"], &e.operands, script))?;
            }
            Token::TransformConst => map.serialize_entry("Value", &TransformJson(&e.operands, script))?,
            Token::TextConst => map.serialize_entry("Value", &script.part(&e.operands))?,
            _ => {
                for (key, operand) in keys(e).iter().zip(&e.operands).filter(|(key, _)| !key.is_empty()) {
                    self.entry(&mut map, key, operand)?;
                }
            }
        }
        map.end()
    }
}

impl JsonPart<'_, '_, Expression> {
    fn entry<M: SerializeMap>(&self, map: &mut M, key: &str, operand: &Operand) -> Result<(), M::Error> {
        let script = self.script;
        match (operand, self.of.token) {
            (Operand::U8(number), Token::Cast) => {
                let dialect = Dialect::of(script.scope);
                match dialect.cast(*number) {
                    Some(kind) => map.serialize_entry(key, cast_name(kind)),
                    None => map.serialize_entry(key, number),
                }
            }
            (Operand::U8(number), Token::Assert) => map.serialize_entry(key, &(*number != 0)),
            // Keys and values alternate in the script, but FModel pairs them. The end token is cut off.
            (Operand::List(list), Token::SetMap | Token::MapConst) => {
                let items = list.split_last().map_or(&[][..], |(_, items)| items);
                let pairs: Vec<&[Expression]> = items.chunks(2).collect();
                map.serialize_entry(key, &pairs.iter().map(|pair| script.part(pair)).collect::<Vec<_>>())
            }
            (
                Operand::Target(at),
                Token::Jump | Token::JumpIfNot | Token::Skip | Token::PushExecutionFlow,
            ) => {
                // A jump gets a second key, which shows the target with the path of its function.
                map.serialize_entry(key, at)?;
                map.serialize_entry("ObjectPath", &script.path(*at))
            }
            _ => map.serialize_entry(key, &script.part(operand)),
        }
    }
}

impl Serialize for JsonPart<'_, '_, Operand> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let script = self.script;
        match self.of {
            Operand::U8(number) => number.serialize(serializer),
            Operand::U16(number) => number.serialize(serializer),
            Operand::I32(number) => number.serialize(serializer),
            Operand::I64(number) => number.serialize(serializer),
            Operand::U64(number) => number.serialize(serializer),
            Operand::F32(bits) => f32::from_bits(*bits).serialize(serializer),
            Operand::F64(bits) => f64::from_bits(*bits).serialize(serializer),
            Operand::Ansi(bytes) => {
                serializer.collect_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
            }
            Operand::Wide(units) => serializer.collect_str(&String::from_utf16_lossy(units)),
            Operand::Name(name) => serializer.collect_str(&script.name(*name)),
            Operand::Object(index) => script.object(*index).serialize(serializer),
            Operand::Field(path) => script.part(&**path).serialize(serializer),
            Operand::Target(number) | Operand::Length(number) => number.serialize(serializer),
            Operand::Expression(inner) => script.part(inner).serialize(serializer),
            Operand::List(list) => {
                // The last item is the end token.
                let items = list.split_last().map_or(&[][..], |(_, items)| items);
                serializer.collect_seq(items.iter().map(|item| script.part(item)))
            }
            Operand::Cases(cases) => serializer.collect_seq(cases.iter().map(|case| script.part(case))),
        }
    }
}

impl Serialize for JsonPart<'_, '_, &[Expression]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = ["Key", "Value"].into_iter();
        serializer.collect_map(keys.zip(self.of.iter().map(|item| self.script.part(item))))
    }
}

impl Serialize for JsonPart<'_, '_, Case> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("CaseIndexValueTerm", &self.script.part(&self.of.value))?;
        map.serialize_entry("NextOffset", &self.of.next)?;
        map.serialize_entry("CaseTerm", &self.script.part(&self.of.result))?;
        map.end()
    }
}

impl Serialize for JsonPart<'_, '_, FieldPath> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Names are in file order: the innermost property first.
        let names: Vec<String> = self.of.path.iter().map(|name| self.script.name(*name)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Path", &names)?;
        if let Some(owner) = self.of.owner {
            map.serialize_entry("ResolvedOwner", &self.script.object(owner))?;
        }
        map.end()
    }
}

/// JSON of a text.
impl Serialize for JsonPart<'_, '_, Vec<Operand>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_table = self.of.iter().any(|operand| matches!(operand, Operand::Object(_)));
        let keys = if is_table {
            ["StringTableAsset", "TableIdString", "KeyString", ""]
        } else {
            ["SourceString", "KeyString", "Namespace", "Notes"]
        };
        // The kind is clear from the keys, and thus left out.
        let operands = self.of.iter().filter(|operand| !matches!(operand, Operand::U8(_)));
        serializer.collect_map(keys.into_iter().zip(operands.map(|operand| self.script.part(operand))))
    }
}

const fn cast_name(kind: CastKind) -> &'static str {
    match kind {
        CastKind::ObjectToInterface => "CST_ObjectToInterface",
        CastKind::ObjectToBool => "CST_ObjectToBool",
        CastKind::InterfaceToBool => "CST_InterfaceToBool",
        CastKind::DoubleToFloat => "CST_DoubleToFloat",
        CastKind::FloatToDouble => "CST_FloatToDouble",
    }
}

/// Numbers, each with a name.
struct NumbersJson<'s, 'a>(&'static [&'static str], &'s [Operand], ScriptJson<'s, 'a>);

impl Serialize for NumbersJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1.iter().map(|operand| self.2.part(operand))))
    }
}

/// JSON of a quaternion and two vectors.
struct TransformJson<'s, 'a>(&'s [Operand], ScriptJson<'s, 'a>);

impl Serialize for TransformJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Ten numbers: 4 of rotation, 3 of translation, 3 of scale.
        let part = |from: usize, keys| NumbersJson(keys, self.0.get(from..).unwrap_or_default(), self.1);
        serializer.collect_map([
            ("Rotation", part(0, &["X", "Y", "Z", "W"])),
            ("Translation", part(4, &["X", "Y", "Z"])),
            ("Scale3D", part(7, &["X", "Y", "Z"])),
        ])
    }
}
