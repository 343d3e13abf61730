//! Translation of bytecode expressions to pseudo-code.

use super::calls;
use super::code::Code;
use super::frame::Frame;
use super::lines::CodeLine;
use super::prepared::{element, raw_name};
use super::words;
use crate::bytecode::dialect::CastKind;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand};
use crate::package::legacy::{PackageIndex, PackageRef};

/// Translator for the statements of a function.
pub(super) struct Lower<'l> {
    pub(super) frame: Frame<'l>,
}

impl Lower<'_> {
    /// Translates the condition of a branch.
    pub(super) fn condition(&self, statement: usize) -> Code {
        let statement = self.frame.prepared.function.script.statements.get(statement);
        let condition = statement.and_then(|statement| statement.child(0));
        condition.map_or_else(|| Code::word("?"), |condition| self.code(condition).into_condition())
    }

    /// Translates a statement other than a branch.
    pub(super) fn statement(&self, statement: usize) -> Option<CodeLine> {
        let e = self.frame.prepared.function.script.statements.get(statement)?;
        // A call that only gets an element reads better as an index, and loops over elements depend on that
        // form.
        if let Some([array, place, to]) = element(e, self.frame.facts.symbols) {
            let element = Code::Index(Box::new(self.code(array)), Box::new(self.code(place)));
            return Some(CodeLine::Assign(self.code(to), element));
        }
        let pair = || Some([self.code(e.child(0)?), self.code(e.child(1)?)]);
        Some(match e.token {
            Token::Let
            | Token::LetBool
            | Token::LetObj
            | Token::LetWeakObjPtr
            | Token::LetDelegate
            | Token::LetMulticastDelegate => {
                let [to, value] = pair()?;
                CodeLine::Assign(to, value)
            }
            Token::LetValueOnPersistentFrame => {
                CodeLine::Assign(self.frame.variable(e), self.code(e.child(0)?))
            }
            Token::SetArray | Token::SetSet | Token::SetMap => self.filled(e)?,
            // A bound delegate is the function of the object, so no form of its own is needed.
            Token::BindDelegate => {
                let [delegate, object] = pair()?;
                let function = e.name().map(|name| self.frame.facts.symbols.text(name)).unwrap_or_default();
                CodeLine::Assign(delegate, object.member(words::identifier(&function)))
            }
            Token::AddMulticastDelegate => {
                let [dispatcher, delegate] = pair()?;
                CodeLine::Update(dispatcher, "+=", delegate)
            }
            Token::RemoveMulticastDelegate => {
                let [dispatcher, delegate] = pair()?;
                CodeLine::Update(dispatcher, "-=", delegate)
            }
            Token::ClearMulticastDelegate => {
                CodeLine::Do(Code::call(self.code(e.child(0)?).member("Clear"), Vec::new(), false))
            }
            _ => CodeLine::Do(self.code(e)),
        })
    }

    /// Translates the assignment of elements to an array, set or map.
    fn filled(&self, e: &Expression) -> Option<CodeLine> {
        let old_array = || e.object().map(|array| Code::word(self.frame.facts.name(array)));
        // Before the array was an expression, it was a property.
        let to = match e.operands.first()? {
            Operand::Expression(to) => self.code(to),
            _ => old_array()?,
        };
        Some(CodeLine::Assign(to, self.elements(e)))
    }

    /// Translates the elements of a container.
    fn elements(&self, e: &Expression) -> Code {
        let items = e.items().iter().map(|item| self.code(item));
        match e.token {
            Token::SetSet | Token::SetConst => Code::group("set[", items.collect(), "]"),
            Token::SetMap | Token::MapConst => {
                let items: Vec<Code> = items.collect();
                // Keys and values alternate; keys become the labels.
                let pairs = items.chunks(2).filter_map(|pair| match pair {
                    [key, value] => Some((Some(key.to_string()), value.clone())),
                    _ => None,
                });
                Code::Group("map[".to_owned(), pairs.collect(), "]")
            }
            _ => Code::group("[", items.collect(), "]"),
        }
    }

    fn one(&self, e: &Expression) -> Code {
        e.child(0).map_or_else(|| Code::word("?"), |inner| self.code(inner))
    }

    fn cast(&self, e: &Expression, word: &str) -> Code {
        let class = e.object().map(|class| self.frame.facts.name(class)).unwrap_or_default();
        Code::group(format!("{word}<{class}>("), vec![self.one(e)], ")")
    }

    /// Translates an expression.
    pub(super) fn code(&self, e: &Expression) -> Code {
        match e.token {
            Token::LocalVariable
            | Token::LocalOutVariable
            | Token::InstanceVariable
            | Token::DefaultVariable
            | Token::ClassSparseDataVariable => self.frame.variable(e),
            Token::Context | Token::ClassContext | Token::ContextFailSilent => {
                calls::context(&self.frame, e, &|inner| self.code(inner))
            }
            Token::VirtualFunction
            | Token::FinalFunction
            | Token::LocalVirtualFunction
            | Token::LocalFinalFunction
            | Token::CallMath => calls::call(&self.frame, e, None, &|inner| self.code(inner)),
            Token::CallMulticastDelegate => {
                let arguments = e.items().iter().map(|item| self.code(item)).collect();
                Code::call(self.one(e).member("Broadcast"), arguments, false)
            }
            Token::StructMemberContext => {
                self.one(e).member(words::member(&raw_name(e, self.frame.facts.symbols)))
            }
            Token::ArrayGetByRef => {
                let index = e.child(1).map_or_else(|| Code::word("?"), |index| self.code(index));
                Code::Index(Box::new(self.one(e)), Box::new(index))
            }
            Token::Cast => self.primitive_cast(e),
            Token::DynamicCast
            | Token::ObjToInterfaceCast
            | Token::CrossInterfaceCast
            | Token::InterfaceToObjCast => self.cast(e, "cast"),
            Token::MetaCast => self.cast(e, "cast_class"),
            // Neither changes the value of the expression inside of it.
            Token::InterfaceContext | Token::Skip => self.one(e),
            Token::SwitchValue => self.select(e),
            Token::StructConst => self.structure(e),
            Token::ArrayConst | Token::SetConst | Token::MapConst => self.elements(e),
            Token::InstanceDelegate => {
                let function = e.name().map(|name| self.frame.facts.symbols.text(name)).unwrap_or_default();
                Code::word("this").member(words::identifier(&function))
            }
            Token::SoftObjectConst => Code::group("soft(", vec![self.one(e)], ")"),
            Token::FieldPathConst => Code::group("field(", vec![self.one(e)], ")"),
            Token::Assert => Code::call(Code::word("assert"), vec![self.one(e)], false),
            _ => self.literal(e),
        }
    }

    fn primitive_cast(&self, e: &Expression) -> Code {
        let number = match e.operands.first() {
            Some(Operand::U8(number)) => *number,
            _ => 0,
        };
        let value = self.one(e);
        let word = match self.frame.facts.dialect.cast(number) {
            // Kept apart from a cast, since a condition shows only the object.
            Some(CastKind::ObjectToBool | CastKind::InterfaceToBool) => return Code::Truth(Box::new(value)),
            Some(CastKind::ObjectToInterface) => "interface(".to_owned(),
            Some(CastKind::DoubleToFloat) => "float(".to_owned(),
            Some(CastKind::FloatToDouble) => "double(".to_owned(),
            None => format!("cast_{number}("),
        };
        Code::group(word, vec![value], ")")
    }

    fn select(&self, e: &Expression) -> Code {
        let mut cases = Vec::new();
        for operand in &e.operands {
            if let Operand::Cases(found) = operand {
                cases.extend(found.iter().map(|case| (&case.value, self.code(&case.result))));
            }
        }
        let index = Box::new(self.one(e));
        // A choice by false and true is the `?:` of other languages.
        if let [(a, _), (b, _)] = cases.as_slice()
            && a.token == Token::False
            && b.token == Token::True
            && let (Some((_, yes)), Some((_, no))) = (cases.pop(), cases.pop())
        {
            return Code::Choice(Box::new(index.into_condition()), Box::new(yes), Box::new(no));
        }
        let default = e.children().last().map_or_else(|| Code::word("?"), |default| self.code(default));
        let cases = cases.into_iter().map(|(value, result)| (self.code(value), result)).collect();
        Code::Select { index, cases, default: Box::new(default) }
    }

    fn structure(&self, e: &Expression) -> Code {
        // Well-known structs, written without member names.
        const PLAIN: [&str; 9] = [
            "Vector",
            "Vector2D",
            "Vector4",
            "Rotator",
            "LinearColor",
            "Color",
            "Transform",
            "IntPoint",
            "Guid",
        ];
        let of = e.object().unwrap_or(PackageIndex::NONE);
        let name = self.frame.facts.name(of);
        let values: Vec<Code> = e.items().iter().map(|item| self.code(item)).collect();
        let members = if PLAIN.contains(&name.as_str()) { None } else { self.frame.facts.members(of) };
        // A struct of another version may have other members; then values without names are better than wrong
        // names.
        let members = members.filter(|members| members.len() == values.len());
        let open = format!("{name}(");
        match members {
            Some(members) => {
                let labels = members.iter().cloned().map(Some);
                Code::Group(open, labels.zip(values).collect(), ")")
            }
            None => Code::group(open, values, ")"),
        }
    }

    fn literal(&self, e: &Expression) -> Code {
        let first = e.operands.first();
        let numbers = || e.operands.iter().filter_map(words::number).map(Code::Word).collect::<Vec<_>>();
        match e.token {
            Token::True => Code::word("true"),
            Token::False => Code::word("false"),
            Token::This => Code::word("this"),
            Token::NoObject | Token::NoInterface => Code::word("null"),
            Token::IntZero => Code::word("0"),
            Token::IntOne => Code::word("1"),
            Token::Nothing => Code::word("nothing"),
            Token::IntConst
            | Token::ByteConst
            | Token::IntConstByte
            | Token::Int64Const
            | Token::UInt64Const
            | Token::FloatConst
            | Token::DoubleConst => Code::Word(first.and_then(words::number).unwrap_or_default()),
            Token::BitFieldConst => match e.operands.get(1) {
                // The number is the bit: 0 or 1.
                Some(Operand::U8(0)) => Code::word("false"),
                _ => Code::word("true"),
            },
            Token::StringConst | Token::UnicodeStringConst => {
                Code::Word(words::string(&first.and_then(words::text).unwrap_or_default()))
            }
            Token::NameConst => Code::Word(words::name(
                &e.name().map(|name| self.frame.facts.symbols.text(name)).unwrap_or_default(),
            )),
            Token::ObjectConst => self.object(e.object().unwrap_or(PackageIndex::NONE)),
            Token::TextConst => self.text(e),
            Token::VectorConst => Code::group("Vector(", numbers(), ")"),
            Token::Vector3fConst => Code::group("Vector3f(", numbers(), ")"),
            Token::RotationConst => Code::group("Rotator(", numbers(), ")"),
            Token::TransformConst => Code::group("Transform(", numbers(), ")"),
            // Shown as a label, since that is the statement at which a latent call resumes.
            Token::SkipOffsetConst => Code::Word(format!("L_{:04X}", e.target().unwrap_or_default())),
            Token::PropertyConst => {
                Code::Word(format!("property({})", words::identifier(&raw_name(e, self.frame.facts.symbols))))
            }
            // Unusual tokens keep their name and their nested expressions.
            other => {
                let inner = e.children().filter(|inner| !inner.token.is_end());
                let inner = inner.map(|inner| self.code(inner)).collect();
                Code::group(format!("{}(", other.name()), inner, ")")
            }
        }
    }

    /// Translates an object to its name: with an `@` for assets, without one for classes.
    fn object(&self, index: PackageIndex) -> Code {
        let name = self.frame.facts.name(index);
        let package = self.frame.facts.symbols.package;
        let class = match index.decode() {
            PackageRef::None => return Code::word("null"),
            PackageRef::Import(at) => package
                .imports
                .get(at as usize)
                .map(|import| self.frame.facts.symbols.text(import.class_name)),
            PackageRef::Export(at) => package
                .exports
                .get(at as usize)
                .and_then(|export| self.frame.facts.symbols.own_name(export.class)),
        };
        let class = class.unwrap_or_default();
        let is_type = class.ends_with("Class") || class.ends_with("Struct") || class.ends_with("Enum");
        if is_type { Code::Word(name) } else { Code::Word(format!("@{name}")) }
    }

    /// Translates a text to its source, or to table and key.
    fn text(&self, e: &Expression) -> Code {
        let inner: Vec<Code> = e.children().map(|inner| self.code(inner)).collect();
        if let Some(table) = e.object() {
            // A string table has two expressions: its id, and the key.
            let key = inner.into_iter().nth(1);
            return Code::group("text(", [self.object(table)].into_iter().chain(key).collect(), ")");
        }
        let source = inner.into_iter().next().unwrap_or_else(|| Code::word("\"\""));
        Code::group("text(", vec![source], ")")
    }
}
