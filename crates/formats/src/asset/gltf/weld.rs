//! One vertex for all that are alike.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Vertices that differ from each other.
pub(super) struct Welded {
    /// The first of the given vertices that is like each.
    pub(super) firsts: Vec<u32>,
    /// The vertex that each of the given ones became; 0 for those that no triangle uses.
    pub(super) of: Vec<u32>,
}

/// Joins vertices whose keys are equal, and leaves out those that no triangle uses. The order stays.
pub(super) fn weld<K: Iterator<Item = u32>>(
    count: usize,
    used: impl Iterator<Item = u32>,
    key: impl Fn(usize) -> K,
) -> Welded {
    // Random, so that nobody can make a file with many equal hashes; the result does not depend on it.
    let random = RandomState::new();
    let hash = |at: u32| {
        let mut hasher = random.build_hasher();
        key(at as usize).for_each(|part| hasher.write_u32(part));
        hasher.finish()
    };
    let mut is_used = vec![false; count];
    for vertex in used {
        if let Some(used) = is_used.get_mut(vertex as usize) {
            *used = true;
        }
    }
    let used = (0..).zip(&is_used).filter(|(_, is_used)| **is_used);
    let mut hashes: Vec<(u64, u32)> = used.map(|(at, _)| (hash(at), at)).collect();
    hashes.sort_unstable();
    // First the first vertex that each is like, then numbers without gaps.
    let mut of = vec![0; count];
    for alike in hashes.chunk_by(|(one, _), (other, _)| one == other) {
        let mut firsts: Vec<u32> = Vec::new();
        for (_, at) in alike {
            let same = |first: &&u32| key(**first as usize).eq(key(*at as usize));
            let first = firsts.iter().find(same).copied().unwrap_or(*at);
            if first == *at {
                firsts.push(first);
            }
            if let Some(slot) = of.get_mut(*at as usize) {
                *slot = first;
            }
        }
    }
    let mut firsts = Vec::new();
    for at in 0..count {
        let Some(first) = of.get(at).copied().filter(|_| is_used.get(at) == Some(&true)) else { continue };
        // The first of those that are alike has its number already.
        let number = if first as usize == at {
            firsts.push(first);
            u32::try_from(firsts.len() - 1).unwrap_or(u32::MAX)
        } else {
            of.get(first as usize).copied().unwrap_or_default()
        };
        if let Some(slot) = of.get_mut(at) {
            *slot = number;
        }
    }
    Welded { firsts, of }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_that_are_alike_become_the_first_of_them() {
        let keys = [7_u32, 5, 7, 9, 5, 7];
        // The fourth is used by no triangle.
        let Welded { firsts, of } = weld(6, [0, 1, 2, 4, 5].into_iter(), |at| std::iter::once(keys[at]));
        assert_eq!(firsts, [0, 1]);
        assert_eq!([0, 1, 2, 4, 5].map(|at: usize| of[at]), [0, 1, 0, 1, 0]);
    }
}
