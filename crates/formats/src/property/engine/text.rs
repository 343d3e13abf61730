//! Lines of the built-in schemas.

use crate::property::kind::{Kind, Plain, StructName};
use crate::property::schema::{Enumeration, Schema, Slot};
use std::sync::{Arc, OnceLock};

/// The text, with the places of its lines.
#[derive(Debug)]
pub(super) struct Text {
    text: String,
    pub(super) enums: Vec<Line<Enumeration>>,
    pub(super) structs: Vec<Line<Schema>>,
}

/// A line of the text, which is parsed on first use.
#[derive(Debug)]
pub(super) struct Line<T> {
    /// Offset of its releases.
    at: u32,
    value: OnceLock<Arc<T>>,
}

/// Something that a line describes.
pub(super) trait Parse {
    /// Parses a line from its name on.
    fn parse(line: &str) -> Self;
}

impl Text {
    /// Finds the lines of a text. Those of an unknown form are left out.
    pub(super) fn new(text: String) -> Self {
        let (mut enums, mut structs, mut start) = (Vec::new(), Vec::new(), 0);
        for line in text.split_inclusive('\n') {
            // Behind the letter and a tab.
            let at = u32::try_from(start + 2).unwrap_or(u32::MAX);
            if line.starts_with("E\t") {
                enums.push(Line { at, value: OnceLock::new() });
            } else if line.starts_with("S\t") {
                structs.push(Line { at, value: OnceLock::new() });
            }
            start += line.len();
        }
        Self { text, enums, structs }
    }

    /// Names of the releases, by place.
    pub(super) fn releases(&self) -> impl Iterator<Item = &str> {
        self.text.lines().next().unwrap_or_default().split('\t').skip(1)
    }

    /// The releases of a line, and the rest of it.
    fn parts<T>(&self, line: &Line<T>) -> (u32, &str) {
        let start = self.text.get(line.at as usize..).unwrap_or_default();
        let line = start.split('\n').next().unwrap_or_default();
        let (mask, rest) = line.split_once('\t').unwrap_or_default();
        (u32::from_str_radix(mask, 16).unwrap_or(0), rest)
    }

    /// The structs and classes with a name that `is_wanted`, each with the mask of its releases: one name has several lines
    /// if releases differ in it.
    pub(super) fn structs_called<'t>(
        &'t self,
        is_wanted: impl Fn(&str) -> bool + 't,
    ) -> impl Iterator<Item = (u32, &'t Arc<Schema>)> {
        self.structs.iter().filter_map(move |line| {
            let (mask, rest) = self.parts(line);
            let name = rest.split('\t').next().unwrap_or_default();
            is_wanted(name).then(|| (mask, line.value.get_or_init(|| Arc::new(Schema::parse(rest)))))
        })
    }

    /// True if a line is of the release at a place.
    pub(super) fn has<T>(&self, line: &Line<T>, place: usize) -> bool {
        self.parts(line).0 >> place & 1 == 1
    }

    /// The line of a name, in any letter case, that is of the release at a place.
    pub(super) fn find<'t, T: Parse>(
        &self,
        lines: &'t [Line<T>],
        name: &str,
        place: usize,
    ) -> Option<(usize, &'t Arc<T>)> {
        let of = |line: &Line<T>| self.parts(line).1.split('\t').next().unwrap_or_default();
        let wanted = || name.chars().flat_map(char::to_lowercase);
        let is_before = |line: &Line<T>| of(line).chars().flat_map(char::to_lowercase).lt(wanted());
        let first = lines.partition_point(is_before);
        let alike = (first..).zip(lines.get(first..)?);
        let mut alike =
            alike.take_while(|(_, line)| of(line).chars().flat_map(char::to_lowercase).eq(wanted()));
        let (at, line) = alike.find(|(_, line)| self.has(line, place))?;
        Some((at, line.value.get_or_init(|| Arc::new(T::parse(self.parts(line).1)))))
    }
}

impl Parse for Enumeration {
    fn parse(line: &str) -> Self {
        enumeration(line)
    }
}

impl Parse for Schema {
    fn parse(line: &str) -> Self {
        schema(line)
    }
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
        S\t3\tpebble\t-\t0\n\
        S\t1\tRock\tObject\t2\tMass:Float\tNext:Object\n\
        S\t2\tRock\t-\t9\tMass:Double\t4@Parts*3:Map(Name,Array(Struct(Part)))\tColor:Enum(EColor,Byte)\n\
        S\t2\tSand\t-\t0\n";

    #[test]
    fn each_release_has_its_own_lines() {
        let text = Text::new(TEXT.to_owned());
        assert_eq!(text.releases().collect::<Vec<_>>(), ["5.3", "5.4"]);
        let (_, color) = text.find(&text.enums, "ecolor", 0).unwrap();
        assert_eq!(color.name_of(4), Some("Blue"));
        assert!(
            text.find(&text.structs, "Roc", 0).is_none() && text.find(&text.structs, "Rocks", 0).is_none()
        );
        assert!(text.find(&text.structs, "Sand", 0).is_none(), "that is of the other release");
        let (at, rock) = text.find(&text.structs, "rock", 0).unwrap();
        assert_eq!(at, 1);
        let base = rock.base.as_ref().map(|base| &*base.name);
        assert_eq!((rock.len, rock.slots.len(), base), (2, 2, Some("Object")));
        let (_, rock) = text.find(&text.structs, "Rock", 1).unwrap();
        assert_eq!((rock.len, rock.base.is_none()), (9, true));
        let places: Vec<_> = rock.slots.iter().map(|slot| (&*slot.name, slot.first, slot.elements)).collect();
        assert_eq!(places, [("Mass", 0, 1), ("Parts", 4, 3), ("Color", 7, 1)]);
        let Kind::Map(key, value) = &*rock.slots[1].kind else { panic!("{rock:?}") };
        assert!(matches!(**key, Kind::Plain(_)) && matches!(**value, Kind::Array(_)), "{rock:?}");
        assert!(matches!(&*rock.slots[2].kind, Kind::Enum(Some(name), _) if &**name == "EColor"));
    }
}
