use super::*;
use crate::package::legacy::Name;

#[test]
fn addresses_are_taken_apart() {
    let name = |text: &str| Step::Name(text.to_owned());
    let key = |text: &str| Step::Key(text.to_owned());
    for (text, export, steps) in [
        ("Sword.Damage", "Sword", vec![name("Damage")]),
        ("#3.Stats[2].Max Health", "#3", vec![name("Stats"), key("2"), name("Max Health")]),
        ("DT_Items[a.b].X", "DT_Items", vec![key("a.b"), name("X")]),
        (r#""My.Export"."odd [name]"["k]"]"#, "My.Export", vec![name("odd [name]"), key("k]")]),
        ("Größe.Wert", "Größe", vec![name("Wert")]),
    ] {
        let address: Address = text.parse().unwrap();
        assert_eq!((address.export.to_string().as_str(), &address.steps), (export, &steps), "{text}");
    }
    for (text, expected) in [
        ("", ": expected the name of an export at column 1"),
        ("A.", "A.: expected a name at column 3"),
        ("A.B[1", "A.B[1: expected ] at column 6"),
        ("A.B[]", "A.B[]: expected an index or a key at column 5"),
        ("A.B[1]C", "A.B[1]C: expected a dot, a bracket or the end at column 8"),
        (r#"A."B"#, r#"A."B: expected a closing quotation mark at column 3"#),
    ] {
        assert_eq!(text.parse::<Address>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn names_are_found_before_they_are_added() {
    let mut names = Names::new(["None", "Rock", "Rock_4", "rock"], usize::MAX);
    let name = |index, number| Name { index, number };
    assert_eq!(names.find_or_add("Rock_4"), name(2, 0), "as a whole");
    assert_eq!(names.find_or_add("Rock_5"), name(1, 6));
    assert_eq!(names.find_or_add("ROCK"), name(1, 0), "in any letter case");
    assert_eq!(names.find_or_add("rock"), name(3, 0));
    assert_eq!((names.used(), names.added().len()), (4, 0));
    assert_eq!(names.find_or_add("Stone_0"), name(4, 1));
    assert_eq!(names.find_or_add("stone"), name(4, 0));
    assert_eq!((names.used(), names.added()), (5, &["Stone".to_owned()][..]));
    assert_eq!(names.added_text(name(4, 1)), Some("Stone"));
    assert_eq!(names.added_text(name(3, 0)), None);
    let mut names = Names::new(["None", "Rock", "/Game/Rock"], 1);
    assert_eq!(names.find_or_add("Rock"), name(3, 0), "the one that is there is not for values");
}
