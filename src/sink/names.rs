use super::OutputPath;
use super::fold::fold;
use foldhash::{HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// Hands out output paths so that no two files meet, on any file system.
///
/// Windows and macOS do not tell `A.uasset` from `a.uasset`, macOS not even `é` from `e` with an accent, and no system has
/// a file and a folder of one name. The first comer keeps the name; the others get `~tag` in front of the extension, where
/// the tag is the caller's (the chunk id), so that the same container always unpacks to the same names.
///
/// Memory and time grow with the length of the paths, however deep they are and however many are the same: a path is known
/// by a hash over its components, and the search for a free number goes on where the last one ended.
#[derive(Debug, Default)]
pub struct OutputNames {
    files: HashMap<Key, OutputPath>,
    folders: HashSet<Key>,
    /// For each tagged path that was wanted, the number that is tried next.
    next_numbers: HashMap<Key, u32>,
    /// The folder that was announced last: most files lie in that of the one before.
    last_folder: String,
}

/// What distinguishes paths, on any file system.
type Key = u128;

/// A path that had to change, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameClash {
    /// The path that was wanted.
    pub wanted: OutputPath,
    /// The path that was there first, with a slash at its end if it is a folder's.
    pub taken_by: Arc<str>,
    /// The path that is used instead.
    pub used: OutputPath,
}

impl OutputNames {
    /// Notes the folders of a path. Call it for every path before the first [`claim`](Self::claim), so that which of
    /// a file and a folder keeps its name does not depend on order.
    pub fn announce(&mut self, path: &OutputPath) {
        let folder = path.directory();
        if folder == self.last_folder {
            return;
        }
        self.last_folder.clear();
        self.last_folder.push_str(folder);
        let mut above = Xxh3Default::new();
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
        // Its components fold as the whole does.
        return below(&mut hash, path.as_str()).digest128();
    }
    for component in path.as_str().split('/') {
        below(&mut hash, component);
    }
    hash.digest128()
}

/// Goes on to the hash of a folder or file in the folder that `above` is the hash of.
fn below<'a>(above: &'a mut Xxh3Default, component: &str) -> &'a Xxh3Default {
    above.update(fold(component).as_bytes());
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

    /// How long it takes to claim paths whose tags are all the same.
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
        // Equal names; names that are equal once they are cut; and names that are what others become.
        let equal = |_| long.clone();
        let cut = |n: u32| format!("{long}{:04}", n / 3);
        let taken = |n: u32| if n.is_multiple_of(2) { "a".to_owned() } else { format!("a~id-{n}") };
        for name in [&equal as &dyn Fn(u32) -> String, &cut, &taken] {
            let best = |count: u32| (0..4).map(|_| time((0..count).map(name))).min().unwrap();
            let (mut half, mut all) = (best(4_000), best(8_000));
            // Others use the machine, too.
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
