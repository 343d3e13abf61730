//! Suggests names that are similar to a missing one.

use uncask::game::{Entry, Game};
/// The most names suggested.
const OFFERED: usize = 3;
/// Least similarity, from 0 to 1.
const ALIKE: f64 = 0.84;
/// The longest name compared, in bytes: nobody types longer ones.
const MAX_LEN: usize = 64;
/// The most chunks examined, so that it takes only a moment in any game.
const MAX_CHUNKS: usize = 1 << 20;
/// Chunks per unit of parallel work.
const PART: usize = 1 << 12;

/// A name with its similarity.
type Scored = (f64, String);

/// Paths of the folders (with a trailing slash) and files with names most similar to that of a pattern.
pub(crate) fn nearest(game: &Game, pattern: &str) -> Vec<String> {
    let wanted = key(pattern);
    // Names of one or two letters are similar to too many.
    if !(3..=MAX_LEN).contains(&wanted.len()) {
        return Vec::new();
    }
    // Suggestions are a courtesy; they must not take longer than the command.
    let entries: Vec<Entry> = game.all_entries().take(MAX_CHUNKS).collect();
    let parts = game.cpu().map(entries.chunks(PART), |part| nearest_of(game, part, &wanted));
    let mut best = Vec::new();
    for scored in parts.into_iter().flatten() {
        keep(&mut best, scored);
    }
    best.into_iter().map(|(_, path)| path).collect()
}

/// The part of a pattern to compare with names: its last component without wildcards, without extension.
fn key(pattern: &str) -> String {
    let mut parts = pattern.split(['*', '?', '[', ']', '/', '\\']);
    let name = parts.rfind(|part| !part.is_empty() && !part.starts_with(['.', '{'])).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_lowercase()
}

fn nearest_of(game: &Game, entries: &[Entry], wanted: &str) -> Vec<Scored> {
    let mut best = Vec::new();
    let (mut path, mut before) = (String::new(), String::new());
    for entry in entries {
        if !game.at(*entry).path_into(&mut path) {
            continue;
        }
        // Folders shared with the previous path were compared with it.
        let same = path.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        let mut start = path.get(..same).and_then(|front| front.rfind('/')).map_or(0, |slash| slash + 1);
        while let Some(rest) = path.get(start..) {
            let slash = rest.find('/');
            let name = slash.and_then(|at| rest.get(..at)).unwrap_or(rest);
            let end = slash.map_or(path.len(), |at| start + at + 1);
            if let Some(score) = likeness(name, wanted) {
                keep(&mut best, (score, path.get(..end).unwrap_or_default().to_owned()));
            }
            match slash {
                Some(_) => start = end,
                None => break,
            }
        }
        std::mem::swap(&mut path, &mut before);
    }
    best
}

/// Similarity of a name without its extensions, if high enough.
fn likeness(name: &str, wanted: &str) -> Option<f64> {
    let stem = name.split('.').next().unwrap_or(name);
    // Lengths that differ too much cannot be typing errors; this saves the costly comparison.
    if stem.len() > MAX_LEN || stem.len().abs_diff(wanted.len()) > wanted.len() {
        return None;
    }
    // This measure favours names with the same beginning, as typing errors are rarely in the first letters.
    let score = strsim::jaro_winkler(&stem.to_lowercase(), wanted);
    (score >= ALIKE).then_some(score)
}

/// Inserts a name among the best ones, best first; of equals, the alphabetically first.
fn keep(best: &mut Vec<Scored>, found: Scored) {
    let same_name = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned();
    // `A.uasset` and `A.ubulk` are one suggestion.
    if best.iter().any(|(_, path)| same_name(path) == same_name(&found.1)) {
        return;
    }
    // Ties are broken by name, so that suggestions do not depend on the number of threads.
    let at = best.partition_point(|(score, path)| (*score, &found.1) > (found.0, path));
    if at < OFFERED {
        best.insert(at, found);
        best.truncate(OFFERED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared() {
        for (pattern, wanted) in [
            ("Mapz", "mapz"),
            ("*/Mapz/*", "mapz"),
            ("/Game/Mapz/Start.umap", "start"),
            (r"Demo\Mapz\", "mapz"),
            ("*.umpa", ""),
            ("T_Rok*.{uasset,ubulk}", "t_rok"),
        ] {
            assert_eq!(key(pattern), wanted, "{pattern}");
        }
    }

    #[test]
    fn the_best_come_first_and_once() {
        let mut best = Vec::new();
        for (score, path) in [(0.8, "b"), (0.9, "c"), (0.8, "a"), (0.9, "c"), (0.9, "c.ubulk"), (0.85, "d")] {
            keep(&mut best, (score, path.to_owned()));
        }
        assert_eq!(best, [(0.9, "c".to_owned()), (0.85, "d".to_owned()), (0.8, "a".to_owned())]);
    }

    #[test]
    fn what_is_alike() {
        for (name, wanted) in [("Maps", "mapz"), ("Textures", "textrues"), ("Start.umap", "strat")] {
            assert!(likeness(name, wanted).is_some(), "{name}");
        }
        for (name, wanted) in [("Config", "mapz"), ("Textures", "map")] {
            assert!(likeness(name, wanted).is_none(), "{name}");
        }
    }
}
