//! Localization files of ported mods: those of the new build, with the texts that the mod changes in those of the old one.

use super::Porting;
use crate::changes::{
    ChangedPart, PortReason, PortedDoubt, SharedChange, TakenText, TextChanges, Verdict, by_key, judge_texts,
    with_texts,
};
use crate::error::{Error, Result};
use crate::game::conflicts::Side;
use crate::localization::LocalizationResource;
use crate::values::ValueChange;
use std::collections::BTreeMap;

impl Porting<'_> {
    /// The content of a localization file with the texts of the mod, and doubts about these; `None` if one of its forms is
    /// damaged, if there are more changes than can be listed, or if the mod changes no text.
    pub(super) fn texts(&self, key: &str, path: &str) -> Result<Option<(Vec<u8>, Vec<PortedDoubt>)>> {
        let mut files = Vec::new();
        for game in [self.of, self.old, self.new] {
            let bytes = Side::new(game).file(key)?;
            match bytes.map(|bytes| LocalizationResource::parse(&bytes)) {
                Some(Ok(resource)) => files.push(resource),
                _ => return Ok(None),
            }
        }
        let Ok([of, old, new]) = <[LocalizationResource; 3]>::try_from(files) else { return Ok(None) };
        let sides = [(OF, of), (NEW, new)];
        let TextChanges { changes, cut, .. } = judge_texts(&sides, Some(&old));
        // What is not listed would be lost.
        if cut {
            return Ok(None);
        }
        let [(_, of), (_, new)] = sides;
        let (of_new, mut takes, mut doubts) = (by_key(&new), Vec::new(), Vec::new());
        for change in changes.iter().filter(|change| change.part == ChangedPart::Text) {
            let value = |side: usize| change.to.iter().find(|to| to.mod_at == side);
            let Some(own) = value(OF) else { continue };
            let Some(key) = change.property.clone() else { continue };
            if own.change == ValueChange::Changed && !of_new.contains_key(&(&*change.object, &*key)) {
                doubts.push(doubt(path, change, PortReason::Gone));
                continue;
            }
            if change.verdict == Verdict::Conflict {
                doubts.push(doubt(path, change, PortReason::ChangedByBoth));
            }
            takes.push(TakenText { mod_at: OF, namespace: change.object.clone(), key });
        }
        if takes.is_empty() && doubts.is_empty() {
            return Ok(None);
        }
        let malformed = |fault| Error::malformed("localization resource", path)(fault);
        let bytes = with_texts(new, &takes, &BTreeMap::from([(OF, of)])).map_err(malformed)?;
        Ok(Some((bytes, doubts)))
    }
}

/// Numbers of the mod and of the new build among the sides.
const OF: usize = 0;
const NEW: usize = 1;

fn doubt(path: &str, change: &SharedChange, reason: PortReason) -> PortedDoubt {
    let value = |side: usize| change.to.iter().find(|to| to.mod_at == side).and_then(|to| to.value.clone());
    let (path, place) = (path.to_owned(), change.place());
    PortedDoubt { path, place, reason, value: value(OF), new_value: value(NEW), maybe_renamed: None }
}
