use super::*;
use crate::values::ShownValue;

fn change(property: &str, to: &[(usize, &str)], verdict: Verdict) -> SharedChange {
    let to = to.iter().map(|(mod_at, text)| ModChange {
        mod_at: *mod_at,
        change: ValueChange::Changed,
        value: Some(ShownValue::word((*text).to_owned())),
    });
    SharedChange {
        part: ChangedPart::Value,
        object: "Sword".to_owned(),
        property: Some(property.to_owned()),
        from: None,
        to: to.collect(),
        verdict,
    }
}

fn item(changes: Vec<SharedChange>) -> SharedItem {
    let verdict = changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Same);
    let path = "/Game/Sword".to_owned();
    SharedItem { path, mods: vec![0, 1], winner: 1, in_game: true, verdict, changes, cut: false }
}

#[test]
fn what_the_others_change_is_taken_as_whole_properties() {
    let changes = vec![
        change("Damage", &[(1, "15")], Verdict::Compatible),
        change("Levels[2].Range", &[(0, "4")], Verdict::Compatible),
        change("Cost", &[(0, "2"), (1, "2")], Verdict::Same),
    ];
    let MergePlan { packages, unmerged, .. } = plan(&[item(changes)], &[0, 1], None);
    assert_eq!(unmerged, []);
    let taken = &packages[0].takes;
    assert_eq!((packages[0].base, taken.len()), (1, 1));
    assert_eq!((&*taken[0].property, taken[0].is_whole), ("Levels", true));
    assert_eq!(packages[0].expected.len(), 3);
}

#[test]
fn values_of_a_property_that_both_change_are_set_one_by_one() {
    let changes = vec![
        change("Levels[0].Range", &[(1, "9")], Verdict::Compatible),
        change("Levels[2].Range", &[(0, "4")], Verdict::Compatible),
    ];
    let MergePlan { packages, unmerged, .. } = plan(&[item(changes.clone())], &[0, 1], None);
    assert_eq!(unmerged, []);
    assert_eq!(
        packages[0].takes[0].values.as_deref(),
        Some(&[("Levels[2].Range".to_owned(), "4".to_owned())][..])
    );
    // A list that one of them makes longer is joined.
    let mut longer = changes;
    longer[1].to[0].change = ValueChange::Added;
    let MergePlan { packages, unmerged, .. } = plan(&[item(longer)], &[0, 1], None);
    assert_eq!((unmerged.len(), packages[0].takes.len()), (0, 0));
    let [join] = &packages[0].joins[..] else { panic!("{packages:?}") };
    assert_eq!((join.mod_at, &*join.property), (0, "Levels"));
}

#[test]
fn conflicts_are_refused_unless_a_mod_is_preferred() {
    let conflict = || vec![change("Damage", &[(0, "1"), (1, "2")], Verdict::Conflict)];
    let MergePlan { unmerged, .. } = plan(&[item(conflict())], &[0, 1], None);
    assert_eq!((unmerged[0].reason, &*unmerged[0].places[0]), (UnmergedReason::Conflict, "Sword.Damage"));
    assert_eq!(plan(&[item(conflict())], &[1, 0], Some(0)), MergePlan::default());
}

#[test]
fn a_package_is_taken_from_the_mod_that_changes_more_than_values() {
    let data = SharedChange {
        part: ChangedPart::Data,
        property: None,
        ..change("", &[(0, "pixels")], Verdict::Compatible)
    };
    let changes = vec![data, change("Damage", &[(1, "15")], Verdict::Compatible)];
    let found = plan(&[item(changes.clone())], &[0, 1], None);
    assert_eq!((found.unmerged.len(), found.packages[0].base, found.packages[0].takes.len()), (0, 0, 1));
    assert_eq!(found.moved, [("/game/sword".to_owned(), 0)]);
    // Functions come along, other data does not.
    let with = |part| {
        let mut both = changes.clone();
        both[1] = SharedChange { part, property: None, ..both[1].clone() };
        plan(&[item(both)], &[0, 1], None)
    };
    let found = with(ChangedPart::Function);
    assert_eq!((found.unmerged.len(), found.packages[0].base), (0, 0));
    assert_eq!(found.packages[0].functions, [(1, "Sword".to_owned())]);
    assert_eq!(with(ChangedPart::Data).unmerged[0].reason, UnmergedReason::NotValues);
}

#[test]
fn the_first_step_is_the_property() {
    for (address, first) in [
        ("A", "A"),
        ("A.B", "A"),
        ("A[2].B", "A"),
        ("\"A.B\"[1].C", "\"A.B\""),
        ("\"A", "\"A"),
        ("Rows[Sword].Damage[1]", "Rows[Sword]"),
        ("Rows[\"a]b\"].C", "Rows[\"a]b\"]"),
        ("Rows[A", "Rows[A"),
    ] {
        assert_eq!(first_step(address), first, "{address}");
    }
}
