//! Files that are no packages: localization files text by text, all others as wholes.

use super::Comparison;
use crate::changes::{
    ChangedPart, ItemKey, SharedChange, SharedItem, TextChanges, Verdict, judge_file, judge_texts,
};
use crate::error::{ErrorKind, Result};
use crate::localization::LocalizationResource;
use std::collections::{BTreeMap, HashSet};

/// Extension of localization files.
const TEXTS: &str = ".locres";

/// Hashes of a file by the positions of the mods that have it, and that of the game.
type Hashes = (Vec<(usize, blake3::Hash)>, Option<blake3::Hash>);

impl Comparison<'_, '_> {
    pub(super) fn files(&mut self, several: &BTreeMap<ItemKey, Vec<usize>>) -> Result<()> {
        let sides = self.sides;
        let told: HashSet<String> = self.found.told.values().flatten().cloned().collect();
        for (key, mods) in several {
            let ItemKey::File(path) = key else { continue };
            if told.contains(path) {
                continue;
            }
            let (of_mods, original) = match self.hashes(path, mods) {
                Ok(found) => found,
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => {
                    self.found.unread.push(error);
                    continue;
                }
            };
            let (verdict, to) = judge_file(&of_mods, original.as_ref());
            let object = path.rsplit('/').next().unwrap_or_default().to_owned();
            let whole =
                SharedChange { part: ChangedPart::Data, object, property: None, from: None, to, verdict };
            let is_text = path.ends_with(TEXTS) && verdict != Verdict::Same;
            let changes = if is_text { self.texts(path, mods)? } else { None };
            let TextChanges { verdict, changes, cut } =
                changes.unwrap_or_else(|| TextChanges { verdict, changes: vec![whole], cut: false });
            let winner = self.winner(mods, |side| side.files.get(path).copied());
            let shown = mods
                .first()
                .and_then(|at| sides.get(*at))
                .and_then(|side| side.files.get(path).map(|entry| side.game.at(*entry).display_path()));
            self.found.items.push(SharedItem {
                path: shown.unwrap_or_else(|| path.clone()),
                mods: mods.clone(),
                winner,
                in_game: original.is_some(),
                verdict,
                changes,
                cut,
            });
        }
        Ok(())
    }

    fn hashes(&self, path: &str, mods: &[usize]) -> Result<Hashes> {
        let sides = mods.iter().filter_map(|at| Some((*at, self.sides.get(*at)?)));
        let found = sides.map(|(at, side)| Ok((at, side.hash(path)?))).collect::<Result<Vec<_>>>()?;
        let of_mods = found.into_iter().filter_map(|(at, hash)| Some((at, hash?))).collect();
        Ok((of_mods, self.base.map_or(Ok(None), |base| base.hash(path))?))
    }

    /// Changes of a localization file; `None` if it is damaged somewhere.
    fn texts(&self, path: &str, mods: &[usize]) -> Result<Option<TextChanges>> {
        let mut of_mods = Vec::new();
        for at in mods {
            let bytes = self.sides.get(*at).map(|side| side.file(path)).transpose()?.flatten();
            let Some(Ok(resource)) = bytes.map(|bytes| LocalizationResource::parse(&bytes)) else {
                return Ok(None);
            };
            of_mods.push((*at, resource));
        }
        let of_game = self.base.map(|base| base.file(path)).transpose()?.flatten();
        Ok(match of_game.map(|bytes| LocalizationResource::parse(&bytes)).transpose() {
            Ok(of_game) => Some(judge_texts(&of_mods, of_game.as_ref())),
            Err(_) => None,
        })
    }
}
