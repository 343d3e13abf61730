//! Values of native classes, as constructors set them: a package leaves out what is equal to these.

use super::key::{key, with_key};
use crate::package::ObjectPath;
use foldhash::HashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Values of native default objects and of the objects inside them, by path. They stay text until they are asked for: few are.
#[derive(Debug, Clone, Default)]
pub(super) struct NativeDefaults(HashMap<Box<str>, Box<RawValue>>);

/// Values of a native default object, or of an object inside one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct NativeValues(pub(crate) Map<String, Value>);

impl NativeDefaults {
    /// Adds the values of an object, if it is a native default.
    pub(super) fn add(&mut self, path: &str, values: &RawValue) {
        let path = ObjectPath::from_text(path);
        let is_default = path.names().first().is_some_and(|name| name.starts_with("Default__"));
        if is_default && path.package().starts_with("/Script/") {
            self.0.insert(key(&path.to_string()), values.to_owned());
        }
    }

    /// The values of an object; `None` if it is not there.
    pub(super) fn get(&self, path: &ObjectPath) -> Option<NativeValues> {
        let text = with_key(&[&path.to_string()], |key| self.0.get(key))?;
        serde_json::from_str(text.get()).ok()
    }
}
