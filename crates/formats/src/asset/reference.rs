use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::property::{Scope, Value};

/// Returns the path of the object that a value refers to, hard or soft.
pub(super) fn path(scope: &Scope<'_>, value: &Value) -> Option<ObjectPath> {
    match value {
        Value::Object(PackageIndex::NONE) => None,
        Value::Object(index) => scope.package.path(*index, scope.name()),
        Value::SoftPath(_) => {
            let path = ObjectPath::from_text(&value.text(scope)?);
            (!path.names().is_empty()).then_some(path)
        }
        _ => None,
    }
}
