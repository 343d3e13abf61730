//! JSON patches of loaders that change tables and blueprints while a game runs: object name, property, value.
//!
//! ```json
//! { "DT_Items":   { "Sword": { "Price": 9, "Tags": { "Items": ["Rare"] } },      a row; elements that are added
//!                   "*":     { "$Filters": [{ "FieldName": "Tier", "Operation": "Equal", "Value": "Rare" }], "Price": 5 },
//!                   "Axe":   null },                                               a row that is removed
//!   "BP_Door_C":  { "OpenAngle": 120, "Costs": [{ "Key": "Gold", "Value": 3 }],     a blueprint; keys of a map
//!                   "Mesh": { "RelativeScale3D": { "Z": 2 } } } }                  one of its components
//! ```
//!
//! Facts from the documentation of `PalSchema`, at <https://github.com/Okaetsu/PalSchema>.

use super::model::{RecipeChange, RecipePlace};
use super::toml_value::set_text;
use crate::values::edit::{AddressPattern, Condition, RuleChange};
use serde_json::{Map, Value as Json};

/// Key of the conditions of a row.
const FILTERS: &str = "$Filters";
/// Key of the elements that are added to an array.
const ITEMS: &str = "Items";

/// Reads a patch as changes, all with this place.
pub(super) fn read(text: &str, place: &RecipePlace) -> Result<Vec<RecipeChange>, String> {
    let patch: Map<String, Json> = serde_json::from_str(text)
        .map_err(|error| format!("not a patch of tables or blueprints: {error}"))?;
    let mut reading = Reading { place, changes: Vec::new() };
    for (name, members) in &patch {
        let Json::Object(members) = members else {
            return Err(format!("{name}: expected an object of rows or properties"));
        };
        match name.strip_suffix("_C") {
            Some(blueprint) => {
                reading.object(&format!("*/{blueprint}"), &format!("Default__{name}"), members)?;
            }
            None => reading.table(name, members)?,
        }
    }
    Ok(reading.changes)
}

struct Reading<'p> {
    place: &'p RecipePlace,
    changes: Vec<RecipeChange>,
}

impl Reading<'_> {
    fn add(
        &mut self,
        (packages, property): (&str, &str),
        conditions: &[(String, Vec<String>)],
        change: RuleChange,
    ) -> Result<(), String> {
        AddressPattern::new(property).map_err(|error| error.to_string())?;
        self.changes.push(RecipeChange {
            place: self.place.clone(),
            packages: vec![packages.to_owned()],
            property: property.to_owned(),
            class: None,
            conditions: conditions.to_vec(),
            from: None,
            change,
            is_optional: false,
        });
        Ok(())
    }

    fn table(&mut self, name: &str, rows: &Map<String, Json>) -> Result<(), String> {
        let packages = format!("*/{name}");
        for (row, members) in rows {
            let at = format!("{}.{}", quoted(name), quoted(row));
            match members {
                Json::Null => self.add((&packages, &at), &[], RuleChange::Remove)?,
                Json::Object(members) if row.contains('*') => {
                    let conditions =
                        filters(members).map_err(|problem| format!("{name}.{row}: {problem}"))?;
                    self.members((&packages, &at), &conditions, members)?;
                }
                Json::Object(members) => {
                    // At once, since it may be a new row, which has to be given as a whole.
                    let plain = |(_, value): &(&String, &Json)| special(value).is_none();
                    let whole: Map<String, Json> = members
                        .iter()
                        .filter(plain)
                        .map(|(name, value)| (name.clone(), value.clone()))
                        .collect();
                    if !whole.is_empty() {
                        let text = Json::Object(whole).to_string();
                        self.add((&packages, &at), &[], RuleChange::Set(text))?;
                    }
                    let rest = members.iter().filter(|member| !plain(member));
                    let rest = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
                    self.members((&packages, &at), &[], &rest)?;
                }
                _ => return Err(format!("{name}.{row}: expected an object of properties, or null")),
            }
        }
        Ok(())
    }

    fn object(&mut self, packages: &str, at: &str, members: &Map<String, Json>) -> Result<(), String> {
        self.members((packages, &quoted(at)), &[], members)
    }

    /// Adds a change for each member.
    fn members(
        &mut self,
        (packages, at): (&str, &str),
        conditions: &[(String, Vec<String>)],
        members: &Map<String, Json>,
    ) -> Result<(), String> {
        for (name, value) in members.iter().filter(|(name, _)| *name != FILTERS) {
            let at = format!("{at}.{}", quoted(name));
            let change = special(value).unwrap_or_else(|| RuleChange::Set(set_text(value)));
            self.add((packages, &at), conditions, change)?;
        }
        Ok(())
    }
}

