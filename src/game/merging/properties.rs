//! Properties of which a merged package has elements and keys of several mods.

use super::{MergeError, Merging, objects_of, property_json};
use crate::changes::{
    JoinedProperty, MergePlan, MergedPackage, TakenValue, Unmerged, UnmergedReason, joined,
};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A property: path of its object, and its name.
type Place = (String, String);

impl Merging<'_> {
    /// Joins the properties to which mods add something while others change them, too: the package takes them as wholes. Those
    /// that cannot be joined are told.
    pub(super) fn join_properties(&self, plan: &mut MergePlan) -> Result<(), MergeError> {
        let game = self.game.without_mods(self.mods);
        for package in plan.packages.iter_mut().filter(|package| !package.joins.is_empty()) {
            let of_game = objects_of(&game, &package.path, &self.options.values)?;
            let of_base = self.objects(package.base, &package.path)?;
            let mut all: BTreeMap<Place, Option<Json>> = BTreeMap::new();
            let mut places = Vec::new();
            for JoinedProperty { mod_at, object, property } in std::mem::take(&mut package.joins) {
                let of_mod = self.objects(mod_at, &package.path)?;
                let [game, other] =
                    [&of_game, &of_mod].map(|objects| property_json(objects, &object, &property));
                let place = (object, property);
                let own = all.get(&place).cloned();
                let own = own.unwrap_or_else(|| property_json(&of_base, &place.0, &place.1).cloned());
                match joined(game, own.as_ref(), other) {
                    Ok(both) => {
                        all.insert(place, both);
                    }
                    Err(_) => places.push(format!("{}.{}", place.0, place.1)),
                }
            }
            if !places.is_empty() {
                let (path, reason) = (package.path.clone(), UnmergedReason::SameProperty);
                plan.unmerged.push(Unmerged { path, reason, places });
            }
            take(package, all);
        }
        Ok(())
    }
}

/// Takes joined properties, before single values of them.
fn take(package: &mut MergedPackage, all: BTreeMap<Place, Option<Json>>) {
    let taken = all.into_iter().filter_map(|((object, property), value)| {
        let values = Some(vec![(property.clone(), value?.to_string())]);
        Some(TakenValue { mod_at: package.base, object, property, is_whole: false, values })
    });
    package.takes.splice(0..0, taken.collect::<Vec<_>>());
}
