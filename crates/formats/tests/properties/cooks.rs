//! The fixtures were cooked twice, with tags and without: both say the same.

use crate::expected::is_same;
use crate::sets::{Others, all, corpus, say};
use serde_json::Value;
use std::collections::BTreeMap;
use uncask_formats::property::json::FModel;

#[test]
fn both_cooks_hold_the_same_values() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let [documents_of_tagged, documents] = [0, 1].map(|at| {
        let (set, others) = (&sets[at], Others::new(&sets[at]));
        let document = |file: &crate::sets::File| {
            let loaded = set.load(file);
            (file.path.clone(), serde_json::to_value(FModel::new(&loaded.scope(&others))).unwrap())
        };
        set.files.iter().map(document).collect::<BTreeMap<String, Value>>()
    });
    assert_eq!(documents.len(), 97);
    let (mut equal, mut different) = (0, Vec::new());
    for (path, tagged) in &documents_of_tagged {
        let pairs = tagged.as_array().unwrap().iter().zip(documents[path].as_array().unwrap());
        for (tagged, other) in pairs {
            let list = |export: &Value| {
                export.get("Properties").and_then(Value::as_object).cloned().unwrap_or_default()
            };
            let (tagged_list, other_list) = (list(tagged), list(other));
            for (name, value) in &tagged_list {
                let found = other_list.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
                match found {
                    Some((_, found)) if is_same(value, found) || is_same(found, value) => equal += 1,
                    Some((_, found)) => {
                        different
                            .push(format!("{path} {}.{name}: {value:.80} / {found:.80}", tagged["Name"]));
                    }
                    // The other cook leaves out what is as its class has it.
                    None => {}
                }
            }
        }
    }
    say(&format!("{equal} properties are equal, {} are not", different.len()));
    different.iter().for_each(|line| say(&format!("    {line}")));
    assert!(equal >= 1_700, "{equal}");
    assert!(different.len() <= 3, "{different:#?}");
}