/// The change that a value stands for which is not set as it is: elements that are added, or keys of a map.
fn special(value: &Json) -> Option<RuleChange> {
    let elements = |items: &[Json]| items.iter().map(|item| (None, set_text(item))).collect();
    match value {
        Json::Object(members) if members.len() == 1 => {
            let items = members.get(ITEMS)?.as_array()?;
            Some(RuleChange::Append(elements(items)))
        }
        Json::Array(entries) if !entries.is_empty() => {
            let entry = |entry: &Json| {
                let entry = entry.as_object().filter(|entry| entry.len() == 2)?;
                Some((Some(set_text(entry.get("Key")?)), set_text(entry.get("Value")?)))
            };
            Some(RuleChange::Append(entries.iter().map(entry).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The conditions of a row.
fn filters(members: &Map<String, Json>) -> Result<Vec<(String, Vec<String>)>, String> {
    let Some(filters) = members.get(FILTERS) else { return Ok(Vec::new()) };
    let filters = filters.as_array().ok_or_else(|| format!("{FILTERS}: expected a list"))?;
    let one = |filter: &Json| -> Option<Result<(String, Vec<String>), String>> {
        let (field, operation) = (filter.get("FieldName")?.as_str()?, filter.get("Operation")?.as_str()?);
        let values = match (filter.get("Values").and_then(Json::as_array), filter.get("Value")) {
            (Some(values), _) => values.iter().map(set_text).collect(),
            (None, value) => vec![set_text(value?)],
        };
        let form = |text: &String| match operation.to_ascii_lowercase().as_str() {
            "equals" | "equal" | "==" => Some(text.clone()),
            "greaterthan" | ">" => Some(format!(">{text}")),
            "greaterthanorequal" | ">=" => Some(format!(">={text}")),
            "lessthan" | "<" => Some(format!("<{text}")),
            "lessthanorequal" | "<=" => Some(format!("<={text}")),
            "contains" => Some(format!("*{text}*")),
            "startswith" => Some(format!("{text}*")),
            "endswith" => Some(format!("*{text}")),
            _ => None,
        };
        let texts: Option<Vec<String>> = values.iter().map(form).collect();
        let Some(texts) = texts else { return Some(Err(format!("unknown operation: {operation}"))) };
        let field = quoted(field);
        let checked = Condition::new(&field, &texts).map_err(|error| error.to_string());
        Some(checked.map(|_| (field, texts)))
    };
    let expected = || format!("{FILTERS}: expected FieldName, Operation and Value or Values");
    filters.iter().map(|filter| one(filter).unwrap_or_else(|| Err(expected()))).collect()
}

/// A name as a step of an address.
fn quoted(name: &str) -> String {
    if name.is_empty() || name.contains(['.', '[', ']']) { format!("\"{name}\"") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_become_changes() {
        let text = r#"{
            "DT_Items": {
                "Sword": { "Price": 9, "Tags": { "Items": ["Rare"] } },
                "*": { "$Filters": [{ "FieldName": "Tier", "Operation": "Equal", "Values": ["Rare", "Epic"] },
                                    { "FieldName": "Hp", "Operation": "<", "Value": 5 }], "Price": 5 },
                "Axe": null
            },
            "BP_Door_C": { "OpenAngle": 120, "Costs": [{ "Key": "Gold", "Value": 3 }], "Mesh": { "Scale": 2 } }
        }"#;
        let changes = read(text, &RecipePlace::default()).unwrap();
        let shown: Vec<String> = changes
            .iter()
            .map(|of| format!("{} {} {:?} {:?}", of.packages[0], of.property, of.change, of.conditions))
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn what_is_no_patch_is_told() {
        for text in [
            "[]",
            r#"{"DT_A": 1}"#,
            r#"{"DT_A": {"Row": 1}}"#,
            r#"{"DT_A": {"*": {"$Filters": [{"FieldName": "A", "Operation": "Near", "Value": 1}]}}}"#,
            r#"{"DT_A": {"*": {"$Filters": [1]}}}"#,
        ] {
            assert!(read(text, &RecipePlace::default()).is_err(), "{text}");
        }
    }
}
