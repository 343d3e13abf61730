use super::OutputPath;
use std::collections::{HashMap, HashSet};

/// Hands out output paths so that no two files meet, on any file system.
///
/// Windows and macOS do not tell `A.uasset` from `a.uasset`, and no system has a file and a folder of one name. The
/// first comer keeps the name; the others get `~tag` in front of the extension, where the tag is the caller's (the
/// chunk id), so that the same container always unpacks to the same names.
///
/// Memory and time grow with the length of the paths, however deep they are: a path is told by a hash over its components.
#[derive(Debug, Default)]
pub struct OutputNames {
    files: HashMap<Key, String>,
    folders: HashSet<Key>,
}

/// What paths are told apart by, on a file system that ignores case.
type Key = u128;

/// A path that had to change, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameClash {
    /// The path that was wanted.
    pub wanted: OutputPath,
    /// The path that was there first.
    pub taken_by: String,
    /// The path that is used instead.
    pub used: OutputPath,
}

impl OutputNames {
    /// Notes the folders of a path. Call it for every path before the first [`claim`](Self::claim), so that which of
    /// a file and a folder keeps its name does not depend on order.
    pub fn announce(&mut self, path: &OutputPath) {
        if path.directory().is_empty() {
            return;
        }
        self.folders.extend(keys(path.directory()));
    }

    /// Reserves a path, or the path with the tag if it is taken.
    pub fn claim(&mut self, wanted: OutputPath, tag: &str) -> (OutputPath, Option<NameClash>) {
        let Err(taken_by) = self.reserve(&wanted) else { return (wanted, None) };
        let mut used = wanted.tagged(tag);
        for attempt in 2_u32.. {
            if self.reserve(&used).is_ok() {
                break;
            }
            used = wanted.tagged(&format!("{tag}-{attempt}"));
        }
        (used.clone(), Some(NameClash { wanted, taken_by, used }))
    }

    fn reserve(&mut self, path: &OutputPath) -> Result<(), String> {
        let key = keys(path.as_str()).last().unwrap_or_default();
        if self.folders.contains(&key) {
            return Err(format!("{path}/"));
        }
        match self.files.get(&key) {
            Some(first) => Err(first.clone()),
            None => {
                self.files.insert(key, path.as_str().to_owned());
                Ok(())
            }
        }
    }
}

/// The key of each folder on the way to a path, and its own.
fn keys(path: &str) -> impl Iterator<Item = Key> {
    let mut above = xxhash_rust::xxh3::Xxh3Default::new();
    path.split('/').map(move |component| {
        above.update(component.to_lowercase().as_bytes());
        above.update(b"/");
        above.digest128()
    })
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
        (0..).zip(paths).map(|(n, path)| names.claim(path, &format!("id{n}")).0.to_string()).collect()
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
}
