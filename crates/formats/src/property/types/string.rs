//! Strings: `FString`, `FUtf8String` and `FAnsiString`.

use super::prelude::*;
use crate::property::edit::{plain, string};
use crate::property::json::wire_string;
use crate::property::words::latin;
use crate::wire::WireString;

describe! {
    StrValue(Box<WireString>): leaf;
    write(text, w) { text.write(w); }
    text(text, _) { Some(text.as_str().into()) }
    key(text, _) { Some(text.as_str().into()) }
    shown(text, _, s) { text.as_str().serialize(s) }
    tree(text, tree, tag, s) { one(s, tag, &In(tree, &**text)) }
    from_tree(_, part, _) { wire_string(part).map(|text| Value::Str(Box::new(text))) }
    assign(text, _, wish) {
        // An unchanged text keeps its encoding.
        if text.as_str() != plain(wish.given, wish.at)? {
            **text = string(wish.given, wish.at)?;
        }
    }
    is_zero(text, _) { text.as_str().is_empty() }
    property {
        // Newer packages write empty strings out.
        4, d => d.string(), Value::Utf8("".into()), (_, objects) => !objects.has_bytes_of_empty_values()
    }
}

describe! {
    Utf8Value(Box<str>): leaf;
    write(text, w) { counted(w, text.as_bytes())?; }
    text(text, _) { Some((&**text).into()) }
    key(text, _) { Some((&**text).into()) }
    shown(text, _, s) { text.serialize(s) }
    tree(text, _, tag, s) { one(s, tag, text) }
    from_tree(_, part, _) { part.text().map(|text| Value::Utf8(text.into())) }
    assign(text, _, wish) { *text = plain(wish.given, wish.at)?.into(); }
    is_zero(text, _) { text.is_empty() }
    property { 4, d => d.utf8(), Value::Utf8("".into()), (_, _) => false }
}

describe! {
    AnsiValue(Box<[u8]>): leaf;
    write(bytes, w) { counted(w, bytes)?; }
    text(bytes, _) { Some(latin(bytes)) }
    key(bytes, _) { Some(latin(bytes)) }
    shown(bytes, _, s) { s.collect_str(&latin(bytes)) }
    tree(bytes, _, tag, s) { one(s, tag, &hex::encode(bytes)) }
    from_tree(_, part, _) { part.bytes().map(|bytes| Value::Ansi(bytes.into())) }
    assign(bytes, _, wish) {
        let text = plain(wish.given, wish.at)?;
        // An unchanged text keeps its bytes, which need not be ASCII.
        if latin(bytes) != text {
            if !text.is_ascii() {
                return Err(wish.refused("a text of ASCII characters"));
            }
            *bytes = text.as_bytes().into();
        }
    }
    is_zero(bytes, _) { bytes.is_empty() }
    property { 4, d => d.ansi(), Value::Utf8("".into()), (_, _) => false }
}
