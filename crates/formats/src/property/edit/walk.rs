//! Finds the value at an address, and changes it.

use super::context::{Context, listed, listed_near};
use super::error::EditError;
use super::given::Given;
use super::members::{FoundMember, not_found};
use super::names::Names;
use super::path::{Address, ExportName, Step};
use super::way::{Was, Way, no_parts};
use crate::package::legacy::PackageIndex;
use crate::property::kind::StructName;
use crate::property::value::{Record, Value};
use crate::property::{Object, Scope, shown_names};
use crate::wire::counted;
use serde_json::Value as Json;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

/// Field with the rows of a table.
const ROWS: &str = "Rows";

/// An editor for the values of one package.
pub struct Editor<'s, 'a> {
    context: Context<'s, 'a>,
    /// Indices of exports by their names, in lower case.
    exports: OnceCell<HashMap<String, Vec<usize>>>,
}

/// A changed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The old value as JSON; `None` if the package omitted it, so its class decided.
    pub from: Option<String>,
    /// The new value, as given.
    pub to: String,
}

impl<'s, 'a> Editor<'s, 'a> {
    /// An editor for a package whose data refers to names of this table.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>, names: Names) -> Self {
        let context = Context { scope, names, unchecked: Vec::new(), not_imported: None };
        Self { context, exports: OnceCell::new() }
    }

    /// The index of the export in an address.
    pub fn export(&self, name: &ExportName) -> Result<usize, EditError> {
        let package = self.context.scope.package;
        let text = |at: usize| package.exports.get(at).map(|export| package.text(export.name).to_string());
        let all = || (0..package.exports.len()).filter_map(text);
        let no_export = |there| EditError::NoExport { name: name.to_string(), there };
        match name {
            ExportName::Place(place) if *place < package.exports.len() => Ok(*place),
            ExportName::Place(_) => {
                Err(no_export(counted(package.exports.len() as u64, "export", "exports")))
            }
            // Exports of different outers may share a name; an address by index is then needed.
            ExportName::Name(name) => {
                let named = self.exports().get(&name.to_lowercase());
                match named.map(Vec::as_slice).unwrap_or_default() {
                    [only] => Ok(*only),
                    [] => Err(no_export(listed_near(name, all()))),
                    several => Err(EditError::Ambiguous {
                        name: name.clone(),
                        count: several.len(),
                        places: listed(several.iter().map(|at| self.place(*at))),
                    }),
                }
            }
        }
    }

    /// The name of an export in addresses: its index, if others are called alike.
    #[must_use]
    pub fn export_name(&self, at: usize) -> ExportName {
        let package = self.context.scope.package;
        let name = package.exports.get(at).map(|export| package.text(export.name).to_string());
        let alone =
            name.filter(|name| self.exports().get(&name.to_lowercase()).is_some_and(|all| all.len() == 1));
        alone.map_or(ExportName::Place(at), ExportName::Name)
    }

    fn exports(&self) -> &HashMap<String, Vec<usize>> {
        self.exports.get_or_init(|| {
            let package = self.context.scope.package;
            let mut all: HashMap<String, Vec<usize>> = HashMap::new();
            for (at, export) in package.exports.iter().enumerate() {
                all.entry(package.text(export.name).to_string().to_lowercase()).or_default().push(at);
            }
            all
        })
    }

    /// Changes a value of an object.
    pub fn set(&mut self, object: &mut Object, address: &Address, text: &str) -> Result<Change, EditError> {
        let from = self.along(object, address, Way { steps: &address.steps, given: text, removes: false })?;
        Ok(Change { from, to: text.to_owned() })
    }

    /// Removes an element of an array or set, a row of a table, or a key of a map with its value; returns the value as JSON.
    pub fn remove(&mut self, object: &mut Object, address: &Address) -> Result<String, EditError> {
        let way = Way { steps: &address.steps, given: "", removes: true };
        Ok(self.along(object, address, way)?.unwrap_or_default())
    }

    fn along(&mut self, object: &mut Object, address: &Address, way: Way<'_>) -> Result<Was, EditError> {
        let mut at = address.export.to_string();
        let class = self.class(address);
        self.first(object, class.as_ref(), way, &mut at)
    }

    /// The class of the export in an address.
    fn class(&self, address: &Address) -> Option<StructName> {
        let export = self.context.scope.package.exports.get(self.export(&address.export).ok()?)?;
        self.context.scope.struct_name(export.class)
    }

    /// Values that could not be checked so far: address and reason.
    #[must_use]
    pub fn unchecked(&self) -> &[(String, String)] {
        &self.context.unchecked
    }

    /// Notes objects that the package does not import, instead of refusing values that refer to them. If there are any, the
    /// changed objects are of no use: they refer to nothing in their place.
    #[must_use]
    pub fn noting_imports(mut self) -> Self {
        self.context.not_imported = Some(BTreeSet::new());
        self
    }

    /// Takes the full paths of the objects that the package does not import.
    pub fn take_not_imported(&mut self) -> BTreeSet<String> {
        self.context.not_imported.take().unwrap_or_default()
    }

    /// The package's names, including those the changes added.
    #[must_use]
    pub fn into_names(self) -> Names {
        self.context.names
    }

    /// `#` and the index of an export, with its path.
    fn place(&self, at: usize) -> String {
        let path = u32::try_from(at).ok().and_then(PackageIndex::export);
        let path = path.and_then(|index| self.context.scope.package.path(index, self.context.scope.name()));
        path.map_or_else(|| format!("#{at}"), |path| format!("#{at} ({path})"))
    }

    /// Finds the first step: a property, a field before or after the properties, or a row.
    fn first(
        &mut self,
        object: &mut Object,
        class: Option<&StructName>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let step = way.steps.first().ok_or_else(|| EditError::Address {
            address: at.clone(),
            expected: "a dot and the name of a property",
            column: at.chars().count() + 1,
        })?;
        let name = step.text();
        // Recorded properties go before fields and rows of the same name.
        let in_list = object
            .properties
            .as_ref()
            .is_some_and(|list| list.find(self.context.scope.package, name).is_some());
        let is_row = way.removes && way.steps.len() == 1 && self.has_row(object, name);
        if !in_list && is_row && object.tail.get(ROWS).is_some() {
            let steps = [Step::Name(ROWS.to_owned()), Step::Key(name.to_owned())];
            return self.in_tail(object, Way { steps: &steps, ..way }, at);
        }
        if !in_list && self.is_in_tail(object, name) {
            return self.in_tail(object, way, at);
        }
        if !in_list && !way.removes && self.is_new_row(object, class, way) {
            let steps = [Step::Name(ROWS.to_owned()), Step::Key(name.to_owned())];
            return self.in_tail(object, Way { steps: &steps, ..way }, at);
        }
        let problem = object.problem.clone().map(Box::new);
        let Some(list) = &mut object.properties else {
            return Err(EditError::Unread { export: at.clone(), problem });
        };
        self.context.in_list(list, class, way, at)
    }

    fn is_in_tail(&self, object: &Object, name: &str) -> bool {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let fields = || object.head.fields.iter().chain(&object.tail.fields);
        let group = group_of(&object.tail).is_some_and(is);
        group || fields().any(|(field, _)| is(field)) || self.has_row(object, name)
    }

    /// True if an address names no property of a table, and the value is that of a row.
    fn is_new_row(&self, object: &Object, class: Option<&StructName>, way: Way<'_>) -> bool {
        let [step] = way.steps else { return false };
        let has_rows = object.tail.get(ROWS).and_then(Value::items).is_some_and(|rows| !rows.is_empty());
        let layout = class.and_then(|class| self.context.scope.layout(class));
        let is_property = layout.is_some_and(|layout| layout.kind_of(step.text()).is_some());
        has_rows && !is_property && matches!(Given::Text(way.given).json().as_deref(), Some(Json::Object(_)))
    }

    /// Edits a field before or after the properties, or a row.
    fn in_tail(&mut self, object: &mut Object, way: Way<'_>, at: &mut String) -> Result<Was, EditError> {
        let Some(step) = way.steps.first() else { return Err(no_parts("", at, "an object")) };
        let name = step.text();
        let here = at.clone();
        at.push_str(&step.to_string());
        let is_group = group_of(&object.tail).is_some_and(|group| group.eq_ignore_ascii_case(name));
        let mut fields = object.head.fields.iter_mut().chain(&mut object.tail.fields);
        if let Some((field, value)) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name)) {
            let given = shown_names::tail_number(field, way.given);
            let rest = way.rest();
            return self.context.reach(FoundMember::of(value, None), Way { given: &given, ..rest }, at);
        }
        // JSON groups some fields under a key that is not stored; the next step then names the field.
        if is_group {
            return match way.steps.get(1) {
                Some(_) => self.in_tail(object, way.rest(), at),
                None => Err(no_parts("", at, "a group of values: name one of them")),
            };
        }
        // Rows of curve tables are fields themselves, those of other tables are in an array.
        let rows = object.tail.fields.iter_mut().flat_map(|(_, value)| match value {
            Value::Array(rows) => rows.iter_mut().collect::<Vec<_>>(),
            row => vec![row],
        });
        let found = self.context.row(rows, name).ok_or_else(|| not_found(name, &here, []))?;
        self.context.reach(found, way.rest(), at)
    }

    fn has_row(&self, object: &Object, name: &str) -> bool {
        let rows = object.tail.fields.iter().flat_map(|(_, value)| match value {
            Value::Array(rows) => rows.as_slice(),
            row => std::slice::from_ref(row),
        });
        let mut names = rows.filter_map(|row| self.context.row_name(row));
        names.any(|found| found.eq_ignore_ascii_case(name))
    }
}

/// The key under which JSON groups the fields of a tail.
fn group_of(tail: &Record) -> Option<&'static str> {
    let has = |name: &str| tail.get(name).is_some();
    if has("TableNamespace") {
        Some("StringTable")
    } else if has("RowCount") && !has("Rows") {
        Some("Rows")
    } else {
        None
    }
}
