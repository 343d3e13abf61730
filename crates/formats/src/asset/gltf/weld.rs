//! One vertex for all that are alike.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher as _;

/// Vertices that differ from each other.
pub(super) struct Welded {
    /// The first of the given vertices that is like each.
    pub(super) firsts: Vec<u32>,
    /// The vertex that each of the given ones became; 0 for those that no triangle uses.
    pub(super) of: Vec<u32>,
}

/// Joins vertices whose keys are equal, and leaves out those that no triangle uses. The order stays. `key` appends the key of a
/// vertex; all have the same length.
pub(super) fn weld(
    count: usize,
    used: impl Iterator<Item = u32>,
    mut key: impl FnMut(usize, &mut Vec<u32>),
) -> Welded {
    let mut is_used = vec![false; count];
    for vertex in used {
        if let Some(used) = is_used.get_mut(vertex as usize) {
            *used = true;
        }
    }
    let mut known = Known::new(is_used.iter().filter(|is_used| **is_used).count());
    let mut welded = Welded { firsts: Vec::new(), of: vec![0; count] };
    let mut own = Vec::new();
    for ((vertex, of), _) in (0..).zip(&mut welded.of).zip(&is_used).filter(|(_, is_used)| **is_used) {
        own.clear();
        key(vertex as usize, &mut own);
        *of = known.number(&own);
        if *of as usize == welded.firsts.len() {
            welded.firsts.push(vertex);
        }
    }
    welded
}

/// Keys with their numbers.
struct Known {
    numbers: HashTable<u32>,
    /// All keys, one after the other.
    keys: Vec<u32>,
    /// Random, so that nobody can make a file with many equal hashes; the numbers do not depend on it.
    random: RandomState,
}

impl Known {
    fn new(most: usize) -> Self {
        Self { numbers: HashTable::with_capacity(most), keys: Vec::new(), random: RandomState::default() }
    }

    /// The number of a key, which is the next one if it is new.
    fn number(&mut self, key: &[u32]) -> u32 {
        let Self { numbers, keys, random } = self;
        let of = |number: &u32| {
            let start = *number as usize * key.len();
            keys.get(start..start + key.len()).unwrap_or_default()
        };
        let hash = |key: &[u32]| random.hash_one(key);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let found = numbers.entry(hash(key), |number| of(number) == key, |number| hash(of(number)));
        let number = *found.or_insert(next).get();
        if number == next {
            keys.extend_from_slice(key);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_that_are_alike_become_the_first_of_them() {
        let keys = [7_u32, 5, 7, 9, 5, 7];
        // The fourth is used by no triangle.
        let Welded { firsts, of } = weld(6, [0, 1, 2, 4, 5].into_iter(), |at, key| key.push(keys[at]));
        assert_eq!(firsts, [0, 1]);
        assert_eq!([0, 1, 2, 4, 5].map(|at: usize| of[at]), [0, 1, 0, 1, 0]);
    }
}
