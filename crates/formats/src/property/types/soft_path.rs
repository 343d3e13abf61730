//! Asset paths.

use super::prelude::*;
use crate::property::json::wire_string;
use crate::property::reference::SoftPath;
use crate::property::tag::name;
use crate::property::words::{soft_path, soft_path_text};
use crate::wire::{FaultKind, WireString};

describe! {
    SoftPathValue(Box<SoftPath>): indices(path, visit) {
        match &mut **path {
            SoftPath::Text(_) => {}
            SoftPath::Listed(index) => visit.soft_path(index),
            SoftPath::Asset(asset, _) => visit.name(asset),
            SoftPath::TopLevel(package, asset, _) | SoftPath::Utf8(package, asset, _) => {
                visit.name(package);
                visit.name(asset);
            }
        }
    };
    write(path, w) {
        match &**path {
            SoftPath::Text(text) => text.write(w),
            SoftPath::Asset(asset, sub_path) => {
                name(w, *asset);
                sub_path.write(w);
            }
            SoftPath::TopLevel(package, asset, sub_path) => {
                name(w, *package);
                name(w, *asset);
                sub_path.write(w);
            }
            SoftPath::Utf8(package, asset, sub_path) => {
                name(w, *package);
                name(w, *asset);
                counted(w, sub_path.as_bytes())?;
            }
            SoftPath::Listed(index) => drop(w.i32(*index)),
        }
    }
    text(path, scope) { Some(soft_path_text(scope, path).into()) }
    key(path, scope) { Some(soft_path_text(scope, path).into()) }
    shown(path, scope, s) {
        let (asset, sub_path) = soft_path(scope, path);
        let mut map = s.serialize_map(Some(2))?;
        map.serialize_entry("AssetPathName", &asset)?;
        map.serialize_entry("SubPathString", &sub_path)?;
        map.end()
    }
    tree(path, tree, tag, s) { one(s, tag, &In(tree, &**path)) }
    from_tree(reader, part, _) { from_tree(reader, part).map(|path| Value::SoftPath(Box::new(path))) }
    assign(path, c, wish) { c.soft_path(path, wish)?; }
    // An index into a list is not a path: index 0 is an entry like any other.
    is_zero(path, c) {
        match &**path {
            SoftPath::Text(text) => text.as_str().is_empty(),
            SoftPath::Asset(asset, sub) => c.is_none(*asset) && sub.as_str().is_empty(),
            SoftPath::TopLevel(package, asset, sub) => {
                c.is_none(*package) && c.is_none(*asset) && sub.as_str().is_empty()
            }
            SoftPath::Utf8(package, asset, sub) => {
                c.is_none(*package) && c.is_none(*asset) && sub.is_empty()
            }
            SoftPath::Listed(_) => false,
        }
    }
    // The zero is only shown, never written, so the simplest form serves.
    property { 4, d => d.soft_path(), Value::SoftPath(Box::new(SoftPath::Text("".into()))), (_, _) => false }
}

impl Decoder<'_, '_> {
    /// `FSoftObjectPath`.
    pub(in crate::property) fn soft_path(&mut self) -> Result<Value, Fault> {
        let (scope, objects) = (self.scope, self.scope.versions.objects);
        // Uncooked packages list each path once and refer to it; cooked ones repeat it.
        let listed = objects.has_soft_object_paths()
            && !scope.package.form.cooked
            && !scope.package.soft_object_paths.is_empty();
        let path = if listed {
            let at = self.r.clone();
            let index = self.r.size("index of a soft path")?;
            let count = scope.package.soft_object_paths.len();
            if index as usize >= count {
                return Err(at.fault("index of a soft path", FaultKind::out_of_range(index, count)));
            }
            SoftPath::Listed(i32::try_from(index).unwrap_or(0))
        } else if objects.has_top_level_asset_paths() {
            // 5.1 and later.
            let package = scope.read_name(&mut self.r, "package of a soft path")?;
            let asset = scope.read_name(&mut self.r, "asset of a soft path")?;
            // 5.6 and later. An empty sub-path has the same four bytes in both encodings.
            if scope.versions.has_utf8_sub_paths() {
                SoftPath::Utf8(package, asset, self.r.utf8("sub-path")?.into())
            } else {
                SoftPath::TopLevel(package, asset, WireString::read(&mut self.r, "sub-path")?)
            }
        } else if objects.has_soft_references_as_names() {
            // 4.18 to 5.0.
            let asset = scope.read_name(&mut self.r, "soft path")?;
            SoftPath::Asset(asset, WireString::read(&mut self.r, "sub-path")?)
        } else {
            SoftPath::Text(WireString::read(&mut self.r, "soft path")?)
        };
        Ok(Value::SoftPath(Box::new(path)))
    }
}

impl Serialize for In<'_, '_, '_, SoftPath> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, path) = self;
        match path {
            SoftPath::Text(path) => ("Text", In(tree, path)).serialize(serializer),
            SoftPath::Asset(asset, sub) => ("Asset", In(tree, asset), In(tree, sub)).serialize(serializer),
            SoftPath::TopLevel(package, asset, sub) => {
                ("TopLevel", In(tree, package), In(tree, asset), In(tree, sub)).serialize(serializer)
            }
            SoftPath::Utf8(package, asset, sub) => {
                ("Utf8", In(tree, package), In(tree, asset), sub).serialize(serializer)
            }
            SoftPath::Listed(index) => ("Listed", index).serialize(serializer),
        }
    }
}

fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>) -> Result<SoftPath, JsonError> {
    let form = part.element(0, |form| Ok(form.text()?.to_owned()))?;
    let mut name = |place| -> Result<Name, JsonError> { part.element(place, |name| reader.name(&name)) };
    match form.as_str() {
        "Text" => part.element(1, |path| wire_string(&path)).map(SoftPath::Text),
        "Asset" => Ok(SoftPath::Asset(name(1)?, part.element(2, |sub| wire_string(&sub))?)),
        "TopLevel" => Ok(SoftPath::TopLevel(name(1)?, name(2)?, part.element(3, |sub| wire_string(&sub))?)),
        "Utf8" => Ok(SoftPath::Utf8(name(1)?, name(2)?, part.element(3, |sub| Ok(sub.text()?.into()))?)),
        "Listed" => part.element(1, |index| index.number()).map(SoftPath::Listed),
        _ => Err(part.error(&format!("{form} is no form of soft paths"))),
    }
}
