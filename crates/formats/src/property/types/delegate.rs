//! Delegates: functions of objects, one or several.

use super::description::describe;
use crate::property::decode::Decoder;
use crate::property::json::{In, JsonError, Reader, Reference, SourcePart, one};
use crate::property::list::text;
use crate::property::reference::Delegate;
use crate::property::tag;
use crate::property::words::object_path;
use crate::property::write::length;
use crate::property::{Scope, Value};
use crate::wire::{Fault, Writer};
use serde::ser::{Serialize, SerializeMap, Serializer};

describe! {
    /// `FScriptDelegate`.
    DelegateValue(Delegate): names(delegate, none) { delegate.function = none(); };
    write(delegate, w) { write(delegate, w); }
    text(delegate, scope) { Some(words(delegate, scope).into()) }
    key(_, _) { None }
    shown(delegate, scope, s) { DelegateJson { scope, delegate }.serialize(s) }
    tree(delegate, tree, tag, s) { one(s, tag, &In(tree, delegate)) }
    from_tree(reader, part, _) { from_tree(reader, part).map(Value::Delegate) }
    assign(delegate, c, wish) { c.delegate(delegate, wish)?; }
    is_zero(_, _) { false }
    property {
        min_len 12;
        read(d) { d.delegate().map(Value::Delegate) }
        zero { Value::Optional(None) }
        has_zero_bit(_, _) { false }
    }
}

describe! {
    /// `FMulticastScriptDelegate`.
    MulticastValue(Vec<Delegate>): leaf;
    write(delegates, w) {
        w.i32(length(w, delegates.len())?);
        delegates.iter().for_each(|delegate| write(delegate, w));
    }
    text(delegates, scope) {
        let texts: Vec<String> = delegates.iter().map(|delegate| words(delegate, scope)).collect();
        Some(format!("[{}]", texts.join(", ")).into())
    }
    key(_, _) { None }
    shown(delegates, scope, s) {
        let list: Vec<_> = delegates.iter().map(|delegate| DelegateJson { scope, delegate }).collect();
        one(s, "InvocationList", &list)
    }
    tree(delegates, tree, tag, s) { one(s, tag, &tree.all(delegates)) }
    from_tree(reader, part, _) { part.each(|delegate| from_tree(reader, &delegate)).map(Value::Multicast) }
    assign(delegates, c, wish) { c.delegates(delegates, wish)?; }
    is_zero(_, _) { false }
    property {
        min_len 4;
        read(d) { d.multicast() }
        zero { Value::Optional(None) }
        has_zero_bit(_, _) { false }
    }
}

impl Decoder<'_, '_> {
    /// `FScriptDelegate`.
    fn delegate(&mut self) -> Result<Delegate, Fault> {
        Ok(Delegate {
            object: self.scope.read_object(&mut self.r, "object of a delegate")?,
            function: self.scope.read_name(&mut self.r, "function of a delegate")?,
        })
    }

    /// `FMulticastScriptDelegate`.
    pub(in crate::property) fn multicast(&mut self) -> Result<Value, Fault> {
        let count = self.r.count("delegates", 12)?;
        (0..count).map(|_| self.delegate()).collect::<Result<_, _>>().map(Value::Multicast)
    }
}

fn write(delegate: &Delegate, w: &mut Writer) {
    w.i32(delegate.object.0);
    tag::name(w, delegate.function);
}

fn words(delegate: &Delegate, scope: &Scope<'_>) -> String {
    format!("{}.{}", object_path(scope, delegate.object), text(scope.package, delegate.function))
}

/// A delegate in FModel's form.
struct DelegateJson<'s, 'a> {
    scope: &'s Scope<'a>,
    delegate: &'s Delegate,
}

impl Serialize for DelegateJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("Object", &Reference { scope: self.scope, index: self.delegate.object })?;
        map.serialize_entry("FunctionName", &text(self.scope.package, self.delegate.function))?;
        map.end()
    }
}

impl Serialize for In<'_, '_, '_, Delegate> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (In(self.0, &self.1.object), In(self.0, &self.1.function)).serialize(serializer)
    }
}

fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>) -> Result<Delegate, JsonError> {
    let object = part.element(0, |object| reader.object(&object))?;
    Ok(Delegate { object, function: part.element(1, |function| reader.name(&function))? })
}
