//! Changes of several mods to a localization file, text by text.
//!
//! A text that a mod's file lacks is no change: mods for older builds lack all that came later.

use super::conflict::{ChangedPart, ModChange, SharedChange, Verdict, relation};
use crate::localization::{Entry, LocalizationResource, NewText};
use crate::values::{ShownValue, ValueChange};
use crate::wire::Fault;
use std::collections::{BTreeMap, HashMap};

/// Changes that are listed of a file.
const MAX_LISTED: usize = 100_000;

/// Changes of a localization file by several mods.
#[derive(Debug)]
pub(crate) struct TextChanges {
    pub verdict: Verdict,
    pub changes: Vec<SharedChange>,
    /// True if there are more than listed.
    pub cut: bool,
}

/// Texts by namespace and key.
pub(crate) type ByKey<'t> = BTreeMap<(&'t str, &'t str), &'t str>;

/// Holds the texts of a file in several mods against each other, and against those of the game.
pub(crate) fn judge_texts(
    of_mods: &[(usize, LocalizationResource)],
    original: Option<&LocalizationResource>,
) -> TextChanges {
    let game = original.map(by_key).unwrap_or_default();
    let mut rows: BTreeMap<(&str, &str), SharedChange> = BTreeMap::new();
    for (mod_at, resource) in of_mods {
        for (key, text) in by_key(resource) {
            let from = game.get(&key).copied();
            if from == Some(text) {
                continue;
            }
            let change = if from.is_some() { ValueChange::Changed } else { ValueChange::Added };
            let row = rows.entry(key).or_insert_with(|| SharedChange {
                part: ChangedPart::Text,
                object: key.0.to_owned(),
                property: Some(key.1.to_owned()),
                from: from.map(|from| ShownValue::word(from.to_owned())),
                to: Vec::new(),
                verdict: Verdict::Compatible,
            });
            let value = Some(ShownValue::word(text.to_owned()));
            row.to.push(ModChange { mod_at: *mod_at, change, value });
        }
    }
    let mut changes: Vec<SharedChange> = rows.into_values().collect();
    for row in &mut changes {
        row.verdict = relation(&row.to, of_mods.len());
    }
    let verdict = changes.iter().map(|row| row.verdict).max().unwrap_or(Verdict::Same);
    // The hardest ones first, if not all can be listed.
    let cut = changes.len() > MAX_LISTED;
    if cut {
        changes.sort_by_key(|row| std::cmp::Reverse(row.verdict));
        changes.truncate(MAX_LISTED);
    }
    TextChanges { verdict, changes, cut }
}

/// A localization file of a merged mod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MergedTexts {
    /// Its path.
    pub path: String,
    /// The mod whose file it is at first.
    pub base: usize,
    /// Texts that it takes from others.
    pub takes: Vec<TakenText>,
}

/// A text that a file takes from another mod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TakenText {
    pub mod_at: usize,
    pub namespace: String,
    pub key: String,
}

/// A file with texts of other ones.
pub(crate) fn with_texts(
    mut base: LocalizationResource,
    takes: &[TakenText],
    others: &BTreeMap<usize, LocalizationResource>,
) -> Result<Vec<u8>, Fault> {
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for (at, (namespace, entry)) in entries(&base).enumerate() {
        places.entry((namespace.to_owned(), entry.key.to_owned())).or_insert(at);
    }
    let mut of_others: HashMap<(usize, &str, &str), Entry<'_>> = HashMap::new();
    for (mod_at, resource) in others {
        for (namespace, entry) in entries(resource) {
            of_others.entry((*mod_at, namespace, entry.key)).or_insert(entry);
        }
    }
    let mut added = Vec::new();
    for TakenText { mod_at, namespace, key } in takes {
        let Some(entry) = of_others.get(&(*mod_at, namespace.as_str(), key.as_str())) else { continue };
        let text = entry.text.unwrap_or_default();
        match places.get(&(namespace.clone(), key.clone())) {
            Some(at) => base.set_text(*at, text)?,
            None => added.push(NewText { namespace, key, source_hash: entry.source_hash, text }),
        }
    }
    base.add(added)?;
    Ok(base.write())
}

/// All entries of a file, each with the name of its namespace.
fn entries(resource: &LocalizationResource) -> impl Iterator<Item = (&str, Entry<'_>)> {
    resource.namespaces().flat_map(|space| space.entries().map(move |entry| (space.name(), entry)))
}

/// The texts of a file. Of several with one key, the engine takes the first.
pub(crate) fn by_key(resource: &LocalizationResource) -> ByKey<'_> {
    let mut texts = ByKey::new();
    for (namespace, entry) in entries(resource) {
        texts.entry((namespace, entry.key)).or_insert(entry.text.unwrap_or_default());
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::LocResVersion;

    fn file(texts: &[(&str, &str)]) -> LocalizationResource {
        let mut file = LocalizationResource::new(LocResVersion::OptimizedCrc32);
        file.add(texts.iter().map(|(key, text)| NewText { namespace: "Menu", key, source_hash: 7, text }))
            .unwrap();
        file
    }

    fn found(changes: &TextChanges) -> Vec<(&str, Verdict)> {
        changes.changes.iter().map(|row| (row.property.as_deref().unwrap(), row.verdict)).collect()
    }

    #[test]
    fn texts_are_the_same_compatible_or_in_conflict() {
        let game = file(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]);
        let mods = [
            (0, file(&[("a", "2"), ("b", "2"), ("c", "1"), ("e", "new")])),
            (1, file(&[("a", "2"), ("b", "3"), ("c", "2"), ("d", "1")])),
        ];
        let changes = judge_texts(&mods, Some(&game));
        let expected = [
            ("a", Verdict::Same),
            ("b", Verdict::Conflict),
            ("c", Verdict::Compatible),
            // That the first mod lacks `d` is no change.
            ("e", Verdict::Compatible),
        ];
        assert_eq!((found(&changes), changes.verdict), (expected.to_vec(), Verdict::Conflict));
        assert!(judge_texts(&mods, None).changes.len() == 5, "without the game all texts are new");
    }

    #[test]
    fn a_merged_file_has_the_texts_of_all() {
        let base = file(&[("a", "1"), ("b", "2")]);
        let others = BTreeMap::from([(1, file(&[("b", "3"), ("c", "4")]))]);
        let take = |key: &str| TakenText { mod_at: 1, namespace: "Menu".to_owned(), key: key.to_owned() };
        let merged = with_texts(base, &[take("b"), take("c")], &others).unwrap();
        let merged = LocalizationResource::parse(&merged).unwrap();
        let texts: Vec<&str> = by_key(&merged).into_values().collect();
        assert_eq!(texts, ["1", "3", "4"]);
    }
}
