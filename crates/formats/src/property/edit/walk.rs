//! From an address to its value, and the change.

use super::context::{Context, listed};
use super::error::EditError;
use super::given::Given;
use super::members::{Found, Wanted, field, hidden, not_found, owner};
use super::names::Names;
use super::path::{Address, ExportName, Step};
use super::wish::Wish;
use crate::package::legacy::PackageIndex;
use crate::property::json::value_text;
use crate::property::kind::{Kind, StructName};
use crate::property::value::{Body, List, Value};
use crate::property::{Object, Scope};
use crate::wire::counted;

/// Changes values of one package.
pub struct Editor<'s, 'a> {
    context: Context<'s, 'a>,
}

/// A value that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What it was, as JSON; `None` if its class decides, as the package did not say.
    pub from: Option<String>,
    /// What it is, as it was given.
    pub to: String,
}

impl<'s, 'a> Editor<'s, 'a> {
    /// An editor of a package whose data refers to names of this table.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>, names: Names) -> Self {
        Self { context: Context { scope, names } }
    }

    /// The export that an address is in.
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
            ExportName::Name(name) => {
                let named: Vec<usize> = all()
                    .enumerate()
                    .filter(|(_, found)| found.eq_ignore_ascii_case(name))
                    .map(|(at, _)| at)
                    .collect();
                match named.as_slice() {
                    [only] => Ok(*only),
                    [] => Err(no_export(listed(all()))),
                    several => Err(EditError::Ambiguous {
                        name: name.clone(),
                        count: several.len(),
                        places: listed(several.iter().map(|at| self.place(*at))),
                    }),
                }
            }
        }
    }

    /// Changes a value of an object.
    pub fn set(&mut self, object: &mut Object, address: &Address, text: &str) -> Result<Change, EditError> {
        let mut at = address.export.to_string();
        let mut steps = address.steps.as_slice();
        let class = self.class(address);
        let mut found = self.first(object, class.as_ref(), &mut steps, &mut at)?;
        while let Some((step, rest)) = steps.split_first() {
            let is_new = found.is_new;
            (found, steps) = self.step(found, step, rest, &mut at)?;
            found.is_new |= is_new;
        }
        let from = (!found.is_new).then(|| value_text(self.context.scope, found.value));
        let wish = Wish { kind: found.kind.as_ref(), given: &Given::Text(text), at: &at, depth: 0 };
        self.context.assign(found.value, &wish)?;
        Ok(Change { from, to: text.to_owned() })
    }

    /// The class of the export that an address is in.
    fn class(&self, address: &Address) -> Option<StructName> {
        let export = self.context.scope.package.exports.get(self.export(&address.export).ok()?)?;
        self.context.scope.struct_name(export.class)
    }

    /// The names of the package, with those that the changes need.
    #[must_use]
    pub fn into_names(self) -> Names {
        self.context.names
    }

    /// A place with the path of what is there.
    fn place(&self, at: usize) -> String {
        let path = u32::try_from(at).ok().and_then(PackageIndex::export);
        let path = path.and_then(|index| self.context.scope.package.path(index, self.context.scope.name()));
        path.map_or_else(|| format!("#{at}"), |path| format!("#{at} ({path})"))
    }

    /// The property, the field of the tail or the row that an address begins with.
    fn first<'v>(
        &mut self,
        object: &'v mut Object,
        class: Option<&StructName>,
        steps: &mut &[Step],
        at: &mut String,
    ) -> Result<Found<'v>, EditError> {
        let (step, rest) = steps.split_first().ok_or_else(|| EditError::Address {
            address: at.clone(),
            expected: "a dot and the name of a property",
            column: at.chars().count() + 1,
        })?;
        let (Step::Name(name) | Step::Key(name)) = step;
        let in_tail = object.tail.fields.iter().position(|(field, _)| field.eq_ignore_ascii_case(name));
        let has_row = self.has_row(object, name);
        let in_list = object
            .properties
            .as_ref()
            .is_some_and(|list| list.find(self.context.scope.package, name).is_some());
        if !in_list && (in_tail.is_some() || has_row) {
            *steps = rest;
            let here = at.clone();
            at.push_str(&step.to_string());
            if let Some(place) = in_tail {
                let field = object.tail.fields.get_mut(place);
                return field
                    .map(|(_, value)| Found::of(value, None))
                    .ok_or_else(|| not_found(name, &here, []));
            }
            let rows = object.tail.fields.iter_mut().flat_map(|(_, value)| match value {
                Value::Array(rows) => rows.iter_mut().collect::<Vec<_>>(),
                row => vec![row],
            });
            return self.context.row(rows, name).ok_or_else(|| not_found(name, &here, []));
        }
        let problem = object.problem.as_ref().map(ToString::to_string);
        let Some(list) = &mut object.properties else {
            let reason = problem.unwrap_or_else(|| "its class writes none".to_owned());
            return Err(EditError::Unread { export: at.clone(), reason });
        };
        let (found, left) = self.in_list(list, class, step, rest, at)?;
        *steps = left;
        Ok(found)
    }

    fn has_row(&self, object: &Object, name: &str) -> bool {
        let rows = object.tail.fields.iter().flat_map(|(_, value)| match value {
            Value::Array(rows) => rows.as_slice(),
            row => std::slice::from_ref(row),
        });
        let mut names = rows.filter_map(|row| self.context.row_name(row));
        names.any(|found| found.eq_ignore_ascii_case(name))
    }

    /// A property, and what is left of the steps: an index may belong to it.
    fn in_list<'v, 'p>(
        &mut self,
        list: &'v mut List,
        owner: Option<&StructName>,
        step: &Step,
        rest: &'p [Step],
        at: &mut String,
    ) -> Result<(Found<'v>, &'p [Step]), EditError> {
        let (Step::Name(name) | Step::Key(name)) = step;
        let here = at.clone();
        at.push_str(&step.to_string());
        if let Some((Step::Key(key), left)) = rest.split_first()
            && let Ok(element) = key.parse::<u32>()
            && self.context.is_static(list, name)
        {
            at.extend(["[", &element.to_string(), "]"]);
            let wanted = Wanted { owner, name, element, at: &here };
            return Ok((self.context.member(list, &wanted)?, left));
        }
        Ok((self.context.member(list, &Wanted { owner, name, element: 0, at: &here })?, rest))
    }

    /// One step further.
    fn step<'v, 'p>(
        &mut self,
        found: Found<'v>,
        step: &Step,
        rest: &'p [Step],
        at: &mut String,
    ) -> Result<(Found<'v>, &'p [Step]), EditError> {
        let (Step::Name(part) | Step::Key(part)) = step;
        let kind = found.kind;
        let here = at.clone();
        let next = match found.value {
            Value::Struct(of) => match &mut of.body {
                Body::List(list) => {
                    let owner = owner(of.name.as_ref(), kind.as_ref());
                    return self.in_list(list, owner.as_ref(), step, rest, at);
                }
                Body::Native(record) => match hidden(record, part) {
                    Some(place) => {
                        let inner = record.fields.get_mut(place).map(|(_, value)| value);
                        let inner = inner.ok_or_else(|| not_found(part, &here, []))?;
                        return self.step(Found::of(inner, None), step, rest, at);
                    }
                    None => field(record, part, &here)?,
                },
                Body::Empty => return Err(no_parts(part, at, "an empty struct")),
            },
            Value::Optional(Some(inner)) | Value::Sized(inner) => {
                return self.step(Found::of(inner, inner_kind(kind)), step, rest, at);
            }
            Value::Text(text) => field(&mut text.fields, part, &here)?,
            Value::Map(map) => {
                let kind = match kind {
                    Some(Kind::Map(_, value)) => Some(*value),
                    _ => None,
                };
                let keys: Vec<String> = map.entries.iter().map(|(key, _)| self.key_text(key)).collect();
                let place = keys.iter().position(|key| key.eq_ignore_ascii_case(part));
                match place.and_then(|place| map.entries.get_mut(place)) {
                    Some((_, value)) => Found::of(value, kind),
                    None => return Err(not_found(part, at, keys)),
                }
            }
            Value::Array(items) => self.element(items, kind, part, at)?,
            Value::TaggedArray(array) => self.element(&mut array.items, kind, part, at)?,
            Value::Set(set) => self.element(&mut set.items, kind, part, at)?,
            other => return Err(no_parts(part, at, &value_text(self.context.scope, other))),
        };
        at.push_str(&step.to_string());
        Ok((next, rest))
    }

    /// An element by its place, or a row by its name.
    fn element<'v>(
        &mut self,
        items: &'v mut [Value],
        kind: Option<Kind>,
        part: &str,
        at: &str,
    ) -> Result<Found<'v>, EditError> {
        let count = items.len();
        let rows: Vec<String> =
            items.iter().filter_map(|row| self.context.row_name(row)).map(Into::into).collect();
        if rows.iter().any(|row| row.eq_ignore_ascii_case(part)) {
            return self.context.row(items, part).ok_or_else(|| not_found(part, at, rows));
        }
        let place = part.parse::<usize>().ok();
        match place.and_then(|place| items.get_mut(place)) {
            Some(value) => Ok(Found::of(value, inner_kind(kind))),
            None if rows.is_empty() => {
                let there = counted(count as u64, "element", "elements");
                Err(not_found(&format!("[{part}]"), at, [there]))
            }
            None => Err(not_found(part, at, rows)),
        }
    }

    /// A key of a map as it is written in an address.
    fn key_text(&self, key: &Value) -> String {
        match key {
            Value::Name(name) | Value::Enum(name) => self.context.text(*name),
            key => {
                let text = value_text(self.context.scope, key);
                text.strip_prefix('"')
                    .and_then(|text| text.strip_suffix('"'))
                    .map_or(text.clone(), str::to_owned)
            }
        }
    }
}

/// The type of what is inside.
fn inner_kind(kind: Option<Kind>) -> Option<Kind> {
    match kind? {
        Kind::Array(inner) | Kind::Set(inner) | Kind::Optional(inner) => Some(*inner),
        _ => None,
    }
}

fn no_parts(part: &str, at: &str, found: &str) -> EditError {
    EditError::NoParts { part: part.to_owned(), at: at.to_owned(), found: found.to_owned() }
}
