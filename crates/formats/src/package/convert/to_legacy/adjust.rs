//! Chooses likely classes so that they add up to the length of the cooker's header.
//!
//! Every class of an import adds its name and that of its package to the name table, once. So the header
//! length reveals wrong guesses: other classes are tried, for one import and for all that were guessed alike.
//! Trying more at once would fit any length.

use super::class::{Class, Guess};
use super::import_table::Imports;
use super::names::{Names, stored_len};
use crate::names::split_number;
use crate::package::zen::Header;
use foldhash::{HashMap, HashSet};

/// Limit on the guesses tried, in all combinations, for one package.
const MAX_WORK: usize = 1 << 18;

/// Replaces the classes of a few guesses so that the name table grows by one of these numbers of bytes;
/// returns true if it found such classes.
pub(super) fn adjust(imports: &mut Imports, header: &Header, wanted: &[i64]) -> bool {
    let known = Names::certain(header, imports);
    // Taken out of `imports`, since choosing a class needs it mutably.
    let guesses = std::mem::take(&mut imports.guesses);
    let mut tries = Tries::new(&guesses, &known);
    let wanted: Vec<i64> = wanted.iter().map(|bytes| bytes.saturating_add(tries.added.len)).collect();
    let found = tries.find(&wanted);
    let chosen = std::mem::take(&mut tries.chosen);
    // Without a match nothing changes: a partial match would be no better than the first guesses.
    for (guess, chosen) in guesses.iter().zip(chosen).filter(|_| found) {
        if let Some(class) = guess.classes.get(chosen) {
            imports.set_class(guess.at, class.clone());
        }
    }
    imports.guesses = guesses;
    found
}

/// A combination of classes.
struct Tries<'a> {
    guesses: &'a [Guess],
    /// For each guess, and each of its classes, the indices in `added` of package and name.
    texts: Vec<Vec<[usize; 2]>>,
    /// For each guess, the index of the chosen class.
    chosen: Vec<usize>,
    /// Names that the chosen classes add to the table.
    added: Added,
    left: usize,
}

impl<'a> Tries<'a> {
    /// Starts with the first class of each guess. `known` are the lower-case names that the table has anyway.
    fn new(guesses: &'a [Guess], known: &HashSet<String>) -> Self {
        let mut numbers: HashMap<String, usize> = HashMap::default();
        let mut added = Added::default();
        let mut number = |text: &str| {
            // Tables hold names without number and compare them without case.
            let lower = split_number(text).0.to_ascii_lowercase();
            let len = if known.contains(&lower) { 0 } else { stored_len(&lower) };
            *numbers.entry(lower).or_insert_with(|| added.push(len))
        };
        let mut texts_of = |(package, name): &Class| [number(package), number(name)];
        let texts: Vec<Vec<[usize; 2]>> =
            guesses.iter().map(|guess| guess.classes.iter().map(&mut texts_of).collect()).collect();
        for text in texts.iter().filter_map(|classes| classes.first()).flatten() {
            added.add(*text);
        }
        Self { guesses, texts, chosen: vec![0; guesses.len()], added, left: MAX_WORK }
    }

    /// Tries combinations, simplest first.
    fn find(&mut self, wanted: &[i64]) -> bool {
        let mut alike: HashMap<&Class, Vec<usize>> = HashMap::default();
        for (at, guess) in self.guesses.iter().enumerate() {
            guess.best().into_iter().for_each(|class| alike.entry(class).or_default().push(at));
        }
        let mut alike: Vec<Vec<usize>> = alike.into_values().filter(|places| places.len() > 1).collect();
        // Hash maps have no order; results must not depend on it.
        alike.sort_unstable();
        (0..self.guesses.len()).any(|at| self.vary(&[at], wanted))
            || alike.iter().any(|places| self.vary(places, wanted))
    }

    /// Gives some guesses the same other class.
    fn vary(&mut self, places: &[usize], wanted: &[i64]) -> bool {
        // All of them have the same first guess, so the alternatives of one are enough.
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
            // Restored, so that every try changes only its own guesses.
            for at in places {
                self.choose(*at, 0);
            }
        }
        false
    }

    fn choose(&mut self, at: usize, class: usize) {
        let (Some(chosen), Some(texts)) = (self.chosen.get_mut(at), self.texts.get(at)) else { return };
        let before = std::mem::replace(chosen, class);
        // Added before the old one is removed: a name that both share must not drop to zero in between.
        texts.get(class).into_iter().flatten().for_each(|text| self.added.add(*text));
        texts.get(before).into_iter().flatten().for_each(|text| self.added.remove(*text));
    }

    fn is_right(&mut self, wanted: &[i64]) -> bool {
        // Each test costs as much as there are guesses, which bounds the work for hostile packages.
        let Some(left) = self.left.checked_sub(self.guesses.len()) else { return false };
        self.left = left;
        wanted.contains(&self.added.len)
    }
}

/// Texts of classes; each enters the name table once, no matter how many guesses use it.
#[derive(Default)]
struct Added {
    /// For each text, its length in the table (0 if it is there anyway) and the number of guesses that use
    /// it.
    texts: Vec<(i64, usize)>,
    /// Total length of the used texts.
    len: i64,
}

impl Added {
    /// Adds an unused text; returns its index.
    fn push(&mut self, len: i64) -> usize {
        self.texts.push((len, 0));
        self.texts.len() - 1
    }

    fn add(&mut self, text: usize) {
        if let Some((len, times)) = self.texts.get_mut(text) {
            self.len += if *times == 0 { *len } else { 0 };
            *times += 1;
        }
    }

    fn remove(&mut self, text: usize) {
        if let Some((len, times)) = self.texts.get_mut(text) {
            *times -= 1;
            self.len -= if *times == 0 { *len } else { 0 };
        }
    }
}
