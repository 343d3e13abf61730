//! Edits of parts of references, as JSON shows them: `.AssetPathName`, `.ObjectName`,
//! `.InvocationList[0].FunctionName`.

use super::context::Context;
use super::error::EditError;
use super::given::Given;
use super::members::not_found;
use super::way::{SlotOf, Was, Way, no_parts};
use super::wish::Wish;
use crate::package::legacy::PackageIndex;
use crate::property::json::{OBJECT_NAME, OBJECT_PATH, is_shown_as, value_text};
use crate::property::reference::{Delegate, FieldPath, SoftPath};
use crate::property::value::Value;
use crate::property::words;
use crate::wire::counted;
use serde_json::Value as Json;

/// The keys of a soft path in FModel's JSON.
const ASSET: &str = "AssetPathName";
const SUB_PATH: &str = "SubPathString";
/// The keys of one delegate, and of a list of delegates.
const OBJECT: &str = "Object";
const FUNCTION: &str = "FunctionName";
const LIST: &str = "InvocationList";
/// The keys of a field path.
const PATH: &str = "Path";
const OWNER: &str = "ResolvedOwner";

impl Context<'_, '_> {
    /// Follows an address into a reference.
    pub(super) fn in_reference(
        &mut self,
        value: &mut Value,
        slot: SlotOf<'_>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some(step) = way.steps.first() else { return Err(no_parts("", at, "a reference")) };
        let is = |name: &str| step.text().eq_ignore_ascii_case(name);
        match value {
            Value::SoftPath(path) if is(ASSET) || is(SUB_PATH) => {
                let (asset, sub_path) = self.soft_parts(path);
                let was = if is(ASSET) { &asset } else { &sub_path };
                let was = Json::String(was.clone()).to_string();
                // The other half stays as it is; both are parsed again as one path.
                let new = if is(ASSET) { joined(way.given, &sub_path) } else { joined(&asset, way.given) };
                end(way, at)?;
                self.soft_path(path, &Wish::of(&Given::Text(&new), at))?;
                Ok(Some(was))
            }
            Value::Object(index) => self.in_object(index, slot, way, at),
            Value::Delegate(delegate) => self.in_delegate(delegate, way, at),
            Value::Multicast(delegates) => {
                let mut way = way;
                // The list may be named or indexed directly.
                if is(LIST) {
                    at.push_str(&step.to_string());
                    way = way.rest();
                }
                if way.steps.is_empty() {
                    let was = value_text(self.scope, &Value::Multicast(delegates.clone()));
                    self.delegates(delegates, &Wish::of(&Given::Text(way.given), at))?;
                    return Ok(Some(was));
                }
                let place = way.steps.first().and_then(|place| place.text().parse::<usize>().ok());
                let count = delegates.len();
                let Some(delegate) = place.and_then(|place| delegates.get_mut(place)) else {
                    let there = counted(count as u64, "delegate", "delegates");
                    let part = way.steps.first().map_or(LIST, |step| step.text());
                    return Err(not_found(&format!("[{part}]"), at, [there]));
                };
                at.extend(way.steps.first().map(ToString::to_string));
                if way.steps.len() > 1 {
                    return self.in_delegate(delegate, way.rest(), at);
                }
                let was = value_text(self.scope, &Value::Delegate(*delegate));
                self.delegate(delegate, &Wish::of(&Given::Text(way.given), at))?;
                Ok(Some(was))
            }
            Value::FieldPath(path) => self.in_field_path(path, way, at),
            other => Err(no_parts(step.text(), at, &value_text(self.scope, other))),
        }
    }

    fn in_object(
        &mut self,
        index: &mut PackageIndex,
        slot: SlotOf<'_>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let was = value_text(self.scope, &Value::Object(*index));
        let Some(step) = way.steps.first() else {
            let given = Given::Text(way.given);
            *index = self.object(*index, &Wish::of(&given, at))?;
            return Ok(Some(was));
        };
        // JSON shows a reference as two texts; either one may be replaced.
        let keys = [OBJECT_NAME, OBJECT_PATH];
        let Some(key) = keys.into_iter().find(|key| step.text().eq_ignore_ascii_case(key)) else {
            return Err(no_parts(step.text(), at, &was));
        };
        end(way, at)?;
        let given = Given::Text(way.given);
        let wish = Wish { kind: slot.kind, leads_to: slot.leads_to, ..Wish::of(&given, at) };
        let new = self.shown_object(*index, &[(key, way.given)], &wish)?;
        self.check_reference(*index, new, &wish)?;
        *index = new;
        Ok(Some(was))
    }

