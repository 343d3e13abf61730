use super::text::Text;
use crate::property::kind::StructName;
use crate::property::layout::Layout;
use crate::property::schema::{Enumeration, Schema};
use std::sync::{Arc, OnceLock};

/// The classes, structs and enums of one release.
#[derive(Debug, Clone)]
pub(in crate::property) struct EngineClasses {
    text: &'static Text,
    /// Place of the release.
    place: usize,
    /// The flattened layout of each struct.
    layouts: Vec<OnceLock<Arc<Layout>>>,
}

impl EngineClasses {
    /// The classes of the release at a place.
    pub(super) fn new(text: &'static Text, place: usize) -> Self {
        Self { text, place, layouts: text.structs.iter().map(|_| OnceLock::new()).collect() }
    }

    pub(in crate::property) fn schema(&self, name: &str) -> Option<&'static Arc<Schema>> {
        self.text.find(&self.text.structs, name, self.place).map(|(_, schema)| schema)
    }

    pub(in crate::property) fn enumeration(&self, name: &str) -> Option<&'static Arc<Enumeration>> {
        self.text.find(&self.text.enums, name, self.place).map(|(_, found)| found)
    }

    pub(in crate::property) fn layout(&self, name: &str) -> Option<&Arc<Layout>> {
        let (at, schema) = self.text.find(&self.text.structs, name, self.place)?;
        let base = |base: &StructName| self.schema(&base.name).cloned();
        Some(self.layouts.get(at)?.get_or_init(|| Arc::new(Layout::new(Arc::clone(schema), base))))
    }

    /// Number of structs and classes.
    pub(in crate::property) fn len(&self) -> usize {
        self.text.structs.iter().filter(|line| self.text.has(line, self.place)).count()
    }
}
