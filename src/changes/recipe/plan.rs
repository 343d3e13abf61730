//! A plan of a recipe: which of its changes are for which package.

use super::model::{Recipe, RecipeChange, RecipePlace};
use super::problem::{RecipeError, RecipeProblem};
use crate::values::edit::{AddressPattern, Condition, RuleSet, ValueRule};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Changes of values, by the packages that they are for.
#[derive(Debug)]
pub(crate) struct RecipePlan {
    sets: Vec<Arc<RuleSet>>,
    /// Positions of sets by names of packages, in lower case.
    named: HashMap<String, Vec<usize>>,
    /// Patterns for names in lower case, in parts: one of all would take memory by the square of their number.
    patterns: Vec<Patterns>,
}

/// Some patterns, and the position of a set for each.
#[derive(Debug)]
struct Patterns {
    globs: GlobSet,
    sets: Vec<usize>,
}

/// Patterns that are looked for at once.
const AT_ONCE: usize = 256;

/// Characters that make a name a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

impl RecipePlan {
    /// The plan of a recipe, whose changes are numbered by their positions.
    pub(crate) fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        let mut groups: HashMap<BTreeSet<String>, Vec<ValueRule>> = HashMap::new();
        for (number, change) in recipe.changes.iter().enumerate() {
            let packages: BTreeSet<String> = change.packages.iter().map(|name| name.to_lowercase()).collect();
            let rule = change.rule(number).map_err(|problem| change.place.error(problem))?;
            groups.entry(packages).or_default().push(rule);
        }
        let (mut sets, mut named) = (Vec::new(), HashMap::<String, Vec<usize>>::new());
        let mut patterns = Vec::new();
        for (packages, rules) in groups {
            let first = rules.first().and_then(|rule| recipe.changes.get(rule.number));
            let place = first.map(|change| change.place.clone()).unwrap_or_default();
            for package in packages {
                if package.contains(WILD) {
                    let glob = Glob::new(&package);
                    let glob = glob.map_err(|error| place.error(RecipeProblem::Syntax(error.to_string())))?;
                    patterns.push((glob, sets.len()));
                } else {
                    named.entry(package).or_default().push(sets.len());
                }
            }
            sets.push(Arc::new(RuleSet::new(rules)));
        }
        let patterns = patterns.chunks(AT_ONCE).map(Patterns::new).collect::<Result<_, _>>();
        let patterns = patterns.map_err(|error: globset::Error| {
            RecipePlace::default()
                .error(RecipeProblem::Syntax(format!("too many patterns of packages: {error}")))
        })?;
        Ok(Self { sets, named, patterns })
    }

    /// The rules for a package of this name.
    pub(crate) fn rules_for(&self, package: &str) -> Vec<Arc<RuleSet>> {
        let package = package.to_lowercase();
        let by_pattern = self.patterns.iter().flat_map(|part| part.sets_for(&package));
        let by_name = self.named.get(&package).into_iter().flatten();
        // A package may fit several patterns of one set.
        let sets: BTreeSet<usize> = by_name.copied().chain(by_pattern).collect();
        sets.iter().filter_map(|at| self.sets.get(*at).cloned()).collect()
    }
}

impl Patterns {
    fn new(patterns: &[(Glob, usize)]) -> Result<Self, globset::Error> {
        let mut globs = GlobSetBuilder::new();
        for (glob, _) in patterns {
            globs.add(glob.clone());
        }
        Ok(Self { globs: globs.build()?, sets: patterns.iter().map(|(_, set)| *set).collect() })
    }

    /// The positions of sets for a name.
    fn sets_for(&self, name: &str) -> impl Iterator<Item = usize> {
        self.globs.matches(name).into_iter().filter_map(|at| self.sets.get(at).copied())
    }
}

impl RecipeChange {
    /// True if it names its packages, so that each of them has to be there.
    pub(crate) fn names_packages(&self) -> bool {
        self.packages.iter().all(|name| !name.contains(WILD))
    }

    /// Makes sure that the address and the conditions are such.
    pub fn check(&self) -> Result<(), RecipeProblem> {
        self.rule(0).map(drop)
    }

    fn rule(&self, number: usize) -> Result<ValueRule, RecipeProblem> {
        let condition = |(path, texts): &(String, Vec<String>)| Condition::new(path, texts);
        Ok(ValueRule {
            number,
            at: AddressPattern::new(&self.property)?,
            class: self.class.clone(),
            conditions: self.conditions.iter().map(condition).collect::<Result<_, _>>()?,
            from: self.from.clone(),
            change: self.change.clone(),
            is_needed: !self.is_optional && self.names_packages(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::edit::RuleChange;

    fn change(packages: &[&str]) -> RecipeChange {
        RecipeChange {
            place: RecipePlace::default(),
            packages: packages.iter().map(|name| (*name).to_owned()).collect(),
            property: "*.Damage".to_owned(),
            class: None,
            conditions: Vec::new(),
            from: None,
            change: RuleChange::Add(1.0),
            is_optional: false,
        }
    }

    #[test]
    fn packages_are_named_or_fit_patterns() {
        let changes =
            [&["/Game/Sword"][..], &["/Game/*"], &["*/sw*", "/game/*"], &["/Game/sword"]].map(change);
        let recipe = Recipe { changes: changes.to_vec(), ..Recipe::default() };
        let plan = RecipePlan::new(&recipe).unwrap();
        let count = |name: &str| plan.rules_for(name).len();
        // The first and the last change are of one set, and the third one fits twice, but counts once.
        assert_eq!(
            (count("/Game/SWORD"), count("/Game/A/B"), count("/Engine/Swan"), count("/Other")),
            (3, 2, 1, 0)
        );
        assert!(recipe.changes[0].names_packages() && !recipe.changes[2].names_packages());
    }
}
