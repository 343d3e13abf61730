//! The schemas of a mappings file, by name.

use super::engine::classes::EngineClasses;
use super::jmap;
use super::key::{key, with_key};
use super::kind::{Kind, Plain, StructName};
use super::layout::Layout;
use super::native_defaults::{NativeDefaults, NativeValues};
use super::schema::{Enumeration, Schema, Slot};
use crate::mappings::{Mappings, PropertyType, Struct};
use crate::package::ObjectPath;
use crate::version::Release;
use foldhash::HashMap;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// All schemas of a `.usmap` or `.jmap`, or the built-in ones of a release, by name in any letter case.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    structs: HashMap<Box<str>, Native>,
    enums: HashMap<Box<str>, Arc<Enumeration>>,
    engine: Option<EngineClasses>,
    /// The release of the game, where the file says it.
    pub(super) release: Option<&'static Release>,
    defaults: NativeDefaults,
}

/// A native struct or class.
#[derive(Debug, Clone)]
struct Native {
    schema: Arc<Schema>,
    /// The flattened layout, made on first use and shared by packages.
    layout: OnceLock<Arc<Layout>>,
}

impl Schemas {
    /// The schemas of a mappings file. Of several with the same name, the last one wins.
    #[must_use]
    pub fn new(mappings: &Mappings) -> Self {
        let mut this = Self::default();
        let mut texts = Texts::default();
        for found in mappings.enums() {
            let name = texts.of(found.name());
            let value = |value: crate::mappings::EnumValue<'_>| (value.value, short(&value.name).into());
            let values = found.values().map(value).collect();
            this.enums.insert(key(&name), Arc::new(Enumeration::new(name, values)));
        }
        for found in mappings.structs() {
            let schema = schema(found, &mut texts);
            let native = Native { schema: Arc::new(schema), layout: OnceLock::new() };
            this.structs.insert(key(&native.schema.name.name), native);
        }
        // An extension of the file lists numbers that are not 0, 1, …; they replace the counted ones.
        for (name, values) in mappings.explicit_values() {
            if let Some(found) = this.enums.get_mut(&*key(&name)) {
                let values = values.into_iter().map(|(value, name)| (value, short(&name).into())).collect();
                *found = Arc::new(Enumeration::new(Arc::clone(&found.name), values));
            }
        }
        this
    }

    /// The schemas of a `.jmap`, the JSON dump of a running game.
    pub fn from_jmap(text: &[u8]) -> serde_json::Result<Self> {
        let jmap::Dump { release, structs, enums, defaults } = jmap::parse(text)?;
        let mut this = Self { release, defaults, ..Self::default() };
        for found in enums {
            this.enums.insert(key(&found.name), Arc::new(found));
        }
        for schema in structs {
            let native = Native { schema: Arc::new(schema), layout: OnceLock::new() };
            this.structs.insert(key(&native.schema.name.name), native);
        }
        Ok(this)
    }

    /// The built-in schemas of a release.
    pub(super) fn of_engine(engine: EngineClasses) -> Self {
        Self { engine: Some(engine), ..Self::default() }
    }

    /// A struct or class by its name.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<&Arc<Schema>> {
        match &self.engine {
            Some(engine) => engine.schema(name),
            None => Some(&self.native(name)?.schema),
        }
    }

    /// A struct or class with all its bases, which are native as well.
    pub(super) fn layout(&self, name: &str) -> Option<&Arc<Layout>> {
        if let Some(engine) = &self.engine {
            return engine.layout(name);
        }
        let native = self.native(name)?;
        let base = |base: &StructName| self.schema(&base.name).cloned();
        Some(native.layout.get_or_init(|| Arc::new(Layout::new(Arc::clone(&native.schema), base))))
    }

    fn native(&self, name: &str) -> Option<&Native> {
        with_key(&[name], |key| self.structs.get(key))
    }

    /// An enum by its name.
    #[must_use]
    pub fn enumeration(&self, name: &str) -> Option<&Arc<Enumeration>> {
        match &self.engine {
            Some(engine) => engine.enumeration(name),
            None => with_key(&[name], |key| self.enums.get(key)),
        }
    }

    /// The values of a native default object, or of one inside it, such as `/Script/Engine.Default__PointLight:LightComponent0`;
    /// `None` if the file does not have it. Only dumps do.
    #[must_use]
    pub fn native_values(&self, path: &ObjectPath) -> Option<NativeValues> {
        self.defaults.get(path)
    }

    /// Number of structs and classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.engine.as_ref().map_or(self.structs.len(), EngineClasses::len)
    }

    /// True if there are no structs or classes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The name of a value without its enum's.
fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Shares equal texts.
#[derive(Default)]
struct Texts(HashMap<Box<str>, Arc<str>>);

impl Texts {
    fn of(&mut self, text: Cow<'_, str>) -> Arc<str> {
        if let Some(known) = self.0.get(&*text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = Arc::from(&*text);
        self.0.insert(text.into_owned().into_boxed_str(), Arc::clone(&shared));
        shared
    }
}

fn schema(found: Struct<'_>, texts: &mut Texts) -> Schema {
    let mut slots = Vec::new();
    for property in found.properties() {
        let name = texts.of(property.name);
        let kind = Arc::new(kind(property.kind, texts));
        slots.push(Slot {
            name,
            first: property.index.into(),
            // A dimension of 0 stands for a plain property.
            elements: property.array_len.max(1),
            kind,
            leads_to: None,
        });
    }
    let mut name = |text: Cow<'_, str>| StructName { name: texts.of(text), package: None };
    let (own, base) = (name(found.name()), found.super_name().map(&mut name));
    Schema::new(own, base, slots, found.element_count() as usize)
}

fn kind(found: PropertyType<'_>, texts: &mut Texts) -> Kind {
    let mut inner = |found: Box<PropertyType<'_>>| Box::new(kind(*found, texts));
    match found {
        PropertyType::Array(of) => Kind::Array(inner(of)),
        PropertyType::Set(of) => Kind::Set(inner(of)),
        PropertyType::Optional(of) => Kind::Optional(inner(of)),
        PropertyType::Map(key, value) => Kind::Map(inner(key), inner(value)),
        PropertyType::Enum(name, under) => {
            let under = inner(under);
            Kind::Enum(name.map(|name| texts.of(name)), under)
        }
        PropertyType::Struct(name) => {
            Kind::Struct(StructName { name: texts.of(name.unwrap_or_default()), package: None })
        }
        PropertyType::Plain(found) => match found.name() {
            Some("Byte") => Kind::Byte(None),
            Some(name) => {
                Plain::from_name(name).map_or_else(|| Kind::Unknown(texts.of(name.into())), Kind::Plain)
            }
            // A type byte that is not known; its number serves as the name.
            None => Kind::Unknown(texts.of(found.to_string().into())),
        },
    }
}