    fn in_delegate(
        &mut self,
        delegate: &mut Delegate,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some(step) = way.steps.first() else { return Err(no_parts("", at, "a delegate")) };
        if step.text().eq_ignore_ascii_case(OBJECT) {
            at.push_str(&step.to_string());
            return self.in_object(&mut delegate.object, SlotOf::default(), way.rest(), at);
        }
        // Assigned like any name value, so that new names are added.
        if step.text().eq_ignore_ascii_case(FUNCTION) {
            let mut name = Value::Name(delegate.function);
            let was = value_text(self.scope, &name);
            end(way, at)?;
            let given = Given::Text(way.given);
            self.assign(&mut name, &Wish::of(&given, at))?;
            if let Value::Name(name) = name {
                delegate.function = name;
            }
            return Ok(Some(was));
        }
        Err(not_found(step.text(), at, [OBJECT, FUNCTION].map(str::to_owned)))
    }

    fn in_field_path(
        &mut self,
        path: &mut FieldPath,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some(step) = way.steps.first() else { return Err(no_parts("", at, "a field")) };
        if let Some(owner) = path.owner.as_mut().filter(|_| step.text().eq_ignore_ascii_case(OWNER)) {
            at.push_str(&step.to_string());
            return self.in_object(owner, SlotOf::default(), way.rest(), at);
        }
        let place = way.steps.get(1).and_then(|place| place.text().parse::<usize>().ok());
        let is_path = step.text().eq_ignore_ascii_case(PATH);
        let Some(name) = place.filter(|_| is_path).and_then(|place| path.path.get_mut(place)) else {
            return Err(not_found(step.text(), at, [PATH, OWNER].map(str::to_owned)));
        };
        at.push_str(&step.to_string());
        let mut value = Value::Name(*name);
        let was = value_text(self.scope, &value);
        end(way.rest(), at)?;
        let given = Given::Text(way.given);
        self.assign(&mut value, &Wish::of(&given, at))?;
        if let Value::Name(new) = value {
            *name = new;
        }
        Ok(Some(was))
    }

    /// Assigns to a delegate, in the form of its JSON.
    pub(in crate::property) fn delegate(
        &mut self,
        delegate: &mut Delegate,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let json = wish.given.json();
        let Some(Json::Object(members)) = json.as_deref() else {
            return Err(wish.refused("a JSON object with Object and FunctionName"));
        };
        for (name, json) in members {
            let (given, at) = (Given::Json(json), format!("{}.{name}", wish.at));
            let wish = wish.part(None, &given, &at);
            match name.as_str() {
                OBJECT => delegate.object = self.object(delegate.object, &wish)?,
                FUNCTION => delegate.function = self.name(&wish)?,
                _ => return Err(not_found(name, wish.at, [OBJECT, FUNCTION].map(str::to_owned))),
            }
        }
        Ok(())
    }

    /// Assigns to several delegates: an array, or the object that JSON puts around it.
    pub(in crate::property) fn delegates(
        &mut self,
        delegates: &mut Vec<Delegate>,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let json = wish.given.json();
        let list = match json.as_deref() {
            Some(Json::Object(members)) => members.get(LIST).and_then(Json::as_array),
            Some(Json::Array(list)) => Some(list),
            _ => None,
        };
        let list = list.ok_or_else(|| wish.refused("a JSON object with an InvocationList"))?;
        let none = self.names.find_or_add("None");
        // Added delegates start unbound: no object, function `None`.
        delegates.resize(list.len(), Delegate { object: PackageIndex::NONE, function: none });
        for ((place, json), delegate) in list.iter().enumerate().zip(delegates) {
            let (given, at) = (Given::Json(json), format!("{}[{place}]", wish.at));
            self.delegate(delegate, &wish.part(None, &given, &at))?;
        }
        Ok(())
    }

    /// Assigns to a field path, in the form of its JSON; null for none.
    pub(in crate::property) fn field_path(
        &mut self,
        path: &mut FieldPath,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let json = wish.given.json();
        let names = match json.as_deref() {
            Some(Json::Null) => Some((Vec::new(), PackageIndex::NONE)),
            Some(Json::Object(members)) => {
                let names = members.get(PATH).and_then(Json::as_array);
                let names = names.ok_or_else(|| wish.refused("a JSON object with a Path"))?;
                let name = |name| self.name(&wish.part(None, &Given::Json(name), wish.at));
                let names = names.iter().map(name).collect::<Result<_, EditError>>()?;
                let old = path.owner.unwrap_or_default();
                let owner = members.get(OWNER);
                let owner = owner.map(|json| self.object(old, &wish.part(None, &Given::Json(json), wish.at)));
                Some((names, owner.transpose()?.unwrap_or(old)))
            }
            _ => None,
        };
        let (names, owner) = names.ok_or_else(|| wish.refused("a JSON object with a Path, or null"))?;
        path.path = names;
        // Versions without an owner field cannot store one.
        path.owner = path.owner.map(|_| owner);
        Ok(())
    }

