//! Native objects that every game has, for packages that are read without the script objects of theirs.
//!
//! ```text
//! /Script/Engine
//! ⇥KismetSystemLibrary
//! ⇥⇥Delay                  the path /Script/Engine.KismetSystemLibrary:Delay
//! ```
//!
//! An index is the hash of a path, so a path of the list that has its hash is the object's.
//!
//! Source: the script objects of five games of 4.27 to 5.8, as far as two of them agree; made by
//! `packaging/known-objects.py`.

use super::Header;
use super::resolve::{Neighbours, ScriptFacts};
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use std::sync::{Arc, LazyLock};

static LIST: &str = include_str!("known_objects.txt");

/// The objects by hash, and by line.
struct Known {
    /// Hash of each object with the number of its line, sorted.
    hashes: Box<[(u64, u32)]>,
    lines: Box<[Line]>,
}

/// A line of the list.
struct Line {
    name: &'static str,
    /// The number of the line of the object around it.
    outer: Option<u32>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let (mut path, mut around): (Vec<&str>, Vec<u32>) = (Vec::new(), Vec::new());
    let (mut hashes, mut lines) = (Vec::new(), Vec::new());
    for (number, line) in (0..).zip(LIST.lines()) {
        let name = line.trim_start_matches('\t');
        path.truncate(line.len() - name.len());
        around.truncate(path.len());
        lines.push(Line { name, outer: around.last().copied() });
        path.push(name);
        around.push(number);
        hashes.push((PackageObjectIndex::script(&path.join("/")).0, number));
    }
    hashes.sort_unstable();
    Known { hashes: hashes.into(), lines: lines.into() }
});

/// Neighbours that know the native objects that every game has, too: for packages that are shown, not written.
///
/// A package that is written keeps the indices of what it cannot name, all or none, since half of the names would put its
/// exports in another order.
#[derive(Debug)]
pub struct WithKnownObjects<'a, N: ?Sized>(pub &'a N);

impl<N: Neighbours + ?Sized> Neighbours for WithKnownObjects<'_, N> {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.0.script_path(index).or_else(|| find(index))
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        self.0.script_facts(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.0.package(id)
    }

    fn imported_packages(&self, id: PackageId) -> Option<Vec<PackageId>> {
        self.0.imported_packages(id)
    }

    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        self.0.imported_package(id, at)
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        self.0.package_name(id)
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        self.0.owner_of(index)
    }
}

/// Returns the path of a native object that every game has.
fn find(index: PackageObjectIndex) -> Option<ObjectPath> {
    let Known { hashes, lines } = &*KNOWN;
    let at = hashes.binary_search_by_key(&index.0, |(hash, _)| *hash).ok()?;
    let mut next = hashes.get(at).map(|(_, line)| *line);
    let mut names = Vec::new();
    while let Some(line) = next.and_then(|line| lines.get(line as usize)) {
        names.push(line.name);
        next = line.outer;
    }
    let module = names.pop()?;
    Some(ObjectPath::new(module, names.into_iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_their_hashes() {
        for path in [
            "/Script/CoreUObject",
            "/Script/CoreUObject.Function",
            "/Script/Engine.KismetSystemLibrary:Delay",
            "/Script/UMG.WidgetBlueprintGeneratedClass",
        ] {
            assert_eq!(find(PackageObjectIndex::script(path)).unwrap().to_string(), path);
        }
        // As real packages of 5.5 record them.
        for (index, path) in [
            (0x51ac_ced3_dc7c_0922, "/Script/Engine"),
            (0x5b93_bca7_96d1_fa6f, "/Script/Engine.Texture2D"),
            (0x6bfa_d34a_c8b1_f6d0, "/Script/Engine.Default__Texture2D"),
        ] {
            assert_eq!(find(PackageObjectIndex(index)).unwrap().to_string(), path);
        }
        assert_eq!(find(PackageObjectIndex::script("/Script/Game.Own")), None);
        assert!(KNOWN.hashes.is_sorted_by(|(a, _), (b, _)| a < b), "no hash stands for two objects");
    }
}
