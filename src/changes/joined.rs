//! One property as two mods change it: elements, keys and members of both.
//!
//! ```text
//! game  [ {Gold: 3}              ]   [1, 2]
//! own   [ {Gold: 4}              ]   [1, 5]
//! other [ {Gold: 3}, {Silver: 7} ]   [1, 2, 9]
//! both  [ {Gold: 4}, {Silver: 7} ]   [1, 5, 9]
//! ```

use serde_json::{Map, Value as Json};

/// Two mods change one value in different ways, or one of them moves what the other one changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotJoined;

/// Key of a reference to an object, which is one value.
const REFERENCE: &str = "ObjectName";

/// A property with the changes of both mods to that of the game; `None` for one that is left out.
pub(crate) fn joined(
    game: Option<&Json>,
    own: Option<&Json>,
    other: Option<&Json>,
) -> Result<Option<Json>, NotJoined> {
    if own == other || game == other {
        return Ok(own.cloned());
    }
    if game == own {
        return Ok(other.cloned());
    }
    match (own, other) {
        (Some(Json::Object(own)), Some(Json::Object(other))) if !own.contains_key(REFERENCE) => {
            let none = Map::new();
            let game = game.and_then(Json::as_object).unwrap_or(&none);
            members(game, own, other).map(Json::Object).map(Some)
        }
        (Some(Json::Array(own)), Some(Json::Array(other))) => {
            let game = game.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
            let lists = [game, own, other];
            let found = if lists.iter().all(|list| list.iter().all(is_entry)) {
                entries(lists)
            } else {
                elements(lists)
            };
            found.map(Json::Array).map(Some)
        }
        _ => Err(NotJoined),
    }
}

fn members(
    game: &Map<String, Json>,
    own: &Map<String, Json>,
    other: &Map<String, Json>,
) -> Result<Map<String, Json>, NotJoined> {
    let mut all = Map::new();
    let new = other.keys().filter(|key| !own.contains_key(*key));
    for key in own.keys().chain(new) {
        let value = joined(game.get(key), own.get(key), other.get(key))?;
        all.extend(value.map(|value| (key.clone(), value)));
    }
    Ok(all)
}

/// True for an entry of a map: `{ "Key": …, "Value": … }`.
fn is_entry(element: &Json) -> bool {
    element.as_object().is_some_and(|of| of.len() == 2 && of.contains_key("Key") && of.contains_key("Value"))
}

/// Entries of maps, by their keys: those of the one mod, then the new ones of the other.
fn entries([game, own, other]: [&[Json]; 3]) -> Result<Vec<Json>, NotJoined> {
    // Keys as texts, for a look-up that does not cost the square of their number.
    let by_key = |list: &[Json]| -> Map<String, Json> {
        list.iter().map(|entry| (entry["Key"].to_string(), entry["Value"].clone())).collect()
    };
    let values = members(&by_key(game), &by_key(own), &by_key(other))?;
    let of_own = by_key(own);
    let new = other.iter().filter(|entry| !of_own.contains_key(&entry["Key"].to_string()));
    let entry = |entry: &Json| {
        let mut of = entry.as_object()?.clone();
        of.insert("Value".to_owned(), values.get(&entry["Key"].to_string())?.clone());
        Some(Json::Object(of))
    };
    Ok(own.iter().chain(new).filter_map(entry).collect())
}

/// Elements by their places. None may be gone, as the places of others then mean something else, and only one of the mods may
/// add some.
fn elements([game, own, other]: [&[Json]; 3]) -> Result<Vec<Json>, NotJoined> {
    let parts = [own, other].map(|list| list.split_at_checked(game.len()).ok_or(NotJoined));
    let [(own, of_own), (other, of_other)] = [parts[0]?, parts[1]?];
    let added = match (of_own.is_empty(), of_other.is_empty()) {
        (true, _) => of_other,
        (false, true) => of_own,
        (false, false) if of_own == of_other => of_own,
        (false, false) => return Err(NotJoined),
    };
    let known = game.iter().zip(own).zip(other);
    let known = known.map(|((game, own), other)| joined(Some(game), Some(own), Some(other)));
    let mut all: Vec<Json> = known.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    all.extend(added.iter().cloned());
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn both(game: &Json, own: &Json, other: &Json) -> Result<Option<Json>, NotJoined> {
        let found = joined(Some(game), Some(own), Some(other));
        // The order of what is new is that of the mods, and everything else is the same from both sides.
        assert_eq!(found.is_ok(), joined(Some(game), Some(other), Some(own)).is_ok());
        found
    }

    fn map(entries: &[(&str, i32)]) -> Json {
        entries.iter().map(|(key, value)| json!({ "Key": key, "Value": value })).collect()
    }

    #[test]
    fn keys_of_maps_come_together() {
        let game = map(&[("Gold", 3), ("Iron", 1)]);
        let found = both(&game, &map(&[("Gold", 4), ("Iron", 1)]), &map(&[("Gold", 3), ("Silver", 7)]));
        assert_eq!(found, Ok(Some(map(&[("Gold", 4), ("Silver", 7)]))), "iron is gone in the other");
        let changed = both(&game, &map(&[("Gold", 3), ("Iron", 2)]), &map(&[("Gold", 3)]));
        assert_eq!(changed, Err(NotJoined), "one removes what the other one changes");
        assert_eq!(both(&game, &map(&[("Gold", 5), ("Iron", 1)]), &map(&[("Gold", 6)])), Err(NotJoined));
        let none = joined(None, Some(&map(&[("A", 1)])), Some(&map(&[("B", 2)])));
        assert_eq!(none, Ok(Some(map(&[("A", 1), ("B", 2)]))));
    }

    #[test]
    fn elements_keep_their_places() {
        let game = json!([1, 2]);
        assert_eq!(both(&game, &json!([1, 5]), &json!([1, 2, 9])), Ok(Some(json!([1, 5, 9]))));
        assert_eq!(both(&game, &json!([1, 2, 9]), &json!([1, 5, 9])), Ok(Some(json!([1, 5, 9]))));
        assert_eq!(both(&game, &json!([1, 2, 8]), &json!([1, 2, 9])), Err(NotJoined), "two at one place");
        assert_eq!(both(&game, &json!([2]), &json!([1, 2, 9])), Err(NotJoined), "the others have moved");
        let nested =
            both(&json!([{"A": 1, "B": [1]}]), &json!([{"A": 2, "B": [1]}]), &json!([{"A": 1, "B": [1, 2]}]));
        assert_eq!(nested, Ok(Some(json!([{"A": 2, "B": [1, 2]}]))));
        let object = |name: &str| json!({ "ObjectName": name, "ObjectPath": "/Game/A" });
        assert_eq!(
            both(&object("A"), &object("B"), &object("C")),
            Err(NotJoined),
            "a reference is one value"
        );
    }
}
