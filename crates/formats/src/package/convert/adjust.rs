//! Which of the likely classes add up to the cooker's header.
//!
//! Every class that an import has puts its name and that of its package into the name table, once. So the length of the
//! header tells wrong guesses apart: other classes are tried, for one import and for all that were guessed alike. More would fit any length.

use super::classes::Class;
use super::imports::Imports;
use super::likely::Guess;
use super::names::{Names, stored_len};
use crate::package::name_map::split_number;
use crate::package::zen::Header;
use foldhash::{HashMap, HashSet};
use std::sync::Arc;

/// Classes that are looked at for one package, over all combinations.
const MAX_WORK: usize = 1 << 18;

/// Takes other classes for a few guesses, so that the name table changes by one of these numbers of bytes; tells whether
/// there are such classes.
pub(super) fn adjust(imports: &mut Imports, header: &Header, wanted: &[i64]) -> bool {
    let known = Names::certain(header, imports);
    let guesses = std::mem::take(&mut imports.guesses);
    let mut tries = Tries { guesses: &guesses, chosen: vec![0; guesses.len()], known, left: MAX_WORK };
    let wanted: Vec<i64> = wanted.iter().map(|bytes| bytes.saturating_add(tries.len())).collect();
    let found = tries.find(&wanted);
    let chosen = std::mem::take(&mut tries.chosen);
    for (guess, chosen) in guesses.iter().zip(chosen).filter(|_| found) {
        let (row, class) = (imports.rows.get_mut(guess.at), guess.classes.get(chosen));
        if let (Some(row), Some((package, name))) = (row, class) {
            (row.class_package, row.class_name) = (Arc::clone(package), Arc::clone(name));
        }
    }
    imports.guesses = guesses;
    found
}

/// Combinations of classes.
struct Tries<'a> {
    guesses: &'a [Guess],
    /// For each guess, which of its classes.
    chosen: Vec<usize>,
    /// Names in lower case that the table has anyway.
    known: HashSet<String>,
    left: usize,
}

impl Tries<'_> {
    /// Bytes of the names that the chosen classes bring into the table.
    fn len(&self) -> i64 {
        let mut added = HashSet::default();
        let chosen = self.guesses.iter().zip(&self.chosen);
        for (package, name) in chosen.filter_map(|(guess, chosen)| guess.classes.get(*chosen)) {
            added.extend([package, name].map(|text| split_number(text).0.to_ascii_lowercase()));
        }
        let lens = added.difference(&self.known).map(|text| stored_len(text));
        lens.fold(0, i64::saturating_add)
    }

    /// Tries combinations, the simplest first.
    fn find(&mut self, wanted: &[i64]) -> bool {
        let mut alike: HashMap<&Class, Vec<usize>> = HashMap::default();
        for (at, guess) in self.guesses.iter().enumerate() {
            guess.best().into_iter().for_each(|class| alike.entry(class).or_default().push(at));
        }
        let mut alike: Vec<Vec<usize>> = alike.into_values().filter(|places| places.len() > 1).collect();
        alike.sort_unstable();
        (0..self.guesses.len()).any(|at| self.vary(&[at], wanted))
            || alike.iter().any(|places| self.vary(places, wanted))
    }

    /// Gives some guesses the same other class.
    fn vary(&mut self, places: &[usize], wanted: &[i64]) -> bool {
        let Some(first) = places.first().and_then(|at| self.guesses.get(*at)) else { return false };
        for class in first.classes.iter().skip(1) {
            let choice = |at: &usize| {
                self.guesses.get(*at).and_then(|guess| guess.classes.iter().position(|other| other == class))
            };
            let Some(choices) = places.iter().map(choice).collect::<Option<Vec<usize>>>() else { continue };
            for (at, choice) in places.iter().zip(choices) {
                self.choose(*at, choice);
            }
            if self.is_right(wanted) {
                return true;
            }
            for at in places {
                self.choose(*at, 0);
            }
        }
        false
    }

    fn choose(&mut self, at: usize, class: usize) {
        if let Some(chosen) = self.chosen.get_mut(at) {
            *chosen = class;
        }
    }

    fn is_right(&mut self, wanted: &[i64]) -> bool {
        let Some(left) = self.left.checked_sub(self.guesses.len()) else { return false };
        self.left = left;
        wanted.contains(&self.len())
    }
}
