//! Scripts spelled out by hand from the sheet, and damaged ones.

use super::dialect::tests::of;
use super::{Dialect, Expression, Operand, Script, TableSizes, Token};
use crate::wire::FaultKind;

const SIZES: TableSizes = TableSizes { names: 16, imports: 4, exports: 4 };

fn parse(bytes: &[u8], memory_len: u32, release: &str) -> Script {
    let script = Script::parse(bytes, memory_len, &of(release), &SIZES);
    assert_eq!(script.to_bytes(), bytes, "nothing is lost");
    script
}

/// A script of one statement, with the tokens that end it.
fn one(bytes: &[u8], memory_len: u32, release: &str) -> Expression {
    let whole = [bytes, &[0x04, 0x0B, 0x53]].concat();
    let script = parse(&whole, memory_len + 3, release);
    assert_eq!(script.damage, None, "{bytes:02x?}");
    assert_eq!(script.statements.len(), 3);
    assert_eq!(script.statements[1].at, memory_len);
    assert_eq!(script.statements[0].memory_len(), memory_len);
    script.statements.into_iter().next().unwrap()
}

#[test]
fn the_smallest_stub_of_an_event() {
    let bytes = [0x46, 3, 0, 0, 0, 0x1D, 0x69, 0, 0, 0, 0x16, 0x04, 0x0B, 0x53];
    let script = parse(&bytes, 18, "5.5");
    assert!(script.is_complete());
    let places: Vec<(u32, Token)> = script.statements.iter().map(|e| (e.at, e.token)).collect();
    assert_eq!(places, [(0, Token::LocalFinalFunction), (15, Token::Return), (17, Token::EndOfScript)]);
    assert_eq!(script.statements[0].items()[0].operands, [Operand::I32(105)]);
    assert_eq!(script.token_count(), 6);
}

#[test]
fn properties_are_objects_before_4_25_and_paths_since() {
    // LocalVariable with a path of one name and its owner: 18 bytes stored, 10 in memory with the jump around
    // it.
    let path = [0x4E, 0x00, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0];
    let jump = one(&path, 10, "4.26");
    assert_eq!(jump.child(0).unwrap().token, Token::LocalVariable);
    let object = [0x4E, 0x00, 0xFE, 0xFF, 0xFF, 0xFF];
    let jump = one(&object, 10, "4.24");
    assert_eq!(jump.child(0).unwrap().object().unwrap().0, -2);
}

#[test]
fn let_has_a_property_in_front_since_4_9_and_contexts_lose_a_byte() {
    let value = [0x00, 1, 0, 0, 0, 0x1D, 7, 0, 0, 0];
    assert_eq!(one(&[&[0x0F], &value[..]].concat(), 1 + 9 + 5, "4.8").operands.len(), 2);
    assert_eq!(one(&[&[0x0F, 1, 0, 0, 0], &value[..]].concat(), 9 + 9 + 5, "4.9").operands.len(), 3);
    let (object, inner) = ([0x19, 0x17], [0x1B, 2, 0, 0, 0, 0, 0, 0, 0, 0x16]);
    let pointer = [14, 0, 0, 0, 0, 0, 0, 0];
    let new = one(&[&object[..], &pointer, &inner].concat(), 13 + 1 + 14, "4.9");
    let old = one(&[&object[..], &pointer, &[0], &inner].concat(), 14 + 1 + 14, "4.8");
    assert_eq!((new.operands.len(), old.operands.len()), (4, 5));
}

#[test]
fn texts_say_their_kind_since_4_12_and_number_it_anew_in_5_8() {
    let strings = [0x1F, b'a', 0, 0x1F, b'b', 0, 0x1F, 0];
    assert_eq!(one(&[&[0x29], &strings[..]].concat(), 9, "4.11").operands.len(), 3);
    assert_eq!(one(&[&[0x29, 1], &strings[..]].concat(), 10, "4.12").operands.len(), 4);
    assert_eq!(one(&[0x29, 2, 0x1F, b'a', 0], 5, "5.7").operands.len(), 2);
    let notes = [&[0x29, 2], &strings[..], &[0x1F, 0]].concat();
    assert_eq!(one(&notes, 12, "5.8").operands.len(), 5);
    let table = [0x29, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0, 0x1F, 0];
    assert_eq!(one(&table, 2 + 8 + 4, "5.7").operands.len(), 4);
}

#[test]
fn vectors_have_double_precision_since_5_0() {
    assert_eq!(one(&[&[0x23], &[0; 12][..]].concat(), 13, "4.27").operands.len(), 3);
    assert_eq!(one(&[&[0x23], &[0; 24][..]].concat(), 25, "5.0").operands.len(), 3);
    assert_eq!(one(&[&[0x41], &[0; 12][..]].concat(), 13, "5.0").operands.len(), 3);
}

#[test]
fn a_choice_between_values_names_the_places_of_its_cases() {
    let bytes = [
        0x69, 2, 0, 22, 0, 0, 0, 0x27, // two cases, the end, and the index
        0x28, 13, 0, 0, 0, 0x0B, // first case, place of the next one, result
        0x27, 19, 0, 0, 0, 0x0B, // second case
        0x2A, // default
    ];
    let choice = one(&bytes, 7 + 1 + 12 + 1, "4.27");
    let Operand::Cases(cases) = &choice.operands[3] else { panic!("{choice:?}") };
    assert_eq!(cases.iter().map(|case| case.next).collect::<Vec<_>>(), [13, 19]);
    assert_eq!(choice.children().map(|e| e.at).collect::<Vec<_>>(), [7, 8, 13, 14, 19, 20]);
}