    /// Finds the object that JSON shows with these texts. The current object wins over others that look the
    /// same.
    pub(super) fn shown_object(
        &mut self,
        current: PackageIndex,
        parts: &[(&str, &str)],
        wish: &Wish<'_>,
    ) -> Result<PackageIndex, EditError> {
        let fits = |index: &PackageIndex| {
            parts.iter().all(|(part, text)| is_shown_as(self.scope, *index, part, text))
        };
        if fits(&current) {
            return Ok(current);
        }
        let mut found = self.objects().filter(fits);
        // Several objects may be shown alike, for example imports whose index is unknown.
        match (found.next(), found.count()) {
            (Some(only), 0) => Ok(only),
            (None, _) if self.note_not_imported(path_of_shown(parts)) => Ok(PackageIndex::NONE),
            (None, _) => {
                let expected =
                    "an object of this package, or of another one that can be read, as JSON shows it";
                Err(wish.refused(expected))
            }
            (Some(_), more) => Err(wish.refused(&format!("one object: {} are shown so", more + 1))),
        }
    }

    /// All objects that values can refer to: exports, then imports.
    pub(super) fn objects(&self) -> impl Iterator<Item = PackageIndex> + use<> {
        let package = self.scope.package;
        let exports = (0..).take(package.exports.len()).filter_map(PackageIndex::export);
        exports.chain((0..).take(package.imports.len()).filter_map(PackageIndex::import))
    }

    /// The asset path and sub-path, including names that are new.
    pub(super) fn soft_parts(&self, path: &SoftPath) -> (String, String) {
        let both = |package, asset| {
            let (package, asset) = (self.text(package), self.text(asset));
            if asset.eq_ignore_ascii_case("None") { package } else { format!("{package}.{asset}") }
        };
        match path {
            SoftPath::Asset(asset, sub_path) => (self.text(*asset), sub_path.to_string()),
            SoftPath::TopLevel(package, asset, sub_path) => (both(*package, *asset), sub_path.to_string()),
            SoftPath::Utf8(package, asset, sub_path) => (both(*package, *asset), sub_path.to_string()),
            path => words::soft_path(self.scope, path),
        }
    }

    /// A soft path as one text, from the two parts in JSON; `None` if the value is not a JSON object.
    pub(super) fn soft_text(&self, path: &SoftPath, wish: &Wish<'_>) -> Result<Option<String>, EditError> {
        let json = wish.given.json();
        let Some(Json::Object(members)) = json.as_deref() else { return Ok(None) };
        let (mut asset, mut sub_path) = self.soft_parts(path);
        for (name, json) in members {
            let text = json.as_str().ok_or_else(|| wish.refused("JSON strings"))?.to_owned();
            match name.as_str() {
                ASSET => asset = text,
                SUB_PATH => sub_path = text,
                _ => return Err(not_found(name, wish.at, [ASSET, SUB_PATH].map(str::to_owned))),
            }
        }
        Ok(Some(joined(&asset, &sub_path)))
    }
}

/// Joins an asset path and a sub-path.
pub(super) fn joined(asset: &str, sub_path: &str) -> String {
    if sub_path.is_empty() { asset.to_owned() } else { format!("{asset}:{sub_path}") }
}

/// Consumes the last step; none may follow.
fn end(way: Way<'_>, at: &mut String) -> Result<(), EditError> {
    at.extend(way.steps.first().map(ToString::to_string));
    match way.steps.get(1) {
        None => Ok(()),
        Some(step) => Err(no_parts(step.text(), at, "a text")),
    }
}

/// The path of an object that JSON shows as `Class'Outer:Sub.Name'` in a package with the index of an export.
fn path_of_shown(parts: &[(&str, &str)]) -> Option<String> {
    let of = |key: &str| parts.iter().find(|(part, _)| *part == key).map(|(_, text)| *text);
    let inner = of(OBJECT_NAME)?.split('\'').nth(1)?;
    let path = of(OBJECT_PATH)?;
    // The index of the export follows, if it is known.
    let package = path.rsplit_once('.').map_or(path, |(package, _)| package);
    Some(format!("{package}.{inner}"))
}
