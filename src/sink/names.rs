use super::OutputPath;
use super::fold::fold;
use foldhash::{HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// Assigns output paths such that no two files collide on any file system.
///
/// Windows and macOS do not distinguish `A.uasset` from `a.uasset`, macOS not even `é` from `e` with an
/// accent, and no system allows a file and a folder of one name. The first claim keeps the name; later ones
/// get `~tag` before the extension, where the tag is the caller's (the chunk id), so that the same container
/// always unpacks to the same names.
///
/// Memory and time are linear in the length of the paths, however deep they are and however many are equal: a
/// path is identified by a hash over its components, and the search for a free number continues where the
/// last one ended.
#[derive(Debug, Default)]
pub struct OutputNames {
    files: HashMap<Key, OutputPath>,
    folders: HashSet<Key>,
    /// Next number to try for each tagged path that was wanted.
    next_numbers: HashMap<Key, u32>,
    /// Folder that was announced last: most files are in the folder of the one before.
    last_folder: String,
}

/// Tag of a path that a name stands for: the start of the name's hash. Not a counter, so that paths do not depend on
/// which worker comes first.
#[derive(Debug, Clone, Copy)]
pub struct HashTag<'n>(pub &'n str);

impl std::fmt::Display for HashTag<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(blake3::hash(self.0.as_bytes()).to_hex().get(..8).unwrap_or_default())
    }
}

/// Identity of a path on any file system.
type Key = u128;

/// Path that had to change, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameClash {
    /// Path that was wanted.
    pub wanted: OutputPath,
    /// Path that was claimed first, with a trailing slash if it is a folder.
    pub taken_by: Arc<str>,
    /// Path that is used instead.
    pub used: OutputPath,
}

impl OutputNames {
    /// Records the folders of a path. Call it for every path before the first [`claim`](Self::claim), so that
    /// the result does not depend on whether a file or a folder of the same name comes first.
    pub fn announce(&mut self, path: &OutputPath) {
        let folder = path.directory();
        if folder == self.last_folder {
            return;
        }
        self.last_folder.clear();
        self.last_folder.push_str(folder);
        let mut above = Xxh3Default::new();
        // One running hash has the key of each folder on the way down.
        self.folders.extend(folder.split('/').map(|component| below(&mut above, component).digest128()));
    }

    /// Reserves a path, or the path with the tag if it is taken.
    pub fn claim(
        &mut self,
        wanted: OutputPath,
        tag: impl std::fmt::Display,
    ) -> (OutputPath, Option<NameClash>) {
        let Err(taken_by) = self.reserve(&wanted) else { return (wanted, None) };
        let tag = &tag.to_string();
        // A thousand chunks may want the same path: all of them share one text.
        let wanted =
            if *taken_by == *wanted.as_str() { OutputPath::known(Arc::clone(&taken_by)) } else { wanted };
        // The series starts where the last search for this path ended, so that n equal paths cost n steps,
        // not n².
        let series = key(&wanted.tagged(tag));
        let mut number = self.next_numbers.get(&series).copied().unwrap_or(1);
        let used = loop {
            let candidate = wanted.tagged_again(tag, number);
            number += 1;
            if self.reserve(&candidate).is_ok() {
                break candidate;
            }
        };
        self.next_numbers.insert(series, number);
        (used.clone(), Some(NameClash { wanted, taken_by, used }))
    }

    fn reserve(&mut self, path: &OutputPath) -> Result<(), Arc<str>> {
        let key = key(path);
        // The folder wins: its files would otherwise all have to change their paths.
        if self.folders.contains(&key) {
            return Err(format!("{path}/").into());
        }
        match self.files.get(&key) {
            Some(first) => Err(first.text()),
            None => {
                self.files.insert(key, path.clone());
                Ok(())
            }
        }
    }
}

fn key(path: &OutputPath) -> Key {
    let mut hash = Xxh3Default::new();
    if path.as_str().is_ascii() {
        // ASCII components fold independently, so the whole path can be folded at once.
        return below(&mut hash, path.as_str()).digest128();
    }
    for component in path.as_str().split('/') {
        below(&mut hash, component);
    }
    hash.digest128()
}

