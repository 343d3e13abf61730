//! Lines of the built-in schemas.

use crate::property::kind::{Kind, Plain, StructName};
use crate::property::schema::{Enumeration, Schema, Slot};
use crate::property::schemas::Schemas;

/// Names of the releases, by place.
pub(super) fn releases(text: &str) -> impl Iterator<Item = &str> {
    text.lines().next().unwrap_or_default().split('\t').skip(1)
}

/// The schemas of the release at a place, each of which is parsed on first use. Lines of an unknown form are left out.
pub(super) fn schemas(text: &'static str, place: usize) -> Schemas {
    let mut schemas = Schemas::default();
    for line in text.lines().skip(1) {
        let mut words = line.splitn(3, '\t');
        let (Some(letter), Some(mask), Some(rest)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        if u32::from_str_radix(mask, 16).is_ok_and(|mask| mask >> place & 1 == 1) {
            let name = rest.split('\t').next().unwrap_or_default();
            match letter {
                "E" => schemas.add_enum(name, rest, enumeration),
                "S" => schemas.add_struct(name, rest, schema),
                _ => {}
            }
        }
    }
    schemas
}

fn enumeration(line: &str) -> Enumeration {
    let mut words = line.split('\t');
    let name = words.next().unwrap_or_default().into();
    let value = |word: &str| {
        let (name, number) = word.rsplit_once('=')?;
        Some((number.parse().ok()?, name.into()))
    };
    Enumeration::new(name, words.filter_map(value).collect())
}

fn schema(line: &str) -> Schema {
    let mut words = line.split('\t');
    let name = StructName::new(words.next().unwrap_or_default());
    let base = words.next().filter(|base| *base != "-").map(StructName::new);
    let len = words.next().and_then(|len| len.parse().ok()).unwrap_or(0);
    let (mut slots, mut next) = (Vec::new(), 0);
    for word in words {
        let Some((head, of)) = word.split_once(':') else { continue };
        let (first, head) = head.split_once('@').map_or((None, head), |(first, head)| (Some(first), head));
        let (name, elements) = head.split_once('*').map_or((head, None), |(name, of)| (name, Some(of)));
        let first = first.and_then(|first| first.parse().ok()).unwrap_or(next);
        let elements: u16 = elements.and_then(|of| of.parse().ok()).unwrap_or(1);
        slots.push(Slot { name: name.into(), first, elements, kind: kind(of).into(), leads_to: None });
        next = first + u32::from(elements);
    }
    Schema::new(name, base, slots, len)
}

fn kind(word: &str) -> Kind {
    let Some((outer, inner)) = word.strip_suffix(')').and_then(|word| word.split_once('(')) else {
        return match word {
            "Byte" => Kind::Byte(None),
            word => Plain::from_name(word).map_or_else(|| Kind::Unknown(word.into()), Kind::Plain),
        };
    };
    match (outer, split(inner)) {
        ("Struct", _) => Kind::Struct(StructName::new(inner)),
        ("Enum", Some((name, under))) => Kind::Enum(Some(name.into()), Box::new(kind(under))),
        ("Map", Some((key, value))) => Kind::Map(Box::new(kind(key)), Box::new(kind(value))),
        ("Array", _) => Kind::Array(Box::new(kind(inner))),
        ("Set", _) => Kind::Set(Box::new(kind(inner))),
        ("Optional", _) => Kind::Optional(Box::new(kind(inner))),
        _ => Kind::Unknown(word.into()),
    }
}

/// Splits two types at the comma between them, which is in no parentheses.
fn split(inner: &str) -> Option<(&str, &str)> {
    let mut depth = 0_u32;
    let comma = inner.char_indices().find(|(_, found)| {
        match found {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *found == ',' && depth == 0
    });
    let (at, _) = comma?;
    Some((inner.get(..at)?, inner.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "releases\t5.3\t5.4\n\
        E\t3\tEColor\tRed=0\tBlue=4\n\
        S\t1\tRock\tObject\t2\tMass:Float\tNext:Object\n\
        S\t2\tRock\t-\t9\tMass:Double\t4@Parts*3:Map(Name,Array(Struct(Part)))\tColor:Enum(EColor,Byte)\n";

    #[test]
    fn each_release_has_its_own_lines() {
        assert_eq!(releases(TEXT).collect::<Vec<_>>(), ["5.3", "5.4"]);
        let (old, new) = (schemas(TEXT, 0), schemas(TEXT, 1));
        assert_eq!(old.enumeration("ecolor").unwrap().name_of(4), Some("Blue"));
        let rock = old.schema("rock").unwrap();
        let base = rock.base.as_ref().map(|base| &*base.name);
        assert_eq!((rock.len, rock.slots.len(), base), (2, 2, Some("Object")));
        let rock = new.schema("Rock").unwrap();
        assert_eq!((rock.len, rock.base.is_none()), (9, true));
        let places: Vec<_> = rock.slots.iter().map(|slot| (&*slot.name, slot.first, slot.elements)).collect();
        assert_eq!(places, [("Mass", 0, 1), ("Parts", 4, 3), ("Color", 7, 1)]);
        let Kind::Map(key, value) = &*rock.slots[1].kind else { panic!("{rock:?}") };
        assert!(matches!(**key, Kind::Plain(_)) && matches!(**value, Kind::Array(_)), "{rock:?}");
        assert!(matches!(&*rock.slots[2].kind, Kind::Enum(Some(name), _) if &**name == "EColor"));
    }
}
