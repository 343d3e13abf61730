//! Delegates: bound functions of objects, single or multicast.

use super::prelude::*;
use crate::property::reference::Delegate;
use crate::property::words::object_path;

describe! {
    DelegateValue(Delegate): indices(delegate, visit) { delegate.visit_indices(visit); };
    write(delegate, w) { write(delegate, w); }
    text(delegate, scope) { Some(words(delegate, scope).into()) }
    shown(delegate, scope, s) { Shown { scope, value: delegate }.serialize(s) }
    tree(delegate, tree, tag, s) { one(s, tag, &In(tree, delegate)) }
    from_tree(reader, part, _) { from_tree(reader, part).map(Value::Delegate) }
    assign(delegate, c, wish) { c.delegate(delegate, wish)?; }
    is_zero(_, _) { false }
    // An object index and a name: 12 bytes. Zero bits were never seen for delegates.
    property { 12, d => d.delegate().map(Value::Delegate), Value::Optional(None), (_, _) => false }
}

describe! {
    MulticastValue(Vec<Delegate>): indices(delegates, visit) {
        for delegate in delegates {
            delegate.visit_indices(visit);
        }
    };
    write(delegates, w) {
        w.i32(length(w, delegates.len())?);
        for delegate in delegates {
            write(delegate, w);
        }
    }
    text(delegates, scope) {
        let texts: Vec<String> = delegates.iter().map(|delegate| words(delegate, scope)).collect();
        Some(format!("[{}]", texts.join(", ")).into())
    }
    shown(delegates, scope, s) {
        let list: Vec<_> = delegates.iter().map(|value| Shown { scope, value }).collect();
        one(s, "InvocationList", &list)
    }
    tree(delegates, tree, tag, s) { one(s, tag, &tree.all(delegates)) }
    from_tree(reader, part, _) { part.each(|delegate| from_tree(reader, &delegate)).map(Value::Multicast) }
    assign(delegates, c, wish) { c.delegates(delegates, wish)?; }
    is_zero(_, _) { false }
    property { 4, d => d.multicast(), Value::Optional(None), (_, _) => false }
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

impl Serialize for Shown<'_, '_, Delegate> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("Object", &Reference { scope: self.scope, index: self.value.object })?;
        map.serialize_entry("FunctionName", &text(self.scope.package, self.value.function))?;
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
