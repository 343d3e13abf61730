use super::OutputPath;
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::Xxh3Default;

/// Hands out output paths so that no two files meet, on any file system.
///
/// Windows and macOS do not tell `A.uasset` from `a.uasset`, and no system has a file and a folder of one name. The
/// first comer keeps the name; the others get `~tag` in front of the extension, where the tag is the caller's (the
/// chunk id), so that the same container always unpacks to the same names.
///
/// Memory and time grow with the length of the paths, however deep they are: a path is told by a hash over its components.
#[derive(Debug, Default)]
pub struct OutputNames {
    files: HashMap<Key, OutputPath>,
    folders: HashSet<Key>,
    /// The folder that was announced last: most files lie in that of the one before.
    last_folder: String,
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
        let mut hash = Xxh3Default::new();
        for component in path.as_str().split('/') {
            below(&mut hash, component);
        }
        let key = hash.digest128();
        if self.folders.contains(&key) {
            return Err(format!("{path}/"));
        }
        match self.files.get(&key) {
            Some(first) => Err(first.to_string()),
            None => {
                self.files.insert(key, path.clone());
                Ok(())
            }
        }
    }
}

/// Goes on to the hash of a folder or file in the folder that `above` is the hash of.
fn below<'a>(above: &'a mut Xxh3Default, component: &str) -> &'a Xxh3Default {
    above.update(component.to_lowercase().as_bytes());
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
