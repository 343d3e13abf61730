//! Paths of struct fields, by name.

use super::prelude::*;
use crate::property::reference::FieldPath;

describe! {
    FieldPathValue(Box<FieldPath>): indices(path, visit) { path.visit_indices(visit); };
    write(path, w) {
        w.i32(length(w, path.path.len())?);
        path.path.iter().for_each(|name| tag::name(w, *name));
        if let Some(owner) = path.owner {
            w.i32(owner.0);
        }
    }
    text(path, scope) {
        // Stored innermost first; people read paths from the outside.
        let names: Vec<_> = path.path.iter().rev().map(|name| text(scope.package, *name)).collect();
        Some(names.join(".").into())
    }
    shown(path, scope, s) {
        if path.path.is_empty() {
            return s.serialize_none();
        }
        let names: Vec<_> = path.path.iter().map(|name| text(scope.package, *name)).collect();
        let mut map = s.serialize_map(Some(2))?;
        map.serialize_entry("Path", &names)?;
        map.serialize_entry("ResolvedOwner", &path.owner.map(|index| Reference { scope, index }))?;
        map.end()
    }
    tree(path, tree, tag, s) {
        one(s, tag, &(tree.all(&path.path), path.owner.as_ref().map(|owner| In(tree, owner))))
    }
    from_tree(reader, part, _) { from_tree(reader, part).map(|path| Value::FieldPath(Box::new(path))) }
    assign(path, c, wish) { c.field_path(path, wish)?; }
    is_zero(_, _) { false }
    property { 4, d => d.field_path(), Value::Optional(None), (_, _) => false }
}

impl Decoder<'_, '_> {
    /// `FFieldPath`.
    fn field_path(&mut self) -> Result<Value, Fault> {
        // A name has eight bytes.
        let count = self.r.count("path of a field", 8)?;
        let name = |_| self.scope.read_name(&mut self.r, "path of a field");
        let path = (0..count).map(name).collect::<Result<_, _>>()?;
        // 4.25 and later.
        let owner = if self.scope.versions.has_field_owner() {
            Some(self.scope.read_object(&mut self.r, "owner of a field")?)
        } else {
            None
        };
        Ok(Value::FieldPath(Box::new(FieldPath { path, owner })))
    }
}

fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>) -> Result<FieldPath, JsonError> {
    let path = part.element(0, |path| path.each(|name| reader.name(&name)))?;
    let owner = part.element(1, |owner| match owner.json {
        serde_json::Value::Null => Ok(None),
        _ => reader.object(&owner).map(Some),
    })?;
    Ok(FieldPath { path, owner })
}
