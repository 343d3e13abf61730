//! Texts with their history.

use super::prelude::*;
use crate::property::text::HISTORIES;
use crate::property::value::Text;

describe! {
    TextValue(Box<Text>): holds(text) { Inner::Text(text) } { InnerMut::Text(text) };
    write(text, w) {
        w.u32(text.flags).bytes(&text.history.to_le_bytes());
        text.fields.write(w)?;
    }
    text(_, _) { None }
    shown(text, scope, s) { Shown { scope, value: &**text }.serialize(s) }
    tree(text, tree, tag, s) { one(s, tag, &In(tree, &**text)) }
    from_tree(reader, part, _) { from_tree(reader, part).map(|text| Value::Text(Box::new(text))) }
    assign(text, c, wish) { c.text_value(text, wish)?; }
    is_zero(_, _) { false }
    property { 5, d => d.text(), Value::Optional(None), (_, _) => false }
}

impl Serialize for In<'_, '_, '_, Text> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, text) = self;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("flags", &text.flags)?;
        map.serialize_entry("history", text.history_name())?;
        map.serialize_entry("fields", &In(tree, &text.fields))?;
        map.end()
    }
}

fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>) -> Result<Text, JsonError> {
    let history = part.member("history", |history| {
        let name = history.text()?;
        let place = HISTORIES.iter().position(|known| *known == name);
        // Histories are numbered from -1.
        let number = place.and_then(|place| i8::try_from(place).ok()).map(|place| place - 1);
        number.ok_or_else(|| history.expected("a kind of texts, such as Base"))
    })?;
    // The document decides which fields a history has; they are read as they come.
    let flags = part.member("flags", |flags| flags.number())?;
    Ok(Text { flags, history, fields: part.member("fields", |fields| reader.record(&fields))? })
}