#[test]
fn every_token_takes_the_memory_that_the_sheet_says() {
    let null = [0_u8; 8];
    let e = [0x0B];
    let with = |token: u8, parts: &[&[u8]]| [&[token], &parts.concat()[..]].concat();
    let cases: [(Vec<u8>, u32); 21] = [
        (with(0x09, &[&[1, 0, 0], &e]), 5),
        (with(0x0C, &[&[1, 0, 0, 0]]), 5),
        (with(0x11, &[&null, &[1]]), 10),
        (with(0x13, &[&[1, 0, 0, 0], &e]), 10),
        (with(0x18, &[&[1, 0, 0, 0], &e]), 6),
        (with(0x22, &[&[0; 24]]), 25),
        (with(0x2B, &[&[0; 80]]), 81),
        (with(0x2F, &[&[1, 0, 0, 0], &[8, 0, 0, 0], &[0x30]]), 14),
        (with(0x34, &[&[b'a', 0, b'b', 0, 0, 0]]), 7),
        (with(0x35, &[&[0; 8]]), 9),
        (with(0x3D, &[&null, &[0; 4], &[0x3E]]), 14),
        (with(0x3F, &[&null, &null, &[0; 4], &[0x40]]), 22),
        (with(0x42, &[&null, &e]), 10),
        (with(0x4B, &[&[0; 8]]), 13),
        (with(0x5B, &[&[0; 4]]), 5),
        (with(0x61, &[&[0; 8], &e, &e]), 15),
        (with(0x63, &[&[0; 4], &e, &[0x16]]), 11),
        (with(0x64, &[&null, &e]), 10),
        (with(0x6A, &[&[4], &[0; 8]]), 14),
        (with(0x6A, &[&[3]]), 2),
        (with(0x70, &[&[0; 4], &[0; 4], &[0x71, 0, 0, 0, 0, 0]]), 15),
    ];
    for (bytes, memory_len) in cases {
        one(&bytes, memory_len, "5.4");
    }
}

#[test]
fn damage_says_where_it_is_and_keeps_the_rest() {
    let script = parse(&[0x0B, 0x0B, 0x03, 0x53], 4, "5.4");
    let damage = script.damage.unwrap();
    assert_eq!((script.statements.len(), &*script.rest, damage.at), (2, &[0x03, 0x53][..], 2));
    assert_eq!(damage.to_string(), "token: found 3, which is not supported, offset 0x2, statement 0002");
    // A damaged operand: the statement is kept as bytes from its start on.
    let script = parse(&[0x0B, 0x20, 9, 0, 0, 0, 0x53], 4, "5.4");
    assert_eq!(script.damage.unwrap().fault.kind, FaultKind::OutOfRange { index: 8, count: 4 });
    assert_eq!(script.rest.len(), 6);
    let no_end = parse(&[0x04, 0x0B], 2, "5.4").damage.unwrap();
    assert_eq!(no_end.fault.field, "last token of a script");
    // Tools that hook a function put statements after its end.
    assert!(parse(&[0x04, 0x0B, 0x53, 0x06, 0, 0, 0, 0], 8, "5.4").is_complete());
    let other_size = parse(&[0x04, 0x0B, 0x53], 4, "5.4").damage.unwrap();
    assert_eq!(other_size.fault.kind, FaultKind::Unexpected { found: 4, expected: 3 });
    assert!(parse(&[], 0, "5.4").is_complete(), "autosaves have functions without scripts");
}

#[test]
fn depth_and_counts_are_bounded() {
    // Nested casts.
    let deep = [0x38, 0x00].repeat(100_000);
    let fault = Script::parse(&deep, 0, &of("5.4"), &SIZES).damage.unwrap().fault;
    assert_eq!(fault.field, "depth of an expression");
    let many = vec![0x0B; 1 << 20];
    let fault = Script::parse(&many, 1 << 20, &of("5.4"), &SIZES).damage.unwrap().fault;
    assert_eq!(fault.field, "tokens of a script");
    let path = [0x00, 0xFF, 0xFF, 0xFF, 0x7F];
    let fault = Script::parse(&path, 0, &of("5.4"), &SIZES).damage.unwrap().fault;
    assert!(matches!(fault.kind, FaultKind::Truncated { .. }), "{fault}");
}

#[test]
fn every_change_of_a_byte_gives_a_script_or_damage() {
    let bytes = [
        0x69, 1, 0, 22, 0, 0, 0, 0x27, 0x28, 13, 0, 0, 0, 0x0B, 0x2A, 0x29, 1, 0x1F, b'a', 0, 0x1F, 0, 0x1F,
        0, 0x00, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x04, 0x0B, 0x53,
    ];
    let dialects: [Dialect; 3] = [of("4.8"), of("4.27"), of("5.8")];
    for dialect in &dialects {
        for len in 0..=bytes.len() {
            let script = Script::parse(&bytes[..len], 30, dialect, &SIZES);
            assert_eq!(script.to_bytes(), &bytes[..len]);
        }
        for place in 0..bytes.len() {
            for value in 0..=255 {
                let mut changed = bytes;
                changed[place] = value;
                let script = Script::parse(&changed, 30, dialect, &SIZES);
                assert_eq!(script.to_bytes(), changed);
            }
        }
    }
}