/// Extends the hash of a folder, `above`, to that of an entry in it.
fn below<'a>(above: &'a mut Xxh3Default, component: &str) -> &'a Xxh3Default {
    above.update(fold(component).as_bytes());
    // The slash keeps `a/bc` and `ab/c` apart.
    above.update(b"/");
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim_all(paths: &[&str]) -> Vec<String> {
        let mut names = OutputNames::default();
        let paths: Vec<OutputPath> = paths.iter().map(|path| OutputPath::sanitize(path)).collect();
        for path in &paths {
            names.announce(path);
        }
        (0..).zip(paths).map(|(n, path)| names.claim(path, format!("id{n}")).0.to_string()).collect()
    }

    #[test]
    fn case_collisions_get_a_tag() {
        assert_eq!(
            claim_all(&["A/x.uasset", "a/X.uasset", "a/x.ubulk"]),
            ["A/x.uasset", "a/X~id1.uasset", "a/x.ubulk"]
        );
    }

    #[test]
    fn a_file_gives_way_to_a_folder_in_either_order() {
        assert_eq!(claim_all(&["a", "A/b"]), ["a~id0", "A/b"]);
        assert_eq!(claim_all(&["A/b", "a"]), ["A/b", "a~id1"]);
    }

    #[test]
    fn the_same_name_three_times() {
        assert_eq!(claim_all(&["a", "a", "a"]), ["a", "a~id1", "a~id2"]);
    }

    #[test]
    fn names_that_some_file_system_takes_for_one_get_a_tag() {
        assert_eq!(
            claim_all(&["σ.bin", "ς.bin", "e\u{301}", "é", "Straße/x", "strasse/X"]),
            ["σ.bin", "ς~id1.bin", "e\u{301}", "é~id3", "Straße/x", "strasse/X~id5"]
        );
    }

    #[test]
    fn a_long_name_that_is_taken_is_cut_to_make_room_for_its_tag() {
        let (long, umlauts) = (format!("{}.uasset", "n".repeat(248)), "ü".repeat(127));
        for name in [long, umlauts] {
            let claimed = claim_all(&[&name, &name.to_uppercase(), &name, &name]);
            let apart: HashSet<&String> = claimed.iter().collect();
            assert_eq!(apart.len(), 4, "{claimed:?}");
            assert!(claimed.iter().all(|name| name.len() <= 255), "{claimed:?}");
            assert!(claimed[1].contains("~id1") && claimed[3].contains("~id3"), "{claimed:?}");
        }
    }

    /// Measures claiming paths that all have the same tag.
    fn time(paths: impl Iterator<Item = String>) -> std::time::Duration {
        let paths: Vec<OutputPath> = paths.map(|path| OutputPath::sanitize(&path)).collect();
        let start = std::time::Instant::now();
        let mut names = OutputNames::default();
        let used: HashSet<OutputPath> = paths.iter().map(|path| names.claim(path.clone(), "id").0).collect();
        assert_eq!(used.len(), paths.len(), "each has a name of its own");
        start.elapsed()
    }

    #[test]
    fn time_grows_with_the_number_of_paths_that_are_the_same() {
        let long = "n".repeat(240);
        // Equal names; names that become equal when they are cut; and names that equal the result of another.
        let equal = |_| long.clone();
        let cut = |n: u32| format!("{long}{:04}", n / 3);
        let taken = |n: u32| if n.is_multiple_of(2) { "a".to_owned() } else { format!("a~id-{n}") };
        for name in [&equal as &dyn Fn(u32) -> String, &cut, &taken] {
            let best = |count: u32| (0..4).map(|_| time((0..count).map(name))).min().unwrap();
            let (mut half, mut all) = (best(4_000), best(8_000));
            // The machine may be busy, so the best of several attempts counts.
            for _ in 0..8 {
                if all < half * 3 {
                    break;
                }
                (half, all) = (half.min(best(4_000)), all.min(best(8_000)));
            }
            assert!(all < half * 3, "{half:?} for half of them, {all:?} for all");
        }
    }
}
